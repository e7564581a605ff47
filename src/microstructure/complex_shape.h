// How well shaped a complex of cells is: lengths of edges, flatness of faces, angles between faces. Faces need not be
// flat: each stands for the fan of triangles between its edges and the mean of its corners.
#pragma once

#include <array>

#include "cell_complex.h"

namespace scree::micro {

struct ComplexShape {
    std::size_t corners = 0, edges = 0, faces = 0;
    double mean_diameter = 0;  // of the balls (in the plane: discs) of the cells' volumes
    double shortest_edge = 0;
    double largest_bend = 0;    // of a face: the largest angle between two triangles of its fan, degrees
    double least_dihedral = 0;  // between two faces of a cell (in the plane: two edges), degrees
    // Edges of 0 to 0.1, 0.1 to 0.2, ... mean diameters; the last number counts all beyond.
    std::array<std::size_t, 21> lengths{};
};

ComplexShape shape_of(const CellComplex& complex);

// The largest angle between two triangles of the fan of a face, in radians; π if a triangle has no area.
double bend_of(const CellComplex& complex, const std::vector<std::int32_t>& loop);

// The same with every face that is not flat, up to rounding, cut into the triangles of its fan.
CellComplex with_flat_faces(const CellComplex& complex);

}  // namespace scree::micro
