#include "shape/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "geometry/triangle_crossing.h"
#include "math/exact_orientation.h"
#include "scree/error.h"
#include "shape/mass.h"

namespace scree {
namespace {

using Triangle = std::array<int, 3>;
using DirectedEdge = std::pair<int, int>;

DirectedEdge edge(const Triangle& t, std::size_t k) { return {t[k], t[(k + 1) % 3]}; }

// A triangle whose corners lie on one line ends at three edges, the long one and two that make it up. With the neighbor
// across the long one cut at the corner between, the surface is the same and closed without it.
void cut_neighbors_of_slivers(TriangleMesh& mesh) {
    std::map<DirectedEdge, std::size_t> owner;
    for (std::size_t t = 0; t < mesh.triangles.size() && !mesh.slivers.empty(); ++t)
        for (std::size_t k = 0; k < 3; ++k) owner[edge(mesh.triangles[t], k)] = t;
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
    // Slivers beside slivers wait until a true triangle is their neighbor.
    for (bool goes_on = true; goes_on && !mesh.slivers.empty();) {
        const std::size_t before = mesh.slivers.size();
        std::erase_if(mesh.slivers, [&](const Triangle& sliver) {
            std::size_t longest = 0;
            const auto length2 = [&](std::size_t k) { return norm2(at(sliver[(k + 1) % 3]) - at(sliver[k])); };
            for (const std::size_t k : {1u, 2u})
                if (length2(k) > length2(longest)) longest = k;
            const auto [to, from] = edge(sliver, longest);
            const int between = sliver[(longest + 2) % 3];
            const auto found = owner.find({from, to});
            if (found == owner.end()) return false;
            const std::size_t t = found->second;
            Triangle turned = mesh.triangles[t];
            while (turned[0] != from) std::rotate(turned.begin(), turned.begin() + 1, turned.end());
            owner.erase(found);
            mesh.triangles[t] = {from, between, turned[2]};
            mesh.triangles.push_back({between, to, turned[2]});
            for (const std::size_t changed : {t, mesh.triangles.size() - 1})
                for (std::size_t k = 0; k < 3; ++k) owner[edge(mesh.triangles[changed], k)] = changed;
            return true;
        });
        goes_on = mesh.slivers.size() < before;
    }
}

// Where two parts lie against each other, a face of one is that of the other turned over: nothing is outside of it.
void leave_out_inner_faces(TriangleMesh& mesh) {
    std::map<Triangle, std::vector<std::size_t>> places;  // by the corners, the lowest number first
    const auto lowest_first = [](Triangle t) {
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        return t;
    };
    std::vector<bool> inner(mesh.triangles.size(), false);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Triangle own = lowest_first(mesh.triangles[t]);
        if (const auto turned_over = places.find({own[0], own[2], own[1]});
            turned_over != places.end() && !turned_over->second.empty()) {
            inner[t] = inner[turned_over->second.back()] = true;
            turned_over->second.pop_back();
        } else {
            places[own].push_back(t);
        }
    }
    std::size_t t = 0;
    std::erase_if(mesh.triangles, [&](const Triangle&) { return inner[t++]; });
}

std::string place(Vec3 p) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x, p.y, p.z); }

void require_no_crossings(const TriangleMesh& mesh, Vec3 low, Vec3 high, const std::string& name) {
    struct Item {
        Vec3 low, high;
        std::size_t triangle;
    };
    std::vector<Item> items;
    const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        Item item{at(mesh.triangles[t][0]), at(mesh.triangles[t][0]), t};
        for (const int k : mesh.triangles[t])
            for (int axis = 0; axis < 3; ++axis) {
                item.low[axis] = std::fmin(item.low[axis], at(k)[axis]);
                item.high[axis] = std::fmax(item.high[axis], at(k)[axis]);
            }
        items.push_back(item);
    }
    // Sweep along the longest side, where the fewest triangles are side by side.
    int x = 0;
    for (const int axis : {1, 2})
        if (high[axis] - low[axis] > high[x] - low[x]) x = axis;
    const int y = (x + 1) % 3, z = (x + 2) % 3;
    std::sort(items.begin(), items.end(), [x](const Item& a, const Item& b) {
        return a.low[x] != b.low[x] ? a.low[x] < b.low[x] : a.triangle < b.triangle;
    });
    for (std::size_t i = 0; i < items.size(); ++i)
        for (std::size_t j = i + 1; j < items.size() && items[j].low[x] <= items[i].high[x]; ++j) {
            if (items[j].low[y] > items[i].high[y] || items[j].high[y] < items[i].low[y] ||
                items[j].low[z] > items[i].high[z] || items[j].high[z] < items[i].low[z])
                continue;
            const auto &s = mesh.triangles[items[i].triangle], &t = mesh.triangles[items[j].triangle];
            if (triangles_cross(mesh.points, s, t))
                throw Error(ErrorKind::bad_input,
                            fmt::format("{}: the surface crosses itself, or touches itself elsewhere than in a corner "
                                        "or edge of both sides, near {} and {}; repair the mesh",
                                        name, place((1.0 / 3) * (at(s[0]) + at(s[1]) + at(s[2]))),
                                        place((1.0 / 3) * (at(t[0]) + at(t[1]) + at(t[2])))));
        }
}

