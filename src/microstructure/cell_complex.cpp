#include "cell_complex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/hash.h"
#include "core/parallel.h"

namespace scree::micro {
namespace {

constexpr double weld = 1e-9;  // of the mean spacing

using Key = std::array<std::int32_t, 4>;
struct KeyHash {
    std::size_t operator()(const Key& key) const {
        std::uint64_t hash = 0;
        for (const std::int32_t k : key) hash = mix_bits(hash ^ static_cast<std::uint32_t>(k));
        return hash;
    }
};

struct Loop {
    std::int32_t label;
    Vec3 normal;
    std::vector<std::int32_t> corner;
};

// The number of the first of all places within `reach` of each place, followed through.
std::vector<std::int32_t> welded(const std::vector<Vec3>& places, double reach) {
    std::vector<std::int32_t> parent(places.size());
    for (std::size_t k = 0; k < parent.size(); ++k) parent[k] = static_cast<std::int32_t>(k);
    const auto root = [&](std::int32_t k) {
        while (parent[static_cast<std::size_t>(k)] != k) k = parent[static_cast<std::size_t>(k)];
        return k;
    };
    using Bin = std::array<std::int64_t, 3>;
    std::map<Bin, std::vector<std::int32_t>> bins;
    const double width = 4 * reach;
    for (std::size_t k = 0; k < places.size(); ++k) {
        const auto bin_of = [&](double x, double by) {
            return static_cast<std::int64_t>(std::floor((x + by) / width));
        };
        // All bins that places within reach may be in: those of the corners of a box around the place.
        std::vector<Bin> around;
        for (int c = 0; c < 8; ++c) {
            const Bin bin{bin_of(places[k].x, c & 1 ? reach : -reach), bin_of(places[k].y, c & 2 ? reach : -reach),
                          bin_of(places[k].z, c & 4 ? reach : -reach)};
            if (std::find(around.begin(), around.end(), bin) == around.end()) around.push_back(bin);
        }
        for (const Bin& bin : around) {
            const auto found = bins.find(bin);
            if (found == bins.end()) continue;
            for (const std::int32_t other : found->second)
                if (norm(places[static_cast<std::size_t>(other)] - places[k]) <= reach) {
                    const std::int32_t a = root(other), b = root(static_cast<std::int32_t>(k));
                    parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
                }
        }
        bins[{bin_of(places[k].x, 0), bin_of(places[k].y, 0), bin_of(places[k].z, 0)}].push_back(
            static_cast<std::int32_t>(k));
    }
    for (std::size_t k = 0; k < parent.size(); ++k) parent[k] = root(static_cast<std::int32_t>(k));
    return parent;
}

}  // namespace

CellComplex cell_complex(const Diagram& diagram) {
    CellComplex complex;
    complex.seeds = diagram.seeds();
    const std::size_t n = diagram.size();
    const bool plane = complex.seeds.dimension == 2;
    std::vector<ConvexCell> cells(n, ConvexCell({}, {}));
    parallel_for(
        n,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) cells[i] = diagram.cell(i);
        },
        64);

    std::unordered_map<Key, std::int32_t, KeyHash> number;
    std::vector<Vec3> places;
    std::vector<std::vector<Loop>> loops(n);
    for (std::size_t i = 0; i < n; ++i) {
        const ConvexCell& cell = cells[i];
        const Vec3 center = diagram.center(i);
        std::vector<std::int32_t> corner_number;
        for (const ConvexCell::Corner& corner : cell.corners()) {
            Key key{diagram.label_of(i), 0, 0, 0};
            for (std::size_t k = 0; k < 3; ++k)
                key[k + 1] = cell.planes()[static_cast<std::size_t>(corner.plane[k])].label;
            std::sort(key.begin(), key.end());
            const auto [at, fresh] = number.try_emplace(key, static_cast<std::int32_t>(places.size()));
            if (fresh) {
                Vec3 place = center + corner.at;
                for (int k = 0; k < 3; ++k) {  // on the sides of the box exactly
                    if (std::find(key.begin(), key.end(), -2 - 2 * k) != key.end()) place[k] = complex.seeds.low[k];
                    if (std::find(key.begin(), key.end(), -3 - 2 * k) != key.end()) place[k] = complex.seeds.high[k];
                }
                places.push_back(place);
            }
            corner_number.push_back(at->second);
        }
        cell.for_each_face([&](const CutPlane& face, const std::vector<std::int32_t>& loop) {
            if (plane && face.label != -6) return;  // z low: the polygon
            Loop out{face.label, face.normal, {}};
            for (const std::int32_t c : loop) out.corner.push_back(corner_number[static_cast<std::size_t>(c)]);
            if (plane) std::reverse(out.corner.begin(), out.corner.end());  // seen from above
            loops[i].push_back(std::move(out));
        });
    }
    const std::vector<std::int32_t> same = welded(places, weld * complex.seeds.mean_spacing());
    std::vector<std::int32_t> place_number(places.size(), -1);
    const auto numbered = [&](std::int32_t corner) {
        std::int32_t& at = place_number[static_cast<std::size_t>(same[static_cast<std::size_t>(corner)])];
        if (at < 0) {
            at = static_cast<std::int32_t>(complex.corner.size());
            complex.corner.push_back(places[static_cast<std::size_t>(same[static_cast<std::size_t>(corner)])]);
        }
        return at;
    };

    complex.cell.resize(n);
    std::unordered_map<std::int32_t, std::size_t> cell_of_label;
    for (std::size_t i = 0; i < n; ++i) cell_of_label[diagram.label_of(i)] = i;
    for (std::size_t i = 0; i < n; ++i)
        for (Loop& loop : loops[i]) {
            CellComplex::Face face;
            face.normal = plane ? Vec3{0, 0, 1} : loop.normal;
            face.cell[0] = static_cast<std::int32_t>(i);
            face.cell[1] = loop.label < 0 ? loop.label : -1;
            if (const auto other = cell_of_label.find(loop.label); other != cell_of_label.end()) {
                if (other->second < i) continue;  // made from there
                face.cell[1] = static_cast<std::int32_t>(other->second);
            }
            for (const std::int32_t c : loop.corner)
                if (const std::int32_t at = numbered(c); face.corner.empty() || face.corner.back() != at)
                    face.corner.push_back(at);
            while (face.corner.size() > 1 && face.corner.front() == face.corner.back()) face.corner.pop_back();
            if (face.corner.size() < 3) continue;
            face.offset = dot(face.normal, complex.corner[static_cast<std::size_t>(face.corner[0])]);
            const auto f = static_cast<std::int32_t>(complex.face.size());
            complex.cell[i].push_back(f);
            if (face.cell[1] >= 0) complex.cell[static_cast<std::size_t>(face.cell[1])].push_back(~f);
            complex.face.push_back(std::move(face));
        }
    return complex;
}

