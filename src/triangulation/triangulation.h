// A regular triangulation that may be flat: the complex of the dimension its sites span, under one roof.
//
// Sites are rows (x, y, z, weight), z = 0 in the plane. If they span less than the ambient dimension (all in a plane,
// on a line, at one point), they are triangulated as what they are: coordinates are permuted so that the first ones
// tell the sites apart and keep their lexicographic order, the others enter the lift only (predicates.h). In this state
// every change builds anew; it is a passing state (the first grains of a pouring) or a test.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "complex.h"

namespace scree::tri {

class Triangulation {
  public:
    // dimension: 2 or 3. integral: all rows will hold integers below 2^48 (see snap.h), else doubles are decided as
    // given.
    explicit Triangulation(int dimension, bool integral = false);

    void build(std::vector<Row> rows);
    // Vertex v must be absent (insert: v may be one past the last) or present (remove, move).
    void insert(Index v, const Row& row);
    void remove(Index v);
    void move(Index v, const Row& row);
    // All vertices at new rows: verify and repair. Absent vertices' rows are ignored.
    void update(std::vector<Row> rows, const Ladder& ladder = {});

    // Vertex v gets the number number[v] below `count`, absent ones -1 (renumber.cpp). The set must not be flat.
    void renumber(const std::vector<Index>& number, std::size_t count);

    int ambient_dimension() const { return ambient_; }
    int dimension() const { return dimension_; }  // of the affine hull; -1 without sites
    std::size_t simplex_count() const;            // of that dimension
    std::size_t cell_slots() const {
        return space_ ? space_->cells().size() : plane_ ? plane_->cells().size() : 0;
    }                                  // free ones included
    std::size_t vertex_count() const;  // visible
    bool is_visible(Index v) const;
    bool is_hidden(Index v) const;
    bool is_absent(Index v) const;
    std::vector<Index> hidden() const;                    // sorted
    std::vector<std::pair<Index, Index>> edges() const;   // i < j, sorted
    std::vector<std::array<Index, 4>> simplices() const;  // vertices ascending, then -1 below four; sorted
    void neighbors(Index v, std::vector<Index>& out) const;
    bool on_hull(Index v) const;           // its Laguerre cell is unbounded within the affine hull
    const std::vector<Row>& rows() const;  // coordinates in the caller's order
    std::string validate() const;          // empty when all is well
    std::size_t bytes() const;
    const UpdateCounts& counts() const { return counts_; }

    // The complex, when the sites span the plane or space; else null.
    const Complex<3>* space() const { return dimension_ == 3 ? &*space_ : nullptr; }
    const Complex<2>* plane() const { return dimension_ == 2 && ambient_ == 2 ? &*plane_ : nullptr; }
    // The complex of a flat set in space, its coordinates permuted by axes().
    const Complex<2>* flat() const { return dimension_ == 2 && ambient_ == 3 ? &*plane_ : nullptr; }
    const int* axes() const { return axes_; }

  private:
    bool full() const { return dimension_ == ambient_; }
    void build_present(std::vector<Row> rows, std::vector<std::uint8_t> present);
    std::vector<std::uint8_t> presence() const;
    void build_line();
    template <class F>
    auto visit(F&& f) const;

    int ambient_;
    bool integral_;
    int dimension_ = -1;
    int axes_[3] = {0, 1, 2};
    std::optional<Complex<2>> plane_;
    std::optional<Complex<3>> space_;
    UpdateCounts counts_;
    // Only while the set is flat:
    std::vector<Row> flat_rows_;
    std::vector<std::uint8_t> present_;
    std::vector<Index> chain_;  // on a line: the visible vertices in order
    std::vector<Index> chain_hidden_;
};

}  // namespace scree::tri
