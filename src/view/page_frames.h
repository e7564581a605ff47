// The grains and contacts of a run's frames as the streams of an exported page (frame_stream.h).
//
// A contact is known by its grain, its partner (a grain or a wall) and its place among the contacts of the two. Its
// line goes from center to center, which the grains have; only ends elsewhere (at walls, across periodic borders) are
// kept.
#pragma once

#include "io/run_files.h"
#include "view/frame_stream.h"

namespace scree::view {

// The range of all positions, the same for all frames, so that what rests does not change.
struct StreamScale {
    std::vector<double> low{0, 0, 0}, high{0, 0, 0};
    int bytes = 2;  // of a coordinate; 4 where 16 bits are too coarse for the smallest grain
};
StreamScale stream_scale(const RunFiles& run, const std::vector<std::size_t>& frames);

class GrainStream {
  public:
    struct Frame {
        std::string grains, contacts, ends;
    };
    // `contacts` may be null. Of the grains about the given share is kept, by identity; then there are no contacts.
    Frame next(const VtkFile& grains, const VtkFile* contacts, const StreamScale& scale, double share);

  private:
    FrameStream grains_, contacts_, ends_;
};

}  // namespace scree::view
