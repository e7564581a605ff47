// Superquadrics: rounded boxes, ellipsoids and octahedra, and all between, by their support function.
#pragma once

#include "geometry/body.h"

namespace scree {

// |x/a|^p + |y/b|^p + |z/c|^p <= 1 with p >= 1: an ellipsoid for 2, nearly a box for large p, an octahedron for 1.
class Superquadric : public CurvedBody {
  public:
    Superquadric(Vec3 half_axes, double power);
    Support support(Vec3 d, int = -1) const;
    Support support_checked(Vec3 d, int) const { return support(d); }

  private:
    Vec3 half_;
    double power_;
};

}  // namespace scree
