// Energies and speeds of the whole.
#include <algorithm>
#include <cmath>

#include "measure/container.h"

namespace scree {
namespace {

MeasureTable measure_energy(const Snapshot& s, const MeasureOptions&, Memory&) {
    EnergyReport e;
    if (s.energy) {
        e = *s.energy;
    } else {
        // A frame tells positions, velocities and spins; what contacts store and what was lost is in series.csv.
        e.elastic = e.dissipated = NAN;
        for (std::size_t k = 0; k < s.size(); ++k) {
            if (s.is_fixed(k)) continue;
            const double inertia = (s.dimension() == 2 ? 0.5 : 0.4) * s.mass[k] * s.radius[k] * s.radius[k];
            if (s.shape.empty()) {
                e.rotational += inertia * norm2(s.spin[k]) / 2;
            } else {
                const Vec3 w = matrix_of(s.orientation[k]).transposed_times(s.spin[k]);
                for (int axis = 0; axis < 3; ++axis)
                    e.rotational += s.mass[k] * s.inertia[k][axis] * w[axis] * w[axis] / 2;
            }
            e.kinetic += s.mass[k] * norm2(s.velocity[k]) / 2;
            e.potential -= s.mass[k] * dot(s.scene->gravity, s.position[k]);
        }
        e.kinetic += e.rotational;
        if (s.scene->gravity_turn) e.potential = NAN;
    }
    return {{{"kinetic", "J"}, {"rotational", "J"}, {"potential", "J"}, {"elastic", "J"}, {"dissipated", "J"}},
            {{e.kinetic, e.rotational, e.potential, e.elastic, e.dissipated}}};
}

// Ferrez 2001 section 4.6: largest and mean speed and spin.
MeasureTable measure_motion(const Snapshot& s, const MeasureOptions&, Memory&) {
    double most = 0, sum = 0, most_spin = 0, sum_spin = 0, mass = 0, moving = 0;
    Vec3 center, momentum;
    for (std::size_t k = 0; k < s.size(); ++k) {
        if (s.is_fixed(k)) continue;
        const double speed = norm(s.velocity[k]), spin = norm(s.spin[k]);
        most = std::max(most, speed);
        most_spin = std::max(most_spin, spin);
        sum += speed;
        sum_spin += spin;
        moving += 1;
        mass += s.mass[k];
        center += s.mass[k] * s.position[k];
        momentum += s.mass[k] * s.velocity[k];
    }
    const auto mean = [](double total, double weight) { return weight > 0 ? total / weight : NAN; };
    return {{{"mean_speed", "m/s"},
             {"max_speed", "m/s"},
             {"mean_spin", "rad/s"},
             {"max_spin", "rad/s"},
             {"x", "m"},
             {"y", "m"},
             {"z", "m"},
             {"vx", "m/s"},
             {"vy", "m/s"},
             {"vz", "m/s"}},
            {{mean(sum, moving), most, mean(sum_spin, moving), most_spin, mean(center.x, mass), mean(center.y, mass),
              mean(center.z, mass), mean(momentum.x, mass), mean(momentum.y, mass), mean(momentum.z, mass)}}};
}

}  // namespace

const MeasureKind energy_measure{.name = "energy",
                                 .doc = "kinetic, potential and elastic energy; in a scene: the energies of series.csv",
                                 .options = {},
                                 .take = measure_energy};
const MeasureKind motion_measure{.name = "motion",
                                 .doc = "mean and largest speed and spin, center of mass and its velocity",
                                 .options = {},
                                 .take = measure_motion};

}  // namespace scree
