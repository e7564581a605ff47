// The mass of pieces that overlap: the sum of all, less what is counted twice. Every piece is known exactly, so
// quadrature is left for the common parts alone: for each pair over lines of sight along the smaller one, in the box
// around what both have, with exact ends on each line. Lines are added until the result stands still.
//
// Rejected: lines over the whole union. Across a thin body of a long union few of them pass, and all of its mass hangs
// on these.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/gjk.h"
#include "shape/mass.h"

namespace scree {
namespace {

constexpr double good_enough = 1e-3;  // relative, of volume, center and inertia
constexpr double most_work = 1e7;     // in lines through balls: half a second
constexpr double wary = 2;            // times the difference to coarser grids is the error told

struct Interval {
    double from, to;
};

// Where the line of points `at` + x `along` is inside a ball about c, a rod, any piece.
bool inside_ball(Vec3 c, double radius, Vec3 at, Vec3 along, Interval& out) {
    const double middle = dot(c - at, along), half2 = radius * radius - norm2(at + middle * along - c);
    if (!(half2 > 0)) return false;
    return out = {middle - std::sqrt(half2), middle + std::sqrt(half2)}, true;
}
bool inside_rod(Vec3 a, Vec3 b, double radius, Vec3 at, Vec3 along, Interval& out) {
    const Vec3 axis = b - a, w = at - a;
    const double length2 = norm2(axis), slant = dot(axis, along), begin = dot(axis, w);
    // |w + x along|^2 less the square along the axis is radius^2 on the cylinder: p x^2 + 2 q x + s = 0.
    const double p = length2 - slant * slant, q = length2 * dot(along, w) - begin * slant,
                 s = length2 * (norm2(w) - radius * radius) - begin * begin;
    const bool parallel = p < 1e-12 * length2;
    if (parallel ? s >= 0 : q * q <= p * s) return false;
    const auto end = [&](double sign, double& x) {
        const double height =
            parallel ? sign * slant * length2 : begin + (sign * std::sqrt(q * q - p * s) - q) / p * slant;
        if (!parallel && height > 0 && height < length2) return x = (sign * std::sqrt(q * q - p * s) - q) / p, true;
        Interval cap;
        if (!inside_ball(height > 0 ? b : a, radius, at, along, cap)) return false;
        return x = sign < 0 ? cap.from : cap.to, true;
    };
    return end(-1, out.from) && end(1, out.to);
}

bool inside_on_line(const Piece& piece, Vec3 at, Vec3 along, Interval& out) {
    if (piece.dimension == 1) return inside_rod(piece.vertex[0], piece.vertex[1], piece.radius, at, along, out);
    if (!inside_ball(piece.middle, piece.reach, at, along, out)) return false;
    if (piece.dimension == 0) return true;
    // The distance is convex along the line: Newton's steps from outside never pass the border.
    const auto border = [&](double& x, double sign, double far) {
        for (int k = 0; k < 60; ++k) {
            const Distance d = distance(piece.body, PointBody(at + x * along));
            const double outside = d.gap - piece.radius;
            if (outside <= 1e-13 * piece.reach) return true;
            const double slope = sign * dot(d.normal, along);
            if (!(slope < 0)) return false;
            x -= sign * outside / slope;
            if (sign * (far - x) < 0) return false;
        }
        return true;  // it grazes: what is left is nothing
    };
    return border(out.from, 1, out.to) && border(out.to, -1, out.from) && out.from < out.to;
}

// What two pieces have in common.
struct Common {
    const Piece *small, *large;
    std::vector<const Piece*> counted;  // pieces that this part of `small` was taken out for already
    Vec3 along, across[2];
    double low[2], high[2];

