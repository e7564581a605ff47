#include "setup/placing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/hash.h"
#include "core/long_work.h"
#include "csv_file.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree {
namespace {

GrainGroup group_of(RadiusDistribution radius, Placing place, std::string name = "sand") {
    GrainGroup group;
    group.name = name;
    group.radius = radius;
    group.place = place;
    group.where = {7, 1};
    return group;
}
RadiusDistribution fixed(double r) { return {RadiusDistribution::Kind::fixed, r, 0, {}, {}}; }
RadiusDistribution uniform(double a, double b) { return {RadiusDistribution::Kind::uniform, a, b, {}, {}}; }

struct Placed {
    std::vector<PlacedGrain> all;
    std::vector<std::size_t> count;  // per group
};

Placed place_all(const Scene& scene) {
    const WallSet walls(scene);
    const std::vector<WallState> states(scene.walls.size());
    std::vector<WallPlacement> placements;
    walls.place(states, 0, placements);
    Occupied occupied(scene);
    Placed placed;
    for (std::size_t g = 0; g < scene.grains.size(); ++g) {
        const auto grains = place_group(scene, g, occupied, {walls, placements}, static_cast<Index>(placed.all.size()));
        placed.all.insert(placed.all.end(), grains.begin(), grains.end());
        placed.count.push_back(grains.size());
    }
    EXPECT_EQ(occupied.balls().size(), placed.all.size());
    return placed;
}

Scene scene_with(RegionShape shape, int dimension = 3) {
    Scene scene;
    scene.file = "test.toml";
    scene.dimension = dimension;
    scene.regions.push_back({"here", shape, {}});
    return scene;
}

std::string refusal(const Scene& scene) {
    try {
        place_all(scene);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        return error.what();
    }
    return "";
}

// Smallest gap between any two grains, over all images, as a fraction of the smaller radius: by trying all pairs.
double smallest_gap(const Scene& scene, const std::vector<PlacedGrain>& grains) {
    double least = 1e300;
    for (std::size_t i = 0; i < grains.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            Vec3 d = grains[i].position - grains[j].position;
            for (int axis = 0; axis < 3; ++axis)
                if (const auto& p = scene.periodic[static_cast<std::size_t>(axis)])
                    d[axis] -= (p->second - p->first) * std::round(d[axis] / (p->second - p->first));
            const double ri = grains[i].radius, rj = grains[j].radius;
            least = std::min(least, (norm(d) - ri - rj) / std::min(ri, rj));
        }
    return least;
}

double filled(const std::vector<PlacedGrain>& grains, int dimension) {
    double sum = 0;
    for (const PlacedGrain& g : grains)
        sum += dimension == 2 ? pi * g.radius * g.radius : 4 * pi / 3 * std::pow(g.radius, 3);
    return sum;
}

// ---- Lattices -------------------------------------------------------------------------------------------------------

TEST(placing_lattice, fcc_has_twelve_neighbors_and_the_densest_fraction) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.grains.push_back(group_of(fixed(0.025), PlaceOnLattice{LatticeKind::fcc, 0.05, "here", 1, 0}));
    const auto grains = place_all(scene).all;
    int inner = 0;
    for (const PlacedGrain& a : grains) {
        if (region_depth(scene.regions[0].shape, a.position, 3) < 0.1) continue;
        ++inner;
        int neighbors = 0, second = 0;
        for (const PlacedGrain& b : grains) {
            const double d = norm(a.position - b.position);
            neighbors += std::fabs(d - 0.05) < 1e-12;
            second += std::fabs(d - 0.05 * std::sqrt(2.0)) < 1e-9;
        }
        EXPECT_EQ(neighbors, 12);
        EXPECT_EQ(second, 6);
    }
    EXPECT_GT(inner, 1000);
    // Number in a box well inside, over its volume.
    std::size_t in = 0;
    for (const PlacedGrain& g : grains)
        in += region_depth(BoxShape{{0.1, 0.1, 0.1}, {0.9, 0.9, 0.9}}, g.position, 3) >= 0;
    EXPECT_NEAR(static_cast<double>(in) * 4 * pi / 3 * std::pow(0.025, 3) / 0.512, 0.7405, 0.02);
    EXPECT_GE(smallest_gap(scene, grains), -1e-9);
}

TEST(placing_lattice, fcc_is_cubic_and_hexagonal_is_not) {
    // In fcc every neighbor has an opposite one; in the hexagonal packing only the six of its layer have.
    for (const auto& [kind, opposite] : {std::pair{LatticeKind::fcc, 12}, std::pair{LatticeKind::hexagonal, 6}}) {
        Scene scene = scene_with(BoxShape{{0, 0, 0}, {0.5, 0.5, 0.5}});
        scene.grains.push_back(group_of(fixed(0.025), PlaceOnLattice{kind, 0.05, "here", 1, 0}));
        const auto grains = place_all(scene).all;
        int inner = 0;
        for (const PlacedGrain& a : grains) {
            if (region_depth(scene.regions[0].shape, a.position, 3) < 0.1) continue;
            ++inner;
            std::vector<Vec3> near;
            for (const PlacedGrain& b : grains)
                if (const double d = norm(b.position - a.position); d > 1e-9 && d < 0.0501)
                    near.push_back(b.position - a.position);
            ASSERT_EQ(near.size(), 12u);
            int pairs = 0;
            for (const Vec3 u : near)
                for (const Vec3 v : near) pairs += norm(u + v) < 1e-9;
            EXPECT_EQ(pairs, opposite);
        }
        EXPECT_GT(inner, 50);
    }
}

