// Convex bodies as GJK sees them: a support function about an origin of their own.
//
// A body offers
//   origin()          a point near it; everything below is relative to it
//   center()          somewhere in its middle
//   reach()           no point of it is farther from the origin
//   margin()          radius of the ball it is swept by; all else describes the skeleton
//   support(d, hint)  the point farthest along d; `hint` is the index of an earlier answer or -1
//   support_checked(d, found), needs_check()   see Polyhedron
//   vertex_count(), vertex(k)           for polyhedral bodies; 0 for curved ones
// The point of a polyhedral body is vertex(index), and the body *is* the hull of origin() + vertex(k), in exact sums.
#pragma once

#include <concepts>

#include "geometry/polyhedron.h"
#include "math/vec.h"

namespace scree {

template <class T>
concept ConvexBody = requires(const T& body, Vec3 d, int k) {
    { T::polyhedral } -> std::convertible_to<bool>;
    { body.origin() } -> std::same_as<Vec3>;
    { body.center() } -> std::same_as<Vec3>;
    { body.reach() } -> std::same_as<double>;
    { body.margin() } -> std::same_as<double>;
    { body.support(d, k) } -> std::same_as<Support>;
    { body.support_checked(d, k) } -> std::same_as<Support>;
    { body.needs_check() } -> std::same_as<bool>;
    { body.vertex_count() } -> std::same_as<int>;
    { body.vertex(k) } -> std::same_as<Vec3>;
};

// Point, segment, triangle: N vertices.
template <int N>
class SimplexBody {
  public:
    static constexpr bool polyhedral = true;

    template <class... Points>
    requires(sizeof...(Points) == N) explicit SimplexBody(Points... points) : vertex_{points...} {
        Vec3 low = vertex_[0], high = vertex_[0];
        for (int k = 1; k < N; ++k)
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = vertex_[k][axis] < low[axis] ? vertex_[k][axis] : low[axis];
                high[axis] = vertex_[k][axis] > high[axis] ? vertex_[k][axis] : high[axis];
            }
        for (int axis = 0; axis < 3; ++axis) origin_[axis] = exact_shift(low[axis], high[axis]);
        for (Vec3& v : vertex_) v -= origin_;
        measure();
    }
    // The same about an origin to which the points are relative already.
    template <class... Points>
    requires(sizeof...(Points) == N) static SimplexBody about(Vec3 origin, Points... points) {
        SimplexBody body;
        int k = 0;
        ((body.vertex_[k++] = points), ...);
        body.origin_ = origin;
        body.measure();
        return body;
    }

    Vec3 origin() const { return origin_; }
    Vec3 center() const { return center_; }
    double reach() const { return reach_; }
    double margin() const { return 0; }
    bool needs_check() const { return false; }
    int vertex_count() const { return N; }
    Vec3 vertex(int k) const { return vertex_[k]; }
    Support support(Vec3 d, int = -1) const {
        int best = 0;
        double top = dot(vertex_[0], d);
        for (int k = 1; k < N; ++k) {
            const double value = dot(vertex_[k], d);
            if (value > top) {
                top = value;
                best = k;
            }
        }
        return {vertex_[best], best};
    }
    Support support_checked(Vec3 d, int) const { return support(d); }

  private:
    SimplexBody() = default;
    void measure() {
        double largest = 0;
        for (const Vec3& v : vertex_) {
            center_ += (1.0 / N) * v;
            largest = norm2(v) > largest ? norm2(v) : largest;
        }
        reach_ = std::sqrt(largest) * (1 + 1e-15);
    }

    Vec3 vertex_[N];
    Vec3 origin_, center_;
    double reach_ = 0;
};

using PointBody = SimplexBody<1>;
using SegmentBody = SimplexBody<2>;
using TriangleBody = SimplexBody<3>;

// What curved bodies around the origin have in common.
class CurvedBody {
  public:
    static constexpr bool polyhedral = false;

    Vec3 origin() const { return {}; }
    Vec3 center() const { return {}; }
    double reach() const { return reach_; }
    double margin() const { return 0; }
    bool needs_check() const { return false; }
    int vertex_count() const { return 0; }
    Vec3 vertex(int) const { return {}; }

  protected:
    double reach_ = 0;
};

class Ellipsoid : public CurvedBody {
  public:
    explicit Ellipsoid(Vec3 half_axes);
    Support support(Vec3 d, int = -1) const;
    Support support_checked(Vec3 d, int) const { return support(d); }

  private:
    Vec3 half_;
};

// Around the z axis, from -half_height to half_height.
class Cylinder : public CurvedBody {
  public:
    Cylinder(double radius, double half_height);
    Support support(Vec3 d, int = -1) const;
    Support support_checked(Vec3 d, int) const { return support(d); }

  private:
    double radius_, half_height_;
};

// Around the z axis: base disc at -half_height, apex at half_height.
class Cone : public CurvedBody {
  public:
    Cone(double radius, double half_height);
    Support support(Vec3 d, int = -1) const;
    Support support_checked(Vec3 d, int) const { return support(d); }

  private:
    double radius_, half_height_;
};

// A body swept by a ball. Spheres are swept points, capsules swept segments.
template <ConvexBody Body>
class Swept : public Body {
  public:
    Swept(Body body, double radius) : Body(std::move(body)), radius_(radius) {}
    double margin() const { return Body::margin() + radius_; }

  private:
    double radius_;
};

inline Swept<PointBody> sphere(Vec3 center, double radius) { return {PointBody::about(center, Vec3{}), radius}; }
inline Swept<SegmentBody> capsule(Vec3 from, Vec3 to, double radius) { return {SegmentBody(from, to), radius}; }

// A body moved: x -> rotation x + position. The matrix may be any; `stretch` bounds the length it gives to unit
// vectors. Refers to the body, which must outlive it.
template <ConvexBody Body>
class Placed {
  public:
    static constexpr bool polyhedral = Body::polyhedral;

    // A rotation matrix.
    Placed(const Body& body, const Mat3& rotation, Vec3 position)
        : body_(&body),
          matrix_(rotation),
          origin_(position + rotation * body.origin()),
          reach_(body.reach() * (1 + 1e-12)) {}
    // Any matrix. Sweeping happens after it: the margin is not stretched.
    static Placed stretched(const Body& body, const Mat3& matrix, Vec3 position) {
        Placed placed(body, matrix, position);
        const double norm2_sum = norm2(matrix.row[0]) + norm2(matrix.row[1]) + norm2(matrix.row[2]);
        placed.reach_ *= std::sqrt(norm2_sum);
        return placed;
    }

    const Body& body() const { return *body_; }
    const Mat3& matrix() const { return matrix_; }
    Vec3 origin() const { return origin_; }
    Vec3 center() const { return matrix_ * body_->center(); }
    double reach() const { return reach_; }
    double margin() const { return body_->margin(); }
    bool needs_check() const { return body_->needs_check(); }
    int vertex_count() const { return body_->vertex_count(); }
    Vec3 vertex(int k) const { return matrix_ * body_->vertex(k); }
    Support support(Vec3 d, int hint = -1) const { return moved(body_->support(matrix_.transposed_times(d), hint)); }
    Support support_checked(Vec3 d, int found) const {
        return moved(body_->support_checked(matrix_.transposed_times(d), found));
    }

  private:
    Support moved(Support s) const { return {matrix_ * s.point, s.index}; }

    const Body* body_;
    Mat3 matrix_;
    Vec3 origin_;
    double reach_;
};

}  // namespace scree
