// Charts of runs: what `scree plot` draws for each thing it is asked for.
#pragma once

#include <string>
#include <vector>

#include "plot/chart.h"
#include "study/run_values.h"

namespace scree::app {

// How several runs go into one chart.
enum class Together { lines, deviation, error, range };  // each by itself; or their mean, with a band around it

struct PlottedRun {
    std::string name;  // in the legend
    const RunValues* values;
    std::vector<std::size_t> frames;
    bool frames_given;
};

// WHAT of the runs. Throws Error(usage) for what cannot be drawn in one chart.
plot::Chart chart_of_runs(const std::vector<PlottedRun>& runs, const std::string& what, Together together);

// Mean and spread of values that are numbers: middle, low and high.
struct Spread {
    double middle, low, high;
};
Spread spread_of(const std::vector<double>& values, Together together);

}  // namespace scree::app
