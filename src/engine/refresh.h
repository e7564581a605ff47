// When and how the lists of pairs are renewed.
//
// A list made with the skin s holds every pair with a gap below 2s (plus the reach of the law), and so every contact
// until some grain or wall has moved by s. How far grains have moved is bounded per chunk by the sum of the largest
// displacement of each step; when the bound passes s the true displacement is looked up before the list is given up.
//
// The skin is found from counted work, never from clocks: a longer one means rarer refreshes and longer lists. Both
// costs are compared in units of one pair visited, and the skin moves towards where they balance. The triangulation may
// shorten it to what it can prove (pair_search.h). Nothing of this can change a bit of the result (see contacts.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/contacts.h"
#include "engine/simulation.h"
#include "neighbor/neighborhood.h"
#include "neighbor/pair_search.h"
#include "scree/scene.h"
#include "wall/walls.h"

namespace scree {

class Refresh {
  public:
    Refresh(NeighborMethod method, int dimension, const Periodicity& periodicity, double law_reach,
            const SearchOptions& options)
        : search_(method, dimension, periodicity, options),
          periodicity_(periodicity),
          law_reach_(law_reach) {}

    // Bounds of the distance moved since the last refresh, per chunk of grains; the mover adds to them.
    std::vector<double>& travel() { return travel_; }
    // Renews the lists before the next use, whatever has moved.
    void require() { required_ = true; }
    // Renews the lists if they could miss a contact. Returns whether it did.
    bool update(const Grains& grains, const Walls& walls, Contacts& contacts);

    NeighborReport report(std::size_t grain_count, std::size_t pair_count, std::size_t contact_count) const;
    std::int64_t changes() const { return search_.changes(); }
    double skin() const { return skin_; }
    // For tests: skins and moments drawn at random in place of the program's choice.
    void disturb(std::uint64_t seed) { disturbance_ = seed; }

  private:
    bool expired(const Grains& grains, const Walls& walls);
    double choose_skin(const Grains& grains, const Contacts& contacts);

    PairSearch search_;
    Periodicity periodicity_;
    double law_reach_;
    bool required_ = true;
    double skin_ = 0;
    std::vector<double> travel_;
    std::vector<Vec3> reference_;
    std::vector<WallPlacement> wall_reference_;
    double extent_ = 0;  // largest coordinate of a grain at the last refresh
    std::int64_t steps_since_ = 0;
    std::uint64_t disturbance_ = 0;
    std::uint64_t draws_ = 0;
};

}  // namespace scree
