#include "shape/drawn_in.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/gjk.h"
#include "math/elementary.h"
#include "shape/half_spaces.h"
#include "shape/mass.h"
#include "shape/piece.h"

namespace scree {
namespace {

constexpr double most_lost = 0.1;    // part of the volume
constexpr double most_reach = 2;     // radii: slivers along a piece that is drawn in stick out by less
constexpr double may_stick = 0.01;   // radii that a rounded piece may stick out of the body
constexpr double near_plane = 1e-6;  // of the size of the body: cuts are in one plane up to this
constexpr int steps_back = 4;        // from the cut to where the piece would end were it a side of the body
constexpr int most_rounds = 64;
constexpr double most_on_edge = 24;  // points of an edge that are looked at
constexpr int directions = 64;       // in which a ball is looked at

struct Thin {
    double radius;  // with which it would be kept
    double volume, reach;
};

struct Neighbor {
    std::size_t part, face;
};

struct Skeleton {
    std::vector<double> out;        // how far each face of the piece is moved outwards
    std::vector<HalfSpace> beside;  // sides of neighbors that cut it off as well
    Inscribed ball;
    std::vector<Vec3> corners;  // none: the piece is lost
};

struct Part {
    Piece whole;
    std::vector<bool> inner;  // of each face: other pieces lie against all of it
    std::vector<std::vector<Neighbor>> across;
    Skeleton skeleton;
};

double height(const Face& face, Vec3 x) { return dot(face.normal, x) - face.offset; }

double height(const Piece& piece, Vec3 x) {
    double most = -forever;
    for (const Face& face : piece.faces) most = std::fmax(most, height(face, x));
    return most;
}

class Drawing {
  public:
    Drawing(const std::vector<std::vector<Vec3>>& pieces, double radius) : radius_(radius), slack_(may_stick * radius) {
        for (const std::vector<Vec3>& cloud : pieces) parts_.push_back({make_piece(cloud, 0, 3), {}, {}, {}});
        Vec3 low = pieces[0][0], high = low;
        for (const Part& part : parts_)
            for (const Vec3 v : part.whole.vertex)
                for (int axis = 0; axis < 3; ++axis) {
                    low[axis] = std::fmin(low[axis], v[axis]);
                    high[axis] = std::fmax(high[axis], v[axis]);
                }
        size_ = norm(high - low);
        for (int k = 0; k < directions; ++k) {  // a spiral from pole to pole, turned by the golden angle
            const double z = 1 - (2 * k + 1.0) / directions, across = std::sqrt(1 - z * z);
            const SinCos at = same_sincos(2.399963229728653 * k);
            around_.push_back({across * at.cos, across * at.sin, z});
        }
    }

    std::vector<Part>& run() {
        for (std::size_t p = 0; p < parts_.size(); ++p) look_around(p);
        for (Part& part : parts_)
            if (part.whole.dimension == 3) settle(part, part.skeleton, true);
        meet_those_that_end_early();
        return parts_;
    }

    // The largest radius with which the piece would be kept.
    double fitting(const Part& part) const {
        if (part.whole.dimension < 3) return 0;
        double low = inscribed_ball(part.whole.vertex, 3).radius, high = radius_;
        for (int k = 0; k < 24 && high - low > 1e-6 * high; ++k) {
            const double middle = 0.5 * (low + high);
            (inscribed_ball(sides(part, part.skeleton, middle), part.whole.middle, part.whole.reach).radius >
                     1e-9 * middle
                 ? low
                 : high) = middle;
        }
        return low;
    }

