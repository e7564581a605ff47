// Filters of the predicates for whole cells: the power test of one cell, or of eight at once, and the sides of a site
// in a cell.
#include "clones.h"
#include "complex.h"

namespace scree::tri {

// The same determinant as power3_value, with the same count of roundings: the six minors of the columns x, y against
// those of z, h. The four minors of neighbors around the cycle a b c d come from one rotation, the two diagonals from
// another.
SCREE_CLONES
double power3_of_cell(const Row* rows, const Index* v, const Row& p) {
    const Four origin = *reinterpret_cast<const Four*>(p.c);
    Four x = *reinterpret_cast<const Four*>(rows[v[0]].c) - origin;
    Four y = *reinterpret_cast<const Four*>(rows[v[1]].c) - origin;
    Four z = *reinterpret_cast<const Four*>(rows[v[2]].c) - origin;
    Four w = *reinterpret_cast<const Four*>(rows[v[3]].c) - origin;
    SCREE_TRANSPOSE(x, y, z, w)
    const Four h = x * x + y * y + z * z - w;
    const FourInts next = {1, 2, 3, 0}, opposite = {2, 3, 0, 1};
    const Four x1 = __builtin_shuffle(x, next), y1 = __builtin_shuffle(y, next), z1 = __builtin_shuffle(z, next),
               h1 = __builtin_shuffle(h, next);
    const Four x2 = __builtin_shuffle(x, opposite), y2 = __builtin_shuffle(y, opposite),
               z2 = __builtin_shuffle(z, opposite), h2 = __builtin_shuffle(h, opposite);
    const Four xy1 = x * y1 - y * x1, zh1 = z * h1 - h * z1;  // ab, bc, cd, da
    const Four xy2 = x * y2 - y * x2, zh2 = z * h2 - h * z2;  // ac, bd, ca, db
    const Four across = xy1 * __builtin_shuffle(zh1, opposite);
    const Four diagonal = xy2 * __builtin_shuffle(zh2, next);
    return ((across[1] + across[3]) - (across[0] + across[2])) + (diagonal[0] - diagonal[1]);
}

// As power3_value, for eight cells.
SCREE_CLONES
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
    Eight a[4], b[4], c[4], d[4];
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
    const Eight ah = a[0] * a[0] + a[1] * a[1] + a[2] * a[2] - a[3],
                bh = b[0] * b[0] + b[1] * b[1] + b[2] * b[2] - b[3];
    const Eight ch = c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - c[3],
                dh = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - d[3];
    const Eight ab = a[0] * b[1] - a[1] * b[0], cd = c[0] * d[1] - c[1] * d[0], ac = a[0] * c[1] - a[1] * c[0];
    const Eight bd = b[0] * d[1] - b[1] * d[0], ad = a[0] * d[1] - a[1] * d[0], bc = b[0] * c[1] - b[1] * c[0];
    const Eight value = ((ac * (b[2] * dh - bh * d[2]) - ab * (c[2] * dh - ch * d[2])) +
                         (bd * (a[2] * ch - ah * c[2]) - cd * (a[2] * bh - ah * b[2]))) -
                        (ad * (b[2] * ch - bh * c[2]) + bc * (a[2] * dh - ah * d[2]));
    *reinterpret_cast<Eight*>(values) = value;
    // Sign bits: set where the value is not beyond the bound.
    const Eight size = (Eight)((EightInts)value & 0x7fffffffffffffff);
    const EightInts doubt = (EightInts)(size - bound * (1 + 0x1p-50));
    const FourInts half =
        __builtin_shufflevector(doubt, doubt, 0, 1, 2, 3) | __builtin_shufflevector(doubt, doubt, 4, 5, 6, 7);
    const FourInts quarter = half | __builtin_shuffle(half, FourInts{2, 3, 0, 1});
    return ((quarter[0] | quarter[1]) >> 32 | signs[0] | signs[1] | signs[2] | signs[3]) >= 0;
}

// Lane k of the rotated minors is the determinant of the three vertices after k around the cycle a b c d, relative to
// p; putting p in place of k instead of in front takes k exchanges.
SCREE_CLONES
void sides_in_cell(const Row* rows, const Index* v, const Row& p, double* sides) {
    const Four origin = *reinterpret_cast<const Four*>(p.c);
    Four x = *reinterpret_cast<const Four*>(rows[v[0]].c) - origin;
    Four y = *reinterpret_cast<const Four*>(rows[v[1]].c) - origin;
    Four z = *reinterpret_cast<const Four*>(rows[v[2]].c) - origin;
    Four w = *reinterpret_cast<const Four*>(rows[v[3]].c) - origin;
    SCREE_TRANSPOSE(x, y, z, w)
    const FourInts next = {1, 2, 3, 0}, opposite = {2, 3, 0, 1}, last = {3, 0, 1, 2};
    const Four xy1 = x * __builtin_shuffle(y, next) - y * __builtin_shuffle(x, next);
    const Four xy2 = x * __builtin_shuffle(y, opposite) - y * __builtin_shuffle(x, opposite);
    const Four det = __builtin_shuffle(z, next) * __builtin_shuffle(xy1, opposite) -
                     __builtin_shuffle(z, opposite) * __builtin_shuffle(xy2, next) +
                     __builtin_shuffle(z, last) * __builtin_shuffle(xy1, next);
    *reinterpret_cast<Four*>(sides) = det * Four{1, -1, 1, -1};
}

}  // namespace scree::tri
