// One grain among fixed ones, moved as the simulation moves it.
#pragma once

#include <cmath>
#include <vector>

#include "contact/pair_harness.h"

namespace scree {

template <class Law>
class GrainAmong {
  public:
    Body grain;
    double dt;
    double elastic = 0;
    int contacts = 0;  // in the last step

    GrainAmong(const PairMaterial& pair, const Body& body, double step)
        : grain(body),
          dt(step),
          law_(Law::calibrate(pair)) {}

    void add(Vec3 center, double radius) { others_.push_back({center, radius, {}}); }

    void step() {
        grain.v += 0.5 * dt * grain.acceleration;
        grain.w += 0.5 * dt * grain.spin_acceleration;
        grain.x += dt * grain.v;
        const Vec3 v = grain.v + 0.5 * dt * grain.acceleration, w = grain.w + 0.5 * dt * grain.spin_acceleration;
        Vec3 force, torque;
        elastic = contacts = 0;
        for (Other& other : others_) {
            const double distance = norm(grain.x - other.center), sum = grain.radius + other.radius;
            if (distance >= sum) {
                other = {other.center, other.radius, {}};
                continue;
            }
            const double arm = distance * grain.radius / sum;
            const Vec3 n = normalized(grain.x - other.center), vc = v + cross(n, arm * w);
            ContactState state{};
            state.overlap = sum - distance;
            state.approach = -dot(vc, n);
            const Vec3 vt = vc + state.approach * n;
            for (int m = 0; m < 3; ++m) state.vt[m] = vt[m];
            state.inverse_mass = grain.inverse_mass;
            state.mass = 1 / grain.inverse_mass;
            state.radius = 1 / (1 / grain.radius + 1 / other.radius);
            const bool first = state.overlap < state.approach * dt;
            state.half_step = 0.5 * dt;
            state.spring_time = first ? state.overlap / state.approach : 0.5 * dt;
            state.damping_weight = first ? 0.5 + state.overlap / state.approach / dt : 1;
            const double along = other.memory[0] * n.x + other.memory[1] * n.y + other.memory[2] * n.z;
            for (int m = 0; m < 3; ++m) other.memory[m] -= along * n[m];
            const ContactForce f = Law::force(law_, state, other.memory);
            const Vec3 ft{f.tangential[0], f.tangential[1], f.tangential[2]};
            force += f.normal * n + ft;
            torque += -arm * cross(n, ft);
            elastic += Law::elastic_energy(law_, state.overlap, state.inverse_mass, state.radius, other.memory);
            ++contacts;
        }
        grain.acceleration = grain.inverse_mass * force;
        grain.spin_acceleration = grain.inverse_inertia * torque;
        grain.v += 0.5 * dt * grain.acceleration;
        grain.w += 0.5 * dt * grain.spin_acceleration;
    }

  private:
    struct Other {
        Vec3 center;
        double radius;
        double memory[Law::memory];
    };
    typename Law::Coefficients law_;
    std::vector<Other> others_;
};

}  // namespace scree
