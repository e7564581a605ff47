// Malformed scenes, each with the messages it must be answered with: tests/io/bad_scenes/*.toml end in comments
// "# expect :line:column: message", one per fault, in the order reported. ALL_LAWS and ELASTIC_LAWS stand for their
// names.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "io/scene_file.h"
#include "scree/error.h"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

std::string complaints(const std::string& text, const std::string& file, const SceneReading& how = {}) {
    try {
        parse_scene(text, file, how);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        return error.what();
    }
    return "accepted";
}

// Names of laws in the order of law_list, as messages write them.
std::string law_names(bool elastic_alone, const std::string& quote, const std::string& before_last) {
    std::vector<std::string> names;
    for (const LawEntry& law : law_list)
        if (!elastic_alone || law.takes.elastic) names.push_back(quote + law.name + quote);
    std::string out = names[0];
    for (std::size_t k = 1; k < names.size(); ++k) out += (k + 1 < names.size() ? ", " : before_last) + names[k];
    return out;
}

TEST(scene_messages, every_bad_scene_is_answered_with_what_is_wrong_and_where) {
    const fs::path folder = fs::path(SCREE_SOURCE_DIR) / "tests/io/bad_scenes";
    int scenes = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string file = entry.path().string(), text = read_text(file);
        std::string expected, line;
        for (std::istringstream lines(text); std::getline(lines, line);)
            if (line.starts_with("# expect ")) expected += (expected.empty() ? "" : "\n") + file + line.substr(9);
        replace_all(expected, "FOLDER", folder.string());
        replace_all(expected, "ALL_LAWS", law_names(false, "\"", ", "));
        replace_all(expected, "ELASTIC_LAWS", law_names(true, "", " and "));
        ASSERT_FALSE(expected.empty()) << file << " says not what to expect";
        EXPECT_EQ(complaints(text, file), expected);
        ++scenes;
    }
    EXPECT_GE(scenes, 60);
}

constexpr const char* small_scene = R"(title = "small"
[simulation]
duration = 2
[materials.glass]
[[grains]]
name = "sand"
radius = 1e-3
place = { at = [[0, 0, 0]] }
[[walls]]
name = "floor"
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[walls]]
kind = "sphere"
center = [0, 0, 0]
radius = 1
)";

Scene changed(const std::vector<std::string>& overrides) { return parse_scene(small_scene, "small.toml", {overrides}); }
std::string refusal(const std::string& override_text) {
    return complaints(small_scene, "small.toml", {{override_text}});
}

TEST(scene_overrides, reach_every_part_by_name_or_index) {
    EXPECT_EQ(changed({"simulation.duration=3.5"}).duration, 3.5);
    EXPECT_EQ(changed({"walls.floor.open_at=1"}).walls[0].open_at, 1);
    EXPECT_EQ(changed({"walls.1.open_at=1"}).walls[1].open_at, 1);
    EXPECT_EQ(changed({"materials.glass.friction = 0.1"}).materials[0].contact.friction, 0.1);
    EXPECT_EQ(changed({"simulation.gravity=[1, 2, 3]"}).gravity, (Vec3{1, 2, 3}));
    EXPECT_EQ(changed({"simulation.gravity=[0, 0, -1]", "simulation.gravity.0=2"}).gravity, (Vec3{2, 0, -1}));
    EXPECT_EQ(changed({"output.frames=0.5"}).frame_interval, 0.5);
    EXPECT_EQ(changed({"grains.sand.radius={ uniform = [1e-3, 2e-3] }"}).grains[0].radius.second, 2e-3);
}

TEST(scene_overrides, take_bare_strings_and_the_last_one_wins) {
    EXPECT_EQ(changed({"title=two words"}).title, "two words");
    EXPECT_EQ(changed({"title=\"quoted\""}).title, "quoted");
    EXPECT_EQ(changed({"contact.law=walton"}).law, LawKind::walton);
    EXPECT_EQ(changed({"title=a=b"}).title, "a=b");
    EXPECT_EQ(changed({"simulation.duration=3", "simulation.duration=4"}).duration, 4);
}

TEST(scene_overrides, are_named_in_messages) {
    EXPECT_EQ(refusal("simulation.duration=-1"),
              "--set simulation.duration=-1: key \"simulation.duration\" = -1: must be a number > 0, in s");
    EXPECT_EQ(
        refusal("contact.lwa=hertz"),
        "--set contact.lwa=hertz: key \"contact.lwa\" = \"hertz\": unknown key; nearest is \"law\"; allowed here: law");
    EXPECT_EQ(refusal("walls.flor.open_at=1"),
              "--set walls.flor.open_at=1: \"walls\" has 2 elements, with the indices 0 to 1 and the name floor; "
              "nearest is \"floor\"");
    EXPECT_EQ(refusal("walls.2.open_at=1"),
              "--set walls.2.open_at=1: \"walls\" has 2 elements, with the indices 0 to 1 and the name floor");
    EXPECT_EQ(refusal("materials.glas.friction=1"),
              "--set materials.glas.friction=1: \"materials\" has no \"glas\"; nearest is \"glass\"");
    const std::string shaped =
        std::string(small_scene) + "[shapes.rod]\nkind = \"spherocylinder\"\nlength = 8e-3\nradius = 1e-3\n";
    EXPECT_EQ(complaints(shaped, "small.toml", {{"shapes.rodd.length=1"}}),
              "--set shapes.rodd.length=1: \"shapes\" has no \"rodd\"; nearest is \"rod\"");
    EXPECT_EQ(complaints(shaped, "small.toml", {{"shapes.rod2={ kind = \"spherocylinder\", length = 1, radius = 1 }"}}),
              "accepted");
    EXPECT_EQ(refusal("title.x=1"), "--set title.x=1: \"title\" is a string, which has nothing inside");
    EXPECT_EQ(refusal("duration"), "--set duration: expected KEY=VALUE, as in simulation.duration=2.5");
    EXPECT_EQ(refusal("simulation..x=1"), "--set simulation..x=1: an empty name between the dots of the key");
    EXPECT_EQ(
        refusal("simulation.gravity=[1,2"),
        "--set simulation.gravity=[1,2: the value is not TOML: Error while parsing array: encountered end-of-file");
}

TEST(scene_overrides, paths_in_them_start_at_the_current_folder) {
    const auto from = [](const std::string& text, const std::vector<std::string>& overrides) {
        return *parse_scene(text, "/some/where/scene.toml", {overrides, false}).start_from;
    };
    const std::string scene = "[materials.glass]\n[start]\nfrom = \"../filled\"\n";
    EXPECT_EQ(from(scene, {}), "/some/filled");
    EXPECT_EQ(from(scene, {"start.from=filled"}), (fs::current_path() / "filled").string());
}

TEST(scene_messages, an_unreadable_scene_is_a_located_refusal) {
    try {
        read_scene("no_such_scene.toml");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_STREQ(error.what(), "no_such_scene.toml: cannot read the scene: No such file or directory");
    }
}

}  // namespace
}  // namespace scree
