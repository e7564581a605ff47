#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "math/elementary.h"
#include "scenes.h"
#include "scree/error.h"
#include "setup/periodic_walls.h"
#include "wall/wall.h"

namespace scree {
namespace {

struct Stage {
    Scene scene;
    std::vector<WallState> states;
    std::vector<WallPlacement> placements;
    std::unique_ptr<WallSet> walls;

    explicit Stage(std::vector<WallShape> shapes, int dimension = 3, bool outside = false) {
        scene.dimension = dimension;
        for (const WallShape& shape : shapes) {
            Wall wall;
            wall.name = "w" + std::to_string(scene.walls.size());
            wall.shape = shape;
            wall.outside = outside;
            scene.walls.push_back(wall);
        }
        build();
    }
    void build() {
        walls = std::make_unique<WallSet>(scene);
        states.assign(scene.walls.size(), {});
        at(0);
    }
    void at(double time) { walls->place(states, time, placements); }
    WallTouch touch(Vec3 x, double radius, double reach = 0) const {
        std::vector<WallFeature> near;
        walls->features_near(placements, x, radius + reach, near);
        WallTouch result;
        walls->contacts(placements, x, radius, near, result);
        return result;
    }
};

TEST(wall_contact, rolling_over_a_collinear_joint_is_rolling_on_a_plane) {
    const Stage stage({PolylineWall{{{-1, 0, 0}, {-0.3, 0, 0}, {0, 0, 0}, {0.1, 0, 0}, {1, 0, 0}}}}, 2);
    for (int k = -9000; k <= 9000; ++k) {
        const WallTouch touch = stage.touch({k * 1e-4, 0.09, 0}, 0.1);
        ASSERT_EQ(touch.contacts.size(), 1u) << "x = " << k * 1e-4;
        EXPECT_NEAR(touch.contacts[0].distance, 0.09, 1e-15);
        EXPECT_NEAR(touch.contacts[0].normal.y, 1, 1e-14);
    }
    // Also where the joints are rounded and the line is tilted.
    const Vec3 d = normalized(Vec3{3, 1, 0}), n{-d.y, d.x, 0};
    const Stage tilted({PolylineWall{{-1 * d, -0.37 * d, 0.0 * d, 0.123 * d, d}}}, 2);
    for (int k = -9000; k <= 9000; ++k) ASSERT_EQ(tilted.touch((k * 1e-4) * d + 0.09 * n, 0.1).contacts.size(), 1u);
    for (const double joint : {-0.37, 0.0, 0.123})
        ASSERT_EQ(tilted.touch(joint * d + 0.09 * n, 0.1).contacts.size(), 1u);
}

TEST(wall_contact, a_corner_seen_from_outside_is_one_contact_and_from_inside_two) {
    const Stage stage({PolylineWall{{{-1, 0, 0}, {0, 0, 0}, {0, -1, 0}}}}, 2);
    for (double angle = 0.001; angle < pi / 2; angle += 0.01) {
        const Vec3 x{0.09 * std::sin(angle), 0.09 * std::cos(angle), 0};
        const WallTouch touch = stage.touch(x, 0.1);
        ASSERT_EQ(touch.contacts.size(), 1u);
        EXPECT_NEAR(norm(touch.contacts[0].normal - normalized(x)), 0, 1e-13);
    }
    EXPECT_EQ(stage.touch({-0.09, -0.09, 0}, 0.1).contacts.size(), 2u);
}

TEST(wall_contact, the_contact_goes_on_across_joints) {
    const Stage stage({PolylineWall{{{-1, 0, 0}, {0, 0, 0}, {1e-6, -1e-7, 0}, {0.5, -0.1, 0}, {0.8, -0.5, 0}}}}, 2);
    // Roll from left to right along the surface and back: from the first step on the contact is never new.
    for (const bool back : {false, true}) {
        std::optional<WallFeature> before;
        std::vector<Vec3> path;
        for (int k = -500; k <= 0; ++k) path.push_back({k * 1e-3, 0.09, 0});
        const auto follow = [&](Vec3 a, Vec3 b) {
            const Vec3 d = normalized(b - a), n{-d.y, d.x, 0};
            const Vec3 start = path.back(), end = a + 0.09 * n;
            for (int k = 1; k <= 30; ++k) {  // around the corner
                const Vec3 v = start - a + (k / 30.0) * (end - start);
                path.push_back(a + 0.09 * normalized(v));
            }
            for (int k = 1; k <= 300; ++k) path.push_back(a + (k / 300.0) * (b - a) + 0.09 * n);
        };
        follow({0, 0, 0}, {1e-6, -1e-7, 0});
        follow({1e-6, -1e-7, 0}, {0.5, -0.1, 0});
        follow({0.5, -0.1, 0}, {0.8, -0.5, 0});
        if (back) std::reverse(path.begin(), path.end());
        int changes = 0;
        for (const Vec3 x : path) {
            const WallTouch touch = stage.touch(x, 0.1);
            ASSERT_EQ(touch.contacts.size(), 1u);
            const WallFeature now = touch.contacts[0].at;
            if (before && now != *before) {
                EXPECT_TRUE(std::any_of(touch.gave_way.begin(), touch.gave_way.end(),
                                        [&](const auto& each) { return each.from == *before && each.to == 0; }));
                ++changes;
            }
            before = now;
        }
        EXPECT_GE(changes, 2);
    }
}

TEST(wall_contact, a_hole_that_opens_later_is_closed_before) {
    Stage stage({DiscWall{{0, 0, 0}, {0, 0, 1}, 1, 0.3}});
    stage.scene.walls[0].open_at = 2;
    stage.build();
    EXPECT_EQ(stage.touch({0.05, 0, 0.09}, 0.1).contacts.size(), 1u);
    stage.at(2);
    EXPECT_EQ(stage.touch({0.05, 0, 0.09}, 0.1).contacts.size(), 0u);
    EXPECT_EQ(stage.touch({0.5, 0, 0.09}, 0.1).contacts.size(), 1u);  // the rest of the disc stays
    EXPECT_FALSE(stage.placements[0].open);
}

TEST(wall_contact, the_edge_of_a_box_is_one_contact) {
    const Stage stage({BoxWall{{0, 0, 0}, {1, 1, 1}}}, 3, true);
    const WallTouch edge = stage.touch({0.5, 1.05, 1.05}, 0.1);
    ASSERT_EQ(edge.contacts.size(), 1u);
    EXPECT_NEAR(norm(edge.contacts[0].normal - normalized(Vec3{0, 1, 1})), 0, 1e-14);
    EXPECT_NEAR(edge.contacts[0].distance, 0.05 * std::sqrt(2.0), 1e-14);
    EXPECT_EQ(stage.touch({1.05, 1.05, 1.05}, 0.1).contacts.size(), 1u);

    // Two blocks side by side make one floor.
    const Stage blocks({BoxWall{{0, 0, 0}, {1, 1, 1}}, BoxWall{{1, 0, 0}, {2, 1, 1}}}, 3, true);
    for (int k = 500; k <= 1500; ++k) ASSERT_EQ(blocks.touch({k * 1e-3, 0.5, 1.09}, 0.1).contacts.size(), 1u) << k;
}

TEST(wall_contact, inside_a_box_corner_three_faces_touch) {
    const Stage stage({BoxWall{{0, 0, 0}, {1, 1, 1}}});
    const WallTouch touch = stage.touch({0.09, 0.08, 0.07}, 0.1);
    ASSERT_EQ(touch.contacts.size(), 3u);
    EXPECT_EQ(touch.contacts[1].at, (WallFeature{0, 2}));
    EXPECT_EQ(touch.contacts[1].normal, (Vec3{0, 1, 0}));
}

TEST(wall_contact, the_neck_between_two_cones_is_one_contact) {
    // An hourglass; the cones are written in opposite directions and meet in a circle. Not along an axis, to have
    // rounding.
    const Vec3 u = normalized(Vec3{0.3, -0.2, 1}), neck{0.1, 0.7, -0.3};
    const Stage stage({ConeWall{neck + 1 * u, neck, 0.8, 0.2}, ConeWall{neck, neck - 1 * u, 0.2, 0.8}});
    const Vec3 e = perpendicular(u), f = cross(u, e);
    for (double angle = 0; angle < 2 * pi; angle += 0.01)
        for (const double h : {-0.02, 0.0, 0.005, 0.03}) {
            const Vec3 radial = std::cos(angle) * e + std::sin(angle) * f, x = neck + h * u + 0.15 * radial;
            const WallTouch touch = stage.touch(x, 0.1);
            ASSERT_EQ(touch.contacts.size(), 1u);
            // The neck is a blunt edge: its circle is the nearest point for all these centres.
            EXPECT_NEAR(norm(touch.contacts[0].foot - (neck + 0.2 * radial)), 0, 1e-12);
            EXPECT_EQ(touch.contacts[0].at.wall, 0);
        }
}

TEST(wall_contact, a_disc_joined_to_a_funnel_is_one_contact_at_the_rim) {
    const Stage stage({DiscWall{{0, 0, 0}, {0, 0, 1}, 1, 0.3}, ConeWall{{0, 0, 0}, {0, 0, -1}, 0.3, 0.1}});
    for (double s = 0.21; s < 0.5; s += 0.001) {
        const WallTouch touch = stage.touch({s, 0.01, 0.09}, 0.1);
        ASSERT_LE(touch.contacts.size(), 1u) << s;
        if (s > 0.28) {
            ASSERT_EQ(touch.contacts.size(), 1u) << s;
        }
    }
}

TEST(wall_contact, a_grain_larger_than_the_hole_is_held_from_opposite_sides) {
    for (const bool funnel : {false, true}) {
        // The hole alone, then with a cylinder hanging from it: the same contacts.
        std::vector<WallShape> shapes{DiscWall{{0, 0, 0}, {0, 0, 1}, 1, 0.3}};
        if (funnel) shapes.push_back(CylinderWall{{0, 0, 0}, {0, 0, -1}, 0.3});
        const Stage stage(shapes);
        const double height = 0.39;  // the ring is at 0.492 from the centre
        for (const Vec3 x : {Vec3{0, 0, height}, Vec3{1e-18, 0, height}, Vec3{0.002, -0.003, height}}) {
            const WallTouch touch = stage.touch(x, 0.5);
            ASSERT_EQ(touch.contacts.size(), 2u);
            EXPECT_NEAR(norm(touch.contacts[0].foot + touch.contacts[1].foot), 0, 1e-12);
            EXPECT_EQ(touch.contacts[0].at.wall, 0);
            EXPECT_EQ(touch.contacts[1].at.wall, 0);
        }
    }
    // In the tip of a closed cone as well.
    const Stage cone({ConeWall{{0, 0, 0}, {0, 0, 1}, 0, 1}});
    EXPECT_EQ(cone.touch({0, 0, 0.14}, 0.1).contacts.size(), 2u);
    EXPECT_EQ(cone.touch({0.06, 0, 0.19}, 0.1).contacts.size(), 1u);
    // But a ball resting on the tip touches it once, and so does one beside a thin pin.
    EXPECT_EQ(cone.touch({0, 0, -0.09}, 0.1).contacts.size(), 1u);
    const Stage pin({CylinderWall{{0, 0, 0}, {0, 0, 1}, 1e-4}});
    EXPECT_EQ(pin.touch({0.0995, 0, 0.5}, 0.1).contacts.size(), 1u);
    // A ball over the face of a disc with a tiny hole, or none, has one contact wherever it is.
    for (const double hole : {0.0, 1e-3}) {
        const Stage floor({DiscWall{{0, 0, 0}, {0, 0, 1}, 1, hole}});
        for (double s = 0.002; s < 0.1; s += 0.001)
            EXPECT_EQ(floor.touch({s, 0, 0.0999}, 0.1).contacts.size(), 1u) << s;
    }
}

TEST(wall_contact, a_cylinder_closed_by_discs_touches_at_floor_and_side) {
    const Stage stage({CylinderWall{{0, 0, 0}, {0, 0, 1}, 0.5}, DiscWall{{0, 0, 0}, {0, 0, 1}, 0.5, 0}});
    EXPECT_EQ(stage.touch({0.41, 0, 0.09}, 0.1).contacts.size(), 2u);
    EXPECT_EQ(stage.touch({0.2, 0, 0.09}, 0.1).contacts.size(), 1u);
    // From outside and below, the common edge is one contact.
    EXPECT_EQ(stage.touch({0.55, 0, -0.05}, 0.1).contacts.size(), 1u);
}

TEST(wall_contact, the_list_of_candidates_does_not_matter_as_long_as_it_is_complete) {
    Random random(11, 1);
    const Stage stage({ConeWall{{0, 0, 1}, {0, 0, 0}, 0.8, 0.2}, ConeWall{{0, 0, 0}, {0, 0, -1}, 0.2, 0.8},
                       DiscWall{{0, 0, 1}, {0, 0, 1}, 0.8, 0.1},
                       BallsWall{CylinderWall{{0, 0, -1}, {0, 0, 1}, 0.85}, 0.06, 0.1, 3}});
    int met = 0;
    for (int k = 0; k < 3000; ++k) {
        const Vec3 x{random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8), random.uniform(-1, 1)};
        const double r = random.uniform(0.02, 0.2);
        const WallTouch a = stage.touch(x, r), b = stage.touch(x, r, 0.3);
        ASSERT_EQ(a.contacts.size(), b.contacts.size());
        for (std::size_t i = 0; i < a.contacts.size(); ++i) {
            EXPECT_EQ(a.contacts[i].at, b.contacts[i].at);
            EXPECT_EQ(a.contacts[i].foot, b.contacts[i].foot);
            EXPECT_LT(a.contacts[i].distance, r);
        }
        met += !a.contacts.empty();
    }
    EXPECT_GT(met, 500);
}

TEST(wall_contact, a_moving_wall_touches_where_it_is) {
    Stage stage({PlaneWall{{0, 0, 0}, {0, 0, 1}}, CylinderWall{{0, -1, 0}, {0, 1, 0}, 0.5},
                 BoxWall{{0.2, -1, -0.1}, {0.3, 1, 0.1}}});
    stage.scene.walls[0].motion = Translate{{0, 0, 0.5}};
    stage.scene.walls[1].motion = Rotate{{0, 1, 0}, {0, 0, 0}, 2};
    stage.scene.walls[2].motion = Rotate{{0, 1, 0}, {0, 0, 0}, 2};
    stage.scene.walls[2].outside = true;
    stage.build();
    stage.at(0.3);
    const WallTouch floor = stage.touch({3, 3, 0.24}, 0.1);
    ASSERT_EQ(floor.contacts.size(), 1u);
    EXPECT_NEAR(floor.contacts[0].foot.z, 0.15, 1e-15);
    EXPECT_EQ(floor.contacts[0].velocity, (Vec3{0, 0, 0.5}));

    // The drum stays where it is and its skin moves; the paddle inside has turned.
    EXPECT_FALSE(stage.placements[1].turned);
    EXPECT_TRUE(stage.placements[2].turned);
    const WallTouch drum = stage.touch({0, 0, 0.42}, 0.1);
    ASSERT_EQ(drum.contacts.size(), 1u);
    EXPECT_NEAR(norm(drum.contacts[0].velocity - cross(Vec3{0, 2, 0}, Vec3{0, 0, 0.5})), 0, 1e-14);
    const double angle = 0.6;
    const Vec3 normal{std::cos(angle), 0, -std::sin(angle)};  // x turned about y
    const WallTouch paddle = stage.touch(0.15 * normal + Vec3{0, 0.5, 0}, 0.06);
    ASSERT_GE(paddle.contacts.size(), 1u);
    const WallContact& c = paddle.contacts.back();
    EXPECT_EQ(c.at.wall, 2);
    EXPECT_NEAR(norm(c.foot - (0.2 * normal + Vec3{0, 0.5, 0})), 0, 1e-14);
    EXPECT_NEAR(norm(c.normal + normal), 0, 1e-14);
    EXPECT_NEAR(norm(c.velocity - cross(Vec3{0, 2, 0}, c.foot)), 0, 1e-14);
}

TEST(wall_contact, an_open_wall_is_gone) {
    Stage stage({PlaneWall{{0, 0, 0}, {0, 0, 1}}});
    stage.scene.walls[0].open_at = 1;
    stage.build();
    EXPECT_EQ(stage.touch({0, 0, 0.05}, 0.1).contacts.size(), 1u);
    stage.at(1);
    EXPECT_TRUE(stage.touch({0, 0, 0.05}, 0.1).contacts.empty());
}

TEST(wall_contact, moved_bounds_how_far_a_wall_has_gone) {
    Stage stage({BoxWall{{0.2, -1, -0.1}, {0.3, 1, 0.1}}});
    stage.scene.walls[0].motion = Rotate{{1, 1, 0}, {0, 0, 0.5}, 2};
    stage.build();
    const WallPlacement then = stage.placements[0];
    stage.at(0.01);
    double most = 0;
    for (const Vec3 p : stage.walls->surface(0).mesh({}).points)
        most = std::max(most, norm(stage.placements[0].to_world(p) - then.to_world(p)));
    const double bound = stage.walls->moved(0, then, stage.placements[0], 0);
    EXPECT_GE(bound, most);
    EXPECT_LE(bound, 3 * most);
}

TEST(wall_contact, a_wall_that_cannot_be_is_refused_with_its_place) {
    Scene scene;
    scene.file = "box.toml";
    Wall wall;
    wall.name = "floor";
    wall.shape = PlaneWall{};
    wall.where = {12, 3};
    scene.walls.push_back(wall);
    try {
        const WallSet walls(scene);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_NE(std::string(error.what()).find("box.toml:12:3: wall 'floor'"), std::string::npos) << error.what();
    }
}

// The same obstacles and grains, once in the middle of the periodic cell and once across its corner: all that happens
// is shifted by half a period. In space, with a ball and a block that turns; in the plane with a peak.
void compare_across_borders(int dimension) {
    const double period = 0.02;
    const auto scene_at = [&](double shift) {
        Scene scene = scenes::empty(dimension);
        scene.periodic[0] = {0.0, period};
        if (dimension == 3) scene.periodic[1] = {0.0, period};
        const Vec3 middle = dimension == 3 ? Vec3{0.01 + shift, 0.01 + shift, 0} : Vec3{0.01 + shift, 0, 0};
        const auto at = [&](double x, double y, double z) {
            return middle + (dimension == 3 ? Vec3{x, y, z} : Vec3{x, z, 0});
        };
        if (dimension == 3) {
            scenes::add_wall(scene, "floor", PlaneWall{{0, 0, -4e-3}, {0, 0, 1}});
            scenes::add_wall(scene, "ball", SphereWall{middle, 4e-3}, true);
            scenes::add_wall(scene, "block", BoxWall{at(-9e-3, -2e-3, -4e-3), at(-6e-3, 2e-3, 1e-3)}, true).motion =
                Rotate{{0, 0, 1}, at(-7.5e-3, 0, 0), 3, 0, forever};
        } else {
            scenes::add_wall(scene, "floor", PlaneWall{{0, -4e-3, 0}, {0, 1, 0}});
            scenes::add_wall(scene, "peak", PolylineWall{{at(-6e-3, 0, -4e-3), at(0, 0, 2e-3), at(6e-3, 0, -4e-3)}});
        }
        for (const double x : {-6.5e-3, -2e-3, 2.5e-3, 7e-3})
            scenes::add_grain(scene, at(x, 0.3 * x, 7e-3), 1.5e-3,
                              dimension == 3 ? Vec3{0.05, 0.02, 0} : Vec3{0.05, 0, 0});
        continue_walls(scene);
        return scene;
    };
    Scene middle = scene_at(0), corner = scene_at(0.5 * period - 2.5e-3);
    for (const auto& [wall, axis] : walls_cut_off(corner, 1.5e-3))
        ADD_FAILURE() << corner.walls[wall].name << " " << axis;
    EXPECT_GT(corner.walls.size(), middle.walls.size());
    Simulation a(std::move(middle)), b(std::move(corner));
    const double shift = 0.5 * period - 2.5e-3;
    double worst = 0;
    std::size_t touches = 0;
    while (a.time() < 0.06) {
        a.step();
        b.step();
        for (const ContactView& contact : b.contacts()) touches += contact.wall >= (dimension == 3 ? 3 : 2);
    }
    const auto place_of = [](const Simulation& simulation, Index id) {
        const Grains& grains = simulation.world().grains;
        return grains.position(
            static_cast<std::size_t>(std::find(grains.id.begin(), grains.id.end(), id) - grains.id.begin()));
    };
    ASSERT_EQ(a.world().grains.size(), 4u);
    for (Index id = 0; id < 4; ++id) {
        const Vec3 apart =
            place_of(b, id) - place_of(a, id) - (dimension == 3 ? Vec3{shift, shift, 0} : Vec3{shift, 0, 0});
        for (int axis = 0; axis < 3; ++axis) {
            const bool wraps = axis < dimension - 1;
            worst = std::max(worst,
                             std::fabs(wraps ? apart[axis] - period * std::round(apart[axis] / period) : apart[axis]));
        }
    }
    EXPECT_LT(worst, 1e-9);
    EXPECT_GT(touches, 50u) << "copies must have been touched, or nothing was tested";
}

TEST(periodic_walls, across_the_border_is_as_in_the_middle) { compare_across_borders(3); }
TEST(periodic_walls, across_the_border_is_as_in_the_middle_in_the_plane) { compare_across_borders(2); }

}  // namespace
}  // namespace scree
