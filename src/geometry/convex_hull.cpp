// Quickhull with exact signs.
//
// Doubles only *choose* (which point is farthest); what is above a facet is decided exactly, so the surface is convex
// and closed whatever the cloud, without a tolerance. A facet's plane counts as not seen by points in it; then
//   * the facets seen from a point outside form a disc, bounded by one loop of ridges (the horizon),
//   * no new facet is degenerate: a point in line with a ridge lies in the plane of both its facets and sees neither,
//   * a point above a removed facet and outside the new hull is above a new facet: the segment from the removed
//     facet to the point leaves the new hull through one of them.
// Facets of one plane come out as several triangles; they are merged at the end, and points inside a facet or an edge
// are dropped: hill climbing on the edges would otherwise stop at them. Rejected: joggled or tolerance-thick facets
// (qhull's options), which give a hull that is nearly right and an edge graph that may not be one of a convex
// polyhedron.
#include "geometry/convex_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "math/exact_orientation.h"
#include "scree/error.h"

namespace scree {
namespace {

struct Facet {
    std::array<int, 3> vertex{};
    std::array<int, 3> across{};  // facet behind the edge vertex[k], vertex[k+1]
    std::vector<int> outside;     // points above, each listed at one facet only
    bool alive = true;
    int mark = -1;  // the last point that asked whether it sees this facet
    bool seen = false;
};

class Quickhull {
  public:
    explicit Quickhull(std::span<const Vec3> points) : points_(points) {}

    // False when all points lie in a plane.
    bool build(int a, int b, int c);
    const std::vector<Facet>& facets() const { return facets_; }
    bool above(const Facet& f, int p) const { return side(f, p) > 0; }
    int side(const Facet& f, int p) const {
        return orientation(at(f.vertex[0]), at(f.vertex[1]), at(f.vertex[2]), at(p));
    }

  private:
    Vec3 at(int k) const { return points_[static_cast<std::size_t>(k)]; }
    Facet& facet(int k) { return facets_[static_cast<std::size_t>(k)]; }
    double height(const Facet& f, int p) const {
        const Vec3 o = at(f.vertex[0]);
        return dot(cross(at(f.vertex[1]) - o, at(f.vertex[2]) - o), at(p) - o);
    }
    void add(int start, int p);
    void collect_horizon(int f, int from, int p);
    int farthest_from_plane(int a, int b, int c) const;

    std::span<const Vec3> points_;
    std::vector<Facet> facets_;
    std::vector<int> pending_;  // facets that may still have points above
    std::vector<int> removed_;
    struct Ridge {
        int from, to, beyond;
    };
    std::vector<Ridge> horizon_;
};

int Quickhull::farthest_from_plane(int a, int b, int c) const {
    const Vec3 n = cross(at(b) - at(a), at(c) - at(a));
    int best = -1;
    double largest = 0;
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) {
        const double distance = std::fabs(dot(n, at(p) - at(a)));
        if (distance > largest) {
            largest = distance;
            best = p;
        }
    }
    if (best >= 0 && orientation(at(a), at(b), at(c), at(best)) != 0) return best;
    for (int p = 0; p < static_cast<int>(points_.size()); ++p)
        if (orientation(at(a), at(b), at(c), at(p)) != 0) return p;
    return -1;
}

bool Quickhull::build(int a, int b, int c) {
    int d = farthest_from_plane(a, b, c);
    if (d < 0) return false;
    // Orient the first tetrahedron: d below the facet a, b, c.
    if (orientation(at(a), at(b), at(c), at(d)) > 0) std::swap(b, c);
    facets_.resize(4);
    facets_[0].vertex = {a, b, c};
    facets_[0].across = {1, 2, 3};
    facets_[1].vertex = {b, a, d};
    facets_[1].across = {0, 3, 2};
    facets_[2].vertex = {c, b, d};
    facets_[2].across = {0, 1, 3};
    facets_[3].vertex = {a, c, d};
    facets_[3].across = {0, 2, 1};
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) {
        if (p == a || p == b || p == c || p == d) continue;
        for (Facet& f : facets_)
            if (above(f, p)) {
                f.outside.push_back(p);
                break;
            }
    }
    pending_ = {0, 1, 2, 3};
    while (!pending_.empty()) {
        const int start = pending_.back();
        pending_.pop_back();
        const Facet& f = facet(start);
        if (!f.alive || f.outside.empty()) continue;
        int best = f.outside.front();
        double largest = 0;
        for (const int p : f.outside) {
            const double h = height(f, p);
            if (h > largest) {
                largest = h;
                best = p;
            }
        }
        add(start, best);
    }
    return true;
}

