#include "io/body_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/located.h"
#include "core/nearest.h"
#include "core/text_input.h"
#include "io/iges_file.h"
#include "io/json_text.h"
#include "io/nurbs_file.h"
#include "io/point_cloud.h"
#include "io/scene_toml.h"
#include "math/exact_orientation.h"
#include "math/rotation.h"
#include "scree/error.h"
#include "shape/mesh.h"

namespace scree {
namespace {

constexpr const char* wanted = "a file of points, a mesh or a body";
constexpr long long most_sides = 4'000'000;  // triangles times corners, to see whether a surface is convex

// Whether a closed surface is that of its hull: no point of it in front of any of its triangles.
bool is_convex(const MeshBody& mesh, const Polyhedron& hull) {
    const std::vector<Vec3>& points = hull.hull().points;
    if (!mesh.solid() || hull.dimension() < 3 ||
        static_cast<long long>(mesh.size()) * static_cast<long long>(points.size()) > most_sides)
        return false;
    for (int k = 0; k < mesh.size(); ++k) {
        const Triangle t = mesh.triangle(k);
        for (const Vec3& p : points)
            if (orientation(t.a, t.b, t.c, p) > 0) return false;
    }
    return true;
}

BodyFile single(Form form, std::string kind, const MeshPose& pose = {}, double radius = 0) {
    BodyFile file{{}, std::move(kind), {}};
    file.body.parts.push_back({std::make_shared<const Form>(std::move(form)), pose, radius});
    return file;
}

BodyFile of_points(std::vector<Vec3> points) { return single(Polyhedron(points), "points"); }

BodyFile of_mesh(TriangleMesh mesh, bool hulls, std::vector<Vec3> cloud) {
    mend(mesh);
    if (hulls) return of_points(std::move(cloud));
    MeshBody body(mesh);
    Polyhedron hull(cloud);
    if (is_convex(body, hull)) return single(std::move(hull), "mesh");
    const char* kind = body.solid() ? "mesh" : "sheet";
    return single(std::move(body), kind);
}

bool is_stl(const std::string& text, const std::string& path) {
    std::uint32_t count = 0;
    for (std::size_t k = 0; k < 4 && text.size() >= 84; ++k)
        count |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[80 + k])) << 8 * k;
    if (text.size() >= 84 && text.size() == 84 + 50 * static_cast<std::size_t>(count)) return true;
    std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return ending == ".stl" || (first != std::string::npos && text.compare(first, 6, "solid ") == 0);
}

bool has_faces(const std::string& text) {
    for (std::size_t at = 0; at != std::string::npos; at = text.find('\n', at)) {
        at = text.find_first_not_of(" \t\r\n", at);
        if (at == std::string::npos) return false;
        if (text[at] == 'f' && at + 1 < text.size() && (text[at + 1] == ' ' || text[at + 1] == '\t')) return true;
    }
    return false;
}

// Of files that hold triangles or points.
BodyFile of_surface(const std::string& text, const std::string& path, bool hulls) {
    if (is_stl(text, path)) {
        TriangleMesh mesh = mesh_of_text(text, path, MeshFormat::stl);
        std::vector<Vec3> points = mesh.points;
        return of_mesh(std::move(mesh), hulls, std::move(points));
    }
    std::vector<Vec3> points = points_of_text(text, path);
    if (hulls || !has_faces(text)) return of_points(std::move(points));
    return of_mesh(mesh_of_text(text, path, MeshFormat::obj), hulls, std::move(points));
}

BodyFile of_nurbs(const std::vector<Nurbs>& bodies) {
    BodyFile file{{}, "nurbs", {}};
    for (const Nurbs& nurbs : bodies)
        file.body.parts.push_back({std::make_shared<const Form>(NurbsBody(nurbs)), {}, 0});
    return file;
}

// JSON has no places; messages tell the key.
Value converted(const nlohmann::json& json) {
    if (json.is_object()) {
        Value::Table table;
        for (const auto& [key, child] : json.items()) table.push_back({key, {}, converted(child)});
        return Value(std::move(table));
    }
    if (json.is_array()) {
        Value::Array array;
        for (const auto& child : json) array.push_back(converted(child));
        return Value(std::move(array));
    }
    if (json.is_string()) return Value(json.get<std::string>());
    if (json.is_boolean()) return Value(json.get<bool>());
    if (json.is_number_integer()) return Value(json.get<std::int64_t>());
    if (json.is_number()) return Value(json.get<double>());
    return Value(Value::Date{"null"});
}

