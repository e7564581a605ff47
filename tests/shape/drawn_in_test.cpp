// Pieces of meshes drawn in by their rounding radius: flat faces stay flat, nothing sticks out, and little is left
// uncovered.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <tuple>

#include "core/random.h"
#include "geometry/gjk.h"
#include "math/elementary.h"
#include "meshes.h"
#include "shape/drawn_in.h"
#include "shape/half_spaces.h"
#include "shape/mesh.h"
#include "shape/shape.h"

namespace scree {
namespace {

using Clouds = std::vector<std::vector<Vec3>>;

// The outline in x and z, counterclockwise, as thick as `width` along y; its caps by triangles of its corners.
TriangleMesh prism(const std::vector<std::array<double, 2>>& outline, const std::vector<std::array<int, 3>>& caps,
                   double width) {
    TriangleMesh m;
    const int n = static_cast<int>(outline.size());
    for (const double y : {width, 0.0})
        for (const auto& p : outline) m.points.push_back({p[0], y, p[1]});
    for (int k = 0; k < n; ++k) {
        const int next = (k + 1) % n;
        m.triangles.push_back({k, next, next + n});
        m.triangles.push_back({k, next + n, k + n});
    }
    for (const auto& t : caps) {
        m.triangles.push_back({t[0], t[2], t[1]});
        m.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
    }
    return m;
}

TriangleMesh bracket() {
    return prism({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}}, 2);
}

// A block with a box left out of it.
TriangleMesh hollow_block() {
    TriangleMesh m;
    const Vec3 corners[2][2] = {{{0, 0, 0}, {1, 1, 1}}, {{0.2, 0.3, 0.25}, {0.7, 0.8, 0.75}}};
    for (const auto& [low, high] : corners) {
        const int first = static_cast<int>(m.points.size());
        for (int k = 0; k < 8; ++k)
            m.points.push_back({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
        for (const auto& t : {std::array{0, 2, 1}, std::array{1, 2, 3}, std::array{4, 5, 6}, std::array{5, 7, 6},
                              std::array{0, 1, 4}, std::array{1, 5, 4}, std::array{2, 6, 3}, std::array{3, 6, 7},
                              std::array{0, 4, 2}, std::array{2, 4, 6}, std::array{1, 3, 5}, std::array{3, 7, 5}})
            m.triangles.push_back(first == 0 ? std::array{t[0], t[1], t[2]}
                                             : std::array{t[0] + first, t[2] + first, t[1] + first});
    }
    return m;
}

TriangleMesh turned(TriangleMesh mesh) {
    const Mat3 turn = matrix_of(uniform_rotation(0.3, 0.1, 0.45));
    for (Vec3& p : mesh.points) p = turn * p;
    return mesh;
}

TriangleMesh grain() {
    std::string file = SCREE_SOURCE_DIR;
    file += "/examples/sand/grain.stl";
    return read_mesh(file);
}

std::vector<Polyhedron> bodies(const Clouds& clouds) {
    std::vector<Polyhedron> out;
    for (const auto& cloud : clouds) out.emplace_back(cloud);
    return out;
}

double gap(const std::vector<Polyhedron>& all, Vec3 x) {
    double least = forever;
    for (const Polyhedron& body : all) least = std::fmin(least, distance(body, PointBody(x)).gap);
    return least;
}

// Every piece by itself, on all its sides.
Clouds each_drawn_in(const Clouds& pieces, double radius) {
    Clouds out;
    for (const auto& cloud : pieces)
        if (auto inner = eroded(cloud, radius, 3); !inner.empty()) out.push_back(std::move(inner));
    return out;
}

Vec3 direction(Random& random) {
    const double z = random.uniform(-1, 1), angle = random.uniform(0, 2 * pi), across = std::sqrt(1 - z * z);
    return {across * std::cos(angle), across * std::sin(angle), z};
}

// How far the rounded pieces stick out of the pieces, at the most.
double sticks_out(const Clouds& clouds, double radius, const std::vector<Polyhedron>& pieces) {
    Random random(1, 0);
    double most = 0;
    for (const auto& cloud : clouds) {
        const Piece piece = make_piece(cloud, radius, 3);
        std::vector<Vec3> points = piece.vertex;
        for (int k = 0; k < 60; ++k) {  // between corners of a face
            const Face& face =
                piece.faces[static_cast<std::size_t>(random.uniform(0, static_cast<double>(piece.faces.size())))];
            Vec3 sum;
            double all = 0;
            for (const int c : face.corners) {
                const double weight = random.uniform();
                sum += weight * piece.vertex[static_cast<std::size_t>(c)];
                all += weight;
            }
            points.push_back(sum / all);
        }
        for (const Vec3 p : points) {
            for (int k = 0; k < 20; ++k) most = std::fmax(most, gap(pieces, p + radius * direction(random)));
        }
    }
    return most;
}

// How far points of the surface lie above the rounded pieces, on the mean and at the most.
std::array<double, 2> uncovered(const TriangleMesh& mesh, const Clouds& clouds, double radius) {
    const std::vector<Polyhedron> all = bodies(clouds);
    Random random(2, 0);
    double sum = 0, area = 0, most = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.points[static_cast<std::size_t>(t[0])], b = mesh.points[static_cast<std::size_t>(t[1])],
                   c = mesh.points[static_cast<std::size_t>(t[2])];
        const double weight = norm(cross(b - a, c - a));
        const int count = mesh.triangles.size() > 100 ? 4 : 100;
        for (int k = 0; k < count; ++k) {
            double u = random.uniform(), v = random.uniform();
            if (u + v > 1) {
                u = 1 - u;
                v = 1 - v;
            }
            const double above = std::fmax(0, gap(all, a + u * (b - a) + v * (c - a)) - radius);
            sum += weight / count * above;
            most = std::fmax(most, above);
        }
        area += weight;
    }
    return {sum / area, most};
}

Clouds drawn(const Clouds& pieces, double radius) { return drawn_in(pieces, radius).clouds; }

// How far a ball of the same radius sinks below the plane when it rolls over the parallelogram, or is lifted above it,
// in radii.
double unevenness(const std::vector<Polyhedron>& all, double radius, Vec3 corner, Vec3 u, Vec3 v) {
    const Vec3 out = normalized(cross(u, v)), along = normalized(u), across = normalized(v);
    const double margin = 1.01 * radius;  // the edges of the body are round
    double most = 0;
    for (int i = 0; i <= 60; ++i)
        for (int j = 0; j <= 60; ++j) {
            const Vec3 at = corner + (margin + (norm(u) - 2 * margin) * i / 60) * along +
                            (margin + (norm(v) - 2 * margin) * j / 60) * across;
            most = std::fmax(most, std::fabs(gap(all, at + radius * out) - 2 * radius));
        }
    return most / radius;
}

TEST(drawn_in, flat_faces_of_an_eroded_mesh_have_no_grooves) {
    for (const double radius : {0.1, 0.03}) {
        const std::vector<Polyhedron> all = bodies(drawn(convex_pieces(bracket(), 0.01), radius));
        EXPECT_LT(unevenness(all, radius, {}, {0, 2, 0}, {3, 0, 0}), 1e-9) << "sole, " << radius;
        EXPECT_LT(unevenness(all, radius, {}, {0, 0, 3}, {0, 2, 0}), 1e-9) << "back, " << radius;
        EXPECT_LT(unevenness(all, radius, {}, {3, 0, 0}, {0, 0, 1}), 1e-9) << "cheek, " << radius;
        EXPECT_LT(unevenness(all, radius, {}, {1, 0, 0}, {0, 0, 3}), 1e-9) << "cheek, " << radius;
        const std::vector<Polyhedron> hollow = bodies(drawn(convex_pieces(hollow_block(), 0.01), 0.5 * radius));
        const Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
        EXPECT_LT(unevenness(hollow, 0.5 * radius, {}, y, x), 1e-9);
        EXPECT_LT(unevenness(hollow, 0.5 * radius, {}, z, y), 1e-9);
        EXPECT_LT(unevenness(hollow, 0.5 * radius, {}, x, z), 1e-9);
        EXPECT_LT(unevenness(hollow, 0.5 * radius, x + y + z, -x, -y), 1e-9);
        EXPECT_LT(unevenness(hollow, 0.5 * radius, x + y + z, -y, -z), 1e-9);
        EXPECT_LT(unevenness(hollow, 0.5 * radius, x + y + z, -z, -x), 1e-9);
    }
}

TEST(drawn_in, faces_that_cuts_cross_at_a_slant_are_flat_to_a_tenth_of_the_radius) {
    const Mat3 turn = matrix_of(uniform_rotation(0.3, 0.1, 0.45));
    const Clouds pieces = convex_pieces(turned(bracket()), 0.02);
    ASSERT_GT(pieces.size(), 4u);
    for (const double radius : {0.1, 0.03}) {
        const std::vector<Polyhedron> all = bodies(drawn(pieces, radius));
        EXPECT_LT(unevenness(all, radius, {}, turn * Vec3{0, 2, 0}, turn * Vec3{3, 0, 0}), 0.1) << radius;
        EXPECT_LT(unevenness(all, radius, {}, turn * Vec3{0, 0, 3}, turn * Vec3{0, 2, 0}), 0.1) << radius;
        EXPECT_LT(unevenness(all, radius, {}, turn * Vec3{3, 0, 0}, turn * Vec3{0, 0, 1}), 0.1) << radius;
    }
}

TEST(drawn_in, skeletons_of_neighbors_meet_at_the_inner_corner_of_a_bracket) {
    const std::vector<Polyhedron> two = bodies(drawn(convex_pieces(bracket(), 0.01), 0.1));
    ASSERT_EQ(two.size(), 2u);
    EXPECT_LT(distance(two[0], two[1]).gap, 1e-9);
}

TEST(drawn_in, a_shallow_neighbor_is_not_pierced) {
    // A block and a lid on it that is lower than the radius: the ball at the end of the block's skeleton has no room in
    // it.
    const Clouds pieces = {{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}},
                           {{0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}, {1, 1, 2.15}}};
    const double radius = 0.3;
    const Clouds clouds = drawn(pieces, radius);
    EXPECT_LT(sticks_out(clouds, radius, bodies(pieces)), 0.02 * radius);
    const std::vector<Polyhedron> all = bodies(clouds);
    // And yet the top is where it was.
    EXPECT_LT(gap(all, {1, 1, 2.15}) - radius, 0.1 * radius);
}

TEST(drawn_in, rounded_pieces_stay_in_the_body_and_cover_more_of_it_than_each_by_itself) {
    const std::tuple<const char*, TriangleMesh, double> cases[] = {{"bracket", turned(bracket()), 0.05},
                                                                   {"hollow block", hollow_block(), 0.05},
                                                                   {"ring", turned(torus(12, 6, 0.3)), 0.1},
                                                                   {"grain", grain(), 0.1},
                                                                   {"grain", turned(grain()), 0.05}};
    for (const auto& [name, mesh, radius] : cases) {
        const Clouds pieces = convex_pieces(mesh, 0.02), clouds = drawn(pieces, radius);
        EXPECT_LT(sticks_out(clouds, radius, bodies(pieces)), 0.1 * radius) << name;
        const auto now = uncovered(mesh, clouds, radius), each = uncovered(mesh, each_drawn_in(pieces, radius), radius);
        EXPECT_LT(now[0], 0.5 * each[0]) << name;
        EXPECT_LT(now[1], each[1]) << name;
        EXPECT_LT(now[1], 0.75 * radius) << name << ": the corner of a cube is left by 0.73 radii";
    }
}

TEST(drawn_in, slivers_between_cuts_are_kept) {
    const Clouds pieces = convex_pieces(grain(), 0.02);
    EXPECT_LT(each_drawn_in(pieces, 0.1).size(), pieces.size());
    const DrawnIn now = drawn_in(pieces, 0.1);
    EXPECT_EQ(now.clouds.size(), pieces.size());
    EXPECT_EQ(now.lost, 0);
    for (const auto& cloud : now.clouds) {
        EXPECT_EQ(make_piece(cloud, 0.1, 3).dimension, 3);
        for (const Vec3 p : cloud) EXPECT_TRUE(is_finite(p));
    }
}

}  // namespace
}  // namespace scree
