// One grain, through the whole simulation: falling, bouncing, sliding, rolling.
#include <gtest/gtest.h>

#include "engine/scenes.h"

namespace scree {
namespace {

using namespace scenes;

// So that a grain at rest sinks in by less than a thousandth of its radius.
void stiffen(Scene& scene) { scene.materials[0].young = scene.dimension == 3 ? 5e7 : 2e10; }

class motion_of : public testing::TestWithParam<LawKind> {};
class motion_in : public testing::TestWithParam<int> {};

TEST_P(motion_in, free_fall_is_a_parabola) {
    for (const Integrator integrator : {Integrator::verlet, Integrator::taylor}) {
        Scene scene = empty(GetParam());
        scene.integrator = integrator;
        const Vec3 x0{0.3, -0.2, GetParam() == 3 ? 0.1 : 0}, v0{0.7, 1.1, GetParam() == 3 ? 2.0 : 0};
        add_grain(scene, x0, grain_radius, v0, {0, 0, 5});
        Simulation simulation(scene);
        for (int k = 1; k <= 5; ++k) {
            run_until(simulation, 0.2 * k);
            const double t = simulation.time();
            const Vec3 x = x0 + t * v0 + 0.5 * t * t * down(GetParam()), v = v0 + t * down(GetParam());
            const GrainState now = grain(simulation, 0);
            EXPECT_LT(norm(now.position - x), 1e-11);
            EXPECT_LT(norm(now.velocity - v), 1e-11);
            EXPECT_NEAR(now.spin.z, 5, 1e-14);
        }
        const EnergyReport energy = simulation.energy();
        EXPECT_EQ(energy.elastic, 0);
        EXPECT_EQ(energy.dissipated, 0);
    }
}

// h_k = (h0 - r) e^(2k) + r. Weight acts during a contact too, which the formula leaves out: contacts are short here.
TEST_P(motion_of, bounce_series) {
    Scene scene = empty(3, GetParam());
    const double e = 0.8, h0 = 0.05;
    contact(scene).restitution = e;
    contact(scene).contact_time = 5e-5;
    if (inputs_of(GetParam()).coefficients) contact(scene).linear.stiffness = 3e5;
    contact(scene).cohesion = 0;
    scene.materials[0].young = 2e9;
    add_floor(scene);
    add_grain(scene, {0, 0, h0});
    Simulation simulation(scene);
    double expected = h0 - grain_radius, last = -1;
    int apex = 0;
    while (apex < 4) {
        simulation.step();
        const double v = grain(simulation, 0).velocity.z;
        if (last > 0 && v <= 0) {
            expected *= e * e;
            ++apex;
            EXPECT_NEAR(grain(simulation, 0).position.z - grain_radius, expected, 4e-3 * expected) << "bounce " << apex;
        }
        last = v;
        ASSERT_LT(simulation.time(), 1) << "the grain does not bounce";
    }
}

// Slip ends at t = u0 / (mu g (1 + 1/beta)), at u = u0 / (1 + beta), with I = beta m r^2: 2u0/(7 mu g) and 5u0/7 for
// spheres, u0/(3 mu g) and 2u0/3 for discs.
TEST_P(motion_in, slip_to_roll) {
    const double beta = GetParam() == 3 ? 0.4 : 0.5, u0 = 0.4, mu = 0.25;
    for (const LawKind law : all_laws) {
        Scene scene = empty(GetParam(), law);
        contact(scene).friction = mu;
        contact(scene).restitution = 0.1;
        contact(scene).contact_time = 3e-4;
        contact(scene).cohesion = 0;
        stiffen(scene);
        contact(scene).viscosity = 1e-4;
        add_floor(scene);
        const Vec3 up = (-1 / g) * down(GetParam());
        add_grain(scene, grain_radius * up, grain_radius, {u0, 0, 0});
        Simulation simulation(scene);
        const double end = u0 / (mu * g * (1 + 1 / beta));
        const auto slip = [&] {
            const GrainState s = grain(simulation, 0);
            return s.velocity.x + s.radius * cross(s.spin, -up).x;
        };
        run_until(simulation, 0.9 * end);
        EXPECT_NEAR(slip(), 0.1 * u0, 0.01 * u0) << name_of(law);
        EXPECT_NEAR(grain(simulation, 0).velocity.x, u0 - mu * g * simulation.time(), 2e-3 * u0) << name_of(law);
        run_until(simulation, 1.1 * end);
        EXPECT_NEAR(slip(), 0, 5e-3 * u0) << name_of(law);
        run_until(simulation, 2 * end);
        EXPECT_NEAR(grain(simulation, 0).velocity.x, u0 / (1 + beta), 2e-3 * u0) << name_of(law);
    }
}

// a = g sin / (1 + beta) if tan <= mu (1 + 1/beta), else g (sin - mu cos).
TEST_P(motion_in, rolling_on_incline) {
    const double beta = GetParam() == 3 ? 0.4 : 0.5, mu = 0.2;
    for (const LawKind law : all_laws)
        for (const double angle : {0.1, 0.4, 0.5, 0.7, 0.9}) {
            Scene scene = empty(GetParam(), law);
            const SinCos tilt = same_sincos(angle);
            scene.gravity =
                GetParam() == 3 ? Vec3{g * tilt.sin, 0, -g * tilt.cos} : Vec3{g * tilt.sin, -g * tilt.cos, 0};
            contact(scene).friction = mu;
            contact(scene).restitution = 0.2;
            contact(scene).contact_time = 3e-4;
            contact(scene).cohesion = 0;
            stiffen(scene);
            add_wall(scene, "slope", PlaneWall{{}, -down(GetParam())});
            add_grain(scene, (-grain_radius / g) * down(GetParam()));
            Simulation simulation(scene);
            run_until(simulation, 0.06);
            const double a =
                tilt.sin / tilt.cos <= mu * (1 + 1 / beta) ? g * tilt.sin / (1 + beta) : g * (tilt.sin - mu * tilt.cos);
            EXPECT_NEAR(grain(simulation, 0).velocity.x, a * simulation.time(), 5e-3 * a * simulation.time())
                << name_of(law) << " at " << angle;
        }
}

// A rolling grain slows down by mu_r g / (1 + beta) and stops; on an incline it is held while tan <= mu_r.
TEST_P(motion_in, rolling_resistance) {
    const double beta = GetParam() == 3 ? 0.4 : 0.5, mu_r = 0.1, u0 = 0.05;
    for (const LawKind law : all_laws) {
        Scene scene = empty(GetParam(), law);
        contact(scene).rolling_friction = mu_r;
        contact(scene).contact_time = 3e-4;
        contact(scene).restitution = 0.2;
        contact(scene).cohesion = 0;
        stiffen(scene);
        add_floor(scene);
        const Vec3 up = (-1 / g) * down(GetParam());
        add_grain(scene, grain_radius * up, grain_radius, {u0, 0, 0}, cross(up, Vec3{u0 / grain_radius, 0, 0}));
        Simulation rolling(scene);
        const double a = mu_r * g / (1 + beta), stop = u0 / a;
        run_until(rolling, 0.5 * stop);
        EXPECT_NEAR(grain(rolling, 0).velocity.x, 0.5 * u0, 0.01 * u0) << name_of(law);
        run_until(rolling, 2 * stop);
        EXPECT_NEAR(grain(rolling, 0).velocity.x, 0, 2e-3 * u0) << name_of(law);
        EXPECT_NEAR(grain(rolling, 0).position.x, 0.5 * u0 * stop, 0.01 * u0 * stop) << name_of(law);

        for (const double slope : {0.05, 0.2}) {
            Scene tilted = scene;
            tilted.grains[0].velocity = tilted.grains[0].spin = {};
            const double c = 1 / std::sqrt(1 + slope * slope);
            tilted.gravity = -g * c * up + Vec3{g * c * slope, 0, 0};
            Simulation simulation(tilted);
            run_until(simulation, 0.1);
            const double t = simulation.time(), a_down = slope <= mu_r ? 0 : (g * c * (slope - mu_r)) / (1 + beta);
            // Laws without a damper (Walton) go on trembling with the full weight, and creep by a few hundredths of
            // free rolling.
            const double free = 0.5 * g * c * slope / (1 + beta) * t * t;
            EXPECT_NEAR(grain(simulation, 0).position.x, 0.5 * a_down * t * t, 0.01 * grain_radius + 0.03 * free)
                << name_of(law) << " on a slope of " << slope;
        }
    }
}

// Linear damping: v = v0 exp(-c t/m) + terminal velocity; spin alike.
TEST_P(motion_in, linear_damping_is_exponential) {
    Scene scene = empty(GetParam());
    scene.gravity = {};
    add_grain(scene, {}, grain_radius, {1, 0, 0}, {0, 0, 10});
    Simulation probe(scene);
    const double mass = grain(probe, 0).mass,
                 inertia = (GetParam() == 3 ? 0.4 : 0.5) * mass * grain_radius * grain_radius;
    scene.damping = mass / 0.05;
    scene.rotation_damping = inertia / 0.1;
    Simulation simulation(scene);
    run_until(simulation, 0.1);
    EXPECT_NEAR(grain(simulation, 0).velocity.x, std::exp(-2.0), 1e-4);
    EXPECT_NEAR(grain(simulation, 0).spin.z, 10 * std::exp(-1.0), 1e-3);
    EXPECT_NEAR(simulation.energy().dissipated_damping / (0.5 * mass * (1 - std::exp(-4.0))), 1, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(dimensions, motion_in, testing::Values(2, 3),
                         [](const auto& each) { return std::to_string(each.param) + "d"; });
// A law with viscosity gives back what its speed of impact makes of it, not the restitution asked for.
std::vector<LawKind> laws_with_restitution() {
    std::vector<LawKind> laws;
    for (const LawKind law : all_laws)
        if (!inputs_of(law).viscosity) laws.push_back(law);
    return laws;
}

INSTANTIATE_TEST_SUITE_P(laws, motion_of, testing::ValuesIn(laws_with_restitution()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace scree