// Walk over the facets seen from p in the order that meets the horizon as one counterclockwise loop.
void Quickhull::collect_horizon(int f, int from, int p) {
    struct Visit {
        int facet, edge, left;
    };
    std::vector<Visit> stack;
    const auto enter = [&](int k, int behind) {
        facet(k).mark = p;
        facet(k).seen = true;
        removed_.push_back(k);
        int edge = 0;
        if (behind >= 0)
            while (facet(k).across[static_cast<std::size_t>(edge)] != behind) ++edge;
        stack.push_back({k, behind >= 0 ? (edge + 1) % 3 : 0, behind >= 0 ? 2 : 3});
    };
    enter(f, from);
    while (!stack.empty()) {
        Visit& top = stack.back();
        if (top.left == 0) {
            stack.pop_back();
            continue;
        }
        const int k = top.facet;
        const auto edge = static_cast<std::size_t>(top.edge);
        top.edge = (top.edge + 1) % 3;
        --top.left;
        const int next = facet(k).across[edge];
        Facet& neighbor = facet(next);
        if (neighbor.mark != p) {
            neighbor.mark = p;
            neighbor.seen = above(neighbor, p);
            if (neighbor.seen) {
                enter(next, k);
                continue;
            }
        }
        if (!neighbor.seen) horizon_.push_back({facet(k).vertex[edge], facet(k).vertex[(edge + 1) % 3], next});
    }
}

void Quickhull::add(int start, int p) {
    removed_.clear();
    horizon_.clear();
    collect_horizon(start, -1, p);

    // Raise the cone of new facets from the horizon to p.
    const int first = static_cast<int>(facets_.size()), count = static_cast<int>(horizon_.size());
    for (int k = 0; k < count; ++k) {
        const Ridge& ridge = horizon_[static_cast<std::size_t>(k)];
        Facet f;
        f.vertex = {ridge.from, ridge.to, p};
        f.across = {ridge.beyond, first + (k + 1) % count, first + (k + count - 1) % count};
        Facet& beyond = facet(ridge.beyond);
        for (std::size_t e = 0; e < 3; ++e)
            if (beyond.vertex[e] == ridge.to && beyond.vertex[(e + 1) % 3] == ridge.from) beyond.across[e] = first + k;
        facets_.push_back(std::move(f));
        pending_.push_back(first + k);
    }
    // Hand the points of the removed facets on; those above none of the new ones are inside.
    for (const int r : removed_) {
        facet(r).alive = false;
        const std::vector<int> outside = std::move(facet(r).outside);
        facet(r).outside.clear();
        for (const int q : outside) {
            if (q == p) continue;
            for (int k = first; k < first + count; ++k)
                if (above(facet(k), q)) {
                    facet(k).outside.push_back(q);
                    break;
                }
        }
    }
}

void set_neighbors(ConvexHull& hull, std::vector<std::pair<int, int>> edges) {
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    hull.first_neighbor.assign(hull.points.size() + 1, 0);
    for (const auto& [from, to] : edges) ++hull.first_neighbor[static_cast<std::size_t>(from) + 1];
    std::partial_sum(hull.first_neighbor.begin(), hull.first_neighbor.end(), hull.first_neighbor.begin());
    for (const auto& [from, to] : edges) hull.neighbors.push_back(to);
}

