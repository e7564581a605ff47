// Sliding, rolling and bouncing against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/hertz.h"
#include "contact/hertz_slip.h"
#include "contact/linear.h"
#include "contact/pair_harness.h"
#include "contact/pournin.h"
#include "contact/walton.h"

namespace scree {
namespace {

template <class Law>
PairHarness<Law> ball_on_floor(const PairMaterial& pair, double radius, double density, double dt) {
    PairHarness<Law> h(pair, dt);
    h.i = pair.dimension == 3 ? sphere(radius, density) : disc(radius, density);
    h.j = fixed(h.i);
    h.wall = true;
    h.i.x = {0, 0, radius};
    return h;
}

// Sliding throughout: v_t' = v_t - mu (1 + e) v_n, w' = 2.5 mu (1 + e) v_n / R (2 in place of 2.5 for discs). Slow, so
// that the overlap does not shorten the lever arm; well past the limiting angle, because a dashpot presses at once and
// a spring does not shear at once, so that closer to it a contact sticks for a moment first.
template <class Law>
void expect_sliding_closed_form(int dimension) {
    const double e = 0.8, mu = 0.2, speed = 0.01, inertia = dimension == 3 ? 2.5 : 2;
    Material m = material(e, 1, mu);
    m.young = 1e8;
    const PairMaterial pair = with_itself(m, dimension);
    for (double degrees : {70.0, 75.0, 80.0, 88.0})
        for (int k = 0; k < 4; ++k) {
            const double angle = degrees * pi / 180, vn = speed * std::cos(angle), vt = speed * std::sin(angle);
            ASSERT_GE(std::tan(angle), (1 + inertia) * mu * (1 + e));
            auto h = ball_on_floor<Law>(pair, 0.01, 2500, Law::time_step(pair, {0.01, 0.01}).automatic);
            h.i.v = {vt, 0, -vn};
            h.collide((k + 0.5) / 4, 1);
            EXPECT_NEAR(h.i.v.z, e * vn, 1.5e-3 * vn);
            EXPECT_NEAR(vt - h.i.v.x, mu * (1 + e) * vn, 1.5e-3 * vn);
            EXPECT_NEAR(h.i.w.y * 0.01, inertia * mu * (1 + e) * vn, 2.5e-3 * vn);
        }
}
TEST(oblique_impact, sliding_linear) { expect_sliding_closed_form<LinearLaw>(3); }
TEST(oblique_impact, sliding_linear_discs) { expect_sliding_closed_form<LinearLaw>(2); }
TEST(oblique_impact, sliding_walton) { expect_sliding_closed_form<WaltonLaw>(3); }
TEST(oblique_impact, sliding_hertz) { expect_sliding_closed_form<HertzLaw>(3); }
TEST(oblique_impact, sliding_hertz_slip) { expect_sliding_closed_form<HertzSlipLaw>(3); }
TEST(oblique_impact, sliding_pournin) { expect_sliding_closed_form<PourninLaw>(3); }

// Chung and Ooi (2011), test 4: aluminium oxide sphere, 3.9 m/s, at 10 ... 80 degrees from the normal.
// At 10 degrees the contact mostly sticks, and Mindlin's stiffness without slip, as in law hertz, misses the reference:
// e_t is 2.45 % high and, since w' = 5/2 (1 - e_t) v_t/R, the spin 6.2 % low. With slip at the rim all angles hold.
template <class Law>
void expect_chung_and_ooi_test_4(int from) {
    const double reference[][3] = {{10, 0.687, 213.0}, {20, 0.616, 510.6}, {30, 0.684, 616.5}, {40, 0.781, 544.8},
                                   {50, 0.845, 457.0}, {60, 0.893, 357.5}, {70, 0.932, 246.2}, {80, 0.966, 126.3}};
    Material m = material(0.98, 1, 0.092);
    m.young = 380e9;
    m.poisson = 0.23;
    m.density = 4000;
    for (const auto& [degrees, restitution, spin] : reference) {
        if (degrees < from) continue;
        const double angle = degrees * pi / 180;
        auto h = ball_on_floor<Law>(with_itself(m), 0.0025, 4000, 1e-8);
        h.i.v = {3.9 * std::sin(angle), 0, -3.9 * std::cos(angle)};
        h.collide(0.5, 1);
        EXPECT_NEAR(h.i.v.x / (3.9 * std::sin(angle)), restitution, 0.025 * restitution) << degrees << " degrees";
        EXPECT_NEAR(h.i.w.y, spin, 0.025 * spin) << degrees << " degrees";
    }
}
TEST(oblique_impact, hertz_slip_as_chung_and_ooi_test_4) { expect_chung_and_ooi_test_4<HertzSlipLaw>(10); }
TEST(oblique_impact, hertz_as_chung_and_ooi_test_4_from_20_degrees) { expect_chung_and_ooi_test_4<HertzLaw>(20); }

// A ball let go with speed u0 and no spin: slips until t = 2 u0/(7 mu g), then rolls with 5/7 u0.
template <class Law>
void expect_slip_to_roll(int dimension) {
    const double mu = 0.3, g = 9.81, u0 = 0.5, roll = dimension == 3 ? 5.0 / 7 : 2.0 / 3;
    Material m = material(0.5, 0.5, mu, 2e-4);
    m.young = 1e8;
    const PairMaterial pair = with_itself(m, dimension);
    auto h = ball_on_floor<Law>(pair, 0.01, 2500, Law::time_step(pair, {0.01, 0.01}).automatic);
    h.gravity = {0, 0, -g};
    for (int k = 0; k < 4000; ++k) h.step();  // settle
    h.i.v.x = u0;
    double slip_ends = 0, t = 0;
    const double end = u0 * (1 - roll) / (mu * g);
    while (t < 3 * end) {
        h.step();
        t += h.dt;
        const double slip = h.i.v.x - h.i.radius * h.i.w.y;
        if (slip_ends == 0 && slip < 1e-3 * u0) slip_ends = t;
    }
    EXPECT_NEAR(slip_ends, end, 0.01 * end);
    EXPECT_NEAR(h.i.v.x, roll * u0, 2e-3 * u0);
    EXPECT_NEAR(h.i.radius * h.i.w.y, roll * u0, 2e-3 * u0);
}
TEST(slip_to_roll, linear) { expect_slip_to_roll<LinearLaw>(3); }
TEST(slip_to_roll, linear_discs) { expect_slip_to_roll<LinearLaw>(2); }
TEST(slip_to_roll, hertz) { expect_slip_to_roll<HertzLaw>(3); }
TEST(slip_to_roll, walton) { expect_slip_to_roll<WaltonLaw>(3); }
TEST(slip_to_roll, pournin) { expect_slip_to_roll<PourninLaw>(3); }

// a = 5/7 g sin(angle) if it rolls, tan(angle) <= 3.5 mu, else g (sin(angle) - mu cos(angle)).
template <class Law>
void expect_incline(int dimension) {
    const double g = 9.81, inertia = dimension == 3 ? 2.5 : 2;
    for (double mu : {0.1, 0.3})
        for (double degrees : {5.0, 15.0, 30.0, 50.0}) {
            const double angle = degrees * pi / 180;
            Material m = material(0.5, 0.5, mu, 2e-4);
            m.young = 1e8;
            const PairMaterial pair = with_itself(m, dimension);
            auto h = ball_on_floor<Law>(pair, 0.01, 2500, Law::time_step(pair, {0.01, 0.01}).automatic);
            h.gravity = {0, 0, -g * std::cos(angle)};
            for (int k = 0; k < 4000; ++k) h.step();
            h.gravity.x = g * std::sin(angle);
            double t = 0;
            while (t < 0.02) {
                h.step();
                t += h.dt;
            }
            const double from = h.i.v.x;
            t = 0;
            while (t < 0.05) {
                h.step();
                t += h.dt;
            }
            const bool rolls = std::tan(angle) <= (1 + inertia) * mu;
            const double want =
                rolls ? inertia / (1 + inertia) * g * std::sin(angle) : g * (std::sin(angle) - mu * std::cos(angle));
            EXPECT_NEAR((h.i.v.x - from) / t, want, 2e-3 * want) << degrees << " degrees, friction " << mu;
        }
}
TEST(rolling_on_incline, linear) { expect_incline<LinearLaw>(3); }
TEST(rolling_on_incline, linear_discs) { expect_incline<LinearLaw>(2); }
TEST(rolling_on_incline, hertz) { expect_incline<HertzLaw>(3); }

// Rolling friction above tan(angle) holds a ball on an incline; below it the ball rolls down.
TEST(rolling_on_incline, rolling_friction_holds_the_ball) {
    const double g = 9.81, angle = 10 * pi / 180;
    for (double rolling : {0.1, 0.25}) {
        Material m = material(0.5, 0.5, 0.8, 2e-4);
        m.contact.rolling_friction = rolling;
        const PairMaterial pair = with_itself(m);
        auto h = ball_on_floor<LinearLaw>(pair, 0.01, 2500, LinearLaw::time_step(pair, {0.01, 0.01}).automatic);
        h.rolling = calibrate_rolling(pair, pair.contact_time);
        h.gravity = {0, 0, -g * std::cos(angle)};
        for (int k = 0; k < 4000; ++k) h.step();
        h.gravity.x = g * std::sin(angle);
        double t = 0;
        while (t < 0.1) {
            h.step();
            t += h.dt;
        }
        if (rolling > std::tan(angle)) {
            EXPECT_LT(std::fabs(h.i.v.x), 1e-6);
            EXPECT_LT(norm(h.i.w), 1e-4);
        } else {
            // m a = m g sin - f, I a/R = f R - rolling N R
            const double a = g * (std::sin(angle) - rolling * std::cos(angle)) / 1.4;
            EXPECT_NEAR(h.i.v.x, a * t, 0.01 * a * t);
        }
    }
}

// A ball that rolls on a level floor loses rolling * g / 1.4 of speed per second and comes to rest.
TEST(rolling_resistance, brings_a_ball_to_rest) {
    const double g = 9.81, rolling = 0.1, u0 = 0.05;
    Material m = material(0.5, 0.5, 0.8, 2e-4);
    m.contact.rolling_friction = rolling;
    const PairMaterial pair = with_itself(m);
    auto h = ball_on_floor<LinearLaw>(pair, 0.01, 2500, LinearLaw::time_step(pair, {0.01, 0.01}).automatic);
    h.rolling = calibrate_rolling(pair, pair.contact_time);
    h.gravity = {0, 0, -g};
    for (int k = 0; k < 4000; ++k) h.step();
    h.i.v.x = u0;
    h.i.w.y = u0 / 0.01;
    const double start = h.i.x.x;
    for (double t = 0; t < 0.2; t += h.dt) h.step();
    EXPECT_LT(std::fabs(h.i.v.x), 1e-7);
    EXPECT_LT(norm(h.i.w), 1e-5);
    const double distance = u0 * u0 / (2 * rolling * g / 1.4);
    EXPECT_NEAR(h.i.x.x - start, distance, 0.02 * distance);
}

// Bounces of a ball dropped from the height h0 of its centre: (h0 - r) e^(2k) + r.
template <class Law>
void expect_bounces() {
    const double e = 0.8, g = 9.81, r = 0.01, h0 = 0.2;
    Material m = material(e, 1, 0.3, 1e-4);
    m.young = 1e9;
    const PairMaterial pair = with_itself(m);
    auto h = ball_on_floor<Law>(pair, r, 2500, Law::time_step(pair, {r, 1 / sphere(r, 2500).inverse_mass}).automatic);
    h.gravity = {0, 0, -g};
    h.i.acceleration = h.gravity;
    h.i.x.z = h0;
    double top = 0;
    int bounce = -1;
    bool rising = false;
    while (bounce < 3) {
        const double before = h.i.v.z;
        h.step();
        if (before > 0 && h.i.v.z <= 0 && rising) {
            top = h.i.x.z;
            const double want = (h0 - r) * std::pow(e, 2 * (bounce + 1)) + r;
            EXPECT_NEAR(top, want, 3e-3 * want) << "bounce " << bounce + 1;
            rising = false;
        }
        if (before <= 0 && h.i.v.z > 0) {
            ++bounce;
            rising = true;
        }
    }
}
TEST(bounces, linear) { expect_bounces<LinearLaw>(); }
TEST(bounces, walton) { expect_bounces<WaltonLaw>(); }
TEST(bounces, hertz) { expect_bounces<HertzLaw>(); }
TEST(bounces, pournin) { expect_bounces<PourninLaw>(); }

}  // namespace
}  // namespace scree
