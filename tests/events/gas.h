// Gases and small systems of hard grains for tests.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "core/random.h"
#include "events/dynamics.h"

namespace scree::events {

inline constexpr double circle = 3.14159265358979323846;

struct Gas {
    HardSetup setup;
    std::vector<HardGrain> grains;
    std::vector<WallPiece> walls;
    double length = 0;
    std::shared_ptr<HardDynamics> dynamics;
    double time = 0;

    void start() { dynamics = HardDynamics::make(setup); }
    // In spans of `span`, wrapping positions as a beat does.
    void run(double duration, double span) {
        for (double left = duration; left > 1e-12 * duration; left -= span) {
            const double part = std::min(span, left);
            dynamics->advance(grains, walls, part);
            time += part;
            for (HardGrain& g : grains)
                for (int k = 0; k < setup.dimension; ++k)
                    if (const double l = setup.periods.length[k]; l > 0)
                        g.position[k] -= l * std::floor(g.position[k] / l);
        }
    }
    double kinetic() const {
        double sum = 0;
        for (const HardGrain& g : grains)
            if (g.inverse_mass > 0)
                sum += 0.5 / g.inverse_mass * (norm2(g.velocity) + (setup.dimension == 3 ? 0.4 : 0.5) * norm2(g.rim));
        return sum;
    }
    double translational() const {
        double sum = 0;
        for (const HardGrain& g : grains)
            if (g.inverse_mass > 0) sum += 0.5 / g.inverse_mass * norm2(g.velocity);
        return sum;
    }
    Vec3 momentum() const {
        Vec3 sum;
        for (const HardGrain& g : grains)
            if (g.inverse_mass > 0) sum += g.velocity / g.inverse_mass;
        return sum;
    }
    // Largest overlap of any two grains, by brute force, of the smaller radius.
    double overlap() const {
        double worst = 0;
        for (std::size_t i = 0; i < grains.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                Vec3 d = grains[i].position - grains[j].position;
                for (int k = 0; k < 3; ++k)
                    if (const double l = setup.periods.length[k]; l > 0) d[k] -= l * std::round(d[k] / l);
                worst = std::max(worst, (grains[i].radius + grains[j].radius - norm(d)) /
                                            std::min(grains[i].radius, grains[j].radius));
            }
        return worst;
    }
};

// Unit diameter, mass 1 and unit temperature, on a lattice, without net momentum. walls: in a box in place of periodic
// axes.
inline Gas gas_of(int dimension, std::size_t per_side, double fraction, bool walls, std::uint64_t seed,
                  ImpactLaw law = {}) {
    Gas gas;
    gas.setup.dimension = dimension;
    gas.setup.laws = {law};
    const int per_cell = dimension == 2 ? 2 : 4;
    const double volume = dimension == 2 ? circle / 4 : circle / 6;
    // Hexagonal in the plane (a cell of 1 x sqrt 3 with two discs), fcc in space.
    const double cell = dimension == 2 ? std::sqrt(per_cell * volume / fraction / std::sqrt(3.0))
                                       : std::cbrt(per_cell * volume / fraction);
    const Vec3 size{cell, dimension == 2 ? std::sqrt(3.0) * cell : cell, cell};
    Random random(seed, 1);
    const auto normal = [&] {
        return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(2 * circle * random.uniform());
    };
    const auto add = [&](double x, double y, double z) {
        HardGrain g;
        g.position = {x * size.x, y * size.y, dimension == 3 ? z * size.z : 0};
        for (int k = 0; k < dimension; ++k) g.velocity[k] = normal();
        g.radius = 0.5;
        g.inverse_mass = 1;
        gas.grains.push_back(g);
    };
    const auto n = static_cast<int>(per_side);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            if (dimension == 2) {
                add(i + 0.25, j + 0.25, 0);
                add(i + 0.75, j + 0.75, 0);
                continue;
            }
            for (int k = 0; k < n; ++k) {
                add(i + 0.25, j + 0.25, k + 0.25);
                add(i + 0.75, j + 0.75, k + 0.25);
                add(i + 0.75, j + 0.25, k + 0.75);
                add(i + 0.25, j + 0.75, k + 0.75);
            }
        }
    Vec3 mean = gas.momentum() / static_cast<double>(gas.grains.size());
    for (HardGrain& g : gas.grains) g.velocity -= mean;
    for (int k = 0; k < dimension; ++k) {
        const double length = size[k] * n;
        gas.length = length;
        if (!walls) {
            gas.setup.periods.length[k] = length;
            continue;
        }
        WallPiece low, high;
        low.normal[k] = 1;
        low.offset = -0.5;
        high.normal[k] = -1;
        high.offset = -(length + 0.5);
        low.wall = static_cast<std::uint32_t>(2 * k);
        high.wall = low.wall + 1;
        gas.walls.push_back(low);
        gas.walls.push_back(high);
    }
    return gas;
}

inline HardGrain grain_at(Vec3 x, Vec3 v, double radius = 0.5, double mass = 1) {
    HardGrain g;
    g.position = x;
    g.velocity = v;
    g.radius = radius;
    g.inverse_mass = mass > 0 ? 1 / mass : 0;
    return g;
}

}  // namespace scree::events
