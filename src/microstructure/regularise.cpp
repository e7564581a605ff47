#include "regularise.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "cell_edges.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

using Corner = std::int32_t;
using Loop = std::vector<Corner>;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

void add_new(std::vector<std::int32_t>& list, std::int32_t value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

// The sum of n nᵀ and n d over planes n · x = d, and the point that is nearest to all of them.
struct NormalEquations {
    double a[3][3] = {};
    Vec3 right;

    void add(Vec3 n, double d) {
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) a[r][c] += n[r] * n[c];
        right += d * n;
    }
    // Coordinates named by `fixed` stay 0; `stiffness` pulls the others towards 0.
    Vec3 solve(std::array<bool, 3> fixed, double stiffness) const {
        double m[3][3];
        Vec3 b = right;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) m[r][c] = a[r][c] + (r == c ? stiffness : 0);
        for (int k = 0; k < 3; ++k) {
            if (!fixed[at(k)]) continue;
            for (int c = 0; c < 3; ++c) m[k][c] = m[c][k] = 0;
            m[k][k] = 1;
            b[k] = 0;
        }
        const Vec3 r0{m[0][0], m[0][1], m[0][2]}, r1{m[1][0], m[1][1], m[1][2]}, r2{m[2][0], m[2][1], m[2][2]};
        const double determinant = dot(r0, cross(r1, r2));
        return (b.x * cross(r1, r2) + b.y * cross(r2, r0) + b.z * cross(r0, r1)) / determinant;
    }
};

// A complex that is changed step by step, each of which can be taken back.
class Workshop {
  public:
    Workshop(const CellComplex& complex, const RegulariseOptions& options)
        : complex_(complex),
          plane_(complex.seeds.dimension == 2),
          most_bend_(options.most_bend * pi / 180),
          faces_of_(complex.corner.size()) {
        for (std::size_t f = 0; f < complex_.face.size(); ++f)
            for (const Corner c : complex_.face[f].corner) faces_of_[at(c)].push_back(static_cast<std::int32_t>(f));
        for (std::size_t c = 0; c < complex_.corner.size(); ++c)
            sides_.push_back(sides_of(complex_, static_cast<Corner>(c)));
        touched_.assign(complex.corner.size(), clock_);
    }

    const CellComplex& complex() const { return complex_; }
    double length(Corner a, Corner b) const { return norm(place(b) - place(a)); }
    bool is_edge(Corner a, Corner b) const {
        for (const std::int32_t f : faces_of_[at(a)])
            if (follows(complex_.face[at(f)].corner, a, b)) return true;
        return false;
    }

    // What failed before need not be tried again until something around has changed.
    std::uint64_t touched(Corner a, Corner b) const { return std::max(touched_[at(a)], touched_[at(b)]); }

    bool merge(std::vector<Corner> cluster, double threshold, bool and_flatten);
    // Makes a face at this edge all of whose edges are too short one corner.
    bool merge_face(Corner a, Corner b, double threshold, bool and_flatten);
    bool stretch(Corner a, Corner b, double threshold);

  private:
    struct Before {
        std::vector<std::pair<Corner, Vec3>> places;
        std::vector<std::pair<std::int32_t, Loop>> loops;
        std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>> cells, faces_of;
    };

