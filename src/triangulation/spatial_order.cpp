#include "spatial_order.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/hash.h"
#include "core/parallel.h"

namespace scree::tri {
namespace {

// Index along the Hilbert curve of the cube with 2^bits cells a side, after Skilling (2004),
// as an automaton that takes one bit of every coordinate at a time. He exchanges and inverts the lower bits of
// coordinates as the upper ones say, so what is left of the upper bits is a state: which coordinate stands in which
// place, which places are inverted, and whether his last pass, of the Gray code, inverts all.
template <int n>
struct Curve {
    static constexpr int orders = n == 3 ? 6 : 2, corners = 1 << n, states = orders * corners * 2;
    struct Step {
        std::uint8_t digit, state;
    };
    Step steps[states][corners];

    constexpr Curve() : steps{} {
        constexpr int order[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (int state = 0; state < states; ++state)
            for (int corner = 0; corner < corners; ++corner) {
                int from[3] = {}, inverted[3] = {}, bit[3] = {};
                const int all = state & 1;
                for (int i = 0; i < n; ++i) {
                    from[i] = order[state / (2 * corners)][i];
                    inverted[i] = state >> (i + 1) & 1;
                    bit[i] = (corner >> from[i] & 1) ^ inverted[i];
                }
                for (int i = 0; i < n; ++i) {
                    if (bit[i]) {
                        inverted[0] ^= 1;
                    } else {
                        const int f = from[0], s = inverted[0];
                        from[0] = from[i];
                        inverted[0] = inverted[i];
                        from[i] = f;
                        inverted[i] = s;
                    }
                }
                int digit = 0;
                for (int i = 0; i < n; ++i) {
                    if (i > 0) bit[i] ^= bit[i - 1];
                    digit = 2 * digit + (bit[i] ^ all);
                }
                int next = 0;
                while (order[next][0] != from[0] || order[next][1] != from[1]) ++next;
                next = 2 * corners * next + (all ^ bit[n - 1]);
                for (int i = 0; i < n; ++i) next += inverted[i] << (i + 1);
                steps[state][corner] = {static_cast<std::uint8_t>(digit), static_cast<std::uint8_t>(next)};
            }
    }
};

template <int n>
std::uint64_t hilbert_index(const std::uint32_t (&x)[3], int bits) {
    static constexpr Curve<n> curve;
    std::uint64_t index = 0;
    for (int b = bits - 1, state = 0; b >= 0; --b) {
        std::uint32_t corner = 0;
        for (int i = 0; i < n; ++i) corner |= (x[i] >> b & 1) << i;
        const auto step = curve.steps[state][corner];
        index = index << n | step.digit;
        state = step.state;
    }
    return index;
}

struct Keyed {
    std::uint64_t key;
    Index vertex;
    int round;
};

}  // namespace

std::vector<Index> spatial_order(const std::vector<Row>& rows, const std::vector<Index>& which, int dimensions,
                                 std::vector<Index>* curve) {
    const std::size_t n = which.size();
    double low[3], scale[3] = {0, 0, 0}, widest = 0;
    for (int k = 0; k < dimensions; ++k) {
        double high = -std::numeric_limits<double>::infinity();
        low[k] = -high;
        for (const Index v : which) {
            const double x = rows[static_cast<std::size_t>(v)].c[k];
            low[k] = std::min(low[k], x);
            high = std::max(high, x);
        }
        widest = std::max(widest, high - low[k]);
    }
    // Some 2^4 cells per point and side tell all but close clusters apart; the cost grows with the bits.
    const int bits = std::min(dimensions == 3 ? 19 : 28, static_cast<int>(std::bit_width(n)) / dimensions + 4);
    for (int k = 0; k < dimensions; ++k) scale[k] = widest > 0 ? static_cast<double>((1u << bits) - 1) / widest : 0;
    // Rounds hold 1/8 of the points of the next one, down to a few hundred.
    const int rounds = n < 2000 ? 1 : std::min(7, 1 + static_cast<int>(std::bit_width(n / 250) / 3));
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
            keyed[i] = {dimensions == 3 ? hilbert_index<3>(x, bits) : hilbert_index<2>(x, bits), which[i],
                        std::max(0, rounds - 1 - depth)};
        }
    });
    parallel_stable_sort(keyed, [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    if (curve) {
        curve->resize(n);
        for (std::size_t i = 0; i < n; ++i) (*curve)[i] = keyed[i].vertex;
    }
    // Deal the points out to their rounds, each in the order along the curve.
    std::size_t start[8] = {};
    for (const Keyed& k : keyed) ++start[k.round + 1];
    for (int r = 1; r < 8; ++r) start[r] += start[r - 1];
    std::vector<Index> order(n);
    for (const Keyed& k : keyed) order[start[k.round]++] = k.vertex;
    return order;
}

}  // namespace scree::tri
