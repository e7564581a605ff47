#include "io/nurbs_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text_input.h"
#include "io/iges_file.h"
#include "io/json_text.h"
#include "scree/error.h"

namespace scree {
namespace {

using Json = nlohmann::json;

class Reader {
  public:
    explicit Reader(std::string path) : path_(std::move(path)) {}

    std::vector<Nurbs> read(const Json& document) {
        std::vector<Nurbs> bodies;
        const Json& shape = document.is_object() && document.contains("shape") ? document["shape"] : document;
        if (shape.is_object() && shape.contains("data") && shape["data"].is_array())
            for (const Json& body : shape["data"]) bodies.push_back(body_of(body));
        else
            bodies.push_back(body_of(shape));
        if (bodies.empty()) fail("the file holds no curve and no surface");
        return bodies;
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw Error(ErrorKind::bad_input, fmt::format("{}: {}", path_, why));
    }

    // Under one of several names: those of scree and of geomdl.
    const Json* find(const Json& table, std::initializer_list<const char*> names) const {
        for (const char* name : names)
            if (table.contains(name)) return &table[name];
        return nullptr;
    }
    const Json& needed(const Json& table, std::initializer_list<const char*> names) const {
        if (const Json* value = find(table, names)) return *value;
        fail(fmt::format("the key \"{}\" is missing", *names.begin()));
    }
    double number(const Json& value, const char* name) const {
        if (!value.is_number()) fail(fmt::format("{}: {} is not a number", name, value.dump()));
        return value.get<double>();
    }
    std::vector<double> numbers(const Json& value, const char* name) const {
        if (!value.is_array()) fail(fmt::format("{} must be a list of numbers", name));
        std::vector<double> list;
        for (const Json& entry : value) list.push_back(number(entry, name));
        return list;
    }
    SplineBasis basis(const Json& degree, const Json& knots) const {
        const double p = number(degree, "degree");
        if (p != std::floor(p) || p < 0 || p > 100) fail(fmt::format("a degree is {}; it must be a small integer", p));
        return {static_cast<int>(p), numbers(knots, "knots")};
    }

    Nurbs body_of(const Json& body) const {
        if (!body.is_object()) fail("a curve or surface must be an object with degree, knots and points");
        const Json* nested = find(body, {"control_points"});
        const Json& net = nested != nullptr && nested->is_object() ? *nested : body;
        std::vector<Vec3> points;
        const Json& rows = needed(net, {"points"});
        if (!rows.is_array()) fail("points must be a list of [x, y] or [x, y, z]");
        for (const Json& row : rows) {
            const std::vector<double> p = numbers(row, "points");
            if (p.size() != 2 && p.size() != 3)
                fail(fmt::format("point {} has {} coordinates in place of 2 or 3", points.size(), p.size()));
            points.push_back({p[0], p[1], p.size() == 3 ? p[2] : 0});
        }
        const Json* weights = find(net, {"weights"});
        std::vector<double> w =
            weights != nullptr ? numbers(*weights, "weights") : std::vector<double>(points.size(), 1);
        try {
            if (body.contains("degree_u"))
                return nurbs_surface(basis(body["degree_u"], needed(body, {"knots_u", "knotvector_u"})),
                                     basis(needed(body, {"degree_v"}), needed(body, {"knots_v", "knotvector_v"})),
                                     std::move(points), std::move(w));
            const SplineBasis u = basis(needed(body, {"degree"}), needed(body, {"knots", "knotvector"}));
            return nurbs_curve(u.degree, u.knots, std::move(points), std::move(w));
        } catch (const Error& error) {
            if (std::string(error.what()).starts_with(path_)) throw;
            fail(error.what());
        }
    }

    std::string path_;
};

}  // namespace

std::vector<Nurbs> nurbs_of_json(const nlohmann::json& document, const std::string& path) {
    return Reader(path).read(document);
}

bool is_nurbs(const nlohmann::json& document) {
    return document.is_object() &&
           (document.contains("shape") || document.contains("degree") || document.contains("degree_u"));
}

std::vector<Nurbs> read_nurbs(const std::string& path) {
    const std::string text = read_input(path, {"a file of curves or surfaces", ErrorKind::file});
    return is_iges(text) ? nurbs_of_iges(text, path) : nurbs_of_json(parse_json(text, path), path);
}

}  // namespace scree
