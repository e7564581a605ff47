// The contact law over the points of one patch (see shaped.h), and what observers see of it.
#include <algorithm>
#include <cmath>

#include "contact/all_laws.h"
#include "contact/at_point.h"
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

// `look`: as things are now, and nothing is stored.
template <class Law, bool Rolling>
void ShapedContacts::apply_law(LawPoint* points, int count, const Touching& bodies, std::uint16_t type, Vec3 turn,
                               double dt, bool look, Sum& sum) const {
    const auto& c = static_cast<const typename Law::Coefficients*>(materials_.coefficients())[type];
    const RollingCoefficients& rolling = materials_.rolling_coefficients()[type];
    const double friction = materials_.friction()[type];
    double softer = share_forces(points, count);
    if constexpr (Law::damped_by_mass) softer *= softer_off_center(points, count, bodies);
    for (int k = 0; k < count; ++k) {
        LawPoint& p = points[k];
        const double share = p.force_share;
        if (!(share > 0)) {
            for (int m = 0; m < width_ && !look; ++m) p.memory[m] = 0;
            p.force = {};
            continue;
        }
        const double approach = -dot(p.velocity, p.normal);
        ContactState state;
        state.overlap = p.overlap;
        state.inverse_mass = bodies.inverse_mass;
        state.mass = 1 / bodies.inverse_mass;
        state.radius = 1 / p.inverse_radius;
        const bool begins = p.fresh && p.overlap > 0 && p.overlap < approach * dt;
        if (look)
            set_times_to_look(state, dt);
        else
            set_times(state, begins, p.overlap / approach, p.overlap / (approach * dt), dt);

        const double root = std::sqrt(share);
        double memory[Law::memory], spring[rolling_memory] = {};
        for (int m = 0; m < Law::memory; ++m) memory[m] = p.memory[m];
        for (int m = 0; Rolling && m < rolling_memory; ++m) spring[m] = p.memory[Law::memory + m];
        turn_spring(memory, root, p.normal);
        turn_spring(spring, root, p.normal);
        const auto press = [&] {
            sum.pressed += pressed_at<Law>(c, p.overlap, state.inverse_mass, state.radius, share, memory);
        };
        if (look) {
            press();
            p.elastic =
                energy_at<Law, Rolling>(c, rolling, p.overlap, state.inverse_mass, state.radius, share, memory, spring);
        }
        const PointForce f = act_at<Law, Rolling>(c, rolling, friction, p.normal, p.velocity, turn, approach, share,
                                                  softer, state, memory, spring);
        if (!look) {
            if (sum.watch) press();
            keep_spring(memory, root);
            keep_spring(spring, root);
            for (int m = 0; m < Law::memory; ++m) p.memory[m] = memory[m];
            for (int m = 0; Rolling && m < rolling_memory; ++m) p.memory[Law::memory + m] = spring[m];
        }
        p.force = f.force;
        sum.force += f.force;
        sum.moment += cross(p.point, f.force);
        sum.couple += f.couple;
        sum.power += f.power;
        sum.power -= f.rolling_power;
        sum.sliding += f.sliding;
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
        law_ = materials.rolling() ? &ShapedContacts::apply_law<Law, true> : &ShapedContacts::apply_law<Law, false>;
        coefficient_bytes_ = sizeof(typename Law::Coefficients);
    });
    if (inputs_of(materials.law()).elastic) exponent_ = 1.5;
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
