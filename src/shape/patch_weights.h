// Weights of the points of one patch: each is divided by the number of points near by, counted smoothly by how near
// they are, how deep beside it, and by their weights: one that begins to touch does not count yet, so that nothing
// jumps. Plain numbers only, so that files that are compiled once per instruction set may have it too.
#pragma once

#include "core/inline.h"

namespace scree {

struct WeighedPoint {
    double x, y, z, gap;
    double depth;  // from where the law begins to act
};

// near: points farther from each other do not count, nor those of which counts(i, j) says so. at(k): point k;
// weight(k): a reference; crowd: room for a number per point.
template <class At, class Weight, class Counts>
SCREE_INLINE void share_weights(int count, double near, double* crowd, At&& at, Weight&& weight, Counts&& counts) {
    if (!(near > 0)) return;
    const double scale = 1 / (near * near);
    for (int i = 0; i < count; ++i) crowd[i] = 1;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j) {
            if (!counts(i, j)) continue;
            const WeighedPoint p = at(i), q = at(j);
            const double dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, rise = p.gap - q.gap;
            const double closeness = 1 - scale * (dx * dx + dy * dy + dz * dz + rise * rise);
            if (!(closeness > 0)) continue;
            const double deeper = p.depth > q.depth ? p.depth : q.depth, other = p.depth > q.depth ? q.depth : p.depth,
                         part = deeper > 0 ? (other > 0 ? other / deeper : 0) : 1;
            crowd[i] += weight(j) * closeness * (p.depth < q.depth ? 1 : part);
            crowd[j] += weight(i) * closeness * (q.depth < p.depth ? 1 : part);
        }
    for (int i = 0; i < count; ++i) weight(i) /= crowd[i];
}
template <class At, class Weight>
SCREE_INLINE void share_weights(int count, double near, double* crowd, At&& at, Weight&& weight) {
    share_weights(count, near, crowd, at, weight, [](int, int) { return true; });
}

}  // namespace scree
