// Approximate convex decomposition: a solid that fills its hull well enough is a piece; another one is cut by a plane,
// and both halves are looked at in turn. Halves are closed by a lid where they were cut: where later cuts cross it they
// have corners that no part of the first surface knows. Planes tried are at right angles to the axes: those of flat
// faces, which cut blocks exactly, and twelfths of the solid's box; the one that leaves the least volume in the two
// hulls is taken. A point nearer to a plane than `in_plane` lies in it, so that the last digit of a coordinate decides
// nothing. Rejected: cutting at reflex edges (exact, but as many pieces as a scanned grain has dents).
#include "shape/decomposition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "geometry/convex_hull.h"
#include "shape/mass.h"
#include "shape/mesh.h"

namespace scree {
namespace {

using Soup = std::vector<std::array<Vec3, 3>>;

constexpr double in_plane = 1e-9;      // of the size of a solid
constexpr double better = 1 - 1e-9;    // times the volume left by another plane: less is no reason to prefer one
constexpr int deepest_cut = 7;         // in sequence, so at most 128 pieces
constexpr std::size_t most_faces = 8;  // planes of flat faces tried along each axis

std::vector<Vec3> points_of(const Soup& soup) {
    std::vector<Vec3> points;
    for (const auto& t : soup) points.insert(points.end(), t.begin(), t.end());
    return points;
}

struct Filled {
    ConvexHull hull;
    double volume = 0;
    std::vector<std::pair<Vec3, double>> planes;
};

Filled filled(const Soup& soup) {
    Filled out{convex_hull(points_of(soup)), 0, {}};
    const Vec3 origin = out.hull.points[0];
    if (out.hull.dimension < 3) return out;
    for (const auto& corners : out.hull.facets) {
        Vec3 normal;
        const Vec3 a = out.hull.points[static_cast<std::size_t>(corners[0])];
        for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
            const Vec3 b = out.hull.points[static_cast<std::size_t>(corners[k])],
                       c = out.hull.points[static_cast<std::size_t>(corners[k + 1])];
            normal += cross(b - a, c - a);
            out.volume += dot(a - origin, cross(b - origin, c - origin)) / 6;
        }
        normal = normalized(normal);
        out.planes.emplace_back(normal, dot(normal, a));
    }
    return out;
}

// How deep the surface lies below its hull, as far as that is more than rounding. A point counts when it is deeper than
// all before, so one plane that it is nearer to says enough about it: for most a facet at a corner of their triangle,
// or the one that spoke last.
class Hollow {
  public:
    explicit Hollow(const Filled& fill) : fill_(fill), facets_at_(fill.hull.points.size()) {
        for (std::size_t k = 0; k < fill.hull.points.size(); ++k) number_[key(fill.hull.points[k])] = k;
        for (std::size_t f = 0; f < fill.hull.facets.size(); ++f)
            for (const int corner : fill.hull.facets[f]) facets_at_[static_cast<std::size_t>(corner)].push_back(f);
    }

    double of(const Soup& soup) {
        if (fill_.planes.empty()) return 0;
        double rounding = 0;
        for (const auto& plane : fill_.planes) rounding = std::fmax(rounding, 1e-14 * std::fabs(plane.second));
        for (const Vec3 p : fill_.hull.points) rounding = std::fmax(rounding, 1e-14 * norm(p - fill_.hull.points[0]));
        deepest_ = rounding;
        for (const auto& t : soup) {
            std::array<const std::vector<std::size_t>*, 3> facets{};
            for (std::size_t k = 0; k < 3; ++k)
                if (const auto found = number_.find(key(t[k])); found != number_.end())
                    facets[k] = &facets_at_[found->second];
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t next = (k + 1) % 3;
                if (!facets[k]) look(t[k], {});
                look(0.5 * (t[k] + t[next]), {facets[k], facets[next]});
            }
            look((1.0 / 3) * (t[0] + t[1] + t[2]), facets);
        }
        return deepest_ > rounding ? deepest_ : 0;
    }

  private:
    static std::array<double, 3> key(Vec3 p) { return {p.x, p.y, p.z}; }
    double below(std::size_t plane, Vec3 p) const {
        return fill_.planes[plane].second - dot(fill_.planes[plane].first, p);
    }

    void look(Vec3 p, const std::array<const std::vector<std::size_t>*, 3>& nearby) {
        if (below(last_, p) <= deepest_) return;
        for (const auto* facets : nearby)
            if (facets)
                for (const std::size_t f : *facets)
                    if (below(f, p) <= deepest_) return;
        double depth = below(last_, p);
        for (std::size_t f = 0; f < fill_.planes.size(); ++f) {
            const double here = below(f, p);
            if (here < depth) {
                depth = here;
                last_ = f;
            }
            if (here <= deepest_) return;
        }
        deepest_ = depth;
    }

