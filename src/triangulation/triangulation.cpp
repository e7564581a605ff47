#include "triangulation.h"

#include <algorithm>

#include "core/parallel.h"

namespace scree::tri {
namespace {

// The first sites found that span the set: 1 to 4 of them.
std::vector<Index> spanning_sites(const std::vector<Row>& rows, const std::vector<std::uint8_t>& present,
                                  const Bounds& bounds, int ambient) {
    std::vector<Index> found;
    for (std::size_t v = 0; v < rows.size(); ++v) {
        if (!present[v]) continue;
        const auto at = [&](std::size_t k) -> const Row& { return rows[static_cast<std::size_t>(found[k])]; };
        const Row& row = rows[v];
        bool independent = true;
        if (found.size() == 1) independent = compare_centers(at(0), row) != 0;
        if (found.size() == 2) independent = !collinear(bounds, at(0), at(1), row);
        if (found.size() == 3) independent = orientation3(bounds, at(0), at(1), at(2), row) != 0;
        if (independent) found.push_back(static_cast<Index>(v));
        if (static_cast<int>(found.size()) == ambient + 1) break;
    }
    return found;
}

}  // namespace

Triangulation::Triangulation(int dimension, bool integral) : ambient_(dimension), integral_(integral) {}

void Triangulation::build(std::vector<Row> rows) {
    std::vector<std::uint8_t> present(rows.size(), 1);
    build_present(std::move(rows), std::move(present));
}

void Triangulation::build_present(std::vector<Row> rows, std::vector<std::uint8_t> present) {
    plane_.reset();
    space_.reset();
    flat_rows_.clear();
    chain_.clear();
    chain_hidden_.clear();
    for (int k = 0; k < 3; ++k) axes_[k] = k;
    // Nearly always the set is full; then the attempt is the build.
    std::vector<Row> copy = rows;
    if (ambient_ == 3 ? space_.emplace(integral_).build(std::move(copy), present)
                      : plane_.emplace(integral_).build(std::move(copy), present)) {
        dimension_ = ambient_;
        present_.clear();
        return;
    }
    plane_.reset();
    space_.reset();
    Bounds bounds(integral_);
    for (std::size_t v = 0; v < rows.size(); ++v)
        if (present[v]) bounds.cover(rows[v]);
    const std::vector<Index> span = spanning_sites(rows, present, bounds, ambient_);
    dimension_ = static_cast<int>(span.size()) - 1;
    flat_rows_ = std::move(rows);
    present_ = std::move(present);
    const auto at = [&](std::size_t k) -> const Row& { return flat_rows_[static_cast<std::size_t>(span[k])]; };
    // Keep the first coordinates that tell the sites apart: the lexicographic order of all is the order of these.
    if (dimension_ == 2) {
        constexpr int choices[3][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};
        for (const auto& choice : choices) {
            if (orientation2(bounds, at(0), at(1), at(2), choice[0], choice[1]) == 0) continue;
            std::copy(std::begin(choice), std::end(choice), axes_);
            break;
        }
        std::vector<Row> projected = flat_rows_;
        for (Row& row : projected) {
            const Row original = row;
            for (int k = 0; k < 3; ++k) row.c[k] = original.c[axes_[k]];
        }
        plane_.emplace(integral_).build(std::move(projected), present_);
    } else if (dimension_ == 1) {
        int first = 0;
        while (at(0).c[first] == at(1).c[first]) ++first;
        axes_[0] = first;
        axes_[1] = (first + 1) % 3;
        axes_[2] = (first + 2) % 3;
    }
    if (dimension_ == 0 || dimension_ == 1) build_line();
}

// On a line the triangulation is the lower hull of the lifted sites, in their order.
void Triangulation::build_line() {
    Bounds bounds(integral_);
    std::vector<Index> order;
    for (std::size_t v = 0; v < flat_rows_.size(); ++v)
        if (present_[v]) {
            order.push_back(static_cast<Index>(v));
            bounds.cover(flat_rows_[v]);
        }
    const auto row = [&](Index v) -> const Row& { return flat_rows_[static_cast<std::size_t>(v)]; };
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        if (const int sign = compare_centers(row(a), row(b))) return sign < 0;
        return row(a).c[3] != row(b).c[3] ? row(a).c[3] > row(b).c[3] : a < b;
    });
    for (const Index v : order) {
        if (!chain_.empty() && compare_centers(row(chain_.back()), row(v)) == 0) {
            chain_hidden_.push_back(v);
            continue;
        }
        while (chain_.size() > 1 &&
               power_on_line(bounds, row(chain_[chain_.size() - 2]), row(v), row(chain_.back())) < 0) {
            chain_hidden_.push_back(chain_.back());
            chain_.pop_back();
        }
        chain_.push_back(v);
    }
    std::sort(chain_hidden_.begin(), chain_hidden_.end());
}

