// What a state must be like for a run to go on from it. Indices have been looked at when it was read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/checkpoint.h"
#include "scree/error.h"
#include "setup/periodic_walls.h"
#include "shape/shape_table.h"

namespace scree {
namespace {

void require(bool holds, const char* what) {
    if (!holds) throw Error(ErrorKind::file, what);
}

template <class Range>
bool all_finite(const Range& numbers) {
    return std::all_of(std::begin(numbers), std::end(numbers), [](double x) { return std::isfinite(x); });
}

bool is_positive(double x) { return x > 0 && std::isfinite(x); }

void require_sound_grains(const World& world) {
    const Grains& grains = world.grains;
    for (std::size_t g = 0; g < grains.size(); ++g) {
        const GrainRow& row = grains.row[g];
        const SpinRow& spin = grains.spin[g];
        const AccelerationRow& a = grains.acceleration[g];
        require(all_finite(std::initializer_list<double>{row.x, row.y, row.z, row.vx, row.vy, row.vz, spin.x, spin.y,
                                                         spin.z, a.x, a.y, a.z, a.rim_x, a.rim_y, a.rim_z}),
                "it has a grain whose position, velocity or spin is not finite");
        require(is_positive(row.radius) && is_positive(spin.inverse_radius),
                "it has a grain whose radius is not positive");
        require(row.inverse_mass >= 0 && std::isfinite(row.inverse_mass), "it has a grain without a mass");
        if (!grains.shaped()) continue;
        const Quaternion& q = grains.orientation[g];
        require(std::fabs(q.w * q.w + norm2({q.x, q.y, q.z}) - 1) < 1e-6, "it has a grain whose orientation is none");
        require(is_finite(grains.momentum[g]) && is_positive(grains.scale[g]), "it has a grain without a size or spin");
    }
    for (const double time : world.last_collision)
        require(!std::isnan(time), "it has a time of collision that is none");
}

}  // namespace

void require_sound(const Checkpoint& c) {
    const World& world = c.world;
    constexpr std::int64_t most_steps = std::int64_t{1} << 53;
    require(world.step <= most_steps && is_positive(world.time_step) && std::isfinite(world.automatic_step) &&
                std::isfinite(world.contact_time) && std::isfinite(world.collision_cutoff) &&
                std::isfinite(world.max_overlap) && world.removed >= 0,
            "its step or time step makes no sense");
    require_sound_grains(world);
    for (const WallState& wall : world.walls)
        require(all_finite(std::initializer_list<double>{wall.displacement, wall.speed, wall.acceleration}) &&
                    is_finite(wall.force) && is_finite(wall.torque),
                "it has a wall whose place or load is not finite");
    for (const PourState& pour : world.pours) require(pour.poured >= 0, "it has a pour of less than nothing");
    require(all_finite(c.contacts.memory) && all_finite(c.contacts.wall_memory),
            "it has a contact whose memory is not finite");
    const std::vector<std::int64_t>& frames = c.output.frame_steps;
    require(std::is_sorted(frames.begin(), frames.end()) && (frames.empty() || frames.front() >= 0),
            "its frames are not in the order of time");
}

void require_state_of(const Scene& scene, const Checkpoint& c) {
    require_sound(c);
    const auto same_names = [](const auto& parts, const std::vector<std::string>& names, bool more_allowed) {
        const std::size_t count = parts.size();
        if (more_allowed ? names.size() < count : names.size() != count) return false;
        for (std::size_t k = 0; k < count; ++k)
            if (parts[k].name != names[k]) return false;
        return true;
    };
    require(same_names(scene.materials, c.names.materials, false), "its materials are not those of its scene");
    // A simulation adds copies of walls at periodic borders, which a scene as written need not have.
    Scene whole = scene;
    if (whole.walls.size() != c.names.walls.size()) continue_walls(whole);
    require(same_names(whole.walls, c.names.walls, false), "its walls are not those of its scene");
    // Grains taken over from another run may have brought groups of their own.
    require(same_names(scene.grains, c.names.groups, true), "its groups are not those of its scene");
    require(c.world.pours.size() == scene.grains.size(), "its pours are not those of its scene");
    for (const std::uint16_t shape : c.world.grains.shape)
        require(shape <= scene.shapes.size(), "it has a grain of a shape that its scene does not have");
    const bool shaped = std::any_of(scene.grains.begin(), scene.grains.end(),
                                    [&](const GrainGroup& group) { return ShapeTable::number_of(scene, group) > 0; });
    require(c.world.grains.size() == 0 || (c.world.grains.shaped() ? !scene.shapes.empty() : !shaped),
            "its grains have shapes and its scene has none, or the other way around");
}

}  // namespace scree
