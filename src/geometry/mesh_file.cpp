#include "geometry/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "math/exact_orientation.h"
#include "scree/error.h"

namespace scree {
namespace {

class Builder {
  public:
    int point(Vec3 p) {
        const auto [at, fresh] =
            numbers_.try_emplace({p.x + 0.0, p.y + 0.0, p.z + 0.0}, static_cast<int>(mesh.points.size()));
        if (fresh) mesh.points.push_back(p);
        return at->second;
    }
    void triangle(int a, int b, int c) {
        const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
        ++mesh.read;
        const bool different = a != b && b != c && c != a;
        if (different && !collinear(at(a), at(b), at(c))) {
            mesh.triangles.push_back({a, b, c});
            return;
        }
        if (different) mesh.slivers.push_back({a, b, c});
        if (mesh.flat++ == 0) mesh.first_flat = mesh.read;
    }
    // A polygon that bulges everywhere is a fan from its first corner; of another one, corners that stick out are cut
    // off in turn.
    void polygon(std::vector<int> corners) {
        const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
        Vec3 normal;
        for (std::size_t k = 1; k + 1 < corners.size(); ++k)
            normal += cross(at(corners[k]) - at(corners[0]), at(corners[k + 1]) - at(corners[0]));
        int axis = std::fabs(normal.x) > std::fabs(normal.y) ? 0 : 1;
        if (std::fabs(normal.z) > std::fabs(normal[axis])) axis = 2;
        const int up = normal[axis] < 0 ? -1 : 1;
        const auto turn = [&](int a, int b, int c) { return up * orientation_dropping(axis, at(a), at(b), at(c)); };
        const auto around = [&](std::size_t k) {
            return std::array{corners[(k + corners.size() - 1) % corners.size()], corners[k],
                              corners[(k + 1) % corners.size()]};
        };
        const auto sticks_out = [&](std::size_t k) {
            const auto [a, b, c] = around(k);
            if (turn(a, b, c) <= 0) return false;
            return std::none_of(corners.begin(), corners.end(), [&, a = a, b = b, c = c](int p) {
                return p != a && p != b && p != c && turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
            });
        };
        const auto bulges = [&] {
            for (std::size_t k = 0; k < corners.size(); ++k)
                if (const auto [a, b, c] = around(k); turn(a, b, c) < 0) return false;
            return true;
        };
        while (!bulges()) {
            std::size_t ear = 0;
            while (ear < corners.size() && !sticks_out(ear)) ++ear;
            if (ear == corners.size()) break;  // it crosses itself; so will the surface
            const auto [a, b, c] = around(ear);
            triangle(a, b, c);
            corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(ear));
        }
        for (std::size_t k = 1; k + 1 < corners.size(); ++k) triangle(corners[0], corners[k], corners[k + 1]);
    }
    TriangleMesh mesh;

  private:
    std::map<std::array<double, 3>, int> numbers_;
};

[[noreturn]] void refuse(const std::string& path, int line, const std::string& why) {
    throw Error(ErrorKind::bad_input, fmt::format("{}:{}: {}", path, line, why));
}

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    constexpr std::string_view blanks = " \t\r";
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(blanks, end);
    }
    return words;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

double number(std::string_view text, const std::string& path, int line) {
    double value = 0;
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        refuse(path, line, fmt::format("\"{}\" is not a finite number", text));
    return value;
}

void read_obj(const std::string& text, const std::string& path, Builder& out) {
    std::vector<int> vertices;
    std::istringstream lines(text);
    int number_of_line = 0;
    for (std::string line, rest; std::getline(lines, line);) {
        ++number_of_line;
        // A backslash at the end: the line goes on.
        for (std::size_t last; (last = line.find_last_not_of(" \t\r")) != std::string::npos && line[last] == '\\' &&
                               std::getline(lines, rest);
             ++number_of_line)
            line = line.substr(0, last) + ' ' + rest;
        const auto words = words_of(std::string_view(line).substr(0, line.find('#')));
        if (words.empty()) continue;
        if (words[0] == "v") {
            if (words.size() < 4) refuse(path, number_of_line, "a vertex needs three coordinates: v x y z");
            vertices.push_back(
                out.point({number(words[1], path, number_of_line), number(words[2], path, number_of_line),
                           number(words[3], path, number_of_line)}));
        } else if (words[0] == "f") {
            std::vector<int> corners;
            for (std::size_t k = 1; k < words.size(); ++k) {
                const std::string_view digits = words[k].substr(0, words[k].find('/'));
                const double value = number(digits, path, number_of_line);
                const auto index =
                    static_cast<std::int64_t>(value) + (value < 0 ? static_cast<std::int64_t>(vertices.size()) : -1);
                if (value != std::floor(value) || index < 0 || index >= static_cast<std::int64_t>(vertices.size()))
                    refuse(path, number_of_line, fmt::format("\"{}\" is no vertex written before this line", words[k]));
                corners.push_back(vertices[static_cast<std::size_t>(index)]);
            }
            if (corners.size() < 3) refuse(path, number_of_line, "a face needs at least three vertices");
            out.polygon(std::move(corners));
        }
    }
}

