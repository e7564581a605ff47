// Bytes follow from what is written (io/vtk_frames.cpp, io/series.h, io/checkpoint.h). How many contacts there will be
// is the one guess: a bed of spheres comes to rest with about five for each grain, so two and a half pairs; discs with
// four.
//
// The time is that of the first steps, in proportion to the grains. Where grains still fall they have fewer contacts
// than a bed will have, and a bed takes up to three times as long.
#include "io/run_cost.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "io/measure_file.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double bytes_of_grain = 73, bytes_of_contact = 68, more_of_body = 52, more_of_contact_of_bodies = 24,
                 bytes_of_frame = 4000, bytes_of_wall = 2500;               // in frames
constexpr double bytes_of_number = 13, bytes_of_grain_in_checkpoint = 260;  // in tables; with its contacts
constexpr double checkpoints_kept = 2;
constexpr std::chrono::milliseconds trial{150};

double count_of(double duration, double interval, double step) {
    return interval > 0 ? std::floor(duration / std::max(interval, step)) : 0;
}

double poured(const GrainGroup& group, double duration) {
    const auto* pour = std::get_if<PourOverTime>(&group.place);
    if (!pour) return 0;
    const double all = std::max(0.0, pour->rate * (std::min(pour->until, duration) - pour->from));
    return pour->count ? std::min(all, static_cast<double>(*pour->count)) : all;
}

// Seconds of the machine for a second of the simulation. The state is of no further use.
std::optional<double> slowness(Simulation& simulation) {
    using Clock = std::chrono::steady_clock;
    try {
        simulation.step();  // with all that is made once
        const double from = simulation.time();
        const Clock::time_point begin = Clock::now();
        while (Clock::now() - begin < trial && simulation.time() < simulation.scene().duration) simulation.step();
        if (!(simulation.time() > from)) return {};
        return std::chrono::duration<double>(Clock::now() - begin).count() / (simulation.time() - from);
    } catch (const Error&) {
        return {};  // the run will say what is wrong
    }
}

double bytes_of_tables(const Simulation& simulation, double step) {
    const Scene& scene = simulation.scene();
    double columns = 18;
    for (const Wall& wall : scene.walls) columns += std::holds_alternative<std::monostate>(wall.motion) ? 6 : 12;
    const double rows = 2 + count_of(scene.duration, scene.series_interval, step);
    const double measured =
        count_of(scene.duration, scene.measure_interval > 0 ? scene.measure_interval : scene.frame_interval, step);
    const auto tables = static_cast<double>(MeasureFiles::of(scene).size());
    return bytes_of_number * (columns * rows + 4 * tables * measured);
}

}  // namespace

RunCost estimate_cost(Simulation& simulation) {
    const Scene& scene = simulation.scene();
    const double step = simulation.time_step().value, duration = scene.duration;
    const auto now = static_cast<double>(simulation.world().grains.size());
    RunCost cost;
    cost.steps = simulation.steps_until(duration);
    cost.frames = 2 + static_cast<std::int64_t>(count_of(duration, scene.frame_interval, step));
    // The last one falls together with the end.
    if (scene.frame_interval > 0 && std::fabs(std::remainder(duration, scene.frame_interval)) < step) --cost.frames;
    cost.grains_at_end = now;
    for (const GrainGroup& group : scene.grains) cost.grains_at_end += poured(group, duration);
    const double mean_grains = 0.5 * (now + cost.grains_at_end);

    const double contacts = scene.engine == "events" ? 0 : scene.dimension == 2 ? 2 : 2.5;
    const double bodies = simulation.world().grains.shaped() ? 1 : 0;
    const double frame = bytes_of_frame + bytes_of_wall * static_cast<double>(scene.walls.size()) +
                         mean_grains * (bytes_of_grain + bodies * more_of_body +
                                        contacts * (bytes_of_contact + bodies * more_of_contact_of_bodies));
    cost.bytes = static_cast<double>(cost.frames) * frame +
                 checkpoints_kept * cost.grains_at_end * bytes_of_grain_in_checkpoint +
                 bytes_of_tables(simulation, step);
    if (now > 0)
        if (const auto seconds = slowness(simulation)) cost.seconds = *seconds * duration * mean_grains / now;
    return cost;
}

}  // namespace scree
