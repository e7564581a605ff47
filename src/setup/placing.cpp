#include "setup/placing.h"

#include <fmt/format.h>

#include <cmath>

#include "core/located.h"
#include "core/long_work.h"
#include "core/number_range.h"
#include "core/overloaded.h"
#include "math/elementary.h"
#include "scree/error.h"
#include "setup/grain_file.h"
#include "setup/group.h"

namespace scree {
namespace {

std::string shown(Vec3 x, int dimension) {
    return dimension == 2 ? fmt::format("[{:.6g}, {:.6g}]", x.x, x.y)
                          : fmt::format("[{:.6g}, {:.6g}, {:.6g}]", x.x, x.y, x.z);
}

[[noreturn]] void refuse_pour(const Scene& scene, std::size_t group, const PourOverTime& pour, double radius) {
    refuse_group(scene, group,
                 fmt::format("a grain of radius {:.6g} m does not fit into the region '{}' it is to be poured from",
                             radius, pour.region));
}

// ---- Lattices -------------------------------------------------------------------------------------------------------

// Calls visit(site) for the sites of the lattice around the box, in a fixed order. The first site is half a spacing
// inside its low corner. Rows along x, D apart in them; layers of the dense packings are sqrt(3)/2 D apart in y and
// sqrt(2/3) D in z (Ferrez 2001 section 5.2), each row and layer over the gaps of the one before.
template <class Visit>
void visit_sites(LatticeKind kind, double spacing, const Extent& box, int dimension, Visit&& visit) {
    const bool dense = kind == LatticeKind::fcc || kind == LatticeKind::hexagonal;
    const double row = dense ? std::sqrt(0.75) * spacing : spacing,
                 layer = dense ? std::sqrt(2.0 / 3.0) * spacing : spacing;
    const auto count = [](double length, double step) {
        return static_cast<std::int64_t>(std::floor(length / step + 1e-9)) + 1;
    };
    const Vec3 size = box.high - box.low;
    const std::int64_t nx = count(size.x, spacing), ny = count(size.y, row),
                       nz = dimension == 2 ? 1 : count(size.z, layer);
    for (std::int64_t k = 0; k < nz; ++k) {
        // Stacking ABC makes the layers face-centred cubic, ABAB hexagonal; in the plane both are the same.
        const std::int64_t stacking = !dense ? 0 : kind == LatticeKind::fcc ? k % 3 : k % 2;
        const Vec3 shift = static_cast<double>(stacking) * spacing * Vec3{0.5, std::sqrt(1.0 / 12), 0};
        for (std::int64_t j = -1; j < ny; ++j)
            for (std::int64_t i = -2; i < nx; ++i) {
                const double offset = dense && (j & 1) ? 0.5 * spacing : 0;
                const Vec3 at{static_cast<double>(i) * spacing + offset, static_cast<double>(j) * row,
                              static_cast<double>(k) * layer};
                const double half = 0.5 * spacing;
                visit(box.low + shift + at + Vec3{half, half, dimension == 2 ? 0 : half});
            }
    }
}

std::vector<PlacedGrain> place_on_lattice(const Scene& scene, std::size_t group, const PlaceOnLattice& place,
                                          Occupied& occupied, const StandingWalls& walls, Index first_id) {
    const GrainGroup& about = scene.grains[group];
    const RegionShape& region = region_of_group(scene, group, place.region);
    if (!(place.spacing > 0)) refuse_group(scene, group, "a lattice needs a positive spacing");
    const Extent box = region_extent(region, scene.dimension);
    std::vector<PlacedGrain> placed;
    std::uint64_t site = 0;
    visit_sites(place.lattice, place.spacing, box, scene.dimension, [&](Vec3 x) {
        // Number sites of the box only: those beyond it are no sites.
        if (!box.contains(x)) return;
        const std::uint64_t k = site++;
        if (k % 64 == 0)
            long_work(
                [&] { return fmt::format("placing grains of '{}': {} at {} sites", about.name, placed.size(), k); });
        Random random = random_stream(scene, group, Draw::site, 4 * k);
        if (random.uniform() >= place.probability) return;
        for (int axis = 0; axis < scene.dimension; ++axis) x[axis] += place.jitter * random.uniform(-1, 1);
        const double radius = radius_of(scene, group, k), allowed = touching_tolerance * radius;
        if (region_depth(region_for_grain(scene, region, radius), x, scene.dimension) < radius - allowed) return;
        x = occupied.balls().periodicity().wrapped(x);
        if (occupied.overlaps(x, radius, allowed) || walls.overlapping(x, radius, allowed)) return;
        occupied.add(x, radius, first_id + static_cast<Index>(placed.size()));
        placed.push_back({x, radius, about.velocity, about.spin});
    });
    return placed;
}

// ---- Lists ----------------------------------------------------------------------------------------------------------

std::vector<PlacedGrain> place_at(const Scene& scene, std::size_t group, const PlaceAt& place, Occupied& occupied,
                                  const StandingWalls& walls, Index first_id) {
    const GrainGroup& about = scene.grains[group];
    std::vector<PlacedGrain> placed;
    for (std::size_t k = 0; k < place.points.size(); ++k) {
        const Vec3 x = place.points[k];
        const double radius = radius_of(scene, group, k), allowed = touching_tolerance * radius;
        const Index id = first_id + static_cast<Index>(k);
        const auto point = [&] {
            return fmt::format("grain {} (point {} of the list, at {}, radius {:.6g})", id, k + 1,
                               shown(x, scene.dimension), radius);
        };
        if (const auto other = occupied.overlapping(x, radius, allowed)) {
            const BallIndex& balls = occupied.balls();
            const double overlap =
                radius + balls.radius(*other) - norm(balls.periodicity().nearest_of_any(x - balls.center(*other)));
            refuse_group(scene, group,
                         fmt::format("{} overlaps grain {} at {} by {:.3g} m: move it", point(), occupied.id(*other),
                                     shown(balls.center(*other), scene.dimension), overlap));
        }
        if (const auto wall = walls.overlapping(x, radius, allowed))
            refuse_group(scene, group,
                         fmt::format("{} overlaps wall '{}' by {:.3g} m: move it", point(),
                                     scene.walls[wall->wall].name, -wall->gap));
        occupied.add(x, radius, id);
        placed.push_back({x, radius, about.velocity, about.spin});
    }
    return placed;
}

std::vector<PlacedGrain> place_from_file(const Scene& scene, std::size_t group, const PlaceFromFile& place,
                                         Occupied& occupied, const StandingWalls& walls, Index first_id) {
    const GrainFile file = read_grain_file(scene, group, place.file, true);
    const CsvTable& table = file.table;
    const int x = table.column("x");
    std::vector<PlacedGrain> placed;
    for (std::size_t row = 0; row < file.rows.size(); ++row) {
        const GrainFile::Row& told = file.rows[row];
        const PlacedGrain grain{told.position, told.size, told.velocity, told.spin};
        const Index id = first_id + static_cast<Index>(row);
        const double allowed = scene.overlap_limit * grain.radius;
        std::optional<int> other;
        occupied.balls().any_near(grain.position, grain.radius, [&](int ball, Vec3 shift) {
            const BallIndex& balls = occupied.balls();
            const double gap = norm(balls.center(ball) + shift - balls.periodicity().wrapped(grain.position)) -
                               balls.radius(ball) - grain.radius;
            if (gap < -scene.overlap_limit * std::fmin(grain.radius, balls.radius(ball)) && (!other || ball < *other))
                other = ball;
            return false;
        });
        if (other)
            table.refuse(
                row, x,
                fmt::format("grain {} overlaps grain {} at {} by more than the overlap limit, {} of the smaller radius",
                            id, occupied.id(*other), shown(occupied.balls().center(*other), scene.dimension),
                            scene.overlap_limit));
        if (const auto wall = walls.overlapping(grain.position, grain.radius, allowed))
            table.refuse(
                row, x,
                fmt::format("grain {} overlaps wall '{}' by {:.3g} m, more than the overlap limit, {} of its radius",
                            id, scene.walls[wall->wall].name, -wall->gap, scene.overlap_limit));
        occupied.add(grain.position, grain.radius, id);
        placed.push_back(grain);
    }
    return placed;
}

// ---- Pouring --------------------------------------------------------------------------------------------------------

// What would end the run at the first grain due, or leave it without any, is told before it begins.
void check_pour(const Scene& scene, std::size_t group, const PourOverTime& pour, const StandingWalls& walls) {
    constexpr double looked_at = 1e5;
    const RegionShape& region = region_of_group(scene, group, pour.region);
    const double due = std::fmin(pour.rate * (std::fmin(pour.until, scene.duration) - pour.from),
                                 pour.count ? static_cast<double>(*pour.count) : forever);
    const bool all_alike = scene.grains[group].radius.kind == RadiusDistribution::Kind::fixed;
    const auto inset_for = [&](double r) {
        return region_inset(region_for_grain(scene, region, r), r, scene.dimension);
    };
    for (std::uint64_t k = 0; static_cast<double>(k) < std::fmin(due, all_alike ? 1 : looked_at); ++k)
        if (const double radius = radius_of(scene, group, k); !inset_for(radius))
            refuse_pour(scene, group, pour, radius);
    // Walls that move or open may let grains in later.
    for (const Wall& wall : scene.walls)
        if (!std::holds_alternative<std::monostate>(wall.motion) || wall.open_at.value_or(forever) < forever) return;
    if (!(due >= 1)) return;
    constexpr int tries = 2000;
    const double radius = radius_of(scene, group, 0);
    const RegionShape inset = *inset_for(radius);
    const BallIndex space(scene.periodic);
    Random random = random_stream(scene, group, Draw::pour);
    std::optional<WallSet::Gap> in_the_way;
    for (int attempt = 0; attempt < tries; ++attempt) {
        const Vec3 x = space.periodicity().wrapped(region_sample(inset, scene.dimension, random));
        if (!(in_the_way = walls.overlapping(x, radius, touching_tolerance * radius))) return;
    }
    refuse_group(
        scene, group,
        fmt::format("nothing can be poured from the region '{}': at {} random places in it a grain of radius {:.6g} m "
                    "overlaps a wall or is on its wrong side, at the last one wall '{}': move the region",
                    pour.region, tries, radius, scene.walls[in_the_way->wall].name));
}

// Doubles tell a place far from the origin roughly, and cells are counted from there.
void refuse_far(const Scene& scene, std::size_t group) {
    const GrainGroup& about = scene.grains[group];
    const double farthest = farthest_in_radii * smallest_radius(about.radius);
    if (!(farthest > 0)) return;  // the radii are in a file
    const auto check = [&](const Vec3 point) {
        const double far = std::fmax(std::fmax(std::fabs(point.x), std::fabs(point.y)), std::fabs(point.z));
        if (far > farthest)
            refuse_group(
                scene, group,
                fmt::format("a place {:.3g} m from the origin is more than {:.0e} radii away, where places cannot "
                            "be told apart finely enough: put it nearer",
                            far, farthest_in_radii));
    };
    std::visit(
        [&](const auto& place) {
            if constexpr (requires { place.points; })
                for (const Vec3 point : place.points) check(point);
            if constexpr (requires { place.region; }) {
                const Extent box = region_extent(region_of_group(scene, group, place.region), scene.dimension);
                check(box.low);
                check(box.high);
            }
        },
        about.place);
}

}  // namespace

std::vector<PlacedGrain> place_group(const Scene& scene, std::size_t group, Occupied& occupied,
                                     const StandingWalls& walls, Index first_id, double share) {
    refuse_far(scene, group);
    return std::visit(
        Overloaded{
            [&](const PlaceOnLattice& p) { return place_on_lattice(scene, group, p, occupied, walls, first_id); },
            [&](const PlaceAtRandom& p) { return place_at_random(scene, group, p, occupied, walls, first_id, share); },
            [&](const PlaceAt& p) { return place_at(scene, group, p, occupied, walls, first_id); },
            [&](const PlaceFromFile& p) { return place_from_file(scene, group, p, occupied, walls, first_id); },
            [&](const PourOverTime& p) {
                check_pour(scene, group, p, walls);
                return std::vector<PlacedGrain>{};
            },
        },
        scene.grains[group].place);
}

std::int64_t due_by(const PourOverTime& pour, double time) {
    // The small addition makes 0.3 s at 10 per second three grains.
    const double span = std::fmin(time, pour.until) - pour.from;
    return span > 0 ? static_cast<std::int64_t>(std::floor(pour.rate * span + 1e-9)) : 0;
}

std::vector<PlacedGrain> pour_grains(const Scene& scene, std::size_t group, double begin, double end,
                                     const Grains& present, const StandingWalls& walls, PourState& state) {
    const auto* pour = std::get_if<PourOverTime>(&scene.grains[group].place);
    if (pour == nullptr || end <= pour->from || begin >= pour->until) return {};
    const std::int64_t now = due_by(*pour, end);
    if (now == due_by(*pour, begin)) return {};
    const std::int64_t due = std::min(now, pour->count.value_or(now)) - state.poured;
    if (due <= 0) return {};

    const RegionShape& region = region_of_group(scene, group, pour->region);
    const Extent box = region_extent(region, scene.dimension);
    Occupied near(scene);
    for (std::size_t i = 0; i < present.size(); ++i) {
        const Vec3 x = present.position(i);
        const double r = present.row[i].radius;
        // Across a periodic border all may be near.
        bool away = false;
        for (int axis = 0; axis < scene.dimension; ++axis)
            if (!scene.periodic[static_cast<std::size_t>(axis)])
                away |= x[axis] + r < box.low[axis] || x[axis] - r > box.high[axis];
        if (!away) near.add(x, r, present.id[i]);
    }

    constexpr int tries = 50;
    std::vector<PlacedGrain> poured;
    Random random = random_stream(scene, group, Draw::pour, state.draws);
    for (std::int64_t k = 0; k < due; ++k) {
        const double radius = radius_of(scene, group, static_cast<std::uint64_t>(state.poured)),
                     allowed = touching_tolerance * radius;
        const auto inset = region_inset(region_for_grain(scene, region, radius), radius, scene.dimension);
        if (!inset) refuse_pour(scene, group, *pour, radius);
        bool found = false;
        for (int attempt = 0; attempt < tries && !found; ++attempt) {
            const Vec3 x = near.balls().periodicity().wrapped(region_sample(*inset, scene.dimension, random));
            if (near.overlaps(x, radius, allowed) || walls.overlapping(x, radius, allowed)) continue;
            near.add(x, radius, 0);
            poured.push_back({x, radius, pour->velocity, scene.grains[group].spin});
            ++state.poured;
            found = true;
        }
        if (!found) break;
    }
    state.draws = random.index();
    return poured;
}

}  // namespace scree
