#include "fuzz/targets.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/csv.h"
#include "geometry/mesh_file.h"
#include "geometry/nurbs/nurbs_distance.h"
#include "io/body_file.h"
#include "io/checkpoint.h"
#include "io/iges_file.h"
#include "io/json_text.h"
#include "io/nurbs_file.h"
#include "io/scene_file.h"
#include "io/synthetic.h"
#include "io/vtk.h"
#include "io/vtk_reader.h"
#include "microstructure/cells.h"
#include "microstructure/image.h"
#include "scree/error.h"
#include "shape/mesh.h"
#include "triangulation/points_file.h"
#include "view/frame_pack.h"
#include "view/http_request.h"
#include "view/page_frames.h"

namespace scree::fuzz {
namespace {

// Runs the work; an Error must say of which input it speaks.
template <class Work>
void told(const char* name, Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        const std::string_view message = error.what();
        if (message.find(name) == std::string_view::npos)
            throw std::logic_error(fmt::format("a message without a place: {}", message));
        for (const char c : message)
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
                throw std::logic_error("a message with a control character");
    }
}

void require(bool holds, const char* what) {
    if (!holds) throw std::logic_error(what);
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> files_in(const char* folder, const char* ending) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SCREE_SOURCE_DIR) / folder))
        if (entry.path().extension() == ending) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> out;
    for (const auto& path : paths) out.push_back(contents(path));
    return out;
}

// A file that is nowhere but in memory.
FileHandle file_of(const std::string& bytes) {
    FileHandle file = FileHandle::adopt(::memfd_create("fuzz", MFD_CLOEXEC));
    require(write_at(file.get(), bytes.data(), bytes.size(), 0) == 0, "no memory for a file");
    return file;
}

void run_scene(const std::string& bytes) {
    told("fuzz.toml", [&] {
        const Scene scene = parse_scene(bytes, "fuzz.toml", {{}, false});
        const Scene again = parse_scene(write_scene(scene), "fuzz.toml", {{}, false});
        require(again == scene, "a scene written and read is another");
    });
}

void run_csv(const std::string& bytes) {
    told("fuzz.csv", [&] {
        const CsvTable table = parse_csv(bytes, "fuzz.csv");
        for (std::size_t row = 0; row < table.fields.size(); ++row)
            for (std::size_t k = 0; k < table.columns.size(); ++k)
                told("fuzz.csv", [&] {
                    require(std::isfinite(table.number(row, static_cast<int>(k))), "a number that is not finite");
                });
    });
}

void run_points(const std::string& bytes) {
    told("fuzz.csv", [&] {
        for (const tri::Row& row : tri::read_points(bytes, "fuzz.csv").rows)
            for (const double x : row.c) require(std::isfinite(x), "a point that is not finite");
    });
}

template <bool stl>
void run_mesh(const std::string& bytes) {
    const char* name = stl ? "fuzz.stl" : "fuzz.obj";
    told(name, [&] {
        TriangleMesh mesh = mesh_of_text(bytes, name, stl ? MeshFormat::stl : MeshFormat::obj);
        for (const auto& triangle : mesh.triangles)
            for (const int corner : triangle)
                require(corner >= 0 && static_cast<std::size_t>(corner) < mesh.points.size(),
                        "a corner that is no point");
        if (mesh.triangles.size() > 100) return;
        mend(mesh);
        require_solid(mesh, name);
    });
}

constexpr const char* image_files[] = {"fuzz.tesr", "fuzz.vti", "fuzz.nrrd", "fuzz.mha", "fuzz.npy", "fuzz.csv"};

template <std::size_t format>
void run_image(const std::string& bytes) {
    const char* name = image_files[format];
    told(name, [&] {
        const micro::Image image = micro::parse_image(micro::bytes_of(bytes, name));
        if (image.voxels() > 100000) return;
        require(micro::all_labels(image).size() == image.voxels(), "a number of labels");
    });
}

template <std::size_t format>
std::vector<std::string> images() {
    std::vector<std::string> out;
    for (const int dimension : {2, 3}) {
        const micro::Image image = micro::make_image(dimension, {3, 2, dimension == 3 ? std::size_t{2} : 1}, {1, 2, 1},
                                                     {}, std::vector<micro::Label>(dimension == 3 ? 12 : 6, 5));
        out.emplace_back();
        micro::write_image(image, image_files[format], [&](std::string_view part) { out.back() += part; });
    }
    return out;
}

