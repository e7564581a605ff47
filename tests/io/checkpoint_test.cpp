#include "io/checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <limits>

#include "io/files.h"
#include "io/synthetic.h"
#include "scree/error.h"

namespace scree {
namespace {

using test::made_up_checkpoint;
using test::TemporaryFolder;

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same(const Checkpoint& a, const Checkpoint& b) {
    EXPECT_EQ(a.world.step, b.world.step);
    EXPECT_EQ(a.world.time_step, b.world.time_step);
    EXPECT_EQ(a.world.automatic_step, b.world.automatic_step);
    EXPECT_EQ(a.world.next_id, b.world.next_id);
    EXPECT_EQ(a.world.removed, b.world.removed);
    EXPECT_EQ(a.world.max_overlap, b.world.max_overlap);
    EXPECT_EQ(std::memcmp(&a.world.energy, &b.world.energy, sizeof(EnergyAccount)), 0);
    Grains other = b.world.grains;
    std::vector<const void*> fields;
    visit_fields(other, [&](const char*, const char*, auto& values) { fields.push_back(&values); });
    std::size_t field = 0;
    visit_fields(a.world.grains, [&](const char* name, const char*, const auto& values) {
        EXPECT_TRUE(same_bytes(values, *static_cast<std::remove_cvref_t<decltype(values)> const*>(fields[field++])))
            << name;
    });
    EXPECT_TRUE(same_bytes(a.world.walls, b.world.walls));
    EXPECT_TRUE(same_bytes(a.world.pours, b.world.pours));
    EXPECT_EQ(a.contacts.width, b.contacts.width);
    EXPECT_EQ(a.contacts.a, b.contacts.a);
    EXPECT_EQ(a.contacts.b, b.contacts.b);
    EXPECT_TRUE(same_bytes(a.contacts.memory, b.contacts.memory));
    EXPECT_EQ(a.contacts.wall_grain, b.contacts.wall_grain);
    EXPECT_EQ(a.contacts.wall, b.contacts.wall);
    EXPECT_EQ(a.contacts.feature, b.contacts.feature);
    EXPECT_TRUE(same_bytes(a.contacts.wall_memory, b.contacts.wall_memory));
    EXPECT_EQ(a.names.materials, b.names.materials);
    EXPECT_EQ(a.names.groups, b.names.groups);
    EXPECT_EQ(a.names.walls, b.names.walls);
    EXPECT_EQ(a.output, b.output);
    EXPECT_EQ(a.scene, b.scene);
}

std::size_t files_in(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

TEST(checkpoint, gives_back_every_bit) {
    const TemporaryFolder folder;
    for (const std::size_t grains : {0u, 1u, 2u, 1000u})
        for (const int width : {0, 1, 3, 7}) {
            const Checkpoint written = made_up_checkpoint(grains, width);
            test::write(folder.path / "c.h5", written);
            expect_same(written, read_checkpoint(folder.path / "c.h5"));
        }
    EXPECT_EQ(files_in(folder.path), 1u);
}

TEST(checkpoint, keeps_nan_and_negative_zero_of_a_broken_state) {
    const TemporaryFolder folder;
    Checkpoint written = made_up_checkpoint(10);
    written.world.grains.row[3].x = std::nan("7");
    written.world.grains.row[4].vy = -0.0;
    test::write(folder.path / "c.h5", written);
    expect_same(written, read_checkpoint(folder.path / "c.h5"));
}

TEST(checkpoint, of_equal_states_has_equal_bytes) {
    const TemporaryFolder folder;
    test::write(folder.path / "a.h5", made_up_checkpoint(50));
    test::write(folder.path / "b.h5", made_up_checkpoint(50));
    EXPECT_EQ(test::bytes_of(folder.path / "a.h5"), test::bytes_of(folder.path / "b.h5"));
}

TEST(checkpoint, is_read_by_h5py) {
    const TemporaryFolder folder;
    test::write(folder.path / "c.h5", made_up_checkpoint(5));
    const std::string command =
        SCREE_PYTHON " " SCREE_SOURCE_DIR "/tests/io/read_checkpoint.py " + (folder.path / "c.h5").string();
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST(checkpoint, damage_of_any_kind_is_recognised) {
    const TemporaryFolder folder;
    const auto path = folder.path / "c.h5";
    test::write(path, made_up_checkpoint(20));
    const std::string good = test::bytes_of(path);
    const auto refused = [&](const std::string& bytes) {
        test::set_bytes(path, bytes);
        try {
            read_checkpoint(path);
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
            return error.kind() == ErrorKind::file || error.kind() == ErrorKind::bad_input;
        }
        return false;
    };
    EXPECT_TRUE(refused(""));
    EXPECT_TRUE(refused("title = \"a scene\"\n"));
    EXPECT_TRUE(refused(good + "x"));
    Random random(3, 4);
    for (int k = 0; k < 200; ++k) {
        EXPECT_TRUE(refused(good.substr(0, random.below(good.size())))) << "truncated";
        std::string flipped = good;
        const std::size_t at = k < 40 ? random.below(512) : random.below(good.size());
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << random.below(8)));
        EXPECT_TRUE(refused(flipped)) << "bit flipped in byte " << at;
        std::string overwritten = good;
        overwritten.replace(random.below(good.size() - 100), 100, 100, static_cast<char>(random.below(256)));
        EXPECT_TRUE(overwritten == good || refused(overwritten)) << "overwritten";
    }
    EXPECT_FALSE(refused(good));
}

TEST(checkpoint, with_indices_to_nowhere_is_refused) {
    const TemporaryFolder folder;
    const auto refused = [&](auto&& spoil) {
        Checkpoint c = made_up_checkpoint(20);
        spoil(c);
        test::write(folder.path / "c.h5", c);
        EXPECT_THROW(read_checkpoint(folder.path / "c.h5"), Error);
    };
    refused([](Checkpoint& c) { c.world.grains.id[3] = c.world.grains.id[4]; });
    refused([](Checkpoint& c) { c.world.grains.id[3] = c.world.next_id; });
    refused([](Checkpoint& c) { c.world.grains.material[3] = 2; });
    refused([](Checkpoint& c) { c.world.grains.group[3] = 3; });
    refused([](Checkpoint& c) { c.contacts.a[0] = 0; });
    refused([](Checkpoint& c) { c.contacts.wall[0] = 2; });
    refused([](Checkpoint& c) { c.contacts.wall.pop_back(); });
    refused([](Checkpoint& c) { c.world.grains.images.pop_back(); });
    refused([](Checkpoint& c) { c.world.time_step = 0; });
    refused([](Checkpoint& c) { c.names.walls.pop_back(); });
}

TEST(checkpoint, of_a_state_that_cannot_go_on_is_passed_over) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path / "checkpoints");
    std::filesystem::create_directory(folder.path / "checkpoints");
    Checkpoint first = made_up_checkpoint(5);
    first.world.step = 10;
    ASSERT_NO_THROW(require_sound(first));
    test::write(checkpoints.path_for(10), first);
    const auto passed_over = [&](auto&& spoil) {
        Checkpoint c = made_up_checkpoint(5);
        c.world.step = 20;
        spoil(c);
        test::write(checkpoints.path_for(20), c);
        return find_checkpoint(folder.path, {}).checkpoint.world.step == 10;
    };
    EXPECT_FALSE(passed_over([](Checkpoint&) {}));
    constexpr double none = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(passed_over([](Checkpoint& c) { c.world.grains.row[2].radius = none; }));
    EXPECT_TRUE(passed_over([](Checkpoint& c) { c.world.grains.row[2].radius = 0; }));
    EXPECT_TRUE(passed_over([](Checkpoint& c) { c.world.grains.row[2].inverse_mass = -1; }));
    EXPECT_TRUE(passed_over([](Checkpoint& c) { c.world.grains.row[2].vz = endless; }));
    EXPECT_TRUE(passed_over([](Checkpoint& c) { c.world.grains.spin[0].inverse_radius = endless; }));
    EXPECT_TRUE(passed_over([](Checkpoint& c) { c.world.walls[0].force.x = none; }));
    EXPECT_TRUE(passed_over([](Checkpoint& c) { c.contacts.memory[0] = none; }));
    EXPECT_TRUE(passed_over([](Checkpoint& c) { c.output.frame_steps = {5, 4}; }));
    EXPECT_TRUE(passed_over([](Checkpoint& c) { c.world.time_step = endless; }));
}

