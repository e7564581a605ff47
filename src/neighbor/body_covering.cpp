#include "neighbor/body_covering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace scree {

// Whether the plan serves these grains; makes another if not.
bool BodyCovering::fits(const Grains& grains) {
    population_.resize(shapes_.size(), {nullptr, 0, 0});
    bool changed = !planned_;
    for (std::size_t g = 0; g < grains.size(); ++g) {
        ScaledShape& of = population_[grains.shape[g]];
        const double s = grains.scale[g];
        if (!of.shape) {
            of = {&shapes_[grains.shape[g]], s, s};
            changed = true;
        }
        if (s < of.smallest) {
            of.smallest = s;
            changed = true;
        }
        if (s > of.largest) {
            of.largest = s;
            changed = true;
        }
    }
    replanned_ = changed;
    if (!changed) return why_.empty();
    planned_ = true;
    why_.clear();
    plan_ = plan_coverings(population_, dimension_, most_spheres);
    most_ = 1;
    for (std::size_t k = 0; k < population_.size(); ++k) {
        if (!population_[k].shape) continue;
        if (plan_.spheres[k].empty())
            why_ = fmt::format("grains of the shape '{}' would need more than {} covering spheres", shapes_[k].name,
                               most_spheres);
        most_ = std::max(most_, static_cast<std::uint32_t>(plan_.spheres[k].size()));
    }
    if (why_.empty() && !contacts_stay_orthogonal(plan_, population_))
        why_ = "grains differ too much in size for covering spheres";
    return why_.empty();
}

bool BodyCovering::place(const Grains& grains, std::span<const Mat3> rotations) {
    if (!fits(grains)) return false;
    const std::size_t n = grains.size();
    std::vector<std::uint32_t> first(n + 1, 0);
    std::uint32_t highest = 0;
    for (std::size_t g = 0; g < n; ++g) {
        first[g + 1] = first[g] + static_cast<std::uint32_t>(plan_.spheres[grains.shape[g]].size());
        highest = std::max(highest, grains.id[g]);
    }
    if (highest >= std::numeric_limits<std::uint32_t>::max() / most_) {
        why_ = "there are too many grains to name their covering spheres";
        return false;
    }
    const std::size_t count = first[n];
    spheres_per_grain_ = n ? static_cast<double>(count) / static_cast<double>(n) : 1;
    rows_.resize(8 * count);
    ids_.resize(count);
    body_.resize(count);
    periods_.resize(count);
    parallel_for(
        n,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                const std::vector<CoverSphere>& spheres = plan_.spheres[grains.shape[g]];
                const double scale = grains.scale[g];
                for (std::size_t k = 0; k < spheres.size(); ++k) {
                    const std::size_t at = first[g] + k;
                    Vec3 x = grains.position(g) + rotations[g] * (scale * spheres[k].x);
                    int periods[3] = {0, 0, 0};
                    for (int axis = 0; axis < 3; ++axis) {
                        const double low = periodicity_.low[axis], length = periodicity_.length[axis];
                        if (!(length > 0)) continue;
                        if (x[axis] < low) {
                            x[axis] += length;
                            periods[axis] = 1;
                        } else if (x[axis] >= low + length) {
                            x[axis] -= length;
                            periods[axis] = -1;
                        }
                        // Rounding must not leave it on the far border.
                        x[axis] = std::min(std::max(x[axis], low), std::nextafter(low + length, low));
                    }
                    double* const row = rows_.data() + 8 * at;
                    row[0] = x.x;
                    row[1] = x.y;
                    row[2] = x.z;
                    row[3] = scale * spheres[k].radius;
                    row[4] = row[5] = row[6] = 0;
                    row[7] = grains.row[g].inverse_mass;
                    ids_[at] = grains.id[g] * most_ + static_cast<std::uint32_t>(k);
                    body_[at] = static_cast<std::uint32_t>(g);
                    periods_[at] = static_cast<std::int16_t>(periods_code(periods[0], periods[1], periods[2]));
                }
            }
        },
        512);
    return true;
}

}  // namespace scree
