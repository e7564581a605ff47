// Meshes: what is refused, and how solids are cut.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iomanip>
#include <map>

#include "core/random.h"
#include "geometry/gjk.h"
#include "geometry/triangle_crossing.h"
#include "math/elementary.h"
#include "meshes.h"
#include "scree/error.h"
#include "shape/half_spaces.h"
#include "shape/mass.h"
#include "shape/mesh.h"
#include "shape/shape.h"

namespace scree {
namespace {

TriangleMesh box_mesh_of(Vec3 low, Vec3 high) {
    TriangleMesh m;
    for (int k = 0; k < 8; ++k)
        m.points.push_back({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
    m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return m;
}

std::string refusal(const TriangleMesh& mesh) {
    try {
        require_solid(mesh, "m.stl");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        return error.what();
    }
    return "";
}

TEST(mesh, refuses_what_bounds_no_solid_and_says_why) {
    const TriangleMesh box = box_mesh_of({}, {1, 2, 3});
    EXPECT_EQ(refusal(box), "");
    EXPECT_NEAR(moments_of(box.points, box.triangles).volume, 6, 1e-14);
    TriangleMesh open = box;
    open.triangles.pop_back();
    EXPECT_NE(refusal(open).find("open"), std::string::npos);
    TriangleMesh inverted = box;
    for (auto& t : inverted.triangles) std::swap(t[1], t[2]);
    EXPECT_NE(refusal(inverted).find("inside out"), std::string::npos);
    TriangleMesh twisted = box;
    std::swap(twisted.triangles[3][0], twisted.triangles[3][1]);
    EXPECT_NE(refusal(twisted).find("disagree"), std::string::npos);
    TriangleMesh flat = box;
    for (Vec3& p : flat.points) p.z = 0;
    EXPECT_NE(refusal(flat).find("no volume"), std::string::npos);
    TriangleMesh crossing = box;
    append(crossing, box_mesh_of({0.5, 0.5, 0.5}, {4, 1.5, 2}));
    EXPECT_NE(refusal(crossing).find("crosses itself"), std::string::npos);
}

TEST(mesh, refuses_surfaces_that_fold_through_themselves_or_lie_in_each_other) {
    const TriangleMesh cube = box_mesh_of({}, {1, 1, 1});
    const auto with = [&](Vec3 low, Vec3 high, bool turned) {
        TriangleMesh both = cube, other = box_mesh_of(low, high);
        if (turned)
            for (auto& t : other.triangles) std::swap(t[1], t[2]);
        append(both, other);
        return both;
    };
    // A corner pulled through the opposite face: every triangle that crosses shares a corner with the one it crosses.
    TriangleMesh pulled = cube;
    pulled.points[7] = {0.2, 0.3, -1};
    EXPECT_NE(refusal(pulled).find("crosses itself"), std::string::npos);
    EXPECT_NE(refusal(with({0.5, 0, 0}, {1.5, 1, 1}, false)).find("crosses itself"), std::string::npos)
        << "faces in common planes";
    EXPECT_NE(refusal(with({}, {1, 1, 1}, false)).find("crosses itself"), std::string::npos) << "the same twice";
    EXPECT_NE(refusal(with({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}, false)).find("lies inside another"),
              std::string::npos);
    EXPECT_EQ(refusal(with({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}, true)), "") << "a hollow";
    EXPECT_NE(refusal(with({1.25, 0, 0}, {1.75, 0.5, 0.5}, true)).find("inside out"), std::string::npos);
    EXPECT_EQ(refusal(with({1.25, 0, 0}, {1.75, 1, 1}, false)), "") << "two bodies apart";
    TriangleMesh in_hollow = with({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}, true);
    append(in_hollow, box_mesh_of({0.4, 0.4, 0.4}, {0.6, 0.6, 0.6}));
    EXPECT_EQ(refusal(in_hollow), "") << "a stone in a hollow";
}

TEST(mesh, mends_what_bounds_nothing) {
    // Two cubes that share a face, by the numbers of its corners.
    TriangleMesh block = box_mesh_of({}, {1, 1, 1});
    for (int k = 0; k < 4; ++k) block.points.push_back({2, k & 1 ? 1.0 : 0.0, k & 2 ? 1.0 : 0.0});
    const int second[8] = {1, 8, 3, 9, 5, 10, 7, 11};
    for (const auto& t : box_mesh_of({}, {1, 1, 1}).triangles)
        block.triangles.push_back({second[t[0]], second[t[1]], second[t[2]]});
    TriangleMesh mended = block;
    mend(mended);
    EXPECT_EQ(mended.triangles.size(), block.triangles.size() - 4);
    EXPECT_EQ(refusal(mended), "");
    EXPECT_EQ(convex_pieces(mended, 1e-6).size(), 1u);
    EXPECT_NEAR(moments_of(mended.points, mended.triangles).volume, 2, 1e-14);

    // An edge cut on one side only, with a triangle of no area between.
    TriangleMesh cube = box_mesh_of({}, {1, 1, 1});
    cube.points.push_back({0.5, 0, 0});
    cube.triangles[0] = {0, 2, 8};
    cube.triangles.push_back({8, 2, 1});
    cube.slivers = {{0, 8, 1}};
    EXPECT_NE(refusal(cube).find("open"), std::string::npos);
    mend(cube);
    EXPECT_EQ(refusal(cube), "");
    EXPECT_NEAR(moments_of(cube.points, cube.triangles).volume, 1, 1e-14);
}

TEST(mesh, a_bracket_becomes_few_pieces_that_fill_it) {
    // An L of two boxes, as one surface: the exact cut takes two pieces.
    TriangleMesh m;
    const double xs[] = {0, 1, 3}, zs[] = {0, 1, 3};
    const auto point = [&](int i, int j, int k) {
        m.points.push_back({xs[i], j ? 1.0 : 0.0, zs[k]});
        return static_cast<int>(m.points.size()) - 1;
    };
    const int ring[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    int at[6][2];
    for (int k = 0; k < 6; ++k)
        for (int j = 0; j < 2; ++j) at[k][j] = point(ring[k][0], j, ring[k][1]);
    for (int k = 0; k < 6; ++k) {
        const int n = (k + 1) % 6;
        m.triangles.push_back({at[k][0], at[n][0], at[n][1]});
        m.triangles.push_back({at[k][0], at[n][1], at[k][1]});
    }
    for (const auto& t : {std::array{0, 1, 2}, std::array{0, 2, 3}, std::array{0, 3, 5}, std::array{3, 4, 5}}) {
        m.triangles.push_back({at[t[0]][0], at[t[2]][0], at[t[1]][0]});
        m.triangles.push_back({at[t[0]][1], at[t[1]][1], at[t[2]][1]});
    }
    if (moments_of(m.points, m.triangles).volume < 0)
        for (auto& t : m.triangles) std::swap(t[1], t[2]);
    ASSERT_EQ(refusal(m), "");
    double reached = 1;
    const auto pieces = convex_pieces(m, 0.05, &reached);
    EXPECT_LE(reached, 0.05);
    double volume = 0;
    for (const auto& cloud : pieces) volume += moments_of(make_piece(cloud, 0, 3), 3).volume;
    EXPECT_NEAR(volume, 5, 0.25);
    EXPECT_LE(pieces.size(), 6u);
}

// A ball of triangles with lumps and hollows.
TriangleMesh lumpy_grain() {
    TriangleMesh m;
    m.points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    m.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    for (int round = 0; round < 2; ++round) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int i, int j) {
            const auto [at, fresh] =
                middles.try_emplace({std::min(i, j), std::max(i, j)}, static_cast<int>(m.points.size()));
            if (fresh)
                m.points.push_back(
                    normalized(m.points[static_cast<std::size_t>(i)] + m.points[static_cast<std::size_t>(j)]));
            return at->second;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& t : m.triangles) {
            const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
            finer.insert(finer.end(), {{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}});
        }
        m.triangles = std::move(finer);
    }
    const std::pair<Vec3, double> bumps[] = {
        {{0.3, 0.5, 0.81}, -0.35}, {{-0.7, 0.1, -0.71}, -0.3}, {{0.6, -0.8, 0.1}, 0.15}, {{-0.5, -0.6, 0.62}, 0.1}};
    for (Vec3& p : m.points) {
        double r = 1;
        for (const auto& [at, height] : bumps) r += height * std::exp(-4 * (1 - dot(p, normalized(at))));
        p = {1.15 * r * p.x, 0.95 * r * p.y, 0.9 * r * p.z};
    }
    return m;
}

TEST(mesh, sound_surfaces_pass_and_disturbed_ones_as_far_as_no_two_triangles_cross) {
    Random random(9, 0);
    int crossed = 0, sound = 0;
    for (int round = 0; round < 300; ++round) {
        TriangleMesh m = round % 3 == 0   ? lumpy_grain()
                         : round % 3 == 1 ? torus(9 + round % 7, 5 + round % 4, 0.3)
                                          : box_mesh_of({}, {1, 2, 3});
        // Turned anyhow, and with the seven digits of a file.
        const double u1 = random.uniform(), u2 = random.uniform(), u3 = random.uniform();
        const Mat3 turn = matrix_of(uniform_rotation(u1, u2, u3));
        for (Vec3& p : m.points) {
            p = turn * p;
            for (int axis = 0; axis < 3; ++axis) p[axis] = static_cast<float>(p[axis]);
        }
        ASSERT_EQ(refusal(m), "") << round;
        const auto k = static_cast<std::size_t>(random.uniform(0, static_cast<double>(m.points.size())));
        const double far = round % 2 ? 3 : 0.5, x = random.uniform(-far, far), y = random.uniform(-far, far),
                     z = random.uniform(-far, far);
        m.points[k] += Vec3{x, y, z};
        bool cross = false;
        for (std::size_t i = 0; i < m.triangles.size() && !cross; ++i)
            for (std::size_t j = 0; j < i && !cross; ++j)
                cross = triangles_cross(m.points, m.triangles[i], m.triangles[j]);
        if (moments_of(m.points, m.triangles).volume > 0) {
            EXPECT_EQ(refusal(m).find("crosses itself") != std::string::npos, cross) << round;
        }
        ++(cross ? crossed : sound);
    }
    EXPECT_GT(crossed, 50);
    EXPECT_GT(sound, 30);
}

TEST(mesh, the_grain_of_the_examples_passes) {
    const std::string file = std::string(SCREE_SOURCE_DIR) + "/examples/sand/grain.stl";
    EXPECT_EQ(refusal(read_mesh(file)), "");
}

TEST(mesh, pieces_of_a_lumpy_grain_cover_it_and_stay_sound_at_every_tolerance) {
    const TriangleMesh m = lumpy_grain();
    ASSERT_EQ(refusal(m), "");
    const double whole = moments_of(m.points, m.triangles).volume;
    double before = 2 * whole;
    for (const double tolerance : {0.1, 0.05, 0.03, 0.02, 0.01}) {
        double volume = 0;
        for (const auto& cloud : convex_pieces(m, tolerance)) {
            const Piece piece = make_piece(cloud, 0, 3);
            volume += moments_of(piece, 3).volume;
            for (const Face& face : piece.faces) EXPECT_NEAR(norm(face.normal), 1, 1e-12) << tolerance;
            // A cut edge belongs to two triangles and gives one point.
            for (std::size_t i = 0; i < piece.vertex.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_GT(norm(piece.vertex[i] - piece.vertex[j]), 1e-12) << tolerance;
            for (const Vec3 p : eroded(cloud, 0.05, 3)) EXPECT_TRUE(is_finite(p)) << tolerance;
        }
        EXPECT_GE(volume, whole * (1 - 1e-12));
        EXPECT_LE(volume, before * (1 + 1e-12)) << "finer cuts fill no more";
        before = volume;
    }
}

TEST(mesh, blocks_are_cut_along_their_faces_at_any_scale) {
    // An L, its inner corner anywhere; the last digits of the products must not matter.
    for (const double corner : {1.0, 0.7, 1.37})
        for (const double scale : {1.0, 3e-3, 5e-3, 0.1, 1.0 / 3}) {
            TriangleMesh m;
            const double ring[6][2] = {{0, 0}, {2, 0}, {2, corner}, {corner, corner}, {corner, 2}, {0, 2}};
            for (const double z : {0.0, 1.0})
                for (const auto& p : ring) m.points.push_back(scale * Vec3{p[0], p[1], z});
            for (int k = 0; k < 6; ++k) {
                const int n = (k + 1) % 6;
                m.triangles.push_back({k, n, n + 6});
                m.triangles.push_back({k, n + 6, k + 6});
            }
            for (const auto& t : {std::array{0, 1, 3}, std::array{1, 2, 3}, std::array{0, 3, 5}, std::array{3, 4, 5}}) {
                m.triangles.push_back({t[0], t[2], t[1]});
                m.triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
            }
            ASSERT_EQ(refusal(m), "");
            double reached = 1, volume = 0;
            const auto pieces = convex_pieces(m, 1e-6 * scale, &reached);
            EXPECT_EQ(pieces.size(), 2u) << corner << " at " << scale;
            EXPECT_LE(reached, 1e-6 * scale);
            for (const auto& cloud : pieces) volume += moments_of(make_piece(cloud, 0, 3), 3).volume;
            EXPECT_NEAR(volume / (scale * scale * scale), 4 - (2 - corner) * (2 - corner), 1e-7);
        }
}

TEST(mesh, every_point_of_a_solid_is_in_one_of_its_pieces) {
    Random random(4, 0);
    const auto number = [&](double low, double high) { return random.uniform(low, high); };
    for (int round = 0; round < 12; ++round) {
        TriangleMesh m = round % 3 == 0   ? lumpy_grain()
                         : round % 3 == 1 ? torus(12, 6, 0.3)
                                          : box_mesh_of({}, {1, 1, 1});
        if (round % 3 == 2) {  // with a hollow
            TriangleMesh hollow = box_mesh_of({0.2, 0.3, 0.25}, {0.7, 0.8, 0.75});
            for (auto& t : hollow.triangles) std::swap(t[1], t[2]);
            append(m, hollow);
        }
        const double u1 = number(0, 1), u2 = number(0, 1), u3 = number(0, 1);
        if (round >= 3)
            for (Vec3& p : m.points) p = matrix_of(uniform_rotation(u1, u2, u3)) * p;
        std::vector<Piece> pieces;
        for (const auto& cloud : convex_pieces(m, 0.02)) pieces.push_back(make_piece(cloud, 0, 3));
        // Inside: a ray along x goes out once more often than in.
        const auto inside = [&](Vec3 p) {
            int count = 0;
            for (const auto& t : m.triangles) {
                const Vec3 a = m.points[static_cast<std::size_t>(t[0])], b = m.points[static_cast<std::size_t>(t[1])],
                           c = m.points[static_cast<std::size_t>(t[2])];
                if (segment_meets_triangle(p, p + Vec3{10, 0, 0}, a, b, c)) ++count;
            }
            return count % 2 == 1;
        };
        int tried = 0;
        for (int k = 0; k < 400; ++k) {
            const double x = number(-2, 2), y = number(-2, 2), z = number(-2, 2);
            const Vec3 p{x, y, z};
            if (!inside(p)) continue;
            ++tried;
            EXPECT_TRUE(std::any_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
                return distance(piece.body, PointBody(p)).gap < 1e-9;
            })) << round;
        }
        EXPECT_GT(tried, 2) << round;
    }
}

TEST(mesh, what_cuts_could_not_reach_is_told) {
    // A ring has hollows of any depth; seven cuts in sequence leave some.
    const TriangleMesh ring = torus(48, 24, 0.3);
    double reached = 0;
    convex_pieces(ring, 1e-6, &reached);
    EXPECT_GT(reached, 1e-4);
}

// Surface of a ball of about 12 `fineness`^2 triangles.
TriangleMesh ball(int fineness) {
    TriangleMesh m;
    std::map<std::array<double, 3>, int> numbers;
    const auto point = [&](Vec3 p) {
        p = normalized(p);
        const auto [at, fresh] = numbers.try_emplace({p.x, p.y, p.z}, static_cast<int>(m.points.size()));
        if (fresh) m.points.push_back(p);
        return at->second;
    };
    for (int side = 0; side < 6; ++side)
        for (int i = 0; i < fineness; ++i)
            for (int j = 0; j < fineness; ++j) {
                const auto corner = [&](int a, int b) {
                    Vec3 p;
                    p[side / 2] = side % 2 ? 1 : -1;
                    p[(side / 2 + 1) % 3] = 2.0 * a / fineness - 1;
                    p[(side / 2 + 2) % 3] = 2.0 * b / fineness - 1;
                    return point(p);
                };
                int a = corner(i, j), b = corner(i + 1, j), c = corner(i + 1, j + 1), d = corner(i, j + 1);
                if (side % 2 == 0) std::swap(b, d);
                m.triangles.push_back({a, b, c});
                m.triangles.push_back({a, c, d});
            }
    return m;
}

TEST(mesh, convex_surfaces_of_many_triangles_take_no_time) {
    const TriangleMesh m = ball(45);  // 24300 triangles
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(refusal(m), "");
    double reached = 1;
    EXPECT_EQ(convex_pieces(m, 0.01, &reached).size(), 1u);
    EXPECT_LT(reached, 1e-3);
    // Half a second when built for speed; triangles times planes would be 20 and more.
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 10);
}

TEST(mesh, thin_parts_do_not_vanish_when_drawn_in) {
    // A block with a fin, 0.4 thick.
    const auto folder = std::filesystem::temp_directory_path() / "scree_fin_test";
    std::filesystem::create_directories(folder);
    std::ofstream file(folder / "fin.obj");
    const double outline[8][2] = {{0, 0}, {4, 0}, {4, 1.8}, {8, 1.8}, {8, 2.2}, {4, 2.2}, {4, 4}, {0, 4}};
    for (const double z : {0.0, 4.0})
        for (const auto& p : outline) file << "v " << p[0] << " " << p[1] << " " << z << "\n";
    for (int k = 0; k < 8; ++k)
        file << "f " << k + 1 << " " << (k + 1) % 8 + 1 << " " << (k + 1) % 8 + 9 << " " << k + 9 << "\n";
    file << "f 8 7 6 5 4 3 2 1\nf 9 10 11 12 13 14 15 16\n";
    file.close();
    Scene scene;
    GrainShape fin;
    fin.name = "fin";
    fin.kind = ShapeKind::mesh;
    fin.file = (folder / "fin.obj").string();
    fin.radius = 0.3;
    fin.erode = true;
    const auto made = [&](double radius) {
        fin.radius = radius;
        scene.shapes = {fin};
        return make_shape(scene, 0);
    };
    try {
        made(0.3);
        FAIL() << "the fin is gone";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("0.4 m thick"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("below 0.199 m"), std::string::npos) << error.what();
    }
    const Shape whole = made(0.19);
    EXPECT_EQ(whole.lost, 0);
    EXPECT_EQ(whole.pieces.size(), 2u);
    std::filesystem::remove_all(folder);
}

TEST(mesh, inertia_lost_in_rounding_is_told) {
    const std::string file = testing::TempDir() + "scree_far.obj";
    {
        std::ofstream out(file);
        const TriangleMesh box = box_mesh_of({1e9, 0, 0}, {1e9 + 1, 1, 1});
        for (const Vec3 p : box.points) out << "v " << std::setprecision(17) << p.x << " " << p.y << " " << p.z << "\n";
        for (const auto& t : box.triangles) out << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
    }
    Scene scene;
    GrainShape far;
    far.name = "far";
    far.kind = ShapeKind::mesh;
    far.file = file;
    far.radius = 0.1;
    scene.shapes = {far};
    try {
        make_shape(scene, 0);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("away from the origin"), std::string::npos) << error.what();
    }
    std::filesystem::remove(file);
}

