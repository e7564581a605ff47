// The command `scree decompose` as a user meets it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "geometry/mesh_file.h"
#include "shape/mass.h"
#include "shape/meshes.h"

namespace scree {
namespace {

class DecomposeCommand : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("scree_decompose_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
        std::ofstream(folder_ / "ring.stl") << stl_bytes(torus(16, 8, 0.3), "ring");
        std::ofstream(folder_ / "small.stl") << stl_bytes(torus(5, 4, 0.3), "small");
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    static std::pair<int, std::string> run(const std::string& arguments) {
        FILE* pipe = popen((std::string(SCREE_BINARY) + " decompose " + arguments + " 2>&1").c_str(), "r");
        std::string out;
        char buffer[4096];
        while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
        return {WEXITSTATUS(pclose(pipe)), out};
    }
    std::filesystem::path folder_;
};

TEST_F(DecomposeCommand, writes_pieces_that_are_what_it_says) {
    const auto [code, out] = run(path("ring.stl") + " --depth 0.1 --json -o " + path("pieces.obj"));
    ASSERT_EQ(code, 0) << out;
    const auto told = nlohmann::json::parse(out);
    EXPECT_GT(told["pieces"], 4);
    EXPECT_EQ(told["parts"].size(), told["pieces"]);
    EXPECT_LE(told["depth"], 0.1);
    const TriangleMesh ring = read_mesh(path("ring.stl")), pieces = read_mesh(path("pieces.obj"));
    const double solid = moments_of(ring.points, ring.triangles).volume,
                 hulls = moments_of(pieces.points, pieces.triangles).volume;
    EXPECT_NEAR(told["volume"], solid, 1e-12);
    EXPECT_NEAR(told["volume_outside"], hulls - solid, 1e-12);
    EXPECT_NE(run(path("small.stl") + " --depth 0.2").second.find("% of the volume"), std::string::npos);
}

TEST_F(DecomposeCommand, refuses_what_is_no_solid) {
    std::ofstream(folder_ / "open.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    EXPECT_EQ(run(path("open.obj")).first, 3);
    EXPECT_EQ(run(path("none.stl")).first, 5);
    EXPECT_EQ(run(path("ring.stl") + " --depth -1").first, 2);
    const auto [code, out] = run(path("small.stl") + " --depth 0");
    EXPECT_EQ(code, 0);
    EXPECT_NE(out.find("was not reached"), std::string::npos) << out;
}

}  // namespace
}  // namespace scree
