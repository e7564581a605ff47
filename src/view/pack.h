// What the viewer gets of a frame: arrays in one block, after a header in JSON that says where and how each is written.
// docs/viewer.md describes the format; viewer/src/data/pack.ts reads it.
//
//   "SCRV"  uint32 version = 1  uint32 bytes of the header  uint32 0
//   header: JSON, filled up with spaces to a multiple of 8
//   block:  arrays, each beginning at a multiple of 8
//
// An array takes the least room that shows it: one value where all are equal (ids that count up: the first), the
// narrowest integers, and floats either as they are or, for pages to be mailed, as 16-bit steps between the least and
// the largest value. Rejected: general compression, which needs a decoder, and costs time at both ends of a loopback.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace scree::view {

enum class Precision { full, reduced };

class Pack {
  public:
    Pack();
    ~Pack();
    Pack(Pack&&) noexcept;

    // A value of the header besides the arrays.
    void set(const char* key, const nlohmann::ordered_json& value);
    void floats(const std::string& name, int components, const std::vector<float>& values, Precision precision);
    void integers(const std::string& name, int components, const std::vector<std::int64_t>& values);
    std::string bytes() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace scree::view
