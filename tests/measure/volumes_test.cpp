// Parts of spheres and discs against quadratures that share nothing with the closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "measure/volumes.h"

namespace scree {
namespace {

using std::numbers::pi;

// Gauss-Legendre nodes by Newton's method, for composite rules.
struct Gauss {
    std::vector<double> x, w;
    explicit Gauss(int n) {
        for (int i = 0; i < n; ++i) {
            double z = std::cos(pi * (i + 0.75) / (n + 0.5)), derivative = 1;
            for (int k = 0; k < 100; ++k) {
                double p0 = 1, p1 = z;
                for (int j = 2; j <= n; ++j) {
                    const double p2 = ((2 * j - 1) * z * p1 - (j - 1) * p0) / j;
                    p0 = p1;
                    p1 = p2;
                }
                derivative = n * (z * p1 - p0) / (z * z - 1);
                const double dz = p1 / derivative;
                z -= dz;
                if (std::abs(dz) < 1e-16) break;
            }
            x.push_back(z);
            w.push_back(2 / ((1 - z * z) * derivative * derivative));
        }
    }
};

// Ferrez 2001 eq. 4.7 with the inner integral done by hand: 2 int_0^Y sqrt(q^2 - y^2) dy = Y sqrt(q^2 - Y^2) + q^2
// asin(Y/q), where q^2 = r^2 - x^2. The outer one over intervals between the kinks, each mapped so that square-root
// ends become smooth.
double by_quadrature(double r, double R, double d) {
    static const Gauss gauss(60);
    const double low = std::max(d - R, -r), high = std::min(d + R, r);
    if (low >= high) return 0;
    std::vector<double> cuts{low, high};
    if (d != 0) {
        const double cross = (r * r - R * R + d * d) / (2 * d);  // where both circles meet
        if (cross > low && cross < high) cuts.insert(cuts.begin() + 1, cross);
    }
    double sum = 0;
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
        const double middle = (cuts[k] + cuts[k + 1]) / 2, half = (cuts[k + 1] - cuts[k]) / 2;
        constexpr int parts = 16;
        for (int part = 0; part < parts; ++part)
            for (std::size_t g = 0; g < gauss.x.size(); ++g) {
                const double angle = -pi / 2 + pi / parts * (part + (gauss.x[g] + 1) / 2);
                const double x = middle + half * std::sin(angle);
                const double q2 = std::max(0.0, (r - x) * (r + x)), c2 = std::max(0.0, (R - x + d) * (R + x - d));
                const double y = std::sqrt(std::min(q2, c2)), q = std::sqrt(q2);
                const double inner =
                    y * std::sqrt(q2 - std::min(q2, c2)) + q2 * std::asin(q > 0 ? std::min(1.0, y / q) : 0.0);
                sum += gauss.w[g] * pi / (2 * parts) * half * std::cos(angle) * 2 * inner;
            }
    }
    return sum;
}

TEST(parts_of_spheres, cylinder_cut_equals_quadrature_to_1e_10) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(0, 1);
    double worst = 0;
    for (int k = 0; k < 3000; ++k) {
        const double r = 1, R = std::pow(10.0, -2 + 5 * uniform(random));
        // All arrangements: the axis inside and outside, the cylinder thinner and wider, touching nearly.
        const double d =
            uniform(random) < 0.5 ? uniform(random) * (r + R) : std::abs(R + (2 * uniform(random) - 1) * r);
        const double exact = sphere_cylinder(r, R, d), numeric = by_quadrature(r, R, d);
        worst = std::max(worst, std::abs(exact - numeric));
        ASSERT_NEAR(exact, numeric, 1e-10) << "R = " << R << ", d = " << d;
    }
    RecordProperty("worst", std::to_string(worst));
}

