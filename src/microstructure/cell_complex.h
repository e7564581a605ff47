// All cells of a tessellation with the corners and faces they share: what files of polyhedra, regularisation and meshes
// are made of.
//
// A corner is known by the four sites or sides of the box that meet there, so cells that share it find the same one,
// whatever their roundings were. Corners that coincide (lattices have them) are then welded, and faces and edges
// without extent go. In the plane the faces are the cells, counter-clockwise. In periodic boxes cells are whole, in the
// place of their seeds, and stick out of the box; faces to images of other cells belong to one cell.
#pragma once

#include <vector>

#include "diagram.h"

namespace scree::micro {

struct CellComplex {
    struct Face {
        std::vector<std::int32_t> corner;  // counter-clockwise seen from cell[1]
        std::int32_t cell[2];  // cell[1] < 0: the side −2 − k of the box, or −1 for the image of a cell
        Vec3 normal;           // from cell[0] to cell[1], unit
        double offset = 0;     // normal · x = offset
    };
    Seeds seeds;
    std::vector<Vec3> corner;
    std::vector<Face> face;
    std::vector<std::vector<std::int32_t>>
        cell;  // faces of each; ~f when the cell is cell[1] of face f. In the plane face c is cell c

    // Empty, or what is wrong: an edge of a cell that is not between exactly two of its faces.
    std::string validate() const;
};

CellComplex cell_complex(const Diagram& diagram);

// The mean of the corners of a face.
Vec3 middle_of(const CellComplex& complex, const std::vector<std::int32_t>& loop);
// The sum of the area vectors of its fan, twice the area long; by the right hand.
Vec3 area_vector(const CellComplex& complex, const std::vector<std::int32_t>& loop);

}  // namespace scree::micro
