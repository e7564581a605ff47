// The queries that simulations ask most, compiled once per width of registers. Contraction to fma is off and lanes are
// combined in one order, so all variants give the same bits.
#include "geometry/gjk.h"

namespace scree {
namespace {

// A small polyhedron with its pose applied to all vertices beforehand: cheaper than to turn each direction and each
// answer. The same bits as Placed<Polyhedron> has. Blocks of eight vertices are a constant, so that loops over them
// unroll.
template <int Blocks>
class TurnedPolyhedron {
  public:
    static constexpr bool polyhedral = true;

    explicit TurnedPolyhedron(const Placed<Polyhedron>& placed)
        : placed_(&placed),
          count_(placed.body().vertex_count()) {
        const Mat3& m = placed.matrix();
        const double* from = placed.body().lane_blocks();
        const int own = placed.body().padded_count() / scan_width;
#pragma GCC unroll 2
        for (int block = 0; block < Blocks; ++block) {
            // A body of fewer blocks repeats its last one; the first of equals is the support.
            const int k = 3 * scan_width * (block < own ? block : own - 1);
#pragma GCC unroll 3
            for (int row = 0; row < 3; ++row)
                store_along(from + k, m.row[row], block_ + 3 * scan_width * block + row * scan_width);
        }
    }

    Vec3 origin() const { return placed_->origin(); }
    // Only tells where to look first: the origin is in the body's box, and turning the true center would cost more than
    // it saves.
    Vec3 center() const { return {}; }
    double reach() const { return placed_->reach(); }
    double margin() const { return 0; }
    bool needs_check() const { return false; }
    int vertex_count() const { return count_; }
    Vec3 vertex(int k) const {
        const auto u = static_cast<std::size_t>(static_cast<unsigned>(k));
        const double* at = Blocks == 1 ? block_ + u : block_ + u / scan_width * 3 * scan_width + u % scan_width;
        return {at[0], at[scan_width], at[2 * scan_width]};
    }
    Support support(Vec3 d, int = -1) const {
        const int k = scan_lanes(block_, Blocks * scan_width, d);
        return {vertex(k), k};
    }
    Support support_checked(Vec3 d, int) const { return support(d); }
    TwoSupports support_two(Vec3 d) const {
        const auto [first, second] = scan_for_two(block_, Blocks * scan_width, d);
        const int k = first < count_ ? first : 0, j = second < count_ ? second : 0;
        return {{vertex(k), k}, {vertex(j), j}};
    }

  private:
    const Placed<Polyhedron>* placed_;
    int count_;
    alignas(64) double block_[3 * scan_width * Blocks];
};

__attribute__((flatten)) Distance distance_of_plain(const Polyhedron& a, const Polyhedron& b, WarmStart* warm) {
    return distance<Polyhedron, Polyhedron>(a, b, warm);
}

__attribute__((flatten)) Distance distance_of_placed(const Placed<Polyhedron>& a, const Placed<Polyhedron>& b,
                                                     WarmStart* warm) {
    const int larger = a.vertex_count() > b.vertex_count() ? a.vertex_count() : b.vertex_count();
    if (larger <= scan_width)
        return distance<TurnedPolyhedron<1>, TurnedPolyhedron<1>>(TurnedPolyhedron<1>(a), TurnedPolyhedron<1>(b), warm);
    if (larger <= 2 * scan_width)
        return distance<TurnedPolyhedron<2>, TurnedPolyhedron<2>>(TurnedPolyhedron<2>(a), TurnedPolyhedron<2>(b), warm);
    return distance<Placed<Polyhedron>, Placed<Polyhedron>>(a, b, warm);
}

}  // namespace

template <>
const PolyhedronDistance PolyhedronDistanceOf<isa>::table = {distance_of_plain, distance_of_placed};

}  // namespace scree
