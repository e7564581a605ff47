// The Laguerre cells of a snapshot, and the edges of its regular triangulation, for measures and exports.
#pragma once

#include <array>
#include <vector>

#include "measure/container.h"

namespace scree {

// Cells of the sites (x, r^2) within a box. Periodic axes continue; along the others the box cuts. At the wall of a
// round container each grain near it gets a mirror image, so that its cell ends in the tangent plane.
struct LaguerreCells {
    // A cell is where dot(normal, x) <= offset for all its planes; neighbor: row of the snapshot, -1 at a border.
    struct Plane {
        Vec3 normal;
        double offset;
        std::int64_t neighbor;
    };
    struct Cell {
        double volume = 0;
        bool at_border = false;  // cut by the box or by the wall of a round container
        std::size_t neighbors = 0;
        std::vector<Plane> planes{};  // when asked for
    };
    BoxExtent box;
    std::vector<Cell> cells;                          // by row of the snapshot
    std::vector<std::array<std::uint32_t, 2>> edges;  // rows a < b
    std::vector<Vec3> edge_vectors;                   // from a to b, across periodic borders where they lead there
};
LaguerreCells laguerre_cells(const Snapshot& snapshot, const MeasureOptions& options, bool with_planes = false);

}  // namespace scree