TEST(placing_lattice, cubic_and_planar_lattices_fill_exactly) {
    Scene cubic = scene_with(BoxShape{{0, 0, 0}, {1, 0.5, 0.2}});
    cubic.grains.push_back(group_of(fixed(0.05), PlaceOnLattice{LatticeKind::sc, 0.1, "here", 1, 0}));
    EXPECT_EQ(place_all(cubic).all.size(), 10u * 5 * 2);

    Scene square = scene_with(BoxShape{{0, 0, 0}, {1, 0.5, 0}}, 2);
    square.grains.push_back(group_of(fixed(0.05), PlaceOnLattice{LatticeKind::square, 0.1, "here", 1, 0}));
    EXPECT_EQ(place_all(square).all.size(), 50u);

    Scene hexagonal = scene_with(BoxShape{{0, 0, 0}, {1, 1, 0}}, 2);
    hexagonal.grains.push_back(group_of(fixed(0.01), PlaceOnLattice{LatticeKind::hexagonal, 0.02, "here", 1, 0}));
    const auto grains = place_all(hexagonal).all;
    EXPECT_NEAR(filled(grains, 2), pi / std::sqrt(12.0), 0.03);
    EXPECT_GE(smallest_gap(hexagonal, grains), -1e-9);
    for (const PlacedGrain& g : grains) EXPECT_EQ(g.position.z, 0);
}

TEST(placing_lattice, probability_thins_the_lattice_evenly) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.grains.push_back(group_of(fixed(0.01), PlaceOnLattice{LatticeKind::sc, 0.04, "here", 0.3, 0}));
    const auto grains = place_all(scene).all;
    const double sites = 25 * 25 * 25;
    EXPECT_NEAR(static_cast<double>(grains.size()), 0.3 * sites, 4 * std::sqrt(0.3 * 0.7 * sites));
    int left = 0;
    for (const PlacedGrain& g : grains) left += g.position.x < 0.48;  // 12 of 25 columns
    EXPECT_NEAR(left, 0.48 * static_cast<double>(grains.size()),
                4 * std::sqrt(0.25 * static_cast<double>(grains.size())));
    scene.seed = 2;
    EXPECT_NE(place_all(scene).all.size(), grains.size());
}

TEST(placing_lattice, jitter_moves_sites_by_at_most_its_length) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.grains.push_back(group_of(fixed(0.02), PlaceOnLattice{LatticeKind::sc, 0.1, "here", 1, 0.02}));
    const auto grains = place_all(scene).all;
    ASSERT_EQ(grains.size(), 1000u);
    double most = 0, sum = 0;
    for (const PlacedGrain& g : grains)
        for (int axis = 0; axis < 3; ++axis) {
            const double off = (g.position[axis] - 0.05) / 0.1, shift = 0.1 * (off - std::round(off));
            most = std::max(most, std::fabs(shift));
            sum += shift;
        }
    EXPECT_LE(most, 0.02 + 1e-12);
    EXPECT_GT(most, 0.019);
    EXPECT_NEAR(sum / 3000, 0, 4 * 0.02 / std::sqrt(3.0 * 3000));
}

TEST(placing_lattice, later_phases_fill_the_gaps_of_earlier_ones) {
    Scene scene = scene_with(CylinderShape{{0, 0, 0}, {0, 0, 0.4}, 0.2});
    Wall wall;
    wall.name = "glass";
    wall.shape = CylinderWall{{0, 0, 0}, {0, 0, 0.4}, 0.19};
    scene.walls.push_back(wall);
    scene.grains.push_back(group_of(fixed(0.04), PlaceOnLattice{LatticeKind::fcc, 0.085, "here", 0.9, 0}, "large"));
    scene.grains.push_back(group_of(fixed(0.012), PlaceOnLattice{LatticeKind::fcc, 0.025, "here", 1, 0}, "medium"));
    scene.grains.push_back(
        group_of(uniform(0.004, 0.006), PlaceOnLattice{LatticeKind::fcc, 0.012, "here", 0.5, 0}, "small"));
    const Placed placed = place_all(scene);
    for (const std::size_t n : placed.count) EXPECT_GT(n, 10u);
    EXPECT_GE(smallest_gap(scene, placed.all), -1e-8);
    for (const PlacedGrain& g : placed.all) {
        const double s = std::sqrt(g.position.x * g.position.x + g.position.y * g.position.y);
        EXPECT_GE(std::fabs(s - 0.19), g.radius * (1 - 1e-8)) << "a grain overlaps the wall";
        EXPECT_GE(region_depth(scene.regions[0].shape, g.position, 3), g.radius * (1 - 1e-8));
    }
}

// ---- Random ---------------------------------------------------------------------------------------------------------

