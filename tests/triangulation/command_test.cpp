// The reader of points, fuzzed, and the command.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>
#include <cstdio>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/random.h"
#include "reference.h"
#include "scree/error.h"
#include "triangulation/points_file.h"

namespace scree::tri {
namespace {

std::string complaint(const std::string& text) {
    try {
        read_points(text, "f.csv");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        return error.what();
    }
    return "";
}

TEST(points_file, layouts_are_understood) {
    const Points plain = read_points("# comment\n1,2,3\r\n\n 4 , 5 , +6e0 \n", "f");
    EXPECT_EQ(plain.dimension, 2);
    ASSERT_EQ(plain.rows.size(), 2u);
    EXPECT_EQ(plain.rows[1].c[1], 5);
    EXPECT_EQ(plain.rows[1].c[3], 36);
    const Points space = read_points("1,2,3,4", "f");
    EXPECT_EQ(space.dimension, 3);
    EXPECT_EQ(space.rows[0].c[3], 16);
    const Points named = read_points("weight,z,y,x\n-7,3,2,1\n", "f");
    EXPECT_EQ(named.dimension, 3);
    EXPECT_EQ(named.rows[0].c[0], 1);
    EXPECT_EQ(named.rows[0].c[2], 3);
    EXPECT_EQ(named.rows[0].c[3], -7);
    EXPECT_EQ(read_points("x,y,weight\n1,2,3", "f").dimension, 2);
    // What spreadsheets, other programs and `scree export --format csv` write.
    for (const char* text :
         {"1 2 3\n4  5 6 \n", "1\t2\t3\n4\t5\t6\n", "1;2;3\n4; 5 ;6\n", "\xef\xbb\xbfX,Y,R\n1,2,3\n4,5,6 # last\n",
          "\"x\",\"y\",\"radius\"\n1,2,3\n\"4\",5,6\n", "id,group,x,y,radius,vx\n0,sand,1,2,3,9\n1,sand,4,5,6,9\n"}) {
        const Points points = read_points(text, "f");
        EXPECT_EQ(points.dimension, 2) << text;
        ASSERT_EQ(points.rows.size(), 2u) << text;
        EXPECT_EQ(points.rows[1].c[0], 4) << text;
        EXPECT_EQ(points.rows[1].c[1], 5) << text;
        EXPECT_EQ(points.rows[1].c[3], 36) << text;
    }
}

TEST(points_file, errors_say_where_and_what) {
    EXPECT_NE(complaint("1,2,3\n1,nan,3\n").find("f.csv:2:3: y is nan"), std::string::npos);
    EXPECT_NE(complaint("1,2,3\n1,inf,3\n").find("f.csv:2:3"), std::string::npos);
    EXPECT_NE(complaint("1,2,3\n1,2\n").find("f.csv:2: the row has 2 columns where 3 are expected"), std::string::npos);
    EXPECT_NE(complaint("1,2,3\n1,2,abc\n").find("\"abc\" is not a number"), std::string::npos);
    EXPECT_NE(complaint("1,2,-3\n").find("negative"), std::string::npos);
    EXPECT_NE(complaint("x,y,q\n1,2,3\n").find("\"q\" is not a column"), std::string::npos);
    EXPECT_NE(complaint("x,y\n1,2\n").find("either r or weight"), std::string::npos);
    EXPECT_NE(complaint("").find("no points"), std::string::npos);
    EXPECT_NE(complaint("1,2\n").find("2 columns"), std::string::npos);
    EXPECT_NE(complaint("1,2,1e200\n").find("too large"), std::string::npos);
    EXPECT_NE(complaint("1,2,1e999\n").find("f.csv:1:5: r is 1e999; coordinates and radii must be finite"),
              std::string::npos);
    // All errors are told, up to ten.
    std::string many;
    for (int k = 0; k < 30; ++k) many += "1,2,x,4\n";
    EXPECT_NE(complaint("1,2,3,4\n" + many).find("and 20 more"), std::string::npos);
}

// Mutated files either give finite rows or a located complaint; nothing else.
TEST(points_file, survives_noise) {
    const std::string seeds[] = {"x,y,z,r\n1,2,3,4\n5,6,7,8\n", "1,2,3\n4,5,6\n", "weight,x,y\n1e-300,-0.0,7\n",
                                 "# a\n\n1,2,3,4\r\n", "1,2,3,nan\n"};
    const std::string alphabet = "0123456789.,-+eE\n\r\t #xyzrweightnaif\"\\\0\xff\xef\xbb\xbf;";
    Random random(99, 1);
    int read = 0, refused = 0;
    const int rounds = std::getenv("SCREE_LONG") ? 2'000'000 : 30'000;
    for (int round = 0; round < rounds; ++round) {
        std::string text = seeds[random.below(std::size(seeds))];
        for (std::uint64_t k = 1 + random.below(6); k > 0; --k) {
            const std::size_t at = random.below(text.size() + 1);
            switch (random.below(4)) {
                case 0:
                    text.insert(at, 1, alphabet[random.below(alphabet.size())]);
                    break;
                case 1:
                    if (at < text.size()) text.erase(at, 1 + random.below(3));
                    break;
                case 2:
                    if (at < text.size()) text[at] = static_cast<char>(random.bits());
                    break;
                default:
                    text.insert(at, text.substr(random.below(text.size() + 1), random.below(20)));
            }
        }
        try {
            const Points points = read_points(text, "f");
            ++read;
            ASSERT_TRUE(points.dimension == 2 || points.dimension == 3);
            for (const Row& row : points.rows)
                for (const double x : row.c) ASSERT_TRUE(std::isfinite(x));
        } catch (const Error& error) {
            ++refused;
            ASSERT_EQ(std::string(error.what()).rfind("f:", 0), 0u) << error.what();
        }
    }
    EXPECT_GT(read, rounds / 20);
    EXPECT_GT(refused, rounds / 20);
}

struct Answer {
    int code;
    std::string out, err;
};

class Command : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  fmt::format("scree-triangulate-{}-{}", ::getpid(),
                              ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
    std::string read(const std::string& name) const {
        std::ifstream file(path(name));
        std::stringstream text;
        text << file.rdbuf();
        return text.str();
    }
    Answer run(const std::string& arguments) const {
        const int status = std::system(
            fmt::format("{} triangulate {} > {} 2> {}", SCREE_BINARY, arguments, path("out"), path("err")).c_str());
        return {WEXITSTATUS(status), read("out"), read("err")};
    }

  private:
    std::filesystem::path folder_;
};

TEST_F(Command, output_equals_cgal) {
    for (const int dimension : {2, 3}) {
        const auto rows = random_sites(dimension, 300, 10, 4);
        std::string text = dimension == 3 ? "x,y,z,weight\n" : "x,y,weight\n";
        for (const Row& row : rows) {
            text += fmt::format("{},{},", row.c[0], row.c[1]);
            if (dimension == 3) text += fmt::format("{},", row.c[2]);
            text += fmt::format("{}\n", row.c[3]);
        }
        write("p.csv", text);
        const Answer answer =
            run(fmt::format("{0} --json --edges {1} --cells {2}", path("p.csv"), path("e.csv"), path("c.csv")));
        ASSERT_EQ(answer.code, 0) << answer.err;
        const Reference reference = dimension == 3 ? cgal_3d(rows) : cgal_2d(rows);
        const auto document = nlohmann::json::parse(answer.out);
        EXPECT_EQ(document["points"], 300);
        EXPECT_EQ(document["dimension"], dimension);
        EXPECT_EQ(document["edges"], reference.edges.size());
        EXPECT_EQ(document["simplices"], reference.cells);
        EXPECT_EQ(document["hidden"].get<std::vector<Index>>(), reference.hidden);
        std::string edges;
        for (const auto& [i, j] : reference.edges) edges += fmt::format("{},{}\n", i, j);
        EXPECT_EQ(read("e.csv"), edges);
        std::istringstream cells(read("c.csv"));
        std::string line;
        int lines = 0, empty = 0;
        while (std::getline(cells, line)) {
            ++lines;
            empty += line.back() == ',';
        }
        EXPECT_EQ(lines, 300);
        EXPECT_GT(empty, 3);
    }
}

TEST_F(Command, odd_input_is_answered) {
    write("few.csv", "0,0,0,1\n1,0,0,1\n0,1,0,1\n");
    Answer answer = run(path("few.csv"));
    EXPECT_EQ(answer.code, 3);
    EXPECT_NE(answer.err.find("at least 4 are needed"), std::string::npos);
    write("nan.csv", "0,0,0,1\n1,0,nan,1\n");
    answer = run(path("nan.csv") + " --json");
    EXPECT_EQ(answer.code, 3);
    EXPECT_NE(answer.err.find("nan.csv:2:5"), std::string::npos);
    EXPECT_EQ(answer.out, "");
    write("twins.csv", "0,0,0,1\n1,0,0,1\n0,1,0,1\n0,0,1,1\n1,0,0,1\n");
    answer = run(path("twins.csv") + " --json");
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(nlohmann::json::parse(answer.out)["hidden"], std::vector<int>{4});
    EXPECT_NE(answer.err.find("row 4 has the center of row 1"), std::string::npos);
    write("flat.csv", "0,0,5,1\n1,0,5,1\n0,1,5,1\n1,1,5,1\n");
    answer = run(path("flat.csv") + " --json");
    EXPECT_EQ(nlohmann::json::parse(answer.out)["dimension"], 2);
    EXPECT_EQ(nlohmann::json::parse(answer.out)["edges"], 5);
    write("line.csv", "0,0,0,1\n1,2,3,1\n2,4,6,1\n5,10,15,1\n");
    answer = run(path("line.csv") + " --json --cells " + path("line_cells.csv"));
    EXPECT_EQ(nlohmann::json::parse(answer.out)["dimension"], 1);
    EXPECT_EQ(nlohmann::json::parse(answer.out)["simplices"], 3);
    EXPECT_EQ(run(path("missing.csv")).code, 5);
    EXPECT_EQ(run("").code, 2);
    EXPECT_EQ(run(path("flat.csv") + " --frobnicate").code, 2);
    EXPECT_EQ(run("--help").code, 0);
}

}  // namespace
}  // namespace scree::tri