    const Filled& fill_;
    std::map<std::array<double, 3>, std::size_t> number_;  // of the corners of the hull
    std::vector<std::vector<std::size_t>> facets_at_;
    std::size_t last_ = 0;
    double deepest_ = 0;
};

// Where an edge crosses the plane x[axis] = at, from the same end for both triangles at the edge: two points a last
// digit apart would span facets without area.
Vec3 crossing(Vec3 p, Vec3 q, int axis, double at) {
    if (q[axis] < p[axis]) std::swap(p, q);
    if (q[axis] == at) return q;
    Vec3 x = p + ((at - p[axis]) / (q[axis] - p[axis])) * (q - p);
    x[axis] = at;
    return x;
}

// The same with all points in the plane that are nearly there.
Soup snapped(Soup soup, int axis, double at, double tolerance) {
    for (auto& t : soup)
        for (Vec3& p : t)
            if (std::fabs(p[axis] - at) < tolerance) p[axis] = at;
    return soup;
}

// The part of the triangles with x[axis] * sign >= at * sign, without those in the plane: what of these belongs to it
// is part of its lid.
Soup part(const Soup& soup, int axis, double at, double sign) {
    Soup out;
    for (const auto& t : soup) {
        if (t[0][axis] == at && t[1][axis] == at && t[2][axis] == at) continue;
        std::vector<Vec3> kept;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 p = t[k], q = t[(k + 1) % 3];
            const double hp = sign * (p[axis] - at), hq = sign * (q[axis] - at);
            if (hp >= 0) kept.push_back(p);
            if ((hp < 0) != (hq < 0) && hp != 0 && hq != 0) kept.push_back(crossing(p, q, axis, at));
        }
        for (std::size_t k = 1; k + 1 < kept.size(); ++k) out.push_back({kept[0], kept[k], kept[k + 1]});
    }
    return out;
}

// The cross-section of a closed surface just beside the plane, on the side of `sign`, as triangles: between neighboring
// corners of its outline, seen along one direction, inside and outside alternate along the other.
Soup lid(const Soup& soup, int axis, double at, double sign) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    std::vector<std::array<Vec3, 2>> outline;
    std::vector<double> levels;
    const auto beside = [&](Vec3 p) { return sign * (p[axis] - at) > 0; };
    for (const auto& t : soup) {
        std::vector<Vec3> ends;
        for (std::size_t k = 0; k < 3; ++k)
            if (beside(t[k]) != beside(t[(k + 1) % 3])) ends.push_back(crossing(t[k], t[(k + 1) % 3], axis, at));
        if (ends.size() != 2 || ends[0][v] == ends[1][v]) continue;
        outline.push_back(ends[0][v] < ends[1][v] ? std::array{ends[0], ends[1]} : std::array{ends[1], ends[0]});
        levels.push_back(ends[0][v]);
        levels.push_back(ends[1][v]);
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    Soup out;
    for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
        std::vector<std::array<Vec3, 2>> sides;
        for (const auto& [from, to] : outline)
            if (from[v] <= levels[k] && to[v] >= levels[k + 1])
                sides.push_back({crossing(from, to, v, levels[k]), crossing(from, to, v, levels[k + 1])});
        std::sort(sides.begin(), sides.end(),
                  [&](const auto& a, const auto& b) { return a[0][u] + a[1][u] < b[0][u] + b[1][u]; });
        for (std::size_t j = 0; j + 1 < sides.size(); j += 2) {
            out.push_back({sides[j][0], sides[j][1], sides[j + 1][1]});
            out.push_back({sides[j][0], sides[j + 1][1], sides[j + 1][0]});
        }
    }
    return out;
}

