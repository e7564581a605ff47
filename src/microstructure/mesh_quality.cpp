#include "mesh_quality.h"

#include <algorithm>
#include <cmath>

#include "element_quality.h"
#include "math/elementary.h"

namespace scree::micro {

double element_quality(const Mesh& mesh, std::size_t element) {
    const auto place = [&](std::size_t k) { return mesh.node[static_cast<std::size_t>(mesh.element[element][k])]; };
    return mesh.dimension == 2 ? quality_of_triangle(place(0), place(1), place(2))
                               : quality_of_tetrahedron(place(0), place(1), place(2), place(3));
}

MeshQuality quality_of(const Mesh& mesh) {
    MeshQuality sum;
    sum.least = 1;
    sum.least_angle = 180;
    double edges = 0;
    const auto corners = static_cast<std::size_t>(mesh.dimension + 1);
    for (std::size_t e = 0; e < mesh.element.size(); ++e) {
        const auto place = [&](std::size_t k) { return mesh.node[static_cast<std::size_t>(mesh.element[e][k])]; };
        const double q = element_quality(mesh, e);
        sum.least = std::min(sum.least, q);
        sum.mean += q / static_cast<double>(mesh.element.size());
        double least = 180;
        for (std::size_t i = 0; i < corners; ++i)
            for (std::size_t k = 0; k < corners; ++k) {
                if (i == k) continue;
                if (k < i) {
                    sum.mean_edge += norm(place(i) - place(k));
                    ++edges;
                }
                // The angle at the edge from i to k, or between the edges from i to the two others.
                std::size_t other[2] = {corners, corners};
                for (std::size_t j = 0; j < corners; ++j)
                    if (j != i && (j != k || corners == 3)) other[other[0] < corners] = j;
                Vec3 u = place(other[0]) - place(i), v = place(other[1]) - place(i);
                if (corners == 4) {
                    const Vec3 along = place(k) - place(i);
                    u = cross(along, u);
                    v = cross(along, v);
                }
                const double angle = 180 / pi * std::atan2(norm(cross(u, v)), dot(u, v));
                least = std::min(least, angle);
                sum.largest_angle = std::max(sum.largest_angle, angle);
            }
        sum.least_angle = std::min(sum.least_angle, least);
        ++sum.angles[std::min<std::size_t>(static_cast<std::size_t>(least / 5), sum.angles.size() - 1)];
    }
    sum.mean_edge /= std::max(edges, 1.0);
    return sum;
}

}  // namespace scree::micro
