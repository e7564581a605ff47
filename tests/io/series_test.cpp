#include "io/series.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include "io/synthetic.h"
#include "scree/error.h"

namespace scree {
namespace {

SeriesSample sample() {
    SeriesSample s;
    s.time = 0.1;
    s.energy = {1, 0.25, 2, 3, 4, 0.5, 0.75, 5, 6, 7, 8};
    s.grains = 10;
    s.contacts = 20;
    s.max_overlap = 1.0 / 3;
    s.removed = 2;
    s.walls.resize(2);
    s.walls[0].name = "floor";
    s.walls[0].force = {1, 2, 3};
    s.walls[0].torque = {4, 5, 6};
    s.walls[1].name = "a, \"b\"";
    s.walls[1].moving = true;
    s.walls[1].displacement = {0.5, 0, -0.5};
    s.walls[1].velocity = {7, 8, 1e-300};
    return s;
}

TEST(series, names_and_numbers_stand_in_the_same_columns) {
    EXPECT_EQ(
        series_names(sample().walls),
        "time,kinetic,potential,elastic,dissipated,grains,contacts,max_overlap,removed,rotational,dissipated_sliding,"
        "dissipated_damping,wall_work,gravity_work,poured_energy,removed_energy,energy_total,"
        "wall.floor.fx,wall.floor.fy,wall.floor.fz,wall.floor.tx,wall.floor.ty,wall.floor.tz,"
        "\"wall.a, \"\"b\"\".fx\",\"wall.a, \"\"b\"\".fy\",\"wall.a, \"\"b\"\".fz\","
        "\"wall.a, \"\"b\"\".tx\",\"wall.a, \"\"b\"\".ty\",\"wall.a, \"\"b\"\".tz\","
        "\"wall.a, \"\"b\"\".x\",\"wall.a, \"\"b\"\".y\",\"wall.a, \"\"b\"\".z\","
        "\"wall.a, \"\"b\"\".vx\",\"wall.a, \"\"b\"\".vy\",\"wall.a, \"\"b\"\".vz\"\n");
    // energy_total = 1 + 2 + 3 + 4 - 5 - 6 - 7 + 8
    EXPECT_EQ(series_row(sample()),
              "0.1,1,2,3,4,10,20,0.3333333333333333,2,0.25,0.5,0.75,5,6,7,8,0,1,2,3,4,5,6,"
              "0,0,0,0,0,0,0.5,0,-0.5,7,8,1e-300\n");
}

TEST(series, goes_on_where_the_checkpoint_was) {
    const test::TemporaryFolder folder;
    const auto path = folder.path / "series.csv";
    std::uint64_t bytes = 0;
    {
        SeriesFile series = SeriesFile::create(path, "time,x\n");
        series.append("0,1\n");
        bytes = series.bytes();
        series.append("1,lost\n");
    }
    SeriesFile series = SeriesFile::reopen(path, bytes);
    series.append("1,2\n");
    EXPECT_EQ(test::bytes_of(path), "time,x\n0,1\n1,2\n");
    EXPECT_THROW(SeriesFile::reopen(path, 1000), Error);
}

TEST(series, half_a_row_is_taken_back_when_the_disk_is_full) {
    const test::TemporaryFolder folder;
    const auto path = folder.path / "series.csv";
    SeriesFile series = SeriesFile::create(path, "time,x\n");
    signal(SIGXFSZ, SIG_IGN);
    rlimit unlimited{};
    getrlimit(RLIMIT_FSIZE, &unlimited);
    rlimit limit = unlimited;
    limit.rlim_cur = 9;
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
        series.append("0,12345\n");
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::file);
    }
    setrlimit(RLIMIT_FSIZE, &unlimited);
    EXPECT_EQ(test::bytes_of(path), "time,x\n");
    series.append("0,1\n");
    EXPECT_EQ(test::bytes_of(path), "time,x\n0,1\n");
}

}  // namespace
}  // namespace scree
