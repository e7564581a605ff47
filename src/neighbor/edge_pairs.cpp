#include "neighbor/edge_pairs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "core/parallel.h"

namespace scree {
namespace {

using tri::Cell;
using tri::Complex;
using tri::Row;
using TriIndex = tri::Index;

// The slots of an edge, and those opposite: the cells across them are the next ones around the edge.
struct EdgeSlots {
    int a, b, p, q;
};
constexpr EdgeSlots edges_in_space[6] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                         {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
constexpr EdgeSlots edges_in_plane[3] = {{0, 1, 2, 2}, {0, 2, 1, 1}, {1, 2, 0, 0}};

// Calls visit(a, b, whether c looks after it and both ends are finite) for every edge of cell c.
template <int D, class Visit>
inline void each_edge(const Cell& here, TriIndex c, Visit&& visit) {
    const EdgeSlots* edges = D == 3 ? edges_in_space : edges_in_plane;
#pragma GCC unroll 6
    for (int e = 0; e < (D == 3 ? 6 : 3); ++e) {
        const auto [a, b, p, q] = edges[e];
        // The next cells have higher numbers: n is 4 times the number and the facet.
        visit(here.v[a], here.v[b], (here.n[p] >= 4 * c) & (here.n[q] >= 4 * c) & ((here.v[a] | here.v[b]) >= 0));
    }
}

// Calls visit(a, b) for every edge between finite vertices of cell c that c looks after.
template <int D, class Visit>
inline void visit_edges(const Cell& here, TriIndex c, Visit&& visit) {
    each_edge<D>(here, c, [&](TriIndex a, TriIndex b, bool keep) {
        if (keep) visit(a, b);
    });
}

// Sum and exclusive or of the names of a cell's vertices: they tell which vertex a facet lacks.
struct NameHash {
    std::uint32_t sum = 0, mix = 0;

    template <int D>
    static NameHash of(const Cell& cell) {
        NameHash hash;
        for (int k = 0; k <= D; ++k) hash.add(cell.v[k]);
        return hash;
    }
    void add(TriIndex v) {
        sum += static_cast<std::uint32_t>(v);
        mix ^= static_cast<std::uint32_t>(v);
    }
    NameHash without(TriIndex v) const {
        return {sum - static_cast<std::uint32_t>(v), mix ^ static_cast<std::uint32_t>(v)};
    }
    bool operator==(const NameHash&) const = default;
};

// Whether what lies across each facet of c knows c by the same facet.
template <int D>
inline bool links_hold(const Cell* cells, const Cell& here, TriIndex c) {
    const NameHash own = NameHash::of<D>(here);
    bool hold = true;
    for (int i = 0; i <= D; ++i) {
        const Cell& other = cells[here.n[i] >> 2];
        const int j = here.n[i] & 3;
        hold &= (other.n[j] == 4 * c + i) & (own.without(here.v[i]) == NameHash::of<D>(other).without(other.v[j]));
    }
    return hold;
}

// Edges of a run of cells, then those of them whose spheres meet: filled without branches, which nothing could
// foretell.
constexpr std::size_t run = 128;
struct EdgeBuffer {
    std::array<std::array<TriIndex, 2>, 6 * run + 1> at;
    std::size_t count = 0;

    void add(TriIndex a, TriIndex b, bool keep) {
        at[count] = {a, b};
        count += keep;
    }
};

constexpr std::size_t cell_chunk = 16384;
// So many cells before their turn the neighbors are asked for: after many flips they may lie anywhere.
constexpr std::size_t ahead = 16;

int code_of_image(unsigned image) {
    const auto digit = [&](unsigned power) { return static_cast<int>(image / power % 3) - 1; };
    return periods_code(digit(1), digit(3), digit(9));
}

// Whether two vertices stand for balls of the same body in the same place: a body and its image are two.
bool of_one_body(const VertexNames& names, const CoveredBodies& bodies, TriIndex a, TriIndex b) {
    const std::int32_t i = names.site[static_cast<std::size_t>(a)], j = names.site[static_cast<std::size_t>(b)];
    if (i == no_site || j == no_site) return false;
    const auto p = static_cast<std::size_t>(i), q = static_cast<std::size_t>(j);
    return bodies.body[p] == bodies.body[q] &&
           bodies.periods[p] + code_of_image(names.image[static_cast<std::size_t>(a)]) ==
               bodies.periods[q] + code_of_image(names.image[static_cast<std::size_t>(b)]);
}

}  // namespace

template <int D, bool covers>
Refusal EdgePairs::sweep(const Complex<D>& complex, const VertexNames& names, const BallRows& balls,
                         const CoveredBodies* bodies, const Periodicity& periodicity, double reach, PairList& pairs) {
    if (!complex.hidden_vertices().empty()) return Refusal::hidden_vertex;
    const std::size_t n = complex.cells().size();
    const Cell* cells = complex.cells().data();
    const Row* rows = complex.rows().data();
    const bool wrapped = periodicity.any();
    parts_.resize(chunk_count(n, cell_chunk));
    std::vector<std::vector<Found>> scratch(static_cast<std::size_t>(thread_count()));
    run_tasks(parts_.size(), [&](std::size_t task, int worker) {
        Part& part = parts_[task];
        std::vector<Found>& found = scratch[static_cast<std::size_t>(worker)];
        found.clear();
        bool linked = true, orthogonal = true;
        const std::size_t end = std::min(n, (task + 1) * cell_chunk);
        for (std::size_t begin = task * cell_chunk; begin < end; begin += run) {
            EdgeBuffer edges, near;
            for (std::size_t at = begin; at < std::min(end, begin + run); ++at) {
                const Cell& here = cells[at];
                const Cell& later = cells[std::min(at + ahead, n - 1)];
                if (later.v[0] != tri::free_mark)
                    for (int i = 0; i <= D; ++i) __builtin_prefetch(cells + (later.n[i] >> 2));
                if (here.v[0] == tri::free_mark) continue;
                const auto c = static_cast<TriIndex>(at);
                linked &= links_hold<D>(cells, here, c);
                each_edge<D>(here, c, [&](TriIndex a, TriIndex b, bool keep) { edges.add(a, b, keep); });
            }
            for (std::size_t e = 0; e < edges.count; ++e) {
                const auto [a, b] = edges.at[e];
                const Row &ra = rows[a], &rb = rows[b];
                const double x = ra.c[0] - rb.c[0], y = ra.c[1] - rb.c[1], z = ra.c[2] - rb.c[2];
                const double square = x * x + y * y + z * z, weights = ra.c[3] + rb.c[3], power = square - weights;
                // Rounding is below 2^-50 of the sum; what it leaves open is decided exactly.
                if (!(power > 0x1p-48 * (square + weights)) && tri::orthogonality(complex.bounds(), ra, rb) <= 0) {
                    if (!covers || !of_one_body(names, *bodies, a, b) ||
                        !(square > (1 + 0x1p-48) * std::fabs(ra.c[3] - rb.c[3])))
                        orthogonal = false;
                }
                // Spheres that do not meet are farther apart than the reach.
                near.add(a, b, !((power > 0) & (power * power > 4.000001 * ra.c[3] * rb.c[3])));
            }
            for (std::size_t e = 0; e < near.count; ++e) {
                const auto [a, b] = near.at[e];
                const std::int32_t i = names.site[static_cast<std::size_t>(a)],
                                   j = names.site[static_cast<std::size_t>(b)];
                if (i == j || i == no_site || j == no_site) continue;
                if constexpr (covers) {
                    const std::uint32_t p = bodies->body[static_cast<std::size_t>(i)],
                                        q = bodies->body[static_cast<std::size_t>(j)];
                    if (p != q && is_near(bodies->around[p], bodies->around[q], periodicity, reach))
                        found.push_back({std::min(p, q), std::max(p, q)});
                    continue;
                }
                // A pair of two images is met again as a pair with at most one, or too far apart to count.
                if (wrapped && names.is_image[static_cast<std::size_t>(a)] &&
                    names.is_image[static_cast<std::size_t>(b)])
                    continue;
                if (!is_near(balls[static_cast<std::size_t>(i)], balls[static_cast<std::size_t>(j)], periodicity,
                             reach))
                    continue;
                found.push_back(
                    {static_cast<std::uint32_t>(std::min(i, j)), static_cast<std::uint32_t>(std::max(i, j))});
            }
        }
        part.linked = linked;
        part.orthogonal = orthogonal;
        part.pairs.assign(found.begin(), found.end());
    });
    for (const Part& part : parts_)
        if (!part.linked) return Refusal::broken_links;
    for (const Part& part : parts_)
        if (!part.orthogonal) return Refusal::not_orthogonal;
    assemble(covers ? bodies->around.count : balls.count, pairs);
    return Refusal::none;
}

// Rows by counting; then each row is sorted and repeated partners go.
void EdgePairs::assemble(std::size_t n, PairList& pairs) {
    fill_.assign(n + 1, 0);
    const bool alone = thread_count() == 1;
    // Which thread comes first decides the order within a row, and sorting forgets it.
    const auto next = [&](std::uint32_t row) {
        return alone ? fill_[row]++ : std::atomic_ref(fill_[row]).fetch_add(1, std::memory_order_relaxed);
    };
    run_tasks(parts_.size(), [&](std::size_t task, int) {
        for (const Found& pair : parts_[task].pairs) next(pair.low);
    });
    const std::size_t total = exclusive_scan(fill_);
    pairs.partners.resize(total);
    run_tasks(parts_.size(), [&](std::size_t task, int) {
        for (const Found& pair : parts_[task].pairs) pairs.partners[next(pair.low)] = pair.high;
    });
    parts_.clear();
    // Now fill_[i] is the end of row i. Count what remains of each row, then close the gaps.
    pairs.first.resize(n + 1);
    const auto row_begin = [&](std::size_t i) { return i == 0 ? 0u : fill_[i - 1]; };
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            std::uint32_t* row = pairs.partners.data() + row_begin(i);
            const std::size_t length = fill_[i] - row_begin(i);
            // Rows are short: insertion that drops what is there already.
            if (length <= 48) {
                std::uint32_t kept = 0;
                for (std::size_t k = 0; k < length; ++k) {
                    const std::uint32_t partner = row[k];
                    std::uint32_t at = kept;
                    while (at > 0 && row[at - 1] > partner) --at;
                    if (at > 0 && row[at - 1] == partner) continue;
                    for (std::uint32_t m = kept; m > at; --m) row[m] = row[m - 1];
                    row[at] = partner;
                    ++kept;
                }
                pairs.first[i] = kept;
            } else {
                std::sort(row, row + length);
                pairs.first[i] = static_cast<std::uint32_t>(std::unique(row, row + length) - row);
            }
        }
    });
    pairs.first[n] = 0;
    exclusive_scan(pairs.first);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t *from = pairs.partners.data() + row_begin(i), to = pairs.first[i];
        if (from != pairs.partners.data() + to)
            std::copy(from, from + (pairs.first[i + 1] - to), pairs.partners.begin() + to);
    }
    pairs.partners.resize(pairs.first[n]);
}

