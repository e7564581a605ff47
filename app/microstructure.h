// The parts of `scree microstructure`.
#pragma once

#include <string>

#include "commands.h"
#include "microstructure/cell_complex.h"
#include "microstructure/compare.h"
#include "microstructure/grain_map.h"

namespace scree::app {

int microstructure_fit(const Arguments& arguments);      // microstructure_fit.cpp
int microstructure_make(const Arguments& arguments);     // microstructure_make.cpp
int microstructure_compare(const Arguments& arguments);  // microstructure_fit.cpp
int microstructure_regularise(const Arguments& arguments);
int microstructure_mesh(const Arguments& arguments);

// The files of a folder of cells.
std::string seeds_file(const std::string& folder);
// Writes seeds.csv, cells.csv, cells.vtu and, when the box is not periodic, cells.tess and cells.geo.
void write_folder(const std::string& folder, const micro::Diagram& diagram);
// Writes NAME.csv, NAME.vtu and, when the box is not periodic and all cells are there, NAME.tess and NAME.geo.
void write_cells(const std::string& folder, const std::string& name, const micro::CellComplex& complex);
// The cells of a folder, or of a file of seeds or a tessellation.
micro::CellComplex read_cells(const std::string& path);

}  // namespace scree::app
