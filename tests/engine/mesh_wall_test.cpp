// Walls of triangles: a cut-up plane is a plane, a box of triangles is a box, and edges and corners are met once.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/parallel.h"
#include "geometry/mesh_file.h"
#include "scenes.h"
#include "scree/error.h"
#include "shape/shape.h"
#include "wall/wall.h"

namespace scree {
namespace {

using namespace scenes;

std::string path_of(const std::string& name) {
    return (std::filesystem::path(testing::TempDir()) / ("mesh_wall_" + name)).string();
}

// Text with all digits, as OBJ.
MeshWall as_obj(const TriangleMesh& mesh, const std::string& name) {
    const std::string path = path_of(name + ".obj");
    std::ofstream file(path);
    file.precision(17);
    for (const Vec3 p : mesh.points) file << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
    for (const auto& t : mesh.triangles) file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    MeshWall wall;
    wall.file = path;
    return wall;
}
MeshWall as_stl(const TriangleMesh& mesh, const std::string& name) {
    const std::string path = path_of(name + ".stl");
    std::ofstream(path, std::ios::binary) << stl_bytes(mesh, name);
    MeshWall wall;
    wall.file = path;
    return wall;
}

// n x n squares of the square [-size, size]^2 in the plane z = 0, cut along random diagonals; points moved within the
// plane.
TriangleMesh sheet(int n, double size, std::uint64_t seed) {
    TriangleMesh mesh;
    Random random(seed, 1);
    const double h = 2 * size / n;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            const double move = i > 0 && i < n && j > 0 && j < n ? 0.3 * h : 0;
            mesh.points.push_back(
                {-size + i * h + move * random.uniform(-1, 1), -size + j * h + move * random.uniform(-1, 1), 0});
        }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int a = j * (n + 1) + i, b = a + 1, c = a + n + 2, d = a + n + 1;
            if (random.uniform() < 0.5) {
                mesh.triangles.push_back({a, b, c});
                mesh.triangles.push_back({a, c, d});
            } else {
                mesh.triangles.push_back({a, b, d});
                mesh.triangles.push_back({b, c, d});
            }
        }
    return mesh;
}

TriangleMesh mapped(TriangleMesh mesh, const std::function<Vec3(Vec3)>& to) {
    for (Vec3& p : mesh.points) p = to(p);
    return mesh;
}

// The faces of a box, each cut into n x n squares; outwards.
TriangleMesh box_of(Vec3 low, Vec3 high, int n) {
    TriangleMesh mesh;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool top : {false, true}) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3, first = static_cast<int>(mesh.points.size());
            for (int j = 0; j <= n; ++j)
                for (int i = 0; i <= n; ++i) {
                    Vec3 p;
                    p[axis] = top ? high[axis] : low[axis];
                    p[u] = i == n ? high[u] : low[u] + i * (high[u] - low[u]) / n;
                    p[v] = j == n ? high[v] : low[v] + j * (high[v] - low[v]) / n;
                    mesh.points.push_back(p);
                }
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const int a = first + j * (n + 1) + i, b = a + 1, c = a + n + 2, d = a + n + 1;
                    if (top) {
                        mesh.triangles.push_back({a, b, c});
                        mesh.triangles.push_back({a, c, d});
                    } else {
                        mesh.triangles.push_back({a, c, b});
                        mesh.triangles.push_back({a, d, c});
                    }
                }
        }
    return mesh;
}

struct Stage {
    Scene scene;
    std::vector<WallPlacement> placements;
    std::unique_ptr<WallSet> walls;

    explicit Stage(const MeshWall& shape) {
        Wall wall;
        wall.name = "mesh";
        wall.shape = shape;
        scene.walls.push_back(wall);
        walls = std::make_unique<WallSet>(scene);
        const std::vector<WallState> states(1);
        walls->place(states, 0, placements);
    }
    WallTouch touch(Vec3 x, double radius) const {
        std::vector<WallFeature> near;
        walls->features_near(placements, x, 1.5 * radius, near);
        WallTouch result;
        walls->contacts(placements, x, radius, near, result);
        return result;
    }
};