TEST(checkpoint, of_another_scene_is_refused) {
    Scene scene;
    scene.materials.resize(2);
    scene.walls.resize(2);
    scene.grains.resize(3);
    Checkpoint c = made_up_checkpoint(5);
    for (std::size_t k = 0; k < 2; ++k) scene.materials[k].name = c.names.materials[k];
    for (std::size_t k = 0; k < 2; ++k) scene.walls[k].name = c.names.walls[k];
    for (std::size_t k = 0; k < 3; ++k) scene.grains[k].name = c.names.groups[k];
    c.world.pours.resize(3);
    ASSERT_NO_THROW(require_state_of(scene, c));
    const auto refused = [&](auto&& spoil) {
        Checkpoint other = c;
        spoil(other);
        EXPECT_THROW(require_state_of(scene, other), Error);
    };
    refused([](Checkpoint& o) { o.names.materials[0] = "water"; });
    refused([](Checkpoint& o) { o.names.walls.pop_back(); });
    refused([](Checkpoint& o) { o.names.groups.resize(2); });
    refused([](Checkpoint& o) { o.world.pours.pop_back(); });
}

// 10^12 rows that are not there.
TEST(checkpoint, whose_tables_claim_more_than_is_stored_asks_for_no_memory) {
    const TemporaryFolder folder;
    for (const char* change :
         {"g=f['grains']; del g['id']; d=g.create_dataset('id', (10**12,), dtype='<u4', "
          "chunks=(1000,)); d.attrs['columns']=numpy.string_('id')",
          "g=f['names']; del g['walls']; g.create_dataset('walls', (10**11,), dtype='S8', chunks=(10,))"}) {
        const auto path = folder.path / "c.h5";
        test::write(path, made_up_checkpoint(4));
        const std::string program = folder.path / "change.py";
        test::set_bytes(program,
                        fmt::format("import h5py, numpy, sys\nf = h5py.File(sys.argv[1], 'r+')\n{}\n", change));
        ASSERT_EQ(std::system(fmt::format("{} {} {}", SCREE_PYTHON, program, path.string()).c_str()), 0);
        const FileHandle file(path, O_RDWR, "open");
        seal_checkpoint(file.get(), path);
        try {
            read_checkpoint(path);
            ADD_FAILURE() << change;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::file);
            EXPECT_NE(std::string(error.what()).find("claims"), std::string::npos) << error.what();
        }
    }
}

