// Elastic spheres: Hertz's closed forms, and the table of Chung and Ooi (2011), tests 1 and 2.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "contact/hertz.h"
#include "contact/pair_harness.h"

namespace scree {
namespace {

struct Impact {
    double overlap, force, duration;
};

Impact hertz(const PairHarness<HertzLaw>& h, const PairMaterial& pair, double speed) {
    const double e = pair.young_star, r = std::sqrt(h.radius());
    const double d = std::pow(15 * speed * speed / (16 * h.inverse_mass() * e * r), 0.4);
    return {d, 4.0 / 3 * e * r * std::pow(d, 1.5), 2.943275 * d / speed};
}

Impact strike(PairHarness<HertzLaw>& h) {
    h.collide(0.5, 1);
    return {h.longest, h.strongest, h.pushed};
}

void expect_near(const Impact& got, const Impact& want, double part) {
    EXPECT_NEAR(got.overlap, want.overlap, part * want.overlap);
    EXPECT_NEAR(got.force, want.force, part * want.force);
    EXPECT_NEAR(got.duration, want.duration, part * want.duration);
}

Material elastic(double young, double poisson, double density) {
    Material m = material(1, 1, 0);
    m.young = young;
    m.poisson = poisson;
    m.density = density;
    return m;
}

void two_spheres(const Material& m, const Impact& table) {
    const PairMaterial pair = with_itself(m);
    PairHarness<HertzLaw> h(pair, 1e-8);
    h.i = h.j = sphere(0.01, m.density);
    h.i.x = {0, 0, 0.02};
    h.i.v = {0, 0, -10};
    h.j.v = {0, 0, 10};
    const Impact closed = hertz(h, pair, 20);
    expect_near(closed, table, 1e-4);
    expect_near(strike(h), table, 1e-3);
}

void on_rigid_wall(const Material& m, const Impact& table) {
    Material rigid = m;
    rigid.young = 1e30;
    const PairMaterial pair = combine(m, rigid, nullptr, 3);
    PairHarness<HertzLaw> h(pair, 2e-7);
    h.i = sphere(0.1, m.density);
    h.j = fixed(h.i);
    h.wall = true;
    h.i.x = {0, 0, 0.1};
    h.i.v = {0, 0, -0.2};
    expect_near(hertz(h, pair, 0.2), table, 1e-4);
    expect_near(strike(h), table, 1e-3);
}

TEST(hertz_impact, glass_on_glass) { two_spheres(elastic(48e9, 0.20, 2800), {274.113e-6, 10696.9, 40.340e-6}); }
TEST(hertz_impact, limestone_on_limestone) { two_spheres(elastic(20e9, 0.25, 2500), {368.304e-6, 7108.24, 54.201e-6}); }
TEST(hertz_impact, aluminium_alloy_on_rigid_wall) {
    on_rigid_wall(elastic(70e9, 0.30, 2699), {49.717e-6, 11369.9, 731.66e-6});
}
TEST(hertz_impact, magnesium_alloy_on_rigid_wall) {
    on_rigid_wall(elastic(40e9, 0.35, 1800), {52.123e-6, 7232.68, 767.07e-6});
}

}  // namespace
}  // namespace scree
