// Random places for a group of grains.
//
// First random sequential insertion: grains one by one, biggest first, each at the first random place where it fits.
// That jams near a fraction of 0.38 for equal spheres and 0.55 for discs, and is slow well before. Then, and at once
// where more than 0.25 (0.4 for discs) is asked, all
// grains of the group get random places with no regard to each other, and overlaps are relaxed away: in sweeps over
// fixed-order pairs, two grains that overlap are each moved back by half of it, grains are moved out of earlier grains
// and walls, and back into the region. This is a quench of soft spheres; it ends without overlap well below random
// close packing (0.64; 0.84 for discs). Grains are taken a little larger meanwhile, so that it ends after a finite
// number of sweeps. Event-driven growth (Lubachevsky and Stillinger) would reach somewhat higher and needs an event
// queue; poured and settled beds are what dense packings should come from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/long_work.h"
#include "math/elementary.h"
#include "setup/group.h"
#include "setup/placing.h"

namespace scree {
namespace {

constexpr double enlarged = 1.002;     // of grains while they are relaxed
constexpr int insertion_tries = 2000;  // per grain
constexpr int most_sweeps = 3000;
constexpr double most_grains = 1e9;
constexpr double over_relaxation = 1.5;  // of pushes between two grains: fewer sweeps than plain projection

double grain_volume(double radius, int dimension) {
    return dimension == 2 ? pi * radius * radius : 4 * pi / 3 * radius * radius * radius;
}

// Of more grains than this it is known how densely they can be placed; a few are tried, as a single one may fill all of
// its region.
constexpr std::int64_t few = 8;

std::vector<double> draw_radii(const Scene& scene, std::size_t group, const PlaceAtRandom& place, double volume,
                               double share) {
    std::vector<double> radii;
    if (place.count) {
        double filled = 0;
        for (std::int64_t k = 0; k < *place.count; ++k) {
            radii.push_back(radius_of(scene, group, static_cast<std::uint64_t>(k)));
            filled += grain_volume(radii.back(), scene.dimension);
            if (filled > volume && k >= few) return radii;  // more than there is room for: enough to say no
        }
        return radii;
    }
    // The number of grains that comes nearest to the asked volume.
    const double asked = place.density.value_or(0) * volume;
    for (double sum = 0;;) {
        const double radius = radius_of(scene, group, radii.size()), v = share * grain_volume(radius, scene.dimension);
        if (sum + 0.5 * v > asked) return radii;
        sum += v;
        radii.push_back(radius);
    }
}

// What walls and earlier grains leave of a region, by random places in it.
struct Room {
    double share = 1, error = 0;    // of the region that is free, and three standard deviations of it
    std::optional<std::size_t> by;  // the wall that takes most
};

Room room_in(const Scene& scene, std::size_t group, const RegionShape& region, const Occupied& occupied,
             const StandingWalls& walls) {
    constexpr int places = 4000;
    Random random = random_stream(scene, group, Draw::room);
    std::vector<int> taken(scene.walls.size());
    int free = 0;
    for (int k = 0; k < places; ++k) {
        const Vec3 x = occupied.balls().periodicity().wrapped(region_sample(region, scene.dimension, random));
        if (const auto wall = walls.overlapping(x, 0, 0))
            ++taken[wall->wall];
        else
            free += !occupied.overlaps(x, 0, 0);
    }
    Room room{static_cast<double>(free) / places, 0, {}};
    room.error = 3 * std::sqrt(std::fmax(1, places * room.share * (1 - room.share))) / places;
    const auto most = std::max_element(taken.begin(), taken.end());
    if (most != taken.end() && *most > 0) room.by = static_cast<std::size_t>(most - taken.begin());
    return room;
}

// The relaxation of overlaps. Positions are those of the group alone; earlier grains and walls stand still.
class Relaxation {
  public:
    Relaxation(const Scene& scene, const RegionShape& region, const std::vector<double>& radii,
               const Occupied& occupied, const StandingWalls& walls)
        : scene_(scene),
          region_(region),
          radii_(radii),
          occupied_(occupied),
          walls_(walls) {
        for (const double r : radii) {
            // A grain that just fits is not enlarged past its region.
            const RegionShape wide = region_for_grain(scene, region, enlarged * r),
                              exact = region_for_grain(scene, region, r);
            const auto inset = region_inset(wide, enlarged * r, scene.dimension);
            insets_.push_back(inset ? *inset : *region_inset(exact, r, scene.dimension));
        }
        skin_ = 0.3 * *std::min_element(radii.begin(), radii.end());
    }

