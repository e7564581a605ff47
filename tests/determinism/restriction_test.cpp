// A part of a world gives its grains the bits that the whole gives them.
//
// The grains that a part owns follow each other in storage. It has besides, in their order, those that may touch them.
// Then one step of each part must end as that of the whole, wherever the world is cut: sums over contacts run in the
// order of storage, which a part has as the whole has it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>

#include "core/random.h"
#include "engine/body_dynamics.h"
#include "engine/scenes.h"
#include "engine/soft_engine.h"
#include "engine/sphere_dynamics.h"
#include "golden_scenes.h"
#include "neighbor/grain_balls.h"
#include "world/identity.h"

namespace scree {
namespace {

using namespace scenes;

// A simulation at rest between two steps, taken apart.
class Moment {
  public:
    explicit Moment(Simulation& simulation) : setting_(simulation.scene()), contacts_(simulation.contact_memory()) {
        Setting& s = setting_;
        s.world = simulation.synchronised_world();
        s.prepare_shapes(s.world.grains.shaped());
        s.scene.time_step = s.world.time_step;
        const SoftEngine makes_it_ready(s, {});
        s.walls.set.place(s.world.walls, s.world.time(), s.walls.placements);
        s.motion.gravity = gravity_at(s.scene, s.world.time());
        find_near();
        s.walls.set.place(s.world.walls, s.world.time() + s.world.time_step, s.walls.placements);
    }

    const Grains& grains() const { return setting_.world.grains; }
    const Setting& setting() const { return setting_; }
    const ContactMemory& contacts() const { return contacts_; }
    const PairList& pairs() const { return pairs_; }
    const std::vector<WallPair>& walls() const { return near_walls_; }
    double skin() const { return skin_; }
    double reach() const { return 2 * skin_ + setting_.walls.law_reach; }

  private:
    // All that may touch in the next step.
    void find_near() {
        skin_ = 0.1 * std::min_element(grains().row.begin(), grains().row.end(), [](const auto& a, const auto& b) {
                          return a.radius < b.radius;
                      })->radius;
        brute_pairs(ball_rows(grains()), setting_.motion.periodicity, reach(), pairs_);
        std::vector<WallFeature> features;
        for (std::size_t g = 0; g < grains().size(); ++g) {
            if (grains().row[g].inverse_mass == 0) continue;
            features.clear();
            const Walls& walls = setting_.walls;
            walls.set.features_near(walls.placements, grains().position(g), grains().row[g].radius + reach(), features);
            for (const WallFeature& f : features) near_walls_.push_back({static_cast<Index>(g), f.wall, f.feature});
        }
    }

    Setting setting_;
    ContactMemory contacts_;
    PairList pairs_;
    std::vector<WallPair> near_walls_;
    double skin_ = 0;
};

// Some grains of a moment, with the lists of what may touch those that it owns.
class Part {
  public:
    // Owns [begin, end) of the whole. `chunk_ends` cut the whole into chunks. The grain `without` is left out by
    // mistake.
    Part(const Moment& of, std::size_t begin, std::size_t end, const std::vector<std::size_t>& chunk_ends,
         std::optional<std::size_t> without = {})
        : of_(of),
          walls_(of.setting().walls),
          begin_(begin),
          end_(end) {
        choose_grains(without);
        const Setting& s = of.setting();
        if (s.shaped)
            dynamics_ = std::make_unique<BodyDynamics>(*s.shapes, s.materials, walls_, s.motion, s.scene.dimension);
        else
            dynamics_ = std::make_unique<SphereDynamics>(s.materials, walls_, s.motion.periodicity, s.motion.time_step);
        std::vector<std::size_t> ends;
        for (const std::size_t border : chunk_ends) ends.push_back(before(border));
        dynamics_->blocks().cut(std::move(ends));
        dynamics_->ready_for_search(grains_);
        dynamics_->attach(grains_, contacts_here());
        renew();
    }

    void step() {
        MotionParameters motion = of_.setting().motion;
        std::vector<double> travel(dynamics_->blocks().count());
        for (std::size_t b = 0; b < travel.size(); ++b) dynamics_->move(grains_, motion, b, travel[b]);
        dynamics_->begin_sweep(grains_, walls_, *std::max_element(travel.begin(), travel.end()));
        dynamics_->rows().sweep(
            [&](std::size_t block, int worker) { dynamics_->collide(grains_, walls_, block, worker); },
            [&](std::size_t block, int) { dynamics_->finish(grains_, motion, Ending::kick, block, travel[block]); });
        dynamics_->end_sweep(walls_.size());
    }

