// The law at points of bodies as the kernels compute it, many lanes at a time, against the same written down plainly,
// point by point: random points on walls and between balls, every law, with rolling resistance and without. And the
// same bits from every instruction set; of free motion the same bits as one body by itself.
//
// Plain and vector code add and divide in different orders, so they agree to some roundings of the largest term.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "contact/all_laws.h"
#include "contact/materials.h"
#include "engine/kernels/body_kernel.h"
#include "engine/scenes.h"
#include "shape/rotation.h"
#include "ways.h"

namespace scree {
namespace {

using namespace scenes;

constexpr double rounding = 1e-12;
constexpr double time_step = 1e-5;

MaterialTable material_of(LawKind law, bool rolling) {
    Scene scene = empty(3, law);
    contact(scene).rolling_friction = rolling ? 0.1 : 0;
    contact(scene).tangential_restitution = 0.7;
    MaterialTable table(scene);
    table.set_automatic_step(time_step);
    return table;
}

// One law with the coefficients of one pair of materials, applied to one point at a time.
struct PlainPoint {
    Vec3 n, u, w;  // normal from b to a, velocity at the point and angular velocity of a relative to b
    double overlap, inverse_mass, radius, share, softer;
    bool fresh;
};
struct PlainForce {
    Vec3 force, couple;
    double power, slipped, pressed;
};
template <class Law>
PlainForce plain_force(const MaterialTable& materials, const PlainPoint& p, double* memory) {
    const auto& c = materials.coefficients_of<Law>(0);
    const double approach = -dot(p.u, p.n), root = std::sqrt(p.share);
    const Vec3 slip = p.u + approach * p.n;
    const auto turned = [&](double* spring) {
        const Vec3 s = Vec3{spring[0], spring[1], spring[2]} / root;
        return s - dot(s, p.n) * p.n;
    };
    ContactState state;
    state.overlap = p.overlap;
    state.approach = approach * p.softer;
    state.vt[0] = slip.x;
    state.vt[1] = slip.y;
    state.vt[2] = slip.z;
    state.inverse_mass = p.inverse_mass;
    state.mass = 1 / p.inverse_mass;
    state.radius = p.radius;
    state.half_step = state.spring_time = 0.5 * time_step;
    state.damping_weight = 1;
    if (p.fresh && p.overlap > 0 && p.overlap < approach * time_step) {
        state.spring_time = p.overlap / approach;
        state.damping_weight = 0.5 + p.overlap / approach / time_step;
    }
    double own[Law::memory];
    for (int m = 0; m < Law::memory; ++m) own[m] = memory[m];
    const Vec3 spring = turned(memory);
    own[0] = spring.x;
    own[1] = spring.y;
    own[2] = spring.z;
    const ContactForce f = Law::force(c, state, own);
    for (int m = 0; m < Law::memory; ++m) memory[m] = m < 3 ? own[m] * root : own[m];

    const Vec3 tangential{f.tangential[0], f.tangential[1], f.tangential[2]};
    PlainForce out;
    out.force = p.share * (f.normal * p.n + tangential);
    out.power = p.share * (f.normal * approach - dot(tangential, slip));
    out.slipped = p.share * f.slipped;
    double pressed[Law::memory];
    for (int m = 0; m < Law::memory; ++m) pressed[m] = m < 3 ? 0 : own[m];
    out.pressed = p.share * Law::elastic_energy(c, p.overlap, p.inverse_mass, p.radius, pressed);
    if (materials.rolling()) {
        const Vec3 roll = p.w - dot(p.w, p.n) * p.n, kept = turned(memory + Law::memory);
        double rolled[3] = {kept.x, kept.y, kept.z};
        const RollingTorque torque =
            rolling_torque(materials.rolling_coefficients()[0], state, f.normal, {roll.x, roll.y, roll.z}, rolled);
        out.couple = p.share * Vec3{torque.x, torque.y, torque.z};
        out.power -= dot(out.couple, roll);
        for (int m = 0; m < 3; ++m) memory[Law::memory + m] = rolled[m] * root;
    }
    return out;
}

// t J t of a moment.
double turning(const InertiaRow& j, Vec3 t) {
    return t.x * (j.xx * t.x + j.xy * t.y + j.xz * t.z) + t.y * (j.xy * t.x + j.yy * t.y + j.yz * t.z) +
           t.z * (j.xz * t.x + j.yz * t.y + j.zz * t.z);
}

InertiaRow random_inertia(Random& random) {
    // Of a sum of squares of three numbers: positive whatever they are.
    InertiaRow j;
    for (int k = 0; k < 3; ++k) {
        const Vec3 a = 4e4 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        j.xx += a.x * a.x * 1e-2;
        j.yy += a.y * a.y * 1e-2;
        j.zz += a.z * a.z * 1e-2;
        j.xy += a.x * a.y * 1e-2;
        j.xz += a.x * a.z * 1e-2;
        j.yz += a.y * a.z * 1e-2;
    }
    return j;
}

Vec3 random_vector(Random& random, double size) {
    return size * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

struct Case {
    LawKind law;
    bool rolling;
};
std::string name_of(const Case& each) { return scenes::name_of(each.law) + (each.rolling ? "_rolling" : ""); }
void PrintTo(const Case& each, std::ostream* out) { *out << name_of(each); }
class point_kernels : public testing::TestWithParam<Case> {};

// ---- Points on walls --------------------------------------------------------------------------------------------------

struct WallPointGiven {
    Vec3 p, n, v, w, wall;
    double overlap, radius, distance, weight;
    bool fresh;
    double memory[point_memory];
};
struct PatchGiven {
    double inverse_mass, near;
    InertiaRow inertia;
    std::vector<WallPointGiven> points;
};

template <class Law>
std::vector<PatchGiven> random_patches(Random& random, double reach) {
    std::vector<PatchGiven> patches;
    for (const int count : {1, 2, 4, 1, 7, 3, 12, 1, 5}) {
        PatchGiven patch;
        patch.inverse_mass = 1 / random.uniform(1e-5, 1e-3);
        patch.near = count % 2 ? 4e-3 : 0;
        patch.inertia = random_inertia(random);
        const Vec3 n = normalized(random_vector(random, 1)), v = random_vector(random, 0.3),
                   w = random_vector(random, 60);
        for (int k = 0; k < count; ++k) {
            WallPointGiven point;
            point.p = random_vector(random, 4e-3);
            point.n = n;
            point.v = v;
            point.w = w;
            point.wall = random_vector(random, 0.1);
            point.overlap = Law::may_pull ? random.uniform(-0.9 * reach, 1e-4) : random.uniform(1e-9, 1e-4);
            point.radius = random.uniform(5e-4, 2e-3);
            point.distance = point.radius - point.overlap;
            point.weight = count == 1 && random.uniform() < 0.5 ? 1 : random.uniform(0.2, 1);
            point.fresh = random.uniform() < 0.5;
            for (double& m : point.memory) m = point.fresh ? 0 : random.uniform(0, 2e-6);
            patch.points.push_back(point);
        }
        patches.push_back(patch);
    }
    return patches;
}

std::unique_ptr<PatchLanes> lanes_of(std::vector<PatchGiven>& patches) {
    auto lanes = std::make_unique<PatchLanes>();
    lanes->watched = true;
    std::size_t at = 0;
    for (PatchGiven& patch : patches) {
        const std::size_t number = lanes->patches++;
        lanes->first[number] = static_cast<std::uint32_t>(at);
        lanes->near[number] = patch.near;
        lanes->jxx[number] = patch.inertia.xx;
        lanes->jyy[number] = patch.inertia.yy;
        lanes->jzz[number] = patch.inertia.zz;
        lanes->jxy[number] = patch.inertia.xy;
        lanes->jxz[number] = patch.inertia.xz;
        lanes->jyz[number] = patch.inertia.yz;
        for (WallPointGiven& point : patch.points) {
            PatchLanes::put(lanes->px, lanes->py, lanes->pz, at, point.p);
            PatchLanes::put(lanes->nx, lanes->ny, lanes->nz, at, point.n);
            PatchLanes::put(lanes->vx, lanes->vy, lanes->vz, at, point.v);
            PatchLanes::put(lanes->wax, lanes->way, lanes->waz, at, point.w);
            PatchLanes::put(lanes->wbx, lanes->wby, lanes->wbz, at, point.wall);
            lanes->overlap[at] = point.overlap;
            lanes->radius[at] = point.radius;
            lanes->inverse_mass[at] = patch.inverse_mass;
            lanes->fresh[at] = point.fresh;
            lanes->distance[at] = point.distance;
            lanes->weight[at] = point.weight;
            lanes->kept[at] = point.memory;
            ++at;
        }
    }
    lanes->first[lanes->patches] = static_cast<std::uint32_t>(at);
    return lanes;
}

// Weights divided by the number of points near by, see shape/patch_weights.h.
std::vector<double> plain_weights(const PatchGiven& patch, double reach) {
    const auto& points = patch.points;
    std::vector<double> weights;
    for (const auto& a : points) {
        double crowd = 1;
        for (const auto& b : points) {
            if (&a == &b || points.size() == 1 || patch.near == 0) continue;
            const double gap = a.distance - b.distance,
                         closeness = 1 - (norm2(a.p - b.p) + gap * gap) / (patch.near * patch.near);
            const double da = a.overlap + reach, db = b.overlap + reach;
            if (closeness > 0) crowd += b.weight * closeness * (da > db ? std::fmax(db, 0) / da : 1);
        }
        weights.push_back(a.weight / crowd);
    }
    return weights;
}

TEST_P(point_kernels, points_on_walls_as_one_by_one) {
    const MaterialTable materials = material_of(GetParam().law, GetParam().rolling);
    with_law(GetParam().law, [&](auto law) {
        using Law = decltype(law);
        const double reach = Law::may_pull ? 2e-5 : 0, exponent = inputs_of(GetParam().law).elastic ? 1.5 : 2;
        const int width = Law::memory + (materials.rolling() ? rolling_memory : 0);
        const BodyKernel kernel = body_kernel();
        const PointLaw in{materials.law(0),
                          materials.rolling(),
                          materials.coefficients(0),
                          materials.rolling_coefficients(),
                          time_step,
                          exponent,
                          reach};
        Random random(20, static_cast<std::uint64_t>(GetParam().law));
        int sliding = 0, begun = 0;
        for (int trial = 0; trial < 40; ++trial) {
            std::vector<PatchGiven> plain = random_patches<Law>(random, reach), given = plain;
            const auto lanes = lanes_of(given);
            kernel.points(in, *lanes);
            std::size_t at = 0;
            for (std::size_t number = 0; number < plain.size(); ++number) {
                PatchGiven& patch = plain[number];
                const std::vector<double> weights = plain_weights(patch, reach);
                double fourth = 0, sum = 0;
                for (std::size_t k = 0; k < weights.size(); ++k)
                    fourth += weights[k] * std::pow(patch.points[k].overlap, 4);
                const double depth = std::pow(fourth, 0.25);
                std::vector<double> shares;
                Vec3 arm;
                for (std::size_t k = 0; k < weights.size(); ++k) {
                    const WallPointGiven& point = patch.points[k];
                    const bool alone = weights.size() == 1 && weights[k] == 1;
                    shares.push_back(alone || Law::may_pull ? weights[k]
                                                            : weights[k] * std::pow(point.overlap / depth, exponent));
                    sum += shares[k];
                    arm += shares[k] * cross(point.p, point.n);
                }
                double softer = 1 / std::sqrt(sum);
                if (Law::damped_by_mass)
                    softer *= std::sqrt(patch.inverse_mass / (patch.inverse_mass + turning(patch.inertia, arm / sum)));
                for (std::size_t k = 0; k < weights.size(); ++k, ++at) {
                    WallPointGiven& point = patch.points[k];
                    const PlainPoint p{point.n,
                                       point.v + cross(point.w, point.p) - point.wall,
                                       point.w,
                                       point.overlap,
                                       patch.inverse_mass,
                                       point.radius,
                                       shares[k],
                                       softer,
                                       point.fresh};
                    const PlainForce f = plain_force<Law>(materials, p, point.memory);
                    const Vec3 torque = cross(point.p, f.force) + f.couple;
                    const double size = norm(f.force) + 1e-9, speed = norm(p.u) + norm(p.w) * point.radius;
                    EXPECT_NEAR(lanes->share[at], shares[k], rounding);
                    EXPECT_LT(norm(Vec3{lanes->fx[at], lanes->fy[at], lanes->fz[at]} - f.force), rounding * size);
                    EXPECT_LT(norm(Vec3{lanes->tax[at], lanes->tay[at], lanes->taz[at]} - torque),
                              rounding * size * 1e-2);
                    EXPECT_NEAR(lanes->power[at], f.power, rounding * size * speed);
                    EXPECT_NEAR(lanes->slipped[at], f.slipped,
                                rounding * (std::fabs(f.slipped) + size * speed * time_step));
                    EXPECT_NEAR(lanes->pressed[at], f.pressed, rounding * (std::fabs(f.pressed) + size * 1e-4));
                    const double* const memory = given[number].points[k].memory;
                    for (int m = 0; m < width; ++m)
                        EXPECT_NEAR(memory[m], point.memory[m], rounding * (std::fabs(point.memory[m]) + 1e-6));
                    sliding += f.slipped != 0;
                    begun += point.fresh && point.overlap < -dot(p.u, point.n) * time_step;
                }
            }
        }
        EXPECT_GT(sliding, 40);
        EXPECT_GT(begun, 1);
    });
}

// ---- Balls of clumps --------------------------------------------------------------------------------------------------

// Bodies of two balls each, side by side along x in a period.
struct Clumps {
    static constexpr std::size_t count = 12;
    double period;
    std::vector<GrainRow> rows;
    std::vector<OmegaRow> omega;
    std::vector<InertiaRow> inertia;
    std::vector<BodyBall> balls;
    std::vector<Odometer> odometer;
    std::vector<BallPair> pairs;
    std::vector<double> marks, memory;
    std::vector<PairForce> forces;
    std::vector<std::uint8_t> has_force;
    std::size_t numbers, row;  // of memory, and with what else there is

    Clumps(Random& random, bool even, int width, double reach)
        : period(count * 5e-3),
          numbers(static_cast<std::size_t>(width)),
          row(ball_row(numbers)) {
        for (std::size_t g = 0; g < count; ++g) {
            const Vec3 v = random_vector(random, 0.3);
            rows.push_back({(static_cast<double>(g) + 0.5) * 5e-3, random.uniform(0, 1e-3), random.uniform(0, 1e-3),
                            4e-3, v.x, v.y, v.z, 1 / random.uniform(1e-5, 1e-3)});
            InertiaRow j = random_inertia(random);
            const double moment = random.uniform(1e6, 1e9);
            if (even) j = {moment, moment, moment, 0, 0, 0, {}};
            inertia.push_back(j);
            omega.push_back({random_vector(random, 60), moment});
            for (const double side : {-1.3e-3, 1.3e-3})
                balls.push_back({Vec3{side, 0, 0} + random_vector(random, 3e-4), random.uniform(1.1e-3, 1.5e-3)});
            Odometer way{};
            way.travelled = random.uniform(0, 1e-4);
            odometer.push_back(way);
        }
        for (std::uint32_t g = 0; g < count; ++g) {
            const std::uint32_t next = (g + 1) % count;
            for (std::uint32_t a = 0; a < 2; ++a)
                for (std::uint32_t b = 0; b < 2; ++b) pairs.push_back({g, next, 2 * g + a, 2 * next + b, g, 0});
        }
        marks.resize(pairs.size(), -forever);
        memory.resize(row * pairs.size() + 8);
        for (std::size_t p = 0; p < pairs.size(); ++p) {
            const bool touched = gap_of(p) < reach && random.uniform() < 0.5;
            for (int m = 0; m < width; ++m)
                memory[p * row + static_cast<std::size_t>(m)] = touched ? random.uniform(0, 2e-6) : 0;
            memory[p * row + static_cast<std::size_t>(width)] = touched;
        }
        // What is left of the last step, to be overwritten.
        forces.resize(count);
        for (PairForce& force : forces) force.on_a.fx = 1e9;
        has_force.resize(count);
    }

    BallBodies bodies(double reach, bool even) {
        return {rows.data(),  omega.data(), inertia.data(), balls.data(), odometer.data(), {period, 0, 0},  reach, even,
                pairs.data(), marks.data(), memory.data(),  numbers,      forces.data(),   has_force.data()};
    }
    // Of the center of body b from that of body a.
    Vec3 offset(const BallPair& pair) const {
        const GrainRow &a = rows[pair.a], &b = rows[pair.b];
        return {b.x - a.x - period * std::round((b.x - a.x) / period), b.y - a.y, b.z - a.z};
    }
    double gap_of(std::size_t p) const {
        const BallPair& pair = pairs[p];
        const BodyBall &a = balls[pair.ball_a], &b = balls[pair.ball_b];
        return norm(a.x - (offset(pair) + b.x)) - a.radius - b.radius;
    }
};

TEST_P(point_kernels, balls_of_clumps_as_one_by_one) {
    const MaterialTable materials = material_of(GetParam().law, GetParam().rolling);
    with_law(GetParam().law, [&](auto law) {
        using Law = decltype(law);
        const double reach = Law::may_pull ? 2e-5 : 0;
        const int width = Law::memory + (materials.rolling() ? rolling_memory : 0);
        const BodyKernel kernel = body_kernel();
        const PointLaw in{materials.law(0),
                          materials.rolling(),
                          materials.coefficients(0),
                          materials.rolling_coefficients(),
                          time_step,
                          2,
                          reach};
        Random random(21, static_cast<std::uint64_t>(GetParam().law));
        std::size_t touching = 0, all = 0;
        for (int trial = 0; trial < 40; ++trial) {
            const bool even = trial % 2;
            Clumps clumps(random, even, width, reach), plain = clumps;
            const BallBodies bodies = clumps.bodies(reach, even);
            auto lanes = std::make_unique<BallLanes>();
            BallSum sum;
            // In batches of all sizes.
            std::vector<std::uint32_t> batch;
            for (std::uint32_t next = 0, size = 1; next < clumps.pairs.size(); size = size % 31 + 5) {
                batch.clear();
                for (; next < clumps.pairs.size() && batch.size() < size; ++next) batch.push_back(next);
                kernel.balls(in, bodies, batch.data(), batch.size(), *lanes, sum);
            }

            std::vector<PairForce> forces(Clumps::count);
            double contacts = 0, ratio = 0;
            for (std::size_t p = 0; p < plain.pairs.size(); ++p) {
                const BallPair& pair = plain.pairs[p];
                const BodyBall &a = plain.balls[pair.ball_a], &b = plain.balls[pair.ball_b];
                const Vec3 offset = plain.offset(pair), between = a.x - (offset + b.x);
                const double distance = norm(between), overlap = a.radius + b.radius - distance;
                double* const memory = plain.memory.data() + p * plain.row;
                const bool touched = memory[width] > 0, touches = -overlap < reach;
                ++all;
                memory[width] = touches;
                if (!touches) {
                    for (int m = 0; m < width; ++m) memory[m] = 0;
                    EXPECT_NEAR(clumps.marks[p],
                                -overlap + plain.odometer[pair.a].travelled + plain.odometer[pair.b].travelled, 1e-16);
                } else {
                    EXPECT_EQ(clumps.marks[p], -forever);
                    contacts += 1;
                    ratio = std::fmax(ratio, overlap / std::fmin(a.radius, b.radius));
                    const GrainRow &ga = plain.rows[pair.a], &gb = plain.rows[pair.b];
                    const Vec3 n = between / distance, wa = plain.omega[pair.a].w, wb = plain.omega[pair.b].w,
                               at_a = a.x - distance * a.radius / (a.radius + b.radius) * n, at_b = at_a - offset,
                               u = Vec3{ga.vx - gb.vx, ga.vy - gb.vy, ga.vz - gb.vz} + cross(wa, at_a) -
                                   cross(wb, at_b);
                    const double inverse_mass = ga.inverse_mass + gb.inverse_mass,
                                 answers = inverse_mass + turning(plain.inertia[pair.a], cross(at_a, n)) +
                                           turning(plain.inertia[pair.b], cross(at_b, n));
                    const double softer = Law::damped_by_mass ? std::sqrt(inverse_mass / answers) : 1;
                    const PlainForce f =
                        plain_force<Law>(materials,
                                         {n, u, wa - wb, overlap, inverse_mass,
                                          a.radius * b.radius / (a.radius + b.radius), 1, softer, !touched},
                                         memory);
                    PairForce& out = forces[pair.body];
                    out.on_a.fx += f.force.x;
                    out.on_a.fy += f.force.y;
                    out.on_a.fz += f.force.z;
                    out.on_a.slipped += f.slipped;
                    const Vec3 ta = cross(at_a, f.force) + f.couple, tb = -1.0 * (cross(at_b, f.force) + f.couple);
                    out.on_a.tx += ta.x;
                    out.on_a.ty += ta.y;
                    out.on_a.tz += ta.z;
                    out.torque_b += tb;
                }
                for (int m = 0; m <= width; ++m)
                    EXPECT_NEAR(clumps.memory[p * plain.row + static_cast<std::size_t>(m)], memory[m],
                                rounding * (std::fabs(memory[m]) + 1e-6));
            }
            touching += static_cast<std::size_t>(contacts);
            EXPECT_EQ(sum.contacts, contacts);
            EXPECT_NEAR(sum.ratio, ratio, rounding);
            EXPECT_FALSE(sum.sunk);
            for (std::size_t body = 0; body < Clumps::count; ++body) {
                const ForceRow &got = clumps.forces[body].on_a, &want = forces[body].on_a;
                const double size = norm(Vec3{want.fx, want.fy, want.fz}) + 1e-9;
                EXPECT_TRUE(clumps.has_force[body]);
                EXPECT_LT(norm(Vec3{got.fx - want.fx, got.fy - want.fy, got.fz - want.fz}), rounding * size);
                EXPECT_LT(norm(Vec3{got.tx - want.tx, got.ty - want.ty, got.tz - want.tz}), rounding * size * 1e-2);
                EXPECT_LT(norm(clumps.forces[body].torque_b - forces[body].torque_b), rounding * size * 1e-2);
                EXPECT_NEAR(got.slipped, want.slipped, rounding * size);
            }
        }
        EXPECT_GT(touching, all / 8);
        EXPECT_LT(touching, all);
    });
}

// ---- Free motion ------------------------------------------------------------------------------------------------------

// Bodies in lanes move by the same bits as each by itself.
TEST(body_kernels, bodies_move_as_one_by_one) {
    Random random(23, 1);
    for (const std::string& set : instruction_sets())
        for (const bool even : {false, true})
            for (const std::size_t count : {1u, 2u, 5u, 8u, 31u, 32u}) {
                SCOPED_TRACE(set + ", " + std::to_string(count) + (even ? " of equal moments" : " bodies"));
                const UsingInstructionSet use(set);
                std::vector<GrainRow> rows(count);
                std::vector<AccelerationRow> last(count);
                std::vector<Vec3> momentum(count), inverse(count);
                std::vector<Quaternion> orientation(count);
                std::vector<SpinRow> spin(count);
                std::vector<Mat3> rotation(count);
                std::vector<InertiaRow> inertia(count);
                std::vector<OmegaRow> omega(count);
                for (std::size_t k = 0; k < count; ++k) {
                    const Vec3 x = random_vector(random, 0.1), v = random_vector(random, 1),
                               a = random_vector(random, 50), torque = random_vector(random, 1e-6),
                               q = random_vector(random, 1);
                    rows[k] = {x.x, x.y, x.z, 5e-3, v.x, v.y, v.z, k % 7 == 6 ? 0 : 1e4};
                    last[k] = {a.x, a.y, a.z, torque.x, torque.y, torque.z};
                    momentum[k] = random_vector(random, 1e-7);
                    const double moment = random.uniform(1e8, 1e9);
                    inverse[k] = even ? Vec3{moment, moment, moment}
                                      : Vec3{moment, random.uniform(1e8, 1e9), random.uniform(1e8, 1e9)};
                    orientation[k] = normalized(Quaternion{random.uniform(-1, 1), q.x, q.y, q.z});
                    rotation[k] = matrix_of(orientation[k]);
                    spin[k].inverse_radius = 1 / rows[k].radius;
                }
                const auto before = rows;
                const auto turned_from = orientation;
                const auto momentum_before = momentum;
                auto lanes = std::make_unique<TurnLanes>();
                body_kernel().move({time_step, even, rows.data(), last.data(), momentum.data(), orientation.data(),
                                    spin.data(), inverse.data(), rotation.data(), inertia.data(), omega.data()},
                                   0, count, *lanes);
                for (std::size_t k = 0; k < count; ++k) {
                    const GrainRow &from = before[k], &to = rows[k];
                    if (from.inverse_mass == 0) {
                        EXPECT_EQ(to.x, from.x);
                        EXPECT_EQ(to.vx, from.vx);
                        EXPECT_EQ(orientation[k], turned_from[k]);
                        EXPECT_EQ(momentum[k], momentum_before[k]);
                        continue;
                    }
                    const Vec3 a{last[k].x, last[k].y, last[k].z}, torque{last[k].rim_x, last[k].rim_y, last[k].rim_z},
                        x{from.x, from.y, from.z}, v{from.vx, from.vy, from.vz},
                        middle = momentum_before[k] + (0.5 * time_step) * torque,
                        after = momentum_before[k] + time_step * torque;
                    const Quaternion turned =
                        even ? turned_by(even_turn(middle, inverse[k].x, time_step), turned_from[k])
                             : turned_freely(turned_from[k], middle, inverse[k], time_step);
                    const Mat3 m = matrix_of(turned);
                    EXPECT_EQ((Vec3{to.x, to.y, to.z}), x + (time_step * v + (0.5 * time_step * time_step) * a));
                    EXPECT_EQ((Vec3{to.vx, to.vy, to.vz}), v + time_step * a);
                    EXPECT_EQ(momentum[k], after);
                    EXPECT_EQ(orientation[k], turned);
                    const Vec3 w = even ? inverse[k].x * after : angular_velocity(m, after, inverse[k]);
                    EXPECT_EQ(omega[k].w, w);
                    EXPECT_EQ((Vec3{spin[k].x, spin[k].y, spin[k].z}), from.radius * w);
                    for (int r = 0; r < 3; ++r) EXPECT_EQ(rotation[k].row[r], m.row[r]);
                    if (even) continue;
                    const SymmetricSix j = turned_inverse_inertia(m, inverse[k]);
                    EXPECT_EQ(inertia[k].xx, j.xx);
                    EXPECT_EQ(inertia[k].yy, j.yy);
                    EXPECT_EQ(inertia[k].zz, j.zz);
                    EXPECT_EQ(inertia[k].xy, j.xy);
                    EXPECT_EQ(inertia[k].xz, j.xz);
                    EXPECT_EQ(inertia[k].yz, j.yz);
                }
            }
}

// ---- Instruction sets -------------------------------------------------------------------------------------------------

TEST_P(point_kernels, every_instruction_set_gives_the_same_bits) {
    const MaterialTable materials = material_of(GetParam().law, GetParam().rolling);
    with_law(GetParam().law, [&](auto law) {
        using Law = decltype(law);
        const double reach = Law::may_pull ? 2e-5 : 0;
        const int width = Law::memory + (materials.rolling() ? rolling_memory : 0);
        const PointLaw in{materials.law(0),
                          materials.rolling(),
                          materials.coefficients(0),
                          materials.rolling_coefficients(),
                          time_step,
                          inputs_of(GetParam().law).elastic ? 1.5 : 2,
                          reach};
        std::vector<std::vector<double>> results;
        for (const std::string& set : instruction_sets()) {
            const UsingInstructionSet use(set);
            const BodyKernel kernel = body_kernel();
            Random random(22, static_cast<std::uint64_t>(GetParam().law));
            std::vector<double>& all = results.emplace_back();
            for (int trial = 0; trial < 10; ++trial) {
                std::vector<PatchGiven> patches = random_patches<Law>(random, reach);
                const auto lanes = lanes_of(patches);
                kernel.points(in, *lanes);
                for (std::size_t k = 0; k < lanes->first[lanes->patches]; ++k)
                    for (const double* each : {lanes->fx, lanes->fy, lanes->fz, lanes->tax, lanes->tay, lanes->taz,
                                               lanes->power, lanes->slipped, lanes->pressed})
                        all.push_back(each[k]);
                for (const PatchGiven& patch : patches)
                    for (const WallPointGiven& point : patch.points)
                        all.insert(all.end(), point.memory, point.memory + width);

                Clumps clumps(random, trial % 2, width, reach);
                auto ball_lanes = std::make_unique<BallLanes>();
                BallSum sum;
                std::vector<std::uint32_t> batch;
                for (std::uint32_t p = 0; p < 31; ++p) batch.push_back(p);
                kernel.balls(in, clumps.bodies(reach, trial % 2), batch.data(), batch.size(), *ball_lanes, sum);
                all.insert(all.end(), clumps.memory.begin(), clumps.memory.end());
                all.insert(all.end(), clumps.marks.begin(), clumps.marks.end());
                for (std::size_t body = 0; body < 8; ++body) {
                    const ForceRow& f = clumps.forces[body].on_a;
                    const Vec3 t = clumps.forces[body].torque_b;
                    for (const double value : {f.fx, f.fy, f.fz, f.tx, f.ty, f.tz, f.slipped, t.x, t.y, t.z})
                        all.push_back(value);
                }
            }
        }
        for (const auto& each : results) EXPECT_EQ(each, results[0]);
    });
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const LawKind law : all_laws)
        for (const bool rolling : {false, true}) cases.push_back({law, rolling});
    return cases;
}
INSTANTIATE_TEST_SUITE_P(laws, point_kernels, testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

}  // namespace
}  // namespace scree
