// Any convex body behind one type, so that code that asks rarely is compiled once. Refers to the body, which must
// outlive it. For GJK it counts as curved: the verdict is that of doubles, `error` tells what is left open.
#pragma once

#include "geometry/body.h"

namespace scree {

class AnyConvex {
  public:
    static constexpr bool polyhedral = false;

    template <ConvexBody Body>
    explicit AnyConvex(const Body& body)
        : body_(&body),
          origin_(body.origin()),
          center_(body.center()),
          reach_(body.reach()),
          margin_(body.margin()),
          support_([](const void* self, Vec3 d) {
              const Body& b = *static_cast<const Body*>(self);
              return b.support_checked(d, b.support(d, -1).index);
          }) {}

    Vec3 origin() const { return origin_; }
    Vec3 center() const { return center_; }
    double reach() const { return reach_; }
    double margin() const { return margin_; }
    bool needs_check() const { return false; }
    int vertex_count() const { return 0; }
    Vec3 vertex(int) const { return {}; }
    Support support(Vec3 d, int = -1) const { return support_(body_, d); }
    Support support_checked(Vec3 d, int) const { return support_(body_, d); }

  private:
    const void* body_;
    Vec3 origin_, center_;
    double reach_, margin_;
    Support (*support_)(const void*, Vec3);
};

}  // namespace scree
