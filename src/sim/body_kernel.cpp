#include "sim/body_kernel.h"

#include <cmath>

#include "contact/all_laws.h"
#include "core/variant.h"

namespace scree {
namespace {

template <class Law, bool Rolling>
void collide_balls(const BallLaw& in, BallLanes& lanes, std::size_t count) {
    const typename Law::Coefficients c = *static_cast<const typename Law::Coefficients*>(in.coefficients);
    const RollingCoefficients rolling = *static_cast<const RollingCoefficients*>(in.rolling);
    const double friction = in.friction, dt = in.time_step;
    const std::size_t whole = (count + 7) / 8 * 8;
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        const double d2 = lanes.dx[k] * lanes.dx[k] + lanes.dy[k] * lanes.dy[k] + lanes.dz[k] * lanes.dz[k];
        const double distance = std::sqrt(d2), inverse = 1 / distance, ra = lanes.ra[k], rb = lanes.rb[k];
        const double nx = inverse * lanes.dx[k], ny = inverse * lanes.dy[k], nz = inverse * lanes.dz[k];
        // Between the surfaces, in proportion of the radii.
        const double back = distance * ra / (ra + rb);
        const double px = lanes.ax[k] - back * nx, py = lanes.ay[k] - back * ny, pz = lanes.az[k] - back * nz;
        const double qx = px - lanes.ox[k], qy = py - lanes.oy[k], qz = pz - lanes.oz[k];
        lanes.px[k] = px, lanes.py[k] = py, lanes.pz[k] = pz, lanes.nx[k] = nx, lanes.ny[k] = ny, lanes.nz[k] = nz;
        lanes.overlap[k] = ra + rb - distance;
        lanes.ratio[k] = (ra + rb - distance) / (ra < rb ? ra : rb);
        lanes.ux[k] = lanes.vx[k] + (lanes.way[k] * pz - lanes.waz[k] * py) - (lanes.wby[k] * qz - lanes.wbz[k] * qy);
        lanes.uy[k] = lanes.vy[k] + (lanes.waz[k] * px - lanes.wax[k] * pz) - (lanes.wbz[k] * qx - lanes.wbx[k] * qz);
        lanes.uz[k] = lanes.vz[k] + (lanes.wax[k] * py - lanes.way[k] * px) - (lanes.wbx[k] * qy - lanes.wby[k] * qx);
    }
#pragma omp simd
    for (std::size_t k = 0; k < whole; ++k) {
        const double nx = lanes.nx[k], ny = lanes.ny[k], nz = lanes.nz[k], overlap = lanes.overlap[k];
        const double approach = -(lanes.ux[k] * nx + lanes.uy[k] * ny + lanes.uz[k] * nz);
        const bool begins = (lanes.fresh[k] > 0) & (overlap > 0) & (overlap < approach * dt);
        const double since = overlap / (begins ? approach : 1);
        ContactState state;
        state.overlap = overlap;
        state.approach = approach;
        state.vt[0] = lanes.ux[k] + approach * nx, state.vt[1] = lanes.uy[k] + approach * ny, state.vt[2] = lanes.uz[k] + approach * nz;
        state.inverse_mass = lanes.inverse_mass[k];
        state.mass = 1 / state.inverse_mass;
        state.radius = lanes.ra[k] * lanes.rb[k] / (lanes.ra[k] + lanes.rb[k]);
        state.half_step = 0.5 * dt;
        state.spring_time = begins ? since : 0.5 * dt;
        state.damping_weight = begins ? 0.5 + since / dt : 1;
        // Turn the memory with the contact plane.
        double own[Law::memory];
        for (int m = 0; m < Law::memory; ++m) own[m] = lanes.memory[m][k];
        const double along = own[0] * nx + own[1] * ny + own[2] * nz;
        own[0] -= along * nx, own[1] -= along * ny, own[2] -= along * nz;
        const ContactForce force = Law::force(c, state, own);
        for (int m = 0; m < Law::memory; ++m) lanes.memory[m][k] = own[m];
        const double tx = force.tangential[0], ty = force.tangential[1], tz = force.tangential[2];
        const double tangential_power = -(tx * state.vt[0] + ty * state.vt[1] + tz * state.vt[2]), limit = friction * force.normal;
        double power = force.normal * approach + tangential_power, cx = 0, cy = 0, cz = 0;
        if constexpr (Rolling) {
            double spring[3];
            for (int m = 0; m < 3; ++m) spring[m] = lanes.memory[Law::memory + m][k];
            const double normal_part = spring[0] * nx + spring[1] * ny + spring[2] * nz;
            spring[0] -= normal_part * nx, spring[1] -= normal_part * ny, spring[2] -= normal_part * nz;
            const double wx = lanes.wax[k] - lanes.wbx[k], wy = lanes.way[k] - lanes.wby[k], wz = lanes.waz[k] - lanes.wbz[k];
            const double twist = wx * nx + wy * ny + wz * nz, turn[3] = {wx - twist * nx, wy - twist * ny, wz - twist * nz};
            const RollingTorque torque = rolling_torque(rolling, state, force.normal, turn, spring);
            cx = torque.x, cy = torque.y, cz = torque.z;
            power -= cx * turn[0] + cy * turn[1] + cz * turn[2];
            for (int m = 0; m < 3; ++m) lanes.memory[Law::memory + m][k] = spring[m];
        }
        const double fx = force.normal * nx + tx, fy = force.normal * ny + ty, fz = force.normal * nz + tz;
        const double px = lanes.px[k], py = lanes.py[k], pz = lanes.pz[k], qx = px - lanes.ox[k], qy = py - lanes.oy[k], qz = pz - lanes.oz[k];
        lanes.fx[k] = fx, lanes.fy[k] = fy, lanes.fz[k] = fz;
        lanes.tax[k] = (py * fz - pz * fy) + cx, lanes.tay[k] = (pz * fx - px * fz) + cy, lanes.taz[k] = (px * fy - py * fx) + cz;
        lanes.tbx[k] = (qz * fy - qy * fz) - cx, lanes.tby[k] = (qx * fz - qz * fx) - cy, lanes.tbz[k] = (qy * fx - qx * fy) - cz;
        lanes.power[k] = power;
        lanes.sliding[k] = tx * tx + ty * ty + tz * tz >= limit * limit * (1 - 1e-9) ? tangential_power : 0;
    }
}

// The operations of turned_freely, matrix_of and angular_velocity, in their order: the same bits.
void turn_bodies(TurnLanes& lanes, double dt) {
    const double half = 0.5 * dt;
#pragma omp simd
    for (std::size_t k = 0; k < TurnLanes::W; ++k) {
        const double bw = lanes.qw[k], bx = lanes.qx[k], by = lanes.qy[k], bz = lanes.qz[k];
        const double ix = lanes.ix[k], iy = lanes.iy[k], iz = lanes.iz[k];
        double w = bw, x = bx, y = by, z = bz, lx, ly, lz;
        {
            const double xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
            const double mx = lanes.mx[k], my = lanes.my[k], mz = lanes.mz[k];
            lx = mx * (1 - 2 * (yy + zz)) + my * (2 * (xy + wz)) + mz * (2 * (xz - wy));
            ly = mx * (2 * (xy - wz)) + my * (1 - 2 * (xx + zz)) + mz * (2 * (yz + wx));
            lz = mx * (2 * (xz + wy)) + my * (2 * (yz - wx)) + mz * (1 - 2 * (xx + yy));
        }
        // Of the body about one of its axes: its own component stays, the two others turn.
        const auto turn = [](double time, double own, double inverse, double& lj, double& lk) {
            const double angle = time * own * inverse;
            const double t = 0.5 * angle * (1 + angle * angle * (1.0 / 12));
            const double scale = 1 / (1 + t * t), c = (1 - t * t) * scale, s = 2 * t * scale;
            const double j = lj, l = lk;
            lj = c * j + s * l;
            lk = c * l - s * j;
            return t;
        };
        const auto about_x = [&](double t) {
            const double pw = w, px = x, py = y, pz = z;
            w = pw - t * px, x = px + t * pw, y = py + t * pz, z = pz - t * py;
        };
        const auto about_y = [&](double t) {
            const double pw = w, px = x, py = y, pz = z;
            w = pw - t * py, x = px - t * pz, y = py + t * pw, z = pz + t * px;
        };
        const auto about_z = [&](double t) {
            const double pw = w, px = x, py = y, pz = z;
            w = pw - t * pz, x = px + t * py, y = py - t * px, z = pz + t * pw;
        };
        about_x(turn(half, lx, ix, ly, lz));
        about_y(turn(half, ly, iy, lz, lx));
        about_z(turn(dt, lz, iz, lx, ly));
        about_y(turn(half, ly, iy, lz, lx));
        about_x(turn(half, lx, ix, ly, lz));
        const double s = 1 / std::sqrt(w * w + x * x + y * y + z * z);
        w = s * w, x = s * x, y = s * y, z = s * z;
        lanes.qw[k] = w, lanes.qx[k] = x, lanes.qy[k] = y, lanes.qz[k] = z;
        // How far: the vector part of the inverse of the former orientation times the new one.
        const double cx = bw * x + -bx * w + -by * z - -bz * y, cy = bw * y - -bx * z + -by * w + -bz * x, cz = bw * z + -bx * y - -by * x + -bz * w;
        lanes.angle[k] = 2 * std::sqrt(cx * cx + cy * cy + cz * cz);
        const double xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z, wx = w * x, wy = w * y, wz = w * z;
        const double m00 = 1 - 2 * (yy + zz), m01 = 2 * (xy - wz), m02 = 2 * (xz + wy), m10 = 2 * (xy + wz), m11 = 1 - 2 * (xx + zz), m12 = 2 * (yz - wx);
        const double m20 = 2 * (xz - wy), m21 = 2 * (yz + wx), m22 = 1 - 2 * (xx + yy);
        lanes.m00[k] = m00, lanes.m01[k] = m01, lanes.m02[k] = m02, lanes.m10[k] = m10, lanes.m11[k] = m11, lanes.m12[k] = m12;
        lanes.m20[k] = m20, lanes.m21[k] = m21, lanes.m22[k] = m22;
        const double ex = lanes.ex[k], ey = lanes.ey[k], ez = lanes.ez[k];
        const double ax = (ex * m00 + ey * m10 + ez * m20) * ix, ay = (ex * m01 + ey * m11 + ez * m21) * iy, az = (ex * m02 + ey * m12 + ez * m22) * iz;
        lanes.wx[k] = m00 * ax + m01 * ay + m02 * az, lanes.wy[k] = m10 * ax + m11 * ay + m12 * az, lanes.wz[k] = m20 * ax + m21 * ay + m22 * az;
    }
}

}  // namespace

TurnFunction SCREE_JOIN(turn_function_, SCREE_ISA)() { return turn_bodies; }

BallFunction SCREE_JOIN(ball_function_, SCREE_ISA)(LawKind law, bool rolling) {
    BallFunction function = nullptr;
    with_law(law, [&](auto chosen) {
        using Law = decltype(chosen);
        function = rolling ? collide_balls<Law, true> : collide_balls<Law, false>;
    });
    return function;
}

}  // namespace scree
