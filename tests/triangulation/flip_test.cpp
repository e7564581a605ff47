// Flips one by one, as an event-driven engine asks for them.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "core/random.h"
#include "reference.h"
#include "triangulation/guards.h"

namespace scree::tri {
namespace {

// Whether the certificate holds, by the bare predicates.
template <int D>
bool holds(const Complex<D>& complex, const typename Complex<D>::Certificate& certificate) {
    using Kind = typename Complex<D>::Certificate::Kind;
    const Row* r[D + 2];
    for (int k = 0; k < D + 2; ++k)
        r[k] = certificate.v[k] == infinite_vertex ? nullptr : &complex.row(certificate.v[k]);
    const Bounds& bounds = complex.bounds();
    if constexpr (D == 3) {
        if (certificate.kind == Kind::power) return power3(bounds, *r[0], *r[1], *r[2], *r[3], *r[4]) < 0;
        if (certificate.kind == Kind::hull) {
            const int side = orientation3(bounds, *r[0], *r[1], *r[2], *r[3]);
            if (side != 0) return side < 0;
            const Row* facet[3];
            for (int k = 0, n = 0; k <= D; ++k)
                if (k != certificate.slot) facet[n++] = r[k];
            return power_in_plane(bounds, *facet[0], *facet[1], *facet[2], *r[certificate.slot]) < 0;
        }
    } else {
        if (certificate.kind == Kind::power) return power2(bounds, *r[0], *r[1], *r[2], *r[3]) < 0;
        if (certificate.kind == Kind::hull) {
            const int side = orientation2(bounds, *r[0], *r[1], *r[2]);
            if (side != 0) return side < 0;
            const int slot = certificate.slot;
            return power_on_line(bounds, *r[slot == 0], *r[slot == 2 ? 1 : 2], *r[slot]) < 0;
        }
    }
    return true;
}

template <int D>
struct Follower {
    Complex<D> complex{true};
    std::set<Index> broken;  // facets whose certificate does not hold, from either side
    int flips = 0, merges = 0;

