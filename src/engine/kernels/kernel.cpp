// The force kernel, compiled once per instruction set with SCREE_ISA naming the variant.
//
// Per tile of 64 pairs, three short stages: load (subtract whole rows, then transpose 4x4), law (ordinary loops over
// lanes that the compiler vectorises), scatter (transpose back, add rows). Lanes that do not touch are masked and add
// exactly +0.0, so the list may hold any further pairs without changing a bit; sums run in the order of the pairs.
//
// The loops of the law are short on purpose: the processor looks about a hundred operations ahead, and in one long loop
// it waits for square roots and divisions. Rejected: one loop per pair with all stages (27-31 ns per contact in place
// of about 11), hardware gathers from structure of arrays, and the stages by groups of 8 or 16 pairs (a fifth slower).
#include "engine/kernels/kernel.h"

#ifdef __AVX512F__
#    include <immintrin.h>
#endif

#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "contact/all_laws.h"
#include "contact/at_point.h"
#include "core/instruction_set.h"
#include "core/simd.h"

namespace scree {
namespace {

// A stage of a tile: long enough for a call to cost nothing, and compiled once for all laws it serves.
#define SCREE_STAGE __attribute__((noinline))

constexpr std::size_t W = tile_width;

struct LaneNumbers {
    alignas(64) double value[W];
    constexpr LaneNumbers() : value() {
        for (std::size_t k = 0; k < W; ++k) value[k] = static_cast<double>(k);
    }
    SCREE_INLINE double operator[](std::size_t k) const { return value[k]; }
};
constexpr LaneNumbers lane_numbers;

struct alignas(64) Lanes {
    double dx[W], dy[W], dz[W], radius_sum[W];
    double vx[W], vy[W], vz[W], inverse_mass[W];
    double sx[W], sy[W], sz[W], inverse_radius_sum[W];  // sum of radius times spin; 1/r_i + 1/r_j
    double wx[W], wy[W], wz[W], unused[W];              // difference of spins, for rolling
    double larger_inverse_radius[W];
    double nx[W], ny[W], nz[W], overlap[W], approach[W], arm[W], mass[W], spring_time[W], damping_weight[W];
    double fx[W], fy[W], fz[W], lost[W], tx[W], ty[W], tz[W], slipped[W];
    double rolling_x[W], rolling_y[W], rolling_z[W];
    double slip_x[W], slip_y[W], slip_z[W], normal_force[W], friction_x[W], friction_y[W], friction_z[W];
    double loss[W], slip_loss[W];       // of the law, before lanes that do not touch are masked
    double own[largest_law_memory][W];  // memory of the contact
    double type[W];                     // of the pair of materials; a double like all else, for the vector loop
};

static_assert(sizeof(GrainRow) == 8 * row_scale && sizeof(SpinRow) == 4 * row_scale &&
              sizeof(ForceRow) == 8 * row_scale);
SCREE_INLINE const double* row_at(const GrainRow* rows, Place place) {
    return reinterpret_cast<const double*>(reinterpret_cast<const char*>(rows) + std::size_t{place} * 8);
}
SCREE_INLINE const double* spin_at(const SpinRow* spins, Place place) {
    return reinterpret_cast<const double*>(reinterpret_cast<const char*>(spins) + std::size_t{place} * 4);
}
SCREE_INLINE double* force_at(ForceRow* rows, Place place) {
    return reinterpret_cast<double*>(reinterpret_cast<char*>(rows) + std::size_t{place} * 8);
}

SCREE_INLINE std::uint16_t pair_type(const KernelArguments& in, const TileView& tile, std::size_t k) {
    return in.types[in.materials[index_at(tile.i[k])] * in.material_count + in.other_materials[index_at(tile.j[k])]];
}

template <bool Rolling, std::size_t TileBytes>
SCREE_STAGE void load_tile(const KernelArguments& in, const TileView& tile, const TileView& next, const char* after,
                           Lanes& lanes) {
    const GrainRow *const rows = in.rows, *const other_rows = in.other_rows;
    const SpinRow *const spins = in.spins, *const other_spins = in.other_spins;
    for (std::size_t k = 0; k < W; k += 4) {
        // Fetch the partners of the next tile, a few at a time: one burst would fill the queue of misses and gain
        // nothing.
        for (std::size_t p = 0; p < 4; ++p) {
            __builtin_prefetch(row_at(other_rows, next.j[k + p]));
            __builtin_prefetch(spin_at(other_spins, next.j[k + p]));
        }
        // And the tile after it, whose indices will be needed then.
        for (std::size_t at = 0; at < 4 * TileBytes / W; at += 64)
            __builtin_prefetch(after + k * TileBytes / W + at, 1);
        Row8 row[4];
        V4 spin[4], turn[4];
        for (std::size_t p = 0; p < 4; ++p) {
            const Place i = tile.i[k + p], j = tile.j[k + p];
            row[p] = load_row(row_at(rows, i)) + flip_vectors(load_row(row_at(other_rows, j)));
            const V4 sa = load4(spin_at(spins, i)), sb = load4(spin_at(other_spins, j));
            spin[p] = sa + sb;
            // Of the smaller body; a ghost has the curvature of its wall. From memory: out of a register it takes two
            // shuffles.
            const double ia = spin_at(spins, i)[3], ib = spin_at(other_spins, j)[3];
            lanes.larger_inverse_radius[k + p] = ia > ib ? ia : ib;
            if constexpr (Rolling) turn[p] = sa * sa[3] - sb * sb[3];
        }
        transpose_halves(row[0], row[1], row[2], row[3]);
        store_halves(row[0], lanes.dx + k, lanes.vx + k);
        store_halves(row[1], lanes.dy + k, lanes.vy + k);
        store_halves(row[2], lanes.dz + k, lanes.vz + k);
        store_halves(row[3], lanes.radius_sum + k, lanes.inverse_mass + k);
        transpose(spin);
        store4(lanes.sx + k, spin[0]);
        store4(lanes.sy + k, spin[1]);
        store4(lanes.sz + k, spin[2]);
        store4(lanes.inverse_radius_sum + k, spin[3]);
        if constexpr (Rolling) {
            transpose(turn);
            store4(lanes.wx + k, turn[0]);
            store4(lanes.wy + k, turn[1]);
            store4(lanes.wz + k, turn[2]);
        }
    }
    double* const components[3] = {lanes.dx, lanes.dy, lanes.dz};
    for (int axis = 0; axis < 3; ++axis) {
        const double period = in.periods[axis], half = 0.5 * period;
        if (period == 0) continue;
        double* const d = components[axis];
#pragma omp simd
        for (std::size_t k = 0; k < W; ++k) d[k] = d[k] > half ? d[k] - period : d[k] < -half ? d[k] + period : d[k];
    }
    if (!in.one_type)
        for (std::size_t k = 0; k < W; ++k) lanes.type[k] = pair_type(in, tile, k);
}

// Lanes that do not touch get +0.0; those of another type keep what they have.
template <bool OneType>
SCREE_INLINE void put(bool mine, bool touching, double& place, double value) {
    // Written as a select, the compiler stores and loads every number twice.
    const double masked = std::bit_cast<double>(std::bit_cast<long long>(value) & (touching ? -1ll : 0ll));
    place = OneType || mine ? masked : place;
}

template <class Law>
SCREE_INLINE ContactState state_of(const Lanes& lanes, std::size_t k, double dt) {
    ContactState state;
    state.overlap = depth_of<Law>(lanes.overlap[k]);
    // A contact that has ended is asked once more what it holds, with nothing that presses.
    state.approach = Law::may_pull || lanes.overlap[k] > 0 ? lanes.approach[k] : 0;
    state.vt[0] = lanes.slip_x[k];
    state.vt[1] = lanes.slip_y[k];
    state.vt[2] = lanes.slip_z[k];
    state.inverse_mass = lanes.inverse_mass[k];
    state.mass = lanes.mass[k];
    state.radius = 1 / lanes.inverse_radius_sum[k];
    state.half_step = 0.5 * dt;
    state.spring_time = lanes.spring_time[k];
    state.damping_weight = lanes.damping_weight[k];
    return state;
}

// Lanes that touch, and those that have something to add: they touch, or did so in the last step.
struct LaneCounts {
    double contacts = 0, losing = 0;
    void operator+=(const LaneCounts& other) {
        contacts += other.contacts;
        losing += other.losing;
    }
};

// Geometry, law and losses of all lanes whose pair is of the given type (of all lanes if OneType). Coefficients are
// those of one type, so that they stay in registers: a tile of several types is run through once for each, which is
// cheaper than to gather coefficients per lane.
template <class Law, bool Rolling, bool OneType>
SCREE_STAGE LaneCounts law_tile(const KernelArguments& in, const TileView& tile, std::size_t count, std::size_t type,
                                Lanes& lanes, double& max_overlap) {
    const std::size_t used = (count + 7) / 8 * 8;
    const typename Law::Coefficients c = *reinterpret_cast<const typename Law::Coefficients*>(
        static_cast<const char*>(in.coefficients) + type * in.coefficient_bytes);
    const RollingCoefficients rolling_coefficients = static_cast<const RollingCoefficients*>(in.rolling)[type];
    const double dt = in.time_step, inverse_dt = 1 / dt, wanted_type = static_cast<double>(type),
                 lane_count = static_cast<double>(count);
    double* const memory = tile.memory;
    double contacts = 0, losing = 0, overlap_ratio = 0;
#pragma omp simd
    for (std::size_t k = 0; k < used; ++k) {
        const double d2 = lanes.dx[k] * lanes.dx[k] + lanes.dy[k] * lanes.dy[k] + lanes.dz[k] * lanes.dz[k];
        const double distance = std::sqrt(d2 > 0x1p-1000 ? d2 : 0x1p-1000);
        const double inverse_mass = lanes.inverse_mass[k], radius_sum = lanes.radius_sum[k];
        const double overlap = radius_sum - distance;
        // Speed of approach times distance; the contact is a step old or less if that covers the overlap.
        const double closing = -(lanes.vx[k] * lanes.dx[k] + lanes.vy[k] * lanes.dy[k] + lanes.vz[k] * lanes.dz[k]);
        const double depth = overlap * distance;
        const bool begins = (depth < closing * dt) & (overlap > 0);
        const double speed = begins ? closing : 1;
        // One division for 1/distance, 1/(r_i + r_j), m* and the time since the contact began.
        const double mr = radius_sum * inverse_mass, dr = distance * radius_sum, product = dr * inverse_mass;
        const double z = 1 / (product * speed), zs = z * speed;
        const double inverse_distance = mr * zs, inverse_radius_sum = distance * inverse_mass * zs, mass = dr * zs;
        const double part = depth * (product * z);
        lanes.nx[k] = lanes.dx[k] * inverse_distance;
        lanes.ny[k] = lanes.dy[k] * inverse_distance;
        lanes.nz[k] = lanes.dz[k] * inverse_distance;
        lanes.overlap[k] = overlap;
        lanes.approach[k] = closing * inverse_distance;
        lanes.arm[k] = distance * inverse_radius_sum;
        lanes.mass[k] = mass;
        ContactState times;
        set_times(times, begins, part, part * inverse_dt, dt);
        lanes.spring_time[k] = times.spring_time;
        lanes.damping_weight[k] = times.damping_weight;
    }
#pragma omp simd
    for (std::size_t k = 0; k < used; ++k) {
        const Vec3 n{lanes.nx[k], lanes.ny[k], lanes.nz[k]};
        // Velocity of i relative to j at the contact point: arms d r_i/(r_i+r_j) and d r_j/(r_i+r_j).
        const double arm = lanes.arm[k], sx = arm * lanes.sx[k], sy = arm * lanes.sy[k], sz = arm * lanes.sz[k];
        const Vec3 u{lanes.vx[k] + (n.y * sz - n.z * sy), lanes.vy[k] + (n.z * sx - n.x * sz),
                     lanes.vz[k] + (n.x * sy - n.y * sx)};
        const Vec3 slip = slip_of(n, u, lanes.approach[k]);
        lanes.slip_x[k] = slip.x;
        lanes.slip_y[k] = slip.y;
        lanes.slip_z[k] = slip.z;
        double spring[3] = {memory[k], memory[W + k], memory[2 * W + k]};
        turn_spring(spring, 1, n);
        for (int m = 0; m < 3; ++m) lanes.own[m][k] = spring[m];
    }
#pragma omp simd
    for (std::size_t k = 0; k < used; ++k) {
        const ContactState state = state_of<Law>(lanes, k, dt);
        double own[Law::memory];
        for (int m = 0; m < 3; ++m) own[m] = lanes.own[m][k];
        for (int m = 3; m < Law::memory; ++m) own[m] = memory[static_cast<std::size_t>(m) * W + k];
        const ContactForce force = Law::force(c, state, own);
        for (int m = 0; m < Law::memory; ++m) lanes.own[m][k] = own[m];
        lanes.friction_x[k] = force.tangential[0];
        lanes.friction_y[k] = force.tangential[1];
        lanes.friction_z[k] = force.tangential[2];
        lanes.normal_force[k] = force.normal;
        lanes.loss[k] = lost_of(force, state.overlap, state.approach, dt);
        lanes.slip_loss[k] = force.slipped;
    }
#pragma omp simd reduction(+ : contacts, losing) reduction(max : overlap_ratio)
    for (std::size_t k = 0; k < used; ++k) {
        const bool mine = OneType || lanes.type[k] == wanted_type;
        const double overlap = lanes.overlap[k], arm = lanes.arm[k];
        const Vec3 n{lanes.nx[k], lanes.ny[k], lanes.nz[k]};
        const bool touching = (overlap > -Law::reach(c, lanes.inverse_mass[k])) & (lane_numbers[k] < lane_count) & mine;
        ContactForce force;
        force.normal = lanes.normal_force[k];
        force.tangential[0] = lanes.friction_x[k];
        force.tangential[1] = lanes.friction_y[k];
        force.tangential[2] = lanes.friction_z[k];
        double old[Law::memory];
        long long remembered = 0;
        for (int m = 0; m < Law::memory; ++m) {
            old[m] = memory[static_cast<std::size_t>(m) * W + k];
            remembered |= std::bit_cast<long long>(old[m]);
        }
        // A contact that has just ended loses what it still held.
        const bool loses = touching | ((remembered != 0) & (lane_numbers[k] < lane_count) & mine);
        double lost = touching ? lanes.loss[k] : left_behind<Law>(c, lanes.inverse_mass[k], old, lanes.loss[k]);

        if constexpr (Rolling) {
            double spring[3];
            for (int m = 0; m < 3; ++m) spring[m] = memory[static_cast<std::size_t>(Law::memory + m) * W + k];
            turn_spring(spring, 1, n);
            const Vec3 w{lanes.wx[k], lanes.wy[k], lanes.wz[k]};
            const PointRoll roll =
                roll_at(rolling_coefficients, state_of<Law>(lanes, k, dt), force.normal, n, w, 1, spring);
            lost += roll.lost;
            put<OneType>(mine, touching, lanes.rolling_x[k], roll.x);
            put<OneType>(mine, touching, lanes.rolling_y[k], roll.y);
            put<OneType>(mine, touching, lanes.rolling_z[k], roll.z);
            for (int m = 0; m < 3; ++m)
                put<OneType>(mine, touching, memory[static_cast<std::size_t>(Law::memory + m) * W + k], spring[m]);
        }
        for (int m = 0; m < Law::memory; ++m)
            put<OneType>(mine, touching, memory[static_cast<std::size_t>(m) * W + k], lanes.own[m][k]);

        const Vec3 whole = force_of(force, n);
        put<OneType>(mine, touching, lanes.fx[k], whole.x);
        put<OneType>(mine, touching, lanes.fy[k], whole.y);
        put<OneType>(mine, touching, lanes.fz[k], whole.z);
        put<OneType>(mine, loses, lanes.lost[k], lost);
        const double ftx = force.tangential[0], fty = force.tangential[1], ftz = force.tangential[2];
        put<OneType>(mine, touching, lanes.tx[k], -arm * (n.y * ftz - n.z * fty));
        put<OneType>(mine, touching, lanes.ty[k], -arm * (n.z * ftx - n.x * ftz));
        put<OneType>(mine, touching, lanes.tz[k], -arm * (n.x * fty - n.y * ftx));
        put<OneType>(mine, loses, lanes.slipped[k], lanes.slip_loss[k]);
        contacts += touching ? 1.0 : 0.0;
        losing += loses ? 1.0 : 0.0;
        const double ratio = touching ? overlap * lanes.larger_inverse_radius[k] : 0;
        overlap_ratio = ratio > overlap_ratio ? ratio : overlap_ratio;
    }
    max_overlap = overlap_ratio > max_overlap ? overlap_ratio : max_overlap;
    return {contacts, losing};
}

// Pairs of a scene have several laws: that of each type is looked up, tile by tile.
struct SeveralLaws {
    static constexpr int memory = largest_law_memory;
    static constexpr bool may_pull = true;
};

template <class Law, bool Rolling, bool OneType>
SCREE_INLINE LaneCounts collide_lanes(const KernelArguments& in, const TileView& tile, std::size_t count,
                                      std::size_t type, Lanes& lanes, double& max_overlap) {
    if constexpr (!std::is_same_v<Law, SeveralLaws>) {
        return law_tile<Law, Rolling, OneType>(in, tile, count, type, lanes, max_overlap);
    } else {
        LaneCounts counts;
        with_law(in.laws[type], [&](auto law) {
            counts = law_tile<decltype(law), Rolling, OneType>(in, tile, count, type, lanes, max_overlap);
        });
        return counts;
    }
}

#ifdef __AVX512F__
// Where many lanes do not touch, those that may are drawn together before the law: computing the others for nothing
// costs more. Not done with narrower registers, which cannot do it in one operation; it changes no bit, for idle lanes
// add +0.0.
constexpr std::size_t worth_packing = 48;

struct Packed {
    alignas(64) Place i[W], j[W];
    alignas(64) double memory[largest_law_memory + rolling_memory][W];
    __mmask8 near[W / 8];
    std::size_t count = 0;
};

SCREE_INLINE void pack_numbers(const __mmask8* near, const double* from, double* to) {
    for (std::size_t k = 0; k < W; k += 8) {
        _mm512_storeu_pd(to, _mm512_maskz_compress_pd(near[k / 8], _mm512_load_pd(from + k)));
        to += std::popcount(static_cast<unsigned>(near[k / 8]));
    }
}
SCREE_INLINE void pack_places(const __mmask8* near, const Place* from, Place* to) {
    for (std::size_t k = 0; k < W; k += 8) {
        _mm256_storeu_si256(
            reinterpret_cast<__m256i*>(to),
            _mm256_maskz_compress_epi32(near[k / 8], _mm256_load_si256(reinterpret_cast<const __m256i*>(from + k))));
        to += std::popcount(static_cast<unsigned>(near[k / 8]));
    }
}

// Which lanes may touch, or remember that they did; false if they are too many to be worth it.
SCREE_INLINE bool find_near(const Lanes& lanes, const double* memory, int width, std::size_t count, Packed& packed) {
    packed.count = 0;
    for (std::size_t k = 0; k < W; k += 8) {
        const Row8 dx = load_row(lanes.dx + k), dy = load_row(lanes.dy + k), dz = load_row(lanes.dz + k),
                   sum = load_row(lanes.radius_sum + k);
        const unsigned within =
            count - (k < count ? k : count) >= 8 ? 0xffu : (1u << (count - (k < count ? k : count))) - 1;
        M8 remembered{};
        for (int m = 0; m < width; ++m) remembered |= (M8)load_row(memory + static_cast<std::size_t>(m) * W + k);
        // The law decides by the root; rounding must not lose what it would take.
        packed.near[k / 8] = static_cast<__mmask8>((_mm512_cmp_pd_mask((__m512d)(dx * dx + dy * dy + dz * dz),
                                                                       (__m512d)(sum * sum * (1 + 1e-12)), _CMP_LT_OQ) |
                                                    _mm512_test_epi64_mask((__m512i)remembered, (__m512i)remembered)) &
                                                   within);
        packed.count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(packed.near[k / 8])));
    }
    return packed.count <= worth_packing;
}

