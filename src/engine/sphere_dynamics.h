// Scenes of spheres (discs): two families, sphere-sphere and sphere-wall, whose kernel adds to the sums as it goes.
#pragma once

#include "engine/dynamics.h"
#include "engine/families/sphere_pairs.h"
#include "engine/families/sphere_walls.h"

namespace scree {

class SphereDynamics final : public Dynamics {
  public:
    SphereDynamics(const MaterialTable& materials, const Walls& walls, const Periodicity& periodicity,
                   double time_step);

    const ListRules& list_rules() const override;
    Pace pace(double cost_of_refresh) const override;
    double work(std::int64_t steps) const override;
    void renew(const Grains& grains, const Walls& walls, NearLists lists) override;

    void set_time_step(double time_step) override { scene_.time_step = time_step; }
    void begin_sweep(const Grains& grains, const Walls& walls, double farthest) override;
    void collide(const Grains& grains, const Walls& walls, std::size_t chunk, int worker) override;
    KickPowers finish(Grains& grains, const MotionParameters& motion, Ending ending, std::size_t chunk,
                      double& travel) override;
    void move(Grains& grains, const MotionParameters& motion, std::size_t chunk, double& travel) override;
    ContactReport end_sweep(std::size_t walls) override;

    ContactMemory memory(const Grains& grains) override;
    ContactMemory detach(const Grains& grains) override;
    void attach(const Grains& grains, const ContactMemory& memory) override;

    std::size_t pair_count() const override { return pairs_.size(); }
    double rotational_energy(const Grains& grains, const MotionParameters& motion, std::size_t g) const override;
    void each_view(const Grains& grains, const Walls& walls,
                   const std::function<void(const ContactView&)>& visit) const override;
    std::size_t look(const Grains& grains, const Walls& walls) override;
    void check(const World& world, const Scene& scene, const Walls& walls, double max_overlap) const override;

  private:
    ContactMemory collect(const Grains& grains, bool let_go);
    std::size_t chunk_pairs(std::size_t chunk) const { return pairs_.pair_count(chunk) + walls_.pair_count(chunk); }

    TileScene scene_;
    SpherePairs pairs_;
    SphereWalls walls_;
    std::vector<KernelResult> results_;  // by chunk, of the last sweep
    KernelArguments arguments_{};        // of all chunks
    std::size_t grains_ = 0, contacts_ = 0;
};

}  // namespace scree