    double work() const {
        double sum = 0;
        const auto add = [&](const Piece& piece) { sum += piece.dimension == 0 ? 1 : piece.dimension == 1 ? 2 : 40; };
        add(*small);
        add(*large);
        for (const Piece* piece : counted) add(*piece);
        return sum;
    }
};

Moments by_lines(const Common& c, int dimension, int lines) {
    Moments m;
    const int layers = dimension == 2 ? 1 : lines;
    const double du = (c.high[0] - c.low[0]) / lines, dv = dimension == 2 ? 1 : (c.high[1] - c.low[1]) / layers;
    std::vector<Interval> taken;
    for (int j = 0; j < lines; ++j)
        for (int k = 0; k < layers; ++k) {
            const Vec3 at = (c.low[0] + (j + 0.5) * du) * c.across[0] +
                            (dimension == 2 ? 0 : c.low[1] + (k + 0.5) * dv) * c.across[1];
            Interval one, two;
            if (!inside_on_line(*c.small, at, c.along, one) || !inside_on_line(*c.large, at, c.along, two)) continue;
            double from = std::fmax(one.from, two.from);
            const double to = std::fmin(one.to, two.to);
            if (!(from < to)) continue;
            taken.clear();
            for (const Piece* piece : c.counted)
                if (inside_on_line(*piece, at, c.along, one)) taken.push_back(one);
            std::sort(taken.begin(), taken.end(), [](const Interval& a, const Interval& b) { return a.from < b.from; });
            taken.push_back({to, to});
            for (const Interval& next : taken) {
                const double end = std::fmin(next.from, to);
                if (end > from) {
                    const double part = (end - from) * du * dv, length = end - from;
                    const Vec3 center = at + (0.5 * (from + end)) * c.along;
                    m.volume += part;
                    m.first += part * center;
                    for (int p = 0; p < 3; ++p)
                        for (int q = 0; q < 3; ++q)
                            m.second[p][q] +=
                                part * (center[p] * center[q] + length * length / 12 * c.along[p] * c.along[q]);
                }
                from = std::fmax(from, next.to);
            }
        }
    return m;
}

// Of all pairs, each with the piece of less mass as the small one.
std::vector<Common> common_parts(std::span<const Piece> pieces, std::span<const Moments> masses) {
    std::vector<std::size_t> order(pieces.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return masses[a].volume > masses[b].volume; });
    std::vector<Common> out;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Piece& small = pieces[order[i]];
        // Along the axis of least inertia, also in the plane.
        const PrincipalAxes principal = principal_axes(masses[order[i]], 3);
        const double inertia[3] = {principal.moments.x, principal.moments.y, principal.moments.z};
        int axes[3] = {0, 1, 2};
        std::sort(axes, axes + 3, [&](int a, int b) { return inertia[a] < inertia[b]; });
        const auto direction = [&](int k) {
            return Vec3{principal.axes.row[0][axes[k]], principal.axes.row[1][axes[k]], principal.axes.row[2][axes[k]]};
        };
        std::vector<const Piece*> counted;
        for (std::size_t j = 0; j < i; ++j) {
            const Piece& large = pieces[order[j]];
            if (norm(small.middle - large.middle) >= small.reach + large.reach) continue;
            const Distance d = distance(small.body, large.body);
            if (!d.skeletons_overlap && d.gap >= small.radius + large.radius) continue;
            Common c{&small, &large, counted, direction(0), {direction(1), direction(2)}, {}, {}};
            for (int side = 0; side < 2; ++side) {
                const auto extent = [&](const Piece& piece) {
                    Interval e{1e300, -1e300};
                    for (const Vec3 v : piece.vertex)
                        e = {std::fmin(e.from, dot(v, c.across[side])), std::fmax(e.to, dot(v, c.across[side]))};
                    return Interval{e.from - piece.radius, e.to + piece.radius};
                };
                const Interval one = extent(small), two = extent(large);
                c.low[side] = std::fmax(one.from, two.from);
                c.high[side] = std::fmax(c.low[side], std::fmin(one.to, two.to));
            }
            out.push_back(std::move(c));
            counted.push_back(&large);
        }
    }
    return out;
}

// The largest relative difference of volume, center (in radii of gyration) and inertia.
double difference(const Moments& a, const Moments& b) {
    const Mat3 ca = a.covariance(), cb = b.covariance();
    const double trace = ca.row[0].x + ca.row[1].y + ca.row[2].z;
    double out = std::fmax(std::fabs(a.volume - b.volume) / a.volume,
                           norm(a.center() - b.center()) / std::sqrt(trace / a.volume));
    for (int k = 0; k < 3; ++k) out = std::fmax(out, norm(ca.row[k] - cb.row[k]) / trace);
    return out;
}

}  // namespace

bool pieces_are_disjoint(std::span<const Piece> pieces) {
    for (std::size_t a = 0; a < pieces.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const Distance d = distance(pieces[a].body, pieces[b].body);
            if (d.skeletons_overlap || d.gap < (pieces[a].radius + pieces[b].radius) * (1 - 1e-12)) return false;
        }
    return true;
}

Moments moments_of_union(std::span<const Piece> pieces, int dimension) {
    std::vector<Moments> masses;
    Moments all;
    for (const Piece& piece : pieces) {
        masses.push_back(moments_of(piece, dimension));
        all.add(masses.back());
    }
    const std::vector<Common> twice = common_parts(pieces, masses);
    double work = 0;  // per line
    for (const Common& c : twice) work += c.work();
    const auto with = [&](int lines) {
        Moments sum = all;
        for (const Common& c : twice) {
            Moments less = by_lines(c, dimension, lines);
            less.volume = -less.volume;
            less.first = -less.first;
            for (auto& row : less.second)
                for (double& x : row) x = -x;
            sum.add(less);
        }
        return sum;
    };
    const auto number = [&](int lines) { return dimension == 2 ? lines : static_cast<double>(lines) * lines; };
    for (int lines = dimension == 2 ? 768 : 24;; lines *= 2) {
        Moments fine = with(lines);
        // Two coarser grids: the error of one may have the same sign and size by chance.
        for (const int coarse : {2 * lines / 3, 5 * lines / 6})
            fine.error = std::fmax(fine.error, wary * difference(fine, with(coarse)));
        if (fine.error < good_enough || 2 * work * number(2 * lines) > most_work) return fine;
    }
}

}  // namespace scree
