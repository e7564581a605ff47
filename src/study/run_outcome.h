// What a run is asked for when it is over: one number each.
//
//     density                  at the end (any text that RunValues knows and that has one value at a moment)
//     density@0.5              at t = 0.5 s
//     kinetic@max              its largest value; min and mean likewise
//     flow.mass_rate@0.5:1.5   the mean between two times; either may be left out
#pragma once

#include <optional>
#include <string>

#include "study/run_values.h"

namespace scree {

struct Asked {
    enum class Take { end, at, mean, min, max };
    std::string text;   // as asked for
    std::string value;  // of it, what RunValues knows
    Take take = Take::end;
    std::optional<double> from, until;  // s
};

// Throws Error(usage) for a moment that is none.
Asked parse_asked(const std::string& text);

// NaN where the run has no value then. Throws Error(usage) for what the run does not have.
double outcome(const RunValues& run, const Asked& asked);

}  // namespace scree
