// One axis of a chart: its range, ticks and label.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scree::plot {

struct Axis {
    std::string name;
    std::string unit = {};     // "kg/m^3"; empty for pure numbers
    bool logarithmic = false;  // values that are not positive are left out
    // In place of name and unit, as printed. Where it ends with " / UNIT", the axis is in this multiple of its unit.
    std::string label = {};
    std::optional<std::pair<double, double>> range = {};  // in the unit, in place of that of the values
};

struct Tick {
    double value;
    std::string label;  // empty for a minor one
};
// Round values within [low, high], about `wanted`: 1, 2 or 5 times a power of ten; on a logarithmic axis powers of ten,
// and minor ticks at 2, 3, ... 9 times them.
std::vector<Tick> ticks(double low, double high, int wanted, bool logarithmic);

// From values to points on the paper. Values are in the unit that the axis shows.
struct Scale {
    double low = 0, high = 1;
    bool logarithmic = false;
    double from = 0, to = 1;  // on the paper
    double factor = 1;        // of the unit shown
    std::string label;

    bool shows(double value) const;
    double at(double value) const;  // of a value in the plain unit
    std::vector<Tick> ticks(int wanted) const { return plot::ticks(low, high, wanted, logarithmic); }
};

// The scale of an axis for values from low to high (low > high: there are none). `room`: some space beyond them.
Scale scale_of(const Axis& axis, double low, double high, bool room);

}  // namespace scree::plot
