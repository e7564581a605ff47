// A cell is cut out of a box by the radical planes to the neighbors of its site, all relative to the site. Without a
// clipping box one is guessed and enlarged until the cell no longer touches it; cells that are unbounded are known
// exactly beforehand (their site is on the hull). The cell of a light site may lie far from it, and a box around the
// site miss it: then the cell is sought in larger boxes, and cut out anew from one around the place where it was found.
// Rejected: summing over the centers of the orthogonal spheres of the cells at the site; flat simplices, which every
// packing has, put these anywhere.
#include "dual.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace scree::tri {
namespace {

struct Face {
    Index label;
    Vec3 normal;    // outward, unit
    double offset;  // of the plane: normal · x = offset
    std::vector<Vec3> corners;
};

struct Plane {
    Index label;
    Vec3 normal;
    double offset;
};

double polygon_area(const std::vector<Vec3>& corners, Vec3 normal) {
    Vec3 sum;
    for (std::size_t k = 2; k < corners.size(); ++k) sum += cross(corners[k - 1] - corners[0], corners[k] - corners[0]);
    return std::fabs(dot(sum, normal)) / 2;
}

// Grows with the angle of (x, y), from 0 to 4.
double pseudo_angle(double x, double y) {
    const double sum = std::fabs(x) + std::fabs(y);
    if (sum == 0) return 0;
    const double t = x / sum;
    return y >= 0 ? 1 - t : 3 + t;
}

class Polyhedron {
  public:
    explicit Polyhedron(const Box& box) {
        for (int axis = 0; axis < 3; ++axis)
            for (int side = 0; side < 2; ++side) {
                Face face;
                face.label = -2 - (2 * axis + side);
                face.normal = {};
                face.normal[axis] = side ? 1 : -1;
                face.offset = side ? box.high[axis] : -box.low[axis];
                const int u = (axis + 1) % 3, w = (axis + 2) % 3;
                for (int corner = 0; corner < 4; ++corner) {
                    Vec3 p;
                    p[axis] = side ? box.high[axis] : box.low[axis];
                    p[u] = corner == 1 || corner == 2 ? box.high[u] : box.low[u];
                    p[w] = corner >= 2 ? box.high[w] : box.low[w];
                    face.corners.push_back(p);
                }
                faces_.push_back(std::move(face));
            }
    }

    void cut(const Plane& plane) {
        std::vector<Vec3> cap;
        bool cuts = false;
        for (Face& face : faces_) {
            std::vector<Vec3> kept;
            const std::size_t n = face.corners.size();
            for (std::size_t k = 0; k < n; ++k) {
                const Vec3 p = face.corners[k], q = face.corners[k + 1 == n ? 0 : k + 1];
                const double sp = dot(plane.normal, p) - plane.offset, sq = dot(plane.normal, q) - plane.offset;
                if (sp <= 0) kept.push_back(p);
                if (sp == 0) cap.push_back(p);
                if (sp > 0) cuts = true;
                if ((sp < 0 && sq > 0) || (sp > 0 && sq < 0)) {
                    // Always from the inner to the outer end, so that both faces at an edge get the same point.
                    const Vec3 inner = sp < 0 ? p : q, outer = sp < 0 ? q : p;
                    const double si = sp < 0 ? sp : sq, so = sp < 0 ? sq : sp;
                    const Vec3 x = inner + (si / (si - so)) * (outer - inner);
                    kept.push_back(x);
                    cap.push_back(x);
                }
            }
            face.corners = std::move(kept);
        }
        std::erase_if(faces_, [](const Face& face) { return face.corners.size() < 3; });
        if (!cuts || cap.size() < 3) return;
        Vec3 middle;
        for (const Vec3 p : cap) middle += p / static_cast<double>(cap.size());
        const Vec3 u = perpendicular(plane.normal), w = cross(plane.normal, u);
        std::sort(cap.begin(), cap.end(), [&](Vec3 a, Vec3 b) {
            return pseudo_angle(dot(a - middle, u), dot(a - middle, w)) <
                   pseudo_angle(dot(b - middle, u), dot(b - middle, w));
        });
        faces_.push_back({plane.label, plane.normal, plane.offset, std::move(cap)});
    }

    const std::vector<Face>& faces() const { return faces_; }

