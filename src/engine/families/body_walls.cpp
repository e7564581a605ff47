#include "engine/families/body_walls.h"

namespace scree {

BodyWalls::BodyWalls(const BodyScene& given, const Walls& walls)
    : scene(given),
      materials(walls.materials),
      faces(walls.size()),
      center(walls.size()) {
    for (std::size_t w = 0; w < walls.size(); ++w) {
        moves.push_back(walls.set.ever_moves(w));
        is_flat.push_back(walls.set.surface(w).is_flat());
        is_sheet.push_back(walls.set.surface(w).is_sheet());
        for (int feature = 0; feature < 6 && is_flat[w]; ++feature)
            faces[w][static_cast<std::size_t>(feature)] = walls.set.surface(w).face(feature);
    }
}

void BodyWalls::place(const Walls& walls) {
    for (std::size_t w = 0; w < walls.size(); ++w) center[w] = walls.set.reference_point(w, walls.placements[w]);
}

std::size_t walls_touched(const std::vector<WallPoint>& points) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
        bool known = false;
        for (std::size_t q = 0; q < k; ++q) known = known || points[q].wall == points[k].wall;
        count += !known;
    }
    return count;
}

}  // namespace scree
