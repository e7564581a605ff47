// Bodies of every kind this folder knows, put together: unions of hulls, meshes, curved bodies, and curves and surfaces
// of splines, each somewhere and swept by a ball of its own; and the distance of two of them.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "geometry/body.h"
#include "geometry/depth.h"
#include "geometry/gjk.h"
#include "geometry/mesh/mesh_distance.h"
#include "geometry/nurbs/nurbs_pairs.h"
#include "geometry/superquadric.h"

namespace scree {

using Form = std::variant<Polyhedron, MeshBody, NurbsBody, Ellipsoid, Superquadric, Cylinder, Cone>;

struct CompoundPart {
    std::shared_ptr<const Form> form;
    MeshPose pose;
    double radius = 0;  // of the ball that sweeps it
    bool convex() const {
        return !std::holds_alternative<MeshBody>(*form) && !std::holds_alternative<NurbsBody>(*form);
    }
};

// The union of its parts.
struct Compound {
    std::vector<CompoundPart> parts;
};

struct CompoundDistance {
    Relation relation = Relation::separated;
    double distance = std::numeric_limits<double>::infinity();  // infinite: not below the largest asked for
    double gap = std::numeric_limits<double>::infinity();       // signed, as long as the skeletons do not overlap
    double error = 0;
    Vec3 point_a, point_b;
    Vec3 normal;  // unit, from a to b; zero when skeletons overlap
    int part_a = 0, part_b = 0;
    int iterations = 0;  // rounds of searches, and pairs of triangles
    bool skeletons_overlap = false;
};

// Largest distance of a point of the part, without the ball that sweeps it, from a point of the world; or more.
double reach_about(const CompoundPart& part, Vec3 center);

// What a query leaves for the next one of the same two bodies, by pairs of their parts.
struct CompoundStart {
    struct Pair {
        WarmStart convex;
        MeshStart meshes;
        NurbsStart nurbs;
    };
    std::vector<Pair> pairs;
};

// Throws Error (bad_input) for curved bodies of sizes that doubles cannot handle.
CompoundDistance distance(const Compound& a, const Compound& b,
                          double longest = std::numeric_limits<double>::infinity(), CompoundStart* start = nullptr);

// Of two single convex parts whose skeletons overlap; nothing for others.
std::optional<Depth> depth(const Compound& a, const Compound& b);

}  // namespace scree
