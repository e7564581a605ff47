// Curves and surfaces that are NURBS exactly: segments, arcs, and what arises when a curve is moved or turned.
#pragma once

#include "geometry/mesh/mesh_pose.h"
#include "geometry/nurbs/nurbs.h"

namespace scree {

Nurbs nurbs_polyline(std::vector<Vec3> corners);
// center + cos(angle) x + sin(angle) y between two angles (from < to): an arc of a circle or of an ellipse.
Nurbs nurbs_arc(Vec3 center, Vec3 x, Vec3 y, double from, double to);
// From a to b with these tangents' crossing `tip`: a conic, by its weight an ellipse (< 1), parabola or hyperbola (>
// 1).
Nurbs nurbs_conic(Vec3 a, Vec3 tip, Vec3 b, double weight);

// Surfaces with the curve's parameter as u.
Nurbs nurbs_extruded(const Nurbs& curve, Vec3 along);
Nurbs nurbs_revolved(const Nurbs& curve, Vec3 point, Vec3 axis, double from, double to);  // axis: unit
// The segments between points of equal parameters, of the domains as a whole.
Nurbs nurbs_ruled(const Nurbs& a, const Nurbs& b);

// The part of the domain between two parameters, for surfaces in both directions.
Nurbs nurbs_part(const Nurbs& nurbs, double u0, double u1, double v0 = 0, double v1 = 1);
Nurbs nurbs_moved(Nurbs nurbs, const MeshPose& pose);

}  // namespace scree
