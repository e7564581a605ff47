// The simplicial complex of a regular triangulation in the plane (D = 2) or in space (D = 3), and the operations that
// keep it regular. Everything is exact: coordinates are never computed, only compared (predicates.h).
//
// A cell is D + 1 vertex numbers and D + 1 links, 32 bytes. The link of slot i crosses the facet opposite vertex i and
// names cell and slot on the other side in one number, 4·cell + slot, so the vertex opposite a facet is one load away.
// The vertex "infinite" closes the hull: a cell with it stands for the outside of a hull facet, every facet has two
// sides, and the hull needs no special case. It may sit in any slot. A cell is positive as its vertices are ordered; a
// cell with the infinite vertex is positive when a point beyond its hull facet, put in that slot, makes it positive.
// Freed cells form a list through v[0] = free_mark, n[0] = next.
//
// Vertices are the caller's numbers: row k is vertex k. cell_of[k] is a cell at k, or tells that k is hidden or absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "predicates.h"

namespace scree::tri {

using Index = std::int32_t;
constexpr Index infinite_vertex = -1;
constexpr Index free_mark = -2;
constexpr Index no_cell = -1;

struct alignas(32) Cell {
    Index v[4];
    Index n[4];
};

// What an update did; each rung of the ladder is counted where it is entered.
struct UpdateCounts {
    std::int64_t updates = 0;
    std::int64_t illegal_facets = 0;         // found by the check
    std::int64_t inverted_cells = 0;         // found by the check
    std::int64_t flips = 0;                  // rung 1 (and within rungs 2 and 3)
    std::int64_t untangled = 0;              // inverted cells removed by a flip: part of rung 1
    std::int64_t substeps = 0;               // rung 2
    std::int64_t reinserted = 0;             // rung 3: vertices taken out and put back
    std::int64_t rebuilds = 0;               // rung 4
    std::int64_t uncovered = 0, hidden = 0;  // vertices that came back or disappeared
    UpdateCounts& operator+=(const UpdateCounts& other);
};

// What the ladder may do; the defaults choose by counted work. Tests forbid rungs to reach the others.
struct Ladder {
    bool flips = true, substeps = true, reinsertion = true;
    int most_substeps = 6;
    double most_reinserted = 0.05;  // of all vertices; beyond this a rebuild costs less
};

template <int D>
class Complex {
  public:
    explicit Complex(bool integral = false) : bounds_(integral) {}

    // Triangulates all rows, or those marked present. False when they lie in a lower-dimensional flat; then the complex
    // is empty.
    bool build(std::vector<Row> rows, const std::vector<std::uint8_t>& present = {});
    // Adds vertex v, which must be absent, at the given row. False when it is hidden.
    bool insert(Index v, const Row& row);
    // Takes vertex v out. False when the rest is flat; then the complex must be rebuilt in a lower dimension.
    bool remove(Index v);
    // Gives vertex v a new row. False as for remove.
    bool move(Index v, const Row& row);
    // Gives all vertices new rows (absent ones are ignored) and repairs. False as for remove.
    bool update(std::vector<Row> rows, const Ladder& ladder, UpdateCounts& counts);

    // Vertex v gets the number number[v] below `count`; absent ones may get -1. Cells are put in the order of their
    // vertices.
    void renumber(const std::vector<Index>& number, std::size_t count);

    // Whether v took part in the last build, which may have failed.
    bool was_present(Index v) const {
        return present_at_build_.empty() || present_at_build_[static_cast<std::size_t>(v)];
    }

    // Looks at everything: links, orientations, legality, hidden vertices, Euler's count, and that space is covered
    // once. Empty when all is well, else what is wrong.
    std::string validate() const;

    bool is_visible(Index v) const { return cell_of_[static_cast<std::size_t>(v)] >= 0; }
    bool is_absent(Index v) const { return cell_of_[static_cast<std::size_t>(v)] == absent; }
    bool is_hidden(Index v) const { return cell_of_[static_cast<std::size_t>(v)] <= hidden_base; }
    bool on_hull(Index v) const;
    Index a_cell_of(Index v) const { return cell_of_[static_cast<std::size_t>(v)]; }

    const std::vector<Row>& rows() const { return rows_; }
    const Row& row(Index v) const { return rows_[static_cast<std::size_t>(v)]; }
    const std::vector<Cell>& cells() const { return cells_; }
    const Cell& cell(Index c) const { return cells_[static_cast<std::size_t>(c)]; }
    const Bounds& bounds() const { return bounds_; }
    bool is_free(Index c) const { return cell(c).v[0] == free_mark; }
    bool is_infinite(Index c) const { return infinite_slot(cell(c)) >= 0; }
    std::size_t finite_cell_count() const;
    const std::vector<Index>& hidden_vertices() const { return hidden_; }
    std::size_t bytes() const;

