#include "geometry/mesh/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "math/exact_orientation.h"

namespace scree {
namespace {

constexpr double epsilon = gjk::epsilon;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t most_contacts = 64;  // places around which common inner points are looked for

// Body b as seen from the axes of body a.
struct Seen {
    Mat3 rotation;
    Vec3 shift;

    Seen(const MeshPose& a, const MeshPose& b) {
        if (a == b) return;
        shift = a.rotation.transposed_times(b.position - a.position);
        for (int k = 0; k < 3; ++k) {
            Vec3 axis;
            axis[k] = 1;
            const Vec3 column = a.rotation.transposed_times(b.rotation * axis);
            for (int i = 0; i < 3; ++i) rotation.row[i][k] = column[i];
        }
    }
    Vec3 operator*(Vec3 p) const { return rotation * p + shift; }
    Vec3 back(Vec3 p) const { return rotation.transposed_times(p - shift); }
    Triangle operator*(const Triangle& t) const { return {*this * t.a, *this * t.b, *this * t.c}; }
};

double least(Vec3 n, const Triangle& t) { return std::min({dot(n, t.a), dot(n, t.b), dot(n, t.c)}); }
double most(Vec3 n, const Triangle& t) { return std::max({dot(n, t.a), dot(n, t.b), dot(n, t.c)}); }
Vec3 normal_of(const Triangle& t) { return normalized(cross(t.b - t.a, t.c - t.a)); }
Vec3 middle_of(const Triangle& t) { return (1.0 / 3) * (t.a + t.b + t.c); }

// Corners of each triangle on both sides of the other's plane: without this they have no more than touch.
bool may_pierce(const Triangle& s, const Triangle& t) {
    const auto both_sides = [](const Triangle& plane, const Triangle& of) {
        const int a = orientation(plane.a, plane.b, plane.c, of.a), b = orientation(plane.a, plane.b, plane.c, of.b),
                  c = orientation(plane.a, plane.b, plane.c, of.c);
        return std::min({a, b, c}) < 0 && std::max({a, b, c}) > 0;
    };
    return both_sides(s, t) && both_sides(t, s);
}

class Query {
  public:
    Query(const MeshBody& a, const MeshBody& b, const Seen& seen, double longest)
        : a_(a),
          b_(b),
          seen_(seen),
          scale_(a.reach() + b.reach() + norm(seen.shift)),
          slack_(32 * epsilon * scale_) {
        found.distance = longest;
    }

    void look_at(int i, int j) { compare(i, a_.triangle(i), j, seen_ * b_.triangle(j)); }
    void descend();
    void look_inside();
    MeshDistance found;

  private:
    struct Pair {
        std::int32_t a, b;
        double lower2, apart2;  // squares of a lower bound of the distance, and of the distance of the middles
    };
    struct Contact {
        Triangle s, t;
        Vec3 point;
    };
    // Extents along the line of the middles, and along the best normal so far.
    Pair pair(std::int32_t i, std::int32_t j) const {
        const PatchTree::Node &p = a_.tree().node(i), &q = b_.tree().node(j);
        const Vec3 d = seen_ * q.middle - p.middle;
        const double dd = norm2(d), line = dd - (p.extent(d) + q.extent(seen_.rotation.transposed_times(d))),
                     face = dot(normal_, d) - (p.extent(normal_) + q.extent(normal_of_b_));
        const double line2 = line > 0 ? line * (line / dd) : 0, face2 = face > 0 ? face * face : 0;
        return {i, j, line2 > face2 ? line2 : face2, dd};
    }
    bool too_far(double lower2) const {
        const double limit = found.distance + slack_;
        return lower2 > limit * limit;
    }
    void put_in_order(Pair p, Pair q, Pair* stack, int& depth) const;
    void compare_leaves(const PatchTree::Node& p, const PatchTree::Node& q);
    void compare(int i, const Triangle& s, int j, const Triangle& t);
    void compare_meeting(int i, const Triangle& s, int j, const Triangle& t);
    void point_along(Vec3 normal) {
        normal_ = normal;
        normal_of_b_ = seen_.rotation.transposed_times(normal);
    }
    bool inner_point_at(const Contact& contact) const;

