// The library as a program inside uses it, by its public headers alone.
#include <gtest/gtest.h>
#include <scree/scree.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <thread>
#include <utility>

namespace {

namespace fs = std::filesystem;

// A folder of its own for a test, removed at its end.
class Folder {
  public:
    Folder()
        : path_(fs::temp_directory_path() /
                ("scree_library_" + std::to_string(::getpid()) + "_" + std::to_string(++count_))) {
        fs::create_directories(path_);
    }
    ~Folder() { fs::remove_all(path_); }
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  private:
    static inline int count_ = 0;
    fs::path path_;
};

const char* const bed = R"(
[simulation]
duration = 0.02
[materials.glass]
contact_time = 1e-3
[[regions]]
name = "inside"
box = [[0, 0, 0], [0.02, 0.02, 0.03]]
[[walls]]
name = "box"
kind = "box"
min = [0, 0, 0]
max = [0.02, 0.02, 0.06]
[[grains]]
name = "beads"
radius = { uniform = [1.5e-3, 2e-3] }
place = { random = "inside", density = 0.3 }
velocity = [0.1, 0, -0.3]
[output]
frames = 0.005
series = 0.001
)";

scree::Scene bed_scene() { return scree::parse_scene(bed); }

std::string kind_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const scree::Error& error) {
        return std::to_string(static_cast<int>(error.kind())) + ": " + error.what();
    }
    return "nothing was thrown";
}

TEST(simulation, is_stepped_to_a_time_and_looked_at_on_the_way) {
    scree::Simulation plain(bed_scene()), watched(bed_scene());
    plain.run();
    EXPECT_NEAR(plain.time(), 0.02, plain.time_step().value);
    std::vector<double> times;
    watched.every(0.004, [&](scree::Simulation& now) {
        times.push_back(now.time());
        EXPECT_GT(now.energy().kinetic, 0);
        EXPECT_GT(now.measure("density").value("density"), 0.1);
    });
    watched.run_until(0.01);
    EXPECT_EQ(watched.step_count(), watched.steps_until(0.01));
    watched.run_until(0.005);  // has passed
    EXPECT_EQ(watched.step_count(), watched.steps_until(0.01));
    watched.run();
    ASSERT_EQ(times.size(), 5u);
    for (std::size_t k = 0; k < times.size(); ++k)
        EXPECT_NEAR(times[k], 0.004 * static_cast<double>(k + 1), watched.time_step().value);
    EXPECT_EQ(watched.hash(), plain.hash());
    EXPECT_EQ(plain.hash().size(), 16u);
}

TEST(simulation, is_ended_by_stop_and_goes_on) {
    scree::Simulation simulation(bed_scene());
    simulation.every(0.004, [](scree::Simulation& now) {
        if (now.time() < 0.006) now.stop();
    });
    simulation.run();
    EXPECT_TRUE(simulation.stopped());
    EXPECT_NEAR(simulation.time(), 0.004, simulation.time_step().value);
    simulation.run();
    EXPECT_FALSE(simulation.stopped());
    EXPECT_NEAR(simulation.time(), 0.02, simulation.time_step().value);
    scree::Simulation plain(bed_scene());
    plain.run();
    EXPECT_EQ(simulation.hash(), plain.hash());
}

TEST(simulation, what_a_look_throws_comes_out_and_the_simulation_stays_good) {
    scree::Simulation simulation(bed_scene());
    bool thrown = false;
    simulation.every(0.004, [&](scree::Simulation& now) {
        if (!std::exchange(thrown, true)) throw std::out_of_range("mine");
        EXPECT_EQ(kind_of([&] { now.step(); }).substr(0, 2), "2:");  // no step inside of a step
    });
    EXPECT_THROW(simulation.run(), std::out_of_range);
    simulation.run();
    scree::Simulation plain(bed_scene());
    plain.run();
    EXPECT_EQ(simulation.hash(), plain.hash());
    EXPECT_EQ(kind_of([&] { simulation.every(0, [](scree::Simulation&) {}); }).substr(0, 2), "2:");
}

