// The power test of one cell, or of eight at once, the sides of a site in a cell, and the kernel of the streaming
// check.
#include "filters.h"

#include "core/simd.h"

namespace scree::tri {
namespace {

typedef std::int32_t EightIndices __attribute__((vector_size(32), may_alias));
typedef std::int32_t FourIndices __attribute__((vector_size(16), may_alias));
typedef double SiteRow __attribute__((vector_size(32), may_alias));

// Rows of eight sites as columns; their places (in doubles) are at[0], at[stride], ...
SCREE_INLINE void columns(const double* rows, const std::int32_t* at, int stride, V8 (&out)[4]) {
    V8 p[4];
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
        const SiteRow low = *reinterpret_cast<const SiteRow*>(rows + at[k * stride]);
        const SiteRow high = *reinterpret_cast<const SiteRow*>(rows + at[(k + 4) * stride]);
        p[k] = join(low, high);
    }
    transpose_halves(p[0], p[1], p[2], p[3]);
    for (int k = 0; k < 4; ++k) out[k] = p[k];
}

// Around the cycle of the vertices of a cell.
SCREE_INLINE V4 next(V4 v) { return shuffled<1, 2, 3, 0>(v); }
SCREE_INLINE V4 opposite(V4 v) { return shuffled<2, 3, 0, 1>(v); }
SCREE_INLINE V4 former(V4 v) { return shuffled<3, 0, 1, 2>(v); }

// The compiler would keep what was just stored in vectors and take it out again piece by piece; loads are faster.
#define SCREE_IN_MEMORY(x) __asm__ volatile("" : "+m"(x))

// The same determinant as power3_value, with the same count of roundings: the six minors of the columns x, y against
// those of z, h. The four minors of neighbors around the cycle a b c d come from one rotation, the two diagonals from
// another.
double power3_of_cell(const Row* rows, const Index* v, const Row& p) {
    const V4 origin = *reinterpret_cast<const V4*>(p.c);
    V4 x = *reinterpret_cast<const V4*>(rows[v[0]].c) - origin;
    V4 y = *reinterpret_cast<const V4*>(rows[v[1]].c) - origin;
    V4 z = *reinterpret_cast<const V4*>(rows[v[2]].c) - origin;
    V4 w = *reinterpret_cast<const V4*>(rows[v[3]].c) - origin;
    transpose(x, y, z, w);
    const V4 h = x * x + y * y + z * z - w;
    const V4 x1 = next(x), y1 = next(y), z1 = next(z), h1 = next(h);
    const V4 x2 = opposite(x), y2 = opposite(y), z2 = opposite(z), h2 = opposite(h);
    const V4 xy1 = x * y1 - y * x1, zh1 = z * h1 - h * z1;  // ab, bc, cd, da
    const V4 xy2 = x * y2 - y * x2, zh2 = z * h2 - h * z2;  // ac, bd, ca, db
    const V4 across = xy1 * opposite(zh1);
    const V4 diagonal = xy2 * next(zh2);
    return ((across[1] + across[3]) - (across[0] + across[2])) + (diagonal[0] - diagonal[1]);
}

// As power3_value, for eight cells.
bool power3_of_cells(const Cell* cells, const Row* rows, const Index* list, const Row& p, double bound,
                     double* values) {
    alignas(64) Index at[4 * 8];
    FourIndices signs = {};
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) {
        FourIndices v = *reinterpret_cast<const FourIndices*>(cells[list[k]].v);
        signs |= v;
        v = v > 0 ? v : 0;
        *reinterpret_cast<FourIndices*>(at + 4 * k) = v << 2;
    }
    SCREE_IN_MEMORY(at);
    const auto* sites = reinterpret_cast<const double*>(rows);
    V8 a[4], b[4], c[4], d[4];
    columns(sites, at, 4, a);
    columns(sites, at + 1, 4, b);
    columns(sites, at + 2, 4, c);
    columns(sites, at + 3, 4, d);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
        a[k] -= p.c[k];
        b[k] -= p.c[k];
        c[k] -= p.c[k];
        d[k] -= p.c[k];
    }
    const V8 ah = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] - a[3], bh = b[0] * b[0] + b[1] * b[1] + b[2] * b[2] - b[3];
    const V8 ch = c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - c[3], dh = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - d[3];
    const V8 ab = a[0] * b[1] - a[1] * b[0], cd = c[0] * d[1] - c[1] * d[0], ac = a[0] * c[1] - a[1] * c[0];
    const V8 bd = b[0] * d[1] - b[1] * d[0], ad = a[0] * d[1] - a[1] * d[0], bc = b[0] * c[1] - b[1] * c[0];
    const V8 value = ((ac * (b[2] * dh - bh * d[2]) - ab * (c[2] * dh - ch * d[2])) +
                      (bd * (a[2] * ch - ah * c[2]) - cd * (a[2] * bh - ah * b[2]))) -
                     (ad * (b[2] * ch - bh * c[2]) + bc * (a[2] * dh - ah * d[2]));
    *reinterpret_cast<V8*>(values) = value;
    // Sign bits: set where the value is not beyond the bound.
    const V8 size = (V8)((M8)value & 0x7fffffffffffffff);
    const M8 doubt = (M8)(size - bound * (1 + 0x1p-50));
    const M4 half =
        __builtin_shufflevector(doubt, doubt, 0, 1, 2, 3) | __builtin_shufflevector(doubt, doubt, 4, 5, 6, 7);
    const M4 quarter = half | shuffled<2, 3, 0, 1>(half);
    return ((quarter[0] | quarter[1]) >> 32 | signs[0] | signs[1] | signs[2] | signs[3]) >= 0;
}

