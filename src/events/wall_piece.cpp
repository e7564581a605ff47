#include "events/wall_piece.h"

#include <fmt/format.h>

#include <array>

#include "core/located.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree::events {
namespace {

// The fraction of f (begin + rest - from), with an error of the last place of the fraction and not of the product, so
// that a wall does not jump from one piece to the next after an hour.
double exact_phase(double f, double begin, double rest, double from) {
    const double d = begin - from, taken = begin - d;
    const double error = ((begin - (d + taken)) + (taken - from)) + rest;
    const double p = f * d, low = std::fma(f, d, -p) + f * error;
    double phase = (p - std::floor(p)) + low;
    phase -= std::floor(phase);
    return phase;
}

struct Moving {
    Vec3 shift, velocity, amplitude;
    double frequency = 0, phase = 0;
};

// Half waves of a vibration that are over by `until` (as wall/motion.h ends it).
double vibration_end(const Vibrate& m) {
    if (m.until == forever) return forever;
    return m.from + std::floor(2 * m.frequency * (m.until - m.from) + 1e-9) / (2 * m.frequency);
}

Moving moving_from(const Motion& motion, double begin, double rest) {
    Moving out;
    if (const auto* m = std::get_if<Vibrate>(&motion)) {
        if (!(begin >= m->from) || !(begin < vibration_end(*m))) return out;
        const double phase = exact_phase(m->frequency, begin, rest, m->from);
        // A piece of a tap begins at the start of a half wave or inside it; rounding must not take the end for a start.
        if (m->wave == Wave::tap && phase >= 0.5 - 1e-12 && phase < 1 - 1e-12) return out;
        out.amplitude = m->amplitude;
        out.frequency = m->frequency;
        out.phase = phase;
    } else if (const auto* translate = std::get_if<Translate>(&motion)) {
        if (!(begin >= translate->from) || !(translate->until > translate->from)) return out;
        const bool moving = begin < translate->until;
        out.shift = ((moving ? begin : translate->until) - translate->from) * translate->velocity;
        if (moving) out.velocity = translate->velocity;
    } else if (const auto* table = std::get_if<MotionTable>(&motion)) {
        const auto& rows = table->rows;
        std::size_t after = 0;
        while (after < rows.size() && rows[after][0] <= begin) ++after;
        const auto at = [&](std::size_t k) { return Vec3{rows[k][1], rows[k][2], rows[k][3]}; };
        if (rows.empty()) return out;
        if (after == 0)
            out.shift = at(0);
        else if (after == rows.size())
            out.shift = at(after - 1);
        else {
            out.velocity = (at(after) - at(after - 1)) / (rows[after][0] - rows[after - 1][0]);
            out.shift = at(after - 1) + (begin - rows[after - 1][0]) * out.velocity;
        }
    }
    return out;
}

[[noreturn]] void refuse(const Scene& scene, const Wall& wall, const std::string& what) {
    refuse_at(scene, wall.where, fmt::format("wall \"{}\": {}", wall.name, what));
}

}  // namespace

Vec3 WallPiece::velocity_at(double t) const {
    if (frequency == 0) return velocity;
    return velocity + 2 * pi * frequency * same_cos(2 * pi * (phase + frequency * t)) * amplitude;
}

double WallPiece::position_at(double t) const {
    const double swing = frequency == 0 ? 0.0 : dot(normal, amplitude) * same_sin(2 * pi * (phase + frequency * t));
    return offset + t * dot(normal, velocity) + swing;
}

