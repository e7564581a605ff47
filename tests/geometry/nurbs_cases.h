// Curves and surfaces of splines that several tests look at.
#pragma once

#include <cmath>

#include "core/random.h"
#include "geometry/nurbs/nurbs.h"

namespace scree {

struct Row {
    double x, y, w;
};

inline const double half_root = std::sqrt(0.5);

// A full circle of nine points.
inline std::vector<Row> circle_rows() {
    return {{1, 0, 1},           {1, 1, half_root}, {0, 1, 1},          {-1, 1, half_root}, {-1, 0, 1},
            {-1, -1, half_root}, {0, -1, 1},        {1, -1, half_root}, {1, 0, 1}};
}
inline SplineBasis circle_basis() { return {2, {0, 0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1}}; }

inline Nurbs circle() {
    std::vector<Vec3> points;
    std::vector<double> weights;
    for (const auto& [x, y, w] : circle_rows()) {
        points.push_back({x, y, 0});
        weights.push_back(w);
    }
    return nurbs_curve(2, circle_basis().knots, points, weights);
}

// A profile (distance from the axis, height, weight) turned about z.
inline Nurbs revolved(SplineBasis basis, const std::vector<Row>& profile) {
    std::vector<Vec3> points;
    std::vector<double> weights;
    for (const auto& [x, y, w] : circle_rows())
        for (const auto& [rho, z, weight] : profile) {
            points.push_back({rho * x, rho * y, z});
            weights.push_back(w * weight);
        }
    return nurbs_surface(circle_basis(), std::move(basis), points, weights);
}

inline Nurbs sphere_surface() {
    return revolved({2, {0, 0, 0, 0.5, 0.5, 1, 1, 1}},
                    {{0, -1, 1}, {1, -1, half_root}, {1, 0, 1}, {1, 1, half_root}, {0, 1, 1}});
}

inline Nurbs torus_surface() {
    std::vector<Row> profile;
    for (const auto& [x, y, w] : circle_rows()) profile.push_back({1 + 0.3 * x, 0.3 * y, w});
    return revolved(circle_basis(), profile);
}

inline Nurbs bicubic(Random& r, bool rational) {
    const SplineBasis basis{3, {0, 0, 0, 0, 0.2, 0.4, 0.6, 0.8, 1, 1, 1, 1}};
    std::vector<Vec3> points;
    std::vector<double> weights;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            points.push_back({i / 7.0, j / 7.0, r.uniform(-0.3, 0.3)});
            weights.push_back(rational ? r.uniform(0.3, 3) : 1);
        }
    return nurbs_surface(basis, basis, points, weights);
}

inline Nurbs cubic(Random& r) {
    std::vector<Vec3> points;
    std::vector<double> weights;
    for (int i = 0; i < 10; ++i) {
        points.push_back({r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)});
        weights.push_back(r.uniform(0.5, 2));
    }
    return nurbs_curve(3, {0, 0, 0, 0, 1, 2, 3.5, 4, 5, 6, 7, 7, 7, 7}, points, weights);
}

}  // namespace scree
