// Tessellations for tests.
#pragma once

#include <cmath>

#include "core/random.h"
#include "microstructure/diagram.h"

namespace scree::micro {

// Random seeds in a box 1 wide, with weights up to `spread` squared mean spacings.
inline Seeds random_seeds(int count, int dimension, bool periodic, std::uint64_t seed, double spread = 0.5) {
    Seeds seeds;
    seeds.dimension = dimension;
    seeds.periodic = {periodic, periodic, periodic && dimension == 3};
    Random random(seed, 1);
    const double spacing = std::pow(count, -1.0 / dimension);
    for (int i = 0; i < count; ++i) {
        const double x = random.uniform(), y = random.uniform(), z = random.uniform();
        seeds.center.push_back({x, y, dimension == 3 ? z : 0});
        seeds.weight.push_back(spread * spacing * spacing * random.uniform());
        seeds.label.push_back(i + 1);
    }
    return seeds;
}

}  // namespace scree::micro
