// Distance of two convex bodies: GJK on Signed Volumes (Montanari 2017 section 3.2), with a certificate.
//
// v is the point of the simplex nearest to the origin of A - B: a point of A - B, so |v| is an upper bound of the
// distance, and the support point w in direction -v makes v.w/|v| a lower bound. Each round either closes the two to
// within the rounding of the bodies' size (a few times 2^-52 of it; no absolute tolerance anywhere) or shortens v. When
// neither happens the doubles have nothing more to say, and the exact solver takes over from the simplex at hand
// (polyhedral bodies), or the bounds are returned as they are (curved bodies): there is no count of rounds that ends in
// a wrong answer. A verdict "separated" or "overlapping" is given from doubles only when it exceeds the bound of their
// rounding error, else from integers.
//
// Rejected: the stop of 002 (Algorithm 5, |v|^2 <= eps max|y|^2 means contact), which calls gaps below 1e-8 of the size
// contact; Johnson's backup; a cap on rounds.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "core/instruction_set.h"
#include "geometry/body.h"
#include "geometry/exact_distance.h"
#include "geometry/signed_volumes.h"
#include "math/vec.h"

namespace scree {

// The vertices whose hull holds the closest point: one, the ends of an edge or of a diagonal of a facet, or three of a
// facet.
struct Feature {
    int count = 0;
    std::array<int, 3> vertex{-1, -1, -1};
};

struct Distance {
    Relation relation = Relation::separated;  // of the bodies, swept radii included
    bool skeletons_overlap = false;           // then `gap` is only an upper bound and there is no normal
    double distance = 0;                      // of the bodies, 0 unless they are separated
    double gap = 0;                           // signed: distance of the skeletons less both radii
    double error = 0;                         // |gap - true gap| is at most this
    Vec3 point_a, point_b;                    // closest points on the surfaces, in the world
    Vec3 normal;                              // unit, from a to b
    int iterations = 0;
    bool exact = false;                   // integers decided
    int carriers = 0;                     // pairs of vertices that carry the closest points; 0 for curved bodies
    std::array<VertexPair, 3> carrier{};  // and for bodies that overlap