    // Following sites event by event, for a caller that knows their trajectories; all are exact at the rows as they
    // stand. A facet is numbered 4·cell + slot; it lies opposite the vertex in that slot, and its other side has a
    // number of its own. The certificate of a facet: the vertices whose places decide whether it is legal, and how.
    struct Certificate {
        enum class Kind { always, power, hull } kind;
        // power: v[0..D] is a positive simplex, and v[D + 1] must not conflict with it.
        // hull: v[0..D] must be negative: v[slot] must not be beyond the hull facet of the others; when flat, as in the
        // plane. always: a facet of the hull. It stands while its finite cell is positive, which is sure with guards
        // around (guards.h); no flip brings a vertex out of the hull through a facet.
        Index v[D + 2];
        int slot;
    };
    Certificate certificate(Index facet) const;
    bool facet_is_legal(Index facet) const;
    Index twin(Index facet) const { return cell(facet >> 2).n[facet & 3]; }
    Index apex(Index facet) const { return cell(facet >> 2).v[facet & 3]; }
    // Gives v a new row and repairs nothing: what follows must be flips until all certificates at v hold, or update().
    void set_row(Index v, const Row& row);
    // Which cells a flip changed. Those made (new vertices; a number may be an old one) have new certificates on all
    // their facets, also as seen from the other side; those freed are gone.
    struct Flip {
        int made_count = 0, freed_count = 0;
        Index made[4], freed[3];
        Index hidden = infinite_vertex;  // the vertex that disappeared, if one did
        explicit operator bool() const { return made_count > 0; }
    };
    // One flip at the facet, of the kind its vertices ask for (flip.cpp): 2 → 3, 3 → 2, 4 → 4 or 4 → 1; in the plane 2
    // → 2 or 3 → 1. Nothing happens if the facet is legal (unless told otherwise, as when rounding put the caller's
    // clock just before the event) or not flippable before another.
    Flip flip(Index facet, bool even_if_legal = false);

    // The finite vertices joined to v by an edge, in ascending order.
    void neighbors(Index v, std::vector<Index>& out) const;
    // All cells at v, those with the infinite vertex too.
    void star(Index v, std::vector<Index>& out) const;
    // The same for those who ask often: marks has a number for every cell, none of them `stamp` so far.
    void star(Index v, std::vector<Index>& out, std::vector<std::uint32_t>& marks, std::uint32_t stamp) const;
    // Calls visit(i, j) once for every edge between finite vertices, in a fixed order, for the cells in [begin, end).
    template <class F>
    void for_each_edge(Index begin, Index end, F&& visit) const {
        for (Index c = begin; c < end; ++c) {
            const Cell& here = cell(c);
            if (here.v[0] == free_mark) continue;
            for (int i = 1; i <= D; ++i)
                for (int j = 0; j < i; ++j)
                    if (here.v[i] != infinite_vertex && here.v[j] != infinite_vertex && owns_edge(c, i, j))
                        visit(here.v[i], here.v[j]);
        }
    }
    // True when c is the lowest-numbered cell at its edge i, j; so that each edge is met once in a sweep over cells.
    bool owns_edge(Index c, int i, int j) const;

    // The streaming check: cells that are not positive, and facets (numbered 4·cell + slot, from the side of the lower
    // number) that are not legal.
    struct Findings {
        std::vector<Index> inverted, illegal;
    };
    // A point that must be covered once, and the hull seen from it (validate.cpp says why that proves a triangulation).
    struct Watch {
        Row o;
        Bounds bounds;
        std::int64_t covering = 0;
        std::vector<Index> hull;
    };
    Findings check(Watch* watch = nullptr) const;
    // Whether the complex covers space exactly once, given that all finite cells are positive.
    bool covers_once() const;

    static int infinite_slot(const Cell& cell) {
        if ((cell.v[0] | cell.v[1] | cell.v[2] | (D == 3 ? cell.v[3] : 0)) >= 0) return -1;  // the usual case
        for (int k = 0; k <= D; ++k)
            if (cell.v[k] == infinite_vertex) return k;
        return -1;
    }
    static int slot_of(const Cell& cell, Index v) {
        for (int k = 0; k < D; ++k)
            if (cell.v[k] == v) return k;
        return D;
    }

  private:
    static constexpr Index absent = -1;
    // Room for a few per cent more than the 6.8 cells per vertex of random sites in space, and the 2 in the plane.
    static constexpr std::size_t block_vertices = 32,
                                 block_cells = block_vertices * (D == 3 ? 7 : 2) + (D == 3 ? 0 : 4);
    static constexpr Index hidden_base = -2;  // hidden with a cell nearby: hidden_base − cell

    Cell& at(Index c) { return cells_[static_cast<std::size_t>(c)]; }
    Index& place_of(Index v) { return cell_of_[static_cast<std::size_t>(v)]; }

    // complex.cpp
    Index new_cell();
    Index new_cell_near(Index v);
    void free_cell(Index c);
    void link(Index c, int i, Index facet) {
        at(c).n[i] = facet;
        at(facet >> 2).n[facet & 3] = 4 * c + i;
    }
    void set_hidden(Index v, Index near);
    void forget_hidden(Index v);
    Index some_finite_cell() const;

