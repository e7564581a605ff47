#include "view/pack.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace scree::view {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");
constexpr double steps = 65535;

template <class T>
bool all_tuples_equal(const std::vector<T>& values, std::size_t components) {
    for (std::size_t k = components; k < values.size(); ++k)
        if (values[k] != values[k - components]) return false;
    return true;
}

}  // namespace

struct Pack::Parts {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    std::string block;

    nlohmann::ordered_json& entry(const std::string& name, int components, std::size_t count, const char* type,
                                  const char* coding) {
        auto& arrays = header["arrays"];
        arrays.push_back({{"name", name},
                          {"components", components},
                          {"count", count},
                          {"type", type},
                          {"coding", coding},
                          {"offset", block.size()}});
        return arrays.back();
    }
    template <class T>
    void put(const T* values, std::size_t count) {
        block.append(reinterpret_cast<const char*>(values), count * sizeof(T));
    }
    void align() { block.resize((block.size() + 7) / 8 * 8); }

    template <class T>
    void narrow(const std::vector<std::int64_t>& values) {
        std::vector<T> out(values.size());
        for (std::size_t k = 0; k < values.size(); ++k) out[k] = static_cast<T>(values[k]);
        put(out.data(), out.size());
    }
};

Pack::Pack() : parts_(std::make_unique<Parts>()) { parts_->header["arrays"] = nlohmann::ordered_json::array(); }
Pack::~Pack() = default;
Pack::Pack(Pack&&) noexcept = default;

void Pack::set(const char* key, const nlohmann::ordered_json& value) { parts_->header[key] = value; }

void Pack::floats(const std::string& name, int components, const std::vector<float>& values, Precision precision) {
    const std::size_t width = static_cast<std::size_t>(components), count = values.size() / width;
    if (values.size() != count * width) throw std::logic_error("a packed array has half a tuple");
    if (count > 1 && all_tuples_equal(values, width)) {
        parts_->entry(name, components, count, "float32", "constant");
        parts_->put(values.data(), width);
    } else if (precision == Precision::full || count < 2) {
        parts_->entry(name, components, count, "float32", "plain");
        parts_->put(values.data(), values.size());
    } else {
        // Each component has its own range. What is not finite becomes the least value: the page is for looking.
        std::vector<double> low(width, std::numeric_limits<double>::max()),
            high(width, std::numeric_limits<double>::lowest());
        for (std::size_t k = 0; k < values.size(); ++k)
            if (std::isfinite(values[k])) {
                low[k % width] = std::min(low[k % width], double{values[k]});
                high[k % width] = std::max(high[k % width], double{values[k]});
            }
        for (std::size_t c = 0; c < width; ++c)
            if (low[c] > high[c]) low[c] = high[c] = 0;
        std::vector<std::uint16_t> out(values.size());
        for (std::size_t k = 0; k < values.size(); ++k) {
            const double range = high[k % width] - low[k % width];
            const double at = range > 0 && std::isfinite(values[k]) ? (values[k] - low[k % width]) / range * steps : 0;
            out[k] = static_cast<std::uint16_t>(std::lround(at));
        }
        auto& entry = parts_->entry(name, components, count, "uint16", "steps");
        entry["low"] = low;
        entry["high"] = high;
        parts_->put(out.data(), out.size());
    }
    parts_->align();
}

void Pack::integers(const std::string& name, int components, const std::vector<std::int64_t>& values) {
    const std::size_t width = static_cast<std::size_t>(components), count = values.size() / width;
    if (values.size() != count * width) throw std::logic_error("a packed array has half a tuple");
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const std::int64_t low = values.empty() ? 0 : *least, high = values.empty() ? 0 : *most;
    const bool constant = count > 1 && all_tuples_equal(values, width);
    bool counts_up = count > 1 && components == 1 && !constant;
    for (std::size_t k = 1; counts_up && k < values.size(); ++k) counts_up = values[k] == values[k - 1] + 1;
    const char* coding = constant ? "constant" : counts_up ? "counting" : "plain";
    const std::vector<std::int64_t> kept(values.begin(),
                                         constant || counts_up ? values.begin() + components : values.end());
    const auto fits = [&]<class T>(T) {
        return low >= std::int64_t{std::numeric_limits<T>::min()} &&
               high <= std::int64_t{std::numeric_limits<T>::max()};
    };
    const auto put = [&]<class T>(const char* type, T) {
        parts_->entry(name, components, count, type, coding);
        parts_->narrow<T>(kept);
    };
    if (fits(std::uint8_t{}))
        put("uint8", std::uint8_t{});
    else if (fits(std::uint16_t{}))
        put("uint16", std::uint16_t{});
    else if (fits(std::int16_t{}))
        put("int16", std::int16_t{});
    else if (fits(std::uint32_t{}))
        put("uint32", std::uint32_t{});
    else if (fits(std::int32_t{}))
        put("int32", std::int32_t{});
    else
        put("float64", double{});
    parts_->align();
}

std::string Pack::bytes() const {
    std::string header = parts_->header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint32_t preamble[3] = {1, static_cast<std::uint32_t>(header.size()), 0};
    std::string out = "SCRV";
    out.append(reinterpret_cast<const char*>(preamble), sizeof preamble);
    return out + header + parts_->block;
}

}  // namespace scree::view
