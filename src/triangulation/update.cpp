// Following the motion of all sites: verify, then repair (the ladder of DESIGN).
//
// The complex is checked with the sites at their new places. Rung 1: cells that the motion inverted are flipped away
// where one flip does it, then illegal facets are flipped. If that gets stuck, every record is rolled back, the sites
// return to their old places, where the complex is known to be regular, and the next rung starts from there. Rung 2
// (Pournin 2005, algorithm 3): go part of the way, up to just before the first cell flattens, and repair there. Rung 3:
// take the vertices of the cells that made trouble out at the old places, move the rest, put them back at the new
// places. Rung 4: build anew. Which of 2 and 3 comes first is decided by counted work: a check costs about 14 facet
// tests per vertex, taking out and putting back about 600 per vertex concerned.
//
// Every rung ends verified: the check has looked at each facet and cell, each flip puts the facets it touches back on
// the list, insertion and removal are exact, and the covering of space is watched at one point (validate.cpp).
// Rejected: time-ordered flips (Pournin 2005, algorithm 2); exact event times need roots of polynomials of degree 8.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "complex.h"
#include "core/parallel.h"

namespace scree::tri {

template <int D>
void Complex<D>::refresh_bounds(const std::vector<Row>& rows, Bounds& bounds) {
    if (rows.empty()) return;
    struct Box {
        Row low, high;
    };
    std::vector<Box> parts(chunk_count(rows.size()));
    run_tasks(parts.size(), [&](std::size_t task, int) {
        const std::size_t begin = task * default_chunk, end = std::min(rows.size(), begin + default_chunk);
        Box part{rows[begin], rows[begin]};
        for (std::size_t i = begin; i < end; ++i)
            for (int k = 0; k < 4; ++k) {
                part.low.c[k] = part.low.c[k] < rows[i].c[k] ? part.low.c[k] : rows[i].c[k];
                part.high.c[k] = part.high.c[k] > rows[i].c[k] ? part.high.c[k] : rows[i].c[k];
            }
        parts[task] = part;
    });
    for (const Box& part : parts) bounds.cover(part.low, part.high);
}

// Exchanges the sites' places for others.
template <int D>
void Complex<D>::go_to(std::vector<Row>& rows, Bounds& bounds) {
    rows_.swap(rows);
    std::swap(bounds_, bounds);
}

// Checks everything with the sites at their new places and keeps what was found.
template <int D>
bool Complex<D>::look(UpdateCounts& counts) {
    found_.inverted.clear();
    found_.illegal.clear();
    if (!start_watch(seen_)) return false;
    found_ = check(&seen_);
    counts.illegal_facets += static_cast<std::int64_t>(found_.illegal.size());
    counts.inverted_cells += static_cast<std::int64_t>(found_.inverted.size());
    return true;
}

// Rung 1, after a look. On failure everything is rolled back and `offenders` names one vertex for each cell or facet
// that could not be repaired.
template <int D>
bool Complex<D>::flip_to_legal(UpdateCounts& counts, std::vector<Index>& offenders) {
    const auto lightest = [&](const Cell& from) {
        Index best = infinite_vertex;
        for (int k = 0; k <= D; ++k)
            if (from.v[k] != infinite_vertex && (best == infinite_vertex || row(from.v[k]).c[3] < row(best).c[3]))
                best = from.v[k];
        return best;
    };
    offenders.clear();
    begin_attempt();
    watch_ = seen_;
    watching_ = true;
    stack_.clear();
    std::vector<Index> bad = found_.inverted;
    for (bool progress = true; progress && !bad.empty();) {
        progress = false;
        std::erase_if(bad, [&](Index c) {
            if (is_free(c) || orientation_of(cell(c).v) > 0) return true;
            if (!untangle(c, counts)) return false;
            progress = true;
            return true;
        });
    }
    bool legal = bad.empty();
    for (const Index c : bad) offenders.push_back(lightest(cell(c)));
    if (legal) {
        stack_.insert(stack_.end(), found_.illegal.begin(), found_.illegal.end());
        std::vector<Index> stuck;
        legal = make_legal(counts, &stuck);
        for (const Index facet : stuck) offenders.push_back(lightest(cell(facet >> 2)));
    }
    if (legal && !watch_holds(watch_)) {
        legal = false;
        for (const Index c : watch_.hull)
            if (!is_free(c) && is_infinite(c) && watched_side(cell(c), infinite_slot(cell(c)), watch_) >= 0)
                offenders.push_back(lightest(cell(c)));
    }
    watching_ = false;
    if (legal)
        journaling_ = false;
    else
        rollback();
    std::sort(offenders.begin(), offenders.end());
    offenders.erase(std::unique(offenders.begin(), offenders.end()), offenders.end());
    return legal;
}

// The largest fraction of the way at which none of the given cells has flattened, by the roots of their volumes.
template <int D>
double Complex<D>::safe_fraction(const std::vector<Row>& target, const std::vector<Index>& inverted) const {
    double fraction = 1;
    for (const Index c : inverted) {
        const auto volume = [&](double t) {
            double e[3][3] = {};
            for (int i = 1; i <= D; ++i)
                for (int k = 0; k < D; ++k) {
                    const auto place = [&](int slot) {
                        const auto v = static_cast<std::size_t>(cell(c).v[slot]);
                        return rows_[v].c[k] + t * (target[v].c[k] - rows_[v].c[k]);
                    };
                    e[i - 1][k] = place(i) - place(0);
                }
            if constexpr (D == 2)
                return e[0][0] * e[1][1] - e[0][1] * e[1][0];
            else
                return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                       e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                       e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
        };
        // A polynomial of degree D in t: its first sign change is bracketed by scanning, then bisected.
        double low = 0, high = fraction;
        for (int k = 1; k <= 16; ++k)
            if (const double t = fraction * k / 16; volume(t) <= 0) {
                high = t;
                break;
            } else {
                low = t;
            }
        if (low >= high) continue;
        for (int k = 0; k < 30; ++k) {
            const double middle = 0.5 * (low + high);
            (volume(middle) > 0 ? low : high) = middle;
        }
        fraction = std::min(fraction, low);
    }
    return fraction;
}

// Rung 3: takes the offenders out where the complex is regular, moves the rest, puts the offenders back. What the last
// look found still holds away from the holes; the cells that fill them are looked at here.
template <int D>
bool Complex<D>::reinsert(std::vector<Row>& target, std::vector<Index> offenders, const Ladder& ladder,
                          UpdateCounts& counts) {
    const double most = std::max(8.0, ladder.most_reinserted * static_cast<double>(rows_.size()));
    std::vector<Index> out, near;
    Bounds bounds(bounds_.integral());
    refresh_bounds(target, bounds);
    for (int round = 0; round < 8; ++round) {
        if (offenders.empty() || static_cast<double>(out.size() + offenders.size()) > most) return false;
        std::vector<Index> around;
        Exchange exchange;
        for (const Index v : offenders) {
            if (!is_visible(v)) continue;
            neighbors(v, around);
            if (!take_out(v, &exchange)) return false;
            out.push_back(v);
            near.push_back(around.empty() ? v : around.front());
        }
        go_to(target, bounds);
        for (const Cell& gone : exchange.gone) seen_.covering -= covers(gone, seen_);
        for (const Cell& made : exchange.made) seen_.covering += covers(made, seen_);
        for (const Index c : exchange.made_numbers) {
            if (is_free(c)) continue;
            if (is_infinite(c))
                seen_.hull.push_back(c);
            else
                found_.inverted.push_back(c);  // if it is; the repair asks again
            for (int i = 0; i <= D; ++i) found_.illegal.push_back(4 * c + i);
        }
        if (flip_to_legal(counts, offenders)) {
            for (std::size_t k = 0; k < out.size(); ++k)
                place(out[k], is_visible(near[k]) ? a_cell_of(near[k]) : some_finite_cell());
            counts.reinserted += static_cast<std::int64_t>(out.size());
            return true;
        }
        go_to(target, bounds);
    }
    return false;
}

template <int D>
bool Complex<D>::advance(std::vector<Row>& target, const Ladder& ladder, UpdateCounts& counts) {
    const double vertices = static_cast<double>(rows_.size());
    for (int substep = 0;; ++substep) {
        Bounds bounds(bounds_.integral());
        refresh_bounds(target, bounds);
        std::vector<Index> offenders;
        go_to(target, bounds);
        const bool looked = look(counts);
        // One vertex in four at an inverted cell: no rung but the last will do, if the choice is free.
        if (ladder.flips && ladder.substeps && ladder.reinsertion &&
            4 * static_cast<double>(found_.inverted.size()) > vertices) {
            go_to(target, bounds);
            return false;
        }
        if (ladder.flips) {
            if (looked && flip_to_legal(counts, offenders)) return true;
        } else {
            if (looked && found_.inverted.empty() && found_.illegal.empty() && covers_once()) return true;
            for (const Index c : found_.inverted) offenders.push_back(cell(c).v[0]);
            for (const Index facet : found_.illegal)
                for (int k = 0; k <= D; ++k)
                    if (const Index v = cell(facet >> 2).v[k]; v != infinite_vertex) {
                        offenders.push_back(v);
                        break;
                    }
            std::sort(offenders.begin(), offenders.end());
            offenders.erase(std::unique(offenders.begin(), offenders.end()), offenders.end());
        }
        go_to(target, bounds);
        if (!looked) return false;

        const bool few = static_cast<double>(offenders.size()) <= std::max(8.0, ladder.most_reinserted * vertices);
        if (ladder.reinsertion && few) return reinsert(target, offenders, ladder, counts);
        if (!ladder.substeps || found_.inverted.empty() || substep >= ladder.most_substeps) return false;
        // Rung 2: stop before the first cell flattens. Short of an eighth of the way it does not pay.
        const double fraction = 0.9 * safe_fraction(target, found_.inverted);
        if (fraction < 0.125) return false;
        std::vector<Row> between = rows_;
        for (std::size_t v = 0; v < between.size(); ++v)
            for (int k = 0; k < 4; ++k) {
                const double x = rows_[v].c[k] + fraction * (target[v].c[k] - rows_[v].c[k]);
                between[v].c[k] = bounds_.integral() ? std::nearbyint(x) : x;
            }
        Bounds bounds_between(bounds_.integral());
        refresh_bounds(between, bounds_between);
        go_to(between, bounds_between);
        if (!look_and_flip(counts, offenders)) {
            go_to(between, bounds_between);
            return false;
        }
        ++counts.substeps;
        // Hidden vertices that come back must be in place before the next part of the way.
        uncover(std::vector<Index>(hidden_));
    }
}

template <int D>
bool Complex<D>::update(std::vector<Row> rows, const Ladder& ladder, UpdateCounts& counts) {
    assert(rows.size() == rows_.size());
    ++counts.updates;
    std::vector<std::uint8_t> present(rows.size(), 1);
    for (std::size_t v = 0; v < rows.size(); ++v)
        if (cell_of_[v] == absent) {
            rows[v] = rows_[v];
            present[v] = 0;
        }
    if (advance(rows, ladder, counts)) {
        const std::size_t before = hidden_.size();
        uncover(std::vector<Index>(hidden_));
        counts.uncovered += static_cast<std::int64_t>(before) - static_cast<std::int64_t>(hidden_.size());
        return true;
    }
    // Rung 4. Absent vertices stay absent: the others are built under their own numbers.
    ++counts.rebuilds;
    return build(std::move(rows), present);
}

template <int D>
bool Complex<D>::move(Index v, const Row& new_row) {
    const auto reinsert_it = [&] {
        if (!remove(v)) return false;
        insert(v, new_row);
        return true;
    };
    if (!is_visible(v) || !hidden_.empty()) return reinsert_it();
    std::vector<Index> star_cells;
    star(v, star_cells);
    const Row old_row = row(v);
    rows_[static_cast<std::size_t>(v)] = new_row;
    bounds_.cover(new_row);
    // An inner vertex whose cells all stay positive has not left its star: flips repair the rest.
    bool stays = true;
    for (const Index c : star_cells) stays = stays && !is_infinite(c) && orientation_of(cell(c).v) > 0;
    if (stays) {
        begin_attempt();
        stack_.clear();
        for (const Index c : star_cells)
            for (int i = 0; i <= D; ++i) stack_.push_back(4 * c + i);
        UpdateCounts counts;
        if (make_legal(counts, nullptr)) {
            journaling_ = false;
            return true;
        }
        rollback();
    }
    rows_[static_cast<std::size_t>(v)] = old_row;
    return reinsert_it();
}

template class Complex<2>;
template class Complex<3>;

}  // namespace scree::tri
