#include "app/options.h"

#include <gtest/gtest.h>

#include "scree/error.h"

namespace scree::app {
namespace {

struct Given {
    std::string scene;
    std::optional<std::string> output, neighbors;
    std::optional<double> until;
    std::optional<std::int64_t> threads;
    std::vector<std::string> sets;
    bool quiet = false, help = false;
};

Given parse(const Arguments& arguments) {
    Given given;
    Options options("run", "run a scene");
    options.argument("SCENE", given.scene, "scene file");
    options.option("-o,--output", "RUN", given.output, "run folder");
    options.option("--until", "T", given.until, "stop at this time");
    options.option("--threads", "N", given.threads, "threads");
    options.repeated("--set", "KEY=VALUE", given.sets, "change the scene");
    options.choice("--neighbors", {"auto", "grid"}, given.neighbors, "neighborhood");
    options.flag("-q,--quiet", given.quiet, "say nothing");
    given.help = !options.parse(arguments);
    return given;
}

std::string refusal(const Arguments& arguments) {
    try {
        parse(arguments);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        return error.what();
    }
    return "accepted";
}

TEST(options, fill_the_variables_they_were_declared_with) {
    const Given given = parse({"-", "-o", "run", "--until=-2.5", "--threads", "3", "-q", "--neighbors", "grid"});
    EXPECT_EQ(given.scene, "-");
    EXPECT_EQ(given.output, "run");
    EXPECT_EQ(given.until, -2.5);
    EXPECT_EQ(given.threads, 3);
    EXPECT_EQ(given.neighbors, "grid");
    EXPECT_TRUE(given.quiet);
    EXPECT_FALSE(parse({"a.toml"}).until.has_value());
}

TEST(options, repeated_ones_take_one_value_each_and_keep_it_whole) {
    const Given given = parse({"--set", "a=[1,2]", "a.toml", "--set", "[x]", "--set", "t=\"a b\""});
    EXPECT_EQ(given.scene, "a.toml");
    EXPECT_EQ(given.sets, (std::vector<std::string>{"a=[1,2]", "[x]", "t=\"a b\""}));
}

TEST(options, wrong_usage_is_refused_with_a_hint) {
    EXPECT_NE(refusal({}).find("SCENE is required"), std::string::npos) << refusal({});
    EXPECT_NE(refusal({"a", "--frames"}).find("--frames"), std::string::npos);
    EXPECT_NE(refusal({"a", "--until", "soon"}).find("soon"), std::string::npos);
    EXPECT_NE(refusal({"a", "--neighbors", "grit"}).find("\"grit\" is not one of: auto, grid"), std::string::npos);
    EXPECT_NE(refusal({"a", "b"}).find("`scree run --help` lists the options"), std::string::npos);
    EXPECT_NE(refusal({"a", "--set"}).find("--set"), std::string::npos);
    EXPECT_NE(refusal({"a", "--thread", "4"}).find("nearest is \"--threads\""), std::string::npos)
        << refusal({"a", "--thread", "4"});
    EXPECT_NE(refusal({"a", "--untli=4"}).find("nearest is \"--until\""), std::string::npos);
    EXPECT_EQ(refusal({"a", "--frobnicate"}).find("nearest"), std::string::npos);
}

}  // namespace
}  // namespace scree::app
