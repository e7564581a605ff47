// From materials and interactions of a scene to the values of one pair of materials.
#pragma once

#include "contact/law.h"
#include "scree/scene.h"

namespace scree {

// Contact values of a grain of `a` with a grain or wall of `b`. What the interaction (may be null) does not give is the
// geometric mean of both materials' values, for contact_time the larger one. Order does not matter.
PairMaterial combine(const Material& a, const Material& b, const Interaction* interaction, int dimension);

}  // namespace scree
