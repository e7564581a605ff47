// Tessellations from statistics: cells of given sizes and roundness at random places.
#pragma once

#include <cstdint>

#include "transport.h"

namespace scree::micro {

struct MakeOptions {
    double spread =
        0.35;  // of d/⟨d⟩, d the diameter of the ball (the disc) of a cell's volume: lognormal; 0: all equal
    double unroundness = 0.145;  // mean of 1 − sphericity to be reached; 1: seeds stay where they fell
    double tolerance = 1e-10;    // of volumes, in mean volumes
    int most_rounds = 60;        // of moving seeds
    std::uint64_t seed = 1;
};

struct Made {
    Seeds seeds;
    Transport transport;                                // the last one
    int rounds = 0;                                     // of moving seeds
    double unroundness = 0, unroundness_deviation = 0;  // mean and standard deviation of 1 − sphericity
    double spread = 0;                                  // standard deviation of d/⟨d⟩
};

// The box and its periodic axes are those of `box`, whose seeds are left aside. Throws Error(bad_input) for less than
// one grain.
Made make_cells(const Seeds& box, std::size_t grains, const MakeOptions& options);

// How many grains of a mean diameter fill the box.
std::size_t grains_of_diameter(const Seeds& box, double mean_diameter, double spread);

}  // namespace scree::micro
