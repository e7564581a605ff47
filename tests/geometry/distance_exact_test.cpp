// Distances of hard pairs against exact answers, each certified on its own (distance_certificate.h).
#include <gtest/gtest.h>

#include "distance_cases.h"
#include "distance_certificate.h"

namespace scree {
namespace {

using cases::Kind;

constexpr double allowed = 1e-12;  // of the body size

class DistanceOf : public testing::TestWithParam<Kind> {};

TEST_P(DistanceOf, equals_the_exact_answer) {
    const std::uint64_t count = cases::count_of(2000, 100000);
    int decided_exactly = 0, separated = 0;
    double worst = 0;
    for (std::uint64_t number = 0; number < count; ++number) {
        const cases::Pair pair = cases::draw(GetParam(), number);
        const Polyhedron a(pair.a), b(pair.b);
        WarmStart warm;
        const Distance d = distance(a, b, &warm);
        const ExactDistance exact = exact_distance(vertex_set(a), vertex_set(b),
                                                   std::span(warm.pair).first(static_cast<std::size_t>(warm.count)));
        ASSERT_EQ(refute(pair.a, pair.b, a, b, exact), "") << "pair " << number;
        ASSERT_EQ(d.relation, exact.relation) << "pair " << number << ", exact distance " << exact.digits(20);
        const double tolerance = allowed * std::max(pair.size, exact.distance);
        ASSERT_LE(std::fabs(d.distance - exact.distance), std::min(tolerance, d.error + 1e-15 * pair.size))
            << "pair " << number;
        worst = std::max(worst, std::fabs(d.distance - exact.distance) / pair.size);
        // The points realise the distance, along the normal.
        const double spread = norm(d.point_a) + norm(d.point_b);
        ASSERT_LE(norm(d.point_b - d.point_a - d.distance * d.normal), tolerance + 1e-15 * spread) << "pair " << number;
        // A further query from the simplex left behind says the same.
        const Distance again = distance(a, b, &warm);
        ASSERT_EQ(again.relation, exact.relation) << "pair " << number;
        ASSERT_LE(std::fabs(again.distance - exact.distance), tolerance) << "pair " << number;
        decided_exactly += d.exact;
        separated += d.relation == Relation::separated;
    }
    RecordProperty("decided_by_integers", decided_exactly);
    RecordProperty("separated", separated);
    RecordProperty("worst_error_of_size", std::to_string(worst));
    std::printf("    %-18s %llu pairs, %d separated, %d decided by integers, worst error %.2g of the size\n",
                cases::name_of(GetParam()).c_str(), static_cast<unsigned long long>(count), separated, decided_exactly,
                worst);
}

INSTANTIATE_TEST_SUITE_P(pairs, DistanceOf, testing::ValuesIn(cases::all_kinds()),
                         [](const auto& parameter) { return cases::name_of(parameter.param); });

}  // namespace
}  // namespace scree
