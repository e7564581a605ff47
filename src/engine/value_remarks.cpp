#include "engine/value_remarks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "engine/simulation.h"
#include "math/elementary.h"
#include "scree/law_list.h"

namespace scree {
namespace {

// A value of a material or of a pair, and which laws read it.
struct LawValue {
    const char* key;
    bool given;  // as far as it can be told: it is not the default
    bool (*read_by)(const LawEntry&);
};

bool takes_contact_time(const LawEntry& law) { return law.takes.contact_time; }
bool takes_tangential_restitution(const LawEntry& law) { return law.takes.contact_time || law.takes.coefficients; }
bool takes_elastic(const LawEntry& law) { return law.takes.elastic; }
bool takes_viscosity(const LawEntry& law) { return law.takes.viscosity; }
bool takes_cohesion(const LawEntry& law) { return law.takes.cohesion; }
bool takes_restitution(const LawEntry& law) { return !law.takes.viscosity; }

// The laws of a scene, that of all pairs first.
std::vector<LawKind> laws_of(const Scene& scene) {
    std::vector<LawKind> laws{scene.law};
    for (const Interaction& i : scene.interactions)
        if (i.law) laws.push_back(*i.law);
    return laws;
}

void tell_of_idle(const Scene& scene, const std::vector<LawKind>& laws, Where where, const std::string& whose,
                  std::initializer_list<LawValue> values, std::vector<std::string>& said) {
    const auto is_read = [&](const LawValue& value) {
        return std::any_of(laws.begin(), laws.end(), [&](LawKind law) { return value.read_by(entry_of(law)); });
    };
    std::vector<std::string> idle, readers;
    for (const LawValue& value : values) {
        if (!value.given || is_read(value)) continue;
        idle.push_back(fmt::format("`{}`", value.key));
        for (const LawEntry& law : law_list)
            if (value.read_by(law) && std::find(readers.begin(), readers.end(), law.name) == readers.end())
                readers.emplace_back(law.name);
    }
    if (idle.empty()) return;
    said.push_back(fmt::format("{}{}: law \"{}\" does not use {}; {} of: {}", place_of(scene, where), whose,
                               entry_of(laws.front()).name, fmt::join(idle, " and "),
                               idle.size() == 1 ? "it is a value" : "they are values", fmt::join(readers, ", ")));
}

// Hard grains leave most values of the laws alone, so that one scene serves both engines.
void tell_of_idle_values(const Scene& scene, std::vector<std::string>& said) {
    if (scene.engine == "events") return;
    const Material usual;
    for (const Material& m : scene.materials) {
        const ContactValues &c = m.contact, &u = usual.contact;
        tell_of_idle(scene, laws_of(scene), m.where, fmt::format("material '{}'", m.name),
                     {{"young", m.young != usual.young, takes_elastic},
                      {"poisson", m.poisson != usual.poisson, takes_elastic},
                      {"contact_time", c.contact_time != u.contact_time, takes_contact_time},
                      {"tangential_restitution", c.tangential_restitution != u.tangential_restitution,
                       takes_tangential_restitution},
                      {"restitution", c.restitution != u.restitution, takes_restitution},
                      {"viscosity", c.viscosity != u.viscosity, takes_viscosity},
                      {"cohesion", c.cohesion != u.cohesion, takes_cohesion}},
                     said);
    }
    for (const Interaction& i : scene.interactions)
        tell_of_idle(scene, {i.law.value_or(scene.law)}, i.where,
                     fmt::format("interaction of '{}' and '{}'", i.first, i.second),
                     {{"contact_time", i.contact_time.has_value(), takes_contact_time},
                      {"tangential_restitution", i.tangential_restitution.has_value(), takes_tangential_restitution},
                      {"restitution", i.restitution.has_value(), takes_restitution},
                      {"viscosity", i.viscosity.has_value(), takes_viscosity},
                      {"cohesion", i.cohesion.has_value(), takes_cohesion}},
                     said);
}

void tell_of_friction(const Scene& scene, Where where, const std::string& whose, double friction,
                      std::vector<std::string>& said) {
    constexpr double most = 5;
    if (friction <= most) return;
    const std::string angle = friction < 90 ? fmt::format("; an angle of {:g} degrees is a friction of {:.3g}",
                                                          friction, std::tan(friction * pi / 180))
                                            : "";
    said.push_back(fmt::format("{}{}: friction = {:g} is a coefficient, and materials have 0.1 to 1{}",
                               place_of(scene, where), whose, friction, angle));
}

void tell_of_density(const Scene& scene, Where where, const std::string& whose, const char* key, double density,
                     std::vector<std::string>& said) {
    constexpr double least = 10, most = 25000;  // kg/m^3: foam, osmium
    if (density >= least && density <= most) return;
    said.push_back(fmt::format("{}{}: {} = {:g} is in kg/m^3: quartz has 2650, steel 7850{}", place_of(scene, where),
                               whose, key, density,
                               density < least ? fmt::format("; {:g} g/cm^3 are {:g}", density, 1000 * density) : ""));
}

void tell_of_modulus(const Scene& scene, const Material& material, std::vector<std::string>& said) {
    constexpr double least = 1e4, most = 2e12;  // Pa: jelly, diamond
    const double young = material.young;
    if (!takes_elastic(entry_of(scene.law)) || scene.engine == "events" || (young >= least && young <= most)) return;
    said.push_back(fmt::format("{}material '{}': young = {:g} is in Pa: glass has 7e10, rubber 1e7{}",
                               place_of(scene, material.where), material.name, young,
                               young < least ? fmt::format("; {:g} GPa are {:g}", young, 1e9 * young) : ""));
}

// A scene in millimetres falls as on a planet a thousand times as large: only the weight gives it away.
void tell_of_lengths(const Simulation& simulation, std::vector<std::string>& said) {
    constexpr double large = 0.5, earth_low = 9, earth_high = 10.5;
    const double weight = norm(simulation.scene().gravity);
    double smallest = HUGE_VAL;
    for (const GrainRow& row : simulation.world().grains.row) smallest = std::min(smallest, row.radius);
    if (!(smallest >= large && smallest < HUGE_VAL) || weight < earth_low || weight > earth_high) return;
    said.push_back(
        fmt::format("the smallest grain has a radius of {:g} m, under the weight of the earth: lengths are in "
                    "metres; {:g} mm are {:g}",
                    smallest, smallest, 1e-3 * smallest));
}

void tell_of_intervals(const Simulation& simulation, std::vector<std::string>& said) {
    const Scene& scene = simulation.scene();
    if (scene.engine == "events") return;
    const double step = simulation.time_step().value, usual_frames = scene.duration / 100;
    for (const auto& [key, interval] :
         {std::pair("frames", scene.frame_interval), std::pair("series", scene.series_interval),
          std::pair("checkpoint", scene.checkpoint_interval), std::pair("measure_every", scene.measure_interval)})
        if (interval > 0 && interval < step && interval != usual_frames)
            said.push_back(
                fmt::format("output.{} = {:g} s is shorter than the time step, {:.3g} s: there is one at "
                            "every step, and no more",
                            key, interval, step));
}

}  // namespace

void tell_of_values(const Simulation& simulation, std::vector<std::string>& said) {
    const Scene& scene = simulation.scene();
    tell_of_idle_values(scene, said);
    for (const Material& m : scene.materials) {
        const std::string whose = fmt::format("material '{}'", m.name);
        tell_of_modulus(scene, m, said);
        tell_of_friction(scene, m.where, whose, m.contact.friction, said);
        tell_of_density(scene, m.where, whose, "density", m.density, said);
    }
    for (const Interaction& i : scene.interactions)
        if (i.friction)
            tell_of_friction(scene, i.where, fmt::format("interaction of '{}' and '{}'", i.first, i.second),
                             *i.friction, said);
    for (const GrainGroup& group : scene.grains)
        if (group.density)
            tell_of_density(scene, group.where, fmt::format("grains '{}'", group.name), "density_of", *group.density,
                            said);
    tell_of_lengths(simulation, said);
    tell_of_intervals(simulation, said);
}

}  // namespace scree
