#include "engine/bodies.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace scree {
namespace {

constexpr std::size_t motion_chunk = 256;
constexpr double even_within = 1e-9;  // moments of a shape that count as equal; rounding parts those of a cube by 1e-15

bool any_two_nearer(const std::vector<Bodies::Corner>& corners, double near) {
    for (std::size_t a = 0; a < corners.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (norm2(corners[a].x - corners[b].x) < near * near) return true;
    return false;
}

Bodies::Features features_of(const Shape& shape) {
    Bodies::Features out;
    out.is_clump =
        std::all_of(shape.pieces.begin(), shape.pieces.end(), [](const Piece& piece) { return piece.dimension == 0; });
    for (std::size_t p = 0; p < shape.pieces.size(); ++p) {
        const Piece& piece = shape.pieces[p];
        out.balls.push_back({piece.vertex[0], piece.radius});
        for (std::size_t v = 0; v < piece.vertex.size(); ++v)
            out.corners.push_back({piece.vertex[v], piece.radius, static_cast<std::uint32_t>(p << 16 | v)});
    }
    out.is_crowded = any_two_nearer(out.corners, Bodies::weights_reach * shape.reach * (1 + 1e-9));
    return out;
}

}  // namespace

Bodies::Bodies(const ShapeTable& given, const BodyKernel& with) : shapes(given), kernel(with) {
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        features.push_back(features_of(shapes[k]));
        const Vec3 moments = shapes[k].inertia;
        all_even = all_even && std::fabs(moments.y - moments.x) < even_within * moments.x &&
                   std::fabs(moments.z - moments.x) < even_within * moments.x;
    }
}

void Bodies::turn(const Grains& grains, std::size_t first) {
    const std::size_t n = grains.size();
    rotation.resize(n);
    inverse_inertia.resize(n);
    omega.resize(n);
    inertia.resize(n);
    odometer.resize(n);
    ball_first.resize(n + 1, 0);
    for (std::size_t g = first; g < n; ++g)
        ball_first[g + 1] =
            ball_first[g] +
            (is_clump(grains, g) ? static_cast<std::uint32_t>(shapes[grains.shape[g]].pieces.size()) : 0);
    balls.resize(ball_first[n]);
    parallel_for(
        n - first,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = first + begin; g < first + end; ++g) {
                const Shape& shape = shapes[grains.shape[g]];
                const double s = grains.scale[g], per = grains.row[g].inverse_mass * shape.volume / (s * s);
                rotation[g] = matrix_of(grains.orientation[g]);
                inverse_inertia[g] = {per / shape.inertia.x, per / shape.inertia.y, per / shape.inertia.z};
                const double moment = inverse_inertia[g].x;
                const SymmetricSix j = all_even ? SymmetricSix{moment, moment, moment}
                                                : turned_inverse_inertia(rotation[g], inverse_inertia[g]);
                inertia[g] = {j.xx, j.yy, j.zz, j.xy, j.xz, j.yz};
                omega[g] = {grains.row[g].inverse_mass > 0 ? omega_of(grains, g) : Vec3{}, moment};
                place_balls(grains, g);
            }
        },
        motion_chunk);
}

void Bodies::reset_odometers() { std::fill(odometer.begin(), odometer.end(), Odometer{}); }

double Bodies::travelled(std::size_t begin, std::size_t end) const {
    double farthest = 0;
    for (std::size_t g = begin; g < end; ++g)
        farthest = odometer[g].travelled > farthest ? odometer[g].travelled : farthest;
    return farthest;
}

void Bodies::place_balls(const Grains& grains, std::size_t g) {
    const Features& of = features[grains.shape[g]];
    if (!of.is_clump) return;
    kernel.place(rotation[g], grains.scale[g], of.balls.data(), of.balls.size(), balls.data() + ball_first[g]);
}

MovingBodies Bodies::moving(Grains& grains, double time_step) {
    return {time_step,
            all_even,
            grains.row.data(),
            grains.acceleration.data(),
            grains.momentum.data(),
            grains.orientation.data(),
            grains.spin.data(),
            inverse_inertia.data(),
            rotation.data(),
            inertia.data(),
            omega.data()};
}

void Bodies::kick(Grains& grains, const MotionParameters& p, ForceRow* sums, std::size_t begin, std::size_t end,
                  KickPowers& powers) {
    kernel.kick(moving(grains, p.time_step),
                {sums, p.gravity, p.damping, p.rotation_damping, p.integrator == Integrator::verlet}, begin, end,
                powers);
}

void Bodies::spin(Grains& grains, std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
        if (grains.row[g].inverse_mass == 0) continue;
        omega[g].w = omega_of(grains, g);
        const Vec3 rim = grains.row[g].radius * omega[g].w;
        grains.spin[g].x = rim.x;
        grains.spin[g].y = rim.y;
        grains.spin[g].z = rim.z;
    }
}

void Bodies::move(Grains& grains, const MotionParameters& p, std::size_t begin, std::size_t end) {
    constexpr std::size_t W = TurnLanes::W;
    TurnLanes batch;
    const MovingBodies bodies = moving(grains, p.time_step);
    const Periodicity& periods = p.periodicity;
    const bool borders = periods.length != Vec3{};
    for (std::size_t first = begin; first < end; first += W) {
        const std::size_t count = std::min(W, end - first);
        if (count < W) batch = {};
        kernel.move(bodies, first, count, batch);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t g = first + k;
            GrainRow& row = grains.row[g];
            if (row.inverse_mass == 0) continue;
            for (int axis = 0; axis < 3 && borders; ++axis) {
                const double length = periods.length[axis], low = periods.low[axis];
                if (length == 0) continue;
                double& x = axis == 0 ? row.x : axis == 1 ? row.y : row.z;
                if (x >= low + length) {
                    x -= length;
                    ++grains.images[g].count[static_cast<std::size_t>(axis)];
                } else if (x < low) {
                    x += length;
                    --grains.images[g].count[static_cast<std::size_t>(axis)];
                }
            }
            place_balls(grains, g);
            odometer[g].add(batch.motion[k]);
        }
    }
}

}  // namespace scree
