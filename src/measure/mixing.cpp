// How two groups of grains are mixed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "measure/common_options.h"
#include "measure/container.h"
#include "scree/error.h"

namespace scree {
namespace {

struct Two {
    std::uint16_t a, b;
};

Two groups_of(const Snapshot& s, const MeasureOptions& options) {
    const auto find = [&](const char* option, std::size_t fallback) {
        const auto name = options.word(option);
        for (std::size_t k = 0; k < s.group_names.size(); ++k)
            if (name ? s.group_names[k] == *name : k == fallback) return static_cast<std::uint16_t>(k);
        throw Error(ErrorKind::bad_input, fmt::format("{}: two groups of grains are needed; this run has {}",
                                                      options.measure(), s.group_names.size()));
    };
    return {find("a", 0), find("b", 1)};
}

// Pournin 2005 chapter 7: R = height of the center of mass of one group over that of the other, above the floor.
MeasureTable measure_mixing(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const Two groups = groups_of(s, options);
    const Up up = up_of(*s.scene);
    const double floor = floor_of(s, options);
    double mass[2] = {0, 0}, moment[2] = {0, 0};
    for (std::size_t k = 0; k < s.size(); ++k)
        for (int g = 0; g < 2; ++g)
            if (s.group[k] == (g == 0 ? groups.a : groups.b)) {
                mass[g] += s.mass[k];
                moment[g] += s.mass[k] * (height_of(up, s.position[k]) - floor);
            }
    const double a = mass[0] > 0 ? moment[0] / mass[0] : NAN, b = mass[1] > 0 ? moment[1] / mass[1] : NAN;
    return {{{"ratio", ""}, {"height_a", "m"}, {"height_b", "m"}}, {{a / b, a, b}}};
}

// Lacey (1954). With cells weighted by their grains, drawing labels at random gives the variance p q (C - 1)/(N - 1) on
// average, exactly: so the index of a random mixture is 1 on average for any number of grains in the cells.
MeasureTable measure_segregation(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const Two groups = groups_of(s, options);
    double diameter = 0, total = 0, of_a = 0;
    for (std::size_t k = 0; k < s.size(); ++k)
        if (s.group[k] == groups.a || s.group[k] == groups.b) {
            diameter += 2 * s.radius[k];
            total += 1;
            of_a += s.group[k] == groups.a;
        }
    const double size = options.number("cell").value_or(4 * diameter / std::max(total, 1.0));
    struct Count {
        double a = 0, all = 0;
    };
    std::map<std::array<std::int64_t, 3>, Count> cells;
    for (std::size_t k = 0; k < s.size(); ++k) {
        if (s.group[k] != groups.a && s.group[k] != groups.b) continue;
        std::array<std::int64_t, 3> at{};
        for (int axis = 0; axis < s.dimension(); ++axis)
            at[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(std::floor(s.position[k][axis] / size));
        Count& cell = cells[at];
        cell.a += s.group[k] == groups.a;
        cell.all += 1;
    }
    const double p = of_a / total, apart = p * (1 - p),
                 mixed = apart * (static_cast<double>(cells.size()) - 1) / (total - 1);
    double variance = 0;
    for (const auto& [at, cell] : cells)
        variance += cell.all / total * (cell.a / cell.all - p) * (cell.a / cell.all - p);
    const double lacey = (apart - variance) / (apart - mixed);

    double unlike = 0, pairs = 0;
    for (const SnapshotContact& c : s.contacts) {
        if (c.is_wall()) continue;
        const bool a1 = s.group[c.a] == groups.a, b1 = s.group[c.a] == groups.b, a2 = s.group[c.b] == groups.a,
                   b2 = s.group[c.b] == groups.b;
        if ((a1 || b1) && (a2 || b2)) {
            pairs += 1;
            unlike += a1 != a2;
        }
    }
    const double by_chance = 2 * apart * total / (total - 1);
    return {
        {{"segregation", ""},
         {"lacey", ""},
         {"variance", ""},
         {"cells", ""},
         {"unlike_contacts", ""},
         {"unlike_by_chance", ""}},
        {{1 - lacey, lacey, variance, static_cast<double>(cells.size()), pairs > 0 ? unlike / pairs : NAN, by_chance}}};
}

using Kind = MeasureOption::Kind;

constexpr MeasureOption mixing_options[] = {usual::group_a, usual::group_b, usual::floor_height};
constexpr MeasureOption segregation_options[] = {
    usual::group_a, usual::group_b, {"cell", Kind::number, "m", "4 mean diameters", "Edge of the cells.", true}};

}  // namespace

const MeasureKind mixing_measure{
    .name = "mixing", .doc = "ratio of the heights of two groups", .options = mixing_options, .take = measure_mixing};
const MeasureKind segregation_measure{.name = "segregation",
                                      .doc = "Lacey's index of two groups, and unlike contacts",
                                      .options = segregation_options,
                                      .take = measure_segregation,
                                      .contacts = true};

}  // namespace scree
