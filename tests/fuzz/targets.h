// What reads bytes of others, one function for each kind: nothing but an Error that says where may come out of it.
// Used by the test that mutates seeds, and by libFuzzer (tools/fuzz).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scree::fuzz {

struct Target {
    const char* name;
    // Ends normally for whatever bytes, or throws what it must not.
    void (*run)(const std::string& bytes);
    std::vector<std::string> (*seeds)();
    // What else is put into mutated bytes.
    std::vector<std::string> words;
    int rounds;  // of mutations in the short test
};

const std::vector<Target>& targets();

}  // namespace scree::fuzz