    // Moves the grains until none overlaps; false if it does not get there.
    bool run(std::vector<Vec3>& positions) {
        for (int sweep = 0; sweep < most_sweeps; ++sweep) {
            long_work([&] {
                return fmt::format(
                    "pushing {} grains apart: overlaps of up to {:.2g} of a radius, sweep {} of at most {}",
                    positions.size(), worst_push_, sweep, most_sweeps);
            });
            if (sweep == 0 || moved_too_far(positions)) find_pairs(positions);
            relax_once(positions);
            // The push of the last sweep says when a full check is worth its while.
            if (worst_push_ < 4 * (enlarged - 1) && worst_overlap(positions) <= 0) return true;
        }
        find_pairs(positions);
        return false;
    }

    // Largest overlap of any grain, as a fraction of its radius.
    double worst_overlap(const std::vector<Vec3>& positions) const {
        double worst = -1;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const double r = radii_[i];
            for (std::size_t k = first_[i]; k < first_[i + 1]; ++k) {
                const Vec3 d = occupied_.balls().periodicity().nearest_of_any(positions[i] - positions[pairs_[k]]);
                worst = std::fmax(worst, (r + radii_[pairs_[k]] - norm(d)) / r);
            }
            for (std::size_t k = first_fixed_[i]; k < first_fixed_[i + 1]; ++k) {
                const Vec3 d =
                    occupied_.balls().periodicity().nearest_of_any(positions[i] - occupied_.balls().center(fixed_[k]));
                worst = std::fmax(worst, (r + occupied_.balls().radius(fixed_[k]) - norm(d)) / r);
            }
            if (near_wall_[i])
                if (const auto gap = walls_.overlapping(positions[i], r, 0)) worst = std::fmax(worst, -gap->gap / r);
            worst = std::fmax(
                worst, (r - region_depth(region_for_grain(scene_, region_, r), positions[i], scene_.dimension)) / r -
                           touching_tolerance);
        }
        return worst;
    }

  private:
    bool moved_too_far(const std::vector<Vec3>& positions) const {
        for (std::size_t i = 0; i < positions.size(); ++i)
            if (norm2(occupied_.balls().periodicity().nearest_of_any(positions[i] - listed_[i])) > 0.25 * skin_ * skin_)
                return true;
        return false;
    }

    void find_pairs(const std::vector<Vec3>& positions) {
        listed_ = positions;
        pairs_.clear();
        fixed_.clear();
        first_.assign(1, 0);
        first_fixed_.assign(1, 0);
        near_wall_.clear();
        BallIndex index(scene_.periodic);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const double reach = enlarged * radii_[i] + skin_;
            const std::size_t begin = pairs_.size(), begin_fixed = fixed_.size();
            if (i % 256 == 0)
                long_work([&] { return fmt::format("finding the neighbors of {} grains", positions.size()); });
            index.any_near(positions[i], reach, [&](int j, Vec3) {
                pairs_.push_back(static_cast<std::size_t>(j));
                return false;
            });
            occupied_.balls().any_near(positions[i], reach, [&](int j, Vec3) {
                fixed_.push_back(j);
                return false;
            });
            tidy(pairs_, begin);
            tidy(fixed_, begin_fixed);
            first_.push_back(pairs_.size());
            first_fixed_.push_back(fixed_.size());
            near_wall_.push_back(walls_.overlapping(positions[i], reach, 0).has_value());
            index.add(positions[i], enlarged * radii_[i]);
        }
    }

    template <class T>
    static void tidy(std::vector<T>& list, std::size_t begin) {
        std::sort(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end());
        list.erase(std::unique(list.begin() + static_cast<std::ptrdiff_t>(begin), list.end()), list.end());
    }

    // How far to move along d, the difference of two centres, to have them `apart`.
    static Vec3 separation(Vec3 d, double apart) {
        const double distance = norm(d);
        if (distance >= apart) return {};
        if (distance == 0) return {apart, 0, 0};
        return ((apart - distance) / distance) * d;
    }

