// When a grain meets each of its neighbors, two at a time and without branches: whether two grains approach, and whether
// they would miss each other, are coin tosses to the processor, and a wrong guess costs more than the root and the quotient
// it would save. The same operations in the same order as in approach() (flight.h), so the same bits.
#pragma once

#include "events/flight.h"

namespace scree::events {

using Two = double __attribute__((vector_size(16)));

struct TwoMeetings {
    Two time;  // `forever` where they do not meet
    Two gap;   // negative where they overlap
};

template <int D, bool fresh, bool weightless>
inline TwoMeetings two_meetings(const Flight<D>& a, const Flight<D>& b, const Flight<D>& c, const double* g, const double* shift_b, const double* shift_c) {
    const Two t{b.t, c.t}, own{a.t, a.t}, s = fresh ? own : own > t ? own : t;
    const Two sa = s - own, sb = s - t, reach = Two{a.radius, a.radius} + Two{b.radius, c.radius};
    Two du{0, 0}, dd{0, 0}, uu{0, 0};
    for (int k = 0; k < D; ++k) {
        const Two ax{a.x[k], a.x[k]}, av{a.v[k], a.v[k]}, bx{b.x[k], c.x[k]}, bv{b.v[k], c.v[k]}, pull{g[k], g[k]}, half{0.5, 0.5};
        const Two xa = fresh ? ax : ax + sa * (weightless ? av : av + half * sa * pull);
        const Two xb = bx + sb * (weightless ? bv : bv + half * sb * pull);
        const Two va = fresh || weightless ? av : av + sa * pull, vb = weightless ? bv : bv + sb * pull;
        const Two d = xb - xa + Two{shift_b[k], shift_c[k]}, u = vb - va;
        du += d * u, dd += d * d, uu += u * u;
    }
    const Two zero{0, 0}, never{forever, forever}, grazing{1e-28, 1e-28}, gap = dd - reach * reach, root = du * du - uu * gap;
    const auto meets = (du < zero) & (du * du > grazing * uu * reach * reach) & (root >= zero);
    const Two safe = meets ? root : Two{1, 1};  // roots of negative numbers are slow
    const Two time = s + gap / (Two{std::sqrt(safe[0]), std::sqrt(safe[1])} - du);
    return {meets ? (gap <= zero ? s : time) : never, gap};
}

}  // namespace scree::events
