#include "shape/piece_tree.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

struct Box {
    Vec3 low, high;
};

Box box_of(const Piece& piece) {
    Box box{piece.vertex[0], piece.vertex[0]};
    for (const Vec3 v : piece.vertex)
        for (int axis = 0; axis < 3; ++axis) {
            box.low[axis] = std::fmin(box.low[axis], v[axis]);
            box.high[axis] = std::fmax(box.high[axis], v[axis]);
        }
    for (int axis = 0; axis < 3; ++axis) {
        box.low[axis] -= piece.radius;
        box.high[axis] += piece.radius;
    }
    return box;
}

}  // namespace

PieceTree::PieceTree(std::span<const Piece> pieces) {
    std::vector<std::uint16_t> order(pieces.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<std::uint16_t>(k);
    nodes_.reserve(2 * pieces.size());
    nodes_.emplace_back();
    split(0, order, pieces);
}

void PieceTree::split(std::int32_t at, std::span<std::uint16_t> order, std::span<const Piece> pieces) {
    Box box = box_of(pieces[order[0]]);
    for (const std::uint16_t k : order) {
        const Box other = box_of(pieces[k]);
        for (int axis = 0; axis < 3; ++axis) {
            box.low[axis] = std::fmin(box.low[axis], other.low[axis]);
            box.high[axis] = std::fmax(box.high[axis], other.high[axis]);
        }
    }
    Node node{0.5 * (box.low + box.high), 0.5 * (box.high - box.low), 0, -1, order[0]};
    double around = 0;
    for (const std::uint16_t k : order)
        around = std::fmax(around, norm(pieces[k].middle - node.middle) + pieces[k].reach);
    node.reach = std::fmin(norm(node.half), around);
    if (order.size() > 1) {
        int axis = 0;
        for (int k = 1; k < 3; ++k)
            if (node.half[k] > node.half[axis]) axis = k;
        const auto middle = static_cast<std::ptrdiff_t>(order.size() / 2);
        std::sort(order.begin(), order.end(), [&](std::uint16_t p, std::uint16_t q) {
            const double x = pieces[p].middle[axis], y = pieces[q].middle[axis];
            return x != y ? x < y : p < q;
        });
        node.left = static_cast<std::int32_t>(nodes_.size());
        nodes_.emplace_back();
        nodes_.emplace_back();
        split(node.left, order.first(static_cast<std::size_t>(middle)), pieces);
        split(node.left + 1, order.subspan(static_cast<std::size_t>(middle)), pieces);
    }
    nodes_[static_cast<std::size_t>(at)] = node;
}

std::size_t near_pieces(const PieceTree& a, const Pose& pose_a, const PieceTree& b, const Pose& pose_b, double reach,
                        std::vector<std::pair<std::uint16_t, std::uint16_t>>& out) {
    // Everything in the axes of body a at its own scale.
    const double scale = pose_b.scale / pose_a.scale, slack = 1e-12 * (a.nodes_[0].reach + scale * b.nodes_[0].reach),
                 near = reach / pose_a.scale + slack;
    const Vec3 shift = (1 / pose_a.scale) * pose_a.rotation.transposed_times(pose_b.position - pose_a.position);
    Vec3 axis[3];  // of body b
    for (int k = 0; k < 3; ++k) {
        Vec3 unit;
        unit[k] = 1;
        axis[k] = pose_a.rotation.transposed_times(pose_b.rotation * unit);
    }
    const auto apart = [&](const PieceTree::Node& p, const PieceTree::Node& q) {
        const Vec3 d = shift + scale * (q.middle.x * axis[0] + q.middle.y * axis[1] + q.middle.z * axis[2]) - p.middle,
                   half = scale * q.half;
        const double far = near + p.reach + scale * q.reach;
        if (dot(d, d) > far * far) return true;
        for (int k = 0; k < 3; ++k) {
            const double width_b =
                std::fabs(axis[0][k]) * half.x + std::fabs(axis[1][k]) * half.y + std::fabs(axis[2][k]) * half.z;
            if (std::fabs(d[k]) > near + p.half[k] + width_b) return true;
            const double width_a =
                std::fabs(axis[k].x) * p.half.x + std::fabs(axis[k].y) * p.half.y + std::fabs(axis[k].z) * p.half.z;
            if (std::fabs(dot(d, axis[k])) > near + half[k] + width_a) return true;
        }
        return false;
    };
    std::size_t looked = 0;
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    thread_local std::vector<std::pair<std::int32_t, std::int32_t>> stack;
    stack.assign(1, {0, 0});
    while (!stack.empty()) {
        const auto [i, j] = stack.back();
        stack.pop_back();
        const PieceTree::Node &p = a.nodes_[static_cast<std::size_t>(i)], &q = b.nodes_[static_cast<std::size_t>(j)];
        ++looked;
        if (apart(p, q)) continue;
        if (p.left < 0 && q.left < 0) {
            out.emplace_back(p.piece, q.piece);
        } else if (q.left < 0 || (p.left >= 0 && p.reach >= scale * q.reach)) {
            stack.emplace_back(p.left, j);
            stack.emplace_back(p.left + 1, j);
        } else {
            stack.emplace_back(i, q.left);
            stack.emplace_back(i, q.left + 1);
        }
    }
    std::sort(out.begin() + begin, out.end());
    return looked;
}

}  // namespace scree
