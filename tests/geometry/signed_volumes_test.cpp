#include "geometry/signed_volumes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/random.h"
#include "distance_cases.h"

namespace scree {
namespace {

std::set<int> support_of(const SimplexPoint& p) { return {p.vertex, p.vertex + p.count}; }

// Brute force in long double: the least distance over all faces whose coordinates are positive.
double least_distance(std::span<const Vec3> s) {
    double best = 1e300;
    const int n = static_cast<int>(s.size());
    for (int mask = 1; mask < 1 << n; ++mask) {
        std::vector<Vec3> face;
        for (int k = 0; k < n; ++k)
            if ((mask >> k & 1) != 0) face.push_back(s[static_cast<std::size_t>(k)]);
        // Nearest point of the affine hull by Gram-Schmidt on the edges.
        using Long = long double;
        const std::size_t m = face.size() - 1;
        Long gram[3][4] = {};
        for (std::size_t i = 0; i < m; ++i) {
            const Vec3 e = face[i + 1] - face[0];
            for (std::size_t j = 0; j < m; ++j) {
                const Vec3 f = face[j + 1] - face[0];
                gram[i][j] = Long(e.x) * f.x + Long(e.y) * f.y + Long(e.z) * f.z;
            }
            gram[i][m] = -(Long(e.x) * face[0].x + Long(e.y) * face[0].y + Long(e.z) * face[0].z);
        }
        bool solvable = true;
        for (std::size_t i = 0; i < m && solvable; ++i) {
            std::size_t pivot = i;
            for (std::size_t j = i; j < m; ++j)
                if (std::fabs(gram[j][i]) > std::fabs(gram[pivot][i])) pivot = j;
            std::swap(gram[i], gram[pivot]);
            solvable = std::fabs(gram[i][i]) > 1e-25L;
            for (std::size_t j = 0; j < m && solvable; ++j)
                if (j != i)
                    for (std::size_t k = m + 1; k-- > i;) gram[j][k] -= gram[j][i] / gram[i][i] * gram[i][k];
        }
        if (!solvable) continue;
        Long x = face[0].x, y = face[0].y, z = face[0].z, sum = 0;
        bool inside = true;
        for (std::size_t i = 0; i < m; ++i) {
            const Long l = gram[i][m] / gram[i][i];
            inside &= l >= 0;
            sum += l;
            const Vec3 e = face[i + 1] - face[0];
            x += l * e.x;
            y += l * e.y;
            z += l * e.z;
        }
        if (inside && sum <= 1 && m == 3) return 0;
        if (inside && sum <= 1) best = std::min(best, static_cast<double>(std::sqrt(x * x + y * y + z * z)));
    }
    return best;
}

TEST(SignedVolumes, sphere_and_triangle_of_table_4_1) {
    const std::vector<Vec3> s{{0.45, 0, -0.60}, {-0.55, -0.75, -1.55}, {-0.55, 0.75, -1.55}};
    for (const Signs signs : {Signs::doubles, Signs::exact}) {
        const SimplexPoint p = signed_volumes(s, signs);
        EXPECT_EQ(support_of(p), std::set<int>{0});
        EXPECT_EQ(p.point, s[0]);
        EXPECT_DOUBLE_EQ(std::sqrt(p.norm2), 0.75);
    }
}

TEST(SignedVolumes, degenerate_tetrahedron_of_figure_4_6) {
    const double z = -31.557752817397152;
    const std::vector<Vec3> s{{-20.713282046795065, 0, z},
                              {-6.3505362624669246, 19.715748586578577, z},
                              {20.713255776709875, -0.032989069061845351, z},
                              {-20.713282046795065, 0, z}};
    int with_doubles = 0, with_integers = 0;
    for (const Signs signs : {Signs::doubles, Signs::exact}) {
        const SimplexPoint p = signed_volumes(s, signs, signs == Signs::exact ? &with_integers : &with_doubles);
        ASSERT_EQ(p.count, 3);
        std::set<int> support = support_of(p);
        if (support.erase(3) > 0) support.insert(0);  // the fourth vertex equals the first
        EXPECT_EQ(support, (std::set<int>{0, 1, 2}));
        EXPECT_NEAR(std::sqrt(p.norm2), -z, 1e-14);
        EXPECT_NEAR(p.point.x, 0, 1e-13);
        EXPECT_NEAR(p.point.y, 0, 1e-13);
    }
    EXPECT_LE(with_integers, with_doubles);  // exact signs leave fewer faces to search
}

TEST(SignedVolumes, equals_brute_force_over_all_faces) {
    Random r(4, 1);
    for (int k = 0; k < 20000; ++k) {
        std::vector<Vec3> s;
        const double shift = r.uniform(0, 2), flat = r.below(4) == 0 ? 1e-3 : 1;
        for (auto n = 1 + r.below(4); n > 0; --n)
            s.push_back({r.uniform(-1, 1) + shift, r.uniform(-1, 1), flat * r.uniform(-1, 1)});
        const double expected = least_distance(s);
        for (const Signs signs : {Signs::doubles, Signs::exact}) {
            const SimplexPoint p = signed_volumes(s, signs);
            ASSERT_NEAR(std::sqrt(p.norm2), expected, 1e-14) << "simplex " << k;
            double sum = 0;
            Vec3 point;
            for (int j = 0; j < p.count; ++j) {
                ASSERT_GE(p.lambda[j], 0);
                sum += p.lambda[j];
                point += p.lambda[j] * s[static_cast<std::size_t>(p.vertex[j])];
            }
            ASSERT_NEAR(sum, 1, 1e-12);
        }
    }
}

TEST(SignedVolumes, every_kind_of_degenerate_simplex) {
    const Vec3 a{1, 2, 3}, b{2, -1, 4}, c{-3, 1, 5};
    // Coincident, collinear, coplanar with and without the origin in the plane.
    const std::vector<std::vector<Vec3>> simplices{{a, a},
                                                   {a, a, a},
                                                   {a, a, a, a},
                                                   {a, a, b},
                                                   {a, b, a, b},
                                                   {a, b, 0.5 * (a + b)},
                                                   {a, b, 0.5 * (a + b), 0.25 * a + 0.75 * b},
                                                   {a, b, c, 0.25 * a + 0.25 * b + 0.5 * c},
                                                   {{1, 1, 0}, {1, -1, 0}, {2, 0, 0}, {3, 1, 0}},
                                                   {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}},
                                                   {{0, 0, 0}, {1, 0, 0}},
                                                   {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}}};
    for (const auto& s : simplices)
        for (const Signs signs : {Signs::doubles, Signs::exact}) {
            const SimplexPoint p = signed_volumes(s, signs);
            EXPECT_GE(p.count, 1);
            EXPECT_TRUE(is_finite(p.point));
            EXPECT_NEAR(std::sqrt(p.norm2), least_distance(s), 1e-14);
        }
}

