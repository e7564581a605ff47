// CSV and the text dump of LAMMPS.
#include <fmt/format.h>

#include "export/export.h"
#include "io/files.h"

namespace scree {
namespace {

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

}  // namespace

ExportedFiles export_csv(const RunReader& run, const std::vector<std::size_t>& frames, const std::filesystem::path& folder) {
    ExportedFiles result;
    for (const std::size_t frame : frames) {
        const Snapshot s = run.snapshot(frame);
        std::string text = "id,group,x,y,z,radius,vx,vy,vz,wx,wy,wz,mass,material\n";
        for (std::size_t k = 0; k < s.size(); ++k) {
            const Vec3 x = s.position[k], v = s.velocity[k], w = s.spin[k];
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", s.id[k], quoted(s.group_names[s.group[k]]), x.x, x.y, x.z, s.radius[k], v.x, v.y, v.z, w.x, w.y, w.z, s.mass[k],
                                quoted(run.scene().materials[s.material[k]].name));
        }
        result.files.push_back(folder / fmt::format("grains_{:06}.csv", frame));
        write_whole_file(result.files.back(), text, Durability::crash_of_program);
    }
    return result;
}

// https://docs.lammps.org/dump.html, style custom: identities start at 1 there, types are groups.
ExportedFiles export_lammps(const RunReader& run, const std::vector<std::size_t>& frames, const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / "dump.lammpstrj";
    NewFile file(path);
    for (const std::size_t frame : frames) {
        const Snapshot s = run.snapshot(frame);
        const View view = view_of(s, run.walls(frame));
        std::string text = fmt::format("ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS", s.step, s.size());
        for (std::size_t axis = 0; axis < 3; ++axis) text += run.scene().periodic[axis] ? " pp" : " ff";
        text += "\n";
        for (int axis = 0; axis < 3; ++axis) {
            const auto& interval = run.scene().periodic[static_cast<std::size_t>(axis)];
            text += interval ? fmt::format("{} {}\n", interval->first, interval->second) : fmt::format("{} {}\n", view.low[axis], view.high[axis]);
        }
        text += "ITEM: ATOMS id type x y z radius vx vy vz omegax omegay omegaz mass\n";
        for (std::size_t k = 0; k < s.size(); ++k) {
            const Vec3 x = s.position[k], v = s.velocity[k], w = s.spin[k];
            text += fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}\n", s.id[k] + std::uint64_t{1}, s.group[k] + 1, x.x, x.y, x.z, s.radius[k], v.x, v.y, v.z, w.x, w.y, w.z, s.mass[k]);
        }
        file.write(text);
    }
    file.commit(Durability::crash_of_program);
    return {{path}};
}

}  // namespace scree
