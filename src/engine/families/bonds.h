// Bonds between the spheres of glued clusters (shape/glue.h): found from identities at every refresh.
#pragma once

#include <functional>
#include <vector>

#include "engine/rows.h"
#include "neighbor/neighborhood.h"
#include "shape/shape_table.h"
#include "world/contact_list.h"
#include "world/world.h"

namespace scree {

class Bonds {
  public:
    Bonds(const ShapeTable& shapes, const Periodicity& periodicity);

    void renew(const Grains& grains);
    void clear();
    // The forces of the bonds of these grains. Each of two partners computes their bond for itself.
    void collide(const Grains& grains, std::size_t begin, std::size_t end);
    // Adds them to the sums, the first of which is that of `begin`.
    void add_up(std::size_t begin, std::size_t end, ForceRow* sums) const;
    // The grains that are looked at: visit(partner).
    template <class Visit>
    void each_partner(std::size_t begin, std::size_t end, Visit&& visit) const {
        for (std::size_t k = of(begin); k < of(end); ++k) visit(bonds_[k].partner);
    }
    bool bonded(const Grains& grains, std::size_t i, std::size_t j) const;
    void each_view(const Grains& grains, const std::function<void(const ContactView&)>& visit) const;

  private:
    struct Bond {  // of one grain; its partner has the same
        Index partner;
        double rest, damping;
        const Glue* glue;
    };
    struct Pull {
        Vec3 force;   // on the grain
        Vec3 normal;  // from the partner to it
        double distance, energy;
    };
    Pull pull(const Grains& grains, std::size_t g, const Bond& bond) const;
    std::size_t of(std::size_t g) const { return first_.empty() ? 0 : first_[g]; }

    const ShapeTable& shapes_;
    Periodicity periodicity_;
    bool any_glue_;
    std::vector<std::uint32_t> first_;  // per grain, into bonds_; empty without glue
    std::vector<Bond> bonds_;
    std::vector<ForceRow> forces_;  // of bonds_
};

}  // namespace scree