TEST(mesh, stl_and_obj_are_read_back) {
    const auto folder = std::filesystem::temp_directory_path() / "scree_mesh_test";
    std::filesystem::create_directories(folder);
    const TriangleMesh box = box_mesh_of({}, {1, 2, 4});
    std::ofstream(folder / "box.stl", std::ios::binary) << stl_bytes(box, "box");
    const TriangleMesh back = read_mesh((folder / "box.stl").string());
    EXPECT_EQ(back.points.size(), 8u);
    EXPECT_EQ(back.triangles.size(), 12u);
    EXPECT_NEAR(moments_of(back.points, back.triangles).volume, 8, 1e-12);
    std::ofstream(folder / "t.obj")
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/1 4/1\nf -3 -2 -1\nf 1 4 3\n";
    const TriangleMesh t = read_mesh((folder / "t.obj").string());
    EXPECT_EQ(refusal(t), "");
    EXPECT_NEAR(moments_of(t.points, t.triangles).volume, 1.0 / 6, 1e-15);
    // An L with its sides as polygons: a fan from a corner would leave it and come back.
    for (const char* sides : {"f 6 5 4 3 2 1\nf 7 8 9 10 11 12\n", "f 3 2 1 6 5 4\nf 11 12 7 8 9 10\n"}) {
        std::ofstream(folder / "l.obj") << "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 2 0 1\nv "
                                           "2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                                           "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n"
                                        << sides;
        const TriangleMesh l = read_mesh((folder / "l.obj").string());
        EXPECT_EQ(refusal(l), "");
        EXPECT_EQ(l.triangles.size(), 20u);
        EXPECT_NEAR(moments_of(l.points, l.triangles).volume, 3, 1e-14);
    }
    std::ofstream(folder / "bad.obj") << "v 0 0 0\nv 1 0 0\nf 1 2 7\n";
    EXPECT_THROW(read_mesh((folder / "bad.obj").string()), Error);
    std::ofstream(folder / "bad.stl") << "nothing";
    EXPECT_THROW(read_mesh((folder / "bad.stl").string()), Error);
    std::filesystem::remove_all(folder);
}

