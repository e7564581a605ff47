#include "grain_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "math/elementary.h"
#include "scree/error.h"

namespace scree::micro {

GrainMap::GrainMap(const Image& image, const GrainMapOptions& options)
    : name_(image.name),
      dimension_(image.dimension),
      size_(image.size),
      periodic_(options.periodic),
      spacing_(image.spacing),
      low_(image.low()),
      high_(image.high()) {
    std::vector<Label> label_of_run;
    find_runs(image, label_of_run);
    const std::vector<std::uint32_t> part_of_run = connect(label_of_run);
    name_grains(label_of_run, part_of_run, options);
    find_centroids();
}

double GrainMap::mean_spacing() const {
    double sum = 0;
    for (std::size_t g = 0; g < grains(); ++g) sum += volume(g);
    sum /= static_cast<double>(grains());
    return dimension_ == 3 ? std::cbrt(sum) : std::sqrt(sum / spacing_.z);
}

void GrainMap::find_runs(const Image& image, std::vector<Label>& label_of_run) {
    std::vector<Label> row(size_[0]);
    first_.push_back(0);
    for (std::size_t z = 0; z < size_[2]; ++z)
        for (std::size_t y = 0; y < size_[1]; ++y) {
            image.row(y, z, row.data());
            for (std::size_t x = 0; x < size_[0]; ++x) {
                if (x > 0 && row[x] == row[x - 1]) continue;
                runs_.push_back({static_cast<std::uint32_t>(x), -1});
                label_of_run.push_back(row[x]);
            }
            first_.push_back(runs_.size());
        }
    if (runs_.size() >= 0xffffffffu)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: the labels change at more than 2^32 places; this is no image of grains", name_));
}

// For every run the first run of its connected part.
std::vector<std::uint32_t> GrainMap::connect(const std::vector<Label>& label_of_run) const {
    std::vector<std::uint32_t> parent(runs_.size());
    for (std::size_t r = 0; r < parent.size(); ++r) parent[r] = static_cast<std::uint32_t>(r);
    const auto root = [&](std::uint32_t r) {
        while (parent[r] != r) r = parent[r] = parent[parent[r]];
        return r;
    };
    const auto join = [&](std::size_t a, std::size_t b) {
        if (label_of_run[a] != label_of_run[b]) return;
        const std::uint32_t p = root(static_cast<std::uint32_t>(a)), q = root(static_cast<std::uint32_t>(b));
        parent[std::max(p, q)] = std::min(p, q);
    };
    const auto join_rows = [&](std::size_t one, std::size_t other) {
        std::size_t a = first_[one], b = first_[other];
        while (a < first_[one + 1] && b < first_[other + 1]) {
            join(a, b);  // their runs overlap
            const std::uint32_t end_a = end_of(a, one), end_b = end_of(b, other);
            a += end_a <= end_b;
            b += end_b <= end_a;
        }
    };
    const std::size_t ny = size_[1], nz = size_[2];
    for (std::size_t z = 0; z < nz; ++z)
        for (std::size_t y = 0; y < ny; ++y) {
            const std::size_t row = z * ny + y;
            if (y > 0) join_rows(row, row - 1);
            if (z > 0) join_rows(row, row - ny);
            if (periodic_[0]) join(first_[row], first_[row + 1] - 1);
            if (periodic_[1] && y + 1 == ny) join_rows(row, z * ny);
            if (periodic_[2] && z + 1 == nz) join_rows(row, y);
        }
    for (std::size_t r = 0; r < parent.size(); ++r) parent[r] = root(static_cast<std::uint32_t>(r));
    return parent;
}

void GrainMap::name_grains(const std::vector<Label>& label_of_run, const std::vector<std::uint32_t>& part_of_run,
                           const GrainMapOptions& options) {
    struct Part {
        std::uint32_t first;
        std::size_t voxels;
    };
    struct Found {
        Part largest{0, 0};
        std::size_t voxels = 0, parts = 0;
    };
    std::unordered_map<std::uint32_t, std::size_t> size_of_part;
    const auto is_void = [&](Label label) { return label < 0 || (options.void_label && label == *options.void_label); };
    for (std::size_t row = 0; row + 1 < first_.size(); ++row)
        for (std::size_t r = first_[row]; r < first_[row + 1]; ++r) {
            const std::size_t length = end_of(r, row) - runs_[r].begin;
            if (is_void(label_of_run[r]))
                counts_.empty += length;
            else
                size_of_part[part_of_run[r]] += length;
        }
    std::map<Label, Found> found;
    for (std::size_t r = 0; r < runs_.size(); ++r) {  // in the order of runs, for the same choice among equals
        if (part_of_run[r] != r || is_void(label_of_run[r])) continue;
        Found& grain = found[label_of_run[r]];
        const std::size_t voxels = size_of_part[static_cast<std::uint32_t>(r)];
        if (voxels > grain.largest.voxels) grain.largest = {static_cast<std::uint32_t>(r), voxels};
        grain.voxels += voxels;
        ++grain.parts;
    }
    std::unordered_map<std::uint32_t, std::int32_t> number;
    for (const auto& [label, grain] : found) {
        if (grain.voxels < options.least) {
            ++counts_.small_grains;
            counts_.small_voxels += grain.voxels;
            continue;
        }
        number[grain.largest.first] = static_cast<std::int32_t>(label_.size());
        label_.push_back(label);
        voxels_.push_back(grain.largest.voxels);
        counts_.satellites += grain.parts - 1;
        counts_.satellite_voxels += grain.voxels - grain.largest.voxels;
    }
    if (label_.empty())
        throw Error(ErrorKind::bad_input, fmt::format("{}: there is no grain{}", name_,
                                                      found.empty() ? ": all voxels are void" : " of so many voxels"));
    for (std::size_t r = 0; r < runs_.size(); ++r) {
        const auto at = number.find(part_of_run[r]);
        runs_[r].grain = at == number.end() ? -1 : at->second;
    }
}

void GrainMap::find_centroids() {
    // Where about a grain is on a periodic axis is told by the mean of its places on a circle.
    const std::size_t n = grains();
    constexpr double turn = 2 * pi;
    std::vector<std::vector<SinCos>> circle(3);
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; periodic_[k] && i < size_[k]; ++i)
            circle[k].push_back(same_sincos(turn * (static_cast<double>(i) + 0.5) / static_cast<double>(size_[k])));
    std::vector<Vec3> sines(n), cosines(n);
    const auto every_run = [&](auto&& look) {
        for (std::size_t row = 0; row + 1 < first_.size(); ++row)
            for (std::size_t r = first_[row]; r < first_[row + 1]; ++r)
                if (runs_[r].grain >= 0)
                    look(static_cast<std::size_t>(runs_[r].grain), runs_[r].begin, end_of(r, row), row % size_[1],
                         row / size_[1]);
    };
    if (periodic_[0] || periodic_[1] || periodic_[2])
        every_run([&](std::size_t g, std::size_t begin, std::size_t end, std::size_t y, std::size_t z) {
            for (std::size_t x = begin; periodic_[0] && x < end; ++x) {
                sines[g].x += circle[0][x].sin;
                cosines[g].x += circle[0][x].cos;
            }
            const std::size_t place[3] = {0, y, z};
            for (int k = 1; k < 3; ++k) {
                if (!periodic_[static_cast<std::size_t>(k)]) continue;
                const SinCos at = circle[static_cast<std::size_t>(k)][place[k]];
                sines[g][k] += static_cast<double>(end - begin) * at.sin;
                cosines[g][k] += static_cast<double>(end - begin) * at.cos;
            }
        });
    std::vector<Vec3> about(n);  // in voxels
    for (std::size_t g = 0; g < n; ++g)
        for (int k = 0; k < 3; ++k)
            if (periodic_[static_cast<std::size_t>(k)])
                about[g][k] = std::floor(same_atan2(sines[g][k], cosines[g][k]) / turn *
                                         static_cast<double>(size_[static_cast<std::size_t>(k)]));
    std::vector<Vec3> sum(n);  // of the places relative to that
    const auto near = [&](double place, std::size_t g, int k) {
        const auto length = static_cast<double>(size_[static_cast<std::size_t>(k)]);
        double d = place - about[g][k];
        if (periodic_[static_cast<std::size_t>(k)]) d -= length * std::nearbyint(d / length);
        return d;
    };
    every_run([&](std::size_t g, std::size_t begin, std::size_t end, std::size_t y, std::size_t z) {
        const auto length = static_cast<double>(end - begin);
        if (periodic_[0])
            for (std::size_t x = begin; x < end; ++x) sum[g].x += near(static_cast<double>(x) + 0.5, g, 0);
        else
            sum[g].x += length * (static_cast<double>(begin + end) / 2);
        sum[g].y += length * near(static_cast<double>(y) + 0.5, g, 1);
        sum[g].z += length * near(static_cast<double>(z) + 0.5, g, 2);
    });
    for (std::size_t g = 0; g < n; ++g) {
        const Vec3 place = sum[g] / static_cast<double>(voxels_[g]) + about[g];
        centroid_.push_back(
            {low_.x + place.x * spacing_.x, low_.y + place.y * spacing_.y, low_.z + place.z * spacing_.z});
    }
}

