#include "wall/rim_points.h"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

constexpr double at_end = 1e-9;   // of an edge: nearer to its end than this is its corner
constexpr double slanted = 0.05;  // sine of the angle from which on a crossing of two lines counts in full
constexpr int posts = 12;         // on a circle under a side that lies flat on it

struct Edge {
    Vec3 from, along;  // along: to the other end
    Vec3 at(double t) const { return from + t * along; }
};

class Offer {
  public:
    Offer(const Piece& piece, const std::vector<Vec3>& vertex, const Surface& surface, const ConvexPart& part,
          double reach, std::vector<RimPoint>& out)
        : piece_(piece),
          vertex_(vertex),
          surface_(surface),
          part_(part),
          reach_(reach),
          out_(out) {}

    void all() {
        for (std::size_t e = 0; e < piece_.edges.size(); ++e) {
            const Vec3 from = corner(piece_.edges[e][0]);
            over_edge({from, corner(piece_.edges[e][1]) - from}, static_cast<std::uint32_t>(e));
        }
        if (piece_.dimension < 2 || piece_.faces[0].corners.size() < 3) return;
        for (std::size_t f = 0; f < piece_.faces.size(); ++f)
            over_face(piece_.faces[f], static_cast<std::uint32_t>(0x8000u + f));
    }

  private:
    Vec3 corner(int k) const { return vertex_[static_cast<std::size_t>(k)]; }

