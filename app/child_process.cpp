#include "child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#    include <sys/prctl.h>
#endif

#include <cerrno>
#include <cstring>
#include <vector>

#include "io/files.h"
#include "scree/error.h"

namespace scree::app {
namespace {

constexpr int no_start = 127;

// Between fork and exec: calls of the system alone, for other threads may have held any lock.
[[noreturn]] void become(const char* program, char* const* arguments, int log, pid_t parent) {
    ::setpgid(0, 0);
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(no_start);
#else
    (void)parent;
#endif
    const int nothing = ::open("/dev/null", O_RDONLY);
    if (::dup2(nothing, 0) < 0 || ::dup2(log, 1) < 0 || ::dup2(log, 2) < 0) ::_exit(no_start);
    ::execv(program, arguments);
    ::_exit(no_start);
}

}  // namespace

ChildProcess::ChildProcess(const Arguments& arguments, const std::filesystem::path& log) {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    const FileHandle said = create_file(log, O_WRONLY);
    std::vector<char*> pointers{const_cast<char*>("scree")};
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) become(program.c_str(), pointers.data(), said.get(), parent);
    if (process_ < 0)
        throw Error(ErrorKind::run_time, fmt::format("the system starts no further process ({}); fewer --jobs may help",
                                                     std::strerror(errno)));
}

std::optional<int> ChildProcess::ended() {
    int status = 0;
    const pid_t which = ::waitpid(process_, &status, WNOHANG);
    if (which == 0 || (which < 0 && errno == EINTR)) return {};
    if (which < 0) return no_start;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void ChildProcess::ask_to_stop() const { ::kill(process_, SIGTERM); }

}  // namespace scree::app
