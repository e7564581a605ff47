// A convex polyhedron cut out of a box by planes, kept as a graph: every corner is where three planes meet, and knows
// the corner across each of its three edges. A cut removes the corners beyond a plane and closes the hole by new ones.
//
// Which corners go is decided on doubles, then mended so that the corners removed and those kept each hang together; so
// the result is a polyhedron whatever the rounding does, and errors show as edges of length about 1e-16 only. Rejected:
// cutting the polygons of the faces one by one, which near degenerate corners gives faces that do not fit together.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "math/vec.h"

namespace scree::micro {

struct CutPlane {
    std::int32_t label;
    Vec3 normal;    // outward, unit
    double offset;  // normal · x <= offset inside
};

class ConvexCell {
  public:
    struct Corner {
        // Three planes, counter-clockwise seen from outside; across[k] is the corner at the other end of the edge that
        // lies on planes k + 1 and k + 2 (mod 3).
        std::array<std::int32_t, 3> plane;
        std::array<std::int32_t, 3> across;
        Vec3 at;
    };

    // The six planes are labeled −2 − 2 axis − side.
    ConvexCell(Vec3 low, Vec3 high);

    // True if the plane cuts something off. A cell all of which is cut away is empty from then on.
    bool cut(const CutPlane& plane);

    bool empty() const { return corners_.empty(); }
    const std::vector<Corner>& corners() const { return corners_; }
    const std::vector<CutPlane>& planes() const { return planes_; }
    // The largest distance of a corner from the origin of coordinates, squared.
    double reach2() const;

    struct Measures {
        double volume = 0, area = 0;
        Vec3 moment;  // the volume times the centroid
        Vec3 second;  // integrals of x², y², z²
    };
    Measures measures() const;

    // Calls f(plane, corners) for every face, corners counter-clockwise seen from outside.
    template <class F>
    void for_each_face(F&& f) const {
        std::vector<std::int32_t> first(planes_.size(), -1);
        for (std::size_t c = 0; c < corners_.size(); ++c)
            for (const std::int32_t p : corners_[c].plane)
                first[static_cast<std::size_t>(p)] = static_cast<std::int32_t>(c);
        std::vector<std::int32_t> loop;
        for (std::size_t p = 0; p < planes_.size(); ++p) {
            if (first[p] < 0) continue;
            loop.clear();
            std::int32_t c = first[p];
            do {
                loop.push_back(c);
                const Corner& corner = corners_[static_cast<std::size_t>(c)];
                const int k = corner.plane[0] == static_cast<std::int32_t>(p)   ? 0
                              : corner.plane[1] == static_cast<std::int32_t>(p) ? 1
                                                                                : 2;
                c = corner.across[static_cast<std::size_t>((k + 1) % 3)];
            } while (c != first[p]);
            f(planes_[p], loop);
        }
    }

  private:
    void settle_sides();

    std::vector<CutPlane> planes_;
    std::vector<Corner> corners_;
    // Kept from cut to cut, to save memory's allocation.
    std::vector<double> beyond_;
    std::vector<std::int8_t> side_;
    std::vector<std::int32_t> stack_, part_, at_plane_, renumber_;
};

}  // namespace scree::micro
