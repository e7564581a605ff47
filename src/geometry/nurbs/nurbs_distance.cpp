// Notation: a piece is a patch or a half, quarter, ... of one, with control points relative to q; s, t are its own
// parameters in [0, 1].
#include "geometry/nurbs/nurbs_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "geometry/extent.h"
#include "geometry/gjk.h"
#include "math/infinite.h"

namespace scree {
namespace {

constexpr int deepest = 100;  // halvings of a patch: parameters have no more bits

constexpr int most_pieces = 20000;  // of a search for all minima, which may be a whole line
// Halvings in each direction: a piece so small holds one stationary point at most (smaller ones are all rounding);
// whether it is a minimum, its neighbors tell.
constexpr int deepest_of_minima = 22;
constexpr double neighborhood = 1e-3;    // of a patch: where saddles are told from minima
constexpr double same_place = 1e-6;      // of the scale: minima nearer to each other are one
constexpr double same_distance = 1e-12;  // of the scale
constexpr double flat_slope = 1e-7;      // cosine of an angle that counts as right

constexpr int highest = 30;  // twice the highest degree

struct Binomials {
    double value[highest + 1][highest + 1] = {};
    constexpr Binomials() {
        for (int n = 0; n <= highest; ++n)
            for (int k = 0; k <= n; ++k) value[n][k] = k == 0 ? 1 : value[n - 1][k - 1] + (k < n ? value[n - 1][k] : 0);
    }
};
constexpr Binomials binomials;

// Bernstein coefficients of phi on a piece, (2 p + 1) x (2 q + 1) of them.
struct Coefficients {
    int count_u = 0, count_v = 0;
    std::vector<double> value;
    double least = infinite, largest = 0;  // the latter of magnitudes
    double at(int i, int j) const { return value[static_cast<std::size_t>(i * count_v + j)]; }

    // With its slopes, by de Casteljau's rule.
    double value_at(double s, double t, double& slope_s, double& slope_t) const {
        std::array<double, highest + 1> row, slope, line;
        for (int i = 0; i < count_u; ++i) {
            for (int j = 0; j < count_v; ++j) line[static_cast<std::size_t>(j)] = at(i, j);
            slope[static_cast<std::size_t>(i)] = reduce(line.data(), count_v - 1, t);
            row[static_cast<std::size_t>(i)] = line[0];
        }
        slope_s = reduce(row.data(), count_u - 1, s);
        reduce(slope.data(), count_u - 1, s);
        slope_t = slope[0];
        return row[0];
    }

  private:
    // The value of a polynomial goes into c[0]; returns the derivative.
    static double reduce(double* c, int degree, double x) {
        double rise = 0;
        for (int level = degree; level > 0; --level) {
            if (level == 1) rise = degree * (c[1] - c[0]);
            for (int i = 0; i < level; ++i) c[i] = (1 - x) * c[i] + x * c[i + 1];
        }
        return rise;
    }
};

double part_of(double from, double to, double x) { return (x - from) / (to - from); }

struct Piece {
    BezierPatch patch;
    double lower;        // bound of its distance, from the control points
    std::size_t origin;  // the patch it is part of
    int depth = 0;
};

// phi(x + d) >= phi(x) + slope . d + (s d_s^2 + t d_t^2) / 2 all over a piece.
struct Bend {
    double s = 0, t = 0;
};

// The least value of slope x + bend x^2 / 2 between two places.
double least_rise(double slope, double bend, double low, double high) {
    const double bottom = bend > 0 ? -slope / bend : slope > 0 ? low : high;
    const double x = std::clamp(bottom, low, high);
    return x * (slope + 0.5 * bend * x);
}

class ClosestSearch {
  public:
    ClosestSearch(const NurbsBody& body, Vec3 q) : body_(body), q_(q) {}

    NurbsClosest find(NurbsStart* start);
    NurbsMinima minima(double radius);

