#include "contact/pair_material.h"

#include <cmath>

namespace scree {
namespace {

// The mean of equal values is that value to the last bit, so that a material meets itself with exactly what was asked.
double geometric_mean(double a, double b) { return a == b ? a : std::sqrt(a * b); }

}  // namespace

PairMaterial combine(const Material& a, const Material& b, const Interaction* interaction, int dimension) {
    const Interaction none;
    const Interaction& given = interaction ? *interaction : none;
    const ContactValues& p = a.contact;
    const ContactValues& q = b.contact;
    PairMaterial pair;
    pair.restitution = given.restitution.value_or(geometric_mean(p.restitution, q.restitution));
    pair.tangential_restitution =
        given.tangential_restitution.value_or(geometric_mean(p.tangential_restitution, q.tangential_restitution));
    pair.friction = given.friction.value_or(geometric_mean(p.friction, q.friction));
    pair.contact_time = given.contact_time.value_or(p.contact_time > q.contact_time ? p.contact_time : q.contact_time);
    pair.rolling_friction = given.rolling_friction.value_or(geometric_mean(p.rolling_friction, q.rolling_friction));
    pair.cohesion = given.cohesion.value_or(geometric_mean(p.cohesion, q.cohesion));
    pair.restitution_speed = given.restitution_speed.value_or(geometric_mean(p.restitution_speed, q.restitution_speed));
    pair.viscosity = given.viscosity.value_or(geometric_mean(p.viscosity, q.viscosity));

    const auto compliance = [](const Material& m) { return (1 - m.poisson * m.poisson) / m.young; };
    const auto shear_compliance = [](const Material& m) { return (2 - m.poisson) * 2 * (1 + m.poisson) / m.young; };
    pair.young_star = 1 / (compliance(a) + compliance(b));
    pair.shear_star = 1 / (shear_compliance(a) + shear_compliance(b));
    const Material* materials[2] = {&a, &b};
    for (int side = 0; side < 2; ++side) {
        pair.young[side] = materials[side]->young;
        pair.poisson[side] = materials[side]->poisson;
        pair.density[side] = materials[side]->density;
        pair.name[side] = materials[side]->name;
    }
    pair.dimension = dimension;
    return pair;
}

}  // namespace scree
