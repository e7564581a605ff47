#include "report.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/located.h"
#include "scree/error.h"

namespace scree::app {

void print_result(const std::string& text) {
    errno = 0;
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written)
        throw Error(ErrorKind::file, fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void tell(const std::string& text) {
    // fmt::print throws when the reader has gone.
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

void warn(const std::string& text) { tell(harmless(fmt::format("scree: warning: {}\n", text))); }

void tell_error(const std::string& text) { tell(harmless(fmt::format("scree: {}\n", text))); }

}  // namespace scree::app
