#include "contact/pair_material.h"

#include <cmath>

namespace scree {
namespace {

// The mean of equal values is that value to the last bit, so that a material meets itself with exactly what was asked.
double geometric_mean(double a, double b) { return a == b ? a : std::sqrt(a * b); }

using Maybe = std::optional<double>;

// What both give, or the one that does.
Maybe mean_of_given(const Maybe& a, const Maybe& b) {
    if (a && b) return geometric_mean(*a, *b);
    return a ? a : b;
}

Maybe larger_of_given(const Maybe& a, const Maybe& b) {
    if (a && b) return *a > *b ? a : b;
    return a ? a : b;
}

// One of two ways to say the same: what the interaction says in one way replaces what the materials say in the other.
struct Alternatives {
    Maybe first, second;
};
Alternatives choose(const Alternatives& given, const Alternatives& a, const Alternatives& b) {
    if (given.first || given.second) return given;
    const Maybe first = mean_of_given(a.first, b.first);
    return {first, first ? Maybe() : mean_of_given(a.second, b.second)};
}

LinearCoefficients combine(const LinearCoefficients& given, const LinearCoefficients& a, const LinearCoefficients& b) {
    const auto both = [&](Maybe LinearCoefficients::*first, Maybe LinearCoefficients::*second) {
        return choose({given.*first, given.*second}, {a.*first, a.*second}, {b.*first, b.*second});
    };
    using C = LinearCoefficients;
    const Alternatives tangential = both(&C::tangential_stiffness, &C::stiffness_ratio),
                       damping = both(&C::damping, &C::damping_rate),
                       sideways = both(&C::tangential_damping, &C::tangential_damping_rate);
    return {given.stiffness ? given.stiffness : mean_of_given(a.stiffness, b.stiffness),
            tangential.first,
            tangential.second,
            damping.first,
            damping.second,
            sideways.first,
            sideways.second};
}

}  // namespace

PairMaterial combine(const Material& a, const Material& b, const Interaction* interaction, int dimension,
                     const PairDefaults& defaults) {
    const Interaction none;
    const Interaction& given = interaction ? *interaction : none;
    const ContactValues& p = a.contact;
    const ContactValues& q = b.contact;
    PairMaterial pair;
    pair.restitution = given.restitution.value_or(geometric_mean(p.restitution, q.restitution));
    pair.tangential_restitution =
        given.tangential_restitution.value_or(geometric_mean(p.tangential_restitution, q.tangential_restitution));
    pair.friction = given.friction.value_or(geometric_mean(p.friction, q.friction));
    const Maybe duration = given.contact_time ? given.contact_time : larger_of_given(p.contact_time, q.contact_time);
    pair.contact_time_given = duration.has_value();
    pair.contact_time = duration.value_or(defaults.contact_time);
    pair.rolling_friction = given.rolling_friction.value_or(geometric_mean(p.rolling_friction, q.rolling_friction));
    pair.cohesion = given.cohesion.value_or(geometric_mean(p.cohesion, q.cohesion));
    pair.restitution_speed = given.restitution_speed.value_or(geometric_mean(p.restitution_speed, q.restitution_speed));
    pair.viscosity = given.viscosity.value_or(geometric_mean(p.viscosity, q.viscosity));
    pair.linear = combine(given.linear, p.linear, q.linear);
    // A duration given for the pair replaces coefficients that its materials bring along.
    if (given.contact_time && !given.linear.stiffness) pair.linear.stiffness.reset();
    pair.rolling_stiffness =
        given.rolling_stiffness ? given.rolling_stiffness : mean_of_given(p.rolling_stiffness, q.rolling_stiffness);
    pair.law = given.law.value_or(defaults.law);
    if (pair.law == LawKind::linear && pair.linear.stiffness) pair.law = LawKind::hooke;

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
