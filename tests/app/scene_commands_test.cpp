// The commands around scenes, as a user calls them.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "io/scene_file.h"

namespace scree {
namespace {

namespace fs = std::filesystem;

struct Answer {
    int code;
    std::string out;  // stdout and stderr
};

Answer shell(const std::string& command) {
    Answer answer;
    std::FILE* pipe = popen(("(" + command + ") 2>&1").c_str(), "r");
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) answer.out.append(buffer, n);
    const int status = pclose(pipe);
    answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return answer;
}

Answer scree(const std::string& arguments) { return shell(SCREE_BINARY " " + arguments); }

std::string read_text(const fs::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const fs::path examples = fs::path(SCREE_SOURCE_DIR) / "examples";

class InEmptyFolder : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "scree-XXXXXX").string();
        folder = mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(folder); }
    fs::path folder;
};

TEST(command_new, writes_every_example) {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(examples)) {
        if (entry.path().extension() != ".toml") continue;
        const Answer answer = scree("new " + entry.path().stem().string());
        EXPECT_EQ(answer.code, 0);
        EXPECT_EQ(answer.out, read_text(entry.path()));
        EXPECT_TRUE(contains(scree("new --list").out, entry.path().stem().string()));
        ++count;
    }
    EXPECT_GE(count, 9);
    EXPECT_EQ(scree("new").out, read_text(examples / "packing.toml"));
}

TEST(command_new, an_unknown_template_is_wrong_usage_and_told_the_nearest) {
    const Answer answer = scree("new hourglas");
    EXPECT_EQ(answer.code, 2);
    EXPECT_TRUE(contains(answer.out, "there is no template \"hourglas\"; nearest is \"hourglass\"")) << answer.out;
    EXPECT_TRUE(contains(answer.out, "shaken-discs")) << answer.out;
}

TEST_F(InEmptyFolder, new_overwrites_only_when_forced) {
    const std::string file = (folder / "scene.toml").string();
    EXPECT_EQ(scree("new drum -o " + file).code, 0);
    EXPECT_EQ(scree("new silo -o " + file).code, 5);
    EXPECT_EQ(read_text(file), read_text(examples / "drum.toml"));
    EXPECT_EQ(scree("new silo --force -o " + file).code, 0);
    EXPECT_EQ(read_text(file), read_text(examples / "silo.toml"));
    EXPECT_EQ(scree("new silo -o " + (folder / "no/such/folder.toml").string()).code, 5);
}

TEST_F(InEmptyFolder, every_example_runs) {
    for (const auto& entry : fs::directory_iterator(examples)) {
        if (entry.path().extension() != ".toml") continue;
        const Answer answer =
            scree("run " + entry.path().string() + " -q --until 0.002 -o " + (folder / entry.path().stem()).string());
        EXPECT_EQ(answer.code, 0) << entry.path() << "\n" << answer.out;
    }
}

TEST_F(InEmptyFolder, a_silo_filled_in_one_run_empties_in_another) {
    const std::string silo = (examples / "silo.toml").string(), filled = (folder / "filled").string(),
                      emptied = (folder / "emptied").string();
    ASSERT_EQ(scree("run " + silo + " -q --until 0.002 -o " + filled).code, 0);
    const std::string opened = silo + " --set start.from=" + filled + " --set walls.floor.open_at=0 --set 'grains=[]'";
    const Answer check = scree("check " + opened + " --json");
    ASSERT_EQ(check.code, 0) << check.out;
    EXPECT_EQ(nlohmann::json::parse(check.out)["grains"],
              nlohmann::json::parse(scree("check " + silo + " --json").out)["grains"]);
    const Answer run = scree("run " + opened + " -q --until 0.002 -o " + emptied);
    EXPECT_EQ(run.code, 0) << run.out;
    const Answer nothing = scree("check " + silo + " --set start.from=" + folder.string());
    EXPECT_EQ(nothing.code, 3) << nothing.out;
    EXPECT_TRUE(contains(nothing.out, "start.from")) << nothing.out;
}

