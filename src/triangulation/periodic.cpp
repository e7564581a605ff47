#include "periodic.h"

#include <algorithm>
#include <cmath>

#include "dual.h"

namespace scree::tri {

PeriodicTriangulation::PeriodicTriangulation(int dimension, std::array<double, 3> period, double margin, bool integral)
    : dimension_(dimension),
      period_(period),
      margin_(margin),
      integral_(integral),
      triangulation_(dimension, integral) {}

Row PeriodicTriangulation::wrapped(Row row, std::array<int, 3>* turns) const {
    for (int k = 0; k < dimension_; ++k) {
        const double period = period_[static_cast<std::size_t>(k)];
        if (period <= 0) continue;
        double turn = std::floor(row.c[k] / period);
        if (row.c[k] - turn * period >= period) turn += 1;  // the quotient was rounded
        row.c[k] -= turn * period;
        if (turns) (*turns)[static_cast<std::size_t>(k)] = static_cast<int>(turn);
    }
    return row;
}

Row PeriodicTriangulation::shifted(const Row& row, const std::array<int, 3>& shift) const {
    Row moved = row;
    for (std::size_t k = 0; k < 3; ++k) moved.c[k] += shift[k] * period_[k];
    return moved;
}

bool PeriodicTriangulation::near_box(const Row& row, double margin) const {
    for (int k = 0; k < dimension_; ++k) {
        const double period = period_[static_cast<std::size_t>(k)];
        if (period > 0 && (row.c[k] < -margin || row.c[k] >= period + margin)) return false;
    }
    return true;
}

std::vector<std::array<int, 3>> PeriodicTriangulation::shifts_of(const Row& row) const {
    int most[3] = {0, 0, 0};
    for (int k = 0; k < dimension_; ++k)
        if (period_[static_cast<std::size_t>(k)] > 0)
            most[k] = 1 + static_cast<int>(margin_ / period_[static_cast<std::size_t>(k)]);
    std::vector<std::array<int, 3>> shifts;
    for (int i = -most[0]; i <= most[0]; ++i)
        for (int j = -most[1]; j <= most[1]; ++j)
            for (int k = -most[2]; k <= most[2]; ++k)
                if (near_box(shifted(row, {i, j, k}), margin_)) shifts.push_back({i, j, k});
    return shifts;
}

void PeriodicTriangulation::build(const std::vector<Row>& rows) {
    const std::size_t n = rows.size();
    sites_.resize(n);
    real_.resize(n);
    images_.clear();
    unused_.clear();
    std::vector<Row> all;
    for (std::size_t i = 0; i < n; ++i) {
        sites_[i] = wrapped(rows[i], nullptr);
        real_[i] = static_cast<Index>(i);
        all.push_back(sites_[i]);
        images_.push_back({static_cast<Index>(i), {0, 0, 0}});
    }
    for (std::size_t i = 0; i < n; ++i)
        for (const auto& shift : shifts_of(sites_[i])) {
            if (shift == std::array<int, 3>{0, 0, 0}) continue;
            all.push_back(shifted(sites_[i], shift));
            images_.push_back({static_cast<Index>(i), shift});
        }
    triangulation_.build(std::move(all));
}

void PeriodicTriangulation::update(const std::vector<Row>& rows, const Ladder& ladder) {
    // How many periods a site's wrapped place lags behind continuous motion.
    std::vector<std::array<int, 3>> jump(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row now = wrapped(rows[i], nullptr);
        for (std::size_t k = 0; k < 3; ++k)
            jump[i][k] =
                period_[k] > 0 ? static_cast<int>(std::nearbyint((sites_[i].c[k] - now.c[k]) / period_[k])) : 0;
        sites_[i] = now;
    }
    std::vector<Row> all = triangulation_.rows();
    for (std::size_t v = 0; v < images_.size(); ++v) {
        Image& image = images_[v];
        if (image.site < 0) continue;
        const auto i = static_cast<std::size_t>(image.site);
        for (std::size_t k = 0; k < 3; ++k) image.shift[k] += jump[i][k];
        if (image.shift == std::array<int, 3>{0, 0, 0}) real_[i] = static_cast<Index>(v);
        all[v] = shifted(sites_[i], image.shift);
    }
    triangulation_.update(std::move(all), ladder);
    // Images that left the margin by a good part go, those that entered it come.
    std::vector<std::vector<std::array<int, 3>>> held(rows.size());
    for (std::size_t v = 0; v < images_.size(); ++v) {
        Image& image = images_[v];
        if (image.site < 0) continue;
        if (near_box(triangulation_.rows()[v], 1.25 * margin_)) {
            held[static_cast<std::size_t>(image.site)].push_back(image.shift);
        } else {
            triangulation_.remove(static_cast<Index>(v));
            image.site = -1;
            unused_.push_back(static_cast<Index>(v));
        }
    }
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& shift : shifts_of(sites_[i])) {
            if (std::find(held[i].begin(), held[i].end(), shift) != held[i].end()) continue;
            Index v = static_cast<Index>(images_.size());
            if (unused_.empty())
                images_.emplace_back();
            else {
                v = unused_.back();
                unused_.pop_back();
            }
            images_[static_cast<std::size_t>(v)] = {static_cast<Index>(i), shift};
            if (shift == std::array<int, 3>{0, 0, 0}) real_[i] = v;
            triangulation_.insert(v, shifted(sites_[i], shift));
        }
}

std::vector<PeriodicTriangulation::Edge> PeriodicTriangulation::edges() const {
    std::vector<Edge> list;
    const std::array<int, 3> none = {0, 0, 0};
    for (const auto& [a, b] : triangulation_.edges()) {
        const Image &p = image(a), &q = image(b);
        if (p.shift != none && q.shift != none) continue;
        Edge edge{p.site, q.site, {}};
        for (std::size_t k = 0; k < 3; ++k) edge.shift[k] = q.shift[k] - p.shift[k];
        const bool turned = edge.i > edge.j || (edge.i == edge.j && edge.shift < none);
        if (turned) {
            std::swap(edge.i, edge.j);
            for (int& s : edge.shift) s = -s;
        }
        list.push_back(edge);
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

std::vector<double> PeriodicTriangulation::volumes() {
    double box = 1;
    for (int k = 0; k < dimension_; ++k) box *= period_[static_cast<std::size_t>(k)];
    for (;;) {
        std::vector<double> volumes(sites_.size());
        const std::vector<double> all = dual_volumes(triangulation_);
        double sum = 0;
        for (std::size_t i = 0; i < volumes.size(); ++i) sum += volumes[i] = all[static_cast<std::size_t>(real_[i])];
        // Fewer sites make larger cells: if the sum is right, each is. The test is relative to what n roundings may
        // add.
        if (sum <= box * (1 + 1e-10)) return volumes;
        margin_ = 2 * std::max(margin_, 1e-3 * std::cbrt(box));
        const std::vector<Row> rows = sites_;
        build(rows);
    }
}

}  // namespace scree::tri
