// Stages as in engine/kernels/kernel.cpp: load (whole rows, transposed 4x4), law (loops over lanes that the compiler
// vectorises), scatter (transposed back).
#include "engine/kernels/body_kernel.h"

#ifdef __AVX512F__
#    include <immintrin.h>
#endif

#include <bit>
#include <cmath>
#include <cstring>

#include "contact/all_laws.h"
#include "contact/at_point.h"
#include "core/instruction_set.h"
#include "core/simd.h"
#include "shape/patch_weights.h"

namespace scree {
namespace {

SCREE_INLINE double masked(bool on, double value) {
    return std::bit_cast<double>(std::bit_cast<long long>(value) & (on ? -1ll : 0ll));
}
SCREE_INLINE std::size_t whole_lanes(std::size_t count) { return (count + 7) / 8 * 8; }

// The law at each point: forces and memory from geometry, velocities and memory. Shared: points are some of a patch.
template <class Law, bool Rolling, bool Shared, std::size_t Lanes>
SCREE_INLINE void law_of_points(const PointLaw& in, PointLanes<Lanes>& lanes, std::size_t whole) {
    const typename Law::Coefficients c = *static_cast<const typename Law::Coefficients*>(in.coefficients);
    const RollingCoefficients rolling = *static_cast<const RollingCoefficients*>(in.rolling);
    const double dt = in.time_step, inverse_dt = 1 / dt;
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        const Vec3 n{lanes.nx[k], lanes.ny[k], lanes.nz[k]}, u{lanes.ux[k], lanes.uy[k], lanes.uz[k]};
        const double approach = -(u.x * n.x + u.y * n.y + u.z * n.z);
        // A wall does not take part in rolling: bodies roll on it as on what does not turn.
        const Vec3 w{Shared ? lanes.wax[k] : lanes.wax[k] - lanes.wbx[k],
                     Shared ? lanes.way[k] : lanes.way[k] - lanes.wby[k],
                     Shared ? lanes.waz[k] : lanes.waz[k] - lanes.wbz[k]};
        const double overlap = lanes.overlap[k];
        const bool begins = (lanes.fresh[k] > 0) & (overlap > 0) & (overlap < approach * dt);
        const double speed = begins ? approach : 1, since = overlap / speed;
        ContactState state;
        state.overlap = overlap;
        state.inverse_mass = lanes.inverse_mass[k];
        state.mass = lanes.mass[k];
        state.radius = lanes.radius[k];
        set_times(state, begins, since, since * inverse_dt, dt);

        const double share = Shared ? lanes.share[k] : 1, root = Shared ? std::sqrt(share) : 1;
        const double softer = Shared || Law::damped_by_mass ? lanes.softer[k] : 1;
        double memory[Law::memory], spring[rolling_memory] = {};
        for (int m = 0; m < Law::memory; ++m) memory[m] = lanes.memory[m][k];
        for (int m = 0; Rolling && m < rolling_memory; ++m) spring[m] = lanes.memory[Law::memory + m][k];
        turn_spring(memory, root, n);
        turn_spring(spring, root, n);
        const PointForce f = act_at<Law, Rolling>(c, rolling, n, u, w, approach, share, softer, state, memory, spring);
        keep_spring(memory, root);
        keep_spring(spring, root);
        for (int m = 0; m < Law::memory; ++m) lanes.memory[m][k] = memory[m];
        for (int m = 0; Rolling && m < rolling_memory; ++m) lanes.memory[Law::memory + m][k] = spring[m];
        lanes.fx[k] = f.force.x;
        lanes.fy[k] = f.force.y;
        lanes.fz[k] = f.force.z;
        if constexpr (Rolling) {
            lanes.cx[k] = f.couple.x;
            lanes.cy[k] = f.couple.y;
            lanes.cz[k] = f.couple.z;
        }
        lanes.power[k] = Rolling ? f.power - f.rolling_power : f.power;
        lanes.slipped[k] = f.slipped;
    }
}

// What turning adds to 1/m* where a unit force has the moment t: t J t.
SCREE_INLINE double turning(double tx, double ty, double tz, double xx, double yy, double zz, double xy, double xz,
                            double yz) {
    return tx * (xx * tx + xy * ty + xz * tz) + ty * (xy * tx + yy * ty + yz * tz) + tz * (xz * tx + yz * ty + zz * tz);
}

// How the points of each patch share its force: the operations of share_forces (engine/families/patch_law.cpp) in their
// order, roots and divisions of all patches at once.
template <bool Pulls, bool Damped>
SCREE_INLINE void share_patches(double exponent, double reach, PatchLanes& lanes, std::size_t whole) {
    constexpr std::size_t W = PatchLanes::W;
    alignas(64) double part[W], of_patch[W];
    const std::size_t patches = lanes.patches, whole_patches = whole_lanes(patches);
    const auto add_up = [&](const double* parts) {
        for (std::size_t p = 0; p < patches; ++p) {
            double sum = 0;
            for (std::size_t k = lanes.first[p]; k < lanes.first[p + 1]; ++k) sum += parts[k];
            of_patch[p] = sum;
        }
    };
    const auto hand_out = [&](double* to) {
        for (std::size_t p = 0; p < patches; ++p)
            for (std::size_t k = lanes.first[p]; k < lanes.first[p + 1]; ++k) to[k] = of_patch[p];
    };
    for (std::size_t p = 0; p < patches; ++p)
        if (const std::size_t first = lanes.first[p], count = lanes.first[p + 1] - first; count > 1)
            share_weights(
                static_cast<int>(count), lanes.near[p], part,
                [&, first](int each) {
                    const std::size_t k = first + static_cast<std::size_t>(each);
                    return WeighedPoint{lanes.px[k], lanes.py[k], lanes.pz[k], lanes.distance[k],
                                        lanes.overlap[k] + reach > 0 ? lanes.overlap[k] + reach : 0};
                },
                [&, first](int each) -> double& { return lanes.weight[first + static_cast<std::size_t>(each)]; });
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        const double depth = Pulls || lanes.overlap[k] > 0 ? lanes.overlap[k] : 0, square = depth * depth;
        part[k] = lanes.weight[k] * square * square;
    }
    add_up(part);
#pragma omp simd
    for (std::size_t p = 0; p < whole_patches; ++p)
        of_patch[p] = of_patch[p] > 0 ? 1 / std::sqrt(std::sqrt(of_patch[p])) : 0;
    hand_out(part);
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        const double ratio = (Pulls || lanes.overlap[k] > 0 ? lanes.overlap[k] : 0) * part[k];
        lanes.share[k] =
            Pulls ? lanes.weight[k] : lanes.weight[k] * (exponent == 2 ? ratio * ratio : ratio * std::sqrt(ratio));
    }
    // One point by itself has all of the force.
    for (std::size_t p = 0; p < patches; ++p)
        if (const std::size_t k = lanes.first[p];
            lanes.first[p + 1] == k + 1 && lanes.weight[k] == 1 && (Pulls || lanes.overlap[k] > 0))
            lanes.share[k] = 1;
    if constexpr (!Damped) {
        add_up(lanes.share);
#pragma omp simd
        for (std::size_t p = 0; p < whole_patches; ++p) of_patch[p] = 1 / std::sqrt(of_patch[p]);
    } else {
        // The moment of the whole force about the center of the body, had it the size one.
        alignas(64) double arm[3][W], mass[W];
#pragma omp simd
        for (std::size_t k = 0; k < whole; ++k) {
            const double share = lanes.share[k], px = lanes.px[k], py = lanes.py[k], pz = lanes.pz[k], nx = lanes.nx[k],
                         ny = lanes.ny[k], nz = lanes.nz[k];
            arm[0][k] = share * (py * nz - pz * ny);
            arm[1][k] = share * (pz * nx - px * nz);
            arm[2][k] = share * (px * ny - py * nx);
        }
        for (std::size_t p = 0; p < patches; ++p) {
            double sum[4] = {0, 0, 0, 0};
            for (std::size_t k = lanes.first[p]; k < lanes.first[p + 1]; ++k) {
                sum[0] += arm[0][k];
                sum[1] += arm[1][k];
                sum[2] += arm[2][k];
                sum[3] += lanes.share[k];
            }
            // A patch has its place in these arrays at or before that of its first point.
            for (int axis = 0; axis < 3; ++axis) arm[axis][p] = sum[axis];
            of_patch[p] = sum[3];
            mass[p] = lanes.inverse_mass[lanes.first[p]];
        }
#pragma omp simd
        for (std::size_t p = 0; p < whole_patches; ++p) {
            const double sum = of_patch[p], tx = arm[0][p] / sum, ty = arm[1][p] / sum, tz = arm[2][p] / sum;
            of_patch[p] = 1 / std::sqrt(sum) *
                          std::sqrt(mass[p] / (mass[p] + turning(tx, ty, tz, lanes.jxx[p], lanes.jyy[p], lanes.jzz[p],
                                                                 lanes.jxy[p], lanes.jxz[p], lanes.jyz[p])));
        }
    }
    hand_out(lanes.softer);
}