template <bool Rolling>
SCREE_STAGE TileView pack(const TileView& tile, int width, Lanes& lanes, Packed& packed) {
    // In place: what is written has been read.
    for (double* each :
         {lanes.dx, lanes.dy, lanes.dz, lanes.radius_sum, lanes.vx, lanes.vy, lanes.vz, lanes.inverse_mass, lanes.sx,
          lanes.sy, lanes.sz, lanes.inverse_radius_sum, lanes.larger_inverse_radius})
        pack_numbers(packed.near, each, each);
    if constexpr (Rolling)
        for (double* each : {lanes.wx, lanes.wy, lanes.wz}) pack_numbers(packed.near, each, each);
    pack_places(packed.near, tile.i, packed.i);
    pack_places(packed.near, tile.j, packed.j);
    for (int m = 0; m < width; ++m)
        pack_numbers(packed.near, tile.memory + static_cast<std::size_t>(m) * W, packed.memory[m]);
    return {packed.i, packed.j, packed.memory[0]};
}

// Memory goes back to its lanes; the others have none.
SCREE_INLINE void unpack_memory(const Packed& packed, int width, const TileView& tile) {
    for (int m = 0; m < width; ++m) {
        const double* from = packed.memory[m];
        for (std::size_t k = 0; k < W; k += 8) {
            _mm512_store_pd(tile.memory + static_cast<std::size_t>(m) * W + k,
                            _mm512_maskz_expand_pd(packed.near[k / 8], _mm512_loadu_pd(from)));
            from += std::popcount(static_cast<unsigned>(packed.near[k / 8]));
        }
    }
}
#endif

