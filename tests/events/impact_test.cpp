// One collision, in closed form.
#include <gtest/gtest.h>

#include "gas.h"

namespace scree::events {
namespace {

// The law written down independently: in the plane, with angular velocities and moments of inertia, by the change of
// the velocities of the touching points.
struct Body {
    double m, r, i, vx, vy, w;
};
void collide_by_the_book(Body& a, Body& b, double nx, double ny, const ImpactLaw& law) {
    const double tx = -ny, ty = nx;
    // Points: a touches at -r n, b at +r n. A turn w moves the point -r n by w * (r ny, -r nx) = -w r (tx, ty).
    const double un = (a.vx - b.vx) * nx + (a.vy - b.vy) * ny;
    const double ut = (a.vx - b.vx) * tx + (a.vy - b.vy) * ty - a.w * a.r - b.w * b.r;
    const double normal = -(1 + law.restitution) * un / (1 / a.m + 1 / b.m);
    double side = -(1 + law.tangential_restitution) * ut / (1 / a.m + 1 / b.m + a.r * a.r / a.i + b.r * b.r / b.i);
    if (std::fabs(side) > law.friction * normal) side = std::copysign(law.friction * normal, side);
    a.vx += (normal * nx + side * tx) / a.m;
    a.vy += (normal * ny + side * ty) / a.m;
    b.vx -= (normal * nx + side * tx) / b.m;
    b.vy -= (normal * ny + side * ty) / b.m;
    a.w -= a.r * side / a.i;
    b.w -= b.r * side / b.i;
}

TEST(impact, two_discs_at_all_angles_and_spins_as_by_the_book) {
    for (const ImpactLaw law :
         {ImpactLaw{0.5, 0.3, 0.4, 0}, ImpactLaw{1, 1, 0.2, 0}, ImpactLaw{0.9, 1, 0, 0}, ImpactLaw{0.1, 0.7, 10, 0}})
        for (double angle = -1.4; angle < 1.5; angle += 0.35)
            for (const double spin_a : {-7.0, 0.0, 3.0})
                for (const double spin_b : {-2.0, 5.0}) {
                    Gas gas;
                    gas.setup.dimension = 2;
                    gas.setup.laws = {law};
                    const double ra = 0.3, rb = 0.7, ma = 2, mb = 0.5;
                    const double nx = std::cos(angle), ny = std::sin(angle);
                    // a flies along +x and meets b at rest with the normal (from b to a) at `angle` from -x.
                    const Vec3 n{-nx, -ny, 0};
                    HardGrain a = grain_at(Vec3{-1, 0, 0} * 2.0 + (ra + rb) * n, {2, 0, 0}, ra, ma),
                              b = grain_at({}, {}, rb, mb);
                    a.rim.z = spin_a * ra;
                    b.rim.z = spin_b * rb;
                    Body ba{ma, ra, 0.5 * ma * ra * ra, 2, 0, spin_a}, bb{mb, rb, 0.5 * mb * rb * rb, 0, 0, spin_b};
                    collide_by_the_book(ba, bb, n.x, n.y, law);
                    gas.grains = {a, b};
                    gas.start();
                    gas.run(1.01, 1.01);
                    EXPECT_EQ(gas.dynamics->report.collisions, 1) << angle;
                    EXPECT_NEAR(gas.grains[0].velocity.x, ba.vx, 1e-13);
                    EXPECT_NEAR(gas.grains[0].velocity.y, ba.vy, 1e-13);
                    EXPECT_NEAR(gas.grains[1].velocity.x, bb.vx, 1e-13);
                    EXPECT_NEAR(gas.grains[1].velocity.y, bb.vy, 1e-13);
                    EXPECT_NEAR(gas.grains[0].rim.z / ra, ba.w, 1e-12);
                    EXPECT_NEAR(gas.grains[1].rim.z / rb, bb.w, 1e-12);
                }
}

// The same in space: bodies with angular velocities, the touching points, and an impulse found by asking what each unit
// of it would do to the velocity between these points.
struct Sphere {
    Vec3 x, v, w;
    double m, r, i;
};
void collide_by_the_book(Sphere& a, Sphere& b, const ImpactLaw& law) {
    const Vec3 n = normalized(a.x - b.x), arm_a = -a.r * n, arm_b = b.r * n;
    const auto between = [&](const Sphere& p, const Sphere& q) {
        return p.v + cross(p.w, arm_a) - q.v - cross(q.w, arm_b);
    };
    const auto push = [&](Sphere& p, Sphere& q, Vec3 impulse) {
        p.v += impulse / p.m;
        p.w += cross(arm_a, impulse) / p.i;
        q.v -= impulse / q.m;
        q.w -= cross(arm_b, impulse) / q.i;
    };
    const auto answer = [&](Vec3 direction) {
        Sphere p = a, q = b;
        push(p, q, direction);
        return dot(between(p, q) - between(a, b), direction);
    };
    const Vec3 u = between(a, b), side = u - dot(u, n) * n;
    const double normal = -(1 + law.restitution) * dot(u, n) / answer(n);
    if (norm(side) == 0) return push(a, b, normal * n);
    const Vec3 s = normalized(side);
    const double tangential =
        std::min((1 + law.tangential_restitution) * norm(side) / answer(s), law.friction * normal);
    push(a, b, normal * n - tangential * s);
}

TEST(impact, two_spheres_at_all_angles_and_spins_as_by_the_book) {
    Random random(4, 0);
    for (const ImpactLaw law :
         {ImpactLaw{0.5, 0.3, 0.4, 0}, ImpactLaw{1, 1, 0.2, 0}, ImpactLaw{0.9, 1, 0, 0}, ImpactLaw{0.1, 0.7, 10, 0}})
        for (double tilt = 0; tilt < 1.5; tilt += 0.2)
            for (double turn = 0; turn < 6.3; turn += 0.7) {
                const auto vector = [&](double s) {
                    return Vec3{random.uniform(-s, s), random.uniform(-s, s), random.uniform(-s, s)};
                };
                // From b to a, `tilt` away from the direction they come from.
                const Vec3 n{std::cos(tilt), std::sin(tilt) * std::cos(turn), std::sin(tilt) * std::sin(turn)};
                Sphere a{{}, {-2, 0, 0}, vector(8), 1.7, 0.4, 0.4 * 1.7 * 0.4 * 0.4},
                    b{{}, {}, vector(8), 0.6, 0.7, 0.4 * 0.6 * 0.7 * 0.7};
                a.x = (a.r + b.r) * n;  // touching, at time 1
                Gas gas;
                gas.setup.laws = {law};
                HardGrain ga = grain_at(a.x - a.v, a.v, a.r, a.m), gb = grain_at({}, {}, b.r, b.m);
                ga.rim = a.r * a.w;
                gb.rim = b.r * b.w;
                gas.grains = {ga, gb};
                gas.start();
                gas.run(1.01, 1.01);
                collide_by_the_book(a, b, law);
                ASSERT_EQ(gas.dynamics->report.collisions, 1) << tilt << " " << turn;
                // A touch at a grazing angle magnifies the rounding of the start by the inverse of its cosine.
                const double bound = 1e-13 / std::cos(tilt);
                EXPECT_LT(norm(gas.grains[0].velocity - a.v), bound) << tilt << " " << turn;
                EXPECT_LT(norm(gas.grains[1].velocity - b.v), bound);
                EXPECT_LT(norm(gas.grains[0].rim / a.r - a.w), 10 * bound);
                EXPECT_LT(norm(gas.grains[1].rim / b.r - b.w), 10 * bound);
            }
}

TEST(impact, spheres_and_discs_off_a_tilted_wall_as_by_the_book) {
    // A wall is a body of infinite mass that does not turn.
    Random random(6, 0);
    for (const int dimension : {2, 3})
        for (int trial = 0; trial < 200; ++trial) {
            const ImpactLaw law{random.uniform(0.1, 1), random.uniform(0, 1), random.uniform(0, 1), 0};
            const auto vector = [&](double s) {
                return Vec3{random.uniform(-s, s), random.uniform(-s, s), dimension == 3 ? random.uniform(-s, s) : 0};
            };
            const Vec3 n = normalized(vector(1)), side = vector(3);
            Sphere a{0.3 * n, side - (dot(side, n) + random.uniform(0.2, 2)) * n, {}, 1.3,
                     0.3,     (dimension == 3 ? 0.4 : 0.5) * 1.3 * 0.09};
            a.w = dimension == 3 ? vector(9) : Vec3{0, 0, random.uniform(-9, 9)};
            Sphere wall{{}, vector(0.1), {}, 1e30, 0, 1e30};
            Gas gas;
            gas.setup.dimension = dimension;
            gas.setup.laws = {law};
            WallPiece piece;
            piece.normal = n;
            piece.velocity = wall.v;
            piece.offset = -0.5 * dot(n, wall.v);
            gas.walls = {piece};
            HardGrain grain = grain_at(a.x - 0.5 * a.v, a.v, a.r, a.m);
            grain.rim = a.r * a.w;
            gas.grains = {grain};
            gas.start();
            gas.run(0.6, 0.6);
            collide_by_the_book(a, wall, law);
            ASSERT_EQ(gas.dynamics->report.wall_collisions, 1) << trial;
            EXPECT_LT(norm(gas.grains[0].velocity - a.v), 1e-13) << trial;
            EXPECT_LT(norm(gas.grains[0].rim / a.r - a.w), 1e-12) << trial;
        }
}

TEST(impact, spheres_keep_momentum_and_angular_momentum_and_lose_what_the_account_says) {
    Random random(3, 0);
    for (int trial = 0; trial < 200; ++trial) {
        Gas gas;
        gas.setup.laws = {ImpactLaw{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0, 1), 0}};
        const auto vector = [&](double s) {
            return Vec3{random.uniform(-s, s), random.uniform(-s, s), random.uniform(-s, s)};
        };
        HardGrain a = grain_at(Vec3{-3, 0, 0} + vector(0.3), Vec3{3, 0, 0} + vector(0.2), 0.4, 1.7),
                  b = grain_at({}, vector(0.2), 0.6, 0.8);
        a.rim = vector(2);
        b.rim = vector(2);
        gas.grains = {a, b};
        gas.start();
        const auto angular = [&] {
            Vec3 sum;
            for (const HardGrain& g : gas.grains)
                sum += (cross(g.position, g.velocity) + 0.4 * g.radius * g.rim) / g.inverse_mass;
            return sum;
        };
        const Vec3 p = gas.momentum(), l = angular();
        const double e = gas.kinetic();
        gas.run(1.5, 1.5);
        ASSERT_EQ(gas.dynamics->report.collisions, 1) << trial;
        EXPECT_NEAR(norm(gas.momentum() - p), 0, 1e-13);
        EXPECT_NEAR(norm(angular() - l), 0, 1e-12);
        EXPECT_NEAR(e - gas.kinetic(), gas.dynamics->report.dissipated, 1e-12);
        EXPECT_GE(gas.dynamics->report.dissipated, -1e-15);
        EXPECT_LE(gas.dynamics->report.sliding, gas.dynamics->report.dissipated + 1e-15);
    }
}

TEST(impact, no_energy_is_gained_by_any_law) {
    Random random(5, 0);
    for (int trial = 0; trial < 100000; ++trial) {
        const ImpactLaw law{random.uniform(), random.uniform(), random.uniform(0, 3), random.uniform(0, 2)};
        const Vec3 u{-random.uniform(), random.uniform(-5, 5), random.uniform(-5, 5)};
        const Impact result = impact(law, {1, 0, 0}, u, random.uniform(0.1, 3), trial % 2 ? 0.4 : 0.5, trial % 3 == 0);
        ASSERT_GE(result.dissipated, -1e-14);
        ASSERT_GT(result.impulse.x, 0);
    }
}

TEST(impact, restitution_rises_to_one_for_slow_collisions) {
    const ImpactLaw law{0.6, 1, 0, 2.0};
    EXPECT_DOUBLE_EQ(restitution_at(law, 3), 0.6);
    EXPECT_DOUBLE_EQ(restitution_at(law, 2), 0.6);
    EXPECT_NEAR(restitution_at(law, 0.5), 1 - 0.4 * std::pow(0.25, 0.75), 1e-15);
    EXPECT_NEAR(restitution_at(law, 1e-12), 1, 1e-8);
}

TEST(impact, grains_bounce_off_walls_that_move) {
    // Elastic, against a wall coming at speed 1: v -> v + 2 (relative speed). With friction the tangential velocity of
    // the wall is taken over in part.
    Gas gas;
    gas.setup.dimension = 2;
    gas.setup.laws = {ImpactLaw{1, 1, 0, 0}};
    WallPiece wall;
    wall.normal = {0, 1, 0};
    wall.velocity = {5, 1, 0};
    gas.walls = {wall};
    gas.grains = {grain_at({0, 2, 0}, {0.3, -2, 0})};
    gas.start();
    gas.run(0.6, 0.6);  // gap 1.5 closes at 3
    EXPECT_NEAR(gas.grains[0].velocity.y, 4, 1e-14);
    EXPECT_NEAR(gas.grains[0].velocity.x, 0.3, 1e-14);
    EXPECT_NEAR(gas.grains[0].position.y, 2 - 2 * 0.5 + 4 * 0.1, 1e-14);
    EXPECT_NEAR(gas.dynamics->report.wall_work, 6, 1e-13);  // impulse 6 times wall speed 1

    gas.setup.laws = {ImpactLaw{1, 1, 0.1, 0}};
    gas.grains = {grain_at({0, 2, 0}, {0, -2, 0})};
    gas.start();
    gas.run(0.6, 0.6);
    EXPECT_NEAR(gas.grains[0].velocity.x, 0.1 * 6, 1e-14);
    EXPECT_NEAR(gas.grains[0].rim.z, 0.6 / 0.5, 1e-13);  // pushed along +x at its lowest point: turns anticlockwise
}

}  // namespace
}  // namespace scree::events
