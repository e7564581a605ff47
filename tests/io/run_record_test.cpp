#include "io/run_record.h"

#include <gtest/gtest.h>

#include "io/synthetic.h"

namespace scree {
namespace {

RunRecord record() {
    RunRecord r;
    r.title = "title with \"quotes\" and \xff";
    r.work.wall_seconds = 10;
    r.work.grain_steps = 8'000'000;
    r.work.resumes = 2;
    r.work.profile.seconds = {1, 2, 3, 4, 0, 2};
    NeighborReport& n = r.work.neighbors;
    n.method = "triangulation";
    n.reason = "why";
    n.refreshes = 7;
    n.certified = 5;
    n.fallbacks = 2;
    n.flips = 11;
    n.audited = 7;
    n.changes = 1;
    n.distance_queries = 20;
    n.distance_queries_saved = 300;
    n.repairs = {{"flips", 3}, {"rebuild", 1}};
    n.fallback_reasons = {{"overlaps too deep", 2}};
    return r;
}

TEST(run_record, work_reads_back_and_adds_up) {
    const test::TemporaryFolder folder;
    test::set_bytes(folder.path / "run.json", record_json(record()));
    RunWork work = read_work(folder.path / "run.json");
    EXPECT_EQ(work.grain_steps, 8'000'000);
    EXPECT_EQ(work.grain_steps_per_second(), 1e6);  // 10 s less 2 s of outputs
    work.neighbors.repairs = {{"rebuild", 4}, {"insert", 1}};
    work.add(read_work(folder.path / "run.json"));
    EXPECT_EQ(work.wall_seconds, 20);
    EXPECT_EQ(work.resumes, 4);
    EXPECT_EQ(work.neighbors.refreshes, 14);
    EXPECT_EQ(work.neighbors.certified, 10);
    EXPECT_EQ(work.neighbors.fallbacks, 4);
    EXPECT_EQ(work.profile.seconds[2], 6);
    const std::vector<std::pair<std::string, std::int64_t>> repairs = {{"rebuild", 5}, {"insert", 1}, {"flips", 3}};
    EXPECT_EQ(work.neighbors.repairs, repairs);
    const std::vector<std::pair<std::string, std::int64_t>> reasons = {{"overlaps too deep", 4}};
    EXPECT_EQ(work.neighbors.fallback_reasons, reasons);
    EXPECT_EQ(work.neighbors.audited, 14);
    EXPECT_EQ(work.neighbors.changes, 2);
    EXPECT_EQ(work.neighbors.distance_queries, 40u);
    EXPECT_EQ(work.neighbors.distance_queries_saved, 600u);
}

TEST(run_record, that_cannot_be_read_counts_as_no_work) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(read_work(folder.path / "run.json").grain_steps, 0);
    const std::string good = record_json(record());
    for (const std::string& text :
         {std::string(), good.substr(0, good.size() / 2), std::string("[1, 2]"), std::string("{\"profile\": 3}")}) {
        test::set_bytes(folder.path / "run.json", text);
        EXPECT_EQ(read_work(folder.path / "run.json").grain_steps, 0) << text;
    }
}

}  // namespace
}  // namespace scree
