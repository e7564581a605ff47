#include "shape/patch.h"

#include <algorithm>
#include <cmath>

#include "geometry/gjk.h"
#include "shape/patch_weights.h"

namespace scree {
namespace {

// What a pair remembers: the kind of features and their vertices or face, packed into an integer that a double holds.
enum class Kind : int { none, face_a, face_b, vertices };
struct Feature64 {
    Kind kind = Kind::none;
    int a0 = 0, a1 = 0, b0 = 0, b1 = 0;  // face in a0 or b0; vertices, the same twice for one
};
double packed(const Feature64& f) {
    return static_cast<double>(
        (((static_cast<std::int64_t>(f.kind) * 4096 + f.a0) * 4096 + f.a1) * 4096 + f.b0) * 4096 + f.b1);
}
Feature64 unpacked(double value) {
    auto rest = static_cast<std::int64_t>(value);
    Feature64 f;
    f.b1 = static_cast<int>(rest % 4096);
    rest /= 4096;
    f.b0 = static_cast<int>(rest % 4096);
    rest /= 4096;
    f.a1 = static_cast<int>(rest % 4096);
    rest /= 4096;
    f.a0 = static_cast<int>(rest % 4096);
    rest /= 4096;
    f.kind = static_cast<Kind>(rest);
    return f;
}

struct Closest {
    Vec3 a, b, normal;  // normal from a to b
    double distance = 0;
    int face_a = -1, face_b = -1;  // where known
    int va[2], vb[2];              // vertices that carry the points, the same twice for one
};

struct Pair {
    const Piece &a, &b;
    const Pose &pa, &pb;
    double tolerance;

