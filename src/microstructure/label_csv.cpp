// Labels at points, rows x,y[,z],label as maps of EBSD are exported. The points must be those of a regular raster; its
// spacing is found from the coordinates. Points that are missing are void.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "image_formats.h"

namespace scree::micro {
namespace {

struct Points {
    int dimension = 3;
    std::vector<double> at[3];
    std::vector<Label> label;
    std::vector<int> line;
};

bool separates(char c) { return c == ',' || c == ';' || c == ' ' || c == '\t'; }

// Fields between separators; blanks around a separator belong to it.
std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    std::size_t k = 0;
    while (k < line.size()) {
        while (k < line.size() && (separates(line[k]) || line[k] == '"' || line[k] == '\r')) ++k;
        const std::size_t begin = k;
        while (k < line.size() && !separates(line[k]) && line[k] != '"' && line[k] != '\r') ++k;
        if (k > begin) fields.push_back(line.substr(begin, k - begin));
    }
    return fields;
}

bool is_number(std::string_view text, double& value) {
    const auto [end, error] =
        std::from_chars(text.data() + (text.size() > 1 && text[0] == '+'), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

Points read_points(const Bytes& bytes) {
    Points points;
    Scanner lines(bytes.text, bytes.name);
    int columns[4] = {-1, -1, -1, -1};  // x, y, z, label
    std::size_t width = 0;
    while (lines.at() < bytes.size()) {
        const std::vector<std::string_view> fields = fields_of(lines.line());
        if (fields.empty() || fields[0][0] == '#') {
            lines.skip_line();
            continue;
        }
        double first = 0;
        if (width == 0) {
            width = fields.size();
            if (!is_number(fields[0], first)) {
                for (std::size_t k = 0; k < width; ++k) {
                    std::string name(fields[k]);
                    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
                    const char* const names[4][3] = {
                        {"x", "x", "x"}, {"y", "y", "y"}, {"z", "z", "z"}, {"label", "grain", "grainid"}};
                    for (int c = 0; c < 4; ++c)
                        if (std::find(std::begin(names[c]), std::end(names[c]), name) != std::end(names[c]))
                            columns[c] = static_cast<int>(k);
                }
                if (columns[0] < 0 || columns[1] < 0 || columns[3] < 0)
                    lines.refuse("the columns must be named x, y, z (in space) and label");
                points.dimension = columns[2] < 0 ? 2 : 3;
                lines.skip_line();
                continue;
            }
            if (width != 3 && width != 4)
                lines.refuse(fmt::format(
                    "a row has {} numbers; without a line of names it must be x,y,label or x,y,z,label", width));
            points.dimension = static_cast<int>(width) - 1;
            columns[0] = 0;
            columns[1] = 1;
            columns[2] = points.dimension == 3 ? 2 : -1;
            columns[3] = points.dimension;
        }
        if (fields.size() != width)
            lines.refuse(fmt::format("this row has {} fields, the first one {}", fields.size(), width));
        for (int c = 0; c < 4; ++c) {
            if (columns[c] < 0) continue;
            const std::string_view text = fields[static_cast<std::size_t>(columns[c])];
            double value = 0;
            if (!is_number(text, value)) lines.refuse(fmt::format("column {} is no number", columns[c] + 1));
            if (c < 3)
                points.at[c].push_back(value);
            else if (value != std::nearbyint(value) || std::fabs(value) > 2147483000)
                lines.refuse(fmt::format("{} is no label; labels are whole numbers", value));
            else
                points.label.push_back(static_cast<Label>(value));
        }
        points.line.push_back(lines.line_number());
        lines.skip_line();
    }
    if (points.label.empty()) lines.refuse("there are no rows");
    return points;
}

// The least distance of different coordinates, and the first of them; rounded digits of a file are allowed for.
void raster_axis(const std::vector<double>& at, double& spacing, double& low, std::size_t& count) {
    std::vector<double> sorted = at;
    std::sort(sorted.begin(), sorted.end());
    const double extent = sorted.back() - sorted.front();
    spacing = 0;
    for (std::size_t k = 1; k < sorted.size(); ++k) {
        const double step = sorted[k] - sorted[k - 1];
        if (step > 1e-6 * extent && (spacing == 0 || step < spacing)) spacing = step;
    }
    low = sorted.front();
    count = 1;
    if (spacing == 0) return;
    count = static_cast<std::size_t>(std::nearbyint(extent / spacing)) + 1;
    spacing = extent / static_cast<double>(count - 1);
}

}  // namespace

Image parse_label_csv(const Bytes& bytes) {
    const Points points = read_points(bytes);
    Image image;
    image.name = bytes.name;
    image.dimension = points.dimension;
    double low[3] = {0, 0, 0};
    double spacing[3] = {0, 0, 0};
    double some = 0;
    for (int k = 0; k < points.dimension; ++k) {
        raster_axis(points.at[k], spacing[k], low[k], image.size[static_cast<std::size_t>(k)]);
        some = std::max(some, spacing[k]);
    }
    if (some == 0) some = 1;
    std::size_t voxels = 1;
    for (int k = 0; k < 3; ++k) {
        image.spacing[k] = spacing[k] > 0 ? spacing[k] : some;  // an axis of one layer
        image.origin[k] = k < points.dimension ? low[k] - image.spacing[k] / 2 : 0;
        voxels *= std::min(image.size[static_cast<std::size_t>(k)], std::size_t{1} << 20);
    }
    if (points.dimension == 2) image.spacing.z = 1;
    if (voxels / 64 > points.label.size())
        throw Error(
            ErrorKind::bad_input,
            fmt::format(
                "{}: {} points do not make a raster: by their least distances it would have {} x {} x {} voxels",
                bytes.name, points.label.size(), image.size[0], image.size[1], image.size[2]));
    std::vector<Label> labels(voxels, 0);
    std::vector<std::uint8_t> seen(voxels, 0);
    for (std::size_t p = 0; p < points.label.size(); ++p) {
        std::size_t index = 0;
        for (int k = 2; k >= 0; --k) {
            const double place = k < points.dimension ? (points.at[k][p] - low[k]) / image.spacing[k] : 0;
            const double cell = std::nearbyint(place);
            if (std::fabs(place - cell) > 0.05)
                throw Error(
                    ErrorKind::bad_input,
                    fmt::format(
                        "{}:{}: {} = {} is not on the raster of spacing {}; hexagonal maps must be resampled first",
                        bytes.name, points.line[p], "xyz"[k], points.at[k][p], image.spacing[k]));
            index = index * image.size[static_cast<std::size_t>(k)] + static_cast<std::size_t>(cell);
        }
        if (seen[index])
            throw Error(ErrorKind::bad_input,
                        fmt::format("{}:{}: this point was given before", bytes.name, points.line[p]));
        seen[index] = 1;
        labels[index] = points.label[p];
    }
    Image whole = make_image(image.dimension, image.size, image.spacing, image.origin, labels);
    whole.name = bytes.name;
    return whole;
}

}  // namespace scree::micro
