// The page of measures knows all of them, with their options and columns' units.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "made_up.h"

namespace scree::test {
namespace {

TEST(documentation, every_measure_has_a_section_with_all_options) {
    std::ifstream file(SCREE_SOURCE_DIR "/docs/measures.md");
    const std::string page(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(page.empty());
    for (const MeasureKind* kind : measure_kinds()) {
        const std::string title = "\n## " + std::string(kind->name) + "\n";
        const std::size_t begin = page.find(title);
        ASSERT_NE(begin, std::string::npos) << kind->name;
        const std::string section = page.substr(begin, page.find("\n## ", begin + 4) - begin);
        for (const MeasureOption& option : measure_options(*kind))
            EXPECT_NE(section.find("`" + std::string(option.name) + "`"), std::string::npos)
                << kind->name << ": " << option.name;
    }
}

}  // namespace
}  // namespace scree::test
