#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "io/checkpoint.h"
#include "io/files.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr std::string_view prefix = "checkpoint_", suffix = ".h5";
constexpr std::size_t kept = 2;

// The step in a checkpoint's name, or -1.
std::int64_t step_of(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) return -1;
    std::int64_t step = -1;
    const char* end = name.data() + name.size() - suffix.size();
    const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, step);
    return error == std::errc() && rest == end ? step : -1;
}

}  // namespace

std::filesystem::path CheckpointFolder::path_for(std::int64_t step) const {
    return folder_ / fmt::format("{}{:012}{}", prefix, step, suffix);
}

std::vector<std::filesystem::path> CheckpointFolder::list() const {
    std::vector<std::filesystem::path> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error))
        if (step_of(entry.path()) >= 0) found.push_back(entry.path());
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return step_of(a) > step_of(b); });
    return found;
}

void CheckpointFolder::prune() const {
    const std::vector<std::filesystem::path> all = list();
    std::error_code ignored;  // what cannot be removed does no harm
    for (std::size_t k = kept; k < all.size(); ++k) std::filesystem::remove(all[k], ignored);
    std::vector<std::filesystem::path> left_over;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored))
        if (is_temporary_name(entry.path())) left_over.push_back(entry.path());
    for (const auto& path : left_over) std::filesystem::remove(path, ignored);
}

FoundCheckpoint find_checkpoint(const std::filesystem::path& file_or_run_folder,
                                const std::function<void(const std::string&)>& warn,
                                const std::function<void(const Checkpoint&)>& accept) {
    const auto read = [&](const std::filesystem::path& path) {
        FoundCheckpoint found{read_checkpoint(path), path};
        try {
            accept(found.checkpoint);
        } catch (const Error& error) {
            throw Error(ErrorKind::file, fmt::format("{} cannot be used: {}", path.string(), error.what()));
        }
        return found;
    };
    std::error_code error;
    if (!std::filesystem::is_directory(file_or_run_folder, error)) return read(file_or_run_folder);
    const std::vector<std::filesystem::path> all = CheckpointFolder(file_or_run_folder / "checkpoints").list();
    if (all.empty())
        throw Error(ErrorKind::bad_input,
                    fmt::format("{} has no checkpoint: it is not a run folder, or its run ended before the first one",
                                file_or_run_folder.string()));
    for (std::size_t k = 0;; ++k) {
        try {
            return read(all[k]);
        } catch (const NewerFormat&) {
            throw;  // to go back behind it would lose work
        } catch (const Error& failure) {
            if (k + 1 == all.size()) throw;
            if (warn) warn(fmt::format("{}; trying the one before", failure.what()));
        }
    }
}

}  // namespace scree