Refusal EdgePairs::list(const tri::Triangulation& triangulation, const VertexNames& names, const BallRows& balls,
                        const CoveredBodies* bodies, const Periodicity& periodicity, double reach, PairList& pairs) {
    const auto of = [&]<int D>(const Complex<D>& complex) {
        return bodies ? sweep<D, true>(complex, names, balls, bodies, periodicity, reach, pairs)
                      : sweep<D, false>(complex, names, balls, bodies, periodicity, reach, pairs);
    };
    if (const Complex<3>* space = triangulation.space()) return of(*space);
    if (const Complex<2>* plane = triangulation.plane()) return of(*plane);
    return Refusal::flat;
}

double EdgePairs::orthogonal_margin(const tri::Triangulation& triangulation, const VertexNames& names,
                                    const BallRows& balls, const CoveredBodies* bodies,
                                    const Periodicity& periodicity) {
    const auto margin_of = [&]<int D>(const Complex<D>& complex) {
        const std::size_t n = complex.cells().size();
        return parallel_reduce(
            n, HUGE_VAL,
            [&](std::size_t begin, std::size_t end) {
                double least = HUGE_VAL;
                for (std::size_t c = begin; c < end; ++c) {
                    const Cell& here = complex.cells()[c];
                    if (here.v[0] == tri::free_mark) continue;
                    visit_edges<D>(here, static_cast<TriIndex>(c), [&](TriIndex a, TriIndex b) {
                        const std::int32_t i = names.site[static_cast<std::size_t>(a)],
                                           j = names.site[static_cast<std::size_t>(b)];
                        if (i == j || i == no_site || j == no_site) return;
                        // A body and its own image are far apart, and their balls' nearest images are those of one
                        // body.
                        if (bodies &&
                            bodies->body[static_cast<std::size_t>(i)] == bodies->body[static_cast<std::size_t>(j)])
                            return;
                        const double *p = balls[static_cast<std::size_t>(i)], *q = balls[static_cast<std::size_t>(j)];
                        const Vec3 d = periodicity.nearest({p[0] - q[0], p[1] - q[1], p[2] - q[2]});
                        // (p + s)² + (q + s)² = d² for the radii p and q.
                        const double sum = p[3] + q[3], square = sum * sum - 2 * (p[3] * p[3] + q[3] * q[3] - norm2(d));
                        least = std::min(least, square > 0 ? 0.5 * (std::sqrt(square) - sum) : -sum);
                    });
                }
                return least;
            },
            [](double a, double b) { return std::min(a, b); });
    };
    if (const Complex<3>* space = triangulation.space()) return margin_of(*space);
    if (const Complex<2>* plane = triangulation.plane()) return margin_of(*plane);
    return -1;
}

}  // namespace scree
