// A convex polyhedron (or polygon, segment, point) given by its extreme points, made for support queries.
//
// Vertices are kept relative to an origin near them, so that a body far from the world's origin loses no digits: the
// origin is chosen such that all differences are exact. Small bodies are scanned, eight vertices at a time; large ones
// are climbed along their edges, from a start looked up by direction.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geometry/convex_hull.h"
#include "geometry/vertex_lanes.h"
#include "math/vec.h"

namespace scree {

struct Support {
    Vec3 point;  // relative to the body's origin
    int index;   // of the vertex, -1 where the body is curved
};

// The vertex farthest along a direction, and the second or one near it: two good corners to start a search with.
struct TwoSupports {
    Support first, second;
};

// A coordinate that can be subtracted from all values of [low, high] without rounding: zero unless the values lie
// farther from zero than they spread. Then all are multiples of the last bit of the smallest, and so are their
// differences, which need no more bits than a double has.
inline double exact_shift(double low, double high) {
    if (low <= 0 && high >= 0) return 0;
    const double nearest = low > 0 ? low : high;
    return std::fabs(nearest) >= high - low ? nearest : 0;
}

class Polyhedron {
  public:
    static constexpr bool polyhedral = true;

    // Throws Error (bad_input) when the cloud is empty or not finite.
    explicit Polyhedron(std::span<const Vec3> cloud) : Polyhedron(convex_hull(cloud)) {}
    explicit Polyhedron(ConvexHull hull);

    Vec3 origin() const { return origin_; }
    Vec3 center() const { return center_; }  // of the bounding box, relative to the origin
    double reach() const { return reach_; }  // largest distance of a vertex from the origin
    double margin() const { return 0; }
    int dimension() const { return hull_.dimension; }
    int vertex_count() const { return count_; }
    Vec3 vertex(int index) const { return points_[static_cast<std::size_t>(index)]; }
    // Large bodies are numbered in an order of their own, neighbors in space together.
    int source(int index) const { return hull_.sources[static_cast<std::size_t>(index)]; }  // row in the cloud
    const ConvexHull& hull() const { return hull_; }
    // The world's coordinates, as given.
    Vec3 world_vertex(int index) const { return hull_.points[static_cast<std::size_t>(index)]; }

    // The vertex farthest along d, the first of equals. A hint is a vertex to start from, or -1.
    Support support(Vec3 d, int hint = -1) const { return climbs_ ? climb(d, hint) : scan(d); }
    // The same for certain: rounding can end a climb early on very short edges. `found` is what the climb returned.
    Support support_checked(Vec3 d, int found) const { return climbs_ ? top(d, found) : scan(d); }
    bool needs_check() const { return climbs_; }

    Support scan(Vec3 d) const;
    Support climb(Vec3 d, int hint) const;
    Support top(Vec3 d, int found) const;
    Support scan_beyond(Vec3 d, int found) const;
    const double* lane_blocks() const { return lanes_.data(); }
    int padded_count() const { return padded_; }

  private:
    static constexpr int climb_from = 128;  // vertices; below, the scan measured faster
    static constexpr int cells = 8;         // per side of the cube of directions

    int start_cell(Vec3 d) const;
    void sort_in_space();
    void bound_blocks();

