// A scene for POV-Ray: povray +Iframe_000010.pov +W800 +H600 +A
#include <fmt/format.h>

#include "export/bodies.h"
#include "export/export.h"
#include "io/files.h"
#include "shape/shape_table.h"

namespace scree {
namespace {

std::string text_of(Vec3 v) { return fmt::format("<{:.9g}, {:.9g}, {:.9g}>", v.x, v.y, v.z); }

std::string triangle(Vec3 a, Vec3 b, Vec3 c) {
    if (!(norm2(cross(b - a, c - a)) > 0)) return "";
    return fmt::format("  triangle {{ {}, {}, {} }}\n", text_of(a), text_of(b), text_of(c));
}

std::string mesh(const TriangleMesh& surface) {
    std::string out = "mesh {\n";
    for (const auto& t : surface.triangles)
        out += triangle(surface.points[static_cast<std::size_t>(t[0])], surface.points[static_cast<std::size_t>(t[1])],
                        surface.points[static_cast<std::size_t>(t[2])]);
    return out + "}\n";
}

// The true surface: balls at the corners, cylinders along the edges, and the faces moved out.
std::string rounded(const Piece& piece) {
    std::string out, faces;
    const auto at = [&](int v) { return piece.vertex[static_cast<std::size_t>(v)]; };
    for (const Vec3 v : piece.vertex) out += fmt::format("  sphere {{ {}, {:.9g} }}\n", text_of(v), piece.radius);
    for (const Face& face : piece.faces) {
        const std::size_t n = face.corners.size();
        for (std::size_t k = 0; k < n; ++k) {
            const int a = face.corners[k], b = face.corners[(k + 1) % n];
            if (a < b)
                out += fmt::format("  cylinder {{ {}, {}, {:.9g} }}\n", text_of(at(a)), text_of(at(b)), piece.radius);
        }
        for (std::size_t k = 1; k + 1 < n; ++k)
            faces += triangle(at(face.corners[0]) + piece.radius * face.normal,
                              at(face.corners[k]) + piece.radius * face.normal,
                              at(face.corners[k + 1]) + piece.radius * face.normal);
    }
    return faces.empty() ? out : out + "mesh {\n" + faces + "}\n";
}

std::string declaration(std::size_t number, const Shape& shape, const Bodies& bodies, bool flat) {
    std::string out = fmt::format("#declare Shape_{} = ", number);
    if (flat || shape.is_mesh) return out + mesh(bodies.surface_of_shape(number));
    out += "union {\n";
    for (const Piece& piece : shape.pieces) out += rounded(piece);
    // A union of one thing is a warning.
    return shape.is_sphere() ? fmt::format("#declare Shape_{} = {}", number, rounded(shape.pieces[0])) : out + "}\n";
}

}  // namespace

ExportedFiles export_povray(const RunReader& run, const std::vector<std::size_t>& frames,
                            const std::filesystem::path& folder) {
    ExportedFiles result;
    for (const std::size_t frame : frames) {
        const Snapshot s = run.snapshot(frame);
        const WallPicture walls = run.walls(frame);
        const View view = view_of(s, walls);
        const bool flat = s.dimension() == 2;
        const std::filesystem::path path = folder / fmt::format("frame_{:06}.pov", frame);
        NewFile file(path);
        // POV-Ray's space is left-handed; the negative right vector makes it ours.
        file.write(
            fmt::format("// Frame {} at {:.9g} s. Lengths in metre.\n#version 3.7;\nglobal_settings {{ assumed_gamma "
                        "1.0 }}\nbackground {{ color rgb 1 }}\n"
                        "camera {{\n  perspective\n  location {}\n  sky {}\n  right -x*image_width/image_height\n  "
                        "angle {:g}\n  look_at {}\n}}\n"
                        "light_source {{ {} color rgb 0.9 }}\nlight_source {{ {} color rgb 0.35 shadowless }}\n",
                        frame, s.time, text_of(view.eye), text_of(view.up), view.angle, text_of(view.center),
                        text_of(view.eye + view.size * (flat ? Vec3{1, 1, 1} : Vec3{-1, -0.5, 1.5})),
                        text_of(view.eye + view.size * Vec3{1, 0, 0.3})));
        for (std::size_t group = 0; group < s.group_names.size(); ++group) {
            const Vec3 color = group_color(group);
            file.write(
                fmt::format("#declare Group_{} = texture {{ pigment {{ color rgb {} }} finish {{ ambient 0.15 diffuse "
                            "0.7 specular 0.2 }} }}\n",
                            group, text_of(color)));
        }
        file.write(
            "#declare Wall = texture { pigment { color rgbt <0.6, 0.65, 0.7, 0.85> } finish { ambient 0.2 diffuse 0.5 "
            "} }\n");
        const Bodies bodies(run, s, Fineness::fine);
        for (const std::size_t number : bodies.used())
            file.write(declaration(number, run.shapes()[number], bodies, flat));
        for (std::size_t k = 0; k < s.size(); ++k) {
            const double r = s.radius[k];
            if (s.has_shape(k)) {
                const Mat3 turn = matrix_of(s.orientation[k]);
                std::string numbers;
                for (int axis = 0; axis < 3; ++axis)
                    for (const Vec3& row : turn.row) numbers += fmt::format("{:.9g}, ", s.scale[k] * row[axis]);
                file.write(
                    fmt::format("object {{ Shape_{} matrix <{}{:.9g}, {:.9g}, {:.9g}> texture {{ Group_{} }} }}\n",
                                s.shape[k], numbers, s.position[k].x, s.position[k].y, s.position[k].z, s.group[k]));
                continue;
            }
            if (flat)
                file.write(fmt::format("cylinder {{ {}, {}, {:.9g} texture {{ Group_{} }} }}\n", text_of(s.position[k]),
                                       text_of(s.position[k] + Vec3{0, 0, r / 4}), r, s.group[k]));
            else
                file.write(fmt::format("sphere {{ {}, {:.9g} texture {{ Group_{} }} }}\n", text_of(s.position[k]), r,
                                       s.group[k]));
        }
        if (!walls.triangles.empty()) {
            file.write("mesh {\n");
            for (const auto& t : walls.triangles) {
                file.write(triangle(walls.points[static_cast<std::size_t>(t[0])],
                                    walls.points[static_cast<std::size_t>(t[1])],
                                    walls.points[static_cast<std::size_t>(t[2])]));
            }
            file.write("  texture { Wall }\n  no_shadow\n}\n");
        }
        for (const auto& t : walls.segments) {
            const Vec3 a = walls.points[static_cast<std::size_t>(t[0])],
                       b = walls.points[static_cast<std::size_t>(t[1])];
            if (norm2(b - a) > 0)
                file.write(fmt::format("cylinder {{ {}, {}, {:.9g} pigment {{ color rgb 0.35 }} }}\n", text_of(a),
                                       text_of(b), view.size / 400));
        }
        file.commit(Durability::crash_of_program);
        result.files.push_back(path);
    }
    return result;
}

}  // namespace scree
