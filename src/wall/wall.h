// All walls of a scene, and the contacts of a grain with them at one moment.
//
// Against double counting. Where features meet (segments of a polyline, a cone and the cylinder below it, a disc's hole
// and the end of a funnel) a grain is near several of them although it touches one surface. So a foot on a rim gives
// way when the same point also belongs to another feature whose own foot is as near or nearer; of several feet on one
// common rim the lowest (wall, feature) stays. A foot inside a face always counts: a grain in a corner touches both
// sides. The outcome does not depend on what else is in the list of candidates: a feature that takes over is never
// farther away.
//
// Faces and edges of one mesh that are touched from nearly the same direction stand for one curved surface: of these
// the nearest alone counts. Its overlap is the largest, so the energy has no jump where another takes over. Counting
// all would make a surface the stiffer the finer it is cut. What lies behind a triangle of the same mesh is not touched
// at all.
//
// A contact that gives way this way is reported with the one it gives way to, so that the memory of a grain that rolls
// across a joint goes on (WallTouch::gave_way).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "geometry/surface.h"
#include "scree/scene.h"
#include "wall/motion.h"
#include "world/world.h"

namespace scree {

struct WallFeature {
    std::int32_t wall = 0, feature = 0;
    friend auto operator<=>(const WallFeature&, const WallFeature&) = default;
};

struct WallContact {
    WallFeature at;
    Vec3 foot;         // in the world
    Vec3 normal;       // unit, from the wall to the grain
    double distance;   // of the centre from the foot along the normal, negative when it has sunk into a solid
    double curvature;  // 1/R where the wall is a convex ball there, else 0
    Vec3 velocity;     // of the wall at the foot
};

// Contacts of one grain, in rising order of (wall, feature). Reused from call to call to save allocations.
struct WallTouch {
    struct GaveWay {
        WallFeature from;
        int to;  // index into contacts
    };
    std::vector<WallContact> contacts;
    std::vector<GaveWay> gave_way;

  private:
    friend class WallSet;
    struct Rim {
        bool rim, of_mesh;
        int gives_way_to;  // index into contacts, -1: to none
    };
    std::vector<Rim> rims_;  // of the contacts, while they are decided
    std::vector<int> place_;
};

class WallSet {
  public:
    // Throws Error(bad_input), located, for walls that cannot be.
    explicit WallSet(const Scene& scene);

    std::size_t size() const { return walls_.size(); }
    const std::string& name(std::size_t wall) const { return walls_[wall].name; }
    const Surface& surface(std::size_t wall) const { return surfaces_[wall]; }
    // The surface as it is at a time: a disc whose hole opens later is whole before.
    const Surface& surface(std::size_t wall, const WallPlacement& placement) const {
        return placement.hole_closed ? *closed_[wall] : surfaces_[wall];
    }

    // Where the walls are at a time; the rotation is left out for walls that look the same after it (a turning drum).
    void place(std::span<const WallState> states, double time, std::vector<WallPlacement>& out) const;
    // One of them.
    WallPlacement place(std::size_t wall, const WallState& state, double time) const;
    bool ever_moves(std::size_t wall) const;

    // Appends the features of walls that are not open whose distance from x may be less than reach, in rising order.
    void features_near(std::span<const WallPlacement> placements, Vec3 x, double reach,
                       std::vector<WallFeature>& out) const;

    // The contacts of the grain (x, radius) among the candidates, which must be in rising order and hold all features
    // nearer than `radius` (and `beyond`, the distance at which the law still acts; contacts up to there are listed).
    void contacts(std::span<const WallPlacement> placements, Vec3 x, double radius,
                  std::span<const WallFeature> candidates, WallTouch& touch, double beyond = 0) const;

    // A bound for how far any point of the wall within `reach` of the wall's own extent moves between two placements;
    // for unbounded walls, of points within `reach` of the pivot.
    double moved(std::size_t wall, const WallPlacement& then, const WallPlacement& now, double reach) const;

    // How far the points of a wall get on the way between two times that are within `reach` of its extent; of unbounded
    // walls, within `reach` of the pivot.
    WallWay way(std::size_t wall, const WallState& before, const WallState& after, double begin, double end,
                double reach) const;

    // The distance of a point from one wall, if it is less than `reach`.
    std::optional<double> distance(std::size_t wall, const WallPlacement& placement, Vec3 x, double reach) const;

    // The gap between a ball and the nearest wall (negative: overlap), and that wall; nothing when none is within
    // `reach`.
    struct Gap {
        double gap;
        std::size_t wall;
    };
    std::optional<Gap> nearest(std::span<const WallPlacement> placements, Vec3 x, double radius, double reach) const;

    // Point about which torques on the wall are taken: the point of its rotation, else its centre as it is now.
    Vec3 reference_point(std::size_t wall, const WallPlacement& placement) const;

    Extent bounds(std::size_t wall, const WallPlacement& placement) const;
    SurfaceMesh mesh(std::size_t wall, const WallPlacement& placement, const Extent& visible) const;

  private:
    double farthest_from(std::size_t wall, Vec3 pivot) const;
    void let_rims_give_way(std::span<const WallPlacement> placements, Vec3 x, double radius, WallTouch& touch) const;

    std::vector<Wall> walls_;
    std::vector<Surface> surfaces_;
    std::vector<std::optional<Surface>> closed_;  // discs whose hole is closed until open_at, without it
    std::vector<bool> rotation_unseen_;
};

}  // namespace scree
