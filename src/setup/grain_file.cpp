#include "setup/grain_file.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/located.h"
#include "core/number_range.h"
#include "scree/error.h"
#include "setup/group.h"

namespace scree {
namespace {

std::string path_beside(const std::string& scene_file, const std::string& file) {
    const std::filesystem::path path(file);
    if (path.is_absolute() || scene_file.empty() || scene_file == "-") return file;
    return (std::filesystem::path(scene_file).parent_path() / path).string();
}

CsvTable table_of(const Scene& scene, std::size_t group, const std::string& file) {
    try {
        return read_csv(path_beside(scene.file, file));
    } catch (const Error& error) {
        // A file that is not there is a mistake of the scene.
        if (error.kind() == ErrorKind::file) refuse_group(scene, group, error.what());
        throw;
    }
}

}  // namespace

GrainFile read_grain_file(const Scene& scene, std::size_t group, const std::string& file, bool spheres) {
    const GrainGroup& about = scene.grains[group];
    const bool flat = scene.dimension == 2;
    GrainFile out{table_of(scene, group, file), {}, -1};
    const CsvTable& table = out.table;
    const auto refuse_header = [&](const std::string& message) {
        refuse_at(table.file, table.header_line, 1, message);
    };
    const auto needed = [&](const char* name) {
        const int column = table.column(name);
        if (column < 0)
            refuse_header(fmt::format("there is no column '{}'; needed are {}{}, and optional {}vx, vy, vz, wx, wy, wz",
                                      name, flat ? "x, y" : "x, y, z", spheres ? ", radius" : "",
                                      spheres ? "" : "scale, qw, qx, qy, qz, "));
        return column;
    };
    const int x = needed("x"), y = needed("y"), z = flat ? table.column("z") : needed("z");
    const int v[] = {table.column("vx"), table.column("vy"), table.column("vz")},
              w[] = {table.column("wx"), table.column("wy"), table.column("wz")};
    out.size_column = spheres ? needed("radius") : table.column("scale");
    int q[4] = {-1, -1, -1, -1}, told = 0;
    const char* const parts[] = {"qw", "qx", "qy", "qz"};
    for (int k = 0; k < 4 && !spheres; ++k) told += (q[k] = table.column(parts[k])) >= 0;
    for (int k = 0; k < 4 && told > 0; ++k)
        if (q[k] < 0)
            refuse_header(fmt::format("there is no column '{}': an orientation needs all of qw, qx, qy, qz", parts[k]));

    const int shape = table.column("shape");
    const std::string expected = spheres ? (flat ? "disc" : "sphere") : about.shape;
    for (std::size_t row = 0; row < table.fields.size(); ++row) {
        if (const std::string& given = shape < 0 ? expected : table.fields[row][static_cast<std::size_t>(shape)];
            given != expected && !(spheres && given == about.shape))
            table.refuse(row, shape,
                         fmt::format("a grain of the shape '{}' in a file for a group of the shape '{}': make a file "
                                     "and a group of each shape, or leave the column out to give all the group's",
                                     given, expected));
        GrainFile::Row grain{{table.number(row, x), table.number(row, y), z < 0 ? 0 : table.number(row, z)},
                             about.velocity,
                             about.spin,
                             out.size_column < 0 ? 1 : table.number(row, out.size_column),
                             {}};
        for (int axis = 0; axis < 3; ++axis) {
            if (v[axis] >= 0) grain.velocity[axis] = table.number(row, v[axis]);
            if (w[axis] >= 0) grain.spin[axis] = table.number(row, w[axis]);
        }
        if (!(grain.size > 0))
            table.refuse(row, out.size_column,
                         fmt::format("a {} must be positive, not {}", spheres ? "radius" : "scale", grain.size));
        if (const char* fault = range_fault(grain.size, spheres, true))
            table.refuse(row, out.size_column,
                         fmt::format("the {} {} {}", spheres ? "radius" : "scale", grain.size, fault));
        for (int axis = 0; axis < scene.dimension; ++axis) {
            const int columns[] = {x, y, z};
            const double place = grain.position[axis];
            if (const char* fault = range_fault(place, true, false))
                table.refuse(row, columns[axis], fmt::format("{} {}", place, fault));
            if (spheres && std::fabs(place) > farthest_in_radii * grain.size)
                table.refuse(row, columns[axis],
                             fmt::format("{} m is more than {:.0e} radii from the origin, where places cannot be told "
                                         "apart finely enough; put the grain nearer",
                                         place, farthest_in_radii));
        }
        if (flat && grain.position.z != 0) table.refuse(row, z, "z must be 0 in a scene of dimension 2");
        if (flat && (grain.velocity.z != 0 || grain.spin.x != 0 || grain.spin.y != 0))
            table.refuse(row, 0, "vz, wx and wy must be 0 in a scene of dimension 2");
        if (told > 0) {
            const Quaternion turn{table.number(row, q[0]), table.number(row, q[1]), table.number(row, q[2]),
                                  table.number(row, q[3])};
            if (!is_rotation(turn))
                table.refuse(
                    row, q[0],
                    fmt::format("qw, qx, qy, qz = {}, {}, {}, {} is no orientation: a quaternion of length 1 is",
                                turn.w, turn.x, turn.y, turn.z));
            if (flat && (turn.x != 0 || turn.y != 0))
                table.refuse(
                    row, q[1],
                    "qx and qy must be 0 in a scene of dimension 2: grains turn about the axis out of the plane");
            grain.orientation = normalized(turn);
        }
        out.rows.push_back(grain);
    }
    return out;
}

}  // namespace scree
