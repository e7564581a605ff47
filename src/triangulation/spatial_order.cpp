#include "spatial_order.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/hash.h"
#include "core/parallel.h"

namespace scree::tri {
namespace {

// Index along the Hilbert curve of the cube with 2^bits cells a side, by Skilling's transposition (AIP Conf. Proc. 707,
// 381 (2004)): undo the rotations of the sub-cubes from the top bit down, Gray-code, and interleave.
std::uint64_t hilbert_index(std::uint32_t (&x)[3], int n, int bits) {
    for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {
        const std::uint32_t p = q - 1;
        for (int i = 0; i < n; ++i) {
            if (x[i] & q) {
                x[0] ^= p;
            } else {
                const std::uint32_t t = (x[0] ^ x[i]) & p;
                x[0] ^= t, x[i] ^= t;
            }
        }
    }
    for (int i = 1; i < n; ++i) x[i] ^= x[i - 1];
    std::uint32_t t = 0;
    for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
        if (x[n - 1] & q) t ^= q - 1;
    std::uint64_t index = 0;
    for (int b = bits - 1; b >= 0; --b)
        for (int i = 0; i < n; ++i) index = index << 1 | ((x[i] ^ t) >> b & 1);
    return index;
}

struct Keyed {
    std::uint64_t key;
    Index vertex;
};

}  // namespace

std::vector<Index> spatial_order(const std::vector<Row>& rows, const std::vector<Index>& which, int dimensions, bool in_rounds) {
    const std::size_t n = which.size();
    double low[3], scale[3] = {0, 0, 0}, widest = 0;
    for (int k = 0; k < dimensions; ++k) {
        double high = -std::numeric_limits<double>::infinity();
        low[k] = -high;
        for (const Index v : which) {
            const double x = rows[static_cast<std::size_t>(v)].c[k];
            low[k] = std::min(low[k], x), high = std::max(high, x);
        }
        widest = std::max(widest, high - low[k]);
    }
    // Some 2^6 cells per point and side tell all but close clusters apart; the cost grows with the bits.
    const int bits = std::min(dimensions == 3 ? 19 : 28, static_cast<int>(std::bit_width(n)) / dimensions + 6);
    for (int k = 0; k < dimensions; ++k) scale[k] = widest > 0 ? static_cast<double>((1u << bits) - 1) / widest : 0;
    // Rounds hold 1/8 of the points of the next one, down to a few hundred; the round is the top of the key.
    const int rounds = !in_rounds || n < 2000 ? 1 : std::min(7, 1 + static_cast<int>(std::bit_width(n / 250) / 3));
    std::vector<Keyed> keyed(n);
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Row& row = rows[static_cast<std::size_t>(which[i])];
            std::uint32_t x[3] = {0, 0, 0};
            for (int k = 0; k < dimensions; ++k) {
                const double cell = (row.c[k] - low[k]) * scale[k];
                x[k] = cell >= 0 && cell < static_cast<double>(1u << bits) ? static_cast<std::uint32_t>(cell) : 0;
            }
            const int depth = std::countr_zero(mix_bits(static_cast<std::uint64_t>(which[i])) | 1ull << 60) / 3;
            const auto round = static_cast<std::uint64_t>(std::max(0, rounds - 1 - depth));
            keyed[i] = {round << 58 | hilbert_index(x, dimensions, bits), which[i]};
        }
    });
    parallel_stable_sort(keyed, [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    std::vector<Index> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = keyed[i].vertex;
    return order;
}

}  // namespace scree::tri
