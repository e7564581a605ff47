// The named scenes of `scree bench`, and what is measured of each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/scene.h"
#include "world/phase.h"

namespace scree::app {

struct BenchResult {
    std::string name;
    std::size_t grains = 0;        // at the end
    std::int64_t grain_steps = 0;  // sum over the measured steps of the number of grains
    std::int64_t steps = 0;        // measured, after the warm-up; builds of the list for lists-...
    double seconds = 0;            // of these
    double processor_seconds = 0;  // the same of all threads, without what other programs took: for busy machines
    double bytes_per_grain = 0;    // most resident memory while stepping, less that before the scene was built
    double contacts_per_grain = 0, pairs_per_grain = 0;
    std::int64_t refreshes = 0;             // within the measured steps
    std::int64_t certified = 0, flips = 0;  // likewise
    std::string neighbors;                  // the method in use at the end
    std::string state_hash;                 // after them
    Profile profile;                        // of them

    double per_grain_step(double s) const { return 1e9 * s / static_cast<double>(grain_steps > 0 ? grain_steps : 1); }
};

// How a scene is measured, and how many steps are taken; without numbers the program decides.
struct BenchSteps {
    std::optional<std::int64_t> warm_up, measured;
    std::int64_t repeat = 1;                  // stretches of measured steps, of which the fastest counts
    std::optional<NeighborMethod> neighbors;  // in place of the scene's choice
};

struct BenchScene {
    std::string name, summary;
    BenchResult (*run)(const BenchScene&, const BenchSteps&);
    std::size_t grains = 0;
    std::string text;        // TOML
    double corner_ball = 0;  // radius of a fixed ball at the origin
};

std::vector<BenchScene> bench_scenes();
// Sizes from 1 to a ratio, in motion; run by the function given (bench_mixtures.cpp).
std::vector<BenchScene> bench_mixtures(BenchResult (*run)(const BenchScene&, const BenchSteps&));
// Measures a scene of the user.
BenchResult bench_scene_file(const std::string& path, const std::vector<std::string>& overrides,
                             const BenchSteps& steps);

}  // namespace scree::app
