// How often Newton's rule from a guess finds the nearest point of a spline curve (Montanari 2017, section 4.7.3).
// usage: bench_nurbs_guess > results/nurbs_guess.csv
//
// The published curve is lost but for its degree and knots; this one has three waves. A point crosses it in 500 steps
// at several heights. The guess: GJK tells of which control points the nearest point of their hull is made, and with
// which weights; these weigh the knots of the same numbers (as printed) or the Greville abscissae, and of five samples
// on either side the nearest is the start. A query succeeds when its distance is that of 4000 polished samples to 1e-6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "geometry/nurbs/nurbs_distance.h"
#include "geometry/signed_volumes.h"

namespace scree::bench {
namespace {

constexpr double tolerance = 1e-5;
constexpr int samples_each_side = 5, most_rounds = 100, steps = 500;

Nurbs curve() {
    return nurbs_curve(2, {0, 0, 0, 0.25, 0.5, 0.75, 1, 1, 1},
                       {{0, 0, 0}, {1, 2.5, 0}, {2, -2.5, 0}, {3, 2.5, 0}, {4, -2.5, 0}, {5, 0, 0}});
}

// Halves every span.
Nurbs refined(Nurbs nurbs) {
    const std::vector<double> knots = nurbs.u.knots;
    for (std::size_t k = 0; k + 1 < knots.size(); ++k)
        if (knots[k] < knots[k + 1]) nurbs = with_knot_u(nurbs, 0.5 * (knots[k] + knots[k + 1]));
    return nurbs;
}

// The nearest point of the hull of the control points as their weighted mean.
SimplexPoint nearest_of_hull(const Nurbs& nurbs, Vec3 q, std::array<int, 4>& names) {
    std::vector<int> corners{0};
    for (;;) {
        std::vector<Vec3> simplex;
        for (const int k : corners) simplex.push_back(nurbs.points[static_cast<std::size_t>(k)] - q);
        const SimplexPoint nearest = signed_volumes(simplex);
        std::vector<int> kept;
        for (int k = 0; k < nearest.count; ++k) kept.push_back(corners[static_cast<std::size_t>(nearest.vertex[k])]);
        const auto along = [&](int k) { return dot(nurbs.points[static_cast<std::size_t>(k)] - q, nearest.point); };
        int best = 0;
        for (int k = 1; k < static_cast<int>(nurbs.points.size()); ++k)
            if (along(k) < along(best)) best = k;
        const bool known = std::find(kept.begin(), kept.end(), best) != kept.end();
        if (known || nearest.norm2 - along(best) <= 1e-12 * nearest.norm2 || nearest.norm2 < 1e-24) {
            std::copy(kept.begin(), kept.end(), names.begin());
            return nearest;
        }
        kept.push_back(best);
        corners = kept;
    }
}

using Abscissa = std::function<double(const SplineBasis&, int)>;

double guess(const Nurbs& nurbs, const NurbsBody& body, Vec3 q, const Abscissa& abscissa) {
    std::array<int, 4> names{};
    const SimplexPoint nearest = nearest_of_hull(nurbs, q, names);
    double middle = 0;
    for (int k = 0; k < nearest.count; ++k)
        middle += nearest.lambda[k] * abscissa(nurbs.u, names[static_cast<std::size_t>(k)]);
    double best = middle, least = std::numeric_limits<double>::infinity();
    for (int k = -samples_each_side; k <= samples_each_side; ++k) {
        const double end = k < 0 ? nurbs.u.first() : nurbs.u.last();
        const double u = middle + std::abs(k) * (end - middle) / samples_each_side;
        if (const double far = norm(body.evaluate(u).at - q); far < least) {
            least = far;
            best = u;
        }
    }
    return best;
}

// Newton's rule for C'.r = 0; sign +1: r = C - q, and -1: r = q - C in both places, as printed.
double newton(const NurbsBody& body, Vec3 q, double u, double sign, int& rounds) {
    for (rounds = 0; rounds < most_rounds; ++rounds) {
        const NurbsPoint x = body.evaluate(u);
        const Vec3 r = sign * (x.at - q);
        const double f = dot(x.u, r);
        if (norm(r) <= tolerance || std::fabs(f) <= tolerance * norm(r) * norm(x.u)) break;
        const double next = std::clamp(u - f / (norm2(x.u) + dot(r, x.uu)), 0.0, 1.0);
        const double moved = std::fabs(next - u) * norm(x.u);
        u = next;
        if (moved <= tolerance) break;
    }
    return norm(body.evaluate(u).at - q);
}

// The nearest of many samples, with its place between its neighbors narrowed down.
double by_samples(const NurbsBody& body, Vec3 q) {
    constexpr int count = 4000;
    const auto far = [&](double u) { return norm(body.evaluate(u).at - q); };
    int best = 0;
    for (int k = 1; k <= count; ++k)
        if (far(1.0 * k / count) < far(1.0 * best / count)) best = k;
    double low = std::max(0.0, (best - 1.0) / count), high = std::min(1.0, (best + 1.0) / count);
    while (high - low > 1e-10) {
        const double third = (high - low) / 3;
        if (far(low + third) < far(high - third))
            high -= third;
        else
            low += third;
    }
    return far(0.5 * (low + high));
}

void row(const char* what, const char* name, const Nurbs& nurbs, double height, const Abscissa& abscissa, double sign) {
    const NurbsBody body(nurbs);
    int right = 0;
    double rounds = 0;
    for (int k = 0; k < steps; ++k) {
        const Vec3 q{5.0 * k / (steps - 1), height, 0};
        const double truth = by_samples(body, q);
        int used = 0;
        const double found =
            abscissa ? newton(body, q, guess(nurbs, body, q, abscissa), sign, used) : closest_point(body, q).distance;
        if (std::fabs(found - truth) <= 1e-6) {
            ++right;
            rounds += used;
        }
    }
    fmt::print("{},{},{},{:.1f},{}\n", what, height, name, 100.0 * right / steps,
               abscissa && right > 0 ? fmt::format("{:.1f}", rounds / right) : "");
}

}  // namespace
}  // namespace scree::bench

int main() {
    using namespace scree;
    using namespace scree::bench;
    const Abscissa knot = [](const SplineBasis& u, int k) { return u.knots[static_cast<std::size_t>(k)]; };
    const Abscissa greville = [](const SplineBasis& u, int k) {
        double sum = 0;
        for (int j = 1; j <= u.degree; ++j) sum += u.knots[static_cast<std::size_t>(k + j)];
        return sum / u.degree;
    };
    fmt::print("curve,height,algorithm,right_percent,rounds\n");
    const Nurbs coarse = curve(), fine = refined(coarse);
    for (const auto& [what, nurbs] : {std::pair{"6 points", coarse}, {"10 points", fine}})
        for (const double height : {-1.0, 0.0, 0.5, 1.0, 2.0}) {
            row(what, "as printed", nurbs, height, knot, -1);
            row(what, "signs corrected", nurbs, height, knot, 1);
            row(what, "Greville abscissae", nurbs, height, greville, 1);
            row(what, "scree", nurbs, height, {}, 1);
        }
}
