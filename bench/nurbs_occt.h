// Projection of points by OpenCASCADE. In a file of its own: its headers and scree's do not meet.
#pragma once

#include <memory>

#include "geometry/nurbs/nurbs.h"

namespace scree::bench {

// Of one curve or surface; -1 when it finds no perpendicular foot and no nearer end.
class OcctProjection {
  public:
    explicit OcctProjection(const Nurbs& nurbs);
    ~OcctProjection();
    double distance(Vec3 q);

  private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace scree::bench
