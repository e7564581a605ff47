#include "engine/families/body_pairs.h"

namespace scree {

void BodyPairs::renew(std::span<const std::vector<BodyPair>> lists) {
    first.assign(1, 0);
    for (const auto& list : lists) first.push_back(first.back() + list.size());
    pairs.clear();
    pairs.reserve(first.back());
    for (const auto& list : lists) pairs.insert(pairs.end(), list.begin(), list.end());
    forces.assign(pairs.size(), {});
    touching.assign(pairs.size(), 0);
}

void BodyPairs::add_up(const BodyKernel& kernel, const Rows& rows, std::size_t block, ForceRow* sums) const {
    const std::size_t begin = rows.blocks().first(block);
    for (const Rows::Incoming& from : rows.incoming(block))
        if (touching[from.row])
            add_to(sums[from.grain],
                   pairs[from.row].a == begin + from.grain ? forces[from.row].on_a : forces[from.row].on_b());
    const std::size_t own = first[block];
    kernel.add(pairs.data() + own, forces.data() + own, touching.data() + own, first[block + 1] - own, sums, begin,
               rows.blocks().end(block) - begin);
}

}  // namespace scree
