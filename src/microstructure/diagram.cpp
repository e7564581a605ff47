#include "diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "scree/error.h"

namespace scree::micro {

double Seeds::mean_spacing() const {
    const double each = box_volume() / static_cast<double>(std::max<std::size_t>(size(), 1));
    return dimension == 3 ? std::cbrt(each) : std::sqrt(each / (high.z - low.z));
}

Diagram::Diagram(const Seeds& seeds) : seeds_(seeds) {
    if (seeds.size() == 0) throw Error(ErrorKind::bad_input, "a tessellation has at least one seed");
    margin_ = 2.5 * seeds_.mean_spacing();
    build();
}

void Diagram::set(const std::vector<Vec3>& center, const std::vector<double>& weight) {
    seeds_.center = center;
    seeds_.weight = weight;
    build();
}

void Diagram::build() {
    std::vector<tri::Row> rows(size());
    for (std::size_t i = 0; i < size(); ++i) {
        const Vec3 at = seeds_.center[i] - seeds_.low;
        if (!is_finite(at) || !std::isfinite(seeds_.weight[i]))
            throw Error(ErrorKind::bad_input, fmt::format("seed {} has a coordinate or weight that is not finite", i));
        rows[i] = {{at.x, at.y, seeds_.dimension == 3 ? at.z : 0, seeds_.weight[i]}};
    }
    std::array<double, 3> period{};
    bool any = false;
    double longest = 0;
    for (int k = 0; k < seeds_.dimension; ++k)
        if (seeds_.periodic[static_cast<std::size_t>(k)]) {
            period[static_cast<std::size_t>(k)] = seeds_.high[k] - seeds_.low[k];
            longest = std::max(longest, period[static_cast<std::size_t>(k)]);
            any = true;
        }
    // Too few images make cells too large; when the volumes add up, each is right.
    for (margin_ = any ? std::min(margin_, longest) : 0;; margin_ *= 2) {
        triangulation_ = std::make_unique<tri::PeriodicTriangulation>(seeds_.dimension, period, margin_, false);
        triangulation_->build(rows);
        list_neighbors();
        if (!any || margin_ > 4 * longest) return;
        double sum = 0;
        for (const double volume : volumes()) sum += volume;
        if (sum <= seeds_.box_volume() * (1 + 1e-9)) return;
    }
}

void Diagram::list_neighbors() {
    const tri::Triangulation& all = triangulation_->triangulation();
    const std::size_t n = all.rows().size();
    std::vector<std::vector<std::int32_t>> lists(n);
    parallel_for(n, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            if (all.is_visible(static_cast<tri::Index>(v))) all.neighbors(static_cast<tri::Index>(v), lists[v]);
    });
    first_.assign(n + 1, 0);
    for (std::size_t v = 0; v < n; ++v) first_[v + 1] = first_[v] + lists[v].size();
    around_.resize(first_[n]);
    for (std::size_t v = 0; v < n; ++v)
        std::copy(lists[v].begin(), lists[v].end(), around_.begin() + static_cast<std::ptrdiff_t>(first_[v]));
    some_visible_ = 0;
    while (!all.is_visible(some_visible_)) ++some_visible_;
}

Vec3 Diagram::center(std::size_t i) const {
    const tri::Row& row = triangulation_->triangulation()
                              .rows()[static_cast<std::size_t>(triangulation_->vertex_of(static_cast<tri::Index>(i)))];
    return Vec3{row.c[0], row.c[1], row.c[2]} + seeds_.low;
}

Neighbor Diagram::neighbor(std::int32_t label) const {
    if (label < 0) return {label, {0, 0, 0}};
    const auto& image = triangulation_->image(label);
    return {image.site, image.shift};
}

