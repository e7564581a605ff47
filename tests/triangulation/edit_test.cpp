// Inserting, removing and moving single vertices, in random sequences that shrink when they fail.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>

#include "core/random.h"
#include "reference.h"

namespace scree::tri {
namespace {

template <int D>
std::vector<Index> sorted_hidden(const Complex<D>& complex) {
    std::vector<Index> hidden = complex.hidden_vertices();
    std::sort(hidden.begin(), hidden.end());
    return hidden;
}

// A fresh build of the vertices that are present, under the same numbers.
template <int D>
void expect_equals_fresh_build(const Complex<D>& complex) {
    std::vector<Row> rows;
    std::vector<Index> number;
    for (Index v = 0; v < static_cast<Index>(complex.rows().size()); ++v)
        if (!complex.is_absent(v)) {
            rows.push_back(complex.row(v));
            number.push_back(v);
        }
    Complex<D> fresh(complex.bounds().integral());
    RC_ASSERT(fresh.build(rows));
    Edges expected = edges_of(fresh);
    for (auto& [a, b] : expected) {
        a = number[static_cast<std::size_t>(a)];
        b = number[static_cast<std::size_t>(b)];
    }
    RC_ASSERT(edges_of(complex) == expected);
    std::vector<Index> hidden = sorted_hidden(fresh);
    for (Index& v : hidden) v = number[static_cast<std::size_t>(v)];
    RC_ASSERT(sorted_hidden(complex) == hidden);
}

// Sites on a small grid: coincidences, lines and planes of sites, and ties are the rule.
Row random_row(int dimension, int range, int heaviest) {
    Row row{{0, 0, 0, 0}};
    for (int k = 0; k < dimension; ++k) row.c[k] = *rc::gen::inRange(0, range);
    row.c[3] = *rc::gen::inRange(0, heaviest);
    return row;
}

template <int D>
void random_edits(int range, int heaviest) {
    std::vector<Row> rows;
    const int n = *rc::gen::inRange(D + 2, 40);
    for (int k = 0; k < n; ++k) rows.push_back(random_row(D, range, heaviest));
    Complex<D> complex(true);
    if (!complex.build(rows)) return;
    const int steps = *rc::gen::inRange(1, 30);
    for (int step = 0; step < steps; ++step) {
        const auto v = static_cast<Index>(*rc::gen::inRange(0, n + 10));
        const bool present = v < static_cast<Index>(complex.rows().size()) && !complex.is_absent(v);
        bool full = true;
        if (!present)
            complex.insert(v, random_row(D, range, heaviest));
        else if (*rc::gen::inRange(0, 2))
            full = complex.remove(v);
        else
            full = complex.move(v, random_row(D, range, heaviest));
        if (!full) return;  // flat now: the caller would go to a lower dimension
        const std::string wrong = complex.validate();
        RC_ASSERT(wrong == "");
    }
    expect_equals_fresh_build(complex);
}

void check_property(const std::string& name, const std::function<void()>& property) {
    EXPECT_TRUE(rc::check(name, property));
}

TEST(edit, random_sequences_keep_the_triangulation_valid_3d) {
    check_property("coarse grid", [] { random_edits<3>(4, 3); });
    check_property("fine grid", [] { random_edits<3>(1000, 30'000); });
    check_property("far apart, int256", [] { random_edits<3>(1 << 30, 1 << 30); });
}

TEST(edit, random_sequences_keep_the_triangulation_valid_2d) {
    check_property("coarse grid", [] { random_edits<2>(6, 3); });
    check_property("fine grid", [] { random_edits<2>(1000, 30'000); });
    check_property("far apart, int256", [] { random_edits<2>(1 << 30, 1 << 30); });
}

TEST(edit, lattice_can_be_taken_apart_and_put_back) {
    for (const char* kind : {"sc", "fcc"}) {
        const auto rows = lattice_sites(kind, 4);
        Complex<3> complex(true);
        ASSERT_TRUE(complex.build(rows));
        const Edges expected = edges_of(complex);
        Random random(3, 1);
        std::vector<Index> out;
        for (int k = 0; k < 20; ++k) {
            const auto v = static_cast<Index>(random.below(rows.size()));
            if (complex.is_absent(v)) continue;
            ASSERT_TRUE(complex.remove(v));
            ASSERT_EQ(complex.validate(), "") << kind << " without " << v;
            out.push_back(v);
        }
        for (const Index v : out) complex.insert(v, rows[static_cast<std::size_t>(v)]);
        EXPECT_EQ(complex.validate(), "");
        EXPECT_TRUE(edges_of(complex) == expected) << kind;
    }
}

// The large way of removal: one sphere with many neighbors.
TEST(edit, sphere_with_a_thousand_neighbors_can_be_removed) {
    for (const bool on_integers : {false, true}) {
        auto rows = special_sites("shell_and_center", 1000, 4);
        for (int k = 0; k < 30; ++k) rows.push_back({{0.1 * (k % 5) - 0.2, 0.1 * (k / 5) - 0.25, 0.05 * (k % 3), 0}});
        if (on_integers) rows = snapped(rows, 0x1p-12);
        Complex<3> complex(on_integers);
        ASSERT_TRUE(complex.build(rows));
        EXPECT_EQ(complex.hidden_vertices().size(), 30u);
        std::vector<Index> around;
        complex.neighbors(0, around);
        EXPECT_GT(around.size(), 500u);
        ASSERT_TRUE(complex.remove(0));
        EXPECT_EQ(complex.validate(), "");
        EXPECT_TRUE(complex.hidden_vertices().empty());
        complex.insert(0, rows[0]);
        EXPECT_EQ(complex.validate(), "");
        EXPECT_EQ(complex.hidden_vertices().size(), 30u);
    }
}

TEST(edit, twins_are_hidden_and_the_lowest_number_shows) {
    std::vector<Row> rows = {{{0, 0, 0, 1}}, {{8, 0, 0, 1}}, {{0, 8, 0, 1}}, {{0, 0, 8, 1}},
                             {{2, 2, 2, 1}}, {{2, 2, 2, 1}}, {{2, 2, 2, 2}}, {{2, 2, 2, 0}}};
    Complex<3> complex(true);
    ASSERT_TRUE(complex.build(rows));
    EXPECT_EQ(sorted_hidden(complex), (std::vector<Index>{4, 5, 7}));
    ASSERT_TRUE(complex.remove(6));
    EXPECT_EQ(complex.validate(), "");
    EXPECT_EQ(sorted_hidden(complex), (std::vector<Index>{5, 7}));
    ASSERT_TRUE(complex.remove(4));
    EXPECT_EQ(sorted_hidden(complex), (std::vector<Index>{7}));
    complex.insert(4, rows[4]);
    EXPECT_EQ(sorted_hidden(complex), (std::vector<Index>{5, 7}));
    EXPECT_EQ(complex.validate(), "");
}

}  // namespace
}  // namespace scree::tri
