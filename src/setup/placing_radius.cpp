#include "setup/placing_radius.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace scree {
namespace {

constexpr double cut = 3;  // standard deviations

// A normal deviate (Box and Muller), drawn again outside of these limits.
double normal_between(double low, double high, Random& random) {
    for (;;) {
        const double u = 1 - random.uniform(), v = random.uniform();
        const double z = std::sqrt(-2 * same_log(u)) * same_cos(2 * pi * v);
        if (z >= low && z <= high) return z;
    }
}

double cut_normal(Random& random) { return normal_between(-cut, cut, random); }

// Where the logarithm of the mass is normal that of the number is too, with a median below by dimension times the
// variance (Hatch and Choate 1929). The cut is that of the mass.
double draw_lognormal(const RadiusDistribution& d, int dimension, Random& random) {
    const double shift = d.by == RadiusDistribution::By::mass ? dimension * d.second : 0;  // in deviations
    return d.first * same_exp(d.second * (normal_between(shift - cut, shift + cut, random) - shift));
}

// A number below `count`, as often as weight_of(k) says; and how far the draw was into its part, from 0 to 1.
struct Drawn {
    std::size_t k;
    double within;
};
template <class WeightOf>
Drawn draw_weighted(std::size_t count, WeightOf&& weight_of, Random& random) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += weight_of(k);
    double rest = random.uniform() * sum;
    Drawn drawn{0, 0};
    for (std::size_t k = 0; k < count; ++k) {
        const double part = weight_of(k);
        if (!(part > 0)) continue;
        drawn = {k, std::min(rest / part, 1.0)};
        if (rest < part) break;
        rest -= part;
    }
    return drawn;
}

// Rows give mass fractions; a grain of radius r weighs as r^dimension, so its number fraction is mass fraction over
// that.
double draw_from_table(const RadiusDistribution& d, int dimension, Random& random) {
    const auto number_of = [&](std::size_t k) {
        const auto& [radius, mass] = d.table[k];
        const double area = radius * radius;
        return mass / (dimension == 2 ? area : area * radius);
    };
    return d.table[draw_weighted(d.table.size(), number_of, random).k].first;
}

// Between two sieves the fraction that passes is linear in the size. If it is one of the mass, the density of the
// number there is r^-dimension but for a factor: integrated, and inverted.
double draw_from_sieves(const RadiusDistribution& d, int dimension, Random& random) {
    const bool by_mass = d.by == RadiusDistribution::By::mass;
    const auto number_between = [&](std::size_t k) {
        const auto& [low, finer] = d.table[k];
        const auto& [high, coarser] = d.table[k + 1];
        const double part = coarser - finer;
        if (!by_mass) return part;
        const double product = low * high;
        return dimension == 2 ? part / product : part * (low + high) / (2 * product * product);
    };
    const Drawn drawn = draw_weighted(d.table.size() - 1, number_between, random);
    const double low = d.table[drawn.k].first, high = d.table[drawn.k + 1].first;
    const auto between = [&](double a, double b) { return a + drawn.within * (b - a); };
    if (!by_mass) return between(low, high);
    if (dimension == 2) return 1 / between(1 / low, 1 / high);
    return 1 / std::sqrt(between(1 / (low * low), 1 / (high * high)));
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
            return draw_lognormal(d, dimension, random);
        case RadiusDistribution::Kind::table:
            return draw_from_table(d, dimension, random);
        case RadiusDistribution::Kind::sieve:
            // Rounding must not lead past the sieves.
            return std::clamp(draw_from_sieves(d, dimension, random), smallest_radius(d), largest_radius(d));
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
        case RadiusDistribution::Kind::sieve: {
            // The last sieve that nothing passes.
            double least = d.table.front().first;
            for (const auto& [radius, finer] : d.table)
                if (finer <= 0) least = radius;
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
        case RadiusDistribution::Kind::sieve:
            // The first sieve that all pass.
            for (const auto& [radius, finer] : d.table)
                if (finer >= 1) return radius;
            return d.table.back().first;
    }
    return 0;
}

}  // namespace scree
