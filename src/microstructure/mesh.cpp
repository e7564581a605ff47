#include "mesh.h"

#include <algorithm>
#include <cmath>

#include "cell_edges.h"
#include "element_quality.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

using Node = std::int32_t;
using Index = std::int32_t;

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

template <int D>
using Corners = std::array<Node, D + 1>;

// The mesh while it is changed. A node has a dimension: 0 for corners of cells, 1 on their edges, 2 on faces, 3 inside
// (in the plane 2 inside), and stays on what it lies on.
template <int D>
class Mesher {
  public:
    Mesher(const CellComplex& complex, double size) : size_(size) { begin(complex); }

    void run() {
        for (int round = 0; round < 5; ++round) {
            while (split_long() > 0) {
            }
            collapse_short();
            improve();
        }
        for (int round = 0; round < 6; ++round)
            if (rescue() + improve() == 0) break;
    }
    Mesh result(const CellComplex& complex) const;

  private:
    struct Element {
        Corners<D> node;
        Index cell;
        bool alive;
    };
    // The elements at an edge.
    struct Ring {
        std::vector<Index> elements;
        int dimension = D;       // of what the edge lies on
        std::vector<Node> ends;  // in space, of an edge on a face: the third nodes of the facets there
    };

    void begin(const CellComplex& complex);
    Node add_node(Vec3 place, int dimension, unsigned sides) {
        place_.push_back(place);
        dimension_.push_back(static_cast<std::int8_t>(dimension));
        sides_.push_back(sides);
        star_.emplace_back();
        return static_cast<Node>(place_.size() - 1);
    }
    void add_element(const Corners<D>& node, Index cell) {
        Index e;
        if (free_.empty()) {
            e = static_cast<Index>(element_.size());
            element_.push_back({node, cell, true});
        } else {
            e = free_.back();
            free_.pop_back();
            element_[at(e)] = {node, cell, true};
        }
        for (const Node n : node) star_[at(n)].push_back(e);
    }
    void remove_element(Index e) {
        element_[at(e)].alive = false;
        for (const Node n : element_[at(e)].node) {
            std::vector<Index>& star = star_[at(n)];
            *std::find(star.begin(), star.end(), e) = star.back();
            star.pop_back();
        }
        free_.push_back(e);
    }
    double quality_of(const Corners<D>& n) const {
        if constexpr (D == 2)
            return quality_of_triangle(place_[at(n[0])], place_[at(n[1])], place_[at(n[2])]);
        else
            return quality_of_tetrahedron(place_[at(n[0])], place_[at(n[1])], place_[at(n[2])], place_[at(n[3])]);
    }
    double worst(const std::vector<Index>& elements) const {
        double least = 2;
        for (const Index e : elements) least = std::min(least, quality_of(element_[at(e)].node));
        return least;
    }
    double length(Node a, Node b) const { return norm(place_[at(a)] - place_[at(b)]); }
    static bool has(const Corners<D>& node, Node n) { return std::find(node.begin(), node.end(), n) != node.end(); }

    Ring ring(Node a, Node b) const;
    std::vector<std::pair<Node, Node>> edges_that(double above, double below) const;
    bool split(Node a, Node b);
    bool collapse(Node a, Node b, bool better_only);
    bool flip(Node a, Node b);
    bool flip_face(Index e, int k);
    bool smooth(Node n);
    Vec3 held(Node n, Vec3 step, Vec3 normal_or_along) const;
    Vec3 constraint(Node n) const;
    Vec3 facet_normal(Node a, Node b, Node c) const {
        return cross(place_[at(b)] - place_[at(a)], place_[at(c)] - place_[at(a)]);
    }
    // The best way to fill the ring around an edge from a to b, over the polygon of `loop`, by elements better than
    // `bound`; empty if there is none.
    std::vector<Corners<D>> fill(Node a, Node b, const std::vector<Node>& loop, double bound) const;
    std::size_t split_long();
    std::size_t collapse_short();
    std::size_t improve();
    std::size_t rescue();

    double size_;
    std::vector<Vec3> place_;
    std::vector<std::int8_t> dimension_;
    std::vector<unsigned> sides_;
    std::vector<std::vector<Index>> star_;  // elements of each node
    std::vector<Element> element_;
    std::vector<Index> free_;
};