template <class Law, bool Rolling>
void collide_points(const PointLaw& in, PatchLanes& lanes) {
    constexpr int width = Law::memory + (Rolling ? rolling_memory : 0);
    const std::size_t count = lanes.first[lanes.patches], whole = whole_lanes(count);
    for (std::size_t k = 0; k < count; ++k)
        for (int m = 0; m < width; ++m) lanes.memory[m][k] = lanes.kept[k][m];
    share_patches<Law::may_pull, Law::damped_by_mass>(in.exponent, in.reach, lanes, whole);
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        const double px = lanes.px[k], py = lanes.py[k], pz = lanes.pz[k];
        lanes.ux[k] = lanes.vx[k] + (lanes.way[k] * pz - lanes.waz[k] * py) - lanes.wbx[k];
        lanes.uy[k] = lanes.vy[k] + (lanes.waz[k] * px - lanes.wax[k] * pz) - lanes.wby[k];
        lanes.uz[k] = lanes.vz[k] + (lanes.wax[k] * py - lanes.way[k] * px) - lanes.wbz[k];
        lanes.mass[k] = 1 / lanes.inverse_mass[k];
    }
    law_of_points<Law, Rolling, true>(in, lanes, whole);
    // What is stored now, by the memory that the law has brought up to date.
    if (lanes.watched) {
        const typename Law::Coefficients c = *static_cast<const typename Law::Coefficients*>(in.coefficients);
#pragma omp simd
        for (std::size_t k = 0; k < whole; ++k) {
            double memory[Law::memory];
            for (int m = 0; m < Law::memory; ++m) memory[m] = lanes.memory[m][k];
            lanes.pressed[k] =
                pressed_at<Law>(c, lanes.overlap[k], lanes.inverse_mass[k], lanes.radius[k], lanes.share[k], memory);
        }
    }
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        // A point that bears nothing has no memory.
        const bool bears = lanes.share[k] > 0;
        const double px = lanes.px[k], py = lanes.py[k], pz = lanes.pz[k];
        const double fx = masked(bears, lanes.fx[k]), fy = masked(bears, lanes.fy[k]), fz = masked(bears, lanes.fz[k]);
        const double cx = Rolling ? lanes.cx[k] : 0, cy = Rolling ? lanes.cy[k] : 0, cz = Rolling ? lanes.cz[k] : 0;
        lanes.fx[k] = fx;
        lanes.fy[k] = fy;
        lanes.fz[k] = fz;
        lanes.tax[k] = masked(bears, (py * fz - pz * fy) + cx);
        lanes.tay[k] = masked(bears, (pz * fx - px * fz) + cy);
        lanes.taz[k] = masked(bears, (px * fy - py * fx) + cz);
        lanes.power[k] = masked(bears, lanes.power[k]);
        lanes.slipped[k] = masked(bears, lanes.slipped[k]);
        for (int m = 0; m < width; ++m) lanes.memory[m][k] = masked(bears, lanes.memory[m][k]);
    }
    for (std::size_t k = 0; k < count; ++k)
        for (int m = 0; m < width; ++m) lanes.kept[k][m] = lanes.memory[m][k];
}

