// Rounded bodies as triangles: closed, inside the body, corners on its surface, as near to it as said.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "shape/half_spaces.h"
#include "shape/mass.h"
#include "shape/shape.h"
#include "shape/tessellation.h"

namespace scree {
namespace {

// Skeletons of every dimension, with short and long roundings, turned out of the axes.
std::vector<Piece> pieces() {
    const Mat3 turn = matrix_of(normalized(Quaternion{0.9, 0.2, -0.3, 0.4}));
    std::vector<Piece> out;
    for (const double radius : {0.05, 1.5}) {
        for (const Solid solid :
             {Solid::tetrahedron, Solid::cube, Solid::octahedron, Solid::dodecahedron, Solid::icosahedron}) {
            std::vector<Vec3> corners = solid_corners(solid, 1);
            for (Vec3& p : corners) p = turn * p + Vec3{3, 1, 2};
            out.push_back(make_piece(corners, radius, 3));
        }
        const std::vector<std::vector<Vec3>> flat = {{{0, 0, 0}},
                                                     {{0, 0, 0}, {0, 0, 2}},
                                                     {{0, 0, 0}, {1, 1, 1}},
                                                     {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}},
                                                     {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                                                     {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0.1, 0.1, 0.01}}};
        for (std::vector<Vec3> cloud : flat) {
            for (Vec3& p : cloud) p = turn * p;
            out.push_back(make_piece(cloud, radius, 3));
        }
    }
    return out;
}

double support(std::span<const Vec3> points, Vec3 d) {
    double most = -1e300;
    for (const Vec3 p : points) most = std::fmax(most, dot(p, d));
    return most;
}

std::vector<Vec3> random_directions(int count) {
    Random random(11, 3);
    std::vector<Vec3> out;
    while (static_cast<int>(out.size()) < count) {
        const Vec3 d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        if (norm(d) < 1 && norm(d) > 0.1) out.push_back(normalized(d));
    }
    return out;
}

TEST(tessellation, closed_inside_and_within_the_deviation_told) {
    const std::vector<Vec3> directions = random_directions(4000);
    for (const Piece& piece : pieces())
        for (const Fineness fineness : {Fineness::least, Fineness::coarse, Fineness::medium, Fineness::fine}) {
            SCOPED_TRACE(testing::Message()
                         << piece.dimension << "-dimensional, " << piece.vertex.size() << " corners, radius "
                         << piece.radius << ", fineness " << static_cast<int>(fineness));
            const TriangleMesh mesh = rounded_surface(piece, 3, fineness);
            EXPECT_NO_THROW(require_solid(mesh, "it"));
            double worst = 0;
            for (const Vec3 d : directions) {
                const double missing = support(piece.vertex, d) + piece.radius - support(mesh.points, d);
                EXPECT_GE(missing, -1e-12);
                worst = std::fmax(worst, missing);
            }
            for (const auto& t : mesh.triangles) {
                const Vec3 a = mesh.points[static_cast<std::size_t>(t[0])],
                           n = normalized(cross(mesh.points[static_cast<std::size_t>(t[1])] - a,
                                                mesh.points[static_cast<std::size_t>(t[2])] - a));
                worst = std::fmax(worst, support(piece.vertex, n) + piece.radius - dot(a, n));
            }
            EXPECT_LT(worst, deviation(fineness) * piece.radius);
            if (piece.dimension == 0) {
                EXPECT_EQ(mesh.triangles.size(), 20u << (2 * static_cast<unsigned>(fineness)));
            }
        }
}

TEST(tessellation, flat_faces_stay_where_they_are) {
    for (const Piece& piece : pieces()) {
        if (piece.dimension < 2) continue;
        const TriangleMesh mesh = rounded_surface(piece, 3, Fineness::coarse);
        for (const Face& face : piece.faces)
            EXPECT_NEAR(support(mesh.points, face.normal), face.offset + piece.radius, 1e-12);
    }
}

TEST(tessellation, volumes_converge_to_those_in_closed_form) {
    for (const Piece& piece : pieces()) {
        SCOPED_TRACE(testing::Message() << piece.dimension << "-dimensional, " << piece.vertex.size()
                                        << " corners, radius " << piece.radius);
        const double exact = moments_of(piece, 3).volume;
        double before = 1;
        for (const Fineness fineness : {Fineness::coarse, Fineness::medium, Fineness::fine}) {
            const TriangleMesh mesh = rounded_surface(piece, 3, fineness);
            const double missing = 1 - moments_of(mesh.points, mesh.triangles).volume / exact;
            EXPECT_GE(missing, -1e-12);
            EXPECT_LT(missing, 0.45 * before + 1e-9);
            before = missing;
        }
        EXPECT_LT(before, 0.012);
    }
}

TEST(tessellation, plates_have_the_area_of_rounded_polygons) {
    const std::vector<std::vector<Vec3>> clouds = {{{0, 0, 0}},
                                                   {{-1, 0, 0}, {1, 0, 0}},
                                                   {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}},
                                                   {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}};
    for (const auto& cloud : clouds) {
        const Piece piece = make_piece(cloud, 0.3, 2);
        const TriangleMesh mesh = rounded_surface(piece, 2, Fineness::fine);
        EXPECT_NO_THROW(require_solid(mesh, "plate"));
        const double area = moments_of(mesh.points, mesh.triangles).volume / 0.3, exact = moments_of(piece, 2).volume;
        EXPECT_LE(area, exact * (1 + 1e-12));
        EXPECT_GT(area, exact * 0.997);
    }
}

}  // namespace
}  // namespace scree
