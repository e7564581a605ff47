#include "frame_at.h"

#include <fmt/format.h>

#include <cmath>

#include "report.h"

namespace scree::app {

std::size_t frame_at(const RunReader& run, double time) {
    const std::size_t frame = run.nearest(time);
    const double first = run.time(0), last = run.time(run.size() - 1);
    // The last frame may be half a step earlier than what it was asked to be.
    const double margin = run.size() > 1 ? 0.5 * (last - run.time(run.size() - 2)) : 1e-6 * std::fabs(last);
    if (time < first - margin || time > last + margin)
        warn(fmt::format("--at {:g}: the frames of {} are from t = {:g} s to {:g} s; that at {:g} s is taken", time,
                         run.folder().string(), first, last, run.time(frame)));
    return frame;
}

}  // namespace scree::app
