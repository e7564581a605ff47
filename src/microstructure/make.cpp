#include "make.h"

#include <algorithm>
#include <cmath>

#include "cells.h"
#include "core/random.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

enum Stream : std::uint64_t { places = 1, sizes = 2 };

double normal(Random& random) {
    const double u = 1 - random.uniform(), angle = 2 * pi * random.uniform();
    return std::sqrt(-2 * same_log(u)) * same_cos(angle);
}

void measure(const Diagram& diagram, Made& made) {
    std::vector<double> unround, diameter;
    for (const CellMeasures& cell : measures(cell_complex(diagram))) {
        unround.push_back(1 - cell.sphericity);
        diameter.push_back(cell.diameter);
    }
    const auto moments = [](const std::vector<double>& values) {
        double mean = 0, square = 0;
        for (const double v : values) mean += v / static_cast<double>(values.size());
        for (const double v : values) square += (v - mean) * (v - mean) / static_cast<double>(values.size());
        return std::pair(mean, std::sqrt(square));
    };
    std::tie(made.unroundness, made.unroundness_deviation) = moments(unround);
    const auto [mean, deviation] = moments(diameter);
    made.spread = deviation / mean;
}

}  // namespace

std::size_t grains_of_diameter(const Seeds& box, double mean_diameter, double spread) {
    // The mean of d³ of a lognormal d of mean 1 is (1 + s²)³, that of d² is 1 + s².
    const double s2 = 1 + spread * spread;
    const double volume = box.dimension == 3 ? pi / 6 * mean_diameter * mean_diameter * mean_diameter * s2 * s2 * s2
                                             : pi / 4 * mean_diameter * mean_diameter * s2 * (box.high.z - box.low.z);
    const double count = std::nearbyint(box.box_volume() / volume);
    if (!(count >= 1)) throw Error(ErrorKind::bad_input, "grains of this diameter are larger than the box");
    if (count > 1e8) throw Error(ErrorKind::bad_input, "more than 10^8 grains of this diameter would fill the box");
    return static_cast<std::size_t>(count);
}

Made make_cells(const Seeds& box, std::size_t grains, const MakeOptions& options) {
    if (grains < 1) throw Error(ErrorKind::bad_input, "at least one grain is needed");
    Made made;
    made.seeds = box;
    made.seeds.center.clear();
    made.seeds.weight.assign(grains, 0);
    made.seeds.label.clear();
    std::vector<double> volumes;
    Random place(options.seed, places), size(options.seed, sizes);
    const double deviation = std::sqrt(same_log(1 + options.spread * options.spread));
    for (std::size_t i = 0; i < grains; ++i) {
        Vec3 x;
        for (int k = 0; k < box.dimension; ++k) x[k] = place.uniform(box.low[k], box.high[k]);
        made.seeds.center.push_back(x);
        made.seeds.label.push_back(static_cast<Label>(i + 1));
        volumes.push_back(same_exp(box.dimension * deviation * normal(size)));
    }
    Diagram diagram(made.seeds);
    // Seeds move to the centroids of their cells, which rounds the cells. Until the last round volumes need not be met
    // closely.
    for (;; ++made.rounds) {
        made.transport = give_volumes(diagram, volumes, 1e-3);
        measure(diagram, made);
        const bool done = made.unroundness <= options.unroundness || made.rounds == options.most_rounds;
        if (done) break;
        std::vector<Vec3> center(grains);
        for (std::size_t i = 0; i < grains; ++i) {
            const ConvexCell::Measures cell = diagram.cell(i).measures();
            const Vec3 to = cell.moment / cell.volume;
            center[i] = diagram.center(i) + to;
            if (box.dimension == 2) center[i].z = 0;
        }
        diagram.set(center, diagram.seeds().weight);
    }
    made.transport = give_volumes(diagram, volumes, options.tolerance);
    measure(diagram, made);
    made.seeds = diagram.seeds();
    for (std::size_t i = 0; i < grains; ++i) made.seeds.center[i] = diagram.center(i);
    return made;
}

}  // namespace scree::micro