    void relax_once(std::vector<Vec3>& positions) {
        worst_push_ = 0;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const double r = enlarged * radii_[i];
            Vec3& x = positions[i];
            for (std::size_t k = first_[i]; k < first_[i + 1]; ++k) {
                const std::size_t j = pairs_[k];
                const Vec3 d = occupied_.balls().periodicity().nearest_of_any(x - positions[j]);
                const double apart = r + enlarged * radii_[j];
                if (norm2(d) >= apart * apart) continue;
                worst_push_ = std::fmax(worst_push_, (apart - norm(d)) / r);
                const Vec3 push = over_relaxation * separation(d, apart);
                // The smaller grain gives way more.
                const double part = radii_[j] / (radii_[i] + radii_[j]);
                x += part * push;
                positions[j] -= (1 - part) * push;
            }
            for (std::size_t k = first_fixed_[i]; k < first_fixed_[i + 1]; ++k)
                x += separation(occupied_.balls().periodicity().nearest_of_any(x - occupied_.balls().center(fixed_[k])),
                                r + occupied_.balls().radius(fixed_[k]));
            if (near_wall_[i]) push_from_walls(x, r);
            x = region_nearest(insets_[i], occupied_.balls().periodicity().wrapped(x), scene_.dimension);
        }
    }

    void push_from_walls(Vec3& x, double radius) {
        near_.clear();
        walls_.walls.features_near(walls_.placements, x, radius, near_);
        walls_.walls.contacts(walls_.placements, x, radius, near_, touch_);
        for (const WallContact& contact : touch_.contacts) x += (radius - contact.distance) * contact.normal;
    }

    const Scene& scene_;
    const RegionShape& region_;
    const std::vector<double>& radii_;
    const Occupied& occupied_;
    const StandingWalls& walls_;
    double skin_;
    double worst_push_ = 0;                   // between two grains of the last sweep, as a fraction of a radius
    std::vector<RegionShape> insets_;         // where the centre of each grain may be
    std::vector<Vec3> listed_;                // positions when the pairs were found
    std::vector<std::size_t> first_, pairs_;  // partners of lower number of each grain
    std::vector<std::size_t> first_fixed_;
    std::vector<int> fixed_;  // earlier grains near each grain
    std::vector<bool> near_wall_;
    std::vector<WallFeature> near_;
    WallTouch touch_;
};

}  // namespace