TEST(placing_random, fills_every_region_to_the_asked_density_without_overlap) {
    const std::vector<RegionShape> shapes{BoxShape{{0, 0, 0}, {1, 1, 0.8}}, CylinderShape{{0, 0, 0}, {0.3, 0, 1}, 0.4},
                                          SphereShape{{1, 2, 3}, 0.5}, ConeShape{{0, 0, 0}, {0, 0, 1}, 0.2, 0.6}};
    for (const RegionShape& shape : shapes)
        for (const double density : {0.1, 0.3, 0.4, 0.5}) {
            Scene scene = scene_with(shape);
            scene.grains.push_back(group_of(uniform(0.03, 0.045), PlaceAtRandom{"here", {}, density}));
            const auto grains = place_all(scene).all;
            EXPECT_NEAR(filled(grains, 3) / region_volume(shape, 3), density, 0.0006);
            EXPECT_GE(smallest_gap(scene, grains), 0) << density;
            for (const PlacedGrain& g : grains) EXPECT_GE(region_depth(shape, g.position, 3), g.radius * (1 - 1e-9));
        }
}

TEST(placing_random, reaches_its_stated_limit_in_a_large_region) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    for (auto& axis : scene.periodic) axis = {0, 1};
    scene.grains.push_back(group_of(fixed(0.04), PlaceAtRandom{"here", {}, densest_random(3)}));
    const auto grains = place_all(scene).all;
    EXPECT_NEAR(filled(grains, 3), densest_random(3), 2e-4);
    EXPECT_GE(smallest_gap(scene, grains), 0);

    Scene flat = scene_with(BoxShape{{0, 0, 0}, {1, 1, 0}}, 2);
    flat.periodic[0] = {0, 1};
    flat.grains.push_back(group_of(uniform(0.01, 0.014), PlaceAtRandom{"here", {}, 0.78}));
    const auto discs = place_all(flat).all;
    EXPECT_NEAR(filled(discs, 2), 0.78, 1e-3);
    EXPECT_GE(smallest_gap(flat, discs), 0);
}

TEST(placing_random, grains_cross_periodic_borders_and_fill_evenly) {
    for (const double density : {0.2, 0.5}) {
        Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
        scene.periodic[0] = {0, 1};
        scene.periodic[2] = {0, 1};
        scene.grains.push_back(group_of(fixed(0.04), PlaceAtRandom{"here", {}, density}));
        const auto grains = place_all(scene).all;
        EXPECT_GE(smallest_gap(scene, grains), 0);
        int across_x = 0, first_slice = 0;
        for (const PlacedGrain& g : grains) {
            EXPECT_GE(g.position.x, 0);
            EXPECT_LT(g.position.x, 1);
            EXPECT_GE(g.position.y, 0.04 * (1 - 1e-9));
            across_x += g.position.x < 0.04;
            first_slice += g.position.x < 0.2;
        }
        EXPECT_GT(across_x, 0);
        const double n = static_cast<double>(grains.size());
        EXPECT_NEAR(first_slice, 0.2 * n, 4 * std::sqrt(0.2 * n));
    }
}

TEST(placing_random, a_count_is_met_exactly_and_positions_are_uniform) {
    Scene scene = scene_with(SphereShape{{0, 0, 0}, 1});
    scene.grains.push_back(group_of(fixed(0.01), PlaceAtRandom{"here", 2000, {}}));
    scene.grains[0].velocity = {1, 2, 3};
    scene.grains[0].spin = {4, 5, 6};
    const auto grains = place_all(scene).all;
    ASSERT_EQ(grains.size(), 2000u);
    int inner = 0;
    Vec3 mean;
    for (const PlacedGrain& g : grains) {
        inner += norm(g.position) < 0.99 * std::cbrt(0.5);
        mean += g.position / 2000;
        EXPECT_EQ(g.velocity, (Vec3{1, 2, 3}));
        EXPECT_EQ(g.spin, (Vec3{4, 5, 6}));
    }
    EXPECT_NEAR(inner, 1000, 4 * std::sqrt(500.0));
    EXPECT_NEAR(norm(mean), 0, 4 * std::sqrt(0.6 / 2000));
}

TEST(placing_random, large_ratio_of_sizes_works_beside_earlier_grains_and_walls) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    Wall wall;
    wall.name = "post";
    wall.shape = CylinderWall{{0.5, 0.5, -1}, {0.5, 0.5, 2}, 0.1};
    scene.walls.push_back(wall);
    scene.grains.push_back(group_of(fixed(0.15), PlaceAt{{{0.2, 0.2, 0.2}, {0.8, 0.8, 0.5}}}, "stones"));
    scene.grains.push_back(group_of({RadiusDistribution::Kind::table, 0, 0, {{0.15, 0.5}, {0.015, 0.5}}, {}},
                                    PlaceAtRandom{"here", {}, 0.3}));
    const auto grains = place_all(scene).all;
    EXPECT_GE(smallest_gap(scene, grains), -1e-9);
    for (const PlacedGrain& g : grains) {
        const double s = std::hypot(g.position.x - 0.5, g.position.y - 0.5);
        EXPECT_GE(std::fabs(s - 0.1), g.radius * (1 - 1e-9));
    }
}

