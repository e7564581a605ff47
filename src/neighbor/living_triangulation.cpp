#include "neighbor/living_triangulation.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/parallel.h"
#include "scree/error.h"
#include "triangulation/guards.h"
#include "world/identity.h"

namespace scree {
namespace {

using tri::Row;
using TriIndex = tri::Index;

constexpr double first_cover = 0.3;   // of the smallest radius; orthogonality of touching equal balls ends at 0.41
constexpr double safety = 0.8;        // of what the edges allow, when the cover has to follow them
constexpr double guard_spacing = 8;   // in mean diameters
constexpr double guard_distance = 4;  // in mean diameters, from the outermost balls
// Root mean square of what spheres travel in one update of the triangulation, of their radius. Up to here flips follow
// nearly everything; from twice as much on the rungs behind them cost more than going in two steps.
constexpr double stride = 0.02;
constexpr int most_strides = 8;
constexpr double many_changes =
    0.1;  // of the balls; from here on building anew costs less than insertions and removals
constexpr double image_hysteresis =
    1.25;  // images go when they are farther than this times the distance within which they come
constexpr int most_waiting = 64;

// Images are numbered by the periods added along the three axes, each -1, 0 or 1, in base 3.
constexpr unsigned itself = 13, no_image = 255;
constexpr unsigned powers_of_3[3] = {1, 3, 9};
int periods_of(unsigned image, int axis) { return static_cast<int>(image / powers_of_3[axis] % 3) - 1; }

}  // namespace

LivingTriangulation::Counts& LivingTriangulation::Counts::operator+=(const Counts& other) {
    builds += other.builds;
    inserted += other.inserted;
    removed += other.removed;
    covers += other.covers;
    for (std::size_t k = 0; k < rungs.size(); ++k) rungs[k] += other.rungs[k];
    ladder += other.ladder;
    return *this;
}

// ---- Sites ----------------------------------------------------------------------------------------------------------

LivingTriangulation::Survey LivingTriangulation::survey(const BallRows& balls) {
    const auto one = [](const double* b) {
        const Vec3 x{b[0], b[1], b[2]}, r{b[3], b[3], b[3]};
        return Survey{b[3], b[3], b[3], x - r, x + r};
    };
    const auto join = [](Survey a, const Survey& b) {
        a.smallest = std::min(a.smallest, b.smallest);
        a.largest = std::max(a.largest, b.largest);
        a.mean += b.mean;
        for (int axis = 0; axis < 3; ++axis) {
            a.low[axis] = std::min(a.low[axis], b.low[axis]);
            a.high[axis] = std::max(a.high[axis], b.high[axis]);
        }
        return a;
    };
    std::vector<Survey> parts(chunk_count(balls.count));
    run_tasks(parts.size(), [&](std::size_t task, int) {
        const std::size_t begin = task * default_chunk, end = std::min(balls.count, begin + default_chunk);
        parts[task] = one(balls[begin]);
        for (std::size_t i = begin + 1; i < end; ++i) parts[task] = join(parts[task], one(balls[i]));
    });
    Survey all = parts[0];
    for (std::size_t k = 1; k < parts.size(); ++k) all = join(all, parts[k]);
    all.mean /= static_cast<double>(balls.count);
    return all;
}

// How far a sphere of the triangulation reaches beyond its ball, snapping apart. Rounding of the periods moves images.
double LivingTriangulation::swelling() const { return cover_ + (periodicity_.any() ? 0.8661 * snap_.unit : 0); }

Row LivingTriangulation::row_of(const double* ball) const {
    return tri::snapped_row(snap_, {ball[0], ball[1], ball[2]}, ball[3] + swelling());
}

Row LivingTriangulation::image_row(Row row, unsigned image) const {
    for (int axis = 0; axis < dimension_; ++axis)
        row.c[axis] += periods_of(image, axis) * period_[static_cast<std::size_t>(axis)];
    return row;
}

// The images of a ball within its distance of the borders, as a set of bits; itself included.
unsigned LivingTriangulation::images_wanted(const double* ball, double widening) const {
    const double distance = widening * 2 * (ball[3] + swelling() + snap_.length());
    unsigned wanted = 1u << itself;
    for (int axis = 0; axis < dimension_; ++axis) {
        if (!periodic(axis)) continue;
        const double above = ball[axis] - periodicity_.low[axis], below = periodicity_.length[axis] - above;
        const unsigned before = wanted;
        if (above <= distance) wanted |= before << powers_of_3[axis];
        if (below <= distance) wanted |= before >> powers_of_3[axis];
    }
    return wanted;
}

// ---- Guards ---------------------------------------------------------------------------------------------------------

// The space that all spheres and images take.
LivingTriangulation::Extents LivingTriangulation::needed_space(const Survey& survey) const {
    Extents space{survey.low, survey.high};
    const double swollen = swelling() + 2 * snap_.length();
    for (int axis = 0; axis < 3; ++axis) {
        double beyond = swollen;
        if (axis < dimension_ && periodic(axis)) {
            space.low[axis] = periodicity_.low[axis];
            space.high[axis] = periodicity_.low[axis] + periodicity_.length[axis];
            beyond = (2 * image_hysteresis + 1) * (survey.largest + swollen);
        }
        space.low[axis] -= beyond;
        space.high[axis] += beyond;
    }
    return space;
}

bool LivingTriangulation::inside_box(const Survey& survey) const {
    const Extents space = needed_space(survey);
    for (int axis = 0; axis < dimension_; ++axis)
        if (space.low[axis] <= box_.low[axis] || space.high[axis] >= box_.high[axis]) return false;
    return true;
}

// Some diameters around the balls; farther on the sides where they have just left the box.
void LivingTriangulation::choose_box(const Survey& survey) {
    const Extents space = needed_space(survey), before = box_;
    const double distance = guard_distance * 2 * survey.mean;
    for (int axis = 0; axis < 3; ++axis) {
        const double growth = alive_ ? 0.1 * (space.high[axis] - space.low[axis]) : 0;
        box_.low[axis] = space.low[axis] - distance - (space.low[axis] <= before.low[axis] ? growth : 0);
        box_.high[axis] = space.high[axis] + distance + (space.high[axis] >= before.high[axis] ? growth : 0);
    }
}

std::vector<Row> LivingTriangulation::guards(const Survey& survey, std::size_t balls) const {
    Row low{{0, 0, 0, 0}}, high = low;
    for (int axis = 0; axis < dimension_; ++axis) {
        low.c[axis] = std::floor(box_.low[axis] / snap_.unit);
        high.c[axis] = std::ceil(box_.high[axis] / snap_.unit);
    }
    // Never more than a part of the balls, however far a stray has gone.
    const double most = std::max(100.0, 0.1 * static_cast<double>(balls));
    const double x = high.c[0] - low.c[0], y = high.c[1] - low.c[1], z = high.c[2] - low.c[2];
    double spacing = guard_spacing * 2 * survey.mean / snap_.unit;
    const auto count = [&] {
        return dimension_ == 3 ? 2 * (x * y + y * z + z * x) / (spacing * spacing) : 2 * (x + y) / spacing;
    };
    while (count() > most) spacing *= 1.2;
    return tri::guard_rows(low, high, spacing, dimension_);
}

// ---- Names ----------------------------------------------------------------------------------------------------------

void LivingTriangulation::add_vertex(std::int32_t site, unsigned image, const Row& row) {
    std::size_t vertex = site_.size();
    if (unused_.empty()) {
        site_.push_back(site);
        image_.push_back(static_cast<std::uint8_t>(image));
        is_image_.push_back(image != itself);
    } else {
        vertex = static_cast<std::size_t>(unused_.back());
        unused_.pop_back();
        site_[vertex] = site;
        image_[vertex] = static_cast<std::uint8_t>(image);
        is_image_[vertex] = image != itself;
    }
    triangulation_.insert(static_cast<TriIndex>(vertex), row);
    ++counts_.inserted;
    ++work_.reinserted;
}

void LivingTriangulation::drop_vertex(std::size_t vertex) {
    triangulation_.remove(static_cast<TriIndex>(vertex));
    site_[vertex] = no_site;
    unused_.push_back(static_cast<std::int32_t>(vertex));
    ++counts_.removed;
    ++work_.reinserted;
}

// The balls have been sorted, or some have come or gone: vertices get the new places of their balls in storage, those
// of balls that went are removed, balls without a vertex become newcomers. False when a new build costs less.
bool LivingTriangulation::rename(std::span<const std::uint32_t> ids) {
    const IdentityTable old_places(ids_);
    std::vector<std::int32_t> new_place(ids_.size(), no_site);
    newcomers_.clear();
    std::int32_t highest = -1;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Index old_place = old_places.find(ids[i]);
        if (old_place == IdentityTable::none) {
            newcomers_.push_back(static_cast<std::uint32_t>(i));
            continue;
        }
        const auto before = static_cast<std::int32_t>(old_place);
        new_place[static_cast<std::size_t>(before)] = static_cast<std::int32_t>(i);
        untidy_ = untidy_ || before < highest;
        highest = std::max(highest, before);
    }
    const std::size_t gone = ids_.size() + newcomers_.size() - ids.size();
    if (static_cast<double>(gone + newcomers_.size()) > many_changes * static_cast<double>(ids.size())) return false;
    for (std::size_t v = 0; v < site_.size(); ++v) {
        if (site_[v] == no_site) continue;
        const std::int32_t to = new_place[static_cast<std::size_t>(site_[v])];
        if (to == no_site)
            drop_vertex(v);
        else
            site_[v] = to;
    }
    ids_.assign(ids.begin(), ids.end());
    return true;
}

