#include "shape/glue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/located.h"
#include "geometry/ball_index.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double touching = 0.01;  // gap, of the sum of radii, up to which spheres count as touching
constexpr double reference_strain = 0.01;

[[noreturn]] void refuse(const Scene& scene, const GrainShape& about, const std::string& why) {
    refuse_at(scene, about.where, fmt::format("shape '{}': {}", about.name, why));
}

}  // namespace

bool GluedCluster::bonded(std::uint32_t a, std::uint32_t b) const {
    const auto begin = bonds.begin() + first[a], end = bonds.begin() + first[a + 1];
    const auto found =
        std::lower_bound(begin, end, b, [](const Bond& bond, std::uint32_t number) { return bond.other < number; });
    return found != end && found->other == b;
}

GluedCluster make_glued(const Scene& scene, const GrainShape& about) {
    GluedCluster out;
    out.glue = about.glue;
    Vec3 center;
    double whole = 0, largest = 0;
    for (const auto& [x, y, z, r] : about.spheres) {
        if (!(r > 0) || !is_finite(Vec3{x, y, z}) || !std::isfinite(r))
            refuse(scene, about, "its spheres need finite centers and positive radii");
        out.at.push_back({x, y, z});
        out.radius.push_back(r);
        const double volume = scene.dimension == 3 ? r * r * r : r * r;
        center += volume * out.at.back();
        whole += volume;
        largest = std::fmax(largest, r);
    }
    BallIndex index;
    for (std::size_t m = 0; m < out.at.size(); ++m) {
        out.at[m] -= center / whole;
        out.reach = std::fmax(out.reach, norm(out.at[m]) + out.radius[m]);
        index.add(out.at[m], out.radius[m]);
    }
    std::vector<std::uint32_t> part(out.at.size());
    for (std::uint32_t m = 0; m < out.size(); ++m) part[m] = m;
    const auto root = [&](std::uint32_t m) {
        while (part[m] != m) m = part[m] = part[part[m]];
        return m;
    };
    for (std::uint32_t m = 0; m < out.size(); ++m) {
        out.first.push_back(static_cast<std::uint32_t>(out.bonds.size()));
        std::vector<int> near;
        index.any_near(out.at[m], out.radius[m] + 2 * touching * largest, [&](int other, Vec3) {
            near.push_back(other);
            return false;
        });
        std::sort(near.begin(), near.end());
        for (const int k : near) {
            const auto other = static_cast<std::uint32_t>(k);
            const double rest = norm(out.at[other] - out.at[m]);
            if (other == m || rest > (1 + touching) * (out.radius[m] + out.radius[other])) continue;
            if (!(rest > 0))
                refuse(scene, about,
                       fmt::format("its spheres {} and {} have the same center", std::min(m, other) + 1,
                                   std::max(m, other) + 1));
            out.bonds.push_back({other, rest});
            part[root(m)] = root(other);
        }
    }
    out.first.push_back(static_cast<std::uint32_t>(out.bonds.size()));
    std::size_t parts = 0;
    for (std::uint32_t m = 0; m < out.size(); ++m) parts += root(m) == m;
    if (parts != 1)
        refuse(
            scene, about,
            fmt::format("its spheres do not hang together: they fall into {} parts. Spheres are glued where they touch",
                        parts));
    return out;
}

BondForce bond_force(const Glue& glue, double distance, double rest) {
    const double alpha = glue.alpha, beta = glue.beta;
    if (glue.law == Glue::Law::power) {
        const double away = distance - rest, size = std::fabs(away);
        if (!(size > 0)) return {0, 0};
        const double force = glue.strength * same_pow(size, alpha);
        return {away > 0 ? -force : force, force * size / (alpha + 1)};
    }
    // With u = log(x / rest): -V' = -strength alpha rest^(-alpha-1) e^(-(alpha+1)u) (1 - e^(-(beta-alpha)u)).
    const double u = same_log(distance / rest), well = glue.strength * same_exp(-alpha * same_log(rest));
    const double attraction = same_exp(-alpha * u), difference = same_exp(-(beta - alpha) * u);
    const double repulsion = -(alpha * well / distance) * attraction * (1 - difference);
    const double energy = well * ((1 - alpha / beta) - attraction * (1 - (alpha / beta) * difference));
    return {repulsion, energy};
}

double bond_stiffness(const Glue& glue, double rest) {
    if (glue.law == Glue::Law::power)
        return glue.strength * glue.alpha * same_pow(reference_strain * rest, glue.alpha - 1);
    return glue.strength * glue.alpha * (glue.beta - glue.alpha) * same_exp(-(glue.alpha + 2) * same_log(rest));
}

double bond_damping(const Glue& glue, double stiffness, double inverse_mass) {
    return inverse_mass > 0 ? 2 * glue.damping * std::sqrt(stiffness / inverse_mass) : 0;
}

// Gershgorin's bound for the matrices of springs and of dampers over masses.
BondRates highest_rates(const GluedCluster& cluster, double scale, double density, int dimension) {
    double springs = 0, dampers = 0;
    const auto mass = [&](std::uint32_t m) {
        const double r = scale * cluster.radius[m];
        return density * (dimension == 3 ? 4 * pi / 3 * r * r * r : pi * r * r);
    };
    for (std::uint32_t m = 0; m < cluster.size(); ++m) {
        double spring = 0, damper = 0;
        for (std::uint32_t k = cluster.first[m]; k < cluster.first[m + 1]; ++k) {
            const auto& bond = cluster.bonds[k];
            const double per = 1 / mass(m) + 1 / std::sqrt(mass(m) * mass(bond.other)),
                         stiffness = bond_stiffness(cluster.glue, scale * bond.rest);
            spring += stiffness * per;
            damper += bond_damping(cluster.glue, stiffness, 1 / mass(m) + 1 / mass(bond.other)) * per;
        }
        springs = std::fmax(springs, spring);
        dampers = std::fmax(dampers, damper);
    }
    return {std::sqrt(springs), dampers};
}

}  // namespace scree
