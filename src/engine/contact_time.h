// contact_time of materials that leave it open ("auto"): as long as keeps overlaps near 2 % of the smallest radius.
#pragma once

#include "engine/grain_sizes.h"
#include "engine/impact_estimate.h"
#include "engine/setting.h"

namespace scree {

// What the most loaded contact of two of the smallest grains takes: an impact as if at this speed, and this force.
struct Press {
    double speed = 0, load = 0;
};
Press hardest_press(const ImpactEstimate& impact, const GrainSizes& sizes, const Scene& scene);

// Sets Setting::contact_time, and the coefficients of the laws by it.
void choose_contact_time(Setting& setting);

}  // namespace scree