    Feature feature_a() const;
    Feature feature_b() const;
};

// What a query leaves for the next one of the same pair. Start a new pair with a fresh one.
struct WarmStart {
    int count = 0;  // pairs of vertices in the last simplex
    std::array<VertexPair, 4> pair{};
    Vec3 direction;  // last v, for curved bodies
};

namespace gjk {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double close_enough = 4 * epsilon;  // of the scale: stop when the bounds are this close
constexpr double certain = 32 * epsilon;      // of the scale: a lower bound above this is no rounding error
constexpr double acceptable = 64 * epsilon;   // of the scale: final bounds farther apart go to the exact solver
constexpr double smallest_scale = 1e-40, largest_scale = 1e40;  // fourth powers of lengths stay within doubles

enum class Verdict { separated, overlapping, undecided };

struct State {
    State() {}
    // By slot, and not to be zeroed for every query: a slot is written before the front names it.
    union {
        Vec3 w[4];
    };  // corners of the simplex: w = a - b + offset
    union {
        Vec3 a[4];
    };  // of curved bodies along the way, of polyhedra only at the end
    union {
        Vec3 b[4];
    };
    union {
        VertexPair pair[4];
    };
    Front front;       // where the rounds ended: the corners that carry v, in slots, the newest last
    double lower = 0;  // best lower bound of the distance so far
    int iterations = 0;
    Verdict verdict = Verdict::undecided;
};

template <class Body>
concept offers_two = requires(const Body& body, Vec3 d) {
    { body.support_two(d) } -> std::same_as<TwoSupports>;
};

// Copies coordinate by coordinate: compilers copy several at once, and a processor that has just written them one by
// one must wait for memory to read them together. A tenth of a warm query was this.
inline void put(const Vec3& from, Vec3& to) {
    to.x = from.x;
    to.y = from.y;
    to.z = from.z;
}

inline Front copied(const Front& f) {
    Front copy;
    put(f.direction, copy.direction);
    copy.height = f.height;
    copy.length2 = f.length2;
    copy.norm2 = f.norm2;
    copy.count = f.count;
    copy.vertices = f.vertices;
    return copy;
}

inline int free_slot(const Front& f) {
    // Names beyond the count are 0 and may claim slot 0 in vain: of four slots at most three are in use.
    const unsigned used = 1u << f.vertex(0) | 1u << f.vertex(1) | 1u << f.vertex(2);
    return static_cast<int>(__builtin_ctz(~used));
}

inline bool holds(const State& s, const Front& f, VertexPair pair) {
    for (int k = 0; k < f.count; ++k) {
        const VertexPair& old = s.pair[f.vertex(k)];
        if (old.a == pair.a && old.b == pair.b) return true;
    }
    return false;
}

// The simplex of the current front and the new corner a in `slot`, which is known to bring it nearer; count 0 when it
// does not.
inline Front extend(const State& s, const Front& f, Vec3 a, int slot) {
    Front next;
    next.norm2 = f.norm2;
    const int k0 = f.vertex(0), k1 = f.vertex(1), k2 = f.vertex(2);
    if (f.count == 1)
        newest::segment(a, slot, s.w[k0], k0, next);
    else if (f.count == 2)
        newest::triangle(a, slot, s.w[k1], k1, s.w[k0], k0, next);
    else
        newest::tetrahedron(a, slot, s.w[k2], k2, s.w[k1], k1, s.w[k0], k0, next);
    return next;
}

// The same over all faces, when rounding has hidden the one wanted.
// Fronts are handed over by value where a function is not inlined: one whose address is known cannot stay in registers.
Front extend_carefully(const State& s, Front f, int slot);

// Not inlined: the searches in it would double the code of run(), and a call is nothing beside them.
template <ConvexBody A, ConvexBody B>
static __attribute__((noinline)) Front start_warm(const A& a, const B& b, const WarmStart& warm, State& s) {
    const Vec3 offset = a.origin() - b.origin();
    Front best;
    for (int k = 0; k < warm.count; ++k) {
        const VertexPair pair = warm.pair[static_cast<std::size_t>(k)];
        if (pair.a < 0 || pair.b < 0 || pair.a >= a.vertex_count() || pair.b >= b.vertex_count()) return best;
        s.pair[k] = pair;
        s.w[k] = (a.vertex(pair.a) - b.vertex(pair.b)) + offset;
    }
    // The last vertex was the newest: the fast search mostly holds; what it misses, the rounds that follow mend.
    best.norm2 = std::numeric_limits<double>::infinity();
    if (warm.count == 1)
        newest::point(s.w[0], 0, best);
    else if (warm.count == 2)
        newest::segment(s.w[1], 1, s.w[0], 0, best);
    else if (warm.count == 3)
        newest::triangle(s.w[2], 2, s.w[1], 1, s.w[0], 0, best);
    else
        newest::tetrahedron(s.w[3], 3, s.w[2], 2, s.w[1], 1, s.w[0], 0, best);
    return best;
}

// A cold start from the two vertices of each body that lie farthest towards the other: with the farthest pair a1 - b1
// go a2 - b1 and a1 - b2. Where the closest features are edges this saves the rounds that would find their other ends.
// (Of random polyhedra of 8 vertices, a radius apart, 1.6 rounds are left after it in place of 2.3; a2 - b2 as a
// fourth corner would save 0.05 more.)
template <ConvexBody A, ConvexBody B>
void start_wide(const A& a, const B& b, Vec3 offset, Vec3 d, State& s, Front& best) {
    const TwoSupports p = a.support_two(-d), q = b.support_two(d);
    s.pair[0] = {p.first.index, q.first.index};
    s.pair[1] = {p.second.index, q.first.index};
    s.pair[2] = {p.first.index, q.second.index};
    const Vec3 w0 = (p.first.point - q.first.point) + offset;
    const Vec3 w1 = (p.second.point - q.first.point) + offset;
    const Vec3 w2 = (p.first.point - q.second.point) + offset;
    put(w0, s.w[0]);
    put(w1, s.w[1]);
    put(w2, s.w[2]);
    best.norm2 = std::numeric_limits<double>::infinity();
    newest::triangle(w0, 0, w1, 1, w2, 2, best);
    if (best.count == 0) newest::point(w0, 0, best);
}

template <ConvexBody A, ConvexBody B>
Front run(const A& a, const B& b, Vec3 offset, double scale, const WarmStart* warm, State& s) {
    constexpr bool polyhedral = A::polyhedral && B::polyhedral;
    const double tolerance = close_enough * scale, tolerance2 = tolerance * tolerance;
    int hint_a = -1, hint_b = -1;
    Front front;
    if (polyhedral && warm != nullptr && warm->count > 0) {
        const Front started = start_warm(a, b, *warm, s);
        front = copied(started);
    }
    if (front.count == 0) {
        Vec3 d = (a.center() - b.center()) + offset;
        if (!polyhedral && warm != nullptr && norm2(warm->direction) > 0) d = warm->direction;
        if (!(norm2(d) > 0)) d = {1, 0, 0};
        if constexpr (polyhedral && offers_two<A> && offers_two<B>) {
            start_wide(a, b, offset, d, s, front);
        } else {
            const Support p = a.support(-d, -1), q = b.support(d, -1);
            s.w[0] = (p.point - q.point) + offset;
            if constexpr (!polyhedral) {
                s.a[0] = p.point;
                s.b[0] = q.point;
            }
            s.pair[0] = {p.index, q.index};
            front.norm2 = std::numeric_limits<double>::infinity();
            newest::point(s.w[0], 0, front);
        }
        hint_a = s.pair[0].a;
        hint_b = s.pair[0].b;
        s.iterations = 1;
    } else {
        const VertexPair last = s.pair[front.vertex(front.count - 1)];
        hint_a = last.a;
        hint_b = last.b;
    }
    // From a warm start the last vertices are likely still the farthest: ask for certainty at once.
    bool check = s.iterations == 0 && (a.needs_check() || b.needs_check());
    while (front.count < 4 && front.height > 0) {
        ++s.iterations;
        const Vec3 v = front.direction;
        const Support p = check ? a.support_checked(-v, hint_a) : a.support(-v, hint_a);
        const Support q = check ? b.support_checked(v, hint_b) : b.support(v, hint_b);
        const Vec3 w = (p.point - q.point) + offset;
        const double vw = dot(v, w), slack = front.height - vw, slack2 = slack * slack;
        bool done = !(slack > 0) || slack2 <= tolerance2 * front.length2;
        // A corner that came back is no nearer but for rounding.
        if constexpr (polyhedral)
            if (slack2 <= 0x1p20 * tolerance2 * front.length2) done |= holds(s, front, {p.index, q.index});
        if (done) {
            // A climb may have ended early: look at all vertices once before the answer is final.
            if (!check && (a.needs_check() || b.needs_check())) {
                check = true;
                hint_a = p.index;
                hint_b = q.index;
                --s.iterations;
                continue;
            }
            const double lower = vw / std::sqrt(front.length2);
            s.lower = lower > s.lower ? lower : s.lower;
            s.verdict = s.lower > certain * scale ? Verdict::separated : Verdict::undecided;
            return front;
        }
        check = false;
        hint_a = p.index;
        hint_b = q.index;
        const int slot = free_slot(front);
        put(w, s.w[slot]);
        if constexpr (!polyhedral) {
            s.a[slot] = p.point;
            s.b[slot] = q.point;
        }
        s.pair[slot] = {p.index, q.index};
        if (vw > 0 && !polyhedral) {
            const double lower = vw / std::sqrt(front.length2);
            s.lower = lower > s.lower ? lower : s.lower;
        }
        Front next = extend(s, front, w, slot);
        if (next.count == 0) {
            const Front before = copied(front), careful = extend_carefully(s, before, slot);
            next = copied(careful);
            if (!(next.norm2 < front.norm2)) break;
        }
        front = next;
    }
    if (front.count < 4) return front;
    // The origin is in a tetrahedron; believe it if no rounding of the corners could have put it there.
    const double reach = 4 * scale, doubt = certain * reach * reach * reach;
    double smallest = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 4; ++k) {
        const double volume = std::fabs(dot(s.w[(k + 1) % 4], cross(s.w[(k + 2) % 4], s.w[(k + 3) % 4])));
        smallest = volume < smallest ? volume : smallest;
    }
    if (smallest > doubt) s.verdict = Verdict::overlapping;
    return front;
}

// The corners of the front on both bodies, for polyhedra, which kept their names alone.
template <ConvexBody A, ConvexBody B>
void recall_corners(const A& a, const B& b, const Front& front, State& s) {
    for (int k = 0; k < front.count; ++k) {
        const int slot = front.vertex(k);
        s.a[slot] = a.vertex(s.pair[slot].a);
        s.b[slot] = b.vertex(s.pair[slot].b);
    }
}

// From the skeletons' distance to that of the swept bodies.
inline void sweep(Distance& result, double skeleton_distance, double margin_a, double margin_b) {
    const double margins = margin_a + margin_b;
    result.gap = skeleton_distance - margins;
    result.distance = result.gap > 0 ? result.gap : 0;
    if (!(margins > 0)) return;
    result.relation = result.gap > 0                               ? Relation::separated
                      : result.gap < 0 || result.skeletons_overlap ? Relation::overlapping
                                                                   : Relation::touching;
    result.point_a += margin_a * result.normal;
    result.point_b -= margin_b * result.normal;
}

// Finish a separated pair with its bounds. Written in place: to copy what has just been written costs as much as a
// round. at_a and at_b tell a corner by its slot.
template <class AtA, class AtB>
void conclude_separated(const State& s, const Front& front, AtA&& at_a, AtB&& at_b, Vec3 origin_a, Vec3 origin_b,
                        Vec3 offset, double scale, double margin_a, double margin_b, bool polyhedral,
                        Distance& result) {
    result.iterations = s.iterations;
    Vec3 a, b;
    double lambda[4];
    front_weights(s.w, front, lambda);
    for (int k = 0; k < front.count; ++k) {
        a += lambda[k] * at_a(front.vertex(k));
        b += lambda[k] * at_b(front.vertex(k));
        if (polyhedral) result.carrier[static_cast<std::size_t>(k)] = s.pair[front.vertex(k)];
    }
    result.carriers = polyhedral ? front.count : 0;
    result.point_a = origin_a + a;
    result.point_b = origin_b + b;
    const Vec3 apart = (a - b) + offset;
    const double upper = norm(apart);
    // A tiny simplex far away has a poor normal; the points then tell the direction better.
    result.normal = front.length2 < front.norm2 * front.norm2 ? (-1 / upper) * apart
                                                              : (-1 / std::sqrt(front.length2)) * front.direction;
    const double doubt = std::fabs(upper - s.lower), least = 2 * epsilon * scale;
    result.error = doubt > least ? doubt : least;
    result.relation = Relation::separated;
    sweep(result, upper, margin_a, margin_b);
}
// Finish any other state from doubles.
Distance conclude(const State& s, Vec3 origin_a, Vec3 origin_b, Vec3 offset, double scale, double margin_a,
                  double margin_b, bool polyhedral);
// An exact answer in the words of this file, for bodies without margins.
Distance from_exact(const ExactDistance& exact, int iterations_before);
// Finish with integers.
Distance conclude_exactly(const State& s, const VertexSet& a, const VertexSet& b, double margin_a, double margin_b);
// Curved bodies cannot be asked exactly: refuse sizes and coordinates that doubles cannot handle.
void require_usable(double scale);
inline void keep(const State& s, const Front& front, WarmStart& warm) {
    warm.count = front.count;
    for (int k = 0; k < front.count; ++k) warm.pair[static_cast<std::size_t>(k)] = s.pair[front.vertex(k)];
    put(front.direction, warm.direction);
}

}  // namespace gjk