SCREE_INLINE Vec3 times(const InertiaRow& j, Vec3 v) {
    return {j.xx * v.x + j.xy * v.y + j.xz * v.z, j.xy * v.x + j.yy * v.y + j.yz * v.z,
            j.xz * v.x + j.yz * v.y + j.zz * v.z};
}

// The operations of WallPlacement and Surface::Face in their order: the same bits.
template <bool Turned, bool Moves>
SCREE_INLINE void place_flat(const FlatFace& face, const GrainRow* rows, const OmegaRow* omega, const FlatCorners& in,
                             PatchLanes& lanes, std::size_t to) {
    const std::size_t count = in.count;
    const Vec3 pivot = face.pivot, shift = face.shift, point = face.point,
               normal = face.normal, *const m = face.rotation.row;
    for (std::size_t k = 0; k < count; k += 4) {
        V4 row[4], speed[4], spin[4], ball[4];
        for (std::size_t p = 0; p < 4; ++p) {
            const std::size_t at = k + p < count ? k + p : count - 1;
            row[p] = load4(&rows[in.bodies[at]].x);
            speed[p] = load4(&rows[in.bodies[at]].vx);
            spin[p] = load4(&omega[in.bodies[at]].w.x);
            ball[p] = load4(&in.corners[at]->x.x);
        }
        transpose(row);
        transpose(speed);
        transpose(spin);
        transpose(ball);
        V4 x = row[0] + ball[0] - shift.x, y = row[1] + ball[1] - shift.y, z = row[2] + ball[2] - shift.z;
        if constexpr (Turned) {
            const V4 dx = x - pivot.x, dy = y - pivot.y, dz = z - pivot.z;
            x = dx * m[0].x + dy * m[1].x + dz * m[2].x + pivot.x;
            y = dx * m[0].y + dy * m[1].y + dz * m[2].y + pivot.y;
            z = dx * m[0].z + dy * m[1].z + dz * m[2].z + pivot.z;
        }
        const V4 distance = (x - point.x) * normal.x + (y - point.y) * normal.y + (z - point.z) * normal.z;
        V4 fx = face.axis == 0 ? V4{} + point.x : x - distance * normal.x,
           fy = face.axis == 1 ? V4{} + point.y : y - distance * normal.y,
           fz = face.axis == 2 ? V4{} + point.z : z - distance * normal.z;
        if constexpr (Turned) {
            const V4 dx = fx - pivot.x, dy = fy - pivot.y, dz = fz - pivot.z;
            fx = m[0].x * dx + m[0].y * dy + m[0].z * dz + pivot.x;
            fy = m[1].x * dx + m[1].y * dy + m[1].z * dz + pivot.y;
            fz = m[2].x * dx + m[2].y * dy + m[2].z * dz + pivot.z;
        }
        fx += shift.x;
        fy += shift.y;
        fz += shift.z;
        V4 vx{}, vy{}, vz{};
        if constexpr (Moves) {
            const Vec3 w = face.spin;
            const V4 dx = fx - pivot.x - shift.x, dy = fy - pivot.y - shift.y, dz = fz - pivot.z - shift.z;
            vx = face.velocity.x + (w.y * dz - w.z * dy);
            vy = face.velocity.y + (w.z * dx - w.x * dz);
            vz = face.velocity.z + (w.x * dy - w.y * dx);
        }
        const V4 overlap = ball[3] - distance;
        store4(in.overlap + k, overlap);
        // Those that touch, one after the other.
        int touch[4], found = 0;
        for (int p = 0; p < 4; ++p)
            if (k + static_cast<std::size_t>(p) < count && face.acts(overlap[p])) touch[found++] = p;
        const auto put = [&](double* lane, V4 value) {
            if (found == 4) return store4(lane + to, value);
            for (int p = 0; p < found; ++p) lane[to + static_cast<std::size_t>(p)] = value[touch[p]];
        };
        if (found == 0) continue;
        put(lanes.px, fx - row[0]);
        put(lanes.py, fy - row[1]);
        put(lanes.pz, fz - row[2]);
        put(lanes.nx, V4{} + face.outwards.x);
        put(lanes.ny, V4{} + face.outwards.y);
        put(lanes.nz, V4{} + face.outwards.z);
        put(lanes.vx, speed[0]);
        put(lanes.vy, speed[1]);
        put(lanes.vz, speed[2]);
        put(lanes.inverse_mass, speed[3]);
        put(lanes.wax, spin[0]);
        put(lanes.way, spin[1]);
        put(lanes.waz, spin[2]);
        put(lanes.wbx, vx);
        put(lanes.wby, vy);
        put(lanes.wbz, vz);
        put(lanes.distance, distance);
        put(lanes.overlap, overlap);
        put(lanes.radius, ball[3]);
        to += static_cast<std::size_t>(found);
    }
}

void flat_points(const FlatFace& face, const GrainRow* rows, const OmegaRow* omega, const FlatCorners& in,
                 PatchLanes& lanes, std::size_t from) {
    if (face.turned && face.moves)
        place_flat<true, true>(face, rows, omega, in, lanes, from);
    else if (face.turned)
        place_flat<true, false>(face, rows, omega, in, lanes, from);
    else if (face.moves)
        place_flat<false, true>(face, rows, omega, in, lanes, from);
    else
        place_flat<false, false>(face, rows, omega, in, lanes, from);
}

