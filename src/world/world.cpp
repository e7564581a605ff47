#include "world/world.h"

#include <numeric>

#include "core/hash.h"
#include "core/parallel.h"

namespace scree {

std::string state_hash_hex(const Grains& grains) {
    std::vector<Index> order(grains.size());
    std::iota(order.begin(), order.end(), Index{0});
    parallel_stable_sort(order, [&](Index a, Index b) { return grains.id[a] < grains.id[b]; });
    Hash hash;
    for (const Index i : order) {
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
