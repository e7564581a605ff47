// The command `scree nurbs` as a user meets it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

class NurbsCommand : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("scree_nurbs_") + testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
        // A quarter of a circle, and a plane of 2 x 2 as geomdl writes it.
        write("arc.json",
              "{\"degree\": 2, \"knots\": [0, 0, 0, 1, 1, 1], \"points\": [[1, 0], [1, 1], [0, 1]], "
              "\"weights\": [1, 0.7071067811865476, 1]}");
        write("plane.json",
              "{\"shape\": {\"type\": \"surface\", \"count\": 1, \"data\": [{\"rational\": true, \"degree_u\": 1, "
              "\"degree_v\": 1, \"knotvector_u\": [0, 0, 1, 1], \"knotvector_v\": [0, 0, 1, 1], \"size_u\": 2, "
              "\"size_v\": 2, \"control_points\": {\"points\": [[0, 0, 0], [0, 2, 0], [2, 0, 0], [2, 2, 0]], "
              "\"weights\": [1, 1, 1, 1]}}]}}");
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    static std::pair<int, std::string> run(const std::string& arguments) {
        FILE* pipe = popen((std::string(SCREE_BINARY) + " nurbs " + arguments + " 2>&1").c_str(), "r");
        std::string out;
        char buffer[4096];
        while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
        return {WEXITSTATUS(pclose(pipe)), out};
    }
    std::filesystem::path folder_;
};

TEST_F(NurbsCommand, tells_what_is_in_a_file_and_where_points_are_nearest) {
    EXPECT_EQ(run(path("arc.json")).second, "curve    degree 2, 3 points, domain [0, 1], 1 pieces\n");
    EXPECT_EQ(run(path("plane.json")).second,
              "surface  degree 1 x 1, 2 x 2 points, domain [0, 1] x [0, 1], 1 patches\n");
    EXPECT_NE(run(path("plane.json") + " --json").second.find("\"kind\": \"surface\", \"degree_u\": 1"),
              std::string::npos);
    const auto [code, out] = run(path("plane.json") + " --closest " + write("q", "0.5 1 3\n"));
    EXPECT_EQ(code, 0) << out;
    EXPECT_NE(out.find("\n0.5,1,3,3,"), std::string::npos) << out;
    EXPECT_NE(out.find(",0,0.25,0.5,0.5,1,0\n"), std::string::npos) << out;
    const std::string samples = run(path("arc.json") + " --sample 2").second;
    EXPECT_NE(samples.find("\n0,0.5,0,0.707106781186547"), std::string::npos) << samples;
}

TEST_F(NurbsCommand, lists_all_places_within_a_radius) {
    const std::string wave = write("wave.json",
                                   "{\"degree\": 1, \"knots\": [0, 0, 1, 2, 3, 4, 4], \"points\": [[0, 1], [1, 0], "
                                   "[2, 1], [3, 0], [4, 1]]}");
    const auto [code, out] = run(wave + " --closest " + write("q", "2 -3 0\n") + " --within 3.5");
    EXPECT_EQ(code, 0) << out;
    EXPECT_NE(out.find(",0,1,0.5,1,0,0\n"), std::string::npos) << out;
    EXPECT_NE(out.find(",0,3,0.5,3,0,0\n"), std::string::npos) << out;
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 3) << out;
    EXPECT_EQ(run(wave + " --within 1").first, 2);
}

TEST_F(NurbsCommand, bad_files_are_answered) {
    for (const auto& [text, says] :
         {std::pair{"{\"degree\": 2}", "\"points\" is missing"},
          {"{\"degree\": 2, \"knots\": [0, 0, 1, 1], \"points\": [[0, 0], [1, 1], [2, 2]]}", "too few for degree 2"},
          {"{\"degree\": 1, \"knots\": [0, 0, 1, 1], \"points\": [[0, 0], [1]]}", "point 1 has 1 coordinates"},
          {"{\"degree\": 1, \"knots\": [0, 1, 0, 1], \"points\": [[0, 0], [1, 1]]}", "below the one before"},
          {"{\"degree\": 1, \"knots\": [0, 0, 1, 1], \"points\": [[0, 0], [1, 1]], \"weights\": [1, -1]}", "positive"},
          {"[", "is not JSON"}}) {
        const auto [code, out] = run(write("bad.json", text));
        EXPECT_EQ(code, 3) << text << out;
        EXPECT_NE(out.find(says), std::string::npos) << text << out;
    }
    EXPECT_EQ(run(path("none.json")).first, 5);
    EXPECT_EQ(run("").first, 2);
    EXPECT_EQ(run(path("arc.json") + " --sample 0").first, 2);
}

}  // namespace