// First by the way of the body that went farthest, which needs the marks alone. Without branches: which pairs these are
// cannot be foretold. What is no pair of balls has its bodies at 0 and a mark past everything.
std::size_t used_up_marks(const BallBodies& in, double largest, double farthest, std::size_t first, std::size_t end,
                          std::uint32_t* out) {
    const double nearest = in.reach + 2e-12 * largest, slack = 1 + 1e-12, passed = nearest + slack * (2 * farthest);
    const double* const marks = in.marks;
    std::size_t candidates = 0, p = first;
#ifdef __AVX512F__
    for (; p + 8 <= end; p += 8) {
        const __mmask8 chosen = _mm512_cmp_pd_mask(_mm512_loadu_pd(marks + p), _mm512_set1_pd(passed), _CMP_NGT_UQ);
        const __m256i numbers =
            _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(p)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + candidates), _mm256_maskz_compress_epi32(chosen, numbers));
        candidates += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(chosen)));
    }
#endif
    for (; p < end; ++p) {
        out[candidates] = static_cast<std::uint32_t>(p);
        candidates += static_cast<std::size_t>(!(marks[p] > passed));
    }
    std::size_t count = 0;
    for (std::size_t k = 0; k < candidates; ++k) {
        const std::uint32_t at = out[k];
        const BallPair& pair = in.pairs[at];
        out[count] = at;
        count += static_cast<std::size_t>(
            !(marks[at] > nearest + slack * (in.odometer[pair.a].travelled + in.odometer[pair.b].travelled)));
    }
    return count;
}

template <std::size_t Width>
SCREE_INLINE void load_balls(const BallBodies& bodies, const std::uint32_t* pairs, std::size_t count,
                             BallLanes& lanes) {
    constexpr std::size_t quads = (Width + 3) / 4;
    const std::size_t row = ball_row(bodies.width);
    const BallBodies in = bodies;  // which no store changes
    for (std::size_t k = 0; k < count; k += 4) {
        V4 far[4], speed[4], ball_a[4], ball_b[4], omega_a[4], omega_b[4], memory[quads][4];
        for (std::size_t p = 0; p < 4; ++p) {
            const std::size_t at = pairs[k + p < count ? k + p : count - 1];
            const BallPair& pair = in.pairs[at];
            const double *const a = &in.rows[pair.a].x, *const b = &in.rows[pair.b].x;
            far[p] = load4(b) - load4(a);
            speed[p] = load4(a + 4) + flip_first_three(load4(b + 4));
            ball_a[p] = load4(&in.balls[pair.ball_a].x.x);
            ball_b[p] = load4(&in.balls[pair.ball_b].x.x);
            omega_a[p] = load4(&in.omega[pair.a].w.x);
            omega_b[p] = load4(&in.omega[pair.b].w.x);
            lanes.travelled[k + p] = in.odometer[pair.a].travelled + in.odometer[pair.b].travelled;
            for (std::size_t q = 0; q < quads; ++q) memory[q][p] = load4(in.memory + at * row + 4 * q);
            lanes.fresh[k + p] = 1 - in.memory[at * row + in.width];
        }
        for (std::size_t q = 0; q < quads; ++q) {
            transpose(memory[q]);
            for (std::size_t m = 4 * q; m < 4 * q + 4 && m < Width; ++m) store4(lanes.memory[m] + k, memory[q][m % 4]);
        }
        transpose(far);
        transpose(speed);
        transpose(ball_a);
        transpose(ball_b);
        transpose(omega_a);
        transpose(omega_b);
        store4(lanes.ox + k, far[0]);
        store4(lanes.oy + k, far[1]);
        store4(lanes.oz + k, far[2]);
        store4(lanes.vx + k, speed[0]);
        store4(lanes.vy + k, speed[1]);
        store4(lanes.vz + k, speed[2]);
        store4(lanes.inverse_mass + k, speed[3]);
        store4(lanes.ax + k, ball_a[0]);
        store4(lanes.ay + k, ball_a[1]);
        store4(lanes.az + k, ball_a[2]);
        store4(lanes.ra + k, ball_a[3]);
        store4(lanes.bx + k, ball_b[0]);
        store4(lanes.by + k, ball_b[1]);
        store4(lanes.bz + k, ball_b[2]);
        store4(lanes.rb + k, ball_b[3]);
        store4(lanes.wax + k, omega_a[0]);
        store4(lanes.way + k, omega_a[1]);
        store4(lanes.waz + k, omega_a[2]);
        store4(lanes.ja + k, omega_a[3]);
        store4(lanes.wbx + k, omega_b[0]);
        store4(lanes.wby + k, omega_b[1]);
        store4(lanes.wbz + k, omega_b[2]);
        store4(lanes.jb + k, omega_b[3]);
    }
    double* const offsets[3] = {lanes.ox, lanes.oy, lanes.oz};
    for (int axis = 0; axis < 3; ++axis) {
        const double period = in.periods[axis], half = 0.5 * period;
        if (period == 0) continue;
        double* const d = offsets[axis];
#pragma omp simd
        for (std::size_t k = 0; k < BallLanes::W; ++k)
            d[k] = d[k] > half ? d[k] - period : d[k] < -half ? d[k] + period : d[k];
    }
}

void load_inertia(const BallBodies& in, const std::uint32_t* pairs, std::size_t count, BallLanes& lanes) {
    for (std::size_t k = 0; k < count; k += 4)
        for (int side = 0; side < 2; ++side) {
            V4 first[4], second[4];
            for (std::size_t p = 0; p < 4; ++p) {
                const BallPair& pair = in.pairs[pairs[k + p < count ? k + p : count - 1]];
                const double* const row = &in.inertia[side ? pair.b : pair.a].xx;
                first[p] = load4(row);
                second[p] = load4(row + 4);
            }
            transpose(first);
            transpose(second);
            store4(lanes.jxx[side] + k, first[0]);
            store4(lanes.jyy[side] + k, first[1]);
            store4(lanes.jzz[side] + k, first[2]);
            store4(lanes.jxy[side] + k, first[3]);
            store4(lanes.jxz[side] + k, second[0]);
            store4(lanes.jyz[side] + k, second[1]);
        }
}

