// series.csv: one row per sample, the first row names the columns, the first column is `time`. Numbers are written with
// the fewest digits that read back to the same double, so equal runs give equal bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/orientation_order.h"
#include "engine/simulation.h"
#include "io/files.h"

namespace scree {

struct SeriesSample {
    double time = 0;
    EnergyReport energy;
    std::size_t grains = 0, contacts = 0;
    double max_overlap = 0;    // of the smaller radius, largest since the start
    std::int64_t removed = 0;  // grains taken out by the outflow since the start
    std::vector<WallReport> walls;
    std::optional<OrientationOrder> order;  // of scenes with grains that are not spheres
};

// The row of names for samples with these walls, and the row of one sample; both end with a newline.
std::string series_names(const std::vector<WallReport>& walls, bool shaped = false);
std::string series_row(const SeriesSample& sample);

// What a column is, for readers: in words ("force on lid, z"), and its unit.
struct SeriesColumn {
    std::string words, unit;
};
SeriesColumn series_column(const std::string& name);

// The file. A row that cannot be written whole is taken back.
class SeriesFile {
  public:
    SeriesFile() = default;
    // Starts the file anew with the row of names.
    static SeriesFile create(const std::filesystem::path& path, const std::string& names);
    // Cuts the file to its first `bytes` bytes and goes on there.
    static SeriesFile reopen(const std::filesystem::path& path, std::uint64_t bytes);

    void append(const std::string& row);
    void sync();
    std::uint64_t bytes() const { return bytes_; }

  private:
    std::filesystem::path path_;
    FileHandle file_;
    std::uint64_t bytes_ = 0;
};

}  // namespace scree
