#include "engine/families/patch_law.h"

#include <algorithm>
#include <cmath>

#include "contact/all_laws.h"
#include "contact/at_point.h"
#include "engine/kernels/kernel.h"

namespace scree {

// Of the shares of a patch, for which they are the gradient of the law's energy.
static double exponent_of(LawKind law) { return inputs_of(law).elastic ? 1.5 : 2; }

// Sets the shares of the points of one patch; returns what softens the speed of approach. The kernel of points on walls
// does the same.
template <bool Pulls>
double PatchLaw::share_forces(double exponent, LawPoint* points, int count) {
    // Of several laws one may reach farther: points that another one does not reach bear nothing.
    const auto depth = [](const LawPoint& p) { return Pulls || p.overlap > 0 ? p.overlap : 0; };
    // One point by itself has all of the force.
    if (count == 1 && points[0].weight == 1 && (Pulls || points[0].overlap > 0)) {
        points[0].force_share = 1;
        return 1;
    }
    double fourth = 0;
    for (int k = 0; k < count; ++k) {
        const double square = depth(points[k]) * depth(points[k]);
        fourth += points[k].weight * square * square;
    }
    const double inverse_depth = fourth > 0 ? 1 / std::sqrt(std::sqrt(fourth)) : 0;
    double sum = 0;
    for (int k = 0; k < count; ++k) {
        LawPoint& p = points[k];
        const double ratio = depth(p) * inverse_depth;
        p.force_share = Pulls ? p.weight : p.weight * (exponent == 2 ? ratio * ratio : ratio * std::sqrt(ratio));
        sum += p.force_share;
    }
    return 1 / std::sqrt(sum);
}

static double softer_off_center(const LawPoint* points, int count, const Touching& bodies) {
    const auto turning = [&](Vec3 center, const InertiaRow& j) {
        Vec3 arm;
        double sum = 0;
        for (int k = 0; k < count; ++k) {
            arm += points[k].force_share * cross(points[k].point - center, points[k].normal);
            sum += points[k].force_share;
        }
        const Vec3 t = arm / sum;
        return t.x * (j.xx * t.x + j.xy * t.y + j.xz * t.z) + t.y * (j.xy * t.x + j.yy * t.y + j.yz * t.z) +
               t.z * (j.xz * t.x + j.yz * t.y + j.zz * t.z);
    };
    return std::sqrt(bodies.inverse_mass / (bodies.inverse_mass + turning({}, *bodies.a) +
                                            (bodies.b ? turning(bodies.offset, *bodies.b) : 0)));
}

PointLaw PatchLaw::of_type(std::uint16_t type) const {
    return {materials_.law(type),
            materials_.rolling(),
            materials_.coefficients(type),
            materials_.rolling_coefficients() + type,
            time_step_,
            exponent_of(materials_.law(type)),
            reach(type)};
}

// `look`: as things are now, and nothing is stored.
template <class Law, bool Rolling>
void PatchLaw::apply_law(LawPoint* points, int count, const Touching& bodies, std::uint16_t type, Vec3 turn, bool look,
                         PatchSum& sum) const {
    const double dt = time_step_;
    const auto& c = materials_.coefficients_of<Law>(type);
    const RollingCoefficients& rolling = materials_.rolling_coefficients()[type];
    double softer = share_forces<Law::may_pull>(exponent_of(Law::kind), points, count);
    if constexpr (Law::damped_by_mass) softer *= softer_off_center(points, count, bodies);
    for (int k = 0; k < count; ++k) {
        LawPoint& p = points[k];
        const double share = p.force_share;
        if (!(share > 0)) {
            for (int m = 0; m < width_ && !look; ++m) p.memory[m] = 0;
            p.force = {};
            continue;
        }
        const double approach = -dot(p.velocity, p.normal);
        ContactState state;
        state.overlap = p.overlap;
        state.inverse_mass = bodies.inverse_mass;
        state.mass = 1 / bodies.inverse_mass;
        state.radius = 1 / p.inverse_radius;
        const bool begins = p.fresh && p.overlap > 0 && p.overlap < approach * dt;
        if (look)
            set_times_to_look(state, dt);
        else
            set_times(state, begins, p.overlap / approach, p.overlap / (approach * dt), dt);

        const double root = std::sqrt(share);
        double memory[Law::memory], spring[rolling_memory] = {};
        for (int m = 0; m < Law::memory; ++m) memory[m] = p.memory[m];
        for (int m = 0; Rolling && m < rolling_memory; ++m) spring[m] = p.memory[Law::memory + m];
        turn_spring(memory, root, p.normal);
        turn_spring(spring, root, p.normal);
        const auto press = [&] {
            sum.pressed += pressed_at<Law>(c, p.overlap, state.inverse_mass, state.radius, share, memory);
        };
        if (look) {
            press();
            p.elastic = energy_at<Law, Rolling>(c, rolling, state, slip_of(p.normal, p.velocity, approach),
                                                in_plane(turn, p.normal), share, memory, spring);
        }
        const PointForce f = act_at<Law, Rolling>(c, rolling, p.normal, p.velocity, turn, approach, share, softer,
                                                  state, memory, spring);
        if (!look) {
            if (sum.watch) press();
            keep_spring(memory, root);
            keep_spring(spring, root);
            for (int m = 0; m < Law::memory; ++m) p.memory[m] = memory[m];
            for (int m = 0; Rolling && m < rolling_memory; ++m) p.memory[Law::memory + m] = spring[m];
        }
        p.force = f.force;
        sum.force += f.force;
        sum.moment += cross(p.point, f.force);
        sum.couple += f.couple;
        sum.power += f.power;
        sum.power -= f.rolling_power;
        sum.slipped += f.slipped;
    }
}

// When a patch turns into another one, its energy jumps. What it stores beyond what it has taken from the bodies is not
// theirs to get: the forces are those of the part of the energy that has been paid for, and the contact gives back no
// more than it took. At least half of the force stays, so that a block that slides for long without friction does not
// sink. `taken` is below zero when it is not known.
double PatchLaw::paid_share(const PatchSum& sum, bool touched, double& taken, double& power) const {
    constexpr double least_share = 0.5;
    if (some_pulls_) return 1;
    if (!touched || taken < 0) {
        taken = sum.pressed;
        power = sum.power;
        return 1;
    }
    const double before = taken + 0.5 * power * time_step_;
    taken = before + 0.5 * sum.power * time_step_;
    double share = 1;
    if (taken < sum.pressed) {
        share = std::fmax(taken / sum.pressed, least_share);
        taken = std::fmax(before + 0.5 * share * sum.power * time_step_, least_share * sum.pressed);
    }
    power = share * sum.power;
    return share;
}

PatchLaw::PatchLaw(const MaterialTable& materials, double law_reach, double time_step)
    : materials_(materials),
      reach_(law_reach),
      time_step_(time_step),
      width_(law_memory_width(materials.laws(), materials.rolling())) {
    for (std::size_t type = 0; type < materials.type_count(); ++type)
        with_law(materials.law(type), [&](auto law) {
            using Law = decltype(law);
            pulls_.push_back(Law::may_pull);
            some_pulls_ = some_pulls_ || Law::may_pull;
            apply_.push_back(materials.rolling() ? &PatchLaw::apply_law<Law, true> : &PatchLaw::apply_law<Law, false>);
        });
}

}  // namespace scree
