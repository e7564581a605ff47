// The numbers that scenes and files may give. Within them squares, cubes and products of everything that enters a
// simulation stay far from the ends of what a double holds, and places stay far finer than grains.
#pragma once

#include <cmath>

namespace scree {

constexpr double largest_length = 1e15, smallest_length = 1e-15;  // m; coordinates may be as small as they like
constexpr double largest_number = 1e30, smallest_number = 1e-30;  // of anything else, in its own unit
// A grain must lie within so many of its radii from the origin: beyond, doubles tell its place too roughly.
constexpr double farthest_in_radii = 1e11;

// What is wrong with a number, or null. `above_zero`: it is a size, a mass, ..., which must not vanish either.
inline const char* range_fault(double x, bool is_length, bool above_zero) {
    if (!(std::fabs(x) <= (is_length ? largest_length : largest_number)))
        return is_length ? "is too large: coordinates and lengths up to 1e15 m are possible"
                         : "is too large: numbers up to 1e30 are possible";
    if (above_zero && !(x >= (is_length ? smallest_length : smallest_number)))
        return is_length ? "is too small: lengths from 1e-15 m on are possible"
                         : "is too small: numbers from 1e-30 on are possible";
    return nullptr;
}

}  // namespace scree