void GrainMap::row(std::size_t y, std::size_t z, std::int32_t* out) const {
    const std::size_t row = z * size_[1] + y;
    for (std::size_t r = first_[row]; r < first_[row + 1]; ++r)
        std::fill(out + runs_[r].begin, out + end_of(r, row), runs_[r].grain);
}

Layers::Layers(const GrainMap& map, std::size_t z) : map_(map) {
    const auto n = static_cast<std::ptrdiff_t>(map.size()[2]);
    for (int dz = -2; dz <= 2; ++dz) {
        std::ptrdiff_t at = static_cast<std::ptrdiff_t>(z) + dz;
        if (map.periodic()[2]) at = ((at % n) + n) % n;
        if (at < 0 || at >= n) continue;
        std::vector<std::int32_t>& layer = layer_[dz + 2];
        layer.resize(map.size()[0] * map.size()[1]);
        for (std::size_t y = 0; y < map.size()[1]; ++y)
            map.row(y, static_cast<std::size_t>(at), &layer[y * map.size()[0]]);
    }
}

const std::int32_t* Layers::row(std::ptrdiff_t y, int dz) const {
    const auto n = static_cast<std::ptrdiff_t>(map_.size()[1]);
    if (map_.periodic()[1]) y = ((y % n) + n) % n;
    const std::vector<std::int32_t>& layer = layer_[dz + 2];
    return y < 0 || y >= n || layer.empty() ? nullptr : &layer[static_cast<std::size_t>(y) * map_.size()[0]];
}

std::int32_t Layers::at(std::size_t x, std::size_t y, int axis, int step) const {
    const std::int32_t* const line = row(static_cast<std::ptrdiff_t>(y) + (axis == 1 ? step : 0), axis == 2 ? step : 0);
    if (!line) return -1;
    if (axis != 0) return line[x];
    const auto n = static_cast<std::ptrdiff_t>(map_.size()[0]);
    std::ptrdiff_t at = static_cast<std::ptrdiff_t>(x) + step;
    if (map_.periodic()[0]) at = ((at % n) + n) % n;
    return at < 0 || at >= n ? -1 : line[at];
}

}  // namespace scree::micro
