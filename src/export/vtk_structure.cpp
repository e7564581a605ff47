// The frames as they are, and beside them the surfaces of grains that are not spheres, the edges of the regular
// triangulation and the Laguerre cells.
#include <fmt/format.h>

#include "export/bodies.h"
#include "export/cell_shape.h"
#include "export/export.h"
#include "io/files.h"
#include "io/vtk.h"
#include "io/vtk_frames.h"
#include "scree/error.h"

namespace scree {
namespace {

using Place = VtkPolyData::Place;

void put(Vec3 v, float* out) {
    out[0] = static_cast<float>(v.x);
    out[1] = static_cast<float>(v.y);
    out[2] = static_cast<float>(v.z);
}

void write_edges(const std::filesystem::path& path, const Snapshot& s, const LaguerreCells& cells) {
    VtkPolyData data;
    data.number("TimeValue", s.time);
    const std::size_t n = cells.edges.size();
    data.array<float>(Place::points, "position", 3, 2 * n, [&](std::size_t k, float* out) {
        const Vec3 a = s.position[cells.edges[k / 2][0]];
        put(k % 2 ? a + cells.edge_vectors[k / 2] : a, out);
    });
    data.cells(Place::lines, 2, n, [](std::size_t k, int corner) { return 2 * k + static_cast<std::size_t>(corner); });
    data.array<std::uint32_t>(Place::cell_data, "a", 1, n,
                              [&](std::size_t k, std::uint32_t* out) { *out = s.id[cells.edges[k][0]]; });
    data.array<std::uint32_t>(Place::cell_data, "b", 1, n,
                              [&](std::size_t k, std::uint32_t* out) { *out = s.id[cells.edges[k][1]]; });
    data.array<double>(Place::cell_data, "gap", 1, n, [&](std::size_t k, double* out) {
        *out = norm(cells.edge_vectors[k]) - s.radius[cells.edges[k][0]] - s.radius[cells.edges[k][1]];
    });
    data.write(path, 2 * n);
}

void write_cells(const std::filesystem::path& path, const Snapshot& s, const LaguerreCells& cells) {
    // Faces as fans of triangles, which the writer knows; all faces of a grain carry its values.
    std::vector<Vec3> points;
    std::vector<std::array<std::size_t, 3>> triangles;
    std::vector<std::uint32_t> owner;
    const double size = 2 * norm(cells.box.high - cells.box.low);
    for (std::size_t k = 0; k < s.size(); ++k)
        for (const CellFace& face : cell_faces(cells.cells[k].planes, s.position[k], size, s.dimension())) {
            const std::size_t first = points.size();
            points.insert(points.end(), face.corners.begin(), face.corners.end());
            for (std::size_t c = 1; c + 1 < face.corners.size(); ++c) {
                triangles.push_back({first, first + c, first + c + 1});
                owner.push_back(static_cast<std::uint32_t>(k));
            }
        }
    VtkPolyData data;
    data.number("TimeValue", s.time);
    data.array<double>(Place::points, "position", 3, points.size(), [&](std::size_t k, double* out) {
        out[0] = points[k].x;
        out[1] = points[k].y;
        out[2] = points[k].z;
    });
    data.cells(Place::polygons, 3, triangles.size(),
               [&](std::size_t k, int corner) { return triangles[k][static_cast<std::size_t>(corner)]; });
    data.array<std::uint32_t>(Place::cell_data, "id", 1, triangles.size(),
                              [&](std::size_t k, std::uint32_t* out) { *out = s.id[owner[k]]; });
    data.array<double>(Place::cell_data, "cell_volume", 1, triangles.size(),
                       [&](std::size_t k, double* out) { *out = cells.cells[owner[k]].volume; });
    data.array<double>(Place::cell_data, "density", 1, triangles.size(),
                       [&](std::size_t k, double* out) { *out = s.volume[owner[k]] / cells.cells[owner[k]].volume; });
    data.array<std::uint8_t>(Place::cell_data, "border", 1, triangles.size(),
                             [&](std::size_t k, std::uint8_t* out) { *out = cells.cells[owner[k]].at_border; });
    data.write(path, points.size());
}

// The surfaces of grains that are not spheres, and of the spheres among them.
void write_bodies(const std::filesystem::path& path, const RunReader& run, const Snapshot& s) {
    const Bodies bodies(run, s, Bodies::fineness_for(s.size()));
    std::vector<Vec3> points;
    std::vector<std::array<std::size_t, 3>> triangles;
    std::vector<std::uint32_t> owner;
    for (std::size_t k = 0; k < s.size(); ++k) {
        const std::size_t first = points.size();
        const std::vector<Vec3> own = bodies.points(k);
        points.insert(points.end(), own.begin(), own.end());
        for (const auto& t : bodies.surface(k).triangles) {
            triangles.push_back({first + static_cast<std::size_t>(t[0]), first + static_cast<std::size_t>(t[1]),
                                 first + static_cast<std::size_t>(t[2])});
            owner.push_back(static_cast<std::uint32_t>(k));
        }
    }
    VtkPolyData data;
    data.number("TimeValue", s.time);
    data.names("group_names", s.group_names);
    const std::size_t n = triangles.size();
    data.array<double>(Place::points, "position", 3, points.size(), [&](std::size_t k, double* out) {
        out[0] = points[k].x;
        out[1] = points[k].y;
        out[2] = points[k].z;
    });
    data.cells(Place::polygons, 3, n,
               [&](std::size_t k, int corner) { return triangles[k][static_cast<std::size_t>(corner)]; });
    data.array<std::uint32_t>(Place::cell_data, "id", 1, n,
                              [&](std::size_t k, std::uint32_t* out) { *out = s.id[owner[k]]; });
    data.array<std::uint16_t>(Place::cell_data, "group", 1, n,
                              [&](std::size_t k, std::uint16_t* out) { *out = s.group[owner[k]]; });
    data.array<std::uint16_t>(Place::cell_data, "shape", 1, n,
                              [&](std::size_t k, std::uint16_t* out) { *out = s.shape[owner[k]]; });
    data.array<float>(Place::cell_data, "velocity", 3, n,
                      [&](std::size_t k, float* out) { put(s.velocity[owner[k]], out); });
    data.write(path, points.size());
}

}  // namespace

ExportedFiles export_vtk(const RunReader& run, const std::vector<std::size_t>& frames,
                         const std::filesystem::path& folder) {
    ExportedFiles result;
    std::string index = frame_index_head();
    for (const std::size_t frame : frames) {
        const auto copy = [&](FrameKind kind, const std::string& name) {
            run.files().needed(kind, frame);  // refuses what is no frame
            result.files.push_back(folder / name);
            write_whole_file(result.files.back(), read_text_file(run.folder() / "frames" / name),
                             Durability::crash_of_program);
        };
        copy(FrameKind::grains, grain_frame_name(frame));
        copy(FrameKind::contacts, contact_frame_name(frame));
        copy(FrameKind::walls, wall_frame_name(frame));
        index += frame_index_entry(frame, {run.time(frame), 0});
        const Snapshot s = run.snapshot(frame);
        const auto add = [&](int part, const char* name, const std::string& file) {
            result.files.push_back(folder / file);
            index += fmt::format(R"(<DataSet timestep="{}" part="{}" name="{}" file="{}"/>)"
                                 "\n",
                                 run.time(frame), part, name, file);
        };
        if (!s.shape.empty()) {
            add(5, "bodies", fmt::format("bodies_{:06}.vtp", frame));
            write_bodies(result.files.back(), run, s);
        }
        try {
            static const MeasureRequest request{"cells", {}};
            const LaguerreCells cells = laguerre_cells(s, MeasureOptions(request), true);
            add(3, "triangulation", fmt::format("triangulation_{:06}.vtp", frame));
            write_edges(result.files.back(), s, cells);
            add(4, "cells", fmt::format("cells_{:06}.vtp", frame));
            write_cells(result.files.back(), s, cells);
        } catch (const Error& error) {
            // Few or flat grains have no cells; the frame is good without.
            if (error.kind() != ErrorKind::bad_input) throw;
        }
    }
    result.files.push_back(folder / "run.pvd");
    write_whole_file(result.files.back(), index + frame_index_tail(), Durability::crash_of_program);
    return result;
}

}  // namespace scree
