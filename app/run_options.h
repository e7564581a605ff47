// What `scree run` and `scree resume` have in common: their options, and a run with progress and signals.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "io/run.h"
#include "options.h"

namespace scree::app {

struct RunCommandOptions {
    std::optional<double> until;
    std::optional<std::int64_t> threads;
    bool json = false, quiet = false, audit = false;

    void declare(Options& options);
    // Throws Error(usage) for values that make no sense, and under a launcher that has started several copies; --json
    // implies quiet.
    void check();
    int thread_count() const;
    // Warns when the system has started fewer threads than were asked for.
    void tell_of_missing_threads(Simulation& simulation) const;
    // Does the run, shows its progress, stops it on a signal, and reports its end. Returns the exit code.
    int run(const RunFolder& folder, std::size_t resident_before,
            const std::function<RunResult(const RunOptions&)>& work) const;
};

}  // namespace scree::app