nlohmann::json json_of(const Value& value) {
    nlohmann::json json;
    if (const auto* table = value.as<Value::Table>())
        for (const Entry& entry : *table) json[entry.key] = json_of(entry.value);
    else if (const auto* array = value.as<Value::Array>())
        for (const Value& child : *array) json.push_back(json_of(child));
    else if (const auto* text = value.as<std::string>())
        json = *text;
    else if (const auto* integer = value.as<std::int64_t>())
        json = *integer;
    else if (const auto* real = value.as<double>())
        json = *real;
    return json;
}

class Description {
  public:
    Description(std::string path, bool hulls) : path_(std::move(path)), hulls_(hulls) {}

    BodyFile read(const Value& value) {
        const std::string kind = text_at(value, "kind");
        BodyFile file{{}, kind, {}};
        if (kind == "sphere") {
            allow(value, {"radius"});
            file = with_radius(value, Polyhedron(std::array{Vec3{}}));
        } else if (kind == "capsule") {
            const bool by_ends = value.find("from") != nullptr;
            allow(value, by_ends ? std::vector<std::string>{"from", "to", "radius"}
                                 : std::vector<std::string>{"length", "radius"});
            const Vec3 half{0, 0, by_ends ? 0 : 0.5 * length_at(value, "length")};
            file = with_radius(value, Polyhedron(by_ends ? std::array{vector_at(value, "from"), vector_at(value, "to")}
                                                         : std::array{-half, half}));
        } else if (kind == "box") {
            allow(value, {"sides", "radius"});
            const Vec3 half = 0.5 * lengths_at(value, "sides");
            std::vector<Vec3> corners;
            for (int k = 0; k < 8; ++k)
                corners.push_back({(k & 1) != 0 ? half.x : -half.x, (k & 2) != 0 ? half.y : -half.y,
                                   (k & 4) != 0 ? half.z : -half.z});
            file = with_radius(value, Polyhedron(corners));
        } else if (kind == "ellipsoid") {
            allow(value, {"axes", "radius"});
            file = with_radius(value, Ellipsoid(lengths_at(value, "axes")));
        } else if (kind == "superquadric") {
            allow(value, {"axes", "power", "radius"});
            file = with_radius(value, Superquadric(lengths_at(value, "axes"), number_at(value, "power")));
        } else if (kind == "cylinder") {
            allow(value, {"base_radius", "height", "radius"});
            file = with_radius(value, Cylinder(length_at(value, "base_radius"), 0.5 * length_at(value, "height")));
        } else if (kind == "cone") {
            allow(value, {"base_radius", "height", "radius"});
            file = with_radius(value, Cone(length_at(value, "base_radius"), 0.5 * length_at(value, "height")));
        } else if (kind == "hull" || kind == "mesh") {
            file = surface(value, kind == "hull");
        } else if (kind == "nurbs") {
            file = splines(value);
        } else if (kind == "union") {
            allow(value, {"parts"});
            const Value& parts = needed(value, "parts");
            const auto* list = parts.as<Value::Array>();
            if (list == nullptr || list->empty()) fail(parts, "parts", "must be a list of bodies");
            for (const Value& part : *list) {
                BodyFile inner = read(part);
                if (!inner.motion.rests())
                    fail(part, "parts", "do not move by themselves; give the union a velocity and a spin");
                std::move(inner.body.parts.begin(), inner.body.parts.end(), std::back_inserter(file.body.parts));
            }
        } else {
            const std::vector<std::string> kinds{"sphere", "capsule", "box",  "ellipsoid", "superquadric", "cylinder",
                                                 "cone",   "hull",    "mesh", "nurbs",     "union"};
            fail(needed(value, "kind"), "kind",
                 fmt::format("\"{}\" is no kind of body{}; there are: {}", kind, nearest_hint(kind, kinds),
                             fmt::join(kinds, ", ")));
        }
        file.kind = kind;
        place(value, file.body);
        if (value.find("velocity") != nullptr) file.motion.velocity = vector_at(value, "velocity");
        if (value.find("spin") != nullptr) file.motion.spin = vector_at(value, "spin");
        if (value.find("position") != nullptr) file.motion.center = vector_at(value, "position");
        return file;
    }

