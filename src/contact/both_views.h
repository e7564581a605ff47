// A contact in the two views that people have of it: coefficients of spring and dashpot, and what a collision comes to.
#pragma once

#include "contact/law.h"

namespace scree {

struct BothViews {
    double mass = 0;                                     // kg, effective, of the pair it holds for
    double stiffness = 0, tangential_stiffness = 0;      // N/m
    double damping = 0, tangential_damping = 0;          // N s/m
    double duration = 0;                                 // s, of a central collision
    double restitution = 0, tangential_restitution = 0;  // achieved; the latter where both surfaces stick
    double rate() const { return damping / mass; }       // 1/s
    double tangential_rate() const { return tangential_damping / mass; }
};

// Whether the law is a spring with a dashpot, which has both views: linear, hooke, cohesive.
bool has_both_views(LawKind law);
BothViews both_views(const PairMaterial& pair, double effective_mass);

}  // namespace scree
