#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "made_up.h"

namespace scree::test {
namespace {

using std::numbers::pi;

// A column at rest: every contact carries what lies above it. So does every plane, and the mean over a layer is the
// mean over its planes, thin layers included.
TEST(stress, of_a_column_is_the_weight_above) {
    MadeUp m;
    m.box_walls({-1, -1, 0}, {1, 1, 24});
    const int n = 10;
    std::vector<double> centers, weights;
    double z = 0;
    for (int k = 0; k < n; ++k) {
        const double r = 0.7 + 0.03 * k;
        z += r;
        m.grain({0.1 * (k % 2), 0, z}, r);
        centers.push_back(z);
        z += r - 0.05;
    }
    m.finish();
    double load = 0;
    for (int k = n - 1; k >= 0; --k) {
        const auto id = static_cast<std::uint32_t>(k);
        load += m.snapshot.mass[id] * 9.81;
        weights.insert(weights.begin(), m.snapshot.mass[id] * 9.81);
        if (k > 0)
            m.contact(id, id - 1, {0, 0, load});
        else
            m.wall_contact(id, 0, {m.snapshot.position[id].x, 0, 0}, {0, 0, load});
    }
    const auto carried_below = [&](double h) {  // integral of the load over the height up to h
        double sum = 0;
        for (int k = 0; k < n; ++k)
            sum += weights[static_cast<std::size_t>(k)] * std::min(h, centers[static_cast<std::size_t>(k)]);
        return sum;
    };
    for (const char* count : {"1", "5", "100"}) {
        const MeasureTable table = m.take(std::string("stress:count=") + count);
        for (std::size_t j = 0; j < table.rows.size(); ++j) {
            const double low = MadeUp::at(table, "low", j), high = MadeUp::at(table, "high", j);
            EXPECT_NEAR(MadeUp::at(table, "szz", j), (carried_below(high) - carried_below(low)) / (high - low) / 4,
                        1e-9 * load)
                << j;
        }
    }
    EXPECT_NEAR(m.value("stress:count=100", "szz", 0), load / 4, 1e-12 * load);  // the floor carries all
    EXPECT_NEAR(m.value("stress:count=100", "szz", 99), 0, 1e-12);
}

TEST(stress, of_an_ideal_gas_is_its_kinetic_pressure) {
    MadeUp m;
    for (auto& axis : m.scene.periodic) axis = {0.0, 2.0};
    const Vec3 drift{5, -3, 1};
    for (int k = 0; k < 6; ++k) {
        Vec3 v;
        v[k / 2] = k % 2 ? -1 : 1;
        m.grain({0.2 + 0.2 * k, 1, 1}, 0.1, drift + v);
    }
    m.finish();
    const double mass = m.snapshot.mass[0];
    EXPECT_NEAR(m.value("stress", "sxx"), 2 * mass / 8, 1e-12 * mass);
    EXPECT_NEAR(m.value("stress", "pressure"), 6 * mass / 3 / 8, 1e-12 * mass);  // N m <v^2> / (3 V)
    EXPECT_NEAR(m.value("stress", "sxy"), 0, 1e-12 * mass);
    EXPECT_EQ(m.value("stress:kinetic=false", "sxx"), 0);
}

// Layers along a periodic axis share a contact across the border.
TEST(stress, of_a_periodic_lattice_is_force_over_area_of_a_grain) {
    MadeUp m;
    for (auto& axis : m.scene.periodic) axis = {0.0, 4.0};
    for (int k = 0; k < 4; ++k) m.grain({k + 0.5, 0.5, 0.5}, 0.5);
    m.finish();
    for (std::uint32_t k = 0; k < 4; ++k) m.contact(k, (k + 1) % 4, {-7, 0, 0});
    for (const char* what : {"stress:axis=x,count=1", "stress:axis=x,count=8"}) {
        const MeasureTable table = m.take(what);
        for (std::size_t j = 0; j < table.rows.size(); ++j)
            EXPECT_NEAR(MadeUp::at(table, "sxx", j), 7.0 / 16, 1e-14) << what << j;
    }
}

TEST(grain_stress, of_a_squeezed_sphere) {
    MadeUp m;
    const double r = 0.5, force = 3, volume = 4 * pi / 3 * r * r * r;
    m.grain({0, 0, 0}, r);
    m.grain({0, 0, 1}, r);
    m.grain({0, 0, -1}, r);
    m.finish();
    m.contact(1, 0, {0, 0, force});
    m.contact(0, 2, {0, 0, force});
    EXPECT_NEAR(m.value("grain_stress", "szz", 0), 2 * force * r / volume, 1e-12);
    EXPECT_NEAR(m.value("grain_stress", "pressure", 0), 2 * force * r / volume / 3, 1e-12);
    EXPECT_NEAR(m.value("grain_stress", "szz", 1), force * r / volume, 1e-12);
    EXPECT_NEAR(m.value("grain_stress", "sxx", 0), 0, 1e-12);
}

// Loads drawn from Janssen's curve come back as that curve.
TEST(wall_pressure, follows_janssen) {
    const double R = 0.5, height = 4, density = 1500, g = 9.81, K = 0.6, mu = 0.4, decay = 2 * mu * K / R;
    const auto pressure = [&](double z) { return K * density * g / decay * (1 - std::exp(-decay * (height - z))); };
    const auto mean_pressure = [&](double a, double b) {
        return K * density * g / decay *
               (1 - (std::exp(-decay * (height - b)) - std::exp(-decay * (height - a))) / (decay * (b - a)));
    };
    MadeUp m;
    m.cylinder_wall({0, 0, 0}, {0, 0, height}, R);
    const int rows = 400, around = 12;
    const double r = 0.01;
    for (int k = 0; k < rows; ++k)
        for (int j = 0; j < around; ++j) {
            const double angle = 2 * pi * j / around, z = height * (k + 0.5) / rows;
            m.grain({(R - r) * std::cos(angle), (R - r) * std::sin(angle), z}, r);
        }
    m.finish();
    const double share = 2 * pi * R * height / rows / around;
    for (std::uint32_t k = 0; k < m.snapshot.size(); ++k) {
        const Vec3 x = m.snapshot.position[k], inward = normalized(Vec3{-x.x, -x.y, 0});
        const double f = pressure(x.z) * share;
        m.wall_contact(k, 0, x - r * inward, f * inward + Vec3{0, 0, mu * f});
    }
    const MeasureTable table = m.take("wall_pressure:wall=side,count=10");
    for (std::size_t j = 0; j < 10; ++j) {
        const double low = MadeUp::at(table, "low", j), high = MadeUp::at(table, "high", j),
                     expected = mean_pressure(low, high);
        EXPECT_NEAR(MadeUp::at(table, "pressure", j), expected, 1e-4 * expected)
            << j;  // midpoint rule of 40 rows per layer
        EXPECT_NEAR(MadeUp::at(table, "shear", j), mu * MadeUp::at(table, "pressure", j), 1e-9);
    }
    EXPECT_NEAR(MadeUp::at(table, "contacts", 0), 40 * around, 0);
}

}  // namespace
}  // namespace scree::test