TEST(command_check, prints_a_scene_that_reads_as_the_same_scene) {
    for (const auto& entry : fs::directory_iterator(examples)) {
        if (entry.path().extension() != ".toml") continue;
        const Answer answer = scree("check " + entry.path().string());
        ASSERT_EQ(answer.code, 0) << answer.out;
        EXPECT_EQ(parse_scene(answer.out, entry.path().string()), read_scene(entry.path().string()));
        EXPECT_TRUE(contains(answer.out, "# grains at the start: ")) << answer.out;
        EXPECT_TRUE(contains(answer.out, "# time step: ")) << answer.out;
    }
}

TEST(command_check, reads_standard_input_and_answers_in_json) {
    const Answer answer =
        shell(SCREE_BINARY " new collision | " SCREE_BINARY " check - --json --set simulation.duration=0.5");
    ASSERT_EQ(answer.code, 0) << answer.out;
    const auto json = nlohmann::json::parse(answer.out);
    EXPECT_EQ(json["grains"], 2);
    EXPECT_EQ(json["scene"]["simulation"]["duration"], 0.5);
    EXPECT_GT(json["time_step"].get<double>(), 0);
    EXPECT_LE(json["time_step"].get<double>(), json["time_step_stable"].get<double>());
    EXPECT_FALSE(json["time_step_reason"].get<std::string>().empty());
}

TEST(command_check, tells_of_each_shape_whether_its_mass_is_exact_or_how_far_off) {
    const std::string dice = (examples / "dice.toml").string();
    const Answer exact = scree("check " + dice);
    EXPECT_TRUE(contains(exact.out, "# shape 'die': volume 4.9")) << exact.out;
    EXPECT_TRUE(contains(exact.out, " m, exact; 1 piece")) << exact.out;
    const Answer clumps = shell(
        "sed '/^.shapes.die/,/^$/c [shapes.die]\\nkind=\"cluster\"\\nspheres=[[0,0,0,1e-3],[1e-3,0,0,1e-3]]\\n' " +
        dice + " | " SCREE_BINARY " check - --json");
    ASSERT_EQ(clumps.code, 0) << clumps.out;
    const auto shape = nlohmann::json::parse(clumps.out)["shapes"][0];
    // Two balls less their lens, 5 pi / 12.
    EXPECT_NEAR(shape["volume"].get<double>(), 9 * 3.14159265358979 / 4 * 1e-9, shape["error"].get<double>() * 7.07e-9);
    EXPECT_GT(shape["error"].get<double>(), 0);
}

TEST(command_check, a_bad_scene_is_exit_code_3_and_wrong_usage_2) {
    EXPECT_EQ(scree("check " SCREE_SOURCE_DIR "/tests/io/bad_scenes/radius_zero.toml").code, 3);
    EXPECT_EQ(scree("check no_such_scene.toml").code, 3);
    EXPECT_EQ(scree("check " + (examples / "collision.toml").string() + " --set simulation.duration=-1").code, 3);
    EXPECT_EQ(scree("check").code, 2);
    EXPECT_EQ(scree("check a b").code, 2);
}

TEST(command_check, finds_what_only_placing_shows) {
    const std::string scene = "check " + (examples / "collision.toml").string();
    const Answer overlap = scree(scene + " --set grains.right.radius=0.02");
    EXPECT_EQ(overlap.code, 3);
    EXPECT_TRUE(contains(overlap.out, "overlaps grain 0")) << overlap.out;
    const Answer unstable = scree(scene + " --set simulation.time_step=1e-2");
    EXPECT_EQ(unstable.code, 3);
}

