// A 64-bit hash of sequences of words: not cryptographic, the same on every machine.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace scree {

// Mixes all bits of a word (the finaliser of splitmix64).
constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

class Hash {
  public:
    void add(std::uint64_t word) { state_ = mix_bits(state_ ^ mix_bits(word)) + 0x632be59bd9b4e019u * ++count_; }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(std::string_view text) {
        for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
        add(static_cast<std::uint64_t>(text.size()));
    }
    std::uint64_t value() const { return mix_bits(state_); }
    std::string hex() const {
        std::string digits(16, '0');
        std::uint64_t rest = value();
        for (int k = 15; k >= 0; --k, rest >>= 4) digits[static_cast<std::size_t>(k)] = "0123456789abcdef"[rest & 15];
        return digits;
    }

  private:
    std::uint64_t state_ = 0;
    std::uint64_t count_ = 0;
};

}  // namespace scree