// What the approach is multiplied by, since the mass that answers at a point off the center is less than m*.
template <bool Even>
SCREE_INLINE void soften_balls(BallLanes& lanes, std::size_t whole) {
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        const double px = lanes.px[k], py = lanes.py[k], pz = lanes.pz[k], qx = px - lanes.ox[k], qy = py - lanes.oy[k],
                     qz = pz - lanes.oz[k];
        const double nx = lanes.nx[k], ny = lanes.ny[k], nz = lanes.nz[k], inverse_mass = lanes.inverse_mass[k];
        const double ax = py * nz - pz * ny, ay = pz * nx - px * nz, az = px * ny - py * nx, bx = qy * nz - qz * ny,
                     by = qz * nx - qx * nz, bz = qx * ny - qy * nx;
        const double by_a = Even ? lanes.ja[k] * (ax * ax + ay * ay + az * az)
                                 : turning(ax, ay, az, lanes.jxx[0][k], lanes.jyy[0][k], lanes.jzz[0][k],
                                           lanes.jxy[0][k], lanes.jxz[0][k], lanes.jyz[0][k]);
        const double by_b = Even ? lanes.jb[k] * (bx * bx + by * by + bz * bz)
                                 : turning(bx, by, bz, lanes.jxx[1][k], lanes.jyy[1][k], lanes.jzz[1][k],
                                           lanes.jxy[1][k], lanes.jxz[1][k], lanes.jyz[1][k]);
        lanes.softer[k] = std::sqrt(inverse_mass / (inverse_mass + by_a + by_b));
    }
}

template <std::size_t Width>
SCREE_INLINE void scatter_balls(const BallBodies& bodies, const std::uint32_t* pairs, std::size_t count,
                                const BallLanes& lanes) {
    constexpr std::size_t quads = (Width + 3) / 4;
    const std::size_t row = ball_row(bodies.width);
    const BallBodies in = bodies;
    for (std::size_t k = 0; k < count; k += 4) {
        V4 force[4] = {load4(lanes.fx + k), load4(lanes.fy + k), load4(lanes.fz + k), V4{}};
        V4 torque_a[4] = {load4(lanes.tax + k), load4(lanes.tay + k), load4(lanes.taz + k), load4(lanes.slipped + k)};
        V4 torque_b[4] = {load4(lanes.tbx + k), load4(lanes.tby + k), load4(lanes.tbz + k), V4{}};
        transpose(force);
        transpose(torque_a);
        transpose(torque_b);
        V4 memory[quads][4] = {};
        for (std::size_t q = 0; q < quads; ++q) {
            for (std::size_t m = 4 * q; m < 4 * q + 4 && m < Width; ++m) memory[q][m % 4] = load4(lanes.memory[m] + k);
            transpose(memory[q]);
        }
        for (std::size_t p = 0; p < 4 && k + p < count; ++p) {
            const std::size_t at = pairs[k + p];
            const std::uint32_t body = in.pairs[at].body;
            PairForce& out = in.forces[body];
            // The first one of two bodies finds what is left of the last step.
            const long long kept = -static_cast<long long>(in.has_force[body]);
            const M4 mask{kept, kept, kept, kept};
            const auto add = [&](double* to, V4 v) { store4(to, (V4)((M4)load4(to) & mask) + v); };
            add(&out.on_a.fx, force[p]);
            add(&out.on_a.tx, torque_a[p]);
            add(&out.torque_b.x, torque_b[p]);
            in.has_force[body] = 1;
            in.marks[at] = lanes.mark[k + p];
            for (std::size_t q = 0; q < quads; ++q) store4(in.memory + at * row + 4 * q, memory[q][p]);
            in.memory[at * row + in.width] = lanes.touches[k + p];
        }
    }
}

