// CSV and the text dump of LAMMPS.
#include <fmt/format.h>

#include <set>

#include "core/csv.h"
#include "export/bodies.h"
#include "export/export.h"
#include "io/files.h"
#include "shape/shape_table.h"

namespace scree {
ExportedFiles export_csv(const RunReader& run, const std::vector<std::size_t>& frames,
                         const std::filesystem::path& folder) {
    ExportedFiles result;
    for (const std::size_t frame : frames) {
        const Snapshot s = run.snapshot(frame);
        const bool shaped = !s.shape.empty();
        std::string text = fmt::format("id,group,x,y,z,radius,vx,vy,vz,wx,wy,wz,mass,material{}\n",
                                       shaped ? ",shape,scale,qw,qx,qy,qz" : "");
        for (std::size_t k = 0; k < s.size(); ++k) {
            const Vec3 x = s.position[k], v = s.velocity[k], w = s.spin[k];
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}", s.id[k],
                                csv_field(s.group_names[s.group[k]]), x.x, x.y, x.z, s.radius[k], v.x, v.y, v.z, w.x,
                                w.y, w.z, s.mass[k], csv_field(run.scene().materials[s.material[k]].name));
            if (shaped) {
                const Shape& shape = run.shapes()[s.shape[k]];
                const Quaternion q = as_given(shape, s.orientation[k]);
                // A row of a glued cluster is one of its spheres.
                const std::string& name = run.shapes().glued(s.shape[k]) ? run.shapes()[0].name : shape.name;
                text += fmt::format(",{},{},{},{},{},{}", csv_field(name), s.scale[k], q.w, q.x, q.y, q.z);
            }
            text += "\n";
        }
        result.files.push_back(folder / fmt::format("grains_{:06}.csv", frame));
        write_whole_file(result.files.back(), text, Durability::crash_of_program);
    }
    return result;
}

// https://docs.lammps.org/dump.html, style custom: identities start at 1 there, types are groups. Names of columns are
// those of LAMMPS' ellipsoids, which OVITO takes for orientation and (halved) shape. It draws types by meshes of its
// user's, times the radius of the grain: so meshes are written for a radius of 1.
ExportedFiles export_lammps(const RunReader& run, const std::vector<std::size_t>& frames,
                            const std::filesystem::path& folder) {
    ExportedFiles result{{folder / "dump.lammpstrj"}};
    NewFile file(result.files[0]);
    std::set<std::size_t> used;
    for (const std::size_t frame : frames) {
        const Snapshot s = run.snapshot(frame);
        const View view = view_of(s, run.walls(frame));
        std::string text =
            fmt::format("ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS", s.step, s.size());
        for (std::size_t axis = 0; axis < 3; ++axis) text += run.scene().periodic[axis] ? " pp" : " ff";
        text += "\n";
        for (int axis = 0; axis < 3; ++axis) {
            const auto& interval = run.scene().periodic[static_cast<std::size_t>(axis)];
            text += interval ? fmt::format("{} {}\n", interval->first, interval->second)
                             : fmt::format("{} {}\n", view.low[axis], view.high[axis]);
        }
        const bool shaped = !s.shape.empty();
        std::vector<Vec3> lengths;
        for (std::size_t number = 0; shaped && number < run.shapes().size(); ++number)
            lengths.push_back(extents(run.shapes()[number]));
        text += fmt::format("ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz mass{}\n",
                            shaped ? " quatw quati quatj quatk shapex shapey shapez" : "");
        for (std::size_t k = 0; k < s.size(); ++k) {
            const Vec3 x = s.position[k], v = s.velocity[k], w = s.spin[k];
            text += fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", s.id[k] + std::uint64_t{1}, s.group[k] + 1,
                                x.x, x.y, x.z, s.radius[k], v.x, v.y, v.z, w.x, w.y, w.z, s.mass[k]);
            if (shaped) {
                const Quaternion q = as_given(run.shapes()[s.shape[k]], s.orientation[k]);
                const Vec3 size = s.scale[k] * lengths[s.shape[k]];
                text += fmt::format(" {} {} {} {} {} {} {}", q.w, q.x, q.y, q.z, size.x, size.y, size.z);
                if (s.shape[k] != 0) used.insert(s.shape[k]);
            }
            text += "\n";
        }
        file.write(text);
    }
    file.commit(Durability::crash_of_program);
    for (const std::size_t number : used) {
        const Shape& shape = run.shapes()[number];
        TriangleMesh surface = surface_as_given(shape);
        for (Vec3& p : surface.points) p *= 1 / shape.reach;
        result.files.push_back(folder / (shape.name + ".stl"));
        write_whole_file(result.files.back(), stl_bytes(surface, shape.name), Durability::crash_of_program);
    }
    return result;
}

}  // namespace scree
