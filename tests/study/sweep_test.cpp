// Which points a sweep has, what is asked of a run, and the table of a study.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "scree/error.h"
#include "study/run_outcome.h"
#include "study/study_folder.h"
#include "study/sweep_points.h"

namespace scree {
namespace {

using Texts = std::vector<std::string>;

TEST(sweep, ranges_have_both_ends_and_short_numbers) {
    EXPECT_EQ(parse_swept_key("a.b=0.1:0.5:5").values, (Texts{"0.1", "0.2", "0.3", "0.4", "0.5"}));
    EXPECT_EQ(parse_swept_key("a=1e5:1e8:4:log").values, (Texts{"100000", "1000000", "10000000", "100000000"}));
    EXPECT_EQ(parse_swept_key("a=3:1:3").values, (Texts{"3", "2", "1"}));
    EXPECT_EQ(parse_swept_key("a=7:7:1").values, Texts{"7"});
    EXPECT_EQ(parse_swept_key("a.b=1:2:2").key, "a.b");
}

TEST(sweep, lists_are_split_outside_of_brackets_and_quotes) {
    EXPECT_EQ(parse_swept_key("g=[0, -9.81],[0,-1.62]").values, (Texts{"[0, -9.81]", "[0,-1.62]"}));
    EXPECT_EQ(parse_swept_key("law=linear, hertz").values, (Texts{"linear", "hertz"}));
    EXPECT_EQ(parse_swept_key("t=\"a,b\",'c,d'").values, (Texts{"\"a,b\"", "'c,d'"}));
    EXPECT_EQ(parse_swept_key("r={ uniform = [1, 2] },3").values, (Texts{"{ uniform = [1, 2] }", "3"}));
}

TEST(sweep, what_is_no_range_and_no_list_is_refused) {
    for (const char* text : {"a", "=1,2", "a=", "a=1,,2", "a=1,1e0", "a=0:1:0", "a=0:1:2.5", "a=0:1:1e9", "a=0:1:1",
                             "a=0:1:3:log", "a=1:2:3:lin", "a=1:inf:3", "a=0:x:3"})
        EXPECT_THROW(parse_swept_key(text), Error) << text;
    EXPECT_THROW(
        sweep_points({parse_swept_key("a=1:1000:1000"), parse_swept_key("b=1:1000:1000"), parse_swept_key("c=1,2")}),
        Error);
}

TEST(sweep, every_value_meets_every_other) {
    const auto points = sweep_points({parse_swept_key("a=1,2"), parse_swept_key("b=x,y,z")});
    ASSERT_EQ(points.size(), 6u);
    EXPECT_EQ(points[0], (Texts{"1", "x"}));
    EXPECT_EQ(points[1], (Texts{"1", "y"}));
    EXPECT_EQ(points[5], (Texts{"2", "z"}));
}

TEST(sweep, moments_are_a_time_a_span_or_a_word) {
    EXPECT_EQ(parse_asked("density").take, Asked::Take::end);
    EXPECT_EQ(parse_asked("layers:axis=z@0.5").value, "layers:axis=z");
    EXPECT_EQ(parse_asked("kinetic@0.5").from, 0.5);
    EXPECT_EQ(parse_asked("kinetic@0.5:").take, Asked::Take::mean);
    EXPECT_FALSE(parse_asked("kinetic@:2").from);
    EXPECT_EQ(parse_asked("kinetic@:2").until, 2);
    EXPECT_EQ(parse_asked("kinetic@max").take, Asked::Take::max);
    for (const char* text : {"kinetic@", "kinetic@most", "kinetic@1:x", "kinetic@inf"})
        EXPECT_THROW(parse_asked(text), Error) << text;
}

class Study : public testing::Test {
  protected:
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("scree_study_" + std::to_string(::getpid()));
    void SetUp() override { std::filesystem::remove_all(folder); }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::string table() const {
        std::ifstream file(folder / "table.csv");
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

TEST_F(Study, points_keep_their_numbers_and_texts_survive) {
    {
        StudyFolder study(folder, {"a.b", "law"});
        study.set_results({"time", "density"});
        study.row_of({"0.1", "[0, 1]"}).error = "it said \"no, never\",\nand ended";
        study.row_of({"0.2", " x"}).results[1] = "0.6";
        study.save();
    }
    EXPECT_EQ(table(),
              "run,a.b,law,status,error,time,density\n"
              "0001,0.1,\"[0, 1]\",waiting,\"it said \"\"no, never\"\",; and ended\",,\n"
              "0002,0.2,\" x\",waiting,,,0.6\n");
    StudyFolder study(folder, {"a.b", "law"});
    ASSERT_EQ(study.rows().size(), 2u);
    EXPECT_EQ(study.rows()[0].error, "it said \"no, never\",; and ended");
    EXPECT_EQ(study.row_of({"2e-1", " x"}).run, "0002");
    EXPECT_EQ(study.row_of({"2e-1", " x"}).results[1], "0.6");
    EXPECT_EQ(study.row_of({"0.3", " x"}).run, "0003");
}

TEST_F(Study, other_keys_other_files_and_two_at_a_time_are_refused) {
    {
        StudyFolder study(folder, {"a"});
        study.save();
        EXPECT_THROW(StudyFolder(folder, {"a"}), Error);
    }
    EXPECT_THROW(StudyFolder(folder, {"b"}), Error);
    std::ofstream(folder / "table.csv") << "x,y,z\n1,2,3\n";
    EXPECT_THROW(StudyFolder(folder, {"a"}), Error);
    std::filesystem::remove(folder / "table.csv");
    EXPECT_THROW(StudyFolder(folder, {"a"}), Error);  // folders that are not a study's
}

}  // namespace
}  // namespace scree
