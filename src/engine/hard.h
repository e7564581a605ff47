// The event engine behind a Simulation (engine = "events"): the world's grains as hard bodies, moved beat by beat.
//
// What is a step for the soft engine is a beat here: a span at whose end all grains are brought to one time, positions
// are wrapped, grains come and go, and outputs may be written. Between beats nothing but the world exists, so a
// checkpoint is the world, and time counts from the start of the beat: after an hour it is as exact as at the
// beginning.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/simulation.h"
#include "events/dynamics.h"

namespace scree {

struct Hard {
    std::unique_ptr<events::HardDynamics> dynamics;
    std::vector<events::HardGrain> grains;  // as the rows of the world, during a beat
    std::string method, method_reason;
    double cutoff = 0;
    std::string cutoff_reason;
    std::int64_t beats = 0;
};

// Overlap of the smaller radius past which a state is not one of hard grains.
constexpr double hard_overlap_limit = 1e-6;

}  // namespace scree
