// How well cells agree with the image they were fitted to.
#pragma once

#include <string>

#include "diagram.h"
#include "grain_map.h"

namespace scree::micro {

struct Comparison {
    std::size_t voxels = 0, right = 0;  // in grains; whose cell is that of their grain
    double mean_overlap = 0;            // over grains: voxels in both divided by voxels in either
    std::size_t border_voxels = 0;      // with a face to another grain
    // Root mean squares over border voxels, in lengths of the image: how far the voxel is from the cell of its grain (0
    // inside), and from the surface of that cell.
    double distance_to_cell = 0, distance_to_surface = 0;
    // Over grains, root mean squares: of volumes, relative; of centroids, in mean spacings.
    double volume_error = 0, centroid_error = 0;
    // Pairs of neighbors: of cells that share a face of at least a voxel's size, the part that touch in the image; of
    // grains that share at least four voxel faces, the part whose cells touch.
    double neighbor_precision = 1, neighbor_recall = 1;
    double mean_spacing = 0, voxel = 0;  // what the lengths may be measured by
};

// Throws Error(bad_input) if the box of the seeds is not that of the image, or a grain of the image has no seed.
Comparison compare(const GrainMap& map, const Diagram& diagram);

// The distance of a point to a cell (0 inside) and to its surface; the point relative to the cell's center.
struct CellDistance {
    double outside, surface;
};
CellDistance distance_to(const ConvexCell& cell, Vec3 point);

}  // namespace scree::micro
