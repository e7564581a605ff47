// The command `scree distance` as a user meets it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

struct Answer {
    int code;
    std::string out;
};

class DistanceCommand : public testing::Test {
  protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() / (std::string("scree_distance_") + test->name());
        std::filesystem::create_directories(folder_);
        write("tetrahedron.txt", "0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    // Both streams in one.
    static Answer run(const std::string& arguments) {
        const std::string command = std::string(SCREE_BINARY) + " distance " + arguments + " 2>&1";
        FILE* pipe = popen(command.c_str(), "r");
        Answer answer{-1, ""};
        char buffer[4096];
        while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) answer.out.append(buffer, n);
        answer.code = WEXITSTATUS(pclose(pipe));
        return answer;
    }
    static bool has(const Answer& answer, const std::string& text) {
        return answer.out.find(text) != std::string::npos;
    }

    static double distance_in(const Answer& answer) {
        const std::size_t at = answer.out.find("distance    ");
        return at == std::string::npos ? -1 : std::stod(answer.out.substr(at + 12));
    }

    std::filesystem::path folder_;
};

TEST_F(DistanceCommand, tells_distance_points_and_normal_as_json) {
    const std::string b = write(
        "b.obj",
        "# a far tetrahedron\no body\nv 2 0 0\nv 3 0 0 1.0\nv 3 1 0\nv 3 0 1\nvn 0 0 1\nf 1 2 3\nf 1/1 2/2 4/4\n");
    const Answer answer = run(path("tetrahedron.txt") + " " + b + " --json");
    EXPECT_EQ(answer.code, 0);
    EXPECT_TRUE(has(answer, "\"distance\": 1, \"overlap\": false")) << answer.out;
    EXPECT_TRUE(has(answer, "\"point_a\": [1, 0, 0], \"point_b\": [2, 0, 0], \"normal\": [1, 0, 0]")) << answer.out;
    EXPECT_TRUE(has(answer, "\"iterations\": ")) << answer.out;
}

TEST_F(DistanceCommand, gives_25_exact_digits) {
    // The point (1, 1, 1) is 2/sqrt(3) from the plane x + y + z = 1.
    const Answer answer = run(path("tetrahedron.txt") + " " + write("p.csv", "x,y,z\n1,1,1\n") + " --exact --json");
    EXPECT_EQ(answer.code, 0);
    EXPECT_TRUE(has(answer, "\"distance\": 1.154700538379251529018298,")) << answer.out;
}

TEST_F(DistanceCommand, tells_touching_from_overlapping) {
    EXPECT_TRUE(has(run(path("tetrahedron.txt") + " " + write("t", "1 0 0\n2 0 0\n") + " --json"),
                    "\"overlap\": true, \"relation\": \"touching\""));
    const Answer answer = run(path("tetrahedron.txt") + " " + path("tetrahedron.txt") + " --json");
    EXPECT_TRUE(has(answer, "\"overlap\": true, \"relation\": \"overlapping\"")) << answer.out;
    EXPECT_TRUE(has(answer, "\"normal\": null")) << answer.out;
}

TEST_F(DistanceCommand, takes_flat_collinear_and_single_points) {
    const std::string flat = write("flat", "0 0 2\n1 0 2\n0 1 2\n1 1 2\n"),
                      line = write("line", "0 0 5\n0 0 6\n0 0 7\n"), point = write("point", "0 0 9");
    EXPECT_TRUE(has(run(path("tetrahedron.txt") + " " + flat), "distance    1\n"));
    EXPECT_TRUE(has(run(flat + " " + line), "distance    3\n"));
    EXPECT_TRUE(has(run(line + " " + point), "distance    2\n"));
    EXPECT_TRUE(has(run(point + " " + point), "distance    0\n"));
}

TEST_F(DistanceCommand, reads_standard_input) {
    const std::string command =
        "printf '0 0 4\\n' | " + std::string(SCREE_BINARY) + " distance - " + path("tetrahedron.txt") + " --json";
    FILE* pipe = popen(command.c_str(), "r");
    char buffer[4096];
    const std::string out(buffer, fread(buffer, 1, sizeof buffer, pipe));
    EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 0);
    EXPECT_NE(out.find("\"distance\": 3"), std::string::npos);
}