SCREE_INLINE void add_row(double* row, const Row8& add) { store_row(row, load_row(row) + add); }

// Adds the forces on both bodies, or those on i alone and writes those on j (Across).
template <bool Rolling, bool Across>
SCREE_STAGE void scatter_tile(const KernelArguments& in, const TileView& tile, std::size_t count, const Lanes& lanes,
                              ForceRow* outgoing) {
    ForceRow* const sums = in.force;
    const Place first = place_of(in.first);
    for (std::size_t k = 0; k < count; k += 4) {
        Row8 row[4] = {from_halves(lanes.fx + k, lanes.tx + k), from_halves(lanes.fy + k, lanes.ty + k),
                       from_halves(lanes.fz + k, lanes.tz + k), from_halves(lanes.lost + k, lanes.slipped + k)};
        transpose_halves(row[0], row[1], row[2], row[3]);
        const std::size_t last = count - k < 4 ? count - k : 4;
        for (std::size_t p = 0; p < last; ++p) {
            const Place i = tile.i[k + p], j = tile.j[k + p];
            Row8 on_i = row[p], on_j = reaction(row[p]);
            if constexpr (Rolling) {
                const V4 rolling{lanes.rolling_x[k + p], lanes.rolling_y[k + p], lanes.rolling_z[k + p], 0};
                on_i = plus_high(on_i, rolling * spin_at(in.spins, i)[3]);
                on_j = plus_high(on_j, -rolling * spin_at(in.other_spins, j)[3]);
            }
            add_row(force_at(sums, i - first), on_i);
            if constexpr (Across)
                store_row(&outgoing[k + p].fx, on_j);
            else
                add_row(force_at(sums, j - first), on_j);
        }
    }
}

