// The surfaces that walls are made of, at rest: which of their features are near a grain, and the foot of the
// perpendicular from the grain's centre onto a feature.
//
// Two sorts of surfaces:
//   solids   plane, box, sphere and each of a wall's balls are solid behind their surface. The distance is signed,
//            and a centre that has sunk in is pushed back to the side it came from.
//   sheets   cylinder, cone, disc, polyline and mesh are thin. They are touched from the side on which the centre
//            is, and end in rims: there the foot is the nearest point of the rim.
// All sheets of revolution are one thing: a segment of the half plane (height along the axis, distance from it) turned
// about the axis. A grain wider than the ring it sits in (the neck of a funnel, the hole of a disc) touches it all the
// way round. Such a contact is represented by two feet, the nearest one (feature 0) and the one opposite (feature 1);
// with one alone the foot would jump across the axis from step to step and nothing would hold the grain in the middle.
//
// Only + - * / sqrt floor here, so that every machine gets the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/ball_index.h"
#include "geometry/extent.h"
#include "geometry/triangle_tree.h"
#include "scree/scene.h"

namespace scree {

class Polyhedron;

struct Foot {
    Vec3 point;            // of the feature, closest to x
    Vec3 normal;           // unit, from the surface towards the grain's side
    double distance = 0;   // of x along the normal; negative when x is behind the surface of a solid
    double curvature = 0;  // 1/R where the surface is a convex ball (sphere from outside, wall of balls), else 0
    bool rim = false;      // the point lies on the border of the feature: edge, rim circle, end or vertex
};

constexpr double mesh_tolerance = 1e-6;  // of the distance: feet on triangles that are closer together are one

// What of a surface can be touched by the middle of an edge or a side of a body: everything convex. In the wall's
// coordinates.
struct ConvexPart {
    enum class Kind { point, segment, circle, ball, turned } kind;
    Vec3 a, b;          // the point; the ends; center and axis of the circle; center of the ball
    double radius = 0;  // of the circle or ball
    int feature = 0;    // the one feature that is touched there, -1: any of the wall
    int number = 0;     // among the parts of the wall
};

struct SurfaceMesh {
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;  // 3D
    std::vector<std::array<int, 2>> segments;   // 2D
};

class Surface {
  public:
    // Throws Error(bad_input) without a location for shapes that cannot be: zero normals or axes, no extent, balls over
    // a plane that is not periodic along its axes, meshes that cannot be read or have triangles without area.
    // `periodic` matters to balls laid over planes only.
    Surface(const WallShape& shape, bool outside, int dimension, const Periodicity& periodic = {});

    // Appends, in rising order, the features whose distance from x may be less than reach. Features: faces of a box
    // seen from inside 0-5 (x low, x high, y low, ...), segments of a polyline, balls, triangles; 0 and 1 (opposite
    // side) of a sheet of revolution; else 0.
    void features_near(Vec3 x, double reach, std::vector<int>& out) const;
    int feature_count() const;

    Foot foot(int feature, Vec3 x) const {
        return kind_ == Kind::box_inside ? face_foot(feature, x)
               : kind_ == Kind::plane    ? plane_foot(x)
                                         : curved_foot(feature, x);
    }
    // False for the opposite side of a sheet that is not a ring around x.
    bool feature_counts(int feature, Vec3 x) const {
        return kind_ != Kind::revolution || feature == 0 || far_side_counts(x);
    }

    // Whether p, a point within reach of a grain at x, belongs to this feature or lies behind it, up to `tolerance`.
    bool covers(int feature, Vec3 x, Vec3 p, double tolerance) const;

    // Appends the convex parts that belong to a feature: rims and corners, edges between triangles that are not in one
    // plane, balls, and `turned`, the outside of a sheet of revolution. Where a part is near, so is the feature it
    // belongs to.
    void convex_parts(int feature, std::vector<ConvexPart>& out) const;
    bool has_convex_parts() const {
        return kind_ != Kind::plane && kind_ != Kind::box_inside && kind_ != Kind::sphere_inside;
    }

    // The distance of a convex body, or an upper bound of it, when it is less than `limit`. Planes and containers,
    // which have no convex parts, say nothing: the corners of the body tell all there.
    std::optional<double> nearer_than(double limit, const Polyhedron& body) const;

    // Turning about this axis leaves the surface where it is.
    bool unchanged_by_rotation(Vec3 axis, Vec3 point) const;

    Extent bounds() const;  // infinite for a plane
    Vec3 center() const;    // of mass or symmetry; the given point of a plane

    // For pictures; a plane is cut to the visible part of space.
    SurfaceMesh mesh(const Extent& visible) const;

    // A plane, or a face of a box seen from inside; the feet on it are those of foot().
    struct Face {
        Vec3 point, normal;
        int axis;  // along which a box ends there, -1 of a plane

