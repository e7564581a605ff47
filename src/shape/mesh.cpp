#include "shape/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "math/exact_orientation.h"
#include "scree/error.h"
#include "shape/mass.h"

namespace scree {
namespace {

// True when the segment p q passes through the inside of the triangle, both decided exactly.
bool crosses(Vec3 p, Vec3 q, Vec3 a, Vec3 b, Vec3 c) {
    const int side_p = orientation(a, b, c, p), side_q = orientation(a, b, c, q);
    if (side_p * side_q >= 0) return false;
    const int s1 = orientation(p, q, a, b), s2 = orientation(p, q, b, c), s3 = orientation(p, q, c, a);
    return s1 != 0 && s1 == s2 && s2 == s3;
}

void require_no_crossings(const TriangleMesh& mesh, const std::string& name) {
    struct Item {
        Vec3 low, high;
        std::size_t triangle;
    };
    std::vector<Item> items;
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        Item item{at(mesh.triangles[t][0]), at(mesh.triangles[t][0]), t};
        for (const int k : mesh.triangles[t])
            for (int axis = 0; axis < 3; ++axis) item.low[axis] = std::fmin(item.low[axis], at(k)[axis]), item.high[axis] = std::fmax(item.high[axis], at(k)[axis]);
        items.push_back(item);
    }
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.low.x != b.low.x ? a.low.x < b.low.x : a.triangle < b.triangle; });
    for (std::size_t i = 0; i < items.size(); ++i)
        for (std::size_t j = i + 1; j < items.size() && items[j].low.x <= items[i].high.x; ++j) {
            if (items[j].low.y > items[i].high.y || items[j].high.y < items[i].low.y || items[j].low.z > items[i].high.z || items[j].high.z < items[i].low.z) continue;
            const auto &s = mesh.triangles[items[i].triangle], &t = mesh.triangles[items[j].triangle];
            for (int k = 0; k < 3; ++k)
                for (const auto& [edge_of, other] : {std::pair{s, t}, std::pair{t, s}}) {
                    const int p = edge_of[static_cast<std::size_t>(k)], q = edge_of[static_cast<std::size_t>((k + 1) % 3)];
                    if (std::find(other.begin(), other.end(), p) != other.end() || std::find(other.begin(), other.end(), q) != other.end()) continue;
                    if (crosses(at(p), at(q), at(other[0]), at(other[1]), at(other[2])))
                        throw Error(ErrorKind::bad_input, fmt::format("{}: the surface crosses itself near ({:.4g}, {:.4g}, {:.4g}) (triangles {} and {}); repair the mesh", name,
                                                                      at(p).x, at(p).y, at(p).z, items[i].triangle + 1, items[j].triangle + 1));
                }
        }
}

}  // namespace

void require_solid(const TriangleMesh& mesh, const std::string& name) {
    std::map<std::pair<int, int>, int> edges;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    std::size_t open = 0, twisted = 0;
    for (const auto& [edge, count] : edges) {
        const auto other = edges.find({edge.second, edge.first});
        const int back = other == edges.end() ? 0 : other->second;
        if (back == 0 && count == 1) ++open;
        else if (back != count) ++twisted;
    }
    if (twisted > 0)
        throw Error(ErrorKind::bad_input, fmt::format("{}: the normals of neighboring triangles disagree ({} edges are run through twice in one direction); make them consistent", name, twisted));
    if (open > 0) throw Error(ErrorKind::bad_input, fmt::format("{}: the surface is open: {} edges have a triangle on one side only; close the holes", name, open));
    Vec3 low = mesh.points[0], high = low;
    for (const Vec3 p : mesh.points)
        for (int axis = 0; axis < 3; ++axis) low[axis] = std::fmin(low[axis], p[axis]), high[axis] = std::fmax(high[axis], p[axis]);
    const double volume = moments_of(mesh.points, mesh.triangles).volume, size = norm(high - low);
    if (std::fabs(volume) <= 1e-12 * size * size * size) throw Error(ErrorKind::bad_input, fmt::format("{}: the surface holds no volume ({:.3g} m^3)", name, volume));
    if (volume < 0) throw Error(ErrorKind::bad_input, fmt::format("{}: the mesh is inside out (its volume is {:.4g} m^3): its normals point inwards; flip them", name, volume));
    require_no_crossings(mesh, name);
}

}  // namespace scree
