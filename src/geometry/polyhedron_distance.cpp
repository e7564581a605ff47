// The queries that simulations ask most, compiled once per width of registers. Contraction to fma is off and lanes are
// combined in one order, so all variants give the same bits.
#include "geometry/gjk.h"

#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SCREE_PER_MACHINE __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4"), flatten))
#else
#define SCREE_PER_MACHINE
#endif

namespace scree {

SCREE_PER_MACHINE Distance distance(const Polyhedron& a, const Polyhedron& b, WarmStart* warm) {
    return distance<Polyhedron, Polyhedron>(a, b, warm);
}

SCREE_PER_MACHINE Distance distance(const Placed<Polyhedron>& a, const Placed<Polyhedron>& b, WarmStart* warm) {
    return distance<Placed<Polyhedron>, Placed<Polyhedron>>(a, b, warm);
}

}  // namespace scree