    const MeshBody &a_, &b_;
    const Seen& seen_;
    double scale_, slack_;
    Vec3 normal_, normal_of_b_;  // of the best pair so far, from a to b; as b sees it
    bool meet_ = false;
    std::vector<Contact> contacts_;
};

void Query::put_in_order(Pair p, Pair q, Pair* stack, int& depth) const {
    const bool p_first = p.lower2 < q.lower2 || (p.lower2 == q.lower2 && p.apart2 <= q.apart2);
    if (!p_first) std::swap(p, q);
    if (!too_far(q.lower2)) stack[depth++] = q;
    if (!too_far(p.lower2)) stack[depth++] = p;
}

void Query::descend() {
    Pair stack[160];  // two per level of both trees, which have half of 64 at most
    int depth = 0;
    stack[depth++] = pair(0, 0);
    while (depth > 0 && found.relation != Relation::overlapping) {
        const Pair top = stack[--depth];
        ++found.boxes;
        if (too_far(top.lower2)) continue;
        const PatchTree::Node &p = a_.tree().node(top.a), &q = b_.tree().node(top.b);
        if (p.leaf() && q.leaf()) {
            compare_leaves(p, q);
        } else if (q.leaf() || (!p.leaf() && p.radius >= q.radius)) {
            put_in_order(pair(top.a + 1, top.b), pair(p.first, top.b), stack, depth);
        } else {
            put_in_order(pair(top.a, top.b + 1), pair(top.a, q.first), stack, depth);
        }
    }
}

void Query::compare_leaves(const PatchTree::Node& p, const PatchTree::Node& q) {
    const Vec3 normal = normal_;  // a better one may be found along the way
    Triangle of_b[PatchTree::leaf_size];
    double nearest = infinite, least_of_b[PatchTree::leaf_size];
    const int count_b = q.count;
    for (int k = 0; k < count_b; ++k) {
        of_b[k] = seen_ * b_.triangle(q.first + k);
        least_of_b[k] = least(normal, of_b[k]);
        nearest = std::fmin(nearest, least_of_b[k]);
    }
    for (int i = p.first; i < p.first + p.count; ++i) {
        const Triangle s = a_.triangle(i);
        const double reach = most(normal, s);
        if (nearest - reach > found.distance + slack_) continue;
        const MeshBody::Ball& ball_a = a_.ball(i);
        for (int k = 0; k < count_b; ++k) {
            const double limit = found.distance + slack_;
            if (least_of_b[k] - reach > limit) continue;
            const MeshBody::Ball& ball_b = b_.ball(q.first + k);
            const Vec3 d = seen_ * ball_b.middle - ball_a.middle;
            const double line = least(d, of_b[k]) - most(d, s);
            if (line > 0 && line * line > limit * limit * norm2(d)) continue;
            compare(i, s, q.first + k, of_b[k]);
            if (found.relation == Relation::overlapping) return;
        }
    }
}

void Query::compare(int i, const Triangle& s, int j, const Triangle& t) {
    ++found.triangles;
    if (meet_) return compare_meeting(i, s, j, t);
    const ClosestPoints near = closest_points(s, t);
    if (near.certain) {
        if (!(near.distance < found.distance)) return;
        found.distance = near.distance;
        found.point_a = near.point_a;
        found.point_b = near.point_b;
        point_along((1 / near.distance) * (near.point_b - near.point_a));
    } else {
        const Distance d = distance(TriangleBody(s.a, s.b, s.c), TriangleBody(t.a, t.b, t.c));
        if (!(d.distance < found.distance)) return;
        found.distance = d.distance;
        found.point_a = d.point_a;
        found.point_b = d.point_b;
        point_along(d.normal);
        if (d.relation != Relation::separated) {
            meet_ = true;
            found.relation = d.relation;
            point_along({});
            contacts_.push_back({s, t, d.point_a});
        }
    }
    found.normal = normal_;
    found.triangle_a = i;
    found.triangle_b = j;
}

// They meet; whether they have more than borders in common is left to find out.
void Query::compare_meeting(int i, const Triangle& s, int j, const Triangle& t) {
    const bool pierce = may_pierce(s, t);
    if (!pierce && contacts_.size() >= most_contacts) return;
    const Distance d = distance(TriangleBody(s.a, s.b, s.c), TriangleBody(t.a, t.b, t.c));
    if (d.relation == Relation::separated) return;
    contacts_.push_back({s, t, d.point_a});
    if (d.relation != Relation::overlapping) return;
    found.relation = Relation::overlapping;
    found.point_a = found.point_b = d.point_a;
    found.triangle_a = i;
    found.triangle_b = j;
}

// Points a little inside of the surfaces at a place where they touch.
bool Query::inner_point_at(const Contact& contact) const {
    const Vec3 normal_s = normal_of(contact.s), normal_t = normal_of(contact.t);
    const Vec3 to_s = middle_of(contact.s) - contact.point, to_t = middle_of(contact.t) - contact.point;
    const double size = std::fmin(norm(cross(contact.s.b - contact.s.a, contact.s.c - contact.s.a)) /
                                      (norm(contact.s.b - contact.s.a) + norm(contact.s.c - contact.s.a)),
                                  norm(cross(contact.t.b - contact.t.a, contact.t.c - contact.t.a)) /
                                      (norm(contact.t.b - contact.t.a) + norm(contact.t.c - contact.t.a)));
    for (const Vec3 base : {Vec3{}, 0.1 * to_s, 0.1 * to_t, 1e-3 * (to_s + to_t)})
        for (const Vec3 into : {normal_s + normal_t, normal_s, normal_t})
            for (const double depth : {1e-2, 1e-4, 1e-6}) {
                const Vec3 p = contact.point + base - (depth * size) * into;
                if (a_.place(p) == Place::inside && b_.place(seen_.back(p)) == Place::inside) return true;
            }
    return false;
}

// One in the other, or touching from inside.
void Query::look_inside() {
    const auto overlapping_at = [&](Vec3 p) {
        found.relation = Relation::overlapping;
        found.distance = 0;
        found.point_a = found.point_b = p;
        found.normal = {};
        found.triangle_a = found.triangle_b = -1;
    };
    if (found.relation == Relation::overlapping) return;
    if (a_.solid())
        for (const Vec3 p : b_.part_points())
            if (a_.place(seen_ * p) == Place::inside) return overlapping_at(seen_ * p);
    if (b_.solid())
        for (const Vec3 p : a_.part_points())
            if (b_.place(seen_.back(p)) == Place::inside) return overlapping_at(p);
    if (!meet_ || !a_.solid() || !b_.solid()) return;
    for (const Contact& contact : contacts_)
        if (inner_point_at(contact)) return overlapping_at(contact.point);
}

}  // namespace

MeshDistance distance(const MeshBody& a, const MeshPose& pose_a, const MeshBody& b, const MeshPose& pose_b,
                      MeshStart* start, double longest) {
    const Seen seen(pose_a, pose_b);
    Query query(a, b, seen, longest);
    if (start != nullptr && start->triangle_a >= 0 && start->triangle_a < a.size() && start->triangle_b >= 0 &&
        start->triangle_b < b.size())
        query.look_at(start->triangle_a, start->triangle_b);
    query.descend();
    query.look_inside();
    MeshDistance& found = query.found;
    if (start != nullptr && found.triangle_a >= 0) *start = {found.triangle_a, found.triangle_b};
    if (found.triangle_a < 0 && found.relation == Relation::separated) {
        found.distance = infinite;
        return std::move(found);
    }
    if (found.triangle_a >= 0 && found.relation == Relation::separated) {
        const Triangle s = a.triangle(found.triangle_a), t = b.triangle(found.triangle_b);
        const double size = norm(s.b - s.a) + norm(s.c - s.a) + norm(t.b - t.a) + norm(t.c - t.a);
        found.error = 64 * epsilon * (size + found.distance);
        // The second body is placed with rounding.
        if (!(pose_a == pose_b)) found.error += 8 * epsilon * (b.reach() + norm(seen.shift));
    }
    found.point_a = pose_a.rotation * found.point_a + pose_a.position;
    found.point_b = pose_a.rotation * found.point_b + pose_a.position;
    found.normal = pose_a.rotation * found.normal;
    return std::move(found);
}

}  // namespace scree
