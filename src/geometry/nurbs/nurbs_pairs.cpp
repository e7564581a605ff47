#include "geometry/nurbs/nurbs_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "math/infinite.h"

namespace scree {
namespace {

constexpr double pair_tolerance = 48 * gjk::epsilon;  // of the scale: GJK's own bounds are no closer
constexpr int most_hulls = 20000;
constexpr int most_halvings = 100;

// Control points of a piece, where the piece is, but for the position of its body.
struct PlacedPiece {
    BezierPatch patch;
    std::vector<Vec3> points;
    Vec3 middle;
    double radius = 0;  // of a ball around them
    double bend = 0;    // how far the hull may be from the piece, but for a constant
    bool bends_along_u = true;
    int halvings = 0;
};
using SharedPiece = std::shared_ptr<const PlacedPiece>;

// The hull of the control points, for GJK.
class ControlHull {
  public:
    static constexpr bool polyhedral = false;

    ControlHull(const PlacedPiece& piece, Vec3 origin)
        : ControlHull(piece.points, origin, piece.middle, norm(piece.middle) + piece.radius) {}
    ControlHull(std::span<const Vec3> points, Vec3 origin, Vec3 middle, double reach)
        : points_(points),
          origin_(origin),
          middle_(middle),
          reach_(reach * (1 + 1e-14)) {}

    Vec3 origin() const { return origin_; }
    Vec3 center() const { return middle_; }
    double reach() const { return reach_; }
    double margin() const { return 0; }
    bool needs_check() const { return false; }
    int vertex_count() const { return 0; }
    Vec3 vertex(int) const { return {}; }
    Support support(Vec3 d, int = -1) const {
        const Vec3* best = points_.data();
        double farthest = dot(*best, d);
        for (const Vec3& p : points_)
            if (const double along = dot(p, d); along > farthest) {
                farthest = along;
                best = &p;
            }
        return {*best, -1};
    }
    Support support_checked(Vec3 d, int) const { return support(d); }

  private:
    std::span<const Vec3> points_;
    Vec3 origin_, middle_;
    double reach_;
};

// Second differences of the control points, which tell how far the piece is from its hull: those along u, along v, and
// across both.
void measure_piece(PlacedPiece& piece) {
    const BezierPatch& patch = piece.patch;
    piece.points.clear();
    for (const Weighted& h : patch.net) piece.points.push_back((1 / h.w) * h.p);
    const int p = patch.degree_u, q = patch.degree_v;
    const auto at = [&](int i, int j) { return piece.points[static_cast<std::size_t>(i * (q + 1) + j)]; };
    double bend_u = 0, bend_v = 0, twist = 0;
    for (int i = 0; i <= p; ++i)
        for (int j = 0; j <= q; ++j) {
            if (i > 1) bend_u = std::fmax(bend_u, norm(at(i, j) - 2 * at(i - 1, j) + at(i - 2, j)));
            if (j > 1) bend_v = std::fmax(bend_v, norm(at(i, j) - 2 * at(i, j - 1) + at(i, j - 2)));
            if (i > 0 && j > 0)
                twist = std::fmax(twist, norm(at(i, j) - at(i - 1, j) - at(i, j - 1) + at(i - 1, j - 1)));
        }
    bend_u *= p * (p - 1);
    bend_v *= q * (q - 1);
    piece.bend = bend_u + bend_v + twist * p * q;
    Vec3 low = piece.points[0], high = low;
    for (const Vec3& x : piece.points)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::fmin(low[axis], x[axis]);
            high[axis] = std::fmax(high[axis], x[axis]);
        }
    piece.middle = 0.5 * (low + high);
    for (const Vec3& x : piece.points) piece.radius = std::fmax(piece.radius, norm(x - piece.middle));
    // Of two directions that bend alike the one in which the piece is longer.
    double length_u = 0, length_v = 0;
    for (int j = 0; j <= q; ++j) length_u = std::fmax(length_u, norm(at(p, j) - at(0, j)));
    for (int i = 0; i <= p; ++i) length_v = std::fmax(length_v, norm(at(i, q) - at(i, 0)));
    const bool alike = std::fabs(bend_u - bend_v) <= 1e-3 * piece.bend;
    piece.bends_along_u = q == 0 || (p > 0 && (alike ? length_u >= length_v : bend_u > bend_v));
}

std::array<SharedPiece, 2> halved(const PlacedPiece& whole) {
    PlacedPiece first{whole.patch, {}, {}, 0, 0, true, whole.halvings + 1}, second = first;
    second.patch = whole.bends_along_u ? split_u(first.patch) : split_v(first.patch);
    measure_piece(first);
    measure_piece(second);
    return {std::make_shared<const PlacedPiece>(std::move(first)),
            std::make_shared<const PlacedPiece>(std::move(second))};
}

std::vector<SharedPiece> pieces_of(const NurbsBody& body, const Mat3& rotation) {
    std::vector<SharedPiece> pieces;
    for (const BezierPatch& patch : body.patches()) {
        PlacedPiece piece{patch, {}, {}, 0, 0, true, 0};
        for (Weighted& h : piece.patch.net) h.p = rotation * h.p;
        measure_piece(piece);
        pieces.push_back(std::make_shared<const PlacedPiece>(std::move(piece)));
    }
    return pieces;
}

// Cholesky's rule for n equations m x = b; false unless m is positive definite.
bool solve_positive(int n, double m[4][4], double b[4]) {
    for (int j = 0; j < n; ++j) {
        for (int k = 0; k < j; ++k) m[j][j] -= m[j][k] * m[j][k];
        if (!(m[j][j] > 0)) return false;
        m[j][j] = std::sqrt(m[j][j]);
        for (int i = j + 1; i < n; ++i) {
            for (int k = 0; k < j; ++k) m[i][j] -= m[i][k] * m[j][k];
            m[i][j] /= m[j][j];
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) b[i] -= m[i][k] * b[k];
        b[i] /= m[i][i];
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) b[i] -= m[k][i] * b[k];
        b[i] /= m[i][i];
    }
    return true;
}

