// Mixtures of sizes, for comparing neighborhoods over size ratio and motion.
//
// Small balls on a lattice fill what larger ones leave free; half of them fly against the other half. Without
// dissipation that melts to a dense fluid (a crystal would be the one packing in which nothing is typical: every facet
// of its triangulation is nearly a tie). Then it is measured as it is, "flowing", lists being rebuilt all the time, or
// with slow balls, "calm". At ratio 100 the large ball is fixed in a corner of the box with an eighth of it inside: a
// whole one would need a million others.
#include <fmt/format.h>

#include <cmath>

#include "bench_scenes.h"

namespace scree::app {
namespace {

constexpr double small_radius = 1e-3, contact_time = 1e-3;
constexpr double corner_ratio = 50;  // from here on the large ball is fixed in a corner

std::string group(const std::string& name, const std::string& radius, const std::string& place,
                  const std::string& more) {
    return fmt::format("[[grains]]\nname = \"{}\"\nmaterial = \"stuff\"\nradius = {}\nplace = {}\n{}\n", name, radius,
                       place, more);
}

std::string mixture_text(double ratio) {
    const double side = (ratio <= 10 ? 50 : 100) * small_radius, speed = 1e-3 * small_radius / (contact_time / 50);
    std::string text = fmt::format(
        "[simulation]\nduration = 1\ngravity = [0, 0, 0]\n[materials.stuff]\ndensity = 2500\nrestitution = 1\nfriction "
        "= 0\ncontact_time = {0}\n"
        "[[walls]]\nname = \"box\"\nkind = \"box\"\nmaterial = \"stuff\"\nmin = [0, 0, 0]\nmax = [{1}, {1}, {1}]\n"
        "[[regions]]\nname = \"inside\"\nbox = [[0, 0, 0], [{1}, {1}, {1}]]\n",
        contact_time, side);
    const auto volume = [](double radius) { return 4.18879 * radius * radius * radius; };
    const auto random = [&](double radius, double share) {
        const auto count = static_cast<std::int64_t>(std::max(1.0, share * side * side * side / volume(radius)));
        return fmt::format("{{ random = \"inside\", count = {} }}", count);
    };
    if (ratio > 1 && ratio < corner_ratio)
        text += group("large", fmt::to_string(ratio * small_radius), random(ratio * small_radius, 0.2), "");
    if (ratio > 5)
        text += group("middle", fmt::to_string(std::sqrt(ratio) * small_radius),
                      random(std::sqrt(ratio) * small_radius, 0.05), "");
    for (const bool second : {false, true})
        text += group(
            second ? "small-b" : "small-a", fmt::format("{{ uniform = [{}, {}] }}", 0.9 * small_radius, small_radius),
            fmt::format("{{ lattice = \"fcc\", spacing = {}, region = \"inside\", probability = {} }}",
                        2.2 * small_radius, second ? 1.0 : 0.5),
            fmt::format("velocity = [{0}, {1}, {0}]", (second ? -0.7 : 0.7) * speed, (second ? 0.2 : -0.2) * speed));
    return text;
}

}  // namespace

std::vector<BenchScene> bench_mixtures(BenchResult (*run)(const BenchScene&, const BenchSteps&)) {
    std::vector<BenchScene> scenes;
    for (const int ratio : {1, 3, 10, 30, 100})
        for (const bool flowing : {false, true})
            scenes.push_back(
                {fmt::format("mix-{}-{}", ratio, flowing ? "flowing" : "calm"),
                 fmt::format("dense box of sizes 1 to {}, {}", ratio, flowing ? "a fluid" : "hardly moving"), run, 0,
                 mixture_text(ratio), ratio > corner_ratio ? ratio * small_radius : 0});
    return scenes;
}

}  // namespace scree::app