std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

constexpr const char* text_tetrahedron =
    "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
    "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
    "facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n"
    "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 0\nendloop\nendfacet\n";

TEST(mesh, text_stl_is_read_however_it_is_written) {
    const auto folder = std::filesystem::temp_directory_path() / "scree_mesh_written";
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "t.stl").string(),
                      plain = std::string("solid t\n") + text_tetrahedron + "endsolid t\n";
    std::string capitals = plain, returns;
    std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    for (const char c : plain) returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
    for (const std::string& text :
         {plain, capitals, returns, "\xEF\xBB\xBF" + plain, "\n  \n\t" + plain, "\xEF\xBB\xBF\n " + capitals}) {
        std::ofstream(file, std::ios::binary) << text;
        const TriangleMesh mesh = read_mesh(file);
        EXPECT_EQ(refusal(mesh), "") << text;
        EXPECT_NEAR(moments_of(mesh.points, mesh.triangles).volume, 1.0 / 6, 1e-15) << text;
    }
    std::filesystem::remove_all(folder);
}

TEST(mesh, text_stl_that_was_cut_off_is_refused_wherever_the_cut_is) {
    const auto folder = std::filesystem::temp_directory_path() / "scree_mesh_cut";
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "t.stl").string(),
                      whole = std::string("solid t\n") + text_tetrahedron + "endsolid t\n";
    for (std::size_t end = whole.find('\n') + 1; end < whole.size(); end = whole.find('\n', end) + 1) {
        std::ofstream(file, std::ios::binary) << whole.substr(0, end);
        const std::string message = message_of([&] { read_mesh(file); });
        EXPECT_NE(message.find("cut off"), std::string::npos) << "after " << end << " bytes: " << message;
        EXPECT_EQ(message.find(file + ":"), 0u) << message;
    }
    std::filesystem::remove_all(folder);
}

