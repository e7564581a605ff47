// Notation: u unit vectors; for an arc or a patch of the unit sphere the integrals of 1, u and u u^T over it. On a
// spherical triangle with outward conormals c_e and arcs e from p to q of angle a_e, the divergence theorem on the
// sphere gives
//   int u dO = -1/2 sum a_e c_e
//   int u u^T dO = (O I - sum c_e (int_e u ds)^T) / 3,      int_e u ds = tan(a_e/2) (p + q)
// since the tangential parts of a constant vector, and of it times b.u, have the divergences -2 a.u and a.b - 3
// (a.u)(b.u).
#include "shape/mass.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "math/jacobi.h"

namespace scree {
namespace {

void add_outer(double (&m)[3][3], double s, Vec3 a, Vec3 b) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m[i][j] += s * a[i] * b[j];
}
void add_symmetric(double (&m)[3][3], double s, Vec3 a, Vec3 b) {
    add_outer(m, s, a, b);
    add_outer(m, s, b, a);
}

double angle_between(Vec3 p, Vec3 q) { return same_atan2(norm(cross(p, q)), dot(p, q)); }

void add_tetrahedron(Moments& m, Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
    const double volume = dot(b - a, cross(c - a, d - a)) / 6;
    const Vec3 sum = a + b + c + d;
    m.volume += volume;
    m.first += (0.25 * volume) * sum;
    add_outer(m.second, volume / 20, sum, sum);
    for (const Vec3 v : {a, b, c, d}) add_outer(m.second, volume / 20, v, v);
}

// What is swept out at each point of a body's border: integrals of 1, w and w w^T over the offsets w.
struct Offsets {
    double measure = 0;
    Vec3 first;
    double second[3][3] = {};
};

void add_at_point(Moments& m, Vec3 p, const Offsets& o) {
    m.volume += o.measure;
    m.first += o.measure * p + o.first;
    add_outer(m.second, o.measure, p, p);
    add_symmetric(m.second, 1, p, o.first);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m.second[i][j] += o.second[i][j];
}

void add_along(Moments& m, Vec3 p, Vec3 q, const Offsets& o) {
    const double length = norm(q - p);
    const Vec3 mid = 0.5 * (p + q);
    m.volume += length * o.measure;
    m.first += length * (o.measure * mid + o.first);
    add_outer(m.second, length * o.measure / 3, p, p);
    add_outer(m.second, length * o.measure / 3, q, q);
    add_symmetric(m.second, length * o.measure / 6, p, q);
    add_symmetric(m.second, length, mid, o.first);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m.second[i][j] += length * o.second[i][j];
}

// The sector of a disc of radius r between the unit vectors p and q, less than half a turn apart.
void add_sector(Offsets& o, Vec3 p, Vec3 q, double r) {
    const double a = angle_between(p, q);
    if (!(a > 0)) return;
    const SinCos at = same_sincos(a);
    const Vec3 e = normalized(q - dot(p, q) * p);
    o.measure += 0.5 * r * r * a;
    o.first += (r * r * r / 3) * (at.sin * p + (1 - at.cos) * e);
    const double r4 = 0.25 * r * r * r * r;
    add_outer(o.second, r4 * (0.5 * a + 0.5 * at.sin * at.cos), p, p);
    add_outer(o.second, r4 * (0.5 * a - 0.5 * at.sin * at.cos), e, e);
    add_symmetric(o.second, r4 * 0.5 * at.sin * at.sin, p, e);
}

// The cone of a ball of radius r over the spherical triangle a, b, c, in either order.
void add_cone(Offsets& o, Vec3 a, Vec3 b, Vec3 c, double r) {
    if (dot(a, cross(b, c)) < 0) std::swap(b, c);
    const double solid = 2 * same_atan2(dot(a, cross(b, c)), 1 + dot(a, b) + dot(b, c) + dot(c, a));
    if (!(solid > 0)) return;
    Vec3 first;
    double second[3][3] = {{solid / 3, 0, 0}, {0, solid / 3, 0}, {0, 0, solid / 3}};
    const Vec3 corner[4] = {a, b, c, a};
    for (int k = 0; k < 3; ++k) {
        const Vec3 p = corner[k], q = corner[k + 1], side = cross(p, q);
        if (!(norm(side) > 0)) continue;
        const Vec3 conormal = -(side / norm(side));
        const double angle = angle_between(p, q);
        first -= (0.5 * angle) * conormal;
        const SinCos half = same_sincos(0.5 * angle);
        add_outer(second, -half.sin / half.cos / 3, conormal, p + q);
    }
    o.measure += solid * r * r * r / 3;
    const double r4 = r * r * r * r / 4, r5 = r * r * r * r * r / 5;
    o.first += r4 * first;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) o.second[i][j] += 0.5 * r5 * (second[i][j] + second[j][i]);
}

