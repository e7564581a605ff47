// The shapes of a scene, ready for contact.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "shape/filling.h"
#include "shape/glue.h"
#include "shape/piece_tree.h"
#include "shape/shape.h"

namespace scree {

// The shapes of a scene, by Grains::shape.
class ShapeTable {
  public:
    explicit ShapeTable(const Scene& scene);
    explicit ShapeTable(int dimension);  // of spheres (discs) alone
    const Shape& operator[](std::size_t number) const { return shapes_[number]; }
    std::size_t size() const { return shapes_.size(); }
    // The number of a group's shape; 0 for spheres.
    static std::uint16_t number_of(const Scene& scene, const GrainGroup& group);
    // The cluster a glued number stands for, or nullptr. Its grains are spheres: the shape of that number is a unit
    // ball.
    const GluedCluster* glued(std::size_t number) const { return glued_[number] ? &*glued_[number] : nullptr; }
    // Of a ball around what a group of this number places at a point.
    double reach(std::size_t number) const { return glued_[number] ? glued_[number]->reach : shapes_[number].reach; }
    // The least rounding radius of its pieces.
    double least_radius(std::size_t number) const { return least_radius_[number]; }
    // How much lighter a body is at its most exposed point than as a whole: least m_point / m.
    double least_share(std::size_t number) const { return shares_[number]; }
    // Of the pieces of a shape, built when it is first asked for, by whichever thread comes first.
    const PieceTree& tree(std::size_t number) const;
    // What measures cut; likewise.
    const Filling& filling(std::size_t number) const;

  private:
    template <class T>
    struct Lazy {
        std::once_flag built;
        T value;
    };
    void measure();

    int dimension_;
    std::vector<std::unique_ptr<Lazy<PieceTree>>> trees_;
    std::vector<std::unique_ptr<Lazy<Filling>>> fillings_;
    std::vector<Shape> shapes_;
    std::vector<double> shares_, least_radius_;
    std::vector<std::optional<GluedCluster>> glued_;
};

}  // namespace scree
