// A binary tree of boxes over the triangles of a surface, each box turned as its patch of the surface lies.
//
// A patch of a smooth surface is thin along its normal: boxes along the axes of space would be as thick as they are
// wide, and two surfaces a distance apart need many more of them (measured: six times) to prove which pair of places is
// nearest.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/closed_forms.h"
#include "math/vec.h"

namespace scree {

class PatchTree {
  public:
    struct Node {
        Vec3 middle;
        Vec3
            half[3];  // from the middle to three sides, at right angles but for rounding, which their lengths allow for
        double radius;              // of a ball around the box
        std::int32_t first, count;  // leaf: triangles order()[first, first + count). Branch: count is 0, `first` the
                                    // second child; the first child follows the node
        bool leaf() const { return count > 0; }
        // How far the box reaches from its middle along d, times |d|.
        double extent(Vec3 d) const {
            return std::fabs(dot(d, half[0])) + std::fabs(dot(d, half[1])) + std::fabs(dot(d, half[2]));
        }
    };
    static constexpr int leaf_size = 4;

    PatchTree() = default;
    explicit PatchTree(std::span<const Triangle> triangles);

    const Node& node(std::int32_t number) const { return nodes_[static_cast<std::size_t>(number)]; }
    int node_count() const { return static_cast<int>(nodes_.size()); }
    // Numbers of the triangles, leaf by leaf.
    const std::vector<std::int32_t>& order() const { return order_; }

  private:
    void build(std::span<const Triangle> triangles, std::int32_t first, std::int32_t last);

    std::vector<Node> nodes_;
    std::vector<std::int32_t> order_;
};

}  // namespace scree
