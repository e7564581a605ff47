#include "guards.h"

#include <algorithm>
#include <cmath>

namespace scree::tri {

std::vector<Row> guard_rows(const Row& low, const Row& high, double spacing, int dimension) {
    int parts[3] = {0, 0, 0};
    for (int k = 0; k < dimension; ++k)
        parts[k] = std::max(1, static_cast<int>(std::ceil((high.c[k] - low.c[k]) / spacing)));
    std::vector<Row> rows;
    for (int i = 0; i <= parts[0]; ++i)
        for (int j = 0; j <= parts[1]; ++j)
            for (int k = 0; k <= parts[2]; ++k) {
                const int at[3] = {i, j, k};
                bool border = false;
                Row row{{0, 0, 0, 0}};
                for (int m = 0; m < dimension; ++m) {
                    border = border || at[m] == 0 || at[m] == parts[m];
                    row.c[m] = low.c[m] + std::floor((high.c[m] - low.c[m]) * at[m] / parts[m]);
                }
                if (border) rows.push_back(row);
            }
    return rows;
}

}  // namespace scree::tri