template <class Law, bool Rolling, bool Across>
void collide_tiles(const KernelArguments& in, KernelResult& result) {
    constexpr int width = Law::memory + (Rolling ? rolling_memory : 0);
    constexpr std::size_t tile_bytes = PairTiles::bytes(width);
    Lanes lanes;
#ifdef __AVX512F__
    Packed packed;
#endif
    const std::size_t pairs = in.tiles->pair_count();
    double max_overlap = result.max_overlap;
    for (std::size_t t = 0; t * W < pairs; ++t) {
        const TileView tile = in.tiles->tile(t);
        const std::size_t count = pairs - t * W < W ? pairs - t * W : W;
        const std::size_t next = (t + 1) * W < pairs ? t + 1 : t, after = (t + 2) * W < pairs ? t + 2 : t;
        load_tile<Rolling, tile_bytes>(in, tile, in.tiles->tile(next),
                                       reinterpret_cast<const char*>(in.tiles->tile(after).i), lanes);
        LaneCounts lanes_at_work;
        if (in.one_type) {
            const std::size_t type = pair_type(in, tile, 0);
#ifdef __AVX512F__
            if constexpr (!Across && !Law::may_pull) {
                if (in.sparse && find_near(lanes, tile.memory, Law::memory, count, packed)) {
                    const TileView drawn_together = pack<Rolling>(tile, width, lanes, packed);
                    lanes_at_work =
                        collide_lanes<Law, Rolling, true>(in, drawn_together, packed.count, type, lanes, max_overlap);
                    if (lanes_at_work.losing > 0)
                        scatter_tile<Rolling, Across>(in, drawn_together, packed.count, lanes, nullptr);
                    unpack_memory(packed, width, tile);
                    result.contacts += static_cast<std::size_t>(lanes_at_work.contacts);
                    continue;
                }
            }
#endif
            lanes_at_work = collide_lanes<Law, Rolling, true>(in, tile, count, type, lanes, max_overlap);
        } else {
            // Once for each type that occurs in the tile.
            for (std::size_t k = 0; k < count; ++k) {
                bool seen = false;
                for (std::size_t before = 0; before < k && !seen; ++before) seen = lanes.type[before] == lanes.type[k];
                if (!seen)
                    lanes_at_work += collide_lanes<Law, Rolling, false>(
                        in, tile, count, static_cast<std::size_t>(lanes.type[k]), lanes, max_overlap);
            }
        }
        ForceRow* const outgoing = Across ? in.outgoing + t * W : nullptr;
        result.contacts += static_cast<std::size_t>(lanes_at_work.contacts);
        if (lanes_at_work.losing > 0) {
            scatter_tile<Rolling, Across>(in, tile, count, lanes, outgoing);
        } else if constexpr (Across) {
            for (std::size_t k = 0; k < count; ++k) outgoing[k] = ForceRow{};
        }
    }
    result.max_overlap = max_overlap;
}

template <class Law, bool Rolling>
void collide(const KernelArguments& in, KernelResult& result) {
    if (in.outgoing)
        collide_tiles<Law, Rolling, true>(in, result);
    else
        collide_tiles<Law, Rolling, false>(in, result);
}

}  // namespace

template <>
CollideFunction collide_function_for<isa>(std::span<const LawKind> laws, bool rolling) {
    CollideFunction function = rolling ? collide<SeveralLaws, true> : collide<SeveralLaws, false>;
    if (laws.size() > 1) return function;
    with_law(laws[0], [&](auto chosen) {
        using Law = decltype(chosen);
        function = rolling ? collide<Law, true> : collide<Law, false>;
    });
    return function;
}

}  // namespace scree
