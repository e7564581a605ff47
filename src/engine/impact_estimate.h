// How hard the grains of a scene will hit and press each other, as far as it can be told before the first step: where
// contact_time is left open it is chosen by that, and where it is given too long for the size of the grains there is a
// warning.
#pragma once

#include <optional>

#include "scree/scene.h"
#include "shape/shape_table.h"
#include "world/world.h"

namespace scree {

struct ImpactEstimate {
    double fall = 0;      // m, the deepest free fall
    double speed = 0;     // m/s, of impact
    double radius = 0;    // m, the smallest that overlaps are measured in
    double pressure = 0;  // Pa, of the weight of the bed and of pistons
};

// Nothing when there are no grains that move. `shapes` may be null where all grains are spheres.
std::optional<ImpactEstimate> estimate_impact(const Scene& scene, const Grains& grains, const ShapeTable* shapes);

// Overlap of two grains that meet so with a contact_time, in the smallest radius: an undamped linear contact is pressed
// in by v t_c / pi (Ferrez 2001 eq. 3.13).
double impact_overlap(const ImpactEstimate& impact, double contact_time);

}  // namespace scree
