// Two grains, or a grain and a flat wall, moved exactly as the simulation moves them: velocity Verlet with predicted
// velocities, the contact state of the kernel, memory turned with the contact plane.
#pragma once

#include <algorithm>
#include <cmath>

#include "contact/at_point.h"
#include "contact/law.h"
#include "contact/pair_material.h"
#include "contact/rolling.h"
#include "math/elementary.h"
#include "math/vec.h"

namespace scree {

struct Body {
    double radius = 1, inverse_mass = 1, inverse_inertia = 2.5;
    Vec3 x, v, w;
    Vec3 acceleration, spin_acceleration;

    double kinetic() const {
        return inverse_mass == 0 ? 0 : 0.5 * norm2(v) / inverse_mass + 0.5 * norm2(w) / inverse_inertia;
    }
};

inline Body sphere(double radius, double density) {
    const double mass = density * 4 / 3 * pi * radius * radius * radius;
    return {radius, 1 / mass, 1 / (0.4 * mass * radius * radius), {}, {}, {}, {}, {}};
}
inline Body disc(double radius, double density) {
    const double mass = density * pi * radius * radius;
    return {radius, 1 / mass, 1 / (0.5 * mass * radius * radius), {}, {}, {}, {}, {}};
}
inline Body fixed(Body body) {
    body.inverse_mass = body.inverse_inertia = 0;
    return body;
}

template <class Law>
class PairHarness {
  public:
    Body i, j;
    bool wall = false;  // j is the half space x.wall_normal < 0 moving with j.v
    Vec3 wall_normal{0, 0, 1};
    Vec3 gravity;
    double dt;
    typename Law::Coefficients law;
    RollingCoefficients rolling;
    double memory[Law::memory] = {};
    double rolling_spring[3] = {};

    // Results.
    double work = 0;       // taken by the contact from the motion of the bodies
    double lost = 0;       // in the contact, by mechanism
    double longest = 0;    // largest overlap
    double strongest = 0;  // largest normal force
    double pushed = 0;     // time during which there was a normal force
    double overlap = -1;   // of the last step
    ContactForce force{};

    PairHarness(const PairMaterial& pair, double step) : dt(step), law(Law::calibrate(pair)) {}

    double kinetic() const { return i.kinetic() + j.kinetic(); }
    double inverse_mass() const { return i.inverse_mass + j.inverse_mass; }
    double radius() const { return wall ? i.radius : 1 / (1 / i.radius + 1 / j.radius); }
    Vec3 normal() const { return wall ? wall_normal : normalized(i.x - j.x); }
    double gap() const { return wall ? dot(i.x - j.x, wall_normal) - i.radius : norm(i.x - j.x) - i.radius - j.radius; }
    double elastic() const {
        if (!touches()) return 0;
        const Vec3 n = normal();
        ContactState state{};
        state.overlap = overlap;
        state.inverse_mass = inverse_mass();
        state.radius = radius();
        state.half_step = 0.5 * dt;
        return energy_at<Law, true>(law, rolling, state, in_plane(relative_velocity(), n), in_plane(i.w - j.w, n), 1,
                                    memory, rolling_spring);
    }
    Vec3 momentum() const { return (1 / i.inverse_mass) * i.v + (1 / j.inverse_mass) * j.v; }
    Vec3 angular_momentum() const {
        Vec3 sum;
        for (const Body* b : {&i, &j})
            sum += (1 / b->inverse_mass) * cross(b->x, b->v) + (1 / b->inverse_inertia) * b->w;
        return sum;
    }
    bool touching() const { return gap() < Law::reach(law, inverse_mass()); }

    void step() {
        for (Body* b : {&i, &j}) {
            b->v += 0.5 * dt * b->acceleration;
            b->w += 0.5 * dt * b->spin_acceleration;
            b->x += dt * b->v;
        }
        const Body half_i = i, half_j = j;
        for (Body* b : {&i, &j}) {
            b->v += 0.5 * dt * b->acceleration;
            b->w += 0.5 * dt * b->spin_acceleration;
        }
        const Torques t = interact();
        i = half_i;
        j = half_j;
        i.acceleration = i.inverse_mass * t.force + (i.inverse_mass > 0 ? gravity : Vec3{});
        j.acceleration = -j.inverse_mass * t.force + (j.inverse_mass > 0 ? gravity : Vec3{});
        i.spin_acceleration = i.inverse_inertia * t.on_i;
        j.spin_acceleration = j.inverse_inertia * t.on_j;
        for (Body* b : {&i, &j}) {
            b->v += 0.5 * dt * b->acceleration;
            b->w += 0.5 * dt * b->spin_acceleration;
        }
        // The trapezoid rule over the power at predicted velocities, as the kernel books it.
        work += 0.5 * dt * (power_ + t.power);
        power_ = t.power;
        // What is lost as the engine books it (SoftEngine::account).
        lost += force.slipped + (Law::loses_at_once ? t.lost : 0.5 * (lost_ + t.lost));
        lost_ = t.lost;
    }

