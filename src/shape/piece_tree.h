// The pieces of a body in a tree of boxes along its axes, for bodies with many of them (Montanari 2017, section 3.3 and
// algorithm 6).
//
// Two bodies are first asked by their convex hulls. Only where these come near each other are boxes around pieces
// looked at, and only then is the tree of a shape built. There the boxes are attached to the body and turn with it, so
// one tree serves all grains of a shape for the whole run. (Montanari 2017 cuts boxes along the axes of space, for
// bodies that change their form; these would have to be made anew for each pair in each step.)
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "shape/patch.h"
#include "shape/piece.h"

namespace scree {

class PieceTree {
  public:
    PieceTree() = default;
    explicit PieceTree(std::span<const Piece> pieces);
    bool empty() const { return nodes_.empty(); }

    // Appends all pairs of pieces of the two bodies that may be nearer than `reach` (rounding included) and maybe some
    // that are not, in rising order. Returns how many pairs of nodes were looked at.
    friend std::size_t near_pieces(const PieceTree& a, const Pose& pose_a, const PieceTree& b, const Pose& pose_b,
                                   double reach, std::vector<std::pair<std::uint16_t, std::uint16_t>>& out);

  private:
    struct Node {
        Vec3 middle, half;  // of a box around the rounded pieces
        double reach;       // of a ball around them, about the same point
        std::int32_t left;  // the right one follows it; -1: a leaf
        std::uint16_t piece;
    };
    void split(std::int32_t at, std::span<std::uint16_t> order, std::span<const Piece> pieces);
    std::vector<Node> nodes_;
};

std::size_t near_pieces(const PieceTree& a, const Pose& pose_a, const PieceTree& b, const Pose& pose_b, double reach,
                        std::vector<std::pair<std::uint16_t, std::uint16_t>>& out);

}  // namespace scree