std::vector<PlacedGrain> place_at_random(const Scene& scene, std::size_t group, const PlaceAtRandom& place,
                                         Occupied& occupied, const StandingWalls& walls, Index first_id, double share) {
    const RegionShape& region = region_of_group(scene, group, place.region);
    const int dimension = scene.dimension;
    const double volume = region_volume(region, dimension);
    if (!(volume > 0)) refuse_group(scene, group, fmt::format("the region '{}' has no volume", place.region));
    const std::string why =
        share < 1
            ? fmt::format(" with these grains (it keeps the balls around them apart, of which they fill {:.3g})", share)
            : "";
    const std::string most = share < 1 ? fmt::format("{:.3g}", share * densest_random(dimension))
                                       : fmt::format("{}", densest_random(dimension));
    if (place.density && *place.density > share * densest_random(dimension))
        refuse_group(scene, group,
                     fmt::format("random placing fills at most {} of a region{}, not {}: place fewer and let them "
                                 "settle, or use a lattice",
                                 most, why, *place.density));
    // Of spheres this has been found when the scene was read; shapes have a size only now.
    if (const double least = share * grain_volume(largest_radius(scene.grains[group].radius), dimension);
        place.density && *place.density * volume > most_grains * least)
        refuse_group(scene, group,
                     fmt::format("place.density = {} would be about {:.1g} grains; at most {:.0e} are possible",
                                 *place.density, *place.density * volume / least, most_grains));
    const auto inset_for = [&](double r) { return region_inset(region_for_grain(scene, region, r), r, dimension); };
    const std::vector<double> radii = draw_radii(scene, group, place, volume, share);
    double filled = 0;  // by balls
    for (const double r : radii) {
        filled += grain_volume(r, dimension);
        if (!inset_for(r))
            refuse_group(scene, group,
                         fmt::format("a grain of radius {:.6g} m{} does not fit into the region '{}'", r,
                                     share < 1 ? " (of the ball around it)" : "", place.region));
    }
    const auto asked = place.count ? static_cast<std::size_t>(*place.count) : radii.size();
    const double density =
        filled / volume * (static_cast<double>(asked) / static_cast<double>(std::max<std::size_t>(1, radii.size())));
    // Half a grain is rounding.
    if (radii.size() > few &&
        density > densest_random(dimension) + 0.5 * grain_volume(radii.back(), dimension) / volume)
        refuse_group(scene, group,
                     fmt::format("{} grains would fill {:.3f} of the region '{}'; random placing fills at most {}{}: "
                                 "place fewer and let them settle, or "
                                 "make the region larger",
                                 asked, share * density, place.region, most, why));
    if (radii.size() > few) {
        const Room room = room_in(scene, group, region, occupied, walls);
        if (density > densest_random(dimension) * (room.share + room.error))
            refuse_group(
                scene, group,
                fmt::format(
                    "{} grains do not fit into the region '{}': walls and earlier grains leave about {:.2g} % of it "
                    "free{}, of which they would fill {:.2g}; random placing fills at most {}{}: make the region no "
                    "larger than what the walls enclose, or place fewer and let them settle",
                    asked, place.region, 100 * room.share,
                    room.by ? fmt::format(" (wall '{}' takes most)", scene.walls[*room.by].name) : "",
                    share * density / std::fmax(room.share, 1e-3), most, why));
    }

    std::vector<std::size_t> order(radii.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });
    Random random = random_stream(scene, group, Draw::position);

    std::vector<Vec3> positions(radii.size());
    std::size_t inserted = 0;
    std::int64_t tried = 0;
    const auto say = [&](std::size_t done) {
        if (++tried % 64 == 0)
            long_work([&] {
                return fmt::format("placing {} of {} grains of '{}'", done, radii.size(), scene.grains[group].name);
            });
    };
    const auto insert_one_by_one = [&] {
        Occupied trial = occupied;
        for (; inserted < order.size(); ++inserted) {
            const std::size_t i = order[inserted];
            const RegionShape inset = *inset_for(radii[i]);
            bool found = false;
            for (int attempt = 0; attempt < insertion_tries && !found; ++attempt) {
                say(inserted);
                const Vec3 x = occupied.balls().periodicity().wrapped(region_sample(inset, dimension, random));
                if (trial.overlaps(x, radii[i], 0) || walls.overlapping(x, radii[i], 0)) continue;
                trial.add(x, radii[i], 0);
                positions[i] = x;
                found = true;
            }
            if (!found) return;
        }
    };
    const bool may_be_inserted = density < (dimension == 2 ? 0.4 : 0.25);
    if (may_be_inserted) insert_one_by_one();
    if (inserted < order.size()) {
        Relaxation relaxation(scene, region, radii, occupied, walls);
        // A few grains in a narrow place may get stuck, and are cheap to try again.
        bool done = false;
        for (int start = 0; start < (radii.size() < 100 ? 20 : 1) && !done; ++start) {
            for (std::size_t k = 0; k < order.size(); ++k) {
                const std::size_t i = order[k];
                // Clear of what stands still: out of a wall of balls or from between earlier grains there may be no
                // way.
                const RegionShape inset = *inset_for(radii[i]);
                for (int attempt = 0; attempt < insertion_tries; ++attempt) {
                    say(k);
                    positions[i] = occupied.balls().periodicity().wrapped(region_sample(inset, dimension, random));
                    if (!occupied.overlaps(positions[i], radii[i], 0) && !walls.overlapping(positions[i], radii[i], 0))
                        break;
                }
            }
            done = relaxation.run(positions);
        }
        if (!done) {
            const double overlap = relaxation.worst_overlap(positions);
            if (!may_be_inserted) insert_one_by_one();
            double reached = 0;
            for (std::size_t k = 0; k < inserted; ++k) reached += grain_volume(radii[order[k]], dimension);
            refuse_group(
                scene, group,
                fmt::format(
                    "{} grains, {:.3f} of the region '{}', do not fit at random beside what is there: {} of them (a "
                    "fraction of {:.3f}) went in one "
                    "by one, and pushing all of them apart left overlaps of {:.2g} of a radius{}. Ask for fewer, or "
                    "make the region larger",
                    radii.size(), share * density, place.region, inserted, share * reached / volume, overlap,
                    share < 1
                        ? fmt::format(" of the balls around them, which are kept apart and of which they fill {:.3g}",
                                      share)
                        : ""));
        }
    }
    std::vector<PlacedGrain> placed;
    for (std::size_t i = 0; i < radii.size(); ++i) {
        const Vec3 x = occupied.balls().periodicity().wrapped(positions[i]);
        occupied.add(x, radii[i], first_id + static_cast<Index>(i));
        placed.push_back({x, radii[i], scene.grains[group].velocity, scene.grains[group].spin});
    }
    return placed;
}

}  // namespace scree
