#include "geometry/mesh/mesh_distance.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "math/exact_orientation.h"
#include "math/infinite.h"

namespace scree {
namespace {

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
    // As the lanes want it: b from the axes of a, or the other way round.
    PatchView view(bool of_a_by_b) const {
        PatchView v{};
        const Vec3 from = of_a_by_b ? rotation.transposed_times(-shift) : shift;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) v.column[j][i] = of_a_by_b ? rotation.row[j][i] : rotation.row[i][j];
            v.shift[i] = from[i];
        }
        return v;
    }
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
          slack_(32 * gjk::epsilon * scale_) {
        found.distance = longest;
    }

    void look_at(int i, int j) { compare(i, j); }
    // All pairs of boxes, or those that are left of an earlier search; what is passed over goes into `start`, if any.
    void search(MeshStart* start);
    void look_inside();
    double slack() const { return slack_; }
    MeshDistance found;

  private:
    struct Pair {
        PatchTree::Place a, b;
        double lower2;       // square of a lower bound of the distance
        double order;        // the lower the sooner
        bool open_b;         // which box is opened first, if both can be: the one that reaches farther to the other
        std::size_t listed;  // among those passed over: number and lane
    };
    struct Contact {
        Triangle s, t;
        Vec3 point;
    };
    bool too_far(double lower2) const {
        const double limit = found.distance + slack_;
        return lower2 > limit * limit;
    }
    void bounds(std::int32_t node, PatchTree::Place other, bool node_of_b, PatchBounds& four) const {
        const PatchTree &own = node_of_b ? b_.tree() : a_.tree(), &others = node_of_b ? a_.tree() : b_.tree();
        lanes_.bounds(own.node(node), others.node(other / PatchTree::width), other % PatchTree::width,
                      node_of_b ? a_by_b_ : b_by_a_, four);
    }
    static Pair pair_of(std::int32_t node, PatchTree::Place other, bool node_of_b, const PatchBounds& four, int lane,
                        std::size_t listed) {
        const PatchTree::Place place = PatchTree::place(node, lane);
        // Where bounds are low or equal, middles tell which boxes are likely to hold the nearest places.
        return {node_of_b ? other : place,
                node_of_b ? place : other,
                four.lower2[lane],
                four.lower2[lane] + four.apart2[lane],
                ((four.wider >> lane & 1) != 0) == node_of_b,
                PatchTree::width * listed + static_cast<std::size_t>(lane)};
    }
    void descend(const Pair& from, MeshStart* start);
    void go_on(MeshStart& start);
    double compare(int i, int j);
    void compare_meeting(int i, const Triangle& s, int j, const Triangle& t);
    bool inner_point_at(const Contact& contact) const;

    const MeshBody &a_, &b_;
    const Seen& seen_;
    const PatchLanes& lanes_ = patch_lanes();
    double scale_, slack_;
    const PatchView b_by_a_ = seen_.view(false), a_by_b_ = seen_.view(true);
    Vec3 normal_;  // of the best pair so far, from a to b
    bool meet_ = false;
    std::vector<Contact> contacts_;
};

void Query::search(MeshStart* start) {
    if (start != nullptr && !start->passed.empty()) {
        // After a long way most of the list would be looked at for nothing.
        const double limit = found.distance + slack_ + start->travelled;
        const auto asked = std::count_if(start->passed.begin(), start->passed.end(), [&](const auto& four) {
            return std::min({four.mark[0], four.mark[1], four.mark[2], four.mark[3]}) <= limit;
        });
        if (2 * static_cast<std::size_t>(asked) <= start->usual) return go_on(*start);
        start->passed.clear();
    }
    descend({PatchTree::root, PatchTree::root, 0, 0, false, 0}, start);
    if (start != nullptr) start->usual = start->passed.size();
}