// Take over the chosen points (indices into `points`, any order); returns where each went.
std::vector<int> take_points(ConvexHull& hull, std::span<const Vec3> points, std::span<const int> sources,
                             std::vector<int> chosen) {
    std::sort(chosen.begin(), chosen.end(), [&](int a, int b) {
        return sources[static_cast<std::size_t>(a)] < sources[static_cast<std::size_t>(b)];
    });
    std::vector<int> place(points.size(), -1);
    for (const int p : chosen) {
        place[static_cast<std::size_t>(p)] = static_cast<int>(hull.points.size());
        hull.points.push_back(points[static_cast<std::size_t>(p)]);
        hull.sources.push_back(sources[static_cast<std::size_t>(p)]);
    }
    return place;
}

// The polygon of points in a plane that contains the triangle a, b, c: Andrew's chain in a coordinate plane.
ConvexHull flat_hull(std::span<const Vec3> points, std::span<const int> sources, int a, int b, int c) {
    const auto at = [&](int k) { return points[static_cast<std::size_t>(k)]; };
    int axis = 0;
    while (orientation_dropping(axis, at(a), at(b), at(c)) == 0) ++axis;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::vector<int> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int p, int q) { return at(p)[u] != at(q)[u] ? at(p)[u] < at(q)[u] : at(p)[v] < at(q)[v]; });
    std::vector<int> loop;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t base = loop.size();
        for (const int p : order) {
            while (loop.size() >= base + 2 &&
                   orientation_dropping(axis, at(loop[loop.size() - 2]), at(loop.back()), at(p)) <= 0)
                loop.pop_back();
            loop.push_back(p);
        }
        loop.pop_back();
        std::reverse(order.begin(), order.end());
    }
    ConvexHull hull;
    hull.dimension = 2;
    const std::vector<int> place = take_points(hull, points, sources, loop);
    std::vector<std::pair<int, int>> edges;
    for (int& p : loop) p = place[static_cast<std::size_t>(p)];
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const int p = loop[k], q = loop[(k + 1) % loop.size()];
        edges.insert(edges.end(), {{p, q}, {q, p}});
    }
    hull.facets.push_back(std::move(loop));
    set_neighbors(hull, std::move(edges));
    return hull;
}

// Which plane each facet lies in: facets that share an edge and a plane get one number.
std::vector<int> planes_of(const Quickhull& quick) {
    const std::vector<Facet>& facets = quick.facets();
    std::vector<int> plane(facets.size(), -1);
    for (std::size_t seed = 0; seed < facets.size(); ++seed) {
        if (!facets[seed].alive || plane[seed] >= 0) continue;
        std::vector<std::size_t> stack{seed};
        plane[seed] = static_cast<int>(seed);
        while (!stack.empty()) {
            const Facet& f = facets[stack.back()];
            stack.pop_back();
            for (const int next : f.across) {
                const auto n = static_cast<std::size_t>(next);
                if (plane[n] >= 0) continue;
                const bool same = std::all_of(facets[n].vertex.begin(), facets[n].vertex.end(), [&](int p) {
                    return std::count(f.vertex.begin(), f.vertex.end(), p) > 0 || quick.side(f, p) == 0;
                });
                if (!same) continue;
                plane[n] = static_cast<int>(seed);
                stack.push_back(n);
            }
        }
    }
    return plane;
}

