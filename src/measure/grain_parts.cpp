#include "measure/grain_parts.h"

#include <algorithm>
#include <cmath>

#include "measure/volumes.h"
#include "shape/shape_table.h"

namespace scree {
namespace {

// A grain in the coordinates of its shape at scale 1.
struct Body {
    const Filling& filling;
    Mat3 turn;
    double scale, unit;  // of lengths, of volumes
    Body(const Snapshot& s, std::size_t k)
        : filling(s.shapes->filling(s.shape[k])),
          turn(matrix_of(s.orientation[k])),
          scale(s.scale[k]),
          unit(s.dimension() == 2 ? scale * scale : scale * scale * scale) {}
    Vec3 direction(Vec3 d) const { return turn.transposed_times(d); }
};

double sphere_in_cylinder(const Snapshot& s, std::size_t k, int axis, Vec3 middle, double R, double low, double high) {
    Vec3 offset = s.position[k] - middle;
    offset[axis] = 0;
    const double d = norm(offset), r = s.radius[k], along = s.position[k][axis];
    return s.dimension() == 2 ? disc_disc(r, R, d) : sphere_cylinder_slab(r, R, d, low - along, high - along);
}

}  // namespace

double reach_along(const Snapshot& s, std::size_t k, Vec3 direction) {
    if (s.is_round(k)) return s.radius[k];
    const Body body(s, k);
    return body.scale * support(body.filling, body.direction(direction));
}

double volume_below(const Snapshot& s, std::size_t k, Vec3 up, double y, double h) {
    if (s.is_round(k)) return s.dimension() == 2 ? disc_below(s.radius[k], y, h) : sphere_below(s.radius[k], y, h);
    // Most grains are not cut.
    if (h >= y + s.radius[k]) return s.volume[k];
    if (h <= y - s.radius[k]) return 0;
    const Body body(s, k);
    return body.unit * volume_below(body.filling, body.direction(up), (h - y) / body.scale);
}

double volume_in_cylinder(const Snapshot& s, std::size_t k, int axis, Vec3 middle, double R, double low, double high) {
    if (s.is_round(k)) return sphere_in_cylinder(s, k, axis, middle, R, low, high);
    Vec3 along;
    along[axis] = 1;
    const bool flat = s.dimension() == 2;
    const Vec3 offset = middle - s.position[k];
    const double d = norm(offset - offset[axis] * along), y = s.position[k][axis];
    if (d - s.radius[k] >= R) return 0;
    if (d + s.radius[k] <= R)
        return flat ? s.volume[k] : volume_below(s, k, along, y, high) - volume_below(s, k, along, y, low);
    const Body body(s, k);
    return body.unit * volume_in_cylinder(body.filling, body.direction(along), body.direction(offset / body.scale),
                                          R / body.scale, flat ? -forever : (low - y) / body.scale,
                                          flat ? forever : (high - y) / body.scale);
}

void each_of_cut(const Snapshot& s, std::size_t k, Vec3 normal, double h,
                 const std::function<void(Vec3 velocity, Vec3 offset, double area)>& visit) {
    const Body body(s, k);
    each_of_cut(body.filling, body.direction(normal), h / body.scale, [&](Vec3 point, double area) {
        const Vec3 offset = body.turn * (body.scale * point);
        visit(s.velocity[k] + cross(s.spin[k], offset), offset, area * body.unit / body.scale);
    });
}

}  // namespace scree