TEST(placing_random, the_same_seed_gives_the_same_grains) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.grains.push_back(group_of(uniform(0.03, 0.05), PlaceAtRandom{"here", {}, 0.45}));
    const auto a = place_all(scene).all, b = place_all(scene).all;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k].position, b[k].position);
    scene.seed = 5;
    EXPECT_NE(place_all(scene).all[0].position, a[0].position);
}

TEST(placing_random, every_build_gives_the_same_bits) {
    Scene scene = scene_with(ConeShape{{0, 0, 0}, {0.1, 0.2, 1}, 0.2, 0.6});
    Wall wall;
    wall.name = "ring";
    wall.shape = BallsWall{CylinderWall{{0, 0, 0.4}, {0, 0, 0.6}, 0.2}, 0.03, 0.05, 3};
    scene.walls.push_back(wall);
    scene.grains.push_back(group_of({RadiusDistribution::Kind::lognormal, 0.05, 0.2, {}, {}},
                                    PlaceOnLattice{LatticeKind::fcc, 0.2, "here", 0.7, 0.01}, "stones"));
    scene.grains.push_back(
        group_of({RadiusDistribution::Kind::normal, 0.02, 0.002, {}, {}}, PlaceAtRandom{"here", {}, 0.3}));
    Hash hash;
    for (const PlacedGrain& g : place_all(scene).all)
        for (const double value : {g.position.x, g.position.y, g.position.z, g.radius}) hash.add(value);
    EXPECT_EQ(hash.hex(), "ddc4a0eb8a0dee8c");
}

TEST(placing_random, what_cannot_be_is_refused_with_its_place_and_what_was_reached) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.grains.push_back(group_of(fixed(0.05), PlaceAtRandom{"here", {}, 0.7}));
    EXPECT_NE(refusal(scene).find("test.toml:7:1: grains 'sand': random placing fills at most 0.58"), std::string::npos)
        << refusal(scene);
    scene.grains[0] = group_of(fixed(0.05), PlaceAtRandom{"here", 1500, {}});
    EXPECT_NE(refusal(scene).find("1500 grains would fill 0.785"), std::string::npos) << refusal(scene);
    scene.grains[0] = group_of(fixed(0.6), PlaceAtRandom{"here", 1, {}});
    EXPECT_NE(refusal(scene).find("does not fit into the region 'here'"), std::string::npos) << refusal(scene);
    scene.grains[0] = group_of(fixed(0.05), PlaceAtRandom{"upper", 1, {}});
    EXPECT_NE(refusal(scene).find("no region 'upper'; the scene has here"), std::string::npos) << refusal(scene);
    // Centres of grains of 0.26 have a cube of side 0.48 to be in. Six points in a cube are at most 1.06 sides apart,
    // which is 0.51 and less than their diameter: the geometry forbids what the fraction does not.
    scene.grains[0] = group_of(fixed(0.26), PlaceAtRandom{"here", 6, {}});
    EXPECT_NE(refusal(scene).find("6 grains, 0.442 of the region 'here', do not fit at random beside what is there: "),
              std::string::npos)
        << refusal(scene);
    EXPECT_NE(refusal(scene).find("of them (a fraction of 0."), std::string::npos) << refusal(scene);
    scene.grains[0] = group_of(fixed(0.26), PlaceAtRandom{"here", 5, {}});
    EXPECT_EQ(refusal(scene), "") << "five points can be 1.118 sides apart";
}

TEST(placing_random, a_grain_that_just_fits_is_placed) {
    for (const RegionShape& shape :
         {RegionShape{BoxShape{{0, 0, 0}, {0.2, 0.2, 0.2}}}, RegionShape{SphereShape{{0, 0, 0}, 0.1}},
          RegionShape{CylinderShape{{0, 0, 0}, {0, 0, 0.2}, 0.1}}}) {
        Scene scene = scene_with(shape);
        scene.grains.push_back(group_of(fixed(0.1), PlaceAtRandom{"here", 1, {}}));
        EXPECT_EQ(place_all(scene).all.size(), 1u);
    }
}

// ---- Lists ----------------------------------------------------------------------------------------------------------

TEST(placing_list, points_keep_their_order_and_overlaps_are_refused_with_ids) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.grains.push_back(group_of(fixed(0.1), PlaceAt{{{0, 0, 0.5}, {0.2, 0, 0.5}}}));
    const auto grains = place_all(scene).all;
    ASSERT_EQ(grains.size(), 2u);
    EXPECT_EQ(grains[1].position, (Vec3{0.2, 0, 0.5}));

    scene.grains.push_back(group_of(fixed(0.1), PlaceAt{{{1, 1, 1}, {0.2, 0.15, 0.5}}}, "late"));
    const std::string message = refusal(scene);
    EXPECT_NE(message.find("test.toml:7:1: grains 'late': grain 3 (point 2 of the list"), std::string::npos) << message;
    EXPECT_NE(message.find("overlaps grain 1 at [0.2, 0, 0.5] by 0.05 m"), std::string::npos) << message;

    Wall floor;
    floor.name = "floor";
    floor.shape = PlaneWall{{0, 0, 0.45}, {0, 0, 1}};
    scene.walls.push_back(floor);
    EXPECT_NE(refusal(scene).find(
                  "grain 0 (point 1 of the list, at [0, 0, 0.5], radius 0.1) overlaps wall 'floor' by 0.05 m"),
              std::string::npos)
        << refusal(scene);
}