TEST_F(DistanceCommand, bad_input_is_located_and_ends_with_code_3) {
    const std::string good = path("tetrahedron.txt");
    const struct {
        const char* text;
        const char* where;
    } broken[] = {{"", "holds no points"},
                  {"\n# nothing\n", "holds no points"},
                  {"1 2 3\n1 2\n", ":2:3: \"2\""},
                  {"1 2 3\n1 2 x\n", ":2:5: \"x\""},
                  {"nan 0 0\n", ":1:1: \"nan\""},
                  {"0 0 0\n0 inf 0\n", ":2:3: \"inf\""},
                  {"0 0 1e999\n", ":1:5: \"1e999\""},
                  {"1 2 3 4\n", ":1:7: \"4\""},
                  {"v 1 2\n", ":1:5: \"2\""},
                  {"v 1 2 3\nv 1 2 nan\n", ":2:7: \"nan\""},
                  {"v 1 2 3\n4 5 6\n", ":2:1: \"4\""},
                  {"0x10 1 2\n", ":1:1: \"0x10\""}};
    for (const auto& [text, where] : broken) {
        const Answer answer = run(good + " " + write("bad", text));
        EXPECT_EQ(answer.code, 3) << text << answer.out;
        EXPECT_TRUE(has(answer, where)) << text << answer.out;
    }
}

TEST_F(DistanceCommand, wrong_usage_and_missing_files_have_their_own_codes) {
    EXPECT_EQ(run("").code, 2);
    EXPECT_EQ(run(path("tetrahedron.txt")).code, 2);
    EXPECT_EQ(run(path("tetrahedron.txt") + " " + path("tetrahedron.txt") + " --jason").code, 2);
    EXPECT_EQ(run(path("tetrahedron.txt") + " " + path("nothing")).code, 5);
    EXPECT_EQ(run(path("tetrahedron.txt") + " " + folder_.string()).code, 5);
    EXPECT_EQ(run("--help").code, 0);
}

TEST_F(DistanceCommand, extreme_coordinates_are_ordinary) {
    const std::string tiny = write("tiny", "1e-310 0 0\n0 1e-310 0\n"),
                      huge = write("huge", "1e308 1e308 0\n1e308 -1e308 0\n");
    const Answer answer = run(tiny + " " + huge + " --json");
    EXPECT_EQ(answer.code, 0);
    EXPECT_TRUE(has(answer, "\"distance\": 1e+308")) << answer.out;
}

// An L, 2 x 2 x 1 with a notch of 1 x 1, as text STL.
std::string angle_stl() {
    const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    std::string text = "solid angle\n";
    const auto facet = [&](const std::array<double, 9>& p) {
        text += " facet normal 0 0 0\n  outer loop\n";
        for (std::size_t k = 0; k < 9; k += 3)
            text += "   vertex " + std::to_string(p[k]) + " " + std::to_string(p[k + 1]) + " " +
                    std::to_string(p[k + 2]) + "\n";
        text += "  endloop\n endfacet\n";
    };
    for (const int k : {1, 2, 3, 4}) {
        const double *a = outline[0], *b = outline[k], *c = outline[k + 1];
        facet({a[0], a[1], 0, c[0], c[1], 0, b[0], b[1], 0});
        facet({a[0], a[1], 1, b[0], b[1], 1, c[0], c[1], 1});
    }
    for (int k = 0; k < 6; ++k) {
        const double *a = outline[k], *b = outline[(k + 1) % 6];
        facet({a[0], a[1], 0, b[0], b[1], 0, b[0], b[1], 1});
        facet({a[0], a[1], 0, b[0], b[1], 1, a[0], a[1], 1});
    }
    return text + "endsolid angle\n";
}

TEST_F(DistanceCommand, answers_concave_surfaces_as_such_and_hulls_on_request) {
    const std::string angle = write("angle.stl", angle_stl()), point = write("p", "1.5 1.25 0.5\n");
    const Answer notch = run(angle + " " + point + " --json");
    EXPECT_EQ(notch.code, 0) << notch.out;
    EXPECT_TRUE(has(notch, "\"distance\": 0.25, \"overlap\": false")) << notch.out;
    EXPECT_TRUE(has(notch, "\"kind_a\": \"mesh\", \"kind_b\": \"points\"")) << notch.out;
    EXPECT_TRUE(has(run(angle + " " + point + " --json --hull"), "\"overlap\": true"));
    EXPECT_TRUE(has(run(angle + " " + write("in", "0.5 0.5 0.5\n")), "overlap     yes (overlapping)"));
    EXPECT_TRUE(has(run(point + " " + angle + " --max 0.25"), "distance    0.25 or more"));
    EXPECT_EQ(run(angle + " " + point + " --exact").code, 3);
}

