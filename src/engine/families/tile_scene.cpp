#include "engine/families/tile_scene.h"

#include <algorithm>

#include "contact/all_laws.h"
#include "contact/at_point.h"

namespace scree {

TileScene::TileScene(const MaterialTable& given, const Periodicity& periods, double dt)
    : materials(given),
      periodicity(periods),
      time_step(dt),
      width(static_cast<std::size_t>(law_memory_width(given.laws(), given.rolling()))),
      collide(collide_function(given.laws(), given.rolling())) {}

KernelArguments TileScene::arguments(const Grains& grains) const {
    KernelArguments in{};
    in.rows = in.other_rows = grains.row.data();
    in.spins = in.other_spins = grains.spin.data();
    in.materials = in.other_materials = grains.material.data();
    in.coefficients = materials.coefficients(0);
    in.coefficient_bytes = materials.coefficient_bytes();
    in.laws = materials.laws_of_types();
    in.rolling = materials.rolling_coefficients();
    in.types = materials.types();
    in.material_count = materials.material_count();
    in.one_type = materials.one_grain_material();
    for (int axis = 0; axis < 3; ++axis) in.periods[axis] = periodicity.length[axis];
    in.time_step = time_step;
    return in;
}

bool TileScene::look(const Body& a, const Body& b, Vec3 separation, std::uint16_t type, const TileView& tile,
                     std::size_t lane, ContactView& view) const {
    bool touches = false;
    with_law(materials.law(type), [&](auto chosen) {
        using Law = decltype(chosen);
        const auto& c = materials.coefficients_of<Law>(type);
        const double distance = norm(separation), radius_sum = a.row.radius + b.row.radius;
        ContactState state{};
        view.overlap = radius_sum - distance;
        state.inverse_mass = a.row.inverse_mass + b.row.inverse_mass;
        if (!(view.overlap > -Law::reach(c, state.inverse_mass))) return;
        state.overlap = depth_of<Law>(view.overlap);
        state.mass = 1 / state.inverse_mass;
        state.radius = 1 / (a.spin.inverse_radius + b.spin.inverse_radius);
        set_times_to_look(state, time_step);
        const Vec3 n = separation / distance;
        const double arm = distance / radius_sum;
        const Vec3 spin = arm * Vec3{a.spin.x + b.spin.x, a.spin.y + b.spin.y, a.spin.z + b.spin.z};
        const Vec3 v = Vec3{a.row.vx - b.row.vx, a.row.vy - b.row.vy, a.row.vz - b.row.vz} + cross(n, spin);
        // Springs are in the plane already: nothing has moved since the law left them there.
        const auto kept = [&](int m) { return tile.memory[static_cast<std::size_t>(m) * tile_width + lane]; };
        double memory[Law::memory], roll[rolling_memory] = {};
        for (int m = 0; m < Law::memory; ++m) memory[m] = kept(m);
        for (int m = 0; m < rolling_memory && materials.rolling(); ++m) roll[m] = kept(Law::memory + m);
        const RollingCoefficients& rolling = materials.rolling_coefficients()[type];
        const Vec3 turn = a.spin.inverse_radius * Vec3{a.spin.x, a.spin.y, a.spin.z} -
                          b.spin.inverse_radius * Vec3{b.spin.x, b.spin.y, b.spin.z};
        view.elastic_energy =
            energy_at<Law, true>(c, rolling, state, slip_of(n, v, -dot(v, n)), in_plane(turn, n), 1, memory, roll);
        // A view has no couples.
        const PointForce force = act_at<Law, false>(c, rolling, n, v, {}, -dot(v, n), 1, 1, state, memory, roll);
        view.normal = n;
        view.point = Vec3{a.row.x, a.row.y, a.row.z} - (arm * a.row.radius) * n;
        view.force = force.force;
        touches = true;
    });
    return touches;
}

}  // namespace scree
