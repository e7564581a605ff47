#include "decomposition_hacd.h"

#include <hacdHACD.h>
#include <cmath>

namespace scree::bench {

std::vector<std::vector<Vec3>> hacd_pieces(const TriangleMesh& mesh, double concavity) {
    using Point = HACD::Vec3<HACD::Real>;
    std::vector<Point> points;
    std::vector<HACD::Vec3<long>> triangles;
    Vec3 low = mesh.points[0], high = low;
    for (const Vec3& p : mesh.points) {
        points.emplace_back(p.x, p.y, p.z);
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::fmin(low[axis], p[axis]);
            high[axis] = std::fmax(high[axis], p[axis]);
        }
    }
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    // It scales the diagonal of the surface to 1000.
    const double unit = 1000 / norm(high - low);
    HACD::HACD method;
    method.SetPoints(points.data());
    method.SetNPoints(points.size());
    method.SetTriangles(triangles.data());
    method.SetNTriangles(triangles.size());
    method.SetCompacityWeight(0.0001);
    method.SetVolumeWeight(0);
    method.SetNClusters(1);
    method.SetNVerticesPerCH(100000);
    method.SetConcavity(concavity * unit);
    method.SetAddExtraDistPoints(true);
    method.SetAddFacesPoints(true);
    method.Compute();
    std::vector<std::vector<Vec3>> pieces;
    for (std::size_t k = 0; k < method.GetNClusters(); ++k) {
        std::vector<Point> corners(method.GetNPointsCH(k));
        std::vector<HACD::Vec3<long>> faces(method.GetNTrianglesCH(k));
        method.GetCH(k, corners.data(), faces.data());
        std::vector<Vec3> cloud;
        for (const Point& p : corners) cloud.push_back({p.X(), p.Y(), p.Z()});
        if (!cloud.empty()) pieces.push_back(std::move(cloud));
    }
    return pieces;
}

}  // namespace scree::bench
