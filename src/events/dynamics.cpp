#include "events/dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "events/kinetic.h"
#include "events/queue.h"
#include "scree/error.h"

namespace scree::events {
namespace {

template <int D>
class Dynamics final : public HardDynamics {
  public:
    explicit Dynamics(const HardSetup& setup) : setup_(setup), q_(D == 3 ? 0.4 : 0.5) {
        for (int k = 0; k < D; ++k) g_[k] = setup.gravity[k];
        weightless_ = norm2(setup.gravity) == 0;
    }

    void advance(std::span<HardGrain> grains, std::span<const WallPiece> walls, double duration) override {
        begin(grains, walls, duration);
        run();
        end(grains);
    }

    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges() const override {
        return setup_.search == Search::triangulation ? kinetic_.edges() : std::vector<std::pair<std::uint32_t, std::uint32_t>>{};
    }

  private:
    using Index = std::uint32_t;
    static constexpr Index nobody = ~Index{0};

    struct Pending {
        double time = forever;
        Index partner = nobody;     // grain, or wall piece
        std::uint32_t course = 0;   // of the partner when this was predicted
        Image image{};
        bool wall = false;
    };
    struct Cold {
        double inverse_mass;
        Vec3 rim;
        double last;                // collision
        std::uint32_t material;
    };

    // ---- Beginning and end --------------------------------------------------------------------------------------------

    void begin(std::span<HardGrain> grains, std::span<const WallPiece> walls, double duration) {
        walls_ = walls, horizon_ = duration;
        const std::size_t n = grains.size();
        flights_.resize(n), cold_.resize(n), course_.assign(n, 0), pending_.assign(n, Pending{}), crossing_.assign(n, {});
        for (std::size_t i = 0; i < n; ++i) {
            const HardGrain& grain = grains[i];
            Flight<D>& f = flights_[i];
            for (int k = 0; k < D; ++k) f.x[k] = grain.position[k], f.v[k] = grain.velocity[k];
            f.t = 0, f.radius = grain.radius;
            cold_[i] = {grain.inverse_mass, grain.rim, grain.last_collision, grain.material};
        }
        any_fixed_ = std::any_of(grains.begin(), grains.end(), [](const HardGrain& grain) { return grain.inverse_mass == 0; });
        now_ = 0;
        for (const WallPiece& wall : walls)
            if (wall.wall >= report.wall_impulse.size()) report.wall_impulse.resize(wall.wall + 1), report.wall_turn.resize(wall.wall + 1);
        queue_.reset(n);
        if (n == 0) return;
        if (setup_.search == Search::grid) cells_.fill(flights_, setup_.periods);
        if (setup_.search == Search::triangulation) kinetic_.begin(flights_, g_, duration);
        for (Index i = 0; i < n; ++i) {
            if (setup_.search == Search::grid) crossing_[i] = next_crossing(i);
            predict(i);
        }
    }

    void end(std::span<HardGrain> grains) {
        for (std::size_t i = 0; i < grains.size(); ++i) {
            if (cold_[i].inverse_mass > 0) fly(static_cast<Index>(i), horizon_);
            HardGrain& grain = grains[i];
            for (int k = 0; k < D; ++k) grain.position[k] = flights_[i].x[k], grain.velocity[k] = flights_[i].v[k];
            grain.rim = cold_[i].rim;
            grain.last_collision = cold_[i].last - horizon_;
        }
        if (setup_.search == Search::triangulation && !grains.empty()) {
            report.flips += kinetic_.flips, report.rechecks += kinetic_.rechecks, report.repairs += kinetic_.repairs;
            kinetic_.flips = kinetic_.rechecks = kinetic_.repairs = 0;
        }
    }

    // ---- The loop -----------------------------------------------------------------------------------------------------

    void run() {
        // A million collisions of every grain in one span would be a collapse that only rounding keeps from being one.
        double progress = 0;
        std::int64_t standing = 0;
        const std::int64_t most_standing = 100000 + 1000 * static_cast<std::int64_t>(flights_.size());
        if (queue_.empty()) return;
        for (;;) {
            const double time = queue_.top_time();
            if (setup_.search == Search::triangulation && kinetic_.next_time() <= time) {
                if (!(kinetic_.next_time() < horizon_)) break;
                now_ = std::max(now_, kinetic_.next_time());
                kinetic_.happen(flights_, now_, [&](Index i, Index j) { consider(i, j, Image{}, true); });
                continue;
            }
            if (!(time < horizon_)) break;
            const Index i = queue_.top();
            now_ = std::max(now_, time);
            if (crossing_[i].time <= pending_[i].time) {
                cross(i);
                continue;
            }
            const Pending event = pending_[i];
            if (!event.wall && course_[event.partner] != event.course) {
                ++report.outdated;
                predict(i);
                continue;
            }
            if (time > progress + 1e-3 * horizon_) progress = time, standing = 0;
            else if (++standing > most_standing) stand_still(time);
            if (event.wall) hit_wall(i, event);
            else collide(i, event);
        }
        now_ = horizon_;
    }