void run_tess(const std::string& bytes) {
    told("fuzz.tess", [&] {
        const micro::CellComplex complex = micro::parse_tess(micro::bytes_of(bytes, "fuzz.tess"));
        require(complex.validate().empty(), "cells that are not closed");
        for (const micro::CellComplex::Face& face : complex.face)
            for (const std::int32_t c : face.corner)
                require(c >= 0 && static_cast<std::size_t>(c) < complex.corner.size(), "a corner that is none");
    });
}

void require_finite(const std::vector<Nurbs>& bodies) {
    for (const Nurbs& nurbs : bodies) {
        if (nurbs.points.size() > 200) continue;
        const NurbsClosest c = closest_point(NurbsBody(nurbs), {0, 0, 0});
        require(std::isfinite(c.distance) || !(c.distance < 1e150), "a distance that is not finite");
    }
}

void run_iges(const std::string& bytes) {
    told("fuzz.igs", [&] { require_finite(nurbs_of_iges(bytes, "fuzz.igs")); });
}

void run_nurbs(const std::string& bytes) {
    told("fuzz.json", [&] { require_finite(nurbs_of_json(parse_json(bytes, "fuzz.json"), "fuzz.json")); });
}

void run_body(const std::string& bytes) {
    if (bytes.find("file") != std::string::npos) return;  // which may be any
    told("fuzz.toml", [&] { require(!body_of_text(bytes, "fuzz.toml").body.parts.empty(), "a body of nothing"); });
}

void run_vtk(const std::string& bytes) {
    told("fuzz.vtp", [&] {
        const VtkFile file(file_of(bytes), "fuzz.vtp");
        for (const VtkArray& array : file.arrays()) {
            require(file.read<double>(array).size() == array.count * static_cast<std::size_t>(array.components),
                    "size");
            file.read<std::int64_t>(array);
        }
        for (const char* section : {"Verts", "Lines", "Polys"})
            told("fuzz.vtp", [&] {
                for (const std::int64_t corner : file.cells(section).corners)
                    require(corner >= 0 && static_cast<std::size_t>(corner) < file.points(), "corner");
            });
        told("", [&] {
            view::GrainStream stream;
            for (const double share : {1.0, 0.3, 1.0}) stream.next(file, nullptr, {}, share);
            view::GrainStream().next(file, &file, {}, 1);
        });
        for (const FrameKind kind : {FrameKind::grains, FrameKind::contacts, FrameKind::walls})
            for (const double share : {1.0, 0.3})
                for (const std::optional<std::int64_t> only :
                     {std::optional<std::int64_t>(), std::optional<std::int64_t>(2)}) {
                    view::PackChoice choice{{"velocity", "group", "force", "wall"}, view::Precision::full, share, only};
                    if (share < 1) choice.precision = view::Precision::reduced;
                    told("fuzz.vtp", [&] { view::pack_frame(file, kind, choice); });
                }
    });
}

void run_http(const std::string& bytes) {
    const view::ParsedRequest parsed = view::parse_request(bytes, 8760);
    if (parsed.refusal)
        require(parsed.refusal->status >= 400 && !parsed.refusal->reason.empty(), "a refusal of nothing");
}

