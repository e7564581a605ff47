// Volume, center and inertia of bodies of density 1, in closed form where there is one.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "math/vec.h"
#include "shape/piece.h"

namespace scree {

// Integrals over a body of density 1 about the origin of its coordinates; bodies are added by adding them. In 2D areas
// in place of volumes (discs 1 m thick), with z = 0.
struct Moments {
    double volume = 0;
    Vec3 first;                // of x
    double second[3][3] = {};  // of x x^T
    double error = 0;          // relative, of volume, center and inertia, when they come from quadrature

    void add(const Moments& other);
    Vec3 center() const { return first / volume; }
    // About the center.
    Mat3 covariance() const;
};

// The rounded convex body of a piece, exact: the skeleton, prisms over its faces, sectors of cylinders along its edges
// and of balls at its vertices (Steiner; Pournin 2005 section 4.5 has the case of simplices).
Moments moments_of(const Piece& piece, int dimension);
// The solid inside a closed surface of triangles that turn counterclockwise seen from outside.
Moments moments_of(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles);
// A union of pieces that overlap: exact but for what is common to several, which is measured over lines of sight; the
// error is the largest difference to results with fewer lines. Below 1e-3 where that takes no longer than about a
// second.
Moments moments_of_union(std::span<const Piece> pieces, int dimension);
bool pieces_are_disjoint(std::span<const Piece> pieces);

struct PrincipalAxes {
    Vec3 moments;  // of inertia per density, about the axes
    Mat3 axes;     // columns are the principal directions: x_given = center + axes x_principal
};
PrincipalAxes principal_axes(const Moments& moments, int dimension);

}  // namespace scree
