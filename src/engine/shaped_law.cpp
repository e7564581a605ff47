// The contact law over the points of one patch (see shaped.h), and what observers see of it.
#include <algorithm>
#include <cmath>

#include "contact/all_laws.h"
#include "engine/shaped.h"

namespace scree {

// Sets the shares of the points of one patch; returns what softens the speed of approach. The kernel of points on walls
// does the same.
double ShapedContacts::share_forces(LawPoint* points, int count) const {
    // One point by itself has all of the force.
    if (count == 1 && points[0].weight == 1 && (pulls_ || points[0].overlap > 0)) {
        points[0].force_share = 1;
        return 1;
    }
    double fourth = 0;
    for (int k = 0; k < count; ++k) {
        const double square = points[k].overlap * points[k].overlap;
        fourth += points[k].weight * square * square;
    }
    const double inverse_depth = fourth > 0 ? 1 / std::sqrt(std::sqrt(fourth)) : 0;
    double sum = 0;
    for (int k = 0; k < count; ++k) {
        LawPoint& p = points[k];
        const double ratio = p.overlap * inverse_depth;
        p.force_share = pulls_ ? p.weight : p.weight * (exponent_ == 2 ? ratio * ratio : ratio * std::sqrt(ratio));
        sum += p.force_share;
    }
    return 1 / std::sqrt(sum);
}

double ShapedContacts::softer_off_center(const LawPoint* points, int count, const Touching& bodies) {
    const auto turning = [&](Vec3 center, const InertiaRow& j) {
        Vec3 arm;
        double sum = 0;
        for (int k = 0; k < count; ++k) {
            arm += points[k].force_share * cross(points[k].point - center, points[k].normal);
            sum += points[k].force_share;
        }
        const Vec3 t = arm / sum;
        return t.x * (j.xx * t.x + j.xy * t.y + j.xz * t.z) + t.y * (j.xy * t.x + j.yy * t.y + j.yz * t.z) +
               t.z * (j.xz * t.x + j.yz * t.y + j.zz * t.z);
    };
    return std::sqrt(bodies.inverse_mass / (bodies.inverse_mass + turning({}, *bodies.a) +
                                            (bodies.b ? turning(bodies.offset, *bodies.b) : 0)));
}

PointLaw ShapedContacts::point_law(std::uint16_t type) const {
    return {static_cast<const char*>(materials_.coefficients()) + type * coefficient_bytes_,
            materials_.rolling_coefficients() + type,
            materials_.friction()[type],
            time_step_,
            exponent_,
            law_reach_};
}

// `look`: memory is half a step ahead (contact/law.h); go back to now and store nothing.
template <class Law>
void ShapedContacts::apply_law(LawPoint* points, int count, const Touching& bodies, std::uint16_t type, Vec3 turn,
                               double dt, bool look, Sum& sum) const {
    const auto& c = static_cast<const typename Law::Coefficients*>(materials_.coefficients())[type];
    double softer = share_forces(points, count);
    if constexpr (Law::damped_by_mass) softer *= softer_off_center(points, count, bodies);
    const double inverse_mass = bodies.inverse_mass;
    const double mass = 1 / inverse_mass, friction = materials_.friction()[type];
    for (int k = 0; k < count; ++k) {
        LawPoint& p = points[k];
        const double share = p.force_share;
        if (!(share > 0)) {
            for (int m = 0; m < width_ && !look; ++m) p.memory[m] = 0;
            p.force = {};
            continue;
        }
        const Vec3 n = p.normal;
        const double approach = -dot(p.velocity, n);
        const Vec3 vt = p.velocity + approach * n;
        ContactState state;
        state.overlap = p.overlap;
        state.approach = approach * softer;
        state.vt[0] = vt.x;
        state.vt[1] = vt.y;
        state.vt[2] = vt.z;
        state.inverse_mass = inverse_mass;
        state.mass = mass;
        state.radius = 1 / p.inverse_radius;
        state.half_step = 0.5 * dt;
        const bool begins = p.fresh && p.overlap > 0 && p.overlap < approach * dt;
        state.spring_time = look ? -0.5 * dt : begins ? p.overlap / approach : 0.5 * dt;
        state.damping_weight = begins && !look ? 0.5 + p.overlap / (approach * dt) : 1;

        // Springs are kept times the root of the share: their energy then does not change when the load shifts.
        const double root = std::sqrt(share);
        double own[Law::memory];
        for (int m = 0; m < Law::memory; ++m) own[m] = m < 3 ? p.memory[m] / root : p.memory[m];
        const double along = own[0] * n.x + own[1] * n.y + own[2] * n.z;
        own[0] -= along * n.x;
        own[1] -= along * n.y;
        own[2] -= along * n.z;
        const double depth = p.overlap > 0 || Law::may_pull ? p.overlap : 0;
        // Springs in the plane are half a step ahead and would count for more than they have.
        const auto press = [&] {
            double pressed[Law::memory];
            for (int m = 0; m < Law::memory; ++m) pressed[m] = m < 3 ? 0 : own[m];
            sum.pressed += share * Law::elastic_energy(c, depth, inverse_mass, state.radius, pressed);
        };
        if (look) {
            press();
            p.elastic = share * Law::elastic_energy(c, depth, inverse_mass, state.radius, own);
        }
        const ContactForce f = Law::force(c, state, own);
        if (!look && sum.watch) press();
        const Vec3 tangential{f.tangential[0], f.tangential[1], f.tangential[2]};
        p.force = share * (f.normal * n + tangential);
        const double tangential_power = -dot(tangential, vt);
        sum.power += share * (f.normal * approach + tangential_power);
        const double limit = friction * f.normal;
        if (norm2(tangential) >= limit * limit * (1 - 1e-9)) sum.sliding += share * tangential_power;
        if (materials_.rolling()) {
            double spring[3];
            for (int m = 0; m < 3; ++m) spring[m] = p.memory[Law::memory + m] / root;
            const double normal_part = spring[0] * n.x + spring[1] * n.y + spring[2] * n.z;
            spring[0] -= normal_part * n.x;
            spring[1] -= normal_part * n.y;
            spring[2] -= normal_part * n.z;
            const Vec3 roll = turn - dot(turn, n) * n;
            const double rolling[3] = {roll.x, roll.y, roll.z};
            if (look)
                p.elastic +=
                    share * rolling_energy(materials_.rolling_coefficients()[type], inverse_mass, state.radius, spring);
            const RollingTorque torque =
                rolling_torque(materials_.rolling_coefficients()[type], state, f.normal, rolling, spring);
            const Vec3 couple = share * Vec3{torque.x, torque.y, torque.z};
            sum.couple += couple;
            sum.power -= dot(couple, roll);
            for (int m = 0; m < 3 && !look; ++m) p.memory[Law::memory + m] = spring[m] * root;
        }
        for (int m = 0; m < Law::memory && !look; ++m) p.memory[m] = m < 3 ? own[m] * root : own[m];
        sum.force += p.force;
        sum.moment += cross(p.point, p.force);
    }
}

ShapedContacts::ShapedContacts(const ShapeTable& shapes, const MaterialTable& materials, const Walls& walls,
                               const Periodicity& periodicity, NeighborMethod method, int dimension, double time_step,
                               const SearchOptions& search)
    : shapes_(shapes),
      materials_(materials),
      periodicity_(periodicity),
      dimension_(dimension),
      covering_(shapes, periodicity, dimension),
      search_(method, dimension, periodicity, search),
      time_step_(time_step),
      law_reach_(walls.law_reach),
      width_(0),
      patch_points_(4),
      exponent_(2),
      pulls_(false),
      law_(nullptr),
      kernel_(body_kernel(materials.law(), materials.rolling())),
      coefficient_bytes_(0),
      wall_materials_(walls.materials),
      loads_(walls.size()) {
    with_law(materials.law(), [&](auto law) {
        using Law = decltype(law);
        width_ = Law::memory + (materials.rolling() ? rolling_memory : 0);
        pulls_ = Law::may_pull;
        law_ = &ShapedContacts::apply_law<Law>;
        coefficient_bytes_ = sizeof(typename Law::Coefficients);
    });
    if (is_hertzian(materials.law())) exponent_ = 1.5;
    for (std::size_t k = 0; k < shapes.size(); ++k)
        for (const Piece& piece : shapes[k].pieces)
            for (const Face& face : piece.faces)
                patch_points_ = std::clamp<std::size_t>(2 * face.corners.size(), patch_points_, Patch::most);
    for (std::size_t w = 0; w < walls.size(); ++w) {
        wall_moves_.push_back(walls.set.ever_moves(w));
        is_flat_.push_back(walls.set.surface(w).is_flat());
        is_sheet_.push_back(walls.set.surface(w).is_sheet());
    }
    faces_.resize(walls.size());
    for (std::size_t w = 0; w < walls.size(); ++w)
        for (int feature = 0; feature < 6 && is_flat_[w]; ++feature)
            faces_[w][static_cast<std::size_t>(feature)] = walls.set.surface(w).face(feature);
}

}  // namespace scree