TEST(mesh_wall, feet_are_the_closest_points_and_the_tree_finds_them_all) {
    Random random(3, 1);
    TriangleMesh mesh;
    for (int t = 0; t < 400; ++t) {
        const double size = t % 50 == 0 ? 1 : 0.03;
        const Vec3 at{random.uniform(), random.uniform(), random.uniform()};
        for (int k = 0; k < 3; ++k)
            mesh.points.push_back(at +
                                  size * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
        mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    const Surface surface(as_obj(mesh, "soup"), false, 3);
    ASSERT_EQ(surface.triangles().size(), mesh.triangles.size());
    for (int trial = 0; trial < 300; ++trial) {
        const Vec3 x{random.uniform(-0.2, 1.2), random.uniform(-0.2, 1.2), random.uniform(-0.2, 1.2)};
        const double reach = trial % 3 ? 0.05 : 0.3;
        std::vector<int> found, expected;
        surface.features_near(x, reach, found);
        for (int t = 0; t < 400; ++t) {
            const Foot foot = surface.foot(t, x);
            if (foot.distance < reach) expected.push_back(t);
            EXPECT_NEAR(norm(x - foot.point), foot.distance, 1e-12);
            EXPECT_NEAR(norm(foot.point + foot.distance * foot.normal - x), 0, 1e-12);
            // A closest point of a convex set: nothing of the triangle lies beyond the plane through it across the way
            // to x.
            for (int k = 0; k < 3; ++k)
                EXPECT_LE(dot(surface.triangles().corner(t, k) - foot.point, x - foot.point), 1e-12);
            // And it belongs to the triangle: it is no farther from it than rounding.
            EXPECT_LT(surface.foot(t, foot.point).distance, 1e-12);
        }
        EXPECT_EQ(found, expected);
    }
}

TEST(mesh_wall, a_tessellated_plane_is_touched_once_everywhere) {
    const Vec3 u = normalized(Vec3{3, 1, 0.4}), n = normalized(cross(u, Vec3{0.2, 1, -0.3})), v = cross(n, u);
    const TriangleMesh tilted = mapped(sheet(24, 1, 7), [&](Vec3 p) { return p.x * u + p.y * v; });
    // STL has seven digits: neighboring triangles are a little bent against each other, both ways.
    for (const MeshWall& wall : {as_obj(tilted, "tilted"), as_stl(tilted, "tilted")}) {
        const Stage stage(wall);
        const Surface& surface = stage.walls->surface(0);
        Random random(11, 1);
        for (int k = 0; k < 20000; ++k) {
            double a = random.uniform(-0.8, 0.8), b = random.uniform(-0.8, 0.8);
            if (k % 2) {  // exactly over corners and edges
                const int t = static_cast<int>(random.uniform() * static_cast<double>(surface.triangles().size()));
                const double s = k % 4 == 1 ? 0 : random.uniform();
                const Vec3 p = surface.triangles().corner(t, 0) +
                               s * (surface.triangles().corner(t, 1) - surface.triangles().corner(t, 0));
                a = dot(p, u);
                b = dot(p, v);
                if (std::fabs(a) > 0.8 || std::fabs(b) > 0.8) continue;
            }
            const WallTouch touch = stage.touch(a * u + b * v + 0.09 * n, 0.1);
            ASSERT_EQ(touch.contacts.size(), 1u) << wall.file << " at " << a << ' ' << b;
            EXPECT_NEAR(touch.contacts[0].distance, 0.09, 1e-6);
            EXPECT_GT(dot(touch.contacts[0].normal, n), 1 - 1e-9);
        }
    }
}

TEST(mesh_wall, a_ball_rolls_over_it_as_over_a_plane) {
    const auto roll = [](const WallShape& floor) {
        Scene scene = empty();
        scene.gravity = {2, 0.7, -9.6};
        scene.time_step = 1e-5;
        add_wall(scene, "floor", floor);
        add_grain(scene, {-0.03, -0.02, grain_radius}, grain_radius, {0.1, 0.2, 0}, {30, 0, 20});
        Simulation sim(scene);
        run_until(sim, 0.2);
        return grain(sim, 0);
    };
    const GrainState plane = roll(PlaneWall{{}, {0, 0, 1}}), mesh = roll(as_obj(sheet(60, 0.05, 5), "floor"));
    EXPECT_GT(plane.position.x, -0.01);  // over a dozen edges
    EXPECT_LT(norm(mesh.position - plane.position), 1e-12);
    EXPECT_LT(norm(mesh.velocity - plane.velocity), 1e-11);
    EXPECT_LT(norm(mesh.spin - plane.spin), 1e-8);
}

TEST(mesh_wall, a_box_of_triangles_is_a_box) {
    const Vec3 low{0, 0, 0}, high{0.02, 0.024, 0.018};
    const auto fly = [&](const WallShape& box, Vec3 velocity) {
        Scene scene = empty();
        contact(scene).restitution = 0.95;
        scene.time_step = 1e-5;
        add_wall(scene, "box", box);
        add_grain(scene, {0.007, 0.011, 0.009}, grain_radius, velocity, {10, 20, 30});
        Simulation sim(scene);
        run_until(sim, 0.25);
        return grain(sim, 0);
    };
    Random random(8, 2);
    for (int trial = 0; trial < 6; ++trial) {
        // The last ones fly into an edge and into a corner.
        const Vec3 v = trial == 4   ? Vec3{0.3, 0.3, 0}
                       : trial == 5 ? Vec3{0.4, 0.4, 0.4}
                                    : 0.5 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const GrainState box = fly(BoxWall{low, high}, v);
        for (const int n : {1, 7}) {
            const GrainState mesh = fly(as_obj(box_of(low, high, n), "box" + std::to_string(n)), v);
            EXPECT_LT(norm(mesh.position - box.position), 1e-9) << trial << ' ' << n;
            EXPECT_LT(norm(mesh.velocity - box.velocity), 1e-7) << trial << ' ' << n;
        }
    }
}

TEST(mesh_wall, edges_and_corners_from_outside_are_one_contact_with_the_restitution_asked_for) {
    const Vec3 low{-0.02, -0.02, -0.04}, high{0.02, 0.02, 0};
    for (const Vec3 towards : {Vec3{0, 0, -1}, normalized(Vec3{-1, 0, -1}), normalized(Vec3{-1, -1, -1})}) {
        for (const int n : {1, 3}) {
            Scene scene = empty();
            scene.gravity = {};
            scene.time_step = 2e-6;
            add_wall(scene, "block", as_obj(box_of(low, high, n), "block" + std::to_string(n)));
            const Vec3 target{towards.x != 0 ? 0.02 : 0.003, towards.y != 0 ? 0.02 : 0.001, 0};
            add_grain(scene, target - 1.1 * grain_radius * towards, grain_radius, 0.1 * towards);
            Simulation sim(scene);
            run_until(sim, 0.01);
            EXPECT_NEAR(-dot(grain(sim, 0).velocity, towards), 0.06, 1e-4) << n;
        }
    }
}

TEST(mesh_wall, a_thin_plate_is_touched_on_its_front_alone) {
    // Far thinner than the grain, so that its back and its lower edges are within reach too; also a wedge.
    const TriangleMesh plate = box_of({-1, -1, -0.01}, {1, 1, 0}, 4);
    const TriangleMesh wedge = mapped(plate, [](Vec3 p) { return Vec3{p.x, p.y, p.z * (0.5 + 40 * (1 - p.x))}; });
    for (const Stage& stage : {Stage(as_obj(plate, "plate")), Stage(as_obj(wedge, "wedge"))}) {
        Random random(5, 5);
        for (int k = 0; k < 5000; ++k) {
            const Vec3 x{random.uniform(-1.05, 1.05), random.uniform(-1.05, 1.05), random.uniform(0.01, 0.1)};
            double distance = 1;
            for (int t = 0; t < static_cast<int>(stage.walls->surface(0).triangles().size()); ++t)
                distance = std::fmin(distance, stage.walls->surface(0).foot(t, x).distance);
            const WallTouch touch = stage.touch(x, 0.1);
            ASSERT_EQ(touch.contacts.size(), distance < 0.1 ? 1u : 0u) << x.x << ' ' << x.y << ' ' << x.z;
            if (distance < 0.1) {
                EXPECT_NEAR(touch.contacts[0].distance, distance, 1e-12);
            }
        }
    }
}

TEST(mesh_wall, a_finely_cut_bowl_is_as_stiff_as_its_surface_and_keeps_the_energy) {
    // Half a sphere of 12 grain radii, cut so finely that a grain overlaps with many facets at once.
    const double bowl = 12 * grain_radius;
    for (const int n : {20, 90}) {
        const TriangleMesh mesh = mapped(sheet(n, 1, 3), [&](Vec3 p) {
            const double s = std::fmax(std::fabs(p.x), std::fabs(p.y)), r = std::sqrt(p.x * p.x + p.y * p.y);
            if (!(r > 0)) return Vec3{0, 0, -bowl};
            const SinCos polar = same_sincos(1.5 * s);
            return bowl * Vec3{polar.sin * p.x / r, polar.sin * p.y / r, -polar.cos};
        });
        Scene scene = empty();
        contact(scene).restitution = 1;
        contact(scene).friction = 0;
        contact(scene).contact_time = 4e-3;  // soft: overlaps of a few percent
        scene.time_step = 1e-5;
        add_wall(scene, "bowl", as_obj(mesh, "bowl" + std::to_string(n)));
        add_grain(scene, {0.5 * bowl, 0.1 * bowl, -0.6 * bowl}, grain_radius, {0, 0.1, 0});
        Simulation sim(scene);
        const double start = sim.energy().kinetic + sim.energy().potential + sim.energy().elastic,
                     scale = grain(sim, 0).mass * g * bowl;
        std::size_t most = 0;
        for (int k = 0; k < 30000; ++k) {
            sim.step();
            most = std::max(most, sim.contact_count());
            if (k % 100) continue;
            const EnergyReport now = sim.energy();
            ASSERT_NEAR((now.kinetic + now.potential + now.elastic - start) / scale, 0, 2e-3)
                << n << " at " << sim.time();
        }
        if (n == 90) {
            EXPECT_EQ(most, 1u);
        }
    }
}

TEST(mesh_wall, moves_as_other_walls_do) {
    const auto shake = [](const WallShape& floor, const Motion& motion) {
        Scene scene = empty();
        scene.time_step = 1e-5;
        add_wall(scene, "floor", floor).motion = motion;
        add_grain(scene, {0.002, 0.001, grain_radius}, grain_radius, {0.05, 0, 0});
        Simulation sim(scene);
        run_until(sim, 0.2);
        return std::pair{grain(sim, 0), sim.walls()[0].force};
    };
    const PlaneWall plane{{}, {0, 0, 1}};
    const MeshWall mesh = as_obj(sheet(30, 0.05, 5), "moving");
    for (const Motion& motion : {Motion{Vibrate{{2e-4, 0, 1e-3}, 30}}, Motion{Translate{{0.01, 0, 0.02}}},
                                 Motion{Rotate{{0, 0, 1}, {}, 3}}, Motion{Rotate{{0, 1, 0}, {}, 0.2}},
                                 Motion{MotionTable{{{0, 0, 0, 0}, {0.1, 0.001, 0, 0.002}, {0.2, 0, 0, 0}}}}}) {
        const auto [a, fa] = shake(plane, motion);
        const auto [b, fb] = shake(mesh, motion);
        EXPECT_LT(norm(a.position - b.position), 1e-10) << motion.index();
        EXPECT_LT(norm(a.velocity - b.velocity), 1e-8) << motion.index();
        EXPECT_LT(norm(fa - fb), 1e-6 * norm(fa) + 1e-12) << motion.index();
    }
    Scene scene = empty();
    add_wall(scene, "floor", mesh).open_at = 0.05;
    add_grain(scene, {0.002, 0.001, grain_radius});
    Simulation sim(scene);
    run_until(sim, 0.15);
    EXPECT_NEAR(grain(sim, 0).position.z, grain_radius - 0.5 * g * 0.01, 2e-4);
}

TEST(mesh_wall, blocks_slide_and_rest_on_it_as_on_a_plane) {
    GrainShape cube;
    cube.name = "cube";
    cube.kind = ShapeKind::spheropolyhedron;
    cube.solid = Solid::cube;
    cube.length = 0.02;
    cube.radius = 1e-3;
    cube.erode = true;
    const auto slide = [&](const WallShape& floor, double push) {
        Scene scene = empty();
        scene.overlap_limit = 0.9;
        scene.shapes.push_back(cube);
        scene.gravity = {push, 0, -g};
        scene.time_step = 1e-5;
        contact(scene).friction = 0.4;
        contact(scene).tangential_restitution = 0.5;
        add_wall(scene, "floor", floor);
        GrainGroup block = group(scene, 0, PlaceAt{{{-0.03, 0.003, 0.01001}}});
        block.shape = "cube";
        scene.grains.push_back(block);
        Simulation sim(scene);
        run_until(sim, 0.2);
        return std::pair{grain(sim, 0), sim.world().grains.orientation[0]};
    };
    const MeshWall mesh = as_obj(sheet(30, 0.08, 5), "slope");
    for (const double push : {2.0, 6.0}) {
        const auto [a, qa] = slide(PlaneWall{{}, {0, 0, 1}}, push);
        const auto [b, qb] = slide(mesh, push);
        EXPECT_EQ(push > 0.4 * g, a.position.x > -0.02);
        EXPECT_LT(norm(a.position - b.position), 1e-9) << push;
        EXPECT_LT(norm(a.velocity - b.velocity), 1e-7) << push;
        EXPECT_NEAR(qa.x, qb.x, 1e-8);
    }
}

TEST(mesh_wall, same_bits_for_threads_neighborhoods_and_restart) {
    Scene scene = empty();
    add_wall(scene, "box", as_stl(box_of({0, 0, 0}, {0.04, 0.04, 0.06}, 5), "hashed")).motion =
        Vibrate{{0, 0, 5e-4}, 40};
    add_region(scene, "inside", BoxShape{{0.003, 0.003, 0.003}, {0.037, 0.037, 0.05}});
    fill_region(scene, "inside", 200);
    const auto run = [&](int threads, NeighborMethod method, std::uint64_t disturbance) {
        set_thread_count(threads);
        Scene here = scene;
        here.neighbors = method;
        Simulation sim(here);
        if (disturbance) sim.disturb_search(disturbance);
        for (int k = 0; k < 4000; ++k) sim.step();
        set_thread_count(1);
        return sim.hash();
    };
    const std::string reference = run(1, NeighborMethod::grid, 0);
    EXPECT_EQ(run(2, NeighborMethod::grid, 0), reference);
    EXPECT_EQ(run(1, NeighborMethod::brute, 0), reference);
    EXPECT_EQ(run(1, NeighborMethod::grid, 77), reference);
    Simulation first(scene);
    for (int k = 0; k < 2000; ++k) first.step();
    Simulation second(scene, {first.synchronised_world(), first.contact_memory()}, first.group_names());
    for (int k = 0; k < 2000; ++k) {
        first.step();
        second.step();
    }
    EXPECT_EQ(second.hash(), first.hash());
}

TEST(mesh_wall, what_cannot_be_a_wall_is_refused_with_the_reason) {
    const auto refusal = [](const std::string& name, const std::string& text) {
        const std::string path = path_of(name);
        if (!text.empty())
            std::ofstream(path, std::ios::binary) << text;
        else
            std::filesystem::remove(path);
        Scene scene = empty();
        MeshWall mesh;
        mesh.file = path;
        add_wall(scene, "rock", mesh);
        try {
            WallSet walls(scene);
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("wall 'rock'"), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const std::string corner = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    EXPECT_EQ(refusal("fine.obj", corner + "f 1 2 3\n"), "accepted");
    EXPECT_NE(refusal("none.stl", "").find("cannot read"), std::string::npos);
    EXPECT_NE(refusal("empty.obj", "# nothing\n").find("holds no triangles"), std::string::npos);
    EXPECT_NE(refusal("nan.obj", "v 0 nan 0\n").find("not a finite number"), std::string::npos);
    EXPECT_NE(refusal("nan.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n").find(":4: "),
              std::string::npos);
    EXPECT_NE(refusal("flat.obj", corner + "v 2 0 0\nf 1 2 3\nf 1 2 4\n")
                  .find("1 of 2 triangles have no area, the first one is number 2"),
              std::string::npos);
    EXPECT_NE(refusal("twice.obj", corner + "f 1 2 2\n").find("holds no triangles"), std::string::npos);
    EXPECT_NE(refusal("thin.obj", "v 0 0 0\nv 1 0 0\nv 0.5 1e-13 0\nf 1 2 3\n").find("too thin"), std::string::npos);
    EXPECT_NE(refusal("no_vertex.obj", corner + "f 1 2 9\n").find("no vertex"), std::string::npos);
    EXPECT_NE(refusal("cut.stl", std::string(90, 'x')).find("neither a text STL"), std::string::npos);
    EXPECT_NE(refusal("wall.ply", "ply\n").find(".stl or .obj"), std::string::npos);
    TriangleMesh one;
    one.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    one.triangles = {{0, 1, 2}};
    std::string bytes = stl_bytes(one, "one");
    const float bad = std::numeric_limits<float>::infinity();
    std::memcpy(bytes.data() + 84 + 12, &bad, sizeof bad);
    EXPECT_NE(refusal("infinite.stl", bytes).find("not finite"), std::string::npos);
}

TEST(mesh_wall, is_scaled_turned_and_moved) {
    MeshWall wall = as_obj(sheet(2, 1, 1), "placed");
    wall.scale = 0.5;
    wall.axis = {1, 0, 0};
    wall.angle = pi / 2;
    wall.translate = {0, 3, 0};
    const Surface surface(wall, false, 3);
    const Extent e = surface.bounds();
    EXPECT_LT(norm(e.low - Vec3{-0.5, 3, -0.5}), 1e-15);
    EXPECT_LT(norm(e.high - Vec3{0.5, 3, 0.5}), 1e-15);
    EXPECT_LT(norm(surface.triangles().normal(0) - Vec3{0, -1, 0}), 1e-15);
    EXPECT_EQ(surface.mesh(e).triangles.size(), 8u);
}

}  // namespace
}  // namespace scree