  private:
    Piece piece_of(std::size_t patch) const;
    void bound(Piece& piece) const;
    struct At {
        double s, t;
    };
    At descend_from(const BezierPatch& patch, double s, double t);
    void meet(const BezierPatch& patch, const NurbsPoint& x, double s, double t);
    bool holds_best(const BezierPatch& patch) const {
        return best_.u >= patch.u0 && best_.u <= patch.u1 && best_.v >= patch.v0 && best_.v <= patch.v1;
    }
    Coefficients phi(const BezierPatch& patch, double d) const;
    bool settled(const Piece& piece, Coefficients& c);
    std::optional<Bend> convexity(const BezierPatch& patch, const Coefficients& c) const;
    At lowest_point(const BezierPatch& patch);
    void search(const BezierPatch& patch);
    enum class Verdict { nothing, one_minimum, unknown };
    Verdict verdict(const Piece& piece, double radius, Coefficients& c) const;
    bool falls_out_of(const Piece& piece, const Coefficients& near, const Coefficients& far) const;
    bool is_minimum(const NurbsClosest& found);
    static bool is_lowest(const BezierPatch& patch, At at);
    void probe_around(const BezierPatch& patch, At at);
    void split(Piece piece, const Coefficients& c, std::vector<Piece>& queue) const;

