// Values of a pair of materials, and the time step that a pair allows.
#include "contact/pair_material.h"

#include <gtest/gtest.h>

#include <cmath>

#include "contact/calibration.h"
#include "contact/laws_under_test.h"
#include "contact/packing_harness.h"
#include "contact/pair_harness.h"

namespace scree {
namespace {

Material named(const char* name, double restitution, double friction, double contact_time) {
    Material m = material(restitution, 0.9, friction, contact_time);
    m.name = name;
    return m;
}

TEST(pair_material, means_unless_the_scene_says_otherwise) {
    const Material sand = named("sand", 0.4, 0.2, 1e-3), steel = named("steel", 0.9, 0.8, 2e-3);
    const PairMaterial pair = combine(sand, steel, nullptr, 3);
    EXPECT_DOUBLE_EQ(pair.restitution, 0.6);
    EXPECT_DOUBLE_EQ(pair.friction, 0.4);
    EXPECT_DOUBLE_EQ(pair.contact_time, 2e-3);
    EXPECT_EQ(pair.tangential_restitution, 0.9);
    Interaction given;
    given.friction = 0;
    given.contact_time = 5e-4;
    const PairMaterial other = combine(sand, steel, &given, 2);
    EXPECT_EQ(other.friction, 0);
    EXPECT_EQ(other.contact_time, 5e-4);
    EXPECT_DOUBLE_EQ(other.restitution, 0.6);
    EXPECT_EQ(other.inertia_factor(), 0.5);
}

TEST(pair_material, order_does_not_matter) {
    Material a = named("a", 0.3, 0.7, 1e-3), b = named("b", 0.8, 0.1, 3e-3);
    a.young = 3e7;
    a.poisson = 0.2;
    b.young = 5e9;
    b.poisson = 0.4;
    const PairMaterial p = combine(a, b, nullptr, 3), q = combine(b, a, nullptr, 3);
    EXPECT_EQ(p.restitution, q.restitution);
    EXPECT_EQ(p.friction, q.friction);
    EXPECT_EQ(p.young_star, q.young_star);
    EXPECT_EQ(p.shear_star, q.shear_star);
}

TEST(pair_material, elastic_moduli) {
    Material m = named("m", 0.5, 0.5, 1e-3);
    m.young = 2e9;
    m.poisson = 0.25;
    const PairMaterial p = with_itself(m);
    EXPECT_DOUBLE_EQ(p.young_star, 2e9 / (2 * (1 - 0.0625)));
    EXPECT_DOUBLE_EQ(p.shear_star, 2e9 / (2 * 1.25) / (2 * 1.75));
}

TEST(calibration, oscillator_is_continuous_through_critical_damping) {
    const double critical = std::exp(-2.0);
    const Oscillator under = oscillator(critical * (1 + 1e-7), 1), over = oscillator(critical * (1 - 1e-7), 1);
    EXPECT_NEAR(under.stiffness, 4, 1e-5);
    EXPECT_NEAR(over.stiffness, 4, 1e-5);
    EXPECT_NEAR(oscillator(critical, 1).damping_ratio(), 1, 1e-5);
    EXPECT_DOUBLE_EQ(oscillator(1, 1).stiffness, pi * pi);
    EXPECT_EQ(oscillator(1, 1).damping, 0);
    EXPECT_DOUBLE_EQ(oscillator(0.5, 2).stiffness, oscillator(0.5, 1).stiffness / 4);
}

// A grain in the hollow of twelve fixed neighbors, close-packed and pressed: its motion stays bounded at 0.9 of the
// stable step. (Not at any step: the bound must be of use.)
template <class Law>
double largest_excursion(const PairMaterial& pair, double dt) {
    const double r = 0.01, press = 1e-3 * r, s = (2 * r - press) / std::sqrt(2.0);
    GrainAmong<Law> packing(pair, sphere(r, 2500), dt);
    for (int a : {-1, 1})
        for (int b : {-1, 1}) {
            packing.add({a * s, b * s, 0}, r);
            packing.add({a * s, 0, b * s}, r);
            packing.add({0, a * s, b * s}, r);
        }
    packing.grain.v = {1e-5, 2e-5, -1e-5};
    packing.grain.w = {1e-3, -2e-3, 1e-3};
    double worst = 0;
    for (int step = 0; step < 8000; ++step) {
        packing.step();
        worst = std::fmax(worst, norm(packing.grain.x));
    }
    return worst / r;
}

template <class Law>
void expect_stable_among_twelve() {
    for (double e : {0.1, 0.3, 0.6, 0.9, 1.0})
        for (double es : {0.2, 0.7, 1.0}) {
            Material m = material(e, es, 0.5);
            m.contact.viscosity = 1e-5;
            const PairMaterial pair = with_itself(m);
            const TimeStepLimit limit = Law::time_step(pair, {0.01, 1 / sphere(0.01, 2500).inverse_mass});
            EXPECT_LE(limit.automatic, 0.81 * limit.stable);
            for (double part : {0.9, 0.5, 0.2, 0.1})
                EXPECT_LT(largest_excursion<Law>(pair, part * limit.stable), 2e-6)
                    << "e " << e << ", e_s " << es << ", step " << part << " of stable";
        }
}
template <class Law>
class TimeStepOf : public testing::Test {};
TYPED_TEST_SUITE(TimeStepOf, LawTestTypes);
TYPED_TEST(TimeStepOf, law_is_stable_among_twelve_neighbors) { expect_stable_among_twelve<TypeParam>(); }

TEST(time_step, linear_past_stability_blows_up) {
    const PairMaterial pair = with_itself(material(1, 1, 0.5));
    const double stable = LinearLaw::time_step(pair, {0.01, 0.01}).stable;
    EXPECT_GT(largest_excursion<LinearLaw>(pair, 2 * stable), 1e-2);
}

TEST(time_step, says_which_contact_limits_it) {
    const Material sand = named("sand", 0.6, 0.4, 1e-3), steel = named("steel", 0.9, 0.4, 5e-4);
    const TimeStepLimit limit = LinearLaw::time_step(combine(sand, steel, nullptr, 3), {0.01, 0.01});
    EXPECT_DOUBLE_EQ(limit.automatic, 1e-3 / 50);
    EXPECT_NE(limit.reason.find("sand with steel"), std::string::npos) << limit.reason;
    EXPECT_NE(limit.reason.find("contact_time"), std::string::npos) << limit.reason;
    const TimeStepLimit rayleigh = HertzLaw::time_step(with_itself(sand), {0.002, 1e-4});
    EXPECT_NE(rayleigh.reason.find("sand with itself"), std::string::npos) << rayleigh.reason;
    EXPECT_NE(rayleigh.reason.find("radius 0.002 m"), std::string::npos) << rayleigh.reason;
}

// Glass beads of 1 mm: the wave takes pi R sqrt(rho/G)/(0.1631 nu + 0.8766).
TEST(time_step, hertz_is_a_tenth_of_the_rayleigh_time) {
    Material m = named("glass", 0.9, 0.4, 1e-3);
    m.young = 70e9;
    m.poisson = 0.22;
    m.density = 2500;
    const TimeStepLimit limit = HertzLaw::time_step(with_itself(m), {0.5e-3, 1 / sphere(0.5e-3, 2500).inverse_mass});
    const double wave = pi * 0.5e-3 * std::sqrt(2500 / (70e9 / 2.44)) / (0.1631 * 0.22 + 0.8766);
    EXPECT_NEAR(limit.automatic, 0.1 * wave, 1e-12 * wave);
}

}  // namespace
}  // namespace scree
