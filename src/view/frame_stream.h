// Grains and contacts of an exported page, frame after frame. Most of a frame is what the frame before was: a grain at
// rest stays, a contact goes on. So numbers become integers, rows are known by a key, and a frame holds the change of
// each row since the frame before; zlib then takes what repeats. A tenth to a fifth of the size of packs in base64.
//
//   "SCRF"  uint32 version = 1  uint32 bytes of the header  uint32 0
//   header: JSON: what packs have (kind, time, step, names, ...), `follows` (whether the frame before is needed),
//           `rows`, `kept`, `added`, `columns`: for each `name`, `components`, `bytes` (1, 2 or 4), `scale`, `low`,
//           `high`, `changes` (relative to the row of the frame before)
//   block:  kept rows of the frame before as runs (uint32 length, in turn left out and kept), keys of added rows as
//           differences (uint32 high, uint32 low), then the columns. All are split into planes of bytes.
//
// Rows are in the order of their keys: kept and added ones merged. docs/viewer.md describes the format;
// viewer/src/data/stream.ts reads it. Every 16th frame stands by itself, so that no more than 16 are read to see one.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace scree::view {

constexpr std::size_t frames_between_whole_ones = 16;

struct StreamColumn {
    std::string name;
    int components = 1;
    int bytes = 2;                      // of a stored number: 1, 2 or 4
    bool changes = false;               // stored as the change since the frame before
    std::string scale = "whole";        // "whole": the integer itself; "even": low + (high - low) n / most; "root": the
                                        // same of the square root, for values from 0 to high
    std::vector<double> low, high;      // by component, of even and root
    std::vector<std::uint32_t> values;  // by row, component by component
};

class FrameStream {
  public:
    // The next frame: keys rise. Returns its bytes, not yet compressed. `header` has what packs have besides arrays.
    std::string next(const nlohmann::ordered_json& header, const std::vector<std::uint64_t>& keys,
                     const std::vector<StreamColumn>& columns);

  private:
    std::vector<std::uint64_t> keys_;
    std::vector<StreamColumn> columns_;
    std::size_t frames_ = 0;
};

// Numbers as integers of `bytes` bytes between low and high; what is not finite becomes the least.
StreamColumn evenly(std::string name, int components, const std::vector<float>& values, int bytes, bool changes,
                    std::vector<double> low, std::vector<double> high);
// Absolute values by their square roots in one byte: large and small ones are told apart.
StreamColumn by_roots(std::string name, const std::vector<float>& values);
StreamColumn whole(std::string name, const std::vector<std::int64_t>& values, bool changes);

// Compressed as zlib does, at its best.
std::string deflated(std::string_view bytes);

}  // namespace scree::view
