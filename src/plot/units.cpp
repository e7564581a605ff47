#include "plot/units.h"

#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <string_view>

#include "plot/canvas.h"

namespace scree::plot {
namespace {

struct Prefix {
    int exponent;
    const char* text;
};
constexpr Prefix prefixes[] = {{-12, "p"}, {-9, "n"}, {-6, "µ"}, {-3, "m"}, {0, ""}, {3, "k"}, {6, "M"}, {9, "G"}};

// The first factor of a unit takes the prefix, if it has no power: "m/s" but not "m^3".
std::string_view first_factor(const std::string& unit) {
    return std::string_view(unit).substr(0, unit.find_first_of(" /^"));
}

bool takes_prefix(const std::string& unit, int exponent) {
    const std::string_view first = first_factor(unit);
    if (unit.substr(first.size()).starts_with("^")) return false;
    if (first == "s" || first == "kg") return exponent <= 0;
    for (const char* name : {"m", "N", "J", "Pa", "W", "Hz"})
        if (first == name) return true;
    return false;
}

// 10^exponent of the unit with its prefix; kilograms become grams.
std::string prefixed(const std::string& unit, const Prefix& prefix) {
    if (first_factor(unit) != "kg") return prefix.text + unit;
    if (prefix.exponent == 0) return unit;
    for (const Prefix& of_gram : prefixes)
        if (of_gram.exponent == prefix.exponent + 3) return of_gram.text + unit.substr(1);
    return unit;
}

}  // namespace

std::string written(const std::string& unit) {
    std::string out, factor;
    bool below = false;
    const auto flush = [&] {
        if (!factor.empty() && factor != "1") {
            int power = 1;
            if (const std::size_t hat = factor.find('^'); hat != std::string::npos) {
                std::istringstream(factor.substr(hat + 1)) >> power;
                factor.resize(hat);
            }
            if (below) power = -power;
            out += fmt::format("{}{}{}", out.empty() ? "" : " ", factor, power == 1 ? "" : superscript(power));
        }
        factor.clear();
    };
    for (const char c : unit) {
        if (c == ' ' || c == '/') flush();
        if (c == '/') below = true;
        if (c != ' ' && c != '/') factor += c;
    }
    flush();
    return out;
}

ShownUnit shown_unit(const std::string& unit, double size) {
    if (!(size > 0) || !std::isfinite(size) ||
        (size >= (unit.empty() ? 0.01 : 0.1) && size < (unit.empty() ? 1e5 : 1e4)))
        return {1, written(unit)};
    const int exponent = static_cast<int>(std::floor(std::log10(size) / 3 + 1e-9)) * 3;
    if (exponent == 0) return {1, written(unit)};
    if (takes_prefix(unit, exponent))
        for (const Prefix& prefix : prefixes)
            if (prefix.exponent == exponent && prefixed(unit, prefix) != unit)
                return {std::pow(10.0, exponent), written(prefixed(unit, prefix))};
    return {std::pow(10.0, exponent),
            fmt::format("10{}{}{}", superscript(exponent), unit.empty() ? "" : " ", written(unit))};
}

std::optional<ShownUnit> unit_meant(const std::string& text, const std::string& unit) {
    for (const Prefix& prefix : prefixes) {
        if (prefix.exponent != 0 && !takes_prefix(unit, prefix.exponent)) continue;
        const std::string name = prefixed(unit, prefix);
        if (prefix.exponent != 0 && name == unit) continue;
        if (text == name || text == written(name)) return ShownUnit{std::pow(10.0, prefix.exponent), written(name)};
    }
    return {};
}

}  // namespace scree::plot
