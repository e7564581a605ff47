// What is computed several at a time (meetings of one grain with many, certificates of facets) against one at a time.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "core/random.h"
#include "events/certificate.h"
#include "events/certificates.h"
#include "events/meetings.h"

namespace scree::events {
namespace {

// Grains packed so that many overlap by rounding, approach, part and miss; some known at one time, some at others;
// images.
template <int D>
void compare(const char* isa, bool weightless) {
    setenv("SCREE_ISA", isa, 1);
    const MeetFunction<D> meet = meet_function<D>();
    unsetenv("SCREE_ISA");
    Random random(11, D);
    const double g[3] = {0, weightless ? 0.0 : -9.81, weightless ? 0.0 : 0.3}, length[3] = {7, 9, 8};
    std::size_t met = 0, tied = 0;
    for (int round = 0; round < 3000; ++round) {
        const std::size_t n = 1 + static_cast<std::size_t>(random.uniform() * 20);
        std::vector<Flight<D>> flights(n + 1);
        for (Flight<D>& f : flights) {
            for (int k = 0; k < D; ++k) {
                f.x[k] = random.uniform(-2, 2);
                f.v[k] = random.uniform(-1, 1);
            }
            f.t = random.uniform() < 0.5 ? 0.25 : random.uniform(0, 0.5);
            f.radius = random.uniform(0.2, 0.6);
        }
        std::vector<Neighbor> others(n + meeting_padding, Neighbor{0, {}});
        for (std::size_t k = 0; k < n; ++k) {
            others[k].grain = static_cast<std::uint32_t>(k + 1);
            if (round % 3 == 0 && random.uniform() < 0.2)
                others[k].image = {1, static_cast<std::int8_t>(k % 3 == 0 ? -1 : 0), 0};
        }
        if (n > 2) {
            flights[2] = flights[1];
            others[1].image = others[0].image;
        }  // these two come at the same time
        if (n > 10) {
            flights[10] = flights[1];
            others[9].image = others[0].image;
        }
        std::vector<double> times(n + meeting_padding);
        std::vector<std::uint32_t> which(n + meeting_padding);
        const Meetings result =
            meet({flights.data(), g, length, weightless}, 0, others.data(), n, times.data(), which.data());
        double first = forever, gap = forever;
        std::vector<std::uint32_t> expected;
        for (std::size_t k = 0; k < n; ++k) {
            double shift[D];
            for (int c = 0; c < D; ++c) shift[c] = others[k].image[static_cast<std::size_t>(c)] * length[c];
            const Approach a = approach(flights[0], flights[others[k].grain], g, shift);
            const double time = a.meets() ? a.time() : forever;
            ASSERT_EQ(times[k], time) << isa << " " << k << " of " << n;
            if (time < first) expected.clear();
            first = std::min(first, time);
            gap = std::min(gap, a.gap());
            if (time == first && time < forever) expected.push_back(static_cast<std::uint32_t>(k));
        }
        ASSERT_EQ(result.first, first);
        ASSERT_EQ(result.gap, gap);
        which.resize(result.count);
        ASSERT_EQ(which, expected);
        met += first < forever;
        tied += expected.size() > 1;
    }
    EXPECT_GT(met, 500u);
    EXPECT_GT(tied, 50u);
}

TEST(meetings, of_many_are_those_of_two_with_every_instruction_set) {
    for (const char* isa : {"baseline", "avx2", "avx512"})
        for (const bool weightless : {true, false}) {
            compare<2>(isa, weightless);
            compare<3>(isa, weightless);
        }
}

template <int D>
void compare_certificates(const char* isa) {
    setenv("SCREE_ISA", isa, 1);
    const CertifyFunction<D> certify = certify_function<D>();
    unsetenv("SCREE_ISA");
    Random random(12, D);
    int staying = 0, resting = 0, others = 0;
    for (int round = 0; round < 1000; ++round) {
        constexpr std::uint32_t sites = 20;
        const bool still = round % 7 == 0;
        alignas(64) double rows[8 * sites] = {};
        for (std::uint32_t v = 0; v < sites; ++v) {
            double* row = rows + 8 * v;
            for (int k = 0; k < D; ++k) {
                row[k] = random.uniform(-1, 1);
                row[D + k] = still ? 0.25 : random.uniform(-1, 1);
            }
            row[2 * D] = random.uniform(0, 0.1);
            row[2 * D + 1] = random.uniform(0, 0.01);
        }
        const auto n = static_cast<std::size_t>(1 + round % 8);
        FacetBatch<D> batch;
        for (int k = 0; k < D + 2; ++k)
            for (std::size_t m = 0; m < certificate_batch; ++m)
                batch.site[k][m] =
                    m < n ? static_cast<std::uint32_t>(4 * k) + static_cast<std::uint32_t>(random.uniform() * 4)
                          : batch.site[k][0];
        const double now = 0.1, ahead = 0.02;
        certify(rows, batch, n, now, ahead);
        for (std::size_t m = 0; m < n; ++m) {
            double site[D + 2][8];
            for (int k = 0; k < D + 2; ++k) std::copy_n(rows + 8 * batch.site[k][m], 8, site[k]);
            const Certificate<D, double> one = certificate<D, double>(site, now);
            double c[D + 3];
            for (int k = 0; k < D + 3; ++k) {
                c[k] = -one.power.c[k] + (k == 0 ? one.slack : 0.0);
                ASSERT_EQ(batch.c[k][m], c[k]) << isa << " coefficient " << k;
            }
            ASSERT_EQ(batch.rests >> m & 1, one.motion == 0 ? 1u : 0u);
            // What is said to stay does, also where it is looked for step by step.
            const bool stays = batch.stays >> m & 1;
            if (stays) {
                for (int k = 0; k <= 10; ++k) {
                    double value = 0;
                    for (int power = D + 2; power >= 0; --power) value = value * (0.1 * k * ahead) + c[power];
                    ASSERT_GT(value, 0);
                }
                ASSERT_EQ(first_negative(c, D + 2, ahead), ahead);
            }
            staying += stays;
            resting += one.motion == 0;
            others += !stays;
        }
    }
    EXPECT_GT(staying, 500);
    EXPECT_GT(resting, 200);
    EXPECT_GT(others, 500);
}

TEST(certificates, of_many_facets_are_those_of_one_with_every_instruction_set) {
    for (const char* isa : {"baseline", "avx2", "avx512"}) {
        compare_certificates<2>(isa);
        compare_certificates<3>(isa);
    }
}

}  // namespace
}  // namespace scree::events