  private:
    // Which faces lie against other pieces, and against which of theirs.
    void look_around(std::size_t number) {
        Part& part = parts_[number];
        const double push = std::fmin(near_plane * size_, slack_);
        for (const Face& face : part.whole.faces) {
            bool covered = part.whole.dimension == 3;
            std::vector<std::size_t> by;
            for (std::size_t k = 1; k + 1 < face.corners.size() && covered; ++k) {
                const Vec3 a = part.whole.vertex[static_cast<std::size_t>(face.corners[0])],
                           b = part.whole.vertex[static_cast<std::size_t>(face.corners[k])],
                           c = part.whole.vertex[static_cast<std::size_t>(face.corners[k + 1])];
                constexpr int n = 4;
                for (int i = 0; i < n && covered; ++i)
                    for (int j = 0; i + j < n && covered; ++j)
                        for (int upper = 0; upper < 2 && i + j + upper < n && covered;
                             ++upper) {  // middles of the n^2 triangles of each
                            const double u = (i + (1 + upper) / 3.0) / n, v = (j + (1 + upper) / 3.0) / n;
                            const Vec3 at = a + u * (b - a) + v * (c - a) + push * face.normal;
                            bool held = false;
                            for (std::size_t q = 0; q < parts_.size(); ++q) {
                                if (q == number || !holds(parts_[q].whole, at)) continue;
                                held = true;
                                if (std::find(by.begin(), by.end(), q) == by.end()) by.push_back(q);
                            }
                            covered = held;
                        }
            }
            part.inner.push_back(covered);
            part.skeleton.out.push_back(covered ? 0 : -radius_);
            part.across.emplace_back();
            if (!covered) continue;
            for (const std::size_t q : by)
                for (std::size_t g = 0; g < parts_[q].whole.faces.size(); ++g) {
                    const Face& other = parts_[q].whole.faces[g];
                    if (dot(face.normal, other.normal) < -1 + near_plane &&
                        std::fabs(face.offset + other.offset) < near_plane * size_)
                        part.across.back().push_back({q, g});
                }
        }
    }

    // Whether the point is in the piece, or above it by less than may stick out.
    bool holds(const Piece& piece, Vec3 x) const {
        if (piece.dimension < 3 || norm(x - piece.middle) > piece.reach + slack_) return false;
        const double above = height(piece, x);
        return above <= 0 || (above <= slack_ && distance(piece.body, PointBody(x)).gap <= slack_);
    }

    // Pieces that a ball of the rounding radius may reach into.
    std::vector<const Part*> parts_near(Vec3 center) const {
        std::vector<const Part*> near;
        for (const Part& part : parts_)
            if (part.whole.dimension == 3 && norm(center - part.whole.middle) <= part.whole.reach + radius_ + slack_ &&
                height(part.whole, center) <= radius_ + slack_)
                near.push_back(&part);
        return near;
    }

    std::vector<HalfSpace> sides(const Part& part, const Skeleton& skeleton, double radius) const {
        std::vector<HalfSpace> all;
        for (std::size_t f = 0; f < part.whole.faces.size(); ++f) {
            const Face& face = part.whole.faces[f];
            all.push_back({face.normal, face.offset + skeleton.out[f] * (radius / radius_)});
        }
        for (const HalfSpace& side : skeleton.beside) all.push_back({side.normal, side.offset - radius});
        return all;
    }

    bool find_corners(const Part& part, Skeleton& skeleton) const {
        const std::vector<HalfSpace> all = sides(part, skeleton, radius_);
        double depth = forever;
        for (const HalfSpace& side : all)
            depth = std::fmin(depth, side.offset - dot(side.normal, skeleton.ball.center));
        // Most changes leave the middle inside.
        if (skeleton.corners.empty() || depth < 0.25 * skeleton.ball.radius) {
            Vec3 start;
            for (const Vec3 v : part.whole.vertex) start += (1.0 / static_cast<double>(part.whole.vertex.size())) * v;
            skeleton.ball = inscribed_ball(all, start, part.whole.reach);
        }
        skeleton.corners.clear();
        if (skeleton.ball.radius > 1e-9 * radius_) skeleton.corners = common_corners(all, skeleton.ball.center, 3);
        return !skeleton.corners.empty();
    }

