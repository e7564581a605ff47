// The viewer (viewer/), built by npm and compiled into the program by cmake/embed.cmake; empty where it was not built.
#pragma once

#include <string>
#include <string_view>

namespace scree::view {

struct ViewerFiles {
    std::string_view page, script, style;
    // SHA-256 of script and style, as a content security policy spells them, for the page that holds both.
    std::string_view script_hash, style_hash;
};

const ViewerFiles& viewer_files();

// Throws Error(run_time) that says how to build the viewer, unless it is there.
void require_viewer();

}  // namespace scree::view
