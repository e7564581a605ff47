#include "engine/time_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "engine/contact_time.h"
#include "math/elementary.h"
#include "scree/error.h"
#include "setup/placing_radius.h"

namespace scree {
namespace {

void limit_by_contacts(Setting& s, const GrainSizes& sizes, const Press& press) {
    s.time_step.automatic = s.time_step.stable = s.time_step.possible = forever;
    std::vector<bool> is_wall(s.scene.materials.size(), false);
    for (const std::uint8_t m : s.walls.materials) is_wall[m] = true;
    for (const auto& [a, of_a] : sizes) {
        const GrainSize& size = of_a.smallest;
        for (std::size_t b = 0; b < s.scene.materials.size(); ++b) {
            const auto other = sizes.find(b);
            if (!is_wall[b] && other == sizes.end()) continue;
            GrainSize smaller =
                other != sizes.end() && other->second.smallest.mass < size.mass ? other->second.smallest : size;
            smaller.speed = press.speed;
            smaller.load = press.load;
            const TimeStepLimit limit = s.materials.time_step(a, b, smaller);
            s.time_step.stable = std::min(s.time_step.stable, limit.stable);
            s.time_step.possible = std::min(s.time_step.possible, limit.possible);
            if (limit.automatic < s.time_step.automatic) {
                s.time_step.automatic = limit.automatic;
                s.time_step.reason = limit.reason;
            }
        }
    }
    // A push at a corner meets less than the whole mass: contacts there are shorter.
    double share = 1;
    for (std::size_t k = 0; k < s.shapes->size(); ++k) share = std::min(share, s.shapes->least_share(k));
    if (share < 1 && s.time_step.automatic < forever) {
        s.time_step.automatic *= std::sqrt(share);
        s.time_step.stable *= std::sqrt(share);
        s.time_step.possible *= std::sqrt(share);
        s.time_step.reason +=
            fmt::format("; shortened by {:.3g} for pushes at the corners of the shapes", std::sqrt(share));
    }
}

// By something that does not depend on overlaps.
void limit_stability(Setting& s, double step) {
    s.time_step.stable = std::min(s.time_step.stable, step);
    s.time_step.possible = std::min(s.time_step.possible, step);
}

void limit_by_bonds(Setting& s) {
    // A lattice of bonds swings faster than any two of its spheres.
    for (const GrainGroup& group : s.scene.grains) {
        const GluedCluster* cluster = s.shapes->glued(ShapeTable::number_of(s.scene, group));
        for (const Material& material : s.scene.materials) {
            if (!cluster || material.name != group.material) continue;
            const double density = group.density.value_or(material.density);
            for (const double scale : {smallest_radius(group.scale), largest_radius(group.scale)}) {
                const BondRates rates = highest_rates(*cluster, scale, density, s.scene.dimension);
                limit_stability(s, 1 / (rates.swing / 1.6 + rates.damping / 0.9));
                if (0.2 / rates.swing < s.time_step.automatic) {
                    s.time_step.automatic = 0.2 / rates.swing;
                    s.time_step.reason = fmt::format(
                        "the glued shape \"{}\" swings with up to {:.3g} radians per second", group.shape, rates.swing);
                }
                if (0.25 < s.time_step.automatic * rates.damping) {
                    s.time_step.automatic = 0.25 / rates.damping;
                    s.time_step.reason = fmt::format("damping of the glued shape \"{}\" stops motions within {:.3g} s",
                                                     group.shape, 1 / rates.damping);
                }
            }
        }
    }
}

void limit_by_damping(Setting& s, double lightest, double least_inertia) {
    // Linear damping -c v on a mass m is stable below dt = m/c in this scheme, and accurate well below.
    const auto damp = [&](double coefficient, double inertia, const char* key) {
        if (!(coefficient > 0) || inertia == forever) return;
        limit_stability(s, 0.9 * inertia / coefficient);
        if (0.1 * inertia / coefficient >= s.time_step.automatic) return;
        s.time_step.automatic = 0.1 * inertia / coefficient;
        s.time_step.reason = fmt::format("simulation.{} = {:g} stops the lightest grain within {:.3g} s", key,
                                         coefficient, inertia / coefficient);
    };
    damp(s.scene.damping, lightest, "damping");
    damp(s.scene.rotation_damping, least_inertia, "rotation_damping");
}

// What contacts will have to bear is asked for only where a step is given.
Press press_on(const Setting& s, const GrainSizes& sizes) {
    if (!s.scene.time_step) return {forever, 0};
    const auto impact = estimate_impact(s.scene, s.world.grains, s.shapes.get());
    return impact ? hardest_press(*impact, sizes, s.scene) : Press{forever, 0};
}

}  // namespace

void choose_time_step(Setting& s) {
    const GrainSizes sizes = grain_sizes(s.scene, s.world.grains, s.shapes.get());
    double lightest = forever, least_inertia = forever;
    for (const auto& [material, each] : sizes) {
        const GrainSize& size = each.smallest;
        lightest = std::min(lightest, size.mass);
        least_inertia = std::min(least_inertia, s.motion.inertia_factor * size.mass * size.radius * size.radius);
    }
    limit_by_contacts(s, sizes, press_on(s, sizes));
    limit_by_bonds(s);
    limit_by_damping(s, lightest, least_inertia);
    if (s.time_step.automatic == forever) {  // nothing can touch
        s.time_step.automatic = s.scene.duration / 1000;
        s.time_step.stable = s.time_step.possible = s.time_step.automatic;
        s.time_step.reason = "no grain can touch anything: a thousandth of the duration";
    }
    // A resumed run may have lost the grains that set the step.
    if (s.world.automatic_step > 0) s.time_step.automatic = s.world.automatic_step;
    s.world.automatic_step = s.time_step.automatic;
    s.materials.set_automatic_step(s.time_step.automatic);
    // The law reaches farthest for the lightest pair.
    s.walls.law_reach = lightest < forever ? s.materials.reach(2 / lightest) : 0;
    s.time_step.value = s.scene.time_step.value_or(s.time_step.automatic);
    if (s.time_step.value > s.time_step.possible)
        throw Error(ErrorKind::bad_input, fmt::format("{}simulation.time_step = {:g} s is past stability: at most "
                                                      "{:.4g} s here, \"auto\" takes {:.4g} s ({})",
                                                      place_of(s.scene, s.scene.time_step_where), s.time_step.value,
                                                      s.time_step.possible, s.time_step.automatic, s.time_step.reason));
    if (s.time_step.value != s.time_step.automatic)
        s.time_step.reason =
            fmt::format("as given; \"auto\" takes {:.4g} s: {}", s.time_step.automatic, s.time_step.reason);
    s.world.time_step = s.motion.time_step = s.time_step.value;
}

// A duration of no steps, or of more than can be counted, is a slip of the pen in one of the two.
void check_duration(const Scene& scene, const TimeStepChoice& time_step) {
    const double steps = scene.duration / time_step.value;
    const auto refuse = [&](const std::string& what) {
        throw Error(
            ErrorKind::bad_input,
            fmt::format("{}simulation.duration = {:g} s {} (time step {:.4g} s: {})",
                        place_of(scene, scene.time_step_where.line ? scene.time_step_where : scene.simulation_where),
                        scene.duration, what, time_step.value, time_step.reason));
    };
    constexpr double most = 1e15;
    if (!(steps <= most)) refuse(fmt::format("takes {:.1e} steps; at most {:.0e} are possible", steps, most));
    if (steps < 1e-6) refuse("is no more than a millionth of a time step");
}

}  // namespace scree
