#include "geometry/region.h"

#include <algorithm>
#include <cmath>

#include "core/overloaded.h"
#include "math/elementary.h"

namespace scree {
namespace {

// Cylinders and cones alike, with x in the half plane through the axis.
struct Frustum {
    Vec3 origin, axis;
    double length, r0, r1;
    double slope() const { return (r1 - r0) / length; }
    double radius_at(double h) const { return r0 + slope() * h; }
    double slant() const { return std::sqrt(1 + slope() * slope()); }
};
Frustum frustum(const CylinderShape& c) {
    return {c.from, normalized(c.to - c.from), norm(c.to - c.from), c.radius, c.radius};
}
Frustum frustum(const ConeShape& c) {
    return {c.from, normalized(c.to - c.from), norm(c.to - c.from), c.radius_from, c.radius_to};
}

struct Meridian {
    double h, s;
    Vec3 radial;  // zero on the axis
};
Meridian meridian(const Frustum& f, Vec3 x) {
    const Vec3 d = x - f.origin;
    const double h = dot(d, f.axis);
    const Vec3 radial = d - h * f.axis;
    const double s = norm(radial);
    return {h, s, s > 0 ? radial / s : Vec3{}};
}

double frustum_depth(const Frustum& f, Vec3 x) {
    const Meridian m = meridian(f, x);
    return std::min({m.h, f.length - m.h, (f.radius_at(m.h) - m.s) / f.slant()});
}

double frustum_volume(const Frustum& f, int dimension) {
    if (dimension == 2) return f.length * (f.r0 + f.r1);
    return pi * f.length * (f.r0 * f.r0 + f.r0 * f.r1 + f.r1 * f.r1) / 3;
}

Extent frustum_extent(const Frustum& f) {
    Extent e;
    for (const auto& [h, r] : {std::pair{0.0, f.r0}, std::pair{f.length, f.r1}}) {
        const auto half = [r = r](double a) { return r * std::sqrt(std::fmax(0, 1 - a * a)); };
        const Vec3 c = f.origin + h * f.axis, d{half(f.axis.x), half(f.axis.y), half(f.axis.z)};
        e.include(c - d);
        e.include(c + d);
    }
    return e;
}

Vec3 frustum_sample(const Frustum& f, int dimension, Random& random) {
    const double widest = std::max(f.r0, f.r1);
    const Vec3 u = dimension == 2 ? Vec3{-f.axis.y, f.axis.x, 0} : perpendicular(f.axis), v = cross(f.axis, u);
    for (;;) {
        const double h = random.uniform(0, f.length), r = f.radius_at(h);
        const double a = random.uniform(-widest, widest), b = dimension == 2 ? 0 : random.uniform(-widest, widest);
        if (a * a + b * b <= r * r) return f.origin + h * f.axis + a * u + b * v;
    }
}

Vec3 frustum_nearest(const Frustum& f, Vec3 x) {
    const Meridian m = meridian(f, x);
    if (m.h >= 0 && m.h <= f.length && m.s <= f.radius_at(m.h)) return x;
    // The nearest of the feet on both ends and on the side.
    const double g = f.r1 - f.r0,
                 t = std::clamp((m.h * f.length + (m.s - f.r0) * g) / (f.length * f.length + g * g), 0.0, 1.0);
    const std::pair<double, double> feet[] = {
        {0, std::min(m.s, f.r0)}, {f.length, std::min(m.s, f.r1)}, {t * f.length, f.r0 + t * g}};
    const auto distance2 = [&](const std::pair<double, double>& p) {
        return (p.first - m.h) * (p.first - m.h) + (p.second - m.s) * (p.second - m.s);
    };
    const auto& best = *std::min_element(std::begin(feet), std::end(feet),
                                         [&](const auto& a, const auto& b) { return distance2(a) < distance2(b); });
    return f.origin + best.first * f.axis + best.second * m.radial;
}

std::optional<ConeShape> frustum_inset(const Frustum& f, double radius) {
    // All three borders move in by the radius; a side that closes to a point cuts the axis short.
    double low = radius, high = f.length - radius;
    const double less = radius * f.slant(), slope = f.slope();
    if (slope > 0) low = std::max(low, (less - f.r0) / slope);
    if (slope < 0) high = std::min(high, (less - f.r0) / slope);
    const double r0 = f.radius_at(low) - less, r1 = f.radius_at(high) - less;
    const double rounding = 1e-12 * (radius + f.length);
    if (!(high >= low - rounding) || !(std::max(r0, r1) >= -rounding)) return {};
    const double middle = 0.5 * (low + high);
    if (!(high > low)) {
        low = middle - rounding;
        high = middle + rounding;
    }
    return ConeShape{f.origin + low * f.axis, f.origin + high * f.axis, std::fmax(r0, 0), std::fmax(r1, 0)};
}

}  // namespace

double region_depth(const RegionShape& shape, Vec3 x, int dimension) {
    return std::visit(Overloaded{
                          [&](const BoxShape& b) {
                              double depth = Extent::unbounded;
                              for (int axis = 0; axis < dimension; ++axis)
                                  depth = std::min({depth, x[axis] - b.min[axis], b.max[axis] - x[axis]});
                              return depth;
                          },
                          [&](const SphereShape& s) { return s.radius - norm(x - s.center); },
                          [&](const auto& c) { return frustum_depth(frustum(c), x); },
                      },
                      shape);
}

double region_volume(const RegionShape& shape, int dimension) {
    return std::visit(Overloaded{
                          [&](const BoxShape& b) {
                              const Vec3 d = b.max - b.min;
                              return dimension == 2 ? d.x * d.y : d.x * d.y * d.z;
                          },
                          [&](const SphereShape& s) {
                              return dimension == 2 ? pi * s.radius * s.radius
                                                    : 4 * pi / 3 * s.radius * s.radius * s.radius;
                          },
                          [&](const auto& c) { return frustum_volume(frustum(c), dimension); },
                      },
                      shape);
}

Extent region_extent(const RegionShape& shape, int dimension) {
    Extent e = std::visit(Overloaded{
                              [](const BoxShape& b) {
                                  return Extent{b.min, b.max};
                              },
                              [](const SphereShape& s) {
                                  const Vec3 d{s.radius, s.radius, s.radius};
                                  return Extent{s.center - d, s.center + d};
                              },
                              [](const auto& c) { return frustum_extent(frustum(c)); },
                          },
                          shape);
    if (dimension == 2) e.low.z = e.high.z = 0;
    return e;
}

std::optional<RegionShape> region_inset(const RegionShape& shape, double radius, int dimension) {
    return std::visit(Overloaded{
                          [&](const BoxShape& b) -> std::optional<RegionShape> {
                              BoxShape in = b;
                              for (int axis = 0; axis < dimension; ++axis) {
                                  in.min[axis] += radius;
                                  in.max[axis] -= radius;
                                  // A ball that just fits may miss by rounding.
                                  if (in.min[axis] > in.max[axis]) {
                                      if (in.min[axis] > in.max[axis] + 1e-12 * (radius + b.max[axis] - b.min[axis]))
                                          return {};
                                      in.min[axis] = in.max[axis] = 0.5 * (in.min[axis] + in.max[axis]);
                                  }
                              }
                              return in;
                          },
                          [&](const SphereShape& s) -> std::optional<RegionShape> {
                              if (radius > s.radius * (1 + 1e-12)) return {};
                              return SphereShape{s.center, std::fmax(0, s.radius - radius)};
                          },
                          [&](const auto& c) -> std::optional<RegionShape> {
                              if (const auto in = frustum_inset(frustum(c), radius)) return *in;
                              return {};
                          },
                      },
                      shape);
}

Vec3 region_sample(const RegionShape& shape, int dimension, Random& random) {
    return std::visit(Overloaded{
                          [&](const BoxShape& b) {
                              Vec3 x;
                              for (int axis = 0; axis < dimension; ++axis)
                                  x[axis] = random.uniform(b.min[axis], b.max[axis]);
                              return x;
                          },
                          [&](const SphereShape& s) {
                              for (;;) {
                                  Vec3 d;
                                  for (int axis = 0; axis < dimension; ++axis) d[axis] = random.uniform(-1, 1);
                                  if (norm2(d) <= 1) return s.center + s.radius * d;
                              }
                          },
                          [&](const auto& c) { return frustum_sample(frustum(c), dimension, random); },
                      },
                      shape);
}

Vec3 region_nearest(const RegionShape& shape, Vec3 x, int dimension) {
    return std::visit(Overloaded{
                          [&](const BoxShape& b) {
                              for (int axis = 0; axis < dimension; ++axis)
                                  x[axis] = std::clamp(x[axis], b.min[axis], b.max[axis]);
                              return x;
                          },
                          [&](const SphereShape& s) {
                              const Vec3 d = x - s.center;
                              const double distance = norm(d);
                              return distance <= s.radius ? x : s.center + (s.radius / distance) * d;
                          },
                          [&](const auto& c) { return frustum_nearest(frustum(c), x); },
                      },
                      shape);
}

const Region* find_region(const Scene& scene, const std::string& name) {
    for (const Region& region : scene.regions)
        if (region.name == name) return &region;
    return nullptr;
}

}  // namespace scree
