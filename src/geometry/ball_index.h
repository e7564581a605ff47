// Which balls are near a point? A grid of hashed cells with one level per power of two of the radii, so that neither
// empty space nor a large ratio of sizes costs anything. Balls are added one by one and keep their number.
//
// Periodic axes: the index holds each ball once, and queries look across the borders.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "math/periodicity.h"
#include "math/vec.h"

namespace scree {

class BallIndex {
  public:
    explicit BallIndex(const Periodicity& periodicity = {}) : periodicity_(periodicity) {}

    int add(Vec3 center, double radius);  // returns its number: 0, 1, 2, ...
    std::size_t size() const { return balls_.size(); }
    Vec3 center(int ball) const { return balls_[static_cast<std::size_t>(ball)].center; }
    double radius(int ball) const { return balls_[static_cast<std::size_t>(ball)].radius; }

    // Calls visit(ball, shift) for every ball whose surface is less than `reach` from x, shift being the multiple of
    // the periods that brings the ball there; a ball may be met in several images. In a fixed order; stops when visit
    // returns true, and returns whether it did.
    template <class Visit>
    bool any_near(Vec3 x, double reach, Visit&& visit) const;

    // The lowest number among the balls that come closer than `gap` to the ball (x, radius), or nothing.
    std::optional<int> closer_than(double gap, Vec3 x, double radius) const;
    // Whether there is any.
    bool any_closer_than(double gap, Vec3 x, double radius) const {
        return any_near(x, radius + gap, [](int, Vec3) { return true; });
    }

    const Periodicity& periodicity() const { return periodicity_; }

  private:
    struct Ball {
        Vec3 center;
        double radius;
        int next;  // in the same slot of its level, -1 at the end
    };
    struct Level {
        int exponent = 0;  // cells are 2^exponent wide, at least the diameter of the balls in it
        double cell = 0;
        double largest = 0;  // radius
        std::vector<int> balls;
        std::vector<int> head;  // first ball of each slot; a power of two of slots
    };
    using Cell = std::array<std::int64_t, 3>;

    static std::size_t slot_of(const Cell& cell, std::size_t slots);
    static Cell cell_of(const Level& level, Vec3 x);
    void link(Level& level, int ball);
    template <class Visit>
    bool any_in_level(const Level& level, Vec3 x, double reach, Vec3 shift, Visit&& visit) const;

    Periodicity periodicity_;
    std::vector<Ball> balls_;
    std::vector<Level> levels_;  // by falling exponent
    double largest_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------------

inline BallIndex::Cell BallIndex::cell_of(const Level& level, Vec3 x) {
    return {static_cast<std::int64_t>(std::floor(x.x / level.cell)),
            static_cast<std::int64_t>(std::floor(x.y / level.cell)),
            static_cast<std::int64_t>(std::floor(x.z / level.cell))};
}

template <class Visit>
bool BallIndex::any_in_level(const Level& level, Vec3 x, double reach, Vec3 shift, Visit&& visit) const {
    const auto meets = [&](int k) {
        const Ball& ball = balls_[static_cast<std::size_t>(k)];
        const double limit = reach + ball.radius;
        return limit > 0 && norm2(ball.center - x) < limit * limit && visit(k, shift);
    };
    const double far = reach + level.largest;
    if (far <= 0) return false;
    // A query that spans more cells than there are balls is answered ball by ball.
    const double span = 2 * far / level.cell + 1;
    if (span * span * span > static_cast<double>(level.balls.size()) * 4) {
        for (const int k : level.balls)
            if (meets(k)) return true;
        return false;
    }
    const Cell low = cell_of(level, x - Vec3{far, far, far}), high = cell_of(level, x + Vec3{far, far, far});
    for (std::int64_t i = low[0]; i <= high[0]; ++i)
        for (std::int64_t j = low[1]; j <= high[1]; ++j)
            for (std::int64_t k = low[2]; k <= high[2]; ++k) {
                const Cell cell{i, j, k};
                for (int ball = level.head[slot_of(cell, level.head.size())]; ball >= 0;
                     ball = balls_[static_cast<std::size_t>(ball)].next)
                    if (cell_of(level, balls_[static_cast<std::size_t>(ball)].center) == cell && meets(ball))
                        return true;
            }
    return false;
}

template <class Visit>
bool BallIndex::any_near(Vec3 x, double reach, Visit&& visit) const {
    // Images of the query that come near the balls: up to `count` periods down and up.
    std::array<int, 3> below{}, above{};
    const Vec3 period = periodicity_.length;
    x = periodicity_.wrapped(x);
    for (int axis = 0; axis < 3; ++axis) {
        if (!periodicity_.along(axis)) continue;
        const double low = periodicity_.low[axis], high = low + period[axis];
        const double far = reach + largest_;
        below[static_cast<std::size_t>(axis)] =
            static_cast<int>(std::fmax(0, std::ceil((far - (high - x[axis])) / period[axis])));
        above[static_cast<std::size_t>(axis)] =
            static_cast<int>(std::fmax(0, std::ceil((far - (x[axis] - low)) / period[axis])));
    }
    for (int i = -below[0]; i <= above[0]; ++i)
        for (int j = -below[1]; j <= above[1]; ++j)
            for (int k = -below[2]; k <= above[2]; ++k) {
                const Vec3 shift{-i * period.x, -j * period.y, -k * period.z};
                for (const Level& level : levels_)
                    if (any_in_level(level, x - shift, reach, shift, visit)) return true;
            }
    return false;
}

}  // namespace scree
