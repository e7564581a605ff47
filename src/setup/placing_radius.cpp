#include "setup/placing_radius.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace scree {
namespace {

constexpr double cut = 3;  // standard deviations

// A normal deviate (Box and Muller), drawn again past the cut.
double cut_normal(Random& random) {
    for (;;) {
        const double u = 1 - random.uniform(), v = random.uniform();
        const double z = std::sqrt(-2 * same_log(u)) * same_cos(2 * pi * v);
        if (std::fabs(z) <= cut) return z;
    }
}

// Rows give mass fractions; a grain of radius r weighs as r^dimension, so its number fraction is mass fraction over
// that.
double draw_from_table(const RadiusDistribution& d, int dimension, Random& random) {
    const auto number_of = [&](const std::pair<double, double>& row) {
        const double area = row.first * row.first;
        return row.second / (dimension == 2 ? area : area * row.first);
    };
    double sum = 0;
    for (const auto& row : d.table) sum += number_of(row);
    double rest = random.uniform() * sum;
    double last = 0;
    for (const auto& row : d.table) {
        const double part = number_of(row);
        if (!(part > 0)) continue;
        last = row.first;
        if (rest < part) break;
        rest -= part;
    }
    return last;
}

}  // namespace

double draw_radius(const RadiusDistribution& d, int dimension, Random& random) {
    switch (d.kind) {
        case RadiusDistribution::Kind::fixed:
            return d.first;
        case RadiusDistribution::Kind::uniform:
            return random.uniform(d.first, d.second);
        case RadiusDistribution::Kind::normal:
            return d.first + d.second * cut_normal(random);
        case RadiusDistribution::Kind::lognormal:
            return d.first * same_exp(d.second * cut_normal(random));
        case RadiusDistribution::Kind::table:
            return draw_from_table(d, dimension, random);
    }
    return 0;
}

double radius_of(const Scene& scene, std::size_t group, std::uint64_t k) {
    // Room for the repeated draws of one grain: 500 in a row past the cut do not happen.
    Random random = random_stream(scene, group, Draw::radius, k << 10);
    return draw_radius(scene.grains[group].radius, scene.dimension, random);
}

double smallest_radius(const RadiusDistribution& d) {
    switch (d.kind) {
        case RadiusDistribution::Kind::fixed:
        case RadiusDistribution::Kind::uniform:
            return d.first;
        case RadiusDistribution::Kind::normal:
            return d.first - cut * d.second;
        case RadiusDistribution::Kind::lognormal:
            return d.first * same_exp(-cut * d.second);
        case RadiusDistribution::Kind::table: {
            double least = forever;
            for (const auto& [radius, fraction] : d.table)
                if (fraction > 0) least = std::min(least, radius);
            return least;
        }
    }
    return 0;
}

double largest_radius(const RadiusDistribution& d) {
    switch (d.kind) {
        case RadiusDistribution::Kind::fixed:
            return d.first;
        case RadiusDistribution::Kind::uniform:
            return d.second;
        case RadiusDistribution::Kind::normal:
            return d.first + cut * d.second;
        case RadiusDistribution::Kind::lognormal:
            return d.first * same_exp(cut * d.second);
        case RadiusDistribution::Kind::table: {
            double most = 0;
            for (const auto& [radius, fraction] : d.table)
                if (fraction > 0) most = std::max(most, radius);
            return most;
        }
    }
    return 0;
}

}  // namespace scree