    void add(Vec3 p, double weight, std::uint32_t side, std::uint32_t branch) {
        if (!(weight > 0)) return;
        // Beside the numbers of corners, which leave the highest bit free.
        const std::uint64_t name = mix(mix(static_cast<std::uint64_t>(part_.number) << 32 | side) + branch);
        out_.push_back({p, weight, part_.feature, 0x80000000u | static_cast<std::uint32_t>(name >> 33)});
    }
    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }
    static bool inside(double t) { return t > at_end && t < 1 - at_end; }
    static double share(double sine2) { return std::fmin(1.0, sine2 / (slanted * slanted)); }

    void over_edge(const Edge& edge, std::uint32_t side) {
        const double length2 = norm2(edge.along);
        const auto near_point = [&](Vec3 c, double within) {
            const double t = dot(c - edge.from, edge.along) / length2;
            if (inside(t) && norm2(edge.at(t) - c) < within * within) add(edge.at(t), 1, side, 0);
        };
        switch (part_.kind) {
            case ConvexPart::Kind::point:
                near_point(part_.a, reach_);
                break;
            case ConvexPart::Kind::ball:
                near_point(part_.a, reach_ + part_.radius);
                break;
            case ConvexPart::Kind::segment: {
                const Vec3 line = part_.b - part_.a, w = edge.from - part_.a;
                const double b = dot(edge.along, line), d = norm2(line), sine2 = 1 - b * b / (length2 * d);
                if (!(sine2 > 1e-12)) break;
                const double t = (b * dot(w, line) - d * dot(w, edge.along)) / (length2 * d * sine2),
                             s = (length2 * dot(w, line) - b * dot(w, edge.along)) / (length2 * d * sine2);
                if (inside(t) && s >= 0 && s <= 1 && norm2(edge.at(t) - part_.a - s * line) < reach_ * reach_)
                    add(edge.at(t), share(sine2), side, 0);
                break;
            }
            case ConvexPart::Kind::circle:
                over_circle(edge, side);
                break;
            case ConvexPart::Kind::turned:
                outside_turned(edge, side);
                break;
        }
    }

    double height(Vec3 p) const { return dot(p - part_.a, part_.b); }
    double to_circle2(Vec3 p) const {
        const double h = height(p);
        const Vec3 radial = p - part_.a - h * part_.b;
        const double beside = norm(radial) - part_.radius;
        return h * h + beside * beside;
    }

    // The least value of a function on [low, high] that falls and then rises there.
    template <class F>
    static double lowest(F&& f, double low, double high) {
        constexpr double golden = 0.6180339887498949;
        double t1 = high - golden * (high - low), t2 = low + golden * (high - low), f1 = f(t1), f2 = f(t2);
        for (int k = 0; k < 48; ++k) {
            if (f1 < f2) {
                high = t2;
                t2 = t1;
                f2 = f1;
                t1 = high - golden * (high - low);
                f1 = f(t1);
            } else {
                low = t1;
                t1 = t2;
                f1 = f2;
                t2 = low + golden * (high - low);
                f2 = f(t2);
            }
        }
        return 0.5 * (low + high);
    }

    // On each side of the point nearest to the axis an edge comes close to the circle once at most.
    void over_circle(const Edge& edge, std::uint32_t side) {
        const Vec3 w = edge.from - part_.a, flat = edge.along - dot(edge.along, part_.b) * part_.b;
        const double across = norm2(flat), middle = across > 0 ? std::clamp(-dot(w, flat) / across, 0.0, 1.0) : 0;
        const auto distance2 = [&](double t) { return to_circle2(edge.at(t)); };
        for (const std::uint32_t branch : {0u, 1u}) {
            const double low = branch ? middle : 0, high = branch ? 1 : middle;
            if (!(high - low > at_end)) continue;
            const double t = crossing(low, high, distance2);
            // The foot of the axis' perpendicular is a place for the one branch only that comes nearer.
            if (!inside(t) || t < low + 1e-6 * (high - low) || t > high - 1e-6 * (high - low) ||
                !(distance2(t) < reach_ * reach_))
                continue;
            // Where the edge runs along the rim the place is not well defined.
            const Vec3 p = edge.at(t), radial = p - part_.a - height(p) * part_.b, tangent = cross(part_.b, radial);
            const double c = dot(tangent, edge.along);
            add(p, share(1 - c * c / (norm2(tangent) * norm2(edge.along))), side, branch);
        }
    }
    template <class F>
    static double crossing(double low, double high, F&& f) {
        // The distance may have two valleys on a long edge that leans: take the deepest of a few.
        constexpr int parts = 6;
        int best = 0;
        double least = f(low);
        for (int k = 1; k <= parts; ++k)
            if (const double here = f(low + (high - low) * k / parts); here < least) {
                least = here;
                best = k;
            }
        const double step = (high - low) / parts;
        return lowest(f, std::fmax(low, low + (best - 1) * step), std::fmin(high, low + (best + 1) * step));
    }

    // From outside a cylinder or cone is convex: along an edge the distance has one lowest point.
    void outside_turned(const Edge& edge, std::uint32_t side) {
        const auto outwards = [&](Vec3 p) {
            const Foot foot = surface_.foot(0, p);
            const Vec3 radial = foot.point - part_.a - dot(foot.point - part_.a, part_.b) * part_.b;
            return dot(foot.normal, radial) > 0 && !foot.rim;
        };
        const auto distance = [&](double t) { return surface_.foot(0, edge.at(t)).distance; };
        const Vec3 w = edge.from - part_.a, flat = edge.along - dot(edge.along, part_.b) * part_.b;
        const double across = norm2(flat);
        if (!(across > 0)) return;
        // From inside, the point nearest to the axis is inside too.
        if (const double middle = std::clamp(-dot(w, flat) / across, 0.0, 1.0); !outwards(edge.at(middle))) return;
        const double t = lowest(distance, 0, 1);
        if (inside(t) && outwards(edge.at(t)) && distance(t) < reach_)
            add(edge.at(t), share(across / norm2(edge.along)), side, 0);
    }

    void over_face(const Face& face, std::uint32_t side) {
        const Vec3 origin = corner(face.corners[0]);
        // Turned with the body: the normal from the corners, which are in the wall's coordinates.
        Vec3 normal;
        for (std::size_t k = 1; k + 1 < face.corners.size(); ++k)
            normal += cross(corner(face.corners[k]) - origin, corner(face.corners[k + 1]) - origin);
        normal = normalized(normal);
        const auto project = [&](Vec3 c, double within, double weight, std::uint32_t branch) {
            const double h = dot(c - origin, normal);
            if (!(std::fabs(h) < within)) return;
            const Vec3 p = c - h * normal;
            for (std::size_t k = 0; k < face.corners.size(); ++k) {
                const Vec3 a = corner(face.corners[k]), b = corner(face.corners[(k + 1) % face.corners.size()]);
                if (!(dot(cross(b - a, p - a), normal) > 0)) return;
            }
            add(p, weight, side, branch);
        };
        switch (part_.kind) {
            case ConvexPart::Kind::point:
                project(part_.a, reach_, 1, 0);
                break;
            case ConvexPart::Kind::ball:
                project(part_.a, reach_ + part_.radius, 1, 0);
                break;
            case ConvexPart::Kind::segment:
            case ConvexPart::Kind::turned:
                break;
            case ConvexPart::Kind::circle: {
                const Vec3 leaning = normal - dot(normal, part_.b) * part_.b;
                const double lean = norm(leaning);
                // The point of the circle that goes deepest into a side that leans, posts under one that lies flat.
                if (lean > 0) project(part_.a - (part_.radius / lean) * leaning, reach_, share(lean * lean), 0);
                const Vec3 u = perpendicular(part_.b), v = cross(part_.b, u);
                if (!(lean * part_.radius < reach_)) break;
                for (int k = 0; k < posts; ++k) {
                    // Twelfths of a turn: sines and cosines 0, 1/2, sqrt(3)/2, 1.
                    static const double root = 0.5 * std::sqrt(3.0),
                                        sine[posts] = {0, 0.5, root, 1, root, 0.5, 0, -0.5, -root, -1, -root, -0.5};
                    project(part_.a + part_.radius * (sine[(k + 3) % posts] * u + sine[k] * v), reach_, 1,
                            static_cast<std::uint32_t>(1 + k));
                }
                break;
            }
        }
    }

    const Piece& piece_;
    const std::vector<Vec3>& vertex_;
    const Surface& surface_;
    const ConvexPart& part_;
    double reach_;
    std::vector<RimPoint>& out_;
};

}  // namespace

bool is_near(const Surface& surface, const ConvexPart& part, Vec3 x, double reach) {
    switch (part.kind) {
        case ConvexPart::Kind::point:
            return norm2(x - part.a) < reach * reach;
        case ConvexPart::Kind::ball:
            return norm2(x - part.a) < (reach + part.radius) * (reach + part.radius);
        case ConvexPart::Kind::segment: {
            const Vec3 line = part.b - part.a;
            const double s = std::clamp(dot(x - part.a, line) / norm2(line), 0.0, 1.0);
            return norm2(x - part.a - s * line) < reach * reach;
        }
        case ConvexPart::Kind::circle: {
            const double h = dot(x - part.a, part.b), beside = norm(x - part.a - h * part.b) - part.radius;
            return h * h + beside * beside < reach * reach;
        }
        case ConvexPart::Kind::turned: {
            // A convex body whose center is inside is inside.
            const Foot foot = surface.foot(0, x);
            return foot.distance < reach &&
                   dot(foot.normal, foot.point - part.a - dot(foot.point - part.a, part.b) * part.b) > 0;
        }
    }
    return false;
}

void rim_points(const Piece& piece, const std::vector<Vec3>& vertex, const Surface& surface, const ConvexPart& part,
                double reach, std::vector<RimPoint>& out) {
    Offer(piece, vertex, surface, part, reach, out).all();
}

}  // namespace scree
