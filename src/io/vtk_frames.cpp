// Positions and radii are written as doubles, since overlaps are small differences of them; velocities, spins, forces
// and the drawn ends of contact lines as floats, which halves the files.
#include "io/vtk_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <numeric>

#include "io/vtk.h"
#include "measure/snapshot.h"
#include "shape/shape.h"
#include "world/identity.h"

namespace scree {
namespace {

using Place = VtkPolyData::Place;

void put(Vec3 v, float* out) {
    out[0] = static_cast<float>(v.x);
    out[1] = static_cast<float>(v.y);
    out[2] = static_cast<float>(v.z);
}
void put(Vec3 v, double* out) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

void set_moment(VtkPolyData& data, FrameMoment moment) {
    data.number("TimeValue", moment.time);
    data.whole_number("step", moment.step);
}

double body_volume(const Grains& grains, std::size_t k, std::span<const Shape* const> shapes, int dimension) {
    const double scale = grains.scale[k];
    return shapes[grains.shape[k]]->volume * (dimension == 2 ? scale * scale : scale * scale * scale);
}

}  // namespace

std::vector<std::uint16_t> count_contacts(const Grains& grains, const EachContact& each_contact) {
    const IdentityTable rows(grains.id);
    std::vector<std::uint16_t> counts(grains.size(), 0);
    std::vector<std::array<std::int64_t, 3>> pairs;
    each_contact([&](const ContactView& contact) {
        if (grains.shaped())
            return pairs.push_back({contact.a, contact.wall < 0 ? contact.b : contact.a, contact.wall});
        ++counts[rows.find(contact.a)];
        if (contact.wall < 0) ++counts[rows.find(contact.b)];
    });
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const auto& [a, b, wall] : pairs) {
        ++counts[rows.find(static_cast<Index>(a))];
        if (wall < 0) ++counts[rows.find(static_cast<Index>(b))];
    }
    return counts;
}

std::vector<float> grain_pressures(const Grains& grains, const EachContact& each_contact, int dimension,
                                   const Scene* scene, std::span<const Shape* const> shapes) {
    const IdentityTable rows(grains.id);
    std::vector<double> sums(grains.size(), 0);
    each_contact([&](const ContactView& contact) {
        // The surfaces meet in the middle of the overlap; a wall does not give way.
        if (grains.shaped()) {
            const auto arm = [&](Index row) { return nearest_image(*scene, contact.point - grains.position(row)); };
            sums[rows.find(contact.a)] -= dot(contact.force, arm(rows.find(contact.a)));
            if (contact.wall < 0) sums[rows.find(contact.b)] += dot(contact.force, arm(rows.find(contact.b)));
            return;
        }
        const double force = dot(contact.force, contact.normal),
                     overlap = contact.wall < 0 ? contact.overlap / 2 : contact.overlap;
        const auto add = [&](Index row) { sums[row] += force * (grains.row[row].radius - overlap); };
        add(rows.find(contact.a));
        if (contact.wall < 0) add(rows.find(contact.b));
    });
    std::vector<float> pressures(grains.size());
    for (std::size_t k = 0; k < grains.size(); ++k) {
        const double r = grains.row[k].radius,
                     volume = grains.shaped() ? body_volume(grains, k, shapes, dimension)
                                              : (dimension == 2 ? 1 : 4.0 / 3.0 * r) * std::numbers::pi * r * r;
        pressures[k] = static_cast<float>(sums[k] / (dimension * volume));
    }
    return pressures;
}

