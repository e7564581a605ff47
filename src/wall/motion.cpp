#include "wall/motion.h"

#include <algorithm>
#include <cmath>

#include "core/overloaded.h"
#include "math/elementary.h"
#include "math/rotation.h"

namespace scree {
namespace {

// Time spent in the motion, and whether it goes on.
struct Elapsed {
    double time;
    bool moving;
};
Elapsed elapsed(double from, double until, double time) {
    if (!(time >= from) || !(until > from)) return {0, false};
    return time < until ? Elapsed{time - from, true} : Elapsed{until - from, false};
}

void vibrate(const Vibrate& m, double time, WallPlacement& p) {
    // The last half wave that is over by `until`, give or take the rounding of decimal inputs.
    const double half_waves = std::floor(2 * m.frequency * (m.until - m.from) + 1e-9);
    const double tau = time - m.from;
    if (!(tau >= 0) || !(2 * m.frequency * tau < half_waves)) return;
    const double phase = m.frequency * tau - std::floor(m.frequency * tau);
    if (m.wave == Wave::tap && phase >= 0.5) return;
    const SinCos wave = same_sincos(2 * pi * phase);
    p.shift = wave.sin * m.amplitude;
    p.velocity = 2 * pi * m.frequency * wave.cos * m.amplitude;
}

void follow(const MotionTable& table, double time, WallPlacement& p) {
    const auto& rows = table.rows;
    if (rows.empty()) return;
    const auto shift = [](const std::array<double, 4>& row) { return Vec3{row[1], row[2], row[3]}; };
    const auto after = std::upper_bound(rows.begin(), rows.end(), time,
                                        [](double t, const std::array<double, 4>& row) { return t < row[0]; });
    if (after == rows.begin()) {
        p.shift = shift(rows.front());
    } else if (after == rows.end()) {
        p.shift = shift(rows.back());
    } else {
        const auto before = after - 1;
        const double span = (*after)[0] - (*before)[0];
        p.velocity = (shift(*after) - shift(*before)) / span;
        p.shift = shift(*before) + (time - (*before)[0]) * p.velocity;
    }
}

}  // namespace

WallPlacement placement(const Wall& wall, const WallState& state, double time) {
    WallPlacement p;
    p.open = wall.open_at && time >= *wall.open_at;
    std::visit(Overloaded{
                   [](std::monostate) {},
                   [&](const Vibrate& m) { vibrate(m, time, p); },
                   [&](const Rotate& m) {
                       const Elapsed e = elapsed(m.from, m.until, time);
                       p.pivot = m.point;
                       p.rotation = rotation_about(m.axis, m.rate * e.time);
                       p.turned = m.rate * e.time != 0;
                       if (e.moving) p.spin = m.rate * normalized(m.axis);
                   },
                   [&](const Translate& m) {
                       const Elapsed e = elapsed(m.from, m.until, time);
                       p.shift = e.time * m.velocity;
                       if (e.moving) p.velocity = m.velocity;
                   },
                   [&](const FreePiston& m) {
                       const Vec3 along = normalized(m.along);
                       p.shift = state.displacement * along;
                       p.velocity = state.speed * along;
                   },
                   [&](const MotionTable& m) { follow(m, time, p); },
               },
               wall.motion);
    return p;
}

WallWay way_between(const Wall& wall, const WallState& before, const WallState& after, double begin, double end,
                    double distance) {
    const auto shared = [&](double from, double until) {
        return std::max(0.0, std::min(end, until) - std::max(begin, from));
    };
    const auto straight = [](double length) { return WallWay{length, length}; };
    return std::visit(
        Overloaded{
            [](std::monostate) { return WallWay{}; },
            [&](const Vibrate& m) {
                const double amplitude = norm(m.amplitude),
                             length = 2 * pi * m.frequency * amplitude * shared(m.from, m.until);
                return WallWay{length, std::min(length, 2 * amplitude)};
            },
            [&](const Rotate& m) {
                const double length = std::fabs(m.rate) * shared(m.from, m.until) * distance;
                return WallWay{length, std::min(length, 2 * distance)};
            },
            [&](const Translate& m) { return straight(norm(m.velocity) * shared(m.from, m.until)); },
            [&](const FreePiston&) { return straight(std::fabs(after.displacement - before.displacement)); },
            [&](const MotionTable& m) {
                double length = 0;
                for (std::size_t k = 0; k + 1 < m.rows.size(); ++k) {
                    const auto &a = m.rows[k], &b = m.rows[k + 1];
                    if (a[0] >= end || b[0] <= begin) continue;
                    length += norm(Vec3{b[1] - a[1], b[2] - a[2], b[3] - a[3]}) * shared(a[0], b[0]) / (b[0] - a[0]);
                }
                return straight(length);
            },
        },
        wall.motion);
}

double displacement_bound(const WallPlacement& a, const WallPlacement& b, double distance) {
    double turned = 0;
    if (a.turned || b.turned) {
        // The norm of all elements is at least the largest stretch.
        double sum = 0;
        for (int i = 0; i < 3; ++i) sum += norm2(a.rotation.row[i] - b.rotation.row[i]);
        turned = std::sqrt(sum) * distance;
    }
    return norm(a.shift - b.shift) + turned;
}

Vec3 gravity_at(const Scene& scene, double time) {
    if (!scene.gravity_turn) return scene.gravity;
    const GravityTurn& turn = *scene.gravity_turn;
    double part = time >= turn.until ? 1 : 0;
    if (time > turn.from && time < turn.until) part = (time - turn.from) / (turn.until - turn.from);
    if (part == 0) return scene.gravity;
    return rotation_about(turn.axis, part * turn.angle) * scene.gravity;
}

void move_piston(const FreePiston& piston, WallState& state, double begin, double end) {
    if (!(begin >= piston.from)) return;
    const double dt = end - begin;
    state.displacement += dt * (state.speed + 0.5 * dt * state.acceleration);
    state.speed += dt * state.acceleration;
}

void kick_piston(const FreePiston& piston, WallState& state, Vec3 force_of_grains, Vec3 gravity, double begin,
                 double end) {
    if (!(end >= piston.from)) return;
    const Vec3 along = normalized(piston.along);
    const double acceleration = (dot(force_of_grains, along) + piston.force) / piston.mass + dot(gravity, along);
    if (begin >= piston.from) state.speed += 0.5 * (end - begin) * (acceleration - state.acceleration);
    state.acceleration = acceleration;
}

}  // namespace scree