template <class F>
auto Triangulation::visit(F&& f) const {
    return space_ ? f(*space_) : f(*plane_);
}

std::vector<std::uint8_t> Triangulation::presence() const {
    if (!full()) return present_;
    std::vector<std::uint8_t> present(rows().size());
    for (std::size_t v = 0; v < present.size(); ++v) present[v] = !is_absent(static_cast<Index>(v));
    return present;
}

void Triangulation::insert(Index v, const Row& row) {
    if (full()) {
        if (space_)
            space_->insert(v, row);
        else
            plane_->insert(v, row);
        return;
    }
    std::vector<Row> rows = flat_rows_;
    std::vector<std::uint8_t> present = present_;
    if (static_cast<std::size_t>(v) >= rows.size()) {
        rows.resize(static_cast<std::size_t>(v) + 1, row);
        present.resize(rows.size(), 0);
    }
    rows[static_cast<std::size_t>(v)] = row;
    present[static_cast<std::size_t>(v)] = 1;
    build_present(std::move(rows), std::move(present));
}

void Triangulation::remove(Index v) {
    if (full() && (space_ ? space_->remove(v) : plane_->remove(v))) return;
    std::vector<std::uint8_t> present = presence();
    present[static_cast<std::size_t>(v)] = 0;
    build_present(rows(), std::move(present));
}

void Triangulation::move(Index v, const Row& row) {
    std::vector<std::uint8_t> present;
    if (full()) {
        // A failure leaves v in place or absent; it is present either way in what follows.
        present = presence();
        if (space_ ? space_->move(v, row) : plane_->move(v, row)) return;
    } else {
        present = present_;
    }
    std::vector<Row> all = rows();
    all[static_cast<std::size_t>(v)] = row;
    build_present(std::move(all), std::move(present));
}

void Triangulation::update(std::vector<Row> rows, const Ladder& ladder) {
    if (full()) {
        if (space_ ? space_->update(std::move(rows), ladder, counts_)
                   : plane_->update(std::move(rows), ladder, counts_))
            return;
        // The rebuild of the ladder found the set flat. It kept the rows and who is present.
        std::vector<Row> kept = space_ ? space_->rows() : plane_->rows();
        std::vector<std::uint8_t> present(kept.size());
        for (std::size_t v = 0; v < kept.size(); ++v)
            present[v] =
                space_ ? space_->was_present(static_cast<Index>(v)) : plane_->was_present(static_cast<Index>(v));
        build_present(std::move(kept), std::move(present));
        return;
    }
    ++counts_.updates;
    ++counts_.rebuilds;
    for (std::size_t v = 0; v < rows.size(); ++v)
        if (!present_[v]) rows[v] = flat_rows_[v];
    build_present(std::move(rows), present_);
}

const std::vector<Row>& Triangulation::rows() const {
    if (!full()) return flat_rows_;
    return space_ ? space_->rows() : plane_->rows();
}

std::size_t Triangulation::simplex_count() const {
    if (dimension_ >= 2) return visit([](const auto& complex) { return complex.finite_cell_count(); });
    return dimension_ == 1 ? chain_.size() - 1 : chain_.size();
}

std::size_t Triangulation::vertex_count() const {
    if (dimension_ < 2) return chain_.size();
    std::size_t count = 0;
    for (std::size_t v = 0; v < rows().size(); ++v) count += is_visible(static_cast<Index>(v));
    return count;
}