Moments flat_moments(const Piece& piece) {
    Moments m;
    const double r = piece.radius;
    if (piece.dimension == 0) {
        Offsets disc{pi * r * r, {}, {}};
        disc.second[0][0] = disc.second[1][1] = 0.25 * pi * r * r * r * r;
        add_at_point(m, piece.vertex[0], disc);
        return m;
    }
    for (const Face& edge : piece.faces) {
        const Vec3 a = piece.vertex[static_cast<std::size_t>(edge.corners[0])],
                   b = piece.vertex[static_cast<std::size_t>(edge.corners[1])];
        if (piece.dimension == 2) {
            const double area = 0.5 * (a.x * b.y - a.y * b.x);
            m.volume += area;
            m.first += (area / 3) * (a + b);
            add_outer(m.second, area / 12, a + b, a + b);
            add_outer(m.second, area / 12, a, a);
            add_outer(m.second, area / 12, b, b);
        }
        Offsets strip{r, (0.5 * r * r) * edge.normal, {}};
        add_outer(strip.second, r * r * r / 3, edge.normal, edge.normal);
        add_along(m, a, b, strip);
    }
    for (std::size_t v = 0; v < piece.vertex.size(); ++v) {
        const Face &one = piece.faces[static_cast<std::size_t>(piece.faces_at[v][0])],
                   &other = piece.faces[static_cast<std::size_t>(piece.faces_at[v][1])];
        const Vec3 middle = piece.dimension == 1
                                ? (one.corners[0] == static_cast<int>(v) ? -one.inward[0] : one.inward[0])
                                : normalized(one.normal + other.normal);
        Offsets sector;
        add_sector(sector, one.normal, middle, r);
        add_sector(sector, middle, other.normal, r);
        add_at_point(m, piece.vertex[v], sector);
    }
    return m;
}

Moments ball_or_rod(const Piece& piece) {
    Moments m;
    const double r = piece.radius, r3 = r * r * r;
    if (piece.dimension == 0) {
        Offsets ball{4 * pi / 3 * r3, {}, {}};
        for (int k = 0; k < 3; ++k) ball.second[k][k] = 4 * pi / 15 * r3 * r * r;
        add_at_point(m, piece.vertex[0], ball);
        return m;
    }
    const Vec3 a = piece.vertex[0], b = piece.vertex[1], along = normalized(b - a);
    Offsets disc{pi * r * r, {}, {}};
    for (int k = 0; k < 3; ++k) disc.second[k][k] = 0.25 * pi * r3 * r;
    add_outer(disc.second, -0.25 * pi * r3 * r, along, along);
    add_along(m, a, b, disc);
    for (const double sign : {-1.0, 1.0}) {
        Offsets half{2 * pi / 3 * r3, (sign * 0.25 * pi * r3 * r) * along, {}};
        for (int k = 0; k < 3; ++k) half.second[k][k] = 2 * pi / 15 * r3 * r * r;
        add_at_point(m, sign < 0 ? a : b, half);
    }
    return m;
}

}  // namespace

void Moments::add(const Moments& other) {
    volume += other.volume;
    first += other.first;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) second[i][j] += other.second[i][j];
}

Mat3 Moments::covariance() const {
    const Vec3 c = center();
    Mat3 m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m.row[i][j] = 0.5 * (second[i][j] + second[j][i]) - volume * c[i] * c[j];
    return m;
}

