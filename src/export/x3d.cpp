// X3D (ISO/IEC 19775), the successor of VRML: opens in browsers with x3dom or X_ITE, in Blender, in FreeWRL.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "export/bodies.h"
#include "export/export.h"
#include "io/files.h"
#include "shape/shape_table.h"

namespace scree {
namespace {

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '&')
            out += "&amp;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

std::string text_of(Vec3 v) { return fmt::format("{:.9g} {:.9g} {:.9g}", v.x, v.y, v.z); }

// A camera looks along -z with y up; its turn to look from the eye at the center, as axis and angle.
std::string orientation(const View& view) {
    const Vec3 back = normalized(view.eye - view.center), right = normalized(cross(view.up, back)),
               up = cross(back, right);
    const double trace = right.x + up.y + back.z, angle = std::acos(std::min(1.0, std::max(-1.0, (trace - 1) / 2)));
    const Vec3 axis{up.z - back.y, back.x - right.z, right.y - up.x};
    if (norm(axis) < 1e-12) return "0 0 1 0";
    return fmt::format("{} {:.9g}", text_of(normalized(axis)), angle);
}

std::string rotation(Quaternion q) {
    const Vec3 axis{q.x, q.y, q.z};
    if (norm(axis) < 1e-12) return "0 0 1 0";
    return fmt::format("{} {:.9g}", text_of(normalized(axis)), 2 * std::atan2(norm(axis), q.w));
}

std::string face_set(const TriangleMesh& mesh, const std::string& name) {
    std::string index, points;
    for (const auto& t : mesh.triangles) index += fmt::format("{} {} {} -1 ", t[0], t[1], t[2]);
    for (const Vec3& p : mesh.points) points += text_of(p) + " ";
    // Roundings are drawn smooth, edges sharp.
    return fmt::format(
        "<IndexedFaceSet DEF=\"{}\" creaseAngle=\"0.4\" coordIndex=\"{}\"><Coordinate point=\"{}\"/></IndexedFaceSet>",
        name, index, points);
}

}  // namespace

ExportedFiles export_x3d(const RunReader& run, const std::vector<std::size_t>& frames,
                         const std::filesystem::path& folder) {
    ExportedFiles result;
    for (const std::size_t frame : frames) {
        const Snapshot s = run.snapshot(frame);
        const WallPicture walls = run.walls(frame);
        const View view = view_of(s, walls);
        const std::filesystem::path path = folder / fmt::format("frame_{:06}.x3d", frame);
        NewFile file(path);
        file.write(
            fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<X3D profile=\"Interchange\" "
                        "version=\"3.3\">\n<head>\n<meta name=\"title\" content=\"{}\"/>\n"
                        "<meta name=\"description\" content=\"frame {} at {:.9g} s, lengths in metre\"/>\n<meta "
                        "name=\"generator\" content=\"scree\"/>\n</head>\n<Scene>\n"
                        "<Background skyColor=\"1 1 1\"/>\n<Viewpoint description=\"whole\" position=\"{}\" "
                        "orientation=\"{}\" fieldOfView=\"{:.6g}\" centerOfRotation=\"{}\"/>\n",
                        escaped(run.scene().title), frame, s.time, text_of(view.eye), orientation(view),
                        view.angle * std::numbers::pi / 180, text_of(view.center)));
        const Bodies bodies(run, s, Bodies::fineness_for(s.size()));
        std::vector<bool> shape_defined(s.shape.empty() ? 0 : run.shapes().size(), false);
        std::vector<bool> defined(s.group_names.size(), false);
        for (std::size_t k = 0; k < s.size(); ++k) {
            const std::size_t g = s.group[k];
            const std::string appearance = defined[g]
                                               ? fmt::format("<Appearance USE=\"group_{}\"/>", g)
                                               : fmt::format(
                                                     "<Appearance DEF=\"group_{}\"><Material diffuseColor=\"{}\" "
                                                     "specularColor=\"0.2 0.2 0.2\"/></Appearance>",
                                                     g, text_of(group_color(g)));
            defined[g] = true;
            const double r = s.radius[k];
            if (s.has_shape(k)) {
                const std::size_t number = s.shape[k];
                const std::string name = fmt::format("shape_{}", number);
                file.write(fmt::format(
                    "<Transform translation=\"{}\" rotation=\"{}\" scale=\"{:.9g} {:.9g} "
                    "{:.9g}\"><Shape>{}{}</Shape></Transform>\n",
                    text_of(s.position[k]), rotation(s.orientation[k]), s.scale[k], s.scale[k], s.scale[k], appearance,
                    shape_defined[number] ? fmt::format("<IndexedFaceSet USE=\"{}\"/>", name)
                                          : face_set(bodies.surface_of_shape(number), name)));
                shape_defined[number] = true;
                continue;
            }
            // Cylinders stand along y; discs lie in the x-y plane.
            if (s.dimension() == 2)
                file.write(
                    fmt::format("<Transform translation=\"{}\" rotation=\"1 0 0 1.5707963\"><Shape>{}<Cylinder "
                                "radius=\"{:.9g}\" height=\"{:.9g}\"/></Shape></Transform>\n",
                                text_of(s.position[k]), appearance, r, r / 4));
            else
                file.write(fmt::format(
                    "<Transform translation=\"{}\"><Shape>{}<Sphere radius=\"{:.9g}\"/></Shape></Transform>\n",
                    text_of(s.position[k]), appearance, r));
        }
        const auto indexed = [&](const char* node, const char* attribute, const auto& cells, const char* extra) {
            if (cells.empty()) return;
            std::string index, points;
            for (const auto& cell : cells) {
                for (const int corner : cell) index += fmt::format("{} ", corner);
                index += "-1 ";
            }
            for (const Vec3& p : walls.points) points += text_of(p) + " ";
            file.write(fmt::format(
                "<Shape><Appearance><Material diffuseColor=\"0.6 0.65 0.7\" emissiveColor=\"0.3 0.3 0.3\" "
                "transparency=\"{}\"/></Appearance><{} {}=\"{}\"{}><Coordinate point=\"{}\"/></{}></Shape>\n",
                *extra ? "0.8" : "0", node, attribute, index, extra, points, node));
        };
        indexed("IndexedFaceSet", "coordIndex", walls.triangles, " solid=\"false\"");
        indexed("IndexedLineSet", "coordIndex", walls.segments, "");
        file.write("</Scene>\n</X3D>\n");
        file.commit(Durability::crash_of_program);
        result.files.push_back(path);
    }
    return result;
}

}  // namespace scree