  private:
    [[noreturn]] void fail(const Value& at, const std::string& key, const std::string& why) const {
        const std::string where = located(path_, at.where.line, at.where.column);
        throw Error(ErrorKind::bad_input, fmt::format("{}: {}: {}", where, key, why));
    }
    const Value& needed(const Value& table, const std::string& key) const {
        if (!table.as<Value::Table>()) fail(table, "a body", "must be a table with a `kind`");
        const Value* value = table.find(key);
        if (value == nullptr) fail(table, key, "is missing");
        return *value;
    }
    std::string text_at(const Value& table, const std::string& key) const {
        const Value& value = needed(table, key);
        const auto* text = value.as<std::string>();
        if (text == nullptr) fail(value, key, fmt::format("must be a string, not {}", type_name(value)));
        return *text;
    }
    double number(const Value& value, const std::string& key) const {
        double number = 0;
        if (const auto* integer = value.as<std::int64_t>())
            number = static_cast<double>(*integer);
        else if (const auto* real = value.as<double>())
            number = *real;
        else
            fail(value, key, fmt::format("must be a number, not {}", type_name(value)));
        if (!std::isfinite(number)) fail(value, key, "must be finite");
        return number;
    }
    double number_at(const Value& table, const std::string& key) const { return number(needed(table, key), key); }
    double length_at(const Value& table, const std::string& key) const {
        const double value = number_at(table, key);
        if (value < 0) fail(needed(table, key), key, "must not be negative");
        return value;
    }
    Vec3 vector(const Value& value, const std::string& key) const {
        const auto* list = value.as<Value::Array>();
        if (list == nullptr || list->size() != 3) fail(value, key, "must be a vector [x, y, z]");
        return {number((*list)[0], key), number((*list)[1], key), number((*list)[2], key)};
    }
    Vec3 vector_at(const Value& table, const std::string& key) const { return vector(needed(table, key), key); }
    Vec3 lengths_at(const Value& table, const std::string& key) const {
        const Vec3 v = vector_at(table, key);
        if (v.x < 0 || v.y < 0 || v.z < 0) fail(needed(table, key), key, "must not be negative");
        return v;
    }
    void allow(const Value& table, std::vector<std::string> keys) const {
        keys.insert(keys.end(), {"kind", "position", "rotate", "velocity", "spin"});
        for (const Entry& entry : *table.as<Value::Table>())
            if (std::find(keys.begin(), keys.end(), entry.key) == keys.end()) {
                Value at;
                at.where = entry.where;
                fail(at, entry.key,
                     fmt::format("is no key of this kind of body{}; there are: {}", nearest_hint(entry.key, keys),
                                 fmt::join(keys, ", ")));
            }
    }
    BodyFile with_radius(const Value& table, Form form) const {
        return single(std::move(form), "", {}, table.find("radius") != nullptr ? length_at(table, "radius") : 0);
    }

    BodyFile surface(const Value& value, bool hull) {
        const bool from_file = value.find("file") != nullptr;
        std::vector<std::string> keys{"radius"};
        keys.insert(keys.end(), {from_file ? "file" : "points"});
        if (from_file) keys.emplace_back("scale");
        if (!from_file && !hull) keys.emplace_back("triangles");
        allow(value, keys);
        const double radius = value.find("radius") != nullptr ? length_at(value, "radius") : 0;
        BodyFile file;
        if (from_file) {
            const std::string name = text_at(value, "file");
            const std::string path = (std::filesystem::path(path_).parent_path() / name).string();
            file = of_surface(read_input(path, {wanted, ErrorKind::file, ErrorKind::file, true}), path, hull || hulls_);
            if (!hull && file.kind == "points")
                fail(needed(value, "file"), "file", "holds no triangles; use kind = \"hull\"");
            if (value.find("scale") != nullptr) file = scaled(file, number_at(value, "scale"), needed(value, "scale"));
        } else {
            std::vector<Vec3> points;
            const Value& list = needed(value, "points");
            const auto* rows = list.as<Value::Array>();
            if (rows == nullptr || rows->empty()) fail(list, "points", "must be a list of vectors [x, y, z]");
            for (const Value& row : *rows) points.push_back(vector(row, "points"));
            if (hull)
                file = of_points(std::move(points));
            else
                file = of_triangles(value, std::move(points));
        }
        for (CompoundPart& part : file.body.parts) part.radius = radius;
        return file;
    }

    BodyFile splines(const Value& value) const {
        const double radius = value.find("radius") != nullptr ? length_at(value, "radius") : 0;
        std::vector<Nurbs> bodies;
        if (value.find("file") != nullptr) {
            allow(value, {"file", "scale", "radius"});
            const double scale = value.find("scale") != nullptr ? number_at(value, "scale") : 1;
            if (!(scale > 0)) fail(needed(value, "scale"), "scale", "must be positive");
            bodies = read_nurbs((std::filesystem::path(path_).parent_path() / text_at(value, "file")).string());
            for (Nurbs& body : bodies)
                for (Vec3& p : body.points) p *= scale;
        } else {
            const bool surface = value.find("degree_u") != nullptr;
            allow(value, surface ? std::vector<std::string>{"degree_u", "degree_v", "knots_u", "knots_v", "points",
                                                            "weights", "radius"}
                                 : std::vector<std::string>{"degree", "knots", "points", "weights", "radius"});
            bodies = nurbs_of_json(json_of(value), located(path_, value.where.line, value.where.column));
        }
        BodyFile file = of_nurbs(bodies);
        for (CompoundPart& part : file.body.parts) part.radius = radius;
        return file;
    }

