#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "contact/both_views.h"
#include "contact/calibration.h"
#include "contact/materials.h"
#include "core/parallel.h"
#include "engine/grain_sizes.h"
#include "engine/remarks.h"
#include "engine/simulation.h"
#include "io/measure_file.h"
#include "io/run_cost.h"
#include "io/scene_file.h"
#include "io/start.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "scree/threads.h"
#include "shape/shape.h"

namespace scree::app {
namespace {

// How many spheres a shape is glued of, each a grain of its own; 0 for rigid ones.
std::size_t glued_spheres(const Simulation& simulation, const std::string& name) {
    for (const GrainShape& shape : simulation.scene().shapes)
        if (shape.name == name && shape.glue.law != Glue::Law::none) return shape.spheres.size();
    return 0;
}

// What was computed of the shapes, with how sure it is.
std::string shape_lines(const Simulation& simulation) {
    std::string text;
    const bool flat = simulation.scene().dimension == 2;
    for (const Shape* shape : simulation.shapes()) {
        if (shape == simulation.shapes().front()) continue;  // the unit sphere
        if (const std::size_t spheres = glued_spheres(simulation, shape->name)) {
            text += fmt::format("# shape '{}': {} glued spheres, each a grain\n", shape->name, spheres);
            continue;
        }
        const double v = shape->volume;
        text +=
            fmt::format("# shape '{}': {} {:.6g} {}, radii of gyration {:.6g}, {:.6g}, {:.6g} m, {}; {} piece{}{}\n",
                        shape->name, flat ? "area" : "volume", v, flat ? "m^2" : "m^3", std::sqrt(shape->inertia.x / v),
                        std::sqrt(shape->inertia.y / v), std::sqrt(shape->inertia.z / v),
                        shape->error > 0 ? fmt::format("by quadrature, relative error {:.1g}", shape->error) : "exact",
                        shape->pieces.size(), shape->pieces.size() == 1 ? "" : "s",
                        shape->filled > 0 ? fmt::format(" that fill hollows of up to {:.3g} m", shape->filled) : "");
    }
    return text;
}

nlohmann::ordered_json shape_list(const Simulation& simulation) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Shape* shape : simulation.shapes()) {
        if (shape == simulation.shapes().front()) continue;
        if (const std::size_t spheres = glued_spheres(simulation, shape->name)) {
            list.push_back({{"name", shape->name}, {"glued_spheres", spheres}});
            continue;
        }
        list.push_back({{"name", shape->name},
                        {"volume", shape->volume},
                        {"inertia", {shape->inertia.x, shape->inertia.y, shape->inertia.z}},
                        {"error", shape->error},
                        {"pieces", shape->pieces.size()},
                        {"filled", shape->filled},
                        {"lost", shape->lost}});
    }
    return list;
}

// Contacts of the grains of a material with the others, of the smallest and of the largest of them.
struct PairOfSizes {
    const PairMaterial& pair;
    const char* sizes;  // "smallest" or "largest"
    double radius;      // of both
    BothViews views;
};

std::vector<PairOfSizes> contacts_in_both_views(const MaterialTable& materials, const GrainSizes& sizes) {
    std::vector<PairOfSizes> out;
    for (const auto& [a, range] : sizes)
        for (std::size_t b = 0; b < materials.material_count(); ++b) {
            const PairMaterial& pair = materials.pair(a, b);
            if (!has_both_views(pair.law) || (b < a && sizes.contains(b))) continue;
            out.push_back({pair, "smallest", range.smallest.radius, both_views(pair, 0.5 * range.smallest.mass)});
            if (range.largest.mass > range.smallest.mass)
                out.push_back({pair, "largest", range.largest.radius, both_views(pair, 0.5 * range.largest.mass)});
        }
    return out;
}

std::vector<PairOfSizes> contacts_in_both_views(const Simulation& simulation, const MaterialTable& materials) {
    return contacts_in_both_views(
        materials, grain_sizes(simulation.scene(), simulation.world().grains, simulation.shape_table().get()));
}

MaterialTable materials_of(const Simulation& simulation) {
    const double chosen = simulation.contact_time().value;
    return chosen > 0 ? MaterialTable(simulation.scene(), chosen) : MaterialTable(simulation.scene());
}

std::string contact_lines(const Simulation& simulation) {
    std::string text;
    if (const ContactTimeChoice& time = simulation.contact_time(); time.value > 0)
        text += fmt::format(
            "# contact_time: {:g} s, chosen: {}. Twice as long takes half the steps and doubles the overlaps of "
            "impacts\n",
            time.value, time.reason);
    if (simulation.scene().engine != "soft") return text;
    const MaterialTable materials = materials_of(simulation);
    for (const PairOfSizes& each : contacts_in_both_views(simulation, materials)) {
        const BothViews& v = each.views;
        text += fmt::format(
            "# contact of {}, {} grains (radius {:.4g} m): stiffness {:.4g} N/m, damping {:.4g} N s/m or {:.4g} 1/s, "
            "tangential {:.4g} N/m, {:.4g} N s/m or {:.4g} 1/s; contact_time {:.4g} s, restitution {:.4g}, tangential "
            "{:.4g}\n",
            name_of(each.pair), each.sizes, each.radius, v.stiffness, v.damping, v.rate(), v.tangential_stiffness,
            v.tangential_damping, v.tangential_rate(), v.duration, v.restitution, v.tangential_restitution);
    }
    return text;
}

