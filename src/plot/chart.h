// Charts: lines, markers, bands or arrows over axes with ticks, labels and a legend; several panels one below the other
// on a page.
#pragma once

#include <string>
#include <vector>

#include "plot/axis.h"

namespace scree::plot {

struct Series {
    std::string name;
    std::vector<double> x, y;                 // NaN breaks the line
    std::vector<double> low = {}, high = {};  // a band around it, as long as y, or none
    bool markers = false;
};

struct Arrow {
    double x, y, dx, dy;
};

struct Chart {
    Axis x, y;
    std::vector<Series> series;
    // Of a field on a grid: both axes get the same scale, the longest arrow is as long as the cells are wide.
    std::vector<Arrow> arrows = {};
    std::string arrow_unit = {};
};

// Lengths are points of 1/96 inch.
struct Page {
    std::string title;
    std::vector<Chart> charts;
    double width = 900, panel_height = 300;
    double height = 0;  // of the whole page, in place of panel_height
};

std::string svg(const Page& page);
std::string png(const Page& page, double dpi);
std::string pdf(const Page& page);

}  // namespace scree::plot