// Vertices in the order of the balls, then the guards, then the images.
void LivingTriangulation::tidy() {
    const std::size_t n = ids_.size(), vertices = site_.size();
    std::vector<TriIndex> number(vertices, -1);
    std::size_t next = n;
    for (std::size_t v = 0; v < vertices; ++v)
        if (site_[v] != no_site && !is_image_[v]) number[v] = site_[v];
    for (const bool images : {false, true})
        for (std::size_t v = 0; v < vertices; ++v)
            if (images ? site_[v] != no_site && is_image_[v]
                       : site_[v] == no_site && !triangulation_.is_absent(static_cast<TriIndex>(v)))
                number[v] = static_cast<TriIndex>(next++);
    triangulation_.renumber(number, next);
    std::vector<std::int32_t> site(next, no_site);
    std::vector<std::uint8_t> image(next, itself), is_image(next, 0);
    for (std::size_t v = 0; v < vertices; ++v) {
        if (number[v] < 0) continue;
        const auto to = static_cast<std::size_t>(number[v]);
        site[to] = site_[v];
        image[to] = image_[v];
        is_image[to] = is_image_[v];
    }
    site_.swap(site);
    image_.swap(image);
    is_image_.swap(is_image);
    unused_.clear();
    untidy_ = false;
}

// ---- Motion ---------------------------------------------------------------------------------------------------------