// Newton's rule for half the squared distance of a point of one piece from a fixed point, or from a point of another
// piece; parameters stay in [0, 1]. Where that is not convex by Gauss and Newton's.
class Descent {
  public:
    static constexpr std::array<double, 4> middles{0.5, 0.5, 0.5, 0.5};
    Descent(const BezierPatch& a, const BezierPatch* b, Vec3 offset, const std::array<double, 4>& from = middles)
        : a_(a),
          b_(b),
          offset_(offset),
          x_(from) {
        free_ = {a.degree_u > 0, a.degree_v > 0, b != nullptr && b->degree_u > 0, b != nullptr && b->degree_v > 0};
        look();
    }
    void run() {
        for (int round = 0; round < 20 && step(); ++round) {
        }
    }
    double distance() const { return norm(r_); }
    Vec3 point_a() const { return at_a_.at; }
    Vec3 point_b() const { return at_b_.at; }
    const std::array<double, 4>& parameters() const { return x_; }

  private:
    // The difference of the points, a's less b's.
    void look() {
        at_a_ = evaluate(a_, x_[0], x_[1]);
        if (b_ != nullptr) at_b_ = evaluate(*b_, x_[2], x_[3]);
        r_ = (at_a_.at - at_b_.at) + offset_;
    }

    bool step() {
        const std::array<Vec3, 4> slope{at_a_.u, at_a_.v, -at_b_.u, -at_b_.v};
        std::array<int, 4> moving{};
        int n = 0;
        for (int k = 0; k < 4; ++k) {
            const auto i = static_cast<std::size_t>(k);
            const double g = dot(r_, slope[i]);
            if (free_[i] && g != 0 && !(x_[i] <= 0 && g > 0) && !(x_[i] >= 1 && g < 0))
                moving[static_cast<std::size_t>(n++)] = k;
        }
        if (n == 0) return false;
        double change[4];
        if (!newton(slope, moving, n, change)) return false;
        const std::array<double, 4> before = x_;
        const double distance2 = norm2(r_);
        for (double part = 1; part > 1e-3; part *= 0.25) {
            for (int k = 0; k < n; ++k) {
                const auto i = static_cast<std::size_t>(moving[static_cast<std::size_t>(k)]);
                x_[i] = std::clamp(before[i] - part * change[k], 0.0, 1.0);
            }
            look();
            if (norm2(r_) < distance2) return true;
        }
        x_ = before;
        look();
        return false;
    }

