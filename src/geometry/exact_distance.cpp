#include "geometry/exact_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scree/error.h"

namespace scree {
namespace {

// Where the origin's nearest point of a simplex lies: on the face of `count` vertices `vertex`, with positive weights.
struct Face {
    int count = 0;
    std::array<int, 4> vertex{};
    std::array<ExactInteger, 4> weight;
    ExactVec3 direction;                  // along the nearest point; zero when the origin is in the face
    ExactInteger numerator, denominator;  // squared distance
};

class Solver {
  public:
    Solver(const VertexSet& a, const VertexSet& b);

    ExactDistance solve(std::span<const VertexPair> start);

  private:
    struct Corner {
        VertexPair pair;
        ExactVec3 point;  // a - b + shift
    };

    // Iterates to the closest face of (A - B) + shift.
    Face iterate(std::vector<Corner>& simplex, int& iterations) const;
    Corner corner(VertexPair pair) const;
    int farthest(const VertexSet& set, const std::vector<Vec3>& points, const ExactVec3& d) const;
    ExactVec3 exact(const std::vector<Vec3>& points, int k) const {
        return exact_vector(points[static_cast<std::size_t>(k)], exponent_);
    }
    bool interiors_meet(std::span<const VertexPair> start, Vec3& normal) const;
    void finish(ExactDistance& result, const Face& face, const std::vector<Corner>& simplex) const;