void LivingTriangulation::build(const BallRows& balls, std::span<const std::uint32_t> ids, const Survey& survey) {
    choose_box(survey);
    snap_ = tri::choose_snap(std::vector<Vec3>{box_.low, box_.high}, survey.smallest, dimension_);
    snapped_for_ = survey.smallest;
    for (int axis = 0; axis < 3; ++axis)
        period_[static_cast<std::size_t>(axis)] = std::nearbyint(periodicity_.length[axis] / snap_.unit);
    ids_.assign(ids.begin(), ids.end());
    const std::size_t n = balls.count;
    std::vector<Row> rows(n);
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) rows[i] = row_of(balls[i]);
    });
    site_.resize(n);
    for (std::size_t i = 0; i < n; ++i) site_[i] = static_cast<std::int32_t>(i);
    const std::vector<Row> around = guards(survey, n);
    rows.insert(rows.end(), around.begin(), around.end());
    site_.resize(rows.size(), no_site);
    image_.assign(rows.size(), itself);
    is_image_.assign(rows.size(), 0);
    if (periodicity_.any())
        for (std::size_t i = 0; i < n; ++i)
            for (unsigned wanted = images_wanted(balls[i], 1) & ~(1u << itself); wanted; wanted &= wanted - 1) {
                const auto image = static_cast<unsigned>(std::countr_zero(wanted));
                rows.push_back(image_row(rows[i], image));
                site_.push_back(static_cast<std::int32_t>(i));
                image_.push_back(static_cast<std::uint8_t>(image));
                is_image_.push_back(1);
            }
    unused_.clear();
    newcomers_.clear();
    untidy_ = false;
    work_.built += static_cast<double>(rows.size());
    triangulation_.build(std::move(rows));
    // Cells lie in the order in which they came to be; sweeps want them in the order of the balls.
    if (triangulation_.dimension() == dimension_) tidy();
    alive_ = true;
    ++counts_.builds;
}

