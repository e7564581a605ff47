#include "engine/scenes.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace scree::scenes {

std::string name_of(LawKind law) {
    std::string name = entry_of(law).name;
    std::replace(name.begin(), name.end(), '-', '_');  // in names of tests
    return name;
}

Vec3 down(int dimension) { return dimension == 3 ? Vec3{0, 0, -g} : Vec3{0, -g, 0}; }

Scene empty(int dimension, LawKind law) {
    Scene scene;
    scene.dimension = dimension;
    scene.gravity = down(dimension);
    scene.law = law;
    scene.duration = 0.2;
    Material stuff;
    stuff.name = "stuff";
    // A disc weighs as much as many spheres: it is as thick as a metre.
    stuff.young = dimension == 3 ? 2e6 : 8e8;
    stuff.contact.restitution = 0.6;
    stuff.contact.friction = 0.4;
    stuff.contact.tangential_restitution = 0.9;
    stuff.contact.contact_time = 1e-3;
    stuff.contact.viscosity = 5e-5;
    stuff.contact.cohesion = inputs_of(law).cohesion ? 1e-3 : 0;
    if (inputs_of(law).coefficients) stuff.contact.linear.stiffness = dimension == 3 ? 400 : 1.5e5;
    scene.materials.push_back(stuff);
    return scene;
}

ContactValues& contact(Scene& scene) { return scene.materials[0].contact; }

GrainGroup group(const Scene& scene, double radius, Placing place) {
    GrainGroup group;
    group.name = "group" + std::to_string(scene.grains.size());
    group.material = scene.materials[0].name;
    group.radius.first = radius;
    group.place = std::move(place);
    return group;
}

GrainGroup& add_grain(Scene& scene, Vec3 position, double radius, Vec3 velocity, Vec3 spin) {
    scene.grains.push_back(group(scene, radius, PlaceAt{{position}}));
    scene.grains.back().velocity = velocity;
    scene.grains.back().spin = spin;
    return scene.grains.back();
}

Wall& add_wall(Scene& scene, std::string name, WallShape shape, bool outside) {
    Wall wall;
    wall.name = std::move(name);
    wall.material = scene.materials[0].name;
    wall.shape = std::move(shape);
    wall.outside = outside;
    scene.walls.push_back(std::move(wall));
    return scene.walls.back();
}

Wall& add_floor(Scene& scene) { return add_wall(scene, "floor", PlaneWall{{}, -down(scene.dimension)}); }

void add_region(Scene& scene, std::string name, RegionShape shape) {
    scene.regions.push_back({std::move(name), std::move(shape), {}});
}

GrainGroup& fill_region(Scene& scene, const std::string& region, std::int64_t count, double radius) {
    PlaceAtRandom place;
    place.region = region;
    place.count = count;
    scene.grains.push_back(group(scene, radius, place));
    return scene.grains.back();
}

GrainGroup& pour_region(Scene& scene, const std::string& region, double rate, std::int64_t count, Vec3 velocity,
                        double radius) {
    PourOverTime pour;
    pour.region = region;
    pour.rate = rate;
    pour.count = count;
    pour.velocity = velocity;
    scene.grains.push_back(group(scene, radius, pour));
    return scene.grains.back();
}

void run_until(Simulation& simulation, double time) {
    const std::int64_t steps = simulation.steps_until(time);
    while (simulation.step_count() < steps) simulation.step();
}

GrainState grain(Simulation& simulation, Index id) {
    const Grains& grains = simulation.synchronised_world().grains;
    for (std::size_t k = 0; k < grains.size(); ++k)
        if (grains.id[k] == id)
            return {grains.position(k), grains.velocity(k), grains.angular_velocity(k), grains.row[k].radius,
                    1 / grains.row[k].inverse_mass};
    return {};
}

double total_mass(Simulation& simulation) {
    double mass = 0;
    for (const GrainRow& row : simulation.world().grains.row)
        if (row.inverse_mass > 0) mass += 1 / row.inverse_mass;
    return mass;
}

void EnergyAudit::sample(Simulation& simulation) {
    const EnergyReport now = simulation.energy();
    const auto terms = [](const EnergyReport& e) {
        return std::array{e.kinetic,   e.potential,    e.elastic, e.dissipated,
                          e.wall_work, e.gravity_work, e.poured,  e.removed};
    };
    const auto before = terms(last_), after = terms(now);
    for (std::size_t k = 0; k < after.size(); ++k) passed_ += std::fabs(after[k] - before[k]);
    drift_ = std::fmax(drift_, std::fabs(now.total() - first_));
    last_ = now;
}

EnergyAudit audited_run(Simulation& simulation, double time, int stride) {
    EnergyAudit audit(simulation);
    const std::int64_t steps = simulation.steps_until(time);
    while (simulation.step_count() < steps) {
        simulation.step();
        if (simulation.step_count() % stride == 0) audit.sample(simulation);
    }
    audit.sample(simulation);
    return audit;
}

