// The shapes of grains, ready for motion and contact: pieces about the center of mass, along the principal axes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scree/scene.h"
#include "shape/mesh.h"
#include "shape/piece.h"
#include "shape/rotation.h"
#include "shape/tessellation.h"

namespace scree {

struct Shape {
    std::string name;
    std::vector<Piece> pieces;
    double volume = 0;  // mass per density (2D: area, bodies are 1 m thick)
    Vec3 inertia;       // principal, per density
    Vec3 longest;       // unit vector along the principal axis of the least moment (2D: of the longest extension); zero
                        // where no one axis is
    double reach = 0;   // largest distance of a point of the body from the center
    double least_radius = 0;  // of the balls its pieces are swept by
    Vec3 center;              // in the coordinates given
    Quaternion given;         // turns the principal axes into the axes given
    double error = 0;         // relative, of volume and inertia, when they come from quadrature
    double filled = 0;        // depth of the deepest hollow that the pieces of a mesh fill
    double may_fill = 0;      // what `tolerance` allows
    double lost = 0;  // part of the volume in pieces of a mesh that are too thin to be drawn in: nothing touches them
    double lost_thickness = 0;  // of the thickest of them
    std::optional<Polyhedron>
        hull;  // of all skeletons when there are several; swept by `hull_radius` it holds the body
    double hull_radius = 0;
    TriangleMesh surface;  // for pictures: the mesh given, or surface_of() the pieces
    bool is_mesh = false;

    bool is_sphere() const { return pieces.size() == 1 && pieces[0].dimension == 0; }
};

// The shape of Scene::shapes with this number. Throws Error (bad_input), located.
Shape make_shape(const Scene& scene, std::size_t number);
// A sphere (disc in 2D) of radius 1.
Shape unit_sphere(int dimension);

// An orientation as users meet it, in scenes, files and frames: what turns the axes in which the shape is given. Bodies
// move by that of their principal axes.
inline Quaternion as_given(const Shape& shape, Quaternion principal) { return principal * conjugate(shape.given); }
inline Quaternion as_principal(const Shape& shape, Quaternion given) { return given * shape.given; }

// Triangles of all pieces: one closed surface each, which cross where pieces overlap. Of a mesh the mesh itself,
// whatever the fineness.
TriangleMesh surface_of(const Shape& shape, int dimension, Fineness fineness);
// Shape::surface along the axes in which the shape is given, about its center of mass: what users turn by an
// orientation.
TriangleMesh surface_as_given(const Shape& shape);

// Uniform on the rotations (Shoemake 1992), from three numbers in [0, 1).
Quaternion uniform_rotation(double u1, double u2, double u3);

}  // namespace scree
