// Seeds whose Laguerre cells are as near as possible to the grains of an image.
//
// The unknowns make a convex problem: with the score σ_j(x) = −|x − x_j|² + w_j, affine in the unknowns α_j = x_j − g_j
// and γ_j = w_j − |α_j|² up to what all cells share, minimise
//     L = Σ_k ω_k [τ log Σ_j exp(σ_j(x_k)/τ) − σ_c(k)(x_k)] / Σ ω + λ Σ_i |α_i|² / G,
// where voxel k lies in grain c(k) with the centroid g. At λ → 0 the optimum has the volumes and centroids of the
// image, for cells whose borders are softened over τ/2D, and these determine a Laguerre tessellation (Bourne et al.
// 2024). τ falls in stages; each is solved by Newton's method, with the Hessian assembled in blocks of neighbors
// and conjugate gradients inside (newton.cpp). Rejected: search without derivatives on the distance of voxels to cells,
// which takes hours and ends in some local minimum.
#pragma once

#include <functional>

#include "diagram.h"
#include "fit_options.h"
#include "grain_map.h"

namespace scree::micro {

struct FitStage {
    double softness = 0;
    int rounds = 0;
    double loss = 0;        // L, in squares of the mean spacing
    double held_right = 0;  // part of the voxels near borders, held back from the fit, that are on the right side
};

struct Fit {
    Seeds seeds;
    std::vector<FitStage> stages;
    int chosen = 0;            // the stage whose seeds are taken
    std::size_t voxels = 0;    // that were looked at
    std::vector<Label> empty;  // grains that got no cell
};

// Centroids and w = r², r the radius of a ball of the grain's volume (Lyckegaard et al. 2011).
Seeds starting_seeds(const GrainMap& map);

// `report` is told of every stage as it ends.
Fit fit(const GrainMap& map, const FitOptions& options, const std::function<void(const FitStage&)>& report = {});

}  // namespace scree::micro
