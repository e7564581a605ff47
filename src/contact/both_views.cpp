#include "contact/both_views.h"

#include <cmath>

#include "contact/calibration.h"
#include "contact/hooke.h"
#include "contact/linear.h"

namespace scree {

bool has_both_views(LawKind law) { return law == LawKind::linear || law == LawKind::hooke || law == LawKind::cohesive; }

BothViews both_views(const PairMaterial& pair, double m) {
    BothViews out;
    out.mass = m;
    if (pair.law == LawKind::hooke) {
        const HookeLaw::Coefficients c = HookeLaw::calibrate(pair);
        out.stiffness = c.stiffness;
        out.tangential_stiffness = c.tangential_stiffness;
        out.damping = c.damping(m, std::sqrt(m));
        out.tangential_damping = c.tangential_damping(m, std::sqrt(m));
    } else {
        const LinearLaw::Coefficients c = LinearLaw::calibrate(pair);
        out.stiffness = m * c.stiffness;
        out.tangential_stiffness = m * c.tangential_stiffness;
        out.damping = m * c.damping;
        out.tangential_damping = m * c.tangential_damping;
    }
    for (double* each : {&out.damping, &out.tangential_damping}) *each += 0.0;  // no minus before a 0
    const double swinging = m / (1 + 1 / pair.inertia_factor());
    const Collision normal = collision_of({out.stiffness / m, out.damping / m});
    out.duration = normal.duration;
    out.restitution = normal.restitution;
    if (out.tangential_stiffness > 0)
        out.tangential_restitution =
            collision_of({out.tangential_stiffness / swinging, out.tangential_damping / swinging}).restitution;
    return out;
}

}  // namespace scree