    // Own grains as bytes of all their fields, one string each.
    std::vector<std::string> own_grains() const {
        std::vector<std::string> out(end_ - begin_);
        visit_fields(grains_, [&](const char*, const char*, const auto& values) {
            for (std::size_t k = 0; k < out.size(); ++k)
                out[k].append(reinterpret_cast<const char*>(&values[before(begin_) + k]), sizeof(values[0]));
        });
        return out;
    }
    // What the contacts of own grains remember, by names of partners, features included.
    std::multimap<std::pair<Index, Index>, std::vector<double>> own_memory() {
        std::multimap<std::pair<Index, Index>, std::vector<double>> out;
        const ContactMemory memory = dynamics_->memory(grains_);
        const auto width = static_cast<std::size_t>(memory.width);
        for (std::size_t k = 0; k < memory.a.size(); ++k)
            if (owns(memory.a[k]) || owns(memory.b[k]))
                out.emplace(std::minmax(memory.a[k], memory.b[k]),
                            std::vector(memory.memory.begin() + static_cast<std::ptrdiff_t>(k * width),
                                        memory.memory.begin() + static_cast<std::ptrdiff_t>((k + 1) * width)));
        for (std::size_t k = 0; k < memory.wall_grain.size(); ++k)
            if (owns(memory.wall_grain[k]))
                out.emplace(std::pair(memory.wall_grain[k], ~static_cast<Index>(memory.wall[k])),
                            std::vector(memory.wall_memory.begin() + static_cast<std::ptrdiff_t>(k * width),
                                        memory.wall_memory.begin() + static_cast<std::ptrdiff_t>((k + 1) * width)));
        return out;
    }

    std::size_t ghosts() const { return number_.size() - (end_ - begin_); }

  private:
    bool is_own(std::size_t number) const { return number >= begin_ && number < end_; }
    bool owns(Index id) const {
        const auto at = std::find(grains_.id.begin(), grains_.id.end(), id) - grains_.id.begin();
        return is_own(number_[static_cast<std::size_t>(at)]);
    }
    // How many grains here are before this one of the whole.
    std::size_t before(std::size_t number) const {
        return static_cast<std::size_t>(std::lower_bound(number_.begin(), number_.end(), number) - number_.begin());
    }

    void choose_grains(std::optional<std::size_t> without) {
        const Grains& all = of_.grains();
        std::vector<bool> wanted(all.size(), false);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (is_own(i)) wanted[i] = true;
            for (const std::uint32_t j : of_.pairs().of(i))
                if (is_own(i) != is_own(j)) wanted[i] = wanted[j] = true;
            // Glued spheres look at partners that they need not touch.
            if (!all.shaped()) continue;
            const GluedCluster* const cluster = of_.setting().shapes->glued(all.shape[i]);
            for (std::size_t j = begin_; cluster && j < end_; ++j)
                if (all.shape[j] == all.shape[i] && all.id[j] / cluster->size() == all.id[i] / cluster->size())
                    wanted[i] = true;
        }
        for (std::size_t i = 0; i < all.size(); ++i)
            if (wanted[i] && i != without) number_.push_back(i);
        grains_ = all;
        visit_fields(grains_, [&](const char*, const char*, auto& values) {
            for (std::size_t k = 0; k < number_.size(); ++k) values[k] = values[number_[k]];
            values.resize(number_.size());
        });
    }

    // Of contacts both partners of which are here.
    ContactMemory contacts_here() const {
        const IdentityTable places(grains_.id);
        const auto here = [&](Index id) { return places.find(id) != IdentityTable::none; };
        const ContactMemory& all = of_.contacts();
        const auto width = static_cast<std::ptrdiff_t>(all.width);
        ContactMemory out;
        out.width = all.width;
        for (std::size_t k = 0; k < all.a.size(); ++k) {
            if (!here(all.a[k]) || !here(all.b[k])) continue;
            out.a.push_back(all.a[k]);
            out.b.push_back(all.b[k]);
            const auto numbers = all.memory.begin() + static_cast<std::ptrdiff_t>(k) * width;
            out.memory.insert(out.memory.end(), numbers, numbers + width);
            if (!all.key.empty()) out.key.push_back(all.key[k]);
        }
        for (std::size_t k = 0; k < all.wall_grain.size(); ++k) {
            if (!here(all.wall_grain[k])) continue;
            out.wall_grain.push_back(all.wall_grain[k]);
            out.wall.push_back(all.wall[k]);
            out.feature.push_back(all.feature[k]);
            const auto numbers = all.wall_memory.begin() + static_cast<std::ptrdiff_t>(k) * width;
            out.wall_memory.insert(out.wall_memory.end(), numbers, numbers + width);
            if (!all.wall_key.empty()) out.wall_key.push_back(all.wall_key[k]);
        }
        return out;
    }

