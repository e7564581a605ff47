// Units as axes show them: with the prefix that makes the numbers short, and written as journals do.
#pragma once

#include <optional>
#include <string>

namespace scree::plot {

// "kg/m^3" as "kg m⁻³".
std::string written(const std::string& unit);

struct ShownUnit {
    double factor = 1;  // how many of the plain unit one of these is
    std::string text;   // "kPa", "10⁻⁶ m³", or nothing
};

// The unit with a prefix, or with a power of ten where it takes none, in which values up to `size` are easy to read.
ShownUnit shown_unit(const std::string& unit, double size);

// "kPa" for the unit "Pa": with its prefix, in either way of writing. None when the text is another unit.
std::optional<ShownUnit> unit_meant(const std::string& text, const std::string& unit);

}  // namespace scree::plot
