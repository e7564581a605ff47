#include "io/version.h"

#include <fmt/format.h>
#include <hdf5.h>

namespace scree {

const char* compiler() { return SCREE_COMPILER; }
const char* compile_flags() { return SCREE_COMPILE_FLAGS; }

std::string hdf5_version() {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace scree