TEST_F(DistanceCommand, reads_bodies_in_toml_and_json) {
    const std::string sphere = write("sphere.toml", "kind = \"sphere\"\nradius = 1\nposition = [0, 0, 3]\n"),
                      box = write("box.json", "{\"kind\": \"box\", \"sides\": [2, 2, 2], \"radius\": 0.25}");
    EXPECT_TRUE(has(run(sphere + " " + box), "distance    0.75\n"));
    write("angle.stl", angle_stl());
    const std::string pair = write("pair.toml",
                                   "kind = \"union\"\n"
                                   "rotate = { axis = [0, 0, 1], angle = 3.141592653589793 }\n"
                                   "[[parts]]\nkind = \"mesh\"\nfile = \"angle.stl\"\nscale = 2\n"
                                   "[[parts]]\nkind = \"ellipsoid\"\naxes = [1, 2, 3]\nposition = [0, 0, 10]\n");
    // The union turned by half a turn: the long arm of the L reaches to x = -4, z = 2.
    const Answer above = run(pair + " " + write("q", "-3 -1 3\n") + " --json");
    EXPECT_TRUE(has(above, "\"distance\": 1, ") || has(above, "\"distance\": 0.99999999") ||
                has(above, "\"distance\": 1.0000000"))
        << above.out;
    const struct {
        const char* text;
        const char* says;
    } broken[] = {{"kind = \"spere\"", ":1:8: kind: \"spere\" is no kind of body; nearest is \"sphere\""},
                  {"radius = 1", "kind: is missing"},
                  {"kind = \"sphere\"\nradius = -1", ":2:10: radius: must not be negative"},
                  {"kind = \"box\"\nsides = [1, 2]", "sides: must be a vector"},
                  {"kind = \"box\"\nside = [1, 2, 3]", "side: is no key of this kind of body"},
                  {"kind = \"mesh\"\nfile = \"self.toml\"", "self.toml"},
                  {"kind = \"union\"\nparts = []", "must be a list of bodies"},
                  {"kind = \"superquadric\"\naxes = [1, 1, 1]\npower = 0.5", "between 1"},
                  {"kind = ", ":1:"}};
    for (const auto& [text, says] : broken) {
        const Answer answer = run(sphere + " " + write("self.toml", text));
        EXPECT_EQ(answer.code, 3) << text << answer.out;
        EXPECT_TRUE(has(answer, says)) << text << answer.out;
    }
    EXPECT_EQ(run(sphere + " " + write("bad.json", "{\"kind\": \"box\",\n}")).code, 3);
}

TEST_F(DistanceCommand, tells_how_deep_convex_bodies_are_in_each_other) {
    const std::string a = write("a.toml", "kind = \"box\"\nsides = [2, 2, 2]\n"),
                      b = write("b.toml", "kind = \"box\"\nsides = [2, 2, 2]\nposition = [0, 0, 1.5]\n");
    EXPECT_TRUE(has(run(a + " " + b + " --depth --json"), "\"depth\": 0.5, ")) << run(a + " " + b + " --depth").out;
    EXPECT_TRUE(has(run(a + " " + b + " --depth"), "direction   0 0 1\n"));
    EXPECT_TRUE(has(run(a + " " + path("tetrahedron.txt") + " --depth"), "direction"));
    EXPECT_EQ(run(a + " " + write("angle.stl", angle_stl()) + " --depth").code, 3);
}

