// Binary STL: grains as tessellated spheres (in 2D as flat prisms), walls in a file of their own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "export/export.h"
#include "io/files.h"
#include "scree/error.h"

namespace scree {
namespace {

using Triangle = std::array<Vec3, 3>;

// An icosahedron whose faces are cut into four, level times; corners on the unit sphere, seen from outside they turn left.
std::vector<Triangle> ball_triangles(int level) {
    const double g = (1 + std::sqrt(5.0)) / 2;
    const Vec3 corner[12] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0}, {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g}, {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
    constexpr int face[20][3] = {{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                 {3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1}};
    std::vector<Triangle> triangles;
    for (const auto& f : face) triangles.push_back({normalized(corner[f[0]]), normalized(corner[f[1]]), normalized(corner[f[2]])});
    for (int k = 0; k < level; ++k) {
        std::vector<Triangle> finer;
        for (const auto& [a, b, c] : triangles) {
            const Vec3 ab = normalized(a + b), bc = normalized(b + c), ca = normalized(c + a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        triangles = std::move(finer);
    }
    return triangles;
}

// A disc of radius 1 and thickness 1/4 about the x-y plane.
std::vector<Triangle> unit_disc(int sides) {
    std::vector<Triangle> triangles;
    const auto rim = [&](int k, double z) { return Vec3{std::cos(2 * std::numbers::pi * (k % sides) / sides), std::sin(2 * std::numbers::pi * (k % sides) / sides), z}; };
    for (int k = 0; k < sides; ++k) {
        const Vec3 a = rim(k, -0.125), b = rim(k + 1, -0.125), c = rim(k, 0.125), d = rim(k + 1, 0.125);
        triangles.insert(triangles.end(), {{Vec3{0, 0, 0.125}, c, d}, {Vec3{0, 0, -0.125}, b, a}, {a, b, d}, {a, d, c}});
    }
    return triangles;
}

class StlFile {
  public:
    StlFile(const std::filesystem::path& path, std::size_t triangles) : file_(path) {
        if (triangles > 0xffffffffu) throw Error(ErrorKind::run_time, fmt::format("{} triangles are too many for an STL file", triangles));
        char head[80] = "binary STL of scree, lengths in metre";
        file_.write(head, sizeof head);
        const auto count = static_cast<std::uint32_t>(triangles);
        file_.write(&count, sizeof count);
    }
    void add(const Triangle& t) {
        Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
        if (norm2(normal) > 0) normal = normalized(normal);
        for (const Vec3& v : {normal, t[0], t[1], t[2]}) {
            const float numbers[3] = {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
            file_.write(numbers, sizeof numbers);
        }
        const std::uint16_t attributes = 0;
        file_.write(&attributes, sizeof attributes);
    }
    void commit() { file_.commit(Durability::crash_of_program); }

  private:
    NewFile file_;
};

}  // namespace

ExportedFiles export_stl(const RunReader& run, const std::vector<std::size_t>& frames, const std::filesystem::path& folder) {
    ExportedFiles result;
    for (const std::size_t frame : frames) {
        const Snapshot s = run.snapshot(frame);
        // Many grains get fewer faces each, so that files stay below some hundred megabytes.
        const int level = s.size() <= 5000 ? 2 : s.size() <= 50000 ? 1 : 0;
        const std::vector<Triangle> shape = s.dimension() == 2 ? unit_disc(24) : ball_triangles(level);
        const std::filesystem::path path = folder / fmt::format("grains_{:06}.stl", frame), wall_path = folder / fmt::format("walls_{:06}.stl", frame);
        StlFile grains(path, shape.size() * s.size());
        for (std::size_t k = 0; k < s.size(); ++k)
            for (const Triangle& t : shape) grains.add({s.position[k] + s.radius[k] * t[0], s.position[k] + s.radius[k] * t[1], s.position[k] + s.radius[k] * t[2]});
        grains.commit();
        const WallPicture walls = run.walls(frame);
        result.files.push_back(path);
        if (walls.triangles.empty()) continue;
        StlFile mesh(wall_path, walls.triangles.size());
        for (const auto& t : walls.triangles) mesh.add({walls.points[static_cast<std::size_t>(t[0])], walls.points[static_cast<std::size_t>(t[1])], walls.points[static_cast<std::size_t>(t[2])]});
        mesh.commit();
        result.files.push_back(wall_path);
    }
    return result;
}

}  // namespace scree