TEST(simulation, grains_are_arrays_with_strides_and_single_grains) {
    scree::Simulation simulation(bed_scene());
    simulation.run();
    const scree::GrainArrays all = simulation.grains();
    ASSERT_GT(all.size(), 50u);
    EXPECT_EQ(all.position.size(), all.size());
    EXPECT_TRUE(all.shape.empty());
    double kinetic = 0, potential = 0;
    std::vector<bool> met(all.size());
    std::size_t k = 0;
    for (const scree::Grain& grain : simulation.grains()) {
        EXPECT_EQ(grain.position, all.position[k]);
        EXPECT_EQ(grain.velocity, all.velocity[k]);
        EXPECT_NEAR(grain.mass, 2500 * 4 / 3. * 3.14159265358979 * std::pow(grain.radius, 3), 1e-12 * grain.mass);
        met.at(grain.id) = true;
        kinetic += 0.5 * grain.mass * norm2(grain.velocity) +
                   0.2 * grain.mass * grain.radius * grain.radius * norm2(grain.spin);
        potential += grain.mass * 9.81 * grain.position.z;
        ++k;
    }
    EXPECT_TRUE(std::all_of(met.begin(), met.end(), [](bool each) { return each; }));
    const scree::EnergyReport energy = simulation.energy();
    EXPECT_NEAR(kinetic, energy.kinetic, 1e-12 * energy.kinetic);
    EXPECT_NEAR(potential, energy.potential, 1e-12 * energy.potential);
}

// The force of all contacts with the first wall, and the one the wall reports.
struct OnWall {
    scree::Vec3 of_contacts, of_wall;
};
OnWall force_on_wall(scree::Simulation& simulation) {
    OnWall force;
    for (const scree::ContactView& contact : simulation.contacts())
        if (contact.is_wall()) force.of_contacts -= contact.force;
    force.of_wall = simulation.walls().at(0).force;
    return force;
}

// Grains are moved by forces at the velocity v + a dt that is predicted for the end of a step; contacts are shown with
// the velocity at its end. Dampers alone feel the difference, (a' - a) dt / 2.
TEST(simulation, forces_of_contacts_are_those_on_the_wall_but_for_dampers) {
    const auto falling = [](double restitution, double time_step) {
        scree::Scene scene = scree::parse_scene(R"(
[simulation]
duration = 1
gravity = [0, 0, 0]
[materials.glass]
contact_time = 1e-3
friction = 0
[[walls]]
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[grains]]
radius = 2e-3
place = { at = [[0, 0, 2e-3]] }
velocity = [0, 0, -0.1]
)");
        scene.time_step = time_step;
        scene.materials[0].contact.restitution = restitution;
        return scree::Simulation(std::move(scene));
    };
    const auto check = [&](double restitution, double time_step) {
        scree::Simulation ball = falling(restitution, time_step);
        ball.run_until(0.6e-3 - time_step);
        const double before = force_on_wall(ball).of_wall.z;
        ball.run_until(0.6e-3);
        const OnWall now = force_on_wall(ball);
        EXPECT_LT(now.of_wall.z, 0);
        // The damper is 2 ln(1/e) / contact_time per mass, but for a little: a contact ends where its force does.
        const double damper = 2 * std::log(1 / restitution) / 1e-3;
        const double expected = damper * (before - now.of_wall.z) * time_step / 2;
        EXPECT_NEAR(now.of_contacts.z - now.of_wall.z, expected, 0.2 * std::fabs(expected) - 1e-12 * now.of_wall.z);
        return (now.of_contacts.z - now.of_wall.z) / now.of_wall.z;
    };
    check(1, 1e-5);
    EXPECT_NEAR(check(0.6, 1e-5) / check(0.6, 0.5e-5), 4, 0.1);  // of second order in the step

    scree::Simulation settling(bed_scene());
    settling.run();
    const OnWall force = force_on_wall(settling);
    EXPECT_EQ(settling.walls().at(0).name, "box");
    EXPECT_GT(norm(force.of_wall), 0);
    EXPECT_LT(norm(force.of_contacts - force.of_wall), 2e-4 * norm(force.of_wall));
}

TEST(simulation, is_saved_and_goes_on_from_there) {
    const Folder folder;
    scree::Simulation whole(bed_scene()), first(bed_scene());
    whole.run();
    first.run_until(0.008);
    first.save(folder / "state.h5");
    scree::Simulation second = scree::Simulation::load(folder / "state.h5");
    EXPECT_EQ(second.hash(), first.hash());
    EXPECT_EQ(second.step_count(), first.step_count());
    second.run();
    first.run();
    EXPECT_EQ(second.hash(), whole.hash());
    EXPECT_EQ(first.hash(), whole.hash());
    EXPECT_EQ(kind_of([&] { scree::Simulation::load(folder / "none.h5"); }).substr(1, 2), ": ");
}

// The HDF5 library is not made for several threads; ours must be.
TEST(simulation, several_are_run_saved_and_loaded_in_several_threads) {
    const Folder folder;
    scree::Simulation plain(bed_scene());
    plain.run();
    std::vector<std::string> hashes(4);
    std::vector<std::thread> hosts;
    for (std::size_t k = 0; k < hashes.size(); ++k)
        hosts.emplace_back([&, k] {
            const std::string file = folder / ("state" + std::to_string(k));
            scree::Simulation simulation(bed_scene());
            for (int part = 1; part <= 8; ++part) {
                simulation.run_until(0.02 * part / 8);
                simulation.save(file);
                simulation = scree::Simulation::load(file);
            }
            hashes[k] = simulation.hash();
        });
    for (std::thread& host : hosts) host.join();
    for (const std::string& hash : hashes) EXPECT_EQ(hash, plain.hash());
}