void write_grain_frame(const std::filesystem::path& path, FrameMoment moment, const Grains& grains,
                       const std::vector<std::uint16_t>& contact_counts, const std::vector<float>& pressures,
                       const FrameNames& names, bool periodic, std::span<const Shape* const> shapes, int dimension) {
    std::vector<Index> order(grains.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return grains.id[a] < grains.id[b]; });

    VtkPolyData data;
    set_moment(data, moment);
    data.names("group_names", names.groups);
    data.names("material_names", names.materials);
    if (!names.group_colors.empty()) data.names("group_colors", names.group_colors);
    const std::size_t n = grains.size();
    const Index* at = order.data();
    data.array<double>(Place::points, "position", 3, n,
                       [&grains, at](std::size_t k, double* out) { put(grains.position(at[k]), out); });
    data.array<double>(Place::point_data, "radius", 1, n,
                       [&grains, at](std::size_t k, double* out) { *out = grains.row[at[k]].radius; });
    data.array<std::uint32_t>(Place::point_data, "id", 1, n,
                              [&grains, at](std::size_t k, std::uint32_t* out) { *out = grains.id[at[k]]; });
    data.array<std::uint16_t>(Place::point_data, "group", 1, n,
                              [&grains, at](std::size_t k, std::uint16_t* out) { *out = grains.group[at[k]]; });
    data.array<std::uint8_t>(Place::point_data, "material", 1, n,
                             [&grains, at](std::size_t k, std::uint8_t* out) { *out = grains.material[at[k]]; });
    data.array<std::uint16_t>(
        Place::point_data, "contacts", 1, n,
        [&contact_counts, at](std::size_t k, std::uint16_t* out) { *out = contact_counts[at[k]]; });
    data.array<float>(Place::point_data, "pressure", 1, n,
                      [&pressures, at](std::size_t k, float* out) { *out = pressures[at[k]]; });
    data.array<float>(Place::point_data, "velocity", 3, n,
                      [&grains, at](std::size_t k, float* out) { put(grains.velocity(at[k]), out); });
    data.array<float>(Place::point_data, "spin", 3, n,
                      [&grains, at](std::size_t k, float* out) { put(grains.angular_velocity(at[k]), out); });
    if (grains.shaped()) {
        std::vector<std::string> names;
        for (const Shape* shape : shapes) names.push_back(shape->name);
        data.names("shape_names", names);
        data.array<double>(Place::point_data, "orientation", 4, n, [&grains, at, shapes](std::size_t k, double* out) {
            const Quaternion q = as_given(*shapes[grains.shape[at[k]]], grains.orientation[at[k]]);
            out[0] = q.w;
            out[1] = q.x;
            out[2] = q.y;
            out[3] = q.z;
        });
        data.array<std::int32_t>(Place::point_data, "shape", 1, n,
                                 [&grains, at](std::size_t k, std::int32_t* out) { *out = grains.shape[at[k]]; });
        data.array<double>(Place::point_data, "scale", 1, n,
                           [&grains, at](std::size_t k, double* out) { *out = grains.scale[at[k]]; });
        data.array<double>(Place::point_data, "volume", 1, n,
                           [&grains, at, shapes, dimension](std::size_t k, double* out) {
                               *out = body_volume(grains, at[k], shapes, dimension);
                           });
    }
    if (periodic)
        data.array<std::int16_t>(Place::point_data, "crossings", 3, n, [&grains, at](std::size_t k, std::int16_t* out) {
            std::copy_n(grains.images[at[k]].count.begin(), 3, out);
        });
    data.all_points_as_vertices();
    data.write(path, n);
}

void write_contact_frame(const std::filesystem::path& path, FrameMoment moment, const Grains& grains,
                         const EachContact& each_contact, const Scene* scene) {
    const IdentityTable rows(grains.id);
    std::size_t n = 0;
    each_contact([&](const ContactView&) { ++n; });
    VtkPolyData data;
    set_moment(data, moment);
    data.cells(Place::lines, 2, n, [](std::size_t k, int corner) { return 2 * k + static_cast<std::size_t>(corner); });
    enum Column : std::size_t { ends, force, normal_force, overlap, first, second, wall, point, normal };
    data.column<float>(Place::points, "position", 3, 2 * n);
    data.column<float>(Place::cell_data, "force", 3, n);
    data.column<float>(Place::cell_data, "normal_force", 1, n);
    data.column<float>(Place::cell_data, "overlap", 1, n);
    data.column<std::uint32_t>(Place::cell_data, "a", 1, n);
    data.column<std::uint32_t>(Place::cell_data, "b", 1, n);
    data.column<std::int32_t>(Place::cell_data, "wall", 1, n);
    const bool shaped = grains.shaped();
    if (shaped) {
        data.column<float>(Place::cell_data, "point", 3, n);
        data.column<float>(Place::cell_data, "normal", 3, n);
    }
    data.write(path, 2 * n, [&](VtkFiller& filler) {
        each_contact([&](const ContactView& contact) {
            const std::size_t a = rows.find(contact.a);
            const double reach = grains.row[a].radius +
                                 (contact.wall < 0 ? grains.row[rows.find(contact.b)].radius : 0) - contact.overlap;
            float tuple[3];
            put(grains.position(a), tuple);
            filler.put(ends, tuple);
            const auto from_a = [&](Vec3 x) {
                return grains.position(a) + nearest_image(*scene, x - grains.position(a));
            };
            if (shaped)
                put(from_a(contact.wall < 0 ? grains.position(rows.find(contact.b)) : contact.point), tuple);
            else
                put(grains.position(a) - reach * contact.normal, tuple);
            filler.put(ends, tuple);
            put(contact.force, tuple);
            filler.put(force, tuple);
            filler.put(normal_force, static_cast<float>(dot(contact.force, contact.normal)));
            filler.put(overlap, static_cast<float>(contact.overlap));
            filler.put(first, std::uint32_t{contact.a});
            filler.put(second, std::uint32_t{contact.wall < 0 ? contact.b : contact.a});
            filler.put(wall, contact.wall);
            if (!shaped) return;
            put(contact.point, tuple);
            filler.put(point, tuple);
            put(contact.normal, tuple);
            filler.put(normal, tuple);
        });
    });
}

