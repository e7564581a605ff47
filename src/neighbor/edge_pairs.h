// The pairs of a checked triangulation: its edges, met in one sweep over its cells, with the rest of the certificate.
//
// The triangulation was checked by its update (cells positive, facets legal, space covered once). The sweep adds that
// links are symmetric and that every edge is orthogonal; docs/triangulation.md proves that then no pair is missing.
// Each edge is looked at where its cell has a lower number than the next cell on either side of the ring around it:
// known without leaving the cell, and true for at least one cell of each ring and for 1.7 on average. Repeated pairs go
// when rows are sorted. Rejected: looking for the lowest cell of each ring, which turns around every edge; walking the
// star of each vertex, which visits every cell four times.
//
// Balls may belong to bodies that they cover. Then edges within a body must meet Pournin 2005 eq. (1.5), d² > |R_i² −
// R_j²|, those between bodies must be orthogonal, and every two bodies closer than the reach have some edge between
// them whose spheres meet (docs/triangulation.md again): not always the edge of their nearest balls, so bodies are
// listed whichever edge it is, and by the balls around them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neighbor/neighborhood.h"
#include "triangulation/triangulation.h"

namespace scree {

// Why a triangulation cannot vouch for its edges.
enum class Refusal { none, too_wide, flat, broken_links, hidden_vertex, not_orthogonal };

constexpr std::int32_t no_site = -1;

// Vertex v stands for the ball site[v], or for an image of it on a periodic axis (is_image), or for none (no_site:
// guards).
struct VertexNames {
    std::span<const std::int32_t> site;
    std::span<const std::uint8_t> is_image;
    std::span<const std::uint8_t>
        image;  // periods added along the axes, each -1, 0 or 1: 13 + sum of them times 1, 3, 9
};

class EdgePairs {
  public:
    // Fills `pairs` with all pairs closer than `reach` or says why they might not be all. The spheres of the
    // triangulation must reach at least reach/2 beyond the balls, snapping included (triangulation/snap.h).
    // With bodies the pairs are theirs: all that are closer than the reach, and none whose surrounding balls are not.
    Refusal list(const tri::Triangulation& triangulation, const VertexNames& names, const BallRows& balls,
                 const CoveredBodies* bodies, const Periodicity& periodicity, double reach, PairList& pairs);

    // By how much all balls may be swollen before the first edge between them ceases to be orthogonal; for choosing a
    // skin.
    static double orthogonal_margin(const tri::Triangulation& triangulation, const VertexNames& names,
                                    const BallRows& balls, const CoveredBodies* bodies, const Periodicity& periodicity);

  private:
    struct Found {
        std::uint32_t low, high;
    };
    struct Part {
        std::vector<Found> pairs;
        bool linked = true, orthogonal = true;
    };
    template <int D, bool covers>
    Refusal sweep(const tri::Complex<D>& complex, const VertexNames& names, const BallRows& balls,
                  const CoveredBodies* bodies, const Periodicity& periodicity, double reach, PairList& pairs);
    void assemble(std::size_t balls, PairList& pairs);

    std::vector<Part> parts_;
    std::vector<std::uint32_t> fill_;  // kept to spare allocations
};

}  // namespace scree
