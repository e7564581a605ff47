// Keys of walls and their motions.
#include <fmt/format.h>

#include "io/scene_keys.h"

namespace scree {
namespace {

constexpr Choice wall_kinds[] = {
    {"plane", "Unbounded plane; grains are where the normal points."},
    {"box", "Six faces; four sides in 2D."},
    {"cylinder", "Open at both ends; close it with discs."},
    {"cone", "Open at both ends."},
    {"sphere", "A circle in 2D."},
    {"disc", "Flat disc, with an optional hole in its middle; grains are where the normal points."},
    {"polyline", "Chain of segments (2D).", true, 2},
    {"balls", "Fixed balls laid over a wall of another kind."},
    {"mesh", "Triangles from a file, touched from both sides.", true, 3},
};
static_assert(std::size(wall_kinds) == std::variant_size_v<WallShape>);
constexpr std::size_t balls_index = std::variant_size_v<SurfaceShape>;
constexpr auto surface_kinds = std::span<const Choice>(wall_kinds).first(balls_index);
constexpr Choice sides[] = {
    {"inside", "on the inner side; of a plane or disc: where the normal points"},
    {"outside", "on the outer side; of a plane or disc: behind it"},
};
constexpr Choice motion_kinds[] = {
    {"vibrate", "Back and forth."},         {"rotate", "About an axis, at a steady rate."},
    {"translate", "At a steady velocity."}, {"free", "A piston that answers to the grains."},
    {"table", "Given positions in time."},
};
constexpr Choice waves[] = {
    {"sine", "sine"},
    {"tap", "half a sine up and down, then half a period at rest"},
};
const Key from_key{"from", "s", not_negative, "The motion begins."};
const Key until_key{"until", "s", time_or_never, "The motion ends."};

void describe(SceneVisitor& v, PlaneWall& wall) {
    v.vector(required({"point", "m", any_number, "A point of the plane."}), wall.point);
    v.vector(required({"normal", "", any_number, "Direction at a right angle to it, towards the grains."}),
             wall.normal);
    v.demand(is_direction(wall.normal), "normal", "must not be zero");
}

void describe(SceneVisitor& v, BoxWall& wall) {
    v.vector(required({"min", "m", any_number, "Lower corner."}), wall.min);
    v.vector(required({"max", "m", any_number, "Upper corner."}), wall.max);
    v.demand(is_below(wall.min, wall.max, v.dimension), "max", "must be above `min` along every axis");
}

void describe(SceneVisitor& v, CylinderWall& wall) {
    v.vector(required({"from", "m", any_number, "One end of the axis."}), wall.from);
    v.vector(required({"to", "m", any_number, "The other end."}), wall.to);
    v.number(required({"radius", "m", positive, "Radius."}), wall.radius);
    v.demand(is_direction(wall.to - wall.from), "to", "must differ from `from`: the axis has no length");
}

void describe(SceneVisitor& v, ConeWall& wall) {
    v.vector(required({"from", "m", any_number, "One end of the axis."}), wall.from);
    v.vector(required({"to", "m", any_number, "The other end."}), wall.to);
    v.number(required({"radius_from", "m", not_negative, "Radius at `from`."}), wall.radius_from);
    v.number(required({"radius_to", "m", not_negative, "Radius at `to`."}), wall.radius_to);
    v.demand(is_direction(wall.to - wall.from), "to", "must differ from `from`: the axis has no length");
    v.demand(wall.radius_from > 0 || wall.radius_to > 0, "radius_to", "must not be zero at both ends");
}

void describe(SceneVisitor& v, SphereWall& wall) {
    v.vector(required({"center", "m", any_number, "Center."}), wall.center);
    v.number(required({"radius", "m", positive, "Radius."}), wall.radius);
}

void describe(SceneVisitor& v, DiscWall& wall) {
    v.vector(required({"center", "m", any_number, "Center."}), wall.center);
    v.vector(required({"normal", "", any_number, "Direction at a right angle to it, towards the grains."}),
             wall.normal);
    v.number(required({"radius", "m", positive, "Radius."}), wall.radius);
    v.number({"hole", "m", not_negative, "Radius of a hole in the middle."}, wall.hole);
    v.demand(is_direction(wall.normal), "normal", "must not be zero");
    v.demand(wall.hole < wall.radius, "hole", "must be smaller than `radius`");
}

void describe(SceneVisitor& v, PolylineWall& wall) {
    v.vectors(required({"points", "m", any_number,
                        "Corners [[x, y], ...], in order; repeat the first one to close the chain. Grains may touch it "
                        "from both sides."}),
              wall.points, 2);
    for (std::size_t i = 1; i < wall.points.size(); ++i)
        v.demand(is_direction(wall.points[i] - wall.points[i - 1]), "points",
                 fmt::format("points {} and {} are the same", i - 1, i));
}

void describe(SceneVisitor& v, MeshWall& wall) {
    v.file(required({"file", "", any_number, "STL (text or binary) or OBJ. Relative to the folder of the scene."}),
           wall.file);
    v.number({"scale", "", positive, "Of the lengths in the file, e.g. 1e-3 for millimetres."}, wall.scale);
    bool turned = wall.angle != 0;
    v.optional_table({"rotate", "", any_number, "Turned about the origin, after scaling."}, turned, [&] {
        v.vector({"axis", "", any_number, "Direction of the axis; the turn follows the right-hand rule."}, wall.axis);
        v.number(required({"angle", "rad", any_number, "By how much."}), wall.angle);
        v.demand(is_direction(wall.axis), "axis", "must not be zero");
    });
    v.vector({"translate", "m", any_number, "Moved by this, after turning."}, wall.translate);
}

void describe(SceneVisitor& v, BallsWall& wall);

template <class Variant>
void describe_kind(SceneVisitor& v, Variant& shape, std::size_t index) {
    activate(shape, index);
    std::visit([&](auto& surface) { describe(v, surface); }, shape);
}

void describe(SceneVisitor& v, BallsWall& wall) {
    v.table(required(
                {"like", "", any_number, "The surface to lay balls over: `kind` and the keys of a wall of that kind."}),
            [&] {
                v.kinds_by_tag(required({"kind", "", any_number, "Kind of surface."}), surface_kinds, wall.like.index(),
                               [&](std::size_t index) { describe_kind(v, wall.like, index); });
            });
    v.number(required({"radius", "m", positive, "Mean radius; each ball's is drawn within 10 % of it."}), wall.radius);
    v.number(required({"spacing", "m", positive, "Distance of neighboring balls."}), wall.spacing);
    auto seed = static_cast<std::int64_t>(wall.seed);
    v.integer({"seed", "", not_negative, "Of the random radii."}, seed);
    if (v.reading()) wall.seed = static_cast<std::uint64_t>(seed);
}

void describe(SceneVisitor& v, Vibrate& motion) {
    v.vector(required({"amplitude", "m", any_number, "Largest displacement, as a vector."}), motion.amplitude);
    v.number(required({"frequency", "1/s", positive, "Periods per second."}), motion.frequency);
    choice_of(v, {"wave", "", any_number, "Displacement over one period."}, waves, motion.wave);
    v.number(from_key, motion.from);
    v.number(until_key, motion.until);
    v.demand(motion.until > motion.from, "until", "must be later than `from`");
}

void describe(SceneVisitor& v, Rotate& motion) {
    if (v.dimension == 3) {
        v.vector({"axis", "", any_number, "Direction of the axis (3D only); the turn follows the right-hand rule."},
                 motion.axis);
        v.demand(is_direction(motion.axis), "axis", "must not be zero");
    } else {
        v.refused({"axis", "", any_number, ""}, "exists in 3D only: in 2D the axis is at a right angle to the plane");
    }
    v.vector({"point", "m", any_number, "A point of the axis."}, motion.point);
    v.number(required({"rate", "rad/s", any_number, "Angular velocity."}), motion.rate);
    v.number(from_key, motion.from);
    v.number(until_key, motion.until);
    v.demand(motion.until > motion.from, "until", "must be later than `from`");
}

void describe(SceneVisitor& v, Translate& motion) {
    v.vector(required({"velocity", "m/s", any_number, "Velocity."}), motion.velocity);
    v.number(from_key, motion.from);
    v.number(until_key, motion.until);
    v.demand(motion.until > motion.from, "until", "must be later than `from`");
}

void describe(SceneVisitor& v, FreePiston& motion) {
    v.number(required({"mass", "kg", positive, "Mass; gravity acts on it."}), motion.mass);
    if (v.reading() && v.dimension == 2) motion.along = {0, 1, 0};
    v.vector(defaults_to("[0, 0, 1], in 2D [0, 1]", {"along", "", any_number, "The only direction it moves in."}),
             motion.along);
    v.number({"force", "N", any_number, "Applied to it, positive in the direction of `along`."}, motion.force);
    v.number({"from", "s", not_negative, "It is held before."}, motion.from);
    v.demand(is_direction(motion.along), "along", "must not be zero");
}

void describe(SceneVisitor& v, MotionTable& motion) {
    const auto columns = static_cast<std::size_t>(v.dimension) + 1;
    std::vector<std::vector<double>> rows;
    for (const auto& row : motion.rows)
        rows.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(columns));
    v.rows(required({"table", "s, m", any_number,
                     "Rows [t, x, y, z] (2D: [t, x, y]): displacement at time t, linear between rows, constant before "
                     "and after."}),
           rows, columns);
    if (!v.reading()) return;
    motion.rows.clear();
    for (const auto& row : rows) motion.rows.push_back({row[0], row[1], row[2], columns == 4 ? row[3] : 0});
    v.demand(!rows.empty(), "table", "must have at least one row");
    for (std::size_t i = 1; i < rows.size(); ++i)
        v.demand(rows[i][0] > rows[i - 1][0], "table",
                 fmt::format("times must increase, but row {} has t = {} after {}", i, rows[i][0], rows[i - 1][0]));
}

void describe_motion(SceneVisitor& v, Motion& motion) {
    bool moves = motion.index() != 0;
    v.optional_table({"motion", "", any_number, "How the wall moves: one of the tables below."}, moves, [&] {
        v.kinds_by_key(motion_kinds, moves ? motion.index() - 1 : 0, [&](std::size_t index) {
            activate(motion, index + 1);
            std::visit(
                [&](auto& kind) {
                    using Kind = std::decay_t<decltype(kind)>;
                    const Key key = required({motion_kinds[index].name, "", any_number, motion_kinds[index].doc});
                    if constexpr (std::is_same_v<Kind, MotionTable>)
                        describe(v, kind);
                    else if constexpr (!std::is_same_v<Kind, std::monostate>)
                        v.table(key, [&] { describe(v, kind); });
                },
                motion);
        });
    });
}

}  // namespace

void describe_wall(SceneVisitor& v, Wall& wall) {
    v.where(wall.where);
    v.text(defaults_to("wall1, wall2, ...", {"name", "", any_number, "Name in series.csv and messages."}), wall.name);
    v.kinds_by_tag(required({"kind", "", any_number, "What the wall is."}), wall_kinds, wall.shape.index(),
                   [&](std::size_t index) { describe_kind(v, wall.shape, index); });
    v.name(defaults_to("the only one", {"material", "", any_number,
                                        "A name under [materials]. May be left out when there is but one."}),
           NameOf::material, wall.material);
    choice_of(v, {"side", "", any_number, "Where the grains are."}, sides, wall.outside);
    describe_motion(v, wall.motion);
    v.number(
        defaults_to("never", {"open_at", "s", time_or_never,
                              "The wall disappears at this time. Of a disc with a `hole` only what closes the hole: "
                              "it is closed until then, for good at `inf`, and without this key open."}),
        wall.open_at);
}

}  // namespace scree
