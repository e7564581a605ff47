#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "find_command.h"
#include "report.h"
#include "scree/error.h"

#ifdef __GLIBC__
#    include <malloc.h>
#endif

namespace {

// Arrays as long as the grains are many go back to the system when they are freed. Left alone, the allocator comes to
// keep ever larger ones for itself, and a run holds a fifth more memory than it uses.
void return_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

// Without its standard streams a program gets their numbers for the files it opens, and what it prints lands in them.
void open_standard_streams() {
    for (int stream : {0, 1, 2})
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)::open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace scree;
    open_standard_streams();
    return_freed_memory();
    const std::string what = fmt::format("{}", fmt::join(argv + 1, argv + std::clamp(argc, 1, 3), " "));
    try {
        const std::string name = argc > 1 ? argv[1] : "help";
        const app::Arguments arguments(argv + (argc > 1 ? 2 : 1), argv + argc);
        const int code = app::find_command(name).run(arguments);
        app::print_result("");  // what is still on its way must arrive, too
        return code;
    } catch (const Error& error) {
        app::tell_error(error.what());
        return static_cast<int>(error.kind());
    } catch (const std::system_error& error) {
        app::tell_error(error.what());
        return static_cast<int>(ErrorKind::file);
    } catch (const std::bad_alloc&) {
        app::tell_error(what + ": there is not enough memory; fewer grains, smaller files or a larger machine help");
        return static_cast<int>(ErrorKind::run_time);
    } catch (const std::length_error&) {
        app::tell_error(what + ": this asks for more than any memory holds; some number or file is far too large");
        return static_cast<int>(ErrorKind::run_time);
    } catch (const std::exception& error) {
        app::tell_error(error.what());
        return static_cast<int>(ErrorKind::run_time);
    }
}
