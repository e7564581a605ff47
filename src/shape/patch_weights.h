// Weights of the points of one patch: each is divided by the number of points near by, counted smoothly and by their weights. Plain numbers only, so that files
// that are compiled once per instruction set may have it too.
#pragma once

namespace scree {

// at(k): where point k is and its gap, as an aggregate of x, y, z, gap; weight(k): a reference; crowd: room for a number per point.
template <class At, class Weight>
inline __attribute__((always_inline)) void share_weights(int count, double near, double* crowd, At&& at, Weight&& weight) {
    const double scale = 1 / (near * near);
    for (int i = 0; i < count; ++i) crowd[i] = 1;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j) {
            const auto p = at(i), q = at(j);
            const double dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, rise = p.gap - q.gap;
            const double closeness = 1 - scale * (dx * dx + dy * dy + dz * dz + rise * rise);
            if (closeness > 0) crowd[i] += weight(j) * closeness, crowd[j] += weight(i) * closeness;
        }
    for (int i = 0; i < count; ++i) weight(i) /= crowd[i];
}

}  // namespace scree
