// The schedule: one pending event per item (grain, or cell of the triangulation), smallest time first. A heap of four
// children per node that knows where each item is, so that an event is moved in place when it changes: O(log n), and
// mostly O(1), since new events tend to lie far ahead. Equal times are ordered by the tie number, so that the order of
// events does not depend on how the heap came about.
// Rejected: leaving outdated events in the queue until they surface. The queue then grows with the number of
// collisions, and every one of them is sorted in vain.
#pragma once

#include <cstdint>
#include <vector>

#include "scree/scene.h"

namespace scree::events {

class Queue {
  public:
    using Item = std::uint32_t;

    // All items with nothing pending.
    void reset(std::size_t items) {
        nodes_.resize(items), place_.resize(items);
        for (std::size_t k = 0; k < items; ++k) nodes_[k] = {forever, 0, static_cast<Item>(k)}, place_[k] = static_cast<Item>(k);
    }
    // Adds items with nothing pending.
    void grow(std::size_t items) {
        for (std::size_t k = nodes_.size(); k < items; ++k) nodes_.push_back({forever, ~std::uint64_t{0}, static_cast<Item>(k)}), place_.push_back(static_cast<Item>(k));
    }
    std::size_t size() const { return nodes_.size(); }
    bool empty() const { return nodes_.empty(); }
    double top_time() const { return nodes_[0].time; }
    Item top() const { return nodes_[0].item; }
    double time_of(Item item) const { return nodes_[place_[item]].time; }

    void set(Item item, double time, std::uint64_t tie) {
        const std::size_t at = place_[item];
        const Node node{time, tie, item};
        if (before(node, nodes_[at])) rise(at, node);
        else sink(at, node);
    }

  private:
    struct Node {
        double time;
        std::uint64_t tie;
        Item item;
    };
    static bool before(const Node& a, const Node& b) { return a.time < b.time || (a.time == b.time && a.tie < b.tie); }
    void put(std::size_t at, const Node& node) { nodes_[at] = node, place_[node.item] = static_cast<Item>(at); }
    void rise(std::size_t at, const Node& node) {
        while (at > 0) {
            const std::size_t parent = (at - 1) / 4;
            if (!before(node, nodes_[parent])) break;
            put(at, nodes_[parent]);
            at = parent;
        }
        put(at, node);
    }
    void sink(std::size_t at, const Node& node) {
        for (;;) {
            const std::size_t first = 4 * at + 1;
            if (first >= nodes_.size()) break;
            const std::size_t end = first + 4 < nodes_.size() ? first + 4 : nodes_.size();
            std::size_t least = first;
            for (std::size_t child = first + 1; child < end; ++child)
                if (before(nodes_[child], nodes_[least])) least = child;
            if (!before(nodes_[least], node)) break;
            put(at, nodes_[least]);
            at = least;
        }
        put(at, node);
    }

    std::vector<Node> nodes_;
    std::vector<Item> place_;  // of each item in the heap
};

}  // namespace scree::events
