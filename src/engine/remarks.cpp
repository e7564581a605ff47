#include "engine/remarks.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>
#include <variant>

#include "core/located.h"
#include "engine/impact_estimate.h"
#include "engine/placing_remarks.h"
#include "engine/simulation.h"
#include "engine/value_remarks.h"
#include "setup/periodic_walls.h"
#include "setup/placing_radius.h"
#include "shape/shape.h"

namespace scree {
namespace {

// Down to one digit: what one would write in a scene.
double rounded_down(double value) {
    const double unit = std::pow(10, std::floor(std::log10(value)));
    return std::floor(value / unit * (1 + 1e-12)) * unit;
}

std::optional<std::string> too_soft(const Simulation& simulation) {
    const Scene& scene = simulation.scene();
    if (scene.engine != "soft" || !inputs_of(scene.law).contact_time) return {};
    const auto impact = estimate_impact(scene, simulation.world().grains, simulation.shape_table().get());
    double given = 0;
    for (const Material& material : scene.materials) given = std::max(given, material.contact.contact_time.value_or(0));
    if (!impact || impact_overlap(*impact, given) <= scene.overlap_limit) return {};
    const double overlap = impact_overlap(*impact, given);
    const double wanted = rounded_down(given * std::min(0.1, 0.3 * scene.overlap_limit) / overlap);
    std::string materials;
    for (const Material& material : scene.materials)
        if (material.contact.contact_time > wanted)
            materials += fmt::format("{}[materials.{}]", materials.empty() ? "" : " and ", material.name);
    const std::string fall = impact->fall > 0 ? fmt::format("fall up to {:.2g} m and ", impact->fall) : "";
    return fmt::format(
        "grains are soft for their speed: they may {}meet at {:.2g} m/s, which contact_time = {:g} s turns into "
        "overlaps of {:.2g} of the smallest radius, {:.2g} m "
        "(overlap_limit is {:g}); contact_time = {:g} in {} keeps them small, and \"auto\" smaller",
        fall, impact->speed, given, overlap, impact->radius, scene.overlap_limit, wanted, materials);
}

// Keys that are read and have no effect beside others.
void tell_of_idle_keys(const Scene& scene, std::vector<std::string>& said) {
    for (const GrainGroup& group : scene.grains)
        if (group.fixed && (norm2(group.velocity) > 0 || norm2(group.spin) > 0))
            said.push_back(fmt::format(
                "{}grains '{}': `fixed` grains stay where they are: their `velocity` and `spin` are not used",
                place_of(scene, group.where), group.name));
    for (const GrainShape& shape : scene.shapes)
        if (shape.glue.law == Glue::Law::power && shape.glue.beta != Glue{}.beta)
            said.push_back(
                fmt::format("{}shape '{}': `glue.beta` is of the law \"potential\" and not used by \"power\"",
                            place_of(scene, shape.where), shape.name));
}

// What is described and then not used is often a slip in a name; not so where a run starts from the grains of another
// one, often with the scene of that.
void tell_of_unused(const Scene& scene, std::vector<std::string>& said) {
    if (scene.start_from) return;
    std::set<std::string> shapes, regions;
    for (const GrainShape& shape : scene.shapes)
        for (const ShapePart& part : shape.parts) shapes.insert(part.shape);
    if (scene.outflow_region) regions.insert(*scene.outflow_region);
    for (const GrainGroup& group : scene.grains) {
        shapes.insert(group.shape);
        std::visit(
            [&](const auto& place) {
                if constexpr (requires { place.region; }) regions.insert(place.region);
            },
            group.place);
    }
    for (const GrainShape& shape : scene.shapes)
        if (!shapes.contains(shape.name))
            said.push_back(fmt::format("{}no grains have the shape '{}'", place_of(scene, shape.where), shape.name));
    for (const Region& region : scene.regions)
        if (!regions.contains(region.name))
            said.push_back(fmt::format("{}nothing uses the region '{}'", place_of(scene, region.where), region.name));
}

}  // namespace

std::vector<std::string> remarks(const Simulation& simulation) {
    const Scene& scene = simulation.scene();
    std::vector<std::string> said;
    bool pours = false;
    double largest = 0;
    for (const GrainRow& row : simulation.world().grains.row) largest = std::max(largest, row.radius);
    for (const GrainGroup& group : scene.grains)
        if (std::holds_alternative<PourOverTime>(group.place)) {
            pours = true;
            largest = std::max(largest, largest_radius(group.radius));
        }
    if (simulation.world().grains.size() == 0 && !pours)
        said.emplace_back("no grain has been placed, and none will be poured: check regions, counts and probabilities");

    tell_of_unused(scene, said);
    tell_of_idle_keys(scene, said);
    tell_of_places(simulation, said);
    tell_of_values(simulation, said);
    if (auto remark = too_soft(simulation)) said.push_back(std::move(*remark));
    const TimeStepChoice& step = simulation.time_step();
    if (step.value > step.stable)
        said.push_back(fmt::format(
            "simulation.time_step = {:g} s is past the cautious limit of {:.4g} s, up to which a grain among "
            "twelve others is stable at any overlap: the run watches its energy account, and ends when "
            "it opens",
            step.value, step.stable));

    for (const Shape* shape : simulation.shapes()) {
        if (shape->filled > shape->may_fill)
            said.push_back(fmt::format(
                "shape '{}': its {} pieces fill hollows of up to {:.3g} m, deeper than its `tolerance` allows ({:.3g} "
                "m): cuts end there; give a larger `tolerance`, or join simpler meshes in a union",
                shape->name, shape->pieces.size(), shape->filled, shape->may_fill));
        if (shape->lost > 0)
            said.push_back(
                fmt::format("shape '{}': {:.2g} % of its volume is in pieces up to {:.3g} m thick, thinner than twice "
                            "the rounding radius, and nothing touches them; a smaller `radius` keeps them",
                            shape->name, 100 * shape->lost, shape->lost_thickness));
    }

    for (const auto& [wall, axis] : walls_cut_off(scene, largest))
        said.push_back(
            fmt::format("wall '{}' is cut off at a border of periodic.{}: walls of its kind are not repeated beyond "
                        "it, and grains that come round find themselves inside; "
                        "let it span the period or keep off its borders",
                        scene.walls[wall].name, "xyz"[axis]));
    return said;
}

}  // namespace scree