TEST(SignedVolumes, the_form_for_gjk_agrees_when_the_newest_vertex_is_needed) {
    Random r(5, 1);
    int compared = 0;
    for (int k = 0; k < 20000; ++k) {
        std::vector<Vec3> s;
        for (auto n = 2 + r.below(3); n > 0; --n)
            s.push_back({r.uniform(-1, 1) + 0.3, r.uniform(-1, 1), r.uniform(-1, 1)});
        const SimplexPoint all = signed_volumes(s);
        const int last = static_cast<int>(s.size()) - 1;
        if (!support_of(all).contains(last)) continue;
        ++compared;
        Front front;
        front.norm2 = 1e300;
        if (last == 1)
            newest::segment(s[1], 1, s[0], 0, front);
        else if (last == 2)
            newest::triangle(s[2], 2, s[1], 1, s[0], 0, front);
        else
            newest::tetrahedron(s[3], 3, s[2], 2, s[1], 1, s[0], 0, front);
        ASSERT_EQ(front.count, all.count);
        ASSERT_NEAR(std::sqrt(front.norm2), std::sqrt(all.norm2), 1e-14);
        double lambda[4];
        front_weights(s.data(), front, lambda);
        Vec3 point;
        for (int j = 0; j < front.count; ++j) point += lambda[j] * s[static_cast<std::size_t>(front.vertex(j))];
        ASSERT_LE(norm(point - all.point), 1e-13);
    }
    EXPECT_GT(compared, 5000);
}

}  // namespace
}  // namespace scree