    bool newton(const std::array<Vec3, 4>& slope, const std::array<int, 4>& moving, int n, double change[4]) const {
        const Vec3 bend[2][3] = {{at_a_.uu, at_a_.uv, at_a_.vv}, {-at_b_.uu, -at_b_.uv, -at_b_.vv}};
        double matrix[4][4], flat[4][4], trace = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) {
                const int k = moving[static_cast<std::size_t>(i)], l = moving[static_cast<std::size_t>(j)];
                flat[i][j] = dot(slope[static_cast<std::size_t>(k)], slope[static_cast<std::size_t>(l)]);
                matrix[i][j] = flat[i][j] + (k / 2 == l / 2 ? dot(r_, bend[k / 2][k % 2 + l % 2]) : 0);
                if (i == j) trace += flat[i][i];
            }
        const auto gradient = [&] {
            for (int i = 0; i < n; ++i)
                change[i] = dot(r_, slope[static_cast<std::size_t>(moving[static_cast<std::size_t>(i)])]);
        };
        gradient();
        if (solve_positive(n, matrix, change)) return true;
        for (int i = 0; i < n; ++i) flat[i][i] += 1e-9 * trace;
        gradient();
        return solve_positive(n, flat, change);
    }

    const BezierPatch& a_;
    const BezierPatch* b_;
    Vec3 offset_;
    std::array<double, 4> x_;
    std::array<bool, 4> free_{};
    NurbsPoint at_a_, at_b_;
    Vec3 r_;
};

double parameter(double from, double to, double part) { return from + part * (to - from); }

// A pair of pieces, or a piece and all of the other body.
struct Candidate {
    double lower;
    bool bounded;  // lower is that of hulls; otherwise a cheaper one
    SharedPiece a, b;
    int halvings() const { return a->halvings + (b ? b->halvings : 0); }
};

class PairSearch {
  public:
    PairSearch(Vec3 position_a, double scale, double longest) : position_a_(position_a), scale_(scale) {
        best_.distance = longest;
    }
    void against(const HullQuery& other) { other_ = &other; }
    void against(Vec3 position_b) { position_b_ = position_b; }

    void add(const SharedPiece& a, const SharedPiece& b, double lower) { push({lower, false, a, b}); }
    NurbsPairDistance find();

  private:
    static bool later(const Candidate& p, const Candidate& q) {
        return p.lower != q.lower ? p.lower > q.lower : p.halvings() < q.halvings();
    }
    void push(Candidate candidate) {
        queue_.push_back(std::move(candidate));
        std::push_heap(queue_.begin(), queue_.end(), later);
    }
    double enough() const { return best_.distance - pair_tolerance * scale_; }
    void bound(Candidate& candidate);
    void bound_pair(Candidate& candidate);
    void bound_beside(Candidate& candidate);
    void look_within(const PlacedPiece& piece, Vec3 common);
    void meet(double distance, Vec3 point_a, Vec3 point_b, const BezierPatch& a, const BezierPatch* b,
              const std::array<double, 4>& x);
    void split(const Candidate& candidate);
    void polish();

    Vec3 position_a_, position_b_;
    double scale_;
    const HullQuery* other_ = nullptr;
    bool any_ = false;
    NurbsPairDistance best_;
    SharedPiece best_piece_;              // of a, beside another body
    std::array<double, 4> best_place_{};  // in it
    std::vector<Candidate> queue_;
};

void PairSearch::meet(double distance, Vec3 point_a, Vec3 point_b, const BezierPatch& a, const BezierPatch* b,
                      const std::array<double, 4>& x) {
    if (!(distance < best_.distance)) return;
    any_ = true;
    best_.distance = distance;
    best_.point_a = point_a;
    best_.point_b = point_b;
    best_.u = parameter(a.u0, a.u1, x[0]);
    best_.v = parameter(a.v0, a.v1, x[1]);
    if (b == nullptr) return;
    best_.s = parameter(b->u0, b->u1, x[2]);
    best_.t = parameter(b->v0, b->v1, x[3]);
}

void PairSearch::bound(Candidate& candidate) {
    ++best_.pieces;
    candidate.bounded = true;
    if (other_ != nullptr)
        bound_beside(candidate);
    else
        bound_pair(candidate);
}

void PairSearch::bound_pair(Candidate& candidate) {
    const PlacedPiece &a = *candidate.a, &b = *candidate.b;
    const Distance hulls = distance(ControlHull(a, position_a_), ControlHull(b, position_b_));
    candidate.lower = std::fmax(candidate.lower, hulls.distance - hulls.error);
    if (candidate.lower >= enough()) return;
    Descent descent(a.patch, &b.patch, position_a_ - position_b_);
    descent.run();
    meet(descent.distance(), position_a_ + descent.point_a(), position_b_ + descent.point_b(), a.patch, &b.patch,
         descent.parameters());
}

void PairSearch::bound_beside(Candidate& candidate) {
    const PlacedPiece& a = *candidate.a;
    const ControlHull hull(a, position_a_);
    const HullDistance found = (*other_)(AnyConvex(hull), best_.distance);
    candidate.lower = std::fmax(candidate.lower, found.distance - found.error);
    if (candidate.lower >= enough()) return;
    if (found.relation != Relation::separated) return look_within(a, found.point_hull);
    Descent descent(a.patch, nullptr, position_a_ - found.point_other);
    descent.run();
    if (descent.distance() < best_.distance) {
        best_piece_ = candidate.a;
        best_place_ = descent.parameters();
    }
    meet(descent.distance(), position_a_ + descent.point_a(), found.point_other, a.patch, nullptr,
         descent.parameters());
}

