#include "geometry/signed_volumes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/exact_integer.h"
#include "math/infinite.h"

namespace scree {
namespace {

constexpr double smallest_product = 1e-250, largest_product = 1e250;

// The sign of a sum of products: the double if it exceeds its rounding error, the integer (if allowed) where not.
// Zero stands for "in doubt" with Signs::doubles and for a true zero with Signs::exact.
template <class Exactly>
int certain_sign(double value, double size, Signs signs, Exactly&& exactly) {
    if (size > smallest_product && size < largest_product && std::fabs(value) > 0x1p-47 * size)
        return value > 0 ? 1 : -1;
    return signs == Signs::exact ? exactly() : 0;
}

class SimplexSearch {
  public:
    SimplexSearch(std::span<const Vec3> simplex, Signs signs) : s_(simplex), signs_(signs) { best_.norm2 = infinite; }

    void vertex(int a);
    void edge(int a, int b);
    void triangle(int a, int b, int c);
    void tetrahedron(int a, int b, int c, int d);
    const SimplexPoint& best() const { return best_; }
    int searched() const { return searched_; }

  private:
    Vec3 at(int k) const { return s_[static_cast<std::size_t>(k)]; }
    ExactVec3 exact(int k) const { return exact_vector(at(k), common_exponent(s_)); }
    bool shorter(Vec3 p, double pp, std::initializer_list<int> vertices, std::initializer_list<double> lambdas);

