// What is told of meshes whose pieces are not quite the body.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "engine/remarks.h"
#include "math/elementary.h"
#include "scenes.h"

namespace scree {
namespace {

using namespace scenes;

std::string remarks_on(const std::string& file, double radius, double tolerance, bool erode) {
    Scene scene = empty(3, LawKind::linear);
    scene.gravity = {};  // bodies of metres under the weight of the earth are told of, too
    GrainShape shape;
    shape.name = "it";
    shape.kind = ShapeKind::mesh;
    shape.file = file;
    shape.radius = radius;
    shape.tolerance = tolerance;
    shape.erode = erode;
    scene.shapes.push_back(shape);
    GrainGroup one = group(scene, 0, PlaceAt{{{}}});
    one.shape = "it";
    scene.grains.push_back(one);
    std::string all;
    for (const std::string& remark : remarks(Simulation(scene))) all += remark + "\n";
    return all;
}

TEST(shape_remarks, hollows_deeper_than_the_tolerance_are_told) {
    const std::string file = testing::TempDir() + "shape_remarks_ring.obj";
    constexpr int m = 32, n = 16;
    {
        std::ofstream out(file);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) {
                const double u = 2 * pi * i / m, v = 2 * pi * j / n, r = 1 + 0.3 * std::cos(v);
                out << "v " << r * std::cos(u) << " " << r * std::sin(u) << " " << 0.3 * std::sin(v) << "\n";
            }
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j)
                out << "f " << i * n + j + 1 << " " << (i + 1) % m * n + j + 1 << " "
                    << (i + 1) % m * n + (j + 1) % n + 1 << " " << i * n + (j + 1) % n + 1 << "\n";
    }
    EXPECT_EQ(remarks_on(file, 0.01, 0.1, false).find("tolerance"), std::string::npos);
    EXPECT_NE(remarks_on(file, 0.01, 1e-5, false).find("deeper than its `tolerance` allows"), std::string::npos);
    std::remove(file.c_str());
}

TEST(shape_remarks, slivers_that_nothing_touches_are_told) {
    // A block of 4 with a ledge, 0.4 thick and 0.5 deep: 1.2 % of the volume.
    const std::string file = testing::TempDir() + "shape_remarks_ledge.obj";
    {
        std::ofstream out(file);
        const double outline[8][2] = {{0, 0}, {4, 0}, {4, 1.8}, {4.5, 1.8}, {4.5, 2.2}, {4, 2.2}, {4, 4}, {0, 4}};
        for (const double z : {0.0, 4.0})
            for (const auto& p : outline) out << "v " << p[0] << " " << p[1] << " " << z << "\n";
        for (int k = 0; k < 8; ++k)
            out << "f " << k + 1 << " " << (k + 1) % 8 + 1 << " " << (k + 1) % 8 + 9 << " " << k + 9 << "\n";
        out << "f 8 7 6 5 4 3 2 1\nf 9 10 11 12 13 14 15 16\n";
    }
    const std::string told = remarks_on(file, 0.3, 0.01, true);
    EXPECT_NE(told.find("1.2 % of its volume is in pieces up to 0.4 m thick"), std::string::npos) << told;
    EXPECT_EQ(remarks_on(file, 0.19, 0.01, true), remarks_on(file, 0.19, 0.01, false));
    std::remove(file.c_str());
}

}  // namespace
}  // namespace scree
