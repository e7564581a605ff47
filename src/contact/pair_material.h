// From materials and interactions of a scene to the values of one pair of materials.
#pragma once

#include "contact/law.h"
#include "scree/scene.h"

namespace scree {

// What holds for pairs that do not say otherwise.
struct PairDefaults {
    LawKind law = LawKind::linear;  // of the scene
    double contact_time = 1e-3;
};

// Contact values of a grain of `a` with a grain or wall of `b`. What the interaction (may be null) does not give is the
// geometric mean of both materials' values, for contact_time the larger one; what only one of them gives holds. Order
// does not matter. A pair of law "linear" that has a stiffness gets the law "hooke".
PairMaterial combine(const Material& a, const Material& b, const Interaction* interaction, int dimension,
                     const PairDefaults& defaults = {});

}  // namespace scree