// All vertices to where their balls are now, in strides. On a periodic axis a vertex stays with that image of its ball
// that is nearest.
void LivingTriangulation::move(const BallRows& balls) {
    const std::vector<Row>& before = triangulation_.rows();
    std::vector<Row> rows(before.size());
    const bool wrapped = periodicity_.any();
    struct Part {
        std::vector<std::size_t> astray;
        double travel = 0;  // sum of squares
    };
    std::vector<Part> parts(chunk_count(rows.size()));
    run_tasks(parts.size(), [&](std::size_t task, int) {
        Part part;
        for (std::size_t v = task * default_chunk; v < std::min(rows.size(), (task + 1) * default_chunk); ++v) {
            Row& row = rows[v];
            if (site_[v] == no_site) {
                row = before[v];
                continue;
            }
            row = row_of(balls[static_cast<std::size_t>(site_[v])]);
            unsigned image = itself;
            for (int axis = 0; wrapped && axis < dimension_ && image != no_image; ++axis) {
                if (!periodic(axis)) continue;
                const double period = period_[static_cast<std::size_t>(axis)],
                             periods = std::nearbyint((before[v].c[axis] - row.c[axis]) / period);
                if (std::fabs(periods) > 1)
                    image = no_image;
                else
                    image = static_cast<unsigned>(static_cast<int>(image) +
                                                  static_cast<int>(periods) * static_cast<int>(powers_of_3[axis]));
                row.c[axis] += periods * period;
            }
            if (image == no_image) part.astray.push_back(v);
            image_[v] = static_cast<std::uint8_t>(image);
            is_image_[v] = image != itself;
            double square = 0;
            for (int axis = 0; axis < 3; ++axis)
                square += (row.c[axis] - before[v].c[axis]) * (row.c[axis] - before[v].c[axis]);
            part.travel += square / row.c[3];
        }
        parts[task] = std::move(part);
    });
    double travel = 0;
    for (const Part& part : parts) {
        for (const std::size_t v : part.astray) drop_vertex(v);
        travel += part.travel;
    }
    // Farther than some strides the ladder had better build anew.
    const double wanted = std::ceil(std::sqrt(travel / static_cast<double>(rows.size())) / stride);
    const int strides = wanted > most_strides ? 1 : std::max(1, static_cast<int>(wanted));

    const tri::UpdateCounts earlier = triangulation_.counts();
    for (int k = 1; k < strides; ++k) {
        const std::vector<Row>& from = triangulation_.rows();
        std::vector<Row> between(rows.size());
        const double part = 1.0 / (strides - k + 1);
        parallel_for(rows.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t v = begin; v < end; ++v)
                for (int m = 0; m < 4; ++m)
                    between[v].c[m] = std::nearbyint(from[v].c[m] + part * (rows[v].c[m] - from[v].c[m]));
        });
        triangulation_.update(std::move(between));
    }
    triangulation_.update(std::move(rows));
    count_update(earlier, strides);
}

void LivingTriangulation::count_update(const tri::UpdateCounts& earlier, int strides) {
    const tri::UpdateCounts& now = triangulation_.counts();
    const Rung rung = now.rebuilds > earlier.rebuilds       ? rebuild
                      : now.reinserted > earlier.reinserted ? reinsertion
                      : now.substeps > earlier.substeps     ? substeps
                      : now.flips > earlier.flips           ? flips
                                                            : unchanged;
    ++counts_.rungs[rung];
    counts_.ladder = now;
    const double facets = static_cast<double>(triangulation_.cell_slots()) * 0.5 * (dimension_ + 1);
    work_.facets += facets;
    work_.motion_facets += facets * (strides - 1 + static_cast<double>(now.substeps - earlier.substeps) +
                                     (rung >= reinsertion ? strides : 0));
    work_.flips += static_cast<double>(now.flips - earlier.flips);
    work_.reinserted += static_cast<double>(now.reinserted - earlier.reinserted);
    if (rung == rebuild)
        work_.built += static_cast<double>(now.rebuilds - earlier.rebuilds) * static_cast<double>(site_.size());
}

// Images that have left their distance from the border by a good part go, those that entered it come.
void LivingTriangulation::mend_images(const BallRows& balls) {
    if (!periodicity_.any()) return;
    std::vector<std::uint32_t> held(balls.count, 0);
    for (std::size_t v = 0; v < site_.size(); ++v)
        if (site_[v] != no_site) held[static_cast<std::size_t>(site_[v])] |= 1u << image_[v];
    struct Changes {
        std::vector<std::size_t> gone;
        std::vector<std::uint32_t> lacking;
    };
    std::vector<Changes> of_vertices(chunk_count(site_.size())), of_balls(chunk_count(balls.count));
    run_tasks(of_vertices.size(), [&](std::size_t task, int) {
        for (std::size_t v = task * default_chunk; v < std::min(site_.size(), (task + 1) * default_chunk); ++v)
            if (site_[v] != no_site && is_image_[v] &&
                !(images_wanted(balls[static_cast<std::size_t>(site_[v])], image_hysteresis) >> image_[v] & 1))
                of_vertices[task].gone.push_back(v);
    });
    run_tasks(of_balls.size(), [&](std::size_t task, int) {
        for (std::size_t i = task * default_chunk; i < std::min(balls.count, (task + 1) * default_chunk); ++i)
            if (images_wanted(balls[i], 1) & ~held[i]) of_balls[task].lacking.push_back(static_cast<std::uint32_t>(i));
    });
    for (const Changes& part : of_vertices)
        for (const std::size_t v : part.gone) drop_vertex(v);
    for (const Changes& part : of_balls)
        for (const std::uint32_t i : part.lacking)
            for (unsigned lacking = images_wanted(balls[i], 1) & ~held[i]; lacking; lacking &= lacking - 1) {
                const auto image = static_cast<unsigned>(std::countr_zero(lacking));
                add_vertex(static_cast<std::int32_t>(i), image, image_row(row_of(balls[i]), image));
            }
}

