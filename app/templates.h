// The scenes of examples/, compiled into the program by CMake.
#pragma once

#include <span>

namespace scree::app {

struct Template {
    const char* name;
    const char* text;  // TOML; the first line is a comment that says what the scene shows
};

std::span<const Template> templates();

}  // namespace scree::app
