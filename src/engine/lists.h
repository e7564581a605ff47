// When and how the lists of what may touch are renewed, for spheres and bodies alike.
//
// A list made with the skin s holds every pair with a gap below 2s (plus the reach of the law), and so every contact
// until some grain or wall has moved by s. How far grains have moved is bounded per block by what the mover notes; when
// the bound of spheres passes s, their true displacement is looked up before the list is given up.
//
// The skin is found from counted work, never from clocks: a longer one means rarer refreshes and longer lists. Whoever
// uses the lists says between how many steps the two costs balance (Pace), and the skin moves there. The triangulation
// may shorten it to what it can prove (pair_search.h). Nothing of this can change a bit of the result (rows.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/near_lists.h"
#include "neighbor/neighborhood.h"
#include "neighbor/pair_search.h"
#include "scree/scene.h"
#include "wall/walls.h"
#include "world/reports.h"

namespace scree {

class Dynamics;

class Lists {
  public:
    Lists(const Scene& scene, const Periodicity& periodicity, double law_reach, const SearchOptions& options)
        : search_(scene.neighbors, scene.dimension, periodicity, options),
          periodicity_(periodicity),
          law_reach_(law_reach),
          options_(options) {}

    // Bounds of the distance moved since the last refresh, by block; the mover keeps them.
    std::vector<double>& travel() { return travel_; }
    double farthest() const;
    // Renews the lists before the next use, whatever has moved.
    void require() { required_ = true; }
    // Renews the lists if they could miss a contact.
    void update(const Grains& grains, const Walls& walls, Dynamics& dynamics);

    NeighborReport report() const;
    std::int64_t changes() const { return search_.changes(); }
    // For tests: skins and moments drawn at random in place of the program's choice.
    void disturb(std::uint64_t seed) { disturbance_ = seed; }

  private:
    bool expired(const Grains& grains, const Walls& walls, const Dynamics& dynamics);
    void choose_skin(const ListRules& rules, const Pace& pace, double smallest);
    void renew(const Grains& grains, const Walls& walls, Dynamics& dynamics);

    PairSearch search_;
    Periodicity periodicity_;
    double law_reach_;
    SearchOptions options_;
    std::int64_t renewals_ = 0;
    bool required_ = true;
    double skin_ = 0;
    std::vector<double> travel_;
    std::vector<Vec3> reference_;
    std::vector<WallPlacement> wall_reference_;
    double extent_ = 0;  // largest coordinate of a point of a grain at the last refresh
    std::int64_t steps_since_ = 0;
    std::uint64_t disturbance_ = 0, draws_ = 0;
};

}  // namespace scree
