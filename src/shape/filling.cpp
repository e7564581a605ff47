#include "shape/filling.h"

#include <algorithm>
#include <utility>

#include "geometry/polyhedron.h"

namespace scree {
namespace {

struct Interval {
    double from = forever, to = -forever;
    bool empty() const { return !(from < to); }
    void include(double a, double b) {
        from = std::fmin(from, a);
        to = std::fmax(to, b);
    }
};

// Where the line x + t e, e along an axis, is inside a rounded piece. The piece is convex and its surface consists of
// parts of balls at its corners, of cylinders along its edges and of its faces moved outwards; all of these lie in the
// piece, so that the first and the last of their points on the line are its ends.
Interval inside(const Piece& piece, Vec3 x, int axis) {
    const double r2 = piece.radius * piece.radius;
    Interval on;
    const auto off_axis = [&](Vec3 v) { return v[axis] = 0, v; };
    {
        const Vec3 off = off_axis(piece.middle - x);
        if (norm2(off) >= piece.reach * piece.reach) return on;
    }
    for (const Vec3 v : piece.vertex)
        if (const double h2 = r2 - norm2(off_axis(v - x)); h2 > 0) {
            const double middle = v[axis] - x[axis], half = std::sqrt(h2);
            on.include(middle - half, middle + half);
        }
    for (const auto& [p, q] : piece.edges) {
        // Of the endless cylinder about the edge: |w + t f|^2 = r^2, both at right angles to it; then only between its
        // ends.
        const Vec3 a = piece.vertex[static_cast<std::size_t>(p)], d = piece.vertex[static_cast<std::size_t>(q)] - a;
        const double l2 = norm2(d), slope = d[axis];
        const Vec3 s = x - a;
        Vec3 f = (-slope / l2) * d;
        f[axis] += 1;
        const Vec3 w = s - (dot(s, d) / l2) * d;
        const double ff = norm2(f), wf = dot(w, f), root2 = wf * wf - ff * (norm2(w) - r2);
        if (!(ff > 1e-24) || !(root2 > 0)) continue;
        const double root = std::sqrt(root2);
        for (const double t : {(-wf - root) / ff, (-wf + root) / ff})
            if (const double at = dot(s, d) + t * slope; at >= 0 && at <= l2) on.include(t, t);
    }
    for (const Face& face : piece.faces) {
        if (face.corners.size() < 3 || face.normal[axis] == 0) continue;
        const double t = (face.offset + piece.radius - dot(face.normal, x)) / face.normal[axis];
        Vec3 at = x;
        at[axis] += t;
        bool within = true;
        for (std::size_t k = 0; k < face.inward.size() && within; ++k)
            within = dot(face.inward[k], at) >= face.inward_offset[k];
        if (within) on.include(t, t);
    }
    return on;
}

struct Box {
    Vec3 low{forever, forever, forever}, high{-forever, -forever, -forever};
    void include(Vec3 p, double r) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::fmin(low[axis], p[axis] - r);
            high[axis] = std::fmax(high[axis], p[axis] + r);
        }
    }
};

// The middles of cells of an interval. Cells are narrow at its ends, where a round body is steep; at equal widths the
// midpoint rule would be worse by an order of magnitude there.
struct Cells {
    std::vector<double> middle, width;
    Cells(double low, double high, double wanted) {
        const auto n = static_cast<std::size_t>(std::ceil(wanted));
        const auto border = [&](std::size_t k) {
            const double s = static_cast<double>(k) / static_cast<double>(n);
            return low + (high - low) * s * s * (3 - 2 * s);
        };
        for (std::size_t k = 0; k < n; ++k) {
            middle.push_back(0.5 * (border(k) + border(k + 1)));
            width.push_back(border(k + 1) - border(k));
        }
    }
    std::size_t size() const { return middle.size(); }
    // Those with middles in [low, high].
    std::pair<std::size_t, std::size_t> between(double low, double high) const {
        return {static_cast<std::size_t>(std::lower_bound(middle.begin(), middle.end(), low) - middle.begin()),
                static_cast<std::size_t>(std::upper_bound(middle.begin(), middle.end(), high) - middle.begin())};
    }
};

// About `lines` cells of the cross-section of a box, nearly square in the mean.
struct Grid {
    int axis_u, axis_v;
    Cells u, v;
    static Grid of(const Box& box, int axis, int dimension, double lines) {
        if (dimension == 2)
            return {1 - axis, 2, Cells(box.low[1 - axis], box.high[1 - axis], lines), Cells(-0.5, 0.5, 1)};
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        const double wide = box.high[u] - box.low[u], high = box.high[v] - box.low[v], least = 0.4 * std::sqrt(lines);
        return {u, v, Cells(box.low[u], box.high[u], std::fmax(std::sqrt(lines * wide / high), least)),
                Cells(box.low[v], box.high[v], std::fmax(std::sqrt(lines * high / wide), least))};
    }
    Vec3 line(std::size_t j, std::size_t k) const {
        Vec3 x;
        return x[axis_u] = u.middle[j], x[axis_v] = v.middle[k], x;
    }
};

