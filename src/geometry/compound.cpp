#include "geometry/compound.h"

#include <algorithm>
#include <cmath>

#include "core/overloaded.h"
#include "math/infinite.h"

namespace scree {
namespace {

// Of two parts without the balls that sweep them.
struct Skeletons {
    Relation relation = Relation::separated;
    double distance = infinite, error = 0;
    Vec3 point_a, point_b, normal;
    int iterations = 0;
};

Skeletons described(const Distance& d) {
    return {d.relation, d.distance, d.error, d.point_a, d.point_b, d.normal, d.iterations};
}

Skeletons turned(Skeletons s) {
    std::swap(s.point_a, s.point_b);
    s.normal = -s.normal;
    return s;
}

template <class F>
auto placed(const CompoundPart& part, F&& f) {
    return std::visit(
        Overloaded{[&](const MeshBody&) -> Skeletons { return {}; }, [&](const NurbsBody&) -> Skeletons { return {}; },
                   [&](const auto& form) -> Skeletons {
                       const Placed body(form, part.pose.rotation, part.pose.position);
                       return f(body);
                   }},
        *part.form);
}

// A convex body and a surface: triangles that may be nearer than the best so far, boxes before triangles.
template <ConvexBody Body>
class ToMesh {
  public:
    ToMesh(const Body& body, const MeshBody& mesh, const MeshPose& pose, double longest)
        : body_(body),
          mesh_(mesh),
          pose_(pose),
          offset_(body.origin() - pose.position),
          slack_(64 * gjk::epsilon * (body.reach() + mesh.reach() + norm(offset_))) {
        found_.distance = longest;
    }

    Skeletons find() {
        descend();
        look_inside();
        if (found_.relation == Relation::separated && !any_) found_.distance = infinite;
        return found_;
    }

  private:
    // A lower bound of the body's distance from a box of the tree, squared.
    double lower2(const PatchBox& node) const {
        const Vec3 d = (pose_.rotation * node.middle) - offset_;
        const double dd = norm2(d), length = std::sqrt(dd),
                     line = dd - node.extent(pose_.rotation.transposed_times(d)) - body_.reach() * length;
        const double face =
            dot(normal_, d) - node.extent(pose_.rotation.transposed_times(normal_)) - reach_along_normal_;
        const double ball = line > 0 ? line / length : 0, best = std::fmax(std::fmax(ball, face), 0);
        return best * best;
    }
    bool too_far(double bound2) const {
        const double limit = found_.distance + slack_;
        return bound2 > limit * limit;
    }

    void descend() {
        struct Entry {
            PatchTree::Place place;
            double bound2;
        };
        const PatchTree& tree = mesh_.tree();
        Entry stack[128];  // three for each of the levels, of which there are fewer than 32
        int depth = 0;
        stack[depth++] = {PatchTree::root, 0};
        while (depth > 0 && found_.relation != Relation::overlapping) {
            const Entry top = stack[--depth];
            if (too_far(top.bound2)) continue;
            const std::int32_t number = tree.child(top.place);
            if (number < 0) {
                compare(~number);
                continue;
            }
            // The nearest box on top.
            const int first = depth;
            for (int lane = 0; lane < PatchTree::width && tree.node(number).child[lane] != PatchTree::nothing; ++lane) {
                const PatchTree::Place place = PatchTree::place(number, lane);
                const Entry entry{place, lower2(tree.box(place))};
                int at = depth++;
                for (; at > first && stack[at - 1].bound2 < entry.bound2; --at) stack[at] = stack[at - 1];
                stack[at] = entry;
            }
        }
    }

    void compare(int number) {
        if (found_.relation == Relation::overlapping) return;
        const Triangle t = mesh_.triangle(number);
        const Vec3 a = pose_.rotation * t.a, b = pose_.rotation * t.b, c = pose_.rotation * t.c;
        const double nearest = std::min({dot(normal_, a), dot(normal_, b), dot(normal_, c)});
        if (nearest - dot(normal_, offset_) - reach_along_normal_ > found_.distance + slack_) return;
        const Distance d = scree::distance(body_, TriangleBody::about(pose_.position, a, b, c));
        ++found_.iterations;
        const bool meets = d.relation != Relation::separated;
        if (!(d.distance < found_.distance) && !(meets && d.relation == Relation::overlapping)) return;
        any_ = true;
        const int iterations = found_.iterations;
        found_ = described(d);
        found_.iterations = iterations;
        normal_ = meets ? Vec3{} : d.normal;
        reach_along_normal_ = meets ? 0 : dot(normal_, support_along(normal_));
    }