    // insert.cpp
    Index locate(const Row& p, Index start) const;
    int conflict(Index c, const Row& p) const;
    int orientation_with(Index c, int slot, const Row& p) const;
    bool start_simplex(const std::vector<Index>& order, Index (&chosen)[D + 1]);
    void first_cells(const Index (&chosen)[D + 1]);
    bool place(Index v, Index start);
    int way_out(Index c, const Row& p) const;
    struct Hole {
        std::size_t gone, walls;
    };
    Hole find_conflicts(const Row& p, Index first);
    void dig(Index v, Index first);
    void link_by_sorting(std::size_t walls);
    bool take_over_twin(Index v, Index c);
    void open_blocks(std::size_t vertices);
    void close_blocks(const std::vector<Index>& curve);
    void uncover(const std::vector<Index>& candidates);

    // remove.cpp
    struct Exchange {
        std::vector<Cell> gone, made;     // records
        std::vector<Index> made_numbers;  // of which later exchanges may have removed some
    };
    bool take_out(Index v, Exchange* exchange);

    // flip.cpp
    struct Saved {
        Index cell;
        Cell was;
    };
    struct SavedPlace {
        Index vertex, was;
    };
    struct Before {
        Index first_free, recent;
        std::size_t live_cells, cells, hidden;
    };
    void save(Index c);
    void unsettle(Index c);
    void save_place(Index v);
    void begin_attempt();
    void rollback();
    void relink(Index c, int i, Index facet);
    Index born_cell();
    void buried_cell(Index c);
    void settle(Index c);
    int orientation_of(const Index* v) const;
    void flip_facet(Index c, int i);
    bool flip_edge(Index c, int i, int j, bool only_if_positive);
    bool flip_vertex(Index c, int i);
    int edge_degree(Index c, int i, int j, int most) const;
    bool flip_somehow(Index facet, UpdateCounts& counts);
    bool turn_ring(Index c, int i, int zero_slot, int e0, int e1, Index q, int infinite);
    bool untangle(Index c, UpdateCounts& counts);
    bool untangle_once(Index c, UpdateCounts& counts);
    bool make_legal(UpdateCounts& counts, std::vector<Index>* stuck);

    // check.cpp
    bool start_watch(Watch& watch) const;
    int watched_side(const Cell& here, int slot, const Watch& watch) const;
    int covers(const Cell& here, const Watch& watch) const;
    bool watch_holds(const Watch& watch) const;

    // update.cpp
    static void refresh_bounds(const std::vector<Row>& rows, Bounds& bounds);
    bool look(UpdateCounts& counts);
    bool flip_to_legal(UpdateCounts& counts, std::vector<Index>& offenders);
    bool look_and_flip(UpdateCounts& counts, std::vector<Index>& offenders) {
        return look(counts) && flip_to_legal(counts, offenders);
    }
    void go_to(std::vector<Row>& rows, Bounds& bounds);
    bool advance(std::vector<Row>& target, const Ladder& ladder, UpdateCounts& counts);
    double safe_fraction(const std::vector<Row>& target, const std::vector<Index>& inverted) const;
    bool reinsert(std::vector<Row>& target, std::vector<Index> offenders, const Ladder& ladder, UpdateCounts& counts);

    std::vector<Row> rows_;
    std::vector<Cell> cells_;
    std::vector<Index> cell_of_;
    std::vector<Index> hidden_;
    std::vector<std::uint8_t> present_at_build_;  // kept only when the build found a flat set
    std::vector<std::uint8_t> mark_;              // per cell, all zero between operations
    Bounds bounds_;
    Index first_free_ = no_cell;
    Index recent_ = 0;  // a live cell, where the next walk starts
    std::size_t live_cells_ = 0;
    // While building, cells are kept in blocks, each for some vertices that follow each other on the curve
    // (insert.cpp).
    struct Block {
        Index first_free = no_cell;
        Index used = 0;  // places that were taken at least once
    };
    std::vector<Block> blocks_;
    std::size_t spare_block_ = 0;  // those before it were full once

    // Scratch, kept to avoid allocation. Sizes only grow; what counts is counted by the operations.
    std::vector<Index> conflict_, asked_, asking_, maybe_, walls_, created_;
    std::vector<Cell> fresh_;  // the new cells, before they take the place of the old
    std::vector<std::uint8_t>
        local_;  // per vertex (infinite first): its number among those of the hole being closed, or 0
    struct LocalVertex {
        Index vertex, cell;
    };
    std::vector<LocalVertex> local_vertices_;
    std::vector<Index> ridges_;  // by the local numbers of a directed ridge: the facet of the new cell there
    std::vector<Index> stack_;   // facets to look at
    std::vector<Saved> journal_;
    std::vector<SavedPlace> place_journal_;
    Before before_{};
    Findings found_;  // of the last look, at the places where the sites are to go
    Watch seen_;      // as it was then
    Watch watch_;     // kept up to date by flips
    bool journaling_ = false, watching_ = false;
};

}  // namespace scree::tri