TEST(placing_list, overlap_across_a_periodic_border_is_seen) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.grains.push_back(group_of(fixed(0.1), PlaceAt{{{0.05, 0.5, 0.5}, {0.95, 0.5, 0.5}}}));
    EXPECT_EQ(refusal(scene), "");
    scene.periodic[0] = {0, 1};
    EXPECT_NE(refusal(scene).find("overlaps grain 0"), std::string::npos);
}

std::string csv_refusal(const std::string& text, int dimension = 3) {
    const CsvFile file(text);
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}}, dimension);
    scene.grains.push_back(group_of(fixed(0.1), PlaceFromFile{file.path()}));
    const std::string message = refusal(scene), prefix = file.path();
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
}

TEST(placing_csv, rows_become_grains) {
    const CsvFile file(
        "# a settled bed\r\nid, group, x,y,z,radius,vx,wz\r\n7,sand,0,0,0,0.1,1.5,-2\r\n\r\n8,sand, 0.19 "
        ",0,0,+0.1,0,0\r\n");
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.grains.push_back(group_of(fixed(0), PlaceFromFile{file.path()}));
    scene.grains[0].velocity = {9, 8, 7};
    const auto grains = place_all(scene).all;  // overlaps by 10 %: taken as a contact
    ASSERT_EQ(grains.size(), 2u);
    EXPECT_EQ(grains[0].velocity, (Vec3{1.5, 8, 7}));
    EXPECT_EQ(grains[0].spin, (Vec3{0, 0, -2}));
    EXPECT_EQ(grains[1].position, (Vec3{0.19, 0, 0}));
}

TEST(placing_csv, the_file_is_found_beside_the_scene) {
    const CsvFile file("x,y,z,radius\n0,0,0,1\n");
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.file = (std::filesystem::path(file.path()).parent_path() / "scene.toml").string();
    scene.grains.push_back(group_of(fixed(0), PlaceFromFile{std::filesystem::path(file.path()).filename().string()}));
    EXPECT_EQ(place_all(scene).all.size(), 1u);
    scene.grains[0].place = PlaceFromFile{"nowhere.csv"};
    EXPECT_NE(refusal(scene).find("scene.toml:7:1: grains 'sand': cannot read"), std::string::npos) << refusal(scene);
}

TEST(placing_csv, errors_name_line_and_column) {
    EXPECT_EQ(csv_refusal("x,y,z,radius\n0,0,0,0.1\n1,0,zero,0.1\n"),
              ":3:5: column 'z' needs a finite number, not 'zero'");
    EXPECT_EQ(csv_refusal("x,y,z,radius\n0,0,0,inf\n"), ":2:7: column 'radius' needs a finite number, not 'inf'");
    EXPECT_EQ(csv_refusal("x,y,z,radius\n0,0,0\n"), ":2:6: this row has 3 fields, the header on line 1 names 4");
    EXPECT_EQ(csv_refusal("x,y,z,radius\n0,0,0,0.1,\n"), ":2:11: this row has 5 fields, the header on line 1 names 4");
    EXPECT_EQ(csv_refusal("x,y,z,radius\n0,0,0,-0.1\n"), ":2:7: a radius must be positive, not -0.1");
    EXPECT_EQ(csv_refusal("x,y,x,radius\n"), ":1:5: the column 'x' is named twice");
    EXPECT_EQ(csv_refusal(""), ":1:1: the file is empty: its first line must name the columns, as in x,y,z,radius");
    EXPECT_TRUE(csv_refusal("x,y,radius\n0,0,1\n").starts_with(":1:1: there is no column 'z'"));
    EXPECT_TRUE(csv_refusal("\n#\nx,y,z,r\n0,0,0,1\n").starts_with(":3:1: there is no column 'radius'"));
    EXPECT_EQ(csv_refusal("x,y,z,radius\n0,0,0.5,1\n", 2), ":2:5: z must be 0 in a scene of dimension 2");
    EXPECT_TRUE(csv_refusal("x,y,z,radius\n0,0,0,0.1\n0.1,0,0,0.1\n")
                    .starts_with(":3:1: grain 1 overlaps grain 0 at [0, 0, 0] by more than the overlap limit"));
    EXPECT_EQ(csv_refusal("x,y,radius\n0,0,1\n5,0,1\n", 2), "");
}

// ---- Radii ----------------------------------------------------------------------------------------------------------

struct Moments {
    double mean = 0, deviation = 0, least = 1e300, most = 0;
};
Moments moments(const RadiusDistribution& d, int dimension = 3, bool of_logarithm = false) {
    Scene scene;
    scene.dimension = dimension;
    scene.grains.push_back(group_of(d, PlaceAt{}));
    Moments m;
    const int n = 100'000;
    double sum = 0, sum2 = 0;
    for (int k = 0; k < n; ++k) {
        const double r = radius_of(scene, 0, static_cast<std::uint64_t>(k)), v = of_logarithm ? std::log(r) : r;
        sum += v;
        sum2 += v * v;
        m.least = std::min(m.least, r);
        m.most = std::max(m.most, r);
    }
    EXPECT_GE(m.least, smallest_radius(d));
    EXPECT_LE(m.most, largest_radius(d));
    m.mean = sum / n;
    m.deviation = std::sqrt(sum2 / n - m.mean * m.mean);
    return m;
}