void Query::go_on(MeshStart& start) {
    std::vector<Pair> left;
    std::size_t kept = 0;
    for (const MeshStart::PassedOver& one : start.passed) {
        const double least_mark = std::min({one.mark[0], one.mark[1], one.mark[2], one.mark[3]});
        if (least_mark == infinite) continue;
        MeshStart::PassedOver& four = start.passed[kept++] = one;
        const double limit = found.distance + slack_ + start.travelled;
        if (least_mark > limit) continue;
        PatchBounds now;
        bounds(four.node, four.other, four.node_of_b, now);
        found.boxes += PatchTree::width;
        for (int lane = 0; lane < PatchTree::width; ++lane) {
            double& mark = four.mark[static_cast<std::size_t>(lane)];
            if (mark > limit) continue;
            mark = std::fmax(mark, std::sqrt(now.lower2[lane]) + start.travelled);
            if (too_far(now.lower2[lane])) continue;
            left.push_back(pair_of(four.node, four.other, four.node_of_b, now, lane, kept - 1));
        }
    }
    start.passed.resize(kept);
    std::sort(left.begin(), left.end(), [](const Pair& p, const Pair& q) {
        return p.order != q.order ? p.order < q.order : p.listed < q.listed;
    });
    for (const Pair& pair : left) descend(pair, &start);
}

void Query::descend(const Pair& from, MeshStart* start) {
    Pair stack[256];  // three for each of the levels of both trees, which have fewer than 32 each
    int depth = 0;
    stack[depth++] = from;
    const auto mark_of = [&](const Pair& pair) -> double& {
        return start->passed[pair.listed / PatchTree::width].mark[pair.listed % PatchTree::width];
    };
    while (depth > 0 && found.relation != Relation::overlapping) {
        const Pair top = stack[--depth];
        if (too_far(top.lower2)) continue;
        const std::int32_t child_a = a_.tree().child(top.a), child_b = b_.tree().child(top.b);
        if (child_a < 0 && child_b < 0) {
            const double lower = compare(~child_a, ~child_b);
            if (start != nullptr && !start->passed.empty()) mark_of(top) = lower + start->travelled;
            continue;
        }
        const bool open_b = child_a < 0 || (child_b >= 0 && top.open_b);
        const PatchTree& tree = open_b ? b_.tree() : a_.tree();
        const std::int32_t number = open_b ? child_b : child_a;
        const PatchTree::Place other = open_b ? top.a : top.b;
        PatchBounds four;
        bounds(number, other, open_b, four);
        found.boxes += PatchTree::width;
        std::size_t listed = 0;
        if (start != nullptr) {
            if (!start->passed.empty()) mark_of(top) = infinite;
            listed = start->passed.size();
            start->passed.push_back({number, other, open_b, {}});
            for (std::size_t lane = 0; lane < PatchTree::width; ++lane)
                start->passed.back().mark[lane] = tree.node(number).child[lane] == PatchTree::nothing
                                                      ? infinite
                                                      : std::sqrt(four.lower2[lane]) + start->travelled;
        }
        // The nearest on top.
        const int first = depth;
        for (int lane = 0; lane < PatchTree::width && tree.node(number).child[lane] != PatchTree::nothing; ++lane) {
            if (too_far(four.lower2[lane])) continue;
            const Pair pair = pair_of(number, other, open_b, four, lane, listed);
            int at = depth++;
            for (; at > first && stack[at - 1].order < pair.order; --at) stack[at] = stack[at - 1];
            stack[at] = pair;
        }
    }
}

