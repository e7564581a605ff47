// The triangulation neighborhood of hard grains: a regular triangulation of the grains' centers (weights r^2) that is
// kept valid while they fly, by flips at the times at which its certificates fail (Müller and Liebling 1995; Ferrez
// 2001 section 2.4.4).
//
// Touching grains are joined by an edge (Pournin 2005, theorem 4), so partners are found among the neighbors in the
// triangulation. Seen from a frame that falls with the grains all motion is straight, and the certificate of a facet
// (the power of the vertex beyond to the sphere orthogonal to the cell) is a polynomial in time: of degree 4 in the
// plane, 5 in space. The time of its first root is found from below (polynomial.h). When it comes, the certificate is
// evaluated again: if it still holds, the event was early and is put off; else the facet is flipped. Most certificates
// change by a collision before they fail, so they are followed for a fraction of the mean free time only, and looked at
// again if they live that long.
//
// Certificates may fail by `slack` before they are acted upon, a multiple of the rounding error. That keeps grains that
// move in step on a lattice, where every certificate is zero for ever, from flipping to and fro; a facet that is
// flipped starts with as much in hand. Grains about to touch are an edge with a wide margin, so nothing is missed by
// it. Whether a flip keeps all cells positive is decided by the exact predicates at the rounded positions. One that is
// not possible yet (simultaneous events in the wrong order) is tried again a little later; if it still is not, all
// positions are brought to the present and the triangulation is mended by flips, or built anew (counted in `repairs`).
//
// The schedule has one event per grain, not per facet: a collision renews some twenty certificates in the plane and a
// hundred in space, but two events. Of any facet one grain at least, among its vertices and the two beyond, has an
// event no later than the facet's time; when it comes, the first of the facets around the grain is looked up.
//
// Guards, points at rest in the falling frame, stand around the grains, so that the hull never changes.
//
// Neighborhood events never move a grain: the flights are read only.
#pragma once

#include <utility>
#include <vector>

#include "events/cells.h"
#include "events/certificates.h"
#include "events/flight.h"
#include "events/meetings.h"
#include "events/queue.h"
#include "triangulation/complex.h"

namespace scree::events {

template <int D>
class Kinetic {
  public:
    using Index = std::uint32_t;

    std::int64_t flips = 0, rechecks = 0, repairs = 0;

    // At time 0 of a span that ends at `horizon`. Keeps what it had, if the grains are the same in number.
    void begin(std::span<const Flight<D>> grains, const double* g, double horizon);

    // Grains i and j (or i alone, when j = i) have new flights from `now` on. Calls visit(i, j) for pairs that have
    // become neighbors.
    template <class Visit>
    void renew(Index i, Index j, std::span<const Flight<D>> grains, double now, Visit&& visit) {
        fresh_.clear();
        change(i, j, grains, now);
        for (const auto& [a, b] : fresh_) visit(a, b);
    }

    // As Cells::neighbors.
    std::size_t neighbors(Index i, std::vector<Neighbor>& found) {
        const std::vector<tri::Index>& star = star_of(i);
        ++stamp_;
        std::size_t n = 0;
        if (found.size() < (D + 1) * star.size() + meeting_padding)
            found.resize(2 * (D + 1) * star.size() + meeting_padding);
        for (const tri::Index c : star) {
            const tri::Cell& cell = complex_.cell(c);
            for (int k = 0; k <= D; ++k) {
                const tri::Index v = cell.v[k];
                if (v < 0 || static_cast<Index>(v) >= grains_ || static_cast<Index>(v) == i ||
                    seen_[static_cast<std::size_t>(v)] == stamp_)
                    continue;
                seen_[static_cast<std::size_t>(v)] = stamp_;
                found[n++] = {static_cast<Index>(v), Image{}};
            }
        }
        return n;
    }

    double next_time() const { return queue_.empty() ? forever : queue_.top_time(); }

    // Does what is due at next_time(), and calls visit(i, j) for pairs that have become neighbors.
    template <class Visit>
    void happen(std::span<const Flight<D>> grains, double now, Visit&& visit) {
        fresh_.clear();
        act(grains, now);
        for (const auto& [i, j] : fresh_) visit(i, j);
    }

    // Between grains, sorted; with `guards`, all. The sites, at a time.
    std::vector<std::pair<Index, Index>> edges(bool guards = false) const;
    std::vector<tri::Row> sites(double t) const;

  private:
    // Seen from the falling frame.
    struct alignas(64) Line {
        double y[D], w[D], t, weight;
    };
    struct Judged {
        double value;  // of the certificate now: positive when it is violated
        double slack;
        double fails;  // time
    };

    Line line_of(const Flight<D>& grain) const;
    tri::Row row_at(const Line& line, double t) const;
    void build(double now);
    void certify_all(double now);
    bool inside_guards(const Line& line, double until) const;
    void set_guards(double now);
    Judged judge(tri::Index facet, double now) const;
    double failing(double* c, double now) const;
    void collect(tri::Index facet);
    double judge_collected(double now);
    void choose_window(double now);
    void set_time(tri::Index facet, double time);
    tri::Index first_of(Index i);
    void requeue(Index i);
    void cover(tri::Index facet);
    void certify_cell(tri::Index cell, double now);
    void act(std::span<const Flight<D>> grains, double now);
    void repair(double now);
    void change(Index i, Index j, std::span<const Flight<D>> grains, double now);
    const std::vector<tri::Index>& star_of(Index i);

    tri::Complex<D> complex_;
    bool built_ = false;
    std::size_t grains_ = 0;
    double g_[D] = {}, horizon_ = 0;
    double window_ = forever;  // how far ahead certificates are looked at
    std::int64_t rechecks_since_change_ = 0;
    double span_begin_ = 0;
    std::int64_t renewed_ = 0;           // grains, since span_begin_
    double low_[D] = {}, high_[D] = {};  // of the guards
    std::vector<Line> lines_;            // grains, then guards
    std::vector<double> times_;          // by facet, the same on both sides
    Queue queue_;                        // of grains
    // The last two stars asked for; flips make them invalid.
    struct Star {
        Index of = ~Index{0};
        std::vector<tri::Index> cells;
    };
    Star stars_[2];
    std::vector<std::uint32_t> marks_;  // by cell: of the last star it was found in
    std::uint32_t mark_ = 0;
    int older_ = 0;
    FacetBatch<D> batch_;
    tri::Index facets_[certificate_batch];  // of the batch
    std::size_t collected_ = 0;
    CertifyFunction<D> certify_ = certify_function<D>();
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;
    std::vector<std::uint8_t> failures_;  // by cell: flips in a row that were not possible
    std::vector<std::pair<Index, Index>> fresh_;
};

extern template class Kinetic<2>;
extern template class Kinetic<3>;

}  // namespace scree::events
