// Meshes: what is refused, and how solids are cut.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "scree/error.h"
#include "shape/mass.h"
#include "shape/mesh.h"
#include "shape/shape.h"

namespace scree {
namespace {

TriangleMesh box_mesh_of(Vec3 low, Vec3 high) {
    TriangleMesh m;
    for (int k = 0; k < 8; ++k) m.points.push_back({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
    m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return m;
}

void append(TriangleMesh& to, const TriangleMesh& part) {
    const int first = static_cast<int>(to.points.size());
    to.points.insert(to.points.end(), part.points.begin(), part.points.end());
    for (const auto& t : part.triangles) to.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
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

TEST(mesh, a_bracket_becomes_few_pieces_that_fill_it) {
    // An L of two boxes, as one surface: the exact cut takes two pieces.
    TriangleMesh m;
    const double xs[] = {0, 1, 3}, zs[] = {0, 1, 3};
    const auto point = [&](int i, int j, int k) { m.points.push_back({xs[i], j ? 1.0 : 0.0, zs[k]}); return static_cast<int>(m.points.size()) - 1; };
    const int ring[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    int at[6][2];
    for (int k = 0; k < 6; ++k)
        for (int j = 0; j < 2; ++j) at[k][j] = point(ring[k][0], j, ring[k][1]);
    for (int k = 0; k < 6; ++k) {
        const int n = (k + 1) % 6;
        m.triangles.push_back({at[k][0], at[n][0], at[n][1]}), m.triangles.push_back({at[k][0], at[n][1], at[k][1]});
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
            const auto [at, fresh] = middles.try_emplace({std::min(i, j), std::max(i, j)}, static_cast<int>(m.points.size()));
            if (fresh) m.points.push_back(normalized(m.points[static_cast<std::size_t>(i)] + m.points[static_cast<std::size_t>(j)]));
            return at->second;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& t : m.triangles) {
            const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
            finer.insert(finer.end(), {{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}});
        }
        m.triangles = std::move(finer);
    }
    const std::pair<Vec3, double> bumps[] = {{{0.3, 0.5, 0.81}, -0.35}, {{-0.7, 0.1, -0.71}, -0.3}, {{0.6, -0.8, 0.1}, 0.15}, {{-0.5, -0.6, 0.62}, 0.1}};
    for (Vec3& p : m.points) {
        double r = 1;
        for (const auto& [at, height] : bumps) r += height * std::exp(-4 * (1 - dot(p, normalized(at))));
        p = {1.15 * r * p.x, 0.95 * r * p.y, 0.9 * r * p.z};
    }
    return m;
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
                for (std::size_t j = 0; j < i; ++j) EXPECT_GT(norm(piece.vertex[i] - piece.vertex[j]), 1e-12) << tolerance;
            for (const Vec3 p : eroded(cloud, 0.05, 3)) EXPECT_TRUE(is_finite(p)) << tolerance;
        }
        EXPECT_GE(volume, whole * (1 - 1e-12));
        EXPECT_LE(volume, before * (1 + 1e-12)) << "finer cuts fill no more";
        before = volume;
    }
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
    std::ofstream(folder / "t.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/1 4/1\nf -3 -2 -1\nf 1 4 3\n";
    const TriangleMesh t = read_mesh((folder / "t.obj").string());
    EXPECT_EQ(refusal(t), "");
    EXPECT_NEAR(moments_of(t.points, t.triangles).volume, 1.0 / 6, 1e-15);
    std::ofstream(folder / "bad.obj") << "v 0 0 0\nv 1 0 0\nf 1 2 7\n";
    EXPECT_THROW(read_mesh((folder / "bad.obj").string()), Error);
    std::ofstream(folder / "bad.stl") << "nothing";
    EXPECT_THROW(read_mesh((folder / "bad.stl").string()), Error);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace scree
