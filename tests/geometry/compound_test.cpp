// Distances of bodies of every kind: each pair of kinds against closed forms and against all triangles.
#include "geometry/compound.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scree/error.h"
#include "shape/meshes.h"

namespace scree {
namespace {

template <class F>
Compound only(F form, Vec3 position = {}, double radius = 0, Mat3 rotation = {}) {
    return {{{std::make_shared<const Form>(std::move(form)), {rotation, position}, radius}}};
}

Polyhedron hull(std::vector<Vec3> points) { return Polyhedron(points); }
Compound ball(Vec3 center, double radius) { return only(hull({{0, 0, 0}}), center, radius); }

Compound joined(Compound a, const Compound& b) {
    a.parts.insert(a.parts.end(), b.parts.begin(), b.parts.end());
    return a;
}

Mat3 turned(Vec3 axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
    return {{{c + k * axis.x * axis.x, k * axis.x * axis.y - s * axis.z, k * axis.x * axis.z + s * axis.y},
             {k * axis.x * axis.y + s * axis.z, c + k * axis.y * axis.y, k * axis.y * axis.z - s * axis.x},
             {k * axis.x * axis.z - s * axis.y, k * axis.y * axis.z + s * axis.x, c + k * axis.z * axis.z}}};
}

TEST(Compound, closed_forms_of_curved_bodies) {
    EXPECT_DOUBLE_EQ(distance(ball({0, 0, 0}, 1), ball({3, 4, 0}, 2)).distance, 2);
    const CompoundDistance overlap = distance(ball({0, 0, 0}, 1), ball({0, 0, 2.5}, 2));
    EXPECT_EQ(overlap.relation, Relation::overlapping);
    EXPECT_DOUBLE_EQ(overlap.gap, -0.5);
    EXPECT_EQ(distance(ball({0, 0, 0}, 1), ball({0, 0, 3}, 2)).relation, Relation::touching);
    EXPECT_NEAR(distance(only(Ellipsoid({3, 1, 1})), ball({5, 0, 0}, 1)).distance, 1, 1e-14);
    EXPECT_NEAR(distance(only(Cylinder(1, 2)), ball({4, 0, 0.5}, 1)).distance, 2, 1e-14);
    EXPECT_NEAR(distance(only(Cone(1, 1)), ball({0, 0, 4}, 1)).distance, 2, 1e-14);
    // On the side: the cone of half height 1 and radius 1 leans by 1 in 2.
    EXPECT_NEAR(distance(only(Cone(1, 1)), ball({2, 0, 1}, 0)).distance, 2 * 2 / std::sqrt(5.0), 1e-14);
    EXPECT_NEAR(distance(only(Superquadric({1, 2, 3}, 4)), ball({0, 5, 0}, 1)).distance, 2, 1e-14);
    EXPECT_NEAR(
        distance(only(Ellipsoid({1, 2, 3}), {}, 0.25), only(Superquadric({1, 2, 3}, 2), {4, 0, 0}, 0.5)).distance,
        4 - 2 - 0.75, 1e-13);
}

// Over all triangles, each as a body of its own.
double by_all_triangles(const Compound& convex, const Compound& surface) {
    const auto& mesh = std::get<MeshBody>(*surface.parts[0].form);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < mesh.size(); ++k) {
        const Triangle t = mesh.triangle(k);
        const MeshPose& pose = surface.parts[0].pose;
        const auto at = [&](Vec3 p) { return pose.rotation * p + pose.position; };
        Compound one = only(hull({at(t.a), at(t.b), at(t.c)}));
        one.parts[0].radius = surface.parts[0].radius;
        least = std::fmin(least, distance(convex, one).distance);
    }
    return least;
}

TEST(Compound, convex_bodies_and_meshes_agree_with_all_triangles) {
    Random r(26, 0);
    int apart = 0;
    for (int k = 0; k < 120; ++k) {
        const Mat3 turn = turned(normalized({r.uniform(0.1, 1), r.uniform(-1, 1), r.uniform(-1, 1)}), r.uniform(0, 3));
        const Vec3 at{r.uniform(-2, 2), r.uniform(-2, 2), r.uniform(-2, 2)};
        const double radius = k % 2 == 0 ? 0 : 0.125;
        const Compound body = k % 6 == 0   ? only(Ellipsoid({0.6, 0.3, 0.2}), at, radius, turn)
                              : k % 6 == 1 ? only(Cylinder(0.3, 0.2), at, radius, turn)
                              : k % 6 == 2 ? only(Cone(0.3, 0.4), at, radius, turn)
                              : k % 6 == 3 ? only(Superquadric({0.2, 0.3, 0.4}, 3), at, radius, turn)
                              : k % 6 == 4
                                  ? only(hull({{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}, {0, 0, 0.5}}), at, radius, turn)
                                  : ball(at, 0.2);
        const Compound mesh =
            only(MeshBody(k % 2 == 0 ? rock(2, 0.8, r.bits()) : torus(20, 10, 0.3)), {0.5, 0, 0}, 0, turn);
        const CompoundDistance d = distance(body, mesh), other = distance(mesh, body);
        EXPECT_EQ(d.relation, other.relation) << k;
        EXPECT_NEAR(d.distance, other.distance, 1e-12) << k;
        if (d.relation != Relation::separated) continue;
        ++apart;
        EXPECT_NEAR(d.distance, by_all_triangles(body, mesh), d.error + 1e-13) << k;
        EXPECT_NEAR(norm(d.point_a + d.distance * d.normal - d.point_b), 0, 1e-7) << k;
    }
    EXPECT_GT(apart, 50);
}

TEST(Compound, what_lies_inside_a_mesh_overlaps) {
    const Compound ring = only(MeshBody(torus(40, 20, 0.3)));
    EXPECT_EQ(distance(ball({1, 0, 0}, 0.1), ring).relation, Relation::overlapping);
    EXPECT_EQ(distance(only(Ellipsoid({0.1, 0.1, 0.1}), {1, 0, 0}), ring).relation, Relation::overlapping);
    EXPECT_EQ(distance(ring, only(Cylinder(3, 3))).relation, Relation::overlapping);  // and a mesh inside a body
    const CompoundDistance hole = distance(ball({0, 0, 0}, 0.5), ring);
    EXPECT_EQ(hole.relation, Relation::separated);
    EXPECT_NEAR(hole.distance, 0.2, 0.01);
}

TEST(Compound, unions_are_as_near_as_their_nearest_parts) {
    const Compound dumbbell =
        joined(joined(ball({-2, 0, 0}, 1), ball({2, 0, 0}, 1)), only(hull({{-2, 0, 0}, {2, 0, 0}}), {}, 0.25));
    const CompoundDistance d = distance(dumbbell, ball({0, 2, 0}, 0.5));
    EXPECT_DOUBLE_EQ(d.distance, 1.25);
    EXPECT_EQ(d.part_a, 2);
    EXPECT_EQ(distance(ball({2, 0, 2.5}, 1), dumbbell).part_b, 1);
    EXPECT_EQ(distance(dumbbell, ball({0, 0.5, 0}, 0.5)).relation, Relation::overlapping);
    // Below a largest distance only.
    EXPECT_EQ(distance(dumbbell, ball({0, 2, 0}, 0.5), 1.25).distance, std::numeric_limits<double>::infinity());
    EXPECT_DOUBLE_EQ(distance(dumbbell, ball({0, 2, 0}, 0.5), 1.26).distance, 1.25);
    const Compound ring = only(MeshBody(torus(40, 20, 0.3)));
    EXPECT_EQ(distance(ring, ball({0, 0, 3}, 0.5), 1.0).distance, std::numeric_limits<double>::infinity());
    EXPECT_EQ(distance(ring, joined(ball({0, 0, 3}, 0.5), ball({1, 0, 0.5}, 0.1))).part_b, 1);
}

TEST(Compound, depth_is_for_single_convex_bodies) {
    EXPECT_DOUBLE_EQ(depth(ball({0, 0, 0}, 1), ball({0, 0, 0}, 2))->depth, 3);
    EXPECT_FALSE(depth(only(MeshBody(torus(9, 7, 0.3))), ball({0, 0, 0}, 1)).has_value());
    EXPECT_FALSE(depth(joined(ball({0, 0, 0}, 1), ball({1, 0, 0}, 1)), ball({0, 0, 0}, 1)).has_value());
    EXPECT_THROW(Superquadric({1, 1, 1}, 0.5), Error);
    EXPECT_THROW(Superquadric({1, -1, 1}, 2), Error);
}

}  // namespace
}  // namespace scree
