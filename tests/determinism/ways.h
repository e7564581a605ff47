// A run of a short scene in one of the ways that must give the same bits, and the state it ends in.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/scenes.h"

namespace scree {

// What a run ends in. `values` are the state hash, the numbers of contacts, the energies by mechanism and the loads of
// walls, each under its name; floating-point numbers as the shortest text that gives the same number when it is read.
struct Ending {
    std::size_t grains = 0, contacts = 0;
    std::vector<std::pair<std::string, std::string>> values;
    friend bool operator==(const Ending&, const Ending&) = default;
};
void PrintTo(const Ending& ending, std::ostream* out);

struct Way {
    int threads = 1;
    NeighborMethod neighbors = NeighborMethod::grid;
    std::uint64_t disturbance = 0;
    std::vector<std::int64_t> resumed_at;
    bool watched = false;  // somebody looks at the state after every few steps
};

Ending run(Scene scene, std::int64_t steps, const Way& way = {});

// The names of the instruction sets that this processor has.
std::vector<std::string> instruction_sets();

// While it lives, kernels are chosen as for a processor with this instruction set.
class UsingInstructionSet {
  public:
    explicit UsingInstructionSet(const std::string& name);
    ~UsingInstructionSet();
    UsingInstructionSet(const UsingInstructionSet&) = delete;
    UsingInstructionSet& operator=(const UsingInstructionSet&) = delete;

  private:
    std::optional<std::string> before_;
};

}  // namespace scree