template <int D>
void Mesher<D>::begin(const CellComplex& complex) {
    for (std::size_t c = 0; c < complex.corner.size(); ++c)
        add_node(complex.corner[c], 0, sides_of(complex, static_cast<std::int32_t>(c)));
    std::vector<Node> middle;
    for (const CellComplex::Face& face : complex.face) {
        unsigned sides = ~0u;
        for (const std::int32_t c : face.corner) sides &= sides_of(complex, c);
        middle.push_back(add_node(middle_of(complex, face.corner), 2, D == 2 ? 0 : sides));
    }
    for (std::size_t c = 0; c < complex.cell.size(); ++c) {
        if (complex.cell[c].empty())
            throw Error(ErrorKind::bad_input,
                        "the seed of label " + std::to_string(complex.seeds.label[c]) + " has no cell to mesh");
        Node center = -1;
        if constexpr (D == 3) {
            std::vector<std::int32_t> corners;
            for (const std::int32_t f : complex.cell[c])
                for (const std::int32_t v : complex.face[at(f < 0 ? ~f : f)].corner) corners.push_back(v);
            std::sort(corners.begin(), corners.end());
            corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
            center = add_node(middle_of(complex, corners), 3, 0);
        }
        for (const std::int32_t f : complex.cell[c]) {
            const std::vector<std::int32_t>& loop = complex.face[at(f < 0 ? ~f : f)].corner;
            for (std::size_t k = 0; k < loop.size(); ++k) {
                Node p = loop[k], q = loop[(k + 1) % loop.size()];
                if (f < 0) std::swap(p, q);
                Corners<D> node;
                if constexpr (D == 2)
                    node = {middle[at(f)], p, q};
                else
                    node = {center, middle[at(f < 0 ? ~f : f)], p, q};
                if (!(quality_of(node) > 0))
                    throw Error(ErrorKind::bad_input, "the cell of label " + std::to_string(complex.seeds.label[c]) +
                                                          " is not seen whole from its middle");
                add_element(node, static_cast<Index>(c));
            }
        }
    }
}

template <int D>
typename Mesher<D>::Ring Mesher<D>::ring(Node a, Node b) const {
    Ring ring;
    for (const Index e : star_[at(a)])
        if (has(element_[at(e)].node, b)) ring.elements.push_back(e);
    if constexpr (D == 2) {
        if (ring.elements.size() == 1 ||
            (ring.elements.size() == 2 && element_[at(ring.elements[0])].cell != element_[at(ring.elements[1])].cell))
            ring.dimension = 1;
        return ring;
    }
    struct Third {
        Node node;
        int count;
        Index cell;
        bool between;
    };
    std::vector<Third> thirds;
    for (const Index e : ring.elements)
        for (const Node n : element_[at(e)].node) {
            if (n == a || n == b) continue;
            const auto found = std::find_if(thirds.begin(), thirds.end(), [&](const Third& t) { return t.node == n; });
            if (found == thirds.end())
                thirds.push_back({n, 1, element_[at(e)].cell, false});
            else {
                ++found->count;
                found->between = found->cell != element_[at(e)].cell;
            }
        }
    unsigned common = ~0u;
    for (const Third& t : thirds)
        if (t.count == 1 || t.between) {
            ring.ends.push_back(t.node);
            if (t.count == 1) common &= sides_[at(a)] & sides_[at(b)] & sides_[at(t.node)];
        }
    if (ring.ends.size() == 2) ring.dimension = common == 0 ? 1 : 2;
    if (ring.ends.size() > 2) ring.dimension = 1;
    return ring;
}

