#include "world/world.h"

#include "core/hash.h"

namespace scree {

std::string state_hash_hex(const Grains& grains) {
    std::vector<Index> order;
    Index largest = 0;
    for (const Index id : grains.id) largest = std::max(largest, id);
    constexpr Index none = ~Index{0};
    order.assign(grains.size() ? static_cast<std::size_t>(largest) + 1 : 0, none);
    for (std::size_t i = 0; i < grains.size(); ++i) order[grains.id[i]] = static_cast<Index>(i);
    Hash hash;
    for (const Index i : order) {
        if (i == none) continue;
        const GrainRow& row = grains.row[i];
        const SpinRow& spin = grains.spin[i];
        hash.add(static_cast<std::uint64_t>(grains.id[i]));
        for (const double value : {row.x, row.y, row.z, row.vx, row.vy, row.vz, spin.x, spin.y, spin.z})
            hash.add(value);
        if (!grains.shaped()) continue;
        const Quaternion& q = grains.orientation[i];
        for (const double value : {q.w, q.x, q.y, q.z}) hash.add(value);
    }
    return hash.hex();
}

}  // namespace scree