    Vec3 place(Corner c) const { return complex_.corner[at(c)]; }
    static bool follows(const Loop& loop, Corner a, Corner b) {
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const Corner p = loop[k], q = loop[(k + 1) % loop.size()];
            if ((p == a && q == b) || (p == b && q == a)) return true;
        }
        return false;
    }
    std::array<bool, 3> fixed(Corner c) const {
        std::array<bool, 3> axes{};
        for (int k = 0; k < 3; ++k) axes[at(k)] = (sides_[at(c)] >> (2 * k) & 3u) != 0 || (plane_ && k == 2);
        return axes;
    }
    void move(Corner c, Vec3 to) {
        before_.places.emplace_back(c, place(c));
        complex_.corner[at(c)] = to;
    }
    std::vector<Corner> neighbors(Corner c) const;
    std::vector<std::int32_t> cells_of(const std::vector<std::int32_t>& faces) const;
    NormalEquations planes_around(const std::vector<std::int32_t>& faces, const std::vector<Corner>& cluster,
                                  Vec3 origin) const;
    bool join(Corner a, Corner b);
    void flatten(const std::vector<Corner>& corners, int sweeps, double stiffness);
    void push_apart(const std::vector<std::int32_t>& faces, const std::vector<Corner>& moving, double threshold);
    std::vector<Corner> corners_of(const std::vector<std::int32_t>& faces) const;
    std::vector<std::int32_t> faces_around(const std::vector<Corner>& corners) const;
    double worst_bend(const std::vector<std::int32_t>& faces) const;
    bool sound(const std::vector<std::int32_t>& faces) const;
    bool sound_cell(std::int32_t cell) const;
    bool sound_polygon(const Loop& loop) const;
    double shortest_of(const std::vector<std::int32_t>& faces) const;
    std::vector<std::pair<Corner, Corner>> short_edges_of(const std::vector<std::int32_t>& faces,
                                                          double threshold) const;
    void take_back();
    void keep(const std::vector<std::int32_t>& faces);

    CellComplex complex_;
    bool plane_;
    double most_bend_;
    std::vector<std::vector<std::int32_t>> faces_of_;  // of each corner
    std::vector<unsigned> sides_;
    std::vector<std::uint64_t> touched_;  // when something around a corner changed last
    std::uint64_t clock_ = 1;
    Before before_;
};

std::vector<Corner> Workshop::neighbors(Corner c) const {
    std::vector<Corner> all;
    for (const std::int32_t f : faces_of_[at(c)]) {
        const Loop& loop = complex_.face[at(f)].corner;
        const auto k = static_cast<std::size_t>(std::find(loop.begin(), loop.end(), c) - loop.begin());
        add_new(all, loop[(k + 1) % loop.size()]);
        add_new(all, loop[(k + loop.size() - 1) % loop.size()]);
    }
    return all;
}

std::vector<std::int32_t> Workshop::cells_of(const std::vector<std::int32_t>& faces) const {
    std::vector<std::int32_t> cells;
    for (const std::int32_t f : faces)
        for (const std::int32_t c : complex_.face[at(f)].cell)
            if (c >= 0) add_new(cells, c);
    return cells;
}

std::vector<Corner> Workshop::corners_of(const std::vector<std::int32_t>& faces) const {
    std::vector<Corner> corners;
    for (const std::int32_t f : faces)
        for (const Corner c : complex_.face[at(f)].corner) add_new(corners, c);
    return corners;
}

std::vector<std::int32_t> Workshop::faces_around(const std::vector<Corner>& corners) const {
    std::vector<std::int32_t> faces;
    for (const Corner c : corners)
        for (const std::int32_t f : faces_of_[at(c)]) add_new(faces, f);
    return faces;
}

// Of the faces around a cluster, in the plane of the edges that lead to it; relative to `origin`.
NormalEquations Workshop::planes_around(const std::vector<std::int32_t>& faces, const std::vector<Corner>& cluster,
                                        Vec3 origin) const {
    NormalEquations sum;
    if (!plane_) {
        for (const std::int32_t f : faces) {
            const CellComplex::Face& face = complex_.face[at(f)];
            sum.add(face.normal, face.offset - dot(face.normal, origin));
        }
        return sum;
    }
    for (const Corner end : cluster)
        for (const Corner other : neighbors(end)) {
            const Vec3 along = place(other) - place(end);
            if (std::find(cluster.begin(), cluster.end(), other) != cluster.end() || along == Vec3{}) continue;
            const Vec3 normal = normalized(Vec3{along.y, -along.x, 0});
            sum.add(normal, dot(normal, place(end) - origin));
        }
    return sum;
}

