// The word a user probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree {

// Insertions, deletions, replacements and swaps of neighbors that turn one word into the other.
int edit_distance(std::string_view a, std::string_view b);

// The closest of the words, or empty when none is close enough to be meant.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// `; nearest is "WORD"`, or nothing.
std::string nearest_hint(std::string_view word, const std::vector<std::string>& words);

}  // namespace scree
