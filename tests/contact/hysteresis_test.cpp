// Laws that remember: reloading under Walton-Braun and the energy-controlled law, cohesion on the way out.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "contact/cohesive.h"
#include "contact/linear.h"
#include "contact/pair_harness.h"
#include "contact/pournin.h"
#include "contact/walton.h"

namespace scree {
namespace {

// A contact led through given overlaps, one after another, in small steps: force and work per unit effective mass.
template <class Law>
class Guided {
  public:
    explicit Guided(double restitution) : law_(Law::calibrate(with_itself(material(restitution, 1, 0)))) {}

    void to(double overlap, int steps = 2000) {
        const double from = overlap_;
        for (int k = 1; k <= steps; ++k) {
            const double next = k == steps ? overlap : from + (overlap - from) * k / steps;
            ContactState state{};
            state.overlap = next;
            state.approach = 0;  // infinitely slow
            state.inverse_mass = state.mass = state.damping_weight = 1;
            state.radius = 0.01;
            state.spring_time = state.half_step = 0;
            const double now = Law::force(law_, state, memory_).normal;
            work += 0.5 * (force + now) * (next - overlap_);
            force = now;
            overlap_ = next;
        }
    }
    double elastic() const { return Law::elastic_energy(law_, overlap_, 1, 0.01, memory_); }
    const typename Law::Coefficients& law() const { return law_; }

    double force = 0, work = 0;

