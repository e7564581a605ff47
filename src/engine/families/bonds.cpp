#include "engine/families/bonds.h"

#include <algorithm>

#include "world/identity.h"

namespace scree {

Bonds::Bonds(const ShapeTable& shapes, const Periodicity& periodicity)
    : shapes_(shapes),
      periodicity_(periodicity),
      any_glue_(false) {
    for (std::size_t k = 0; k < shapes.size(); ++k) any_glue_ = any_glue_ || shapes.glued(k);
}

void Bonds::clear() {
    first_.clear();
    bonds_.clear();
    forces_.clear();
}

void Bonds::renew(const Grains& grains) {
    clear();
    if (!any_glue_) return;
    const IdentityTable places(grains.id);
    for (std::size_t g = 0; g < grains.size(); ++g) {
        first_.push_back(static_cast<std::uint32_t>(bonds_.size()));
        const GluedCluster* cluster = shapes_.glued(grains.shape[g]);
        if (!cluster) continue;
        const std::uint32_t member = grains.id[g] % cluster->size(), begin = grains.id[g] - member;
        const double scale = grains.scale[g] / cluster->radius[member];
        for (std::uint32_t k = cluster->first[member]; k < cluster->first[member + 1]; ++k) {
            const GluedCluster::Bond& bond = cluster->bonds[k];
            const Index partner = places.find(begin + bond.other);
            if (partner == IdentityTable::none) continue;
            const double rest = scale * bond.rest,
                         inverse_mass = grains.row[g].inverse_mass + grains.row[partner].inverse_mass;
            const double damping = bond_damping(cluster->glue, bond_stiffness(cluster->glue, rest), inverse_mass);
            bonds_.push_back({partner, rest, damping, &cluster->glue});
        }
    }
    first_.push_back(static_cast<std::uint32_t>(bonds_.size()));
    forces_.resize(bonds_.size());
}

bool Bonds::bonded(const Grains& grains, std::size_t i, std::size_t j) const {
    if (!any_glue_ || grains.shape[i] != grains.shape[j]) return false;
    const GluedCluster* cluster = shapes_.glued(grains.shape[i]);
    if (!cluster) return false;
    const std::uint32_t size = cluster->size();
    return grains.id[i] / size == grains.id[j] / size && cluster->bonded(grains.id[i] % size, grains.id[j] % size);
}

Bonds::Pull Bonds::pull(const Grains& grains, std::size_t g, const Bond& bond) const {
    Pull out;
    const Vec3 d = periodicity_.nearest(grains.position(g) - grains.position(bond.partner));
    out.distance = norm(d);
    out.normal = d / out.distance;
    const double approach = -dot(grains.velocity(g) - grains.velocity(bond.partner), out.normal);
    const BondForce f = bond_force(*bond.glue, out.distance, bond.rest);
    const double repulsion = f.repulsion + bond.damping * approach;
    out.force = repulsion * out.normal;
    out.energy = f.energy;
    return out;
}

void Bonds::collide(const Grains& grains, std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end && !first_.empty(); ++g)
        for (std::size_t k = first_[g]; k < first_[g + 1]; ++k) {
            const Pull of = pull(grains, g, bonds_[k]);
            forces_[k] = {of.force.x, of.force.y, of.force.z, 0, 0, 0, 0, 0};
        }
}

void Bonds::add_up(std::size_t begin, std::size_t end, ForceRow* sums) const {
    for (std::size_t g = begin; g < end && !first_.empty(); ++g)
        for (std::size_t k = first_[g]; k < first_[g + 1]; ++k) add_to(sums[g - begin], forces_[k]);
}

// Bonds are contacts too, that may pull.
void Bonds::each_view(const Grains& grains, const std::function<void(const ContactView&)>& visit) const {
    for (std::size_t g = 0; g + 1 < first_.size(); ++g)
        for (std::size_t k = first_[g]; k < first_[g + 1]; ++k) {
            if (grains.id[g] > grains.id[bonds_[k].partner]) continue;
            const Pull of = pull(grains, g, bonds_[k]);
            ContactView view{};
            view.a = grains.id[g];
            view.b = grains.id[bonds_[k].partner];
            view.overlap = bonds_[k].rest - of.distance;
            view.point = grains.position(g) - (0.5 * of.distance) * of.normal;
            view.normal = of.normal;
            view.force = of.force;
            view.elastic_energy = of.energy;
            visit(view);
        }
}

}  // namespace scree
