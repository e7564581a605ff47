#include "geometry/ball_index.h"

#include <algorithm>
#include <cmath>

#include "core/hash.h"

namespace scree {

std::size_t BallIndex::slot_of(const Cell& cell, std::size_t slots) {
    const auto word = [](std::int64_t i) { return static_cast<std::uint64_t>(i); };
    const std::uint64_t mixed = mix_bits(word(cell[0]) * 0x9e3779b97f4a7c15u ^ word(cell[1]) * 0xc2b2ae3d27d4eb4fu ^
                                         word(cell[2]) * 0x165667b19e3779f9u);
    return static_cast<std::size_t>(mixed) & (slots - 1);
}

void BallIndex::link(Level& level, int ball) {
    Ball& entry = balls_[static_cast<std::size_t>(ball)];
    int& head = level.head[slot_of(cell_of(level, entry.center), level.head.size())];
    entry.next = head;
    head = ball;
}

int BallIndex::add(Vec3 center, double radius) {
    const int number = static_cast<int>(balls_.size());
    balls_.push_back({periodicity_.wrapped(center), radius, -1});
    largest_ = std::fmax(largest_, radius);

    int exponent = 0;
    std::frexp(2 * std::fmax(radius, 1e-300), &exponent);
    auto level = std::find_if(levels_.begin(), levels_.end(), [&](const Level& l) { return l.exponent <= exponent; });
    if (level == levels_.end() || level->exponent != exponent) {
        Level fresh;
        fresh.exponent = exponent;
        fresh.cell = std::ldexp(1.0, exponent);
        fresh.head.assign(64, -1);
        level = levels_.insert(level, std::move(fresh));
    }
    level->largest = std::fmax(level->largest, radius);
    level->balls.push_back(number);
    if (level->balls.size() > level->head.size()) {
        level->head.assign(4 * level->head.size(), -1);
        for (const int ball : level->balls) link(*level, ball);
    } else {
        link(*level, number);
    }
    return number;
}

std::optional<int> BallIndex::closer_than(double gap, Vec3 x, double radius) const {
    std::optional<int> found;
    any_near(x, radius + gap, [&](int ball, Vec3) {
        if (!found || ball < *found) found = ball;
        return false;
    });
    return found;
}

}  // namespace scree
