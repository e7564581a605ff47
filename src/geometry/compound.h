// Bodies of every kind this folder knows, put together: unions of hulls, meshes and curved bodies, each somewhere and
// swept by a ball of its own; and the distance of two of them.
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
#include "geometry/superquadric.h"

namespace scree {

using Form = std::variant<Polyhedron, MeshBody, Ellipsoid, Superquadric, Cylinder, Cone>;

struct CompoundPart {
    std::shared_ptr<const Form> form;
    MeshPose pose;
    double radius = 0;  // of the ball that sweeps it
    bool convex() const { return !std::holds_alternative<MeshBody>(*form); }
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

// Throws Error (bad_input) for curved bodies of sizes that doubles cannot handle.
CompoundDistance distance(const Compound& a, const Compound& b,
                          double longest = std::numeric_limits<double>::infinity());

// Of two single convex parts whose skeletons overlap; nothing for others.
std::optional<Depth> depth(const Compound& a, const Compound& b);

}  // namespace scree
