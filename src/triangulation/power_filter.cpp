// The power test's filter for one cell, four sites at a time.
#include "clones.h"
#include "complex.h"

namespace scree::tri {

// The same determinant as power3_value, with the same count of roundings: the six minors of the columns x, y against
// those of z, h. The four minors of neighbors around the cycle a b c d come from one rotation, the two diagonals from another.
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
    const Four x1 = __builtin_shuffle(x, next), y1 = __builtin_shuffle(y, next), z1 = __builtin_shuffle(z, next), h1 = __builtin_shuffle(h, next);
    const Four x2 = __builtin_shuffle(x, opposite), y2 = __builtin_shuffle(y, opposite), z2 = __builtin_shuffle(z, opposite), h2 = __builtin_shuffle(h, opposite);
    const Four xy1 = x * y1 - y * x1, zh1 = z * h1 - h * z1;  // ab, bc, cd, da
    const Four xy2 = x * y2 - y * x2, zh2 = z * h2 - h * z2;  // ac, bd, ca, db
    const Four across = xy1 * __builtin_shuffle(zh1, opposite);
    const Four diagonal = xy2 * __builtin_shuffle(zh2, next);
    return ((across[1] + across[3]) - (across[0] + across[2])) + (diagonal[0] - diagonal[1]);
}

}  // namespace scree::tri
