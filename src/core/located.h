// The place in a file that a message is about, as all messages write it: file:line:column, counted from 1.
#pragma once

#include <string>
#include <string_view>

#include "scree/scene.h"

namespace scree {

// "file:line:column"; without a column "file:line", without a line the file alone.
std::string located(const std::string& file, int line, int column = 0);

// How a message about a part of a scene begins: the place and ": ". Nothing for a scene that was not read from a file.
std::string place_of(const Scene& scene, Where where);

// Throws Error(bad_input) with the place in front of the message, in which nothing is that a terminal would act on.
[[noreturn]] void refuse_at(const std::string& file, int line, int column, const std::string& message);
[[noreturn]] void refuse_at(const Scene& scene, Where where, const std::string& message);

// Whether a text holds control characters that a terminal acts on: those of ASCII but line ends and tabs, and in UTF-8
// those from U+0080 to U+009F.
bool has_control(std::string_view text);
// The text with such characters replaced by `?`.
std::string harmless(std::string text);

// Text from a file as a message may show it: at most 40 characters, and nothing a terminal would act on.
std::string shown(std::string_view text);

}  // namespace scree
