// Turns the files of a frame into packs for the page (pack.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/run_files.h"
#include "view/pack.h"

namespace scree::view {

struct PackChoice {
    // Arrays wanted besides those without which nothing can be drawn. Names that a file does not have are passed over.
    std::vector<std::string> fields;
    Precision precision = Precision::full;
    // Grains shown, of all: chosen by their identity, so that the same ones stay from frame to frame.
    double share_of_grains = 1;
    std::optional<std::int64_t> only;  // this grain alone, with all its fields
};

// Grains: `position`, `radius`, `id` and fields, which the header lists under `available`.
// Others: `position`, `lines` (pairs of points) and `triangles` (triples), `line_FIELD`, `triangle_FIELD` by cell.
std::string pack_frame(const VtkFile& file, FrameKind kind, const PackChoice& choice);

}  // namespace scree::view
