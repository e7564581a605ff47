#include "fit_problem.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "math/elementary.h"

namespace scree::micro {
namespace {

constexpr std::size_t grains_per_task = 8;
constexpr double farthest = 24;  // scores so many τ behind the best add less than 4e-11 of a voxel
constexpr double felt =
    1e-6;  // of probability: the rest bends L so little that it is left out of the Hessian, which stays positive

// What the voxels of one grain add to the gradient and the Hessian, for the grain (number 0) and its candidates.
struct Share {
    double loss = 0;
    std::vector<Unknowns> gradient;
    std::vector<std::pair<std::int32_t, std::int32_t>> pair;  // numbers a <= b
    std::vector<Block> block;
};

// Blocks of pairs that have occurred, found by a table.
class PairTable {
  public:
    void begin(std::size_t count) {
        count_ = count;
        if (slot_.size() < count * count) slot_.resize(count * count, -1);
    }
    Block& at(std::size_t a, std::size_t b, Share& share) {
        std::int32_t& slot = slot_[a * count_ + b];
        if (slot < 0) {
            slot = static_cast<std::int32_t>(share.block.size());
            share.block.push_back({});
            share.pair.emplace_back(a, b);
        }
        return share.block[static_cast<std::size_t>(slot)];
    }
    void end(const Share& share) {
        for (const auto& [a, b] : share.pair)
            slot_[static_cast<std::size_t>(a) * count_ + static_cast<std::size_t>(b)] = -1;
    }