  private:
    std::vector<Face> faces_;
};

void measure(const Polyhedron& polyhedron, DualCell& cell) {
    cell.volume = 0;
    cell.facets.clear();
    for (const Face& face : polyhedron.faces()) {
        const double area = polygon_area(face.corners, face.normal);
        cell.volume += area * face.offset / 3;
        if (area > 0) cell.facets.push_back({face.label, area});
    }
}

// The plane: a polygon whose edge k (from corner k to the next) carries a label.
struct Polygon {
    std::vector<Vec3> corners;
    std::vector<Index> labels;

    explicit Polygon(const Box& box)
        : corners{{box.low[0], box.low[1], 0},
                  {box.high[0], box.low[1], 0},
                  {box.high[0], box.high[1], 0},
                  {box.low[0], box.high[1], 0}},
          labels{-2 - 2, -2 - 1, -2 - 3, -2 - 0} {}

    void cut(const Plane& plane) {
        std::vector<Vec3> kept;
        std::vector<Index> kept_labels;
        const std::size_t n = corners.size();
        for (std::size_t k = 0; k < n; ++k) {
            const Vec3 p = corners[k], q = corners[k + 1 == n ? 0 : k + 1];
            const double sp = dot(plane.normal, p) - plane.offset, sq = dot(plane.normal, q) - plane.offset;
            if (sp <= 0) {
                kept.push_back(p);
                kept_labels.push_back(sp == 0 && sq > 0 ? plane.label : labels[k]);
            }
            if ((sp < 0 && sq > 0) || (sp > 0 && sq < 0)) {
                kept.push_back(p + (sp / (sp - sq)) * (q - p));
                kept_labels.push_back(sp < 0 ? plane.label : labels[k]);
            }
        }
        corners = std::move(kept);
        labels = std::move(kept_labels);
    }
};

void measure(const Polygon& polygon, DualCell& cell) {
    cell.volume = 0;
    cell.facets.clear();
    cell.outline = polygon.corners;
    const std::size_t n = polygon.corners.size();
    for (std::size_t k = 0; k < n; ++k) {
        const Vec3 p = polygon.corners[k], q = polygon.corners[k + 1 == n ? 0 : k + 1];
        cell.volume += (p.x * q.y - p.y * q.x) / 2;
        const double length = norm(q - p);
        if (length > 0) cell.facets.push_back({polygon.labels[k], length});
    }
}

// The middle of the corners, and the farthest of them from it along an axis.
struct Span {
    Vec3 middle;
    double reach = 0;
};
Span span_of(const std::vector<Vec3>& corners) {
    Span span;
    for (const Vec3 p : corners) span.middle += p / static_cast<double>(corners.size());
    for (const Vec3 p : corners)
        for (int k = 0; k < 3; ++k) span.reach = std::max(span.reach, std::fabs(p[k] - span.middle[k]));
    return span;
}
Span span_of(const Polygon& polygon) { return span_of(polygon.corners); }
Span span_of(const Polyhedron& polyhedron) {
    std::vector<Vec3> corners;
    for (const Face& face : polyhedron.faces()) corners.insert(corners.end(), face.corners.begin(), face.corners.end());
    return span_of(corners);
}

// Planes and outline are relative to the site.
template <class Shape>
void cut_out(const std::vector<Plane>& planes, const Box* clip, double guess, DualCell& cell) {
    constexpr double largest_search = 0x1p40;  // of the first guess; farther away rounding would make cells up
    const double most = largest_search * guess;
    Vec3 center;
    bool missed = false, found_again = false;
    for (int attempt = 0; attempt < 200; ++attempt, guess *= 4) {
        Box box;
        for (int k = 0; k < 3; ++k) {
            box.low[k] = clip ? clip->low[k] : -guess;
            box.high[k] = clip ? clip->high[k] : guess;
        }
        Shape shape(box);
        for (const Plane& plane : planes)
            shape.cut({plane.label, plane.normal, plane.offset - dot(plane.normal, center)});
        measure(shape, cell);
        for (Vec3& corner : cell.outline) corner += center;
        if (clip) return;
        if (cell.facets.empty()) {
            if (found_again || guess > most) return;  // ties can make a visible site whose cell is a point
            missed = true;
        } else if (std::none_of(cell.facets.begin(), cell.facets.end(),
                                [](const DualFacet& facet) { return facet.neighbor < 0; })) {
            if (!missed || found_again) return;
            const Span span = span_of(shape);
            center = span.middle;
            guess = span.reach / 2;
            found_again = true;
        }
    }
}

// Orthonormal directions of the affine hull, by Gram and Schmidt on the sites farthest from each other.
std::vector<Vec3> directions(const Triangulation& triangulation, int count) {
    const auto& rows = triangulation.rows();
    std::vector<Vec3> basis;
    const auto place = [&](std::size_t v) { return Vec3{rows[v].c[0], rows[v].c[1], rows[v].c[2]}; };
    std::size_t first = 0;
    while (!triangulation.is_visible(static_cast<Index>(first))) ++first;
    for (int k = 0; k < count; ++k) {
        Vec3 best;
        for (std::size_t v = 0; v < rows.size(); ++v) {
            if (!triangulation.is_visible(static_cast<Index>(v))) continue;
            Vec3 d = place(v) - place(first);
            for (const Vec3 e : basis) d -= dot(d, e) * e;
            if (norm2(d) > norm2(best)) best = d;
        }
        basis.push_back(normalized(best));
    }
    return basis;
}

DualCell cell_in(const Triangulation& triangulation, Index v, const Box* clip, const std::vector<Vec3>* basis) {
    DualCell cell;
    if (!triangulation.is_visible(v)) return cell;
    const auto& rows = triangulation.rows();
    const Row& site = rows[static_cast<std::size_t>(v)];
    const int dimension = triangulation.dimension();
    if (!clip && (dimension == 0 || triangulation.on_hull(v))) {
        cell.bounded = false;
        cell.volume = std::numeric_limits<double>::infinity();
        return cell;
    }
    Box relative;
    if (clip)
        for (int k = 0; k < 3; ++k) {
            relative.low[k] = clip->low[k] - site.c[k];
            relative.high[k] = clip->high[k] - site.c[k];
        }
    std::vector<Index> around;
    triangulation.neighbors(v, around);
    std::vector<Plane> planes;
    double farthest = 0;
    for (const Index u : around) {
        const Row& other = rows[static_cast<std::size_t>(u)];
        Vec3 d{other.c[0] - site.c[0], other.c[1] - site.c[1], other.c[2] - site.c[2]};
        if (basis) {
            Vec3 turned;
            for (std::size_t k = 0; k < basis->size(); ++k) turned[static_cast<int>(k)] = dot(d, (*basis)[k]);
            d = turned;
        }
        const double length = norm(d);
        planes.push_back({u, d / length, (length + (site.c[3] - other.c[3]) / length) / 2});
        farthest = std::max({farthest, length, std::fabs(planes.back().offset)});
    }
    // Near planes first: they cut most away.
    std::sort(planes.begin(), planes.end(), [](const Plane& a, const Plane& b) { return a.offset < b.offset; });
    if (dimension == 3) {
        cut_out<Polyhedron>(planes, clip ? &relative : nullptr, 2 * farthest, cell);
    } else if (dimension == 2) {
        cut_out<Polygon>(planes, clip ? &relative : nullptr, 2 * farthest, cell);
        for (Vec3& corner : cell.outline) corner += Vec3{site.c[0], site.c[1], 0};
    } else {
        cell.volume = 0;
        for (const Plane& plane : planes) {
            cell.volume += plane.offset;
            cell.facets.push_back({plane.label, 1});
        }
    }
    return cell;
}

}  // namespace

DualCell dual_cell(const Triangulation& triangulation, Index v, const Box* clip) {
    const bool flat = triangulation.dimension() < triangulation.ambient_dimension();
    const std::vector<Vec3> basis = flat && triangulation.dimension() > 0
                                        ? directions(triangulation, triangulation.dimension())
                                        : std::vector<Vec3>();
    return cell_in(triangulation, v, clip, flat ? &basis : nullptr);
}

std::vector<double> dual_volumes(const Triangulation& triangulation, const Box* clip) {
    std::vector<double> volumes(triangulation.rows().size());
    const bool flat = triangulation.dimension() < triangulation.ambient_dimension();
    const std::vector<Vec3> basis = flat && triangulation.dimension() > 0
                                        ? directions(triangulation, triangulation.dimension())
                                        : std::vector<Vec3>();
    parallel_for(
        volumes.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t v = begin; v < end; ++v)
                volumes[v] = cell_in(triangulation, static_cast<Index>(v), clip, flat ? &basis : nullptr).volume;
        },
        256);
    return volumes;
}

}  // namespace scree::tri
