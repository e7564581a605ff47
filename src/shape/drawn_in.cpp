#include "shape/drawn_in.h"

#include <algorithm>
#include <cmath>

#include "geometry/gjk.h"
#include "shape/mass.h"
#include "shape/shape.h"

namespace scree {
namespace {

constexpr double most_lost = 0.1;   // part of the volume
constexpr double most_reach = 2;    // radii: slivers along a piece that is drawn in stick out by less

struct Thin {
    double radius;  // of the ball that fits in
    double volume, reach;
};

double reach_of(const std::vector<Vec3>& corners, const std::vector<Polyhedron>& kept, double radius) {
    double reach = 0;
    for (const Vec3 corner : corners) {
        double nearest = forever;
        for (const Polyhedron& body : kept) nearest = std::fmin(nearest, distance(body, PointBody(corner)).gap - radius);
        reach = std::fmax(reach, nearest);
    }
    return reach;
}

}  // namespace

DrawnIn drawn_in(const std::vector<std::vector<Vec3>>& pieces, double radius) {
    DrawnIn out;
    double whole = 0, lost = 0;
    std::vector<const std::vector<Vec3>*> gone;
    std::vector<Polyhedron> kept;
    std::vector<double> volumes;
    for (const std::vector<Vec3>& cloud : pieces) {
        const double volume = moments_of(make_piece(cloud, 0, 3), 3).volume;
        whole += volume;
        if (std::vector<Vec3> inner = eroded(cloud, radius, 3); !inner.empty()) {
            kept.emplace_back(inner);
            out.clouds.push_back(std::move(inner));
        } else {
            lost += volume;
            gone.push_back(&cloud), volumes.push_back(volume);
        }
    }
    if (gone.empty()) return out;
    std::vector<Thin> thin;
    for (std::size_t k = 0; k < gone.size(); ++k) thin.push_back({inscribed_ball(*gone[k], 3).radius, volumes[k], reach_of(*gone[k], kept, radius)});
    std::sort(thin.begin(), thin.end(), [](const Thin& a, const Thin& b) { return a.radius < b.radius; });
    out.lost = lost / whole, out.thickness = 2 * thin.back().radius;
    double so_far = 0, fitting = forever;
    for (const Thin& piece : thin) {
        so_far += piece.volume;
        out.reach = std::fmax(out.reach, piece.reach);
        if (piece.reach > most_reach * radius || so_far > most_lost * whole) fitting = std::fmin(fitting, piece.radius);
    }
    if (fitting < forever) out.fitting = fitting;
    return out;
}

}  // namespace scree
