// Stress by layer, by grain, and on a wall. Compression is positive, as in soil mechanics.
//
// The stress of a volume is 1/V (sum over contacts of force (x) branch, plus the flux of momentum by velocities about
// the mean). A contact's share in a layer is the part of its branch that lies in it (Babic 1997, Goldhirsch 2010, with
// lines): then the mean stress across a layer is exactly the mean force carried through its planes, also for layers
// thinner than a grain. Giving a contact to the layer of its point is simpler and wrong by the ratio of grain to layer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/periodicity.h"
#include "measure/common_options.h"
#include "measure/container.h"
#include "measure/symmetric.h"
#include "scree/error.h"

namespace scree {
namespace {

std::vector<MeasureColumn> with_tensor(std::vector<MeasureColumn> columns) {
    for (const char* name : {"pressure", "sxx", "syy", "szz", "sxy", "sxz", "syz"}) columns.push_back({name, "Pa"});
    return columns;
}

void append(std::vector<double>& row, const Symmetric& m, int dimension) {
    row.insert(row.end(), {m.trace() / dimension, m.xx, m.yy, m.zz, m.xy, m.xz, m.yz});
}

MeasureTable measure_stress(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const int axis = options.axis("axis").value_or(up_of(*s.scene).axis);
    const std::size_t count = options.count("count", 1);
    const Ends extent = extent_of(s, options, axis);
    const double thickness = (extent.high - extent.low) / static_cast<double>(count),
                 volume = cross_section(s, options, axis) * thickness;
    const double period = Periodicity(s.scene->periodic).length[axis];
    std::vector<Symmetric> stress(count);

    const auto add_line = [&](const SnapshotContact& c, double end) {  // end: of the branch at a
        const double begin = end - c.branch[axis], low = std::min(begin, end), high = std::max(begin, end);
        const double first = std::max(std::floor((low - extent.low) / thickness), 0.0);
        for (double j = first; j < static_cast<double>(count) && extent.low + j * thickness <= high; ++j) {
            const double from = extent.low + j * thickness, to = extent.low + (j + 1) * thickness;
            // A branch along the layer lies in one of them whole.
            const double share = high > low ? std::max(0.0, std::min(high, to) - std::max(low, from)) / (high - low)
                                 : low >= from && low < to ? 1.0
                                                           : 0.0;
            if (share > 0) stress[static_cast<std::size_t>(j)].add(share / volume, c.force, c.branch);
        }
    };
    for (const SnapshotContact& c : s.contacts) {
        const double end = s.position[c.a][axis];
        add_line(c, end);
        if (period > 0) {
            add_line(c, end - period);
            add_line(c, end + period);
        }
    }
    if (options.yes("kinetic", true)) {
        std::vector<double> mass(count, 0);
        std::vector<Vec3> momentum(count);
        const auto layer = [&](std::size_t k) { return std::floor((s.position[k][axis] - extent.low) / thickness); };
        const auto in = [&](double j) { return j >= 0 && j < static_cast<double>(count); };
        for (std::size_t k = 0; k < s.size(); ++k)
            if (const double j = layer(k); in(j)) {
                mass[static_cast<std::size_t>(j)] += s.mass[k];
                momentum[static_cast<std::size_t>(j)] += s.mass[k] * s.velocity[k];
            }
        for (std::size_t k = 0; k < s.size(); ++k)
            if (const double j = layer(k); in(j)) {
                const auto at = static_cast<std::size_t>(j);
                const Vec3 about_mean = s.velocity[k] - momentum[at] / mass[at];
                stress[at].add(s.mass[k] / volume, about_mean, about_mean);
            }
    }
    MeasureTable table{with_tensor({{"low", "m"}, {"high", "m"}}), {}};
    for (std::size_t j = 0; j < count; ++j) {
        const double low = extent.low + static_cast<double>(j) * thickness;
        std::vector<double> row{low, low + thickness};
        append(row, stress[j], s.dimension());
        table.rows.push_back(std::move(row));
    }
    return table;
}

// Of the grain's own volume: each contact acts at its point, seen from the center (Weber 1966).
MeasureTable measure_grain_stress(const Snapshot& s, const MeasureOptions&, Memory&) {
    std::vector<Symmetric> stress(s.size());
    for (const SnapshotContact& c : s.contacts) {
        if (!s.shape.empty()) {
            stress[c.a].add(-1 / s.volume[c.a], c.force, nearest_image(*s.scene, c.point - s.position[c.a]));
            if (!c.is_wall())
                stress[c.b].add(1 / s.volume[c.b], c.force, nearest_image(*s.scene, c.point - s.position[c.b]));
            continue;
        }
        // The surfaces meet in the middle of the overlap; a wall does not give way.
        const double reach_a = s.radius[c.a] - (c.is_wall() ? c.overlap : c.overlap / 2);
        stress[c.a].add(reach_a / s.volume[c.a], c.force, c.normal);
        if (!c.is_wall()) stress[c.b].add((s.radius[c.b] - c.overlap / 2) / s.volume[c.b], c.force, c.normal);
    }
    MeasureTable table{with_tensor({{"id", ""}, {"x", "m"}, {"y", "m"}, {"z", "m"}}), {}};
    for (std::size_t k = 0; k < s.size(); ++k) {
        std::vector<double> row{static_cast<double>(s.id[k]), s.position[k].x, s.position[k].y, s.position[k].z};
        append(row, stress[k], s.dimension());
        table.rows.push_back(std::move(row));
    }
    return table;
}

// Forces on a wall by height over its area, for the curve of Janssen (1895).
MeasureTable measure_wall_pressure(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const auto name = options.word("wall");
    if (!name)
        throw Error(ErrorKind::bad_input,
                    fmt::format("wall_pressure: say which wall, e.g. {}", options.with("wall = \"side\"")));
    std::size_t wall = 0;
    while (wall < s.scene->walls.size() && s.scene->walls[wall].name != *name) ++wall;
    const WallShape& shape = s.scene->walls.at(wall).shape;
    const Up up = up_of(*s.scene);
    const int axis = options.axis("axis").value_or(up.axis);

    double perimeter = 0;
    Ends extent = extent_of(s, options, axis);
    if (const auto given = options.number("perimeter"))
        perimeter = *given;
    else if (const auto* cylinder = std::get_if<CylinderWall>(&shape))
        perimeter = s.dimension() == 2 ? 2 : 2 * std::numbers::pi * cylinder->radius;
    else if (const auto* box = std::get_if<BoxWall>(&shape); box && s.dimension() == 3) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        perimeter = 2 * (box->max[u] - box->min[u] + box->max[v] - box->min[v]);
        if (is_periodic(*s.scene, u)) perimeter = 2 * (box->max[u] - box->min[u]);
        if (is_periodic(*s.scene, v)) perimeter = is_periodic(*s.scene, u) ? 0 : 2 * (box->max[v] - box->min[v]);
    } else if (box) {
        perimeter = 2;  // two sides of unit depth
    }
    if (!(perimeter > 0))
        throw Error(ErrorKind::bad_input,
                    fmt::format("wall_pressure: the wall \"{}\" has no known length around the axis; give it as "
                                "the option perimeter, e.g. {}",
                                *name, options.with(fmt::format("wall = \"{}\", perimeter = 0.3", *name))));
    if (const auto* cylinder = std::get_if<CylinderWall>(&shape)) {
        if (!options.number("from")) extent.low = std::min(cylinder->from[axis], cylinder->to[axis]);
        if (!options.number("to")) extent.high = std::max(cylinder->from[axis], cylinder->to[axis]);
    }
    const std::size_t count = options.count("count", 20);
    const double thickness = (extent.high - extent.low) / static_cast<double>(count);
    struct Sum {
        double normal = 0, shear = 0, contacts = 0;
    };
    std::vector<Sum> sums(count);
    for (const SnapshotContact& c : s.contacts) {
        if (c.wall != static_cast<std::int32_t>(wall)) continue;
        // Floor and lid of a box carry weight; they are not the side.
        if (std::abs(c.normal[axis]) > 0.5) continue;
        const double height =
            s.has_shape(c.a) ? c.point[axis] : s.position[c.a][axis];  // spheres touch a side at their own height
        const double j = std::floor((height - extent.low) / thickness);
        if (j < 0 || j >= static_cast<double>(count)) continue;
        Sum& sum = sums[static_cast<std::size_t>(j)];
        sum.normal += dot(c.force, c.normal);
        sum.shear += up.axis == axis ? up.sign * c.force[axis] : c.force[axis];  // what holds the grains up
        sum.contacts += 1;
    }
    MeasureTable table{{{"low", "m"}, {"high", "m"}, {"pressure", "Pa"}, {"shear", "Pa"}, {"contacts", ""}}, {}};
    for (std::size_t j = 0; j < count; ++j) {
        const double low = extent.low + static_cast<double>(j) * thickness, area = perimeter * thickness;
        table.rows.push_back({low, low + thickness, sums[j].normal / area, sums[j].shear / area, sums[j].contacts});
    }
    return table;
}

using Kind = MeasureOption::Kind;

constexpr MeasureOption stress_options[] = {
    usual::axis, {"count", Kind::count, "", "1", "Number of layers.", true},
    usual::from, usual::to,
    usual::area, {"kinetic", Kind::yes_no, "", "true", "The flux of momentum counts."},
};
constexpr MeasureOption wall_pressure_options[] = {
    {"wall", Kind::wall, "", "none: must be given", "Name of the wall."},
    usual::axis,
    {"count", Kind::count, "", "20", "Number of layers.", true},
    usual::from,
    usual::to,
    {"perimeter", Kind::number, "m", "the cylinder's or box's", "Length of the wall around the axis.", true}};

}  // namespace

const MeasureKind stress_measure{.name = "stress",
                                 .doc = "stress tensor by layers",
                                 .options = stress_options,
                                 .take = measure_stress,
                                 .contacts = true};
const MeasureKind grain_stress_measure{.name = "grain_stress",
                                       .doc = "stress tensor of every grain",
                                       .options = {},
                                       .take = measure_grain_stress,
                                       .fixed_rows = false,
                                       .contacts = true};
const MeasureKind wall_pressure_measure{.name = "wall_pressure",
                                        .doc = "pressure and shear on a wall over height",
                                        .options = wall_pressure_options,
                                        .take = measure_wall_pressure,
                                        .contacts = true};

}  // namespace scree