Scene box_of_grains(int dimension, LawKind law, std::int64_t count) {
    Scene scene = empty(dimension, law);
    const double side = 24e-3, height = (dimension == 3 ? 30e-3 : 60e-3);
    const Vec3 high = dimension == 3 ? Vec3{side, side, height} : Vec3{side, height, 0};
    add_wall(scene, "box", BoxWall{{}, high});
    add_region(scene, "inside", BoxShape{{}, high});
    GrainGroup& grains = fill_region(scene, "inside", count);
    grains.radius.kind = RadiusDistribution::Kind::uniform;
    grains.radius.first = 0.8 * grain_radius;
    grains.radius.second = 1.2 * grain_radius;
    grains.velocity = dimension == 3 ? Vec3{0.1, 0.05, -0.2} : Vec3{0.1, -0.2, 0};
    return scene;
}

Scene poured_bed(LawKind law) {
    Scene scene = empty(3, law);
    add_wall(scene, "box", BoxWall{{}, {20e-3, 20e-3, 40e-3}});
    add_region(scene, "inlet", BoxShape{{0, 0, 25e-3}, {20e-3, 20e-3, 40e-3}});
    pour_region(scene, "inlet", 1000, 60, {0, 0, -0.3});
    return scene;
}

Scene periodic_pour(LawKind law) {
    Scene scene = empty(2, law);
    scene.gravity = {1, -g, 0};
    scene.periodic[0] = std::pair{2e-3, 32e-3};
    add_floor(scene);
    add_region(scene, "inlet", BoxShape{{2e-3, 20e-3, 0}, {32e-3, 26e-3, 0}});
    pour_region(scene, "inlet", 800, 60, {0.1, -0.3, 0});
    return scene;
}

Scene vibrated_box(LawKind law, Wave wave) {
    Scene scene = box_of_grains(3, law, 50);
    scene.walls[0].motion = Vibrate{{0, 0, 1e-3}, 30, wave};
    return scene;
}

Scene rotating_drum(LawKind law) {
    Scene scene = empty(3, law);
    add_wall(scene, "drum", CylinderWall{{0, 0, 0}, {0, 16e-3, 0}, 15e-3}).motion = Rotate{{0, 1, 0}, {}, 12};
    add_wall(scene, "front", PlaneWall{{0, 0, 0}, {0, 1, 0}});
    add_wall(scene, "back", PlaneWall{{0, 16e-3, 0}, {0, -1, 0}}).motion = Rotate{{0, 1, 0}, {}, 12};
    add_region(scene, "inside", CylinderShape{{0, 0, 0}, {0, 16e-3, 0}, 14e-3});
    fill_region(scene, "inside", 60);
    return scene;
}

Scene turning_gravity(LawKind law) {
    Scene scene = empty(3, law);
    add_wall(scene, "tube", CylinderWall{{0, 0, -25e-3}, {0, 0, 25e-3}, 11e-3});
    add_wall(scene, "neck", DiscWall{{0, 0, 0}, {0, 0, 1}, 11e-3, 7e-3});
    add_wall(scene, "bottom", PlaneWall{{0, 0, -25e-3}, {0, 0, 1}});
    add_wall(scene, "top", PlaneWall{{0, 0, 25e-3}, {0, 0, -1}});
    add_region(scene, "upper", CylinderShape{{0, 0, 2e-3}, {0, 0, 24e-3}, 10.5e-3});
    fill_region(scene, "upper", 40);
    scene.gravity_turn = GravityTurn{{0, 1, 0}, pi, 0.05, 0.12};
    return scene;
}

Scene pouring_and_outflow(LawKind law) {
    Scene scene = empty(3, law);
    add_wall(scene, "tube", CylinderWall{{0, 0, 0}, {0, 0, 40e-3}, 12e-3});
    add_wall(scene, "bottom", DiscWall{{0, 0, 0}, {0, 0, 1}, 12e-3, 8e-3});
    add_region(scene, "inlet", CylinderShape{{0, 0, 20e-3}, {0, 0, 40e-3}, 12e-3});
    add_region(scene, "here", BoxShape{{-20e-3, -20e-3, -6e-3}, {20e-3, 20e-3, 60e-3}});
    pour_region(scene, "inlet", 800, 100, {0, 0, -0.3});
    scene.outflow_region = "here";
    return scene;
}

Scene damped_bed(LawKind law) {
    Scene scene = box_of_grains(3, law, 50);
    scene.damping = 2e-3;
    scene.rotation_damping = 1e-9;
    return scene;
}

