#include "view/frame_stream.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace scree::view {
namespace {

// Byte by byte: the first byte of all numbers, the second of all, and so on.
void put_planes(std::string& out, const std::vector<std::uint32_t>& values, int bytes) {
    for (int plane = 0; plane < bytes; ++plane)
        for (const std::uint32_t value : values) out += static_cast<char>(value >> (8 * plane) & 255);
}

std::uint32_t most_of(int bytes) { return bytes == 4 ? ~std::uint32_t{0} : (std::uint32_t{1} << (8 * bytes)) - 1; }

// Small changes of either sign become small numbers.
std::uint32_t folded(std::uint32_t change, int bytes) {
    const std::uint32_t sign = change >> (8 * bytes - 1) & 1;
    return (change << 1 ^ (sign ? ~std::uint32_t{0} : 0)) & most_of(bytes);
}

// Where each key was in the frame before.
constexpr std::size_t nowhere = ~std::size_t{0};

}  // namespace

std::string FrameStream::next(const nlohmann::ordered_json& header, const std::vector<std::uint64_t>& keys,
                              const std::vector<StreamColumn>& columns) {
    const bool follows = frames_++ % frames_between_whole_ones != 0;
    if (!follows) {
        keys_.clear();
        columns_.clear();
    }
    std::vector<std::size_t> before(keys.size(), nowhere);
    std::vector<std::uint32_t> runs{0}, added_high, added_low;
    std::size_t kept = 0, added = 0, at = 0;
    bool keeps = false;
    std::uint64_t last = 0;
    const auto pass = [&](bool keep) {
        if (keep != keeps) runs.push_back(0);
        keeps = keep;
        ++runs.back();
    };
    for (std::size_t row = 0; row < keys.size(); ++row) {
        if (row > 0 && keys[row] <= keys[row - 1]) throw std::logic_error("keys of a frame do not rise");
        for (; at < keys_.size() && keys_[at] < keys[row]; ++at) pass(false);
        if (at < keys_.size() && keys_[at] == keys[row]) {
            pass(true);
            before[row] = at++;
            ++kept;
            continue;
        }
        const std::uint64_t step = keys[row] - last;
        last = keys[row];
        added_high.push_back(static_cast<std::uint32_t>(step >> 32));
        added_low.push_back(static_cast<std::uint32_t>(step));
        ++added;
    }
    for (; at < keys_.size(); ++at) pass(false);

    nlohmann::ordered_json head = header;
    head["follows"] = follows;
    head["rows"] = keys.size();
    head["kept"] = kept;
    head["added"] = added;
    head["runs"] = runs.size();
    auto& told = head["columns"] = nlohmann::ordered_json::array();
    std::string block;
    put_planes(block, runs, 4);
    put_planes(block, added_high, 4);
    put_planes(block, added_low, 4);
    for (const StreamColumn& column : columns) {
        nlohmann::ordered_json entry{
            {"name", column.name}, {"components", column.components}, {"bytes", column.bytes}, {"scale", column.scale}};
        if (column.scale != "whole") {
            entry["low"] = column.low;
            entry["high"] = column.high;
        }
        const auto known = std::find_if(columns_.begin(), columns_.end(),
                                        [&](const StreamColumn& old) { return old.name == column.name; });
        const bool changes = column.changes && follows && known != columns_.end() && known->bytes == column.bytes;
        entry["changes"] = changes;
        told.push_back(entry);
        const auto width = static_cast<std::size_t>(column.components);
        std::vector<std::uint32_t> stored(keys.size() * width);
        // Component by component: each has changes of its own kind.
        for (std::size_t c = 0; c < width; ++c)
            for (std::size_t row = 0; row < keys.size(); ++row) {
                const std::uint32_t value = column.values[row * width + c];
                const std::uint32_t old =
                    changes && before[row] != nowhere ? known->values[before[row] * width + c] : 0;
                stored[c * keys.size() + row] = changes ? folded(value - old, column.bytes) : value;
            }
        put_planes(block, stored, column.bytes);
    }
    keys_ = keys;
    columns_ = columns;

    std::string text = head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::uint32_t preamble[3] = {1, static_cast<std::uint32_t>(text.size()), 0};
    std::string out = "SCRF";
    out.append(reinterpret_cast<const char*>(preamble), sizeof preamble);
    return out + text + block;
}

StreamColumn evenly(std::string name, int components, const std::vector<float>& values, int bytes, bool changes,
                    std::vector<double> low, std::vector<double> high) {
    StreamColumn column{std::move(name), components, bytes, changes, "even", std::move(low), std::move(high), {}};
    const auto width = static_cast<std::size_t>(components);
    const double most = most_of(bytes);
    column.values.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double from = column.low[k % width], range = column.high[k % width] - from;
        const double part = range > 0 && std::isfinite(values[k]) ? (values[k] - from) / range : 0;
        column.values[k] = static_cast<std::uint32_t>(std::llround(std::clamp(part, 0.0, 1.0) * most));
    }
    return column;
}

StreamColumn by_roots(std::string name, const std::vector<float>& values) {
    double high = 0;
    for (const float value : values)
        if (std::isfinite(value)) high = std::max(high, std::fabs(double{value}));
    StreamColumn column{std::move(name), 1, 1, false, "root", {0}, {high}, {}};
    column.values.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
        column.values[k] = high > 0 && std::isfinite(values[k])
                               ? static_cast<std::uint32_t>(std::llround(255 * std::sqrt(std::fabs(values[k]) / high)))
                               : 0;
    return column;
}

StreamColumn whole(std::string name, const std::vector<std::int64_t>& values, bool changes) {
    std::int64_t most = 0;
    for (const std::int64_t value : values) most = std::max(most, value);
    StreamColumn column{std::move(name), 1, most < 256 ? 1 : most < 65536 ? 2 : 4, changes, "whole", {}, {}, {}};
    column.values.reserve(values.size());
    for (const std::int64_t value : values) column.values.push_back(static_cast<std::uint32_t>(value));
    return column;
}

std::string deflated(std::string_view bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string out(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), 9) != Z_OK)
        throw std::bad_alloc();
    out.resize(size);
    return out;
}

}  // namespace scree::view