    // Points of the skeleton whose balls may stick out: corners, and those of faces against other pieces, about a
    // radius apart along their edges and halfway to their middles.
    std::vector<Vec3> ends(const Part& part, const Skeleton& skeleton) const {
        std::vector<Vec3> points = skeleton.corners;
        for (std::size_t f = 0; f < part.whole.faces.size(); ++f) {
            if (!part.inner[f]) continue;
            std::vector<Vec3> on;
            for (const Vec3 c : skeleton.corners)
                if (height(part.whole.faces[f], c) > skeleton.out[f] - near_plane * size_) on.push_back(c);
            if (on.size() < 2) continue;
            const Piece polygon = make_piece(on, 0, 3);
            for (const auto& [i, j] : polygon.edges) {
                const Vec3 a = polygon.vertex[static_cast<std::size_t>(i)],
                           b = polygon.vertex[static_cast<std::size_t>(j)];
                const int count = static_cast<int>(std::fmin(most_on_edge, std::ceil(norm(b - a) / radius_)));
                for (int k = 0; k < count; ++k) {
                    const Vec3 at = a + ((k + 0.5) / count) * (b - a);
                    points.push_back(at);
                    points.push_back(0.5 * (at + polygon.middle));
                }
            }
            points.push_back(polygon.middle);
        }
        return points;
    }

    // Of the faces that may be moved back, the one that x is farthest beyond; their number when there is none.
    std::size_t face_passed(const Part& part, const Skeleton& skeleton, Vec3 x) const {
        std::size_t best = part.whole.faces.size();
        double most = 0;
        for (std::size_t f = 0; f < part.whole.faces.size(); ++f)
            if (const double above = height(part.whole.faces[f], x);
                part.inner[f] && skeleton.out[f] > -radius_ && above > most) {
                most = above;
                best = f;
            }
        return best;
    }

    // Changes the skeleton until no ball along it sticks out of the body; without `may_yield` no face is moved for
    // that, and false is told.
    bool settle(const Part& part, Skeleton& skeleton, bool may_yield) const {
        double step = radius_ / steps_back;
        Skeleton before;
        for (int round = 0;; ++round) {
            if (!find_corners(part, skeleton)) {
                // What is thin may still be left after a shorter step.
                if (before.corners.empty() || step < 0.01 * radius_) return false;
                skeleton = before;
                step *= 0.5;
                if (!find_corners(part, skeleton)) return false;
            }
            std::vector<HalfSpace> cut;
            std::vector<bool> back(part.whole.faces.size());
            bool fits = true;
            for (const Vec3 at : ends(part, skeleton)) {
                bool passes = false;
                for (std::size_t f = 0; f < part.whole.faces.size(); ++f)
                    passes |= part.inner[f] && height(part.whole.faces[f], at) > -radius_;
                if (!passes) continue;
                const std::vector<const Part*> near = parts_near(at);
                const auto body_holds = [&](Vec3 x) {
                    return std::any_of(near.begin(), near.end(),
                                       [&](const Part* other) { return holds(other->whole, x); });
                };
                const auto yield_at = [&](Vec3 x) {
                    const std::size_t f = face_passed(part, skeleton, x);
                    if (f < back.size() && !back[f] && !body_holds(x)) {
                        back[f] = true;
                        fits = false;
                    }
                };
                bool is_cut = false;
                for (const Part* other : near) {
                    if (other == &part) continue;
                    for (std::size_t g = 0; g < other->whole.faces.size(); ++g) {
                        const Face& side = other->whole.faces[g];
                        if (other->inner[g] || height(side, at) + radius_ <= slack_ ||
                            body_holds(at + radius_ * side.normal))
                            continue;
                        // The whole piece below it: then it is a side of both.
                        if (!has(skeleton, side) &&
                            std::all_of(part.whole.vertex.begin(), part.whole.vertex.end(),
                                        [&](Vec3 v) { return height(side, v) < near_plane * size_; })) {
                            cut.push_back({side.normal, side.offset});
                            is_cut = true;
                            fits = false;
                        } else
                            yield_at(at + radius_ * side.normal);
                    }
                }
                if (is_cut) continue;
                for (const Vec3 u : around_) yield_at(at + radius_ * u);
            }
            if (fits) return true;
            if (cut.empty() && !may_yield) return false;
            // A side that cuts one corner off may do for others: see what is left.
            if (round >= most_rounds) {
                if (!may_yield) return false;
                std::fill(skeleton.out.begin(), skeleton.out.end(), -radius_);
                skeleton.beside.clear();
                find_corners(part, skeleton);
                return true;
            }
            before = skeleton;
            for (const HalfSpace& side : cut)
                if (!has(skeleton, side)) skeleton.beside.push_back(side);
            if (!cut.empty()) continue;
            for (std::size_t f = 0; f < back.size(); ++f)
                if (back[f]) skeleton.out[f] = std::fmax(-radius_, skeleton.out[f] - step);
        }
        return false;
    }

