#include "ways.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <ostream>

#include "core/instruction_set.h"
#include "core/parallel.h"

namespace scree {
namespace {

std::string exact(double value) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

Ending ending(Simulation& simulation) {
    Ending end;
    std::size_t at_walls = 0;
    double forces = 0;
    for (const ContactView& contact : simulation.contacts()) {
        ++end.contacts;
        at_walls += contact.wall >= 0;
        forces += norm(contact.force);
    }
    Vec3 load, torque;
    for (const WallReport& wall : simulation.walls()) {
        load += wall.force;
        torque += wall.torque;
    }
    const EnergyReport energy = simulation.energy();
    end.grains = simulation.world().grains.size();
    end.values = {{"state", simulation.hash()},
                  {"grains", std::to_string(end.grains)},
                  {"contacts", std::to_string(end.contacts)},
                  {"contacts_at_walls", std::to_string(at_walls)},
                  {"sum_of_contact_forces", exact(forces)},
                  {"load_of_walls", exact(norm(load))},
                  {"torque_of_walls", exact(norm(torque))},
                  {"largest_overlap", exact(simulation.world().max_overlap)},
                  {"kinetic", exact(energy.kinetic)},
                  {"rotational", exact(energy.rotational)},
                  {"potential", exact(energy.potential)},
                  {"elastic", exact(energy.elastic)},
                  {"dissipated", exact(energy.dissipated)},
                  {"sliding", exact(energy.dissipated_sliding)},
                  {"damping", exact(energy.dissipated_damping)},
                  {"wall_work", exact(energy.wall_work)},
                  {"gravity_work", exact(energy.gravity_work)},
                  {"poured", exact(energy.poured)},
                  {"removed", exact(energy.removed)}};
    return end;
}

}  // namespace

void PrintTo(const Ending& ending, std::ostream* out) {
    for (const auto& [name, value] : ending.values) *out << name << ' ' << value << ", ";
}

Ending run(Scene scene, std::int64_t steps, const Way& way) {
    set_thread_count(way.threads);
    scene.neighbors = way.neighbors;
    auto simulation = std::make_unique<Simulation>(scene);
    simulation->disturb_search(way.disturbance);
    for (std::int64_t k = 0; k < steps; ++k) {
        if (std::find(way.resumed_at.begin(), way.resumed_at.end(), k) != way.resumed_at.end()) {
            Simulation::Restart state{simulation->synchronised_world(), simulation->contact_memory()};
            simulation = std::make_unique<Simulation>(scene, std::move(state), simulation->group_names());
        }
        simulation->step();
        if (way.watched && k % 7 == 0) simulation->energy();
    }
    const Ending end = ending(*simulation);
    set_thread_count(1);
    return end;
}

std::vector<std::string> instruction_sets() {
    std::vector<std::string> sets;
    for (const char* name : {"baseline", "avx2", "avx512"}) {
        const UsingInstructionSet use(name);
        if (std::string(name_of(instruction_set())) == name) sets.push_back(name);
    }
    return sets;
}

UsingInstructionSet::UsingInstructionSet(const std::string& name) {
    if (const char* set = std::getenv("SCREE_ISA")) before_ = set;
    setenv("SCREE_ISA", name.c_str(), 1);
}

UsingInstructionSet::~UsingInstructionSet() {
    if (before_)
        setenv("SCREE_ISA", before_->c_str(), 1);
    else
        unsetenv("SCREE_ISA");
}

}  // namespace scree
