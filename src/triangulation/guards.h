// Guards: fixed sites on a box around the moving ones.
//
// Spheres that lie on a flat wall have centers in one plane, up to motion. The convex hull of such a layer changes all
// over at the slightest motion, and so do the flat simplices between the layer and its hull: following them costs more
// than building anew. A coarse grid of fixed sites of weight zero on a somewhat larger box takes the hull's place. A
// flat simplex of the layer with an orthogonal sphere larger than the grid spacing g would hold a guard at distance g,
// so none exists; and the hull itself never changes. Guards are spheres like others to the certificate (they only add
// edges); they must stay clear of all spheres, which they do as long as these stay inside the box. A spacing of 8 mean
// diameters costs less than a percent of vertices from 10^5 spheres on.
#pragma once

#include <vector>

#include "predicates.h"

namespace scree::tri {

// Rows on the surface of the box [low, high] (of the given dimension), at most `spacing` apart along each side. Integer
// arguments give integer rows.
std::vector<Row> guard_rows(const Row& low, const Row& high, double spacing, int dimension);

}  // namespace scree::tri
