#include "io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "scree/error.h"

namespace scree {
namespace {

constexpr std::size_t buffer_size = 1 << 20;
constexpr std::string_view temporary_suffix = ".part";

std::string advice(int error_number) {
    switch (error_number) {
        case ENOSPC:
        case EDQUOT:
            return "; free some space";
        case EFBIG:
            return "; the file would pass the largest size allowed here (see ulimit -f)";
        case EACCES:
        case EPERM:
        case EROFS:
            return "; choose a place where you may write";
        case ELOOP:
            return "; links in a run folder are not followed: put the file itself there";
        default:
            return "";
    }
}

}  // namespace

void throw_file_error(std::string_view what, const std::filesystem::path& path, int error_number) {
    throw Error(ErrorKind::file, fmt::format("cannot {} {}: {}{}", what, path.string(), std::strerror(error_number),
                                             advice(error_number)));
}

FileHandle::FileHandle(const std::filesystem::path& path, int flags, std::string_view what)
    : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw_file_error(what, path, errno);
}
FileHandle::FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}
FileHandle::~FileHandle() { close(); }
FileHandle FileHandle::adopt(int descriptor) {
    FileHandle handle;
    handle.descriptor_ = descriptor;
    return handle;
}
void FileHandle::close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

std::string read_text_file(const std::filesystem::path& path) {
    const FileHandle file(path, O_RDONLY, "open");
    std::string text;
    for (std::size_t used = 0;;) {
        text.resize(used + (1 << 16));
        const ssize_t got = ::read(file.get(), text.data() + used, text.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw_file_error("read", path, errno);
        used += static_cast<std::size_t>(got);
        text.resize(used);
        if (got == 0) return text;
    }
}

FileHandle lock_folder(const std::filesystem::path& path, std::string_view what) {
    FileHandle lock(path, O_RDONLY | O_DIRECTORY, fmt::format("open {}", what));
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        throw Error(
            ErrorKind::file,
            fmt::format("another scree is running in {}; wait for it or choose another folder with -o", path.string()));
    return lock;
}

void create_folders(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw_file_error("make the folder", path, error.value());
    // create_directories is content with a file of that name where it stands as a link.
    if (!std::filesystem::is_directory(path, error)) throw_file_error("make the folder", path, ENOTDIR);
}

void sync_folder(const std::filesystem::path& path) {
    const FileHandle folder(path.empty() ? "." : path, O_RDONLY | O_DIRECTORY, "open the folder");
    // Some file systems cannot sync a folder and say EINVAL; there is nothing more to do then.
    if (::fsync(folder.get()) != 0 && errno != EINVAL) throw_file_error("write the folder", path, errno);
}

std::filesystem::path temporary_name(const std::filesystem::path& path) {
    return path.parent_path() / fmt::format(".{}{}", path.filename().string(), temporary_suffix);
}

bool is_temporary_name(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with('.') && name.ends_with(temporary_suffix);
}

int write_at(int descriptor, const void* data, std::size_t bytes, std::size_t offset) {
    const char* from = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t done = ::pwrite(descriptor, from, bytes, static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        if (done == 0) return ENOSPC;
        from += done;
        offset += static_cast<std::size_t>(done);
        bytes -= static_cast<std::size_t>(done);
    }
    return 0;
}

NewFile::NewFile(const std::filesystem::path& path)
    : path_(path),
      temporary_(temporary_name(path)),
      file_(create_file(temporary_, O_WRONLY)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(buffer_size)) {}

NewFile::~NewFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::flush() {
    fill(end_, buffer_.get(), used_);
    end_ += used_;
    used_ = 0;
}

void NewFile::fill(std::size_t at, const void* data, std::size_t bytes) {
    if (const int error = write_at(file_.get(), data, bytes, at)) throw_file_error("write", path_, error);
}

std::size_t NewFile::leave_room(std::size_t bytes) {
    flush();
    end_ += bytes;
    return end_ - bytes;
}

void NewFile::write(const void* data, std::size_t bytes) {
    const std::byte* from = static_cast<const std::byte*>(data);
    while (bytes > 0) {
        const std::size_t piece = std::min(bytes, buffer_size - used_);
        std::memcpy(buffer_.get() + used_, from, piece);
        used_ += piece;
        from += piece;
        bytes -= piece;
        if (used_ == buffer_size) flush();
    }
}

void NewFile::commit(Durability durability) {
    flush();
    const bool sync = durability == Durability::power_cut;
    if (sync && ::fsync(file_.get()) != 0) throw_file_error("write", path_, errno);
    // Delayed failures of network disks show at close.
    file_.close();
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw_file_error("rename a temporary file to", path_, errno);
    temporary_.clear();
    if (sync) sync_folder(path_.parent_path());
}

void write_whole_file(const std::filesystem::path& path, std::string_view text, Durability durability) {
    // Into a device or pipe (/dev/stdout, /dev/null) is written; a file renamed to its place would destroy it.
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
        !std::filesystem::is_directory(status)) {
        const FileHandle file(path, O_WRONLY, "open");
        while (!text.empty()) {
            const ssize_t done = ::write(file.get(), text.data(), text.size());
            if (done < 0 && errno == EINTR) continue;
            if (done < 0) throw_file_error("write", path, errno);
            text.remove_prefix(static_cast<std::size_t>(done));
        }
        return;
    }
    replace_file(path, text, durability);
}

void replace_file(const std::filesystem::path& path, std::string_view text, Durability durability) {
    NewFile file(path);
    file.write(text);
    file.commit(durability);
}

FileHandle create_file(const std::filesystem::path& path, int access) {
    // O_EXCL refuses links, even those to nowhere.
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw_file_error("create", path, errno);
    return FileHandle(path, access | O_CREAT | O_EXCL, "create");
}

FileHandle open_own_file(const std::filesystem::path& path) {
    // Not even a pipe is waited for.
    FileHandle file(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK, "open");
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) throw_file_error("look at", path, errno);
    if (!S_ISREG(status.st_mode))
        throw Error(ErrorKind::file, fmt::format("{} is no ordinary file; remove it", path.string()));
    return file;
}

}  // namespace scree