    [[noreturn]] void stand_still(double time) const {
        throw Error(ErrorKind::invalid, fmt::format("{} s into the step grains collide without end and time stands still (inelastic collapse): "
                                                    "simulation.collision_cutoff is {} s; leave it to the program (\"auto\") or make it longer", time, setup_.cutoff));
    }

    // Brings a grain to a time.
    void fly(Index i, double t) {
        Flight<D>& f = flights_[i];
        const double s = t - f.t;
        for (int k = 0; k < D; ++k) {
            f.x[k] += s * (f.v[k] + 0.5 * s * g_[k]);
            f.v[k] += s * g_[k];
        }
        f.t = t;
    }

    Vec3 velocity(Index i) const {
        Vec3 v;
        for (int k = 0; k < D; ++k) v[k] = flights_[i].v[k];
        return v;
    }
    Vec3 position(Index i) const {
        Vec3 x;
        for (int k = 0; k < D; ++k) x[k] = flights_[i].x[k];
        return x;
    }
    void push(Index i, Vec3 n, Vec3 impulse) {
        Cold& cold = cold_[i];
        for (int k = 0; k < D; ++k) flights_[i].v[k] += cold.inverse_mass * impulse[k];
        // The torque about the center, -r n x impulse, over q m r^2 and times r.
        cold.rim -= (cold.inverse_mass / q_) * scree::cross(n, impulse);
    }
    bool is_soon(Index i, double time) const { return time - cold_[i].last < setup_.cutoff; }
    const ImpactLaw& law(std::uint32_t a, std::uint32_t b) const { return setup_.laws[a * setup_.materials + b]; }

    void collide(Index i, const Pending& event) {
        const Index j = event.partner;
        const double t = event.time;
        if (cold_[i].inverse_mass > 0) fly(i, t);
        else flights_[i].t = t;
        if (cold_[j].inverse_mass > 0) fly(j, t);
        else flights_[j].t = t;
        double shift[D];
        shift_of(event.image, shift);
        Vec3 d = position(i) - position(j);
        for (int k = 0; k < D; ++k) d[k] -= shift[k];
        const double distance = norm(d);
        const Vec3 n = d / distance;
        const Vec3 u = velocity(i) - velocity(j) - scree::cross(cold_[i].rim + cold_[j].rim, n);
        const double approach = -dot(u, n);
        const bool cut = is_soon(i, t) || is_soon(j, t);
        ++report.collisions;
        report.cut_off += cut;
        if (watch) watch({t, i, j, false, approach});
        if (approach > 0) {
            const Impact result = impact(law(cold_[i].material, cold_[j].material), n, u, cold_[i].inverse_mass + cold_[j].inverse_mass, q_, cut);
            push(i, n, result.impulse), push(j, -n, -result.impulse);
            report.dissipated += result.dissipated, report.sliding += result.sliding;
            report.virial += dot(result.impulse, d);
        }
        cold_[i].last = cold_[j].last = t;
        renew(i, j);
    }

    void hit_wall(Index i, const Pending& event) {
        const WallPiece& wall = walls_[event.partner];
        const double t = event.time;
        fly(i, t);
        const Vec3 wall_velocity = wall.velocity_at(t), n = wall.normal;
        const Vec3 u = velocity(i) - wall_velocity - scree::cross(cold_[i].rim, n);
        const bool cut = is_soon(i, t);
        ++report.wall_collisions;
        report.cut_off += cut;
        if (watch) watch({t, i, event.partner, true, -dot(u, n)});
        // A grain at rest on a wall that pushes it leaves with a speed that keeps it off for a tenth of the cutoff.
        const double swing = wall.frequency == 0 ? 0.0 : std::fabs(dot(n, wall.amplitude)) * (4 * 9.8696044010893586) * wall.frequency * wall.frequency;
        double pull = swing;
        for (int k = 0; k < D; ++k) pull -= n[k] * g_[k];
        const Impact result = impact(law(cold_[i].material, wall.material), n, u, cold_[i].inverse_mass, q_, cut, 0.05 * setup_.cutoff * std::max(pull, 0.0));
        push(i, n, result.impulse);
        report.dissipated += result.dissipated, report.sliding += result.sliding;
        report.wall_work += dot(result.impulse, wall_velocity);
        report.wall_impulse[wall.wall] -= result.impulse;
        report.wall_turn[wall.wall] -= scree::cross(position(i) - flights_[i].radius * n, result.impulse);
        cold_[i].last = t;
        renew(i, i);
    }

    // After a collision of i and j (or of i alone, when j = i).
    void renew(Index i, Index j) {
        ++course_[i];
        if (j != i) ++course_[j];
        if (setup_.search == Search::grid) {
            crossing_[i] = next_crossing(i);
            if (j != i) crossing_[j] = next_crossing(j);
        }
        if (setup_.search == Search::triangulation) kinetic_.renew(i, j, flights_, now_, [&](Index a, Index b) { consider(a, b, Image{}, true); });
        predict(i);
        if (j != i) predict(j);
    }

    // ---- Predictions --------------------------------------------------------------------------------------------------

    void shift_of(const Image& image, double* shift) const {
        for (int k = 0; k < D; ++k) shift[k] = image[static_cast<std::size_t>(k)] * setup_.periods.length[k];
    }