// ---- Refresh --------------------------------------------------------------------------------------------------------

void LivingTriangulation::follow(const BallRows& balls, std::span<const std::uint32_t> ids, const Survey& survey) {
    const bool same_grid = survey.smallest >= 0.5 * snapped_for_ && survey.smallest < 4 * snapped_for_;
    bool living = alive_ && same_grid && inside_box(survey);
    if (living && !std::equal(ids.begin(), ids.end(), ids_.begin(), ids_.end())) living = rename(ids);
    if (!living) return build(balls, ids, survey);
    move(balls);
    for (const std::uint32_t i : newcomers_) add_vertex(static_cast<std::int32_t>(i), itself, row_of(balls[i]));
    newcomers_.clear();
    mend_images(balls);
    if (untidy_ || unused_.size() > site_.size() / 8) tidy();
}

Refusal LivingTriangulation::update(const BallRows& balls, std::span<const std::uint32_t> ids, double& reach,
                                    double least_reach, PairList& pairs, const CoveredBodies* bodies) {
    work_ = {};
    if (balls.count == 0) {
        alive_ = false;
        pairs.first.assign(bodies ? bodies->around.count + 1 : 1, 0);
        pairs.partners.clear();
        return Refusal::none;
    }
    if (waiting_ > 0) {
        --waiting_;
        return last_refusal_;
    }
    const Survey seen = survey(balls);
    const double wanted = 0.5 * reach, least = 0.5 * least_reach;
    if (cover_ == 0) cover_ = std::max(wanted, first_cover * seen.smallest);
    Refusal refusal = Refusal::none;
    for (int attempt = 0; attempt < 3; ++attempt) {
        try {
            follow(balls, ids, seen);
        } catch (const Error&) {
            // Balls too far apart for a common grid of snapping.
            alive_ = false;
            refusal = Refusal::too_wide;
            break;
        }
        reach = 2 * std::min(wanted, cover_);
        refusal = edges_.list(triangulation_, names(), balls, bodies, periodicity_, reach, pairs);
        work_.edges += static_cast<double>(triangulation_.cell_slots());
        if (refusal != Refusal::hidden_vertex && refusal != Refusal::not_orthogonal) break;
        // A smaller cover may do.
        const double allowed =
            refusal == Refusal::hidden_vertex
                ? 0.5 * cover_
                : safety * EdgePairs::orthogonal_margin(triangulation_, names(), balls, bodies, periodicity_);
        const bool hopeless = cover_ <= least || (allowed < least && refusal == Refusal::not_orthogonal);
        cover_ = std::max(std::min(allowed, 0.9 * cover_), least);
        ++counts_.covers;
        raise_in_ = 8;
        if (hopeless) break;
    }
    last_refusal_ = refusal;
    if (refusal != Refusal::none) {
        if (refusal == Refusal::broken_links || refusal == Refusal::flat) alive_ = false;
        // Overlaps as deep as these do not pass from one refresh to the next.
        if (++refused_ > 1) waiting_ = std::min(most_waiting, 1 << std::min(refused_, 6));
        return refusal;
    }
    refused_ = 0;
    // A cover that had to be lowered may be raised again when the edges allow it.
    if (wanted > cover_ && --raise_in_ <= 0) {
        raise_in_ = 8;
        const double allowed =
            std::min({safety * EdgePairs::orthogonal_margin(triangulation_, names(), balls, bodies, periodicity_),
                      std::max(wanted, first_cover * seen.smallest)});
        if (allowed > 1.1 * cover_) {
            cover_ = allowed;
            ++counts_.covers;
        }
    }
    return refusal;
}

std::size_t LivingTriangulation::bytes() const {
    return triangulation_.bytes() + ids_.capacity() * sizeof(std::uint32_t) + site_.capacity() * sizeof(std::int32_t) +
           image_.capacity() + is_image_.capacity();
}

}  // namespace scree
