// Velocities on a grid: the field itself, and the rolls of convection in a vertical plane.
#include <algorithm>
#include <cmath>

#include "measure/common_options.h"
#include "measure/container.h"

namespace scree {
namespace {

struct Cell {
    double mass = 0, count = 0;
    Vec3 momentum;
    double energy = 0;  // sum of m v^2
};

// Number of the cell along one axis, or -1 outside.
int index_of(double x, double low, double high, int count) {
    const double j = std::floor((x - low) / (high - low) * count);
    return j >= 0 && j < count ? static_cast<int>(j) : x == high ? count - 1 : -1;
}

MeasureTable measure_velocity(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const BoxExtent box = box_of(s, options);
    const Vec3 wanted = options.vector("cells").value_or(Vec3{10, 10, 10});
    int n[3] = {std::max(1, static_cast<int>(wanted.x)), std::max(1, static_cast<int>(wanted.y)),
                std::max(1, static_cast<int>(wanted.z))};
    if (s.dimension() == 2) n[2] = 1;
    std::vector<Cell> cells(static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) *
                            static_cast<std::size_t>(n[2]));
    for (std::size_t k = 0; k < s.size(); ++k) {
        int at[3];
        for (int axis = 0; axis < 3; ++axis)
            at[axis] = axis < s.dimension() ? index_of(s.position[k][axis], box.low[axis], box.high[axis], n[axis]) : 0;
        if (at[0] < 0 || at[1] < 0 || at[2] < 0) continue;
        Cell& cell = cells[static_cast<std::size_t>((at[2] * n[1] + at[1]) * n[0] + at[0])];
        cell.mass += s.mass[k];
        cell.count += 1;
        cell.momentum += s.mass[k] * s.velocity[k];
        cell.energy += s.mass[k] * norm2(s.velocity[k]);
    }
    MeasureTable table{{{"x", "m"},
                        {"y", "m"},
                        {"z", "m"},
                        {"grains", ""},
                        {"vx", "m/s"},
                        {"vy", "m/s"},
                        {"vz", "m/s"},
                        {"temperature", "m^2/s^2"}},
                       {}};
    for (int c = 0; c < n[2]; ++c)
        for (int b = 0; b < n[1]; ++b)
            for (int a = 0; a < n[0]; ++a) {
                const Cell& cell = cells[static_cast<std::size_t>((c * n[1] + b) * n[0] + a)];
                const int at[3] = {a, b, c};
                Vec3 middle, v{NAN, NAN, NAN};
                for (int axis = 0; axis < s.dimension(); ++axis)
                    middle[axis] = box.low[axis] + (at[axis] + 0.5) * (box.high[axis] - box.low[axis]) / n[axis];
                double temperature = NAN;
                if (cell.mass > 0) {
                    v = cell.momentum / cell.mass;
                    temperature = std::max(0.0, cell.energy / cell.mass - norm2(v)) / s.dimension();
                }
                table.rows.push_back({middle.x, middle.y, middle.z, cell.count, v.x, v.y, v.z, temperature});
            }
    return table;
}

// Averages over the horizontal axis that is not shown. Vorticity d(v_up)/d(across) - d(v_across)/d(up) by central
// differences between cells that hold grains.
MeasureTable measure_convection(const Snapshot& s, const MeasureOptions& options, Memory&) {
    const Up up = up_of(*s.scene);
    const BoxExtent box = box_of(s, options);
    const int across = options.axis("across").value_or(up.axis == 0 ? 1 : 0);
    const int columns = static_cast<int>(options.count("columns", 10)),
              rows = static_cast<int>(options.count("rows", 10));
    const double dx = (box.high[across] - box.low[across]) / columns,
                 dz = (box.high[up.axis] - box.low[up.axis]) / rows;
    std::vector<Cell> cells(static_cast<std::size_t>(columns * rows));
    for (std::size_t k = 0; k < s.size(); ++k) {
        const int a = index_of(s.position[k][across], box.low[across], box.high[across], columns);
        const int b = index_of(s.position[k][up.axis], box.low[up.axis], box.high[up.axis], rows);
        if (a < 0 || b < 0) continue;
        Cell& cell = cells[static_cast<std::size_t>(b * columns + a)];
        cell.mass += s.mass[k];
        cell.count += 1;
        cell.momentum += s.mass[k] * s.velocity[k];
    }
    const auto velocity = [&](int a, int b, int axis) {
        if (a < 0 || b < 0 || a >= columns || b >= rows) return static_cast<double>(NAN);
        const Cell& cell = cells[static_cast<std::size_t>(b * columns + a)];
        return cell.mass > 0 ? cell.momentum[axis] / cell.mass : NAN;
    };
    MeasureTable table{{{"across", "m"},
                        {"height", "m"},
                        {"grains", ""},
                        {"v_across", "m/s"},
                        {"v_up", "m/s"},
                        {"vorticity", "1/s"},
                        {"upward_flux", "kg/(m^2 s)"}},
                       {}};
    // What goes up through a horizontal plane, for closed boxes as much as comes down: mean over the rows.
    double third = 1;
    for (int axis = 0; axis < s.dimension(); ++axis)
        if (axis != across && axis != up.axis) third = box.high[axis] - box.low[axis];
    double upward = 0;
    for (const Cell& cell : cells) upward += std::max(0.0, up.sign * cell.momentum[up.axis]);
    upward /= (box.high[across] - box.low[across]) * (box.high[up.axis] - box.low[up.axis]) * third;
    for (int b = 0; b < rows; ++b)
        for (int a = 0; a < columns; ++a) {
            const double vorticity = up.sign * ((velocity(a + 1, b, up.axis) - velocity(a - 1, b, up.axis)) / (2 * dx) -
                                                (velocity(a, b + 1, across) - velocity(a, b - 1, across)) / (2 * dz));
            table.rows.push_back({box.low[across] + (a + 0.5) * dx, box.low[up.axis] + (b + 0.5) * dz,
                                  cells[static_cast<std::size_t>(b * columns + a)].count, velocity(a, b, across),
                                  up.sign * velocity(a, b, up.axis), vorticity, upward});
        }
    return table;
}

using Kind = MeasureOption::Kind;

constexpr MeasureOption velocity_options[] = {
    {"cells", Kind::vector, "", "[10, 10, 10]", "Cells along each axis."}, usual::box_from, usual::box_to};
constexpr MeasureOption convection_options[] = {{"across", Kind::axis, "", "x", "The horizontal axis shown."},
                                                {"columns", Kind::count, "", "10", "Cells across.", true},
                                                {"rows", Kind::count, "", "10", "Cells upwards.", true},
                                                usual::box_from,
                                                usual::box_to};

}  // namespace

const MeasureKind velocity_measure{.name = "velocity",
                                   .doc = "velocity and granular temperature on a grid",
                                   .options = velocity_options,
                                   .take = measure_velocity};
const MeasureKind convection_measure{.name = "convection",
                                     .doc = "velocity and vorticity in a vertical plane",
                                     .options = convection_options,
                                     .take = measure_convection};

}  // namespace scree
