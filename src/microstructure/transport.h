// Weights that give the cells of fixed seeds given volumes: semi-discrete optimal transport.
//
// The volumes are the gradient of a concave function of the weights, ∂V_i/∂w_j = −A_ij / 2|x_i − x_j| with A_ij the
// area of the common face, so Newton's method applies, damped such that no cell ever gets too small (Kitagawa et al.
// 2019). The linear systems are Laplacians of the graph of neighbors, solved by conjugate gradients.
#pragma once

#include <vector>

#include "diagram.h"

namespace scree::micro {

struct Transport {
    int rounds = 0;
    double residual = 0;  // the largest error of a volume, in mean volumes
    bool met = false;     // the tolerance
};

// Sets the weights of the diagram, starting from those it has, or from 0 if these leave a cell empty. `volumes` are
// scaled to fill the box. Throws Error(bad_input) if one is not positive, or two seeds lie at one place.
Transport give_volumes(Diagram& diagram, std::vector<double> volumes, double tolerance = 1e-10, int most_rounds = 100);

}  // namespace scree::micro
