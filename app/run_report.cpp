#include "run_report.h"

#include <fmt/format.h>

#include "progress.h"
#include "report.h"
#include "signals.h"

namespace scree::app {
namespace {

constexpr double deep_overlap = 0.05;  // of the smaller radius

// " (this 3, that 1)", without what did not happen.
std::string in_brackets(const std::vector<std::pair<std::string, std::int64_t>>& counts) {
    std::string text;
    for (const auto& [name, count] : counts)
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", name, count);
    return text.empty() ? text : text + ")";
}

}  // namespace

int report_run(const RunResult& result, const std::filesystem::path& folder, bool json, bool quiet) {
    const RunRecord& r = result.record;
    if (json) print_result(result.document);
    if (result.error) {
        tell_error(result.error->what());
        return static_cast<int>(result.error->kind());
    }
    if (!quiet && !json) {
        const NeighborReport& n = r.work.neighbors;
        tell(fmt::format(
            "{}: t = {:.6g} s after {} steps, {} grains, {} contacts, largest overlap {:.2g} of the smaller radius\n",
            status_name(r.status), r.time, r.steps, r.grains, r.contacts, r.max_overlap));
        if (r.max_overlap > deep_overlap)
            warn(fmt::format(
                "overlaps reached {:.2g} of the smaller radius: past {:g} they change what grains do (contacts per "
                "grain, density, strength). Take contact_time = \"auto\" or a shorter one, a larger stiffness, or a "
                "larger young",
                r.max_overlap, deep_overlap));
        tell(fmt::format("{:.3g} s, {} grain-steps/s, {:.0f} bytes per grain\n", r.work.wall_seconds,
                         short_number(r.work.grain_steps_per_second()), r.bytes_per_grain));
        tell(
            fmt::format("neighbors by {}: {} refreshes, {} certified, {} fallbacks{}{}{}; {:.3g} pairs and {:.3g} "
                        "contacts per grain\n",
                        n.method, n.refreshes, n.certified, n.fallbacks, in_brackets(n.fallback_reasons),
                        n.certified > 0 ? fmt::format(", {} flips{}", n.flips, in_brackets(n.repairs)) : "",
                        n.audited > 0 ? fmt::format(", {} equal to brute force", n.audited) : "", n.pairs_per_grain,
                        n.contacts_per_grain));
        tell(fmt::format("state hash {}; files in {}\n", r.state_hash, folder.string()));
    }
    if (r.status != RunStatus::stopped) return 0;
    tell(fmt::format("stopped at t = {:.6g} s with a checkpoint; continue with: scree resume {}\n", r.time,
                     folder.string()));
    return exit_code_of_signal(result.stop);
}

}  // namespace scree::app