nlohmann::ordered_json contact_list(const Simulation& simulation) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    if (simulation.scene().engine != "soft") return list;
    const MaterialTable materials = materials_of(simulation);
    for (const PairOfSizes& each : contacts_in_both_views(simulation, materials)) {
        const BothViews& v = each.views;
        list.push_back({{"between", each.pair.name},
                        {"law", entry_of(each.pair.law).name},
                        {"sizes", each.sizes},
                        {"radius", each.radius},
                        {"effective_mass", v.mass},
                        {"stiffness", v.stiffness},
                        {"damping", v.damping},
                        {"damping_rate", v.rate()},
                        {"tangential_stiffness", v.tangential_stiffness},
                        {"tangential_damping", v.tangential_damping},
                        {"tangential_damping_rate", v.tangential_rate()},
                        {"contact_time", v.duration},
                        {"restitution", v.restitution},
                        {"tangential_restitution", v.tangential_restitution}});
    }
    return list;
}

// "12 MB"
std::string bytes_text(double bytes) {
    return bytes < 1e6 ? fmt::format("{:.0f} kB", std::ceil(1e-3 * bytes)) : short_number(bytes) + "B";
}

std::string time_text(double seconds) {
    return seconds < 1      ? "under a second"
           : seconds < 120  ? fmt::format("{:.0f} s", seconds)
           : seconds < 7200 ? fmt::format("{:.0f} min", seconds / 60)
                            : fmt::format("{:.1f} h", seconds / 3600);
}

std::string cost_lines(const RunCost& cost, int threads) {
    const std::string time =
        cost.seconds ? fmt::format(
                           "{} on this machine with {} thread{}, at the speed of the first steps; a dense bed is "
                           "up to three times slower",
                           time_text(*cost.seconds), threads, threads == 1 ? "" : "s")
                     : "cannot be told before there are grains";
    return fmt::format("# takes: {}\n# writes: about {} into the run folder, with {} frames\n", time,
                       bytes_text(cost.bytes), cost.frames);
}

std::string as_text(const std::string& scene_text, const Simulation& simulation) {
    const TimeStepChoice& step = simulation.time_step();
    const NeighborReport neighbors = simulation.neighbors();
    const double duration = simulation.scene().duration;
    return fmt::format(
        "{}\n{}{}# grains at the start: {}\n# time step: {:.4g} s, {}\n# steps: {} to t = {:.6g} s\n# neighbors: {}, "
        "{}\n",
        scene_text, shape_lines(simulation), contact_lines(simulation), simulation.world().grains.size(), step.value,
        step.reason, simulation.steps_until(duration), duration, neighbors.method, neighbors.reason);
}

nlohmann::ordered_json as_json(const std::string& scene_json, const Simulation& simulation) {
    const TimeStepChoice& step = simulation.time_step();
    const NeighborReport neighbors = simulation.neighbors();
    nlohmann::ordered_json out;
    out["scene"] = nlohmann::ordered_json::parse(scene_json);
    out["shapes"] = shape_list(simulation);
    out["contacts"] = contact_list(simulation);
    out["grains"] = simulation.world().grains.size();
    if (const ContactTimeChoice& time = simulation.contact_time(); time.value > 0) {
        out["contact_time"] = time.value;
        out["contact_time_reason"] = time.reason;
    }
    out["time_step"] = step.value;
    out["time_step_automatic"] = step.automatic;
    out["time_step_stable"] = step.stable;
    out["time_step_possible"] = step.possible;
    out["time_step_reason"] = step.reason;
    out["steps"] = simulation.steps_until(simulation.scene().duration);
    out["neighbors"] = {{"method", neighbors.method}, {"reason", neighbors.reason}};
    return out;
}

nlohmann::ordered_json cost_json(const RunCost& cost) {
    nlohmann::ordered_json out{{"frames", cost.frames}, {"bytes", cost.bytes}, {"grains_at_end", cost.grains_at_end}};
    out["seconds"] = cost.seconds ? nlohmann::ordered_json(*cost.seconds) : nlohmann::ordered_json();
    return out;
}

}  // namespace

int command_check(const Arguments& arguments) {
    std::string path;
    SceneReading how;
    bool json = false;
    Options options("check",
                    "Reads and checks a scene, and prints it with every default filled in, the number of grains, the "
                    "time step and why, and what the run will take.");
    options.argument("SCENE", path, "scene file, or - for standard input");
    options.repeated("--set", "KEY=VALUE", how.overrides, "change a key of the scene; may be given several times");
    options.flag("--json", json, "print one JSON document");
    if (!options.parse(arguments)) return 0;

    // Placing the grains finds what reading cannot: overlaps, regions too small, a time step past stability.
    const Scene scene = read_scene(path, how);
    set_thread_count(hardware_thread_count());
    std::optional<Simulation::Inherited> inherited = inherited_state(scene, {}, warn);
    const std::size_t from_there = inherited ? inherited->world.grains.size() : 0;
    std::optional<LongWorkDisplay> placing(json);
    Simulation simulation(scene, std::move(inherited));
    placing.reset();
    MeasureFiles::check(simulation);
    for (const std::string& remark : remarks(simulation)) warn(remark);
    if (const auto remark = start_remark(simulation, from_there)) warn(*remark);
    // What tells of the start comes before the first steps.
    const std::string scene_text = json ? write_scene_json(simulation.scene()) : write_scene(simulation.scene());
    nlohmann::ordered_json document = json ? as_json(scene_text, simulation) : nlohmann::ordered_json();
    const std::string text = json ? "" : as_text(scene_text, simulation);
    const RunCost cost = estimate_cost(simulation);
    document["estimate"] = cost_json(cost);
    print_result(json ? document.dump(2) + "\n" : text + cost_lines(cost, simulation.workers().count()));
    return 0;
}

}  // namespace scree::app