    std::span<const Vec3> s_;
    Signs signs_;
    SimplexPoint best_;
    int searched_ = 0;
};

bool SimplexSearch::shorter(Vec3 p, double pp, std::initializer_list<int> vertices,
                            std::initializer_list<double> lambdas) {
    // A face that ties with one of its own faces has an origin on its border: the smaller set comes second and wins.
    if (!(pp < best_.norm2 || (pp == best_.norm2 && static_cast<int>(vertices.size()) < best_.count))) return false;
    best_.point = p;
    best_.norm2 = pp;
    best_.count = static_cast<int>(vertices.size());
    std::copy(vertices.begin(), vertices.end(), best_.vertex);
    std::copy(lambdas.begin(), lambdas.end(), best_.lambda);
    return true;
}

void SimplexSearch::vertex(int a) {
    ++searched_;
    shorter(at(a), norm2(at(a)), {a}, {1});
}

void SimplexSearch::edge(int a, int b) {
    ++searched_;
    const Vec3 p = at(a), q = at(b), t = q - p;
    const auto sign = [&](Vec3 end, int k) {
        const double size = std::fabs(end.x * t.x) + std::fabs(end.y * t.y) + std::fabs(end.z * t.z);
        return certain_sign(dot(end, t), size, signs_, [&] { return dot(exact(k), exact(b) - exact(a)).sign(); });
    };
    const int at_a = sign(q, b), at_b = -sign(p, a);
    const double length2 = norm2(t), along = -dot(p, t);
    if (at_a >= 0 && at_b >= 0 && along > 0 && along < length2) {
        const double s = along / length2;
        Vec3 closest = s < 0.5 ? p + s * t : q - (1 - s) * t;
        closest -= (dot(closest, t) / length2) * t;
        shorter(closest, norm2(closest), {a, b}, {1 - s, s});
        if (at_a > 0 && at_b > 0) return;
    }
    if (at_a <= 0) vertex(b);
    if (at_b <= 0) vertex(a);
    if (at_a > 0 && at_b > 0) {
        vertex(a);
        vertex(b);
    }
}

void SimplexSearch::triangle(int a, int b, int c) {
    ++searched_;
    const std::array<int, 3> k{a, b, c};
    const Vec3 n = cross(at(b) - at(a), at(c) - at(a));
    const double whole = norm2(n);
    std::array<double, 3> volume{};
    std::array<int, 3> sign{};
    for (std::size_t j = 0; j < 3; ++j) {
        // The triangle of the origin and the edge opposite vertex j.
        const int p = k[(j + 1) % 3], q = k[(j + 2) % 3];
        const Vec3 t = at(q) - at(p), m = cross(t, -at(p));
        volume[j] = dot(n, m);
        const Vec3 u = at(b) - at(a), v = at(c) - at(a);
        const double size = std::sqrt(norm2(u) * norm2(v) * norm2(t) * norm2(at(p)));
        sign[j] = certain_sign(volume[j], 4 * size, signs_, [&] {
            const ExactVec3 normal = cross(exact(b) - exact(a), exact(c) - exact(a));
            return dot(normal, cross(exact(p), exact(q))).sign();
        });
    }
    const double sum = volume[0] + volume[1] + volume[2];
    const bool inside = volume[0] > 0 && volume[1] > 0 && volume[2] > 0 && sign[0] >= 0 && sign[1] >= 0 && sign[2] >= 0;
    if (inside && whole > 0) {
        const double height = dot(n, at(a)) / whole;
        const Vec3 closest = height * n;
        shorter(closest, norm2(closest), {a, b, c}, {volume[0] / sum, volume[1] / sum, volume[2] / sum});
        if (sign[0] > 0 && sign[1] > 0 && sign[2] > 0) return;
    }
    const bool all = !(whole > 0) || (sign[0] > 0 && sign[1] > 0 && sign[2] > 0);
    for (std::size_t j = 0; j < 3; ++j)
        if (all || sign[j] <= 0) edge(k[(j + 1) % 3], k[(j + 2) % 3]);
}

void SimplexSearch::tetrahedron(int a, int b, int c, int d) {
    ++searched_;
    // Facet opposite each vertex, ordered so that its signed volume with the origin adds up to that of the whole.
    const std::array<std::array<int, 3>, 4> facet{{{b, d, c}, {a, c, d}, {a, d, b}, {a, b, c}}};
    std::array<double, 4> volume{};
    std::array<int, 4> sign{};
    double sum = 0;
    const auto determinant_sign = [&](Vec3 p, Vec3 q, Vec3 r, double& value, auto&& exactly) {
        const Vec3 n = cross(p, q);
        value = dot(n, r);
        const double size = (std::fabs(p.y * q.z) + std::fabs(p.z * q.y)) * std::fabs(r.x) +
                            (std::fabs(p.z * q.x) + std::fabs(p.x * q.z)) * std::fabs(r.y) +
                            (std::fabs(p.x * q.y) + std::fabs(p.y * q.x)) * std::fabs(r.z);
        return certain_sign(value, size, signs_, exactly);
    };
    for (std::size_t j = 0; j < 4; ++j) {
        const auto [p, q, r] = facet[j];
        sign[j] = -determinant_sign(at(p), at(q) - at(p), at(r) - at(p), volume[j],
                                    [&] { return dot(cross(exact(p), exact(q)), exact(r)).sign(); });
        volume[j] = -volume[j];
        sum += volume[j];
    }
    double whole = 0;
    const int turn = determinant_sign(at(b) - at(a), at(c) - at(a), at(d) - at(a), whole, [&] {
        return dot(cross(exact(b) - exact(a), exact(c) - exact(a)), exact(d) - exact(a)).sign();
    });
    const bool inside = turn != 0 && sign[0] == turn && sign[1] == turn && sign[2] == turn && sign[3] == turn;
    if (inside) {
        shorter({}, 0, {a, b, c, d}, {volume[0] / sum, volume[1] / sum, volume[2] / sum, volume[3] / sum});
        return;
    }
    for (std::size_t j = 0; j < 4; ++j)
        if (turn == 0 ? sign[j] != 0 || signs_ == Signs::doubles : sign[j] != turn)
            triangle(facet[j][0], facet[j][1], facet[j][2]);
    // All volumes zero: the simplex and the origin share a plane, any facet may hold the answer.
    if (best_.count == 0)
        for (const auto& f : facet) triangle(f[0], f[1], f[2]);
}

}  // namespace

SimplexPoint signed_volumes(std::span<const Vec3> simplex, Signs signs, int* searched) {
    SimplexSearch search(simplex, signs);
    if (simplex.size() == 1)
        search.vertex(0);
    else if (simplex.size() == 2)
        search.edge(0, 1);
    else if (simplex.size() == 3)
        search.triangle(0, 1, 2);
    else
        search.tetrahedron(0, 1, 2, 3);
    if (searched != nullptr) *searched = search.searched();
    return search.best();
}

}  // namespace scree
