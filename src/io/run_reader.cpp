#include "io/run_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/checkpoint.h"
#include "io/files.h"
#include "io/scene_file.h"
#include "io/vtk_reader.h"
#include "scree/error.h"
#include "shape/shape_table.h"

namespace scree {
namespace {

std::vector<Vec3> vectors(const std::vector<double>& numbers) {
    std::vector<Vec3> out;
    for (std::size_t k = 0; k + 2 < numbers.size(); k += 3) out.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
    return out;
}

template <class T>
std::vector<T> cast(const std::vector<double>& numbers) {
    std::vector<T> out;
    out.reserve(numbers.size());
    for (const double number : numbers) out.push_back(static_cast<T>(number));
    return out;
}

}  // namespace

RunReader::RunReader(std::filesystem::path folder) : folder_(std::move(folder)) {
    if (!std::filesystem::is_directory(folder_))
        throw Error(ErrorKind::file, fmt::format("there is no run folder {}", folder_.string()));
    if (!std::filesystem::exists(folder_ / "scene.toml"))
        throw Error(ErrorKind::bad_input,
                    fmt::format("{} is not the folder of a run: it has no scene.toml", folder_.string()));
    const std::string scene_path = (folder_ / "scene.toml").string();
    scene_ = std::make_unique<Scene>(parse_scene(read_text_file(scene_path), scene_path, {{}, false}));
    const std::filesystem::path index = folder_ / "frames" / "run.pvd";
    if (std::filesystem::exists(index)) {
        const std::string text = read_text_file(index);
        const std::string mark = "timestep=\"";
        for (std::size_t at = text.find("<DataSet "); at != std::string::npos; at = text.find("<DataSet ", at + 1)) {
            const std::string tag = text.substr(at, text.find('>', at) - at);
            if (tag.find("part=\"0\"") == std::string::npos) continue;
            times_.push_back(std::strtod(tag.c_str() + tag.find(mark) + mark.size(), nullptr));
        }
    }
    if (times_.empty())
        throw Error(ErrorKind::bad_input, fmt::format("the run in {} has no frames yet", folder_.string()));
}

RunReader::~RunReader() = default;

std::shared_ptr<const ShapeTable> RunReader::shape_table() const {
    if (!shapes_) shapes_ = std::make_shared<ShapeTable>(*scene_);
    return shapes_;
}

const ShapeTable& RunReader::shapes() const { return *shape_table(); }

std::size_t RunReader::nearest(double time) const {
    const auto closer = [&](double a, double b) { return std::abs(a - time) < std::abs(b - time); };
    return static_cast<std::size_t>(std::min_element(times_.begin(), times_.end(), closer) - times_.begin());
}

std::filesystem::path RunReader::grain_file(std::size_t frame) const {
    return folder_ / "frames" / grain_frame_name(frame);
}

std::optional<Snapshot> RunReader::from_checkpoint(std::int64_t step) const {
    const std::filesystem::path path = CheckpointFolder(folder_ / "checkpoints").path_for(step);
    if (!std::filesystem::exists(path)) return {};
    try {
        Checkpoint checkpoint = read_checkpoint(path);
        if (checkpoint.world.step != step) return {};
        Simulation simulation(*scene_, {std::move(checkpoint.world), std::move(checkpoint.contacts)},
                              checkpoint.names.groups);
        Snapshot snapshot = snapshot_of(simulation);
        snapshot.scene = scene_.get();
        if (!shapes_) shapes_ = snapshot.shapes;
        return snapshot;
    } catch (const Error&) {
        return {};  // pruned or damaged meanwhile: the frame serves
    }
}

Snapshot RunReader::snapshot(std::size_t frame) const {
    const VtkFile grains(grain_file(frame));
    const auto step = static_cast<std::int64_t>(grains.field("step"));
    if (auto exact = from_checkpoint(step)) return std::move(*exact);

    Snapshot s;
    s.time = grains.field("TimeValue");
    s.step = step;
    s.scene = scene_.get();
    s.group_names = grains.names("group_names");
    s.position = vectors(grains.numbers("Points", "position"));
    s.velocity = vectors(grains.numbers("PointData", "velocity"));
    s.spin = vectors(grains.numbers("PointData", "spin"));
    s.radius = grains.numbers("PointData", "radius");
    s.id = cast<std::uint32_t>(grains.numbers("PointData", "id"));
    s.group = cast<std::uint16_t>(grains.numbers("PointData", "group"));
    s.material = cast<std::uint8_t>(grains.numbers("PointData", "material"));
    if (!scene_->shapes.empty() && grains.has("PointData", "orientation")) {
        const std::vector<double> q = grains.numbers("PointData", "orientation");
        const std::vector<std::uint16_t> shape = cast<std::uint16_t>(grains.numbers("PointData", "shape"));
        std::vector<Quaternion> orientation;
        for (std::size_t k = 0; k < shape.size(); ++k)
            orientation.push_back(
                as_principal(shapes()[shape[k]], {q[4 * k], q[4 * k + 1], q[4 * k + 2], q[4 * k + 3]}));
        add_shapes(s, shape_table(), shape, orientation, grains.numbers("PointData", "scale"));
    } else if (!scene_->shapes.empty() && s.size() == 0) {
        s.shapes = shape_table();  // grains yet to come, or gone
    }
    complete(s);

    const VtkFile contacts(folder_ / "frames" / contact_frame_name(frame));
    const std::vector<Vec3> ends = vectors(contacts.numbers("Points", "position")),
                            force = vectors(contacts.numbers("CellData", "force"));
    const std::vector<double> overlap = contacts.numbers("CellData", "overlap"), a = contacts.numbers("CellData", "a"),
                              b = contacts.numbers("CellData", "b"), wall = contacts.numbers("CellData", "wall");
    const bool points_told = contacts.has("CellData", "point");
    const std::vector<Vec3> point = points_told ? vectors(contacts.numbers("CellData", "point")) : std::vector<Vec3>{},
                            normal =
                                points_told ? vectors(contacts.numbers("CellData", "normal")) : std::vector<Vec3>{};
    const auto row_of = [&](double id) {
        const auto at = std::lower_bound(s.id.begin(), s.id.end(), static_cast<std::uint32_t>(id));
        if (at == s.id.end() || *at != static_cast<std::uint32_t>(id))
            throw Error(ErrorKind::file, fmt::format("frame {} of {} has a contact of a grain that is not there", frame,
                                                     folder_.string()));
        return static_cast<std::uint32_t>(at - s.id.begin());
    };
    for (std::size_t k = 0; k < force.size(); ++k) {
        SnapshotContact c;
        c.a = row_of(a[k]);
        c.b = row_of(b[k]);
        c.wall = static_cast<std::int32_t>(wall[k]);
        c.overlap = overlap[k];
        c.force = force[k];
        if (!point.empty()) {
            c.point = point[k];
            c.normal = normalized(normal[k]);
            c.branch = nearest_image(*scene_, s.position[c.a] - (c.is_wall() ? c.point : s.position[c.b]));
        } else if (c.is_wall()) {
            c.normal = normalized(ends[2 * k] - ends[2 * k + 1]);
            c.branch = (s.radius[c.a] - c.overlap) * c.normal;
            c.point = s.position[c.a] - c.branch;
        } else {  // line ends are floats; the centers are known better
            c.branch = nearest_image(*scene_, s.position[c.a] - s.position[c.b]);
            c.normal = normalized(c.branch);
            c.point = s.position[c.a] - (s.radius[c.a] - c.overlap / 2) * c.normal;
        }
        s.contacts.push_back(c);
    }
    return s;
}

WallPicture RunReader::walls(std::size_t frame) const {
    const VtkFile file(folder_ / "frames" / wall_frame_name(frame));
    WallPicture picture;
    picture.names = file.names("wall_names");
    picture.points = vectors(file.numbers("Points", "position"));
    const std::vector<int> segments = cast<int>(file.numbers("Lines", "connectivity")),
                           triangles = cast<int>(file.numbers("Polys", "connectivity")),
                           wall = cast<int>(file.numbers("CellData", "wall"));
    for (std::size_t k = 0; k + 1 < segments.size(); k += 2) picture.segments.push_back({segments[k], segments[k + 1]});
    for (std::size_t k = 0; k + 2 < triangles.size(); k += 3)
        picture.triangles.push_back({triangles[k], triangles[k + 1], triangles[k + 2]});
    picture.wall_of_segment.assign(wall.begin(), wall.begin() + static_cast<std::ptrdiff_t>(picture.segments.size()));
    picture.wall_of_triangle.assign(wall.begin() + static_cast<std::ptrdiff_t>(picture.segments.size()), wall.end());
    return picture;
}

std::vector<std::size_t> chosen_frames(const std::optional<std::string>& text, std::size_t count) {
    const auto n = static_cast<std::int64_t>(count);
    const auto refuse = [&] {
        return Error(
            ErrorKind::usage,
            fmt::format("\"{}\" does not choose frames; as in 5, 10:20, -1, 0:-1 (the end is left out); there are {}",
                        *text, count));
    };
    const auto read = [&](std::string_view part, std::int64_t fallback) {
        if (part.empty()) return fallback;
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || end != part.data() + part.size()) throw refuse();
        return value < 0 ? value + n : value;
    };
    std::int64_t first = 0, last = n;
    if (text) {
        const std::size_t colon = text->find(':');
        const std::string_view whole = *text;
        first = read(whole.substr(0, colon), 0);
        last = colon == std::string::npos ? first + 1 : std::min(read(whole.substr(colon + 1), n), n);
        if (text->empty() || first < 0 || first >= last || last > n) throw refuse();
    }
    std::vector<std::size_t> frames;
    for (std::int64_t k = first; k < last; ++k) frames.push_back(static_cast<std::size_t>(k));
    return frames;
}

}  // namespace scree
