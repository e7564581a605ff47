#include "view/page_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/hash.h"
#include "scree/error.h"

namespace scree::view {
namespace {

// A contact's key: grain a, its partner, place among their contacts. Walls count down from the last partner.
constexpr int place_bits = 10, partner_bits = 27;
constexpr std::int64_t partners = std::int64_t{1} << partner_bits, places = std::int64_t{1} << place_bits;
constexpr double finest = 0.01;  // of the smallest radius: a step of positions that cannot be seen

const VtkArray& needed(const VtkFile& file, const char* section, const char* name) {
    if (const VtkArray* array = file.find(section, name)) return *array;
    throw Error(ErrorKind::bad_input, std::string("a frame has no array \"") + name + "\"");
}

std::vector<float> points_of(const VtkFile& file, std::size_t count) {
    for (const VtkArray& array : file.arrays()) {
        if (array.section != "Points" || array.components != 3) continue;
        std::vector<float> points = file.read<float>(array);
        if (points.size() == 3 * count) return points;
    }
    throw Error(ErrorKind::bad_input, "a frame has no points, or not as many as it says");
}

template <class T>
std::vector<T> rows_of(const std::vector<T>& values, std::size_t width, const std::vector<std::size_t>& rows) {
    std::vector<T> out;
    out.reserve(rows.size() * width);
    for (const std::size_t row : rows)
        for (std::size_t c = 0; c < width; ++c) out.push_back(values[row * width + c]);
    return out;
}

// How an array of grains is stored; none when the page can do without it.
std::optional<StreamColumn> grain_column(const VtkFile& file, const VtkArray& array,
                                         const std::vector<std::size_t>& rows, bool has_contacts) {
    const auto floats = [&](int components) {
        const std::vector<float> all = file.read<float>(array);
        if (array.components != components || all.size() != static_cast<std::size_t>(components) * file.points())
            throw Error(ErrorKind::bad_input, "the array \"" + array.name + "\" of a frame has another size");
        return rows_of(all, static_cast<std::size_t>(components), rows);
    };
    const auto range = [](const std::vector<float>& values, std::size_t width) {
        std::pair low{std::vector<double>(width, 0), std::vector<double>(width, 0)};
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (!std::isfinite(values[k])) continue;
            double& least = low.first[k % width];
            double& most = low.second[k % width];
            least = k < width ? values[k] : std::min<double>(least, values[k]);
            most = k < width ? values[k] : std::max<double>(most, values[k]);
        }
        return low;
    };
    for (const char* name : {"group", "material", "contacts", "shape"})
        if (array.name == name) {
            const auto all = file.read<std::int64_t>(array);
            if (array.components != 1 || all.size() != file.points())
                throw Error(ErrorKind::bad_input, "the array \"" + array.name + "\" of a frame has another size");
            return whole(array.name, rows_of(all, 1, rows), true);
        }
    if (array.name == "orientation") return evenly(array.name, 4, floats(4), 2, true, {-1, -1, -1, -1}, {1, 1, 1, 1});
    if (array.name == "velocity") {
        const std::vector<float> values = floats(3);
        const auto [low, high] = range(values, 3);
        return evenly(array.name, 3, values, 1, false, low, high);
    }
    // Where there are contacts, the page computes pressure from them.
    const bool wanted = array.name == "radius" || array.name == "scale" || array.name == "volume" ||
                        array.name == "local_density" || (array.name == "pressure" && !has_contacts);
    if (!wanted) return std::nullopt;
    const std::vector<float> values = floats(1);
    const auto [low, high] = range(values, 1);
    return evenly(array.name, 1, values, 2, true, low, high);
}

}  // namespace

StreamScale stream_scale(const RunFiles& run, const std::vector<std::size_t>& frames) {
    StreamScale scale;
    double smallest = std::numeric_limits<double>::infinity(), largest = 0;
    bool any = false;
    for (const std::size_t number : frames) {
        const auto file = run.frame(FrameKind::grains, number);
        if (!file) continue;
        const std::vector<float> points = points_of(*file, file->points());
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (!std::isfinite(points[k])) continue;
            double& low = scale.low[k % 3];
            double& high = scale.high[k % 3];
            low = any || k >= 3 ? std::min<double>(low, points[k]) : points[k];
            high = any || k >= 3 ? std::max<double>(high, points[k]) : points[k];
        }
        any = any || !points.empty();
        for (const float radius : file->read<float>(needed(*file, "PointData", "radius"))) {
            smallest = std::min<double>(smallest, radius);
            largest = std::max<double>(largest, radius);
        }
    }
    for (std::size_t c = 0; c < 3; ++c) {
        // Room for the ends of contacts.
        scale.low[c] -= 2.1 * largest;
        scale.high[c] += 2.1 * largest;
        if (scale.high[c] - scale.low[c] > finest * 65535 * smallest) scale.bytes = 4;
    }
    return scale;
}

