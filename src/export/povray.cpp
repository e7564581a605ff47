// A scene for POV-Ray: povray +Iframe_000010.pov +W800 +H600 +A
#include <fmt/format.h>

#include "export/export.h"
#include "io/files.h"

namespace scree {
namespace {

std::string text_of(Vec3 v) { return fmt::format("<{:.9g}, {:.9g}, {:.9g}>", v.x, v.y, v.z); }

}  // namespace

ExportedFiles export_povray(const RunReader& run, const std::vector<std::size_t>& frames, const std::filesystem::path& folder) {
    ExportedFiles result;
    for (const std::size_t frame : frames) {
        const Snapshot s = run.snapshot(frame);
        const WallPicture walls = run.walls(frame);
        const View view = view_of(s, walls);
        const bool flat = s.dimension() == 2;
        const std::filesystem::path path = folder / fmt::format("frame_{:06}.pov", frame);
        NewFile file(path);
        // POV-Ray's space is left-handed; the negative right vector makes it ours.
        file.write(fmt::format("// Frame {} at {:.9g} s. Lengths in metre.\n#version 3.7;\nglobal_settings {{ assumed_gamma 1.0 }}\nbackground {{ color rgb 1 }}\n"
                               "camera {{\n  perspective\n  location {}\n  sky {}\n  right -x*image_width/image_height\n  angle {:g}\n  look_at {}\n}}\n"
                               "light_source {{ {} color rgb 0.9 }}\nlight_source {{ {} color rgb 0.35 shadowless }}\n",
                               frame, s.time, text_of(view.eye), text_of(view.up), view.angle, text_of(view.center),
                               text_of(view.eye + view.size * (flat ? Vec3{1, 1, 1} : Vec3{-1, -0.5, 1.5})), text_of(view.eye + view.size * Vec3{1, 0, 0.3})));
        for (std::size_t group = 0; group < s.group_names.size(); ++group) {
            const Vec3 color = group_color(group);
            file.write(fmt::format("#declare Group_{} = texture {{ pigment {{ color rgb {} }} finish {{ ambient 0.15 diffuse 0.7 specular 0.2 }} }}\n", group, text_of(color)));
        }
        file.write("#declare Wall = texture { pigment { color rgbt <0.6, 0.65, 0.7, 0.85> } finish { ambient 0.2 diffuse 0.5 } }\n");
        for (std::size_t k = 0; k < s.size(); ++k) {
            const double r = s.radius[k];
            if (flat) file.write(fmt::format("cylinder {{ {}, {}, {:.9g} texture {{ Group_{} }} }}\n", text_of(s.position[k]), text_of(s.position[k] + Vec3{0, 0, r / 4}), r, s.group[k]));
            else file.write(fmt::format("sphere {{ {}, {:.9g} texture {{ Group_{} }} }}\n", text_of(s.position[k]), r, s.group[k]));
        }
        if (!walls.triangles.empty()) {
            file.write("mesh {\n");
            for (const auto& t : walls.triangles) {
                const Vec3 a = walls.points[static_cast<std::size_t>(t[0])], b = walls.points[static_cast<std::size_t>(t[1])], c = walls.points[static_cast<std::size_t>(t[2])];
                if (norm2(cross(b - a, c - a)) > 0) file.write(fmt::format("  triangle {{ {}, {}, {} }}\n", text_of(a), text_of(b), text_of(c)));
            }
            file.write("  texture { Wall }\n  no_shadow\n}\n");
        }
        for (const auto& t : walls.segments) {
            const Vec3 a = walls.points[static_cast<std::size_t>(t[0])], b = walls.points[static_cast<std::size_t>(t[1])];
            if (norm2(b - a) > 0) file.write(fmt::format("cylinder {{ {}, {}, {:.9g} pigment {{ color rgb 0.35 }} }}\n", text_of(a), text_of(b), view.size / 400));
        }
        file.commit(Durability::crash_of_program);
        result.files.push_back(path);
    }
    return result;
}

}  // namespace scree