// Lane k of the rotated minors is the determinant of the three vertices after k around the cycle a b c d, relative to
// p; putting p in place of k instead of in front takes k exchanges.
void sides_in_cell(const Row* rows, const Index* v, const Row& p, double* sides) {
    const V4 origin = *reinterpret_cast<const V4*>(p.c);
    V4 x = *reinterpret_cast<const V4*>(rows[v[0]].c) - origin;
    V4 y = *reinterpret_cast<const V4*>(rows[v[1]].c) - origin;
    V4 z = *reinterpret_cast<const V4*>(rows[v[2]].c) - origin;
    V4 w = *reinterpret_cast<const V4*>(rows[v[3]].c) - origin;
    transpose(x, y, z, w);
    const V4 xy1 = x * next(y) - y * next(x);
    const V4 xy2 = x * opposite(y) - y * opposite(x);
    const V4 det = next(z) * opposite(xy1) - opposite(z) * next(xy2) + former(z) * next(xy1);
    *reinterpret_cast<V4*>(sides) = det * V4{1, -1, 1, -1};
}

constexpr Index group = filter_group;

// Where a group of cells will be looked for: per cell the places of its rows, in doubles, and of the vertices across
// its facets, in indices. Negative numbers (infinite vertex, free cell) become 0, and their sign is remembered.
struct alignas(64) Places {
    Index at[8 * group];
    Index signs[8];
};

SCREE_INLINE void find_places(const Cell* cells, Places& places) {
    EightIndices signs = {};
#pragma GCC unroll 8
    for (Index k = 0; k < group; ++k) {
        EightIndices here = *reinterpret_cast<const EightIndices*>(cells + k);
        signs |= here;
        here = here > 0 ? here : 0;
        here += here & EightIndices{0, 0, 0, 0, ~3, ~3, ~3, ~3};  // 4·cell + slot to 8·cell + slot
        *reinterpret_cast<EightIndices*>(places.at + 8 * k) = here << EightIndices{2, 2, 2, 2, 0, 0, 0, 0};
    }
    *reinterpret_cast<EightIndices*>(places.signs) = signs;
    SCREE_IN_MEMORY(places);
}

