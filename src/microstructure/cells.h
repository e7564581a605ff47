// What is told about cells: measures, tables and files of polyhedra.
#pragma once

#include <functional>
#include <string>

#include "bytes.h"
#include "cell_complex.h"

namespace scree::micro {

struct CellMeasures {
    double volume = 0;  // in the plane the area, and so on down
    double area = 0;    // of the surface
    Vec3 centroid;
    double diameter = 0;    // of the ball of the same volume
    double sphericity = 0;  // π^(1/3) (6V)^(2/3) / A; in the plane 2 √(π A) / perimeter
    int faces = 0;
    bool cut = false;  // by the box
};

std::vector<CellMeasures> measures(const CellComplex& complex);

// label,x,y,z,volume,diameter,sphericity,faces,neighbors,cut; neighbors are labels, separated by blanks. The place is
// the centroid.
std::string cells_as_csv(const CellComplex& complex);

using Put = std::function<void(std::string_view)>;
// Polyhedra (in the plane polygons) for ParaView, with the columns of the table as fields.
void write_cells_vtu(const CellComplex& complex, const Put& put);
// A tessellation for Neper, format 3.4. Throws Error(usage) for periodic boxes.
void write_tess(const CellComplex& complex, const Put& put);
// Reads one, of a box along the axes. Throws Error(bad_input) with file and line of what is wrong.
CellComplex parse_tess(const Bytes& bytes);
// Points, lines, surfaces and volumes for Gmsh, which meshes them to the size `size`. Bent faces are cut into
// triangles.
void write_geo(const CellComplex& complex, double size, const Put& put);

}  // namespace scree::micro
