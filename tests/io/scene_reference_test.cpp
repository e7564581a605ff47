#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/nearest.h"
#include "io/scene_file.h"

namespace scree {
namespace {

TEST(scene_reference, the_page_in_docs_is_up_to_date) {
    std::ifstream stream(SCREE_SOURCE_DIR "/docs/scene.md");
    const std::string page(std::istreambuf_iterator<char>(stream), {});
    EXPECT_TRUE(page == scene_reference_page()) << "run: scree schema --markdown > docs/scene.md";
}

TEST(nearest_word, counts_edits_and_swaps) {
    EXPECT_EQ(edit_distance("", "abc"), 3);
    EXPECT_EQ(edit_distance("radus", "radius"), 1);
    EXPECT_EQ(edit_distance("gird", "grid"), 1);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
    EXPECT_EQ(nearest("fricton", {"friction", "restitution"}), "friction");
    EXPECT_EQ(nearest("zzz", {"friction", "restitution"}), "");
}

}  // namespace
}  // namespace scree