ConvexHull solid_hull(const Quickhull& quick, std::span<const Vec3> points, std::span<const int> sources) {
    const std::vector<Facet>& facets = quick.facets();
    const std::vector<int> plane = planes_of(quick);

    // The edges of the hull are the edges between planes, and the loops they form around each plane are its facets.
    std::map<int, std::map<int, int>> next_of;  // plane -> vertex -> next vertex
    for (std::size_t k = 0; k < facets.size(); ++k) {
        if (!facets[k].alive) continue;
        for (std::size_t e = 0; e < 3; ++e)
            if (plane[static_cast<std::size_t>(facets[k].across[e])] != plane[k])
                next_of[plane[k]][facets[k].vertex[e]] = facets[k].vertex[(e + 1) % 3];
    }
    // A point is extreme where three planes or more meet; with fewer it lies inside an edge.
    std::vector<int> planes_at(points.size(), 0);
    for (const auto& [id, loop] : next_of)
        for (const auto& [from, to] : loop) ++planes_at[static_cast<std::size_t>(from)];
    ConvexHull hull;
    hull.dimension = 3;
    std::vector<int> extreme;
    for (std::size_t p = 0; p < points.size(); ++p)
        if (planes_at[p] >= 3) extreme.push_back(static_cast<int>(p));
    const std::vector<int> place = take_points(hull, points, sources, std::move(extreme));
    std::vector<std::pair<int, int>> edges;
    for (const auto& [id, loop] : next_of) {
        std::vector<int> polygon;
        const int start = loop.begin()->first;
        int p = start;
        do {
            if (place[static_cast<std::size_t>(p)] >= 0) polygon.push_back(place[static_cast<std::size_t>(p)]);
            p = loop.at(p);
        } while (p != start);
        for (std::size_t k = 0; k < polygon.size(); ++k) {
            const int from = polygon[k], to = polygon[(k + 1) % polygon.size()];
            edges.insert(edges.end(), {{from, to}, {to, from}});
        }
        hull.facets.push_back(std::move(polygon));
    }
    set_neighbors(hull, std::move(edges));
    return hull;
}

}  // namespace

ConvexHull convex_hull(std::span<const Vec3> cloud) {
    if (cloud.empty()) throw Error(ErrorKind::bad_input, "a convex hull needs at least one point, the cloud has none");
    for (std::size_t k = 0; k < cloud.size(); ++k)
        if (!is_finite(cloud[k]))
            throw Error(ErrorKind::bad_input,
                        fmt::format("point {} of a convex hull is ({}, {}, {}): coordinates must be finite", k,
                                    cloud[k].x, cloud[k].y, cloud[k].z));
    // Keep the first of equal points, in lexicographic order.
    std::vector<int> sources(cloud.size());
    std::iota(sources.begin(), sources.end(), 0);
    const auto at = [&](int k) { return cloud[static_cast<std::size_t>(k)]; };
    std::sort(sources.begin(), sources.end(), [&](int a, int b) {
        const Vec3 p = at(a), q = at(b);
        if (p.x != q.x) return p.x < q.x;
        if (p.y != q.y) return p.y < q.y;
        return p.z != q.z ? p.z < q.z : a < b;
    });
    sources.erase(std::unique(sources.begin(), sources.end(), [&](int a, int b) { return at(a) == at(b); }),
                  sources.end());
    std::vector<Vec3> points;
    for (const int k : sources) points.push_back(at(k));

    // The first and the last point are extreme; the third is far from their line.
    const int a = 0, b = static_cast<int>(points.size()) - 1;
    int c = -1;
    double largest = 0;
    for (int p = 0; p <= b; ++p) {
        const double area =
            norm2(cross(points.back() - points.front(), points[static_cast<std::size_t>(p)] - points.front()));
        if (area > largest) {
            largest = area;
            c = p;
        }
    }
    if (c < 0 || collinear(points.front(), points.back(), points[static_cast<std::size_t>(c)])) {
        c = -1;
        for (int p = 0; p <= b && c < 0; ++p)
            if (!collinear(points.front(), points.back(), points[static_cast<std::size_t>(p)])) c = p;
    }
    if (c < 0) {
        ConvexHull hull;
        hull.dimension = a == b ? 0 : 1;
        take_points(hull, points, sources, a == b ? std::vector<int>{a} : std::vector<int>{a, b});
        set_neighbors(hull,
                      a == b ? std::vector<std::pair<int, int>>{} : std::vector<std::pair<int, int>>{{0, 1}, {1, 0}});
        return hull;
    }
    Quickhull quick(points);
    if (!quick.build(a, b, c)) return flat_hull(points, sources, a, b, c);
    return solid_hull(quick, points, sources);
}

}  // namespace scree