TEST_F(DistanceCommand, answers_many_pairs_at_once) {
    write("angle.stl", angle_stl());
    write("p.txt", "1.5 1.25 0.5\n");
    const std::string pairs = write("pairs", "# two\nangle.stl p.txt\n\ntetrahedron.txt p.txt\n");
    const Answer table = run("--pairs " + pairs);
    EXPECT_EQ(table.code, 0) << table.out;
    EXPECT_TRUE(has(table, "\nangle.stl,p.txt,0.25,separated,1.5,1,0.5,1.5,1.25,0.5,0,1,0\ntetrahedron.txt,p.txt,"))
        << table.out;
    EXPECT_TRUE(has(run("--json --pairs " + pairs), "[{\"distance\": 0.25, "));
    EXPECT_EQ(run("--pairs " + write("bad", "angle.stl\n")).code, 3);
    EXPECT_EQ(run("--pairs " + path("none")).code, 5);
    EXPECT_EQ(run("--pairs").code, 2);
}

// A quarter of a circle, as a file of its own, within a description, in a union, and as IGES.
TEST_F(DistanceCommand, takes_curves_and_surfaces_of_splines) {
    const std::string arc =
        "\"degree\": 2, \"knots\": [0, 0, 0, 1, 1, 1], \"points\": [[1, 0], [1, 1], [0, 1]], "
        "\"weights\": [1, 0.7071067811865476, 1]";
    const std::string point = write("p.txt", "3 4 0\n");
    const Answer plain = run(write("arc.json", "{" + arc + "}") + " " + point);
    EXPECT_NEAR(distance_in(plain), 4, 2e-15);
    EXPECT_TRUE(has(plain, "nurbs and points")) << plain.out;
    const Answer described = run(
        write("b.json", "{\"kind\": \"nurbs\", \"radius\": 0.5, \"position\": [3, 4, 2], " + arc + "}") + " " + point);
    EXPECT_TRUE(has(described, "distance    1.736067977499")) << described.out;  // sqrt(5) - 1/2 from (4, 4, 2)
    const Answer from_file = run(write("c.toml",
                                       "kind = \"union\"\n[[parts]]\nkind = \"nurbs\"\nfile = \"arc.json\"\nscale = 2\n"
                                       "[[parts]]\nkind = \"sphere\"\nradius = 1\nposition = [0, 0, 9]\n") +
                                 " " + point);
    EXPECT_NEAR(distance_in(from_file), 3, 2e-15);
    const auto line = [](const std::string& text, const std::string& end) {
        return text + std::string(72 - text.size(), ' ') + end + "\n";
    };
    const std::string iges =
        line("a segment", "S      1") + line("1H,,1H;;", "G      1") +
        line("     110       1       0       0       0       0       0       000000000", "D      1") +
        line("     110       0       0       1       0", "D      2") +
        line("110,0.,0.,0.,2.,0.,0.;                                                 1", "P      1") +
        line("", "T      1");
    const Answer segment = run(write("line.igs", iges) + " " + point);
    EXPECT_TRUE(has(segment, "distance    4.123105625617661\n")) << segment.out;
    const Answer pair = run(path("line.igs") + " " + path("arc.json") + " --json");
    EXPECT_TRUE(has(pair, "\"distance\": 0, ") && has(pair, "\"relation\": \"touching\"")) << pair.out;
    EXPECT_EQ(
        run(write("bad.toml", "kind = \"nurbs\"\ndegree = 1\nknots = [0, 1]\npoints = [[0, 0, 0]]\n") + " " + point)
            .code,
        3);
    EXPECT_EQ(run(write("odd.toml", "kind = \"nurbs\"\ndegre = 1\n") + " " + point).code, 3);
}

TEST_F(DistanceCommand, tells_when_moving_bodies_meet) {
    const std::string still = write("still.toml", "kind = \"sphere\"\nradius = 1\n"),
                      flying = write("flying.toml",
                                     "kind = \"sphere\"\nradius = 2\nposition = [10, 0, 0]\nvelocity = [-2, 0, 0]\n");
    const Answer meeting = run(still + " " + flying + " --moving 10 --json");
    EXPECT_EQ(meeting.code, 0);
    EXPECT_TRUE(has(meeting, "\"meets\": true, \"time\": 3.49999999999")) << meeting.out;
    EXPECT_TRUE(has(run(still + " " + flying + " --moving 3"), "time        none until 3\n"));
    EXPECT_TRUE(has(run(flying + " " + flying + " --moving 3"), "time        0\n"));
    EXPECT_EQ(run(still + " " + flying + " --moving -1").code, 2);
    EXPECT_EQ(run(still + " " + flying + " --moving 1 --depth").code, 2);
}

}  // namespace