TEST(parts_of_spheres, cylinder_cut_at_the_degenerate_places) {
    const double whole = 4 * pi / 3;
    EXPECT_NEAR(sphere_cylinder(1, 0.5, 0), whole * (1 - std::pow(0.75, 1.5)), 1e-14);  // napkin ring
    EXPECT_NEAR(sphere_cylinder(1, 0.5, 0.5), 2 * pi / 3 - 8.0 / 9, 1e-13);             // Viviani: (2 pi/3 - 8/9) r^3
    EXPECT_NEAR(sphere_cylinder(1, 2, 1), whole, 1e-14);                                // touches from inside
    EXPECT_NEAR(sphere_cylinder(1, 1, 2), 0, 1e-14);                                    // touches from outside
    EXPECT_NEAR(sphere_cylinder(1, 1e9, 1e9), whole / 2, 1e-8);                         // a plane through the center
    for (const double R : {0.01, 0.5, 1.0, 3.0, 100.0})
        for (const double shift : {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6}) {
            const double near_axis = std::abs(R + shift), near_kink = std::abs(1 - R + shift);
            EXPECT_NEAR(sphere_cylinder(1, R, near_axis), by_quadrature(1, R, near_axis), 1e-10) << R << " " << shift;
            // Where sphere and cylinder share their axis to rounding the quadrature has no digits left, and the answer
            // is known.
            const double expected = R == 1 && near_kink < 1e-8 ? whole : by_quadrature(1, R, near_kink);
            EXPECT_NEAR(sphere_cylinder(1, R, near_kink), expected, 1e-10) << R << " " << shift;
        }
    // Scales as a volume.
    EXPECT_NEAR(sphere_cylinder(1e-3, 0.7e-3, 0.9e-3) / 1e-9, sphere_cylinder(1, 0.7, 0.9), 1e-14);
}

TEST(parts_of_spheres, slabs_of_a_cylinder_cut_add_up_to_the_whole) {
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int k = 0; k < 200; ++k) {
        const double R = 0.1 + 2 * uniform(random), d = uniform(random) * (1 + R), z = 2 * uniform(random) - 1;
        const double below = sphere_cylinder_slab(1, R, d, -2, z), above = sphere_cylinder_slab(1, R, d, z, 2);
        ASSERT_NEAR(below + above, sphere_cylinder(1, R, d), 1e-11) << R << " " << d << " " << z;
    }
    // Without a cut by the cylinder a slab is a slice.
    EXPECT_NEAR(sphere_cylinder_slab(1, 5, 0, -0.3, 0.4), sphere_below(1, 0, 0.4) - sphere_below(1, 0, -0.3), 1e-13);
}

TEST(parts_of_spheres, slices_are_exact_and_join) {
    const double r = 0.7, y = 0.2, whole = 4 * pi / 3 * r * r * r;
    EXPECT_EQ(sphere_below(r, y, y - r), 0);
    EXPECT_NEAR(sphere_below(r, y, y), whole / 2, 1e-15);  // where the printed Ferrez 2001 eq. 4.4 jumps to 2 pi r^3
    EXPECT_NEAR(sphere_below(r, y, y + r), whole, 1e-15);
    EXPECT_NEAR(sphere_below(r, y, std::nextafter(y, 1)), sphere_below(r, y, y), 1e-14);
    EXPECT_NEAR(sphere_below(r, y, y + r * (1 - 1e-12)), whole, 1e-14);
    // int pi (r^2 - z^2) dz, whose antiderivative is another expression.
    for (double h = y - r; h < y + r; h += 0.01) {
        const double u = h - y;
        EXPECT_NEAR(sphere_below(r, y, h), pi * (r * r * u - u * u * u / 3) + 2 * pi / 3 * r * r * r, 1e-14);
    }
}

TEST(parts_of_discs, areas_against_quadrature) {
    static const Gauss gauss(60);
    for (double u = -0.95; u < 1; u += 0.1) {
        double sum = 0;
        for (std::size_t g = 0; g < gauss.x.size(); ++g) {
            const double angle = -pi / 2 + (std::asin(u) + pi / 2) * (gauss.x[g] + 1) / 2;
            sum += gauss.w[g] * (std::asin(u) + pi / 2) / 2 * 2 * std::cos(angle) * std::cos(angle);
        }
        EXPECT_NEAR(disc_below(1, 0, u), sum, 1e-13);
    }
    EXPECT_NEAR(disc_disc(1, 1, 1), 2 * pi / 3 - std::sqrt(3.0) / 2, 1e-14);
    EXPECT_EQ(disc_disc(1, 3, 1), pi);
    EXPECT_EQ(disc_disc(1, 3, 4), 0);
    // A wide disc is a half plane.
    EXPECT_NEAR(disc_disc(1, 1e8, 1e8 - 0.3), disc_below(1, 0, 0.3), 1e-7);
}

}  // namespace
}  // namespace scree