TEST(checkpoint, of_a_newer_format_is_refused_with_advice) {
    const TemporaryFolder folder;
    test::write(folder.path / "c.h5", made_up_checkpoint(2));
    const std::string good = test::bytes_of(folder.path / "c.h5");
    // A digit of the title alone is damage.
    std::string bytes = good;
    bytes.replace(bytes.find("format 1"), 8, "format 9");
    test::set_bytes(folder.path / "c.h5", bytes);
    try {
        read_checkpoint(folder.path / "c.h5");
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::file) << error.what();
    }
    test::set_bytes(folder.path / "c.h5", good);
    const std::string program = "import h5py, sys; h5py.File(sys.argv[1], 'r+').attrs.modify('format_version', 9)";
    const std::string command = fmt::format("{} -c \"{}\" {}", SCREE_PYTHON, program, (folder.path / "c.h5").string());
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const FileHandle file(folder.path / "c.h5", O_RDWR, "open");
    seal_checkpoint(file.get(), folder.path / "c.h5");
    try {
        read_checkpoint(folder.path / "c.h5");
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_NE(std::string(error.what()).find("newer"), std::string::npos) << error.what();
    }
}

TEST(checkpoint, that_does_not_fit_leaves_the_old_one_and_nothing_else) {
    const TemporaryFolder folder;
    const auto path = folder.path / "c.h5";
    test::write(path, made_up_checkpoint(300));
    const std::string old = test::bytes_of(path);
    signal(SIGXFSZ, SIG_IGN);
    rlimit unlimited{};
    getrlimit(RLIMIT_FSIZE, &unlimited);
    Checkpoint next = made_up_checkpoint(300);
    next.world.step += 1;
    for (std::size_t room = 0; room < old.size(); room += 1 + old.size() / 37) {
        rlimit limit = unlimited;
        limit.rlim_cur = room;
        setrlimit(RLIMIT_FSIZE, &limit);
        EXPECT_THROW(test::write(path, next), Error) << room;
        setrlimit(RLIMIT_FSIZE, &unlimited);
        EXPECT_EQ(files_in(folder.path), 1u);
        EXPECT_EQ(test::bytes_of(path), old);
    }
    test::write(path, next);
    expect_same(next, read_checkpoint(path));
}

