// The memory of bodies' contacts outside of the families (world/contact_list.h): how a row is laid out, and how a
// family finds what is its own in it. A row holds the numbers of the law, then the feature of the pair (shape/patch.h),
// the work it has taken and its power. Checkpoints of earlier versions have the feature alone.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "world/contact_list.h"

namespace scree {

class BodyMemoryRows {
  public:
    static constexpr std::size_t beside = 3;

    BodyMemoryRows(const ContactMemory& memory, const std::vector<double>& numbers, std::size_t law_width)
        : numbers_(numbers),
          width_(law_width),
          row_(static_cast<std::size_t>(memory.width)) {}

    bool fit() const { return row_ == width_ + beside || row_ == width_ + 1; }
    const double* law(std::size_t k) const { return numbers_.data() + k * row_; }
    double feature(std::size_t k) const { return law(k)[width_]; }
    double taken(std::size_t k) const { return row_ > width_ + 1 ? law(k)[width_ + 1] : -1; }
    double power(std::size_t k) const { return row_ > width_ + 1 ? law(k)[width_ + 2] : 0; }

    static void append(std::vector<double>& to, const double* law, std::size_t law_width, double feature, double taken,
                       double power) {
        to.insert(to.end(), law, law + law_width);
        to.insert(to.end(), {feature, taken, power});
    }

  private:
    const std::vector<double>& numbers_;
    std::size_t width_, row_;
};

// Row numbers by name, several of one name in their order.
template <class Name>
class RowsByName {
  public:
    using Entry = std::pair<Name, std::size_t>;
    void add(Name name, std::size_t row) { entries_.emplace_back(name, row); }
    void close() { std::sort(entries_.begin(), entries_.end()); }
    std::span<const Entry> of(const Name& name) const {
        const auto begin = std::lower_bound(entries_.begin(), entries_.end(), Entry{name, 0});
        auto end = begin;
        while (end != entries_.end() && end->first == name) ++end;
        return {begin, end};
    }

  private:
    std::vector<Entry> entries_;
};

}  // namespace scree
