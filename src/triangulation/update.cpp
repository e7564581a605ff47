#include <algorithm>

#include "complex.h"
#include "core/parallel.h"

namespace scree::tri {

template <int D>
void Complex<D>::refresh_bounds(const std::vector<Row>& rows, Bounds& bounds) const {
    struct Box {
        Row low, high;
    };
    if (rows.empty()) return;
    const Box box = parallel_reduce(
        rows.size(), Box{rows[0], rows[0]},
        [&](std::size_t begin, std::size_t end) {
            Box part{rows[begin], rows[begin]};
            for (std::size_t i = begin; i < end; ++i)
                for (int k = 0; k < 4; ++k) part.low.c[k] = std::min(part.low.c[k], rows[i].c[k]), part.high.c[k] = std::max(part.high.c[k], rows[i].c[k]);
            return part;
        },
        [](Box a, const Box& b) {
            for (int k = 0; k < 4; ++k) a.low.c[k] = std::min(a.low.c[k], b.low.c[k]), a.high.c[k] = std::max(a.high.c[k], b.high.c[k]);
            return a;
        });
    bounds.cover(box.low, box.high);
}

template class Complex<2>;
template class Complex<3>;

}  // namespace scree::tri
