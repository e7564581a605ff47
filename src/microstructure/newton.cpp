// Newton's method with conjugate gradients inside, preconditioned by the 4×4 block of each grain. Steps are halved
// until the loss falls as Armijo asks.
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "fit_problem.h"

namespace scree::micro {
namespace {

using Vector = std::vector<Unknowns>;
constexpr std::size_t rows_per_task = 256;

double inner(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t g = 0; g < a.size(); ++g)
        for (std::size_t k = 0; k < 4; ++k) sum += a[g][k] * b[g][k];
    return sum;
}

void add(Vector& a, double factor, const Vector& b) {
    for (std::size_t g = 0; g < a.size(); ++g)
        for (std::size_t k = 0; k < 4; ++k) a[g][k] += factor * b[g][k];
}

void multiply(const Block& block, const Unknowns& v, Unknowns& out) {
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) out[i] += block[4 * i + j] * v[j];
}

void apply(const SparseHessian& hessian, const Vector& v, Vector& out) {
    parallel_for(
        v.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                out[g] = {};
                multiply(hessian.diagonal[g], v[g], out[g]);
                for (std::size_t k = hessian.first[g]; k < hessian.first[g + 1]; ++k)
                    multiply(hessian.block[k], v[static_cast<std::size_t>(hessian.column[k])], out[g]);
            }
        },
        rows_per_task);
}

// The Cholesky factor of a block that is positive definite, by the ridge of the objective.
Block factorised(const Block& block) {
    Block factor{};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = block[4 * i + j];
            for (std::size_t k = 0; k < j; ++k) sum -= factor[4 * i + k] * factor[4 * j + k];
            factor[4 * i + j] = i == j ? std::sqrt(std::max(sum, 1e-14 * block[5 * i])) : sum / factor[5 * j];
        }
    return factor;
}

Unknowns solved(const Block& factor, Unknowns v) {
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t k = 0; k < i; ++k) v[i] -= factor[4 * i + k] * v[k];
        v[i] /= factor[5 * i];
    }
    for (std::size_t i = 4; i-- > 0;) {
        for (std::size_t k = i + 1; k < 4; ++k) v[i] -= factor[4 * k + i] * v[k];
        v[i] /= factor[5 * i];
    }
    return v;
}

// The step −H⁻¹ gradient, to a relative residual of `accuracy`.
Vector newton_step(const SparseHessian& hessian, const Vector& gradient, double accuracy) {
    const std::size_t n = gradient.size();
    std::vector<Block> factor(n);
    for (std::size_t g = 0; g < n; ++g) factor[g] = factorised(hessian.diagonal[g]);
    Vector step(n, Unknowns{}), residual = gradient, z(n), direction(n), image(n);
    for (Unknowns& r : residual)
        for (double& x : r) x = -x;
    for (std::size_t g = 0; g < n; ++g) z[g] = solved(factor[g], residual[g]);
    direction = z;
    double rz = inner(residual, z);
    const double enough = accuracy * accuracy * rz;
    for (int round = 0; round < 400 && rz > enough; ++round) {
        apply(hessian, direction, image);
        const double curvature = inner(direction, image);
        if (!(curvature > 0)) break;
        const double length = rz / curvature;
        add(step, length, direction);
        add(residual, -length, image);
        for (std::size_t g = 0; g < n; ++g) z[g] = solved(factor[g], residual[g]);
        const double next = inner(residual, z);
        const double turn = next / rz;
        rz = next;
        for (std::size_t g = 0; g < n; ++g)
            for (std::size_t k = 0; k < 4; ++k) direction[g][k] = z[g][k] + turn * direction[g][k];
    }
    return step;
}

}  // namespace

int minimise(const FitProblem& problem, double tau, double enough, int most_rounds, Vector& at, double& loss) {
    Vector gradient;
    SparseHessian hessian;
    for (int round = 1;; ++round) {
        loss = problem.evaluate(at, tau, &gradient, &hessian);
        const Vector step = newton_step(hessian, gradient, 0.05);
        const double slope = inner(gradient, step);
        if (!(slope < 0)) return round;
        bool moved = false;
        double fall = 0;
        for (double length = 1; length > 1e-6; length /= 2) {
            Vector next = at;
            add(next, length, step);
            const double there = problem.evaluate(next, tau, nullptr, nullptr);
            if (!(there <= loss + 1e-4 * length * slope)) continue;
            fall = loss - there;
            at = std::move(next);
            loss = there;
            moved = true;
            break;
        }
        if (!moved || fall < enough * std::fabs(loss) || round >= most_rounds) return round;
    }
}

}  // namespace scree::micro
