#include "measure/structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.h"
#include "math/periodicity.h"
#include "measure/common_options.h"
#include "scree/error.h"
#include "triangulation/dual.h"
#include "triangulation/triangulation.h"

namespace scree {
namespace {

struct Sites {
    std::vector<tri::Row> rows;
    std::vector<std::uint32_t> owner;  // row of the snapshot
    std::vector<bool> mirror;
    std::vector<Vec3> shift;
};

Sites sites_of(const Snapshot& s, double margin) {
    Sites sites;
    const int dimension = s.dimension();
    const auto add = [&](std::size_t k, Vec3 x, bool mirror) {
        const double r = s.radius[k];
        sites.rows.push_back({{x.x, x.y, dimension == 3 ? x.z : 0, r * r}});
        sites.owner.push_back(static_cast<std::uint32_t>(k));
        sites.mirror.push_back(mirror);
        sites.shift.push_back(x - s.position[k]);
    };
    for (std::size_t k = 0; k < s.size(); ++k) add(k, s.position[k], false);
    // Images beyond each periodic border, axis after axis, so that edges and corners follow.
    for (int axis = 0; axis < dimension; ++axis) {
        if (!is_periodic(*s.scene, axis)) continue;
        const Periodicity box(s.scene->periodic);
        const double period = box.length[axis], first = box.low[axis], last = first + period;
        const std::size_t before = sites.rows.size();
        for (std::size_t k = 0; k < before; ++k)
            for (double turn = 1; (turn - 1) * period < margin; ++turn)
                for (const double sign : {-1.0, 1.0}) {
                    tri::Row row = sites.rows[k];
                    row.c[axis] += sign * turn * period;
                    if (row.c[axis] < first - margin || row.c[axis] > last + margin) continue;
                    Vec3 shift = sites.shift[k];
                    shift[axis] += sign * turn * period;
                    sites.rows.push_back(row);
                    sites.owner.push_back(sites.owner[k]);
                    sites.mirror.push_back(false);
                    sites.shift.push_back(shift);
                }
    }
    const Container c = container_of(s);
    if (c.round && dimension == 3) {
        const std::size_t before = sites.rows.size();
        for (std::size_t k = 0; k < before; ++k) {
            Vec3 d = s.position[sites.owner[k]] + sites.shift[k] - c.round->center;
            const double along = d[c.round->axis];
            d[c.round->axis] = 0;
            const double p = norm(d);
            if (p <= 0 || p >= c.round->radius || p < c.round->radius - margin) continue;
            Vec3 x = c.round->center + ((2 * c.round->radius - p) / p) * d;
            x[c.round->axis] += along;
            sites.rows.push_back({{x.x, x.y, x.z, sites.rows[k].c[3]}});
            sites.owner.push_back(sites.owner[k]);
            sites.mirror.push_back(true);
            sites.shift.push_back({});
        }
    }
    return sites;
}

// Between two sites their radical plane; of the box its side -2 - neighbor.
LaguerreCells::Plane plane_of(const Sites& sites, const tri::Box& box, std::size_t k, tri::Index neighbor) {
    LaguerreCells::Plane plane{{}, 0, -1};
    if (neighbor < 0) {
        const int side = -2 - neighbor, axis = side / 2;
        plane.normal[axis] = side % 2 ? 1 : -1;
        plane.offset = side % 2 ? box.high[axis] : -box.low[axis];
        return plane;
    }
    const auto j = static_cast<std::size_t>(neighbor);
    const double *a = sites.rows[k].c, *b = sites.rows[j].c;
    const Vec3 x{a[0], a[1], a[2]}, d = Vec3{b[0], b[1], b[2]} - x;
    // Distances from x along d: where |p|^2 - w_a = |p - d|^2 - w_b.
    const double length = norm(d);
    plane.normal = d / length;
    plane.offset = dot(plane.normal, x) + (length * length + a[3] - b[3]) / (2 * length);
    if (!sites.mirror[j]) plane.neighbor = sites.owner[j];
    return plane;
}

}  // namespace

LaguerreCells laguerre_cells(const Snapshot& s, const MeasureOptions& options, bool with_planes) {
    LaguerreCells result;
    result.box = box_of(s, options);
    result.cells.resize(s.size());
    if (s.size() == 0) return result;
    const int dimension = s.dimension();
    double largest = 0, longest = 0, whole = 1;
    bool all_periodic = true;
    for (const double r : s.radius) largest = std::max(largest, r);
    for (int axis = 0; axis < dimension; ++axis) {
        const double length = result.box.high[axis] - result.box.low[axis];
        whole *= length;
        if (is_periodic(*s.scene, axis))
            longest = std::max(longest, length);
        else
            all_periodic = false;
    }
    // The box cuts what is not periodic; periodic axes are closed by the images.
    tri::Box clip;
    for (int axis = 0; axis < 3; ++axis) {
        const double length = result.box.high[axis] - result.box.low[axis];
        const bool open = is_periodic(*s.scene, axis) || axis >= dimension;
        clip.low[axis] = result.box.low[axis] - (open ? 4 * length : 0);
        clip.high[axis] = result.box.high[axis] + (open ? 4 * length : 0);
    }
    for (double margin = 6 * largest;; margin *= 2) {
        const Sites sites = sites_of(s, margin);
        tri::Triangulation triangulation(dimension);
        triangulation.build(sites.rows);
        if (triangulation.dimension() != dimension)
            throw Error(
                ErrorKind::bad_input,
                fmt::format("{}: the centers of these {} grains lie in a plane or on a line; they have no cells",
                            options.measure(), s.size()));
        parallel_for(
            s.size(),
            [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = begin; k < end; ++k) {
                    const tri::DualCell cell = tri::dual_cell(triangulation, static_cast<tri::Index>(k), &clip);
                    auto& out = result.cells[k] = {cell.volume, false, 0, {}};
                    for (const tri::DualFacet& facet : cell.facets) {
                        if (with_planes) out.planes.push_back(plane_of(sites, clip, k, facet.neighbor));
                        if (facet.neighbor < 0 || sites.mirror[static_cast<std::size_t>(facet.neighbor)])
                            out.at_border = true;
                        else
                            ++out.neighbors;
                    }
                }
            },
            256);
        result.edges.clear();
        result.edge_vectors.clear();
        for (const auto& [i, j] : triangulation.edges()) {
            const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
            if (sites.mirror[a] || sites.mirror[b]) continue;
            const bool real_a = a < s.size(), real_b = b < s.size();
            if (!real_a && !real_b) continue;
            // An edge to an image is met from both sides; the lower owner keeps it.
            const auto from = sites.owner[a], to = sites.owner[b];
            if (!(real_a && real_b) && (real_a ? from > to : to > from)) continue;
            const Vec3 d = s.position[to] + sites.shift[b] - s.position[from] - sites.shift[a];
            if (from <= to) {
                result.edges.push_back({from, to});
                result.edge_vectors.push_back(d);
            } else {
                result.edges.push_back({to, from});
                result.edge_vectors.push_back(-d);
            }
        }
        double sum = 0;
        for (const auto& cell : result.cells) sum += cell.volume;
        // Cells of a box fill it; if they do not, an image was missing.
        const bool filled = longest == 0 || container_of(s).round || std::abs(sum - whole) <= 1e-9 * whole;
        if (filled || margin > 2 * longest || (!all_periodic && options.vector("from"))) return result;
    }
}

