// Preloaded into a program under test: counts the calls that change files, and fails the n-th of them or ends the
// process there, as a full disk or a power cut would.
//   SCREE_FAULT_AT=N        the call, from 1
//   SCREE_FAULT_HOW=kill    or the number of an error
//   SCREE_FAULT_COUNT=PATH  gets the number of calls at the end
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> calls{0};

template <class Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// Whether this call is the one that fails; errno says how.
bool fails() {
    static const long at = std::getenv("SCREE_FAULT_AT") ? std::atol(std::getenv("SCREE_FAULT_AT")) : 0;
    static const char* how = std::getenv("SCREE_FAULT_HOW");
    if (++calls != at || how == nullptr) return false;
    if (std::strcmp(how, "kill") == 0) raise(SIGKILL);
    errno = std::atoi(how);
    return true;
}

struct Report {
    ~Report() {
        const char* path = std::getenv("SCREE_FAULT_COUNT");
        if (path == nullptr) return;
        char text[32];
        const int size = std::snprintf(text, sizeof text, "%ld\n", calls.load());
        const long file = syscall(SYS_open, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        syscall(SYS_write, file, text, size);
        syscall(SYS_close, file);
    }
} report;

}  // namespace

extern "C" {

ssize_t write(int file, const void* data, size_t bytes) {
    static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
    return file > 2 && fails() ? -1 : real(file, data, bytes);
}
ssize_t pwrite(int file, const void* data, size_t bytes, off_t at) {
    static const auto real = next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
    return fails() ? -1 : real(file, data, bytes, at);
}
ssize_t pwrite64(int file, const void* data, size_t bytes, off64_t at) {
    static const auto real = next<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
    return fails() ? -1 : real(file, data, bytes, at);
}
int rename(const char* from, const char* to) {
    static const auto real = next<int (*)(const char*, const char*)>("rename");
    return fails() ? -1 : real(from, to);
}
int unlink(const char* path) {
    static const auto real = next<int (*)(const char*)>("unlink");
    return fails() ? -1 : real(path);
}
int remove(const char* path) {
    static const auto real = next<int (*)(const char*)>("remove");
    return fails() ? -1 : real(path);
}
int fsync(int file) {
    static const auto real = next<int (*)(int)>("fsync");
    return fails() ? -1 : real(file);
}
int ftruncate(int file, off_t size) {
    static const auto real = next<int (*)(int, off_t)>("ftruncate");
    return fails() ? -1 : real(file, size);
}
int ftruncate64(int file, off64_t size) {
    static const auto real = next<int (*)(int, off64_t)>("ftruncate64");
    return fails() ? -1 : real(file, size);
}
int close(int file) {
    static const auto real = next<int (*)(int)>("close");
    const int result = real(file);
    return file > 2 && fails() ? -1 : result;
}
}