// Returns a lower bound of the distance of two triangles.
double Query::compare(int i, int j) {
    const Triangle s = a_.triangle(i), t = seen_ * b_.triangle(j);
    // The box of a triangle is up to twice as large as it: its corners along two directions first.
    const double limit = found.distance + slack_;
    const double face = least(normal_, t) - most(normal_, s);
    if (face > limit) return face;
    const Vec3 d = middle_of(t) - middle_of(s);
    const double line = least(d, t) - most(d, s);
    if (line > 0 && line * line > limit * limit * norm2(d)) return line / norm(d);
    ++found.triangles;
    if (meet_) {
        compare_meeting(i, s, j, t);
        return 0;
    }
    const ClosestPoints near = closest_points(s, t);
    double here = near.distance;
    if (near.certain) {
        if (!(here < found.distance)) return here;
        found.distance = here;
        found.point_a = near.point_a;
        found.point_b = near.point_b;
        normal_ = (1 / here) * (near.point_b - near.point_a);
    } else {
        const Distance exact = distance(TriangleBody(s.a, s.b, s.c), TriangleBody(t.a, t.b, t.c));
        here = exact.distance;
        if (!(here < found.distance)) return here;
        found.distance = here;
        found.point_a = exact.point_a;
        found.point_b = exact.point_b;
        normal_ = exact.normal;
        if (exact.relation != Relation::separated) {
            meet_ = true;
            found.relation = exact.relation;
            normal_ = {};
            contacts_.push_back({s, t, exact.point_a});
        }
    }
    found.normal = normal_;
    found.triangle_a = i;
    found.triangle_b = j;
    return here;
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

// How far any point of the second body has moved, at most, seen from the first.
double moved_since(const MeshPose& then, const Seen& now, const MeshBody& b) {
    const Vec3 middle = b.middle();
    double turn2 = 0;
    for (int k = 0; k < 3; ++k) turn2 += norm2(now.rotation.row[k] - then.rotation.row[k]);
    // Of the difference of two rotations the squares add up to twice that of the longest vector it makes of a unit one.
    const double turn = std::sqrt(0.5 * turn2) + 8 * gjk::epsilon;
    return (norm(now * middle - (then.rotation * middle + then.position)) + turn * b.radius()) *
               (1 + 8 * gjk::epsilon) +
           8 * gjk::epsilon * (norm(now.shift) + b.reach());
}

}  // namespace

MeshDistance distance(const MeshBody& a, const MeshPose& pose_a, const MeshBody& b, const MeshPose& pose_b,
                      MeshStart* start, double longest) {
    const Seen seen(pose_a, pose_b);
    Query query(a, b, seen, longest);
    double apart = 0;
    if (start != nullptr) {
        if (start->body_a != a.identity() || start->body_b != b.identity() ||
            start->passed.size() > 2 * start->usual + 256) {
            const bool same = start->body_a == a.identity() && start->body_b == b.identity();
            *start = MeshStart{same ? start->triangle_a : -1,
                               same ? start->triangle_b : -1,
                               a.identity(),
                               b.identity(),
                               {},
                               0,
                               0,
                               std::move(start->passed),
                               0};
            start->passed.clear();
        } else {
            const double moved = moved_since(start->seen, seen, b);
            start->travelled += moved;
            apart = start->apart - moved;
        }
        start->seen = {seen.rotation, seen.shift};
        start->apart = 0;
        if (start->triangle_a >= 0) query.look_at(start->triangle_a, start->triangle_b);
    }
    query.search(start);
    // Bodies that were apart by more than they have moved cannot be one in the other now.
    if (!(apart > query.slack())) query.look_inside();
    MeshDistance& found = query.found;
    if (start != nullptr && found.triangle_a >= 0) {
        start->triangle_a = found.triangle_a;
        start->triangle_b = found.triangle_b;
    }
    if (start != nullptr && found.relation == Relation::separated) start->apart = found.distance;
    if (found.triangle_a < 0 && found.relation == Relation::separated) {
        found.distance = infinite;
        return std::move(found);
    }
    if (found.triangle_a >= 0 && found.relation == Relation::separated) {
        const Triangle s = a.triangle(found.triangle_a), t = b.triangle(found.triangle_b);
        const double size = norm(s.b - s.a) + norm(s.c - s.a) + norm(t.b - t.a) + norm(t.c - t.a);
        found.error = 64 * gjk::epsilon * (size + found.distance);
        // The second body is placed with rounding.
        if (!(pose_a == pose_b)) found.error += 8 * gjk::epsilon * (b.reach() + norm(seen.shift));
    }
    found.point_a = pose_a.rotation * found.point_a + pose_a.position;
    found.point_b = pose_a.rotation * found.point_b + pose_a.position;
    found.normal = pose_a.rotation * found.normal;
    return std::move(found);
}

}  // namespace scree