// Distance, closest points and features of two convex bodies; `warm` carries over from query to query of one pair.
template <ConvexBody A, ConvexBody B>
Distance distance(const A& a, const B& b, WarmStart* warm = nullptr) {
    constexpr bool polyhedral = A::polyhedral && B::polyhedral;
    const Vec3 offset = a.origin() - b.origin();
    const double scale = a.reach() + b.reach() + std::fabs(offset.x) + std::fabs(offset.y) + std::fabs(offset.z);
    gjk::State state;
    Distance result;
    if (scale > gjk::smallest_scale && scale < gjk::largest_scale) {
        const Front ended = gjk::run(a, b, offset, scale, warm, state), front = gjk::copied(ended);
        if (warm != nullptr) gjk::keep(state, front, *warm);
        if (state.verdict == gjk::Verdict::separated) {
            const auto at_a = [&](int slot) { return polyhedral ? a.vertex(state.pair[slot].a) : state.a[slot]; };
            const auto at_b = [&](int slot) { return polyhedral ? b.vertex(state.pair[slot].b) : state.b[slot]; };
            gjk::conclude_separated(state, front, at_a, at_b, a.origin(), b.origin(), offset, scale, a.margin(),
                                    b.margin(), polyhedral, result);
            if (!polyhedral || result.error <= gjk::acceptable * scale) return result;
        }
        state.front = gjk::copied(front);
        if (state.verdict == gjk::Verdict::overlapping || !polyhedral) {
            if constexpr (polyhedral) gjk::recall_corners(a, b, front, state);
            result = gjk::conclude(state, a.origin(), b.origin(), offset, scale, a.margin(), b.margin(), polyhedral);
            return result;
        }
    } else if constexpr (!polyhedral) {
        gjk::require_usable(scale);
    }
    result = gjk::conclude_exactly(state, vertex_set(a), vertex_set(b), a.margin(), b.margin());
    return result;
}

