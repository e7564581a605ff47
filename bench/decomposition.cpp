// Convex pieces of solids by scree and HACD, asked for the same depth: how many, how much of the solid they miss, how
// much they fill beside it, and the time.
// usage: bench_decomposition > results/decomposition.csv
//
// Volumes are counted on a grid of 60 points along each axis of the solid's box, in per cent of the solid. scree's
// depth is that below the nearest side of a piece, HACD's along the normal of the surface: `convexity` is the latter
// for scree.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

#include "decomposition_hacd.h"
#include "geometry/extent.h"
#include "geometry/gjk.h"
#include "geometry/mesh/mesh_body.h"
#include "shape/decomposition.h"
#include "shape/meshes.h"

namespace scree::bench {
namespace {

constexpr int grid = 60;

double seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Blocks of a lattice of cells with steps of 1, filled where the text has an x: rows of y, layers of z.
TriangleMesh blocks(const std::vector<std::vector<std::string>>& layers) {
    TriangleMesh mesh;
    const auto filled = [&](int x, int y, int z) {
        return z >= 0 && z < static_cast<int>(layers.size()) && y >= 0 &&
               y < static_cast<int>(layers[static_cast<std::size_t>(z)].size()) && x >= 0 &&
               x < static_cast<int>(layers[static_cast<std::size_t>(z)][static_cast<std::size_t>(y)].size()) &&
               layers[static_cast<std::size_t>(z)][static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == 'x';
    };
    const auto number = [&](Vec3 p) {
        const auto known = std::find(mesh.points.begin(), mesh.points.end(), p);
        if (known != mesh.points.end()) return static_cast<int>(known - mesh.points.begin());
        mesh.points.push_back(p);
        return static_cast<int>(mesh.points.size()) - 1;
    };
    for (int z = 0; z < static_cast<int>(layers.size()); ++z)
        for (int y = 0; y < 9; ++y)
            for (int x = 0; x < 9; ++x)
                for (int axis = 0; axis < 3; ++axis)
                    for (int side = 0; side < 2; ++side) {
                        int next[3] = {x, y, z};
                        next[axis] += 2 * side - 1;
                        if (!filled(x, y, z) || filled(next[0], next[1], next[2])) continue;
                        Vec3 corner[4];
                        for (int k = 0; k < 4; ++k) {
                            Vec3 p{1.0 * x, 1.0 * y, 1.0 * z};
                            p[axis] += side;
                            p[(axis + 1) % 3] += k == 1 || k == 2;
                            p[(axis + 2) % 3] += k >= 2;
                            corner[side == 1 ? k : 3 - k] = p;
                        }
                        const int a = number(corner[0]), b = number(corner[1]), c = number(corner[2]),
                                  d = number(corner[3]);
                        mesh.triangles.push_back({a, b, c});
                        mesh.triangles.push_back({a, c, d});
                    }
    return mesh;
}

struct Volumes {
    double missed = 0, beside = 0;
};

Volumes volumes_of(const TriangleMesh& mesh, const std::vector<Polyhedron>& pieces) {
    const MeshBody body(mesh);
    Extent box;
    for (const Vec3& p : mesh.points) box.include(p);
    const Vec3 size = box.high - box.low;
    int solid = 0, missed = 0, beside = 0;
    for (int k = 0; k < grid * grid * grid; ++k) {
        const Vec3 p = box.low + Vec3{size.x * (k % grid + 0.5) / grid, size.y * (k / grid % grid + 0.5) / grid,
                                      size.z * (k / grid / grid + 0.5) / grid};
        const bool inside = body.place(p) != Place::outside;
        const Polyhedron point(std::vector<Vec3>{p});
        const bool held = std::any_of(pieces.begin(), pieces.end(), [&](const Polyhedron& piece) {
            return distance(piece, point).relation != Relation::separated;
        });
        solid += inside;
        missed += inside && !held;
        beside += held && !inside;
    }
    return {100.0 * missed / solid, 100.0 * beside / solid};
}

void row(const char* name, const TriangleMesh& mesh, double depth, const char* method,
         const std::vector<std::vector<Vec3>>& clouds, double took, const std::string& convexity) {
    std::vector<Polyhedron> pieces;
    for (const std::vector<Vec3>& cloud : clouds) pieces.emplace_back(cloud);
    const Volumes volumes = volumes_of(mesh, pieces);
    fmt::print("{},{},{},{},{},{:.2f},{:.2f},{},{:.1f}\n", name, mesh.triangles.size(), depth, method, pieces.size(),
               volumes.missed, volumes.beside, convexity, 1e3 * took);
    std::fflush(stdout);
}

void compare(const char* name, const TriangleMesh& mesh, double depth) {
    double start = seconds();
    const std::vector<ConvexPiece> parts = described_pieces(mesh, depth);
    double took = seconds() - start, convexity = 0;
    std::vector<std::vector<Vec3>> clouds;
    for (const ConvexPiece& part : parts) {
        clouds.push_back(part.hull.points);
        convexity = std::fmax(convexity, part.convexity);
    }
    row(name, mesh, depth, "scree", clouds, took, fmt::format("{:.3g}", convexity));
    start = seconds();
    const std::vector<std::vector<Vec3>> peers = hacd_pieces(mesh, depth);
    took = seconds() - start;
    row(name, mesh, depth, "HACD", peers, took, "");
}

}  // namespace
}  // namespace scree::bench

int main() {
    using namespace scree;
    using namespace scree::bench;
    fmt::print("# processor time on a shared machine; g++ {}\n", __VERSION__);
    fmt::print("solid,triangles,depth,method,pieces,missed_percent,beside_percent,convexity,ms\n");
    const std::vector<std::string> none{"   ", " x ", "   "}, cross{" x ", "xxx", " x "};
    compare("L", blocks({{"xx", "x "}}), 0.02);
    compare("cross in space", blocks({none, cross, none}), 0.02);
    compare("comb", blocks({{"x x x x", "xxxxxxx"}}), 0.02);
    for (const double depth : {0.2, 0.1}) {
        compare("rock", rock(3, 0.5, 5), depth);
        compare("ring", torus(24, 12, 0.3), depth);
    }
}
