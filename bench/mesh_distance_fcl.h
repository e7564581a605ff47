// FCL's distance of two surfaces, behind a door of its own: its headers take long to compile.
#pragma once

#include <memory>

#include "geometry/mesh/mesh_distance.h"

namespace scree::bench {

class FclMesh {
  public:
    explicit FclMesh(const TriangleMesh& mesh);
    ~FclMesh();
    static double distance(const FclMesh& a, const MeshPose& pose_a, const FclMesh& b, const MeshPose& pose_b);

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

}  // namespace scree::bench