template <int D>
double wall_time(const Flight<D>& grain, const WallPiece& wall, const double* g, double limit, double& depth) {
    double h = -wall.offset - grain.radius, v = 0, a = 0;
    for (int k = 0; k < D; ++k) {
        h += wall.normal[k] * grain.x[k];
        v += wall.normal[k] * grain.v[k];
        a += wall.normal[k] * g[k];
    }
    const double drift = dot(wall.normal, wall.velocity);
    h -= drift * grain.t;
    v -= drift;
    const double swing = wall.frequency == 0 ? 0.0 : dot(wall.normal, wall.amplitude), reach = std::fabs(swing);
    if (swing == 0) {
        if (h < 0) depth = std::max(depth, -h);
        const double t = grain.t + fall_time(h, v, a);
        return t <= limit ? t : forever;
    }
    // From here: h + v s + a s^2/2 - swing sin(...), s since the grain's own time.
    const double omega = 2 * pi * wall.frequency, bend = reach * omega * omega - a;
    const double small = 1e-14 * grain.radius;
    double s = h > reach ? fall_time(h - reach, v, a) : 0.0;
    for (int step = 0; step < 2000; ++step) {
        if (!(grain.t + s <= limit)) return forever;
        const SinCos wave = same_sincos(2 * pi * (wall.phase + wall.frequency * (grain.t + s)));
        const double gap = h + s * (v + 0.5 * s * a) - swing * wave.sin, speed = v + s * a - swing * omega * wave.cos;
        if (s == 0 && gap < 0) depth = std::max(depth, -gap);
        if (gap <= small && speed <= 0) return grain.t + s;
        const double from = std::max(gap, 0.0), root = std::sqrt(speed * speed + 2 * bend * from);
        if (!(bend > 0)) {  // gravity holds it off the wall more than the wall can turn
            if (speed >= 0) return forever;
            s += from / -speed;
            continue;
        }
        s += speed < 0 ? 2 * from / (root - speed) : (speed + root) / bend;
        // High above the wall's reach again: fly on freely.
        const double above = h + s * (v + 0.5 * s * a) - reach;
        if (above > 0) s += fall_time(above, v + s * a, a);
    }
    return grain.t + s;
}
template double wall_time<2>(const Flight<2>&, const WallPiece&, const double*, double, double&);
template double wall_time<3>(const Flight<3>&, const WallPiece&, const double*, double, double&);

void Crests::begin(std::span<const WallPiece> walls, double duration) {
    per_part_ = static_cast<double>(parts) / duration;
    table_.assign(walls.size(), Row{});
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const WallPiece& wall = walls[w];
        const double swing = wall.frequency == 0 ? 0.0 : dot(wall.normal, wall.amplitude);
        if (swing == 0) continue;
        Row& row = table_[w];
        // Between two ends it is above both by M (dt)^2/8 at most, M the bound on its acceleration; parts overlap a
        // little.
        const double step = duration / static_cast<double>(parts), omega = 2 * pi * wall.frequency, turn = omega * step,
                     reach = std::fabs(swing);
        const double bulge = reach * (turn * turn / 8 * (1 + 1e-3) + 1e-6 * turn + 1e-12);
        row.reach = reach;
        row.bend = reach * omega * omega * (1 + 1e-12);
        double before = 0;
        for (std::size_t k = 0; k <= parts; ++k) {
            const double from = static_cast<double>(k) * step;
            const SinCos wave = same_sincos(2 * pi * (wall.phase + wall.frequency * from));
            const double place = swing * wave.sin;
            if (k > 0) row.part[k - 1].most = std::min(std::max(before, place) + bulge, reach);
            if (k < parts) row.part[k] = {0, from, place, omega * swing * wave.cos};
            before = place;
        }
    }
}

void refuse_walls(const Scene& scene) {
    for (const Wall& wall : scene.walls) {
        const auto* box = std::get_if<BoxWall>(&wall.shape);
        if (!std::holds_alternative<PlaneWall>(wall.shape) && !box)
            refuse(scene, wall,
                   "hard grains (engine = \"events\") meet planes and boxes only; build other boundaries of planes or "
                   "of fixed grains, or use engine = \"soft\"");
        if (box && wall.outside)
            refuse(scene, wall,
                   "hard grains (engine = \"events\") meet boxes from inside only; use planes, or engine = \"soft\"");
        if (std::holds_alternative<Rotate>(wall.motion) || std::holds_alternative<FreePiston>(wall.motion))
            refuse(scene, wall,
                   "with engine = \"events\" walls vibrate, translate or follow a table; to rotate or to be free they "
                   "need engine = \"soft\"");
    }
}

