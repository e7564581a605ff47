// What a Laguerre tessellation of a box is made from: a center and a weight per cell. The cell of i is where
// |x − x_i|² − w_i is least. In the plane the box is 1 thick, from z = 0 on, and centers have z = 0.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "image.h"

namespace scree::micro {

struct Seeds {
    int dimension = 3;
    Vec3 low, high{1, 1, 1};
    std::array<bool, 3> periodic = {false, false, false};
    std::vector<Vec3> center;
    std::vector<double> weight;
    std::vector<Label> label;  // of the grain, unlike in all cells

    std::size_t size() const { return center.size(); }
    double box_volume() const { return (high.x - low.x) * (high.y - low.y) * (high.z - low.z); }
    // The cube root of the mean volume of a cell, in the plane the square root of the area.
    double mean_spacing() const;
};

// Rows x,y[,z],weight,label below lines that tell the box:
//     # box 0 0 0 1 1 1
//     # periodic xy
// Without them a file of seeds is refused: the cells at the border would be unknown.
std::string seeds_as_csv(const Seeds& seeds);
Seeds parse_seeds(std::string_view text, const std::string& name);
Seeds read_seeds(const std::string& path);

}  // namespace scree::micro