// Where the solid may be cut along an axis.
std::vector<double> planes_to_try(const Soup& soup, int axis, double low, double high, double tolerance) {
    std::vector<std::pair<double, double>> faces;  // height, area
    for (const auto& t : soup)
        if (std::fabs(t[0][axis] - t[1][axis]) < tolerance && std::fabs(t[0][axis] - t[2][axis]) < tolerance &&
            t[0][axis] > low + tolerance && t[0][axis] < high - tolerance)
            faces.emplace_back(t[0][axis], norm(cross(t[1] - t[0], t[2] - t[0])));
    std::sort(faces.begin(), faces.end());
    std::vector<std::pair<double, double>> planes;  // area, height
    for (const auto& [height, area] : faces) {
        if (planes.empty() || height > planes.back().second + tolerance) planes.emplace_back(0, height);
        planes.back().first += area;
    }
    std::sort(planes.begin(), planes.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    if (planes.size() > most_faces) planes.resize(most_faces);
    std::vector<double> out;
    for (const auto& plane : planes) out.push_back(plane.second);
    for (int k = 1; k < 12; ++k) {
        const double at = low + (high - low) * k / 12;
        if (std::none_of(planes.begin(), planes.end(),
                         [&](const auto& plane) { return std::fabs(plane.second - at) < tolerance; }))
            out.push_back(at);
    }
    return out;
}

// A part that is not cut any more.
struct Leaf {
    Filled fill;
    Soup soup;
    double deep = 0;
};

void cut(const Soup& soup, double tolerance, int depth, std::vector<Leaf>& out) {
    if (soup.empty()) return;
    Filled fill = filled(soup);
    if (fill.hull.dimension < 3) return;
    const double deep = Hollow(fill).of(soup);
    if (deep <= tolerance || depth >= deepest_cut) {
        out.push_back({std::move(fill), soup, deep});
        return;
    }
    Vec3 low = fill.hull.points[0], high = low;
    for (const Vec3 p : fill.hull.points)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::fmin(low[axis], p[axis]);
            high[axis] = std::fmax(high[axis], p[axis]);
        }
    const double nearly = in_plane * norm(high - low);
    double best = 1e300;
    int best_axis = 0;
    double best_at = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (const double at : planes_to_try(soup, axis, low[axis], high[axis], nearly)) {
            const Soup whole = snapped(soup, axis, at, nearly), one = part(whole, axis, at, -1),
                       two = part(whole, axis, at, 1);
            if (one.empty() || two.empty()) continue;
            const double volume = filled(one).volume + filled(two).volume;
            if (volume < best * better) {
                best = volume;
                best_axis = axis;
                best_at = at;
            }
        }
    const Soup whole = snapped(soup, best_axis, best_at, nearly);
    for (const double sign : {-1.0, 1.0}) {
        Soup half = part(whole, best_axis, best_at, sign);
        const Soup closing = lid(whole, best_axis, best_at, sign);
        half.insert(half.end(), closing.begin(), closing.end());
        cut(half, tolerance, depth + 1, out);
    }
}

std::vector<Leaf> leaves_of(const TriangleMesh& mesh, double tolerance) {
    Soup soup;
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
    for (const auto& t : mesh.triangles) soup.push_back({at(t[0]), at(t[1]), at(t[2])});
    std::vector<Leaf> leaves;
    cut(soup, tolerance, 0, leaves);
    return leaves;
}

bool lies_on_hull(const Filled& fill, const std::array<Vec3, 3>& t) {
    const double nearly = in_plane * norm(fill.hull.points.front() - fill.hull.points.back());
    return std::any_of(fill.planes.begin(), fill.planes.end(), [&](const auto& plane) {
        return std::all_of(t.begin(), t.end(), [&](Vec3 p) { return plane.second - dot(plane.first, p) <= nearly; });
    });
}

// How far the corners and the middles of triangles and edges are from the hull along the triangles' normals, at most.
double depth_along_normals(const Leaf& leaf) {
    double deepest = 0;
    for (const auto& t : leaf.soup) {
        const Vec3 area = cross(t[1] - t[0], t[2] - t[0]);
        if (!(norm2(area) > 0)) continue;
        const Vec3 normal = normalized(area);
        if (lies_on_hull(leaf.fill, t)) continue;  // lids too, whichever way they are turned
        for (const Vec3 x : {t[0], t[1], t[2], 0.5 * (t[0] + t[1]), 0.5 * (t[1] + t[2]), 0.5 * (t[2] + t[0]),
                             (1.0 / 3) * (t[0] + t[1] + t[2])}) {
            double way = std::numeric_limits<double>::infinity();
            for (const auto& [side, offset] : leaf.fill.planes)
                if (const double along = dot(side, normal); along > in_plane)
                    way = std::fmin(way, (offset - dot(side, x)) / along);
            if (std::isfinite(way)) deepest = std::fmax(deepest, way);
        }
    }
    return deepest;
}

}  // namespace

std::vector<std::vector<Vec3>> convex_pieces(const TriangleMesh& mesh, double tolerance, double* reached) {
    std::vector<std::vector<Vec3>> out;
    double deepest = 0;
    for (Leaf& leaf : leaves_of(mesh, tolerance)) {
        deepest = std::fmax(deepest, leaf.deep);
        out.push_back(std::move(leaf.fill.hull.points));
    }
    if (reached) *reached = deepest;
    return out;
}

std::vector<ConvexPiece> described_pieces(const TriangleMesh& mesh, double tolerance) {
    std::vector<ConvexPiece> parts;
    for (Leaf& leaf : leaves_of(mesh, tolerance)) {
        const double convexity = depth_along_normals(leaf);
        parts.push_back({std::move(leaf.fill.hull), leaf.fill.volume, leaf.deep, convexity});
    }
    return parts;
}

}  // namespace scree
