#include "io/series.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>

#include "core/csv.h"
#include "scree/error.h"

namespace scree {
namespace {

// Calls visit(name, value) for every column that does not belong to a wall.
template <class Visit>
void visit_columns(const SeriesSample& s, Visit&& visit) {
    visit("time", s.time);
    visit("kinetic", s.energy.kinetic);
    visit("potential", s.energy.potential);
    visit("elastic", s.energy.elastic);
    visit("dissipated", s.energy.dissipated);
    visit("grains", s.grains);
    visit("contacts", s.contacts);
    visit("max_overlap", s.max_overlap);
    visit("removed", s.removed);
    visit("rotational", s.energy.rotational);
    visit("dissipated_sliding", s.energy.dissipated_sliding);
    visit("dissipated_damping", s.energy.dissipated_damping);
    visit("wall_work", s.energy.wall_work);
    visit("gravity_work", s.energy.gravity_work);
    visit("poured_energy", s.energy.poured);
    visit("removed_energy", s.energy.removed);
    if (s.order) {
        visit("nematic_order", s.order->nematic);
        visit("mean_angle", s.order->mean_angle);
    }
    visit("energy_total", s.energy.total());
}

// Calls visit(suffix, value) for every column of one wall.
template <class Visit>
void visit_wall_columns(const WallReport& wall, Visit&& visit) {
    visit("fx", wall.force.x);
    visit("fy", wall.force.y);
    visit("fz", wall.force.z);
    visit("tx", wall.torque.x);
    visit("ty", wall.torque.y);
    visit("tz", wall.torque.z);
    if (!wall.moving) return;
    visit("x", wall.displacement.x);
    visit("y", wall.displacement.y);
    visit("z", wall.displacement.z);
    visit("vx", wall.velocity.x);
    visit("vy", wall.velocity.y);
    visit("vz", wall.velocity.z);
}

}  // namespace

std::string series_names(const std::vector<WallReport>& walls, bool shaped) {
    std::string names;
    SeriesSample sample;
    if (shaped) sample.order.emplace();
    visit_columns(sample, [&](const char* name, auto) {
        names += names.empty() ? "" : ",";
        names += name;
    });
    for (const WallReport& wall : walls)
        visit_wall_columns(wall, [&](const char* suffix, double) {
            names += ',' + csv_field(fmt::format("wall.{}.{}", wall.name, suffix));
        });
    return names + '\n';
}

std::string series_row(const SeriesSample& sample) {
    fmt::memory_buffer row;
    const auto add = [&](const char*, auto value) {
        fmt::format_to(std::back_inserter(row), "{}{}", row.size() ? "," : "", value);
    };
    visit_columns(sample, add);
    for (const WallReport& wall : sample.walls) visit_wall_columns(wall, add);
    row.push_back('\n');
    return fmt::to_string(row);
}

SeriesFile SeriesFile::create(const std::filesystem::path& path, const std::string& names) {
    SeriesFile series;
    series.path_ = path;
    series.file_ = create_file(path, O_WRONLY);
    series.append(names);
    return series;
}

SeriesFile SeriesFile::reopen(const std::filesystem::path& path, std::uint64_t bytes) {
    SeriesFile series;
    series.path_ = path;
    series.file_ = open_own_file(path);
    struct stat status {};
    if (::fstat(series.file_.get(), &status) != 0) throw_file_error("look at", path, errno);
    if (static_cast<std::uint64_t>(status.st_size) < bytes)
        throw Error(ErrorKind::file,
                    fmt::format("{} has {} bytes, but had {} when the checkpoint was written: it was changed since; "
                                "without it the run goes on with a new one",
                                path.string(), status.st_size, bytes));
    if (::ftruncate(series.file_.get(), static_cast<off_t>(bytes)) != 0) throw_file_error("cut", path, errno);
    series.bytes_ = bytes;
    return series;
}

void SeriesFile::append(const std::string& row) {
    const int error = write_at(file_.get(), row.data(), row.size(), bytes_);
    if (error != 0) {
        // Cutting off the half row cannot need space; if it fails all the same, the next resume does it.
        [[maybe_unused]] const int cut = ::ftruncate(file_.get(), static_cast<off_t>(bytes_));
        throw_file_error("write", path_, error);
    }
    bytes_ += row.size();
}

void SeriesFile::sync() {
    if (::fsync(file_.get()) != 0) throw_file_error("write", path_, errno);
}

}  // namespace scree
