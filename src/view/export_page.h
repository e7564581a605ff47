// One HTML file that holds the viewer and a run, and opens from disk without a server.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/run_files.h"

namespace scree::view {

struct ExportChoice {
    std::size_t every = 1;                    // frames: every so many-th
    std::optional<std::size_t> grains;        // at most about so many of them
    std::optional<std::uint64_t> most_bytes;  // `every` grows until the page fits
    bool contacts = true;                     // force chains and pressure need them
    std::optional<std::string> caption;       // below the picture; the page has one of its own
    std::string link;                         // what the page shows unless its address says (viewer/src/data/link.ts)
};

struct ExportReport {
    std::uint64_t bytes = 0;
    std::size_t frames = 0, frames_of_run = 0, grains = 0, every = 1;
    double share_of_grains = 1;
    bool contacts = true;
};

// Numbers are rounded (page_frames.h): they are for looking. Throws Error when the page cannot be made
// within the size asked for, or written.
ExportReport export_page(RunFiles& run, const std::filesystem::path& file, ExportChoice choice);

}  // namespace scree::view