TEST(mesh, obj_lines_go_on_after_a_backslash) {
    const auto folder = std::filesystem::temp_directory_path() / "scree_mesh_lines";
    std::filesystem::create_directories(folder);
    const std::string file = (folder / "t.obj").string();
    std::ofstream(file) << "v 0 0 \\\n0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 \\\n 3 \\\n 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    const TriangleMesh mesh = read_mesh(file);
    EXPECT_EQ(refusal(mesh), "");
    EXPECT_NEAR(moments_of(mesh.points, mesh.triangles).volume, 1.0 / 6, 1e-15);
    // The number of a line is that of the file.
    std::ofstream(file) << "v 0 0 \\\n0\nv 1 0\n";
    EXPECT_NE(message_of([&] { read_mesh(file); }).find(file + ":3:"), std::string::npos);
    std::filesystem::remove_all(folder);
}

TEST(mesh, what_is_no_file_is_not_waited_for) {
    const auto folder = std::filesystem::temp_directory_path() / "scree_mesh_folder";
    std::filesystem::create_directories(folder / "a.stl");
    EXPECT_NE(message_of([&] { read_mesh((folder / "a.stl").string()); }).find("a folder and not a file"),
              std::string::npos);
    const std::string pipe = (folder / "b.obj").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_NE(message_of([&] { read_mesh(pipe); }).find("a device or pipe and not a file"), std::string::npos);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace scree