    VertexSet a_, b_;
    std::vector<Vec3> points_a_, points_b_;
    int exponent_ = 0;
    ExactVec3 origin_a_, origin_b_;
    ExactVec3 shift_;
    int magnify_ = 0;  // coordinates are multiplied by 2^magnify_
};

std::vector<Vec3> points_of(const VertexSet& set) {
    if (set.count < 1) throw Error(ErrorKind::bad_input, "a body without vertices has no distance");
    std::vector<Vec3> points;
    for (int k = 0; k < set.count; ++k) {
        points.push_back(set.vertex(set.body, k));
        if (!is_finite(points.back()) || !is_finite(set.origin))
            throw Error(
                ErrorKind::bad_input,
                fmt::format("vertex {} of a body is not finite: its coordinates or its placement are broken", k));
    }
    return points;
}

Solver::Solver(const VertexSet& a, const VertexSet& b)
    : a_(a),
      b_(b),
      points_a_(points_of(a)),
      points_b_(points_of(b)) {
    const std::array origins{a.origin, b.origin};
    exponent_ = std::min({common_exponent(points_a_), common_exponent(points_b_), common_exponent(origins)});
    origin_a_ = exact_vector(a.origin, exponent_);
    origin_b_ = exact_vector(b.origin, exponent_);
}

Solver::Corner Solver::corner(VertexPair pair) const {
    ExactVec3 point = (exact(points_a_, pair.a) + origin_a_) - (exact(points_b_, pair.b) + origin_b_);
    if (magnify_ == 0) return {pair, std::move(point)};
    point = {point.x.shifted_left(magnify_), point.y.shifted_left(magnify_), point.z.shifted_left(magnify_)};
    return {pair, point + shift_};
}

// The vertex farthest along d, the first of equals: doubles drop all that cannot be it, integers decide among the rest.
int Solver::farthest(const VertexSet& set, const std::vector<Vec3>& points, const ExactVec3& d) const {
    const Vec3 direction = leading_direction(d);
    std::vector<double> value(points.size());
    double best = -std::numeric_limits<double>::infinity(), largest = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Vec3 p = points[k];
        value[k] = dot(direction, p);
        best = value[k] > best ? value[k] : best;
        largest = std::max({largest, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    }
    // Cutting the direction costs 3 |p|, the products and sums 3 * 4 * 2^-53 * 2^53 |p|.
    const double doubt = 32 * largest;
    int chosen = -1;
    ExactInteger top;
    std::vector<int> candidates;
    for (int k = 0; k < set.count; ++k)
        if (!(value[static_cast<std::size_t>(k)] < best - doubt)) candidates.push_back(k);
    if (candidates.size() == 1) return candidates.front();
    for (const int k : candidates) {
        ExactInteger product = dot(d, exact(points, k));
        if (chosen < 0 || top < product) {
            top = std::move(product);
            chosen = k;
        }
    }
    return chosen;
}

// Conditions of the nearest point on one face: positive weights, and no other vertex nearer along its direction.
bool accept(std::span<const ExactVec3> w, std::span<const int> face, Face& result) {
    const auto at = [&](std::size_t k) -> const ExactVec3& { return w[static_cast<std::size_t>(face[k])]; };
    result.count = static_cast<int>(face.size());
    if (face.size() == 1) {
        result.weight[0] = 1;
        result.direction = at(0);
        result.numerator = norm2(at(0));
        result.denominator = 1;
    } else if (face.size() == 2) {
        const ExactVec3 t = at(1) - at(0);
        result.weight[0] = dot(at(1), t);
        result.weight[1] = -dot(at(0), t);
        if (result.weight[0].sign() <= 0 || result.weight[1].sign() <= 0) return false;
        result.direction = result.weight[0] * at(0) + result.weight[1] * at(1);
        result.numerator = norm2(cross(at(0), at(1)));
        result.denominator = norm2(t);
    } else if (face.size() == 3) {
        const ExactVec3 n = cross(at(1) - at(0), at(2) - at(0));
        if (n.is_zero()) return false;
        for (std::size_t k = 0; k < 3; ++k) {
            result.weight[k] = dot(n, cross(at((k + 1) % 3), at((k + 2) % 3)));
            if (result.weight[k].sign() <= 0) return false;
        }
        const ExactInteger height = dot(n, at(0));
        result.direction = height.sign() > 0 ? n : height.sign() < 0 ? -n : ExactVec3{};
        result.numerator = height * height;
        result.denominator = norm2(n);
    } else {
        const ExactInteger whole = dot(cross(at(1) - at(0), at(2) - at(0)), at(3) - at(0));
        if (whole.sign() == 0) return false;
        const int order[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
        for (std::size_t k = 0; k < 4; ++k) {
            const auto& o = order[k];
            result.weight[k] = dot(cross(at(static_cast<std::size_t>(o[0])), at(static_cast<std::size_t>(o[1]))),
                                   at(static_cast<std::size_t>(o[2])));
            if (result.weight[k].sign() != whole.sign()) return false;
            if (whole.sign() < 0) result.weight[k] = -result.weight[k];
        }
        result.direction = {};
        result.numerator = 0;
        result.denominator = 1;
    }
    std::copy(face.begin(), face.end(), result.vertex.begin());
    if (result.direction.is_zero()) return true;
    const ExactInteger level = dot(result.direction, at(0));
    for (std::size_t j = 0; j < w.size(); ++j) {
        if (std::find(face.begin(), face.end(), static_cast<int>(j)) != face.end()) continue;
        if (dot(result.direction, w[j]) < level) return false;
    }
    return true;
}

// The face of a simplex nearest to the origin. One always satisfies the conditions, degenerate simplices included
// (Caratheodory: the nearest point is a positive combination of affinely independent vertices).
Face nearest_face(std::span<const ExactVec3> w) {
    Face result;
    const int n = static_cast<int>(w.size());
    for (int size = n; size >= 1; --size)
        for (int mask = 1; mask < 1 << n; ++mask) {
            std::array<int, 4> face{};
            int count = 0;
            for (int k = 0; k < n; ++k)
                if ((mask >> k & 1) != 0) face[static_cast<std::size_t>(count++)] = k;
            if (count == size && accept(w, std::span(face).first(static_cast<std::size_t>(count)), result))
                return result;
        }
    throw Error(ErrorKind::run_time, "no face of a simplex is nearest to the origin: this cannot happen");
}

Face Solver::iterate(std::vector<Corner>& simplex, int& iterations) const {
    for (;;) {
        ++iterations;
        std::vector<ExactVec3> w;
        for (const Corner& c : simplex) w.push_back(c.point);
        Face face = nearest_face(w);
        std::vector<Corner> kept;
        for (int k = 0; k < face.count; ++k) {
            int& vertex = face.vertex[static_cast<std::size_t>(k)];
            kept.push_back(std::move(simplex[static_cast<std::size_t>(vertex)]));
            vertex = k;
        }
        simplex = std::move(kept);
        if (face.direction.is_zero()) return face;
        // Look for a corner strictly nearer along the direction.
        Corner next = corner({farthest(a_, points_a_, -face.direction), farthest(b_, points_b_, face.direction)});
        if (!(dot(face.direction, next.point) < dot(face.direction, simplex.front().point))) return face;
        simplex.push_back(std::move(next));
    }
}

// The origin lies in A - B. Is it inside? A plane through three corners that misses the origin misses it by more than
// 1/|n| >= 2^-(2L+3), where coordinates have L bits. So the origin is inside exactly when four points around it at a
// smaller distance are in A - B as well: magnify the coordinates and move by unit vectors.
bool Solver::interiors_meet(std::span<const VertexPair> start, Vec3& normal) const {
    int largest = 0;
    for (const auto* points : {&points_a_, &points_b_})
        for (const Vec3& p : *points) {
            const ExactVec3 e = exact_vector(p, exponent_);
            largest = std::max({largest, e.x.bits(), e.y.bits(), e.z.bits()});
        }
    const ExactVec3 offset = origin_a_ - origin_b_;
    largest = std::max({largest, offset.x.bits(), offset.y.bits(), offset.z.bits()}) + 2;
    Solver moved = *this;
    moved.magnify_ = 2 * (largest + 1) + 8;
    const ExactInteger one = 1, none = 0;
    const ExactVec3 directions[4] = {{one, one, one}, {one, -one, -one}, {-one, one, -one}, {-one, -one, one}};
    for (const ExactVec3& d : directions) {
        moved.shift_ = d;
        std::vector<Corner> simplex;
        for (const VertexPair& pair : start) simplex.push_back(moved.corner(pair));
        int iterations = 0;
        const Face face = moved.iterate(simplex, iterations);
        if (face.direction.is_zero()) continue;
        normal = -normalized(leading_direction(face.direction));
        return false;
    }
    return true;
}

void Solver::finish(ExactDistance& result, const Face& face, const std::vector<Corner>& simplex) const {
    result.count = face.count;
    ExactInteger sum = 0;
    ExactVec3 a, b;
    for (std::size_t k = 0; k < simplex.size(); ++k) {
        result.pair[k] = simplex[k].pair;
        result.weight[k] = face.weight[k];
        sum = sum + face.weight[k];
        a = a + face.weight[k] * exact(points_a_, simplex[k].pair.a);
        b = b + face.weight[k] * exact(points_b_, simplex[k].pair.b);
    }
    a = a + sum * origin_a_;
    b = b + sum * origin_b_;
    result.point_a = {nearest_double(a.x, sum, exponent_), nearest_double(a.y, sum, exponent_),
                      nearest_double(a.z, sum, exponent_)};
    result.point_b = {nearest_double(b.x, sum, exponent_), nearest_double(b.y, sum, exponent_),
                      nearest_double(b.z, sum, exponent_)};
    result.numerator = face.numerator;
    result.denominator = face.denominator;
    result.exponent = exponent_;
    if (face.direction.is_zero()) return;
    result.normal = -normalized(leading_direction(face.direction));
    // The square root of a double near 1, so that tiny and huge distances neither underflow nor overflow.
    const int half = (face.numerator.bits() - face.denominator.bits()) / 2;
    result.distance =
        std::ldexp(std::sqrt(nearest_double(face.numerator, face.denominator, -2 * half)), half + exponent_);
}

ExactDistance Solver::solve(std::span<const VertexPair> start) {
    ExactDistance result;
    std::vector<Corner> simplex;
    for (const VertexPair& pair : start.first(std::min<std::size_t>(start.size(), 4))) simplex.push_back(corner(pair));
    if (simplex.empty()) simplex.push_back(corner({0, 0}));
    const Face face = iterate(simplex, result.iterations);
    finish(result, face, simplex);
    if (!face.direction.is_zero()) {
        result.relation = Relation::separated;
    } else if (face.count == 4) {
        result.relation = Relation::overlapping;
    } else {
        Vec3 normal;
        const bool inside =
            interiors_meet(std::span(result.pair).first(static_cast<std::size_t>(result.count)), normal);
        result.relation = inside ? Relation::overlapping : Relation::touching;
        result.normal = inside ? Vec3{} : normal;
    }
    return result;
}

}  // namespace

ExactDistance exact_distance(const VertexSet& a, const VertexSet& b, std::span<const VertexPair> start) {
    return Solver(a, b).solve(start);
}

}  // namespace scree
