// Periodic axes: a triangulation of the sites and of those of their images that lie within a margin of the box.
//
// Images are ordinary vertices whose rows differ from their site's by whole periods, exactly. The theorem behind the
// pair list holds for any set of spheres, so images within reach make it complete; no complex on a torus is needed, and
// no condition on the number of sites. A site that crosses the border changes places with its image, so that no vertex
// jumps. Rejected: cells with offsets on a torus, which need several periods at first and special cases in every
// operation.
#pragma once

#include <array>
#include <vector>

#include "triangulation.h"

namespace scree::tri {

class PeriodicTriangulation {
  public:
    // period[k] = 0: axis k is not periodic. margin: how far beyond the box images are kept, at least the largest reach
    // of a pair (2·(r + s) of the largest sphere) for a complete list. Everything in the units of the rows; for
    // integral rows periods must be integers, too.
    PeriodicTriangulation(int dimension, std::array<double, 3> period, double margin, bool integral);

    // Rows may lie anywhere; they are wrapped into [0, period).
    void build(const std::vector<Row>& rows);
    // Motion must stay below half a period.
    void update(const std::vector<Row>& rows, const Ladder& ladder = {});

    struct Edge {
        Index i, j;                // i < j, or i = j with a positive shift
        std::array<int, 3> shift;  // the periods added to j
        friend auto operator<=>(const Edge&, const Edge&) = default;
    };
    std::vector<Edge> edges() const;  // those at sites of the box, sorted, each once

    // Laguerre cells' volumes when all axes are periodic. Cells come out too large if the margin is too thin; it is
    // doubled until they fill the box exactly.
    std::vector<double> volumes();

    const Triangulation& triangulation() const { return triangulation_; }
    // The site and shift of a vertex, and the vertex of a site in the box.
    struct Image {
        Index site = -1;
        std::array<int, 3> shift = {0, 0, 0};
    };
    const Image& image(Index vertex) const { return images_[static_cast<std::size_t>(vertex)]; }
    Index vertex_of(Index site) const { return real_[static_cast<std::size_t>(site)]; }
    double margin() const { return margin_; }

  private:
    Row wrapped(Row row, std::array<int, 3>* turns) const;
    Row shifted(const Row& row, const std::array<int, 3>& shift) const;
    bool near_box(const Row& row, double margin) const;
    // Shifts of a wrapped row that lie near the box.
    std::vector<std::array<int, 3>> shifts_of(const Row& row) const;

    int dimension_;
    std::array<double, 3> period_;
    double margin_;
    bool integral_;
    Triangulation triangulation_;
    std::vector<Row> sites_;     // wrapped
    std::vector<Image> images_;  // by vertex
    std::vector<Index> real_;    // by site
    std::vector<Index> unused_;  // vertex numbers to be used again
};

}  // namespace scree::tri
