// No exception leaves a function for C.
#include <exception>
#include <string>

#include "geometry/compound.h"
#include "scree/body.h"
#include "scree/error.h"
#include "scree/scree_distance.h"

struct scree_body {
    scree::Body body;
};
struct scree_memory {
    scree::PairMemory memory;
};

namespace scree {
namespace {

thread_local std::string last_error;

// What the work returns, or `failed`.
template <class T, class Work>
T caught(T failed, Work&& work) {
    try {
        return work();
    } catch (const std::exception& error) {
        last_error = error.what();
    } catch (...) {
        last_error = "unknown error";
    }
    return failed;
}

template <class Work>
scree_body* made(Work&& work) {
    return caught<scree_body*>(nullptr, [&] { return new scree_body{work()}; });
}

void require(bool holds, const char* what) {
    if (!holds) throw Error(ErrorKind::bad_input, what);
}

Point3 point_from(const double* p) {
    require(p != nullptr, "a point is null");
    return {p[0], p[1], p[2]};
}

std::vector<Point3> points_from(const double* rows, int count) {
    require(rows != nullptr && count > 0, "the points are null or none");
    std::vector<Point3> points;
    for (int k = 0; k < count; ++k) points.push_back(point_from(rows + 3 * static_cast<std::ptrdiff_t>(k)));
    return points;
}

std::vector<double> values_from(const double* values, int count) {
    require(values != nullptr && count >= 0, "the knots are null or none");
    return {values, values + count};
}

const Body& body_of(const scree_body* body) {
    require(body != nullptr, "a body is null");
    return body->body;
}

void copy_to(double* to, const Point3& p) {
    for (std::size_t k = 0; k < 3; ++k) to[k] = p[k];
}

}  // namespace
}  // namespace scree

using namespace scree;

scree_body* scree_hull(const double* points, int count) {
    return made([&] { return Body::hull(points_from(points, count)); });
}

scree_body* scree_mesh(const double* points, int count, const int* triangles, int triangle_count) {
    return made([&] {
        require(triangles != nullptr && triangle_count > 0, "the triangles are null or none");
        std::vector<std::array<int, 3>> corners;
        for (std::ptrdiff_t k = 0; k < triangle_count; ++k)
            corners.push_back({triangles[3 * k], triangles[3 * k + 1], triangles[3 * k + 2]});
        return Body::mesh(points_from(points, count), corners);
    });
}

scree_body* scree_sphere(const double center[3], double radius) {
    return made([&] { return Body::sphere(point_from(center), radius); });
}

scree_body* scree_capsule(const double from[3], const double to[3], double radius) {
    return made([&] { return Body::capsule(point_from(from), point_from(to), radius); });
}

scree_body* scree_ellipsoid(const double half_axes[3]) {
    return made([&] { return Body::ellipsoid(point_from(half_axes)); });
}

scree_body* scree_curve(int degree, const double* knots, const double* points, const double* weights, int count) {
    return made([&] {
        require(degree >= 0 && degree < 100, "the degree of a curve is out of range");
        const std::vector<double> w = weights != nullptr ? values_from(weights, count) : std::vector<double>();
        return Body::curve({degree, values_from(knots, count + degree + 1)}, points_from(points, count), w);
    });
}

scree_body* scree_surface(int degree_u, int degree_v, const double* knots_u, const double* knots_v,
                          const double* points, const double* weights, int count_u, int count_v) {
    return made([&] {
        require(degree_u >= 0 && degree_u < 100 && degree_v >= 0 && degree_v < 100,
                "a degree of a surface is out of range");
        require(count_u > 0 && count_v > 0 && count_u < (1 << 24) / count_v,
                "the points of a surface are none or too many");
        const int count = count_u * count_v;
        const std::vector<double> w = weights != nullptr ? values_from(weights, count) : std::vector<double>();
        return Body::surface({degree_u, values_from(knots_u, count_u + degree_u + 1)},
                             {degree_v, values_from(knots_v, count_v + degree_v + 1)}, points_from(points, count), w);
    });
}

scree_body* scree_placed(const scree_body* body, const double rotation[9], const double position[3]) {
    return made([&] {
        require(rotation != nullptr, "a rotation is null");
        return body_of(body).placed({point_from(rotation), point_from(rotation + 3), point_from(rotation + 6)},
                                    point_from(position));
    });
}

scree_body* scree_swept(const scree_body* body, double radius) {
    return made([&] { return body_of(body).swept(radius); });
}

scree_body* scree_united(const scree_body* const* bodies, int count) {
    return made([&] {
        require(bodies != nullptr && count > 0, "the bodies are null or none");
        std::vector<Body> all;
        for (int k = 0; k < count; ++k) all.push_back(body_of(bodies[k]));
        return Body::united(all);
    });
}

void scree_body_free(scree_body* body) { delete body; }

scree_memory* scree_memory_new(void) {
    return caught<scree_memory*>(nullptr, [] { return new scree_memory; });
}

void scree_memory_free(scree_memory* memory) { delete memory; }

int scree_distance(const scree_body* a, const scree_body* b, scree_memory* memory, double longest,
                   scree_answer* answer) {
    return caught(1, [&] {
        require(answer != nullptr, "the answer is null");
        const double bound = longest < 0 ? std::numeric_limits<double>::infinity() : longest;
        const BodyDistance d =
            body_distance(body_of(a), body_of(b), memory != nullptr ? &memory->memory : nullptr, bound);
        answer->distance = d.distance;
        answer->error = d.error;
        copy_to(answer->point_a, d.point_a);
        copy_to(answer->point_b, d.point_b);
        copy_to(answer->normal, d.normal.value_or(Point3{}));
        answer->relation = !d.overlap ? scree_separated : d.touching ? scree_touching : scree_overlapping;
        return 0;
    });
}

int scree_depth(const scree_body* a, const scree_body* b, scree_depth_answer* answer) {
    return caught(1, [&] {
        require(answer != nullptr, "the answer is null");
        const auto convex = [](const Body& body) {
            return body.compound().parts.size() == 1 && body.compound().parts[0].convex();
        };
        require(convex(body_of(a)) && convex(body_of(b)), "depth is for two single convex bodies");
        *answer = {};
        const std::optional<BodyDepth> d = body_depth(body_of(a), body_of(b));
        if (!d) return 0;
        answer->depth = d->depth;
        answer->error = d->error;
        copy_to(answer->direction, d->directions[0]);
        copy_to(answer->point_a, d->point_a);
        copy_to(answer->point_b, d->point_b);
        return 0;
    });
}

const char* scree_last_error(void) { return last_error.c_str(); }