TEST(checkpoint_folder, keeps_the_last_two_and_sweeps_up_after_a_killed_run) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path);
    for (const std::int64_t step : {5L, 10'000'000'000'000L, 40L, 300L})
        test::set_bytes(checkpoints.path_for(step), "x");
    test::set_bytes(temporary_name(checkpoints.path_for(7)), "half");
    test::set_bytes(folder.path / "invalid_000000000007.h5", "kept");
    const std::vector<std::filesystem::path> newest_first = {checkpoints.path_for(10'000'000'000'000),
                                                             checkpoints.path_for(300), checkpoints.path_for(40),
                                                             checkpoints.path_for(5)};
    EXPECT_EQ(checkpoints.list(), newest_first);
    checkpoints.prune();
    EXPECT_EQ(checkpoints.list(), std::vector(newest_first.begin(), newest_first.begin() + 2));
    EXPECT_EQ(files_in(folder.path), 3u);
}

TEST(checkpoint_folder, a_damaged_newest_one_is_passed_over_with_a_warning) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path / "checkpoints");
    std::filesystem::create_directory(folder.path / "checkpoints");
    std::vector<std::string> warnings;
    const auto warn = [&](const std::string& warning) { warnings.push_back(warning); };
    EXPECT_THROW(find_checkpoint(folder.path, warn), Error);
    Checkpoint first = made_up_checkpoint(5), second = made_up_checkpoint(6);
    first.world.step = 10;
    second.world.step = 20;
    test::write(checkpoints.path_for(10), first);
    test::write(checkpoints.path_for(20), second);
    EXPECT_EQ(find_checkpoint(folder.path, warn).checkpoint.world.step, 20);
    EXPECT_TRUE(warnings.empty());
    std::filesystem::resize_file(checkpoints.path_for(20), 3000);
    const FoundCheckpoint found = find_checkpoint(folder.path, warn);
    EXPECT_EQ(found.checkpoint.world.step, 10);
    EXPECT_EQ(found.path, checkpoints.path_for(10));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("damaged"), std::string::npos) << warnings[0];
    // What a loss of power may leave: nothing, or zeros.
    for (const std::uintmax_t size : {0, 300, 5000}) {
        std::filesystem::resize_file(checkpoints.path_for(20), 0);
        std::filesystem::resize_file(checkpoints.path_for(20), size);
        EXPECT_EQ(find_checkpoint(folder.path, warn).checkpoint.world.step, 10) << size;
    }
    EXPECT_EQ(warnings.size(), 4u);
    std::filesystem::resize_file(checkpoints.path_for(10), 100);
    EXPECT_THROW(find_checkpoint(folder.path, warn), Error);
}

}  // namespace
}  // namespace scree