  private:
    std::size_t count_ = 0;
    std::vector<std::int32_t> slot_;
};

}  // namespace

void FitProblem::planes(std::size_t grain, const std::vector<Unknowns>& at, Planes& out) const {
    const std::vector<Candidate>& list = candidates_[grain];
    const std::size_t n = list.size();
    for (std::vector<double>* values : {&out.ax, &out.ay, &out.az, &out.b}) values->resize(n);
    out.candidate.resize(n);
    const Unknowns& own = at[grain];
    for (std::size_t c = 0; c < n; ++c) {
        const Unknowns& other = at[static_cast<std::size_t>(list[c].grain)];
        const Vec3 e = list[c].offset;
        out.ax[c] = 2 * (other[0] - own[0] - e.x);
        out.ay[c] = 2 * (other[1] - own[1] - e.y);
        out.az[c] = 2 * (other[2] - own[2] - e.z);
        out.candidate[c] = c;
        out.b[c] = 2 * (other[0] * e.x + other[1] * e.y + other[2] * e.z) - norm2(e) + other[3] - own[3];
    }
}

// Leaves out candidates whose score is more than `reach` behind at all voxels of the grain.
void FitProblem::drop_unreachable(std::size_t grain, double reach, Planes& list) const {
    const Vec3 low = extent_[grain].first, high = extent_[grain].second;
    const auto largest = [](double a, double from, double to) { return a * (a > 0 ? to : from); };
    std::size_t kept = 0;
    for (std::size_t c = 0; c < list.b.size(); ++c) {
        const double best = list.b[c] + largest(list.ax[c], low.x, high.x) + largest(list.ay[c], low.y, high.y) +
                            largest(list.az[c], low.z, high.z);
        if (best < -reach) continue;
        list.ax[kept] = list.ax[c];
        list.ay[kept] = list.ay[c];
        list.az[kept] = list.az[c];
        list.b[kept] = list.b[c];
        list.candidate[kept] = list.candidate[c];
        ++kept;
    }
    for (std::vector<double>* values : {&list.ax, &list.ay, &list.az, &list.b}) values->resize(kept);
    list.candidate.resize(kept);
}

double FitProblem::evaluate(const std::vector<Unknowns>& at, double tau, std::vector<Unknowns>* gradient,
                            SparseHessian* hessian) const {
    const std::size_t n = grains();
    std::vector<Share> shares(n);
    const double scale = 1 / total_weight_;
    parallel_for(
        n,
        [&](std::size_t begin, std::size_t end) {
            Planes plane;
            PairTable table;
            std::vector<double> behind;
            std::vector<std::size_t> active, strong;
            std::vector<double> p;
            std::vector<std::array<double, 4>> u;
            for (std::size_t g = begin; g < end; ++g) {
                Share& share = shares[g];
                planes(g, at, plane);
                drop_unreachable(g, farthest * tau, plane);
                const std::size_t count = plane.b.size();
                behind.resize(count);
                if (gradient) share.gradient.assign(candidates_[g].size() + 1, {});
                if (hessian) table.begin(candidates_[g].size() + 1);
                for (std::size_t s = fitted_.first[g]; s < fitted_.first[g + 1]; ++s) {
                    const Sample& v = fitted_.all[s];
                    double best = 0;
                    for (std::size_t c = 0; c < count; ++c)
                        behind[c] = plane.ax[c] * v.x + plane.ay[c] * v.y + plane.az[c] * v.z + plane.b[c];
                    for (std::size_t c = 0; c < count; ++c) best = behind[c] > best ? behind[c] : best;
                    const double least = best - farthest * tau;
                    active.clear();
                    for (std::size_t c = 0; c < count; ++c)
                        if (behind[c] > least) active.push_back(c);
                    // Number 0 of the active ones is the grain itself, whose score is 0 here.
                    const std::size_t m = active.size() + 1;
                    if (m == 1) continue;
                    p.resize(m);
                    p[0] = same_exp(-best / tau);
                    double sum = p[0];
                    for (std::size_t a = 1; a < m; ++a) sum += p[a] = same_exp((behind[active[a - 1]] - best) / tau);
                    share.loss += v.weight * (best + tau * same_log(sum));
                    if (!gradient) continue;
                    u.resize(m);
                    u[0] = {2 * v.x, 2 * v.y, 2 * v.z, 1};
                    for (std::size_t a = 0; a < m; ++a) {
                        p[a] /= sum;
                        if (a > 0) {
                            const Vec3 e = candidates_[g][plane.candidate[active[a - 1]]].offset;
                            u[a] = {2 * (v.x + e.x), 2 * (v.y + e.y), 2 * (v.z + e.z), 1};
                        }
                        const double factor = v.weight * (p[a] - (a == 0 ? 1 : 0));
                        Unknowns& out = share.gradient[a == 0 ? 0 : plane.candidate[active[a - 1]] + 1];
                        for (std::size_t k = 0; k < 4; ++k) out[k] += factor * u[a][k];
                    }
                    if (!hessian) continue;
                    strong.clear();
                    for (std::size_t a = 0; a < m; ++a)
                        if (p[a] > felt) strong.push_back(a);
                    for (std::size_t first = 0; first < strong.size(); ++first)
                        for (std::size_t second = first; second < strong.size(); ++second) {
                            const std::size_t a = strong[first], b = strong[second];
                            const double factor = v.weight / tau * (a == b ? p[a] * (1 - p[a]) : -p[a] * p[b]);
                            Block& block = table.at(a == 0 ? 0 : plane.candidate[active[a - 1]] + 1,
                                                    b == 0 ? 0 : plane.candidate[active[b - 1]] + 1, share);
                            for (std::size_t i = 0; i < 4; ++i)
                                for (std::size_t j = 0; j < 4; ++j) block[4 * i + j] += factor * u[a][i] * u[b][j];
                        }
                }
                if (hessian) table.end(share);
            }
        },
        grains_per_task);

    double loss = 0;
    for (const Share& share : shares) loss += share.loss;
    loss *= scale;
    const double ridge = lambda_ * tau * tau / static_cast<double>(n);
    for (std::size_t g = 0; g < n; ++g) {
        for (std::size_t k = 0; k < 3; ++k) loss += ridge * at[g][k] * at[g][k];
        const double change = at[g][3] - start_[g][3];
        loss += ridge * 0.1 * change * change;  // so that a grain without voxels near borders keeps its weight
    }
    if (gradient) {
        gradient->assign(n, {});
        for (std::size_t g = 0; g < n; ++g)
            for (std::size_t c = 0; c < shares[g].gradient.size(); ++c) {
                Unknowns& out = (*gradient)[c == 0 ? g : static_cast<std::size_t>(candidates_[g][c - 1].grain)];
                for (std::size_t k = 0; k < 4; ++k) out[k] += scale * shares[g].gradient[c][k];
            }
        for (std::size_t g = 0; g < n; ++g)
            for (std::size_t k = 0; k < 4; ++k)
                (*gradient)[g][k] += 2 * ridge * (k < 3 ? at[g][k] : 0.1 * (at[g][3] - start_[g][3]));
    }
    if (!hessian) return loss;

    // Pairs of grains, both ways; images of one pair share a block.
    struct Entry {
        std::int32_t column;
        const Block* block;
        bool turned;
    };
    std::vector<std::vector<Entry>> rows(n);
    const auto grain_of = [&](std::size_t g, std::int32_t number) {
        return number == 0 ? static_cast<std::int32_t>(g) : candidates_[g][static_cast<std::size_t>(number) - 1].grain;
    };
    hessian->diagonal.assign(n, {});
    for (std::size_t g = 0; g < n; ++g) {
        for (std::size_t k = 0; k < 4; ++k) hessian->diagonal[g][5 * k] = 2 * ridge * (k < 3 ? 1 : 0.1);
    }
    for (std::size_t g = 0; g < n; ++g)
        for (std::size_t k = 0; k < shares[g].block.size(); ++k) {
            const std::int32_t a = grain_of(g, shares[g].pair[k].first), b = grain_of(g, shares[g].pair[k].second);
            const Block& block = shares[g].block[k];
            if (a == b) {
                // The same grain twice (two images of it): both orders of the pair fall on the diagonal.
                const bool images = shares[g].pair[k].first != shares[g].pair[k].second;
                Block& out = hessian->diagonal[static_cast<std::size_t>(a)];
                for (std::size_t i = 0; i < 4; ++i)
                    for (std::size_t j = 0; j < 4; ++j)
                        out[4 * i + j] += scale * (block[4 * i + j] + (images ? block[4 * j + i] : 0));
            } else {
                rows[static_cast<std::size_t>(a)].push_back({b, &block, false});
                rows[static_cast<std::size_t>(b)].push_back({a, &block, true});
            }
        }
    hessian->first.assign(n + 1, 0);
    hessian->column.clear();
    hessian->block.clear();
    for (std::size_t g = 0; g < n; ++g) {
        std::stable_sort(rows[g].begin(), rows[g].end(),
                         [](const Entry& a, const Entry& b) { return a.column < b.column; });
        for (const Entry& entry : rows[g]) {
            if (hessian->column.size() == hessian->first[g] || hessian->column.back() != entry.column) {
                hessian->column.push_back(entry.column);
                hessian->block.push_back({});
            }
            Block& out = hessian->block.back();
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = 0; j < 4; ++j)
                    out[4 * i + j] += scale * (*entry.block)[entry.turned ? 4 * j + i : 4 * i + j];
        }
        hessian->first[g + 1] = hessian->column.size();
    }
    return loss;
}

double FitProblem::held_right(const std::vector<Unknowns>& at) const {
    const auto right = parallel_reduce<std::size_t>(
        grains(), 0,
        [&](std::size_t begin, std::size_t end) {
            std::size_t count = 0;
            Planes plane;
            for (std::size_t g = begin; g < end; ++g) {
                planes(g, at, plane);
                for (std::size_t s = held_.first[g]; s < held_.first[g + 1]; ++s) {
                    const Sample& v = held_.all[s];
                    double best = 0;
                    for (std::size_t c = 0; c < plane.b.size(); ++c)
                        best = std::max(best, plane.ax[c] * v.x + plane.ay[c] * v.y + plane.az[c] * v.z + plane.b[c]);
                    count += best <= 0;
                }
            }
            return count;
        },
        [](std::size_t a, std::size_t b) { return a + b; }, grains_per_task);
    return held_.size() == 0 ? 1 : static_cast<double>(right) / static_cast<double>(held_.size());
}

}  // namespace scree::micro