  private:
    typename Law::Coefficients law_;
    double memory_[Law::memory] = {};
    double overlap_ = 0;
};

TEST(walton, reloads_along_the_unloading_line_and_then_yields_again) {
    Guided<WaltonLaw> contact(0.6);
    const double k2 = contact.law().stiffness, k1 = k2 * 0.36;
    contact.to(1e-4);
    EXPECT_NEAR(contact.force, k1 * 1e-4, 1e-12 * contact.force);
    const double first = contact.work;
    contact.to(8e-5);
    EXPECT_NEAR(contact.force, k1 * 1e-4 - k2 * 2e-5, 1e-9 * k1 * 1e-4);
    contact.to(1e-4);  // elastic loop: no loss
    EXPECT_NEAR(contact.work, first, 1e-9 * first);
    contact.to(2e-4);
    EXPECT_NEAR(contact.force, k1 * 2e-4, 1e-12 * contact.force);
    contact.to(0);
    EXPECT_NEAR(contact.work, (1 - 0.36) * 0.5 * k1 * 4e-8, 1e-3 * 0.5 * k1 * 4e-8);
    contact.to(1e-4);  // nothing is left of the first deformation
    EXPECT_NEAR(contact.force, k1 * 1e-4, 1e-12 * contact.force);
}

TEST(pournin, single_loading_returns_the_asked_share) {
    for (double e : {0.1, 0.3, 0.5, 0.8, 1.0}) {
        Guided<PourninLaw> contact(e);
        contact.to(1e-4);
        const double in = contact.work;
        EXPECT_NEAR(in, 0.5 * contact.law().loading * 1e-8, 1e-6 * in);
        contact.to(0);
        EXPECT_NEAR(contact.work, (1 - e * e) * in, 2e-3 * in) << e;
    }
}

// Reloading from half the force dissipates again, where Walton's law does not, and every reloading does.
TEST(pournin, each_reloading_dissipates_a_marginal_amount) {
    Guided<PourninLaw> contact(0.7);
    Guided<WaltonLaw> walton(0.7);
    contact.to(1e-4);
    walton.to(1e-4);
    const double in = contact.work;
    double last = in, least = 1e300, most = 0;
    for (int n = 0; n < 20; ++n) {
        contact.to(8.5e-5);
        walton.to(8.5e-5);
        contact.to(1e-4);
        walton.to(1e-4);
        const double marginal = contact.work - last;
        last = contact.work;
        least = std::fmin(least, marginal);
        most = std::fmax(most, marginal);
        EXPECT_NEAR(contact.force, contact.law().loading * 1e-4, 1e-9 * contact.force);  // no creep
    }
    EXPECT_GT(least, 1e-3 * in);
    EXPECT_LT(most, 0.05 * in);
    EXPECT_NEAR(walton.work, in, 1e-3 * in);
    // However often it was reloaded, what is left comes back: e^2 of a single loading.
    const double before = contact.work;
    contact.to(0);
    EXPECT_NEAR(before - contact.work, 0.49 * in, 5e-3 * in);
}

// A tremble of relative depth s under a steady load loses about (1 - e^2) of its own energy, not of the load's.
TEST(pournin, trembles_lose_a_share_of_their_own_energy) {
    for (double e : {0.5, 0.8})
        for (double depth : {0.02, 0.1, 0.3}) {
            Guided<PourninLaw> contact(e);
            const double k1 = contact.law().loading, k2 = contact.law().unloading;
            contact.to(1e-4);
            const double f = contact.force, swing = depth * f;
            contact.to(1e-4 - swing / k2);
            contact.to(1e-4);
            const double start = contact.work;
            contact.to(1e-4 - swing / k2);
            contact.to(1e-4);
            const double lost = (contact.work - start) / (0.5 * swing * swing / k2);
            EXPECT_GT(lost, 0.6 * (1 - e * e)) << e << " " << depth;
            EXPECT_LT(lost, 1.2 * (1 - e * e)) << e << " " << depth;
            EXPECT_NEAR(contact.force, k1 * 1e-4, 1e-9 * f);
        }
}

// Work put in never falls short of what is stored, along random paths.
template <class Law>
void expect_random_paths_passive(double restitution) {
    Guided<Law> contact(restitution);
    std::uint64_t seed = 12345;
    for (int n = 0; n < 3000; ++n) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        const double u = static_cast<double>(seed >> 40) / static_cast<double>(1 << 24);
        contact.to(u < 0.05 ? 0 : u * 1e-4, 40);
        ASSERT_GE(contact.force, 0);
        ASSERT_GE(contact.work, contact.elastic() * (1 - 1e-9)) << "turn " << n;
    }
}
TEST(walton, random_paths_are_passive) { expect_random_paths_passive<WaltonLaw>(0.5); }
TEST(pournin, random_paths_are_passive) {
    for (double e : {0.2, 0.5, 0.9, 1.0}) expect_random_paths_passive<PourninLaw>(e);
}

// A grain that comes to rest on the floor does: trembling dies out, overlap is that of its weight.
template <class Law>
void expect_rest(double overlap_factor) {
    const PairMaterial pair = with_itself(material(0.6, 1, 0.3));
    PairHarness<Law> h(pair, Law::time_step(pair, {0.01, 0.01}).automatic);
    h.i = sphere(0.01, 2500);
    h.j = fixed(h.i);
    h.wall = true;
    h.i.x = {0, 0, 0.01};
    h.i.v = {0, 0, -0.02};
    h.gravity = {0, 0, -9.81};
    for (double t = 0; t < 0.3; t += h.dt) h.step();
    EXPECT_LT(std::fabs(h.i.v.z), 1e-4);
    EXPECT_NEAR(h.force.normal * h.i.inverse_mass, 9.81, 0.5);
    EXPECT_LT(h.overlap, overlap_factor * 9.81 * 1e-6);
}
TEST(pournin, a_grain_comes_to_rest) { expect_rest<PourninLaw>(1.0); }
TEST(linear, a_grain_comes_to_rest) { expect_rest<LinearLaw>(1.0); }

// Rebound at e v against the pull: leaves with sqrt((e v)^2 - N^2/(k m*)), or stays.
TEST(cohesive, separation_costs_the_energy_of_the_pull) {
    Material m = material(0.8, 1, 0);
    m.contact.cohesion = 0.05;
    const PairMaterial pair = with_itself(m);
    for (double speed : {0.01, 0.02, 0.05, 0.2}) {
        PairHarness<CohesiveLaw> h(pair, 5e-7);
        h.i = sphere(0.005, 2500);
        h.j = sphere(0.01, 2500);
        h.i.x = {0, 0, 0.015};
        h.i.v = {0, 0, -speed};
        h.collide(0.5, 0.05);
        const double inverse_mass = h.inverse_mass(), k = h.law.stiffness / inverse_mass;
        const double left = 0.64 * speed * speed - m.contact.cohesion * m.contact.cohesion / k * inverse_mass;
        const double out = h.i.v.z - h.j.v.z;
        if (left > 0) {
            EXPECT_NEAR(out * out, left, 1e-3 * speed * speed) << speed;
            EXPECT_FALSE(h.touching());
        } else {
            EXPECT_TRUE(h.touching()) << speed;
            EXPECT_LT(std::fabs(out), 0.05 * speed);
        }
    }
}

// A grain hangs from a ceiling if its weight is below the cohesion, and falls if not.
TEST(cohesive, holds_a_weight_up_to_the_cohesion) {
    for (double share : {0.8, 1.2}) {
        Material m = material(0.5, 1, 0);
        const Body grain = sphere(0.005, 2500);
        m.contact.cohesion = 9.81 / grain.inverse_mass / share;
        const PairMaterial pair = with_itself(m);
        PairHarness<CohesiveLaw> h(pair, LinearLaw::time_step(pair, {0.005, 1}).automatic);
        h.i = grain;
        h.j = fixed(grain);
        h.wall = true;
        h.i.x = {0, 0, 0.005};
        // The weight is added slowly, pulling away from the wall.
        for (double t = 0; t < 0.2; t += h.dt) {
            h.gravity.z = 9.81 * std::fmin(1, t / 0.1);
            h.step();
        }
        EXPECT_EQ(h.touching(), share < 1) << share;
    }
}

TEST(cohesive, does_not_pull_on_the_way_in) {
    Material m = material(0.5, 1, 0.3);
    m.contact.cohesion = 0.1;
    PairHarness<CohesiveLaw> h(with_itself(m), 1e-6);
    h.i = sphere(0.005, 2500);
    h.j = sphere(0.005, 2500);
    const double reach = CohesiveLaw::reach(h.law, h.inverse_mass());
    EXPECT_GT(reach, 1e-7);
    h.i.x = {0, 0, 0.01 + 0.9 * reach};
    h.i.v = {0, 0, -1e-3};
    while (h.gap() > 0) {
        h.step();
        if (h.gap() > 0) {
            ASSERT_EQ(h.i.v.z, -1e-3);
        }
    }
}

}  // namespace
}  // namespace scree
