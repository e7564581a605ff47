// Contacts of bodies with planes and the faces of boxes around them, by far the most common walls: nothing gives way to
// anything there and a corner has one foot, so that corners near a face can be listed like pairs, each with a mark and
// its memory in place, and go through the kernel in lanes. The same bits as those of wall_points.h, where bodies go
// that are near other walls too.
#pragma once

#include <span>
#include <vector>

#include "engine/families/body_memory.h"
#include "engine/families/body_walls.h"
#include "engine/families/wall_batch.h"

namespace scree {

class FlatPoints {
  public:
    explicit FlatPoints(const BodyWalls& walls) : walls_(walls) {}

    // The lists of so many blocks begin anew.
    void clear(std::size_t blocks);
    // Lists the corners of a body that are near these faces. False, and nothing listed, when more corners come near one
    // face than there are lanes: such a body goes with those near other walls.
    bool list(const Grains& grains, const Walls& walls, std::size_t block, std::size_t g,
              std::span<const WallFeature> features, double reach);
    // The lists of a block are complete.
    void close(std::size_t block);
    bool empty(std::size_t block) const { return lists_[block].points.empty(); }

    // Looks at the corners of a block whose marks have run out; those that touch go into the batch.
    void collide(const Grains& grains, const Walls& walls, std::size_t block, WallBatch& batch, BlockReport& report);

    // The bodies of a block as if their walls were any others, in the order of storage.
    template <class Visit>
    void each_body(const Grains& grains, std::size_t block, Visit&& visit) const {
        const List& flat = lists_[block];
        const std::vector<std::uint32_t> order = flat.by_grain();
        for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
            while (end < order.size() && flat.points[order[end]].grain == flat.points[order[begin]].grain) ++end;
            visit(as_others(grains, flat, {order.data() + begin, end - begin}));
        }
    }
    // Takes its memory out of these rows, found by the identity of the body.
    void recall(const Grains& grains, const ContactMemory& memory, const BodyMemoryRows& rows,
                const RowsByName<Index>& names);

  private:
    struct Point {  // a corner near a face of a wall
        static constexpr std::uint32_t none = ~std::uint32_t{0};
        Index grain;
        std::uint32_t corner;
        std::uint32_t ball;  // of a clump, in Bodies::balls
        WallFeature on;
    };
    struct FaceRange {  // of the points of one face
        WallFeature on;
        std::uint32_t first, end;
    };
    struct List {  // by face, grain and corner
        std::vector<Point> points;
        std::vector<FaceRange> faces;
        std::vector<double> marks, memory;  // as of pairs
        std::vector<std::uint8_t> state;    // 1 while it touches
        std::vector<std::uint32_t> by_grain() const;
    };
    struct Active {  // what may touch the face at hand, on its way to the kernel
        std::vector<std::uint32_t> points;
        std::vector<Index> bodies;
        const BodyBall* corners[body_lanes];
        BodyBall placed[body_lanes];
        double overlap[body_lanes];
        std::int32_t counted[body_block];  // the wall with which a body has been counted last
    };

    void collide_face(const Grains& grains, const Walls& walls, WallFeature on, std::size_t count, List& flat,
                      Active& active, WallBatch& batch, BlockReport& report) const;
    GrainWalls as_others(const Grains& grains, const List& flat, std::span<const std::uint32_t> points) const;

    const BodyWalls& walls_;
    std::vector<List> lists_;  // by block
};

}  // namespace scree
