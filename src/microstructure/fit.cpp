#include "fit.h"

#include <algorithm>
#include <cmath>

#include "fit_problem.h"
#include "math/elementary.h"

namespace scree::micro {

Seeds starting_seeds(const GrainMap& map) {
    Seeds seeds;
    seeds.dimension = map.dimension();
    seeds.low = map.low();
    seeds.high = map.high();
    seeds.periodic = map.periodic();
    if (seeds.dimension == 2) {
        seeds.low.z = 0;
        seeds.high.z = 1;
    }
    for (std::size_t g = 0; g < map.grains(); ++g) {
        Vec3 center = map.centroid()[g];
        double radius = 0;
        if (seeds.dimension == 2) {
            center.z = 0;
            radius = std::sqrt(map.volume(g) / map.spacing().z / pi);
        } else {
            radius = std::cbrt(3 * map.volume(g) / (4 * pi));
        }
        seeds.center.push_back(center);
        seeds.weight.push_back(radius * radius);
        seeds.label.push_back(map.label()[g]);
    }
    return seeds;
}

Fit fit(const GrainMap& map, const FitOptions& options, const std::function<void(const FitStage&)>& report) {
    Fit result;
    const Seeds start = starting_seeds(map);
    FitProblem problem(map, start, options);
    result.voxels = problem.voxels();
    std::vector<Unknowns> at = problem.start(), best = at;
    Vec3 spacing = map.spacing();
    if (map.dimension() == 2) spacing.z = std::max(spacing.x, spacing.y);
    const double voxel = std::max({spacing.x, spacing.y, spacing.z}) / problem.unit();
    double most_right = -1;
    for (std::size_t k = 0; k < options.softness.size(); ++k) {
        const double softness = options.softness[k];
        const bool last = k + 1 == options.softness.size();
        // Borders softer than an eighth of a grain blur grains into each other.
        if (!last && softness * voxel > 0.125) continue;
        FitStage stage;
        stage.softness = softness;
        stage.rounds = minimise(problem, 2 * softness * voxel, last ? 1e-5 : 1e-3, options.rounds, at, stage.loss);
        stage.held_right = problem.held_right(at);
        // What voxels held back say: with a noisy image the sharpest borders follow the noise.
        if (stage.held_right > most_right) {
            most_right = stage.held_right;
            best = at;
            result.chosen = static_cast<int>(result.stages.size());
        }
        result.stages.push_back(stage);
        if (report) report(stage);
    }
    problem.fit_held();
    double loss = 0;
    minimise(problem, 2 * result.stages[static_cast<std::size_t>(result.chosen)].softness * voxel, 1e-5, options.rounds,
             best, loss);
    result.seeds = problem.seeds(best);
    // A grain that lost its cell gets the seed back it began with, made as heavy as it takes to be seen.
    for (int attempt = 0; attempt < 4; ++attempt) {
        const std::vector<double> volumes = Diagram(result.seeds).volumes();
        result.empty.clear();
        for (std::size_t g = 0; g < map.grains(); ++g) {
            if (volumes[g] > 0) continue;
            result.empty.push_back(map.label()[g]);
            if (attempt == 3) continue;
            result.seeds.center[g] = start.center[g];
            double covered = -start.weight[g];
            for (std::size_t other = 0; other < map.grains(); ++other)
                if (other != g)
                    covered = std::max(
                        covered, result.seeds.weight[other] - norm2(result.seeds.center[other] - start.center[g]));
            result.seeds.weight[g] = covered + start.weight[g];
        }
        if (result.empty.empty()) break;
    }
    return result;
}

}  // namespace scree::micro
