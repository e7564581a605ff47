// Two things press grains into each other: impacts and loads.
//
// An impact at speed v presses two equal grains in by v t_c / pi, and a grain of the mass M that falls on grains of the
// mass m by sqrt(M/(2 n m)) times that, where n of their contacts share it: 4, as in a bed of a few layers. The speed
// is that of the deepest free fall, which few grains have; that a falling column presses its lowest contacts in by
// sqrt(2) times as much is left to it.
//
// A load F presses a contact in by F/k, k = m* (pi/t_c)^2: the pressure p on the square around a grain, several times
// that where chains of force carry it, or the weight of the heaviest grain on one of the lightest.
//
// Rejected: a time for each pair of sizes, which would leave the stiffness to follow the reduced mass no longer; to
// measure overlaps on the way and stiffen the contacts, which would make the force depend on the past.
#include "engine/contact_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "math/elementary.h"

namespace scree {
namespace {

constexpr double target = 0.02;      // overlap, of the smallest radius
constexpr double uneven_impact = 2;  // of the most loaded contact to the estimate
constexpr double uneven_load = 4;

// To two digits, as one would write it in a scene. By way of text, which rounds alike everywhere.
double rounded(double value) {
    const std::string text = fmt::format("{:.1e}", value);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

bool is_open(const Setting& s, const GrainSizes& sizes) {
    return std::any_of(sizes.begin(), sizes.end(),
                       [&](const auto& each) { return s.materials.leaves_contact_time_open(each.first); });
}

ContactTimeChoice choice_of(const Setting& s, const GrainSizes& sizes) {
    const auto impact = estimate_impact(s.scene, s.world.grains, s.shapes.get());
    const double fallback = PairDefaults{}.contact_time;
    if (!impact) return {fallback, "nothing can meet"};
    const Press press = hardest_press(*impact, sizes, s.scene);
    double mass = forever;
    for (const auto& [material, each] : sizes) mass = std::min(mass, each.smallest.mass);
    const double deep = target * impact->radius;
    const double by_impact = press.speed > 0 ? pi * deep / press.speed : forever,
                 by_load = press.load > 0 ? pi * std::sqrt(deep * 0.5 * mass / press.load) : forever,
                 least = std::min(by_impact, by_load);
    if (least == forever) return {fallback, "nothing moves, and nothing presses"};
    const std::string fall = impact->fall > 0 ? fmt::format("fall up to {:.2g} m and ", impact->fall) : "";
    const std::string why = by_impact <= by_load ? fmt::format("grains may {}meet at {:.2g} m/s", fall, impact->speed)
                                                 : fmt::format("contacts may bear {:.2g} N", press.load);
    return {rounded(least), fmt::format("{}; overlaps stay near {:g} % of the smallest radius, {:.2g} m", why,
                                        100 * target, impact->radius)};
}

}  // namespace

Press hardest_press(const ImpactEstimate& impact, const GrainSizes& sizes, const Scene& scene) {
    double least = forever, most = 0;
    for (const auto& [material, each] : sizes) {
        least = std::min(least, each.smallest.mass);
        most = std::max(most, each.largest.mass);
    }
    if (!(most > 0)) return {};
    const double heavier = std::sqrt(std::max(1.0, most / (8 * least)));
    const double width = 2 * impact.radius, area = scene.dimension == 3 ? width * width : width;
    return {heavier * impact.speed, std::max(uneven_load * impact.pressure * area, most * norm(scene.gravity))};
}

void choose_contact_time(Setting& s) {
    const GrainSizes sizes = grain_sizes(s.scene, s.world.grains, s.shapes.get());
    if (!is_open(s, sizes)) return;
    if (s.world.contact_time > 0)
        s.contact_time = {s.world.contact_time, "as chosen at the start of the run"};
    else
        s.contact_time = choice_of(s, sizes);
    // Grains that are at rest already must not be thrown apart, nor sink.
    if (s.inherited_contact_time > 0 && s.inherited_contact_time < s.contact_time.value)
        s.contact_time = {s.inherited_contact_time, "as in the run whose grains it starts with"};
    s.world.contact_time = s.contact_time.value;
    s.materials = MaterialTable(s.scene, s.contact_time.value);
}

}  // namespace scree
