#include "shape/half_spaces.h"

#include <cmath>

#include "shape/piece.h"

namespace scree {

std::vector<Vec3> solid_corners(Solid solid, double edge) {
    std::vector<Vec3> out;
    const double golden = 0.5 * (1 + std::sqrt(5.0));
    const auto scaled = [&](std::vector<Vec3> points, double present) {
        for (Vec3& p : points) p *= edge / present;
        return points;
    };
    switch (solid) {
        case Solid::tetrahedron:
            return scaled({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, std::sqrt(8.0));
        case Solid::cube:
            for (int k = 0; k < 8; ++k) out.push_back({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
            return scaled(out, 2);
        case Solid::octahedron:
            return scaled({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}, std::sqrt(2.0));
        case Solid::dodecahedron:
            for (int k = 0; k < 8; ++k) out.push_back({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
            for (int k = 0; k < 4; ++k) {
                const double a = (k & 1 ? 1 : -1) / golden, b = (k & 2 ? 1 : -1) * golden;
                out.push_back({0, a, b});
                out.push_back({a, b, 0});
                out.push_back({b, 0, a});
            }
            return scaled(out, 2 / golden);
        case Solid::icosahedron:
            for (int k = 0; k < 4; ++k) {
                const double a = k & 1 ? 1 : -1, b = (k & 2 ? 1 : -1) * golden;
                out.push_back({0, a, b});
                out.push_back({a, b, 0});
                out.push_back({b, 0, a});
            }
            return scaled(out, 2);
        default:
            return out;
    }
}

namespace {

std::vector<HalfSpace> sides_of(const Piece& piece, double drawn_in) {
    std::vector<HalfSpace> sides;
    for (const Face& f : piece.faces) sides.push_back({f.normal, f.offset - drawn_in});
    return sides;
}

Inscribed inscribed_ball(const Piece& piece) {
    Vec3 middle;
    for (const Vec3 v : piece.vertex) middle += (1.0 / static_cast<double>(piece.vertex.size())) * v;
    return inscribed_ball(sides_of(piece, 0), middle, piece.reach);
}

}  // namespace

// Found by pushing the start away from the nearest plane.
Inscribed inscribed_ball(const std::vector<HalfSpace>& sides, Vec3 start, double size) {
    const auto nearest = [&](Vec3 x) {
        std::size_t best = 0;
        for (std::size_t f = 1; f < sides.size(); ++f)
            if (sides[f].offset - dot(sides[f].normal, x) < sides[best].offset - dot(sides[best].normal, x)) best = f;
        return best;
    };
    Vec3 inside = start, best = start;
    const auto depth = [&](Vec3 x) {
        const HalfSpace& f = sides[nearest(x)];
        return f.offset - dot(f.normal, x);
    };
    for (int k = 1; k <= 2000; ++k) {
        inside -= (0.5 * size / (k + 4)) * sides[nearest(inside)].normal;
        if (depth(inside) > depth(best)) best = inside;
    }
    return {best, depth(best)};
}

Inscribed inscribed_ball(const std::vector<Vec3>& cloud, int dimension) {
    const Piece piece = make_piece(cloud, 0, dimension);
    return piece.dimension < dimension ? Inscribed{piece.middle, 0} : inscribed_ball(piece);
}

// The dual of the hull of the planes' dual points about the point inside.
std::vector<Vec3> common_corners(const std::vector<HalfSpace>& sides, Vec3 inside, int dimension) {
    std::vector<Vec3> dual;
    for (const HalfSpace& side : sides) dual.push_back(side.normal / (side.offset - dot(side.normal, inside)));
    const Piece hull = make_piece(dual, 0, dimension);
    std::vector<Vec3> corners;
    for (const Face& f : hull.faces) corners.push_back(inside + f.normal / f.offset);
    return corners;
}

std::vector<Vec3> eroded(const std::vector<Vec3>& cloud, double radius, int dimension) {
    const Piece piece = make_piece(cloud, 0, dimension);
    if (piece.dimension < dimension) return {};
    const auto [best, depth] = inscribed_ball(piece);
    if (!(depth > radius * (1 + 1e-9))) return {};
    return common_corners(sides_of(piece, radius), best, dimension);
}

}  // namespace scree