    ConvexHull hull_;
    Vec3 origin_, center_;
    double reach_ = 0;
    int count_ = 0, padded_ = 0;
    bool climbs_ = false;
    std::vector<Vec3> points_;  // relative to the origin
    std::vector<double> lanes_;
    std::vector<double> bounds_;        // of each block of vertices a ball; 8 x, 8 y, 8 z, 8 radii at a time
    std::vector<double> group_bounds_;  // of each eight blocks: x, y, z, radius
    std::vector<std::int32_t> starts_;  // support vertex in the middle of each cell of the cube of directions
};

SCREE_INLINE Support Polyhedron::scan(Vec3 d) const {
    const int vertex = scan_lanes(lanes_.data(), padded_, d);
    return {points_[static_cast<std::size_t>(vertex)], vertex};
}

inline int Polyhedron::start_cell(Vec3 d) const {
    const double ax = std::fabs(d.x), ay = std::fabs(d.y), az = std::fabs(d.z);
    const int axis = ax >= ay ? (ax >= az ? 0 : 2) : (ay >= az ? 1 : 2);
    const double major = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
    const double u = axis == 0 ? d.y : d.x, v = axis == 2 ? d.y : d.z;
    const double scale = 0.5 * cells / std::fabs(major);
    const int last = cells - 1;
    const int iu = static_cast<int>(u * scale + 0.5 * cells), iv = static_cast<int>(v * scale + 0.5 * cells);
    return ((axis * 2 + (major < 0)) * cells + (iu > last ? last : iu)) * cells + (iv > last ? last : iv);
}

inline Support Polyhedron::climb(Vec3 d, int hint) const {
    const Vec3* points = points_.data();
    const int* first = hull_.first_neighbor.data();
    const int* neighbors = hull_.neighbors.data();
    // One step uphill, to the best neighbor; the same vertex at the top.
    const auto step = [&](int from, double& best) {
        int next = from;
        for (int k = first[from]; k < first[from + 1]; ++k) {
            const int candidate = neighbors[k];
            const double value = dot(points[candidate], d);
            if (value > best) {
                best = value;
                next = candidate;
            }
        }
        return next;
    };
    double best = 0;
    int at = 0;
    if (hint >= 0) {
        best = dot(points[hint], d);
        at = step(hint, best);
        if (at == hint) return {points[at], at};
    }
    // Start from the table if that is higher up (a zero direction has no place in it: every vertex will do).
    const bool usable = std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z) > 0;
    const int start = usable ? starts_[static_cast<std::size_t>(start_cell(d))] : 0;
    const double value = dot(points[start], d);
    if (hint < 0 || value > best) {
        best = value;
        at = start;
    }
    for (;;) {
        const int next = step(at, best);
        if (next == at) return {points[at], at};
        at = next;
    }
}

// The edges are those of the exact hull: a vertex above all its neighbors by more than products with d can round is the
// farthest of all. Where neighbors are too near to tell, look at all vertices.
inline Support Polyhedron::top(Vec3 d, int found) const {
    const Vec3* points = points_.data();
    const double doubt =
        8 * std::numeric_limits<double>::epsilon() * reach_ * (std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z));
    const int* first = hull_.first_neighbor.data();
    const int* neighbors = hull_.neighbors.data();
    // Most often it is: no branch for each neighbor.
    const auto on_top = [&](int vertex) {
        const double enough = dot(points[vertex], d) - doubt;
        bool all = true;
        for (int k = first[vertex]; k < first[vertex + 1]; ++k) all &= dot(points[neighbors[k]], d) < enough;
        return all;
    };
    if (on_top(found)) return {points[found], found};
    const Support climbed = climb(d, found);
    return climbed.index != found && on_top(climbed.index) ? climbed : scan_beyond(d, climbed.index);
}

// Of the balls around the vertices (64 of them, or 8) only those are opened that reach beyond the vertex known.
SCREE_INLINE Support Polyhedron::scan_beyond(Vec3 d, int found) const {
    const double length = norm(d);
    const double known = dot(points_[static_cast<std::size_t>(found)], d);
    Farthest farthest(known, M4{found, found, found, found});
    const int groups = static_cast<int>(bounds_.size()) / (4 * scan_width);
    for (int g = 0; g < groups; ++g) {
        const double* group = group_bounds_.data() + 4 * static_cast<std::size_t>(g);
        if (!(group[0] * d.x + group[1] * d.y + group[2] * d.z + group[3] * length > known)) continue;
        const double* bounds = bounds_.data() + static_cast<std::size_t>(g) * 4 * scan_width;
        const TwoV4 reach = along(bounds, d) + load_two(bounds + 3 * scan_width) * length;
        int block[scan_width], count = 0;
        for (int k = 0; k < scan_width; ++k) {
            block[count] = g * scan_width + k;
            count += (k < 4 ? reach.low[k] : reach.high[k - 4]) > known;
        }
        for (int k = 0; k < count; ++k)
            farthest.meet(along(lanes_.data() + static_cast<std::size_t>(block[k]) * 3 * scan_width, d),
                          block[k] * scan_width);
    }
    const int winner = farthest.winner();
    found = winner < count_ ? winner : 0;
    return {points_[static_cast<std::size_t>(found)], found};
}

}  // namespace scree
