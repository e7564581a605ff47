// The geometry component by itself: a triangulation, a distance, an error, threads.
#include <scree/distance.h>
#include <scree/error.h>
#include <scree/threads.h>
#include <scree/triangulation.h>
#include <scree/version.h>

#include <array>
#include <cstdio>
#include <vector>

int main() {
    scree::set_thread_count(2);
    scree::RegularTriangulation triangulation(2);
    triangulation.build(std::vector<double>{0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5}, std::vector<double>(5, 0.0));
    std::printf("scree %s: %zu triangles, %zu edges\n", scree::version(), triangulation.simplices().size(),
                triangulation.edges().size());
    const std::vector<scree::Point3> cube{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                          {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    const std::vector<scree::Point3> point{{1, 4, 5}};
    std::printf("distance %g\n", scree::shape_distance(scree::ConvexShape(cube), scree::ConvexShape(point)).distance);
    try {
        triangulation.remove(7);
    } catch (const scree::Error& error) {
        std::printf("%s\n", error.what());
        return 0;
    }
    return 1;
}