// Makes b one with a where the complex stays one of the same cells; a stays where it is.
bool Workshop::join(Corner a, Corner b) {
    const unsigned sides = sides_[at(a)] | sides_[at(b)];
    if (sides != sides_[at(a)] && sides != sides_[at(b)]) return false;  // it would pinch the box
    std::vector<Corner> closing;                                         // third corners of the triangles that vanish
    for (const std::int32_t f : faces_of_[at(b)]) {
        const Loop& loop = complex_.face[at(f)].corner;
        if (std::find(loop.begin(), loop.end(), a) == loop.end()) continue;
        if (!follows(loop, a, b)) return false;
        if (loop.size() > 3) continue;
        if (plane_) return false;  // a cell would vanish
        for (const Corner c : loop)
            if (c != a && c != b) add_new(closing, c);
    }
    const std::vector<Corner> of_a = neighbors(a);
    for (const Corner c : neighbors(b))
        if (std::find(of_a.begin(), of_a.end(), c) != of_a.end() &&
            std::find(closing.begin(), closing.end(), c) == closing.end())
            return false;

    before_.faces_of.emplace_back(a, faces_of_[at(a)]);
    const std::vector<std::int32_t> of_b = faces_of_[at(b)];
    before_.faces_of.emplace_back(b, of_b);
    faces_of_[at(b)].clear();
    for (const std::int32_t f : of_b) {
        Loop& loop = complex_.face[at(f)].corner;
        before_.loops.emplace_back(f, loop);
        if (std::find(loop.begin(), loop.end(), a) == loop.end()) {
            std::replace(loop.begin(), loop.end(), b, a);
            faces_of_[at(a)].push_back(f);
            continue;
        }
        loop.erase(std::find(loop.begin(), loop.end(), b));
        if (loop.size() > 2) continue;
        for (const Corner c : loop) {
            if (c != a) before_.faces_of.emplace_back(c, faces_of_[at(c)]);
            std::erase(faces_of_[at(c)], f);
        }
        loop.clear();
        for (const std::int32_t c : complex_.face[at(f)].cell) {
            if (c < 0) continue;
            before_.cells.emplace_back(c, complex_.cell[at(c)]);
            std::erase_if(complex_.cell[at(c)], [&](std::int32_t g) { return g == f || g == ~f; });
        }
    }
    return true;
}

void Workshop::take_back() {
    for (auto k = before_.places.rbegin(); k != before_.places.rend(); ++k) complex_.corner[at(k->first)] = k->second;
    for (auto k = before_.loops.rbegin(); k != before_.loops.rend(); ++k)
        complex_.face[at(k->first)].corner = k->second;
    for (auto k = before_.cells.rbegin(); k != before_.cells.rend(); ++k) complex_.cell[at(k->first)] = k->second;
    for (auto k = before_.faces_of.rbegin(); k != before_.faces_of.rend(); ++k) faces_of_[at(k->first)] = k->second;
    before_ = {};
}

// Ends a change of these faces.
void Workshop::keep(const std::vector<std::int32_t>& faces) {
    before_ = {};
    ++clock_;
    for (const Corner c : corners_of(faces)) touched_[at(c)] = clock_;
}

double Workshop::worst_bend(const std::vector<std::int32_t>& faces) const {
    double worst = 0;
    for (const std::int32_t f : faces)
        if (!complex_.face[at(f)].corner.empty())
            worst = std::max(worst, bend_of(complex_, complex_.face[at(f)].corner));
    return worst;
}

bool Workshop::sound_polygon(const Loop& loop) const {
    const Vec3 middle = middle_of(complex_, loop);
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vec3 a = place(loop[k]) - middle, b = place(loop[(k + 1) % loop.size()]) - middle;
        if (!(cross(a, b).z > 1e-3 * norm2(b - a))) return false;
    }
    return true;
}

