// Eigenvalues of symmetric 3x3 matrices, in closed form.
#pragma once

#include <array>

#include "scree/vec.h"

namespace scree {

struct Symmetric {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    // Adds w (a b^T + b a^T) / 2.
    void add(double w, Vec3 a, Vec3 b) {
        xx += w * a.x * b.x;
        yy += w * a.y * b.y;
        zz += w * a.z * b.z;
        xy += w * (a.x * b.y + a.y * b.x) / 2;
        xz += w * (a.x * b.z + a.z * b.x) / 2;
        yz += w * (a.y * b.z + a.z * b.y) / 2;
    }
    void scale(double f) {
        xx *= f;
        yy *= f;
        zz *= f;
        xy *= f;
        xz *= f;
        yz *= f;
    }
    double trace() const { return xx + yy + zz; }
};

// From the largest to the smallest.
std::array<double, 3> eigenvalues(const Symmetric& m);

}  // namespace scree