// The hull meets the other body in a point; does the piece?
void PairSearch::look_within(const PlacedPiece& piece, Vec3 common) {
    Descent descent(piece.patch, nullptr, position_a_ - common);
    descent.run();
    const std::array point{descent.point_a()};
    const ControlHull hull(point, position_a_, point[0], norm(point[0]));
    const HullDistance found = (*other_)(AnyConvex(hull), best_.distance);
    if (!(found.distance < best_.distance)) return;
    meet(found.distance, position_a_ + point[0], found.point_other, piece.patch, nullptr, descent.parameters());
    if (found.relation == Relation::overlapping) best_.relation = Relation::overlapping;
}

// The body that is farther from its hull. A piece that has been halved as often as parameters have bits is as good as
// its point.
void PairSearch::split(const Candidate& candidate) {
    const bool first = !candidate.b || candidate.a->bend >= candidate.b->bend;
    const SharedPiece& whole = first ? candidate.a : candidate.b;
    if (whole->halvings >= most_halvings) {
        push({std::fmax(candidate.lower, enough()), true, candidate.a, candidate.b});
        return;
    }
    for (const SharedPiece& half : halved(*whole))
        push({candidate.lower, false, first ? half : candidate.a, first ? candidate.b : half});
}

// The last digits: in turns the nearest points of both bodies to each other.
void PairSearch::polish() {
    for (int round = 0; round < 8; ++round) {
        const BezierPatch& patch = best_piece_->patch;
        const std::array point{evaluate(patch, best_place_[0], best_place_[1]).at};
        const HullDistance found =
            (*other_)(AnyConvex(ControlHull(point, position_a_, point[0], norm(point[0]))), infinite);
        if (found.relation != Relation::separated) return;
        Descent descent(patch, nullptr, position_a_ - found.point_other, best_place_);
        descent.run();
        if (!(descent.distance() < best_.distance)) return;
        best_place_ = descent.parameters();
        meet(descent.distance(), position_a_ + descent.point_a(), found.point_other, patch, nullptr, best_place_);
    }
}

NurbsPairDistance PairSearch::find() {
    double lower = best_.distance;
    while (!queue_.empty()) {
        std::pop_heap(queue_.begin(), queue_.end(), later);
        Candidate candidate = std::move(queue_.back());
        queue_.pop_back();
        lower = candidate.lower;
        if (candidate.lower >= enough() || best_.distance <= pair_tolerance * scale_ || best_.pieces >= most_hulls)
            break;
        if (candidate.bounded) {
            split(candidate);
            continue;
        }
        bound(candidate);
        push(std::move(candidate));
    }
    if (!any_) {
        best_.distance = infinite;
        return best_;
    }
    best_.error = std::fmin(best_.distance, std::fmax(0, best_.distance - lower) + 16 * gjk::epsilon * scale_);
    if (best_.distance <= pair_tolerance * scale_) {
        if (best_.relation == Relation::separated) best_.relation = Relation::touching;
        best_.distance = 0;
        best_.error = pair_tolerance * scale_;
        return best_;
    }
    if (best_piece_) polish();
    best_.normal = normalized(best_.point_b - best_.point_a);
    return best_;
}

}  // namespace

NurbsPairDistance distance(const NurbsBody& a, const MeshPose& pose_a, const NurbsBody& b, const MeshPose& pose_b,
                           double longest) {
    const Vec3 offset = pose_a.position - pose_b.position;
    PairSearch search(pose_a.position, a.reach() + b.reach() + norm(offset), longest);
    search.against(pose_b.position);
    const std::vector<SharedPiece> pieces_b = pieces_of(b, pose_b.rotation);
    for (const SharedPiece& p : pieces_of(a, pose_a.rotation))
        for (const SharedPiece& q : pieces_b)
            search.add(p, q, std::fmax(0, norm((p->middle - q->middle) + offset) - p->radius - q->radius));
    return search.find();
}

NurbsPairDistance distance(const NurbsBody& a, const MeshPose& pose_a, const HullQuery& other, double reach,
                           double longest) {
    PairSearch search(pose_a.position, a.reach() + reach, longest);
    search.against(other);
    for (const SharedPiece& p : pieces_of(a, pose_a.rotation)) search.add(p, nullptr, 0);
    return search.find();
}

}  // namespace scree
