#include <fmt/format.h>

#include "core/nearest.h"
#include "scree/error.h"
#include "scree/measure.h"

namespace scree {

std::size_t Table::column_of(std::string_view name) const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k].name == name) return k;
        names.push_back(columns[k].name);
    }
    throw Error(ErrorKind::usage, fmt::format("the table has no column \"{}\"{}; it has: {}", name,
                                              nearest_hint(std::string(name), names), fmt::join(names, ", ")));
}

std::vector<double> Table::column(std::string_view name) const {
    const std::size_t at = column_of(name);
    std::vector<double> values;
    for (const std::vector<double>& row : rows) values.push_back(row[at]);
    return values;
}

double Table::value(std::string_view name) const {
    if (rows.size() != 1)
        throw Error(
            ErrorKind::usage,
            fmt::format("the table has {} rows: say of which one the value of \"{}\" is meant", rows.size(), name));
    return rows[0][column_of(name)];
}

}  // namespace scree
