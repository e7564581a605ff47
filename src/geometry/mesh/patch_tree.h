// A tree of boxes over the triangles of a surface, four to a node, each box turned as its patch of the surface lies.
//
// A patch of a smooth surface is thin along its normal: boxes along the axes of space would be as thick as they are
// wide, and two surfaces a distance apart need many more of them (measured: six times) to prove which pair of places is
// nearest. The four boxes of a node lie in lanes, so that a query asks all of them at once; the lowest boxes are those
// of single triangles.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/instruction_set.h"
#include "geometry/closed_forms.h"
#include "math/vec.h"

namespace scree {

struct PatchBox {
    Vec3 middle;
    Vec3 axis[3];  // unit vectors at right angles but for rounding, which the sizes allow for
    Vec3 size;     // half of each side
    // How far the box reaches from its middle along d, times |d|.
    double extent(Vec3 d) const {
        return std::fabs(dot(d, axis[0])) * size.x + std::fabs(dot(d, axis[1])) * size.y +
               std::fabs(dot(d, axis[2])) * size.z;
    }
};

class PatchTree {
  public:
    static constexpr int width = 4;
    static constexpr std::int32_t nothing = INT32_MIN;

    struct alignas(64) Node {
        double row[15][width];      // of lanes: middle, three axes, half sides
        std::int32_t child[width];  // a node; below zero ~ the number of a triangle; or nothing
    };
    // A box of the tree: lane k of node n is 4 n + k. The first box of the first node has the whole surface.
    using Place = std::int32_t;
    static constexpr Place root = 0;
    static Place place(std::int32_t node, int lane) { return width * node + lane; }

    PatchTree() = default;
    explicit PatchTree(std::span<const Triangle> triangles);

    const Node& node(std::int32_t number) const { return nodes_[static_cast<std::size_t>(number)]; }
    PatchBox box(Place place) const;
    // What is in a box: a node, or ~ the number of a triangle.
    std::int32_t child(Place place) const { return node(place / width).child[place % width]; }
    // Triangles by the numbers that the tree gives them: neighbors have numbers close by.
    const std::vector<std::int32_t>& order() const { return order_; }

  private:
    std::int32_t build(std::span<const Triangle> triangles, std::int32_t first, std::int32_t last);

    std::vector<Node> nodes_;
    std::vector<std::int32_t> order_;
};

// How boxes of one tree see those of another one: x -> columns x + shift.
struct PatchView {
    alignas(32) double column[3][4], shift[4];
};

// Of the boxes of a node from a box of the other tree: squares of lower bounds of the distance, and of the distances of
// the middles; bits of those that reach farther than the other one along the line of the middles.
struct PatchBounds {
    double lower2[PatchTree::width], apart2[PatchTree::width];
    unsigned wider;
};

// Four boxes at once, made for the machine at hand.
struct PatchLanes {
    void (*bounds)(const PatchTree::Node& node, const PatchTree::Node& other, int lane, const PatchView& view,
                   PatchBounds& found);
    // Which boxes a segment may meet, from middle - half_way to middle + half_way; bits, which err on the side of yes.
    unsigned (*meeting)(const PatchTree::Node& node, Vec3 middle, Vec3 half_way);
};
template <InstructionSet>
struct PatchLanesOf {
    static const PatchLanes table;
};
template <>
const PatchLanes PatchLanesOf<InstructionSet::baseline>::table;
template <>
const PatchLanes PatchLanesOf<InstructionSet::avx2>::table;
template <>
const PatchLanes PatchLanesOf<InstructionSet::avx512>::table;
inline const PatchLanes& patch_lanes() {
    return *for_instruction_set(last_instruction_set(), [](auto set) { return &PatchLanesOf<set()>::table; });
}

}  // namespace scree