// A closed surface without handles that is seen all from the mean of its corners.
bool Workshop::sound_cell(std::int32_t cell) const {
    const std::vector<std::int32_t>& faces = complex_.cell[at(cell)];
    if (faces.size() < 4) return false;
    std::vector<std::pair<Corner, Corner>> edges;
    std::vector<Corner> corners;
    Vec3 center;
    for (const std::int32_t f : faces) {
        const Loop& loop = complex_.face[at(f < 0 ? ~f : f)].corner;
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const Corner p = loop[k], q = loop[(k + 1) % loop.size()];
            edges.push_back(f < 0 ? std::pair(q, p) : std::pair(p, q));
            corners.push_back(p);
        }
    }
    std::sort(edges.begin(), edges.end());
    if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) return false;
    for (const auto& [p, q] : edges)
        if (!std::binary_search(edges.begin(), edges.end(), std::pair(q, p))) return false;
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    if (corners.size() + faces.size() != edges.size() / 2 + 2) return false;
    for (const Corner c : corners) center += place(c) / static_cast<double>(corners.size());
    for (const std::int32_t f : faces) {
        const Loop& loop = complex_.face[at(f < 0 ? ~f : f)].corner;
        const Vec3 middle = middle_of(complex_, loop);
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const Vec3 p = place(loop[k]), q = place(loop[(k + 1) % loop.size()]);
            const Vec3 normal = (f < 0 ? -1.0 : 1.0) * cross(p - middle, q - middle);
            if (!(dot(normal, middle - center) > 1e-3 * norm(normal) * norm(middle - center))) return false;
        }
    }
    return true;
}

bool Workshop::sound(const std::vector<std::int32_t>& faces) const {
    if (plane_) {
        for (const std::int32_t f : faces)
            if (!sound_polygon(complex_.face[at(f)].corner)) return false;
        return true;
    }
    if (worst_bend(faces) > most_bend_) return false;
    const std::vector<std::int32_t> cells = cells_of(faces);
    return std::all_of(cells.begin(), cells.end(), [&](std::int32_t c) { return sound_cell(c); });
}

double Workshop::shortest_of(const std::vector<std::int32_t>& faces) const {
    double least = 1e300;
    for (const std::int32_t f : faces) {
        const Loop& loop = complex_.face[at(f)].corner;
        for (std::size_t k = 0; k < loop.size(); ++k)
            least = std::min(least, length(loop[k], loop[(k + 1) % loop.size()]));
    }
    return least;
}

