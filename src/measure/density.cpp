// How much of space is grain: as a whole, by layers, by rings.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/periodicity.h"
#include "measure/common_options.h"
#include "measure/container.h"
#include "measure/grain_parts.h"
#include "scree/error.h"

namespace scree {
namespace {

double total_volume(const Snapshot& s) {
    double sum = 0;
    for (const double v : s.volume) sum += v;
    return sum;
}

double top_of(const Snapshot& s, const Up& up) {
    const Vec3 upwards = direction_of(up);
    double top = -forever;
    for (std::size_t k = 0; k < s.size(); ++k)
        if (const double height = height_of(up, s.position[k]); height + s.radius[k] > top)
            top = std::max(top, height + reach_along(s, k, upwards));
    return top;
}

// Ferrez 2001 eq. 4.3: grains' volume over base times height of the highest grain.
MeasureTable measure_density(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const Up up = up_of(*s.scene);
    const double area = cross_section(s, options, up.axis);
    MeasureTable table{
        {{"density", ""}, {"void_ratio", ""}, {"height", "m"}, {"grain_volume", s.dimension() == 2 ? "m^2" : "m^3"}},
        {}};
    if (s.size() == 0) return table.rows.push_back({0, NAN, 0, 0}), table;
    const double floor = floor_of(s, options), height = options.number("height").value_or(top_of(s, up) - floor);
    // Up to a given height only the parts of grains below it count.
    double volume = total_volume(s);
    if (options.number("height")) {
        volume = 0;
        const Vec3 upwards = direction_of(up);
        for (std::size_t k = 0; k < s.size(); ++k) {
            const double center = height_of(up, s.position[k]);
            volume += volume_below(s, k, upwards, center, floor + height) - volume_below(s, k, upwards, center, floor);
        }
    }
    const double density = volume / (area * height);
    table.rows.push_back({density, (1 - density) / density, height, volume});
    return table;
}

// Montanari 2017 eq. 5.1: the box is the whole container.
MeasureTable measure_void_ratio(const Snapshot& s, const MeasureOptions& options, Memory&) {
    double box = 0;
    if (const auto given = options.number("volume")) {
        box = *given;
    } else {
        const Up up = up_of(*s.scene);
        const Container c = container_of(s);
        const auto& bounds = c.bounds[static_cast<std::size_t>(up.axis)];
        if (!bounds.low || !bounds.high)
            throw Error(ErrorKind::bad_input,
                        fmt::format("void_ratio: the walls of this scene do not enclose a volume; give it as the "
                                    "option volume, e.g. {}, or measure density, which takes the highest grain",
                                    options.with("volume = 1e-3")));
        box = cross_section(s, options, up.axis) * (*bounds.high - *bounds.low);
    }
    const double grains = total_volume(s);
    const char* unit = s.dimension() == 2 ? "m^2" : "m^3";
    return {{{"void_ratio", ""}, {"porosity", ""}, {"box_volume", unit}, {"grain_volume", unit}},
            {{(box - grains) / grains, 1 - grains / box, box, grains}}};
}

// Ferrez 2001 eq. 4.5 with the corrected 4.4. A periodic axis is closed to a ring: parts of a grain beyond one end come
// in at the other.
MeasureTable measure_layers(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const int axis = options.axis("axis").value_or(up_of(*s.scene).axis);
    const std::size_t count = options.count("count", 20);
    const Ends extent = extent_of(s, options, axis);
    const double area = cross_section(s, options, axis),
                 thickness = (extent.high - extent.low) / static_cast<double>(count);
    const double period = Periodicity(s.scene->periodic).length[axis];
    std::vector<double> volume(count, 0), grains(count, 0);
    const Vec3 along = direction_of({axis, 1});
    const auto add = [&](std::size_t k, double center) {
        const double r = s.radius[k];
        const double first = std::floor((center - r - extent.low) / thickness),
                     last = std::floor((center + r - extent.low) / thickness);
        std::optional<double> below;  // the lower plane of a layer
        for (double layer = std::max(first, 0.0); layer <= last && layer < static_cast<double>(count); ++layer) {
            const double low = extent.low + layer * thickness, high = extent.low + (layer + 1) * thickness;
            const double from = below ? *below : volume_below(s, k, along, center, low),
                         to = volume_below(s, k, along, center, high);
            volume[static_cast<std::size_t>(layer)] += to - from;
            below = to;
        }
        const double own = std::floor((center - extent.low) / thickness);
        if (own >= 0 && own < static_cast<double>(count)) grains[static_cast<std::size_t>(own)] += 1;
    };
    for (std::size_t k = 0; k < s.size(); ++k) {
        const double center = s.position[k][axis];
        add(k, center);
        if (period > 0) {
            add(k, center - period);
            add(k, center + period);
        }
    }
    MeasureTable table{{{"low", "m"}, {"high", "m"}, {"density", ""}, {"grains", ""}}, {}};
    for (std::size_t j = 0; j < count; ++j) {
        const double low = extent.low + static_cast<double>(j) * thickness;
        table.rows.push_back({low, low + thickness, volume[j] / (area * thickness), grains[j]});
    }
    return table;
}

// Ferrez 2001 section 4.6: rings about the axis of a cylinder.
MeasureTable measure_rings(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const Container c = container_of(s);
    const bool flat = s.dimension() == 2;
    const int axis = flat ? 2 : options.axis("axis").value_or(c.round ? c.round->axis : up_of(*s.scene).axis);
    const std::optional<Vec3> center = options.vector("center");
    const char* const round = flat ? "center = [0, 0], radius = 0.05" : "center = [0, 0, 0], radius = 0.05";
    if (!center && !(c.round && c.round->axis == axis))
        throw Error(
            ErrorKind::bad_input,
            fmt::format(
                "rings: this scene has no cylinder along that axis; give the options center and radius, e.g. {}",
                options.with(round)));
    const Vec3 middle = center ? *center : c.round->center;
    std::optional<double> radius = options.number("radius");
    if (!radius && c.round && c.round->axis == axis) radius = c.round->radius;
    if (!radius)
        throw Error(ErrorKind::bad_input,
                    fmt::format("rings: give the outer radius too, e.g. {}", options.with(round)));
    const std::size_t count = options.count("count", 10);

    Ends extent{-0.5, 0.5};
    if (!flat) {
        const Up up = up_of(*s.scene);
        extent = extent_of(s, options, axis);
        // Without a given end, the filled height counts, as in the density of the whole.
        if (axis == up.axis && s.size() > 0 && !is_periodic(*s.scene, axis)) {
            if (up.sign > 0 && !options.number("to")) extent.high = top_of(s, up);
            if (up.sign < 0 && !options.number("from")) extent.low = -top_of(s, up);
        }
    }
    std::vector<double> within(count + 1, 0);  // volume inside the cylinders
    for (std::size_t k = 0; k < s.size(); ++k) {
        for (std::size_t j = 1; j <= count; ++j)
            within[j] +=
                volume_in_cylinder(s, k, axis, middle, *radius * static_cast<double>(j) / static_cast<double>(count),
                                   extent.low, extent.high);
    }
    MeasureTable table{{{"inner", "m"}, {"outer", "m"}, {"density", ""}}, {}};
    for (std::size_t j = 0; j < count; ++j) {
        const double inner = *radius * static_cast<double>(j) / static_cast<double>(count),
                     outer = *radius * static_cast<double>(j + 1) / static_cast<double>(count);
        table.rows.push_back({inner, outer,
                              (within[j + 1] - within[j]) /
                                  (std::numbers::pi * (outer - inner) * (outer + inner) * (extent.high - extent.low))});
    }
    return table;
}

using Kind = MeasureOption::Kind;

constexpr MeasureOption density_options[] = {
    usual::area,
    usual::floor_height,
    {"height", Kind::number, "m", "of the highest grain", "Height above the floor up to which is measured.", true}};
constexpr MeasureOption void_ratio_options[] = {
    usual::area, {"volume", Kind::number, "m^3", "the container's", "Volume of the container.", true}};
constexpr MeasureOption layers_options[] = {
    usual::axis, {"count", Kind::count, "", "20", "Number of layers.", true}, usual::from, usual::to, usual::area,
};
constexpr MeasureOption rings_options[] = {
    usual::axis,
    {"count", Kind::count, "", "10", "Number of rings.", true},
    {"center", Kind::vector, "m", "on the cylinder's axis", "A point of the axis."},
    {"radius", Kind::number, "m", "the cylinder's", "Outer radius of the last ring.", true},
    usual::from,
    usual::to};

}  // namespace

const MeasureKind density_measure{.name = "density",
                                  .doc = "solid fraction up to the highest grain",
                                  .options = density_options,
                                  .take = measure_density};
const MeasureKind void_ratio_measure{.name = "void_ratio",
                                     .doc = "void ratio and porosity of the whole container",
                                     .options = void_ratio_options,
                                     .take = measure_void_ratio};
const MeasureKind layers_measure{.name = "layers",
                                 .doc = "solid fraction by layers, with exact slices of spheres",
                                 .options = layers_options,
                                 .take = measure_layers};
const MeasureKind rings_measure{.name = "rings",
                                .doc = "solid fraction by concentric rings, with exact cuts of spheres by cylinders",
                                .options = rings_options,
                                .take = measure_rings};

}  // namespace scree
