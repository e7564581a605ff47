// Angles of grains against the horizontal, and of the surface of a heap.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "measure/common_options.h"
#include "measure/container.h"
#include "measure/grain_parts.h"
#include "scree/error.h"
#include "shape/shape_table.h"

namespace scree {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

struct Line {
    double at_zero, slope;
};

Line fit(const std::vector<std::pair<double, double>>& points) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& [u, v] : points) {
        n += 1;
        x += u;
        y += v;
    }
    x /= n;
    y /= n;
    for (const auto& [u, v] : points) {
        xx += (u - x) * (u - x);
        xy += (u - x) * (v - y);
    }
    const double slope = xy / xx;
    return {y - slope * x, slope};
}

// By the shapes of the scene, since frames may be empty.
bool may_be_elongated(const Snapshot& s) {
    for (std::size_t number = 0; s.shapes && number < s.shapes->size(); ++number)
        if ((*s.shapes)[number].longest != Vec3{}) return true;
    return std::any_of(s.shaft.begin(), s.shaft.end(), [](Vec3 shaft) { return shaft != Vec3{}; });
}

// Pournin 2005 section 6.2: mean angle between the shafts and the bottom plane, as a whole or by layers of equal
// thickness.
MeasureTable measure_angle(const Snapshot& s, const MeasureOptions& options, Memory&) {
    if (!may_be_elongated(s))
        throw Error(ErrorKind::bad_input,
                    "angle: the grains of this run are round or as long along several axes, so there is no angle to "
                    "measure; it is defined for elongated shapes");
    const Up up = up_of(*s.scene);
    const std::size_t count = options.count("count", 1);
    const Ends extent = extent_of(s, options, up.axis);
    std::vector<double> sum(count, 0), grains(count, 0);
    for (std::size_t k = 0; k < s.size(); ++k) {
        if (s.shaft.empty() || s.shaft[k] == Vec3{}) continue;
        const double j =
            std::floor((s.position[k][up.axis] - extent.low) / (extent.high - extent.low) * static_cast<double>(count));
        if (j < 0 || j >= static_cast<double>(count)) continue;
        sum[static_cast<std::size_t>(j)] +=
            degrees * std::asin(std::min(1.0, std::abs(s.shaft[k][up.axis]) / norm(s.shaft[k])));
        grains[static_cast<std::size_t>(j)] += 1;
    }
    MeasureTable table{{{"low", "m"}, {"high", "m"}, {"angle", "deg"}, {"grains", ""}}, {}};
    const double thickness = (extent.high - extent.low) / static_cast<double>(count);
    for (std::size_t j = 0; j < count; ++j)
        table.rows.push_back({extent.low + static_cast<double>(j) * thickness,
                              extent.low + static_cast<double>(j + 1) * thickness,
                              grains[j] > 0 ? sum[j] / grains[j] : NAN, grains[j]});
    return table;
}

// The highest center over each cell of a horizontal grid is the surface. A line is fitted to height over distance from
// the middle (of a slope: over the coordinate across). Summit and toe, the upper and lower 15 % of the height, are left
// out; by distance, not by height, since choosing points by the fitted value flattens the line.
MeasureTable measure_repose(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const Up up = up_of(*s.scene);
    const bool slope = options.yes("slope", false);
    const int across = options.axis("across").value_or(up.axis == 0 ? 1 : 0);
    int second = -1;
    for (int axis = 0; axis < s.dimension(); ++axis)
        if (axis != up.axis && axis != across) second = axis;
    double diameter = 0, mass = 0, thickness = 0;  // thickness: mean extension upwards, the diameter of spheres
    const Vec3 upwards = direction_of(up);
    Vec3 middle;
    for (std::size_t k = 0; k < s.size(); ++k) {
        diameter += 2 * s.radius[k];
        mass += s.mass[k];
        middle += s.mass[k] * s.position[k];
    }
    const MeasureTable undefined{{{"angle", "deg"}, {"height", "m"}, {"places", ""}}, {{NAN, NAN, 0}}};
    if (s.size() < 10) return undefined;  // as at the start of pouring
    for (std::size_t k = 0; k < s.size(); ++k) thickness += reach_along(s, k, upwards) + reach_along(s, k, -upwards);
    diameter /= static_cast<double>(s.size());
    thickness /= static_cast<double>(s.size());
    middle = options.vector("center").value_or(middle / mass);
    const double size = options.number("cell").value_or(2 * diameter);

    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> highest;
    for (std::size_t k = 0; k < s.size(); ++k) {
        const Vec3 d = s.position[k] - middle;
        const auto cell = std::pair(static_cast<std::int64_t>(std::floor(d[across] / size)),
                                    second < 0 ? 0 : static_cast<std::int64_t>(std::floor(d[second] / size)));
        const auto [at, fresh] = highest.try_emplace(cell, k);
        if (!fresh && height_of(up, s.position[k]) > height_of(up, s.position[at->second])) at->second = k;
    }
    std::vector<std::pair<double, double>> surface;
    double low = forever, high = -forever;
    for (const auto& [cell, k] : highest) {
        const Vec3 d = s.position[k] - middle;
        const double h = height_of(up, s.position[k]);
        surface.emplace_back(slope        ? d[across]
                             : second < 0 ? std::abs(d[across])
                                          : std::hypot(d[across], d[second]),
                             h);
        low = std::min(low, h);
        high = std::max(high, h);
    }
    if (surface.size() < 3) return undefined;
    const auto chosen = [&](auto&& keep) {
        std::vector<std::pair<double, double>> points;
        for (const auto& point : surface)
            if (keep(point)) points.push_back(point);
        return points.size() < 3 ? surface : points;  // a nearly level surface has no flank: all of it counts
    };
    Line line = fit(chosen([&](const auto& point) {
        return point.second > low + 0.2 * (high - low) && point.second < low + 0.8 * (high - low);
    }));
    for (int pass = 0; pass < 3 && line.slope != 0; ++pass) {
        const double first = (low + 0.15 * (high - low) - line.at_zero) / line.slope,
                     last = (low + 0.85 * (high - low) - line.at_zero) / line.slope;
        line = fit(chosen([&](const auto& point) {
            return point.first >= std::min(first, last) && point.first <= std::max(first, last);
        }));
    }
    return {{{"angle", "deg"}, {"height", "m"}, {"places", ""}},
            {{degrees * std::atan(slope ? line.slope : -line.slope), high - low + thickness,
              static_cast<double>(surface.size())}}};
}

using Kind = MeasureOption::Kind;

constexpr MeasureOption angle_options[] = {
    {"count", Kind::count, "", "1", "Number of layers.", true}, usual::from, usual::to};
constexpr MeasureOption repose_options[] = {
    {"slope", Kind::yes_no, "", "false", "One slope across, as in a drum, in place of a heap."},
    {"across", Kind::axis, "", "x", "The horizontal axis of the slope."},
    {"center", Kind::vector, "m", "the center of mass", "Middle of the heap."},
    {"cell", Kind::number, "m", "2 mean diameters", "Edge of the cells in which the highest grain counts.", true}};

}  // namespace

const MeasureKind angle_measure{.name = "angle",
                                .doc = "mean angle of elongated grains against the horizontal",
                                .options = angle_options,
                                .take = measure_angle};
const MeasureKind repose_measure{
    .name = "repose", .doc = "angle of repose of a heap or slope", .options = repose_options, .take = measure_repose};

}  // namespace scree
