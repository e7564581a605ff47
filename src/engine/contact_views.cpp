// Contacts as an observer sees them: recomputed from positions, velocities and memory, with no time passing.
#include "contact/all_laws.h"
#include "contact/at_point.h"
#include "engine/contacts.h"

namespace scree {
namespace {

struct Body {
    const GrainRow& row;
    const SpinRow& spin;
};

}  // namespace

// Calls visit(i, b, wall_pair, view) for every touching pair; the identities are left to the caller.
template <class Visit>
void Contacts::visit_contacts(const Grains& grains, Visit&& visit) const {
    with_law(materials_.law(), [&](auto chosen) {
        using Law = decltype(chosen);
        const auto* const table = static_cast<const typename Law::Coefficients*>(materials_.coefficients());
        const auto one = [&](const Body& a, const Body& b, std::uint16_t type, bool periodic, const TileView& tile,
                             std::size_t lane, ContactView view) {
            const auto& c = table[type];
            Vec3 d{a.row.x - b.row.x, a.row.y - b.row.y, a.row.z - b.row.z};
            if (periodic) d = periodicity_.nearest(d);
            const double distance = norm(d), radius_sum = a.row.radius + b.row.radius;
            ContactState state{};
            view.overlap = radius_sum - distance;
            state.inverse_mass = a.row.inverse_mass + b.row.inverse_mass;
            if (!(view.overlap > -Law::reach(c, state.inverse_mass))) return;
            state.overlap = depth_of<Law>(view.overlap);
            state.mass = 1 / state.inverse_mass;
            state.radius = 1 / (a.spin.inverse_radius + b.spin.inverse_radius);
            set_times_to_look(state, time_step_);
            const Vec3 n = d / distance;
            const double arm = distance / radius_sum;
            const Vec3 spin = arm * Vec3{a.spin.x + b.spin.x, a.spin.y + b.spin.y, a.spin.z + b.spin.z};
            const Vec3 v = Vec3{a.row.vx - b.row.vx, a.row.vy - b.row.vy, a.row.vz - b.row.vz} + cross(n, spin);
            // Springs are in the plane already: nothing has moved since the law left them there.
            const auto kept = [&](int m) { return tile.memory[static_cast<std::size_t>(m) * tile_width + lane]; };
            double memory[Law::memory], roll[rolling_memory] = {};
            for (int m = 0; m < Law::memory; ++m) memory[m] = kept(m);
            for (int m = 0; m < rolling_memory && materials_.rolling(); ++m) roll[m] = kept(Law::memory + m);
            const RollingCoefficients& rolling = materials_.rolling_coefficients()[type];
            view.elastic_energy =
                energy_at<Law, true>(c, rolling, view.overlap, state.inverse_mass, state.radius, 1, memory, roll);
            // A view has no couples.
            const PointForce force = act_at<Law, false>(c, rolling, materials_.friction()[type], n, v, {}, -dot(v, n),
                                                        1, 1, state, memory, roll);
            view.normal = n;
            view.point = Vec3{a.row.x, a.row.y, a.row.z} - (arm * a.row.radius) * n;
            view.force = force.force;
            visit(view);
        };
        for (const Chunk& chunk : chunks_) {
            for (const PairTiles* tiles : {&chunk.inside, &chunk.across}) {
                for (std::size_t p = 0; p < tiles->pair_count(); ++p) {
                    const TileView tile = tiles->tile(p / tile_width);
                    const Index i = index_at(tile.i[p % tile_width]), j = index_at(tile.j[p % tile_width]);
                    ContactView view{};
                    view.a = grains.id[i];
                    view.b = grains.id[j];
                    one({grains.row[i], grains.spin[i]}, {grains.row[j], grains.spin[j]},
                        materials_.type(grains.material[i], grains.material[j]), true, tile, p % tile_width, view);
                }
            }
            for (std::size_t p = 0; p < chunk.wall_pairs.size(); ++p) {
                const Index i = chunk.wall_pairs[p].grain;
                ContactView view{};
                view.a = grains.id[i];
                view.b = 0;
                view.wall = chunk.wall_pairs[p].wall;
                view.feature = chunk.wall_pairs[p].feature;
                one({grains.row[i], grains.spin[i]}, {chunk.ghosts[p], chunk.ghost_spins[p]},
                    materials_.type(grains.material[i], chunk.ghost_materials[p]), false,
                    chunk.wall_tiles.tile(p / tile_width), p % tile_width, view);
            }
        }
    });
}

std::vector<ContactView> Contacts::views(const Grains& grains) const {
    std::vector<ContactView> all;
    visit_contacts(grains, [&](const ContactView& view) { all.push_back(view); });
    return all;
}

void Contacts::each_view(const Grains& grains, const std::function<void(const ContactView&)>& visit) const {
    visit_contacts(grains, visit);
}

double Contacts::elastic_energy(const Grains& grains) const {
    double sum = 0;
    visit_contacts(grains, [&](const ContactView& view) { sum += view.elastic_energy; });
    return sum;
}

}  // namespace scree
