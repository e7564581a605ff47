// The moments of a run folder, for measures, plots and exports: every frame, in full precision where a checkpoint of
// the same step exists. Works while the run goes on.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/run_files.h"
#include "measure/snapshot.h"

namespace scree {

class ShapeTable;

// Walls of one moment as triangles and, in 2D, segments.
struct WallPicture {
    std::vector<std::string> names;
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::array<int, 2>> segments;
    std::vector<int> wall_of_triangle, wall_of_segment;
};

class RunReader {
  public:
    // Throws Error(file or bad_input) when this is not the folder of a run or has no frames yet.
    explicit RunReader(std::filesystem::path folder);
    ~RunReader();

    const std::filesystem::path& folder() const { return files_.path(); }
    const Scene& scene() const { return *scene_; }
    std::size_t size() const { return times_.size(); }
    double time(std::size_t frame) const { return times_[frame]; }
    std::size_t nearest(double time) const;
    const RunFiles& files() const { return files_; }

    // The snapshot refers to scene(), so this must outlive it.
    Snapshot snapshot(std::size_t frame) const;
    WallPicture walls(std::size_t frame) const;
    // By Snapshot::shape.
    const ShapeTable& shapes() const;

  private:
    std::optional<Snapshot> from_checkpoint(std::int64_t step) const;
    std::vector<WallState> pistons(std::size_t frame, double time) const;
    RunFiles files_;
    std::unique_ptr<Scene> scene_;
    std::vector<double> times_;
    std::shared_ptr<const ShapeTable> shape_table() const;
    mutable std::shared_ptr<const ShapeTable>
        shapes_;  // made when first asked for, by a checkpoint too: cutting meshes takes time
};

// The frames meant by "a:b" (from a up to but without b; either may be left out, negative ones count from the end), by
// one number, or by nothing: all.
std::vector<std::size_t> chosen_frames(const std::optional<std::string>& text, std::size_t count);

}  // namespace scree
