#include "shape/covering.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree {
namespace {

constexpr double tiny = 1e-9;  // of a radius: how far rounding may carry a point out of a sphere that touches it

// Adds centers, at the radius R about points of the skeleton, until simplices are covered.
struct SkeletonCover {
    double radius, depth;
    std::size_t most;
    std::vector<CoverSphere> spheres;

    bool full() const { return spheres.size() > most; }
    void add(Vec3 x) {
        for (const CoverSphere& s : spheres)
            if (norm2(s.x - x) < tiny * radius * radius) return;
        spheres.push_back({x, radius, depth});
    }

    // Every point of the simplex within `range` of a center on the flat it spans, as far as `first`, the first sphere
    // it may use, says.
    template <std::size_t N>
    void simplex(const std::array<Vec3, N>& corner, double range, std::size_t first) {
        if (full()) return;
        const double square = range * range * (1 + tiny);
        const auto holds = [&](Vec3 x) {
            return std::all_of(corner.begin(), corner.end(), [&](Vec3 c) { return norm2(c - x) <= square; });
        };
        for (std::size_t k = first; k < spheres.size(); ++k)
            if (holds(spheres[k].x)) return;
        std::size_t p = 0, q = 1;
        Vec3 sum;
        for (std::size_t i = 0; i < N; ++i) {
            sum += corner[i];
            for (std::size_t j = i + 1; j < N; ++j)
                if (norm2(corner[i] - corner[j]) > norm2(corner[p] - corner[q])) {
                    p = i;
                    q = j;
                }
        }
        const Vec3 half = 0.5 * (corner[p] + corner[q]);
        if (const Vec3 mean = (1.0 / static_cast<double>(N)) * sum; holds(mean)) return add(mean);
        if (holds(half)) return add(half);
        std::array<Vec3, N> a = corner, b = corner;
        a[q] = half;
        b[p] = half;
        simplex(a, range, first);
        simplex(b, range, first);
    }
};

// Pournin 2005 section 3.2.1.1: the fewest that cover a rod.
void cover_rod(SkeletonCover& cover, Vec3 from, Vec3 to) {
    const double length = norm(to - from), end = cover.radius - cover.depth,
                 apart = 2 * std::sqrt(cover.radius * cover.radius - cover.depth * cover.depth);
    const double gaps = std::ceil((length - 2 * end) / apart - tiny);
    if (gaps > static_cast<double>(cover.most)) return cover.spheres.resize(cover.most + 1);
    if (gaps <= 0) return cover.add(0.5 * (from + to));
    for (int k = 0; k <= static_cast<int>(gaps); ++k)
        cover.add(from + (end + (length - 2 * end) * k / gaps) / length * (to - from));
}

// Corners, then edges and faces, each by centers in its own flat, then the inside.
void cover_polyhedron(SkeletonCover& cover, const Piece& piece, int dimension) {
    const double range = std::sqrt(cover.radius * cover.radius - cover.depth * cover.depth);
    const auto at = [&](int k) { return piece.vertex[static_cast<std::size_t>(k)]; };
    if (piece.vertex.size() > cover.most) return cover.spheres.resize(cover.most + 1);
    for (const Vec3 v : piece.vertex) cover.add(v);
    for (const auto& [p, q] : piece.edges) {
        const double gaps = std::ceil(norm(at(q) - at(p)) / (2 * range) - tiny);
        if (gaps + static_cast<double>(cover.spheres.size()) > static_cast<double>(cover.most) + 2)
            return cover.spheres.resize(cover.most + 1);
        for (int k = 1; k < static_cast<int>(gaps); ++k) cover.add(at(p) + k / gaps * (at(q) - at(p)));
    }
    // What serves a face stands in its plane: its own corners and edges among what is there, and its own centers.
    const auto cover_face = [&](const Face& face, double reach) {
        SkeletonCover flat{cover.radius, cover.depth, cover.most, {}};
        for (const CoverSphere& s : cover.spheres)
            if (std::fabs(dot(face.normal, s.x) - face.offset) <= 1e-12 * (std::fabs(face.offset) + cover.radius))
                flat.spheres.push_back(s);
        for (std::size_t k = 1; k + 1 < face.corners.size(); ++k)
            flat.simplex(std::array{at(face.corners[0]), at(face.corners[k]), at(face.corners[k + 1])}, reach, 0);
        for (const CoverSphere& s : flat.spheres) cover.add(s.x);
    };
    if (dimension == 2) {
        // The body is flat itself: its polygon is the inside.
        Vec3 middle;
        for (const Vec3 v : piece.vertex) middle += (1.0 / static_cast<double>(piece.vertex.size())) * v;
        for (const Face& edge : piece.faces)
            cover.simplex(std::array{middle, at(edge.corners[0]), at(edge.corners[1])}, cover.radius, 0);
        return;
    }
    if (piece.dimension == 2) return cover_face(piece.faces[0], range);
    Vec3 middle;
    for (const Vec3 v : piece.vertex) middle += (1.0 / static_cast<double>(piece.vertex.size())) * v;
    for (const Face& face : piece.faces) cover_face(face, range);
    for (const Face& face : piece.faces)
        for (std::size_t k = 1; k + 1 < face.corners.size(); ++k)
            cover.simplex(std::array{middle, at(face.corners[0]), at(face.corners[k]), at(face.corners[k + 1])},
                          cover.radius, 0);
}

// Badoiu and Clarkson: steps towards the farthest corner, ever shorter; the center stays in the hull.
Vec3 center_of(const Piece& piece) {
    const std::size_t n = piece.vertex.size();
    Vec3 mean;
    for (const Vec3 v : piece.vertex) mean += (1.0 / static_cast<double>(n)) * v;
    const auto farthest = [&](Vec3 x) {
        return *std::max_element(piece.vertex.begin(), piece.vertex.end(),
                                 [&](Vec3 a, Vec3 b) { return norm2(a - x) < norm2(b - x); });
    };
    Vec3 best = mean, x = mean;
    for (int k = 1; k <= 200; ++k) {
        x += (1.0 / (k + 1)) * (farthest(x) - x);
        if (norm2(farthest(x) - x) < norm2(farthest(best) - best)) best = x;
    }
    return best;
}

}  // namespace

