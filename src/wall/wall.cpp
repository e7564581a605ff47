#include "wall/wall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/located.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double one_surface =
    0.98;  // cosine: parts of a mesh turned by less than this (11 degrees) against each other

}  // namespace

WallSet::WallSet(const Scene& scene) : walls_(scene.walls) {
    for (const Wall& wall : walls_) {
        try {
            surfaces_.emplace_back(wall.shape, wall.outside, scene.dimension, scene.periodic);
            closed_.emplace_back();
            const auto* disc = std::get_if<DiscWall>(&wall.shape);
            if (disc && disc->hole > 0 && wall.open_at) {
                DiscWall whole = *disc;
                whole.hole = 0;
                closed_.back().emplace(whole, wall.outside, scene.dimension, scene.periodic);
            }
        } catch (const Error& error) {
            throw Error(error.kind(),
                        fmt::format("{}wall '{}': {}", place_of(scene, wall.where), wall.name, error.what()));
        }
        const auto* turn = std::get_if<Rotate>(&wall.motion);
        rotation_unseen_.push_back(turn != nullptr && surfaces_.back().unchanged_by_rotation(turn->axis, turn->point));
    }
}

void WallSet::place(std::span<const WallState> states, double time, std::vector<WallPlacement>& out) const {
    out.resize(walls_.size());
    for (std::size_t k = 0; k < walls_.size(); ++k) out[k] = place(k, states[k], time);
}

WallPlacement WallSet::place(std::size_t wall, const WallState& state, double time) const {
    WallPlacement out = placement(walls_[wall], state, time);
    if (rotation_unseen_[wall]) {
        out.rotation = Mat3{};
        out.turned = false;
    }
    if (closed_[wall]) out.hole_closed = !std::exchange(out.open, false);
    return out;
}

bool WallSet::ever_moves(std::size_t wall) const {
    return !std::holds_alternative<std::monostate>(walls_[wall].motion);
}

void WallSet::features_near(std::span<const WallPlacement> placements, Vec3 x, double reach,
                            std::vector<WallFeature>& out) const {
    thread_local std::vector<int> features;
    for (std::size_t k = 0; k < walls_.size(); ++k) {
        if (placements[k].open) continue;
        features.clear();
        surface(k, placements[k]).features_near(placements[k].to_wall(x), reach, features);
        for (const int feature : features) out.push_back({static_cast<std::int32_t>(k), feature});
    }
}

void WallSet::contacts(std::span<const WallPlacement> placements, Vec3 x, double radius,
                       std::span<const WallFeature> candidates, WallTouch& touch, double beyond) const {
    touch.contacts.clear();
    touch.gave_way.clear();
    touch.rims_.clear();
    bool any_rim = false;
    for (const WallFeature at : candidates) {
        const std::size_t k = static_cast<std::size_t>(at.wall);
        const WallPlacement& p = placements[k];
        if (p.open) continue;
        const Vec3 local = p.to_wall(x);
        const Foot foot = surface(k, p).foot(at.feature, local);
        if (!(foot.distance < radius + beyond) || !surface(k, p).feature_counts(at.feature, local)) continue;
        WallContact& contact = touch.contacts.emplace_back();
        contact.at = at;
        contact.foot = p.to_world(foot.point);
        contact.normal = p.direction_to_world(foot.normal);
        contact.distance = foot.distance;
        contact.curvature = foot.curvature;
        contact.velocity = p.velocity_at(contact.foot);
        touch.rims_.push_back({foot.rim, surface(k, p).is_mesh(), -1});
        any_rim |= foot.rim || touch.rims_.back().of_mesh;
    }
    if (any_rim && touch.contacts.size() > 1) let_rims_give_way(placements, x, radius, touch);
}