    // Places i on its way to touch at a given phase of a step in [0, 1).
    void approach(double phase) {
        const Vec3 n = normal();
        i.x += (-phase * dt * dot(i.v - j.v, n) - gap()) * n;
    }
    // Runs until the bodies have met and parted, or `limit` has passed.
    void collide(double phase, double limit) {
        approach(phase);
        bool met = false;
        for (double t = 0; t < limit; t += dt) {
            step();
            met = met || touching();
            if (met ? !touching() : t > 3 * dt) break;
        }
    }

  private:
    struct Torques {
        Vec3 force, on_i, on_j;
        double power = 0, lost = 0;
    };
    double power_ = 0, lost_ = 0;

    bool touches() const { return overlap > (Law::may_pull ? -Law::reach(law, inverse_mass()) : 0); }
    double distance() const { return wall ? gap() + i.radius : norm(i.x - j.x); }
    double arm_i() const { return wall ? distance() : distance() * i.radius / (i.radius + j.radius); }
    double arm_j() const { return wall ? 0 : distance() * j.radius / (i.radius + j.radius); }
    // Of i at the point of contact.
    Vec3 relative_velocity() const { return i.v - j.v + cross(normal(), arm_i() * i.w + arm_j() * j.w); }

    Torques interact() {
        const Vec3 n = normal();
        overlap = -gap();
        const bool touching = overlap > -Law::reach(law, inverse_mass());
        bool lived = false;
        for (const double m : memory) lived = lived || m != 0;
        for (const double m : rolling_spring) lived = lived || m != 0;
        if (!touching && !lived) {
            force = {};
            return {};
        }
        const Vec3 v = relative_velocity();
        ContactState state;
        state.overlap = depth_of<Law>(overlap);
        state.approach = -dot(v, n);
        const Vec3 vt = v + state.approach * n;
        for (int k = 0; k < 3; ++k) state.vt[k] = vt[k];
        state.inverse_mass = inverse_mass();
        state.mass = 1 / state.inverse_mass;
        state.radius = radius();
        const bool first = overlap > 0 && overlap < state.approach * dt;
        state.half_step = 0.5 * dt;
        state.spring_time = first ? overlap / state.approach : 0.5 * dt;
        state.damping_weight = first ? 0.5 + overlap / state.approach / dt : 1;

        turn(memory, n);
        turn(rolling_spring, n);
        double left[Law::memory];
        std::copy_n(memory, Law::memory, left);
        force = Law::force(law, state, memory);
        const Vec3 ft{force.tangential[0], force.tangential[1], force.tangential[2]};
        const Vec3 w = i.w - j.w;
        const Vec3 rolled = w - dot(w, n) * n;
        const double rates[3] = {rolled.x, rolled.y, rolled.z};
        const RollingTorque r = rolling_torque(rolling, state, force.normal, rates, rolling_spring);
        const Vec3 resist{r.x, r.y, r.z};
        if (!touching) {
            Torques none;
            none.lost =
                left_behind<Law>(law, state.inverse_mass, left, lost_of(force, overlap, state.approach, dt)) + r.lost;
            const double slipped = force.slipped;
            for (double& m : memory) m = 0;
            for (double& m : rolling_spring) m = 0;
            force = {};
            force.slipped = slipped;
            return none;
        }
        longest = std::fmax(longest, overlap);
        strongest = std::fmax(strongest, force.normal);
        pushed += force.normal > 0 ? dt : 0;
        const double power = force.normal * state.approach - dot(ft, vt) - dot(resist, rolled);
        return {force.normal * n + ft, -arm_i() * cross(n, ft) + resist, -arm_j() * cross(n, ft) - resist, power,
                lost_of(force, overlap, state.approach, dt) + r.lost};
    }

    template <int N>
    static void turn(double (&m)[N], Vec3 n) {
        const double along = m[0] * n.x + m[1] * n.y + m[2] * n.z;
        m[0] -= along * n.x;
        m[1] -= along * n.y;
        m[2] -= along * n.z;
    }
};

// A material with the given contact values, its contact with itself.
inline Material material(double restitution, double tangential_restitution, double friction,
                         double contact_time = 1e-3) {
    Material m;
    m.name = "sand";
    m.contact.restitution = restitution;
    m.contact.tangential_restitution = tangential_restitution;
    m.contact.friction = friction;
    m.contact.contact_time = contact_time;
    m.contact.linear.stiffness = 4e4;  // read by law hooke alone
    return m;
}
inline PairMaterial with_itself(const Material& m, int dimension = 3) { return combine(m, m, nullptr, dimension); }

}  // namespace scree