        double distance(Vec3 x) const { return dot(x - point, normal); }
        Vec3 foot(Vec3 x, double distance) const {
            Vec3 out = x - distance * normal;
            if (axis >= 0) out[axis] = point[axis];
            return out;
        }
    };
    bool is_flat() const { return kind_ == Kind::plane || kind_ == Kind::box_inside; }  // no rims, no opposite side
    bool is_sheet() const { return kind_ == Kind::revolution || kind_ == Kind::polyline || kind_ == Kind::mesh; }
    Face face(int feature) const {
        if (kind_ == Kind::plane) return {point_, normal_, -1};
        const int axis = feature / 2;
        Face face{{}, {}, axis};
        face.point[axis] = feature % 2 ? high_[axis] : low_[axis];
        face.normal[axis] = feature % 2 ? -1 : 1;
        return face;
    }
    bool is_mesh() const { return kind_ == Kind::mesh; }
    // Whether grains on its inner side are held by it alone, or nearly so: a box, a sphere, a tube, a mesh.
    bool holds_grains() const;
    const TriangleTree& triangles() const { return triangles_; }  // of a mesh

    // The balls of a wall of balls.
    const std::vector<SphereWall>& balls() const { return balls_; }

  private:
    enum class Kind {
        plane,
        box_inside,
        box_outside,
        sphere_inside,
        sphere_outside,
        revolution,
        polyline,
        balls,
        mesh
    };
    // A segment from (h0, s0) to (h1, s1) turned about the line through `origin` along the unit vector `axis`; h is the
    // height along the axis, s >= 0 the distance from it.
    struct Revolution {
        Vec3 origin, axis, side;  // side: a unit vector at a right angle, for centres on the axis
        double h0, s0, h1, s1;
        bool starts_at_rim;    // not so for a disc without hole
        bool flat;             // a disc
        double on_sheet_sign;  // side of the normal for a centre exactly on the sheet
    };
    struct Meridian {  // x in the half plane of a Revolution
        double h, s;
        Vec3 radial;
    };

    // The flat ones are what most grains at walls ask for, in every step.
    Foot plane_foot(Vec3 x) const {
        const double d = dot(x - point_, normal_);
        return {x - d * normal_, normal_, d, 0, false};
    }
    Foot face_foot(int feature, Vec3 x) const {
        const int axis = feature / 2;
        const bool high = feature % 2;
        Foot foot{x, {}, 0, 0, false};
        foot.distance = high ? high_[axis] - x[axis] : x[axis] - low_[axis];
        foot.normal[axis] = high ? -1 : 1;
        foot.point[axis] = high ? high_[axis] : low_[axis];
        return foot;
    }
    Foot curved_foot(int feature, Vec3 x) const;

    Meridian meridian(Vec3 x) const;
    Foot revolution_foot(int feature, Vec3 x) const;
    Foot segment_foot(int segment, Vec3 x) const;
    Foot box_outside_foot(Vec3 x) const;
    Foot ball_foot(const SphereWall& ball, Vec3 x) const;
    bool far_side_counts(Vec3 x) const;
    void lay_balls(const BallsWall& wall, const Periodicity& periodic);
    void index_polyline();
    void read_triangles(const MeshWall& wall);
    void find_sharp_edges();
    Foot triangle_foot(int triangle, Vec3 x) const;

    Kind kind_;
    int dimension_;
    bool outside_;         // grains are on the outer side
    Vec3 point_, normal_;  // plane
    Vec3 low_, high_;      // box
    SphereWall sphere_;
    Revolution revolution_{};
    std::vector<Vec3> vertices_;  // polyline
    std::vector<SphereWall> balls_;
    TriangleTree triangles_;
    std::vector<std::uint8_t> sharp_;  // of each triangle: bits of the edges (0-2) and corners (3-5) that belong to it
    BallIndex index_;                  // of balls, or of the circles around the segments of a polyline
};

// The surface moved, from the shape on.
WallShape shifted(WallShape shape, Vec3 by);

// Points laid over a surface at about the given distance from each other, as the balls of a wall lie.
std::vector<Vec3> points_over_surface(const SurfaceShape& shape, double spacing, int dimension,
                                      const Periodicity& periodic);

// Pictures.
SurfaceMesh plane_mesh(Vec3 point, Vec3 normal, const Extent& visible, int dimension);
SurfaceMesh box_mesh(Vec3 low, Vec3 high, int dimension);
SurfaceMesh sphere_mesh(Vec3 center, double radius, int dimension, int fineness);
SurfaceMesh revolution_mesh(Vec3 origin, Vec3 axis, Vec3 side, double h0, double s0, double h1, double s1);
void append_mesh(SurfaceMesh& to, const SurfaceMesh& part);

}  // namespace scree