void run_json(const std::string& bytes) {
    parse_json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// With a checksum that fits, as somebody would make it who wants a damaged state to be read.
void run_checkpoint(const std::string& bytes) {
    static const test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path / "fuzz.h5";
    test::set_bytes(path, bytes);
    {
        const FileHandle file(path, O_RDWR, "open");
        seal_checkpoint(file.get(), path);
    }
    told("", [&] {
        const Checkpoint checkpoint = read_checkpoint(path);
        told("", [&] { require_sound(checkpoint); });
        told("", [&] { require_state_of(parse_scene(checkpoint.scene, "fuzz.toml", {{}, false}), checkpoint); });
    });
}

std::vector<std::string> scenes() {
    std::vector<std::string> all = files_in("examples", ".toml"), bad = files_in("tests/io/bad_scenes", ".toml");
    all.insert(all.end(), bad.begin(), bad.end());
    return all;
}

std::vector<std::string> tables() {
    return {"x,y,z,radius,vx\n1,2,3,0.5,0\n-1e-3,+2.5,3,1,7\n",
            "\xef\xbb\xbf# note\r\n\"x\",\"a,\"\"b\"\r\n1, \"2\"\r\n", "x\n-1e17\n", "a,b\n1\n2,3,4\n"};
}

std::vector<std::string> point_files() {
    return {"x,y,z,r\n1,2,3,4\n5,6,7,8\n", "1 2 3\n4 5 6\n", "weight;x;y\n1e-300;-0.0;7\n", "# a\n\n1,2,3,4\r\n"};
}

std::vector<std::string> objs() {
    return {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n",
            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1/1 2//2 3 \\\n -1\n", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 1e300\n"};
}

std::vector<std::string> stls() {
    const TriangleMesh tetrahedron = mesh_of_text(objs()[0], "seed.obj", MeshFormat::obj);
    std::string text = "solid t\n";
    for (const auto& t : tetrahedron.triangles) {
        text += "facet normal 0 0 0\nouter loop\n";
        for (const int corner : t) {
            const Vec3 p = tetrahedron.points[static_cast<std::size_t>(corner)];
            text += fmt::format("vertex {} {} {}\n", p.x, p.y, p.z);
        }
        text += "endloop\nendfacet\n";
    }
    return {stl_bytes(tetrahedron, "t"), text + "endsolid t\n"};
}

std::vector<std::string> iges_files() {
    const auto line = [](const std::string& text, const char* end) {
        return text + std::string(72 - text.size(), ' ') + end + "\n";
    };
    const std::string head = line("a curve", "S      1") + line("1H,,1H;;", "G      1"),
                      one = "       0       0       0       0       0       000000000";
    return {head + line("     126       1" + one, "D      1") +
                line("     126       0       0       2       0", "D      2") +
                line("126,2,2,0,0,1,0,0.,0.,0.,1.,1.,1.,1.,1.,1.,                            1", "P      1") +
                line("0.,0.,0.,1.,2.,0.,2.,0.,0.,0.,1.,0.,0.,1.;                             1", "P      2") +
                line("", "T      1"),
            head + line("     100       1" + one, "D      1") +
                line("     100       0       0       1       0", "D      2") +
                line("100,0.,0.,0.,1.,0.,0.,1.;                                              1", "P      1") +
                line("", "T      1")};
}

std::vector<std::string> splines() {
    return {
        R"({"degree": 2, "knots": [0, 0, 0, 1, 1, 1], "points": [[1, 0], [1, 1], [0, 1]], "weights": [1, 0.7, 1]})",
        R"({"shape": {"data": [{"degree_u": 1, "degree_v": 1, "knotvector_u": [0, 0, 1, 1], "knotvector_v": [0, 0, 1, 1],
                "control_points": {"points": [[0, 0, 0], [0, 2, 0], [2, 0, 0], [2, 2, 0]]}}]}})"};
}

std::vector<std::string> bodies() {
    return {
        "kind = \"union\"\nrotate = { axis = [0, 0, 1], angle = 1.5 }\n[[parts]]\nkind = \"box\"\nsides = [4, 1, "
        "1]\n",
        "kind = \"ellipsoid\"\naxes = [1, 2, 3]\nradius = 0.5\nvelocity = [1, 0, 0]\n",
        "kind = \"mesh\"\npoints = [[0,0,0],[1,0,0],[0,1,0]]\ntriangles = [[0,1,2]]\n",
        "kind = \"nurbs\"\ndegree = 1\nknots = [0, 0, 1, 1]\npoints = [[0, 0, 0], [1, 0, 0]]\n"};
}

template <class Declare>
std::string vtp_of(std::size_t points, Declare&& declare) {
    const test::TemporaryFolder folder;
    VtkPolyData data;
    declare(data);
    data.write(folder.path / "seed.vtp", points);
    return contents(folder.path / "seed.vtp");
}

std::vector<std::string> frames() {
    using Place = VtkPolyData::Place;
    const auto count = [](std::size_t k, auto* out) { *out = static_cast<std::remove_reference_t<decltype(*out)>>(k); };
    const auto three = [](std::size_t k, auto* out) {
        for (int c = 0; c < 3; ++c) out[c] = static_cast<float>(k) + static_cast<float>(c);
    };
    return {
        vtp_of(5,
               [&](VtkPolyData& data) {
                   data.number("TimeValue", 0.5);
                   data.whole_number("step", 7);
                   data.names("group_names", {"sand", "Größe"});
                   data.array<double>(Place::points, "position", 3, 5, three);
                   data.array<double>(Place::point_data, "radius", 1, 5, [](std::size_t, double* out) { *out = 1; });
                   data.array<float>(Place::point_data, "velocity", 3, 5, three);
                   data.array<std::uint32_t>(Place::point_data, "id", 1, 5, count);
                   data.array<std::uint16_t>(Place::point_data, "group", 1, 5, count);
                   data.all_points_as_vertices();
               }),
        vtp_of(6, [&](VtkPolyData& data) {
            data.array<float>(Place::points, "position", 3, 6, three);
            data.cells(Place::lines, 2, 2, [](std::size_t k, int c) { return 2 * k + static_cast<std::size_t>(c); });
            data.cells(Place::polygons, 3, 1, [](std::size_t, int c) { return static_cast<std::size_t>(c); });
            data.array<std::int32_t>(Place::cell_data, "wall", 1, 3, count);
            data.array<float>(Place::cell_data, "force", 3, 3, three);
        })};
}

