// No law gains energy, and no contact changes momentum or angular momentum: sweeps of impact angle, spin, size ratio,
// step.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/laws_under_test.h"
#include "contact/packing_harness.h"
#include "contact/pair_harness.h"

namespace scree {
namespace {

template <class Law>
class AnyLaw : public testing::Test {};
TYPED_TEST_SUITE(AnyLaw, LawTestTypes);

Material some_material(double e, double es, double friction, double rolling) {
    Material m = material(e, es, friction);
    m.young = 1e8;
    m.contact.viscosity = 1e-5 * (1 - e);
    m.contact.cohesion = 1e-3 * (1 - e);
    m.contact.rolling_friction = rolling;
    return m;
}

// A small grain meets a large one obliquely, both spinning about skew axes.
template <class Law>
PairHarness<Law> oblique(const Material& m, double angle, double spin, double ratio, double refine = 1) {
    const PairMaterial pair = with_itself(m);
    const double r = 0.005, speed = 0.1;
    const double mass = 1 / sphere(r, 2500).inverse_mass;
    const double step = Law::time_step(pair, {r, mass}).automatic / refine;
    PairHarness<Law> h(pair, step);
    h.rolling = calibrate_rolling(pair, 50 * Law::time_step(pair, {r, mass}).automatic);
    h.i = sphere(r, 2500);
    h.j = sphere(r * ratio, 2500);
    h.i.x = {0, 0, r + r * ratio};
    h.i.v = {speed * std::sin(angle), 0, -speed * std::cos(angle)};
    h.i.w = (spin * speed / r) * Vec3{0.3, 0.9, 0.2};
    h.j.w = (spin * speed / (r * ratio)) * Vec3{-0.5, 0.4, 0.7};
    return h;
}

constexpr double degree = pi / 180;

TYPED_TEST(AnyLaw, never_gains_energy) {
    int collisions = 0;
    for (double e : {0.2, 0.6, 1.0})
        for (double es : {0.3, 1.0})
            for (double friction : {0.0, 0.3, 2.0})
                for (double ratio : {1.0, 3.0, 10.0, 30.0})
                    for (int angle = 0; angle <= 85; angle += 17)
                        for (double spin : {-3.0, -1.0, 0.0, 1.0, 3.0})
                            for (double rolling : {0.0, 0.2}) {
                                auto h = oblique<TypeParam>(some_material(e, es, friction, rolling), angle * degree,
                                                            spin, ratio);
                                const double before = h.kinetic();
                                h.collide(0.37, 0.1);
                                ++collisions;
                                ASSERT_LE(h.kinetic(), before * (1 + 4e-4))
                                    << "e " << e << ", e_s " << es << ", friction " << friction << ", ratio " << ratio
                                    << ", angle " << angle << ", spin " << spin << ", rolling " << rolling;
                            }
    EXPECT_EQ(collisions, 4320);
}

// What an undamped collision seems to gain is the error of the integrator and vanishes with the square of the step.
TYPED_TEST(AnyLaw, apparent_gain_vanishes_with_the_step) {
    for (double friction : {0.0, 0.5, 1e9})
        for (int angle = 0; angle <= 80; angle += 20)
            for (int k = 0; k < 4; ++k) {
                auto h = oblique<TypeParam>(some_material(1, 1, friction, 0), angle * degree, 0.5, 2, 8);
                const double before = h.kinetic();
                h.collide((k + 0.5) / 4, 0.1);
                EXPECT_LE(h.kinetic(), before * (1 + 1e-5)) << "friction " << friction << ", angle " << angle;
                if (friction == 0) {
                    EXPECT_NEAR(h.kinetic(), before, 1e-5 * before);
                }
            }
}

TYPED_TEST(AnyLaw, keeps_momentum_and_angular_momentum) {
    for (double ratio : {1.0, 10.0})
        for (double rolling : {0.0, 0.3}) {
            auto h = oblique<TypeParam>(some_material(0.6, 0.5, 0.4, rolling), 40 * degree, 1.5, ratio);
            h.approach(0.2);
            const Vec3 p = h.momentum(), l = h.angular_momentum();
            h.collide(0.2, 0.1);
            EXPECT_LT(norm(h.momentum() - p), 1e-13 * norm(p));
            EXPECT_LT(norm(h.angular_momentum() - l), 1e-12 * norm(l));
        }
}

// At every moment: kinetic energy lost = work taken by the contact, and the contact never holds more than it took.
TYPED_TEST(AnyLaw, energy_account_closes_throughout_a_collision) {
    for (double e : {0.5, 1.0})
        for (double friction : {0.0, 0.3, 5.0})
            for (int angle = 0; angle <= 60; angle += 30) {
                auto h = oblique<TypeParam>(some_material(e, e, friction, friction > 0 ? 0.1 : 0), angle * degree, 0.5,
                                            2, 4);
                const double before = h.kinetic();
                double elastic_peak = 0;
                h.approach(0.5);
                for (int k = 0; k < 3000 && (k < 10 || h.touching()); ++k) {
                    h.step();
                    const double elastic = h.elastic();
                    elastic_peak = std::fmax(elastic_peak, elastic);
                    ASSERT_NEAR(before - h.kinetic(), h.work, 1e-3 * before);
                    ASSERT_GE(h.work - elastic, -1e-2 * before) << "friction " << friction << ", angle " << angle;
                }
                EXPECT_GT(elastic_peak, 0.01 * before);
                if (e == 1 && friction == 0) {
                    EXPECT_NEAR(h.work, 0, 1e-3 * before);
                }
            }
}

// What is lost by mechanism is what the motion has lost and the contact does not hold, at every moment and in the end,
// when springs that nothing presses any longer have lost what they had: to 1e-3 of the energy there is, or has passed
// through.
TYPED_TEST(AnyLaw, losses_by_mechanism_are_what_the_motion_loses) {
    for (double e : {0.3, 0.6, 1.0})
        for (double es : {0.5, 1.0})
            for (double friction : {0.0, 0.3, 1.0})
                for (double rolling : {0.0, 0.2})
                    for (int angle = 0; angle <= 80; angle += 16)
                        for (double phase : {0.1, 0.4, 0.8}) {
                            auto h =
                                oblique<TypeParam>(some_material(e, es, friction, rolling), angle * degree, 0.5, 2);
                            double kinetic = h.kinetic(), elastic = 0, lost = 0, passed = 0, open = 0;
                            const double whole = kinetic;
                            h.approach(phase);
                            // The last step without contact brings the other half of the one before.
                            for (int k = 0, apart = 0; k < 3000 && apart < 2; ++k) {
                                h.step();
                                passed += std::fabs(h.kinetic() - kinetic) + std::fabs(h.elastic() - elastic) +
                                          std::fabs(h.lost - lost);
                                kinetic = h.kinetic();
                                elastic = h.elastic();
                                lost = h.lost;
                                open = kinetic + elastic + lost - whole;
                                apart += k > 10 && !h.touching();
                            }
                            ASSERT_EQ(elastic, 0);
                            ASSERT_LT(std::fabs(open), 1e-3 * std::fmax(passed, whole))
                                << "e " << e << ", e_s " << es << ", friction " << friction << ", rolling " << rolling
                                << ", angle " << angle << ", phase " << phase;
                            if (e == 1 && friction == 0 && rolling == 0) {
                                ASSERT_LE(std::fabs(lost), 1e-12 * whole);
                            }
                        }
}

// Head-on there is no spring that runs ahead: what the contact holds and what it took agree to second order.
TYPED_TEST(AnyLaw, elastic_energy_is_what_an_undamped_contact_took) {
    auto h = oblique<TypeParam>(some_material(1, 1, 0.5, 0), 0, 0, 1);
    const double before = h.kinetic();
    h.approach(0.5);
    double peak = 0;
    for (int k = 0; k < 3000 && (k < 10 || h.touching()); ++k) {
        h.step();
        peak = std::fmax(peak, h.elastic());
        ASSERT_NEAR(h.work, h.elastic(), 1e-3 * before);
    }
    EXPECT_NEAR(peak, 0.5 * before, 2e-3 * before);  // two equal grains, one at rest: half is in the relative motion
}

// A small grain flies into the wedge between two large ones that nearly touch. It must come out again, with no more
// energy than it had; with full energy if nothing damps it. Friction is below the tangent of the wedge's half angle (12
// degrees at size ratio 30): above it, staying would be right.
template <class Law>
void expect_no_sticking(double ratio, double e, double friction) {
    const double r = 0.001, big = ratio * r, speed = 0.05;
    Material m = some_material(e, 1, friction, 0);
    m.contact.cohesion = 0;
    const PairMaterial pair = with_itself(m);
    const Body grain = sphere(r, 2500);
    for (int k = 0; k < 5; ++k) {
        GrainAmong<Law> wedge(pair, grain, Law::time_step(pair, {r, 1 / grain.inverse_mass}).automatic / 2);
        const double half = big + 0.3 * r, aside = 0.1 * r * k, near = half - aside;
        wedge.add({-half, 0, 0}, big);
        wedge.add({half, 0, 0}, big);
        wedge.grain.x = {aside, 0, std::sqrt((big + r) * (big + r) - near * near) + 0.1 * r};
        wedge.grain.v = {0, 0, -speed};
        const double before = wedge.grain.kinetic();
        const double start = wedge.grain.x.z;
        bool met = false, out = false;
        for (double t = 0; t < 1 && !out; t += wedge.dt) {
            wedge.step();
            met = met || wedge.contacts > 0;
            out = met && wedge.contacts == 0 && wedge.grain.x.z > start;
            ASSERT_LE(wedge.grain.kinetic(), before * (1 + 2e-3));
        }
        EXPECT_TRUE(out) << "stuck at size ratio " << ratio << ", start " << k;
        if (e == 1 && friction == 0) {
            EXPECT_NEAR(wedge.grain.kinetic(), before, 2e-3 * before);
        }
    }
}
TYPED_TEST(AnyLaw, small_grain_does_not_stick_between_large_ones) {
    for (double ratio : {3.0, 10.0, 30.0}) {
        expect_no_sticking<TypeParam>(ratio, 1, 0);
        expect_no_sticking<TypeParam>(ratio, 0.8, 0.1);
    }
}

}  // namespace
}  // namespace scree
