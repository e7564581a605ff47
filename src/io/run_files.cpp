#include "io/run_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>

#include "scree/error.h"

namespace scree {
namespace {

constexpr const char* kind_names[] = {"grains", "contacts", "walls", "triangulation", "cells"};

constexpr const char* frame_folders[] = {"frames", "export/vtk"};

// O_NONBLOCK: a pipe by the name of a frame must not hold up the opening.
constexpr int safe_open = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

std::string frame_file_name(FrameKind kind, std::size_t number) {
    return fmt::format("{}_{:06}.vtp", frame_kind_name(kind), number);
}

// One name of a folder, not a way through several.
bool is_plain_name(const std::string& name) {
    return !name.empty() && name.size() < 200 && name[0] != '.' && name.find('/') == std::string::npos &&
           name.find('\0') == std::string::npos;
}

// The bytes from an offset on, as many as there are.
std::string read_part(int descriptor, std::uint64_t from, std::size_t most) {
    std::string out;
    while (out.size() < most) {
        const std::size_t used = out.size();
        out.resize(used + std::min<std::size_t>(1 << 18, most - used));
        const ssize_t got = ::pread(descriptor, out.data() + used, out.size() - used, static_cast<off_t>(from + used));
        out.resize(used + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
    }
    return out;
}

// Bit by bit: whatever the size of the file claims, no more is held than one entry and the times. An index is text, so
// it ends at a zero at the latest.
std::vector<double> times_in_index(int descriptor) {
    constexpr std::string_view mark = "<DataSet timestep=\"";
    constexpr std::size_t piece = 1 << 18, longest_entry = 1 << 12;
    std::vector<double> times;
    std::string text;
    for (std::uint64_t at = 0;; at += piece) {
        std::string more = read_part(descriptor, at, piece);
        const bool last = more.size() < piece || more.find('\0') != std::string::npos;
        text += more.substr(0, more.find('\0'));
        std::size_t done = 0;
        for (std::size_t entry; (entry = text.find(mark, done)) != std::string::npos;) {
            const std::size_t end = text.find("/>", entry);
            done = entry;
            if (end == std::string::npos) break;
            done = end;
            const std::string_view tag(text.data() + entry, end - entry);
            double time = 0;
            if (tag.find(frame_file_name(FrameKind::grains, times.size())) == std::string_view::npos) continue;
            const char* first = tag.data() + mark.size();
            if (std::from_chars(first, tag.data() + tag.size(), time).ec == std::errc{}) times.push_back(time);
        }
        text.erase(0, std::max(done, text.size() - std::min(text.size(), longest_entry)));
        if (last || text.size() > 2 * longest_entry) return times;
    }
}

}  // namespace

const char* frame_kind_name(FrameKind kind) { return kind_names[static_cast<int>(kind)]; }

std::optional<FrameKind> frame_kind(const std::string& name) {
    for (std::size_t k = 0; k < std::size(kind_names); ++k)
        if (name == kind_names[k]) return static_cast<FrameKind>(k);
    return {};
}

RunFiles::RunFiles(const std::filesystem::path& path) : path_(path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        throw Error(ErrorKind::file, fmt::format("there is no run folder {}; `scree run SCENE.toml -o {}` makes one",
                                                 path.string(), path.string()));
    if (!std::filesystem::is_directory(path, ignored))
        throw Error(ErrorKind::bad_input, fmt::format("{} is a file; give the folder of a run", path.string()));
    folder_ = FileHandle(path, O_RDONLY | O_DIRECTORY, "open the folder");
    if (!open_in("", "run.json"))
        throw Error(ErrorKind::bad_input,
                    fmt::format("{} has no run.json, so it is not the folder of a run", path.string()));
}

std::string RunFiles::name() const {
    const std::filesystem::path whole = std::filesystem::absolute(path_).lexically_normal();
    return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

FileHandle RunFiles::folder_at(std::string_view folder) const {
    FileHandle here = FileHandle::adopt(::openat(folder_.get(), ".", safe_open | O_DIRECTORY));
    while (!folder.empty() && here.get() >= 0) {
        const std::string name(folder.substr(0, folder.find('/')));
        folder.remove_prefix(std::min(folder.size(), name.size() + 1));
        here = FileHandle::adopt(::openat(here.get(), name.c_str(), safe_open | O_DIRECTORY));
    }
    return here;
}

std::optional<FileHandle> RunFiles::open_in(std::string_view folder, const std::string& file_name) const {
    if (!is_plain_name(file_name)) return {};
    const FileHandle at = folder_at(folder);
    if (at.get() < 0) return {};
    FileHandle file = FileHandle::adopt(::openat(at.get(), file_name.c_str(), safe_open));
    struct stat about {};
    if (file.get() < 0 || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return {};
    return file;
}

std::vector<std::string> RunFiles::names_in(std::string_view folder) const {
    std::vector<std::string> names;
    const FileHandle at = folder_at(folder);
    if (at.get() < 0) return names;
    const int own = ::dup(at.get());
    DIR* listing = own < 0 ? nullptr : ::fdopendir(own);
    if (!listing) {
        if (own >= 0) ::close(own);
        return names;
    }
    while (const dirent* entry = ::readdir(listing)) names.emplace_back(entry->d_name);
    ::closedir(listing);
    std::sort(names.begin(), names.end());
    return names;
}

const std::vector<double>& RunFiles::frame_times() {
    const auto file = open_in("frames", "run.pvd");
    struct stat about {};
    if (!file || ::fstat(file->get(), &about) != 0) {
        times_.clear();
        index_moment_ = -1;
        return times_;
    }
    const std::int64_t moment = about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec,
                       identity = static_cast<std::int64_t>(about.st_ino);
    const std::size_t size = static_cast<std::size_t>(about.st_size);
    if (moment == index_moment_ && size == index_size_ && identity == index_file_) return times_;
    times_ = times_in_index(file->get());
    index_moment_ = moment;
    index_size_ = size;
    index_file_ = identity;
    return times_;
}

std::vector<std::size_t> RunFiles::frames_with(FrameKind kind) const {
    std::vector<std::size_t> numbers;
    const std::string beginning = fmt::format("{}_", frame_kind_name(kind));
    for (const char* folder : frame_folders)
        for (const std::string& file : names_in(folder)) {
            if (!file.starts_with(beginning) || !file.ends_with(".vtp")) continue;
            std::size_t number = 0;
            const char* digits = file.data() + beginning.size();
            if (std::from_chars(digits, file.data() + file.size(), number).ec == std::errc{} &&
                file == frame_file_name(kind, number))
                numbers.push_back(number);
        }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

std::optional<VtkFile> RunFiles::frame(FrameKind kind, std::size_t number) const {
    const std::string file_name = frame_file_name(kind, number);
    for (const char* folder : frame_folders) {
        // What every frame has of its own is not taken from a copy.
        if (folder != frame_folders[0] && kind != FrameKind::triangulation && kind != FrameKind::cells) break;
        if (auto file = open_in(folder, file_name))
            return VtkFile(std::move(*file), (path_ / folder / file_name).string());
    }
    return {};
}

VtkFile RunFiles::needed(FrameKind kind, std::size_t number) const {
    if (auto file = frame(kind, number)) return std::move(*file);
    throw Error(ErrorKind::file, fmt::format("{} is not there, or is no ordinary file (links are not followed)",
                                             (path_ / "frames" / frame_file_name(kind, number)).string()));
}

std::optional<std::string> RunFiles::text(const std::string& file_name, std::uint64_t from, std::size_t most) const {
    const auto file = open_in("", file_name);
    if (!file) return {};
    return read_part(file->get(), from, most);
}

std::uint64_t RunFiles::size_of(const std::string& file_name) const {
    const auto file = open_in("", file_name);
    struct stat about {};
    return file && ::fstat(file->get(), &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
}

std::vector<std::string> RunFiles::stems_in(std::string_view folder, std::string_view ending) const {
    std::vector<std::string> names;
    for (const std::string& file : names_in(folder))
        if (file.ends_with(ending) && is_plain_name(file)) names.push_back(file.substr(0, file.size() - ending.size()));
    return names;
}

std::vector<std::string> RunFiles::measures() const { return stems_in("measures", ".csv"); }

std::optional<std::string> RunFiles::measure(const std::string& name, std::uint64_t from, std::size_t most) const {
    const auto file = open_in("measures", name + ".csv");
    if (!file) return {};
    return read_part(file->get(), from, most);
}

std::vector<std::string> RunFiles::shapes() const { return stems_in("shapes", ".stl"); }

std::optional<std::string> RunFiles::shape(const std::string& shape_name) const {
    const auto file = open_in("shapes", shape_name + ".stl");
    if (!file) return {};
    return read_part(file->get(), 0, std::size_t(64) << 20);
}

}  // namespace scree