template <class Law, bool Rolling>
void collide_balls(const PointLaw& in, const BallBodies& bodies, const std::uint32_t* pairs, std::size_t count,
                   BallLanes& lanes, BallSum& sum) {
    constexpr int width = Law::memory + (Rolling ? rolling_memory : 0);
    const std::size_t whole = whole_lanes(count);
    load_balls<width>(bodies, pairs, count, lanes);
    // Lanes past the last one repeat it and do not count.
    for (std::size_t k = (count + 3) / 4 * 4; k < whole; ++k) {
        lanes.ra[k] = lanes.rb[k] = 0;
        lanes.ax[k] = 1;
        lanes.bx[k] = lanes.ox[k] = 0;
    }
    const double reach = Law::may_pull ? bodies.reach : 0;  // of several laws one may reach farther
    double ratio = sum.ratio, least = 1;
#pragma omp simd reduction(max : ratio) reduction(min : least)
    for (std::size_t k = 0; k < whole; ++k) {
        const double ax = lanes.ax[k], ay = lanes.ay[k], az = lanes.az[k], ox = lanes.ox[k], oy = lanes.oy[k],
                     oz = lanes.oz[k], ra = lanes.ra[k], rb = lanes.rb[k];
        const double dx = ax - (ox + lanes.bx[k]), dy = ay - (oy + lanes.by[k]), dz = az - (oz + lanes.bz[k]);
        const double distance = std::sqrt(dx * dx + dy * dy + dz * dz), radii = ra + rb, smaller = ra < rb ? ra : rb,
                     inverse_mass = lanes.inverse_mass[k];
        // One division for all.
        const double dr = distance * radii, sm = smaller * inverse_mass, quotient = 1 / (dr * sm);
        const double inverse = radii * sm * quotient, inverse_radii = distance * sm * quotient;
        lanes.mass[k] = dr * smaller * quotient;
        const double nx = inverse * dx, ny = inverse * dy, nz = inverse * dz;
        const bool touches = (distance > 0) & (distance < radii + reach);
        lanes.mark[k] = touches ? -forever : distance - radii + lanes.travelled[k];
        lanes.touches[k] = touches ? 1 : 0;
        const double overlap = radii - distance, part = touches ? overlap * (dr * inverse_mass * quotient) : 0;
        ratio = part > ratio ? part : ratio;
        least = distance < least ? distance : least;
        // Between the surfaces, in proportion of the radii.
        const double back = distance * ra * inverse_radii;
        lanes.px[k] = ax - back * nx;
        lanes.py[k] = ay - back * ny;
        lanes.pz[k] = az - back * nz;
        lanes.nx[k] = nx;
        lanes.ny[k] = ny;
        lanes.nz[k] = nz;
        lanes.overlap[k] = overlap;
        lanes.radius[k] = ra * rb * inverse_radii;
    }
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        const double px = lanes.px[k], py = lanes.py[k], pz = lanes.pz[k], qx = px - lanes.ox[k], qy = py - lanes.oy[k],
                     qz = pz - lanes.oz[k];
        lanes.ux[k] = lanes.vx[k] + (lanes.way[k] * pz - lanes.waz[k] * py) - (lanes.wby[k] * qz - lanes.wbz[k] * qy);
        lanes.uy[k] = lanes.vy[k] + (lanes.waz[k] * px - lanes.wax[k] * pz) - (lanes.wbz[k] * qx - lanes.wbx[k] * qz);
        lanes.uz[k] = lanes.vz[k] + (lanes.wax[k] * py - lanes.way[k] * px) - (lanes.wbx[k] * qy - lanes.wby[k] * qx);
    }
    if constexpr (Law::damped_by_mass) {
        if (bodies.even) {
            soften_balls<true>(lanes, whole);
        } else {
            load_inertia(bodies, pairs, count, lanes);
            soften_balls<false>(lanes, whole);
        }
    }
    law_of_points<Law, Rolling, false>(in, lanes, whole);
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        const bool touches = lanes.touches[k] > 0;
        const double px = lanes.px[k], py = lanes.py[k], pz = lanes.pz[k], qx = px - lanes.ox[k], qy = py - lanes.oy[k],
                     qz = pz - lanes.oz[k];
        const double fx = masked(touches, lanes.fx[k]), fy = masked(touches, lanes.fy[k]),
                     fz = masked(touches, lanes.fz[k]);
        const double cx = Rolling ? lanes.cx[k] : 0, cy = Rolling ? lanes.cy[k] : 0, cz = Rolling ? lanes.cz[k] : 0;
        lanes.fx[k] = fx;
        lanes.fy[k] = fy;
        lanes.fz[k] = fz;
        lanes.tax[k] = masked(touches, (py * fz - pz * fy) + cx);
        lanes.tay[k] = masked(touches, (pz * fx - px * fz) + cy);
        lanes.taz[k] = masked(touches, (px * fy - py * fx) + cz);
        lanes.tbx[k] = masked(touches, (qz * fy - qy * fz) - cx);
        lanes.tby[k] = masked(touches, (qx * fz - qz * fx) - cy);
        lanes.tbz[k] = masked(touches, (qy * fx - qx * fy) - cz);
        lanes.slipped[k] = masked(touches, lanes.slipped[k]);
        for (int m = 0; m < width; ++m) lanes.memory[m][k] = masked(touches, lanes.memory[m][k]);
    }
    scatter_balls<width>(bodies, pairs, count, lanes);
    for (std::size_t k = 0; k < count; ++k) sum.contacts += lanes.touches[k];
    sum.ratio = ratio;
    sum.sunk |= !(least > 0);
}

void add_forces(const BodyPair* pairs, const PairForce* forces, const std::uint8_t* touching, std::size_t count,
                ForceRow* rows, std::size_t first, std::size_t row_count) {
    for (std::size_t p = 0; p < count; ++p) {
        if (!touching[p]) continue;
        const PairForce& force = forces[p];
        const std::size_t a = pairs[p].a - first, b = pairs[p].b - first;
        const V4 on_a = load4(&force.on_a.fx);
        if (a < row_count) {
            store4(&rows[a].fx, load4(&rows[a].fx) + on_a);
            store4(&rows[a].tx, load4(&rows[a].tx) + load4(&force.on_a.tx));
        }
        if (b < row_count) {
            store4(&rows[b].fx, load4(&rows[b].fx) + drop_last(flip_first_three(on_a)));
            store4(&rows[b].tx, load4(&rows[b].tx) + load4(&force.torque_b.x));
        }
    }
}

void place_balls(const Mat3& rotation, double scale, const BodyBall* balls, std::size_t count, BodyBall* out) {
    // Columns of the rotation times coordinates: the operations of rotation * x, three rows at a time.
    const Vec3* const m = rotation.row;
    const V4 x{m[0].x, m[1].x, m[2].x, 0}, y{m[0].y, m[1].y, m[2].y, 0}, z{m[0].z, m[1].z, m[2].z, 0};
    std::size_t k = 0;
#ifdef __AVX512F__
    const V8 xx = join(x, x), yy = join(y, y), zz = join(z, z);
    for (; k + 1 < count; k += 2) {
        V8 two;
        std::memcpy(&two, &balls[k].x.x, sizeof two);
        two = scale * two;
        const V8 at = xx * shuffled<0, 0, 0, 0, 4, 4, 4, 4>(two) + yy * shuffled<1, 1, 1, 1, 5, 5, 5, 5>(two) +
                      zz * shuffled<2, 2, 2, 2, 6, 6, 6, 6>(two);
        const V8 placed = shuffled<0, 1, 2, 11, 4, 5, 6, 15>(at, two);
        std::memcpy(&out[k].x.x, &placed, sizeof placed);
    }
#endif
    for (; k < count; ++k) {
        const V4 ball = scale * load4(&balls[k].x.x);
        const V4 at = x * shuffled<0, 0, 0, 0>(ball) + y * shuffled<1, 1, 1, 1>(ball) + z * shuffled<2, 2, 2, 2>(ball);
        store4(&out[k].x.x, shuffled<0, 1, 2, 7>(at, ball));
    }
}

