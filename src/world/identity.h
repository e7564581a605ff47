// Where the grains of given identities are stored. Its size goes by the grains there are, not by all that ever were:
// a table by identity would grow with every grain poured.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "world/world.h"

namespace scree {

class IdentityTable {
  public:
    static constexpr Index none = ~Index{0};

    explicit IdentityTable(std::span<const Index> ids) {
        const std::size_t slots = std::bit_ceil(ids.size() + ids.size() / 2 + 1);
        shift_ = 64 - std::countr_zero(slots);
        slots_.assign(slots, {0, none});
        for (std::size_t g = 0; g < ids.size(); ++g) {
            std::size_t at = slot_of(ids[g]);
            while (slots_[at].place != none) at = (at + 1) & (slots - 1);
            slots_[at] = {ids[g], static_cast<Index>(g)};
        }
    }

    // The place of a grain, or none.
    Index find(Index id) const {
        std::size_t at = slot_of(id);
        while (slots_[at].place != none && slots_[at].id != id) at = (at + 1) & (slots_.size() - 1);
        return slots_[at].place;
    }

  private:
    struct Slot {
        Index id, place;
    };
    // Open addressing; the factor spreads identities that follow each other.
    std::size_t slot_of(Index id) const {
        return shift_ == 64 ? 0 : static_cast<std::size_t>(id * std::uint64_t{0x9e3779b97f4a7c15} >> shift_);
    }

    std::vector<Slot> slots_;
    int shift_ = 64;
};

}  // namespace scree
