#include "io/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "measure/measures.h"
#include "scree/error.h"

namespace scree {
namespace {

bool is_present(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::symlink_status(path, ignored).type() != std::filesystem::file_type::not_found;
}

// Files would be written and removed wherever the link leads.
void refuse_link(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_symlink(path, ignored))
        throw Error(ErrorKind::file,
                    fmt::format("{} is a link, and links in a run folder are not followed: put the folder itself there",
                                path.string()));
}

// Removes the files of a folder whose names begin so, and the folder itself when nothing else is in it.
void remove_files(const std::filesystem::path& folder, const std::vector<std::string_view>& prefixes) {
    std::error_code error;
    std::vector<std::filesystem::path> ours;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        bool is_ours = is_temporary_name(entry.path());
        for (const std::string_view prefix : prefixes) is_ours = is_ours || name.starts_with(prefix);
        if (is_ours) ours.push_back(entry.path());
    }
    std::sort(ours.begin(), ours.end());
    for (const auto& path : ours)
        if (!std::filesystem::remove(path, error) && error) throw_file_error("remove", path, error.value());
    std::filesystem::remove(folder, error);
}

}  // namespace

RunFolder::RunFolder(const std::filesystem::path& path) : path_(path), lock_(lock_folder(path, "the run folder")) {}

void RunFolder::check_free(const std::filesystem::path& path, bool force) {
    if (!is_present(path)) return;
    std::error_code error;
    if (!std::filesystem::is_directory(path, error))
        throw Error(
            ErrorKind::file,
            fmt::format("{} is in the way: it is not a folder; choose another run folder with -o", path.string()));
    if (force || std::filesystem::is_empty(path, error)) return;
    throw Error(
        ErrorKind::file,
        fmt::format(
            "the run folder {} exists; --force overwrites it, -o chooses another, `scree resume {}` continues it",
            path.string(), path.string()));
}

RunFolder RunFolder::create(const std::filesystem::path& path, bool force) {
    check_free(path, force);
    create_folders(path);
    RunFolder folder(path);
    for (const auto& inner : {folder.frames(), folder.checkpoints(), folder.measures(), folder.inputs()})
        refuse_link(inner);
    // The checkpoints go first, the newest last: as long as there is one, all is there that it needs to be continued.
    remove_files(folder.checkpoints(), {"checkpoint_", "invalid_", "damaged_"});
    for (const auto& file : {folder.record(), folder.scene(), folder.series()}) {
        std::error_code error;
        std::filesystem::remove(file, error);
        if (error) throw_file_error("remove", file, error.value());
    }
    remove_files(folder.frames(), {"grains_", "contacts_", "walls_", "run.pvd"});
    const std::vector<std::string> measures = measure_names();
    remove_files(folder.measures(), {measures.begin(), measures.end()});
    create_folders(folder.frames());
    create_folders(folder.checkpoints());
    return folder;
}

RunFolder RunFolder::open(const std::filesystem::path& path) {
    if (!is_present(path)) throw Error(ErrorKind::file, fmt::format("there is no run folder {}", path.string()));
    RunFolder folder(path);
    for (const auto& inner : {folder.frames(), folder.checkpoints(), folder.measures()}) refuse_link(inner);
    create_folders(folder.frames());
    return folder;
}

}  // namespace scree