    Vec3 support_along(Vec3 n) const { return body_.support_checked(n, body_.support(n, -1).index).point; }

    // Surfaces that do not cross: the body may be within the solid.
    void look_inside() {
        if (found_.relation == Relation::overlapping || !mesh_.solid()) return;
        Vec3 middle;
        for (int axis = 0; axis < 3; ++axis)
            for (const double sign : {-1.0, 1.0}) {
                Vec3 n;
                n[axis] = sign;
                middle += (1.0 / 6) * support_along(n);
            }
        const Vec3 p = middle + offset_;
        if (mesh_.place(pose_.rotation.transposed_times(p)) != Place::inside) return;
        any_ = true;
        found_.relation = Relation::overlapping;
        found_.distance = found_.error = 0;
        found_.point_a = found_.point_b = pose_.position + p;
        found_.normal = {};
    }

    const Body& body_;
    const MeshBody& mesh_;
    const MeshPose& pose_;
    Vec3 offset_;
    double slack_;
    Vec3 normal_;  // of the best triangle so far, from the body to it
    double reach_along_normal_ = 0;
    bool any_ = false;
    Skeletons found_;
};

Skeletons from_mesh(const AnyConvex& body, const CompoundPart& part, const MeshBody& mesh, double longest) {
    return ToMesh(body, mesh, part.pose, longest).find();
}

Skeletons described(const NurbsPairDistance& d) {
    return {d.relation, d.distance, d.error, d.point_a, d.point_b, d.normal, d.pieces};
}

Skeletons from_point(const NurbsBody& nurbs, const MeshPose& pose, Vec3 q, NurbsStart* start) {
    const NurbsClosest c = closest_point(nurbs, pose.rotation.transposed_times(q - pose.position), start);
    Skeletons s{Relation::separated, c.distance, c.error, pose.rotation * c.point + pose.position, q, {}, c.patches};
    if (c.distance > c.error)
        s.normal = normalized(s.point_b - s.point_a);
    else
        s.relation = Relation::touching;
    return s;
}

Skeletons from_nurbs(const NurbsBody& nurbs, const MeshPose& pose, const CompoundPart& other, double longest,
                     NurbsStart* start) {
    if (const auto* second = std::get_if<NurbsBody>(other.form.get()))
        return described(distance(nurbs, pose, *second, other.pose, longest));
    const auto* hull = std::get_if<Polyhedron>(other.form.get());
    if (hull != nullptr && hull->dimension() == 0) {
        const Vec3 q = other.pose.rotation * (hull->origin() + hull->vertex(0)) + other.pose.position;
        return from_point(nurbs, pose, q, start);
    }
    const auto* mesh = std::get_if<MeshBody>(other.form.get());
    const auto query = [&](const AnyConvex& control, double limit) -> HullDistance {
        const Skeletons s =
            mesh != nullptr
                ? from_mesh(control, other, *mesh, limit)
                : placed(other, [&](const auto& body) { return described(distance(control, AnyConvex(body))); });
        return {s.relation, s.distance, s.error, s.point_a, s.point_b};
    };
    return described(distance(nurbs, pose, query, reach_about(other, pose.position), longest));
}

Skeletons skeletons(const CompoundPart& a, const CompoundPart& b, double longest, CompoundStart::Pair* start) {
    WarmStart* warm = start != nullptr ? &start->convex : nullptr;
    NurbsStart* last = start != nullptr ? &start->nurbs : nullptr;
    if (const auto* nurbs = std::get_if<NurbsBody>(a.form.get())) return from_nurbs(*nurbs, a.pose, b, longest, last);
    if (const auto* nurbs = std::get_if<NurbsBody>(b.form.get()))
        return turned(from_nurbs(*nurbs, b.pose, a, longest, last));
    const MeshBody *mesh_a = std::get_if<MeshBody>(a.form.get()), *mesh_b = std::get_if<MeshBody>(b.form.get());
    if (mesh_a != nullptr && mesh_b != nullptr) {
        MeshStart* meshes = start != nullptr ? &start->meshes : nullptr;
        const MeshDistance d = distance(*mesh_a, a.pose, *mesh_b, b.pose, meshes, longest);
        return {d.relation, d.distance, d.error, d.point_a, d.point_b, d.normal, d.triangles};
    }
    if (mesh_a != nullptr) return turned(skeletons(b, a, longest, start));
    if (mesh_b != nullptr) {
        if (const auto* hull = std::get_if<Polyhedron>(a.form.get()))
            return ToMesh(Placed(*hull, a.pose.rotation, a.pose.position), *mesh_b, b.pose, longest).find();
        return placed(a, [&](const auto& body) { return ToMesh(AnyConvex(body), *mesh_b, b.pose, longest).find(); });
    }
    const auto *hull_a = std::get_if<Polyhedron>(a.form.get()), *hull_b = std::get_if<Polyhedron>(b.form.get());
    if (hull_a != nullptr && hull_b != nullptr)
        return described(distance(Placed(*hull_a, a.pose.rotation, a.pose.position),
                                  Placed(*hull_b, b.pose.rotation, b.pose.position), warm));
    return placed(a, [&](const auto& body_a) {
        return placed(
            b, [&](const auto& body_b) { return described(distance(AnyConvex(body_a), AnyConvex(body_b), warm)); });
    });
}

}  // namespace

double reach_about(const CompoundPart& part, Vec3 center) {
    return std::visit(
        [&](const auto& form) {
            Vec3 origin = part.pose.position - center;
            if constexpr (requires { form.origin(); }) origin += part.pose.rotation * form.origin();
            return norm(origin) + form.reach();
        },
        *part.form);
}

CompoundDistance distance(const Compound& a, const Compound& b, double longest, CompoundStart* start) {
    CompoundDistance best;
    if (start != nullptr) start->pairs.resize(a.parts.size() * b.parts.size());
    for (std::size_t i = 0; i < a.parts.size(); ++i)
        for (std::size_t j = 0; j < b.parts.size(); ++j) {
            const CompoundPart &p = a.parts[i], &q = b.parts[j];
            const double radii = p.radius + q.radius;
            CompoundStart::Pair* pair = start != nullptr ? &start->pairs[i * b.parts.size() + j] : nullptr;
            const Skeletons s = skeletons(p, q, std::fmin(longest, best.gap) + radii, pair);
            best.iterations += s.iterations;
            if (!(s.distance < infinite)) continue;
            const bool overlap = s.relation == Relation::overlapping;
            const double gap = s.distance - radii;
            const bool better = overlap ? !best.skeletons_overlap : !best.skeletons_overlap && gap < best.gap;
            if (!better || !(gap < longest)) continue;
            best.skeletons_overlap = overlap;
            best.gap = gap;
            best.distance = std::fmax(0, gap);
            best.error = s.error;
            best.normal = s.normal;
            best.point_a = s.point_a + p.radius * s.normal;
            best.point_b = s.point_b - q.radius * s.normal;
            best.part_a = static_cast<int>(i);
            best.part_b = static_cast<int>(j);
            best.relation = radii > 0 ? gap > 0    ? Relation::separated
                                        : gap == 0 ? Relation::touching
                                                   : Relation::overlapping
                                      : s.relation;
        }
    return best;
}

std::optional<Depth> depth(const Compound& a, const Compound& b) {
    if (a.parts.size() != 1 || b.parts.size() != 1 || !a.parts[0].convex() || !b.parts[0].convex()) return {};
    std::optional<Depth> found;
    placed(a.parts[0], [&](const auto& body_a) {
        return placed(b.parts[0], [&](const auto& body_b) {
            found = depth(AnyConvex(Swept(body_a, a.parts[0].radius)), AnyConvex(Swept(body_b, b.parts[0].radius)));
            return Skeletons{};
        });
    });
    return found;
}

}  // namespace scree