// ---- Free motion ----------------------------------------------------------------------------------------------------

SCREE_INLINE void store(TurnLanes& lanes, std::size_t k, Quaternion q, const Mat3& m, Vec3 omega, double motion) {
    lanes.qw[k] = q.w;
    lanes.qx[k] = q.x;
    lanes.qy[k] = q.y;
    lanes.qz[k] = q.z;
    lanes.m00[k] = m.row[0].x;
    lanes.m01[k] = m.row[0].y;
    lanes.m02[k] = m.row[0].z;
    lanes.m10[k] = m.row[1].x;
    lanes.m11[k] = m.row[1].y;
    lanes.m12[k] = m.row[1].z;
    lanes.m20[k] = m.row[2].x;
    lanes.m21[k] = m.row[2].y;
    lanes.m22[k] = m.row[2].z;
    lanes.wx[k] = omega.x;
    lanes.wy[k] = omega.y;
    lanes.wz[k] = omega.z;
    lanes.motion[k] = motion;
}

// Of bodies with equal moments; their inertia is the same however they are turned.
SCREE_INLINE void turn_even_body(TurnLanes& lanes, std::size_t k, double dt) {
    const Quaternion before{lanes.qw[k], lanes.qx[k], lanes.qy[k], lanes.qz[k]};
    const Vec3 middle{lanes.mx[k], lanes.my[k], lanes.mz[k]}, end{lanes.ex[k], lanes.ey[k], lanes.ez[k]};
    const double inverse = lanes.ix[k];
    const Vec3 turn = even_turn(middle, inverse, dt), shift{lanes.sx[k], lanes.sy[k], lanes.sz[k]};
    const Quaternion q = turned_by(turn, before);
    // A tangent is more than its sine.
    store(lanes, k, q, matrix_of(q), inverse * end, motion_bound(shift, 2 * norm(turn), lanes.radius[k]));
}

SCREE_INLINE void turn_body(TurnLanes& lanes, std::size_t k, double dt) {
    const Quaternion before{lanes.qw[k], lanes.qx[k], lanes.qy[k], lanes.qz[k]};
    const Vec3 middle{lanes.mx[k], lanes.my[k], lanes.mz[k]}, end{lanes.ex[k], lanes.ey[k], lanes.ez[k]};
    const Vec3 inverse{lanes.ix[k], lanes.iy[k], lanes.iz[k]}, shift{lanes.sx[k], lanes.sy[k], lanes.sz[k]};
    const Quaternion q = turned_freely(before, middle, inverse, dt), turn = conjugate(before) * q;
    const Mat3 m = matrix_of(q);
    // The vector part of a turn is the sine of half the angle.
    const double chord = 2 * norm(Vec3{turn.x, turn.y, turn.z});
    store(lanes, k, q, m, angular_velocity(m, end, inverse), motion_bound(shift, chord, lanes.radius[k]));
    const SymmetricSix j = turned_inverse_inertia(m, inverse);
    lanes.jxx[k] = j.xx;
    lanes.jyy[k] = j.yy;
    lanes.jzz[k] = j.zz;
    lanes.jxy[k] = j.xy;
    lanes.jxz[k] = j.xz;
    lanes.jyz[k] = j.yz;
}

// Bodies in functions of their own: what a loop over lanes declares itself is kept in memory, lane by lane.
SCREE_INLINE void turn_bodies(TurnLanes& lanes, std::size_t count, double dt, bool even) {
    const std::size_t whole = whole_lanes(count);
    if (even) {
#pragma omp simd
        for (std::size_t k = 0; k < whole; ++k) turn_even_body(lanes, k, dt);
    } else {
#pragma omp simd
        for (std::size_t k = 0; k < whole; ++k) turn_body(lanes, k, dt);
    }
}

void kick_bodies(const MovingBodies& in, const BodyKick& kick, std::size_t begin, std::size_t end, KickPowers& powers) {
    const double half = 0.5 * in.time_step;
    const V4 gravity{kick.gravity.x, kick.gravity.y, kick.gravity.z, 0};
    for (std::size_t g = begin; g < end; ++g) {
        ForceRow& sum = kick.sums[g - begin];
        const V4 force = load4(&sum.fx), moment = load4(&sum.tx);
        store4(&sum.fx, V4{});
        store4(&sum.tx, V4{});
        powers.slipped += moment[3];
        GrainRow& row = in.rows[g];
        if (row.inverse_mass == 0) continue;
        const V4 v = load4(&row.vx);
        V4 a = drop_last(row.inverse_mass * force + gravity), torque = drop_last(moment);
        if (kick.damping > 0 || kick.rotation_damping > 0) {
            const V4 w = load4(&in.omega[g].w.x);
            a -= drop_last(kick.damping * row.inverse_mass * v);
            torque -= drop_last(kick.rotation_damping * w);
            powers.damping += kick.damping * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                              kick.rotation_damping * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        }
        AccelerationRow& last = in.last[g];
        Vec3 speed{v[0], v[1], v[2]}, spin = in.omega[g].w;
        if (kick.verlet) {
            const V4 change = half * (torque - drop_last(shuffled<1, 2, 3, 0>(load4(&last.z))));
            const V4 ended = v + half * (a - drop_last(load4(&last.x)));
            store4(&row.vx, ended);
            Vec3& momentum = in.momentum[g];
            momentum.x += change[0];
            momentum.y += change[1];
            momentum.z += change[2];
            speed = {ended[0], ended[1], ended[2]};
            spin += times(in.inertia[g], {change[0], change[1], change[2]});
        }
        // The velocity at the end of a step is that of the way from the middle of the last one to the middle of the
        // next one, so this is the work of the forces without the error that a predicted velocity makes.
        powers.contact -= dot({force[0], force[1], force[2]}, speed) + dot({moment[0], moment[1], moment[2]}, spin);
        last = {a[0], a[1], a[2], torque[0], torque[1], torque[2]};
    }
}