std::vector<std::string> tessellations() {
    std::vector<std::string> out;
    for (const int dimension : {2, 3}) {
        micro::Seeds seeds;
        seeds.dimension = dimension;
        seeds.center = {{0.2, 0.3, 0}, {0.8, 0.4, 0}, {0.5, 0.9, 0}};
        seeds.weight = {0, 0.01, 0};
        seeds.label = {1, 2, 3};
        out.emplace_back();
        micro::write_tess(micro::cell_complex(micro::Diagram(seeds)),
                          [&](std::string_view part) { out.back() += part; });
    }
    return out;
}

std::vector<std::string> heads() {
    return {"GET /api/frame/12/grains?fields=group,velocity&only=7 HTTP/1.1\r\nHost: 127.0.0.1:8760\r\nAccept: */*",
            "HEAD /%61pi/run?from=18446744073709551616 HTTP/1.0\r\nHost: localhost:8760\r\nConnection: close",
            "GET /api/shape/../..%2f..%2fetc/passwd HTTP/1.1\r\nHost: [::1]:8760\r\n X: folded"};
}

std::vector<std::string> records() {
    return {R"({"title": "a \"b\"", "n": [1, 2.5e300, {"x": null}], "profile": {"walls": 0.1}})",
            std::string(200000, '['), R"({"title": 5})", "null"};
}

std::vector<std::string> checkpoints() {
    const test::TemporaryFolder folder;
    std::vector<std::string> out;
    for (const std::size_t grains : {0u, 3u}) {
        test::write(folder.path / "seed.h5", test::made_up_checkpoint(grains));
        out.push_back(contents(folder.path / "seed.h5"));
    }
    return out;
}

}  // namespace

const std::vector<Target>& targets() {
    static const std::vector<std::string> numbers = {"1e308",      "-1e308",  "1e-308", "nan",   "-inf",
                                                     "1e17",       "0",       "-1",     "1e300", "99999999999999999999",
                                                     "4294967295", "\x1b[31m"};
    static const std::vector<std::string> keys = {"[[grains]]\n",
                                                  "radius = ",
                                                  "place = ",
                                                  "{",
                                                  "}",
                                                  "[",
                                                  "]",
                                                  "\"\\u001b\"",
                                                  "inf",
                                                  "shape = ",
                                                  "[[walls]]\n",
                                                  "kind = \"mesh\"\n",
                                                  "motion = ",
                                                  "1e308",
                                                  "-1",
                                                  "name = \"\"\n",
                                                  "[periodic]\nx = [0, 1]\n",
                                                  "'''"};
    static const std::vector<Target> all = {
        {"scene", run_scene, scenes, keys, 1500},
        {"csv", run_csv, tables, numbers, 20000},
        {"points", run_points, point_files, numbers, 20000},
        {"obj", run_mesh<false>, objs, numbers, 10000},
        {"stl", run_mesh<true>, stls, numbers, 6000},
        {"vtk",
         run_vtk,
         frames,
         {"Int8", "Float64", "UInt64", "NumberOfComponents=\"4\"", "18446744073709551615", "-1"},
         3000},
        {"iges", run_iges, iges_files, numbers, 6000},
        {"nurbs", run_nurbs, splines, numbers, 6000},
        {"body", run_body, bodies, numbers, 6000},
        {"http", run_http, heads, {"%00", "%2e%2e", "Host: ", "\r\n", "Content-Length: 5"}, 30000},
        {"json", run_json, records, {"[", "{\"", "}", "\\", "\""}, 5000},
        {"tesr", run_image<0>, images<0>, {"*file ", "binary8", "ascii", "-1", "4294967295"}, 5000},
        {"vti", run_image<1>, images<1>, {"Int8", "base64", "1048577", "offset=\"9\"", "-1"}, 5000},
        {"nrrd", run_image<2>, images<2>, {"encoding: gzip", "sizes: 1048577 9", "byte skip: -1", "none"}, 5000},
        {"mha", run_image<3>, images<3>, {"CompressedData = True", "MET_DOUBLE", "1048577", "-1"}, 5000},
        {"npy", run_image<4>, images<4>, {"<f8", ">u2", "'fortran_order': True", "1048577"}, 5000},
        {"labels", run_image<5>, images<5>, numbers, 5000},
        {"tess", run_tess, tessellations, {"**periodicity", "-1", "99999999", "*crysym\n", "1e300"}, 3000},
        {"checkpoint", run_checkpoint, checkpoints, {}, 300},
    };
    return all;
}

}  // namespace scree::fuzz
