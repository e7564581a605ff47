// The hull of points on the rounded surface: at every corner of the skeleton the normals of its faces, arcs of them
// along its edges, and directions between. Hulls of points are closed whatever the rounding of numbers, which strips
// and patches stitched together by hand are not.
#include "shape/tessellation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "math/elementary.h"
#include "shape/half_spaces.h"

namespace scree {
namespace {

double step_angle(Fineness fineness) { return pi / (3 << static_cast<int>(fineness)); }

// Directions over the sphere: the corners of an icosahedron whose triangles are cut in four and brought to the sphere.
std::vector<Vec3> sphere_directions(int times) {
    const ConvexHull hull = convex_hull(solid_corners(Solid::icosahedron, 1));
    std::vector<Vec3> points;
    for (const Vec3 p : hull.points) points.push_back(normalized(p));
    std::vector<std::array<int, 3>> triangles;
    for (const auto& f : hull.facets) triangles.push_back({f[0], f[1], f[2]});
    for (int t = 0; t < times; ++t) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const auto [at, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<int>(points.size()));
            if (fresh)
                points.push_back(normalized(points[static_cast<std::size_t>(a)] + points[static_cast<std::size_t>(b)]));
            return at->second;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& [a, b, c] : triangles) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        triangles.swap(finer);
    }
    return points;
}

// The half turn about `axis` or less that leads from one normal to another around an edge: `outward` lies between them.
std::vector<Vec3> arc(Vec3 from, Vec3 outward, double angle, double step) {
    std::vector<Vec3> out;
    const int count = std::max(1, static_cast<int>(std::ceil(angle / step - 1e-9)));
    for (int k = 0; k <= count; ++k) {
        const SinCos at = same_sincos(angle * k / count);
        out.push_back(at.cos * from + at.sin * outward);
    }
    return out;
}

TriangleMesh triangles_of(const std::vector<Vec3>& cloud) {
    const ConvexHull hull = convex_hull(cloud);
    TriangleMesh mesh;
    mesh.points = hull.points;
    for (const auto& f : hull.facets)
        for (std::size_t k = 1; k + 1 < f.size(); ++k) mesh.triangles.push_back({f[0], f[k], f[k + 1]});
    return mesh;
}

TriangleMesh plate(const Piece& piece, Fineness fineness) {
    const int count = 4 * static_cast<int>(std::lround(0.5 * pi / step_angle(fineness)));
    std::vector<Vec3> cloud;
    for (std::size_t v = 0; v < piece.vertex.size(); ++v) {
        const Vec3 at = piece.vertex[v];
        std::vector<Vec3> normals;
        for (const int f : piece.faces_at[v]) normals.push_back(piece.faces[static_cast<std::size_t>(f)].normal);
        const std::size_t given = normals.size();
        for (int k = 0; k < count; ++k) {
            const SinCos turn = same_sincos(2 * pi * k / count);
            const Vec3 d{turn.cos, turn.sin, 0};
            const bool outside = std::all_of(piece.vertex.begin(), piece.vertex.end(),
                                             [&](Vec3 other) { return dot(d, other - at) <= 0; });
            // Points as good as on the normal of a side would make slivers.
            const bool fresh = std::none_of(normals.begin(), normals.begin() + static_cast<std::ptrdiff_t>(given),
                                            [&](Vec3 n) { return norm(n - d) < 0.3 * step_angle(fineness); });
            if (outside && fresh) normals.push_back(d);
        }
        for (const Vec3 n : normals)
            for (const double z : {-0.5, 0.5}) cloud.push_back(at + piece.radius * (n + Vec3{0, 0, z}));
    }
    return triangles_of(cloud);
}

}  // namespace

TriangleMesh rounded_surface(const Piece& piece, int dimension, Fineness fineness) {
    if (dimension == 2) return plate(piece, fineness);
    const double step = step_angle(fineness);
    std::vector<std::vector<Vec3>> rim(
        piece.vertex.size());  // directions at the borders of each corner's cone of normals
    std::vector<std::vector<int>> neighbors(piece.vertex.size());
    const auto add_edge = [&](int a, int b, const std::vector<Vec3>& directions) {
        for (const int v : {a, b})
            rim[static_cast<std::size_t>(v)].insert(rim[static_cast<std::size_t>(v)].end(), directions.begin(),
                                                    directions.end());
        neighbors[static_cast<std::size_t>(a)].push_back(b);
        neighbors[static_cast<std::size_t>(b)].push_back(a);
    };
    if (piece.dimension == 1) {
        const Vec3 along = normalized(piece.vertex[1] - piece.vertex[0]),
                   helper = std::fabs(along.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0},
                   side = normalized(cross(along, helper));
        std::vector<Vec3> ring = arc(side, cross(along, side), 2 * pi, step);
        ring.pop_back();
        add_edge(0, 1, ring);
    } else if (piece.dimension >= 2) {
        std::map<std::pair<int, int>, const Face*> owner;
        for (const Face& face : piece.faces)
            for (std::size_t k = 0; k < face.corners.size(); ++k)
                owner[{face.corners[k], face.corners[(k + 1) % face.corners.size()]}] = &face;
        for (const auto& [edge, face] : owner) {
            const auto other = owner.find({edge.second, edge.first});
            if (edge.first > edge.second || other == owner.end()) continue;
            const Vec3 along = normalized(piece.vertex[static_cast<std::size_t>(edge.second)] -
                                          piece.vertex[static_cast<std::size_t>(edge.first)]);
            const Vec3 outward = cross(along, face->normal), normal = other->second->normal;
            add_edge(edge.first, edge.second,
                     arc(face->normal, outward, std::fabs(same_atan2(dot(normal, outward), dot(normal, face->normal))),
                         step));
        }
    }
    const std::vector<Vec3> around = sphere_directions(static_cast<int>(fineness));
    std::vector<Vec3> cloud;
    for (std::size_t v = 0; v < piece.vertex.size(); ++v) {
        const Vec3 at = piece.vertex[v];
        std::vector<Vec3>
            directions;  // those of the edges that meet here have the normals of faces twice, but for rounding
        for (const Vec3 d : rim[v])
            if (std::none_of(directions.begin(), directions.end(), [&](Vec3 e) { return norm2(e - d) < 1e-12; }))
                directions.push_back(d);
        // Directions of the sphere fill the cone, but not so near to its border that slivers result.
        for (const Vec3 d : around) {
            const bool inside = std::all_of(neighbors[v].begin(), neighbors[v].end(), [&](int w) {
                const Vec3 edge = piece.vertex[static_cast<std::size_t>(w)] - at;
                return dot(d, edge) <= -0.25 * step * norm(edge);
            });
            if (inside) directions.push_back(d);
        }
        for (const Vec3 d : directions) cloud.push_back(at + piece.radius * d);
    }
    return triangles_of(cloud);
}

void append(TriangleMesh& mesh, const TriangleMesh& other) {
    const int first = static_cast<int>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
    for (const auto& t : other.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

}  // namespace scree
