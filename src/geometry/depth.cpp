#include "geometry/depth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geometry/convex_hull.h"
#include "geometry/gjk.h"
#include "math/exact_integer.h"

namespace scree {
namespace {

constexpr std::size_t most_points = 3000;  // of curved bodies, where no facet ever lies on the border
constexpr double same_direction = 1e-7;

// A point of the difference and where it comes from.
struct Point {
    Vec3 w, a, b;
};

struct BorderFacet {
    Vec3 normal;
    double offset;  // normal . x on it
    const std::vector<int>* corners;
};

// Outwards; in integers where the corners are too close to a line for doubles.
Vec3 normal_of(const ConvexHull& hull, const std::vector<int>& corners) {
    const auto at = [&](std::size_t k) { return hull.points[static_cast<std::size_t>(corners[k])]; };
    std::size_t best = 1;
    double largest = 0;
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
        const double size2 = norm2(cross(at(k) - at(0), at(k + 1) - at(0)));
        if (size2 > largest) best = k;
        largest = std::fmax(largest, size2);
    }
    const Vec3 e = at(best) - at(0), f = at(best + 1) - at(0), n = cross(e, f);
    if (norm2(n) > 1e-4 * norm2(e) * norm2(f)) return normalized(n);
    const std::array three{at(0), at(best), at(best + 1)};
    const int exponent = common_exponent(three);
    const ExactVec3 origin = exact_vector(three[0], exponent);
    return normalized(
        leading_direction(cross(exact_vector(three[1], exponent) - origin, exact_vector(three[2], exponent) - origin)));
}

class Border {
  public:
    Border(const AnyConvex& a, const AnyConvex& b)
        : a_(a),
          b_(b),
          offset_(a.origin() - b.origin()),
          scale_(a.reach() + b.reach() + norm(offset_)) {}

    Depth find();

  private:
    // The point farthest along n, and how far.
    double reach_along(Vec3 n, Point& point) {
        ++result_.supports;
        point.a = a_.support(n).point;
        point.b = b_.support(-n).point;
        point.w = (point.a - point.b) + offset_;
        return dot(n, point.w);
    }
    bool add(const Point& point) {
        const bool known = std::any_of(points_.begin(), points_.end(), [&](const Point& p) { return p.w == point.w; });
        if (!known) points_.push_back(point);
        return !known;
    }
    ConvexHull hull() const {
        std::vector<Vec3> cloud;
        for (const Point& p : points_) cloud.push_back(p.w);
        return convex_hull(cloud);
    }
    bool grow_flat(const ConvexHull& hull);
    void finish(const ConvexHull& hull, const std::vector<BorderFacet>& facets, double lower, double upper, Vec3 best);

