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
        for (int k = 0; k < D; ++k) {
            g_[k] = setup.gravity[k];
            length_[k] = setup.periods.length[k];
        }
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
    static constexpr std::size_t few = 4000;  // grains whose state is in the near caches

    struct alignas(64) Cold {
        double inverse_mass;
        Vec3 rim;
        double last;  // collision
        std::uint32_t material;
        std::uint32_t near;  // a bit for each wall that may come near the ball of its list before the time `clear`
        double clear;
        std::uint32_t changes;  // of its flight
        std::uint32_t seen;     // changes of its partner's flight when their meeting was predicted
    };

    // What decides, for most grains, that a wall is out of reach.
    struct Face {
        double normal[D], offset, speed, pull;  // along the normal: of the wall's drift, of gravity
    };

    // ---- Beginning and end --------------------------------------------------------------------------------------------

    void begin(std::span<HardGrain> grains, std::span<const WallPiece> walls, double duration) {
        walls_ = walls;
        horizon_ = duration;
        const std::size_t n = grains.size();
        flights_.resize(n);
        cold_.resize(n);
        spots_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            const HardGrain& grain = grains[i];
            Flight<D>& f = flights_[i];
            for (int k = 0; k < D; ++k) {
                f.x[k] = grain.position[k];
                f.v[k] = grain.velocity[k];
            }
            f.t = 0;
            f.radius = grain.radius;
            cold_[i] = {grain.inverse_mass, grain.rim, grain.last_collision, grain.material, 0, -forever, 0, 0};
            spots_[i].meeting = {};
            spots_[i].leave = forever;
        }
        smallest_ = forever;
        for (const HardGrain& grain : grains) smallest_ = std::min(smallest_, grain.radius);
        any_fixed_ =
            std::any_of(grains.begin(), grains.end(), [](const HardGrain& grain) { return grain.inverse_mass == 0; });
        now_ = 0;
        predictions_ = 0;
        for (const WallPiece& wall : walls)
            if (wall.wall >= report.wall_impulse.size()) {
                report.wall_impulse.resize(wall.wall + 1);
                report.wall_turn.resize(wall.wall + 1);
            }
        crests_.begin(walls, duration);
        faces_.clear();
        for (const WallPiece& wall : walls) {
            Face face{};
            face.offset = wall.offset;
            face.speed = dot(wall.normal, wall.velocity);
            for (int k = 0; k < D; ++k) {
                face.normal[k] = wall.normal[k];
                face.pull += wall.normal[k] * g_[k];
            }
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
        for (Index i = 0; i < n; ++i) predict(i);
    }

    void end(std::span<HardGrain> grains) {
        for (std::size_t i = 0; i < grains.size(); ++i) {
            if (cold_[i].inverse_mass > 0) fly(static_cast<Index>(i), horizon_);
            HardGrain& grain = grains[i];
            for (int k = 0; k < D; ++k) {
                grain.position[k] = flights_[i].x[k];
                grain.velocity[k] = flights_[i].v[k];
            }
            grain.rim = cold_[i].rim;
            grain.last_collision = cold_[i].last - horizon_;
        }
        if (setup_.search == Search::triangulation && !grains.empty()) {
            report.flips += kinetic_.flips;
            report.rechecks += kinetic_.rechecks;
            report.repairs += kinetic_.repairs;
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
            foresee();
            if (leaves_first(spots_[i])) {
                renew_list(i);
                continue;
            }
            const Pending event = spots_[i].meeting;
            if (!event.wall && cold_[event.partner].changes != cold_[i].seen) {
                ++report.outdated;
                predict(i);
                continue;
            }
            if (time > progress + 1e-3 * horizon_) {
                progress = time;
                standing = 0;
            } else if (++standing > most_standing)
                stand_still(time);
            if (event.wall)
                hit_wall(i, event);
            else
                collide(i, event);
        }
        now_ = horizon_;
    }

    [[noreturn]] void stand_still(double time) const {
        throw Error(
            ErrorKind::invalid,
            fmt::format("{} s into the step grains collide without end and time stands still (inelastic collapse): "
                        "simulation.collision_cutoff is {} s; leave it to the program (\"auto\") or make it longer",
                        time, setup_.cutoff));
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
        if (setup_.search == Search::grid && flights_.size() > few) {
            expect_flights(spots_[j]);
            expect_flights(spots_[i]);
        }
        if (cold_[i].inverse_mass > 0)
            fly(i, t);
        else
            flights_[i].t = t;
        if (cold_[j].inverse_mass > 0)
            fly(j, t);
        else
            flights_[j].t = t;
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
            const Impact result = impact(law(cold_[i].material, cold_[j].material), n, u,
                                         cold_[i].inverse_mass + cold_[j].inverse_mass, q_, cut);
            push(i, n, result.impulse);
            push(j, -n, -result.impulse);
            report.dissipated += result.dissipated;
            report.sliding += result.sliding;
            report.virial += dot(result.impulse, d);
        }
        cold_[i].last = cold_[j].last = t;
        ++cold_[i].changes;
        ++cold_[j].changes;
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
        const double swing = wall.frequency == 0 ? 0.0
                                                 : std::fabs(dot(n, wall.amplitude)) * (4 * 9.8696044010893586) *
                                                       wall.frequency * wall.frequency;
        double pull = swing;
        for (int k = 0; k < D; ++k) pull -= n[k] * g_[k];
        const Impact result = impact(law(cold_[i].material, wall.material), n, u, cold_[i].inverse_mass, q_, cut,
                                     0.05 * setup_.cutoff * std::max(pull, 0.0));
        push(i, n, result.impulse);
        report.dissipated += result.dissipated;
        report.sliding += result.sliding;
        report.wall_work += dot(result.impulse, wall_velocity);
        report.wall_impulse[wall.wall] -= result.impulse;
        report.wall_turn[wall.wall] -= scree::cross(position(i) - flights_[i].radius * n, result.impulse);
        cold_[i].last = t;
        ++cold_[i].changes;
        renew(i, i);
    }

    // After a collision of i and j (or of i alone, when j = i).
    void renew(Index i, Index j) {
        if (setup_.search == Search::grid) {
            if (++followed_ >= static_cast<std::int64_t>(flights_.size()) && !any_fixed_) follow();
            spots_[i].leave = spots_[j].leave = forever;
        }
        if (setup_.search == Search::triangulation)
            kinetic_.renew(i, j, flights_, now_, [&](Index a, Index b) { consider(a, b); });
        if (j == i) {
            predict(i);
            return;
        }
        // Both look around before either settles: the processor can do much of it at once.
        look_around(j, sights_[1]);
        look_around(i, sights_[0]);
        settle(j, sights_[1]);
        settle(i, sights_[0]);
    }

    // ---- Predictions --------------------------------------------------------------------------------------------------

    void shift_of(const Image& image, double* shift) const {
        for (int k = 0; k < D; ++k) shift[k] = image[static_cast<std::size_t>(k)] * setup_.periods.length[k];
    }

    // When i and j meet: a function of their flights alone.
    double meeting(Index i, Index j, const Image& image) {
        double shift[D];
        shift_of(image, shift);
        if (any_fixed_ && (cold_[i].inverse_mass == 0 || cold_[j].inverse_mass == 0))
            return meeting_of_fixed(i, j, shift);
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
            time =
                meeting_time_falling(flights_[i], flights_[j], cold_[i].inverse_mass > 0, g_, shift, horizon_, depth);
        }
        if (depth > 0) report_depth(i, j, depth);
        return time;
    }
    void report_depth(Index i, Index j, double depth) {
        report.deepest = std::max(report.deepest, depth / std::min(flights_[i].radius, flights_[j].radius));
    }

    static std::uint64_t pair_key(Index i, Index j) {
        return (std::uint64_t{std::min(i, j)} + 1) << 32 | std::max(i, j);
    }
    static std::uint64_t key(Index i, const Pending& event) {
        return event.wall ? (std::uint64_t{i} + 1) << 32 | (0xffff0000u + event.partner) : pair_key(i, event.partner);
    }

    // Takes a meeting at `time` for the pending event of i, if it comes first.
    bool take(Index i, const Pending& event) {
        Pending& best = spots_[i].meeting;
        if (!(event.time < horizon_) || event.time > best.time) return false;
        if (event.time == best.time && best.partner != nobody && !(key(i, event) < key(i, best))) return false;
        // One by one: read as a whole they would have to wait for having been written.
        best.time = event.time;
        best.partner = event.partner;
        best.image = event.image;
        best.wall = event.wall;
        if (!event.wall) cold_[i].seen = cold_[event.partner].changes;
        return true;
    }

    // A pair the triangulation has joined.
    void consider(Index i, Index j) {
        if (take(i, {meeting(i, j, Image{}), j, Image{}, false})) schedule(i);
    }

    // Room for what is known of the meetings of one grain.
    struct Sight {
        std::span<const Neighbor> others;
        Meetings met{forever, forever, 0};
        std::vector<Neighbor> found;
        std::vector<double> times;
        std::vector<std::uint32_t> which;
    };

    // When i meets each of others.
    void see(Index i, std::span<const Neighbor> others, Sight& sight) {
        const std::size_t n = others.size();
        sight.others = others;
        if (n == 0 || any_fixed_) return;
        if (sight.times.size() < n + meeting_padding) {
            sight.times.resize(2 * n + 64);
            sight.which.resize(2 * n + 64);
        }
        sight.met = meet_({flights_.data(), g_, length_, weightless_}, i, others.data(), n, sight.times.data(),
                          sight.which.data());
    }
    // Takes the first of them.
    void choose(Index i, const Sight& sight) {
        if (any_fixed_) {
            for (const Neighbor& other : sight.others)
                take(i, {meeting(i, other.grain, other.image), other.grain, other.image, false});
            return;
        }
        if (sight.others.empty()) return;
        // Grains that have just met overlap by rounding; only what may be deeper than all before is looked at.
        if (sight.met.gap < -1.9 * report.deepest * smallest_ * (smallest_ + flights_[i].radius))
            for (const Neighbor& other : sight.others) meeting(i, other.grain, other.image);
        if (!(sight.met.first < horizon_) || sight.met.first > spots_[i].meeting.time) return;
        for (std::size_t k = 0; k < sight.met.count; ++k) {
            const Neighbor& other = sight.others[sight.which[k]];
            take(i, {sight.met.first, other.grain, other.image, false});
        }
    }

    void look_around(Index i, Sight& sight) {
        ++predictions_;
        std::size_t count = 0;
        switch (setup_.search) {
            case Search::grid:
                see(i, nearby_.of(spots_[i]), sight);
                return;
            case Search::triangulation:
                count = kinetic_.neighbors(i, sight.found);
                break;
            case Search::brute:
                count = all_others(i, sight.found);
                break;
        }
        see(i, {sight.found.data(), count}, sight);
    }
    void settle(Index i, const Sight& sight) {
        spots_[i].meeting = Pending{};
        choose(i, sight);
        look_at_ball(i);
        look_at_walls(i);
        schedule(i);
    }
    void predict(Index i) {
        look_around(i, sights_[0]);
        settle(i, sights_[0]);
    }

    // When i leaves its ball, if that may be before it meets another grain; most do not live to see it.
    void look_at_ball(Index i) {
        Spot<D>& spot = spots_[i];
        if (setup_.search != Search::grid || spot.leave < forever) return;
        if (!(spot.meeting.time < forever) || !nearby_.stays(flights_[i], spot, spot.meeting.time))
            spot.leave = leave_time(i);
    }

    // Takes the first wall that i meets before anything else. What comes after it has left its ball is looked at then.
    void look_at_walls(Index i) {
        Cold& cold = cold_[i];
        const double until = std::min(spots_[i].leave, horizon_);
        if (const double limit = std::min(until, spots_[i].meeting.time); limit > cold.clear) {
            if (cold.inverse_mass == 0) return;
            if (setup_.search != Search::grid || walls_.size() > 32) {
                for (Index w = 0; w < walls_.size(); ++w) look_at_wall(i, w, until);
                return;
            }
            note_walls(i, limit);
        }
        for (std::uint32_t near = cold.near; near != 0; near &= near - 1)
            look_at_wall(i, static_cast<Index>(__builtin_ctz(near)), until);
    }
    void look_at_wall(Index i, Index w, double until) {
        const double limit = std::min(spots_[i].meeting.time, until);
        if (is_out_of_reach(flights_[i], w, limit)) return;
        double depth = 0;
        const double time = wall_time(flights_[i], walls_[w], g_, limit, depth);
        if (depth > 0) report.deepest = std::max(report.deepest, depth / flights_[i].radius);
        take(i, {time, w, Image{}, true});
    }

    // Which walls may come near a grain that stays in its ball, soon or before the limit, and until when the others do
    // not.
    void note_walls(Index i, double limit) {
        Cold& cold = cold_[i];
        cold.near = 0;
        cold.clear = forever;
        double x[D], v[D];
        nearby_.ball(spots_[i], now_, x, v);
        const double reach = flights_[i].radius + nearby_.room(), soon = horizon_ / 16;
        for (Index w = 0; w < walls_.size(); ++w) {
            const Face& face = faces_[w];
            double h = -face.offset - reach - face.speed * now_, speed = -face.speed, pull = 0,
                   size = reach + std::fabs(face.offset);
            for (int k = 0; k < D; ++k) {
                h += face.normal[k] * x[k];
                speed += face.normal[k] * v[k];
                pull += face.normal[k] * nearby_.fall(k);
                size += std::fabs(x[k]);
            }
            h -= 1e-9 * size;  // rounding
            const Crests::Rise rise = crests_.rise(w, now_);
            double time = 0;
            if (h > rise.reach) time = fall_time(h - rise.reach, speed, pull);
            if (h > rise.place) time = std::max(time, fall_time(h - rise.place, speed - rise.speed, pull - rise.bend));
            const double reached = now_ + time * (1 - 1e-9);
            if (time > soon && reached > limit)
                cold.clear = std::min(cold.clear, reached);
            else
                cold.near |= std::uint32_t{1} << w;
        }
    }

    // The gap less all that could close it until the limit; the right side covers rounding.
    bool is_out_of_reach(const Flight<D>& f, Index w, double limit) const {
        const Face& face = faces_[w];
        double h = -face.offset - f.radius, v = -face.speed;
        for (int k = 0; k < D; ++k) {
            h += face.normal[k] * f.x[k];
            v += face.normal[k] * f.v[k];
        }
        h -= face.speed * f.t;
        const double crest = crests_.highest(w, f.t, limit), last = limit - f.t, way = v * last,
                     bent = 0.5 * face.pull * last * last;
        return h - crest + std::min(way, 0.0) + std::min(bent, 0.0) >
               1e-12 * (h + std::fabs(crest) + std::fabs(way) + std::fabs(bent));
    }

    std::size_t all_others(Index i, std::vector<Neighbor>& found) const {
        const Vec3 length = setup_.periods.length;
        const int bx = length.x > 0 ? 2 : 0, by = length.y > 0 ? 2 : 0, bz = length.z > 0 ? 2 : 0;
        found.clear();
        for (Index j = 0; j < flights_.size(); ++j) {
            if (j == i) continue;
            for (int x = -bx; x <= bx; ++x)
                for (int y = -by; y <= by; ++y)
                    for (int z = -bz; z <= bz; ++z)
                        found.push_back(
                            {j,
                             {static_cast<std::int8_t>(x), static_cast<std::int8_t>(y), static_cast<std::int8_t>(z)}});
        }
        const std::size_t count = found.size();
        found.resize(count + meeting_padding);
        return count;
    }

    // Neighborhood first, then by the pair's numbers.
    std::uint64_t tie_of(Index i) const {
        const Spot<D>& spot = spots_[i];
        return leaves_first(spot) ? 0 : key(i, spot.meeting);
    }
    void schedule(Index i) {
        const Spot<D>& spot = spots_[i];
        queue_.set(i, std::min(spot.leave, spot.meeting.time), [this](Index k) { return tie_of(k); });
    }

    // ---- Lists --------------------------------------------------------------------------------------------------------

    double leave_time(Index i) const {
        return cold_[i].inverse_mass == 0 ? forever : nearby_.leave_time(flights_[i], spots_[i], now_);
    }

    // After as many collisions as there are grains, the bed as a whole may move otherwise than the balls of its lists:
    // then they follow. A gas that only mixes never needs it.
    void follow() {
        followed_ = 0;
        double mean[D] = {}, square = 0;
        const double n = static_cast<double>(flights_.size());
        for (const Flight<D>& f : flights_)
            for (int k = 0; k < D; ++k) {
                const double v = f.v[k] + (now_ - f.t) * g_[k];
                mean[k] += v / n;
                square += v * v / n;
            }
        double apart = 0;
        for (int k = 0; k < D; ++k) {
            const double off = mean[k] - nearby_.velocity(k, now_);
            apart += off * off;
            square -= mean[k] * mean[k];
        }
        if (!(apart > 0.3 * square)) return;
        nearby_.follow(mean, now_);
        for (Index i = 0; i < flights_.size(); ++i) {
            const double before = spots_[i].leave;
            spots_[i].leave = leave_time(i);
            cold_[i].clear = -forever;
            if (spots_[i].meeting.time > before) look_at_walls(i);
            if (std::min(spots_[i].leave, spots_[i].meeting.time) != queue_.time_of(i)) schedule(i);
        }
    }

    // What coming events will look at, far memory may start to send: about 64 events ahead the grain, then whom it
    // meets and its list, then those on it, 8 ahead those on the list of its partner. Each step reads what the one
    // before has sent for.
    void foresee() const {
        if (flights_.size() <= few || setup_.search != Search::grid) return;
        expect_grain(queue_.leader(6));
        const Spot<D>& third = spots_[queue_.leader(5)];
        nearby_.expect(third);
        if (meets_grain(third)) expect_grain(third.meeting.partner);
        const Spot<D>& second = spots_[queue_.leader(4)];
        if (!leaves_first(second)) expect_flights(second);
        if (meets_grain(second)) nearby_.expect(spots_[second.meeting.partner]);
        const Spot<D>& next = spots_[queue_.leader(3)];
        if (meets_grain(next)) expect_flights(spots_[next.meeting.partner]);
    }
    static bool leaves_first(const Spot<D>& spot) { return spot.leave <= spot.meeting.time; }
    static bool meets_grain(const Spot<D>& spot) { return !leaves_first(spot) && !spot.meeting.wall; }
    void expect_grain(Index i) const {
        __builtin_prefetch(&spots_[i]);
        __builtin_prefetch(&flights_[i]);
        __builtin_prefetch(&cold_[i]);
        queue_.expect(i);
    }
    void expect_flights(const Spot<D>& spot) const {
        for (const Neighbor& other : nearby_.of(spot)) __builtin_prefetch(&flights_[other.grain]);
    }

    void renew_list(Index i) {
        see(i, nearby_.renew(i, flights_[i], spots_, now_), sights_[0]);
        choose(i, sights_[0]);
        spots_[i].leave = forever;
        look_at_ball(i);
        cold_[i].clear = -forever;
        look_at_walls(i);
        schedule(i);
    }

    HardSetup setup_;
    double q_;
    double g_[D], length_[D];  // gravity; periods
    bool weightless_ = true, any_fixed_ = false;
    double smallest_ = 0;  // radius
    std::span<const WallPiece> walls_;
    double horizon_ = 0, now_ = 0;
    std::int64_t predictions_ = 0;  // in this span
    LongVector<Flight<D>> flights_;
    LongVector<Cold> cold_;
    LongVector<Spot<D>> spots_;
    Sight sights_[2];
    MeetFunction<D> meet_ = meet_function<D>();
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
