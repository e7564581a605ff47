// Files that are never half written: a file appears under its name when it is whole, or not at all. Every failure is
// thrown as Error(file) with the path, what was tried and the reason of the system.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace scree {

// Throws Error(file): "cannot WHAT PATH: REASON", with advice where the reason has an obvious one.
[[noreturn]] void throw_file_error(std::string_view what, const std::filesystem::path& path, int error_number);

std::string read_text_file(const std::filesystem::path& path);

void create_folders(const std::filesystem::path& path);

// Brings a folder's list of names to the disk, so that a rename survives a power cut.
void sync_folder(const std::filesystem::path& path);

// The name under which `path` is written until it is whole: hidden, in the same folder.
std::filesystem::path temporary_name(const std::filesystem::path& path);
bool is_temporary_name(const std::filesystem::path& path);

// An open file descriptor, closed when it goes.
class FileHandle {
  public:
    FileHandle() = default;
    // flags and mode as for open(2).
    FileHandle(const std::filesystem::path& path, int flags, std::string_view what);
    FileHandle(FileHandle&& other) noexcept;
    FileHandle& operator=(FileHandle&& other) noexcept;
    ~FileHandle();
    // Takes over a descriptor that was opened otherwise; -1 is none.
    static FileHandle adopt(int descriptor);
    int get() const { return descriptor_; }
    void close();

  private:
    int descriptor_ = -1;
};

// Keeps other programs out of a folder while the handle lives; the system lets go of it even after kill -9. `what` is
// the folder in words. File systems without locks are used without. Throws Error(file) when another one has it.
FileHandle lock_folder(const std::filesystem::path& path, std::string_view what);

enum class Durability {
    crash_of_program,  // whole after the end of this process at any moment
    power_cut,         // and on the disk when commit() returns
};

// A file under its temporary name, written through a buffer. commit() gives it its name; without it the file is
// removed.
class NewFile {
  public:
    explicit NewFile(const std::filesystem::path& path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(const void* data, std::size_t bytes);
    void write(std::string_view text) { write(text.data(), text.size()); }
    // Leaves room for as many bytes, to be filled by fill(); returns where it begins.
    std::size_t leave_room(std::size_t bytes);
    void fill(std::size_t at, const void* data, std::size_t bytes);
    void commit(Durability durability);

  private:
    void flush();
    std::filesystem::path path_, temporary_;
    FileHandle file_;
    std::unique_ptr<std::byte[]> buffer_;
    std::size_t used_ = 0;
    std::size_t end_ = 0;  // of what was flushed
};

// The whole file at once, replacing whatever has the name, a link too; the older file stays when this fails.
void replace_file(const std::filesystem::path& path, std::string_view text, Durability durability);
// The same for a file that a user has named: devices and pipes are written to.
void write_whole_file(const std::filesystem::path& path, std::string_view text, Durability durability);

// A new file for writing in place of any older one of the name. Links that lie there are removed, never followed: what
// is in a run folder may come from somebody else.
FileHandle create_file(const std::filesystem::path& path, int access);
// An existing file, which must be an ordinary one and no link. Throws Error(file) otherwise.
FileHandle open_own_file(const std::filesystem::path& path);

// Writes all bytes at the offset; returns 0 or the error number.
int write_at(int descriptor, const void* data, std::size_t bytes, std::size_t offset);

}  // namespace scree
