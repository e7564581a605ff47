// Contacts between bodies whose pieces are all balls: clumps, glued spheres, spheres among shapes. Every two balls are
// a contact by themselves, of one point and without a patch, so that the kernel computes them in lanes
// (kernels/body_kernel.h).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/families/body_pairs.h"
#include "engine/families/body_scene.h"
#include "world/contact_list.h"

namespace scree {

class BallPairs {
  public:
    explicit BallPairs(const BodyScene& scene) : scene_(scene) {}

    // Takes over the lists of all blocks. `largest`: radius of the ball around any body.
    void renew(std::span<const std::vector<BallPair>> lists, double largest);
    void clear() { renew({}, 0); }
    // The forces of a block's pairs. `farthest`: how far any body has come since the lists were made.
    void collide(const Grains& grains, std::size_t block, double farthest, BodyPairs& bodies, BlockReport& report);

    std::size_t size() const { return pairs_.size(); }
    std::size_t touching(const BodyPair& pair) const;
    void each_view(const Grains& grains, const BodyPair& pair,
                   const std::function<void(const ContactView&)>& visit) const;
    void remember(const Grains& grains, const BodyPair& pair, ContactMemory& out) const;
    void recall(const Grains& grains, const ContactMemory& memory);

  private:
    static constexpr std::uint32_t ball_key = 1;  // of the one point of two balls
    std::size_t row() const { return ball_row(scene_.law.width()); }
    double* memory_of(std::size_t pair) { return memory_.data() + pair * row(); }
    const double* memory_of(std::size_t pair) const { return memory_.data() + pair * row(); }
    bool touches(std::size_t pair) const { return memory_of(pair)[scene_.law.width()] > 0; }
    std::uint16_t number_of(std::size_t body, std::uint32_t ball) const {
        return static_cast<std::uint16_t>(ball - scene_.bodies.ball_first[body]);
    }

    const BodyScene& scene_;
    std::vector<BallPair> pairs_;
    std::vector<std::size_t> first_{0};  // of each block; the end of the last one
    // What is looked at of all pairs in every step, by pair. Marks: see geometry/odometer.h.
    std::vector<double> marks_, memory_;
    double largest_ = 0;
};

}  // namespace scree
