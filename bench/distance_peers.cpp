#include "distance_peers.h"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <fcl/fcl.h>

namespace scree::bench {
namespace {

class Fcl : public Peer {
  public:
    explicit Fcl(fcl::GJKSolverType solver) : solver_(solver) {}
    std::string name() const override { return solver_ == fcl::GST_LIBCCD ? "fcl_libccd" : "fcl_indep"; }

    void add(const Polyhedron& body) override {
        auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
        for (int k = 0; k < body.vertex_count(); ++k) {
            const Vec3 p = body.vertex(k);
            vertices->emplace_back(p.x, p.y, p.z);
        }
        auto faces = std::make_shared<std::vector<int>>();
        for (const std::vector<int>& facet : body.hull().facets) {
            faces->push_back(static_cast<int>(facet.size()));
            faces->insert(faces->end(), facet.begin(), facet.end());
        }
        shapes_.push_back(std::make_shared<fcl::Convexd>(vertices, static_cast<int>(body.hull().facets.size()), faces));
    }

    double distance(int a, const Pose& pose_a, int b, const Pose& pose_b) override {
        fcl::DistanceRequestd request(true, false, 0, 0, 1e-12, solver_);
        fcl::DistanceResultd result;
        const double d =
            fcl::distance(shapes_[a].get(), transform(pose_a), shapes_[b].get(), transform(pose_b), request, result);
        return d;
    }

  private:
    static fcl::Transform3d transform(const Pose& pose) {
        fcl::Transform3d t = fcl::Transform3d::Identity();
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) t.linear()(i, j) = pose.rotation.row[i][j];
            t.translation()(i) = pose.position[i];
        }
        return t;
    }

    fcl::GJKSolverType solver_;
    std::vector<std::shared_ptr<fcl::Convexd>> shapes_;
};

class Bullet : public Peer {
  public:
    std::string name() const override { return "bullet"; }

    void add(const Polyhedron& body) override {
        auto shape = std::make_unique<btConvexHullShape>();
        for (int k = 0; k < body.vertex_count(); ++k) {
            const Vec3 p = body.vertex(k);
            shape->addPoint(btVector3(p.x, p.y, p.z), false);
        }
        shape->recalcLocalAabb();
        shape->setMargin(0);
        shapes_.push_back(std::move(shape));
    }

    double distance(int a, const Pose& pose_a, int b, const Pose& pose_b) override {
        btVoronoiSimplexSolver simplex;
        btGjkEpaPenetrationDepthSolver depth;
        btGjkPairDetector detector(shapes_[a].get(), shapes_[b].get(), &simplex, &depth);
        btPointCollector result;
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = transform(pose_a);
        input.m_transformB = transform(pose_b);
        detector.getClosestPoints(input, result, nullptr);
        return result.m_distance;
    }

  private:
    static btTransform transform(const Pose& pose) {
        const auto& r = pose.rotation.row;
        return btTransform(btMatrix3x3(r[0].x, r[0].y, r[0].z, r[1].x, r[1].y, r[1].z, r[2].x, r[2].y, r[2].z),
                           btVector3(pose.position.x, pose.position.y, pose.position.z));
    }

    std::vector<std::unique_ptr<btConvexHullShape>> shapes_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> peers() {
    std::vector<std::unique_ptr<Peer>> list;
    list.push_back(std::make_unique<Fcl>(fcl::GST_INDEP));
    list.push_back(std::make_unique<Fcl>(fcl::GST_LIBCCD));
    list.push_back(std::make_unique<Bullet>());
    return list;
}

}  // namespace scree::bench