// How often the surface goes round the points just in front of a triangle: what a path from there to far away goes out
// of, less what it comes into. Decided exactly; a path that meets an edge is replaced by another.
int windings_in_front(const TriangleMesh& mesh, std::size_t own, double size) {
    const auto at = [&](std::size_t t, std::size_t k) {
        return mesh.points[static_cast<std::size_t>(mesh.triangles[t][k])];
    };
    const Vec3 a = at(own, 0), b = at(own, 1), c = at(own, 2), p = (1.0 / 3) * (a + b + c),
               normal = normalized(cross(b - a, c - a));
    const Vec3 u = perpendicular(normal), v = cross(normal, u);
    for (int attempt = 1;; ++attempt) {
        // Somewhere within 45 degrees of the normal, spread by the golden section.
        const double s = std::fmod(0.618033988749895 * attempt, 1), t = std::fmod(0.754877666246693 * attempt, 1);
        const Vec3 q = p + (4 * size) * (normal + (s - 0.5) * u + (t - 0.5) * v);
        int windings = 0;
        bool clear = true;
        for (std::size_t k = 0; k < mesh.triangles.size() && clear; ++k) {
            if (k == own) continue;
            const Vec3 x = at(k, 0), y = at(k, 1), z = at(k, 2);
            const int p_side = orientation(x, y, z, p), q_side = orientation(x, y, z, q);
            if (p_side * q_side >= 0) continue;
            const int one = orientation(p, q, x, y), two = orientation(p, q, y, z), three = orientation(p, q, z, x);
            if (std::min({one, two, three}) < 0 && std::max({one, two, three}) > 0) continue;
            clear = one != 0 && two != 0 && three != 0;
            windings += q_side;
        }
        if (clear) return windings;
    }
}

// Outside of every part is nothing, and inside it the solid. Parts: what hangs together by edges of two triangles; in
// front of all of its triangles is the same, as long as nothing crosses.
void require_parts_apart(const TriangleMesh& mesh, const std::map<DirectedEdge, int>& edges, double size,
                         const std::string& name) {
    std::vector<std::size_t> group(mesh.triangles.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto root = [&](std::size_t t) {
        while (group[t] != t) t = group[t] = group[group[t]];
        return t;
    };
    std::map<DirectedEdge, std::size_t> owner;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) owner[edge(mesh.triangles[t], k)] = t;
    for (const auto& [here, t] : owner)
        if (edges.at(here) == 1) group[root(t)] = root(owner.at({here.second, here.first}));
    const auto area = [&](std::size_t t) {
        const auto at = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(mesh.triangles[t][k])]; };
        return norm(cross(at(1) - at(0), at(2) - at(0)));
    };
    std::map<std::size_t, std::size_t> largest;  // triangle of each part
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto [of, fresh] = largest.try_emplace(root(t), t);
        if (!fresh && area(t) > area(of->second)) of->second = t;
    }
    if (largest.size() == 1) return;
    for (const auto& [part, t] : largest) {
        const int windings = windings_in_front(mesh, t, size);
        if (windings == 0) continue;
        const std::string where = place(mesh.points[static_cast<std::size_t>(mesh.triangles[t][0])]);
        throw Error(ErrorKind::bad_input,
                    windings > 0 ? fmt::format("{}: a part of the surface, near {}, lies inside another one: leave it "
                                               "out, or turn its normals if it is to be a hollow",
                                               name, where)
                                 : fmt::format("{}: a part of the surface, near {}, is inside out; flip its normals",
                                               name, where));
    }
}

}  // namespace

void mend(TriangleMesh& mesh) {
    cut_neighbors_of_slivers(mesh);
    leave_out_inner_faces(mesh);
}

void require_solid(const TriangleMesh& mesh, const std::string& name) {
    std::map<DirectedEdge, int> edges;
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) ++edges[edge(t, k)];
    std::size_t open = 0, twisted = 0;
    for (const auto& [here, count] : edges) {
        const auto other = edges.find({here.second, here.first});
        const int back = other == edges.end() ? 0 : other->second;
        if (back == 0 && count == 1)
            ++open;
        else if (back != count)
            ++twisted;
    }
    if (twisted > 0)
        throw Error(ErrorKind::bad_input, fmt::format("{}: the normals of neighboring triangles disagree ({} edges are "
                                                      "run through twice in one direction); make them consistent",
                                                      name, twisted));
    if (open > 0)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: the surface is open: {} edges have a triangle on one side only; close the holes",
                                name, open));
    Vec3 low = mesh.points[0], high = low;
    for (const Vec3 p : mesh.points)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::fmin(low[axis], p[axis]);
            high[axis] = std::fmax(high[axis], p[axis]);
        }
    const double volume = moments_of(mesh.points, mesh.triangles).volume, size = norm(high - low);
    if (std::fabs(volume) <= 1e-12 * size * size * size)
        throw Error(ErrorKind::bad_input, fmt::format("{}: the surface holds no volume ({:.3g})", name, volume));
    if (volume < 0)
        throw Error(
            ErrorKind::bad_input,
            fmt::format("{}: the mesh is inside out (its volume is {:.4g}): its normals point inwards; flip them", name,
                        volume));
    require_no_crossings(mesh, low, high, name);
    require_parts_apart(mesh, edges, size, name);
}

}  // namespace scree
