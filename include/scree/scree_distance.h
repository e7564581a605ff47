// The distance of bodies for programs in C, and for languages that can call C (C#, Julia, Matlab, Python's ctypes,
// ...).
//
// Link libscree-geometry (or libscree, which has it too). Lengths are in any one unit; a point is three doubles, a row
// of an array. Arrays are copied. Functions that fail return null or a number that is not zero; scree_last_error()
// tells why. Bodies may be used by several threads at once, but each may be freed only once and when nobody uses it.
#ifndef SCREE_DISTANCE_C_H
#define SCREE_DISTANCE_C_H

#if defined(__GNUC__)
#    define SCREE_C_EXPORT __attribute__((visibility("default")))
#else
#    define SCREE_C_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

// A body; made by one of the functions below, given back to scree_body_free().
typedef struct scree_body scree_body;

// What the last query of a pair of bodies has left for the next one.
typedef struct scree_memory scree_memory;

enum { scree_separated = 0, scree_touching = 1, scree_overlapping = 2 };

typedef struct scree_answer {
    double distance;    // 0 when the bodies meet; infinite when it is not below `longest`
    double error;       // the true distance differs by this at most
    double point_a[3];  // closest points, or a common point
    double point_b[3];  //
    double normal[3];   // unit, from a to b; zeros when there is none
    int relation;       // one of the three words above
} scree_answer;

typedef struct scree_depth_answer {
    double depth;         // a shift by it separates the bodies; 0 unless they overlap
    double error;         // the least shift is shorter by this at most
    double direction[3];  // unit: b moved along it by `depth` only touches a
    double point_a[3];    // the points that go deepest
    double point_b[3];    //
} scree_depth_answer;

// The convex hull of `count` points.
SCREE_C_EXPORT scree_body* scree_hull(const double* points, int count);
// A surface: three numbers of points, from 0, for each triangle. A closed one bounds a solid, concave or not.
SCREE_C_EXPORT scree_body* scree_mesh(const double* points, int count, const int* triangles, int triangle_count);
SCREE_C_EXPORT scree_body* scree_sphere(const double center[3], double radius);
SCREE_C_EXPORT scree_body* scree_capsule(const double from[3], const double to[3], double radius);
SCREE_C_EXPORT scree_body* scree_ellipsoid(const double half_axes[3]);
// Rational splines: count + degree + 1 knots; null weights are ones. The points of a surface, count_u times count_v,
// are in rows of constant u.
SCREE_C_EXPORT scree_body* scree_curve(int degree, const double* knots, const double* points, const double* weights,
                                       int count);
SCREE_C_EXPORT scree_body* scree_surface(int degree_u, int degree_v, const double* knots_u, const double* knots_v,
                                         const double* points, const double* weights, int count_u, int count_v);

// New bodies from old ones, which stay as they are. The rotation is nine numbers, row by row.
SCREE_C_EXPORT scree_body* scree_placed(const scree_body* body, const double rotation[9], const double position[3]);
SCREE_C_EXPORT scree_body* scree_swept(const scree_body* body, double radius);
SCREE_C_EXPORT scree_body* scree_united(const scree_body* const* bodies, int count);

SCREE_C_EXPORT void scree_body_free(scree_body* body);  // null is fine

SCREE_C_EXPORT scree_memory* scree_memory_new(void);
SCREE_C_EXPORT void scree_memory_free(scree_memory* memory);

// Returns 0 and fills the answer. `memory` may be null. Distances of `longest` and above need not be found; give a
// negative number for no bound.
SCREE_C_EXPORT int scree_distance(const scree_body* a, const scree_body* b, scree_memory* memory, double longest,
                                  scree_answer* answer);
// Returns 0 and fills the answer; 1 when one of the bodies is not a single convex one.
SCREE_C_EXPORT int scree_depth(const scree_body* a, const scree_body* b, scree_depth_answer* answer);

// What was wrong in the last call of this thread that failed; valid until the next one.
SCREE_C_EXPORT const char* scree_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
