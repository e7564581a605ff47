#include <array>

#include "core/parallel.h"
#include "neighbor/neighborhood.h"

namespace scree {
namespace {

constexpr int bits_per_axis = 20;

// Index along the Hilbert curve of a cell with three coordinates of 20 bits (the transpose form of Skilling 2004: undo
// the rotations from the top bit down, then Gray-decode, then interleave).
std::uint64_t hilbert_index(std::array<std::uint32_t, 3> c) {
    for (std::uint32_t q = 1u << (bits_per_axis - 1); q > 1; q >>= 1) {
        const std::uint32_t p = q - 1;
        for (std::size_t a = 0; a < 3; ++a) {
            if (c[a] & q) {
                c[0] ^= p;
            } else {
                const std::uint32_t t = (c[0] ^ c[a]) & p;
                c[0] ^= t;
                c[a] ^= t;
            }
        }
    }
    c[1] ^= c[0];
    c[2] ^= c[1];
    std::uint32_t t = 0;
    for (std::uint32_t q = 1u << (bits_per_axis - 1); q > 1; q >>= 1)
        if (c[2] & q) t ^= q - 1;
    for (std::uint32_t& a : c) a ^= t;
    std::uint64_t index = 0;
    for (int bit = bits_per_axis - 1; bit >= 0; --bit)
        for (const std::uint32_t a : c) index = (index << 1) | ((a >> bit) & 1);
    return index;
}

}  // namespace

std::vector<std::uint32_t> hilbert_order(const BallRows& balls) {
    struct Key {
        std::uint64_t index;
        std::uint32_t ball;
    };
    std::vector<Key> keys(balls.count);
    if (balls.count == 0) return {};
    Vec3 low{balls[0][0], balls[0][1], balls[0][2]}, high = low;
    for (std::size_t i = 0; i < balls.count; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], balls[i][axis]);
            high[axis] = std::max(high[axis], balls[i][axis]);
        }
    const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    const double scale = extent > 0 ? ((1 << bits_per_axis) - 1) / extent : 0;
    parallel_for(balls.count, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::array<std::uint32_t, 3> cell{};
            for (int axis = 0; axis < 3; ++axis)
                cell[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>((balls[i][axis] - low[axis]) * scale);
            keys[i] = {hilbert_index(cell), static_cast<std::uint32_t>(i)};
        }
    });
    parallel_stable_sort(keys, [](const Key& a, const Key& b) { return a.index < b.index; });
    std::vector<std::uint32_t> order(balls.count);
    for (std::size_t i = 0; i < balls.count; ++i) order[i] = keys[i].ball;
    return order;
}

}  // namespace scree
