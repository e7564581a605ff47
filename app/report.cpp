#include "report.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "progress.h"
#include "signals.h"

namespace scree::app {

void print_result(const std::string& text) {
    errno = 0;
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) throw Error(ErrorKind::file, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void tell(const std::string& text) {
    // fmt::print throws when the reader has gone.
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

void warn(const std::string& text) { tell(fmt::format("scree: warning: {}\n", text)); }

int report_run(const RunResult& result, const std::filesystem::path& folder, bool json, bool quiet) {
    const RunRecord& r = result.record;
    if (json) print_result(result.document);
    if (result.error) {
        tell(fmt::format("scree: {}\n", result.error->what()));
        return static_cast<int>(result.error->kind());
    }
    if (!quiet && !json) {
        const NeighborReport& n = r.work.neighbors;
        tell(fmt::format("{}: t = {:.6g} s after {} steps, {} grains, {} contacts, largest overlap {:.2g} of the smaller radius\n",
                   status_name(r.status), r.time, r.steps, r.grains, r.contacts, r.max_overlap));
        tell(fmt::format("{:.3g} s, {} grain-steps/s, {:.0f} bytes per grain; {} refreshes, {} certified, {} fallbacks\n", r.work.wall_seconds,
                   short_number(r.work.grain_steps_per_second()), r.bytes_per_grain, n.refreshes, n.certified, n.fallbacks));
        tell(fmt::format("state hash {}; files in {}\n", r.state_hash, folder.string()));
    }
    if (r.status != RunStatus::stopped) return 0;
    tell(fmt::format("stopped at t = {:.6g} s with a checkpoint; continue with: scree resume {}\n", r.time, folder.string()));
    return exit_code_of_signal(result.stop);
}

}  // namespace scree::app
