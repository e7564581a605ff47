// A run folder that somebody else has made.
#include "io/run_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "io/json_text.h"
#include "io/synthetic.h"
#include "io/vtk.h"
#include "scree/error.h"

namespace scree {
namespace {

class RunFilesTest : public ::testing::Test {
  protected:
    RunFilesTest() {
        std::filesystem::create_directory(folder_.path / "frames");
        test::set_bytes(folder_.path / "run.json", "{}");
    }
    std::filesystem::path path(const char* name) const { return folder_.path / name; }
    static std::string entry(int frame) {
        return "<DataSet timestep=\"" + std::to_string(frame) + "\" part=\"0\" file=\"grains_" +
               std::to_string(1'000'000 + frame).substr(1) + ".vtp\"/>\n";
    }

  private:
    test::TemporaryFolder folder_;
};

TEST_F(RunFilesTest, an_index_is_read_as_far_as_it_is_one) {
    std::string index = "<VTKFile>\n";
    for (int k = 0; k < 20000; ++k) index += entry(k);
    test::set_bytes(path("frames/run.pvd"), index);
    RunFiles files(path(""));
    ASSERT_EQ(files.frame_times().size(), 20000u);
    EXPECT_EQ(files.frame_times()[19999], 19999);
    // Sparse: it claims to be larger than any memory, and has nothing in it.
    ASSERT_EQ(::truncate(path("frames/run.pvd").c_str(), off_t{1} << 42), 0);
    EXPECT_EQ(files.frame_times().size(), 20000u);
    test::set_bytes(path("frames/run.pvd"), std::string(10'000'000, '<'));
    EXPECT_TRUE(files.frame_times().empty());
}

TEST_F(RunFilesTest, neither_links_nor_pipes_are_opened) {
    test::set_bytes(path("secret"), "secret");
    std::filesystem::create_symlink(path("secret"), path("scene.toml"));
    std::filesystem::create_symlink(path("secret"), path("frames/grains_000000.vtp"));
    ASSERT_EQ(::mkfifo(path("series.csv").c_str(), 0600), 0);
    const RunFiles files(path(""));
    EXPECT_FALSE(files.text("scene.toml"));
    EXPECT_FALSE(files.text("series.csv"));
    EXPECT_FALSE(files.frame(FrameKind::grains, 0));
    EXPECT_THROW(files.needed(FrameKind::grains, 0), Error);
}

TEST(json_text, deep_nesting_and_what_is_no_json_are_nothing) {
    EXPECT_EQ(parse_json(R"({"a": [1, "[[[[\"[["]})")["a"][0], 1);
    for (const char* brackets : {"[", "{\"a\":"}) {
        std::string deep;
        for (int k = 0; k < 200'000; ++k) deep += brackets;
        EXPECT_TRUE(parse_json(deep).is_null());
    }
    EXPECT_TRUE(parse_json(std::string(200'000, '[') + std::string(200'000, ']')).is_null());
    EXPECT_TRUE(parse_json("{").is_null());
    EXPECT_TRUE(parse_json("").is_null());
}

// The numbers of a file may say anything; what is given out fits together.
TEST_F(RunFilesTest, arrays_that_do_not_fit_the_points_are_refused) {
    VtkPolyData data;
    data.array<double>(VtkPolyData::Place::points, "position", 3, 8, [](std::size_t k, double* out) {
        for (int c = 0; c < 3; ++c) out[c] = static_cast<double>(k);
    });
    data.array<std::uint32_t>(VtkPolyData::Place::point_data, "id", 1, 8,
                              [](std::size_t k, std::uint32_t* out) { *out = static_cast<std::uint32_t>(k); });
    data.cells(VtkPolyData::Place::lines, 2, 4,
               [](std::size_t k, int c) { return 2 * k + static_cast<std::size_t>(c); });
    data.write(path("frames/grains_000000.vtp"), 8);
    const std::string good = test::bytes_of(path("frames/grains_000000.vtp"));
    const RunFiles files(path(""));
    const auto open = [&] { return files.needed(FrameKind::grains, 0); };
    EXPECT_EQ(open().numbers<std::int64_t>("PointData", "id").size(), 8u);
    EXPECT_EQ(open().vectors("Points", "position")[7].y, 7);
    EXPECT_EQ(open().cells("Lines").count(), 4u);
    EXPECT_THROW(open().numbers<double>("Points", "position", 1), Error);
    EXPECT_THROW(open().numbers<double>("PointData", "radius"), Error);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string bytes = good;
        bytes.replace(bytes.find(from), from.size(), to);
        test::set_bytes(path("frames/grains_000000.vtp"), bytes);
    };
    with("type=\"UInt32\" Name=\"id\" NumberOfComponents=\"1\"", "type=\"Int8\" Name=\"id\" NumberOfComponents=\"4\"");
    EXPECT_THROW(open().numbers<double>("PointData", "id"), Error);
    with("NumberOfPoints=\"8\"", "NumberOfPoints=\"7\"");
    EXPECT_THROW(open(), Error);
    with("NumberOfLines=\"4\"", "NumberOfLines=\"3\"");
    EXPECT_THROW(open().cells("Lines"), Error);
    with("NumberOfComponents=\"3\"", "NumberOfComponents=\"0\"");
    EXPECT_THROW(open(), Error);
    for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{1} << 40, ~std::uint64_t{7}}) {
        std::string bytes = good;
        bytes.replace(bytes.find('_', bytes.find("<AppendedData")) + 1, 8, reinterpret_cast<const char*>(&length), 8);
        test::set_bytes(path("frames/grains_000000.vtp"), bytes);
        EXPECT_THROW(open(), Error) << length;
    }
}

}  // namespace
}  // namespace scree