void write_wall_frame(const std::filesystem::path& path, FrameMoment moment, const std::vector<WallReport>& walls,
                      const std::vector<Simulation::WallMesh>& meshes) {
    // One list of points; cells carry the number of their wall.
    std::vector<Vec3> points;
    std::vector<std::array<int, 2>> segments;
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::int32_t> wall_of_segment, wall_of_triangle;
    std::vector<std::string> names;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        names.push_back(walls[w].name);
        if (walls[w].open) continue;
        const int first = static_cast<int>(points.size());
        points.insert(points.end(), meshes[w].points.begin(), meshes[w].points.end());
        for (const auto& s : meshes[w].segments) segments.push_back({s[0] + first, s[1] + first});
        for (const auto& t : meshes[w].triangles) triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
        wall_of_segment.resize(segments.size(), static_cast<std::int32_t>(w));
        wall_of_triangle.resize(triangles.size(), static_cast<std::int32_t>(w));
    }
    std::vector<std::int32_t> wall_of_cell = wall_of_segment;
    wall_of_cell.insert(wall_of_cell.end(), wall_of_triangle.begin(), wall_of_triangle.end());

    VtkPolyData data;
    set_moment(data, moment);
    data.names("wall_names", names);
    data.array<float>(Place::points, "position", 3, points.size(),
                      [&](std::size_t k, float* out) { put(points[k], out); });
    data.cells(Place::lines, 2, segments.size(),
               [&](std::size_t k, int corner) { return segments[k][static_cast<std::size_t>(corner)]; });
    data.cells(Place::polygons, 3, triangles.size(),
               [&](std::size_t k, int corner) { return triangles[k][static_cast<std::size_t>(corner)]; });
    data.array<std::int32_t>(Place::cell_data, "wall", 1, wall_of_cell.size(),
                             [&](std::size_t k, std::int32_t* out) { *out = wall_of_cell[k]; });
    data.array<float>(Place::cell_data, "wall_force", 3, wall_of_cell.size(), [&](std::size_t k, float* out) {
        put(walls[static_cast<std::size_t>(wall_of_cell[k])].force, out);
    });
    data.write(path, points.size());
}

std::string grain_frame_name(std::size_t number) { return fmt::format("grains_{:06}.vtp", number); }
std::string contact_frame_name(std::size_t number) { return fmt::format("contacts_{:06}.vtp", number); }
std::string wall_frame_name(std::size_t number) { return fmt::format("walls_{:06}.vtp", number); }

std::string frame_index_head() {
    return "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\" "
           "header_type=\"UInt64\">\n<Collection>\n";
}

std::string frame_index_entry(std::size_t number, FrameMoment moment) {
    std::string text;
    const auto add = [&](int part, const char* name, const std::string& file) {
        text += fmt::format(R"(<DataSet timestep="{}" part="{}" name="{}" file="{}"/>)"
                            "\n",
                            moment.time, part, name, file);
    };
    add(0, "grains", grain_frame_name(number));
    add(1, "contacts", contact_frame_name(number));
    add(2, "walls", wall_frame_name(number));
    return text;
}

std::string frame_index_tail() { return "</Collection>\n</VTKFile>\n"; }

}  // namespace scree
