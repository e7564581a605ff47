#include "setup/periodic_walls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/surface.h"
#include "setup/placing_radius.h"

namespace scree {
namespace {

double component(const PlaneWall& plane, bool outside, int axis) { return (outside ? -1 : 1) * plane.normal[axis]; }
bool leans(const PlaneWall& plane, bool outside, int axis) {
    return std::fabs(component(plane, outside, axis)) > 1e-12 * norm(plane.normal);
}

bool is_container(const Wall& wall) {
    return !wall.outside &&
           (std::holds_alternative<SphereWall>(wall.shape) || std::holds_alternative<BoxWall>(wall.shape));
}

bool is_floor_of_balls(const Wall& wall) {
    const auto* balls = std::get_if<BallsWall>(&wall.shape);
    return balls && std::holds_alternative<PlaneWall>(balls->like);
}

class PeriodicWalls {
  public:
    explicit PeriodicWalls(const Scene& scene) : scene_(scene) {
        for (const Wall& wall : scene.walls)
            bounds_.push_back(Surface(wall.shape, wall.outside, scene.dimension, scene.periodic).bounds());
    }

    // A plane that keeps grains from one border only, or leans.
    bool is_cut_plane(std::size_t wall, int axis) const {
        const auto* plane = std::get_if<PlaneWall>(&scene_.walls[wall].shape);
        return plane && leans(*plane, scene_.walls[wall].outside, axis) && !is_answered(wall, axis);
    }

    // Whether a copy of the wall is missing beyond the high border (up) or below the low one.
    bool lacks_copy(std::size_t wall, int axis, bool up, double radius) const {
        const Wall& w = scene_.walls[wall];
        if (std::holds_alternative<PlaneWall>(w.shape) || is_floor_of_balls(w)) return false;
        const auto [low, high] = *scene_.periodic[static_cast<std::size_t>(axis)];
        const double slack = 1e-9 * (high - low), begin = bounds_[wall].low[axis], end = bounds_[wall].high[axis];
        if (!std::holds_alternative<SphereWall>(w.shape) && begin <= low + slack && end >= high - slack) return false;
        // Beyond a border already: a copy itself.
        if (end <= low + slack || begin >= high - slack) return false;
        // What is inside a container does not come near the borders that it keeps off.
        const double margin = is_container(w) ? -slack : radius;
        return up ? begin < low + margin && !has_copy(wall, axis, high - low)
                  : end > high - margin && !has_copy(wall, axis, low - high);
    }

  private:
    // Another plane keeps grains from the opposite border.
    bool is_answered(std::size_t wall, int axis) const {
        const double mine = component(std::get<PlaneWall>(scene_.walls[wall].shape), scene_.walls[wall].outside, axis);
        return std::any_of(scene_.walls.begin(), scene_.walls.end(), [&](const Wall& other) {
            const auto* plane = std::get_if<PlaneWall>(&other.shape);
            return plane && leans(*plane, other.outside, axis) && component(*plane, other.outside, axis) * mine < 0;
        });
    }

    bool has_copy(std::size_t wall, int axis, double shift) const {
        for (std::size_t other = 0; other < bounds_.size(); ++other) {
            if (scene_.walls[other].shape.index() != scene_.walls[wall].shape.index()) continue;
            bool equal = true;
            for (int k = 0; k < scene_.dimension; ++k) {
                const double by = k == axis ? shift : 0, slack = 1e-9 * std::fabs(shift);
                equal = equal && std::fabs(bounds_[other].low[k] - bounds_[wall].low[k] - by) <= slack &&
                        std::fabs(bounds_[other].high[k] - bounds_[wall].high[k] - by) <= slack;
            }
            if (equal) return true;
        }
        return false;
    }

    const Scene& scene_;
    std::vector<Extent> bounds_;
};

bool can_be_copied(const Wall& wall) { return !is_container(wall) && !std::holds_alternative<FreePiston>(wall.motion); }

Wall copy_of(const Scene& scene, const Wall& wall, int axis, double shift) {
    Wall copy = wall;
    Vec3 by;
    by[axis] = shift;
    copy.shape = shifted(copy.shape, by);
    if (auto* rotate = std::get_if<Rotate>(&copy.motion)) rotate->point += by;
    copy.name += fmt::format("_{}_{}", shift > 0 ? "high" : "low", "xyz"[axis]);
    while (
        std::any_of(scene.walls.begin(), scene.walls.end(), [&](const Wall& other) { return other.name == copy.name; }))
        copy.name += '_';
    return copy;
}

// No grain is larger: known for spheres of given radii; else what the period allows.
double largest_radius_of(const Scene& scene, double period) {
    double largest = scene.start_from ? 0.25 * period : 0;
    for (const GrainGroup& group : scene.grains)
        largest = std::max(largest, group.shape.empty() && !std::holds_alternative<PlaceFromFile>(group.place)
                                        ? largest_radius(group.radius)
                                        : 0.25 * period);
    return largest;
}

}  // namespace

void continue_walls(Scene& scene) {
    for (int axis = 0; axis < scene.dimension; ++axis) {
        const auto& interval = scene.periodic[static_cast<std::size_t>(axis)];
        if (!interval) continue;
        const double period = interval->second - interval->first, radius = largest_radius_of(scene, period);
        // Copies for one axis are walls for the next: corners get theirs.
        const PeriodicWalls walls(scene);
        std::vector<Wall> copies;
        const std::size_t count = scene.walls.size();
        for (std::size_t w = 0; w < count; ++w)
            for (const bool up : {true, false})
                if (can_be_copied(scene.walls[w]) && walls.lacks_copy(w, axis, up, radius))
                    copies.push_back(copy_of(scene, scene.walls[w], axis, up ? period : -period));
        scene.walls.insert(scene.walls.end(), copies.begin(), copies.end());
    }
}

std::vector<std::pair<std::size_t, int>> walls_cut_off(const Scene& scene, double largest_radius) {
    std::vector<std::pair<std::size_t, int>> cut;
    const PeriodicWalls walls(scene);
    for (int axis = 0; axis < scene.dimension; ++axis) {
        if (!scene.periodic[static_cast<std::size_t>(axis)]) continue;
        for (std::size_t w = 0; w < scene.walls.size(); ++w)
            if (walls.is_cut_plane(w, axis) || walls.lacks_copy(w, axis, true, largest_radius) ||
                walls.lacks_copy(w, axis, false, largest_radius))
                cut.emplace_back(w, axis);
    }
    return cut;
}

}  // namespace scree