void add_line(Filling::Bundle& bundle, const Grid& grid, std::size_t j, std::size_t k, Vec3 from, double length) {
    if (!(length > 0)) return;
    Vec3 cell;
    cell[grid.axis_u] = grid.u.width[j];
    cell[grid.axis_v] = grid.v.width[k];
    bundle.from.push_back(from);
    bundle.cell.push_back(cell);
    bundle.length.push_back(length);
    bundle.volume.push_back(length * cell[grid.axis_u] * cell[grid.axis_v]);
}

void fill_piece(const std::vector<Piece>& pieces, std::size_t number, int axis, int dimension, double lines,
                Filling::Bundle& bundle) {
    Box box;
    for (const Vec3 v : pieces[number].vertex) box.include(v, pieces[number].radius);
    const Grid grid = Grid::of(box, axis, dimension, lines);
    std::vector<std::pair<double, double>> taken;
    for (std::size_t j = 0; j < grid.u.size(); ++j)
        for (std::size_t k = 0; k < grid.v.size(); ++k) {
            Vec3 x = grid.line(j, k);
            const Interval own = inside(pieces[number], x, axis);
            if (own.empty()) continue;
            taken.clear();
            for (std::size_t earlier = 0; earlier < number; ++earlier)
                if (const Interval other = inside(pieces[earlier], x, axis); !other.empty())
                    taken.emplace_back(other.from, other.to);
            std::sort(taken.begin(), taken.end());
            double free = own.from;
            const auto add_up_to = [&](double end) {
                x[axis] = free;
                add_line(bundle, grid, j, k, x, std::fmin(end, own.to) - free);
            };
            for (const auto& [from, to] : taken) {
                add_up_to(from);
                free = std::fmax(free, to);
            }
            add_up_to(own.to);
        }
}

// Whether the point (u, v) is left of the edge, by a rule under which it is left of an even number of the edges of a
// closed surface: computed alike from both sides, and of two edges that meet at its height one counts.
bool left_of(const std::vector<Vec3>& points, int a, int b, int axis_u, int axis_v, double u, double v) {
    const Vec3 p = points[static_cast<std::size_t>(std::min(a, b))],
               q = points[static_cast<std::size_t>(std::max(a, b))];
    if ((p[axis_v] <= v) == (q[axis_v] <= v)) return false;
    return u < p[axis_u] + (v - p[axis_v]) / (q[axis_v] - p[axis_v]) * (q[axis_u] - p[axis_u]);
}

void fill_mesh(const TriangleMesh& mesh, int axis, double lines, Filling::Bundle& bundle) {
    Box box;
    for (const Vec3 p : mesh.points) box.include(p, 0);
    const Grid grid = Grid::of(box, axis, 3, lines);
    std::vector<std::vector<double>> hits(grid.u.size() * grid.v.size());
    for (const auto& t : mesh.triangles) {
        Box around;
        for (const int corner : t) around.include(mesh.points[static_cast<std::size_t>(corner)], 0);
        const auto [first_u, last_u] = grid.u.between(around.low[grid.axis_u], around.high[grid.axis_u]);
        const auto [first_v, last_v] = grid.v.between(around.low[grid.axis_v], around.high[grid.axis_v]);
        const Vec3 a = mesh.points[static_cast<std::size_t>(t[0])];
        const Vec3 normal =
            cross(mesh.points[static_cast<std::size_t>(t[1])] - a, mesh.points[static_cast<std::size_t>(t[2])] - a);
        for (std::size_t j = first_u; j < last_u; ++j)
            for (std::size_t k = first_v; k < last_v; ++k) {
                const double u = grid.u.middle[j], v = grid.v.middle[k];
                bool in = false;
                for (std::size_t c = 0; c < 3; ++c)
                    in ^= left_of(mesh.points, t[c], t[(c + 1) % 3], grid.axis_u, grid.axis_v, u, v);
                if (!in) continue;
                const double rise =
                    (u - a[grid.axis_u]) * normal[grid.axis_u] + (v - a[grid.axis_v]) * normal[grid.axis_v];
                hits[j * grid.v.size() + k].push_back(std::clamp(
                    a[axis] - (normal[axis] != 0 ? rise / normal[axis] : 0), around.low[axis], around.high[axis]));
            }
    }
    for (std::size_t j = 0; j < grid.u.size(); ++j)
        for (std::size_t k = 0; k < grid.v.size(); ++k) {
            std::vector<double>& at = hits[j * grid.v.size() + k];
            std::sort(at.begin(), at.end());
            Vec3 x = grid.line(j, k);
            for (std::size_t h = 0; h + 1 < at.size(); h += 2) {
                x[axis] = at[h];
                add_line(bundle, grid, j, k, x, at[h + 1] - at[h]);
            }
        }
}

