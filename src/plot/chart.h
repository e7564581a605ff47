// Charts: lines or arrows over axes with ticks, labels and a legend; several panels one below the other on a page.
#pragma once

#include <string>
#include <vector>

#include "plot/canvas.h"

namespace scree::plot {

struct Series {
    std::string name;
    std::vector<double> x, y;  // NaN breaks the line
};

struct Axis {
    std::string label;
    bool logarithmic = false;  // values that are not positive are left out
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

struct Page {
    std::string title;
    std::vector<Chart> charts;
    int width = 900, panel_height = 300;
};

std::string svg(const Page& page);
std::string png(const Page& page);

struct Tick {
    double value;
    std::string label;
};
// Round values (1, 2 or 5 times a power of ten; on a logarithmic axis powers of ten) within [low, high], about
// `wanted`.
std::vector<Tick> ticks(double low, double high, int wanted, bool logarithmic);

}  // namespace scree::plot
