#include "subalgorithms_peers.h"

#include <array>
#include <limits>

namespace scree::bench {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

SimplexPoint point_of(std::span<const Vec3> simplex, int count, const std::array<int, 4>& names,
                      const std::array<double, 4>& weights) {
    SimplexPoint found;
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += weights[static_cast<std::size_t>(k)];
    found.count = count;
    for (int k = 0; k < count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        found.vertex[k] = names[i];
        found.lambda[k] = weights[i] / sum;
        found.point += found.lambda[k] * simplex[static_cast<std::size_t>(names[i])];
    }
    found.norm2 = norm2(found.point);
    return found;
}

// Cofactors of all sub-simplices, which are sets of bits.
class Cofactors {
  public:
    explicit Cofactors(std::span<const Vec3> simplex) : size_(static_cast<int>(simplex.size())) {
        double product[4][4];
        for (int i = 0; i < size_; ++i)
            for (int j = 0; j < size_; ++j)
                product[i][j] = dot(simplex[static_cast<std::size_t>(i)], simplex[static_cast<std::size_t>(j)]);
        for (int i = 0; i < size_; ++i) value_[1 << i][i] = 1;
        for (int set = 1; set < 1 << size_; ++set) {
            const int k = __builtin_ctz(static_cast<unsigned>(set));
            for (int j = 0; j < size_; ++j) {
                if ((set >> j & 1) != 0) continue;
                double sum = 0;
                for (int i = 0; i < size_; ++i)
                    if ((set >> i & 1) != 0) sum += value_[set][i] * (product[i][k] - product[i][j]);
                value_[set | 1 << j][j] = sum;
            }
        }
    }
    double at(int set, int corner) const { return value_[set][corner]; }
    // The nearest point of the corners' affine hull is inside.
    bool inside(int set) const {
        for (int i = 0; i < size_; ++i)
            if ((set >> i & 1) != 0 && !(value_[set][i] > 0)) return false;
        return true;
    }
    // ... and no other corner brings it nearer.
    bool nearest(int set) const {
        for (int j = 0; j < size_; ++j)
            if ((set >> j & 1) == 0 && value_[set | 1 << j][j] > 0) return false;
        return inside(set);
    }
    SimplexPoint point(std::span<const Vec3> simplex, int set) const {
        std::array<int, 4> names{};
        std::array<double, 4> weights{};
        int count = 0;
        for (int i = 0; i < size_; ++i)
            if ((set >> i & 1) != 0) {
                names[static_cast<std::size_t>(count)] = i;
                weights[static_cast<std::size_t>(count++)] = value_[set][i];
            }
        return point_of(simplex, count, names, weights);
    }

  private:
    int size_;
    double value_[16][4] = {};
};

SimplexPoint nearest_of_all(std::span<const Vec3> simplex, const Cofactors& cofactors) {
    SimplexPoint best;
    best.norm2 = infinite;
    for (int set = 1; set < 1 << simplex.size(); ++set) {
        if (!cofactors.inside(set)) continue;
        const SimplexPoint found = cofactors.point(simplex, set);
        if (found.norm2 < best.norm2) best = found;
    }
    return best;
}

SimplexPoint on_segment(std::span<const Vec3> s, int i, int j) {
    const Vec3 a = s[static_cast<std::size_t>(i)], b = s[static_cast<std::size_t>(j)], ab = b - a;
    const double along = -dot(a, ab), length2 = norm2(ab);
    if (along <= 0) return point_of(s, 1, {i}, {1});
    if (along >= length2) return point_of(s, 1, {j}, {1});
    return point_of(s, 2, {i, j}, {length2 - along, along});
}

SimplexPoint on_triangle(std::span<const Vec3> s, int i, int j, int k) {
    const Vec3 a = s[static_cast<std::size_t>(i)], b = s[static_cast<std::size_t>(j)],
               c = s[static_cast<std::size_t>(k)];
    const Vec3 ab = b - a, ac = c - a;
    const double d1 = -dot(ab, a), d2 = -dot(ac, a);
    if (d1 <= 0 && d2 <= 0) return point_of(s, 1, {i}, {1});
    const double d3 = -dot(ab, b), d4 = -dot(ac, b);
    if (d3 >= 0 && d4 <= d3) return point_of(s, 1, {j}, {1});
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return point_of(s, 2, {i, j}, {-d3, d1});
    const double d5 = -dot(ab, c), d6 = -dot(ac, c);
    if (d6 >= 0 && d5 <= d6) return point_of(s, 1, {k}, {1});
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return point_of(s, 2, {i, k}, {-d6, d2});
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return point_of(s, 2, {j, k}, {d5 - d6, d4 - d3});
    return point_of(s, 3, {i, j, k}, {va, vb, vc});
}

}  // namespace

SimplexPoint johnson(std::span<const Vec3> simplex) {
    const Cofactors cofactors(simplex);
    const int newest = 1 << (simplex.size() - 1);
    for (int rest = 0; rest < newest; ++rest)
        if (cofactors.nearest(newest | rest)) return cofactors.point(simplex, newest | rest);
    SimplexPoint none;
    none.norm2 = infinite;
    return none;
}

SimplexPoint johnson_with_backup(std::span<const Vec3> simplex) {
    const Cofactors cofactors(simplex);
    const int newest = 1 << (simplex.size() - 1);
    for (int rest = 0; rest < newest; ++rest)
        if (cofactors.nearest(newest | rest)) return cofactors.point(simplex, newest | rest);
    return nearest_of_all(simplex, cofactors);
}

SimplexPoint backup(std::span<const Vec3> simplex) { return nearest_of_all(simplex, Cofactors(simplex)); }

SimplexPoint voronoi_regions(std::span<const Vec3> s) {
    if (s.size() == 1) return point_of(s, 1, {0}, {1});
    if (s.size() == 2) return on_segment(s, 0, 1);
    if (s.size() == 3) return on_triangle(s, 0, 1, 2);
    static constexpr int side[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    SimplexPoint best;
    best.norm2 = infinite;
    double volume[4] = {};
    for (int k = 0; k < 4; ++k) {
        const auto& [i, j, l, other] = side[k];
        const auto at = [&](int corner) { return s[static_cast<std::size_t>(corner)]; };
        const Vec3 normal = cross(at(j) - at(i), at(l) - at(i));
        const double here = -dot(at(i), normal), there = dot(at(other) - at(i), normal);
        volume[other] = here / there;
        if (here * there >= 0) continue;
        const SimplexPoint found = on_triangle(s, i, j, l);
        if (found.norm2 < best.norm2) best = found;
    }
    if (best.norm2 < infinite) return best;
    return point_of(s, 4, {0, 1, 2, 3}, {volume[0], volume[1], volume[2], volume[3]});
}

}  // namespace scree::bench