TEST(simulation, starts_from_the_grains_of_another_run) {
    const Folder folder;
    scree::Simulation before(bed_scene());
    before.run();
    before.save(folder / "bed.h5");
    scree::Scene scene = bed_scene();
    scene.grains.clear();
    scene.start_from = folder / "bed.h5";
    scree::Simulation after(scene);
    EXPECT_EQ(after.grains().size(), before.grains().size());
    EXPECT_EQ(after.time(), 0);
    scene.start_from = folder / "none.h5";
    EXPECT_NE(kind_of([&] { scree::Simulation none(scene); }).find("start.from"), std::string::npos);
}

// A post beside the border is met by the grains beyond it.
TEST(simulation, walls_are_continued_beyond_periodic_borders) {
    scree::Scene scene = bed_scene();
    scene.walls.clear();
    scene.grains.resize(1);
    scene.gravity = {-10, 0, 0};
    scene.periodic = {std::pair(0., 0.02), std::pair(0., 0.02), std::pair(0., 0.02)};
    scree::Wall post;
    post.name = "post";
    post.material = "glass";
    post.shape = scree::CylinderWall{{0.001, 0.01, 0}, {0.001, 0.01, 0.02}, 0.002};
    post.outside = true;
    scene.walls.push_back(post);
    scene.grains[0].place = scree::PlaceAt{{{0.0155, 0.01, 0.01}}};
    scene.grains[0].velocity = {1, 0, 0};
    scene.grains[0].radius = {scree::RadiusDistribution::Kind::fixed, 1.5e-3, 0, {}, {}};
    scree::Simulation simulation(scene);
    ASSERT_EQ(simulation.walls().size(), 2u);
    EXPECT_EQ(simulation.walls()[1].name, "post_high_x");
    simulation.run_until(0.01);
    EXPECT_LT(simulation.grains().velocity[0].x, 0);  // thrown back by the copy, before the border
}

TEST(simulation, measures_answer_mistakes_with_the_nearest_name) {
    scree::Simulation simulation(bed_scene());
    EXPECT_NE(kind_of([&] { simulation.measure("densty"); }).find("density"), std::string::npos);
    const scree::Table layers = simulation.measure("layers:axis=z,count=4");
    EXPECT_EQ(layers.size(), 4u);
    EXPECT_NE(kind_of([&] { layers.column("densty"); }).find("density"), std::string::npos);
    EXPECT_EQ(kind_of([&] { layers.value("density"); }).substr(0, 2), "2:");
    EXPECT_EQ(layers.column("density").at(1), layers.value("density", 1));
    const std::vector<std::string> names = scree::measure_names();
    EXPECT_NE(std::find(names.begin(), names.end(), "coordination"), names.end());
}

TEST(run, is_written_as_by_the_command_and_read_back) {
    const Folder folder;
    scree::Simulation simulation(bed_scene()), plain(bed_scene());
    plain.run();
    int looks = 0;
    simulation.every(0.01, [&](scree::Simulation&) { ++looks; });
    const scree::RunFolderEnding ending = scree::run_into_folder(simulation, folder / "run");
    EXPECT_EQ(ending.status, "done") << ending.record;
    EXPECT_EQ(looks, 2);
    EXPECT_NE(ending.record.find(plain.hash()), std::string::npos);
    EXPECT_EQ(kind_of([&] {
                  scree::Simulation again(bed_scene());
                  scree::run_into_folder(again, folder / "run");
              }).substr(0, 2),
              "5:");

    const scree::Run run(folder / "run");
    EXPECT_EQ(run.size(), 5u);
    EXPECT_EQ(run.record(), ending.record);
    EXPECT_EQ(run.scene().materials[0].name, "glass");
    EXPECT_EQ(run.nearest(0.011), 2u);
    EXPECT_EQ(run.series().size(), 21u);
    EXPECT_EQ(run.series().column("time").back(), simulation.time());
    std::map<std::uint32_t, scree::Vec3> at;
    for (const scree::Grain& grain : simulation.grains()) at[grain.id] = grain.position;
    const std::vector<scree::Grain> last = run.grains(run.size() - 1);
    ASSERT_EQ(last.size(), at.size());
    for (const scree::Grain& grain : last) EXPECT_EQ(grain.position, at.at(grain.id));
    EXPECT_EQ(run.measure("density").value("density"), simulation.measure("density").value("density"));
    EXPECT_EQ(scree::Simulation::load(folder / "run").hash(), plain.hash());
}