    BodyFile of_triangles(const Value& value, std::vector<Vec3> points) {
        const Value& list = needed(value, "triangles");
        const auto* rows = list.as<Value::Array>();
        if (rows == nullptr || rows->empty()) fail(list, "triangles", "must be a list of three points each, from 0");
        TriangleMesh mesh;
        mesh.points = points;
        for (const Value& row : *rows) {
            const Vec3 corners = vector(row, "triangles");
            std::array<int, 3> triangle{};
            for (int k = 0; k < 3; ++k) {
                const double corner = corners[k];
                if (corner != std::floor(corner) || corner < 0 || corner >= static_cast<double>(points.size()))
                    fail(row, "triangles", fmt::format("there is no point {}: they are counted from 0", corner));
                triangle[static_cast<std::size_t>(k)] = static_cast<int>(corner);
            }
            mesh.triangles.push_back(triangle);
        }
        return of_mesh(std::move(mesh), hulls_, std::move(points));
    }

    BodyFile scaled(const BodyFile& file, double scale, const Value& at) const {
        if (!(scale > 0)) fail(at, "scale", "must be positive");
        if (const auto* mesh = std::get_if<MeshBody>(file.body.parts[0].form.get())) {
            std::vector<Vec3> points = mesh->points();
            for (Vec3& p : points) p *= scale;
            std::vector<std::array<int, 3>> triangles;
            for (int k = 0; k < mesh->size(); ++k) triangles.push_back(mesh->corners(k));
            return single(MeshBody(std::move(points), std::move(triangles)), file.kind);
        }
        std::vector<Vec3> points = std::get<Polyhedron>(*file.body.parts[0].form).hull().points;
        for (Vec3& p : points) p *= scale;
        return single(Polyhedron(points), file.kind);
    }

    // x -> turn x + position, after what the parts have already.
    void place(const Value& value, Compound& body) const {
        MeshPose pose;
        if (const Value* rotate = value.find("rotate")) {
            if (!rotate->as<Value::Table>()) fail(*rotate, "rotate", "must be { axis = [x, y, z], angle = radians }");
            const Vec3 given = vector_at(*rotate, "axis");
            if (!(norm(given) > 0)) fail(*rotate, "rotate.axis", "must not be zero");
            const double angle = number_at(*rotate, "angle");
            if (std::fabs(angle) > 1000) fail(*rotate, "rotate.angle", "must be in radians, at most 1000");
            pose.rotation = rotation_about(given, angle);
        }
        if (value.find("position") != nullptr) pose.position = vector_at(value, "position");
        for (CompoundPart& part : body.parts) part.pose = pose * part.pose;
    }

    std::string path_;
    bool hulls_;
};

BodyFile of_toml(const std::string& text, const std::string& path, bool hulls) {
    const auto parsed = parse_toml(text);
    if (const auto* error = std::get_if<SyntaxError>(&parsed))
        refuse_at(path, error->where.line, error->where.column, error->message);
    return Description(path, hulls).read(std::get<Value>(parsed));
}

BodyFile of_json(const std::string& text, const std::string& path, bool hulls) {
    const nlohmann::json document = parse_json(text, path);
    if (is_nurbs(document) && !document.contains("kind")) return of_nurbs(nurbs_of_json(document, path));
    return Description(path, hulls).read(converted(document));
}

BodyFile of_any(const std::string& text, const std::string& path, bool hulls) {
    const auto named = [&](std::string_view ending) { return path.ends_with(ending); };
    if (named(".toml")) return of_toml(text, path, hulls);
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (named(".json") || (first != std::string::npos && text[first] == '{')) return of_json(text, path, hulls);
    if (is_iges(text)) return of_nurbs(nurbs_of_iges(text, path));
    return of_surface(text, path, hulls);
}

}  // namespace

BodyFile body_of_text(const std::string& text, const std::string& path, bool hulls) {
    try {
        return of_any(text, path, hulls);
    } catch (const Error& error) {
        // Bodies know nothing of files.
        if (error.kind() != ErrorKind::bad_input || std::string(error.what()).find(path) != std::string::npos) throw;
        refuse_at(path, 0, 0, error.what());
    }
}

BodyFile read_body(const std::string& path, bool hulls) {
    return body_of_text(read_input(path, {wanted, ErrorKind::file, ErrorKind::file, true}), path, hulls);
}

}  // namespace scree