TEST(placing_radius, distributions_have_their_moments) {
    const Moments u = moments(uniform(1, 3));
    EXPECT_NEAR(u.mean, 2, 4 * 0.577 / std::sqrt(1e5));
    EXPECT_NEAR(u.deviation, 2 / std::sqrt(12.0), 0.005);
    // A normal distribution cut at three deviations has 0.98658 of the deviation.
    const Moments n = moments({RadiusDistribution::Kind::normal, 2, 0.3, {}, {}});
    EXPECT_NEAR(n.mean, 2, 4 * 0.3 / std::sqrt(1e5));
    EXPECT_NEAR(n.deviation, 0.3 * 0.98658, 0.003);
    EXPECT_GT(n.most, 2.85);
    const Moments l = moments({RadiusDistribution::Kind::lognormal, 2, 0.25, {}, {}}, 3, true);
    EXPECT_NEAR(l.mean, std::log(2), 4 * 0.25 / std::sqrt(1e5));
    EXPECT_NEAR(l.deviation, 0.25 * 0.98658, 0.003);
    EXPECT_EQ(moments(fixed(0.7)).most, 0.7);
}

TEST(placing_radius, a_table_gives_mass_fractions) {
    for (const int dimension : {2, 3}) {
        const RadiusDistribution d{RadiusDistribution::Kind::table, 0, 0, {{1, 0.25}, {2, 0.25}, {3, 0}, {4, 0.5}}, {}};
        Scene scene;
        scene.dimension = dimension;
        scene.grains.push_back(group_of(d, PlaceAt{}));
        std::array<double, 5> mass{};
        double sum = 0;
        for (std::uint64_t k = 0; k < 200'000; ++k) {
            const double r = radius_of(scene, 0, k), m = std::pow(r, dimension);
            mass[static_cast<std::size_t>(r)] += m;
            sum += m;
        }
        EXPECT_NEAR(mass[1] / sum, 0.25, 0.02);
        EXPECT_NEAR(mass[2] / sum, 0.25, 0.02);
        EXPECT_EQ(mass[3], 0);
        EXPECT_NEAR(mass[4] / sum, 0.5, 0.02);
    }
}

std::vector<double> drawn_radii(const RadiusDistribution& d, int dimension, std::uint64_t count) {
    Scene scene;
    scene.seed = 2;
    scene.dimension = dimension;
    scene.grains.push_back(group_of(d, PlaceAt{}));
    std::vector<double> radii;
    for (std::uint64_t k = 0; k < count; ++k) {
        radii.push_back(radius_of(scene, 0, k));
        EXPECT_GE(radii.back(), smallest_radius(d));
        EXPECT_LE(radii.back(), largest_radius(d));
    }
    std::sort(radii.begin(), radii.end());
    return radii;
}

// The largest distance of the radii's distribution from one given by its density, which is added up in small steps.
template <class Density>
double kolmogorov_distance(const std::vector<double>& radii, double low, double high, Density density) {
    constexpr int steps = 200'000;
    const double width = (high - low) / steps;
    std::vector<double> below(steps + 1, 0);
    for (std::size_t k = 0; k < steps; ++k)
        below[k + 1] = below[k] + density(low + (static_cast<double>(k) + 0.5) * width) * width;
    double distance = 0;
    const auto n = static_cast<double>(radii.size());
    for (std::size_t k = 0; k < radii.size(); ++k) {
        const auto at = static_cast<std::size_t>(std::clamp((radii[k] - low) / width, 0.0, double{steps}));
        const double wanted = below[at] / below.back(), there = static_cast<double>(k);
        distance = std::max({distance, std::fabs(there / n - wanted), std::fabs((there + 1) / n - wanted)});
    }
    return distance;
}

TEST(placing_radius, a_sieve_curve_is_met_by_mass_and_by_number) {
    RadiusDistribution d{RadiusDistribution::Kind::sieve, 0, 0, {{1, 0}, {1.5, 0.1}, {2, 0.1}, {3, 0.7}, {6, 1}}, {}};
    constexpr std::uint64_t n = 20'000;
    for (const int dimension : {2, 3})
        for (const auto by : {RadiusDistribution::By::number, RadiusDistribution::By::mass}) {
            d.by = by;
            const int power = by == RadiusDistribution::By::mass ? dimension : 0;
            const auto density = [&](double r) {
                std::size_t k = 0;
                while (r > d.table[k + 1].first) ++k;
                const double slope =
                    (d.table[k + 1].second - d.table[k].second) / (d.table[k + 1].first - d.table[k].first);
                return slope * std::pow(r, -power);
            };
            const std::vector<double> radii = drawn_radii(d, dimension, n);
            EXPECT_LT(kolmogorov_distance(radii, 1, 6, density), 1.36 / std::sqrt(n)) << dimension << power;
            // What a sieve analysis of these grains would find.
            double passed = 0, all = 0;
            for (const double r : radii) {
                all += std::pow(r, power);
                if (r < 3) passed += std::pow(r, power);
            }
            EXPECT_NEAR(passed / all, 0.7, 0.03);
            EXPECT_TRUE(std::none_of(radii.begin(), radii.end(), [](double r) { return r > 1.5 && r < 2; }));
        }
}

