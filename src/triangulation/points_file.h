// Reading weighted points from text: rows x,y[,z],r or x,y[,z],weight.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "predicates.h"

namespace scree::tri {

struct Points {
    int dimension = 0;  // 2 or 3
    std::vector<Row> rows;
};

// A header names the columns x, y, z, r (or radius), weight in any order, and others that are ignored; without one the
// last column is the radius, and three columns are x, y, r. Fields are separated by commas, semicolons or blanks. Blank
// lines and what follows a # are skipped. `name` stands for the file in messages. Throws Error (bad_input) that lists
// what is wrong with line and column.
Points read_points(std::string_view text, const std::string& name);

}  // namespace scree::tri
