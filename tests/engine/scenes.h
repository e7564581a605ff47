// Small scenes for the tests of the whole simulation, built in C++, and a few words to run them.
//
// Grains of 2 mm and a contact_time of 1 ms: steps of 20 us, impacts of up to half a metre per second stay below a
// tenth of a radius.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"
#include "engine/simulation.h"
#include "math/elementary.h"

namespace scree::scenes {

constexpr double g = 9.81;
constexpr double grain_radius = 2e-3;

constexpr std::array<LawKind, law_count> all_laws = [] {
    std::array<LawKind, law_count> all{};
    for (std::size_t k = 0; k < law_count; ++k) all[k] = law_list[k].kind;
    return all;
}();

std::string name_of(LawKind law);
Vec3 down(int dimension);

// One material, "stuff", gravity along -z (-y in 2D), nothing else.
Scene empty(int dimension = 3, LawKind law = LawKind::linear);

ContactValues& contact(Scene& scene);
GrainGroup group(const Scene& scene, double radius, Placing place);

// Adds one grain; its identity is the number of grains added before.
GrainGroup& add_grain(Scene& scene, Vec3 position, double radius = grain_radius, Vec3 velocity = {}, Vec3 spin = {});
Wall& add_wall(Scene& scene, std::string name, WallShape shape, bool outside = false);
Wall& add_floor(Scene& scene);
void add_region(Scene& scene, std::string name, RegionShape shape);
GrainGroup& fill_region(Scene& scene, const std::string& region, std::int64_t count, double radius = grain_radius);
GrainGroup& pour_region(Scene& scene, const std::string& region, double rate, std::int64_t count, Vec3 velocity = {},
                        double radius = grain_radius);

void run_until(Simulation& simulation, double time);

// The grain of an identity, with velocities of the end of the step.
struct GrainState {
    Vec3 position, velocity, spin;
    double radius, mass;
};
GrainState grain(Simulation& simulation, Index id);

double total_mass(Simulation& simulation);

// How well the account of energies closes: the drift of the total over what has passed through, the sum of the absolute
// changes of each term from sample to sample.
class EnergyAudit {
  public:
    explicit EnergyAudit(Simulation& simulation) : last_(simulation.energy()), first_(last_.total()) {}

    void sample(Simulation& simulation);
    double passed() const { return passed_; }
    double error() const { return drift_ / passed_; }

  private:
    EnergyReport last_;
    double first_, passed_ = 0, drift_ = 0;
};

EnergyAudit audited_run(Simulation& simulation, double time, int stride = 5);

// ---- Named scenes, for the energy account and the same bits ------------------------------------------------------------

// Grains thrown into a box at random; in 2D discs.
Scene box_of_grains(int dimension, LawKind law, std::int64_t count = 60);
Scene poured_bed(LawKind law);
// Poured through the borders of a periodic box.
Scene periodic_pour(LawKind law);
Scene vibrated_box(LawKind law, Wave wave = Wave::sine);
Scene rotating_drum(LawKind law);
// Grains fall through the hole of a disc in a tall box while gravity turns over.
Scene turning_gravity(LawKind law);
// Grains are poured onto a disc with a hole; what falls through leaves.
Scene pouring_and_outflow(LawKind law);
Scene damped_bed(LawKind law);
Scene pistons(LawKind law);
// Flow down an incline, periodic along it and across.
Scene periodic_chute(LawKind law);
// A settled bed drains when its floor opens; the grains leave.
Scene drained_box(LawKind law);
// Two materials, a wall of balls, fixed grains, rolling resistance.
Scene several_materials(LawKind law);
// Sizes from one to `ratio`.
Scene polydisperse(double ratio, LawKind law = LawKind::linear);

std::vector<std::pair<std::string, Scene>> all(LawKind law);

}  // namespace scree::scenes