    const AnyConvex &a_, &b_;
    Vec3 offset_;
    double scale_;
    std::vector<Point> points_;
    Depth result_;
};

// A hull without volume grows along the directions it does not have; false when the difference is flat itself.
bool Border::grow_flat(const ConvexHull& hull) {
    std::vector<Vec3> across;
    if (hull.dimension == 2) {
        across.push_back(normal_of(hull, hull.facets[0]));
    } else if (hull.dimension == 1) {
        across.push_back(perpendicular(normalized(hull.points[1] - hull.points[0])));
        across.push_back(normalized(cross(hull.points[1] - hull.points[0], across[0])));
    } else {
        across = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    }
    bool grown = false;
    for (const Vec3 n : across)
        for (const double sign : {-1.0, 1.0}) {
            Point p;
            const double reach = reach_along(sign * n, p);
            if (reach - dot(sign * n, hull.points[0]) > 4 * gjk::epsilon * scale_) grown |= add(p);
        }
    return grown;
}

Depth Border::find() {
    const double tolerance = 8 * gjk::epsilon * scale_;
    for (int k = 0; k < 26; ++k) {
        const int number = k < 13 ? k : k + 1;  // without the middle one of 27
        Point p;
        reach_along(normalized({number % 3 - 1.0, number / 3 % 3 - 1.0, number / 9 - 1.0}), p);
        add(p);
    }
    double upper = std::numeric_limits<double>::infinity();
    Vec3 best;
    for (;;) {
        const ConvexHull inner = hull();
        if (inner.dimension < 3) {
            if (grow_flat(inner)) continue;
            // Nothing but the points themselves: any shift out of the plane separates.
            const Vec3 n = inner.dimension == 2   ? normal_of(inner, inner.facets[0])
                           : inner.dimension == 1 ? perpendicular(normalized(inner.points[1] - inner.points[0]))
                                                  : Vec3{1, 0, 0};
            result_.directions = {n};
            result_.error = tolerance;
            result_.point_a = a_.origin() + points_[0].a;
            result_.point_b = b_.origin() + points_[0].b;
            return result_;
        }
        std::vector<BorderFacet> facets;
        for (const std::vector<int>& corners : inner.facets) {
            const Vec3 n = normal_of(inner, corners);
            double offset = -std::numeric_limits<double>::infinity();
            for (const int k : corners) offset = std::fmax(offset, dot(n, inner.points[static_cast<std::size_t>(k)]));
            facets.push_back({n, offset, &corners});
        }
        std::sort(facets.begin(), facets.end(),
                  [](const BorderFacet& f, const BorderFacet& g) { return f.offset < g.offset; });
        bool grown = false;
        int asked = 0;
        for (const BorderFacet& f : facets) {
            if (f.offset > upper + tolerance || (asked >= 32 && grown)) break;
            Point p;
            ++asked;
            const double reach = reach_along(f.normal, p);
            if (reach < upper) {
                upper = reach;
                best = f.normal;
            }
            if (reach - f.offset > tolerance) grown |= add(p);
        }
        if (grown && points_.size() < most_points) continue;
        finish(inner, facets, facets[0].offset, upper, best);
        return result_;
    }
}

void Border::finish(const ConvexHull& hull, const std::vector<BorderFacet>& facets, double lower, double upper,
                    Vec3 best) {
    const double tolerance = 16 * gjk::epsilon * scale_;
    result_.depth = std::fmax(0, upper);
    result_.error = std::fmax(0, upper - lower) + tolerance;
    result_.directions = {best};
    const BorderFacet* nearest = facets.data();
    for (const BorderFacet& f : facets) {
        if (f.offset > upper + tolerance) break;
        if (f.normal == best) nearest = &f;
        const bool fresh = std::none_of(result_.directions.begin(), result_.directions.end(),
                                        [&](Vec3 n) { return norm2(n - f.normal) < same_direction * same_direction; });
        Point p;
        if (fresh && reach_along(f.normal, p) <= upper + tolerance) result_.directions.push_back(f.normal);
    }
    // The foot of the origin on the nearest facet, in one of its triangles.
    const std::vector<int>& corners = *nearest->corners;
    const auto point = [&](std::size_t k) -> const Point& {
        return points_[static_cast<std::size_t>(hull.sources[static_cast<std::size_t>(corners[k])])];
    };
    double closest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
        const Point &p = point(0), &q = point(k), &r = point(k + 1);
        const std::array simplex{p.w, q.w, r.w};
        const SimplexPoint foot = signed_volumes(simplex);
        if (!(foot.norm2 < closest)) continue;
        closest = foot.norm2;
        result_.point_a = a_.origin();
        result_.point_b = b_.origin();
        const std::array<const Point*, 3> three{&p, &q, &r};
        for (int j = 0; j < foot.count; ++j) {
            const Point& from = *three[static_cast<std::size_t>(foot.vertex[j])];
            result_.point_a += foot.lambda[j] * from.a;
            result_.point_b += foot.lambda[j] * from.b;
        }
    }
}

}  // namespace

Depth depth(const AnyConvex& a, const AnyConvex& b) {
    Depth found = Border(a, b).find();
    found.depth += a.margin() + b.margin();
    if (!found.directions.empty()) {
        found.point_a += a.margin() * found.directions[0];
        found.point_b -= b.margin() * found.directions[0];
    }
    return found;
}

}  // namespace scree