template <int D>
std::vector<std::pair<Node, Node>> Mesher<D>::edges_that(double above, double below) const {
    std::vector<std::pair<double, std::pair<Node, Node>>> found;
    for (const Element& e : element_) {
        if (!e.alive) continue;
        for (std::size_t i = 0; i <= D; ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (const double l = length(e.node[i], e.node[k]); l > above && l < below)
                    found.push_back({l, std::minmax(e.node[i], e.node[k])});
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::vector<std::pair<Node, Node>> edges;
    for (const auto& [l, edge] : found) edges.push_back(edge);
    return edges;
}

template <int D>
bool Mesher<D>::split(Node a, Node b) {
    const Ring around = ring(a, b);
    if (around.elements.empty()) return false;
    const Node middle =
        add_node(0.5 * (place_[at(a)] + place_[at(b)]), around.dimension, sides_[at(a)] & sides_[at(b)]);
    for (const Index e : around.elements) {
        const Element old = element_[at(e)];
        remove_element(e);
        for (const Node replaced : {a, b}) {
            Corners<D> node = old.node;
            std::replace(node.begin(), node.end(), replaced, middle);
            add_element(node, old.cell);
        }
    }
    return true;
}

// Moves a onto b. The new elements shall be good, or at least no worse than the old ones.
template <int D>
bool Mesher<D>::collapse(Node a, Node b, bool better_only) {
    if (dimension_[at(a)] == 0) return false;
    const Ring around = ring(a, b);
    if (around.elements.empty() || around.dimension != dimension_[at(a)]) return false;
    if ((sides_[at(a)] & ~sides_[at(b)]) != 0) return false;
    const double old = worst(star_[at(a)]);
    const double bound = better_only ? old * 1.001 : std::min(old, 0.25);
    std::vector<std::pair<Corners<D>, Index>> fresh;
    for (const Index e : star_[at(a)]) {
        Corners<D> node = element_[at(e)].node;
        if (has(node, b)) continue;
        std::replace(node.begin(), node.end(), a, b);
        if (!(quality_of(node) > bound)) return false;
        for (const Node n : node)
            if (n != b && length(n, b) > 1.4 * size_ && length(n, b) > length(n, a)) return false;
        fresh.emplace_back(node, element_[at(e)].cell);
    }
    // On bent faces the facets must keep their direction.
    if (D == 3 && dimension_[at(a)] < 3) {
        for (const Index e : star_[at(a)]) {
            const Corners<D>& node = element_[at(e)].node;
            if (has(node, b)) continue;
            for (const Node n : node)
                for (const Node m : node) {
                    if (n >= m || n == a || m == a || dimension_[at(n)] > 2 || dimension_[at(m)] > 2) continue;
                    const Vec3 before = facet_normal(a, n, m), after = facet_normal(b, n, m);
                    const Ring at_n = ring(a, n);
                    if (std::find(at_n.ends.begin(), at_n.ends.end(), m) == at_n.ends.end()) continue;
                    if (dot(before, after) < 0.97 * norm(before) * norm(after)) return false;
                }
        }
    }
    const std::vector<Index> gone = star_[at(a)];
    for (const Index e : gone) remove_element(e);
    for (const auto& [node, cell] : fresh) add_element(node, cell);
    return true;
}

template <int D>
std::vector<Corners<D>> Mesher<D>::fill([[maybe_unused]] Node a, [[maybe_unused]] Node b, const std::vector<Node>& loop,
                                        [[maybe_unused]] double bound) const {
    const std::size_t m = loop.size();
    std::vector<Corners<D>> out;
    if constexpr (D == 3) {
        // By dynamic programming over parts i..j of the loop (Klincsek 1980).
        std::vector<double> best(m * m, 2);
        std::vector<std::size_t> by(m * m, 0);
        for (std::size_t span = 2; span < m; ++span)
            for (std::size_t i = 0; i + span < m; ++i) {
                const std::size_t j = i + span;
                best[i * m + j] = -2;
                for (std::size_t k = i + 1; k < j; ++k) {
                    const double q =
                        std::min({quality_of({a, loop[i], loop[k], loop[j]}),
                                  quality_of({b, loop[i], loop[j], loop[k]}), best[i * m + k], best[k * m + j]});
                    if (q > best[i * m + j]) {
                        best[i * m + j] = q;
                        by[i * m + j] = k;
                    }
                }
            }
        if (!(best[m - 1] > bound)) return out;
        std::vector<std::pair<std::size_t, std::size_t>> todo = {{0, m - 1}};
        while (!todo.empty()) {
            const auto [i, j] = todo.back();
            todo.pop_back();
            if (j - i < 2) continue;
            const std::size_t k = by[i * m + j];
            out.push_back({a, loop[i], loop[k], loop[j]});
            out.push_back({b, loop[i], loop[j], loop[k]});
            todo.push_back({i, k});
            todo.push_back({k, j});
        }
    }
    return out;
}

// Removes an edge by filling the space around it anew.
template <int D>
bool Mesher<D>::flip(Node a, Node b) {
    const Ring around = ring(a, b);
    const double bound = worst(around.elements) * 1.001;
    std::vector<std::pair<Corners<D>, Index>> fresh;
    if constexpr (D == 2) {
        if (around.elements.size() != 2 || around.dimension != 2) return false;
        Node third[2];
        for (std::size_t k = 0; k < 2; ++k)
            for (const Node n : element_[at(around.elements[k])].node)
                if (n != a && n != b) third[k] = n;
        const Index cell = element_[at(around.elements[0])].cell;
        for (Corners<D> node : {Corners<D>{third[0], third[1], a}, Corners<D>{third[0], third[1], b}}) {
            if (quality_of(node) < 0) std::swap(node[0], node[1]);
            if (!(quality_of(node) > bound)) return false;
            fresh.emplace_back(node, cell);
        }
        if ((quality_of({third[0], third[1], a}) > 0) == (quality_of({third[0], third[1], b}) > 0)) return false;
    } else {
        if (around.dimension < 2 || around.elements.size() > 9) return false;
        // Steps x → y around the edge from a to b, such that (a, b, x, y) is positive.
        struct Step {
            Node x, y;
            Index cell;
        };
        std::vector<Step> steps;
        for (const Index e : around.elements) {
            Node other[2], *next = other;
            for (const Node n : element_[at(e)].node)
                if (n != a && n != b) *next++ = n;
            if (quality_of({a, b, other[0], other[1]}) < 0) std::swap(other[0], other[1]);
            steps.push_back({other[0], other[1], element_[at(e)].cell});
        }
        std::vector<Node> starts = around.ends;
        if (starts.empty()) starts.push_back(steps[0].x);
        for (const Node start : starts) {
            std::vector<Node> loop = {start};
            Index cell = -1;
            for (;;) {
                const auto step =
                    std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.x == loop.back(); });
                if (step == steps.end()) break;  // the side of the box
                cell = step->cell;
                if (around.dimension == 3 && step->y == start) break;
                loop.push_back(step->y);
                if (std::find(around.ends.begin(), around.ends.end(), step->y) != around.ends.end()) break;
                if (loop.size() > around.elements.size() + 1) return false;
            }
            if (cell < 0) continue;
            if (loop.size() < 3) return false;
            const std::vector<Corners<D>> filled = fill(a, b, loop, bound);
            if (filled.empty()) return false;
            for (const Corners<D>& node : filled) fresh.emplace_back(node, cell);
        }
        if (around.dimension == 2) {  // on bent faces the facets must keep their direction
            const Node p = around.ends[0], q = around.ends[1];
            const Vec3 before[] = {facet_normal(a, b, p), facet_normal(b, a, q)};
            const Vec3 after[] = {facet_normal(a, q, p), facet_normal(b, p, q)};
            for (const Vec3 u : before)
                for (const Vec3 v : after)
                    if (std::abs(dot(u, v)) < 0.97 * norm(u) * norm(v)) return false;
        }
    }
    for (const Index e : around.elements) remove_element(e);
    for (const auto& [node, cell] : fresh) add_element(node, cell);
    return true;
}

