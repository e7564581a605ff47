#include "shape/piece.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace scree {
namespace {

void add_polygon(Piece& piece, const std::vector<int>& corners, Vec3 normal) {
    Face face{corners, normal, dot(normal, piece.vertex[static_cast<std::size_t>(corners[0])]), {}, {}};
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3 a = piece.vertex[static_cast<std::size_t>(corners[k])],
                   b = piece.vertex[static_cast<std::size_t>(corners[(k + 1) % corners.size()])];
        const Vec3 in = normalized(cross(normal, b - a));
        face.inward.push_back(in);
        face.inward_offset.push_back(dot(in, a));
    }
    piece.faces.push_back(std::move(face));
}

// An edge as a side: of a polygon in the plane (with a normal), or of a segment in space (without).
void add_edge(Piece& piece, int from, int to, Vec3 normal) {
    const Vec3 a = piece.vertex[static_cast<std::size_t>(from)], b = piece.vertex[static_cast<std::size_t>(to)],
               along = normalized(b - a);
    piece.faces.push_back({{from, to}, normal, dot(normal, a), {along, -along}, {dot(along, a), -dot(along, b)}});
}

Vec3 polygon_normal(const std::vector<Vec3>& points, const std::vector<int>& corners) {
    Vec3 sum;
    const Vec3 origin = points[static_cast<std::size_t>(corners[0])];
    for (std::size_t k = 1; k + 1 < corners.size(); ++k)
        sum += cross(points[static_cast<std::size_t>(corners[k])] - origin,
                     points[static_cast<std::size_t>(corners[k + 1])] - origin);
    return normalized(sum);
}

// The facets of a hull with those joined that lie in one plane but for rounding: a cube that was turned has six faces.
std::vector<std::vector<int>> joined_facets(const ConvexHull& hull, const std::vector<Vec3>& points) {
    constexpr double flat = 1e-11;  // 1 - cosine of the angle between two facets of one plane
    const std::size_t count = hull.facets.size();
    std::vector<Vec3> normal;
    std::map<std::pair<int, int>, std::size_t> owner;  // facet on the left of each directed edge
    for (std::size_t f = 0; f < count; ++f) {
        const std::vector<int>& corners = hull.facets[f];
        normal.push_back(polygon_normal(points, corners));
        for (std::size_t k = 0; k < corners.size(); ++k) owner[{corners[k], corners[(k + 1) % corners.size()]}] = f;
    }
    std::vector<std::size_t> group(count);
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto root = [&](std::size_t f) {
        while (group[f] != f) f = group[f];
        return f;
    };
    for (const auto& [edge, f] : owner) {
        const auto other = owner.find({edge.second, edge.first});
        if (other == owner.end() || root(f) == root(other->second)) continue;
        if (1 - dot(normal[root(f)], normal[other->second]) < flat &&
            1 - dot(normal[f], normal[root(other->second)]) < flat)
            group[std::max(root(f), root(other->second))] = std::min(root(f), root(other->second));
    }
    std::map<std::size_t, std::map<int, int>> borders;  // of each group: next corner
    for (const auto& [edge, f] : owner) {
        const auto other = owner.find({edge.second, edge.first});
        if (other == owner.end() || root(other->second) != root(f)) borders[root(f)][edge.first] = edge.second;
    }
    std::vector<std::vector<int>> faces;
    for (const auto& [f, next] : borders) {
        std::vector<int> corners{next.begin()->first};
        for (int at = next.begin()->second; at != corners[0] && corners.size() <= next.size(); at = next.at(at))
            corners.push_back(at);
        faces.push_back(std::move(corners));
    }
    return faces;
}

}  // namespace

int Piece::face_with(std::span<const int> vertices) const {
    if (vertices.empty() || faces_at.empty()) return -1;
    for (const int f : faces_at[static_cast<std::size_t>(vertices[0])]) {
        const std::vector<int>& corners = faces[static_cast<std::size_t>(f)].corners;
        if (std::all_of(vertices.begin(), vertices.end(),
                        [&](int v) { return std::find(corners.begin(), corners.end(), v) != corners.end(); }))
            return f;
    }
    return -1;
}

Piece make_piece(std::span<const Vec3> cloud, double radius, int dimension) {
    Piece piece{Polyhedron(cloud), radius, 0, {}, {}, {}, {}, {}, 0};
    const Polyhedron& body = piece.body;
    piece.dimension = body.dimension();
    for (int k = 0; k < body.vertex_count(); ++k) piece.vertex.push_back(body.world_vertex(k));
    const ConvexHull& hull = body.hull();
    if (piece.dimension == 1) {
        if (dimension == 2) {
            const Vec3 along = normalized(piece.vertex[1] - piece.vertex[0]), side{-along.y, along.x, 0};
            add_edge(piece, 0, 1, side);
            add_edge(piece, 1, 0, -side);
        } else {
            add_edge(piece, 0, 1, {});
        }
    } else if (piece.dimension == 2) {
        std::vector<int> corners = hull.facets[0];
        Vec3 normal = polygon_normal(piece.vertex, corners);
        if (dimension == 2) {
            if (normal.z < 0) std::reverse(corners.begin(), corners.end());
            for (std::size_t k = 0; k < corners.size(); ++k) {
                const int a = corners[k], b = corners[(k + 1) % corners.size()];
                const Vec3 along =
                    normalized(piece.vertex[static_cast<std::size_t>(b)] - piece.vertex[static_cast<std::size_t>(a)]);
                add_edge(piece, a, b, {along.y, -along.x, 0});
            }
        } else {
            add_polygon(piece, corners, normal);
            std::reverse(corners.begin(), corners.end());
            add_polygon(piece, corners, -normal);
        }
    } else if (piece.dimension == 3) {
        for (const std::vector<int>& corners : joined_facets(hull, piece.vertex))
            add_polygon(piece, corners, polygon_normal(piece.vertex, corners));
    }
    piece.faces_at.resize(piece.vertex.size());
    for (std::size_t f = 0; f < piece.faces.size(); ++f)
        for (const int corner : piece.faces[f].corners)
            piece.faces_at[static_cast<std::size_t>(corner)].push_back(static_cast<int>(f));
    for (const Face& face : piece.faces)
        for (std::size_t k = 0; k < face.corners.size(); ++k) {
            const int p = face.corners[k], q = face.corners[(k + 1) % face.corners.size()];
            piece.edges.push_back({std::min(p, q), std::max(p, q)});
        }
    std::sort(piece.edges.begin(), piece.edges.end());
    piece.edges.erase(std::unique(piece.edges.begin(), piece.edges.end()), piece.edges.end());
    Vec3 low = piece.vertex[0], high = low;
    for (const Vec3 v : piece.vertex)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::fmin(low[axis], v[axis]);
            high[axis] = std::fmax(high[axis], v[axis]);
        }
    piece.middle = 0.5 * (low + high);
    for (const Vec3 v : piece.vertex) piece.reach = std::fmax(piece.reach, norm(v - piece.middle));
    piece.reach = piece.reach * (1 + 1e-14) + radius;
    return piece;
}

}  // namespace scree
