// Conforming meshes of cells: tetrahedra, in the plane triangles. Elements of neighboring cells share the nodes, edges
// and facets of the face between them.
//
// The mesh begins with a fan: the middle of a cell, the middle of a face and an edge make an element. Then edges are
// split, collapsed and flipped and nodes are moved until edges are about as long as wanted and no element can be made
// better. Every change is local, keeps all elements positive, and moves a node only inside of the face or edge of the
// cells that it lies on, so the mesh is valid at any time. Rejected: Delaunay refinement, which has to recover faces
// that after regularisation are not flat.
#pragma once

#include <array>

#include "cells.h"

namespace scree::micro {

struct Mesh {
    struct Facet {
        std::array<std::int32_t, 3> node;  // in the plane two, and −1
        std::int32_t cell[2];              // cell[1] is −2 − k on side k of the box
    };
    int dimension = 3;
    std::vector<Vec3> node;
    std::vector<std::array<std::int32_t, 4>> element;  // positive by the right hand; in the plane three nodes, and −1
    std::vector<std::int32_t> cell;                    // of each element
    std::vector<Facet> facet;                          // between cells, and on the sides of the box
    std::vector<Label> label;                          // of each cell
};

// Edges about `size` long. Throws Error(usage) for periodic boxes and Error(bad_input) if cells are empty or not seen
// whole from their middles.
Mesh mesh_of(const CellComplex& complex, double size);

// Gmsh's format 2.2 in text: elements with one physical group per cell, named grainLABEL, and facets on the sides of
// the box, named x0, x1, y0, ...
void write_msh(const Mesh& mesh, const Put& put);
// For ParaView, with labels and qualities of elements.
void write_mesh_vtu(const Mesh& mesh, const Put& put);

}  // namespace scree::micro
