#include "engine/rows.h"

namespace scree {

std::vector<std::vector<std::uint32_t>> Rows::sources() const {
    std::vector<std::vector<std::uint32_t>> of(links_.size());
    for (std::size_t b = 0; b < links_.size(); ++b)
        for (const std::uint32_t target : links_[b].targets) of[target].push_back(static_cast<std::uint32_t>(b));
    return of;
}

void Rows::begin_sweep() {
    pool_.reset();
    for (std::size_t b = 0; b < links_.size(); ++b) {
        links_[b].sums = nullptr;
        waiting_for_[b].store(links_[b].sources, std::memory_order_relaxed);
    }
}

void RowPool::reset() {
    if (free_.size() != all_.size()) all_.clear();  // a step was broken off: what they hold is not zero
    free_.clear();
    for (const auto& rows : all_) free_.push_back(rows.get());
}

ForceRow* RowPool::take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
        all_.push_back(std::make_unique<ForceRow[]>(rows_));
        free_.push_back(all_.back().get());
    }
    ForceRow* const rows = free_.back();
    free_.pop_back();
    return rows;
}

void RowPool::give_back(ForceRow* rows) {
    const std::lock_guard lock(mutex_);
    free_.push_back(rows);
}

}  // namespace scree
