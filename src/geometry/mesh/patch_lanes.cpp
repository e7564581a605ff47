// Compiled once per instruction set; the same bits in all.
#include <limits>

#include "core/simd.h"
#include "geometry/mesh/patch_tree.h"

namespace scree {
namespace {

constexpr double smallest = std::numeric_limits<double>::min();

struct Vec4 {
    V4 x, y, z;
};

SCREE_INLINE V4 fourfold(double a) { return V4{a, a, a, a}; }
SCREE_INLINE V4 magnitude(V4 a) {
    constexpr long long rest = ~sign_bit;
    return (V4)((M4)a & M4{rest, rest, rest, rest});
}
// Twice what is above zero; without comparisons, which narrow registers take apart.
SCREE_INLINE V4 twice_positive(V4 a) { return a + magnitude(a); }
SCREE_INLINE V4 inner(const Vec4& a, const Vec3& b) {
    return a.x * fourfold(b.x) + a.y * fourfold(b.y) + a.z * fourfold(b.z);
}
SCREE_INLINE V4 inner(const Vec4& a, const Vec4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SCREE_INLINE Vec4 rows(const double (*row)[PatchTree::width]) { return {load4(row[0]), load4(row[1]), load4(row[2])}; }

// A vector for the first three lanes, as the turn writes it.
struct Turned {
    double x, y, z, rest;
};
SCREE_INLINE void turn(const PatchView& view, double x, double y, double z, V4 from, Turned& to) {
    store4(&to.x, from + (load4(view.column[0]) * fourfold(x) + load4(view.column[1]) * fourfold(y) +
                          load4(view.column[2]) * fourfold(z)));
}
SCREE_INLINE V4 inner(const Vec4& a, const Turned& b) {
    return a.x * fourfold(b.x) + a.y * fourfold(b.y) + a.z * fourfold(b.z);
}

void bounds(const PatchTree::Node& node, const PatchTree::Node& other, int lane, const PatchView& view,
            PatchBounds& found) {
    Turned other_middle, other_axis[3];
    const auto at = [&](int row) { return other.row[row][lane]; };
    turn(view, at(0), at(1), at(2), load4(view.shift), other_middle);
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) turn(view, at(3 * j + 3), at(3 * j + 4), at(3 * j + 5), V4{}, other_axis[j]);
    const Vec4 middle = rows(node.row), axis[3] = {rows(node.row + 3), rows(node.row + 6), rows(node.row + 9)};
    const V4 size[3] = {load4(node.row[12]), load4(node.row[13]), load4(node.row[14])};
    const Vec4 d{fourfold(other_middle.x) - middle.x, fourfold(other_middle.y) - middle.y,
                 fourfold(other_middle.z) - middle.z};
    const V4 dd = inner(d, d);
    // In the axes of each box in turn the other one is put into a box along them: the distance of these two. And the
    // extents along the line of the middles.
    V4 gaps2{}, other_gaps2{}, extent{}, other_extent{}, seen[3] = {};
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
        const V4 along = magnitude(inner(d, axis[i]));
        V4 reach = size[i];
#pragma GCC unroll 3
        for (int j = 0; j < 3; ++j) {
            const V4 cosine = magnitude(inner(axis[i], other_axis[j]));
            reach += cosine * fourfold(at(12 + j));
            seen[j] += cosine * size[i];
        }
        const V4 gap = twice_positive(along - reach);
        gaps2 += gap * gap;
        extent += along * size[i];
    }
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) {
        const V4 along = magnitude(inner(d, other_axis[j])), of_other = fourfold(at(12 + j));
        const V4 gap = twice_positive(along - of_other - seen[j]);
        other_gaps2 += gap * gap;
        other_extent += along * of_other;
    }
    const V4 line = twice_positive(dd - (extent + other_extent));
    double four_times[3][4], own[4], others[4];
    store4(four_times[0], gaps2);
    store4(four_times[1], other_gaps2);
    store4(four_times[2], line * line / (dd + fourfold(smallest)));
    store4(found.apart2, dd);
    store4(own, extent);
    store4(others, other_extent);
    found.wider = 0;
    for (int k = 0; k < 4; ++k) {
        const double gap2 = four_times[0][k] > four_times[1][k] ? four_times[0][k] : four_times[1][k];
        found.lower2[k] = 0.25 * (gap2 > four_times[2][k] ? gap2 : four_times[2][k]);
        found.wider |= static_cast<unsigned>(own[k] >= others[k]) << k;
    }
}

unsigned meeting(const PatchTree::Node& node, Vec3 middle, Vec3 half_way) {
    const Vec4 of_box = rows(node.row), axis[3] = {rows(node.row + 3), rows(node.row + 6), rows(node.row + 9)};
    const V4 size[3] = {load4(node.row[12]), load4(node.row[13]), load4(node.row[14])};
    const Vec4 d{fourfold(middle.x) - of_box.x, fourfold(middle.y) - of_box.y, fourfold(middle.z) - of_box.z};
    const Vec4 moment{d.y * fourfold(half_way.z) - d.z * fourfold(half_way.y),
                      d.z * fourfold(half_way.x) - d.x * fourfold(half_way.z),
                      d.x * fourfold(half_way.y) - d.y * fourfold(half_way.x)};
    const double length = norm(half_way);
    const V4 slack = fourfold(1e-13) * (magnitude(d.x) + magnitude(d.y) + magnitude(d.z) + fourfold(length) + size[0] +
                                        size[1] + size[2]);
    // What is positive stays positive in sums: above zero as soon as one axis separates them.
    V4 way[3], apart{};
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
        way[k] = magnitude(inner(axis[k], half_way));
        apart += twice_positive(magnitude(inner(d, axis[k])) - size[k] - way[k] - slack);
    }
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        apart += twice_positive(magnitude(inner(moment, axis[k])) - size[i] * way[j] - size[j] * way[i] -
                                slack * fourfold(length));
    }
    double far[4];
    store4(far, apart);
    unsigned met = 0;
    for (int k = 0; k < 4; ++k) met |= static_cast<unsigned>(!(far[k] > 0)) << k;
    return met;
}

}  // namespace

template <>
const PatchLanes PatchLanesOf<isa>::table = {bounds, meeting};

}  // namespace scree
