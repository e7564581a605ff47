// A body bounded by triangles, concave or not, made for distance queries: what lies inside it is decided exactly.
//
// A surface is closed when each edge is run through as often one way as the other; then the body is the solid inside,
// and a point is in it when the surface winds around the point (so hollows, turned inside out, are outside, and parts
// may overlap). Any other surface is a sheet: nothing but its triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/extent.h"
#include "geometry/mesh/patch_tree.h"
#include "geometry/mesh_file.h"
#include "math/vec.h"

namespace scree {

enum class Place { outside, on, inside };

class MeshBody {
  public:
    // Triangles without area are left out. Throws Error (bad_input) when none is left, a coordinate is not finite or a
    // corner has no point.
    MeshBody(std::vector<Vec3> points, std::vector<std::array<int, 3>> triangles);
    explicit MeshBody(const TriangleMesh& mesh) : MeshBody(mesh.points, mesh.triangles) {}

    bool solid() const { return solid_; }
    int size() const { return static_cast<int>(triangles_.size()); }
    const std::vector<Vec3>& points() const { return points_; }
    // In the order of the tree's leaves.
    const std::array<int, 3>& corners(int triangle) const { return triangles_[static_cast<std::size_t>(triangle)]; }
    Triangle triangle(int number) const {
        const auto& [a, b, c] = corners(number);
        return {points_[static_cast<std::size_t>(a)], points_[static_cast<std::size_t>(b)],
                points_[static_cast<std::size_t>(c)]};
    }
    // Of this surface and its copies alone.
    std::uint64_t identity() const { return identity_; }
    int source(int triangle) const { return sources_[static_cast<std::size_t>(triangle)]; }  // number when given
    const PatchTree& tree() const { return tree_; }
    const Extent& bounds() const { return bounds_; }
    double reach() const { return reach_; }  // largest distance of a point from the origin of coordinates
    // A ball around the surface.
    Vec3 middle() const { return 0.5 * (bounds_.low + bounds_.high); }
    double radius() const { return radius_; }
    // One point of each connected part of the surface.
    const std::vector<Vec3>& part_points() const { return part_points_; }

    // Where a point is; never inside of a sheet. Decided exactly for the coordinates given.
    Place place(Vec3 p) const;

  private:
    std::vector<Vec3> points_;
    std::vector<std::array<int, 3>> triangles_;
    std::vector<int> sources_;
    PatchTree tree_;
    Extent bounds_;
    double reach_ = 0, radius_ = 0;
    bool solid_ = false;
    std::uint64_t identity_ = 0;
    std::vector<Vec3> part_points_;
};

}  // namespace scree
