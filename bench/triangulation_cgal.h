// What CGAL takes for the same work.
#pragma once

#include <vector>

#include "triangulation/predicates.h"

namespace scree::bench {

struct CgalTimes {
    double build = 0;  // seconds
    double check = 0;  // seconds for one power test per facet and one orientation per cell
    double bytes = 0;  // per vertex: of cells and vertices in its containers
    std::size_t vertices = 0, cells = 0;
};
CgalTimes cgal_times(const std::vector<tri::Row>& rows, bool check);
// Nanoseconds of one power test on a lattice, all ties.
double cgal_tied_power_test();

}  // namespace scree::bench
