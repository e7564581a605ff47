#include "io/run_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "io/checkpoint.h"
#include "io/files.h"
#include "io/scene_file.h"
#include "scree/error.h"
#include "shape/shape_table.h"
#include "wall/wall.h"

namespace scree {
namespace {

// Whole numbers of the data of a frame, each below `limit`.
template <class T>
std::vector<T> numbers_below(const VtkFile& file, const char* section, const char* name, std::size_t limit) {
    std::vector<T> out;
    for (const std::int64_t number : file.numbers<std::int64_t>(section, name)) {
        if (std::cmp_less(number, 0) || std::cmp_greater_equal(number, limit))
            file.refuse(fmt::format("its {} {} is out of range", name, number));
        out.push_back(static_cast<T>(number));
    }
    return out;
}

void require_finite(const VtkFile& file, const std::vector<Vec3>& vectors, const char* name) {
    for (const Vec3 v : vectors)
        if (!is_finite(v)) file.refuse(fmt::format("its {} is not finite everywhere", name));
}

}  // namespace

RunReader::RunReader(std::filesystem::path folder) : files_(folder) {
    const std::optional<std::string> scene = files_.text("scene.toml");
    if (!scene)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{} is not the folder of a run: it has no scene.toml", folder.string()));
    scene_ = std::make_unique<Scene>(parse_scene(*scene, (folder / "scene.toml").string(), {{}, false}));
    times_ = files_.frame_times();
    if (times_.empty())
        throw Error(ErrorKind::bad_input, fmt::format("the run in {} has no frames yet", folder.string()));
}

RunReader::~RunReader() = default;

std::shared_ptr<const ShapeTable> RunReader::shape_table() const {
    if (!shapes_) shapes_ = std::make_shared<ShapeTable>(*scene_);
    return shapes_;
}

const ShapeTable& RunReader::shapes() const { return *shape_table(); }

std::size_t RunReader::nearest(double time) const {
    const auto closer = [&](double a, double b) { return std::abs(a - time) < std::abs(b - time); };
    return static_cast<std::size_t>(std::min_element(times_.begin(), times_.end(), closer) - times_.begin());
}

std::optional<Snapshot> RunReader::from_checkpoint(std::int64_t step) const {
    const std::filesystem::path path = CheckpointFolder(folder() / "checkpoints").path_for(step);
    if (!std::filesystem::exists(path)) return {};
    try {
        Checkpoint checkpoint = read_checkpoint(path);
        if (checkpoint.world.step != step) return {};
        require_state_of(*scene_, checkpoint);
        Simulation simulation(*scene_, {std::move(checkpoint.world), std::move(checkpoint.contacts)},
                              checkpoint.names.groups);
        Snapshot snapshot = snapshot_of(simulation);
        snapshot.scene = scene_.get();
        if (!shapes_) shapes_ = snapshot.shapes;
        return snapshot;
    } catch (const Error&) {
        return {};  // pruned or damaged meanwhile: the frame serves
    }
}

// Where free pistons are in a frame: by how far a point of their picture has moved along their direction.
std::vector<WallState> RunReader::pistons(std::size_t frame, double time) const {
    std::vector<WallState> states(scene_->walls.size());
    const auto is_piston = [](const Wall& wall) { return std::holds_alternative<FreePiston>(wall.motion); };
    if (std::none_of(scene_->walls.begin(), scene_->walls.end(), is_piston)) return states;
    const WallPicture picture = walls(frame);
    const WallSet set(*scene_);
    for (std::size_t w = 0; w < states.size(); ++w) {
        if (!is_piston(scene_->walls[w])) continue;
        const auto drawn = [&](const std::vector<int>& owner, const auto& cells) -> std::optional<Vec3> {
            const auto cell = std::find(owner.begin(), owner.end(), static_cast<int>(w));
            if (cell == owner.end()) return {};
            const int corner = cells[static_cast<std::size_t>(cell - owner.begin())][0];
            return picture.points[static_cast<std::size_t>(corner)];
        };
        std::optional<Vec3> now = drawn(picture.wall_of_triangle, picture.triangles);
        if (!now) now = drawn(picture.wall_of_segment, picture.segments);
        if (!now) continue;  // it is open
        const Vec3 along = normalized(std::get<FreePiston>(scene_->walls[w].motion).along);
        if (const auto* plane = std::get_if<PlaneWall>(&scene_->walls[w].shape)) {
            const Vec3 normal = normalized(plane->normal);
            if (dot(along, normal) != 0) states[w].displacement = dot(*now - plane->point, normal) / dot(along, normal);
            continue;
        }
        const SurfaceMesh start = set.mesh(w, set.place(w, {}, time), set.bounds(w, {}));
        const int corner = start.triangles.empty() ? start.segments[0][0] : start.triangles[0][0];
        states[w].displacement = dot(*now - start.points[static_cast<std::size_t>(corner)], along);
    }
    return states;
}

Snapshot RunReader::snapshot(std::size_t frame) const {
    const VtkFile grains = files_.needed(FrameKind::grains, frame);
    if (auto exact = from_checkpoint(grains.step())) return std::move(*exact);

    Snapshot s;
    s.time = grains.time();
    s.step = grains.step();
    s.scene = scene_.get();
    s.walls = pistons(frame, s.time);
    s.group_names = grains.names("group_names");
    s.position = grains.vectors("Points", "position");
    s.velocity = grains.vectors("PointData", "velocity");
    s.spin = grains.vectors("PointData", "spin");
    require_finite(grains, s.position, "position");
    require_finite(grains, s.velocity, "velocity");
    require_finite(grains, s.spin, "spin");
    s.radius = grains.numbers<double>("PointData", "radius");
    for (const double radius : s.radius)
        if (!(radius > 0 && std::isfinite(radius))) grains.refuse("a radius is not positive");
    s.id = numbers_below<std::uint32_t>(grains, "PointData", "id", std::numeric_limits<std::uint32_t>::max());
    s.group = numbers_below<std::uint16_t>(grains, "PointData", "group", s.group_names.size());
    s.material = numbers_below<std::uint8_t>(grains, "PointData", "material", scene_->materials.size());
    if (!scene_->shapes.empty() && grains.find("PointData", "orientation")) {
        const std::vector<double> q = grains.numbers<double>("PointData", "orientation", 4);
        const std::vector<std::uint16_t> shape =
            numbers_below<std::uint16_t>(grains, "PointData", "shape", shapes().size());
        std::vector<Quaternion> orientation;
        for (std::size_t k = 0; k < shape.size(); ++k) {
            const Quaternion given{q[4 * k], q[4 * k + 1], q[4 * k + 2], q[4 * k + 3]};
            const double length = norm2({given.x, given.y, given.z}) + given.w * given.w;
            if (!(std::fabs(length - 1) < 1e-3)) grains.refuse("an orientation is no rotation");
            orientation.push_back(as_principal(shapes()[shape[k]], given));
        }
        add_shapes(s, shape_table(), shape, orientation, grains.numbers<double>("PointData", "scale"));
    } else if (!scene_->shapes.empty() && s.size() == 0) {
        s.shapes = shape_table();  // grains yet to come, or gone
    }
    complete(s);
    if (std::adjacent_find(s.id.begin(), s.id.end()) != s.id.end()) grains.refuse("two grains have the same id");

    const VtkFile contacts = files_.needed(FrameKind::contacts, frame);
    const std::vector<Vec3> ends = contacts.vectors("Points", "position"),
                            force = contacts.vectors("CellData", "force");
    require_finite(contacts, force, "force");
    require_finite(contacts, ends, "position");
    if (ends.size() != 2 * force.size()) contacts.refuse("its contacts are not lines of two points");
    const std::vector<double> overlap = contacts.numbers<double>("CellData", "overlap");
    const std::vector<std::int64_t> a = contacts.numbers<std::int64_t>("CellData", "a"),
                                    b = contacts.numbers<std::int64_t>("CellData", "b"),
                                    wall = contacts.numbers<std::int64_t>("CellData", "wall");
    const bool points_told = contacts.find("CellData", "point") != nullptr;
    const std::vector<Vec3> point = points_told ? contacts.vectors("CellData", "point") : std::vector<Vec3>{},
                            normal = points_told ? contacts.vectors("CellData", "normal") : std::vector<Vec3>{};
    require_finite(contacts, point, "point");
    require_finite(contacts, normal, "normal");
    const std::size_t walls_there = files_.needed(FrameKind::walls, frame).names("wall_names").size();
    const auto row_of = [&](std::int64_t id) {
        const auto at = std::lower_bound(s.id.begin(), s.id.end(), id,
                                         [](std::uint32_t known, std::int64_t asked) { return known < asked; });
        if (at == s.id.end() || *at != id) contacts.refuse("it has a contact of a grain that is not there");
        return static_cast<std::uint32_t>(at - s.id.begin());
    };
    for (std::size_t k = 0; k < force.size(); ++k) {
        SnapshotContact c;
        c.a = row_of(a[k]);
        c.b = row_of(b[k]);
        if (wall[k] < -1 || std::cmp_greater_equal(wall[k], walls_there))
            contacts.refuse(fmt::format("it has a contact with wall {}, which the scene does not have", wall[k]));
        c.wall = static_cast<std::int32_t>(wall[k]);
        c.overlap = overlap[k];
        c.force = force[k];
        if (!point.empty()) {
            c.point = point[k];
            c.normal = normalized(normal[k]);
            c.branch = nearest_image(*scene_, s.position[c.a] - (c.is_wall() ? c.point : s.position[c.b]));
        } else if (c.is_wall()) {
            c.normal = normalized(ends[2 * k] - ends[2 * k + 1]);
            c.branch = (s.radius[c.a] - c.overlap) * c.normal;
            c.point = s.position[c.a] - c.branch;
        } else {  // line ends are floats; the centers are known better
            c.branch = nearest_image(*scene_, s.position[c.a] - s.position[c.b]);
            c.normal = normalized(c.branch);
            c.point = s.position[c.a] - (s.radius[c.a] - c.overlap / 2) * c.normal;
        }
        s.contacts.push_back(c);
    }
    return s;
}

WallPicture RunReader::walls(std::size_t frame) const {
    const VtkFile file = files_.needed(FrameKind::walls, frame);
    WallPicture picture;
    picture.names = file.names("wall_names");
    picture.points = file.vectors("Points", "position");
    require_finite(file, picture.points, "position");
    const VtkCells segments = file.cells("Lines"), triangles = file.cells("Polys");
    const auto cells_of = [&]<std::size_t n>(const VtkCells& cells, std::vector<std::array<int, n>>& out) {
        for (std::size_t k = 0; k < cells.count(); ++k) {
            if (cells.end(k) - cells.begin(k) != n) file.refuse(fmt::format("a cell has no {} corners", n));
            std::array<int, n>& corners = out.emplace_back();
            for (std::size_t c = 0; c < n; ++c) corners[c] = static_cast<int>(cells.corners[cells.begin(k) + c]);
        }
    };
    cells_of(segments, picture.segments);
    cells_of(triangles, picture.triangles);
    const std::vector<int> wall = numbers_below<int>(file, "CellData", "wall", picture.names.size());
    if (wall.size() != segments.count() + triangles.count()) file.refuse("it has cells that belong to no wall");
    picture.wall_of_segment.assign(wall.begin(), wall.begin() + static_cast<std::ptrdiff_t>(segments.count()));
    picture.wall_of_triangle.assign(wall.begin() + static_cast<std::ptrdiff_t>(segments.count()), wall.end());
    return picture;
}

std::vector<std::size_t> chosen_frames(const std::optional<std::string>& text, std::size_t count) {
    const auto n = static_cast<std::int64_t>(count);
    const auto refuse = [&] {
        return Error(
            ErrorKind::usage,
            fmt::format("\"{}\" does not choose frames; as in 5, 10:20, -1, 0:-1 (the end is left out); there are {}",
                        *text, count));
    };
    const auto read = [&](std::string_view part, std::int64_t fallback) {
        if (part.empty()) return fallback;
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || end != part.data() + part.size()) throw refuse();
        return value < 0 ? value + n : value;
    };
    std::int64_t first = 0, last = n;
    if (text) {
        const std::size_t colon = text->find(':');
        const std::string_view whole = *text;
        first = read(whole.substr(0, colon), 0);
        last = colon == std::string::npos ? first + 1 : std::min(read(whole.substr(colon + 1), n), n);
        if (text->empty() || first < 0 || first >= last || last > n) throw refuse();
    }
    std::vector<std::size_t> frames;
    for (std::int64_t k = first; k < last; ++k) frames.push_back(static_cast<std::size_t>(k));
    return frames;
}

}  // namespace scree
