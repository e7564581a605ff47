// Which voxels the fit looks at, and which grains may claim them.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/hash.h"
#include "core/parallel.h"
#include "fit_problem.h"

namespace scree::micro {
namespace {

struct Found {
    std::int32_t grain;
    std::uint32_t x, y, z;
    bool border;
};

// Away from borders voxels say little: every 20th is looked at, 20 times as heavy.
constexpr double inner_part = 0.05;

double uniform(std::size_t voxel, std::uint64_t stream) {
    return static_cast<double>(mix_bits(mix_bits(voxel) ^ stream) >> 11) * 0x1p-53;
}

}  // namespace

FitProblem::FitProblem(const GrainMap& map, const Seeds& start, const FitOptions& options)
    : box_(start),
      unit_(map.mean_spacing()),
      lambda_(options.regularisation) {
    for (int k = 0; k < 3; ++k)
        if (start.periodic[static_cast<std::size_t>(k)])
            period_[static_cast<std::size_t>(k)] = (start.high[k] - start.low[k]) / unit_;
    for (std::size_t g = 0; g < map.grains(); ++g) {
        reference_.push_back((map.centroid()[g] - map.low()) / unit_);
        if (map.dimension() == 2) reference_.back().z = 0;
        const Vec3 moved = (start.center[g] - map.centroid()[g]) / unit_;
        const Vec3 alpha{moved.x, moved.y, map.dimension() == 3 ? moved.z : 0};
        start_.push_back({alpha.x, alpha.y, alpha.z, start.weight[g] / (unit_ * unit_) - norm2(alpha)});
    }
    choose(map, options);
}

void FitProblem::choose(const GrainMap& map, const FitOptions& options) {
    const auto [nx, ny, nz] = map.size();
    const int dimension = map.dimension();
    // First the voxels near borders are counted, and grains met within two voxels; then so many are taken.
    std::vector<std::size_t> near(nz);
    std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> met(nz);
    const auto visit = [&](std::size_t z, auto&& look) {
        const Layers layers(map, z);
        for (std::size_t y = 0; y < ny; ++y) {
            const std::int32_t* const row = layers.row(static_cast<std::ptrdiff_t>(y), 0);
            for (std::size_t x = 0; x < nx; ++x) {
                if (row[x] < 0) continue;
                bool border = false;
                for (int axis = 0; axis < dimension; ++axis)
                    for (const int step : {-2, -1, 1, 2}) {
                        const std::int32_t other = layers.at(x, y, axis, step);
                        if (other < 0 || other == row[x]) continue;
                        border = true;
                        look.meets(row[x], other);
                    }
                look.voxel(row[x], x, y, border);
            }
        }
    };
    struct Counting {
        std::size_t& near;
        std::vector<std::pair<std::int32_t, std::int32_t>>& met;
        void meets(std::int32_t a, std::int32_t b) {
            if (met.empty() || met.back() != std::pair(a, b)) met.emplace_back(a, b);
            if (met.size() > 200000) {
                std::sort(met.begin(), met.end());
                met.erase(std::unique(met.begin(), met.end()), met.end());
            }
        }
        void voxel(std::int32_t, std::size_t, std::size_t, bool border) { near += border; }
    };
    run_tasks(nz, [&](std::size_t z, int) {
        visit(z, Counting{near[z], met[z]});
        std::sort(met[z].begin(), met[z].end());
        met[z].erase(std::unique(met[z].begin(), met[z].end()), met[z].end());
    });
    std::size_t all_near = 0;
    for (const std::size_t count : near) all_near += count;
    std::vector<std::vector<std::int32_t>> around(map.grains());
    for (const auto& layer : met)
        for (const auto& [a, b] : layer) {
            around[static_cast<std::size_t>(a)].push_back(b);
            around[static_cast<std::size_t>(b)].push_back(a);
        }
    for (auto& list : around) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    find_candidates(around);

    const double wanted = static_cast<double>(options.voxels_per_grain * map.grains());
    const double part = std::min(1.0, wanted / std::max(1.0, static_cast<double>(all_near)));
    std::vector<std::vector<Found>> taken(nz);
    struct Taking {
        std::vector<Found>& taken;
        std::size_t nx, ny, z;
        double part;
        void meets(std::int32_t, std::int32_t) {}
        void voxel(std::int32_t grain, std::size_t x, std::size_t y, bool border) {
            if (uniform((z * ny + y) * nx + x, 1) < (border ? part : part * inner_part))
                taken.push_back({grain, static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                 static_cast<std::uint32_t>(z), border});
        }
    };
    run_tasks(nz, [&](std::size_t z, int) { visit(z, Taking{taken[z], nx, ny, z, part}); });

    // Sorted by grain, in the order of the image; every tenth border voxel is held back.
    const auto held = [&](const Found& f) { return f.border && uniform((f.z * ny + f.y) * nx + f.x, 2) < 0.1; };
    for (Samples* samples : {&fitted_, &held_}) {
        const bool hold = samples == &held_;
        std::vector<std::size_t> count(map.grains() + 1);
        for (const auto& layer : taken)
            for (const Found& f : layer) count[static_cast<std::size_t>(f.grain) + 1] += held(f) == hold;
        for (std::size_t g = 0; g < map.grains(); ++g) count[g + 1] += count[g];
        samples->first = count;
        samples->all.resize(count.back());
        for (const auto& layer : taken)
            for (const Found& f : layer) {
                if (held(f) != hold) continue;
                const auto g = static_cast<std::size_t>(f.grain);
                Vec3 d = (map.center_of_voxel(f.x, f.y, f.z) - map.low()) / unit_ - reference_[g];
                if (dimension == 2) d.z = 0;
                for (std::size_t k = 0; k < 3; ++k)
                    if (period_[k] > 0)
                        d[static_cast<int>(k)] -= period_[k] * std::nearbyint(d[static_cast<int>(k)] / period_[k]);
                samples->all[count[g]++] = {d.x, d.y, d.z, f.border ? 1 : 1 / inner_part};
            }
    }
    settle_extents();
}

void FitProblem::fit_held() {
    Samples all;
    all.first.push_back(0);
    for (std::size_t g = 0; g < grains(); ++g) {
        for (const Samples* some : {&fitted_, &held_})
            all.all.insert(all.all.end(), some->all.begin() + static_cast<std::ptrdiff_t>(some->first[g]),
                           some->all.begin() + static_cast<std::ptrdiff_t>(some->first[g + 1]));
        all.first.push_back(all.all.size());
    }
    fitted_ = std::move(all);
    held_.all.clear();
    held_.first.assign(grains() + 1, 0);
    settle_extents();
}

void FitProblem::settle_extents() {
    total_weight_ = 0;
    extent_.clear();
    for (const Sample& sample : fitted_.all) total_weight_ += sample.weight;
    for (std::size_t g = 0; g < grains(); ++g) {
        Vec3 low, high;
        for (std::size_t s = fitted_.first[g]; s < fitted_.first[g + 1]; ++s) {
            const Sample& v = fitted_.all[s];
            low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
            high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
        }
        extent_.emplace_back(low, high);
    }
}

// Neighbors and their neighbors; along periodic axes those of their images that are about as near as the nearest.
void FitProblem::find_candidates(const std::vector<std::vector<std::int32_t>>& around) {
    const std::size_t n = around.size();
    candidates_.resize(n);
    parallel_for(
        n,
        [&](std::size_t begin, std::size_t end) {
            std::vector<std::int32_t> list;
            for (std::size_t g = begin; g < end; ++g) {
                list = around[g];
                for (const std::int32_t other : around[g])
                    std::copy(around[static_cast<std::size_t>(other)].begin(),
                              around[static_cast<std::size_t>(other)].end(), std::back_inserter(list));
                std::sort(list.begin(), list.end());
                list.erase(std::unique(list.begin(), list.end()), list.end());
                for (const std::int32_t other : list) {
                    if (static_cast<std::size_t>(other) == g) continue;
                    Vec3 nearest = reference_[g] - reference_[static_cast<std::size_t>(other)];
                    int turns[3] = {0, 0, 0};
                    for (int k = 0; k < 3; ++k) {
                        const double period = period_[static_cast<std::size_t>(k)];
                        if (period <= 0) continue;
                        nearest[k] -= period * std::nearbyint(nearest[k] / period);
                        turns[k] = 1;
                    }
                    for (int i = -turns[0]; i <= turns[0]; ++i)
                        for (int j = -turns[1]; j <= turns[1]; ++j)
                            for (int k = -turns[2]; k <= turns[2]; ++k) {
                                const Vec3 offset = nearest + Vec3{i * period_[0], j * period_[1], k * period_[2]};
                                if ((i == 0 && j == 0 && k == 0) || norm(offset) < norm(nearest) + 1)
                                    candidates_[g].push_back({other, offset});
                            }
                }
            }
        },
        64);
}

Seeds FitProblem::seeds(const std::vector<Unknowns>& at) const {
    Seeds seeds = box_;
    for (std::size_t g = 0; g < at.size(); ++g) {
        const Vec3 alpha{at[g][0], at[g][1], at[g][2]};
        seeds.center[g] = box_.low + unit_ * (reference_[g] + alpha);
        if (box_.dimension == 2) seeds.center[g].z = 0;
        seeds.weight[g] = unit_ * unit_ * (at[g][3] + norm2(alpha));
    }
    return seeds;
}

}  // namespace scree::micro