TEST(command_schema, prints_the_schema_or_the_page) {
    const Answer schema = scree("schema");
    EXPECT_EQ(schema.code, 0);
    EXPECT_EQ(schema.out, scene_schema());
    EXPECT_EQ(nlohmann::json::parse(schema.out)["$schema"], "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(scree("schema --markdown").out, scene_reference_page());
}

TEST(commands, are_found_as_people_ask_for_them) {
    for (const char* asked : {"", "help", "--help", "-h"}) {
        const Answer answer = scree(asked);
        EXPECT_EQ(answer.code, 0) << asked;
        EXPECT_TRUE(contains(answer.out, "usage: scree COMMAND")) << asked;
    }
    EXPECT_EQ(scree("help run").out, scree("run --help").out);
    Answer answer = scree("rnu box.toml");
    EXPECT_EQ(answer.code, 2);
    EXPECT_TRUE(contains(answer.out, "there is no command \"rnu\"; nearest is \"run\"")) << answer.out;
    answer = scree("help triangle");
    EXPECT_EQ(answer.code, 2);
    EXPECT_TRUE(contains(answer.out, "nearest is \"triangulate\"")) << answer.out;
}

// One scene, with slips of the pen that must not become a run of no steps, or of a lifetime.
class SlipsOfThePen : public InEmptyFolder {
  protected:
    Answer check(const std::string& overrides) {
        std::ofstream(folder / "a.toml")
            << "[simulation]\nduration = 0.02\n[materials.glass]\ncontact_time = 1e-3\n[[regions]]\nname = "
               "\"in\"\nbox = [[0, 0, 0], [0.05, 0.05, 0.05]]\n"
               "[[grains]]\nradius = 1e-3\nplace = { random = \"in\", count = 2 }\n";
        return shell("cd " + folder.string() + " && timeout 20 " SCREE_BINARY " check a.toml " + overrides);
    }
};

TEST_F(SlipsOfThePen, are_refused_with_their_place) {
    EXPECT_EQ(check("").code, 0);
    for (const char* overrides : {"--set simulation.duration=1e300", "--set simulation.time_step=1e-30",
                                  "--set simulation.time_step=1e-320", "--set materials.glass.contact_time=1e-300"}) {
        const Answer answer = check(overrides);
        EXPECT_EQ(answer.code, 3) << overrides << "\n" << answer.out;
        EXPECT_TRUE(contains(answer.out, "steps; at most 1e+15 are possible")) << answer.out;
    }
    for (const char* overrides : {"--set simulation.duration=1e-300", "--set materials.glass.contact_time=1e300"}) {
        const Answer answer = check(overrides);
        EXPECT_EQ(answer.code, 3) << overrides << "\n" << answer.out;
        EXPECT_TRUE(contains(answer.out, "is no more than a millionth of a time step")) << answer.out;
    }
    Answer answer = check("--set grains.0.place.count=1000000000");
    EXPECT_EQ(answer.code, 3) << answer.out;
    EXPECT_TRUE(contains(answer.out, "1000000000 grains would fill")) << answer.out;
    answer = check("--set grains.0.place.count=10000000000");
    EXPECT_EQ(answer.code, 3) << answer.out;
    EXPECT_TRUE(contains(answer.out, "key \"grains.0.place.count\"")) << answer.out;
    answer = check("--set 'grains.0={ place = { file = \"/tmp\" } }'");
    EXPECT_EQ(answer.code, 3) << answer.out;
    EXPECT_TRUE(contains(answer.out, "is a folder")) << answer.out;
    answer = check("--set simulation.time_step=1e-6");
    EXPECT_TRUE(contains(answer.out, "# time step: 1e-06 s, as given; \"auto\" takes 2e-05 s: contact of glass"))
        << answer.out;
}

// What a scene asks to be measured and cannot be had is answered where it was asked for, in the words of scenes, before
// there is a folder.
TEST_F(InEmptyFolder, measures_that_cannot_be_had_are_refused_at_their_place) {
    const auto answers = [&](const std::string& measures, const std::string& expected) {
        const std::string file = (folder / "m.toml").string(), run = (folder / "run").string();
        std::ofstream(file)
            << "[materials.glass]\n[[grains]]\nradius = 1e-3\nplace = { at = [[0, 0, 0]] }\n[output]\nmeasures = ["
            << measures << "]\n";
        for (const std::string& command : {"check " + file, "run " + file + " -q -o " + run}) {
            const Answer answer = scree(command);
            EXPECT_EQ(answer.code, expected.empty() ? 0 : 3) << command << "\n" << answer.out;
            EXPECT_TRUE(expected.empty() || contains(answer.out, file + expected)) << answer.out;
            EXPECT_EQ(fs::exists(run), expected.empty() && command.starts_with("run")) << command;
        }
    };
    answers("\"rings\"",
            ":6:13: key \"output.measures\": rings: this scene has no cylinder along that axis; give the options "
            "center and radius, e.g. measures = [{ rings = { center = [0, 0, 0], radius = 0.05 } }]");
    answers("\"energy\", \"flow\"",
            ":6:23: key \"output.measures\": flow: say where, e.g. measures = [{ flow = { point = [0, 0, 0.1] } }]");
    answers("{ wall_pressure = {} }",
            ":6:13: key \"output.measures\": wall_pressure: say which wall, e.g. measures = [{ wall_pressure = { wall "
            "= \"side\" } }]");
    answers("\"void_ratio\"",
            ":6:13: key \"output.measures\": void_ratio: the walls of this scene do not enclose a volume");
    answers(
        "\"density\"",
        ":6:13: key \"output.measures\": density: the walls of this scene do not determine the cross-section along z; "
        "give it as the option area, e.g. measures = [{ density = { area = 0.01 } }]");
    answers("\"mixing\"", ":6:13: key \"output.measures\": mixing: two groups of grains are needed; this run has 1");
    answers("\"segregation\"", ":6:13: key \"output.measures\": segregation: two groups");
    answers("\"angle\"", ":6:13: key \"output.measures\": angle: the grains of this run are round");
    answers("\"motion\", { rings = { center = [0, 0, 0], radius = 0.05 } }", "");
}

TEST_F(InEmptyFolder, what_is_described_and_not_used_is_told) {
    std::ofstream(folder / "u.toml")
        << "[materials.glass]\n[shapes.rod]\nkind = \"spherocylinder\"\nlength = 4e-3\nradius = "
           "1e-3\n[[regions]]\nname = \"tank\"\nbox = [[0, 0, 0], [1, 1, 1]]\n"
           "[shapes.soft]\nkind = \"cluster\"\nspheres = [[0, 0, 0, 1e-3], [2e-3, 0, 0, 1e-3]]\nglue = { law = "
           "\"power\", strength = 1, alpha = 1, beta = 4 }\n"
           "[[grains]]\nradius = 1e-3\nplace = { at = [[0, 0, 0]] }\nfixed = true\nvelocity = [1, 0, "
           "0]\n[[grains]]\nshape = \"soft\"\nplace = { at = [[0, 0, 1]] }\n";
    const std::string out = scree("check " + (folder / "u.toml").string()).out;
    EXPECT_TRUE(contains(out, "u.toml:2:1: no grains have the shape 'rod'")) << out;
    EXPECT_TRUE(contains(out, "u.toml:6:1: nothing uses the region 'tank'")) << out;
    EXPECT_TRUE(
        contains(out, "u.toml:9:1: shape 'soft': `glue.beta` is of the law \"potential\" and not used by \"power\""))
        << out;
    EXPECT_TRUE(contains(
        out,
        "u.toml:13:1: grains 'grains1': `fixed` grains stay where they are: their `velocity` and `spin` are not used"))
        << out;
}

TEST_F(SlipsOfThePen, an_end_too_far_away_is_refused) {
    check("");
    const Answer answer = shell("cd " + folder.string() + " && timeout 20 " SCREE_BINARY " run a.toml --until 1e300");
    EXPECT_EQ(answer.code, 3) << answer.out;
    EXPECT_TRUE(contains(answer.out, "at most 1e+15 are possible")) << answer.out;
}

// A wall that a periodic border cuts goes on beyond it: copies are written into the scene, but not twice. What cannot
// be copied is told of; what cannot be met across the border needs nothing.
TEST_F(InEmptyFolder, walls_at_a_periodic_border_are_continued_or_told_of) {
    const auto checked =
        [&](const std::string& walls) {
            std::ofstream(folder / "p.toml")
                << "simulation = { gravity = [0, 0, 0] }\n[materials.glass]\ncontact_time = 1e-5\n[periodic]\nx = [0, "
                   "0.1]\n[[grains]]\nradius = 1e-3\nplace = { at = [[0.05, 0, 0.05]] }\n"
                << walls;
            const Answer answer = scree("check " + (folder / "p.toml").string());
            EXPECT_EQ(answer.code, 0) << answer.out;
            return answer.out;
        };
    const auto warned = [&](const std::string& walls) {
        return contains(checked(walls), "is cut off at a border of periodic.x");
    };
    const auto copies = [&](const std::string& walls) {
        const std::string out = checked(walls);
        EXPECT_FALSE(contains(out, "warning")) << out;
        return std::string(contains(out, "wall1_low_x") ? "low " : "") + (contains(out, "wall1_high_x") ? "high" : "");
    };
    const auto plane = [](const std::string& point, const std::string& normal) {
        return "[[walls]]\nkind = \"plane\"\npoint = " + point + "\nnormal = " + normal + "\n";
    };
    const auto ball = [](const std::string& x) {
        return "[[walls]]\nkind = \"sphere\"\nside = \"outside\"\nradius = 0.01\ncenter = [" + x + ", 0, 0]\n";
    };
    EXPECT_FALSE(warned(plane("[0, 0, 0]", "[0, 0.5, 1]")));
    EXPECT_TRUE(warned(plane("[0, 0, 0]", "[0.5, 0, 1]")));
    EXPECT_TRUE(warned(plane("[0, 0, 0]", "[1, 0, 0]")));
    EXPECT_FALSE(warned(plane("[0, 0, 0]", "[1, 0, 0]") + plane("[0.1, 0, 0]", "[-1, 0, 0]")));
    EXPECT_EQ(copies(ball("0.05")), "");
    EXPECT_EQ(copies(ball("0.012")), "");
    EXPECT_EQ(copies(ball("0.0105")), "high");
    EXPECT_EQ(copies(ball("0.095")), "low ");
    EXPECT_EQ(copies(ball("0.1")), "low ");
    EXPECT_EQ(copies(ball("0.1") + ball("0.0")), "");
    EXPECT_EQ(copies("[[walls]]\nkind = \"cylinder\"\nfrom = [0, 0, 0.05]\nto = [0.1, 0, 0.05]\nradius = 0.03\n"), "");
    EXPECT_EQ(copies("[[walls]]\nkind = \"cylinder\"\nfrom = [0, 0, 0.05]\nto = [0.08, 0, 0.05]\nradius = 0.03\n"),
              "high");
    EXPECT_EQ(copies("[[walls]]\nkind = \"cylinder\"\nfrom = [-0.01, 0, 0.05]\nto = [0.08, 0, 0.05]\nradius = "
                     "0.03\nmotion = { rotate = { axis = [1, 0, 0], point = [0, 0, 0.05], rate = 1 } }\n"),
              "high");
    EXPECT_FALSE(warned("[[walls]]\nkind = \"box\"\nmin = [-1, -1, 0]\nmax = [1, 1, 1]\n"));
    EXPECT_FALSE(warned("[[walls]]\nkind = \"box\"\nmin = [0, -1, 0]\nmax = [0.1, 1, 1]\n"));
    EXPECT_TRUE(warned("[[walls]]\nkind = \"box\"\nmin = [-0.1, -1, 0]\nmax = [0.06, 1, 1]\n"));
    EXPECT_TRUE(
        warned("[[walls]]\nkind = \"disc\"\ncenter = [0, 0, 0]\nnormal = [0, 0, 1]\nradius = 0.02\nmotion = { free = { "
               "mass = 1, along = [0, 0, 1] } }\n"));
    // The scene as run has the copies; read again it gets no more.
    std::ofstream(folder / "q.toml") << checked(ball("0.1"));
    const Answer again = scree("check " + (folder / "q.toml").string());
    EXPECT_EQ(again.code, 0) << again.out;
    EXPECT_TRUE(contains(again.out, "wall1_low_x")) << again.out;
    EXPECT_FALSE(contains(again.out, "wall1_low_x_")) << again.out;
    EXPECT_FALSE(contains(again.out, "wall1_high_x")) << again.out;
}

// A sphere that falls by h meets the floor at sqrt(2 g h) and sinks in by that times contact_time / pi.
TEST_F(InEmptyFolder, grains_too_soft_for_their_fall_are_told_of_with_a_remedy) {
    const auto answer_to =
        [&](const std::string& material, const std::string& grains, const std::string& command = "check") {
            std::ofstream(folder / "s.toml")
                << "[simulation]\nduration = 0.3\n[materials.glass]\nrestitution = 0.9\n"
                << material << "[[walls]]\nkind = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
                << "[[regions]]\nname = \"in\"\nbox = [[0, 0, 0.2], [0.01, 0.01, 0.21]]\n[[grains]]\n"
                << grains;
            return scree(command + " " + (folder / "s.toml").string() +
                         (command == "run" ? " --force -o " + (folder / "s").string() : ""));
        };
    const auto warned = [&](const std::string& material, const std::string& grains) {
        return contains(answer_to(material, grains).out, "soft for their speed");
    };
    const std::string small = "radius = 1e-3\nplace = { at = [[0, 0, 0.2]] }\n",
                      large = "radius = 5e-3\nplace = { at = [[0, 0, 0.2]] }\n",
                      low = "radius = 1e-3\nplace = { at = [[0, 0, 0.002]] }\n";
    const std::string soft = "contact_time = 1e-3\n";
    const Answer told = answer_to(soft, small);  // 2 m/s, 0.63 of the radius
    EXPECT_TRUE(contains(told.out, "fall up to 0.2 m and meet at 2 m/s") && contains(told.out, "overlaps of 0.63 of") &&
                contains(told.out, "contact_time = 0.0001 in [materials.glass]"))
        << told.out;
    EXPECT_EQ(answer_to(soft, small, "run").code, 4);
    EXPECT_FALSE(warned("contact_time = 1e-4\n", small));
    EXPECT_FALSE(warned(soft, large));
    EXPECT_FALSE(warned(soft, low));
    EXPECT_TRUE(warned(soft, low + "velocity = [0, 0, -2]\n"));
    EXPECT_TRUE(warned(soft, "radius = 1e-3\npour = { region = \"in\", rate = 100 }\n"));
    EXPECT_FALSE(warned(soft, "radius = 1e-3\npour = { region = \"in\", rate = 100 }\n[contact]\nlaw = \"hertz\"\n"));

    // Where it is left open nothing is too soft, and the choice is told with its reason.
    const Answer open = answer_to("", small);
    EXPECT_FALSE(contains(open.out, "soft for their speed")) << open.out;
    EXPECT_TRUE(contains(open.out, "# contact_time: 3.2e-05 s, chosen: grains may fall up to 0.2 m and meet at 2 m/s"))
        << open.out;

    // A run that ends with overlaps past 5 % says so.
    const Answer deep = answer_to("contact_time = 1e-4\n", small, "run");
    EXPECT_EQ(deep.code, 0);
    EXPECT_TRUE(contains(deep.out, "overlaps reached 0.06")) << deep.out;
    EXPECT_FALSE(contains(answer_to("", small, "run").out, "overlaps reached"));
}

// A bed that is placed loosely falls by the room it has; one that is dense already does not.
TEST_F(InEmptyFolder, beds_that_will_collapse_are_told_of_dense_ones_not) {
    const auto warned = [&](const std::string& place) {
        std::ofstream(folder / "b.toml")
            << "[materials.glass]\ncontact_time = 1e-3\n[[walls]]\nkind = \"box\"\nmin = [0, 0, 0]\nmax = [0.02, 0.02, "
               "0.2]\n[[regions]]\nname = \"in\"\nbox = [[0, 0, 0], [0.02, 0.02, 0.1]]\n"
            << "[[grains]]\nradius = 1e-3\nplace = { " << place << " }\n";
        const Answer answer = scree("check " + (folder / "b.toml").string());
        EXPECT_EQ(answer.code, 0) << answer.out;
        return contains(answer.out, "soft for their speed");
    };
    EXPECT_TRUE(warned("random = \"in\", density = 0.1"));
    EXPECT_FALSE(warned("lattice = \"fcc\", spacing = 2.05e-3, region = \"in\""));
}

// Walls in motion, on the other hand, need no weight.
TEST_F(InEmptyFolder, fast_walls_count_as_impacts) {
    const auto warned =
        [&](const std::string& motion) {
            std::ofstream(folder / "w.toml")
                << "[simulation]\ngravity = [0, 0, 0]\n[materials.glass]\ncontact_time = 1e-3\n[[walls]]\nkind = "
                   "\"box\"\nmin = [0, 0, 0]\nmax = [0.1, 0.1, 0.1]\nmotion = { "
                << motion << " }\n[[grains]]\nradius = 1e-3\nplace = { at = [[0.05, 0.05, 0.05]] }\n";
            const Answer answer = scree("check " + (folder / "w.toml").string());
            EXPECT_EQ(answer.code, 0) << answer.out;
            return contains(answer.out, "soft for their speed");
        };
    EXPECT_TRUE(warned("vibrate = { amplitude = [0, 0, 0.01], frequency = 20 }"));  // 1.26 m/s, 0.4 of the radius
    EXPECT_FALSE(warned("vibrate = { amplitude = [0, 0, 0.01], frequency = 10 }"));
    EXPECT_TRUE(warned("rotate = { axis = [0, 0, 1], point = [0, 0, 0], rate = 10 }"));  // 1.41 m/s at the far edge
    EXPECT_FALSE(warned("rotate = { axis = [0, 0, 1], point = [0, 0, 0], rate = 5 }"));
    EXPECT_TRUE(warned("table = [[0, 0, 0, 0], [0.1, 0, 0, 0.2]]"));
}

// Spheres that are glued are grains of their own: there is no volume of the whole to tell.
TEST_F(InEmptyFolder, glued_shapes_are_told_as_such) {
    const Answer answer = scree("check " SCREE_SOURCE_DIR "/examples/glued/rods.toml");
    EXPECT_EQ(answer.code, 0);
    EXPECT_TRUE(contains(answer.out, "# shape 'rod': 15 glued spheres, each a grain")) << answer.out;
    EXPECT_TRUE(
        contains(scree("check --json " SCREE_SOURCE_DIR "/examples/glued/rods.toml").out, "\"glued_spheres\": 15"));
}

TEST_F(InEmptyFolder, a_scene_that_places_nothing_is_told_of) {
    std::ofstream(folder / "n.toml")
        << "[materials.glass]\n[[regions]]\nname = \"in\"\nbox = [[0, 0, 0], [1, 1, 1]]\n[[grains]]\nradius = "
           "1e-2\nplace = { lattice = \"sc\", spacing = 0.5, region = \"in\", probability = 0 }\n";
    const Answer answer = scree("check " + (folder / "n.toml").string());
    EXPECT_EQ(answer.code, 0);
    EXPECT_TRUE(contains(answer.out, "no grain has been placed")) << answer.out;
}

}  // namespace
}  // namespace scree
