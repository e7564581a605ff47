#include "mesh_distance_fcl.h"

#include <fcl/fcl.h>

namespace scree::bench {

struct FclMesh::Model {
    fcl::BVHModel<fcl::OBBRSSd> tree;
};

namespace {

fcl::Transform3d transform(const MeshPose& pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) t.linear()(i, j) = pose.rotation.row[i][j];
        t.translation()(i) = pose.position[i];
    }
    return t;
}

}  // namespace

FclMesh::FclMesh(const TriangleMesh& mesh) : model_(std::make_unique<Model>()) {
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (const Vec3& p : mesh.points) points.emplace_back(p.x, p.y, p.z);
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    model_->tree.beginModel();
    model_->tree.addSubModel(points, triangles);
    model_->tree.endModel();
}

FclMesh::~FclMesh() = default;

double FclMesh::distance(const FclMesh& a, const MeshPose& pose_a, const FclMesh& b, const MeshPose& pose_b) {
    const fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    return fcl::distance(&a.model_->tree, transform(pose_a), &b.model_->tree, transform(pose_b), request, result);
}

}  // namespace scree::bench