Moments moments_of(const Piece& piece, int dimension) {
    if (dimension == 2) return flat_moments(piece);
    if (piece.dimension <= 1) return ball_or_rod(piece);
    Moments m;
    const double r = piece.radius;
    const auto at = [&](int v) { return piece.vertex[static_cast<std::size_t>(v)]; };
    const Vec3 inside = piece.middle;
    std::vector<Offsets> cones(piece.vertex.size());
    std::vector<Vec3> axis(piece.vertex.size());
    struct Arc {
        int p, q;
        Vec3 one, middle, other;
    };
    std::vector<Arc> arcs;
    for (std::size_t f = 0; f < piece.faces.size(); ++f) {
        const Face& face = piece.faces[f];
        const std::size_t n = face.corners.size();
        for (std::size_t k = 1; k + 1 < n; ++k) {
            const Vec3 a = at(face.corners[0]), b = at(face.corners[k]), c = at(face.corners[k + 1]),
                       up = r * face.normal;
            if (piece.dimension == 3) add_tetrahedron(m, inside, a, b, c);
            add_tetrahedron(m, a, b, c, a + up);
            add_tetrahedron(m, b, c, a + up, b + up);
            add_tetrahedron(m, c, a + up, b + up, c + up);
        }
        for (std::size_t k = 0; k < n; ++k) {
            const int p = face.corners[k], q = face.corners[(k + 1) % n];
            // The face on the other side of the edge.
            for (const int g : piece.faces_at[static_cast<std::size_t>(p)]) {
                const std::vector<int>& corners = piece.faces[static_cast<std::size_t>(g)].corners;
                const auto here = std::find(corners.begin(), corners.end(), q);
                if (static_cast<std::size_t>(g) <= f || here == corners.end() ||
                    corners[static_cast<std::size_t>(here + 1 - corners.begin()) % corners.size()] != p)
                    continue;
                const Vec3 other = piece.faces[static_cast<std::size_t>(g)].normal;
                // The sum of normals says nothing where they are opposite, as on a plate that was turned and is flat
                // but for rounding.
                const bool sharp = piece.dimension == 2 || dot(face.normal, other) < -0.999;
                arcs.push_back(
                    {p, q, face.normal,
                     sharp ? normalized(-face.inward[k] - piece.faces[static_cast<std::size_t>(g)]
                                                              .inward[static_cast<std::size_t>(here - corners.begin())])
                           : normalized(face.normal + other),
                     other});
            }
        }
    }
    if (!(r > 0)) return m;
    for (const Arc& arc : arcs) {
        Offsets sector;
        add_sector(sector, arc.one, arc.middle, r);
        add_sector(sector, arc.middle, arc.other, r);
        add_along(m, at(arc.p), at(arc.q), sector);
        for (const int v : {arc.p, arc.q}) axis[static_cast<std::size_t>(v)] += arc.middle;
    }
    for (const Arc& arc : arcs)
        for (const int v : {arc.p, arc.q}) {
            const Vec3 c = normalized(axis[static_cast<std::size_t>(v)]);
            add_cone(cones[static_cast<std::size_t>(v)], c, arc.one, arc.middle, r);
            add_cone(cones[static_cast<std::size_t>(v)], c, arc.middle, arc.other, r);
        }
    for (std::size_t v = 0; v < cones.size(); ++v) add_at_point(m, piece.vertex[v], cones[v]);
    return m;
}

Moments moments_of(std::span<const Vec3> points, std::span<const std::array<int, 3>> triangles) {
    Moments m;
    if (points.empty()) return m;
    for (const auto& t : triangles)
        add_tetrahedron(m, points[0], points[static_cast<std::size_t>(t[0])], points[static_cast<std::size_t>(t[1])],
                        points[static_cast<std::size_t>(t[2])]);
    return m;
}

PrincipalAxes principal_axes(const Moments& moments, int dimension) {
    const Mat3 c = moments.covariance();
    const double trace = c.row[0].x + c.row[1].y + c.row[2].z;
    if (dimension == 2) return {{trace, trace, trace}, Mat3{}};
    double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) a[i][j] = (i == j ? trace : 0) - c.row[i][j];
    // What is diagonal up to rounding stays as it is.
    diagonalise(a, v, 1e-12 * trace);
    PrincipalAxes out;
    out.moments = {a[0][0], a[1][1], a[2][2]};
    for (int i = 0; i < 3; ++i) out.axes.row[i] = {v[i][0], v[i][1], v[i][2]};
    return out;
}

}  // namespace scree