Vec3 middle_of(const CellComplex& complex, const std::vector<std::int32_t>& loop) {
    Vec3 sum;
    for (const std::int32_t c : loop) sum += complex.corner[static_cast<std::size_t>(c)];
    return sum / static_cast<double>(loop.size());
}

Vec3 area_vector(const CellComplex& complex, const std::vector<std::int32_t>& loop) {
    const Vec3 first = complex.corner[static_cast<std::size_t>(loop[0])];
    Vec3 sum;
    for (std::size_t k = 2; k < loop.size(); ++k)
        sum += cross(complex.corner[static_cast<std::size_t>(loop[k - 1])] - first,
                     complex.corner[static_cast<std::size_t>(loop[k])] - first);
    return sum;
}

std::string CellComplex::validate() const {
    if (seeds.dimension == 2) return "";
    for (std::size_t c = 0; c < cell.size(); ++c) {
        std::map<std::pair<std::int32_t, std::int32_t>, int> edges;
        for (const std::int32_t f : cell[c]) {
            const Face& side = face[static_cast<std::size_t>(f < 0 ? ~f : f)];
            for (std::size_t k = 0; k < side.corner.size(); ++k) {
                const std::int32_t a = side.corner[k], b = side.corner[(k + 1) % side.corner.size()];
                ++edges[f < 0 ? std::pair(b, a) : std::pair(a, b)];
            }
        }
        for (const auto& [edge, count] : edges) {
            const auto back = edges.find({edge.second, edge.first});
            if (count != 1 || back == edges.end())
                return fmt::format("cell {}: the edge of corners {} and {} is not between two faces", c, edge.first,
                                   edge.second);
        }
    }
    return "";
}

}  // namespace scree::micro
