// Counter-based random numbers: a draw is a pure function of (seed, stream, index), so it depends neither on the order
// of calls nor on the machine, and a checkpoint needs to keep only the index.
#pragma once

#include <cstdint>

#include "core/hash.h"

namespace scree {

class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t stream, std::uint64_t index = 0)
        : key_(mix_bits(mix_bits(seed) ^ (stream * 0xd1342543de82ef95u + 1))),
          index_(index) {}

    std::uint64_t bits() { return mix_bits(key_ ^ mix_bits(index_++)); }
    // Uniform in [0, 1), a multiple of 2^-53.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    // Uniform integer in [0, n).
    std::uint64_t below(std::uint64_t n) {
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits()) * n) >> 64);
    }
    std::uint64_t index() const { return index_; }

  private:
    std::uint64_t key_;
    std::uint64_t index_;
};

}  // namespace scree