// The kernel of check.cpp.
std::size_t cells_in_doubt(const Cell* cells, const Row* rows, Index first, std::size_t count, double weights,
                           const Row& watch, Index* doubtful) {
    constexpr double oriented = orientation3_error * (1 + 0x1p-40), powered = power3_error * (1 + 0x1p-40),
                     tiny = 0x1p-900;
    std::size_t doubts = 0;
    const auto* vertices = reinterpret_cast<const Index*>(cells);
    const auto* sites = reinterpret_cast<const double*>(rows);
    Places places[2];
    if (count > 0) find_places(cells + first, places[0]);
    for (std::size_t g = 0; g < count; ++g, first += group) {
        // Prepare the next group, so that its neighbors are on their way while this one is worked on.
        const Places& now = places[g & 1];
        if (g + 1 < count) {
            Places& next = places[(g + 1) & 1];
            find_places(cells + first + group, next);
#pragma GCC unroll 8
            for (Index k = 0; k < group; ++k)
                for (int i = 4; i < 8; ++i) __builtin_prefetch(vertices + next.at[8 * k + i]);
        }
        alignas(64) Index across[4 * group];
#pragma GCC unroll 8
        for (Index k = 0; k < group; ++k)
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i) across[group * i + k] = vertices[now.at[8 * k + 4 + i]];
        SCREE_IN_MEMORY(across);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            auto& q = *reinterpret_cast<EightIndices*>(across + group * i);
            q = (q > 0 ? q : 0) << 2;
        }
        SCREE_IN_MEMORY(across);

        V8 a[4], b[4], c[4], d[4];
        columns(sites, now.at, 8, a);
        columns(sites, now.at + 1, 8, b);
        columns(sites, now.at + 2, 8, c);
        columns(sites, now.at + 3, 8, d);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            b[i] -= a[i];
            c[i] -= a[i];
            d[i] -= a[i];
        }
        const V8 bs = b[0] * b[0] + b[1] * b[1] + b[2] * b[2], cs = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        const V8 ds = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        const V8 bh = bs - b[3], ch = cs - c[3], dh = ds - d[3];
        const V8 xy = c[0] * d[1] - c[1] * d[0], xz = c[0] * d[2] - c[2] * d[0], yz = c[1] * d[2] - c[2] * d[1];
        const V8 xh = c[0] * dh - ch * d[0], yh = c[1] * dh - ch * d[1], zh = c[2] * dh - ch * d[2];
        const V8 n0 = b[2] * yh - b[1] * zh - bh * yz;
        const V8 n1 = b[0] * zh - b[2] * xh + bh * xz;
        const V8 n2 = b[1] * xh - b[0] * yh - bh * xy;
        const V8 n3 = b[0] * yz - b[1] * xz + b[2] * xy;
        // A cell that holds the watched point has it no further from a than its farthest vertex.
        const V8 r = bs + cs + ds;
        const V8 x = watch.c[0] - a[0], y = watch.c[1] - a[1], z = watch.c[2] - a[2];
        const V8 away = x * x + y * y + z * z - (r * (1 + 0x1p-40) + tiny);
        M8 bad = (M8)n3 | (M8)(n3 * n3 - ((oriented * oriented) * (r * r * r) + tiny)) | (M8)away;
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            V8 q[4];
            columns(sites, across + group * i, 1, q);
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) q[k] -= a[k];
            const V8 qs = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
            const V8 value = (n0 * q[0] + n1 * q[1]) + (n2 * q[2] + n3 * (qs - q[3]));
            const V8 s = r + qs, sh = s * (s + weights);
            bad |= (M8)value | (M8)(value * value - ((powered * powered) * (sh * sh * s) + tiny));
        }
        long long any = 0;
        for (int k = 0; k < group; ++k) any |= bad[k];
        const Index odd = now.signs[0] | now.signs[1] | now.signs[2] | now.signs[3];
        if (any >= 0 && odd >= 0) continue;
        for (Index k = 0; k < group; ++k) {
            const Index* v = cells[first + k].v;
            doubtful[doubts] = first + k;
            doubts += (bad[k] < 0) | ((v[0] | v[1] | v[2] | v[3]) < 0);
        }
    }
    return doubts;
}

}  // namespace

template <>
const Filters FiltersOf<isa>::table = {power3_of_cell, power3_of_cells, sides_in_cell, cells_in_doubt};

}  // namespace scree::tri
