#include <algorithm>
#include <string_view>

#include "io/series.h"

namespace scree {
namespace {

constexpr std::string_view energies[] = {"kinetic", "rotational", "potential", "elastic"};

std::string spaced(std::string text) {
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

// wall.NAME.COLUMN, in which the name may have dots.
SeriesColumn wall_column(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    const std::string wall = name.substr(5, std::max<std::size_t>(dot, 5) - 5), column = name.substr(dot + 1);
    const std::string axis = column.empty() ? "" : column.substr(column.size() - 1);
    if (column.starts_with('f')) return {"force on " + wall + ", " + axis, "N"};
    if (column.starts_with('t')) return {"torque on " + wall + ", " + axis, "N m"};
    if (column.starts_with('v')) return {"velocity of " + wall + ", " + axis, "m/s"};
    return {"displacement of " + wall + ", " + axis, "m"};
}

}  // namespace

SeriesColumn series_column(const std::string& name) {
    if (name.starts_with("wall.")) return wall_column(name);
    if (name == "time") return {"time", "s"};
    if (name == "mean_angle") return {"mean angle", "rad"};
    if (name == "max_overlap") return {"largest overlap over radius", ""};
    if (name == "energy_total") return {"total energy", "J"};
    if (std::find(std::begin(energies), std::end(energies), name) != std::end(energies)) return {name + " energy", "J"};
    for (const char* part : {"energy", "dissipated", "work"})
        if (name.find(part) != std::string::npos) return {spaced(name), "J"};
    return {spaced(name), ""};
}

}  // namespace scree
