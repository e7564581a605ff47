// How well shaped the elements of a mesh are (element_quality.h).
#pragma once

#include <array>

#include "mesh.h"

namespace scree::micro {

struct MeshQuality {
    double least = 0, mean = 0;
    double least_angle = 0, largest_angle = 0;  // dihedral, in the plane of corners; degrees
    double mean_edge = 0;
    std::array<std::size_t, 18> angles{};  // least angles of elements: 0 to 5 degrees, 5 to 10, ...
};
double element_quality(const Mesh& mesh, std::size_t element);
MeshQuality quality_of(const Mesh& mesh);

}  // namespace scree::micro