    double meeting(Index i, Index j, const Image& image) {
        const Index a = std::min(i, j), b = std::max(i, j);
        double shift[D], depth = 0, time;
        for (int k = 0; k < D; ++k) shift[k] = (i < j ? 1 : -1) * image[static_cast<std::size_t>(k)] * setup_.periods.length[k];
        if (any_fixed_ && !weightless_ && (cold_[a].inverse_mass == 0) != (cold_[b].inverse_mass == 0))
            time = meeting_time_falling(flights_[a], flights_[b], cold_[a].inverse_mass > 0, g_, shift, horizon_, depth);
        else if (any_fixed_ && cold_[a].inverse_mass == 0 && cold_[b].inverse_mass == 0) return forever;
        else time = meeting_time(flights_[a], flights_[b], g_, shift, depth);
        if (depth > 0) report.deepest = std::max(report.deepest, depth / std::min(flights_[a].radius, flights_[b].radius));
        return time;
    }

    static std::uint64_t pair_key(Index i, Index j) { return (std::uint64_t{std::min(i, j)} + 1) << 32 | std::max(i, j); }
    static std::uint64_t key(Index i, const Pending& event) {
        return event.wall ? (std::uint64_t{i} + 1) << 32 | (0xffff0000u + event.partner) : pair_key(i, event.partner);
    }

    // Looks at one possible partner of i; with `schedule`, moves the pending event at once.
    void consider(Index i, Index j, const Image& image, bool schedule) {
        const double time = meeting(i, j, image);
        Pending& best = pending_[i];
        if (!(time < horizon_) || time > best.time) return;
        if (time == best.time && best.partner != nobody && !(pair_key(i, j) < key(i, best))) return;
        best = {time, j, course_[j], image, false};
        if (schedule) this->schedule(i);
    }

    void predict(Index i) {
        Pending& best = pending_[i];
        best = Pending{};
        if (cold_[i].inverse_mass > 0) {
            for (Index w = 0; w < walls_.size(); ++w) {
                double depth = 0;
                const double time = wall_time(flights_[i], walls_[w], g_, horizon_, depth);
                if (depth > 0) report.deepest = std::max(report.deepest, depth / flights_[i].radius);
                if (time < best.time) best = {time, w, 0, Image{}, true};
            }
        }
        switch (setup_.search) {
            case Search::grid: cells_.neighbors(i, [&](Index j, const Image& image) { consider(i, j, image, false); }); break;
            case Search::triangulation: kinetic_.neighbors(i, [&](Index j) { consider(i, j, Image{}, false); }); break;
            case Search::brute: all_others(i); break;
        }
        schedule(i);
    }

    void all_others(Index i) {
        const Vec3 length = setup_.periods.length;
        for (Index j = 0; j < flights_.size(); ++j) {
            if (j == i) continue;
            Image image{};
            const int bx = length.x > 0 ? 2 : 0, by = length.y > 0 ? 2 : 0, bz = length.z > 0 ? 2 : 0;
            for (int x = -bx; x <= bx; ++x)
                for (int y = -by; y <= by; ++y)
                    for (int z = -bz; z <= bz; ++z) {
                        image = {static_cast<std::int8_t>(x), static_cast<std::int8_t>(y), static_cast<std::int8_t>(z)};
                        consider(i, j, image, false);
                    }
        }
    }

    void schedule(Index i) {
        if (crossing_[i].time <= pending_[i].time) queue_.set(i, crossing_[i].time, 0);
        else queue_.set(i, pending_[i].time, pending_[i].partner == nobody ? ~std::uint64_t{0} : key(i, pending_[i]));
    }

    // ---- Cells --------------------------------------------------------------------------------------------------------

    typename Cells<D>::Crossing next_crossing(Index i) const {
        if (cold_[i].inverse_mass == 0) return {};
        typename Cells<D>::Crossing next = cells_.next_crossing(i, flights_[i], g_, now_);
        if (!(next.time < horizon_)) next.time = forever;
        return next;
    }

    void cross(Index i) {
        ++report.crossings;
        cells_.cross(i, crossing_[i].axis, crossing_[i].step, [&](Index j, const Image& image) { consider(i, j, image, false); });
        crossing_[i] = next_crossing(i);
        schedule(i);
    }

    HardSetup setup_;
    double q_;
    double g_[D];
    bool weightless_ = true, any_fixed_ = false;
    std::span<const WallPiece> walls_;
    double horizon_ = 0, now_ = 0;
    std::vector<Flight<D>> flights_;
    std::vector<Cold> cold_;
    std::vector<std::uint32_t> course_;  // changes with every collision of the grain
    std::vector<Pending> pending_;
    std::vector<typename Cells<D>::Crossing> crossing_;
    Queue queue_;
    Cells<D> cells_;
    Kinetic<D> kinetic_;
};

}  // namespace

std::unique_ptr<HardDynamics> HardDynamics::make(const HardSetup& setup) {
    if (setup.dimension == 3) return std::make_unique<Dynamics<3>>(setup);
    return std::make_unique<Dynamics<2>>(setup);
}

}  // namespace scree::events