// Half of the mean chord of a circle of radius R over a strip of the given width at the distance y from its center.
double mean_half_chord(double R, double y, double width) {
    const auto area = [&](double at) {
        const double s = std::clamp(at / R, -1.0, 1.0);
        return 0.5 * R * R * (s * std::sqrt(1 - s * s) + std::asin(s));
    };
    return (area(y + width / 2) - area(y - width / 2)) / width;
}

}  // namespace

Filling filling_of(const Shape& shape, int dimension, double lines) {
    Filling filling;
    for (int axis = 0; axis < dimension; ++axis) {
        Filling::Bundle& bundle = filling.along[axis];
        if (shape.is_mesh)
            fill_mesh(shape.surface, axis, lines, bundle);
        else
            for (std::size_t p = 0; p < shape.pieces.size(); ++p)
                fill_piece(shape.pieces, p, axis, dimension,
                           std::fmax(lines / static_cast<double>(shape.pieces.size()), 64), bundle);
        double sum = 0;
        for (const double v : bundle.volume) sum += v;
        for (double& v : bundle.volume) v *= shape.volume / sum;
    }
    if (shape.is_mesh) {
        const Polyhedron hull(shape.surface.points);
        for (int v = 0; v < hull.vertex_count(); ++v) filling.corners.push_back({hull.world_vertex(v), 0});
    } else {
        for (const Piece& piece : shape.pieces)
            for (const Vec3 v : piece.vertex) filling.corners.push_back({v, piece.radius});
    }
    return filling;
}

double support(const Filling& filling, Vec3 d) {
    double most = -forever;
    for (const Filling::Ball& ball : filling.corners) most = std::fmax(most, dot(d, ball.center) + ball.radius);
    return most;
}

double volume_below(const Filling& filling, Vec3 d, double h) {
    const int axis = most_along(d);
    const Filling::Bundle& bundle = filling.along[axis];
    const double slope = std::fabs(d[axis]);
    double volume = 0;
    for (std::size_t k = 0; k < bundle.from.size(); ++k) {
        const double rise = slope * bundle.length[k], low = dot(d, bundle.from[k]) - (d[axis] < 0 ? rise : 0);
        volume += bundle.volume[k] * std::clamp((h - low) / rise, 0.0, 1.0);
    }
    return volume;
}

double volume_in_cylinder(const Filling& filling, Vec3 axis, Vec3 point, double radius, double low, double high) {
    // Across the cylinder where it passes the body; if the body lies on the axis, along any line across.
    Vec3 across = point - dot(point, axis) * axis;
    if (!(norm(across) > 1e-9 * radius)) {
        Vec3 other;
        other[most_along(axis) == 0 ? 1 : 0] = 1;
        across = other - dot(other, axis) * axis;
    }
    const int e = most_along(across);
    const Filling::Bundle& bundle = filling.along[e];
    const double rise = axis[e];
    Vec3 f = -rise * axis;  // what of the line's direction is at right angles to the axis
    f[e] += 1;
    const double ff = norm2(f), speed = std::sqrt(ff);
    const Vec3 aside = cross(axis, f) / speed;
    double volume = 0;
    for (std::size_t k = 0; k < bundle.from.size(); ++k) {
        const Vec3 x = bundle.from[k], s = x - point, cell = bundle.cell[k];
        const double y = dot(s, aside),
                     width = std::fabs(cell.x * aside.x) + std::fabs(cell.y * aside.y) + std::fabs(cell.z * aside.z);
        if (std::fabs(y) >= radius + width / 2) continue;
        // In a narrow cylinder lie few lines: there the mean over what a line stands for tells how much of it does.
        const double half = (radius < 30 * width ? mean_half_chord(radius, y, width)
                                                 : std::sqrt(std::fmax(0, (radius - y) * (radius + y)))) /
                            speed;
        const double middle = -dot(s, f) / ff;
        double from = std::fmax(0, middle - half), to = std::fmin(bundle.length[k], middle + half);
        const double height = dot(x, axis);
        if (std::fabs(rise) > 1e-12) {
            const double a = (low - height) / rise, b = (high - height) / rise;
            from = std::fmax(from, std::fmin(a, b));
            to = std::fmin(to, std::fmax(a, b));
        } else if (height < low || height > high) {
            continue;
        }
        if (to > from) volume += bundle.volume[k] * (to - from) / bundle.length[k];
    }
    return volume;
}

}  // namespace scree