// Puts an edge through the face opposite of corner k of an element, where both sides belong to one cell.
template <int D>
bool Mesher<D>::flip_face([[maybe_unused]] Index e, [[maybe_unused]] int k) {
    if constexpr (D == 2) {
        return false;
    } else {
        const Element one = element_[at(e)];
        std::array<Node, 3> face{};
        for (std::size_t i = 0, j = 0; i < 4; ++i)
            if (i != at(k)) face[j++] = one.node[i];
        Index other = -1;
        for (const Index f : star_[at(face[0])])
            if (f != e && has(element_[at(f)].node, face[1]) && has(element_[at(f)].node, face[2])) other = f;
        if (other < 0 || element_[at(other)].cell != one.cell) return false;
        Node bottom = -1;
        for (const Node n : element_[at(other)].node)
            if (n != face[0] && n != face[1] && n != face[2]) bottom = n;
        const double bound = worst({e, other}) * 1.001;
        std::array<Corners<3>, 3> fresh;
        for (std::size_t i = 0; i < 3; ++i) {
            // The element with one corner of the face replaced by the bottom keeps its orientation.
            fresh[i] = one.node;
            std::replace(fresh[i].begin(), fresh[i].end(), face[i], bottom);
            if (!(quality_of(fresh[i]) > bound)) return false;
        }
        remove_element(e);
        remove_element(other);
        for (const Corners<3>& node : fresh) add_element(node, one.cell);
        return true;
    }
}

