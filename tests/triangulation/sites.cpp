#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "math/elementary.h"
#include "reference.h"

namespace scree::tri {

std::vector<Row> random_sites(int dimension, int n, double size_ratio, unsigned seed, double packing) {
    Random random(seed, 77);
    std::vector<Row> rows(static_cast<std::size_t>(n));
    // Radii from 1 to the ratio with equal volume per octave, in a box that they fill to the given fraction.
    double volume = 0;
    for (Row& row : rows) {
        const double r = 1 / (1 - random.uniform() * (1 - 1 / size_ratio));
        row.c[3] = r * r;
        volume += dimension == 3 ? 4.19 * r * r * r : 3.14 * r * r;
    }
    const double side = dimension == 3 ? std::cbrt(volume / packing) : std::sqrt(volume / packing);
    for (Row& row : rows)
        for (int k = 0; k < 3; ++k) row.c[k] = k < dimension ? random.uniform(0, side) : 0;
    return rows;
}

std::vector<Row> lattice_sites(const std::string& kind, int side) {
    std::vector<Row> rows;
    const bool planar = kind == "square" || kind == "triangular";
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
            for (int k = 0; k < (planar ? 1 : side); ++k) {
                const double x = 2 * i, y = 2 * j, z = planar ? 0 : 2 * k;
                if (kind == "triangular") {
                    rows.push_back({{x + (j % 2), y * 0.875, 0, 1}});
                } else if (kind == "hexagonal") {
                    rows.push_back({{x + (j % 2) + (k % 2), y * 0.875 + (k % 2) * 0.5, z * 0.8125, 1}});
                } else {
                    rows.push_back({{x, y, z, 1}});
                }
                if (kind == "bcc") rows.push_back({{x + 1, y + 1, z + 1, 1}});
                if (kind == "fcc") {
                    rows.push_back({{x + 1, y + 1, z, 1}});
                    rows.push_back({{x + 1, y, z + 1, 1}});
                    rows.push_back({{x, y + 1, z + 1, 1}});
                }
            }
    for (Row& row : rows)
        for (int k = 0; k < 3; ++k) row.c[k] *= 16;  // integers
    return rows;
}

std::vector<Row> special_sites(const std::string& kind, int n, unsigned seed) {
    Random random(seed, 99);
    std::vector<Row> rows;
    const auto integer = [&](int range) {
        return static_cast<double>(random.below(static_cast<std::uint64_t>(range)));
    };
    for (int k = 0; k < n; ++k) {
        const double u = random.uniform(), v = random.uniform(), w = random.uniform();
        if (kind == "integers_3d")
            rows.push_back({{integer(6), integer(6), integer(6), integer(4)}});
        else if (kind == "integers_2d")
            rows.push_back({{integer(12), integer(12), 0, integer(4)}});
        else if (kind == "sphere") {
            // Exactly on a sphere: rational points of the unit sphere are rounded, so these are near; the weights make
            // them exactly cospherical in the power sense where the sum of squares is representable.
            const double x = 2 * u - 1, y = 2 * v - 1, s = x * x + y * y + 1;
            rows.push_back({{2 * x / s, 2 * y / s, (s - 2) / s, 0}});
        } else if (kind == "integer_sphere") {
            static constexpr int triples[][3] = {{65, 0, 0},   {63, 16, 0},  {60, 25, 0},  {56, 33, 0}, {52, 39, 0},
                                                 {60, 20, 15}, {52, 36, 15}, {48, 39, 20}, {36, 48, 25}};
            const auto& t = triples[random.below(9)];
            int order[3] = {0, 1, 2};
            for (int m = 2; m > 0; --m) std::swap(order[m], order[random.below(static_cast<std::uint64_t>(m) + 1)]);
            Row row{{0, 0, 0, 1}};
            for (int m = 0; m < 3; ++m) row.c[m] = t[order[m]] * (random.below(2) ? 1.0 : -1.0);
            rows.push_back(row);
        } else if (kind == "two_lines") {
            if (k % 2)
                rows.push_back({{u, 0, 0, 0}});
            else
                rows.push_back({{0.5, u, 1, 0}});
        } else if (kind == "two_lines_integer") {
            if (k % 2)
                rows.push_back({{k - n / 2.0, 0, 0, 0}});
            else
                rows.push_back({{0, k - n / 2.0, 1000, 0}});
        } else if (kind == "two_planes")
            rows.push_back({{u, v, static_cast<double>(k % 2), 0.01 * w}});
        else if (kind == "plane")
            rows.push_back({{integer(50), integer(50), 3, integer(3)}});
        else if (kind == "tilted_plane") {
            const double x = integer(64), y = integer(64);
            rows.push_back({{x, y, 2 * x - 3 * y + 1, integer(5)}});
        } else if (kind == "vertical_plane") {
            const double x = integer(64), z = integer(64);
            rows.push_back({{x, 2 * x, z, integer(5)}});
        } else if (kind == "line") {
            const double t = integer(1000);
            rows.push_back({{t, 2 * t, -t, integer(3)}});
        } else if (kind == "vertical_line")
            rows.push_back({{1, 2, integer(1000), integer(3)}});
        else if (kind == "clusters") {
            const double c = std::floor(w * 8);
            rows.push_back(
                {{c + 1e-9 * u, c * 0.3 + 1e-9 * v, c * c + 1e-9 * random.uniform(), 1e-20 * random.uniform()}});
        } else if (kind == "offset")
            rows.push_back({{1e6 + u, -1e6 + v, 1e6 + w, 0.01 * random.uniform()}});
        else if (kind == "huge_weights")
            rows.push_back({{u, v, w, random.below(10) == 0 ? 1e6 * random.uniform() : 0.0}});
        else if (kind == "mixed_exponents") {
            const double s = std::ldexp(1.0, -static_cast<int>(random.below(120)));
            rows.push_back({{u * s, v * s, w * s, s * s * 0.01 * random.uniform()}});
        } else if (kind == "shell_and_center") {
            const double x = 2 * u - 1, y = 2 * v - 1, s = x * x + y * y + 1;
            if (k == 0)
                rows.push_back({{0, 0, 0, 0.81}});
            else
                rows.push_back({{2 * x / s, 2 * y / s, (s - 2) / s, 1e-4}});
        }
    }
    return rows;
}

std::vector<Row> snapped(std::vector<Row> rows, double unit) {
    for (Row& row : rows) {
        for (int k = 0; k < 3; ++k) row.c[k] = std::nearbyint(row.c[k] / unit);
        row.c[3] = std::nearbyint(row.c[3] / (unit * unit));
    }
    return rows;
}

}  // namespace scree::tri
