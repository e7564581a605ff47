#include "sim/remarks.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "geometry/surface.h"
#include "sim/impact_estimate.h"
#include "sim/placing_radius.h"
#include "sim/simulation.h"

namespace scree {
namespace {

// Walls are not repeated beyond periodic borders. That is no matter for a wall that spans the period, keeps away from the
// borders, or closes them; a grain that comes round the border into any other finds itself inside it.
class PeriodicWalls {
  public:
    PeriodicWalls(const Scene& scene, double largest_radius) : scene_(scene), reach_(largest_radius) {
        for (const Wall& wall : scene.walls) {
            surfaces_.emplace_back(wall.shape, wall.outside, scene.dimension, scene.periodic);
            bounds_.push_back(surfaces_.back().bounds());
        }
    }

    bool is_cut(std::size_t wall, int axis) const {
        const Wall& w = scene_.walls[wall];
        const auto [low, high] = *scene_.periodic[static_cast<std::size_t>(axis)];
        if (const auto* plane = std::get_if<PlaneWall>(&w.shape)) return leans(*plane, w.outside, axis) && !is_answered(wall, axis);
        if (const auto* balls = std::get_if<BallsWall>(&w.shape); balls && std::holds_alternative<PlaneWall>(balls->like)) return false;
        const bool sphere = std::holds_alternative<SphereWall>(w.shape), container = !w.outside && (sphere || std::holds_alternative<BoxWall>(w.shape));
        const double slack = 1e-9 * (high - low), begin = bounds_[wall].low[axis], end = bounds_[wall].high[axis];
        if (!sphere && begin <= low + slack && end >= high - slack) return false;
        // What is inside a container does not come near the borders that it keeps off.
        const double margin = container ? -slack : reach_;
        return (begin < low + margin && !has_copy(wall, axis, high - low)) || (end > high - margin && !has_copy(wall, axis, low - high));
    }

  private:
    static double component(const PlaneWall& plane, bool outside, int axis) { return (outside ? -1 : 1) * plane.normal[axis]; }
    static bool leans(const PlaneWall& plane, bool outside, int axis) { return std::fabs(component(plane, outside, axis)) > 1e-12 * norm(plane.normal); }

    // Another plane that keeps grains from the opposite border.
    bool is_answered(std::size_t wall, int axis) const {
        const double mine = component(std::get<PlaneWall>(scene_.walls[wall].shape), scene_.walls[wall].outside, axis);
        for (const Wall& other : scene_.walls)
            if (const auto* plane = std::get_if<PlaneWall>(&other.shape); plane && leans(*plane, other.outside, axis) && component(*plane, other.outside, axis) * mine < 0) return true;
        return false;
    }

    bool has_copy(std::size_t wall, int axis, double shift) const {
        for (std::size_t other = 0; other < bounds_.size(); ++other) {
            if (scene_.walls[other].shape.index() != scene_.walls[wall].shape.index()) continue;
            bool equal = true;
            for (int k = 0; k < scene_.dimension; ++k) {
                const double by = k == axis ? shift : 0, slack = 1e-9 * std::fabs(shift);
                equal = equal && std::fabs(bounds_[other].low[k] - bounds_[wall].low[k] - by) <= slack && std::fabs(bounds_[other].high[k] - bounds_[wall].high[k] - by) <= slack;
            }
            if (equal) return true;
        }
        return false;
    }

    const Scene& scene_;
    double reach_;
    std::vector<Surface> surfaces_;
    std::vector<Extent> bounds_;
};

// Down to one digit: what one would write in a scene.
double rounded_down(double value) {
    const double unit = std::pow(10, std::floor(std::log10(value)));
    return std::floor(value / unit * (1 + 1e-12)) * unit;
}

std::optional<std::string> too_soft(const Simulation& simulation) {
    const Scene& scene = simulation.scene();
    const auto impact = estimate_impact(simulation);
    if (!impact || impact->overlap <= scene.overlap_limit) return {};
    const double wanted = rounded_down(impact->contact_time * std::min(0.1, 0.3 * scene.overlap_limit) / impact->overlap);
    std::string materials;
    for (const Material& material : scene.materials)
        if (material.contact.contact_time > wanted) materials += fmt::format("{}[materials.{}]", materials.empty() ? "" : " and ", material.name);
    const std::string fall = impact->fall > 0 ? fmt::format("fall up to {:.2g} m and ", impact->fall) : "";
    return fmt::format("grains are soft for their speed: they may {}meet at {:.2g} m/s, which contact_time = {:g} s turns into overlaps of {:.2g} of the smallest radius, {:.2g} m "
                       "(overlap_limit is {:g}); contact_time = {:g} in {} keeps them small",
                       fall, impact->speed, impact->contact_time, impact->overlap, impact->radius, scene.overlap_limit, wanted, materials);
}

}  // namespace

std::vector<std::string> remarks(const Simulation& simulation) {
    const Scene& scene = simulation.scene();
    std::vector<std::string> said;
    bool pours = false;
    double largest = 0;
    for (const GrainRow& row : simulation.world().grains.row) largest = std::max(largest, row.radius);
    for (const GrainGroup& group : scene.grains)
        if (std::holds_alternative<PourOverTime>(group.place)) pours = true, largest = std::max(largest, largest_radius(group.radius));
    if (simulation.world().grains.size() == 0 && !pours) said.emplace_back("no grain has been placed, and none will be poured: check regions, counts and probabilities");

    if (auto remark = too_soft(simulation)) said.push_back(std::move(*remark));

    const PeriodicWalls walls(scene, largest);
    for (int axis = 0; axis < scene.dimension; ++axis) {
        if (!scene.periodic[static_cast<std::size_t>(axis)]) continue;
        for (std::size_t w = 0; w < scene.walls.size(); ++w)
            if (walls.is_cut(w, axis))
                said.push_back(fmt::format("wall '{}' is cut off at a border of periodic.{}: walls are not repeated beyond it, and grains that come round find themselves inside; "
                                           "let it span the period or keep off its borders, or add a copy shifted by the period",
                                           scene.walls[w].name, "xyz"[axis]));
    }
    return said;
}

}  // namespace scree