    void look_at(Index facet) {
        for (const Index side : {facet, complex.twin(facet)}) {
            const bool fine = holds<D>(complex, complex.certificate(side));
            ASSERT_EQ(fine, complex.facet_is_legal(side));
            if (fine)
                broken.erase(side);
            else
                broken.insert(side);
        }
    }
    // Looks at the certificates at one vertex only, then flips what is broken until nothing is; everything it knows
    // comes from the reports of the flips. Refuses a step that inverts a cell: an event-driven caller flips before
    // that.
    bool move(Index v, const Row& row) {
        std::vector<Index> star;
        complex.star(v, star);
        const Row old = complex.row(v);
        complex.set_row(v, row);
        for (const Index c : star) {
            const Row* r[D + 1];
            for (int k = 0; k <= D; ++k) r[k] = &complex.row(complex.cell(c).v[k]);
            int side;
            if constexpr (D == 3)
                side = orientation3(complex.bounds(), *r[0], *r[1], *r[2], *r[3]);
            else
                side = orientation2(complex.bounds(), *r[0], *r[1], *r[2]);
            if (side > 0) continue;
            complex.set_row(v, old);
            return false;
        }
        for (const Index c : star)
            for (int i = 0; i <= D; ++i) look_at(4 * c + i);
        for (bool progress = true; progress && !broken.empty();) {
            progress = false;
            for (const Index facet : std::vector<Index>(broken.begin(), broken.end())) {
                if (!broken.contains(facet)) continue;
                const std::vector<Cell> before = complex.cells();
                const auto flip = complex.flip(facet);
                expect_report(flip, before);
                if (!flip) continue;
                progress = true;
                ++flips;
                merges += flip.freed_count == 1;
                for (int k = 0; k < flip.freed_count; ++k)
                    for (int i = 0; i <= D; ++i) broken.erase(4 * flip.freed[k] + i);
                for (int k = 0; k < flip.made_count; ++k)
                    for (int i = 0; i <= D; ++i) look_at(4 * flip.made[k] + i);
            }
        }
        return true;
    }
    // The report names exactly the cells whose vertices changed.
    void expect_report(const typename Complex<D>::Flip& flip, const std::vector<Cell>& before) {
        std::set<Index> named, changed;
        named.insert(flip.made, flip.made + flip.made_count);
        named.insert(flip.freed, flip.freed + flip.freed_count);
        ASSERT_EQ(static_cast<int>(named.size()), flip.made_count + flip.freed_count);
        for (Index c = 0; c < static_cast<Index>(complex.cells().size()); ++c) {
            const auto k = static_cast<std::size_t>(c);
            const bool was = k < before.size() && before[k].v[0] != free_mark, is = !complex.is_free(c);
            if (was != is || (is && !std::equal(before[k].v, before[k].v + D + 1, complex.cell(c).v)))
                changed.insert(c);
        }
        ASSERT_EQ(named, changed);
    }
};

// Sites amid guards, light enough that none is ever hidden; one at a time takes a short step.
template <int D>
void follow(double step, int steps) {
    std::vector<Row> rows = snapped(random_sites(D, 150, 2, 5, 0.5), 0x1p-12);
    const std::size_t free_sites = rows.size();
    Row low = rows[0], high = rows[0];
    for (Row& row : rows) {
        row.c[3] = std::nearbyint(row.c[3] / 0x1p20);
        for (int k = 0; k < D; ++k) {
            low.c[k] = std::min(low.c[k], row.c[k]);
            high.c[k] = std::max(high.c[k], row.c[k]);
        }
    }
    for (int k = 0; k < D; ++k) {
        low.c[k] -= 30'000;
        high.c[k] += 30'000;
    }
    for (const Row& guard : guard_rows(low, high, 60'000, D)) rows.push_back(guard);
    Follower<D> follower;
    ASSERT_TRUE(follower.complex.build(rows));
    Random random(4, 4);
    for (int k = 0; k < steps; ++k) {
        const auto v = static_cast<std::size_t>(random.uniform() * static_cast<double>(free_sites));
        Row there = rows[v];
        for (int axis = 0; axis < D; ++axis)
            there.c[axis] = std::nearbyint(there.c[axis] + random.uniform(-step, step));
        ASSERT_TRUE(follower.complex.is_visible(static_cast<Index>(v)));
        if (follower.move(static_cast<Index>(v), there)) rows[v] = there;
        if (testing::Test::HasFatalFailure()) return;
        ASSERT_TRUE(follower.broken.empty()) << "step " << k;
        if (k % 50 == 0) {
            ASSERT_EQ(follower.complex.validate(), "") << "step " << k;
        }
    }
    Complex<D> fresh(true);
    ASSERT_TRUE(fresh.build(rows));
    EXPECT_TRUE(edges_of(follower.complex) == edges_of(fresh));
    EXPECT_GT(follower.flips, steps / 20) << "the motion was too small to test anything";
    if (D == 3) {
        EXPECT_GT(follower.merges, 0) << "no 3 to 2 flip";
    }
}

TEST(flip, flips_on_demand_follow_small_motion_3d) { follow<3>(100, 4000); }
TEST(flip, flips_on_demand_follow_small_motion_2d) { follow<2>(200, 4000); }

template <int D>
void forced_there_and_back() {
    const auto rows = snapped(random_sites(D, 200, 2, 9, 0.5), 0x1p-12);
    Complex<D> complex(true);
    ASSERT_TRUE(complex.build(rows));
    const Edges edges = edges_of(complex);
    int tried = 0;
    for (Index c = 0; c < static_cast<Index>(complex.cells().size()) && tried < 100; ++c)
        for (int i = 0; i <= D; ++i) {
            if (complex.is_free(c) || complex.is_infinite(c)) break;
            EXPECT_FALSE(complex.flip(4 * c + i)) << "a legal facet was flipped";
            const auto forced = complex.flip(4 * c + i, true);
            if (!forced) continue;
            ++tried;
            EXPECT_NE(complex.validate(), "");
            if (forced.hidden != infinite_vertex) {  // no flip brings it back, but an update does
                UpdateCounts counts;
                ASSERT_TRUE(complex.update(rows, Ladder{}, counts));
                EXPECT_EQ(counts.uncovered, 1);
                ASSERT_EQ(complex.validate(), "");
                continue;
            }
            // Back: some facet of the cells made is illegal now, and its flip restores the triangulation.
            bool back = false;
            for (int k = 0; k < forced.made_count && !back; ++k)
                for (int j = 0; j <= D && !back; ++j) back = static_cast<bool>(complex.flip(4 * forced.made[k] + j));
            ASSERT_TRUE(back);
            ASSERT_EQ(complex.validate(), "");
        }
    EXPECT_GE(tried, 100);
    EXPECT_TRUE(edges_of(complex) == edges);
}

TEST(flip, a_forced_flip_is_undone_by_the_flip_that_is_due_3d) { forced_there_and_back<3>(); }
TEST(flip, a_forced_flip_is_undone_by_the_flip_that_is_due_2d) { forced_there_and_back<2>(); }

// The center of a tetrahedron sinks below its corners: 4 → 1, and the report says who is gone.
TEST(flip, a_vertex_that_loses_its_weight_is_reported_hidden) {
    std::vector<Row> rows = {{{0, 0, 0, 0}}, {{400, 0, 0, 0}}, {{0, 400, 0, 0}}, {{0, 0, 400, 0}}, {{90, 95, 101, 0}}};
    Complex<3> complex(true);
    ASSERT_TRUE(complex.build(rows));
    ASSERT_TRUE(complex.is_visible(4));
    rows[4].c[3] = -400'000;
    complex.set_row(4, rows[4]);
    std::vector<Index> star;
    complex.star(4, star);
    ASSERT_EQ(star.size(), 4u);
    Complex<3>::Flip flip;
    for (const Index c : star)
        for (int i = 0; i <= 3 && !flip; ++i) flip = complex.flip(4 * c + i);
    ASSERT_TRUE(flip);
    EXPECT_EQ(flip.made_count, 1);
    EXPECT_EQ(flip.freed_count, 3);
    EXPECT_EQ(flip.hidden, 4);
    EXPECT_EQ(complex.validate(), "");
}

}  // namespace
}  // namespace scree::tri