// Made for the machine at hand.
struct PolyhedronDistance {
    Distance (*plain)(const Polyhedron& a, const Polyhedron& b, WarmStart* warm);
    Distance (*placed)(const Placed<Polyhedron>& a, const Placed<Polyhedron>& b, WarmStart* warm);
};
template <InstructionSet>
struct PolyhedronDistanceOf {
    static const PolyhedronDistance table;
};
template <>
const PolyhedronDistance PolyhedronDistanceOf<InstructionSet::baseline>::table;
template <>
const PolyhedronDistance PolyhedronDistanceOf<InstructionSet::avx2>::table;
template <>
const PolyhedronDistance PolyhedronDistanceOf<InstructionSet::avx512>::table;
inline const PolyhedronDistance& polyhedron_distance() {
    return *for_instruction_set(last_instruction_set(), [](auto set) { return &PolyhedronDistanceOf<set()>::table; });
}
inline Distance distance(const Polyhedron& a, const Polyhedron& b, WarmStart* warm = nullptr) {
    return polyhedron_distance().plain(a, b, warm);
}
inline Distance distance(const Placed<Polyhedron>& a, const Placed<Polyhedron>& b, WarmStart* warm = nullptr) {
    return polyhedron_distance().placed(a, b, warm);
}

}  // namespace scree