Scene pistons(LawKind law) {
    Scene scene = empty(3, law);
    contact(scene).contact_time = 5e-4;
    scene.materials[0].young = 1e7;
    add_wall(scene, "tube", CylinderWall{{0, 0, 0}, {0, 0, 60e-3}, 10e-3});
    add_wall(scene, "lid", PlaneWall{{0, 0, 30e-3}, {0, 0, -1}}).motion = FreePiston{4e-3, {0, 0, 1}, -0.03, 0.02};
    add_wall(scene, "floor", PlaneWall{{0, 0, 0}, {0, 0, 1}}).motion = FreePiston{30e-3, {0, 0, 1}, 0.45};
    add_region(scene, "inside", CylinderShape{{0, 0, 0}, {0, 0, 29e-3}, 10e-3});
    fill_region(scene, "inside", 50);
    return scene;
}

Scene periodic_chute(LawKind law) {
    Scene scene = empty(3, law);
    scene.gravity = {g * 0.5, 0, -g * 0.866};
    scene.periodic[0] = std::pair{-6e-3, 14e-3};
    scene.periodic[1] = std::pair{0.0, 16e-3};
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    add_region(scene, "inside", BoxShape{{-6e-3, 0, 0}, {14e-3, 16e-3, 20e-3}});
    fill_region(scene, "inside", 45).velocity = {0.3, 0.1, 0};
    return scene;
}

Scene drained_box(LawKind law) {
    Scene scene = box_of_grains(3, law, 40);
    scene.walls.clear();
    add_wall(scene, "sides", CylinderWall{{12e-3, 12e-3, 0}, {12e-3, 12e-3, 30e-3}, 12e-3});
    add_wall(scene, "floor", DiscWall{{12e-3, 12e-3, 0}, {0, 0, 1}, 12e-3, 0}).open_at = 0.1;
    scene.regions[0].shape = CylinderShape{{12e-3, 12e-3, 0}, {12e-3, 12e-3, 30e-3}, 12e-3};
    add_region(scene, "here", BoxShape{{-1, -1, -5e-3}, {1, 1, 1}});
    scene.outflow_region = "here";
    return scene;
}

Scene several_materials(LawKind law) {
    Scene scene = box_of_grains(3, law, 30);
    Material heavy = scene.materials[0];
    heavy.name = "heavy";
    heavy.density = 7800;
    heavy.contact.restitution = 0.9;
    heavy.contact.friction = 0.1;
    heavy.contact.rolling_friction = 0.05;
    scene.materials[0].contact.rolling_friction = 0.1;
    scene.materials.push_back(heavy);
    Interaction both;
    both.first = "stuff";
    both.second = "heavy";
    both.friction = 0.7;
    scene.interactions.push_back(both);
    fill_region(scene, "inside", 20).material = "heavy";
    GrainGroup& fixed = add_grain(scene, {12e-3, 12e-3, 7e-3}, 3e-3);
    fixed.fixed = true;
    fixed.material = "heavy";
    std::rotate(scene.grains.rbegin(), scene.grains.rbegin() + 1, scene.grains.rend());
    BallsWall balls;
    balls.like = DiscWall{{12e-3, 12e-3, 0}, {0, 0, 1}, 10e-3, 0};
    balls.radius = 1.5e-3;
    balls.spacing = 2.5e-3;
    add_wall(scene, "rough", balls).material = "heavy";
    return scene;
}

Scene polydisperse(double ratio, LawKind law) {
    Scene scene = empty(3, law);
    const double large = 4e-3;
    // The smallest ones are squeezed by the large ones: contacts as short as they are small.
    contact(scene).contact_time = 1e-3 / ratio;
    scene.materials[0].young = 2e6 * ratio;
    contact(scene).viscosity = 5e-4 / ratio;
    scene.duration = 150 * *contact(scene).contact_time;
    add_wall(scene, "box", BoxWall{{}, {20e-3, 20e-3, 24e-3}});
    add_region(scene, "inside", BoxShape{{}, {20e-3, 20e-3, 24e-3}});
    fill_region(scene, "inside", 6, large).velocity = {0.1, 0, 0.1};
    fill_region(scene, "inside", 60, large / std::sqrt(ratio)).velocity = {0, -0.1, 0};
    fill_region(scene, "inside", 250, large / ratio).velocity = {0, 0.1, -0.2};
    return scene;
}

std::vector<std::pair<std::string, Scene>> all(LawKind law) {
    return {{"bed_3d", box_of_grains(3, law)},
            {"discs_2d", box_of_grains(2, law, 60)},
            {"poured", poured_bed(law)},
            {"periodic_pour", periodic_pour(law)},
            {"vibrated", vibrated_box(law)},
            {"tapped", vibrated_box(law, Wave::tap)},
            {"drum", rotating_drum(law)},
            {"hourglass", turning_gravity(law)},
            {"outflow", pouring_and_outflow(law)},
            {"damped", damped_bed(law)},
            {"pistons", pistons(law)},
            {"chute", periodic_chute(law)},
            {"drained", drained_box(law)},
            {"materials", several_materials(law)},
            {"ratio_10", polydisperse(10, law)}};
}

}  // namespace scree::scenes
