#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "core/parallel.h"
#include "scree/error.h"

namespace scree::micro {
namespace {

double distance_to_segment(Vec3 p, Vec3 a, Vec3 b) {
    const Vec3 d = b - a;
    const double length2 = norm2(d);
    const double t = length2 > 0 ? std::clamp(dot(p - a, d) / length2, 0.0, 1.0) : 0;
    return norm(p - (a + t * d));
}

using Pair = std::pair<std::int32_t, std::int32_t>;

// What a part of the layers adds.
struct Sums {
    std::size_t voxels = 0, right = 0, border = 0;
    double cell2 = 0, surface2 = 0;
    std::vector<std::size_t> both, predicted;
    std::map<Pair, std::size_t> touching;
};

}  // namespace

CellDistance distance_to(const ConvexCell& cell, Vec3 point) {
    double beyond = -1e300;
    cell.for_each_face([&](const CutPlane& plane, const std::vector<std::int32_t>&) {
        beyond = std::max(beyond, dot(plane.normal, point) - plane.offset);
    });
    if (beyond <= 0) return {0, -beyond};
    double least = 1e300;
    cell.for_each_face([&](const CutPlane& plane, const std::vector<std::int32_t>& loop) {
        const double above = dot(plane.normal, point) - plane.offset;
        if (above <= 0) return;
        bool over = true;  // the foot lies in the face
        for (std::size_t k = 0; k < loop.size(); ++k) {
            const Vec3 a = cell.corners()[static_cast<std::size_t>(loop[k])].at;
            const Vec3 b = cell.corners()[static_cast<std::size_t>(loop[(k + 1) % loop.size()])].at;
            over = over && dot(cross(plane.normal, b - a), point - a) >= 0;
            least = std::min(least, distance_to_segment(point, a, b));
        }
        if (over) least = std::min(least, above);
    });
    return {least, least};
}

Comparison compare(const GrainMap& map, const Diagram& diagram) {
    const Seeds& seeds = diagram.seeds();
    Comparison result;
    result.mean_spacing = map.mean_spacing();
    const bool plane = map.dimension() == 2;
    const Vec3 spacing = map.spacing();
    result.voxel = plane ? std::sqrt(spacing.x * spacing.y) : std::cbrt(map.voxel_volume());
    for (int k = 0; k < map.dimension(); ++k)
        if (std::fabs(map.low()[k] - seeds.low[k]) > 1e-6 * result.voxel ||
            std::fabs(map.high()[k] - seeds.high[k]) > 1e-6 * result.voxel)
            throw Error(ErrorKind::bad_input,
                        fmt::format("the image covers {} to {} along {}, the seeds' box {} to {}", map.low()[k],
                                    map.high()[k], "xyz"[k], seeds.low[k], seeds.high[k]));
    if (seeds.dimension != map.dimension())
        throw Error(ErrorKind::bad_input,
                    fmt::format("the image has {} dimensions, the seeds {}", map.dimension(), seeds.dimension));
    std::unordered_map<Label, std::int32_t> cell_of_label;
    for (std::size_t c = 0; c < seeds.size(); ++c) cell_of_label[seeds.label[c]] = static_cast<std::int32_t>(c);
    std::vector<std::int32_t> cell_of(map.grains());
    for (std::size_t g = 0; g < map.grains(); ++g) {
        const auto found = cell_of_label.find(map.label()[g]);
        if (found == cell_of_label.end())
            throw Error(ErrorKind::bad_input, fmt::format("grain {} of the image has no seed", map.label()[g]));
        cell_of[g] = found->second;
    }
    std::vector<ConvexCell> cells(seeds.size(), ConvexCell({}, {}));
    std::vector<ConvexCell::Measures> measures(seeds.size());
    parallel_for(
        seeds.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t c = begin; c < end; ++c) {
                cells[c] = diagram.cell(c);
                measures[c] = cells[c].measures();
            }
        },
        64);
    const auto near = [&](Vec3 d) {  // the image of a difference within half a period
        for (int k = 0; k < seeds.dimension; ++k) {
            const double period = seeds.high[k] - seeds.low[k];
            if (seeds.periodic[static_cast<std::size_t>(k)]) d[k] -= period * std::nearbyint(d[k] / period);
        }
        return d;
    };

    const auto [nx, ny, nz] = map.size();
    constexpr std::size_t layers_per_task = 8;
    std::vector<Sums> parts(chunk_count(nz, layers_per_task));
    run_tasks(parts.size(), [&, nx = nx, ny = ny, nz = nz](std::size_t task, int) {
        Sums& sums = parts[task];
        sums.both.assign(seeds.size(), 0);
        sums.predicted.assign(seeds.size(), 0);
        const Raster raster(diagram, map.size());
        std::vector<std::int32_t> found(nx);
        for (std::size_t z = task * layers_per_task; z < std::min(nz, (task + 1) * layers_per_task); ++z) {
            const Layers layers(map, z);
            for (std::size_t y = 0; y < ny; ++y) {
                raster.row(y, z, found.data());
                const std::int32_t* const row = layers.row(static_cast<std::ptrdiff_t>(y), 0);
                for (std::size_t x = 0; x < nx; ++x) {
                    if (row[x] < 0) continue;
                    const std::int32_t own = cell_of[static_cast<std::size_t>(row[x])];
                    ++sums.voxels;
                    ++sums.predicted[static_cast<std::size_t>(found[x])];
                    if (found[x] == own) {
                        ++sums.right;
                        ++sums.both[static_cast<std::size_t>(own)];
                    }
                    bool border = false;
                    for (int axis = 0; axis < map.dimension(); ++axis)
                        for (const int step : {-1, 1}) {
                            const std::int32_t other = layers.at(x, y, axis, step);
                            if (other < 0 || other == row[x]) continue;
                            border = true;
                            if (step > 0) ++sums.touching[std::minmax(own, cell_of[static_cast<std::size_t>(other)])];
                        }
                    if (!border || cells[static_cast<std::size_t>(own)].empty()) continue;
                    const ConvexCell::Measures& cell = measures[static_cast<std::size_t>(own)];
                    const Vec3 middle = cell.moment / cell.volume;
                    Vec3 at = map.center_of_voxel(x, y, z);
                    if (plane) at.z = 0.5;
                    const CellDistance d =
                        distance_to(cells[static_cast<std::size_t>(own)],
                                    near(at - diagram.center(static_cast<std::size_t>(own)) - middle) + middle);
                    ++sums.border;
                    sums.cell2 += d.outside * d.outside;
                    sums.surface2 += d.surface * d.surface;
                }
            }
        }
    });
    std::vector<std::size_t> both(seeds.size()), predicted(seeds.size());
    std::map<Pair, std::size_t> touching;
    double cell2 = 0, surface2 = 0;
    for (const Sums& sums : parts) {
        result.voxels += sums.voxels;
        result.right += sums.right;
        result.border_voxels += sums.border;
        cell2 += sums.cell2;
        surface2 += sums.surface2;
        for (std::size_t c = 0; c < seeds.size(); ++c) {
            both[c] += sums.both[c];
            predicted[c] += sums.predicted[c];
        }
        for (const auto& [pair, faces] : sums.touching) touching[pair] += faces;
    }
    const double borders = std::max(1.0, static_cast<double>(result.border_voxels));
    result.distance_to_cell = std::sqrt(cell2 / borders);
    result.distance_to_surface = std::sqrt(surface2 / borders);
    double volume2 = 0, centroid2 = 0;
    for (std::size_t g = 0; g < map.grains(); ++g) {
        const auto c = static_cast<std::size_t>(cell_of[g]);
        result.mean_overlap +=
            static_cast<double>(both[c]) / static_cast<double>(map.voxels()[g] + predicted[c] - both[c]);
        const double volume = plane ? measures[c].volume * spacing.z : measures[c].volume;
        const double relative = volume / map.volume(g) - 1;
        volume2 += relative * relative;
        if (measures[c].volume > 0) {
            Vec3 apart = near(diagram.center(c) + measures[c].moment / measures[c].volume - map.centroid()[g]);
            if (plane) apart.z = 0;
            centroid2 += norm2(apart);
        }
    }
    const auto grains = static_cast<double>(map.grains());
    result.mean_overlap /= grains;
    result.volume_error = std::sqrt(volume2 / grains);
    result.centroid_error = std::sqrt(centroid2 / grains) / result.mean_spacing;

    std::set<Pair> faces, large_faces;
    const double voxel_face = plane ? result.voxel : result.voxel * result.voxel;
    for (std::size_t c = 0; c < cells.size(); ++c)
        cells[c].for_each_face([&](const CutPlane& face, const std::vector<std::int32_t>& loop) {
            const std::int32_t other = diagram.neighbor(face.label).cell;
            if (other < 0 || static_cast<std::size_t>(other) == c) return;
            const Pair pair = std::minmax(static_cast<std::int32_t>(c), other);
            Vec3 twice;
            const auto at = [&](std::size_t k) { return cells[c].corners()[static_cast<std::size_t>(loop[k])].at; };
            for (std::size_t k = 2; k < loop.size(); ++k) twice += cross(at(k - 1) - at(0), at(k) - at(0));
            faces.insert(pair);
            if (norm(twice) / 2 >= voxel_face) large_faces.insert(pair);
        });
    std::size_t confirmed = 0, grain_pairs = 0, kept = 0;
    for (const Pair& pair : large_faces) confirmed += touching.count(pair);
    for (const auto& [pair, count] : touching) {
        if (count < 4) continue;
        ++grain_pairs;
        kept += faces.count(pair);
    }
    if (!large_faces.empty())
        result.neighbor_precision = static_cast<double>(confirmed) / static_cast<double>(large_faces.size());
    if (grain_pairs > 0) result.neighbor_recall = static_cast<double>(kept) / static_cast<double>(grain_pairs);
    return result;
}

}  // namespace scree::micro