// The normal of the face, or the direction of the edge, that a node lies on.
template <int D>
Vec3 Mesher<D>::constraint(Node n) const {
    std::vector<Node> seen;
    Vec3 sum;
    for (const Index e : star_[at(n)])
        for (const Node m : element_[at(e)].node) {
            if (m == n || dimension_[at(m)] > dimension_[at(n)]) continue;
            if (std::find(seen.begin(), seen.end(), m) != seen.end()) continue;
            seen.push_back(m);
            const Ring around = ring(n, m);
            if (around.dimension > dimension_[at(n)]) continue;
            if (dimension_[at(n)] == 1) {
                const Vec3 along = normalized(place_[at(m)] - place_[at(n)]);
                sum += dot(sum, along) < 0 ? -along : along;
                continue;
            }
            for (const Node third : around.ends) {
                const Vec3 normal = facet_normal(n, m, third);
                sum += dot(sum, normal) < 0 ? -normal : normal;
            }
        }
    return normalized(sum);
}

template <int D>
Vec3 Mesher<D>::held(Node n, Vec3 step, Vec3 direction) const {
    if (dimension_[at(n)] == 1)
        step = dot(step, direction) * direction;
    else if (D == 3 && dimension_[at(n)] == 2)
        step -= dot(step, direction) * direction;
    for (int k = 0; k < 3; ++k)
        if (sides_[at(n)] >> (2 * k) & 3u) step[k] = 0;
    return step;
}

template <int D>
bool Mesher<D>::smooth(Node n) {
    if (dimension_[at(n)] == 0 || star_[at(n)].empty()) return false;
    const double before = worst(star_[at(n)]);
    if (before > 0.7) return false;
    const Vec3 direction = dimension_[at(n)] == D ? Vec3{} : constraint(n);
    if (dimension_[at(n)] < D && !is_finite(direction)) return false;
    Vec3 mean, away;
    double count = 0, least = 2;
    for (const Index e : star_[at(n)]) {
        const Corners<D>& node = element_[at(e)].node;
        for (const Node m : node) mean += place_[at(m)], ++count;
        if (const double q = quality_of(node); q < least) {  // up from the face opposite in the worst element
            least = q;
            Vec3 base;
            for (const Node m : node)
                if (m != n) base += place_[at(m)] / static_cast<double>(D);
            away = place_[at(n)] - base;
        }
    }
    const Vec3 old = place_[at(n)], to_mean = mean / count - old;
    double best = before * 1.001;
    Vec3 best_place = old;
    for (const Vec3 way : {to_mean, away})
        for (const double share : {1.5, 0.8, 0.4, 0.15, -0.2}) {
            place_[at(n)] = old + held(n, share * way, direction);
            if (const double q = worst(star_[at(n)]); q > best) {
                best = q;
                best_place = place_[at(n)];
            }
        }
    place_[at(n)] = best_place;
    return !(best_place == old);
}

template <int D>
std::size_t Mesher<D>::split_long() {
    auto edges = edges_that(1.35 * size_, 1e300);
    std::reverse(edges.begin(), edges.end());
    std::size_t count = 0;
    for (const auto& [a, b] : edges) count += split(a, b);
    return count;
}

template <int D>
std::size_t Mesher<D>::collapse_short() {
    std::size_t count = 0;
    for (const auto& [a, b] : edges_that(0, 0.7 * size_)) {
        if (star_[at(a)].empty() || star_[at(b)].empty() || length(a, b) > 0.7 * size_) continue;
        const bool first = dimension_[at(a)] >= dimension_[at(b)];
        count +=
            first ? collapse(a, b, false) || collapse(b, a, false) : collapse(b, a, false) || collapse(a, b, false);
    }
    return count;
}

