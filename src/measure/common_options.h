// Options that several measures take.
#pragma once

#include "measure/measures.h"

namespace scree::usual {

using Kind = MeasureOption::Kind;

inline constexpr MeasureOption area{
    "area", Kind::number, "m^2", "the container's", "Cross-section of the container; in 2D its width in m.", true};
inline constexpr MeasureOption from{"from", Kind::number, "m", "the container's, or the grains'",
                                    "Lower end along the axis."};
inline constexpr MeasureOption to{"to", Kind::number, "m", "the container's, or the grains'",
                                  "Upper end along the axis."};
inline constexpr MeasureOption box_from{"from", Kind::vector, "m", "the container's, or the grains'",
                                        "Lower corner of the box."};
inline constexpr MeasureOption box_to{"to", Kind::vector, "m", "the container's, or the grains'",
                                      "Upper corner of the box."};
inline constexpr MeasureOption axis{"axis", Kind::axis, "", "that of gravity", "\"x\", \"y\" or \"z\"."};
inline constexpr MeasureOption floor_height{"floor", Kind::number, "m", "the container's, or the lowest grain's",
                                            "Height of the floor, measured upwards."};
inline constexpr MeasureOption group_a{"a", Kind::group, "", "the first group", "Name of a group of grains."};
inline constexpr MeasureOption group_b{"b", Kind::group, "", "the second group", "Name of a group of grains."};

}  // namespace scree::usual
