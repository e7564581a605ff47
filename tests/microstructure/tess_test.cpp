// Tessellations of Neper: what is written is read back; what is malformed is refused with file and line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "made.h"
#include "microstructure/cells.h"
#include "microstructure/regularise.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

std::string written(const CellComplex& complex) {
    std::string text;
    write_tess(complex, [&](std::string_view part) { text += part; });
    return text;
}

CellComplex parsed(const std::string& text) { return parse_tess(bytes_of(text, "f.tess")); }

std::string complaint(const std::string& text) {
    try {
        parsed(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input) << error.what();
        return error.what();
    }
    return "";
}

TEST(tess, comes_back) {
    for (const int dimension : {2, 3}) {
        CellComplex complex = cell_complex(Diagram(random_seeds(40, dimension, false, 8, 0.2)));
        for (const bool regular : {false, true}) {
            if (regular) complex = regularise(complex, {}).complex;
            const CellComplex read = parsed(written(complex));
            EXPECT_EQ(read.corner, complex.corner);
            EXPECT_EQ(read.cell, complex.cell);
            EXPECT_EQ(read.seeds.label, complex.seeds.label);
            EXPECT_EQ(read.seeds.center, complex.seeds.center);
            EXPECT_EQ(read.seeds.weight, complex.seeds.weight);
            EXPECT_EQ(read.seeds.low, complex.seeds.low);
            EXPECT_EQ(read.seeds.high, complex.seeds.high);
            ASSERT_EQ(read.face.size(), complex.face.size());
            for (std::size_t f = 0; f < read.face.size(); ++f) {
                EXPECT_EQ(read.face[f].corner, complex.face[f].corner);
                EXPECT_EQ(read.face[f].cell[0], complex.face[f].cell[0]);
                if (dimension == 3) {
                    EXPECT_EQ(read.face[f].cell[1], complex.face[f].cell[1]);
                }
                EXPECT_NEAR(norm(read.face[f].normal - complex.face[f].normal), 0, 1e-6);
            }
        }
    }
}

// A cube cut in two, by the manual of Neper: with orientations and states, faces turned either way, no seeds.
std::string two_halves() {
    return R"(***tess
 **format
   2.0
 **general
   3 standard
 **cell
   2
  *id
   7 3
  *ori
   euler-bunge:active
   1.5 2.5 3.5
   4.5 5.5 6.5
 **vertex
   12
   1 0.000000000000 0.000000000000 0.000000000000 0
   2 0.500000000000 0.000000000000 0.000000000000 0
   3 1.000000000000 0.000000000000 0.000000000000 0
   4 0.000000000000 1.000000000000 0.000000000000 0
   5 0.500000000000 1.000000000000 0.000000000000 0
   6 1.000000000000 1.000000000000 0.000000000000 0
   7 0.000000000000 0.000000000000 1.000000000000 0
   8 0.500000000000 0.000000000001 1.000000000000 0
   9 1.000000000000 0.000000000000 1.000000000000 0
  10 0.000000000000 1.000000000000 1.000000000000 0
  11 0.500000000000 1.000000000000 1.000000000000 0
  12 1.000000000000 1.000000000000 1.000000000000 0
 **edge
   1
   1 1 2 0
 **face
   11
   1 4 1 7 10 4
     4 1 2 3 4
     0 -1 0 0
     0 0 0 0 0
   2 4 2 5 11 8
     4 1 2 3 4
     0.5 1 0 0
     0 0 0 0 0
   3 4 3 6 12 9
     4 1 2 3 4
     1 1 0 0
     0 0 0 0 0
   4 4 1 2 8 7
     4 1 2 3 4
     0 0 -1 0
     0 0 0 0 0
   5 4 2 3 9 8
     4 1 2 3 4
     0 0 -1 0
     0 0 0 0 0
   6 4 4 5 11 10
     4 1 2 3 4
     1 0 1 0
     0 0 0 0 0
   7 4 5 6 12 11
     4 1 2 3 4
     1 0 1 0
     0 0 0 0 0
   8 4 1 4 5 2
     4 1 2 3 4
     0 0 0 -1
     0 0 0 0 0
   9 4 2 5 6 3
     4 1 2 3 4
     0 0 0 -1
     0 0 0 0 0
  10 4 7 8 11 10
     4 1 2 3 4
     1 0 0 1
     0 0 0 0 0
  11 4 8 9 12 11
     4 1 2 3 4
     1 0 0 1
     0 0 0 0 0
 **polyhedron
   2
   1 6 1 2 4 -6 8 10
   2 6 -2 3 5 -7 9 11
 **domain
  *general
   cube
***end
)";
}

TEST(tess, of_neper_is_understood) {
    const CellComplex halves = parsed(two_halves());
    EXPECT_EQ(halves.seeds.label, (std::vector<Label>{7, 3}));
    EXPECT_EQ(halves.corner[7].y, 0);  // rounded in the text
    for (const CellMeasures& cell : measures(halves)) {
        EXPECT_NEAR(cell.volume, 0.5, 1e-12);
        EXPECT_NEAR(cell.area, 4, 1e-12);
        EXPECT_TRUE(cell.cut);
    }
    EXPECT_EQ(halves.face[5].cell[1], -2 - 3);  // y high, though its polyhedron sees it from behind
    EXPECT_NEAR(halves.face[5].normal.y, 1, 1e-12);
}

TEST(tess, that_is_malformed_is_refused) {
    const std::string good = two_halves();
    const auto with = [&](const std::string& old, const std::string& fresh) {
        std::string text = good;
        const std::size_t place = text.find(old);
        EXPECT_NE(place, std::string::npos) << old;
        return text.replace(place, old.size(), fresh);
    };
    const std::pair<std::string, std::string> cases[] = {
        {"", "***tess"},
        {with("***end", ""), "***end"},
        {with("   3 standard", "   4 standard"), "dimension"},
        {with("   7 3", "   7 7"), "same label"},
        {with("   12\n", "   99999999\n"), "number of vertices"},
        {with("2 0.500000000000", "2 nan"), "f.tess:17"},
        {with("   1 4 1 7 10 4", "   1 4 1 7 13 4"), "vertex of a face"},
        {with("   1 4 1 7 10 4", "   1 4 1 7 1 4"), "twice"},
        {with("   2 6 -2", "   2 6 2"), "two polyhedra on one side"},
        {with("   2 6 -2", "   2 6 0"), "numbered from 1"},
        {with("-6 8 10\n   2 6 -2 3 5 -7 9 11", "-6 8 11\n   2 6 -2 3 5 -7 9 10"), "not between two faces"},
        {with("   1 6 1 2 4 -6 8 10", "   1 5 1 2 4 -6 8"), "belongs to no polyhedron"},
        {with(" **polyhedron", " **periodicity"), "periodic"},
        {with("   1 0.000000000000 0.0", "   1 0.250000000000 0.0"), "not on a box"},
        {with("   2\n  *id", "   3\n  *id\n 1"), "3 cells"},
    };
    for (const auto& [text, words] : cases) {
        const std::string message = complaint(text);
        EXPECT_NE(message.find(words), std::string::npos) << message << "\ninstead of " << words;
        EXPECT_EQ(message.find("f.tess"), 0u) << message;
    }
}

}  // namespace
}  // namespace scree::micro
