#include "commands.h"

namespace scree::app {
namespace {

constexpr Command table[] = {
    {"run", "run a scene into a run folder", command_run},
    {"resume", "continue a run from its last checkpoint, bit for bit", command_resume},
    {"check", "read and check a scene, print it with every default filled in", command_check},
    {"new", "write a commented scene to start from", command_new},
    {"sweep", "run a scene with many values of some keys, into one table", command_sweep},
    {"measure", "measure a run: density, layers, stress, cells, ...", command_measure},
    {"plot", "draw series and measures of runs as PNG, PDF or SVG", command_plot},
    {"export", "write frames of a run as VTK, CSV, POV-Ray, X3D, LAMMPS dump or STL", command_export},
    {"view", "look at a run in the browser, or write it into one HTML file", command_view},
    {"schema", "print the JSON Schema of a scene file", command_schema},
    {"distance", "distance and closest points of two bodies: surfaces, hulls of points, spheres, boxes, unions, ...",
     command_distance},
    {"nurbs", "curves and surfaces of rational splines: what they are, points on them, nearest points", command_nurbs},
    {"decompose", "cut the solid in a surface of triangles into convex pieces", command_decompose},
    {"triangulate", "regular triangulation of the x,y[,z],r rows of a file: counts, edges, cell volumes",
     command_triangulate},
    {"microstructure", "polycrystals as exact cells, from images of grains or statistics", command_microstructure},
    {"bench", "measure speed and memory on named scenes", command_bench},
    {"--version", "the version; with --verbose how it was built", command_version},
    {"help", "this list, or the options of one command: scree help COMMAND", command_help},
};

}  // namespace

std::span<const Command> commands() { return table; }

}  // namespace scree::app
