#include <algorithm>

#include "export/export.h"

namespace scree {

View view_of(const Snapshot& s, const WallPicture& walls) {
    View view;
    view.low = {forever, forever, forever};
    view.high = -view.low;
    const auto include = [&](Vec3 x, double r) {
        for (int axis = 0; axis < 3; ++axis) {
            view.low[axis] = std::min(view.low[axis], x[axis] - r);
            view.high[axis] = std::max(view.high[axis], x[axis] + r);
        }
    };
    for (std::size_t k = 0; k < s.size(); ++k) include(s.position[k], s.radius[k]);
    for (const auto& t : walls.triangles)
        for (const int corner : t) include(walls.points[static_cast<std::size_t>(corner)], 0);
    for (const auto& t : walls.segments)
        for (const int corner : t) include(walls.points[static_cast<std::size_t>(corner)], 0);
    if (!(view.low.x <= view.high.x)) {
        view.low = {0, 0, 0};
        view.high = {1, 1, 1};
    }
    view.center = 0.5 * (view.low + view.high);
    view.size = norm(view.high - view.low);
    view.angle = 36;
    const bool flat = s.dimension() == 2;
    // From 2.2 diagonals the whole box is within the angle of view, upwards too in a picture of 4 to 3.
    const Vec3 direction = flat ? Vec3{0, 0, 1} : normalized(Vec3{0.35, -1, 0.3});
    view.eye = view.center + 2.2 * view.size * direction;
    view.up = flat ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    return view;
}

Vec3 group_color(std::size_t group) {
    constexpr Vec3 colors[] = {{0.85, 0.64, 0.24}, {0.25, 0.45, 0.66}, {0.66, 0.26, 0.23},
                               {0.36, 0.56, 0.36}, {0.48, 0.37, 0.61}, {0.5, 0.5, 0.5}};
    return colors[group % std::size(colors)];
}

}  // namespace scree
