#include "events/dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/large_pages.h"
#include "events/kinetic.h"
#include "events/meetings.h"
#include "events/nearby.h"
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

    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges() const override { return kinetic_.edges(true); }
    std::vector<tri::Row> sites() const override { return kinetic_.sites(horizon_); }

  private:
    using Index = std::uint32_t;
    static constexpr Index nobody = Pending::nobody;

    struct alignas(64) Cold {
        double inverse_mass;
        Vec3 rim;
        double last;                // collision
        std::uint32_t material;
    };

    // What decides, for most grains, that a wall is out of reach.
    struct Face {
        double normal[D], offset, speed, pull;  // along the normal: of the wall's drift, of gravity
    };

    // ---- Beginning and end --------------------------------------------------------------------------------------------

    void begin(std::span<HardGrain> grains, std::span<const WallPiece> walls, double duration) {
        walls_ = walls, horizon_ = duration;
        const std::size_t n = grains.size();
        flights_.resize(n), cold_.resize(n), spots_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const HardGrain& grain = grains[i];
            Flight<D>& f = flights_[i];
            for (int k = 0; k < D; ++k) f.x[k] = grain.position[k], f.v[k] = grain.velocity[k];
            f.t = 0, f.radius = grain.radius;
            cold_[i] = {grain.inverse_mass, grain.rim, grain.last_collision, grain.material};
            spots_[i].meeting = {}, spots_[i].leave = forever;
        }
        smallest_ = forever;
        for (const HardGrain& grain : grains) smallest_ = std::min(smallest_, grain.radius);
        any_fixed_ = std::any_of(grains.begin(), grains.end(), [](const HardGrain& grain) { return grain.inverse_mass == 0; });
        now_ = 0, predictions_ = 0;
        for (const WallPiece& wall : walls)
            if (wall.wall >= report.wall_impulse.size()) report.wall_impulse.resize(wall.wall + 1), report.wall_turn.resize(wall.wall + 1);
        crests_.begin(walls, duration);
        faces_.clear();
        for (const WallPiece& wall : walls) {
            Face face{};
            face.offset = wall.offset, face.speed = dot(wall.normal, wall.velocity);
            for (int k = 0; k < D; ++k) face.normal[k] = wall.normal[k], face.pull += wall.normal[k] * g_[k];
            faces_.push_back(face);
        }
        queue_.reset(n);
        if (n == 0) return;
        if (setup_.search == Search::grid) {
            double drift[D] = {};  // the mean velocity, if nobody is to be left behind
            if (!any_fixed_)
                for (const Flight<D>& f : flights_)
                    for (int k = 0; k < D; ++k) drift[k] += f.v[k] / static_cast<double>(n);
            nearby_.begin(flights_, spots_, setup_.periods, g_, weightless_ || !any_fixed_, drift, duration);
        }
        if (setup_.search == Search::triangulation) kinetic_.begin(flights_, g_, duration);
        for (Index i = 0; i < n; ++i) {
            if (setup_.search == Search::grid) spots_[i].leave = leave_time(i);
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
        report.crossings += nearby_.renewals;
        if (setup_.search == Search::grid && !grains.empty()) nearby_.end(predictions_, grains.size());
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
                kinetic_.happen(flights_, now_, [&](Index i, Index j) { consider(i, j); });
                continue;
            }
            if (!(time < horizon_)) break;
            const Index i = queue_.top();
            now_ = std::max(now_, time);
            if (spots_[i].leave <= spots_[i].meeting.time) {
                renew_list(i);
                continue;
            }
            const Pending event = spots_[i].meeting;
            if (!event.wall && meeting(i, event.partner, event.image) != event.time) {
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
        if (setup_.search == Search::grid) expect(j), expect(i);
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
        if (setup_.search == Search::grid) {
            if (++followed_ >= static_cast<std::int64_t>(flights_.size()) && !any_fixed_) follow();
            spots_[i].leave = leave_time(i);
            if (j != i) spots_[j].leave = leave_time(j);
        }
        if (setup_.search == Search::triangulation) kinetic_.renew(i, j, flights_, now_, [&](Index a, Index b) { consider(a, b); });
        predict(i);
        if (j != i) predict(j);
    }

    // ---- Predictions --------------------------------------------------------------------------------------------------

    void shift_of(const Image& image, double* shift) const {
        for (int k = 0; k < D; ++k) shift[k] = image[static_cast<std::size_t>(k)] * setup_.periods.length[k];
    }

    // When i and j meet: a function of their flights alone.
    double meeting(Index i, Index j, const Image& image) {
        double shift[D];
        shift_of(image, shift);
        if (any_fixed_ && (cold_[i].inverse_mass == 0 || cold_[j].inverse_mass == 0)) return meeting_of_fixed(i, j, shift);
        const Approach a = approach(flights_[i], flights_[j], g_, shift);
        if (a.gap() < 0) report_depth(i, j, a.depth());
        return a.meets() ? a.time() : forever;
    }
    double meeting_of_fixed(Index i, Index j, const double* shift) {
        if (cold_[i].inverse_mass == 0 && cold_[j].inverse_mass == 0) return forever;
        double depth = 0, time = forever;
        if (weightless_) {
            const Approach a = approach(flights_[i], flights_[j], g_, shift);
            depth = a.depth();
            if (a.meets()) time = a.time();
        } else {
            time = meeting_time_falling(flights_[i], flights_[j], cold_[i].inverse_mass > 0, g_, shift, horizon_, depth);
        }
        if (depth > 0) report_depth(i, j, depth);
        return time;
    }
    void report_depth(Index i, Index j, double depth) { report.deepest = std::max(report.deepest, depth / std::min(flights_[i].radius, flights_[j].radius)); }

    static std::uint64_t pair_key(Index i, Index j) { return (std::uint64_t{std::min(i, j)} + 1) << 32 | std::max(i, j); }
    static std::uint64_t key(Index i, const Pending& event) {
        return event.wall ? (std::uint64_t{i} + 1) << 32 | (0xffff0000u + event.partner) : pair_key(i, event.partner);
    }

    // Takes a meeting at `time` for the pending event of i, if it comes first.
    bool take(Index i, const Pending& event) {
        Pending& best = spots_[i].meeting;
        if (!(event.time < horizon_) || event.time > best.time) return false;
        if (event.time == best.time && best.partner != nobody && !(key(i, event) < key(i, best))) return false;
        best = event;
        return true;
    }

    // A pair the triangulation has joined.
    void consider(Index i, Index j) {
        if (take(i, {meeting(i, j, Image{}), j, Image{}, false})) schedule(i);
    }

    // Takes the first of others that i may meet.
    void choose(Index i, std::span<const Neighbor> others) {
        if (any_fixed_) {
            for (const Neighbor& other : others) take(i, {meeting(i, other.grain, other.image), other.grain, other.image, false});
            return;
        }
        if (times_.size() < others.size() + 2) times_.resize(2 * others.size() + 64);
        const bool fresh = flights_[i].t == now_;
        const double first = weightless_ ? (fresh ? meet<true, true>(i, others) : meet<false, true>(i, others))
                                         : (fresh ? meet<true, false>(i, others) : meet<false, false>(i, others));
        if (!(first < horizon_) || first > spots_[i].meeting.time) return;
        for (std::size_t k = 0; k < others.size(); ++k)
            if (times_[k] == first) take(i, {first, others[k].grain, others[k].image, false});
    }
    // The times into times_, and the first of them.
    template <bool fresh, bool weightless>
    double meet(Index i, std::span<const Neighbor> others) {
        const Flight<D> own = flights_[i];
        // Grains that have just met overlap by rounding; only what may be deeper than all before is looked at.
        const double known = report.deepest * smallest_ * smallest_;
        Two first{forever, forever};
        for (std::size_t k = 0; k < others.size(); k += 2) {
            const Neighbor &p = others[k], &q = others[std::min(k + 1, others.size() - 1)];
            double shift_p[D] = {}, shift_q[D] = {};
            if (!p.is_itself()) shift_of(p.image, shift_p);
            if (!q.is_itself()) shift_of(q.image, shift_q);
            const TwoMeetings m = two_meetings<D, fresh, weightless>(own, flights_[p.grain], flights_[q.grain], g_, shift_p, shift_q);
            if ((m.gap[0] < -known) | (m.gap[1] < -known)) report_depths(i, p, q);
            times_[k] = m.time[0], times_[k + 1] = m.time[1];
            first = first < m.time ? first : m.time;
        }
        return std::min(first[0], first[1]);
    }
    void report_depths(Index i, const Neighbor& p, const Neighbor& q) { meeting(i, p.grain, p.image), meeting(i, q.grain, q.image); }

    void predict(Index i) {
        ++predictions_;
        spots_[i].meeting = Pending{};
        std::size_t count = 0;
        switch (setup_.search) {
            case Search::grid: choose(i, nearby_.of(spots_[i])); break;
            case Search::triangulation: count = kinetic_.neighbors(i, found_); break;
            case Search::brute: count = all_others(i); break;
        }
        if (setup_.search != Search::grid) choose(i, {found_.data(), count});
        if (cold_[i].inverse_mass > 0) {
            for (Index w = 0; w < walls_.size(); ++w) {
                const double limit = std::min(spots_[i].meeting.time, horizon_);
                if (is_out_of_reach(flights_[i], w, limit)) continue;
                double depth = 0;
                const double time = wall_time(flights_[i], walls_[w], g_, limit, depth);
                if (depth > 0) report.deepest = std::max(report.deepest, depth / flights_[i].radius);
                take(i, {time, w, Image{}, true});
            }
        }
        schedule(i);
    }

    // The gap less all that could close it until the limit; the right side covers rounding.
    bool is_out_of_reach(const Flight<D>& f, Index w, double limit) const {
        const Face& face = faces_[w];
        double h = -face.offset - f.radius, v = -face.speed;
        for (int k = 0; k < D; ++k) h += face.normal[k] * f.x[k], v += face.normal[k] * f.v[k];
        h -= face.speed * f.t;
        const double crest = crests_.highest(w, f.t, limit), last = limit - f.t, way = v * last, bent = 0.5 * face.pull * last * last;
        return h - crest + std::min(way, 0.0) + std::min(bent, 0.0) > 1e-12 * (h + std::fabs(crest) + std::fabs(way) + std::fabs(bent));
    }

    std::size_t all_others(Index i) {
        const Vec3 length = setup_.periods.length;
        const int bx = length.x > 0 ? 2 : 0, by = length.y > 0 ? 2 : 0, bz = length.z > 0 ? 2 : 0;
        found_.clear();
        for (Index j = 0; j < flights_.size(); ++j) {
            if (j == i) continue;
            for (int x = -bx; x <= bx; ++x)
                for (int y = -by; y <= by; ++y)
                    for (int z = -bz; z <= bz; ++z) found_.push_back({j, {static_cast<std::int8_t>(x), static_cast<std::int8_t>(y), static_cast<std::int8_t>(z)}});
        }
        return found_.size();
    }

    void schedule(Index i) {
        const Spot<D>& spot = spots_[i];
        if (spot.leave <= spot.meeting.time) queue_.set(i, spot.leave, 0);
        else queue_.set(i, spot.meeting.time, spot.meeting.partner == nobody ? ~std::uint64_t{0} : key(i, spot.meeting));
    }

    // ---- Lists --------------------------------------------------------------------------------------------------------

    double leave_time(Index i) const { return cold_[i].inverse_mass == 0 ? forever : nearby_.leave_time(flights_[i], spots_[i], now_); }

    // After as many collisions as there are grains, the bed as a whole may move otherwise than the balls of its lists: then
    // they follow. A gas that only mixes never needs it.
    void follow() {
        followed_ = 0;
        double mean[D] = {}, square = 0;
        const double n = static_cast<double>(flights_.size());
        for (const Flight<D>& f : flights_)
            for (int k = 0; k < D; ++k) {
                const double v = f.v[k] + (now_ - f.t) * g_[k];
                mean[k] += v / n, square += v * v / n;
            }
        double apart = 0;
        for (int k = 0; k < D; ++k) {
            const double off = mean[k] - nearby_.velocity(k, now_);
            apart += off * off, square -= mean[k] * mean[k];
        }
        if (!(apart > 0.01 * square)) return;
        nearby_.follow(mean, now_);
        for (Index i = 0; i < flights_.size(); ++i) {
            spots_[i].leave = leave_time(i);
            if (std::min(spots_[i].leave, spots_[i].meeting.time) != queue_.time_of(i)) schedule(i);
        }
    }

    // The flights on a list will be looked at soon: far memory may start to send them.
    void expect(Index i) const {
        for (const Neighbor& other : nearby_.of(spots_[i])) __builtin_prefetch(&flights_[other.grain]);
    }

    void renew_list(Index i) {
        choose(i, nearby_.renew(i, flights_[i], spots_, now_));
        spots_[i].leave = leave_time(i);
        schedule(i);
    }

    HardSetup setup_;
    double q_;
    double g_[D];
    bool weightless_ = true, any_fixed_ = false;
    double smallest_ = 0;  // radius
    std::span<const WallPiece> walls_;
    double horizon_ = 0, now_ = 0;
    std::int64_t predictions_ = 0;  // in this span
    LongVector<Flight<D>> flights_;
    LongVector<Cold> cold_;
    LongVector<Spot<D>> spots_;
    std::vector<Neighbor> found_;
    std::vector<double> times_;
    Queue queue_;
    Nearby<D> nearby_;
    Crests crests_;
    std::vector<Face> faces_;
    std::int64_t followed_ = 0;  // collisions since the balls were given a velocity
    Kinetic<D> kinetic_;
};

}  // namespace

std::unique_ptr<HardDynamics> HardDynamics::make(const HardSetup& setup) {
    if (setup.dimension == 3) return std::make_unique<Dynamics<3>>(setup);
    return std::make_unique<Dynamics<2>>(setup);
}

}  // namespace scree::events