// Edges of these faces whose length is below the threshold, each once.
std::vector<std::pair<Corner, Corner>> Workshop::short_edges_of(const std::vector<std::int32_t>& faces,
                                                                double threshold) const {
    std::vector<std::pair<Corner, Corner>> edges;
    for (const std::int32_t f : faces) {
        const Loop& loop = complex_.face[at(f)].corner;
        for (std::size_t k = 0; k < loop.size(); ++k)
            if (length(loop[k], loop[(k + 1) % loop.size()]) < threshold)
                edges.push_back(std::minmax(loop[k], loop[(k + 1) % loop.size()]));
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

// Makes corners that hang together by edges one. No edge around may become shorter than the shortest that goes.
bool Workshop::merge(std::vector<Corner> cluster, double threshold, bool and_flatten) {
    const auto has_all_sides = [&](Corner c) {
        return std::all_of(cluster.begin(), cluster.end(),
                           [&](Corner other) { return (sides_[at(c)] | sides_[at(other)]) == sides_[at(c)]; });
    };
    const auto main = std::find_if(cluster.begin(), cluster.end(), has_all_sides);
    if (main == cluster.end()) return false;
    const Corner a = *main;
    const std::vector<std::int32_t> faces = faces_around(cluster);
    double least_length = threshold;
    Vec3 from;
    double count = 0;
    for (const Corner c : cluster) {
        if (c != a) least_length = std::min(least_length, length(a, c));
        if (sides_[at(c)] != sides_[at(a)]) continue;
        from += place(c);
        ++count;
    }
    from = from / count;
    const NormalEquations planes = planes_around(faces, cluster, from);
    cluster.erase(main);
    while (!cluster.empty()) {
        const auto next = std::find_if(cluster.begin(), cluster.end(), [&](Corner c) { return is_edge(a, c); });
        if (next == cluster.end() || !join(a, *next)) {
            take_back();
            return false;
        }
        cluster.erase(next);
    }
    std::vector<std::int32_t> remaining;
    for (const std::int32_t f : faces)
        if (!complex_.face[at(f)].corner.empty()) remaining.push_back(f);
    std::vector<double> pulls = {1e-6, 0.1, 1.0, 1e6};
    if (and_flatten) pulls = {0.1};
    for (const double stiffness : pulls) {
        move(a, from + planes.solve(fixed(a), stiffness));
        if (and_flatten) {
            const std::vector<Corner> moving = corners_of(remaining);
            flatten(moving, 12, 0.05);
            remaining = faces_around(moving);
        }
        if (!(shortest_of(remaining) >= least_length) || !sound(remaining)) continue;
        keep(remaining);
        return true;
    }
    take_back();
    return false;
}

bool Workshop::merge_face(Corner a, Corner b, double threshold, bool and_flatten) {
    const std::vector<std::int32_t> around = faces_of_[at(a)];
    for (const std::int32_t f : around) {
        const Loop loop = complex_.face[at(f)].corner;
        if (!follows(loop, a, b) || plane_) continue;
        bool small = true;
        for (std::size_t k = 0; k < loop.size(); ++k)
            small = small && length(loop[k], loop[(k + 1) % loop.size()]) < threshold;
        if (small && merge(loop, threshold, and_flatten)) return true;
    }
    return false;
}

// Moves corners towards the planes that fit their faces best.
void Workshop::flatten(const std::vector<Corner>& corners, int sweeps, double stiffness) {
    for (int sweep = 0; sweep < sweeps && !plane_; ++sweep)
        for (const Corner c : corners) {
            NormalEquations planes;
            for (const std::int32_t f : faces_of_[at(c)]) {
                const Loop& loop = complex_.face[at(f)].corner;
                if (loop.size() == 3) continue;
                const Vec3 middle = middle_of(complex_, loop), normal = normalized(area_vector(complex_, loop));
                planes.add(normal, dot(normal, middle - place(c)));
            }
            move(c, place(c) + planes.solve(fixed(c), stiffness));
        }
}

// Moves ends of all edges of these faces that are too short apart, by half of what is missing.
void Workshop::push_apart(const std::vector<std::int32_t>& faces, const std::vector<Corner>& moving, double threshold) {
    for (const auto& [a, b] : short_edges_of(faces, 1.05 * threshold)) {
        const Vec3 along = place(b) - place(a);
        const double now = norm(along), missing = 1.05 * threshold - now;
        if (!(now > 0)) continue;
        // A corner that is held along this direction leaves the way to the other one.
        const auto free_part = [&](Corner c) {
            const bool movable = std::find(moving.begin(), moving.end(), c) != moving.end();
            Vec3 d = movable ? along / now : Vec3{};
            for (int k = 0; k < 3; ++k)
                if (fixed(c)[at(k)]) d[k] = 0;
            return d;
        };
        const Vec3 da = free_part(a), db = free_part(b);
        const double share = 0.5 * missing / std::max(norm2(da) + norm2(db), 0.2);
        move(a, place(a) - share * da);
        move(b, place(b) + share * db);
    }
}

bool Workshop::stretch(Corner a, Corner b, double threshold) {
    std::vector<std::int32_t> around = faces_around({a, b});
    for (int rings = 0; rings < 5; ++rings) {
        const std::vector<Corner> moving = corners_of(around);
        around = faces_around(moving);
        const std::size_t count = short_edges_of(around, threshold).size();
        for (int round = 0; round < 60; ++round) {
            push_apart(around, moving, threshold);
            if (short_edges_of(around, threshold).size() < count && sound(around)) {
                keep(around);
                return true;
            }
            flatten(moving, 1, 0.3);
        }
        take_back();
    }
    return false;
}

std::vector<std::pair<Corner, Corner>> short_edges(const CellComplex& complex, double threshold) {
    std::vector<std::pair<double, std::pair<Corner, Corner>>> sorted;
    for (const auto& [a, b] : Edges(complex).ends)
        if (const double length = norm(complex.corner[at(b)] - complex.corner[at(a)]); length < threshold)
            sorted.push_back({length, {a, b}});
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::pair<Corner, Corner>> edges;
    for (const auto& [length, edge] : sorted) edges.push_back(edge);
    return edges;
}

// Without the corners and faces that are gone, and with planes through what faces have become.
CellComplex tidied(const CellComplex& from) {
    CellComplex to;
    to.seeds = from.seeds;
    std::vector<std::int32_t> corner_number(from.corner.size(), -1), face_number(from.face.size(), -1);
    for (std::size_t f = 0; f < from.face.size(); ++f) {
        if (from.face[f].corner.empty()) continue;
        face_number[f] = static_cast<std::int32_t>(to.face.size());
        CellComplex::Face face = from.face[f];
        face.normal = normalized(area_vector(from, face.corner));
        face.offset = dot(face.normal, middle_of(from, face.corner));
        for (Corner& c : face.corner) {
            std::int32_t& number = corner_number[at(c)];
            if (number < 0) {
                number = static_cast<std::int32_t>(to.corner.size());
                to.corner.push_back(from.corner[at(c)]);
            }
            c = number;
        }
        to.face.push_back(std::move(face));
    }
    for (const std::vector<std::int32_t>& faces : from.cell) {
        to.cell.emplace_back();
        for (const std::int32_t f : faces) to.cell.back().push_back(f < 0 ? ~face_number[at(~f)] : face_number[at(f)]);
    }
    return to;
}

}  // namespace

Regularised regularise(const CellComplex& complex, const RegulariseOptions& options) {
    for (const bool periodic : complex.seeds.periodic)
        if (periodic)
            throw Error(ErrorKind::usage, "cells of periodic boxes stick out of them and cannot be regularised");
    Regularised result;
    result.threshold = options.shortest * shape_of(complex).mean_diameter;
    Workshop workshop(complex, options);
    const auto merge = [&](Corner a, Corner b) { return workshop.merge({a, b}, result.threshold, false); };
    const auto merge_face = [&](Corner a, Corner b) { return workshop.merge_face(a, b, result.threshold, false); };
    const auto flatten = [&](Corner a, Corner b) { return workshop.merge({a, b}, result.threshold, true); };
    const auto flatten_face = [&](Corner a, Corner b) { return workshop.merge_face(a, b, result.threshold, true); };
    const auto stretch = [&](Corner a, Corner b) { return workshop.stretch(a, b, result.threshold); };
    // From what changes the cells least to what changes them most.
    const std::function<bool(Corner, Corner)> changes[] = {merge, merge_face, flatten, flatten_face, stretch};
    std::map<std::pair<Corner, Corner>, std::uint64_t> tried[std::size(changes)];
    const auto sweep = [&](std::size_t kind) {
        std::size_t count = 0;
        for (const auto& [a, b] : short_edges(workshop.complex(), result.threshold)) {
            if (!workshop.is_edge(a, b) || workshop.length(a, b) >= result.threshold) continue;
            std::uint64_t& last = tried[kind][{a, b}];
            if (last == workshop.touched(a, b)) continue;
            last = workshop.touched(a, b);
            count += changes[kind](a, b);
        }
        return count;
    };
    for (std::size_t kind = 0; kind < std::size(changes);) {
        const std::size_t changed = sweep(kind);
        (changes + kind == std::end(changes) - 1 ? result.stretched : result.merged) += changed;
        kind = changed > 0 ? 0 : kind + 1;
    }
    result.complex = tidied(workshop.complex());
    result.left = short_edges(result.complex, result.threshold).size();
    return result;
}

}  // namespace scree::micro
