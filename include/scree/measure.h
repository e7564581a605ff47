// Measures: density, stress, flow, coordination, cells and others, of a simulation or of a moment of a run folder.
// docs/measures.md defines each one, its options and its columns.
//
// A measure is asked for as on the command line of `scree measure`: its name, then options in the words of TOML:
//     "coordination"     "layers:axis=z,count=20"     "flow:point=[0,0,0]"
// What is wrong with such a text is thrown as Error(usage) with the nearest name that exists; what a scene does not
// have, as Error(bad_input) that tells which option would help.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scree/export.h"

namespace scree {

struct TableColumn {
    std::string name, unit;  // unit "" for pure numbers
    friend bool operator==(const TableColumn&, const TableColumn&) = default;
};

// What a measure gives, and the rows of series.csv. Unknown values are NaN.
struct Table {
    std::vector<TableColumn> columns;
    std::vector<std::vector<double>> rows;  // each as long as columns

    std::size_t size() const { return rows.size(); }

    // The number of a column. Throws Error(usage) with the nearest name for one that does not exist.
    SCREE_EXPORT std::size_t column_of(std::string_view name) const;
    // A whole column, copied.
    SCREE_EXPORT std::vector<double> column(std::string_view name) const;
    // The value of a table of one row, as most measures give. Throws Error(usage) when there are more or none: say
    // which row.
    SCREE_EXPORT double value(std::string_view name) const;
    double value(std::string_view name, std::size_t row) const { return rows.at(row)[column_of(name)]; }
};

// The names of all measures.
SCREE_EXPORT std::vector<std::string> measure_names();

}  // namespace scree
