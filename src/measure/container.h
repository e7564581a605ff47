// The room the grains are in, as far as periodic axes and walls along the axes tell it; what it cannot know, the user's
// options say. Walls count where they are at the moment; what a motion has turned away from the axes does not count.
#pragma once

#include <array>
#include <optional>

#include "measure/measures.h"

namespace scree {

struct Container {
    struct Bounds {
        std::optional<double> low, high;
    };
    std::array<Bounds, 3> bounds;  // by axis
    struct Round {                 // a cylinder along an axis
        int axis;
        Vec3 center;  // a point of the axis
        double radius;
    };
    std::optional<Round> round;
};

Container container_of(const Snapshot& snapshot);

// The axis along which gravity acts most: 2 in 3D and 1 in 2D without any; and where up is on it, +1 or -1.
struct Up {
    int axis;
    double sign;
};
Up up_of(const Scene& scene);

// Of a cut across `axis`: the option `area`, or that of the container. In 2D its width. Throws Error(bad_input) when
// neither is known.
double cross_section(const Snapshot& snapshot, const MeasureOptions& options, int axis);

// Ends along an axis: the options `from` and `to`, else the container's, else those of the grains (their surfaces).
struct Ends {
    double low, high;
};
Ends extent_of(const Snapshot& snapshot, const MeasureOptions& options, int axis);
// The same for all axes at once, with options `from` and `to` as vectors. In 2D z is [-1/2, 1/2].
struct BoxExtent {
    Vec3 low, high;
};
BoxExtent box_of(const Snapshot& snapshot, const MeasureOptions& options);

bool is_periodic(const Scene& scene, int axis);

// Height of the floor above the origin along up: the option `floor`, the container's, or the lowest surface of a grain.
double floor_of(const Snapshot& snapshot, const MeasureOptions& options);
// x * up
double height_of(const Up& up, Vec3 x);
Vec3 direction_of(const Up& up);

}  // namespace scree
