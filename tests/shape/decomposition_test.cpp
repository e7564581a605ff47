// Convex pieces of solids: what they are told to be, against closed forms, planes and sampled points.
#include <gtest/gtest.h>

#include <cmath>

#include "geometry/gjk.h"
#include "geometry/mesh/mesh_body.h"
#include "meshes.h"
#include "shape/decomposition.h"
#include "shape/mass.h"
#include "shape/mesh.h"

namespace scree {
namespace {

// An L of thickness one, of two unit-wide arms two long.
TriangleMesh notched() {
    TriangleMesh m;
    m.points = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0},
                {0, 0, 1}, {2, 0, 1}, {2, 1, 1}, {1, 1, 1}, {1, 2, 1}, {0, 2, 1}};
    m.triangles = {{0, 2, 1},   {0, 3, 2},  {0, 5, 3},  {3, 5, 4},   {6, 7, 8}, {6, 8, 9}, {6, 9, 11},
                   {9, 10, 11}, {0, 1, 7},  {0, 7, 6},  {1, 2, 8},   {1, 8, 7}, {2, 3, 9}, {2, 9, 8},
                   {3, 4, 10},  {3, 10, 9}, {4, 5, 11}, {4, 11, 10}, {5, 0, 6}, {5, 6, 11}};
    return m;
}

TEST(Decomposition, of_a_block_with_a_notch_is_exact) {
    const std::vector<ConvexPiece> parts = described_pieces(notched(), 0.01);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_DOUBLE_EQ(parts[0].volume + parts[1].volume, 3);
    for (const ConvexPiece& part : parts) {
        EXPECT_EQ(part.depth, 0);
        EXPECT_NEAR(part.convexity, 0, 1e-15);
    }
    // As one piece: the middle of the notch's edge is 1/2 below both ends, and 1 along the normals of its sides.
    const std::vector<ConvexPiece> whole = described_pieces(notched(), 1);
    ASSERT_EQ(whole.size(), 1u);
    EXPECT_DOUBLE_EQ(whole[0].volume, 3.5);
    EXPECT_DOUBLE_EQ(whole[0].depth, 0.5);
    EXPECT_DOUBLE_EQ(whole[0].convexity, 1);
}

// Nothing of the solid is lost, hulls have no inner points in common, and depths are those of the points of the
// surface.
TEST(Decomposition, keeps_the_solid_and_its_word) {
    Random r(51, 0);
    for (const TriangleMesh& mesh : {torus(16, 8, 0.3), rock(2, 0.5, 5)})
        for (const double depth : {0.3, 0.15}) {
            const std::vector<ConvexPiece> parts = described_pieces(mesh, depth);
            const MeshBody body(mesh);
            double volume = 0;
            std::vector<Polyhedron> hulls;
            for (const ConvexPiece& part : parts) {
                EXPECT_LE(part.depth, depth);
                EXPECT_GE(part.convexity, part.depth);
                EXPECT_GT(part.volume, 0);
                volume += part.volume;
                hulls.emplace_back(part.hull.points);
            }
            EXPECT_GE(volume, moments_of(mesh.points, mesh.triangles).volume * (1 - 1e-12));
            const auto holders = [&](Vec3 p, double within) {
                int count = 0;
                for (const Polyhedron& hull : hulls) {
                    const Distance d = distance(hull, Polyhedron(std::vector<Vec3>{p}));
                    count += d.distance <= within;
                }
                return count;
            };
            int inside = 0;
            for (int k = 0; k < 1000; ++k) {
                const Vec3 p{r.uniform(-1.4, 1.4), r.uniform(-1.4, 1.4), r.uniform(-1.4, 1.4)};
                const int held = holders(p, 0);
                EXPECT_LE(held, 1);
                if (body.place(p) != Place::inside) continue;
                ++inside;
                EXPECT_EQ(held, 1);
            }
            EXPECT_GT(inside, 50);
            for (const Vec3& p : mesh.points) EXPECT_GE(holders(p, 1e-12), 1);
        }
}

TEST(Decomposition, finer_pieces_leave_less_outside) {
    double before = 1e300;
    for (const double depth : {0.3, 0.15, 0.08}) {
        double volume = 0;
        const std::vector<ConvexPiece> parts = described_pieces(torus(16, 8, 0.3), depth);
        for (const ConvexPiece& part : parts) volume += part.volume;
        EXPECT_LE(volume, before * (1 + 1e-12));
        before = volume;
    }
}

}  // namespace
}  // namespace scree
