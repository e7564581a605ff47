#include "engine/families/patch_memory.h"

#include <algorithm>
#include <cmath>

namespace scree {

std::int32_t PatchPool::take() {
    if (!free_.empty()) {
        const std::int32_t slot = free_.back();
        free_.pop_back();
        return slot;
    }
    const std::size_t slot = numbers_.size() / stride();
    numbers_.resize(numbers_.size() + stride(), 0.0);
    return static_cast<std::int32_t>(slot);
}

PatchMemory PatchPool::read(std::int32_t slot) const {
    const double* const row = numbers_.data() + static_cast<std::size_t>(slot) * stride();
    return {static_cast<int>(row[0]), row + first_key, row + first_key + points_, row[1], row[2]};
}

void PatchPool::write(std::int32_t slot, const PatchMemory& memory) {
    double* const row = numbers_.data() + static_cast<std::size_t>(slot) * stride();
    const auto count = static_cast<std::size_t>(memory.count);
    row[0] = memory.count;
    row[1] = memory.taken;
    row[2] = memory.power;
    std::copy_n(memory.keys, count, row + first_key);
    std::copy_n(memory.numbers, count * width_, row + first_key + points_);
}
namespace {

// Corners are known by the sides that meet and the edges before and after them (shape/patch.cpp). Where a corner of one
// side slides over an edge of the other, one corner becomes two that each keep one of its edges, or the other way
// round.
bool share_an_edge(std::uint32_t one, std::uint32_t other) {
    if (one >> 16 != other >> 16) return false;
    const std::uint32_t before = one >> 8 & 255, after = one & 255, other_before = other >> 8 & 255,
                        other_after = other & 255;
    return before == other_before || after == other_after || before == other_after || after == other_before;
}

double square(const double* v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

}  // namespace

// Springs go from corners that are gone to new ones beside them, so that neither their energy nor, as far as may be,
// their force changes: blocks whose edges lie flush change corners all the time, and springs handed out anew would feed
// them. A new corner without such a neighbor takes the mean, which keeps the force of a block that slides over an edge.
// Together the points never hold more energy than those before.
void carry_over(std::size_t width, const PatchMemory& old, const Patch& patch, LawPoint* points) {
    const auto key_of = [&](int q) { return static_cast<std::uint32_t>(old.keys[q]); };
    const auto numbers_of = [&](int q) { return old.numbers + static_cast<std::size_t>(q) * width; };
    bool gone[Patch::most], is_new[Patch::most];
    int heirs[Patch::most] = {};
    for (int q = 0; q < old.count; ++q) {
        gone[q] = true;
        for (int k = 0; k < patch.count; ++k) gone[q] = gone[q] && patch.point[k].key != key_of(q);
    }
    for (int k = 0; k < patch.count; ++k) {
        is_new[k] = !points[k].fresh;
        for (int q = 0; q < old.count; ++q) is_new[k] = is_new[k] && patch.point[k].key != key_of(q);
        for (int q = 0; q < old.count && is_new[k]; ++q)
            heirs[q] += gone[q] && share_an_edge(key_of(q), patch.point[k].key);
    }
    double before = 0, after = 0;
    for (int q = 0; q < old.count; ++q) before += square(numbers_of(q));
    for (int k = 0; k < patch.count; ++k) {
        double* const memory = points[k].memory;
        int sources = 0;
        double energy = 0;
        for (int q = 0; q < old.count && is_new[k]; ++q) {
            if (!gone[q] || !share_an_edge(key_of(q), patch.point[k].key)) continue;
            const double part = 1 / std::sqrt(static_cast<double>(heirs[q]));
            ++sources;
            energy += part * part * square(numbers_of(q));
            for (std::size_t m = 0; m < width; ++m) memory[m] += m < 3 ? part * numbers_of(q)[m] : numbers_of(q)[m];
        }
        if (sources > 1) {
            // Of two springs that become one, the energy and the direction of their sum.
            const double sum = square(memory), scale = sum > 0 ? std::sqrt(energy / sum) : 0;
            for (std::size_t m = 0; m < width; ++m) memory[m] *= m < 3 ? scale : 1.0 / sources;
        }
        for (int q = 0; q < old.count && is_new[k] && sources == 0; ++q)
            for (std::size_t m = 0; m < width; ++m) memory[m] += numbers_of(q)[m] / old.count;
        after += square(memory);
    }
    const double scale = after > before ? std::sqrt(before / after) : 1;
    for (int k = 0; k < patch.count && scale < 1; ++k)
        for (int m = 0; m < 3; ++m) points[k].memory[m] *= scale;
}

}  // namespace scree