void move_bodies(const MovingBodies& in, std::size_t first, std::size_t count, TurnLanes& lanes) {
    const double dt = in.time_step, half = 0.5 * dt, square = 0.5 * dt * dt;
    const auto load3 = [](const Vec3& v) { return V4{v.x, v.y, v.z, 0}; };
    for (std::size_t k = 0; k < count; k += 4) {
        V4 turned[4], middle[4], after[4], inverse[4], shift[4];
        for (std::size_t p = 0; p < 4; ++p) {
            const bool counts = k + p < count;
            const std::size_t g = first + (counts ? k + p : count - 1);
            GrainRow& row = in.rows[g];
            const V4 a = drop_last(load4(&in.last[g].x)),
                     torque = drop_last(shuffled<1, 2, 3, 0>(load4(&in.last[g].z)));
            const V4 x = load4(&row.x), v = load4(&row.vx), way = drop_last(dt * v + square * a),
                     momentum = load3(in.momentum[g]);
            turned[p] = load4(&in.orientation[g].w);
            middle[p] = momentum + half * torque;
            after[p] = momentum + dt * torque;
            inverse[p] = load3(in.inverse_inertia[g]);
            shift[p] = shuffled<0, 1, 2, 7>(way, x);
            if (!counts || row.inverse_mass == 0) continue;
            store4(&row.x, x + way);
            store4(&row.vx, v + dt * a);
            in.momentum[g].x = after[p][0];
            in.momentum[g].y = after[p][1];
            in.momentum[g].z = after[p][2];
        }
        transpose(turned);
        transpose(middle);
        transpose(after);
        transpose(inverse);
        transpose(shift);
        store4(lanes.qw + k, turned[0]);
        store4(lanes.qx + k, turned[1]);
        store4(lanes.qy + k, turned[2]);
        store4(lanes.qz + k, turned[3]);
        store4(lanes.mx + k, middle[0]);
        store4(lanes.my + k, middle[1]);
        store4(lanes.mz + k, middle[2]);
        store4(lanes.ex + k, after[0]);
        store4(lanes.ey + k, after[1]);
        store4(lanes.ez + k, after[2]);
        store4(lanes.ix + k, inverse[0]);
        store4(lanes.iy + k, inverse[1]);
        store4(lanes.iz + k, inverse[2]);
        store4(lanes.sx + k, shift[0]);
        store4(lanes.sy + k, shift[1]);
        store4(lanes.sz + k, shift[2]);
        store4(lanes.radius + k, shift[3]);
    }
    turn_bodies(lanes, count, dt, in.even);
    for (std::size_t k = 0; k < count; k += 4) {
        V4 turned[4] = {load4(lanes.qw + k), load4(lanes.qx + k), load4(lanes.qy + k), load4(lanes.qz + k)};
        V4 upper[4] = {load4(lanes.m00 + k), load4(lanes.m01 + k), load4(lanes.m02 + k), load4(lanes.m10 + k)};
        V4 lower[4] = {load4(lanes.m11 + k), load4(lanes.m12 + k), load4(lanes.m20 + k), load4(lanes.m21 + k)};
        V4 omega[4] = {load4(lanes.wx + k), load4(lanes.wy + k), load4(lanes.wz + k), load4(lanes.ix + k)};
        transpose(turned);
        transpose(upper);
        transpose(lower);
        transpose(omega);
        for (std::size_t p = 0; p < 4 && k + p < count; ++p) {
            const std::size_t g = first + k + p;
            if (in.rows[g].inverse_mass == 0) continue;
            store4(&in.orientation[g].w, turned[p]);
            double* const m = &in.rotation[g].row[0].x;
            store4(m, upper[p]);
            store4(m + 4, lower[p]);
            m[8] = lanes.m22[k + p];
            store4(&in.omega[g].w.x, omega[p]);
            double* const rim = &in.spin[g].x;
            store4(rim, shuffled<0, 1, 2, 7>(in.rows[g].radius * omega[p], load4(rim)));
        }
        if (in.even) continue;
        V4 inertia[4] = {load4(lanes.jxx + k), load4(lanes.jyy + k), load4(lanes.jzz + k), load4(lanes.jxy + k)},
           rest[4] = {load4(lanes.jxz + k), load4(lanes.jyz + k), V4{}, V4{}};
        transpose(inertia);
        transpose(rest);
        for (std::size_t p = 0; p < 4 && k + p < count; ++p)
            if (const std::size_t g = first + k + p; in.rows[g].inverse_mass != 0) {
                store4(&in.inertia[g].xx, inertia[p]);
                store4(&in.inertia[g].xz, rest[p]);
            }
    }
}

void balls_by_law(const PointLaw& in, const BallBodies& bodies, const std::uint32_t* pairs, std::size_t count,
                  BallLanes& lanes, BallSum& sum) {
    with_law(in.law, [&](auto chosen) {
        using Law = decltype(chosen);
        (in.rolls ? collide_balls<Law, true> : collide_balls<Law, false>)(in, bodies, pairs, count, lanes, sum);
    });
}

void points_by_law(const PointLaw& in, PatchLanes& lanes) {
    with_law(in.law, [&](auto chosen) {
        using Law = decltype(chosen);
        (in.rolls ? collide_points<Law, true> : collide_points<Law, false>)(in, lanes);
    });
}

}  // namespace

template <>
BodyKernel body_kernel_for<isa>() {
    return {used_up_marks, balls_by_law, points_by_law, flat_points, add_forces, kick_bodies, move_bodies, place_balls};
}

}  // namespace scree
