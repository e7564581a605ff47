// The objective of the fit with its gradient and Hessian; fit.h has the equation.
//
// Everything is in units of the mean spacing. Voxels are sorted by grain, so the planes between a grain and its
// candidates are computed once per grain, and a voxel costs four operations per candidate; exponentials are computed
// for the few scores within reach of the best.
#pragma once

#include <array>
#include <vector>

#include "fit_options.h"
#include "grain_map.h"
#include "seeds.h"

namespace scree::micro {

// α and γ of one grain.
using Unknowns = std::array<double, 4>;
using Block = std::array<double, 16>;

struct SparseHessian {
    // Rows of blocks, columns rising; the diagonal is apart.
    std::vector<Block> diagonal;
    std::vector<std::size_t> first;
    std::vector<std::int32_t> column;
    std::vector<Block> block;
};

class FitProblem {
  public:
    FitProblem(const GrainMap& map, const Seeds& start, const FitOptions& options);

    std::size_t grains() const { return reference_.size(); }
    std::size_t voxels() const { return fitted_.size() + held_.size(); }
    double unit() const { return unit_; }

    std::vector<Unknowns> start() const { return start_; }
    // L, and its derivatives where they are asked for.
    double evaluate(const std::vector<Unknowns>& at, double tau, std::vector<Unknowns>* gradient,
                    SparseHessian* hessian) const;
    // The part of the held voxels that are on the right side.
    double held_right(const std::vector<Unknowns>& at) const;
    Seeds seeds(const std::vector<Unknowns>& at) const;
    // From now on the held voxels are fitted, too.
    void fit_held();

  private:
    struct Sample {
        double x, y, z;  // from the centroid of its grain
        double weight;
    };
    struct Candidate {
        std::int32_t grain;
        Vec3 offset;  // from the candidate's image to the grain's own centroid
    };
    struct Samples {
        std::vector<Sample> all;         // by grain
        std::vector<std::size_t> first;  // of each grain
        std::size_t size() const { return all.size(); }
    };
    // Planes between one grain and its candidates: the score of a candidate less that of the grain is a·x + b.
    struct Planes {
        std::vector<double> ax, ay, az, b;
        std::vector<std::size_t> candidate;
    };
    void choose(const GrainMap& map, const FitOptions& options);
    void find_candidates(const std::vector<std::vector<std::int32_t>>& around);
    void settle_extents();
    void drop_unreachable(std::size_t grain, double reach, Planes& list) const;
    void planes(std::size_t grain, const std::vector<Unknowns>& at, Planes& out) const;

    const Seeds& box_;
    double unit_, lambda_;
    double total_weight_ = 0;
    std::array<double, 3> period_{};
    std::vector<Vec3> reference_;  // centroids
    std::vector<Unknowns> start_;
    std::vector<std::vector<Candidate>> candidates_;
    Samples fitted_, held_;
    std::vector<std::pair<Vec3, Vec3>> extent_;  // of the fitted voxels of each grain
};

// Newton's method from `at`, until L falls by less than `enough` of itself; returns the number of rounds.
int minimise(const FitProblem& problem, double tau, double enough, int most_rounds, std::vector<Unknowns>& at,
             double& loss);

}  // namespace scree::micro