// The median by number of a lognormal mass is below that of the mass by dimension times the variance.
TEST(placing_radius, a_lognormal_mass_is_a_lognormal_number) {
    constexpr double sigma = 0.3;
    constexpr std::uint64_t n = 20'000;
    for (const int dimension : {2, 3}) {
        RadiusDistribution d{RadiusDistribution::Kind::lognormal, 1e-3, sigma, {}, {}};
        d.by = RadiusDistribution::By::mass;
        const double median = 1e-3 * std::exp(-dimension * sigma * sigma);  // 1.526759e-3 / 2 in 3D
        const std::vector<double> radii = drawn_radii(d, dimension, n);
        // The cut is that of the mass, and takes more of the small grains than of the large ones.
        EXPECT_NEAR(radii[n / 2] / median, 1, 3 * sigma * std::sqrt(pi / 2 / n) + 0.007);
        const auto density = [&](double r) {
            const double z = std::log(r / median) / sigma;
            return std::exp(-0.5 * z * z) / r;
        };
        EXPECT_LT(kolmogorov_distance(radii, smallest_radius(d), largest_radius(d), density), 1.36 / std::sqrt(n));
        double below = 0, all = 0;
        for (const double r : radii) {
            all += std::pow(r, dimension);
            if (r < 1e-3) below += std::pow(r, dimension);
        }
        EXPECT_NEAR(below / all, 0.5, 0.02);
    }
}

TEST(placing_radius, groups_have_independent_radii) {
    Scene scene;
    scene.grains.push_back(group_of(uniform(0, 1), PlaceAt{}));
    scene.grains.push_back(group_of(uniform(0, 1), PlaceAt{}));
    double product = 0;
    for (std::uint64_t k = 0; k < 10'000; ++k)
        product += (radius_of(scene, 0, k) - 0.5) * (radius_of(scene, 1, k) - 0.5) / 10'000;
    EXPECT_NEAR(product, 0, 4.0 / 12 / 100);
}

// ---- Pouring --------------------------------------------------------------------------------------------------------

struct Pouring {
    Scene scene;
    std::unique_ptr<WallSet> walls;
    std::vector<WallPlacement> placements;
    Grains grains;
    PourState state;

    explicit Pouring(PourOverTime pour, RadiusDistribution radius = fixed(0.05))
        : scene(scene_with(BoxShape{{0, 0, 0}, {1, 1, 0.2}})) {
        scene.grains.push_back(group_of(radius, pour));
        walls = std::make_unique<WallSet>(scene);
        walls->place({}, 0, placements);
    }
    std::size_t step(double begin, double end) {
        const auto fresh = pour_grains(scene, 0, begin, end, grains, {*walls, placements}, state);
        for (const PlacedGrain& g : fresh) {
            grains.row.push_back(
                {g.position.x, g.position.y, g.position.z, g.radius, g.velocity.x, g.velocity.y, g.velocity.z, 1});
            grains.id.push_back(static_cast<Index>(grains.id.size()));
            EXPECT_GE(region_depth(scene.regions[0].shape, g.position, 3), g.radius * (1 - 1e-9));
        }
        return fresh.size();
    }
    // Carries all grains away downwards.
    void clear() {
        for (GrainRow& row : grains.row) row.z -= 10;
    }
    std::vector<PlacedGrain> present() const {
        std::vector<PlacedGrain> all;
        for (std::size_t i = 0; i < grains.size(); ++i)
            all.push_back({grains.position(i), grains.row[i].radius, {}, {}});
        return all;
    }
};

TEST(placing_pour, the_rate_is_kept_between_from_and_until) {
    Pouring p(PourOverTime{"here", 100, 0.5, 1.5, {}, {0, 0, -2}});
    EXPECT_TRUE(place_all(p.scene).all.empty());
    for (int k = 0; k < 2000; ++k) {
        const double begin = k * 1e-3, end = (k + 1) * 1e-3;
        p.step(begin, end);
        const double expected = 100 * std::clamp(end - 0.5, 0.0, 1.0);
        EXPECT_NEAR(static_cast<double>(p.state.poured), expected, 1.001);
        p.clear();
    }
    EXPECT_EQ(p.state.poured, 100);
    EXPECT_EQ(p.grains.row[0].vz, -2);
}

TEST(placing_pour, a_blocked_inlet_delays_and_loses_nothing) {
    Pouring p(PourOverTime{"here", 1000, 0, forever, 400, {}});
    double t = 0;
    for (; t < 1; t += 0.001) p.step(t, t + 0.001);
    const std::int64_t full = p.state.poured;
    EXPECT_LT(full, 400) << "the inlet holds about 140 grains of this size";
    EXPECT_GT(full, 80);
    EXPECT_GE(smallest_gap(p.scene, p.present()), -1e-9);
    for (int k = 0; k < 20; ++k) {
        p.clear();
        p.step(t, t + 0.001);
        t += 0.001;
    }
    EXPECT_EQ(p.state.poured, 400);
}

TEST(placing_pour, radii_do_not_depend_on_crowding) {
    // Where only some places are left small grains find one more easily; the sizes poured must not drift for that.
    Pouring free(PourOverTime{"here", 1000, 0, forever, {}, {}}, uniform(0.01, 0.09)),
        crowded(PourOverTime{"here", 1000, 0, forever, {}, {}}, uniform(0.01, 0.09));
    for (int k = 0; k < 300; ++k) {
        const double t = k * 1e-3;
        free.step(t, t + 1e-3);
        free.clear();
        crowded.step(t, t + 1e-3);
        if (k % 60 == 59) crowded.clear();
    }
    ASSERT_GT(crowded.state.poured, 100);
    for (std::size_t k = 0; k < crowded.grains.size(); ++k)
        EXPECT_EQ(free.grains.row[k].radius, crowded.grains.row[k].radius);
}

TEST(placing_pour, resuming_from_the_state_gives_the_same_grains) {
    Pouring a(PourOverTime{"here", 200, 0, forever, {}, {}}), b(PourOverTime{"here", 200, 0, forever, {}, {}});
    for (int k = 0; k < 100; ++k) a.step(k * 1e-2, (k + 1) * 1e-2);
    for (int k = 0; k < 50; ++k) b.step(k * 1e-2, (k + 1) * 1e-2);
    Pouring c(PourOverTime{"here", 200, 0, forever, {}, {}});
    c.grains = b.grains;
    c.state = b.state;
    std::reverse(c.grains.row.begin(), c.grains.row.end());  // the order of those present does not matter
    for (int k = 50; k < 100; ++k) c.step(k * 1e-2, (k + 1) * 1e-2);
    ASSERT_EQ(a.grains.size(), c.grains.size());
    for (std::size_t k = b.grains.size(); k < a.grains.size(); ++k)
        EXPECT_EQ(a.grains.position(k), c.grains.position(k));
}

TEST(placing_pour, an_inlet_that_can_never_give_a_grain_is_refused_before_the_run) {
    PourOverTime pour;
    pour.region = "here";
    pour.rate = 100;
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 0.2}});
    scene.grains.push_back(group_of(fixed(0.05), pour));
    EXPECT_EQ(refusal(scene), "");
    scene.grains[0].radius = fixed(0.11);
    EXPECT_EQ(refusal(scene),
              "test.toml:7:1: grains 'sand': a grain of radius 0.11 m does not fit into the region 'here' it is to be "
              "poured from");
    // Sizes of which one of the first hundred is too large, but not those that are poured.
    scene.grains[0].radius = uniform(0.05, 0.11);
    EXPECT_NE(refusal(scene).find("does not fit"), std::string::npos);
    std::get<PourOverTime>(scene.grains[0].place).count = 0;
    EXPECT_EQ(refusal(scene), "");
    // Outside of the box there is no place, unless it moves away or opens.
    scene.grains[0] = group_of(fixed(0.05), pour);
    Wall box;
    box.name = "box";
    box.shape = BoxWall{{0, 0, -2}, {1, 1, -1}};
    scene.walls = {box};
    EXPECT_NE(refusal(scene).find("nothing can be poured from the region 'here': at 2000 random places in it"),
              std::string::npos)
        << refusal(scene);
    scene.walls[0].open_at = 0.5;
    EXPECT_EQ(refusal(scene), "");
}

