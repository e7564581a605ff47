// What is told of values that nothing reads, and of values that are mostly slips of a unit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "engine/remarks.h"
#include "engine/simulation.h"
#include "io/scene_file.h"

namespace scree {
namespace {

// All remarks on a scene.
std::string remarks_on(const std::string& text) {
    std::string all;
    for (const std::string& remark : remarks(Simulation(parse_scene(text, "s.toml")))) all += remark + "\n";
    return all;
}

// The same of one with a floor, a ball and these values.
std::string told_of(const std::string& more) {
    return remarks_on(more +
                      "\n[[grains]]\nname = \"ball\"\nradius = 1e-3\nplace = { at = [[0, 0, 1e-3]] }\n"
                      "[[walls]]\nkind = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n");
}

std::string material(const std::string& values, const std::string& law = "linear") {
    return "[contact]\nlaw = \"" + law + "\"\n[materials.glass]\n" + values;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(value_remarks, ordinary_scenes_are_passed_over) {
    EXPECT_EQ(told_of(material("contact_time = 1e-4\nfriction = 0.5\ndensity = 2650")), "");
    EXPECT_EQ(told_of(material("young = 1e8\npoisson = 0.25\nrestitution = 0.8", "hertz")), "");
    EXPECT_EQ(told_of(material("young = 1e8\npoisson = 0.25\nviscosity = 1e-6", "kuwabara-kono")), "");
    EXPECT_EQ(told_of(material("cohesion = 1e-3", "cohesive")), "");
    for (const auto& entry : std::filesystem::directory_iterator(SCREE_SOURCE_DIR "/examples")) {
        if (entry.path().extension() != ".toml") continue;
        Scene scene = read_scene(entry.path().string());
        std::string all;
        for (const std::string& remark : remarks(Simulation(std::move(scene)))) all += remark + "\n";
        EXPECT_FALSE(has(all, "does not use") || has(all, "is in ") || has(all, "coefficient")) << entry << all;
    }
}

TEST(value_remarks, values_that_the_law_does_not_read_are_told_with_the_laws_that_do) {
    const std::string young = told_of(material("young = 1e8\npoisson = 0.2"));
    EXPECT_TRUE(has(young, "s.toml:3:1: material 'glass': law \"linear\" does not use `young` and `poisson`")) << young;
    EXPECT_TRUE(has(young, "hertz, hertz-slip, kuwabara-kono")) << young;
    EXPECT_TRUE(has(told_of(material("young = 1e8\ncontact_time = 1e-4", "hertz")), "does not use `contact_time`"));
    EXPECT_TRUE(has(told_of(material("cohesion = 1e-3")), "does not use `cohesion`"));
    EXPECT_TRUE(has(told_of(material("viscosity = 1e-3")), "does not use `viscosity`"));
    EXPECT_TRUE(
        has(told_of(material("young = 1e8\npoisson = 0.25\nviscosity = 1e-6\nrestitution = 0.9", "kuwabara-kono")),
            "does not use `restitution`"));
    EXPECT_TRUE(has(told_of(material("") + "[[interactions]]\nbetween = [\"glass\", \"glass\"]\ncohesion = 1e-3\n"),
                    "interaction of 'glass' and 'glass': law \"linear\" does not use `cohesion`"));
}

// A value that only the law of some pair reads is read.
TEST(value_remarks, a_law_of_a_pair_reads_values_too) {
    const std::string with_young = material("young = 1e8\npoisson = 0.25\n");
    const std::string pair = "[[interactions]]\nbetween = [\"glass\", \"glass\"]\nlaw = \"hertz\"\n";
    EXPECT_TRUE(has(told_of(with_young), "does not use `young`"));
    EXPECT_FALSE(has(told_of(with_young + pair), "does not use"));
}

// What a law reads changes what it does: a remark that says otherwise would mislead.
TEST(value_remarks, restitutions_are_used_by_the_laws_that_are_said_to) {
    for (const LawEntry& law : law_list) {
        const auto state = [&](double restitution, double tangential) {
            Scene scene = parse_scene(fmt::format(
                "simulation = {{ gravity = [0, 0, 0], time_step = 2e-6 }}\ncontact = {{ law = \"{}\" }}\n"
                "[materials.glass]\n{}\nyoung = 1e7\npoisson = 0.25\nviscosity = 1e-5\n"
                "restitution = {}\ntangential_restitution = {}\n"
                "[[grains]]\nradius = 2e-3\nplace = {{ at = [[0, 0, 0]] }}\n"
                "[[grains]]\nradius = 2e-3\nplace = {{ at = [[4.02e-3, 0, 0]] }}\nvelocity = [-0.05, 0.01, 0]\n",
                law.name, law.kind == LawKind::hooke ? "stiffness = 1e3" : "contact_time = 1e-3", restitution,
                tangential));
            Simulation simulation(std::move(scene));
            for (int k = 0; k < 1500; ++k) simulation.step();
            EXPECT_NE(simulation.energy().dissipated, 0) << "they have not met";
            return simulation.hash();
        };
        const auto idle = [&](const std::string& value) {
            const bool elastic = law.takes.elastic;
            return has(told_of(material(std::string(elastic ? "young = 1e8\npoisson = 0.25\n" : "") +
                                            (law.takes.viscosity ? "viscosity = 1e-6\n" : "") +
                                            (law.kind == LawKind::hooke ? "stiffness = 1e3\n" : "") + value,
                                        law.name)),
                       "does not use");
        };
        EXPECT_EQ(state(0.9, 0.5) == state(0.8, 0.5), idle("restitution = 0.8")) << law.name;
        EXPECT_EQ(state(0.9, 0.5) == state(0.9, 0.7), idle("tangential_restitution = 0.7")) << law.name;
    }
}

TEST(value_remarks, numbers_in_other_units_are_told_with_what_they_would_be) {
    EXPECT_TRUE(has(told_of(material("young = 70\npoisson = 0.25", "hertz")), "70 GPa are 7e+10"));
    EXPECT_TRUE(has(told_of(material("friction = 30")), "an angle of 30 degrees is a friction of 0.577"));
    EXPECT_TRUE(has(told_of(material("density = 2.5")), "2.5 g/cm^3 are 2500"));
    const std::string own =
        material("") + "[[grains]]\nname = \"light\"\ndensity_of = 2\nradius = 1e-3\nplace = { at = [[1, 0, 1e-3]] }\n";
    EXPECT_TRUE(has(told_of(own), "grains 'light': density_of = 2 is in kg/m^3"));
}

TEST(value_remarks, a_scene_in_millimetres_is_known_by_the_weight_of_the_earth) {
    const auto told = [](double radius, double weight) {
        return has(remarks_on(fmt::format("simulation = {{ gravity = [0, 0, -{}] }}\n[materials.glass]\n"
                                          "[[grains]]\nradius = {}\nplace = {{ at = [[0, 0, {}]] }}\n",
                                          weight, radius, radius)),
                   "lengths are in metres; 2 mm are 0.002");
    };
    EXPECT_TRUE(told(2, 9.81));
    EXPECT_FALSE(told(2e-3, 9.81));
    EXPECT_FALSE(told(2, 1));  // units of its own
}

TEST(value_remarks, outputs_more_often_than_steps_are_told) {
    EXPECT_TRUE(has(told_of(material("") + "[output]\nframes = 1e-9\n"),
                    "output.frames = 1e-09 s is shorter than the time step"));
    EXPECT_TRUE(has(told_of(material("") + "[output]\nseries = 1e-9\n"), "output.series"));
    EXPECT_FALSE(has(told_of(material("") + "[simulation]\nduration = 1e-4\n"), "output.frames"))
        << "a hundredth of it is the default";
}

}  // namespace
}  // namespace scree
