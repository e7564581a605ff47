// Regular triangulations, and distances of bodies.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <limits>

#include "memory.h"
#include "scree/body.h"
#include "scree/distance.h"
#include "scree/error.h"
#include "scree/triangulation.h"

namespace scree::python {
namespace {

struct Triangulation {
    Triangulation(int d, double snap) : dimension(d), body(d, snap) {}
    int dimension;
    RegularTriangulation body;
    OneUser user;

    template <class Work>
    auto alone(const char* what, Work&& work) {
        return python::alone(user, what, [&] { return work(body); });
    }
    std::span<const double> centers(const Doubles& from) const {
        if (from.info.ndim != 2 || from.info.shape[1] != dimension)
            throw Error(ErrorKind::usage, "points: an array of n rows with " + std::to_string(dimension) +
                                              " coordinates is needed, as when the triangulation was made");
        return {from.data(), from.size()};
    }
    std::span<const double> center(const Doubles& from) const {
        if (from.size() != static_cast<std::size_t>(dimension))
            throw Error(ErrorKind::usage, "point: " + std::to_string(dimension) + " coordinates are needed");
        return {from.data(), from.size()};
    }
};

void place(Triangulation& t, const py::buffer& points, const py::buffer& weights, bool update) {
    const Doubles p(points), w(weights);
    const std::span<const double> centers = t.centers(p), values{w.data(), w.size()};
    t.alone(update ? "update()" : "Triangulation()", [&](RegularTriangulation& body) {
        if (update)
            body.update(centers, values);
        else
            body.build(centers, values);
    });
}

Memory edges(Triangulation& t) {
    return array_of(t.alone("edges",
                            [](RegularTriangulation& body) {
                                std::vector<std::int32_t> flat;
                                for (const auto& [i, j] : body.edges()) flat.insert(flat.end(), {i, j});
                                return flat;
                            }),
                    2);
}

Memory simplices(Triangulation& t) {
    const int width = std::max(t.body.dimension() + 1, 1);
    return array_of(t.alone("simplices",
                            [&](RegularTriangulation& body) {
                                std::vector<std::int32_t> flat;
                                for (const std::array<int, 4>& s : body.simplices())
                                    flat.insert(flat.end(), s.begin(), s.begin() + width);
                                return flat;
                            }),
                    width);
}

std::vector<Point3> points_of(const py::buffer& cloud) {
    const Doubles from(cloud);
    if (from.info.ndim != 2 || from.info.shape[1] != 3)
        throw Error(ErrorKind::usage, "a body is given by n points with 3 coordinates each");
    std::vector<Point3> points(from.rows());
    for (std::size_t k = 0; k < points.size(); ++k)
        points[k] = {from.data()[3 * k], from.data()[3 * k + 1], from.data()[3 * k + 2]};
    return points;
}

Memory point(const Point3& p) { return array_of(std::vector<double>(p.begin(), p.end())); }

py::tuple distance(const ConvexShape& a, const ConvexShape& b) {
    ShapeDistance d;
    {
        const py::gil_scoped_release free;
        d = shape_distance(a, b);
    }
    return py::make_tuple(d.distance,
                          d.touching  ? "touching"
                          : d.overlap ? "overlapping"
                                      : "apart",
                          point(d.point_a), point(d.point_b), d.normal ? py::cast(point(*d.normal)) : py::none(),
                          d.iterations);
}

const char* relation_of(const BodyDistance& d) { return d.touching ? "touching" : d.overlap ? "overlapping" : "apart"; }

py::tuple body_distance_of(const Body& a, const Body& b) {
    BodyDistance d;
    {
        const py::gil_scoped_release free;
        d = body_distance(a, b);
    }
    return py::make_tuple(d.distance, relation_of(d), point(d.point_a), point(d.point_b),
                          d.normal ? py::cast(point(*d.normal)) : py::none(), d.iterations);
}

Body mesh_of(const py::buffer& cloud, const std::vector<std::array<int, 3>>& triangles) {
    const std::vector<Point3> points = points_of(cloud);
    const py::gil_scoped_release free;
    return Body::mesh(points, triangles);
}

void add_bodies(py::module_& m) {
    py::class_<Body>(m, "Body")
        .def_static(
            "hull", [](const py::buffer& cloud) { return Body::hull(points_of(cloud)); }, py::arg("points"))
        .def_static("mesh", &mesh_of, py::arg("points"), py::arg("triangles"))
        .def_static("capsule", &Body::capsule, py::arg("start"), py::arg("end"), py::arg("radius"))
        .def_static("ellipsoid", &Body::ellipsoid, py::arg("half_axes"))
        .def_static(
            "spline",
            [](int degree_u, std::vector<double> u, int degree_v, std::vector<double> v, const py::buffer& cloud,
               const std::vector<double>& weights) {
                return Body::surface({degree_u, std::move(u)}, {degree_v, std::move(v)}, points_of(cloud), weights);
            },
            py::arg("degree_u"), py::arg("knots_u"), py::arg("degree_v"), py::arg("knots_v"), py::arg("points"),
            py::arg("weights"))
        .def_static(
            "united", [](const std::vector<Body>& bodies) { return Body::united(bodies); }, py::arg("bodies"))
        .def("placed", &Body::placed, py::arg("rotation"), py::arg("position"))
        .def("swept", &Body::swept, py::arg("radius"));
    m.def("body_distance", &body_distance_of, py::arg("a"), py::arg("b"));
}

}  // namespace

void add_geometry(py::module_& m) {
    py::class_<Triangulation>(m, "Triangulation")
        .def(py::init<int, double>(), py::arg("dimension"), py::arg("snap"))
        .def("place", &place, py::arg("points"), py::arg("weights"), py::arg("update"))
        .def(
            "insert",
            [](Triangulation& t, const py::buffer& p, double weight) {
                const Doubles from(p);
                return t.alone("insert()",
                               [&](RegularTriangulation& body) { return body.insert(t.center(from), weight); });
            },
            py::arg("point"), py::arg("weight"))
        .def(
            "move",
            [](Triangulation& t, int sphere, const py::buffer& p, double weight) {
                const Doubles from(p);
                t.alone("move()", [&](RegularTriangulation& body) { body.move(sphere, t.center(from), weight); });
            },
            py::arg("sphere"), py::arg("point"), py::arg("weight"))
        .def(
            "remove",
            [](Triangulation& t, int sphere) {
                t.alone("remove()", [&](RegularTriangulation& body) { body.remove(sphere); });
            },
            py::arg("sphere"))
        .def("dimension", [](Triangulation& t) { return t.body.dimension(); })
        .def("edges", &edges)
        .def("simplices", &simplices)
        .def(
            "neighbors",
            [](Triangulation& t, int sphere) {
                return array_of(t.alone("neighbors()", [&](RegularTriangulation& body) {
                    const std::vector<int> all = body.neighbors(sphere);
                    return std::vector<std::int32_t>(all.begin(), all.end());
                }));
            },
            py::arg("sphere"))
        .def("hidden",
             [](Triangulation& t) {
                 return array_of(t.alone("hidden", [&](RegularTriangulation& body) {
                     const std::vector<int> all = body.hidden();
                     return std::vector<std::int32_t>(all.begin(), all.end());
                 }));
             })
        .def("cell_volumes",
             [](Triangulation& t) {
                 return array_of(
                     t.alone("cell_volumes", [&](RegularTriangulation& body) { return body.cell_volumes(); }));
             })
        .def("validate", [](Triangulation& t) {
            return t.alone("validate()", [&](RegularTriangulation& body) { return body.validate(); });
        });
    py::class_<ConvexShape>(m, "Hull")
        .def(py::init([](const py::buffer& cloud) {
                 const std::vector<Point3> points = points_of(cloud);
                 const py::gil_scoped_release free;
                 return ConvexShape(points);
             }),
             py::arg("cloud"))
        .def("vertex_count", &ConvexShape::vertex_count)
        .def("dimension", &ConvexShape::dimension);
    m.def("distance", &distance, py::arg("a"), py::arg("b"));
    add_bodies(m);
    m.def("exact_distance", &exact_shape_distance, py::arg("a"), py::arg("b"), py::arg("digits"),
          py::call_guard<py::gil_scoped_release>());
}

}  // namespace scree::python