    Vec3 at_a(int v) const { return pa(a.vertex[static_cast<std::size_t>(v)]); }
    Vec3 at_b(int v) const { return pb(b.vertex[static_cast<std::size_t>(v)]); }
    int top_a(Vec3 n) const { return a.vertex.size() == 1 ? 0 : a.body.support(pa.rotation.transposed_times(n)).index; }
    int top_b(Vec3 n) const { return b.vertex.size() == 1 ? 0 : b.body.support(pb.rotation.transposed_times(n)).index; }
};

// A vertex of `other` over the inside of a face: the distance, whatever else the bodies look like.
bool over_face(const Piece& piece, const Pose& pose, int face, const Piece& other, const Pose& other_pose, int& vertex,
               Vec3& foot, Vec3& tip, Vec3& normal, double& distance) {
    const Face& f = piece.faces[static_cast<std::size_t>(face)];
    normal = pose.rotation * f.normal;
    const Vec3 down = other_pose.rotation.transposed_times(-normal);
    vertex = other.vertex.size() == 1 ? 0 : other.body.support(down).index;
    tip = other_pose(other.vertex[static_cast<std::size_t>(vertex)]);
    const Vec3 local = pose.rotation.transposed_times(tip - pose.position);
    distance = dot(f.normal, local) - pose.scale * f.offset;
    if (!(distance > 0)) return false;
    for (std::size_t k = 0; k < f.inward.size(); ++k)
        if (!(dot(f.inward[k], local) >= pose.scale * f.inward_offset[k])) return false;
    foot = tip - distance * normal;
    return true;
}

struct OnSegments {
    Vec3 p, q;
    double s, t;
};
// Closest points of two segments (or points), anywhere on them.
OnSegments closest_of_segments(Vec3 a0, Vec3 a1, Vec3 b0, Vec3 b1) {
    const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
    const double uu = norm2(u), vv = norm2(v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
    const auto clamped = [](double x) { return x < 0 ? 0.0 : x > 1 ? 1.0 : x; };
    double s, t;
    if (!(uu > 0)) {
        s = 0;
        t = vv > 0 ? clamped(vw / vv) : 0;
    } else if (!(vv > 0)) {
        t = 0;
        s = clamped(-uw / uu);
    } else {
        const double det = uu * vv - uv * uv;
        s = det > 1e-14 * uu * vv ? clamped((uv * vw - vv * uw) / det) : 0.5;
        t = (uv * s + vw) / vv;
        if (!(t >= 0 && t <= 1)) {
            t = clamped(t);
            s = clamped((uv * t - uw) / uu);
        }
    }
    return {a0 + s * u, b0 + t * v, s, t};
}

bool carried_by_vertices(const Pair& pair, const Feature64& f, Closest& out) {
    const Vec3 a0 = pair.at_a(f.a0), a1 = pair.at_a(f.a1), b0 = pair.at_b(f.b0), b1 = pair.at_b(f.b1);
    const OnSegments on = closest_of_segments(a0, a1, b0, b1);
    // At the end of a segment it is another feature that carries the point.
    if (f.a0 != f.a1 && !(on.s > 0 && on.s < 1)) return false;
    if (f.b0 != f.b1 && !(on.t > 0 && on.t < 1)) return false;
    const Vec3 d = on.q - on.p;
    const double length = norm(d);
    if (!(length > pair.tolerance)) return false;
    out.a = on.p;
    out.b = on.q;
    out.normal = d / length;
    out.distance = length;
    if (dot(pair.at_a(pair.top_a(out.normal)) - on.p, out.normal) > pair.tolerance) return false;
    if (dot(on.q - pair.at_b(pair.top_b(-out.normal)), out.normal) > pair.tolerance) return false;
    out.va[0] = f.a0;
    out.va[1] = f.a1;
    out.vb[0] = f.b0;
    out.vb[1] = f.b1;
    return true;
}

bool carried(const Pair& pair, const Feature64& f, Closest& out) {
    out.face_a = out.face_b = -1;
    int vertex;
    if (f.kind == Kind::face_a) {
        if (!over_face(pair.a, pair.pa, f.a0, pair.b, pair.pb, vertex, out.a, out.b, out.normal, out.distance))
            return false;
        out.face_a = f.a0;
        out.vb[0] = out.vb[1] = vertex;
        return true;
    }
    if (f.kind == Kind::face_b) {
        if (!over_face(pair.b, pair.pb, f.b0, pair.a, pair.pa, vertex, out.b, out.a, out.normal, out.distance))
            return false;
        out.normal = -out.normal;
        out.face_b = f.b0;
        out.va[0] = out.va[1] = vertex;
        return true;
    }
    return f.kind == Kind::vertices && carried_by_vertices(pair, f, out);
}

// Finds the features anew; false when the skeletons overlap.
bool search(const Pair& pair, double& feature, Closest& out) {
    Distance d;
    if (pair.pa.scale == 1 && pair.pb.scale == 1)
        d = distance(Placed<Polyhedron>(pair.a.body, pair.pa.rotation, pair.pa.position),
                     Placed<Polyhedron>(pair.b.body, pair.pb.rotation, pair.pb.position));
    else {
        Mat3 ma = pair.pa.rotation, mb = pair.pb.rotation;
        for (int k = 0; k < 3; ++k) {
            ma.row[k] *= pair.pa.scale;
            mb.row[k] *= pair.pb.scale;
        }
        d = distance(Placed<Polyhedron>::stretched(pair.a.body, ma, pair.pa.position),
                     Placed<Polyhedron>::stretched(pair.b.body, mb, pair.pb.position));
    }
    feature = 0;
    if (d.skeletons_overlap || d.relation != Relation::separated) return false;
    // Try the features that GJK points at, simplest first; parallel sides leave a choice.
    const Feature fa = d.feature_a(), fb = d.feature_b();
    const auto attempt = [&](const Feature64& f) {
        return carried(pair, f, out) && std::fabs(out.distance - d.gap) <= 4 * pair.tolerance &&
               (feature = packed(f), true);
    };
    Feature64 f;
    const auto face_of = [](const Piece& piece, const Feature& g) {
        return g.count >= 2 ? piece.face_with({g.vertex.data(), static_cast<std::size_t>(g.count)}) : -1;
    };
    const auto faces_near = [&](const Piece& piece, const Feature& g, Kind kind) {
        if (piece.dimension == 1 && piece.faces.size() == 1) return false;  // a rod has no side that faces anywhere
        const int exact = g.count >= 3 || piece.faces[0].corners.size() == 2 ? face_of(piece, g) : -1;
        if (exact < 0) return false;
        f.kind = kind;
        f.a0 = f.a1 = f.b0 = f.b1 = 0;
        (kind == Kind::face_a ? f.a0 : f.b0) = exact;
        return attempt(f);
    };
    if (!pair.a.faces.empty() && faces_near(pair.a, fa, Kind::face_a)) return true;
    if (!pair.b.faces.empty() && faces_near(pair.b, fb, Kind::face_b)) return true;
    f.kind = Kind::vertices;
    for (int i = 0; i < fa.count; ++i)
        for (int j = i; j < fa.count; ++j)
            for (int k = 0; k < fb.count; ++k)
                for (int l = k; l < fb.count; ++l) {
                    f.a0 = fa.vertex[static_cast<std::size_t>(i)];
                    f.a1 = fa.vertex[static_cast<std::size_t>(j)];
                    f.b0 = fb.vertex[static_cast<std::size_t>(k)];
                    f.b1 = fb.vertex[static_cast<std::size_t>(l)];
                    if (attempt(f)) return true;
                }
    // Parallel edges and the like, on the border of every feature: GJK's own answer.
    out.face_a = out.face_b = -1;
    out.a = d.point_a;
    out.b = d.point_b;
    out.normal = d.normal;
    out.distance = d.gap;
    out.va[0] = fa.vertex[0];
    out.va[1] = fa.vertex[fa.count > 1 ? 1 : 0];
    out.vb[0] = fb.vertex[0];
    out.vb[1] = fb.vertex[fb.count > 1 ? 1 : 0];
    return true;
}

// The side that faces `direction` (in the world) best among those that hold the vertices; -1 if none does at all.
int facing(const Piece& piece, const Pose& pose, const int (&vertices)[2], Vec3 direction) {
    if (piece.faces.empty()) return -1;
    if (piece.faces.size() == 1) return 0;
    const Vec3 local = pose.rotation.transposed_times(direction);
    int best = -1;
    double most = 0.3;
    for (const int f : piece.faces_at[static_cast<std::size_t>(vertices[0])]) {
        const Face& face = piece.faces[static_cast<std::size_t>(f)];
        const double along = dot(face.normal, local);
        if (!(along > most)) continue;
        if (vertices[1] != vertices[0] &&
            std::find(face.corners.begin(), face.corners.end(), vertices[1]) == face.corners.end())
            continue;
        most = along;
        best = f;
    }
    return best;
}

struct Corner {
    Vec3 x;
    std::uint8_t before, after;  // edges of the polygon that meet here: of the subject 0..., of the clipper 128...
};

void single(const Closest& c, Patch& out) {
    out.count = 1;
    out.point[0] = {c.a, c.b, -c.normal, c.distance, 1, 1};
}

// Rods beside each other: the closest points, and the ends of the stretch where they run side by side.
void beside(const Pair& pair, const Closest& c, double reach, Patch& out) {
    const Vec3 a0 = pair.at_a(0), a1 = pair.at_a(1), b0 = pair.at_b(0), b1 = pair.at_b(1);
    const Vec3 u = a1 - a0, v = b1 - b0;
    single(c, out);
    const double square_sine = norm2(cross(u, v)) / (norm2(u) * norm2(v));
    if (square_sine > 0.04) return;
    double from = dot(a0 - b0, v) / norm2(v), to = dot(a1 - b0, v) / norm2(v);
    if (from > to) std::swap(from, to);
    from = from < 0 ? 0 : from;
    to = to > 1 ? 1 : to;
    if (!(to > from)) return;
    // The closest point of parallel rods is anywhere: it fades as the angle passes the one at which it runs to the
    // ends.
    const double crossing = square_sine / (square_sine + 4e-4), ends = 0.5 * (1 - crossing);
    out.point[0].weight = crossing;
    std::uint32_t key = 2;
    for (const double t : {from, to}) {
        const Vec3 q = b0 + t * v;
        const OnSegments on = closest_of_segments(a0, a1, q, q);
        const double gap = norm(on.p - q);
        if (gap < reach && gap > 0) out.point[out.count++] = {on.p, q, (on.p - q) / gap, gap, ends, key};
        ++key;
    }
}

// Cuts the subject (a side of one piece) by the planes that stand on the edges of the clipper along n.
int clip(const Vec3* subject, int n_subject, const Vec3* clipper, int n_clipper, Vec3 up, Corner* out) {
    constexpr int room = Patch::most;
    thread_local Corner
        buffer[2][room];  // not on the stack: vectors there are cleared first, at the price of the whole clip
    int count = n_subject;
    for (int k = 0; k < n_subject; ++k)
        buffer[0][k] = {subject[k], static_cast<std::uint8_t>((k + n_subject - 1) % n_subject),
                        static_cast<std::uint8_t>(k)};
    int current = 0;
    const bool open = n_subject == 2;
    for (int e = 0; e < n_clipper; ++e) {
        const Vec3 p = clipper[e], q = clipper[(e + 1) % n_clipper], along = q - p;
        const Vec3 in = n_clipper == 2 ? along - dot(along, up) * up : cross(up, along);
        const auto label = static_cast<std::uint8_t>(128 + e);
        const Corner* from = buffer[current];
        Corner* to = buffer[1 - current];
        int kept = 0;
        double height[room];
        for (int k = 0; k < count; ++k) height[k] = dot(in, from[k].x - p);
        for (int k = 0; k < count && kept < room - 2; ++k) {
            const int next = (k + 1) % count;
            const bool inside = height[k] >= 0;
            if (inside) to[kept++] = from[k];
            if (open && k == 1) break;
            if (inside != (height[next] >= 0)) {
                const double s = height[k] / (height[k] - height[next]);
                const Vec3 x = from[k].x + s * (from[next].x - from[k].x);
                // Leaving: the edge of the subject is followed by that of the clipper; entering: the other way round.
                if (inside)
                    to[kept++] = {x, from[k].after, label};
                else
                    to[kept++] = {x, label, from[k].after};
            }
        }
        // After a corner where the polygon left, the next corner comes by the clipper's edge.
        for (int k = 0; k < kept && !open; ++k)
            if (to[k].after == label) to[(k + 1) % kept].before = label;
        current = 1 - current;
        count = kept;
        if (count == 0) return 0;
    }
    std::copy(buffer[current], buffer[current] + count, out);
    return count;
}

void flat(const Pair& pair, const Closest& c, double reach, int dimension, Patch& out) {
    const int fa = c.face_a >= 0 ? c.face_a : facing(pair.a, pair.pa, c.va, c.normal);
    const int fb = c.face_b >= 0 ? c.face_b : facing(pair.b, pair.pb, c.vb, -c.normal);
    if (fa < 0 || fb < 0) return single(c, out);
    const Face &face_a = pair.a.faces[static_cast<std::size_t>(fa)],
               &face_b = pair.b.faces[static_cast<std::size_t>(fb)];
    // Of the corners of large faces every second, third, ... one, always the same.
    constexpr int most_corners = Patch::most / 2;
    const auto thinned = [](const Face& face) {
        return (static_cast<int>(face.corners.size()) + most_corners - 1) / most_corners;
    };
    const int every_a = thinned(face_a), every_b = thinned(face_b);
    const int na = (static_cast<int>(face_a.corners.size()) + every_a - 1) / every_a,
              nb = (static_cast<int>(face_b.corners.size()) + every_b - 1) / every_b;
    // Only corners this near the top of their body can touch; one alone is the closest point itself.
    thread_local Vec3 polygon_a[most_corners], polygon_b[most_corners];
    const double window = reach - c.distance, top_a = dot(c.a, c.normal), top_b = dot(c.b, c.normal);
    int near_a = 0, near_b = 0;
    for (int k = 0; k < na; ++k) {
        polygon_a[k] = pair.at_a(face_a.corners[static_cast<std::size_t>(k * every_a)]);
        near_a += top_a - dot(polygon_a[k], c.normal) < window;
    }
    if (near_a < 2) return single(c, out);
    for (int k = 0; k < nb; ++k) {
        polygon_b[k] = pair.at_b(face_b.corners[static_cast<std::size_t>(k * every_b)]);
        near_b += dot(polygon_b[k], c.normal) - top_b < window;
    }
    if (near_b < 2) return single(c, out);

    thread_local Corner corners[Patch::most];
    const bool a_is_subject = na == 2 && nb > 2;
    const int n = a_is_subject ? clip(polygon_a, na, polygon_b, nb, -c.normal, corners)
                               : clip(polygon_b, nb, polygon_a, na, c.normal, corners);
    if (n == 0) return single(c, out);
    // Heights over the clipper's plane along n; an edge in the plane stands for the plane through it across the edge.
    const Face& base = a_is_subject ? face_b : face_a;
    const Pose& base_pose = a_is_subject ? pair.pb : pair.pa;
    const Vec3 plane = base_pose.rotation * base.normal, origin = a_is_subject ? polygon_b[0] : polygon_a[0];
    const double slope = dot(plane, c.normal);
    if (!(std::fabs(slope) > 0.25)) return single(c, out);
    const std::uint32_t faces =
        (static_cast<std::uint32_t>(fa & 255) << 24) | (static_cast<std::uint32_t>(fb & 255) << 16);
    thread_local PatchPoint points[Patch::most];
    for (int k = 0; k < n; ++k) {
        const Vec3 x = corners[k].x, partner = x + (dot(plane, origin - x) / slope) * c.normal;
        const Vec3 a = a_is_subject ? x : partner, b = a_is_subject ? partner : x;
        points[k] = {a,         b,
                     -c.normal, dot(b - a, c.normal),
                     1,         faces | (static_cast<std::uint32_t>(corners[k].before) << 8) | corners[k].after};
    }
    share_weights(points, n, 0.5 * std::fmin(pair.a.reach * pair.pa.scale, pair.b.reach * pair.pb.scale),
                  [&](int k) { return reach - points[k].gap; });
    for (int k = 0; k < n; ++k)
        if (points[k].gap < reach && points[k].gap > 0) out.point[out.count++] = points[k];
    if (out.count == 0) single(c, out);
    (void)dimension;
}

}  // namespace

void find_patch(const Piece& a, const Pose& pose_a, const Piece& b, const Pose& pose_b, double reach, int dimension,
                double& feature, Patch& out) {
    out.count = 0;
    out.overlap = out.searched = false;
    Closest c;
    if (a.dimension <= 1 && b.dimension <= 1) {
        const Pair pair{a, b, pose_a, pose_b, 0};
        const int last_a = a.dimension, last_b = b.dimension;
        const OnSegments on = closest_of_segments(pair.at_a(0), pair.at_a(last_a), pair.at_b(0), pair.at_b(last_b));
        c.a = on.p;
        c.b = on.q;
        c.distance = norm(on.q - on.p);
        c.va[0] = c.va[1] = on.s > 0.5 ? last_a : 0;
        c.vb[0] = c.vb[1] = on.t > 0.5 ? last_b : 0;
        out.distance = c.distance;
        if (!(c.distance > 0)) return void(out.overlap = true);
        c.normal = (on.q - on.p) / c.distance;
        if (!(c.distance < reach)) return;
        if (a.dimension == 0 || b.dimension == 0) return single(c, out);
        if (dimension == 3) return beside(pair, c, reach, out);
        if (on.s > 0 && on.s < 1) c.va[1] = last_a - c.va[0];
        if (on.t > 0 && on.t < 1) c.vb[1] = last_b - c.vb[0];
        return flat(pair, c, reach, dimension, out);
    }
    const Pair pair{
        a, b, pose_a, pose_b,
        1e-13 * (a.reach * pose_a.scale + b.reach * pose_b.scale + norm(pose_b.position - pose_a.position))};
    const bool known = feature != 0 && carried(pair, unpacked(feature), c);
    if (!known) {
        out.searched = true;
        if (!search(pair, feature, c)) {
            out.distance = 0;
            out.overlap = true;
            return;
        }
    }
    out.distance = c.distance;
    if (!(c.distance < reach)) return;
    flat(pair, c, reach, dimension, out);
}

}  // namespace scree
