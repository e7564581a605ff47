// Who touches whom, in which directions, how hard.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "measure/container.h"
#include "measure/symmetric.h"

namespace scree {
namespace {

// Without friction a grain needs one contact more than space has dimensions to be held; with friction two can hold it.
std::size_t least_contacts(const Snapshot& s) {
    bool friction = false;
    for (const Material& material : s.scene->materials) friction = friction || material.contact.friction > 0;
    return friction ? 2 : static_cast<std::size_t>(s.dimension()) + 1;
}

// Montanari 2017 eq. 5.2. Bodies that touch at several points count once. Rattlers are taken out again and again until
// none is left, for those without may leave others with too few.
MeasureTable measure_coordination(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const bool walls = options.yes("walls", true);
    const std::size_t least = options.count("least", least_contacts(s));
    std::vector<std::vector<std::uint32_t>> partners(s.size());
    std::vector<std::size_t> degree(s.size(), 0);
    double between = 0, at_walls = 0;
    std::set<std::array<std::int64_t, 3>> met;
    for (const SnapshotContact& c : s.contacts) {
        if (!s.shape.empty() && !met.insert({c.a, c.b, c.wall}).second) continue;
        if (c.is_wall()) {
            at_walls += 1;
            if (walls) ++degree[c.a];
            continue;
        }
        between += 1;
        ++degree[c.a];
        ++degree[c.b];
        partners[c.a].push_back(c.b);
        partners[c.b].push_back(c.a);
    }
    const auto n = static_cast<double>(s.size());
    double sum = 0;
    for (const std::size_t d : degree) sum += static_cast<double>(d);
    const double z = n > 0 ? sum / n : NAN;

    std::vector<bool> rattles(s.size(), false);
    std::vector<std::uint32_t> queue;
    const auto judge = [&](std::uint32_t k) {
        if (!rattles[k] && degree[k] < least) {
            rattles[k] = true;
            queue.push_back(k);
        }
    };
    for (std::uint32_t k = 0; k < s.size(); ++k) judge(k);
    while (!queue.empty()) {
        const std::uint32_t k = queue.back();
        queue.pop_back();
        for (const std::uint32_t partner : partners[k])
            if (!rattles[partner]) {
                --degree[partner];
                judge(partner);
            }
    }
    double held = 0, held_sum = 0;
    for (std::size_t k = 0; k < s.size(); ++k)
        if (!rattles[k]) {
            held += 1;
            held_sum += static_cast<double>(degree[k]);
        }
    return {{{"coordination", ""},
             {"without_rattlers", ""},
             {"rattlers", ""},
             {"grains", ""},
             {"grain_contacts", ""},
             {"wall_contacts", ""}},
            {{z, held > 0 ? held_sum / held : NAN, n - held, n, between, at_walls}}};
}

// Mean of n n^T over the contacts between grains (Satake 1982).
MeasureTable measure_fabric(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const bool walls = options.yes("walls", false);
    Symmetric sum;
    double count = 0;
    for (const SnapshotContact& c : s.contacts)
        if (!c.is_wall() || walls) {
            sum.add(1, c.normal, c.normal);
            count += 1;
        }
    if (count > 0)
        sum.scale(1 / count);
    else
        sum = {NAN, NAN, NAN, NAN, NAN, NAN};
    const bool flat = s.dimension() == 2;
    if (flat && count > 0) sum.zz = -1;  // last of all, so that the two of the plane come first
    auto values = count > 0 ? eigenvalues(sum) : std::array<double, 3>{NAN, NAN, NAN};
    if (flat) {
        values[2] = 0;
        sum.zz = 0;
    }
    const double least = flat ? values[1] : values[2];
    return {{{"fxx", ""},
             {"fyy", ""},
             {"fzz", ""},
             {"fxy", ""},
             {"fxz", ""},
             {"fyz", ""},
             {"largest", ""},
             {"middle", ""},
             {"smallest", ""},
             {"anisotropy", ""},
             {"contacts", ""}},
            {{sum.xx, sum.yy, sum.zz, sum.xy, sum.xz, sum.yz, values[0], flat ? NAN : values[1], least,
              values[0] - least, count}}};
}

// Histograms of normal and tangential forces over the mean normal force, as probability densities.
MeasureTable measure_forces(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const bool walls = options.yes("walls", false);
    const std::size_t count = options.count("count", 40);
    const double most = options.number("most").value_or(6);
    std::vector<double> normal, tangential;
    for (const SnapshotContact& c : s.contacts) {
        if ((c.is_wall() && !walls) || is_bond(s, c)) continue;
        const double fn = dot(c.force, c.normal);
        normal.push_back(fn);
        tangential.push_back(norm(c.force - fn * c.normal));
    }
    double mean = 0, largest = 0;
    for (const double f : normal) {
        mean += f;
        largest = std::max(largest, f);
    }
    mean = normal.empty() ? NAN : mean / static_cast<double>(normal.size());
    const double width = most / static_cast<double>(count);
    std::vector<double> p_normal(count, 0), p_tangential(count, 0);
    const auto fill = [&](const std::vector<double>& forces, std::vector<double>& p) {
        for (const double f : forces) {
            const double bin = std::floor(f / mean / width);
            if (bin >= 0 && bin < static_cast<double>(count))
                p[static_cast<std::size_t>(bin)] += 1 / (width * static_cast<double>(forces.size()));
        }
    };
    if (mean != 0 && !normal.empty()) {
        fill(normal, p_normal);
        fill(tangential, p_tangential);
    }
    MeasureTable table{{{"low", ""},
                        {"high", ""},
                        {"p_normal", ""},
                        {"p_tangential", ""},
                        {"mean_normal", "N"},
                        {"largest_normal", "N"}},
                       {}};
    for (std::size_t j = 0; j < count; ++j)
        table.rows.push_back({static_cast<double>(j) * width, static_cast<double>(j + 1) * width, p_normal[j],
                              p_tangential[j], mean, largest});
    return table;
}

using Kind = MeasureOption::Kind;

constexpr MeasureOption coordination_options[] = {
    {"walls", Kind::yes_no, "", "true", "Contacts with walls count."},
    {"least", Kind::count, "", "2; without friction dimension + 1", "A grain with fewer contacts is a rattler.", true}};
constexpr MeasureOption fabric_options[] = {{"walls", Kind::yes_no, "", "false", "Contacts with walls count."}};
constexpr MeasureOption forces_options[] = {{"count", Kind::count, "", "40", "Number of bins.", true},
                                            {"most", Kind::number, "", "6", "Upper end, in mean normal forces.", true},
                                            fabric_options[0]};

}  // namespace

const MeasureKind coordination_measure{.name = "coordination",
                                       .doc = "contacts per grain, with and without rattlers",
                                       .options = coordination_options,
                                       .take = measure_coordination,
                                       .contacts = true};
const MeasureKind fabric_measure{.name = "fabric",
                                 .doc = "fabric tensor of the contacts' directions",
                                 .options = fabric_options,
                                 .take = measure_fabric,
                                 .contacts = true};
const MeasureKind forces_measure{.name = "forces",
                                 .doc = "distribution of contact forces",
                                 .options = forces_options,
                                 .take = measure_forces,
                                 .contacts = true};

}  // namespace scree