ConvexCell Diagram::cell(std::size_t i) const {
    const tri::Triangulation& all = triangulation_->triangulation();
    const tri::Index v = triangulation_->vertex_of(static_cast<tri::Index>(i));
    const tri::Row& site = all.rows()[static_cast<std::size_t>(v)];
    const Vec3 at{site.c[0], site.c[1], site.c[2]};
    Vec3 low = -at, high = seeds_.high - seeds_.low - at;
    for (int k = 0; k < 3; ++k)
        if (seeds_.periodic[static_cast<std::size_t>(k)] && k < seeds_.dimension) {
            low[k] = -(seeds_.high[k] - seeds_.low[k]);
            high[k] = -low[k];
        }
    ConvexCell cell(low, high);
    if (!all.is_visible(v)) {
        cell.cut({0, {1, 0, 0}, low.x - 1});  // all of it
        return cell;
    }
    std::vector<CutPlane> planes;
    for (std::size_t k = first_[static_cast<std::size_t>(v)]; k < first_[static_cast<std::size_t>(v) + 1]; ++k) {
        const tri::Row& other = all.rows()[static_cast<std::size_t>(around_[k])];
        const Vec3 d = Vec3{other.c[0], other.c[1], other.c[2]} - at;
        const double length = norm(d);
        planes.push_back({around_[k], d / length, (length + (site.c[3] - other.c[3]) / length) / 2});
    }
    // Near planes first: they cut most away.
    std::sort(planes.begin(), planes.end(), [](const CutPlane& a, const CutPlane& b) {
        return a.offset != b.offset ? a.offset < b.offset : a.label < b.label;
    });
    for (const CutPlane& plane : planes) cell.cut(plane);
    return cell;
}

std::vector<double> Diagram::volumes() const {
    std::vector<double> volumes(size());
    parallel_for(
        size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) volumes[i] = cell(i).measures().volume;
        },
        128);
    return volumes;
}

std::int32_t Diagram::cell_at(Vec3 point, std::int32_t& hint) const {
    const std::vector<tri::Row>& rows = triangulation_->triangulation().rows();
    const Vec3 p = point - seeds_.low;
    const auto power = [&](std::int32_t v) {
        const tri::Row& row = rows[static_cast<std::size_t>(v)];
        const double x = p.x - row.c[0], y = p.y - row.c[1], z = (seeds_.dimension == 3 ? p.z : 0) - row.c[2];
        return x * x + y * y + z * z - row.c[3];
    };
    std::int32_t v = hint < 0 ? some_visible_ : hint;
    double least = power(v);
    for (bool moved = true; moved;) {
        moved = false;
        const std::int32_t from = v;
        for (std::size_t k = first_[static_cast<std::size_t>(from)]; k < first_[static_cast<std::size_t>(from) + 1];
             ++k) {
            const double other = power(around_[k]);
            if (other < least) {
                least = other;
                v = around_[k];
                moved = true;
            }
        }
    }
    hint = v;
    return triangulation_->image(v).site;
}

Raster::Raster(const Diagram& diagram, std::array<std::size_t, 3> size) : diagram_(diagram), size_(size) {}

void Raster::row(std::size_t y, std::size_t z, std::int32_t* out) const {
    const Seeds& seeds = diagram_.seeds();
    Vec3 spacing;
    for (int k = 0; k < 3; ++k)
        spacing[k] = (seeds.high[k] - seeds.low[k]) / static_cast<double>(size_[static_cast<std::size_t>(k)]);
    std::int32_t hint = -1;
    for (std::size_t x = 0; x < size_[0]; ++x)
        out[x] = diagram_.cell_at(
            seeds.low + Vec3{(static_cast<double>(x) + 0.5) * spacing.x, (static_cast<double>(y) + 0.5) * spacing.y,
                             (static_cast<double>(z) + 0.5) * spacing.z},
            hint);
}

Image rasterized(const Diagram& diagram, std::array<std::size_t, 3> size) {
    const Seeds& seeds = diagram.seeds();
    if (seeds.dimension == 2) size[2] = 1;
    const Raster raster(diagram, size);
    std::vector<Label> labels(size[0] * size[1] * size[2]);
    parallel_for(
        size[1] * size[2],
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t r = begin; r < end; ++r) {
                std::int32_t* const row = &labels[r * size[0]];
                raster.row(r % size[1], r / size[1], row);
                for (std::size_t x = 0; x < size[0]; ++x) row[x] = seeds.label[static_cast<std::size_t>(row[x])];
            }
        },
        16);
    Vec3 spacing;
    for (int k = 0; k < 3; ++k)
        spacing[k] = (seeds.high[k] - seeds.low[k]) / static_cast<double>(size[static_cast<std::size_t>(k)]);
    return make_image(seeds.dimension, size, spacing, seeds.low, labels);
}

}  // namespace scree::micro