GrainStream::Frame GrainStream::next(const VtkFile& grains, const VtkFile* contacts, const StreamScale& scale,
                                     double share) {
    Frame out;
    const auto ids = grains.read<std::int64_t>(needed(grains, "PointData", "id"));
    if (ids.size() != grains.points()) throw Error(ErrorKind::bad_input, "a frame has more grains than identities");
    std::vector<std::size_t> rows;
    const double limit = share * 18446744073709551616.0;
    for (std::size_t k = 0; k < ids.size(); ++k)
        if (share >= 1 || static_cast<double>(mix_bits(static_cast<std::uint64_t>(ids[k]))) < limit) rows.push_back(k);
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    std::vector<std::uint64_t> keys;
    for (const std::size_t row : rows) {
        if (ids[row] < 0 || (!keys.empty() && static_cast<std::uint64_t>(ids[row]) == keys.back()))
            grains.refuse("the identities of its grains are none");
        keys.push_back(static_cast<std::uint64_t>(ids[row]));
    }

    const std::vector<float> points = points_of(grains, grains.points());
    std::vector<StreamColumn> columns;
    columns.push_back(evenly("position", 3, rows_of(points, 3, rows), scale.bytes, true, scale.low, scale.high));
    for (const VtkArray& array : grains.arrays())
        if (array.section == "PointData")
            if (auto column = grain_column(grains, array, rows, contacts)) columns.push_back(std::move(*column));
    nlohmann::ordered_json header{{"kind", "grains"},
                                  {"time", grains.time()},
                                  {"step", grains.step()},
                                  {"names", grains.names()},
                                  {"grains", grains.points()}};
    out.grains = grains_.next(header, keys, columns);
    if (!contacts) return out;

    const auto a = contacts->read<std::int64_t>(needed(*contacts, "CellData", "a")),
               b = contacts->read<std::int64_t>(needed(*contacts, "CellData", "b")),
               wall = contacts->read<std::int64_t>(needed(*contacts, "CellData", "wall"));
    const auto force = contacts->read<float>(needed(*contacts, "CellData", "normal_force"));
    const std::size_t n = contacts->lines();
    if (a.size() < n || b.size() < n || wall.size() < n || force.size() < n)
        throw Error(ErrorKind::bad_input, "a frame has more contacts than forces");
    const std::vector<float> ends = points_of(*contacts, 2 * n);
    std::vector<std::pair<std::uint64_t, std::size_t>> sorted;
    for (std::size_t k = 0; k < n; ++k) {
        const std::int64_t partner = wall[k] >= 0 ? partners - 1 - wall[k] : b[k];
        if (a[k] < 0 || a[k] >= partners || partner < 0 || partner >= partners) continue;  // of too many grains to show
        sorted.push_back({static_cast<std::uint64_t>((a[k] << partner_bits | partner) << place_bits), k});
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    std::vector<std::uint64_t> contact_keys, end_keys;
    std::vector<float> forces, end_points;
    std::int64_t place = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        place = k > 0 && sorted[k].first == sorted[k - 1].first ? place + 1 : 0;
        if (place >= places) continue;
        const std::size_t from = sorted[k].second;
        const std::uint64_t key = sorted[k].first + static_cast<std::uint64_t>(place);
        contact_keys.push_back(key);
        forces.push_back(force[from]);
        const float* const end = ends.data() + 6 * from + 3;
        const auto at = std::lower_bound(keys.begin(), keys.end(), static_cast<std::uint64_t>(b[from]));
        bool at_center = wall[from] < 0 && at != keys.end() && *at == static_cast<std::uint64_t>(b[from]);
        for (std::size_t c = 0; c < 3 && at_center; ++c) {
            const float center = points[3 * rows[static_cast<std::size_t>(at - keys.begin())] + c];
            at_center = std::fabs(end[c] - center) <= (scale.high[c] - scale.low[c]) / 65535;
        }
        if (at_center) continue;
        end_keys.push_back(key);
        end_points.insert(end_points.end(), end, end + 3);
    }
    header = {
        {"kind", "contacts"}, {"time", contacts->time()}, {"step", contacts->step()}, {"names", contacts->names()}};
    out.contacts = contacts_.next(header, contact_keys, {by_roots("normal_force", forces)});
    out.ends = ends_.next({{"kind", "ends"}}, end_keys,
                          {evenly("end", 3, end_points, scale.bytes, true, scale.low, scale.high)});
    return out;
}

}  // namespace scree::view
