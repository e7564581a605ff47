#include "plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/canvas.h"
#include "plot/units.h"

namespace scree::plot {
namespace {

std::vector<Tick> logarithmic_ticks(double low, double high, int wanted) {
    std::vector<Tick> out;
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9)),
              last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int stride = std::max(1, (last - first) / std::max(1, wanted) + 1);
    const bool few = last - first < 1;  // hardly a decade: 1, 2, 3, 5 and 7 of it are named
    const bool plain = first >= -3 && last <= 4;
    for (int power = first - 1; power <= last; ++power)
        for (int digit = 1; digit <= 9; ++digit) {
            const double value = digit * std::pow(10.0, power);
            if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
            const bool major =
                few ? digit <= 3 || digit == 5 || digit == 7 : digit == 1 && (power - first) % stride == 0;
            if (!major && stride > 1 && digit != 1) continue;  // no room for them
            out.push_back({value, !major ? "" : few || plain ? fmt::format("{:g}", value) : "10" + superscript(power)});
        }
    return out;
}

double size_of(double low, double high) { return std::max(std::abs(low), std::abs(high)); }

}  // namespace

std::vector<Tick> ticks(double low, double high, int wanted, bool logarithmic) {
    std::vector<Tick> out;
    if (logarithmic) {
        out = logarithmic_ticks(low, high, wanted);
        if (std::count_if(out.begin(), out.end(), [](const Tick& tick) { return !tick.label.empty(); }) >= 2)
            return out;
        out.clear();  // so short a range is named as if it were linear
    }
    const double rough = (high - low) / std::max(1, wanted), power = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = rough <= power * 1.0001   ? power
                        : rough <= 2.0001 * power ? 2 * power
                        : rough <= 5.0001 * power ? 5 * power
                                                  : 10 * power;
    const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
        out.push_back({k * step, fmt::format("{:.{}f}", k == 0 ? 0.0 : k * step, digits)});
    return out;
}

bool Scale::shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }

double Scale::at(double value) const {
    const double v = value / factor;
    const double t = logarithmic ? (std::log10(v) - std::log10(low)) / (std::log10(high) - std::log10(low))
                                 : (v - low) / (high - low);
    return from + t * (to - from);
}

Scale scale_of(const Axis& axis, double low, double high, bool room) {
    const bool logarithmic = axis.logarithmic;
    if (axis.range) {
        std::tie(low, high) = *axis.range;
    } else if (low > high) {  // nothing to show
        low = logarithmic ? 1 : 0;
        high = logarithmic ? 10 : 1;
    } else if (logarithmic) {
        if (low == high) {
            low /= 2;
            high *= 2;
        } else if (room) {
            const double part = std::pow(high / low, 0.04);
            low /= part;
            high *= part;
        }
    } else if (const double size = size_of(low, high); high - low <= 1e-12 * size || size == 0) {
        // A constant is drawn in the middle, whatever rounding makes of it.
        const double half = size > 0 ? 0.1 * size : 1;
        low -= half;
        high += half;
    } else if (room) {
        const double part = 0.05 * (high - low);
        low -= low == 0 ? 0 : part;
        high += part;
    }
    // Logarithmic axes name powers of ten themselves.
    ShownUnit unit = logarithmic ? ShownUnit{1, written(axis.unit)} : shown_unit(axis.unit, size_of(low, high));
    std::string label = axis.name + (unit.text.empty() ? "" : " / " + unit.text);
    if (!axis.label.empty()) {
        label = axis.label;
        const std::size_t slash = label.rfind(" / ");
        unit = unit_meant(slash == std::string::npos ? "" : label.substr(slash + 3), axis.unit).value_or(ShownUnit{});
    }
    return {low / unit.factor, high / unit.factor, logarithmic, 0, 1, unit.factor, label};
}

}  // namespace scree::plot
