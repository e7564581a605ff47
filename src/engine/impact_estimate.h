// How hard the grains of a scene will hit each other, as far as it can be told before the first step: fast enough, and
// a contact_time too long for the size of the grains, and the run ends at overlap_limit. The estimate is for a warning;
// it reaches no result.
#pragma once

#include <optional>

namespace scree {

class Simulation;

struct ImpactEstimate {
    double fall = 0;          // m, the deepest free fall
    double speed = 0;         // m/s, of impact
    double radius = 0;        // m, the smallest that overlaps are measured in
    double contact_time = 0;  // s, the longest of the materials in use
    double overlap = 0;       // of two grains that meet so, in that radius
};

// Nothing when no contact law that asks for contact_time is in use, or there are no grains.
std::optional<ImpactEstimate> estimate_impact(const Simulation& simulation);

}  // namespace scree
