// The entry of libFuzzer: SCREE_FUZZ_TARGET names the target. With --seeds FOLDER its seeds are written there first.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "fuzz/targets.h"

namespace {

const scree::fuzz::Target& target() {
    const char* name = std::getenv("SCREE_FUZZ_TARGET");
    for (const scree::fuzz::Target& each : scree::fuzz::targets())
        if (name != nullptr && std::strcmp(name, each.name) == 0) return each;
    std::fprintf(stderr, "SCREE_FUZZ_TARGET names no target\n");
    std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    if (*argc == 3 && std::strcmp((*argv)[1], "--seeds") == 0) {
        int number = 0;
        for (const std::string& seed : target().seeds())
            std::ofstream(std::string((*argv)[2]) + "/seed" + std::to_string(number++), std::ios::binary) << seed;
        std::exit(0);
    }
    return 0;
}

// What a target throws is not caught: it ends the program, and libFuzzer keeps the bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    target().run(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
