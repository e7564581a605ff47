// Keys of regions and of groups of grains.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/scene_keys.h"

namespace scree {
namespace {

constexpr Choice region_kinds[] = {
    {"box", "Upright box."},
    {"cylinder", "Solid cylinder between the end points of its axis."},
    {"cone", "Solid cone, cut off at both end points of its axis."},
    {"sphere", "Solid sphere; a disc in 2D."},
};
constexpr Choice radius_kinds[] = {
    {"uniform", "Any radius between two, equally likely."},
    {"normal", "Mean and standard deviation; cut at three of them."},
    {"lognormal", "Median, and standard deviation of the logarithm; cut at three of them."},
    {"table", "Discrete sizes."},
    {"sieve", "Between the sizes of sieves, as a sieve analysis tells."},
};
constexpr Choice counted_by[] = {{"number", "the number of grains"}, {"mass", "their mass"}};
constexpr Choice place_kinds[] = {
    {"lattice", "On the sites of a lattice."},
    {"random", "At random, without overlap, or refused."},
    {"at", "At given points."},
    {"file", "Read from a table."},
};
constexpr Choice lattices[] = {
    {"fcc", "face-centered cubic (3D)", true, 3},
    {"sc", "simple cubic (3D)", true, 3},
    {"square", "square (2D)", true, 2},
    {"hexagonal", "hexagonal (2D)", true, 2},
};
const Key radius_key = defaults_to("required; not with `place.file`",
                                   {"radius", "m", positive, "Radius of all grains, or a distribution."});

void describe(SceneVisitor& v, BoxShape& box) {
    std::vector<Vec3> corners{box.min, box.max};
    v.vectors(required({"box", "m", any_number, "Corners [[x, y, z], [x, y, z]], the lower one first."}), corners, 2,
              2);
    if (!v.reading()) return;
    v.demand(is_below(corners[0], corners[1], v.dimension), "box",
             "is inverted or empty: the first corner must be below the second along every axis");
    box = {corners[0], corners[1]};
}

void describe(SceneVisitor& v, CylinderShape& cylinder) {
    v.table(required({"cylinder", "", any_number, "Solid cylinder."}), [&] {
        v.vector(required({"from", "m", any_number, "One end of the axis."}), cylinder.from);
        v.vector(required({"to", "m", any_number, "The other end."}), cylinder.to);
        v.number(required({"radius", "m", positive, "Radius."}), cylinder.radius);
        v.demand(is_direction(cylinder.to - cylinder.from), "to", "must differ from `from`: the axis has no length");
    });
}

void describe(SceneVisitor& v, ConeShape& cone) {
    v.table(required({"cone", "", any_number, "Solid cone."}), [&] {
        v.vector(required({"from", "m", any_number, "One end of the axis."}), cone.from);
        v.vector(required({"to", "m", any_number, "The other end."}), cone.to);
        v.number(required({"radius_from", "m", not_negative, "Radius at `from`."}), cone.radius_from);
        v.number(required({"radius_to", "m", not_negative, "Radius at `to`."}), cone.radius_to);
        v.demand(is_direction(cone.to - cone.from), "to", "must differ from `from`: the axis has no length");
        v.demand(cone.radius_from > 0 || cone.radius_to > 0, "radius_to", "must not be zero at both ends");
    });
}

void describe(SceneVisitor& v, SphereShape& sphere) {
    v.table(required({"sphere", "", any_number, "Solid sphere; a disc in 2D."}), [&] {
        v.vector(required({"center", "m", any_number, "Center."}), sphere.center);
        v.number(required({"radius", "m", positive, "Radius."}), sphere.radius);
    });
}

void describe_table_of_radii(SceneVisitor& v, RadiusDistribution& radius) {
    std::vector<std::vector<double>> rows;
    for (const auto& [size, part] : radius.table) rows.push_back({size, part});
    v.rows(
        required({"table", "", not_negative,
                  "Rows [radius, mass fraction]. The fractions are of the group's mass and are scaled to a sum of 1."}),
        rows, 2);
    if (!v.reading()) return;
    double sum = 0;
    bool sizes = true, fractions = true;
    radius.table.clear();
    for (const auto& row : rows) {
        radius.table.emplace_back(row[0], row[1]);
        sizes = sizes && row[0] > 0;
        fractions = fractions && row[1] >= 0;
        sum += row[1];
    }
    v.demand(!rows.empty(), "table", "must have at least one row [radius, mass fraction]");
    v.demand(sizes, "table", "radii must be > 0");
    v.demand(fractions && sum > 0 && std::isfinite(sum), "table", "mass fractions must be >= 0 with a sum > 0");
}

// What fractions or medians are of.
void describe_by(SceneVisitor& v, RadiusDistribution& radius, RadiusDistribution::By usual, const char* usual_text,
                 const char* prose) {
    if (v.reading()) radius.by = usual;
    choice_of(v, defaults_to(usual_text, {"by", "", any_number, prose}), counted_by, radius.by);
}

// Sizes of sieves are diameters; of grains with a shape, scales.
void describe_sieves(SceneVisitor& v, RadiusDistribution& radius, double per_radius) {
    std::vector<std::vector<double>> rows;
    for (const auto& [size, finer] : radius.table) rows.push_back({per_radius * size, finer});
    v.rows(
        required({"sieve", "", not_negative,
                  per_radius == 1
                      ? "Rows [scale, fraction that is smaller], ascending from fraction 0 to 1; linear between."
                      : "Rows [diameter in m, fraction that passes], ascending from fraction 0 to 1; linear between."}),
        rows, 2);
    describe_by(v, radius, RadiusDistribution::By::mass, "\"mass\"", "What the fractions of `sieve` are of.");
    if (!v.reading()) return;
    bool ascending = true;
    radius.table.clear();
    for (const auto& row : rows) {
        ascending = ascending && row[0] > (radius.table.empty() ? 0 : per_radius * radius.table.back().first) &&
                    row[1] >= (radius.table.empty() ? 0 : radius.table.back().second);
        radius.table.emplace_back(row[0] / per_radius, row[1]);
    }
    v.demand(rows.size() >= 2, "sieve",
             "must have at least two rows: the size that nothing passes, and that all passes");
    v.demand(ascending, "sieve", "sizes must be > 0 and ascend, and the fractions that pass with them");
    v.demand(rows.empty() || (rows.front()[1] == 0 && rows.back()[1] == 1), "sieve",
             "fractions must begin with 0 and end with 1 (85 % is 0.85)");
}

void describe_distribution(SceneVisitor& v, RadiusDistribution& radius, double per_radius) {
    using Kind = RadiusDistribution::Kind;
    const auto current = static_cast<std::size_t>(std::max(0, static_cast<int>(radius.kind) - 1));
    v.kinds_by_key(radius_kinds, current, [&](std::size_t index) {
        if (v.reading()) radius.kind = static_cast<Kind>(index + 1);
        double values[2] = {radius.first, radius.second};
        switch (static_cast<Kind>(index + 1)) {
            case Kind::uniform:
                v.numbers(required({"uniform", "m", positive, "[smallest, largest]"}), values);
                v.demand(values[0] <= values[1], "uniform", "must be [smallest, largest]");
                break;
            case Kind::normal:
                v.numbers(required({"normal", "m", not_negative, "[mean, standard deviation]"}), values);
                v.demand(values[0] > 3 * values[1], "normal",
                         "the mean must be larger than three standard deviations, so that radii stay positive");
                break;
            case Kind::lognormal:
                v.numbers(
                    required({"lognormal", "m, 1", not_negative, "[median, standard deviation of the logarithm]"}),
                    values);
                v.demand(values[0] > 0, "lognormal", "the median must be > 0");
                describe_by(v, radius, RadiusDistribution::By::number, "\"number\"",
                            "What `lognormal` gives the median of.");
                v.demand(values[1] <= (radius.by == RadiusDistribution::By::mass ? 1 : 2), "lognormal",
                         "the standard deviation of the logarithm must be <= 2, by mass <= 1");
                break;
            case Kind::sieve:
                describe_sieves(v, radius, per_radius);
                return;
            default:
                describe_table_of_radii(v, radius);
                return;
        }
        if (v.reading()) {
            radius.first = values[0];
            radius.second = values[1];
        }
    });
}

void describe_radius(SceneVisitor& v, RadiusDistribution& radius, bool is_required) {
    v.where_of("radius", radius.where);
    Key key = radius_key;
    key.required = is_required && v.reading();
    bool plain = radius.kind == RadiusDistribution::Kind::fixed;
    if (!v.reading() && !is_required && plain && radius.first == 0) return;  // the file tells
    v.plain_or_table(
        key, plain, [&] { v.number(key, radius.first); }, [&] { describe_distribution(v, radius, 2); });
}

void describe(SceneVisitor& v, PlaceOnLattice& place) {
    choice_of(v, required({"lattice", "", any_number, "Kind of lattice."}), lattices, place.lattice);
    v.number(required({"spacing", "m", positive, "Distance of neighboring sites."}), place.spacing);
    v.name(required({"region", "", any_number, "Sites whose grain lies in this region are used."}), NameOf::region,
           place.region);
    v.number({"probability", "", fraction, "That a site is used."}, place.probability);
    v.number({"jitter", "m", not_negative, "Random shift of each site, up to this length along each axis."},
             place.jitter);
}

void describe(SceneVisitor& v, PlaceAtRandom& place) {
    v.name(required({"random", "", any_number, "The region to fill."}), NameOf::region, place.region);
    v.integer({"count", "", not_negative, "How many grains."}, place.count);
    v.number({"density", "", positive_fraction,
              "Grains until they fill this fraction of the region. Either this or `count`."},
             place.density);
    v.demand(place.count || place.density, "random", "needs `count` or `density` beside it");
    v.demand(!(place.count && place.density), "density", "give `count` or `density`, not both");
}

void describe(SceneVisitor& v, PlaceAt& place) {
    v.vectors(required({"at", "m", any_number, "Centers [[x, y, z], ...]."}), place.points, 1);
}

void describe(SceneVisitor& v, PlaceFromFile& place) {
    v.file(required({"file", "", any_number,
                     "CSV with the header x,y,z,radius[,vx,vy,vz,wx,wy,wz] (2D: x,y,radius[,vx,vy,wz]); of grains with "
                     "a shape [scale,qw,qx,qy,qz] in place of radius. Relative to the folder of the scene."}),
           place.file);
}

void describe(SceneVisitor& v, PourOverTime& pour) {
    v.name(required({"region", "", any_number, "Grains appear in this region, where there is room."}), NameOf::region,
           pour.region);
    v.number(required({"rate", "1/s", positive, "Grains per second."}), pour.rate);
    v.number({"from", "s", not_negative, "Pouring begins."}, pour.from);
    v.number({"until", "s", time_or_never, "Pouring ends."}, pour.until);
    v.integer(defaults_to("no limit", {"count", "", not_negative, "Pouring ends after this many."}), pour.count);
    v.vector({"velocity", "m/s", any_number, "Of a grain when it appears."}, pour.velocity);
    v.demand(pour.until > pour.from, "until", "must be later than `from`");
}

constexpr Choice orientation_kinds[] = {
    {"random", "Every grain another one, uniform on the rotations."},
    {"angle", "Turned about an axis."},
    {"quaternion", "As a quaternion [w, x, y, z]."},
};

void describe_orientation(SceneVisitor& v, Orientation& orientation) {
    bool given = orientation.random || orientation.quaternion != std::array<double, 4>{1, 0, 0, 0};
    v.optional_table(
        {"orientation", "", any_number,
         "Of grains with a shape at the start: how the axes in which it is given are turned, in 2D about the axis out "
         "of the plane; without it they are not."},
        given, [&] {
            v.kinds_by_key(orientation_kinds, orientation.random ? 0 : 2, [&](std::size_t index) {
                if (index == 0) {
                    v.boolean(required({"random", "", any_number, "true"}), orientation.random);
                } else if (index == 1) {
                    double angle = 0;
                    Vec3 axis{0, 0, 1};
                    v.number(
                        required({"angle", "rad", any_number, "By how much; in 2D about the axis out of the plane."}),
                        angle);
                    if (v.dimension == 3)
                        v.vector({"axis", "", any_number, "Axis of the turn (3D only), by the right-hand rule."}, axis);
                    v.demand(is_direction(axis), "axis", "must not be zero");
                    if (!v.reading() || !is_direction(axis)) return;
                    const Quaternion q = turn_about(axis, angle);
                    orientation.quaternion = {q.w, q.x, q.y, q.z};
                } else {
                    v.numbers(required({"quaternion", "", any_number, "[w, x, y, z], of any length."}),
                              orientation.quaternion);
                    demand_rotation(v, "quaternion", orientation.quaternion);
                    v.demand(v.dimension == 3 || (orientation.quaternion[1] == 0 && orientation.quaternion[2] == 0),
                             "quaternion", "x and y must be 0 in 2D: grains turn about the axis out of the plane");
                }
            });
        });
}

constexpr std::size_t pour_index = 4;  // in Placing

bool is_color(const std::string& text) {
    return text.size() == 7 && text[0] == '#' &&
           text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

// `place` holds one of four kinds; `pour` is the fifth.
void describe_placing(SceneVisitor& v, Placing& placing) {
    bool placed = placing.index() != pour_index, poured = !placed;
    Placing on_start = placing, over_time = placing;
    v.optional_table({"place", "", any_number, "Grains that are there at the start."}, placed, [&] {
        v.kinds_by_key(place_kinds, placed ? placing.index() : 0, [&](std::size_t index) {
            activate(on_start, index);
            std::visit(
                [&](auto& way) {
                    if constexpr (!std::is_same_v<std::decay_t<decltype(way)>, PourOverTime>) describe(v, way);
                },
                on_start);
        });
    });
    v.optional_table({"pour", "", any_number, "Grains that appear over time."}, poured, [&] {
        activate(over_time, pour_index);
        describe(v, std::get<PourOverTime>(over_time));
    });
    if (!v.reading()) return;
    placing = poured ? over_time : on_start;
    v.demand(placed || poured, "", "needs `place` or `pour`");
    v.demand(!(placed && poured), "pour", "a group has `place` or `pour`, not both; use two groups");
}

}  // namespace

void describe_region(SceneVisitor& v, Region& region) {
    v.where(region.where);
    v.text(required({"name", "", any_number, "What other keys call it."}), region.name);
    v.kinds_by_key(region_kinds, region.shape.index(), [&](std::size_t index) {
        activate(region.shape, index);
        std::visit([&](auto& shape) { describe(v, shape); }, region.shape);
    });
}

void describe_grains(SceneVisitor& v, GrainGroup& group) {
    v.where(group.where);
    v.text(defaults_to("grains1, grains2, ...", {"name", "", any_number, "Name in frames and messages."}), group.name);
    v.name(defaults_to("the only one", {"material", "", any_number,
                                        "A name under [materials]. May be left out when there is but one."}),
           NameOf::material, group.material);
    std::optional<std::string> shape;
    if (!group.shape.empty()) shape = group.shape;
    v.name(defaults_to("spheres", {"shape", "", any_number, "A name under [shapes]."}), NameOf::shape, shape);
    if (v.reading()) group.shape = shape.value_or("");
    const bool shaped = !group.shape.empty();
    describe_placing(v, group.place);
    const bool from_file = std::holds_alternative<PlaceFromFile>(group.place);
    describe_radius(v, group.radius, !from_file && !shaped);
    if (!v.writing() || shaped) {
        Key scale{"scale", "", positive,
                  "Size of grains with a shape, in multiples of the shape: a number or a distribution like `radius`."};
        bool plain = group.scale.kind == RadiusDistribution::Kind::fixed;
        v.plain_or_table(
            scale, plain, [&] { v.number(scale, group.scale.first); },
            [&] { describe_distribution(v, group.scale, 1); });
        if (v.reading() && !plain && group.scale.kind == RadiusDistribution::Kind::fixed) group.scale.first = 1;
        describe_orientation(v, group.orientation);
        v.demand(shaped || group.orientation == Orientation{}, "orientation",
                 "spheres have no orientation; give the group a `shape`");
        v.demand(shaped || (plain && group.scale.first == 1), "scale",
                 "spheres have a `radius`; `scale` is for groups with a `shape`");
        v.demand(!from_file || (plain && group.scale.first == 1), "scale",
                 "the file gives the scales, in its column `scale` (1 without one); leave this out");
    }
    v.demand(!from_file || (group.radius.kind == RadiusDistribution::Kind::fixed && group.radius.first == 0), "radius",
             "the file gives the radii; leave this out");
    v.vector({"velocity", "m/s", any_number, "At the start."}, group.velocity);
    v.spin({"spin", "rad/s", any_number, "Angular velocity at the start; one number in 2D."}, group.spin);
    v.number(defaults_to("the material's",
                         {"density_of", "kg/m^3", positive, "Density of these grains, in place of their material's."}),
             group.density);
    v.boolean({"fixed", "", any_number, "The grains do not move."}, group.fixed);
    if (!v.writing() || !group.color.empty()) {
        v.text({"color", "", any_number,
                "Color of the group in `scree view` and tools/picture, as \"#d8a23e\": red, green and blue in "
                "hexadecimal."},
               group.color);
        v.demand(group.color.empty() || is_color(group.color), "color",
                 "is no color; write # and six hexadecimal digits, as in \"#d8a23e\"");
    }
    const bool poured = group.place.index() == pour_index;
    v.demand(!(poured && norm2(group.velocity) > 0), "velocity",
             "poured grains take their velocity from `pour.velocity`");
    v.demand(!(poured && group.fixed), "fixed", "poured grains cannot be fixed");
}

}  // namespace scree