bool Triangulation::is_visible(Index v) const {
    if (dimension_ >= 2) return visit([&](const auto& complex) { return complex.is_visible(v); });
    return std::find(chain_.begin(), chain_.end(), v) != chain_.end();
}

bool Triangulation::is_hidden(Index v) const {
    if (dimension_ >= 2) return visit([&](const auto& complex) { return complex.is_hidden(v); });
    return std::binary_search(chain_hidden_.begin(), chain_hidden_.end(), v);
}

bool Triangulation::is_absent(Index v) const {
    if (dimension_ >= 2) return visit([&](const auto& complex) { return complex.is_absent(v); });
    return dimension_ < 0 || !present_[static_cast<std::size_t>(v)];
}

std::vector<Index> Triangulation::hidden() const {
    if (dimension_ < 2) return chain_hidden_;
    std::vector<Index> list = visit([](const auto& complex) { return complex.hidden_vertices(); });
    std::sort(list.begin(), list.end());
    return list;
}

std::vector<std::pair<Index, Index>> Triangulation::edges() const {
    std::vector<std::pair<Index, Index>> list;
    if (dimension_ == 1)
        for (std::size_t k = 1; k < chain_.size(); ++k) list.push_back(std::minmax(chain_[k - 1], chain_[k]));
    if (dimension_ >= 2)
        visit([&](const auto& complex) {
            complex.for_each_edge(0, static_cast<Index>(complex.cells().size()),
                                  [&](Index a, Index b) { list.push_back(std::minmax(a, b)); });
            return 0;
        });
    parallel_stable_sort(list, std::less<>());
    return list;
}

std::vector<std::array<Index, 4>> Triangulation::simplices() const {
    std::vector<std::array<Index, 4>> list;
    const auto add = [&](const Index* v, int count) {
        std::array<Index, 4> simplex{-1, -1, -1, -1};
        std::copy_n(v, count, simplex.begin());
        std::sort(simplex.begin(), simplex.begin() + count);
        list.push_back(simplex);
    };
    if (dimension_ == 0) add(chain_.data(), 1);
    if (dimension_ == 1)
        for (std::size_t k = 1; k < chain_.size(); ++k) add(&chain_[k - 1], 2);
    if (dimension_ >= 2)
        visit([&](const auto& complex) {
            const auto slots = static_cast<Index>(complex.cells().size());
            for (Index c = 0; c < slots; ++c)
                if (!complex.is_free(c) && !complex.is_infinite(c)) add(complex.cell(c).v, dimension_ + 1);
            return 0;
        });
    parallel_stable_sort(list, std::less<>());
    return list;
}

void Triangulation::neighbors(Index v, std::vector<Index>& out) const {
    out.clear();
    if (dimension_ >= 2) {
        visit([&](const auto& complex) {
            complex.neighbors(v, out);
            return 0;
        });
        return;
    }
    const auto place = static_cast<std::size_t>(std::find(chain_.begin(), chain_.end(), v) - chain_.begin());
    if (place > 0 && place < chain_.size()) out.push_back(chain_[place - 1]);
    if (place + 1 < chain_.size()) out.push_back(chain_[place + 1]);
    std::sort(out.begin(), out.end());
}

bool Triangulation::on_hull(Index v) const {
    if (dimension_ >= 2) return visit([&](const auto& complex) { return complex.on_hull(v); });
    return dimension_ == 1 && (chain_.front() == v || chain_.back() == v);
}

std::string Triangulation::validate() const {
    if (dimension_ >= 2) return visit([](const auto& complex) { return complex.validate(); });
    return "";
}

std::size_t Triangulation::bytes() const {
    std::size_t sum = flat_rows_.capacity() * sizeof(Row) + present_.capacity() +
                      (chain_.capacity() + chain_hidden_.capacity()) * sizeof(Index);
    if (space_) sum += space_->bytes();
    if (plane_) sum += plane_->bytes();
    return sum;
}

}  // namespace scree::tri
