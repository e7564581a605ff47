// Grains listed in a CSV file, for `place = { file = ... }`.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/csv.h"
#include "scree/scene.h"
#include "shape/rotation.h"

namespace scree {

struct GrainFile {
    struct Row {
        Vec3 position, velocity, spin;
        double size;                            // radius of a sphere, scale of another shape
        std::optional<Quaternion> orientation;  // of the axes in which the shape is given
    };
    CsvTable table;
    std::vector<Row> rows;
    int size_column;  // -1 where all scales are 1
};

// Columns x, y, z (2D: x, y), of spheres radius; of others may be scale and all of qw, qx, qy, qz. A column shape must
// name the group's in every row. What is not told of velocity and spin is the group's. Throws Error (bad_input), at the
// line of the file where there is one.
GrainFile read_grain_file(const Scene& scene, std::size_t group, const std::string& file, bool spheres);

}  // namespace scree