double CoverRule::radius(double depth) const {
    const double d = depth - 0.5 * overlap, m = least - 0.5 * overlap;
    return std::sqrt(d * d + d * m);
}

CoverSphere surrounding_ball(const Piece& piece, int dimension) {
    const Vec3 x = piece.vertex.size() == 1 ? piece.vertex[0] : center_of(piece);
    double farthest = 0, inside = std::numeric_limits<double>::infinity();
    for (const Vec3 v : piece.vertex) farthest = std::max(farthest, norm(v - x));
    // The center is a mean of corners: it lies in the skeleton, and below its sides where it has an inside.
    if (piece.dimension < dimension)
        inside = 0;
    else
        for (const Face& face : piece.faces) inside = std::min(inside, face.offset - dot(face.normal, x));
    return {x, farthest * (1 + 1e-14) + piece.radius, piece.radius + std::max(inside, 0.0)};
}

bool overlapping_condition(const std::vector<CoverSphere>& spheres, double growth) {
    for (std::size_t i = 0; i < spheres.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double p = spheres[i].radius + growth, q = spheres[j].radius + growth;
            if (!(norm2(spheres[i].x - spheres[j].x) > std::fabs(p * p - q * q))) return false;
        }
    return true;
}

std::vector<CoverSphere> cover_shape(const Shape& shape, int dimension, const CoverRule& rule, std::size_t most) {
    std::vector<CoverSphere> out;
    for (const Piece& piece : shape.pieces) {
        const CoverSphere one = surrounding_ball(piece, dimension);
        if (piece.dimension == 0 || one.radius <= rule.radius(one.depth) * (1 + tiny)) {
            out.push_back(one);
            continue;
        }
        SkeletonCover cover{rule.radius(piece.radius), piece.radius, most, {}};
        if (!(cover.radius > cover.depth)) return {};
        if (piece.dimension == 1)
            cover_rod(cover, piece.vertex[0], piece.vertex[1]);
        else
            cover_polyhedron(cover, piece, dimension);
        if (cover.full() || out.size() + cover.spheres.size() > most) return {};
        out.insert(out.end(), cover.spheres.begin(), cover.spheres.end());
    }
    if (out.size() > most) return {};
    // Spheres inside others are not needed.
    std::vector<CoverSphere> kept;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto inside = [&](const CoverSphere& other, bool first) {
            const double d = norm(out[i].x - other.x) + out[i].radius;
            return d < other.radius || (first && d == other.radius);
        };
        bool needed = true;
        for (std::size_t j = 0; j < out.size() && needed; ++j) needed = i == j || !inside(out[j], j < i);
        if (needed) kept.push_back(out[i]);
    }
    return overlapping_condition(kept, rule.overlap) ? kept : std::vector<CoverSphere>{};
}

CoverPlan plan_coverings(const std::vector<ScaledShape>& population, int dimension, std::size_t most) {
    CoverPlan plan;
    double rounding = std::numeric_limits<double>::infinity(), least = rounding;
    for (const auto& [shape, smallest, largest] : population) {
        if (!shape) continue;
        for (const Piece& piece : shape->pieces) {
            rounding = std::min(rounding, piece.radius * smallest);
            least = std::min(least, surrounding_ball(piece, dimension).depth * smallest);
        }
    }
    plan.overlap = rounding / 8;
    // One sphere in the middle lies deeper than many along the skeleton. Whether one will do depends on the smallest
    // depth, and that on who needs many: it only ever sinks, at the latest to the smallest rounding radius.
    for (;;) {
        plan.least = least;
        plan.refused = 0;
        plan.spheres.assign(population.size(), {});
        for (std::size_t k = 0; k < population.size(); ++k) {
            const auto& [shape, smallest, largest] = population[k];
            if (!shape) continue;
            // The largest grains of a shape have, for their size, the smallest neighbors.
            plan.spheres[k] = cover_shape(*shape, dimension, {plan.overlap / largest, plan.least / largest}, most);
            plan.refused += plan.spheres[k].empty();
            for (const CoverSphere& s : plan.spheres[k]) least = std::min(least, s.depth * smallest);
        }
        if (!(least < plan.least)) return plan;
    }
}

bool contacts_stay_orthogonal(const CoverPlan& plan, const std::vector<ScaledShape>& population) {
    struct Size {
        double radius, depth;
    };
    std::vector<Size> sizes;
    for (std::size_t k = 0; k < population.size(); ++k)
        for (const CoverSphere& s : plan.spheres[k])
            for (const double scale : {population[k].smallest, population[k].largest})
                sizes.push_back({s.radius * scale, s.depth * scale});
    for (const Size& p : sizes)
        for (const Size& q : sizes) {
            const double apart = p.depth + q.depth - plan.overlap;
            if (apart < 0 || apart * apart * (1 + tiny) < p.radius * p.radius + q.radius * q.radius ||
                p.radius < p.depth * (1 - tiny))
                return false;
        }
    return true;
}

}  // namespace scree
