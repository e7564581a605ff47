// The laws of contact: the one list of them. Scene files, the schema, docs/scene.md and messages follow from it, and so
// do the tests that run over all laws. A law itself is src/contact/NAME.h; src/contact/all_laws.h has the types in the
// order of this list. docs/laws.md describes them.
#pragma once

#include <cstddef>

namespace scree {

enum class LawKind { linear, walton, hertz, hertz_slip, kuwabara_kono, pournin, cohesive, hooke };

// What a law reads of a material besides restitution, friction and rolling_friction.
struct LawInputs {
    bool contact_time = false;
    bool elastic = false;  // young and poisson
    bool viscosity = false;
    bool cohesion = false;
    bool coefficients = false;  // stiffness, damping, ...
};

struct LawEntry {
    LawKind kind;
    const char* name;     // in scene files
    const char* meaning;  // one line
    LawInputs takes;
};

inline constexpr LawEntry law_list[] = {
    {LawKind::linear,
     "linear",
     "spring and dashpot, calibrated from contact_time and restitution",
     {.contact_time = true}},
    {LawKind::walton, "walton", "Walton and Braun: stiffer when unloading", {.contact_time = true}},
    {LawKind::hertz,
     "hertz",
     "Hertz, with Mindlin's tangential spring and Tsuji's damping; takes young and poisson",
     {.elastic = true}},
    {LawKind::hertz_slip,
     "hertz-slip",
     "hertz, softer towards the limit of friction as the rim of the contact slips (Mindlin and Deresiewicz)",
     {.elastic = true}},
    {LawKind::kuwabara_kono,
     "kuwabara-kono",
     "Hertz with the viscous term of Kuwabara and Kono; takes young, poisson and viscosity",
     {.elastic = true, .viscosity = true}},
    {LawKind::pournin,
     "pournin",
     "energy-controlled: each unloading chosen from what is still to be dissipated",
     {.contact_time = true}},
    {LawKind::cohesive,
     "cohesive",
     "linear, with a pull up to `cohesion` before grains part",
     {.contact_time = true, .cohesion = true}},
    {LawKind::hooke,
     "hooke",
     "spring and dashpot with the coefficients given: stiffness, damping, ...; what \"linear\" is where `stiffness` is "
     "given",
     {.coefficients = true}},
};
inline constexpr std::size_t law_count = sizeof law_list / sizeof law_list[0];

constexpr const LawEntry& entry_of(LawKind law) { return law_list[static_cast<std::size_t>(law)]; }
constexpr const LawInputs& inputs_of(LawKind law) { return entry_of(law).takes; }

}  // namespace scree