    // Lists of what own grains may touch.
    void renew() {
        PairList pairs;
        pairs.first.push_back(0);
        for (const std::size_t i : number_) {
            for (const std::uint32_t j : of_.pairs().of(i))
                if ((is_own(i) || is_own(j)) && std::binary_search(number_.begin(), number_.end(), j))
                    pairs.partners.push_back(static_cast<std::uint32_t>(before(j)));
            pairs.first.push_back(static_cast<std::uint32_t>(pairs.partners.size()));
        }
        NearLists lists{pairs, std::vector<std::vector<WallPair>>(dynamics_->blocks().count()), of_.skin(),
                        of_.reach()};
        for (const WallPair& pair : of_.walls())
            if (is_own(pair.grain)) {
                const std::size_t here = before(pair.grain);
                lists.walls[dynamics_->blocks().of(here)].push_back(
                    {static_cast<Index>(here), pair.wall, pair.feature});
            }
        dynamics_->renew(grains_, walls_, std::move(lists));
    }

    const Moment& of_;
    Walls walls_;
    std::size_t begin_, end_;
    std::vector<std::size_t> number_;  // in the whole, by place here
    Grains grains_;
    std::unique_ptr<Dynamics> dynamics_;
};

// Ends of parts or chunks of [0, n): some of them may be empty, all are of at most `most`.
std::vector<std::size_t> cuts(Random& random, std::size_t n, std::size_t parts) {
    std::vector<std::size_t> ends(parts - 1);
    for (std::size_t& end : ends) end = random.below(n + 1);
    std::sort(ends.begin(), ends.end());
    ends.push_back(n);
    return ends;
}
std::vector<std::size_t> even_ends(std::size_t n, std::size_t size) {
    std::vector<std::size_t> ends;
    for (std::size_t end = size; end < n; end += size) ends.push_back(end);
    ends.push_back(n);
    return ends;
}

// Cuts a moment in many ways. Returns how many ghosts there were: cuts that separate nothing show nothing.
std::size_t expect_restriction(const Moment& moment, std::uint64_t seed, int times) {
    std::size_t ghosts = 0;
    Random random(seed, 17);
    const std::size_t n = moment.grains().size();
    for (int time = 0; time < times; ++time) {
        const std::vector<std::size_t> chunks = even_ends(n, 1 + random.below(64));
        Part whole(moment, 0, n, chunks);
        whole.step();
        const std::vector<std::string> grains = whole.own_grains();
        const auto memory = whole.own_memory();
        std::size_t begin = 0;
        for (const std::size_t end : cuts(random, n, 2 + random.below(6))) {
            Part part(moment, begin, end, chunks);
            part.step();
            ghosts += part.ghosts();
            const std::vector<std::string> own = part.own_grains();
            for (std::size_t k = 0; k < own.size(); ++k)
                EXPECT_EQ(own[k], grains[begin + k])
                    << "grain " << begin + k << " of part [" << begin << ", " << end << ") of " << n;
            for (const auto& [names, numbers] : part.own_memory()) {
                const auto [first, last] = memory.equal_range(names);
                EXPECT_TRUE(std::any_of(first, last, [&](const auto& each) { return each.second == numbers; }))
                    << "memory of " << names.first << " and " << names.second;
            }
            begin = end;
            if (testing::Test::HasFailure()) return ghosts;
        }
    }
    return ghosts;
}

std::size_t expect_restriction(Scene scene, std::int64_t steps, std::uint64_t seed) {
    constexpr int moments = 4, cuts_of_each = 3;
    Simulation simulation(std::move(scene));
    std::size_t ghosts = 0;
    for (int m = 0; m < moments; ++m) {
        for (std::int64_t k = 0; k < steps / moments; ++k) simulation.step();
        if (simulation.synchronised_world().grains.size() == 0) continue;
        const Moment moment(simulation);
        ghosts += expect_restriction(moment, seed + static_cast<std::uint64_t>(m), cuts_of_each);
        if (testing::Test::HasFailure()) break;
    }
    return ghosts;
}

// Grains beside each other at random, moving, across the border of a periodic axis too.
Scene crowd(std::uint64_t seed, double ratio, LawKind law) {
    constexpr double length = 40e-3, large = 4e-3;
    Scene scene = polydisperse(ratio, law);
    scene.grains.clear();
    scene.regions.clear();
    scene.walls.clear();
    scene.overlap_limit = 1;
    scene.periodic[0] = std::pair(0.0, length);
    add_floor(scene);
    const Periodicity periodicity = scene.periodic;
    Random random(seed, 23);
    struct Ball {
        Vec3 x;
        double radius;
    };
    std::vector<Ball> balls{{{0.5 * length, 0, large}, large}};
    const auto too_near = [&](const Ball& a, const Ball& b) {
        return norm(periodicity.nearest(a.x - b.x)) < a.radius + b.radius;
    };
    while (balls.size() < 150) {
        const Ball& beside = balls[random.below(balls.size())];
        const double radius = large / (1 + (ratio - 1) * random.uniform());
        Vec3 way{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        way = way / norm(way);
        Ball ball{beside.x + (1 + 1e-9) * (beside.radius + radius) * way, radius};
        ball.x.x -= length * std::floor(ball.x.x / length);
        if (ball.x.z < radius ||
            std::any_of(balls.begin(), balls.end(), [&](const Ball& other) { return too_near(ball, other); }))
            continue;
        balls.push_back(ball);
    }
    for (const Ball& ball : balls)
        add_grain(scene, ball.x, ball.radius, {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0});
    return scene;
}

class restriction_of_spheres : public testing::TestWithParam<LawKind> {};

TEST_P(restriction_of_spheres, one_step_of_each_part_is_that_of_the_whole) {
    std::uint64_t seed = 1;
    std::size_t ghosts = 0;
    for (const auto& [name, scene] : all(GetParam())) {
        SCOPED_TRACE(name);
        ghosts += expect_restriction(scene, 1200, seed++);
    }
    EXPECT_GT(ghosts, 100u);
}

TEST_P(restriction_of_spheres, of_crowds_with_sizes_from_one_to_a_hundred) {
    const std::uint64_t crowds = std::getenv("SCREE_LONG") ? 3000 : 30;
    for (std::uint64_t seed = 0; seed < crowds; ++seed) {
        SCOPED_TRACE(seed);
        const double ratio = std::array{1.0, 10.0, 100.0}[seed % 3];
        EXPECT_GT(expect_restriction(crowd(seed, ratio, GetParam()), 80, seed), 100u);
    }
}

INSTANTIATE_TEST_SUITE_P(laws, restriction_of_spheres, testing::ValuesIn(all_laws),
                         [](const auto& info) { return name_of(info.param); });

class restriction_of_shapes : public testing::TestWithParam<GoldenScene> {};

TEST_P(restriction_of_shapes, one_step_of_each_part_is_that_of_the_whole) {
    EXPECT_GT(expect_restriction(GetParam().make(), GetParam().steps, 7), 10u);
}

std::vector<GoldenScene> soft_scenes() {
    std::vector<GoldenScene> out;
    for (const GoldenScene& golden : golden_shapes_and_events())
        if (!std::string_view(golden.name).starts_with("events_")) out.push_back(golden);
    return out;
}

INSTANTIATE_TEST_SUITE_P(scenes, restriction_of_shapes, testing::ValuesIn(soft_scenes()),
                         [](const auto& info) { return std::string(info.param.name); });

// The comparison sees a grain that a part has been given none of.
TEST(restriction, a_missing_grain_is_seen) {
    Simulation simulation(crowd(1, 3, LawKind::linear));
    for (int k = 0; k < 20; ++k) simulation.step();
    const Moment moment(simulation);
    const std::size_t n = moment.grains().size(), half = n / 2;
    const std::vector<std::size_t> chunks = even_ends(n, 16);
    const auto own_grains = [&](std::optional<std::size_t> without) {
        Part part(moment, 0, half, chunks, without);
        part.step();
        return part.own_grains();
    };
    const std::vector<std::string> complete = own_grains({});
    int seen = 0;
    for (std::size_t ghost = half; ghost < n; ++ghost) seen += own_grains(ghost) != complete;
    EXPECT_GT(seen, 5);
}

}  // namespace
}  // namespace scree
