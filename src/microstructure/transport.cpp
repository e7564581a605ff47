#include "transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

constexpr std::size_t cells_per_task = 128;

struct Link {
    std::int32_t other;
    double weight;  // A / 2|x − x'|
};

struct Cells {
    std::vector<double> volume;
    std::vector<std::vector<Link>> links;
};

Cells cells_of(const Diagram& diagram) {
    Cells cells;
    const std::size_t n = diagram.size();
    const Seeds& seeds = diagram.seeds();
    cells.volume.resize(n);
    cells.links.resize(n);
    parallel_for(
        n,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const ConvexCell cell = diagram.cell(i);
                cells.volume[i] = cell.measures().volume;
                cell.for_each_face([&](const CutPlane& face, const std::vector<std::int32_t>& loop) {
                    const Neighbor neighbor = diagram.neighbor(face.label);
                    if (neighbor.cell < 0 || static_cast<std::size_t>(neighbor.cell) == i) return;
                    Vec3 apart = diagram.center(static_cast<std::size_t>(neighbor.cell)) - diagram.center(i);
                    for (int k = 0; k < 3; ++k)
                        apart[k] += neighbor.shift[static_cast<std::size_t>(k)] * (seeds.high[k] - seeds.low[k]);
                    const auto at = [&](std::size_t k) { return cell.corners()[static_cast<std::size_t>(loop[k])].at; };
                    Vec3 twice;
                    for (std::size_t k = 2; k < loop.size(); ++k) twice += cross(at(k - 1) - at(0), at(k) - at(0));
                    cells.links[i].push_back({neighbor.cell, norm(twice) / 4 / norm(apart)});
                });
            }
        },
        cells_per_task);
    return cells;
}

double inner(const std::vector<double>& a, const std::vector<double>& b) {
    return parallel_reduce<double>(
        a.size(), 0,
        [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t k = begin; k < end; ++k) sum += a[k] * b[k];
            return sum;
        },
        [](double a_sum, double b_sum) { return a_sum + b_sum; });
}

// Solves the Laplacian for a right side whose sum is 0, up to a constant, as closely as a step of Newton's method
// needs. The Laplacian is singular: what roundings leave of the sum has no solution, and the iteration would follow it
// for ever.
std::vector<double> solve(const Cells& cells, std::vector<double> right) {
    const std::size_t n = right.size();
    double mean = 0;
    for (const double value : right) mean += value / static_cast<double>(n);
    for (double& value : right) value -= mean;
    std::vector<double> diagonal(n), x(n), residual = std::move(right), z(n), direction, image(n);
    for (std::size_t i = 0; i < n; ++i)
        for (const Link& link : cells.links[i]) diagonal[i] += link.weight;
    const auto precondition = [&] {
        for (std::size_t i = 0; i < n; ++i) z[i] = diagonal[i] > 0 ? residual[i] / diagonal[i] : 0;
    };
    precondition();
    direction = z;
    double rz = inner(residual, z);
    const double enough = 1e-12 * rz;
    for (int round = 0; round < 5000 && rz > enough; ++round) {
        parallel_for(n, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                image[i] = diagonal[i] * direction[i];
                for (const Link& link : cells.links[i])
                    image[i] -= link.weight * direction[static_cast<std::size_t>(link.other)];
            }
        });
        const double curvature = inner(direction, image);
        if (!(curvature > 0)) break;
        const double length = rz / curvature;
        for (std::size_t i = 0; i < n; ++i) {
            x[i] += length * direction[i];
            residual[i] -= length * image[i];
        }
        precondition();
        const double next = inner(residual, z);
        const double turn = next / rz;
        rz = next;
        for (std::size_t i = 0; i < n; ++i) direction[i] = z[i] + turn * direction[i];
    }
    return x;
}

double largest(const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) most = std::max(most, std::fabs(value));
    return most;
}

}  // namespace

Transport give_volumes(Diagram& diagram, std::vector<double> volumes, double tolerance, int most_rounds) {
    const std::size_t n = diagram.size();
    const double box = diagram.seeds().box_volume();
    const double mean = box / static_cast<double>(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (!(volumes.at(i) > 0) || !std::isfinite(volumes[i]))
            throw Error(ErrorKind::bad_input, fmt::format("the volume {} of cell {} is not positive", volumes[i], i));
        sum += volumes[i];
    }
    for (double& volume : volumes) volume *= box / sum;
    const std::vector<Vec3> center = diagram.seeds().center;
    std::vector<double> weight = diagram.seeds().weight;
    Cells cells = cells_of(diagram);
    if (*std::min_element(cells.volume.begin(), cells.volume.end()) <= 0) {
        weight.assign(n, 0);
        diagram.set(center, weight);
        cells = cells_of(diagram);
        const auto least = std::min_element(cells.volume.begin(), cells.volume.end());
        if (*least <= 0)
            throw Error(ErrorKind::bad_input,
                        fmt::format("seed {} has no cell: it lies at the place of another one, or outside of the box",
                                    least - cells.volume.begin()));
    }
    const double least = 0.5 * std::min(*std::min_element(volumes.begin(), volumes.end()),
                                        *std::min_element(cells.volume.begin(), cells.volume.end()));
    const auto missing = [&](const Cells& at) {
        std::vector<double> out(n);
        for (std::size_t i = 0; i < n; ++i) out[i] = volumes[i] - at.volume[i];
        return out;
    };
    Transport result;
    std::vector<double> residual = missing(cells);
    for (;;) {
        result.residual = largest(residual) / mean;
        result.met = result.residual <= tolerance;
        if (result.met || result.rounds == most_rounds) break;
        ++result.rounds;
        const std::vector<double> step = solve(cells, residual);
        const double length2 = inner(residual, residual);
        bool moved = false;
        for (double t = 1; t > 1e-9; t /= 2) {
            std::vector<double> next = weight;
            for (std::size_t i = 0; i < n; ++i) next[i] += t * step[i];
            diagram.set(center, next);
            Cells there = cells_of(diagram);
            if (*std::min_element(there.volume.begin(), there.volume.end()) < least) continue;
            std::vector<double> left = missing(there);
            if (inner(left, left) > (1 - t / 2) * (1 - t / 2) * length2) continue;
            weight = std::move(next);
            cells = std::move(there);
            residual = std::move(left);
            moved = true;
            break;
        }
        if (!moved) {
            diagram.set(center, weight);  // the residual is that of roundings
            break;
        }
    }
    return result;
}

}  // namespace scree::micro
