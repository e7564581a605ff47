// The triangles of a mesh wall, each with what the foot of a perpendicular needs, in a tree of bounding boxes.
//
// A tree and not a grid of cells: a mesh of a machine has triangles a thousand times longer than others.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/extent.h"
#include "math/vec.h"

namespace scree {

class TriangleTree {
  public:
    struct Closest {
        Vec3 point;
        double height;  // of x over the plane, where the foot is inside; else unsigned distance
        bool rim;       // the foot lies on an edge or corner
    };

    TriangleTree() = default;
    // Triangles must have an area.
    TriangleTree(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles);

    std::size_t size() const { return triangles_.size(); }
    const std::vector<Vec3>& points() const { return points_; }
    const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
    Vec3 corner(int triangle, int k) const {
        return points_[static_cast<std::size_t>(
            triangles_[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(k)])];
    }
    Vec3 normal(int triangle) const { return frames_[static_cast<std::size_t>(triangle)].normal; }
    Extent bounds() const { return nodes_.empty() ? Extent{} : nodes_[0].box; }

    Closest closest(int triangle, Vec3 x) const;
    // Whether the segment from x to p passes through the triangle; p on it does not count.
    bool between(int triangle, Vec3 x, Vec3 p) const;
    // Appends the triangles nearer to x than `reach`, in rising order.
    void near(Vec3 x, double reach, std::vector<int>& out) const;

  private:
    struct Frame {
        Vec3 normal;
        Vec3 inward[3];  // unit, in the plane, at a right angle to the edge from corner k to k + 1
    };
    struct Node {
        Extent box;
        int first, count;  // of a leaf: into order_; of a branch count is 0 and `first` the second child, the first one
                           // follows
    };
    void build(int first, int last);

    std::vector<Vec3> points_;
    std::vector<std::array<int, 3>> triangles_;
    std::vector<Frame> frames_;
    std::vector<int> order_;
    std::vector<Node> nodes_;
};

}  // namespace scree
