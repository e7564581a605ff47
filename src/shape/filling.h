// A body as lines that fill it, for the volumes of parts of it.
//
// Rounded bodies have no closed form for what of them lies below a plane or inside a cylinder. So the body is filled
// once, in its own coordinates at scale 1, with three bundles of parallel lines, one along each axis (in 2D two); the
// ends of every line on the surface are exact, and each line stands for an equal part of its bundle's cross-section. A
// part of the body is then the sum over the lines of one bundle of what of each lies in the part, again with exact
// ends. The bundle is the one most across the border of the part, so that the sum is over a continuous function: about
// 1e-3 of the body and better (tests/shape/filling_test.cpp), and exact as far as the part is the whole, since weights
// are such that a bundle has the volume of the shape. Points in place of lines would need a hundred times as many for
// that.
#pragma once

#include <cmath>
#include <vector>

#include "shape/shape.h"

namespace scree {

struct Filling {
    struct Bundle {
        std::vector<Vec3> from, cell;  // the lower end of each line; sides of what it stands for, 0 along it
        std::vector<double> length, volume;
    };
    struct Ball {
        Vec3 center;
        double radius;
    };
    Bundle along[3];
    std::vector<Ball> corners;  // whose hull is that of the body
};

// The axis that a direction is nearest to.
inline int most_along(Vec3 d) {
    const double x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

// A mesh is filled as given, as for its mass. Of pieces that overlap, the first one has what they share.
Filling filling_of(const Shape& shape, int dimension, double lines = 2000);

// The largest d . x over the body, d of length 1.
double support(const Filling& filling, Vec3 d);
// Of the part with d . x < h.
double volume_below(const Filling& filling, Vec3 d, double h);
// Of the part within a radius of the line through `point` along the unit vector `axis`, and with low < axis . x < high.
// Where one of these ends cuts the body too, to about a hundredth of it.
double volume_in_cylinder(const Filling& filling, Vec3 axis, Vec3 point, double radius, double low, double high);

// Calls visit(point, area) for the points where lines pass the plane d . x = h and the parts of the cut they stand for
// (2D: lengths). As a sum over a part of the plane they are good to about a hundredth.
template <class Visit>
void each_of_cut(const Filling& filling, Vec3 d, double h, Visit&& visit) {
    const int axis = most_along(d);
    const Filling::Bundle& bundle = filling.along[axis];
    for (std::size_t k = 0; k < bundle.from.size(); ++k) {
        const double way = (h - dot(d, bundle.from[k])) / d[axis];
        if (way < 0 || way > bundle.length[k]) continue;
        Vec3 point = bundle.from[k];
        point[axis] += way;
        visit(point, bundle.volume[k] / (bundle.length[k] * std::fabs(d[axis])));
    }
}

}  // namespace scree