std::vector<WallPiece> wall_pieces(const Scene& scene, double begin, double rest) {
    std::vector<WallPiece> pieces;
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
        const Wall& wall = scene.walls[w];
        if (begin >= wall.open_at.value_or(forever)) continue;
        const Moving moving = moving_from(wall.motion, begin, rest);
        std::size_t material = 0;
        while (material + 1 < scene.materials.size() && scene.materials[material].name != wall.material) ++material;
        const auto add = [&](Vec3 normal, Vec3 point) {
            WallPiece piece;
            piece.normal = normal;
            piece.offset = dot(normal, point + moving.shift);
            piece.velocity = moving.velocity;
            piece.amplitude = moving.amplitude;
            piece.frequency = moving.frequency;
            piece.phase = moving.phase;
            piece.wall = static_cast<std::uint32_t>(w);
            piece.material = static_cast<std::uint32_t>(material);
            pieces.push_back(piece);
        };
        if (const auto* plane = std::get_if<PlaneWall>(&wall.shape)) {
            add((wall.outside ? -1.0 : 1.0) * normalized(plane->normal), plane->point);
        } else if (const auto* box = std::get_if<BoxWall>(&wall.shape)) {
            for (int axis = 0; axis < scene.dimension; ++axis) {
                Vec3 n;
                n[axis] = 1;
                add(n, box->min);
                add(-n, box->max);
            }
        }
    }
    return pieces;
}

double next_change(const Scene& scene, double after) {
    double next = forever;
    const auto meet = [&](double t) {
        if (t > after && t < next) next = t;
    };
    for (const Wall& wall : scene.walls) {
        meet(wall.open_at.value_or(forever));
        if (const auto* m = std::get_if<Vibrate>(&wall.motion)) {
            meet(m->from);
            meet(vibration_end(*m));
            if (m->wave == Wave::tap && after >= m->from) {
                const double half = std::floor(2 * m->frequency * (after - m->from) + 1e-9) + 1;
                meet(m->from + half / (2 * m->frequency));
            }
        } else if (const auto* translate = std::get_if<Translate>(&wall.motion)) {
            meet(translate->from);
            meet(translate->until);
        } else if (const auto* table = std::get_if<MotionTable>(&wall.motion)) {
            for (const auto& row : table->rows) meet(row[0]);
        }
    }
    return next;
}

double largest_wall_speed(const Scene& scene) {
    double largest = 0;
    for (const Wall& wall : scene.walls) {
        if (const auto* m = std::get_if<Vibrate>(&wall.motion))
            largest = std::max(largest, 2 * pi * m->frequency * norm(m->amplitude));
        if (const auto* m = std::get_if<Translate>(&wall.motion)) largest = std::max(largest, norm(m->velocity));
        if (const auto* m = std::get_if<MotionTable>(&wall.motion))
            for (std::size_t k = 1; k < m->rows.size(); ++k) {
                const auto &p = m->rows[k - 1], &n = m->rows[k];
                largest = std::max(largest, norm(Vec3{n[1] - p[1], n[2] - p[2], n[3] - p[3]}) / (n[0] - p[0]));
            }
    }
    return largest;
}

double largest_wall_acceleration(const Scene& scene) {
    double largest = 0;
    for (const Wall& wall : scene.walls)
        if (const auto* m = std::get_if<Vibrate>(&wall.motion))
            largest = std::max(largest, 4 * pi * pi * m->frequency * m->frequency * norm(m->amplitude));
    return largest;
}

}  // namespace scree::events