template <int D>
std::size_t Mesher<D>::improve() {
    std::size_t count = 0;
    for (int sweep = 0; sweep < 3; ++sweep) {
        for (std::size_t e = 0; e < element_.size(); ++e) {
            if (!element_[e].alive || quality_of(element_[e].node) > 0.6) continue;
            bool done = false;
            for (int i = 0; i <= D && !done; ++i) {
                done = flip_face(static_cast<Index>(e), i);
                for (int k = 0; k < i && !done; ++k) done = flip(element_[e].node[at(i)], element_[e].node[at(k)]);
            }
            count += done;
        }
        for (std::size_t n = 0; n < place_.size(); ++n) count += smooth(static_cast<Node>(n));
    }
    return count;
}

// Bad elements lose an edge of any length.
template <int D>
std::size_t Mesher<D>::rescue() {
    std::size_t count = 0;
    for (std::size_t e = 0; e < element_.size(); ++e) {
        if (!element_[e].alive || quality_of(element_[e].node) > 0.35) continue;
        const Corners<D> node = element_[e].node;
        bool done = false;
        for (std::size_t i = 0; i <= D && !done; ++i)
            for (std::size_t k = 0; k <= D && !done; ++k) done = i != k && collapse(node[i], node[k], true);
        count += done;
    }
    return count;
}

template <int D>
Mesh Mesher<D>::result(const CellComplex& complex) const {
    Mesh mesh;
    mesh.dimension = D;
    mesh.label = complex.seeds.label;
    std::vector<Node> number(place_.size(), -1);
    const auto numbered = [&](Node n) {
        if (number[at(n)] < 0) {
            number[at(n)] = static_cast<Node>(mesh.node.size());
            mesh.node.push_back(place_[at(n)]);
        }
        return number[at(n)];
    };
    // Facets by their sorted nodes: those between cells, and those of one element.
    struct Side {
        std::array<Node, 3> key, node;
        Index cell;
        unsigned sides;
    };
    std::vector<Side> all;
    for (const Element& e : element_) {
        if (!e.alive) continue;
        std::array<Node, 4> node = {-1, -1, -1, -1};
        for (std::size_t k = 0; k <= D; ++k) node[k] = numbered(e.node[k]);
        mesh.element.push_back(node);
        mesh.cell.push_back(e.cell);
        for (std::size_t out = 0; out <= D; ++out) {
            Side side{{-1, -1, -1}, {-1, -1, -1}, e.cell, ~0u};
            for (std::size_t k = 0, j = 0; k <= D; ++k)
                if (k != out) {
                    side.node[j++] = node[k];
                    side.sides &= sides_[at(e.node[k])];
                }
            if (out % 2 == 1) std::swap(side.node[0], side.node[1]);  // outward by the right hand
            side.key = side.node;
            std::sort(side.key.begin(), side.key.end());
            all.push_back(side);
        }
    }
    std::sort(all.begin(), all.end(),
              [](const Side& a, const Side& b) { return a.key != b.key ? a.key < b.key : a.cell < b.cell; });
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (k + 1 < all.size() && all[k].key == all[k + 1].key) {
            if (all[k].cell != all[k + 1].cell) mesh.facet.push_back({all[k].node, {all[k].cell, all[k + 1].cell}});
            ++k;
            continue;
        }
        std::int32_t side = -1;
        for (int s = 0; s < 6; ++s)
            if (all[k].sides >> s & 1u) side = -2 - s;
        mesh.facet.push_back({all[k].node, {all[k].cell, side}});
    }
    return mesh;
}

template <int D>
Mesh meshed(const CellComplex& complex, double size) {
    Mesher<D> mesher(complex, size);
    mesher.run();
    return mesher.result(complex);
}

}  // namespace

Mesh mesh_of(const CellComplex& complex, double size) {
    for (const bool periodic : complex.seeds.periodic)
        if (periodic) throw Error(ErrorKind::usage, "cells of periodic boxes stick out of them and cannot be meshed");
    return complex.seeds.dimension == 2 ? meshed<2>(complex, size) : meshed<3>(complex, size);
}

}  // namespace scree::micro