TEST(run, is_ended_by_the_host_with_a_good_checkpoint) {
    const Folder folder;
    scree::Simulation simulation(bed_scene()), plain(bed_scene());
    plain.run();
    const auto ending = scree::run_into_folder(
        simulation, folder / "run",
        {.until = {}, .overwrite = false, .stop = [&] { return simulation.time() > 0.01; }, .note = {}});
    EXPECT_EQ(ending.status, "stopped");
    scree::Simulation rest = scree::Simulation::load(folder / "run");
    EXPECT_GT(rest.time(), 0.01);
    rest.run();
    EXPECT_EQ(rest.hash(), plain.hash());
}

TEST(run, in_parts_has_the_files_of_a_whole_one) {
    const Folder folder;
    scree::Simulation whole(bed_scene());
    scree::run_into_folder(whole, folder / "whole");
    {
        scree::Simulation simulation(bed_scene());
        scree::Recording recording(simulation, folder / "parts");
        EXPECT_EQ(recording.run({.until = 0.0071}).status, "done");
        recording.step(13, {});
        recording.step(1, {});
    }
    scree::Simulation simulation = scree::Simulation::load(folder / "parts");
    scree::Recording recording(simulation, folder / "parts", scree::Recording::Begin::resume);
    EXPECT_EQ(recording.run({}).status, "done");
    EXPECT_EQ(simulation.hash(), whole.hash());
    const auto text = [](const std::string& path) {
        std::ifstream file(path);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    EXPECT_EQ(text(folder / "parts/series.csv"), text(folder / "whole/series.csv"));
    EXPECT_EQ(text(folder / "parts/frames/run.pvd"), text(folder / "whole/frames/run.pvd"));
}

// A ball that a force carries; then its velocity is turned round. All of its energy is work from outside.
TEST(simulation, forces_and_edits_of_a_host_are_in_the_account) {
    const scree::Scene scene = scree::parse_scene(
        "[simulation]\ngravity = [0, 0, 0]\n[materials.m]\n[[grains]]\nradius = 1e-3\nplace = { at = [[0, 0, 0]] }\n");
    scree::Simulation simulation(scene);
    EXPECT_FALSE(simulation.edited());
    const std::vector<scree::Vec3> force{{1e-4, 0, 0}};
    simulation.set_forces(force);
    EXPECT_TRUE(simulation.edited());
    EXPECT_EQ(simulation.forces(), force);
    simulation.run_until(0.01);
    const scree::Grain grain = simulation.grains()[0];
    const double t = simulation.time();
    EXPECT_NEAR(grain.position.x, 0.5 * 1e-4 / grain.mass * t * t, 1e-9 * grain.position.x);
    EXPECT_NEAR(simulation.energy().external_work, 1e-4 * grain.position.x, 1e-12 * simulation.energy().kinetic);
    simulation.set_forces(std::vector<scree::Vec3>(1));
    const double kinetic = simulation.energy().kinetic;
    const scree::MotionArrays motion = simulation.edit_motion();
    motion.velocity[0] *= -2;
    EXPECT_NEAR(simulation.energy().external_work, 4 * kinetic, 1e-9 * kinetic);
    EXPECT_NEAR(simulation.energy().total(), 0, 1e-9 * kinetic);
    simulation.edit_motion().velocity[1] = NAN;
    EXPECT_EQ(kind_of([&] { simulation.step(); }).substr(0, 2), "2:");
    EXPECT_NEAR(simulation.energy().kinetic, 4 * kinetic, 1e-9 * kinetic);
}

TEST(scene, is_read_with_all_its_faults_and_written_again) {
    EXPECT_EQ(scree::parse_scene(scree::write_scene(bed_scene())), bed_scene());
    const std::string faults =
        kind_of([] { scree::parse_scene("[simulation]\nduratio = 1\n[materials.m]\nfriction = -1\n", "bad.toml"); });
    EXPECT_EQ(faults.substr(0, 2), "3:");
    EXPECT_NE(faults.find("bad.toml:2:1"), std::string::npos) << faults;
    EXPECT_NE(faults.find("duration"), std::string::npos) << faults;
    EXPECT_NE(faults.find("bad.toml:4:"), std::string::npos) << faults;
    EXPECT_EQ(bed_scene().duration, 0.02);
    EXPECT_EQ(scree::parse_scene(bed, "bed", {.overrides = {"simulation.duration=3"}, .check_files = true}).duration,
              3);
}

TEST(version, is_that_of_the_headers) {
    EXPECT_EQ(scree::version(), std::to_string(SCREE_VERSION_MAJOR) + "." + std::to_string(SCREE_VERSION_MINOR) + "." +
                                    std::to_string(SCREE_VERSION_PATCH));
}

}  // namespace
