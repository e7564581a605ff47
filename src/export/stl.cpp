// Binary STL: grains as closed surfaces (in 2D as plates), walls in a file of their own.
#include <fmt/format.h>

#include <array>

#include "export/bodies.h"
#include "export/export.h"
#include "io/files.h"
#include "scree/error.h"

namespace scree {
namespace {

using Triangle = std::array<Vec3, 3>;

class StlFile {
  public:
    StlFile(const std::filesystem::path& path, std::size_t triangles) : file_(path) {
        if (triangles > 0xffffffffu)
            throw Error(ErrorKind::run_time, fmt::format("{} triangles are too many for an STL file", triangles));
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

ExportedFiles export_stl(const RunReader& run, const std::vector<std::size_t>& frames,
                         const std::filesystem::path& folder) {
    ExportedFiles result;
    for (const std::size_t frame : frames) {
        const Snapshot s = run.snapshot(frame);
        const Bodies bodies(run, s, Bodies::fineness_for(s.size()));
        const std::filesystem::path path = folder / fmt::format("grains_{:06}.stl", frame),
                                    wall_path = folder / fmt::format("walls_{:06}.stl", frame);
        std::size_t count = 0;
        for (std::size_t k = 0; k < s.size(); ++k) count += bodies.surface(k).triangles.size();
        StlFile grains(path, count);
        for (std::size_t k = 0; k < s.size(); ++k) {
            const std::vector<Vec3> points = bodies.points(k);
            for (const auto& t : bodies.surface(k).triangles)
                grains.add({points[static_cast<std::size_t>(t[0])], points[static_cast<std::size_t>(t[1])],
                            points[static_cast<std::size_t>(t[2])]});
        }
        grains.commit();
        const WallPicture walls = run.walls(frame);
        result.files.push_back(path);
        if (walls.triangles.empty()) continue;
        StlFile mesh(wall_path, walls.triangles.size());
        for (const auto& t : walls.triangles)
            mesh.add({walls.points[static_cast<std::size_t>(t[0])], walls.points[static_cast<std::size_t>(t[1])],
                      walls.points[static_cast<std::size_t>(t[2])]});
        mesh.commit();
        result.files.push_back(wall_path);
    }
    return result;
}

}  // namespace scree
