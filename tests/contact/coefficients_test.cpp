// Coefficients that are given, and what collisions come to by them; and the other way round.
#include <gtest/gtest.h>

#include <cmath>

#include "contact/both_views.h"
#include "contact/calibration.h"
#include "contact/hooke.h"
#include "contact/laws_under_test.h"
#include "contact/pair_harness.h"

namespace scree {
namespace {

// Forwards: from e and t to the oscillator. Backwards: from the oscillator to what its collision comes to.
TEST(coefficients, two_views_of_a_collision_are_inverse_to_each_other) {
    for (const double e : {0.01, 0.1, 0.13, 0.14, 0.3, 0.6, 0.9, 0.999, 1.0})
        for (const double duration : {1e-6, 1e-3, 2.0}) {
            const Collision back = collision_of(oscillator(e, duration));
            EXPECT_NEAR(back.restitution, e, 1e-9 * e) << "duration " << duration;
            EXPECT_NEAR(back.duration, duration, 1e-9 * duration) << "restitution " << e;
        }
}

// A central collision in steps.
struct Met {
    double duration, restitution, effective_mass;
};
Met collide(const PairMaterial& pair, double radius_i, double radius_j, double slope = 0, double* sideways = nullptr) {
    const double smaller = 1 / sphere(std::min(radius_i, radius_j), 2500).inverse_mass;
    PairHarness<HookeLaw> h(pair, 0.1 * HookeLaw::time_step(pair, {std::min(radius_i, radius_j), smaller}).automatic);
    h.i = sphere(radius_i, 2500);
    h.j = sphere(radius_j, 2500);
    const double speed = 0.001;
    h.i.x = {0, 0, radius_i + radius_j};
    h.i.v = {slope * speed, 0, -speed};
    h.collide(0.5, 1);
    if (sideways) {
        const Vec3 n = h.normal();
        *sideways = -(h.i.v - h.j.v + cross(n, radius_i * h.i.w + radius_j * h.j.w)).x / (slope * speed);
    }
    return {h.pushed, (h.i.v.z - h.j.v.z) / speed, 1 / h.inverse_mass()};
}

void expect_as_computed(const PairMaterial& pair) {
    for (const double radius : {0.002, 0.005, 0.02}) {
        const Met met = collide(pair, radius, 0.01);
        const BothViews views = both_views(pair, met.effective_mass);
        EXPECT_NEAR(met.restitution, views.restitution, 1e-3) << "radius " << radius;
        EXPECT_NEAR(met.duration, views.duration, 5e-3 * views.duration) << "radius " << radius;
    }
}

Material stuff(double restitution = 0.6) {
    Material m;
    m.name = "stuff";
    m.contact.restitution = restitution;
    m.contact.friction = 1e9;
    m.contact.linear.stiffness = 2e4;
    return m;
}

TEST(coefficients, a_dashpot_that_is_the_same_for_all_grains_damps_small_ones_more) {
    Material m = stuff();
    m.contact.linear.damping = 2;
    const PairMaterial pair = with_itself(m);
    expect_as_computed(pair);
    EXPECT_LT(collide(pair, 0.005, 0.005).restitution, collide(pair, 0.01, 0.01).restitution - 0.05);
    EXPECT_DOUBLE_EQ(both_views(pair, 0.001).damping, 2);
    EXPECT_DOUBLE_EQ(both_views(pair, 0.1).damping, 2);
}

TEST(coefficients, a_damping_rate_is_per_effective_mass) {
    Material m = stuff();
    m.contact.linear.damping_rate = 300;
    const PairMaterial pair = with_itself(m);
    expect_as_computed(pair);
    EXPECT_DOUBLE_EQ(both_views(pair, 0.002).damping, 0.6);
    // A grain decays by exp(-rate t / 2) while it touches.
    const BothViews views = both_views(pair, 0.002);
    EXPECT_NEAR(views.restitution, std::exp(-0.5 * 300 * views.duration), 1e-12);
}

TEST(coefficients, a_stiffness_with_a_restitution_achieves_it_for_all_sizes) {
    for (const double e : {0.2, 0.6, 0.95, 1.0}) {
        const PairMaterial pair = with_itself(stuff(e));
        expect_as_computed(pair);
        for (const double radius : {0.002, 0.02}) EXPECT_NEAR(collide(pair, radius, 0.01).restitution, e, 1e-3);
    }
}

TEST(coefficients, stiffness_does_not_follow_the_mass) {
    const PairMaterial pair = with_itself(stuff(1));
    const double small = collide(pair, 0.005, 0.005).duration, large = collide(pair, 0.02, 0.02).duration;
    EXPECT_NEAR(large / small, 8, 0.05);  // the root of the ratio of the masses
}

TEST(coefficients, tangential_stiffness_is_two_sevenths_unless_given) {
    Material m = stuff();
    EXPECT_DOUBLE_EQ(both_views(with_itself(m), 0.01).tangential_stiffness, 2e4 * 2 / 7);
    EXPECT_DOUBLE_EQ(both_views(with_itself(m, 2), 0.01).tangential_stiffness, 2e4 / 3);
    m.contact.linear.stiffness_ratio = 0.5;
    EXPECT_DOUBLE_EQ(both_views(with_itself(m), 0.01).tangential_stiffness, 1e4);
    m.contact.linear.stiffness_ratio.reset();
    m.contact.linear.tangential_stiffness = 3e3;
    m.contact.linear.tangential_damping = 0.25;
    EXPECT_DOUBLE_EQ(both_views(with_itself(m), 0.01).tangential_stiffness, 3e3);
    EXPECT_DOUBLE_EQ(both_views(with_itself(m), 0.01).tangential_damping, 0.25);
}

// Surfaces that stick come to rest; the law with a stiffness and those with a contact_time.
TEST(tangential_restitution, of_zero_leaves_less_than_a_hundredth) {
    double left = 1;
    Material m = stuff(0.8);
    m.contact.tangential_restitution = 0;
    collide(with_itself(m), 0.01, 0.01, 0.1, &left);
    EXPECT_LT(std::fabs(left), 0.01);
    for_laws_that_take(&LawInputs::contact_time, [](auto law) {
        using Law = decltype(law);
        if (Law::kind == LawKind::walton) return;  // refused: the unloading would be infinitely stiff
        const PairMaterial pair = with_itself(material(0.8, 0, 1e9));
        PairHarness<Law> h(pair, Law::time_step(pair, {0.01, 0.01}).automatic);
        h.i = h.j = sphere(0.01, 2500);
        h.i.x = {0, 0, 0.02};
        h.i.v = {1e-4, 0, -1e-3};
        h.collide(0.5, 1);
        const Vec3 n = h.normal(), slip = h.i.v - h.j.v + cross(n, h.i.radius * h.i.w + h.j.radius * h.j.w);
        EXPECT_LT(std::fabs(slip.x), 0.01 * 1e-4);
    });
}

TEST(rolling_stiffness, is_the_torque_per_angle_and_squared_radius) {
    Material m = stuff();
    m.contact.rolling_friction = 1e9;
    m.contact.rolling_stiffness = 500;
    for (const double mass : {1e-3, 1.0}) {
        const RollingCoefficients c = calibrate_rolling(with_itself(m), 1e-3);
        ContactState state{};
        state.mass = mass;
        state.inverse_mass = 1 / mass;
        state.radius = 0.004;
        state.damping_weight = 1;
        double spring[3] = {0.01, 0, 0};  // turned by a hundredth, and at rest
        const RollingTorque torque = rolling_torque(c, state, 10, {0, 0, 0}, spring);
        EXPECT_NEAR(torque.x, -500 * 0.004 * 0.004 * 0.01, 1e-15);
        EXPECT_NEAR(rolling_energy(c, state.inverse_mass, state.radius, spring),
                    0.5 * 500 * 0.004 * 0.004 * 0.01 * 0.01, 1e-18);
    }
}

TEST(pair_of_materials, has_the_law_and_the_coefficients_that_it_says) {
    Material a = stuff(), b = stuff();
    b.name = "other";
    b.contact.linear.stiffness = 8e4;
    b.contact.linear.damping_rate = 40;
    EXPECT_DOUBLE_EQ(*combine(a, b, nullptr, 3).linear.stiffness, 4e4);
    EXPECT_DOUBLE_EQ(*combine(a, b, nullptr, 3).linear.damping_rate, 40) << "what only one says holds";
    EXPECT_EQ(combine(a, b, nullptr, 3).law, LawKind::hooke);
    EXPECT_EQ(combine(a, b, nullptr, 3, {LawKind::cohesive, 1e-3}).law, LawKind::cohesive);

    Interaction given;
    given.linear.damping = 3;
    EXPECT_DOUBLE_EQ(*combine(a, b, &given, 3).linear.damping, 3);
    EXPECT_FALSE(combine(a, b, &given, 3).linear.damping_rate) << "the pair says it in another way";
    given.law = LawKind::walton;
    EXPECT_EQ(combine(a, b, &given, 3).law, LawKind::walton);

    Interaction timed;
    timed.contact_time = 1e-4;
    EXPECT_EQ(combine(a, b, &timed, 3).law, LawKind::linear) << "a duration takes the place of the stiffness";
    a.contact.contact_time = 5e-4;
    EXPECT_EQ(combine(a, b, nullptr, 3).contact_time, 5e-4);
    Material c = a;
    c.contact.contact_time.reset();
    EXPECT_EQ(combine(c, c, nullptr, 3, {LawKind::linear, 7e-5}).contact_time, 7e-5);
}

}  // namespace
}  // namespace scree
