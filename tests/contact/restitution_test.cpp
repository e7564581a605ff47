// One collision gives back what was asked: restitution, tangential restitution and duration.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/calibration.h"
#include "contact/laws_under_test.h"
#include "contact/pair_harness.h"

namespace scree {
namespace {

constexpr double asked[] = {0.05, 0.1,  0.13, 0.1353352832366127, 0.14, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8,
                            0.9,  0.95, 1.0};

struct Achieved {
    double normal, tangential;
};

// Oblique and slow, so that neither the overlap nor the turning of the contact plane matters.
template <class Law>
Achieved collide(const PairMaterial& pair, double dt, double phase, double speed = 0.004, double slope = 0.1) {
    PairHarness<Law> h(pair, dt);
    h.i = pair.dimension == 3 ? sphere(0.01, 2500) : disc(0.01, 2500);
    h.j = pair.dimension == 3 ? sphere(0.02, 1500) : disc(0.02, 1500);
    h.i.x = {0, 0, 0.03};
    h.i.v = {slope * speed, 0, -speed};
    if (pair.dimension == 2) {
        h.i.x = {0, 0.03, 0};
        h.i.v = {slope * speed, -speed, 0};
    }
    const Vec3 n = h.normal();
    h.collide(phase, 1);
    const Vec3 v = h.i.v - h.j.v + cross(n, h.i.radius * h.i.w + h.j.radius * h.j.w);
    return {dot(v, n) / speed, -v.x / (slope * speed)};
}

template <class Law>
void expect_asked_restitution(int dimension) {
    for (double e : asked) {
        const PairMaterial pair = with_itself(material(e, e, 1e9), dimension);
        const double dt = Law::time_step(pair, {0.01, 0.01}).automatic;
        EXPECT_LE(dt, pair.contact_time / 50);
        for (int k = 0; k < 16; ++k) {
            const Achieved got = collide<Law>(pair, dt, (k + 0.5) / 16);
            EXPECT_NEAR(got.normal, e, 1e-3) << "asked " << e << ", phase " << k << "/16";
            EXPECT_NEAR(got.tangential, e, 1e-3) << "asked " << e << ", phase " << k << "/16";
        }
    }
}

TEST(restitution, is_achieved_at_any_phase_of_first_touch) {
    for (const int dimension : {2, 3})
        for_laws_that_take(&LawInputs::contact_time,
                           [&](auto law) { expect_asked_restitution<decltype(law)>(dimension); });
}

// Normal and tangential restitution are independent of one another when the contact sticks.
TEST(restitution_linear, tangential_does_not_depend_on_normal) {
    for (double e : {0.2, 0.6, 1.0})
        for (double es : {0.2, 0.6, 1.0}) {
            const Achieved got = collide<LinearLaw>(with_itself(material(e, es, 1e9)), 2e-5, 0.37);
            EXPECT_NEAR(got.normal, e, 1e-3);
            EXPECT_NEAR(got.tangential, es, 1e-3) << e << " " << es;
        }
}

template <class Law>
double worst_error(double dt) {
    double worst = 0;
    for (double e : {0.2, 0.5, 0.8})
        for (int k = 0; k < 8; ++k)
            worst = std::fmax(worst,
                              std::fabs(collide<Law>(with_itself(material(e, 1, 1e9)), dt, (k + 0.5) / 8).normal - e));
    return worst;
}

TEST(restitution_linear, converges_to_second_order_in_the_step) {
    const double coarse = worst_error<LinearLaw>(2e-5), fine = worst_error<LinearLaw>(5e-6);
    EXPECT_LT(coarse, 6e-4);
    EXPECT_LT(fine, coarse / 12);
}

// Duration: from first touch to the force that vanishes, resolved to a thousandth.
template <class Law>
void expect_asked_duration() {
    for (double e : asked) {
        const PairMaterial pair = with_itself(material(e, 1, 0));
        PairHarness<Law> h(pair, 2.5e-7);
        h.i = sphere(0.01, 2500);
        h.j = sphere(0.03, 1000);
        h.i.x = {0, 0, 0.04};
        h.i.v = {0, 0, -0.01};
        h.collide(0.5, 1);
        EXPECT_NEAR(h.pushed, 1e-3, 1e-6) << "restitution " << e;
    }
}
TEST(contact_time, is_achieved) {
    for_laws_that_take(&LawInputs::contact_time, [](auto law) { expect_asked_duration<decltype(law)>(); });
}

// Damping ratio zeta of a spring and dashpot: restitution if the contact ends at F = 0.
double restitution_at_zero_force(double zeta) {
    PairHarness<LinearLaw> h(with_itself(material(0.5, 1, 0)), 1e-6);
    h.law = {pi * pi * 1e6, 2 * zeta * pi * 1e3, 0, 0, 0, 0};
    h.i = sphere(0.01, 2500);
    h.j = sphere(0.01, 2500);
    h.i.x = {0, 0, 0.02};
    h.i.v = {0, 0, -0.01};
    h.collide(0.5, 1);
    return (h.i.v.z - h.j.v.z) / 0.01;
}
TEST(restitution_linear, ends_at_zero_force) {
    EXPECT_NEAR(restitution_at_zero_force(0.0671), 0.81689, 1e-5);
    EXPECT_NEAR(restitution_at_zero_force(0.2155), 0.55022, 1e-5);
    EXPECT_NEAR(restitution_at_zero_force(0.4560), 0.32483, 1e-5);
    for (double e : asked) EXPECT_NEAR(restitution_at_zero_force(oscillator(e, 1).damping_ratio()), e, 1e-4);
}

TEST(restitution_hertz, is_the_same_at_any_speed) {
    for (double e : {0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 1.0})
        for (double speed : {1e-3, 1e-2, 0.1, 1.0}) {
            Material m = material(e, 1, 0);
            m.young = 1e8;
            const PairMaterial pair = with_itself(m);
            const double dt = HertzLaw::time_step(pair, {0.01, 1 / sphere(0.01, 2500).inverse_mass}).automatic;
            for (int k = 0; k < 6; ++k)
                EXPECT_NEAR((collide<HertzLaw>(pair, dt, (k + 0.5) / 6, speed, 0).normal), e, 1e-3)
                    << "asked " << e << " at " << speed << " m/s";
        }
}

// Without the recalibration Tsuji's alpha, made for a contact that ends at zero overlap, gives too much.
TEST(restitution_hertz, needs_its_calibration_when_the_force_never_pulls) {
    const double wanted[][2] = {{0.2, 0.32486}, {0.5, 0.55028}, {0.8, 0.80810}, {0.9, 0.90203}};
    for (const auto& [e, without] : wanted) {
        const double decay = -std::log(e);
        const double alpha = std::sqrt(5.0) * decay / std::sqrt(pi * pi + decay * decay);
        PairHarness<HertzLaw> h(with_itself(material(e, 1, 0)), 1e-6);
        h.law.damping_square = alpha * alpha * h.law.stiffness;
        h.i = sphere(0.01, 2500);
        h.j = sphere(0.01, 2500);
        h.i.x = {0, 0, 0.02};
        h.i.v = {0, 0, -0.1};
        h.collide(0.5, 1);
        EXPECT_NEAR((h.i.v.z - h.j.v.z) / 0.1, without, 2e-5);
    }
}

// Ramírez et al. (1999): 1 - e = C1 s - 3/5 C1^2 s^2 + ..., C1 = 1.15344,
// s = 3/2 A (4/3 E* sqrt(R*) / m*)^(2/5) v^(1/5).
TEST(restitution_kuwabara_kono, falls_with_the_fifth_root_of_speed) {
    for (double speed : {1e-3, 1e-2, 1e-1, 1.0}) {
        Material m = material(0.5, 1, 0);
        m.young = 1e8;
        m.contact.viscosity = 2e-6;
        const PairMaterial pair = with_itself(m);
        PairHarness<KuwabaraKonoLaw> h(pair, 2e-7);
        h.i = sphere(0.01, 2500);
        h.j = sphere(0.01, 2500);
        h.i.x = {0, 0, 0.02};
        h.i.v = {0, 0, -speed};
        h.collide(0.5, 1);
        const double k = 4.0 / 3 * pair.young_star * std::sqrt(h.radius()) * h.inverse_mass();
        const double s = 1.15344 * 1.5 * 2e-6 * std::pow(k, 0.4) * std::pow(speed, 0.2);
        const double loss = 1 - (h.i.v.z - h.j.v.z) / speed;
        EXPECT_GT(loss, 1e-3);
        EXPECT_NEAR(loss, s - 0.6 * s * s, 0.05 * s * s + 2e-6) << speed << " m/s";
    }
}

}  // namespace
}  // namespace scree