void read_stl(const std::string& text, const std::string& path, Builder& out) {
    std::uint32_t count = 0;
    if (text.size() >= 84) std::memcpy(&count, text.data() + 80, 4);
    if (text.size() >= 84 && text.size() == 84 + 50 * static_cast<std::size_t>(count)) {
        for (std::uint32_t t = 0; t < count; ++t) {
            float values[9];
            std::memcpy(values, text.data() + 84 + 50 * static_cast<std::size_t>(t) + 12, sizeof values);
            int corner[3];
            for (int k = 0; k < 3; ++k) {
                const Vec3 p{values[3 * k], values[3 * k + 1], values[3 * k + 2]};
                if (!is_finite(p))
                    throw Error(ErrorKind::bad_input,
                                fmt::format("{}: triangle {} has a corner that is not finite", path, t + 1));
                corner[k] = out.point(p);
            }
            out.triangle(corner[0], corner[1], corner[2]);
        }
        return;
    }
    // Some programs write a mark of the encoding or blank lines first, or capitals.
    const std::size_t mark = text.starts_with("\xEF\xBB\xBF") ? 3 : 0,
                      first = std::min(text.find_first_not_of(" \t\r\n", mark), text.size());
    if (lower(std::string_view(text).substr(first, 5)) != "solid")
        throw Error(
            ErrorKind::bad_input,
            fmt::format("{}: is neither a text STL (it does not begin with \"solid\") nor a whole binary one", path));
    std::istringstream lines(text.substr(mark));
    std::vector<int> corners;
    int number_of_line = 0;
    bool in_solid = false, in_facet = false;
    for (std::string line; std::getline(lines, line);) {
        ++number_of_line;
        const auto words = words_of(line);
        if (words.empty()) continue;
        const std::string word = lower(words[0]);
        if (word == "solid") in_solid = true;
        if (word == "endsolid") in_solid = false;
        if (word == "facet") in_facet = true;
        if (word == "endfacet") in_facet = false;
        if (word == "vertex") {
            if (words.size() != 4) refuse(path, number_of_line, "a vertex needs three coordinates: vertex x y z");
            corners.push_back(out.point({number(words[1], path, number_of_line), number(words[2], path, number_of_line),
                                         number(words[3], path, number_of_line)}));
        } else if (word == "endloop") {
            if (corners.size() != 3)
                refuse(path, number_of_line, fmt::format("a facet has {} vertices in place of three", corners.size()));
            out.triangle(corners[0], corners[1], corners[2]);
            corners.clear();
        }
    }
    // Of a file that was cut off the triangles that are left make a surface too, but not the one that was meant.
    if (in_facet || !corners.empty())
        refuse(path, number_of_line, "the file ends within a facet; it has been cut off: write it again");
    if (in_solid)
        refuse(path, number_of_line, "the file ends without \"endsolid\"; it has been cut off: write it again");
}

}  // namespace

TriangleMesh read_mesh(const std::string& path) {
    const std::string ending = lower(std::string_view(path).substr(std::min(path.rfind('.'), path.size())));
    if (ending != ".obj" && ending != ".stl")
        throw Error(ErrorKind::bad_input, fmt::format("{}: meshes are read from files that end in .stl or .obj", path));
    std::error_code unknown;
    if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown))
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: is {} and not a file", path,
                                std::filesystem::is_directory(path, unknown) ? "a folder" : "a device or pipe"));
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(ErrorKind::file, fmt::format("{}: cannot be opened; check the name and the permissions", path));
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return mesh_of_text(bytes.str(), path, ending == ".obj" ? MeshFormat::obj : MeshFormat::stl);
}

TriangleMesh mesh_of_text(const std::string& text, const std::string& path, MeshFormat format) {
    Builder out;
    if (format == MeshFormat::obj)
        read_obj(text, path, out);
    else
        read_stl(text, path, out);
    if (out.mesh.triangles.empty()) throw Error(ErrorKind::bad_input, fmt::format("{}: holds no triangles", path));
    return std::move(out.mesh);
}

std::string stl_bytes(const TriangleMesh& mesh, const std::string& name) {
    std::string out = "scree shape " + name;
    out.resize(80, ' ');
    const auto append = [&](const void* data, std::size_t size) { out.append(static_cast<const char*>(data), size); };
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    append(&count, 4);
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.points[static_cast<std::size_t>(t[0])], b = mesh.points[static_cast<std::size_t>(t[1])],
                   c = mesh.points[static_cast<std::size_t>(t[2])];
        const Vec3 area = cross(b - a, c - a), n = norm(area) > 0 ? normalized(area) : Vec3{};
        for (const Vec3 v : {n, a, b, c}) {
            const float f[3] = {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
            append(f, sizeof f);
        }
        const std::uint16_t none = 0;
        append(&none, 2);
    }
    return out;
}

}  // namespace scree