    template <class Side>
    static bool has(const Skeleton& skeleton, const Side& side) {
        const auto same = [&](const HalfSpace& s) {
            return s.normal.x == side.normal.x && s.normal.y == side.normal.y && s.normal.z == side.normal.z &&
                   s.offset == side.offset;
        };
        return std::any_of(skeleton.beside.begin(), skeleton.beside.end(), same);
    }

    void meet_those_that_end_early() {
        std::vector<std::vector<double>> out;
        for (const Part& part : parts_) out.push_back(part.skeleton.out);
        for (Part& part : parts_)
            for (std::size_t f = 0; f < part.whole.faces.size() && !part.skeleton.corners.empty(); ++f) {
                if (!part.inner[f] || part.skeleton.out[f] < 0) continue;
                double apart = 0;
                for (const Neighbor& n : part.across[f])
                    if (!parts_[n.part].skeleton.corners.empty()) apart = std::fmax(apart, -out[n.part][n.face]);
                for (const double share : {1.0, 0.5}) {
                    Skeleton longer = part.skeleton;
                    longer.out[f] = share * apart;
                    if (!(apart > 0) || !settle(part, longer, false)) continue;
                    part.skeleton = std::move(longer);
                    break;
                }
            }
    }

    double radius_, slack_, size_ = 0;
    std::vector<Part> parts_;
    std::vector<Vec3> around_;
};

double reach_of(const std::vector<Vec3>& corners, const std::vector<Polyhedron>& kept, double radius) {
    double reach = 0;
    for (const Vec3 corner : corners) {
        double nearest = forever;
        for (const Polyhedron& body : kept)
            nearest = std::fmin(nearest, distance(body, PointBody(corner)).gap - radius);
        reach = std::fmax(reach, nearest);
    }
    return reach;
}

}  // namespace

DrawnIn drawn_in(const std::vector<std::vector<Vec3>>& pieces, double radius) {
    DrawnIn out;
    Drawing drawing(pieces, radius);
    double whole = 0, lost = 0;
    std::vector<const Part*> gone;
    std::vector<Polyhedron> kept;
    std::vector<double> volumes;
    for (Part& part : drawing.run()) {
        const double volume = moments_of(part.whole, 3).volume;
        whole += volume;
        if (std::vector<Vec3>& inner = part.skeleton.corners; !inner.empty()) {
            kept.emplace_back(inner);
            out.clouds.push_back(inner);
        } else {
            lost += volume;
            gone.push_back(&part);
            volumes.push_back(volume);
        }
    }
    if (gone.empty()) return out;
    std::vector<Thin> thin;
    for (std::size_t k = 0; k < gone.size(); ++k)
        thin.push_back({drawing.fitting(*gone[k]), volumes[k], reach_of(gone[k]->whole.vertex, kept, radius)});
    std::sort(thin.begin(), thin.end(), [](const Thin& a, const Thin& b) { return a.radius < b.radius; });
    out.lost = lost / whole;
    out.thickness = 2 * thin.back().radius;
    double so_far = 0, fitting = forever;
    for (const Thin& piece : thin) {
        so_far += piece.volume;
        out.reach = std::fmax(out.reach, piece.reach);
        if (piece.reach > most_reach * radius || so_far > most_lost * whole) fitting = std::fmin(fitting, piece.radius);
    }
    if (fitting < forever) out.fitting = fitting;
    return out;
}

}  // namespace scree