namespace {

MeasureTable measure_cells(const Snapshot& s, const MeasureOptions& options, Memory&) {
    LaguerreCells cells;
    try {
        cells = laguerre_cells(s, options);
    } catch (const Error&) {  // few or flat grains have no cells; the table says so
        cells.cells.assign(s.size(), {NAN, true, 0, {}});
    }
    const char* unit = s.dimension() == 2 ? "m^2" : "m^3";
    MeasureTable table{{{"id", ""},
                        {"x", "m"},
                        {"y", "m"},
                        {"z", "m"},
                        {"radius", "m"},
                        {"cell_volume", unit},
                        {"density", ""},
                        {"porosity", ""},
                        {"neighbors", ""},
                        {"border", ""}},
                       {}};
    for (std::size_t k = 0; k < s.size(); ++k) {
        const auto& cell = cells.cells[k];
        const double density = cell.volume > 0 ? s.volume[k] / cell.volume : NAN;
        table.rows.push_back({static_cast<double>(s.id[k]), s.position[k].x, s.position[k].y, s.position[k].z,
                              s.radius[k], cell.volume, density, 1 - density, static_cast<double>(cell.neighbors),
                              cell.at_border ? 1.0 : 0.0});
    }
    return table;
}

// Pairs by distance over those of as many independent uniform points in the same box. A box seen through a window of
// directions has the mean overlap V prod(1 - r|n_i|/L_i) with itself shifted by r n; averaged over directions that is a
// polynomial in r, so an ideal gas gives 1 on average up to the borders, without a margin that wastes grains. Periodic
// axes lose nothing.
MeasureTable measure_rdf(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const int dimension = s.dimension();
    BoxExtent box = box_of(s, options);
    // Centers keep away from walls: without given ends the box is that of the centers.
    for (int axis = 0; axis < dimension; ++axis) {
        if (is_periodic(*s.scene, axis)) continue;
        double low = forever, high = -forever;
        for (const Vec3& x : s.position) {
            low = std::min(low, x[axis]);
            high = std::max(high, x[axis]);
        }
        if (!options.vector("from")) box.low[axis] = low;
        if (!options.vector("to")) box.high[axis] = high;
    }
    double diameter = 0, volume = 1, limit = forever, length[3] = {1, 1, 1};
    for (const double r : s.radius) diameter += 2 * r / static_cast<double>(s.size());
    std::vector<int> open;  // axes that are not periodic
    for (int axis = 0; axis < dimension; ++axis) {
        length[axis] = box.high[axis] - box.low[axis];
        volume *= length[axis];
        const bool periodic = is_periodic(*s.scene, axis);
        if (!periodic) open.push_back(axis);
        limit = std::min(limit, periodic ? length[axis] / 2 : length[axis]);
    }
    const std::size_t count = options.count("count", 100);
    MeasureTable table{{{"low", "m"}, {"high", "m"}, {"g", ""}, {"pairs", ""}}, {}};
    if (s.size() < 2 || !(limit > 0))
        return table.rows.assign(count, {NAN, NAN, NAN, 0}), table;  // no box, or nobody in it
    const double most = std::min(options.number("most").value_or(5 * diameter), limit);
    const double width = most / static_cast<double>(count);

    // A grid of cells not smaller than the longest distance; periodic neighbors by wrapping.
    std::vector<std::uint32_t> inside;
    for (std::uint32_t k = 0; k < s.size(); ++k) {
        bool in = true;
        for (int axis = 0; axis < dimension; ++axis)
            in = in && s.position[k][axis] >= box.low[axis] && s.position[k][axis] <= box.high[axis];
        if (in) inside.push_back(k);
    }
    int cells[3] = {1, 1, 1};
    for (int axis = 0; axis < dimension; ++axis) cells[axis] = std::clamp(static_cast<int>(length[axis] / most), 1, 64);
    const auto cell_at = [&](const int* at) {
        return static_cast<std::size_t>((at[2] * cells[1] + at[1]) * cells[0] + at[0]);
    };
    const auto place = [&](std::uint32_t k, int* at) {
        for (int axis = 0; axis < 3; ++axis)
            at[axis] =
                axis < dimension
                    ? std::clamp(static_cast<int>((s.position[k][axis] - box.low[axis]) / length[axis] * cells[axis]),
                                 0, cells[axis] - 1)
                    : 0;
    };
    std::vector<std::vector<std::uint32_t>> grid(static_cast<std::size_t>(cells[0] * cells[1] * cells[2]));
    for (const std::uint32_t k : inside) {
        int at[3];
        place(k, at);
        grid[cell_at(at)].push_back(k);
    }
    std::vector<double> pairs(count, 0);
    for (const std::uint32_t k : inside) {
        int at[3];
        place(k, at);
        std::vector<std::size_t> around;
        for (int c = -1; c <= 1; ++c)
            for (int b = -1; b <= 1; ++b)
                for (int a = -1; a <= 1; ++a) {
                    int to[3] = {at[0] + a, at[1] + b, at[2] + c};
                    bool there = true;
                    for (int axis = 0; axis < 3; ++axis) {
                        if (axis < dimension && is_periodic(*s.scene, axis))
                            to[axis] = (to[axis] + cells[axis]) % cells[axis];
                        there = there && to[axis] >= 0 && to[axis] < cells[axis];
                    }
                    if (there) around.push_back(cell_at(to));
                }
        std::sort(around.begin(), around.end());
        around.erase(std::unique(around.begin(), around.end()), around.end());
        for (const std::size_t cell : around)
            for (const std::uint32_t j : grid[cell]) {
                if (j <= k) continue;
                const double r = norm(nearest_image(*s.scene, s.position[j] - s.position[k]));
                if (r < most) pairs[std::min(count - 1, static_cast<std::size_t>(r / width))] += 1;
            }
    }
    // Coefficients of the mean overlap by powers of r: elementary symmetric sums of -1/L over the open axes times the
    // mean of |n_1 .. n_k| over directions.
    const double mean[2][4] = {{1, 2 / std::numbers::pi, 1 / std::numbers::pi, 0},
                               {1, 0.5, 2 / (3 * std::numbers::pi), 1 / (4 * std::numbers::pi)}};
    double coefficient[4] = {1, 0, 0, 0};
    for (const int axis : open)
        for (int power = 3; power > 0; --power) coefficient[power] -= coefficient[power - 1] / length[axis];
    const auto primitive = [&](double r) {
        double sum = 0;
        for (int k = 0; k <= 3; ++k)
            sum += coefficient[k] * mean[dimension - 2][k] * std::pow(r, dimension + k) / (dimension + k);
        return sum * (dimension == 2 ? 2 : 4) * std::numbers::pi;
    };
    const auto n = static_cast<double>(inside.size());
    for (std::size_t j = 0; j < count; ++j) {
        const double low = static_cast<double>(j) * width, high = low + width;
        const double expected = n * (n - 1) / 2 * (primitive(high) - primitive(low)) / volume;
        table.rows.push_back({low, high, expected > 0 ? pairs[j] / expected : NAN, pairs[j]});
    }
    return table;
}

using Kind = MeasureOption::Kind;

constexpr MeasureOption cells_options[] = {usual::box_from, usual::box_to};
constexpr MeasureOption rdf_options[] = {{"count", Kind::count, "", "100", "Number of bins.", true},
                                         {"most", Kind::number, "m", "5 mean diameters", "Largest distance.", true},
                                         usual::box_from,
                                         usual::box_to};

}  // namespace

const MeasureKind cells_measure{.name = "cells",
                                .doc = "Laguerre cell and local porosity of every grain",
                                .options = cells_options,
                                .take = measure_cells,
                                .fixed_rows = false};
const MeasureKind rdf_measure{
    .name = "rdf", .doc = "radial distribution function of the centers", .options = rdf_options, .take = measure_rdf};

}  // namespace scree