void WallSet::let_rims_give_way(std::span<const WallPlacement> placements, Vec3 x, double radius,
                                WallTouch& touch) const {
    // A rim's point on another feature is never nearer than that feature's own foot;
    // two rims that have each other's foot share it, or a stretch of the surface: the lower number stays.
    const double tolerance = 1e-9 * radius;
    const int count = static_cast<int>(touch.contacts.size());
    const auto contact = [&](int i) -> WallContact& { return touch.contacts[static_cast<std::size_t>(i)]; };
    const auto rim = [&](int i) -> WallTouch::Rim& { return touch.rims_[static_cast<std::size_t>(i)]; };
    const auto has_foot_of = [&](int b, int a) {
        const WallContact &ca = contact(a), &cb = contact(b);
        if (norm2(ca.foot - cb.foot) <= tolerance * tolerance) return true;
        const std::size_t k = static_cast<std::size_t>(cb.at.wall);
        return cb.distance <= ca.distance + tolerance &&
               surface(k, placements[k])
                   .covers(cb.at.feature, placements[k].to_wall(x), placements[k].to_wall(ca.foot), tolerance);
    };
    // What is on a mesh gives way to what is nearer on the same mesh and the same side.
    const auto is_nearer = [&](int b, int a) {
        const double da = contact(a).distance, db = contact(b).distance;
        return db < da || (db == da && b < a);
    };
    const auto smooths = [&](int b, int a) {
        const WallContact &ca = contact(a), &cb = contact(b);
        return is_nearer(b, a) && dot(ca.normal, cb.normal) > one_surface;
    };
    // The back of a thin plate is not touched through its front.
    const auto hides = [&](int b, int a) {
        const auto k = static_cast<std::size_t>(contact(a).at.wall);
        return surface(k, placements[k])
            .triangles()
            .between(contact(b).at.feature, placements[k].to_wall(x), placements[k].to_wall(contact(a).foot));
    };
    const auto takes_over = [&](int b, int a) {
        if (rim(a).of_mesh && contact(a).at.wall == contact(b).at.wall && (smooths(b, a) || hides(b, a))) return true;
        return rim(a).rim && has_foot_of(b, a) && (b < a || !rim(b).rim || !has_foot_of(a, b));
    };
    const auto last_of_chain = [&](int a) {
        while (rim(a).gives_way_to >= 0) a = rim(a).gives_way_to;
        return a;
    };
    bool any = false;
    for (int a = 0; a < count; ++a) {
        if (!rim(a).rim && !rim(a).of_mesh) continue;
        // What is equal up to a tolerance has no strict order: never close a circle, one of it has to stay.
        for (int b = 0; b < count && rim(a).gives_way_to < 0; ++b)
            if (b != a && takes_over(b, a) && last_of_chain(b) != a) rim(a).gives_way_to = b;
        any |= rim(a).gives_way_to >= 0;
    }
    if (!any) return;

    // Report to which contact each one gave way in the end, then close the gaps.
    std::vector<int>& place = touch.place_;
    place.assign(static_cast<std::size_t>(count), -1);
    int kept = 0;
    for (int a = 0; a < count; ++a)
        if (rim(a).gives_way_to < 0) place[static_cast<std::size_t>(a)] = kept++;
    for (int a = 0; a < count; ++a) {
        const int last = last_of_chain(a);
        if (last != a) touch.gave_way.push_back({contact(a).at, place[static_cast<std::size_t>(last)]});
    }
    for (int a = 0; a < count; ++a)
        if (const int to = place[static_cast<std::size_t>(a)]; to >= 0) contact(to) = contact(a);
    touch.contacts.resize(static_cast<std::size_t>(kept));
}

double WallSet::moved(std::size_t wall, const WallPlacement& then, const WallPlacement& now, double reach) const {
    const bool turned = then.turned || now.turned;
    return displacement_bound(then, now, turned ? reach + farthest_from(wall, now.pivot) : reach);
}

// Of what is bounded of a wall.
double WallSet::farthest_from(std::size_t wall, Vec3 pivot) const {
    const Extent e = surfaces_[wall].bounds();
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double side = std::fmax(std::fabs(e.low[axis] - pivot[axis]), std::fabs(e.high[axis] - pivot[axis]));
        if (std::isfinite(side)) square += side * side;
    }
    return std::sqrt(square);
}

WallWay WallSet::way(std::size_t wall, const WallState& before, const WallState& after, double begin, double end,
                     double reach) const {
    if (rotation_unseen_[wall]) return {};
    const auto* turn = std::get_if<Rotate>(&walls_[wall].motion);
    return way_between(walls_[wall], before, after, begin, end, turn ? reach + farthest_from(wall, turn->point) : 0);
}

std::optional<double> WallSet::distance(std::size_t wall, const WallPlacement& placement, Vec3 x, double reach) const {
    thread_local std::vector<int> features;
    if (placement.open) return {};
    const Surface& at = surface(wall, placement);
    const Vec3 local = placement.to_wall(x);
    features.clear();
    at.features_near(local, reach, features);
    std::optional<double> least;
    for (const int feature : features)
        if (const double distance = at.foot(feature, local).distance; distance < reach && (!least || distance < *least))
            least = distance;
    return least;
}

std::optional<WallSet::Gap> WallSet::nearest(std::span<const WallPlacement> placements, Vec3 x, double radius,
                                             double reach) const {
    thread_local std::vector<WallFeature> near;
    near.clear();
    features_near(placements, x, radius + reach, near);
    std::optional<Gap> best;
    for (const WallFeature at : near) {
        const std::size_t k = static_cast<std::size_t>(at.wall);
        const double gap = surface(k, placements[k]).foot(at.feature, placements[k].to_wall(x)).distance - radius;
        if (gap < reach && (!best || gap < best->gap)) best = Gap{gap, k};
    }
    return best;
}

Vec3 WallSet::reference_point(std::size_t wall, const WallPlacement& placement) const {
    if (std::holds_alternative<Rotate>(walls_[wall].motion)) return placement.pivot;
    return placement.to_world(surfaces_[wall].center());
}

Extent WallSet::bounds(std::size_t wall, const WallPlacement& placement) const {
    const Extent e = surfaces_[wall].bounds();
    if (!placement.turned) return {e.low + placement.shift, e.high + placement.shift};
    if (!is_finite(e.low) || !is_finite(e.high)) {
        const double w = Extent::unbounded;
        return {{-w, -w, -w}, {w, w, w}};
    }
    Extent turned;
    for (int corner = 0; corner < 8; ++corner)
        turned.include(placement.to_world(
            {corner & 1 ? e.high.x : e.low.x, corner & 2 ? e.high.y : e.low.y, corner & 4 ? e.high.z : e.low.z}));
    return turned;
}

SurfaceMesh WallSet::mesh(std::size_t wall, const WallPlacement& placement, const Extent& visible) const {
    SurfaceMesh mesh = surface(wall, placement).mesh(visible);
    for (Vec3& p : mesh.points) p = placement.to_world(p);
    return mesh;
}

}  // namespace scree
