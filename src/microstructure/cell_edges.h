// The edges of a complex of cells, and the sides of the box its corners lie on: for files that name them.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "cell_complex.h"

namespace scree::micro {

struct Edges {
    std::vector<std::pair<std::int32_t, std::int32_t>> ends;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> number;  // by rising corners

    explicit Edges(const CellComplex& complex) {
        for (const CellComplex::Face& face : complex.face)
            for (std::size_t k = 0; k < face.corner.size(); ++k) {
                const auto edge = std::minmax(face.corner[k], face.corner[(k + 1) % face.corner.size()]);
                if (number.try_emplace(edge, static_cast<std::int32_t>(ends.size())).second) ends.push_back(edge);
            }
    }
    // From 1, negative when it runs against its own direction.
    std::int32_t signed_number(std::int32_t a, std::int32_t b) const {
        const std::int32_t k = number.at(std::minmax(a, b)) + 1;
        return a < b ? k : -k;
    }
};

// The sides of the box a corner lies on, as bits.
inline unsigned sides_of(const CellComplex& complex, std::int32_t corner) {
    const Vec3 p = complex.corner[static_cast<std::size_t>(corner)];
    unsigned sides = 0;
    for (int k = 0; k < complex.seeds.dimension; ++k) {
        sides |= static_cast<unsigned>(p[k] == complex.seeds.low[k]) << (2 * k);
        sides |= static_cast<unsigned>(p[k] == complex.seeds.high[k]) << (2 * k + 1);
    }
    return sides;
}

}  // namespace scree::micro