// A region of eight times the volume of the box in it: pushing apart what never fits took minutes.
TEST(placing, what_walls_leave_of_a_region_decides_how_many_grains_fit) {
    Scene scene = scene_with(BoxShape{{-0.05, -0.05, 0}, {0.15, 0.15, 0.2}});
    Wall box;
    box.name = "box";
    box.shape = BoxWall{{0, 0, 0}, {0.1, 0.1, 0.1}};
    scene.walls.push_back(box);
    scene.grains.push_back(group_of(fixed(1.5e-3), PlaceAtRandom{"here", 100000, {}}));
    const std::string message = refusal(scene);
    EXPECT_NE(message.find("12 % of it free (wall 'box' takes most)"), std::string::npos) << message;
    // A quarter of the box is no matter.
    scene.grains[0].place = PlaceAtRandom{"here", 17000, {}};
    const Placed placed = place_all(scene);
    EXPECT_EQ(placed.all.size(), 17000u);
    for (const PlacedGrain& grain : placed.all)
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_GE(grain.position[axis], grain.radius * (1 - 1e-9));
            EXPECT_LE(grain.position[axis], 0.1 - grain.radius * (1 - 1e-9));
        }
}

TEST(placing, says_how_far_it_is_and_can_be_ended) {
    Scene scene = scene_with(BoxShape{{0, 0, 0}, {1, 1, 1}});
    scene.grains.push_back(group_of(fixed(4e-3), PlaceAtRandom{"here", {}, 0.2}));
    struct Enough {};
    std::string heard;
    const LongWorkScope scope([&](const std::string& text) {
        heard = text;
        throw Enough();
    });
    EXPECT_THROW(place_all(scene), Enough);
    EXPECT_NE(heard.find("grains of 'sand'"), std::string::npos) << heard;
}

}  // namespace
}  // namespace scree