    const NurbsBody& body_;
    Vec3 q_;
    double scale_ = 0;
    NurbsClosest best_;
};

Piece ClosestSearch::piece_of(std::size_t number) const {
    Piece piece{body_.patches()[number], 0, number};
    for (Weighted& h : piece.patch.net) h.p = h.p - h.w * q_;
    bound(piece);
    return piece;
}

// All points lie beyond the plane through the nearest control point seen along the middle of them.
void ClosestSearch::bound(Piece& piece) const {
    Vec3 middle;
    for (const Weighted& h : piece.patch.net) middle += (1 / h.w) * h.p;
    const double length = norm(middle);
    piece.lower = 0;
    if (!(length > 0)) return;
    double least = infinite;
    for (const Weighted& h : piece.patch.net) least = std::fmin(least, dot(middle, h.p) / (h.w * length));
    piece.lower = std::fmax(0, least);
}

void ClosestSearch::meet(const BezierPatch& patch, const NurbsPoint& x, double s, double t) {
    const double distance = norm(x.at);
    if (!(distance < best_.distance)) return;
    best_.distance = distance;
    best_.point = q_ + x.at;
    best_.u = patch.u0 + s * (patch.u1 - patch.u0);
    best_.v = patch.v0 + t * (patch.v1 - patch.v0);
}

// Newton's rule for half the squared distance, within the piece; where it is not convex by Gauss and Newton's.
ClosestSearch::At ClosestSearch::descend_from(const BezierPatch& patch, double s, double t) {
    NurbsPoint x = evaluate(patch, s, t);
    double here = norm2(x.at);
    meet(patch, x, s, t);
    for (int round = 0; round < 30; ++round) {
        double gs = dot(x.at, x.u), gt = dot(x.at, x.v);
        // At a border with the gradient pointing out of the piece that parameter rests.
        const bool rest_s = (s <= 0 && gs > 0) || (s >= 1 && gs < 0) || patch.degree_u == 0,
                   rest_t = (t <= 0 && gt > 0) || (t >= 1 && gt < 0) || patch.degree_v == 0;
        const double doubt = gjk::epsilon * norm(x.at);
        if (rest_s || std::fabs(gs) <= doubt * norm(x.u)) gs = 0;
        if (rest_t || std::fabs(gt) <= doubt * norm(x.v)) gt = 0;
        if (gs == 0 && gt == 0) return {s, t};
        double ss = norm2(x.u) + dot(x.at, x.uu), st = dot(x.u, x.v) + dot(x.at, x.uv),
               tt = norm2(x.v) + dot(x.at, x.vv);
        if (rest_s || rest_t) st = 0;
        if (!(ss > 0 && tt > 0 && ss * tt > st * st)) {
            ss = norm2(x.u);
            tt = norm2(x.v);
            st = rest_s || rest_t ? 0 : dot(x.u, x.v);
            const double more = 1e-9 * (ss + tt);
            ss += more;
            tt += more;
        }
        double ds = 0, dt = 0;
        if (rest_t || !(tt > 0))
            ds = ss > 0 ? -gs / ss : 0;
        else if (rest_s || !(ss > 0))
            dt = -gt / tt;
        else {
            const double determinant = ss * tt - st * st;
            ds = (st * gt - tt * gs) / determinant;
            dt = (st * gs - ss * gt) / determinant;
        }
        // Shorter steps until the point is nearer.
        bool moved = false;
        for (double part = 1; part > 1e-3 && !moved; part *= 0.25) {
            const double s1 = std::clamp(s + part * ds, 0.0, 1.0), t1 = std::clamp(t + part * dt, 0.0, 1.0);
            if (s1 == s && t1 == t) return {s, t};
            const NurbsPoint y = evaluate(patch, s1, t1);
            if (!(norm2(y.at) < here)) continue;
            moved = true;
            x = y;
            s = s1;
            t = t1;
            here = norm2(y.at);
        }
        if (!moved) return {s, t};
        meet(patch, x, s, t);
    }
    return {s, t};
}

Coefficients ClosestSearch::phi(const BezierPatch& patch, double d) const {
    const int p = patch.degree_u, q = patch.degree_v;
    Coefficients c;
    c.count_u = 2 * p + 1;
    c.count_v = 2 * q + 1;
    c.value.assign(static_cast<std::size_t>(c.count_u * c.count_v), 0);
    std::array<Weighted, 256> scaled;
    for (int i = 0; i <= p; ++i)
        for (int j = 0; j <= q; ++j)
            scaled[static_cast<std::size_t>(i * (q + 1) + j)] =
                (binomials.value[p][i] * binomials.value[q][j]) * patch.at(i, j);
    // Products of each two control points; those of two different ones come twice.
    const double d2 = d * d;
    const int count = (p + 1) * (q + 1);
    for (int i = 0, j = 0, m = 0; m < count; ++m, i += j == q, j = j == q ? 0 : j + 1) {
        const Weighted& a = scaled[static_cast<std::size_t>(m)];
        const double aw = d2 * a.w;
        for (int k = i, l = j, n = m; n < count; ++n, k += l == q, l = l == q ? 0 : l + 1) {
            const Weighted& b = scaled[static_cast<std::size_t>(n)];
            c.value[static_cast<std::size_t>((i + k) * c.count_v + j + l)] +=
                (n == m ? 1 : 2) * (dot(a.p, b.p) - aw * b.w);
        }
    }
    for (int i = 0; i < c.count_u; ++i)
        for (int j = 0; j < c.count_v; ++j) {
            double& value = c.value[static_cast<std::size_t>(i * c.count_v + j)];
            value /= binomials.value[2 * p][i] * binomials.value[2 * q][j];
            c.least = std::fmin(c.least, value);
            c.largest = std::fmax(c.largest, std::fabs(value));
        }
    return c;
}

// Second derivatives by second differences: both positive, and their product above the square of the mixed one, which
// is shared out between them.
std::optional<Bend> ClosestSearch::convexity(const BezierPatch& patch, const Coefficients& c) const {
    const int p = patch.degree_u, q = patch.degree_v;
    const double doubt = 64 * gjk::epsilon * c.largest;
    double least_uu = infinite, least_vv = infinite, largest_uv = 0;
    for (int i = 0; i + 2 < c.count_u; ++i)
        for (int j = 0; j < c.count_v; ++j)
            least_uu = std::fmin(least_uu, (c.at(i + 2, j) - c.at(i + 1, j)) - (c.at(i + 1, j) - c.at(i, j)));
    for (int i = 0; i < c.count_u; ++i)
        for (int j = 0; j + 2 < c.count_v; ++j)
            least_vv = std::fmin(least_vv, (c.at(i, j + 2) - c.at(i, j + 1)) - (c.at(i, j + 1) - c.at(i, j)));
    for (int i = 0; i + 1 < c.count_u; ++i)
        for (int j = 0; j + 1 < c.count_v; ++j)
            largest_uv =
                std::fmax(largest_uv, std::fabs((c.at(i + 1, j + 1) - c.at(i, j + 1)) - (c.at(i + 1, j) - c.at(i, j))));
    least_uu = 2.0 * p * (2.0 * p - 1) * (least_uu - doubt);
    least_vv = 2.0 * q * (2.0 * q - 1) * (least_vv - doubt);
    largest_uv = 4.0 * p * q * (largest_uv + doubt);
    if (p > 0 && !(least_uu > 0)) return {};
    if (q > 0 && !(least_vv > 0)) return {};
    if (q == 0) return Bend{least_uu, 0};
    if (p == 0) return Bend{0, least_vv};
    if (!(least_uu * least_vv > largest_uv * largest_uv)) return {};
    const double part = std::sqrt(least_uu / least_vv);
    return Bend{least_uu - largest_uv * part, least_vv - largest_uv / part};
}

// Where Newton's rule ends in the piece; it need not run again where it has been.
ClosestSearch::At ClosestSearch::lowest_point(const BezierPatch& patch) {
    if (holds_best(patch)) return {part_of(patch.u0, patch.u1, best_.u), part_of(patch.v0, patch.v1, best_.v)};
    return descend_from(patch, 0.5, 0.5);
}

void ClosestSearch::search(const BezierPatch& patch) {
    if (!holds_best(patch)) descend_from(patch, 0.5, 0.5);
}

// True when no point of the piece is nearer than the best by more than `error` says.
bool ClosestSearch::settled(const Piece& piece, Coefficients& c) {
    const double d = best_.distance;
    const double tau = 4 * gjk::epsilon * scale_;
    if (d <= tau) {
        best_.error = std::fmax(best_.error, d);
        return true;
    }
    double least_w = infinite, size2 = 0;
    for (const Weighted& h : piece.patch.net) {
        least_w = std::fmin(least_w, h.w);
        size2 = std::fmax(size2, norm2(h.p) + d * d * h.w * h.w);
    }
    // phi may be as low as this when no point is nearer by more than tau; and is in doubt by `rounding`.
    const double per_distance = 2 * d * least_w * least_w, rounding = 16 * gjk::epsilon * size2;
    c = phi(piece.patch, d);
    const bool last = piece.depth >= deepest;
    const auto accept = [&](double lower) {
        best_.error = std::fmax(best_.error, (std::fmax(0, -lower) + rounding) / per_distance);
        return true;
    };
    const bool clear = c.least > rounding;
    if (clear) return true;
    const bool precise = rounding <= 8 * tau * per_distance;
    if ((precise && c.least >= -tau * per_distance) || last) return accept(c.least);
    if (!precise) return false;
    const std::optional<Bend> bend = convexity(piece.patch, c);
    if (!bend) return false;
    const double before = best_.distance;
    const auto [s, t] = lowest_point(piece.patch);
    if (best_.distance < before) return settled(piece, c);
    double gs = 0, gt = 0;
    const double at = c.value_at(s, t, gs, gt),
                 lower = at + least_rise(gs, bend->s, -s, 1 - s) + least_rise(gt, bend->t, -t, 1 - t);
    if (lower >= -tau * per_distance) return accept(lower);
    return false;
}

// Across the parameter in which phi bends more: where all points of a curve are equally near, as on a cylinder seen
// from its axis, halving the other one would be in vain for ever.
void ClosestSearch::split(Piece piece, const Coefficients& c, std::vector<Piece>& queue) const {
    double bend_u = 0, bend_v = 0;
    for (int i = 0; i < c.count_u; ++i)
        for (int j = 0; j < c.count_v; ++j) {
            if (i > 1) bend_u = std::fmax(bend_u, std::fabs(c.at(i, j) - 2 * c.at(i - 1, j) + c.at(i - 2, j)));
            if (j > 1) bend_v = std::fmax(bend_v, std::fabs(c.at(i, j) - 2 * c.at(i, j - 1) + c.at(i, j - 2)));
        }
    bend_u *= piece.patch.degree_u * (2 * piece.patch.degree_u - 1);
    bend_v *= piece.patch.degree_v * (2 * piece.patch.degree_v - 1);
    Piece second = piece;
    second.patch = bend_u >= bend_v ? split_u(piece.patch) : split_v(piece.patch);
    for (Piece* half : {&piece, &second}) {
        ++half->depth;
        bound(*half);
        queue.push_back(std::move(*half));
    }
}

NurbsClosest ClosestSearch::find(NurbsStart* start) {
    best_.distance = infinite;
    const auto nearer = [](const Piece& a, const Piece& b) { return a.lower > b.lower; };
    std::vector<Piece> queue;
    scale_ = body_.size();
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < body_.patches().size(); ++k) {
        const NurbsBody::Ball& ball = body_.ball(k);
        order.emplace_back(norm(ball.middle - q_) - ball.radius, k);
    }
    std::sort(order.begin(), order.end());
    const auto descend_in = [&](std::size_t number, double s, double t) {
        BezierPatch patch = body_.patches()[number];
        for (Weighted& h : patch.net) h.p = h.p - h.w * q_;
        descend_from(patch, s, t);
    };
    if (start != nullptr && start->known) {
        for (std::size_t k = 0; k < body_.patches().size(); ++k) {
            const BezierPatch& patch = body_.patches()[k];
            if (start->u < patch.u0 || start->u > patch.u1 || start->v < patch.v0 || start->v > patch.v1) continue;
            descend_in(k, part_of(patch.u0, patch.u1, start->u), part_of(patch.v0, patch.v1, start->v));
            break;
        }
    }
    for (const auto& [lower, number] : order) {
        if (lower > best_.distance + 8 * gjk::epsilon * (scale_ + best_.distance)) break;
        Piece piece = piece_of(number);
        if (start == nullptr || !start->known) descend_from(piece.patch, 0.5, 0.5);
        queue.push_back(std::move(piece));
    }
    scale_ = std::fmax(scale_, best_.distance);
    std::make_heap(queue.begin(), queue.end(), nearer);
    while (!queue.empty()) {
        std::pop_heap(queue.begin(), queue.end(), nearer);
        Piece piece = std::move(queue.back());
        queue.pop_back();
        // Rounding of the control points relative to q.
        if (piece.lower > best_.distance + 8 * gjk::epsilon * scale_) break;
        ++best_.patches;
        Coefficients c;
        if (settled(piece, c)) continue;
        const double before = best_.distance;
        if (piece.depth > 0 && piece.depth % 2 == 0) search(piece.patch);
        if (best_.distance < before && settled(piece, c)) continue;
        const std::size_t old = queue.size();
        split(std::move(piece), c, queue);
        for (std::size_t k = old; k < queue.size(); ++k)
            std::push_heap(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(k) + 1, nearer);
    }
    best_.error = std::fmin(best_.distance, best_.error + 8 * gjk::epsilon * scale_);
    if (start != nullptr) *start = {true, best_.u, best_.v};
    return best_;
}

// A local minimum of the distance f at the value c = f^2 is a stationary point of phi_c where it is zero, and phi_c is
// affine in c. So what holds for the coefficients at both ends of the range of c holds in between: where phi is convex
// at both, the places nearer than any distance are convex sets, and there is one minimum.
ClosestSearch::Verdict ClosestSearch::verdict(const Piece& piece, double radius, Coefficients& c) const {
    double size2 = 0, upper = 0;
    for (const Weighted& h : piece.patch.net) {
        size2 = std::fmax(size2, norm2(h.p) + radius * radius * h.w * h.w);
        upper = std::fmax(upper, norm(h.p) / h.w);
    }
    if (upper > radius) {
        c = phi(piece.patch, radius);
        if (c.least > 16 * gjk::epsilon * size2) return Verdict::nothing;
    } else {
        c = phi(piece.patch, upper);
    }
    const Coefficients near = phi(piece.patch, piece.lower);
    if (falls_out_of(piece, near, c)) return Verdict::nothing;
    return convexity(piece.patch, c) && convexity(piece.patch, near) ? Verdict::one_minimum : Verdict::unknown;
}

// All over the piece the distance falls towards a side with another piece of the same patch behind it.
bool ClosestSearch::falls_out_of(const Piece& piece, const Coefficients& near, const Coefficients& far) const {
    const BezierPatch &part = piece.patch, &whole = body_.patches()[piece.origin];
    const auto signs = [&](bool along_u) {
        bool rises = true, falls = true;
        for (const Coefficients* c : {&near, &far}) {
            const double doubt = 64 * gjk::epsilon * c->largest;
            for (int i = along_u ? 1 : 0; i < c->count_u; ++i)
                for (int j = along_u ? 0 : 1; j < c->count_v; ++j) {
                    const double step = c->at(i, j) - (along_u ? c->at(i - 1, j) : c->at(i, j - 1));
                    rises = rises && step > doubt;
                    falls = falls && step < -doubt;
                }
        }
        return std::pair{rises, falls};
    };
    if (part.degree_u > 0) {
        const auto [rises, falls] = signs(true);
        if ((rises && part.u0 > whole.u0) || (falls && part.u1 < whole.u1)) return true;
    }
    if (part.degree_v == 0) return false;
    const auto [rises, falls] = signs(false);
    return (rises && part.v0 > whole.v0) || (falls && part.v1 < whole.v1);
}

// On all sides, and along the direction in which the distance bends least: a saddle may fall in a narrow angle alone.
void ClosestSearch::probe_around(const BezierPatch& patch, At at) {
    const NurbsPoint x = scree::evaluate(patch, at.s, at.t);
    const double ss = norm2(x.u) + dot(x.at, x.uu), st = dot(x.u, x.v) + dot(x.at, x.uv),
                 tt = norm2(x.v) + dot(x.at, x.vv);
    const double half = 0.5 * (ss - tt), least = 0.5 * (ss + tt) - std::hypot(half, st);
    Vec3 along = std::fabs(ss - least) > std::fabs(tt - least) ? Vec3{-st, ss - least, 0} : Vec3{tt - least, -st, 0};
    along = norm(along) > 0 ? normalized(along) : Vec3{1, 0, 0};
    const auto probe = [&](double s, double t) {
        s = std::clamp(at.s + neighborhood * s, 0.0, 1.0);
        t = std::clamp(at.t + neighborhood * t, 0.0, 1.0);
        meet(patch, scree::evaluate(patch, s, t), s, t);
    };
    for (int side = 0; side < 9; ++side) probe(side % 3 - 1, side / 3 - 1);
    probe(along.x, along.y);
    probe(-along.x, -along.y);
}

// Newton's rule may end before it has arrived: whether the slopes are zero, or lead out of the piece.
bool ClosestSearch::is_lowest(const BezierPatch& patch, At at) {
    const NurbsPoint x = scree::evaluate(patch, at.s, at.t);
    const auto flat = [&](Vec3 tangent, double place) {
        const double slope = dot(x.at, tangent), doubt = flat_slope * norm(x.at) * norm(tangent);
        return std::fabs(slope) <= doubt || (place <= 0 && slope > 0) || (place >= 1 && slope < 0);
    };
    return flat(x.u, at.s) && (patch.degree_v == 0 || flat(x.v, at.t));
}

// The lowest point of a piece may lie on its border, and the distance fall behind it: in the same patch, in its
// neighbor, or beyond the seam of a closed body.
bool ClosestSearch::is_minimum(const NurbsClosest& found) {
    for (std::size_t k = 0; k < body_.patches().size(); ++k) {
        const NurbsBody::Ball& ball = body_.ball(k);
        if (norm(ball.middle - found.point) > ball.radius + same_place * scale_) continue;
        BezierPatch patch = body_.patches()[k];
        const bool own = found.u >= patch.u0 && found.u <= patch.u1 && found.v >= patch.v0 && found.v <= patch.v1;
        At at{part_of(patch.u0, patch.u1, found.u), part_of(patch.v0, patch.v1, found.v)};
        if (!own) {
            // Where this patch has the same point, if it has.
            ClosestSearch to_point(body_, found.point);
            to_point.best_.distance = infinite;
            BezierPatch about_point = patch;
            for (Weighted& h : about_point.net) h.p = h.p - h.w * found.point;
            at = to_point.descend_from(about_point, 0.5, 0.5);
            if (to_point.best_.distance > same_place * scale_) continue;
        }
        for (Weighted& h : patch.net) h.p = h.p - h.w * q_;
        if (!is_lowest(patch, at)) return false;
        best_ = {};
        best_.distance = infinite;
        probe_around(patch, at);
        if (best_.distance < found.distance - same_distance * scale_) return false;
    }
    return true;
}

NurbsMinima ClosestSearch::minima(double radius) {
    NurbsMinima result;
    scale_ = std::fmax(body_.size(), radius);
    std::vector<Piece> queue;
    for (std::size_t k = 0; k < body_.patches().size(); ++k)
        if (norm(body_.ball(k).middle - q_) - body_.ball(k).radius < radius) queue.push_back(piece_of(k));
    std::vector<NurbsClosest> found;
    const int last = body_.is_curve() ? deepest_of_minima : 2 * deepest_of_minima;
    int looked_at = 0;
    while (!queue.empty()) {
        const Piece piece = std::move(queue.back());
        queue.pop_back();
        if (piece.lower >= radius) continue;
        Coefficients c;
        const Verdict judged = verdict(piece, radius, c);
        if (judged == Verdict::nothing) continue;
        result.complete = result.complete && ++looked_at < most_pieces;
        best_ = {};
        best_.distance = infinite;
        const bool arrived =
            judged == Verdict::one_minimum && is_lowest(piece.patch, descend_from(piece.patch, 0.5, 0.5));
        if (!arrived && piece.depth < last && result.complete) {
            split(piece, c, queue);
            continue;
        }
        if (!arrived) descend_from(piece.patch, 0.5, 0.5);
        if (best_.distance < radius) found.push_back(best_);
    }
    std::sort(found.begin(), found.end(),
              [](const NurbsClosest& a, const NurbsClosest& b) { return a.distance < b.distance; });
    for (const NurbsClosest& candidate : found) {
        const bool known = std::any_of(result.points.begin(), result.points.end(), [&](const NurbsClosest& p) {
            return norm(p.point - candidate.point) < same_place * scale_;
        });
        if (!known && is_minimum(candidate)) result.points.push_back(candidate);
    }
    return result;
}

}  // namespace

NurbsBody::NurbsBody(const Nurbs& nurbs) : patches_(bezier_patches(nurbs)), is_curve_(nurbs.is_curve()) {
    Extent whole;
    for (const BezierPatch& patch : patches_) {
        Extent box;
        for (const Weighted& h : patch.net) {
            box.include((1 / h.w) * h.p);
            reach_ = std::fmax(reach_, norm((1 / h.w) * h.p));
        }
        whole.include(box);
        const Vec3 middle = 0.5 * (box.low + box.high);
        double radius = 0;
        for (const Weighted& h : patch.net) radius = std::fmax(radius, norm((1 / h.w) * h.p - middle));
        balls_.push_back({middle, radius});
    }
    size_ = 0.5 * norm(whole.high - whole.low);
}

NurbsClosest closest_point(const NurbsBody& body, Vec3 q, NurbsStart* start) {
    return ClosestSearch(body, q).find(start);
}

NurbsMinima local_minima(const NurbsBody& body, Vec3 q, double radius) { return ClosestSearch(body, q).minima(radius); }

}  // namespace scree
