// A line has 72 columns of data, the letter of its section and its number there. The directory has two lines of eight
// columns a field for each entity; entities are named by the number of the first. Parameters are texts between
// delimiters, in the first 64 columns of the lines that the directory tells.
#include "io/iges_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "core/located.h"
#include "core/text_input.h"
#include "geometry/nurbs/nurbs_shapes.h"
#include "math/elementary.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr int deepest_reference = 20;

struct Line {
    std::string text;  // 80 columns
    int number;        // in the file
};

struct DirectoryEntry {
    int type = 0, parameters = 0, lines = 0, matrix = 0, form = 0;
    bool part_of_another = false;
    int line = 0;  // in the file
};

class IgesFile {
  public:
    IgesFile(const std::string& text, std::string path) : path_(std::move(path)) {
        TextLines lines(text);
        while (lines.next()) {
            std::string line(lines.line());
            if (line.size() < 73) continue;
            line.resize(80, ' ');
            sections_[line[72]].push_back({line, lines.number()});
        }
        read_delimiters();
        read_directory();
    }

    std::vector<Nurbs> bodies() {
        std::vector<Nurbs> found;
        for (const auto& [name, entry] : directory_) {
            const bool geometry = entry.type < 200 || entry.type / 100 == 5;
            const bool carries_nothing = entry.type == 0 || entry.type == 116 || entry.type == 123 || entry.type == 124;
            if (entry.part_of_another || !geometry || carries_nothing) continue;
            std::vector<Nurbs> more = read(name, 0);
            std::move(more.begin(), more.end(), std::back_inserter(found));
        }
        if (found.empty()) refuse_at(path_, 1, 0, "the file holds no curve and no surface");
        return found;
    }

  private:
    void read_delimiters() {
        std::string global;
        for (const Line& line : sections_['G']) global += line.text.substr(0, 72);
        // 1H, and the character, twice; left out: the usual ones.
        std::size_t at = 0;
        const auto next = [&](char usual) {
            if (global.compare(at, 2, "1H") != 0 || at + 2 >= global.size()) return usual;
            at += 3;
            return global[at - 1];
        };
        separator_ = next(',');
        if (at < global.size()) ++at;
        end_ = next(';');
    }

    int integer(const Line& line, int field) const {
        std::string text = line.text.substr(static_cast<std::size_t>(8 * field), 8);
        text.erase(0, text.find_first_not_of(' '));
        text.erase(text.find_last_not_of(' ') + 1);
        double value = 0;
        if (text.empty()) return 0;
        if (!read_number(text, value) || value != std::floor(value) || std::fabs(value) > 1e9)
            refuse_at(path_, line.number, 8 * field + 1, fmt::format("\"{}\" is not an integer", shown(text)));
        return static_cast<int>(value);
    }

    void read_directory() {
        const std::vector<Line>& lines = sections_['D'];
        for (std::size_t k = 0; k + 1 < lines.size(); k += 2) {
            DirectoryEntry entry;
            entry.line = lines[k].number;
            entry.type = integer(lines[k], 0);
            entry.parameters = integer(lines[k], 1);
            entry.matrix = integer(lines[k], 6);
            // The third and fourth digit of the status from the left, of eight.
            entry.part_of_another = integer(lines[k], 8) / 10000 % 100 % 2 == 1;
            entry.lines = integer(lines[k + 1], 3);
            entry.form = integer(lines[k + 1], 4);
            directory_[static_cast<int>(k) + 1] = entry;
        }
    }

    [[noreturn]] void refuse(const DirectoryEntry& entry, const std::string& why) const {
        refuse_at(path_, entry.line, 0, fmt::format("entity {}: {}", entry.type, why));
    }

    const DirectoryEntry& entry_at(int name, const DirectoryEntry& from) const {
        const auto found = directory_.find(name);
        if (found == directory_.end()) refuse(from, fmt::format("refers to the entity {}, which does not exist", name));
        return found->second;
    }

    // After the number of the type. An empty field is zero; words do not occur where they matter here.
    std::vector<double> parameters(const DirectoryEntry& entry) const {
        const auto section = sections_.find('P');
        const std::size_t count = section == sections_.end() ? 0 : section->second.size();
        const auto first = static_cast<std::size_t>(entry.parameters - 1),
                   length = static_cast<std::size_t>(entry.lines);
        if (entry.parameters < 1 || entry.lines < 1 || first >= count || length > count - first)
            refuse(entry, "its parameters are not in the file");
        std::string text;
        for (std::size_t k = first; k < first + length; ++k) text += section->second[k].text.substr(0, 64);
        text.resize(std::min(text.find(end_), text.size()));
        std::vector<double> values;
        for (const TextField& field : fields_of(text, separator_)) {
            std::string number(field.text);
            std::replace_if(
                number.begin(), number.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
            double value = 0;
            if (!number.empty() && !read_number(number, value)) value = std::nan("");
            values.push_back(value);
        }
        values.erase(values.begin());
        return values;
    }

    MeshPose pose(const DirectoryEntry& entry, int depth = 0) const {
        if (entry.matrix == 0) return {};
        const DirectoryEntry& matrix = entry_at(entry.matrix, entry);
        if (matrix.type != 124 || depth > deepest_reference) refuse(entry, "its matrix is none");
        const std::vector<double> m = wanted(matrix, parameters(matrix), 12);
        return pose(matrix, depth + 1) *
               MeshPose{{{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}}, {m[3], m[7], m[11]}};
    }

    // At least that many numbers, all finite.
    std::vector<double> wanted(const DirectoryEntry& entry, std::vector<double> values, std::size_t count) const {
        if (values.size() < count)
            refuse(entry, fmt::format("has {} parameters where it takes {}", values.size(), count));
        for (std::size_t k = 0; k < count; ++k)
            if (!std::isfinite(values[k])) refuse(entry, fmt::format("parameter {} is not a number", k + 1));
        return values;
    }

    int pointer(const DirectoryEntry& entry, double value) const {
        if (value != std::floor(value) || std::fabs(value) > 1e9) refuse(entry, "refers to no entity");
        return static_cast<int>(value);
    }

    std::vector<Nurbs> read(int name, int depth) {
        const DirectoryEntry& entry = directory_.at(name);
        if (depth > deepest_reference) refuse(entry, "is part of itself");
        std::vector<Nurbs> bodies;
        try {
            bodies = entry.type == 102 ? composite(entry, depth) : std::vector{body(entry, depth)};
        } catch (const Error& error) {
            if (std::string(error.what()).starts_with(path_)) throw;
            refuse(entry, error.what());
        }
        const MeshPose placed = pose(entry);
        for (Nurbs& body : bodies) body = nurbs_moved(std::move(body), placed);
        return bodies;
    }

    Nurbs curve(const DirectoryEntry& from, double name, int depth) {
        const int number = pointer(from, name);
        entry_at(number, from);
        std::vector<Nurbs> found = read(number, depth + 1);
        if (found.size() != 1 || !found[0].is_curve()) refuse(from, fmt::format("entity {} is not one curve", number));
        return found[0];
    }

    std::vector<Nurbs> composite(const DirectoryEntry& entry, int depth) {
        const std::vector<double> p = wanted(entry, parameters(entry), 1);
        const std::size_t count = size(entry, p[0]);
        wanted(entry, p, 1 + count);
        std::vector<Nurbs> parts;
        for (std::size_t k = 0; k < count; ++k) {
            const int name = pointer(entry, p[1 + k]);
            entry_at(name, entry);
            std::vector<Nurbs> more = read(name, depth + 1);
            std::move(more.begin(), more.end(), std::back_inserter(parts));
            if (parts.size() > directory_.size() * directory_.size()) refuse(entry, "is part of itself");
        }
        return parts;
    }

    std::size_t size(const DirectoryEntry& entry, double value) const {
        if (!(value >= 0 && value <= 1e8) || value != std::floor(value))
            refuse(entry, fmt::format("{} is not a number of points", value));
        return static_cast<std::size_t>(value);
    }

    Nurbs body(const DirectoryEntry& entry, int depth) {
        const std::vector<double> p = parameters(entry);
        switch (entry.type) {
            case 100:
                return arc(entry, wanted(entry, p, 7));
            case 104:
                return conic(entry, wanted(entry, p, 11));
            case 106:
                return polyline(entry, wanted(entry, p, 2));
            case 110:
                return line(entry, wanted(entry, p, 6));
            case 118: {
                wanted(entry, p, 3);
                const Nurbs a = curve(entry, p[0], depth), b = curve(entry, p[1], depth);
                if (entry.form == 0 && (a.u.degree > 1 || b.u.degree > 1))
                    refuse(entry, "form 0 is ruled by lengths of arcs, which is not a NURBS surface; write it as 128");
                return nurbs_ruled(a, p[2] != 0 ? reversed(b) : b);
            }
            case 120: {
                wanted(entry, p, 4);
                const Nurbs axis = curve(entry, p[0], depth);
                const Vec3 from = axis.points.front(), along = axis.points.back() - from;
                if (axis.points.size() != 2 || !(norm(along) > 0)) refuse(entry, "its axis is not a line");
                if (!(p[2] < p[3])) refuse(entry, "the angles at its ends do not rise");
                return nurbs_revolved(curve(entry, p[1], depth), from, normalized(along), p[2], p[3]);
            }
            case 122: {
                wanted(entry, p, 4);
                const Nurbs directrix = curve(entry, p[0], depth);
                const NurbsPoint start = evaluate(bezier_patches(directrix), directrix.u.first());
                return nurbs_extruded(directrix, Vec3{p[1], p[2], p[3]} - start.at);
            }
            case 126:
                return spline_curve(entry, wanted(entry, p, 6));
            case 128:
                return spline_surface(entry, wanted(entry, p, 9));
            case 143:
            case 144:
                refuse(entry, "a trimmed surface: its whole surface would be larger than it. Write it as 128, not cut");
            default:
                refuse(entry,
                       "is not read; there are curves 100, 102, 104, 106, 110, 126 and surfaces 118, 120, 122, "
                       "128. Write the model as surfaces 128");
        }
    }

    static Nurbs reversed(Nurbs curve) {
        std::reverse(curve.points.begin(), curve.points.end());
        std::reverse(curve.weights.begin(), curve.weights.end());
        std::reverse(curve.u.knots.begin(), curve.u.knots.end());
        for (double& knot : curve.u.knots) knot = -knot;
        return curve;
    }

    // z, center, start, end: counterclockwise; the whole circle when it ends where it starts.
    Nurbs arc(const DirectoryEntry& entry, const std::vector<double>& p) const {
        const Vec3 center{p[1], p[2], p[0]}, start{p[3] - p[1], p[4] - p[2], 0}, end{p[5] - p[1], p[6] - p[2], 0};
        if (!(norm(start) > 0)) refuse(entry, "its radius is zero");
        double angle = same_atan2(cross(start, end).z, dot(start, end));
        if (angle <= 0) angle += 2 * std::numbers::pi;
        return nurbs_arc(center, start, Vec3{-start.y, start.x, 0}, 0, angle);
    }

    // a x^2 + b x y + c y^2 + d x + e y + f = 0 in a plane of constant z, counterclockwise from start to end.
    Nurbs conic(const DirectoryEntry& entry, const std::vector<double>& p) const {
        const double a = p[0], b = p[1], c = p[2], d = p[3], e = p[4], z = p[6];
        const Vec3 start{p[7], p[8], z}, end{p[9], p[10], z};
        const double determinant = 4 * a * c - b * b;
        if (determinant > 0) {
            // An ellipse: in the frame of start - center and its conjugate direction it is a unit circle.
            const Vec3 center{(b * e - 2 * c * d) / determinant, (b * d - 2 * a * e) / determinant, z};
            const Vec3 x = start - center;
            const double q = a * x.x * x.x + b * x.x * x.y + c * x.y * x.y;
            const Vec3 across{-(b * x.x + 2 * c * x.y), 2 * a * x.x + b * x.y, 0};
            const double qa = a * across.x * across.x + b * across.x * across.y + c * across.y * across.y;
            if (!(q != 0 && q / qa > 0)) refuse(entry, "its ellipse has no points");
            Vec3 y = std::sqrt(q / qa) * across;
            if (cross(x, y).z < 0) y = -y;
            const Vec3 r = end - center;
            const double area = cross(x, y).z;
            double angle = same_atan2(cross(x, r).z / area, cross(r, y).z / area);
            if (angle <= 0) angle += 2 * std::numbers::pi;
            return nurbs_arc(center, x, y, 0, angle);
        }
        const auto normal_at = [&](Vec3 v) { return Vec3{2 * a * v.x + b * v.y + d, b * v.x + 2 * c * v.y + e, 0}; };
        const Vec3 n = normal_at(start), m = normal_at(end);
        const double turn = cross(n, m).z;
        if (!(std::fabs(turn) > 0)) refuse(entry, "the tangents at its ends are parallel");
        const double to_start = dot(n, start), to_end = dot(m, end);
        const Vec3 tip{(to_start * m.y - to_end * n.y) / turn, (n.x * to_end - m.x * to_start) / turn, z};
        // The point between the middle of the chord and the tip: (middle + w tip) / (1 + w).
        const Vec3 middle = 0.5 * (start + end), s = tip - middle;
        const auto value = [&](Vec3 v) {
            return a * v.x * v.x + b * v.x * v.y + c * v.y * v.y + d * v.x + e * v.y + p[5];
        };
        const double quadratic = a * s.x * s.x + b * s.x * s.y + c * s.y * s.y, linear = dot(normal_at(middle), s),
                     constant = value(middle);
        const double root = std::sqrt(std::fmax(0, linear * linear - 4 * quadratic * constant));
        for (const double divisor : {-linear - root, -linear + root}) {
            const double part = 2 * constant / divisor;
            if (part > 0 && part < 1) return nurbs_conic(start, tip, end, part / (1 - part));
        }
        refuse(entry, "its ends do not lie on one branch of it");
    }

    // Kind of rows, number of rows, then x y (of one z), x y z, or six numbers.
    Nurbs polyline(const DirectoryEntry& entry, const std::vector<double>& p) const {
        if (entry.form != 11 && entry.form != 12 && entry.form != 13 && entry.form != 63)
            refuse(entry, fmt::format("form {} is not a polyline", entry.form));
        const std::size_t count = size(entry, p[1]);
        const bool flat = p[0] == 1;
        const std::size_t step = flat ? 2 : p[0] == 2 ? 3 : 6, first = flat ? 3 : 2;
        wanted(entry, p, first + count * step);
        std::vector<Vec3> corners;
        for (std::size_t k = first; corners.size() < count; k += step)
            corners.push_back({p[k], p[k + 1], flat ? p[2] : p[k + 2]});
        if (corners.size() < 2) refuse(entry, "has no two points");
        return nurbs_polyline(std::move(corners));
    }

    Nurbs line(const DirectoryEntry& entry, const std::vector<double>& p) const {
        if (entry.form != 0) refuse(entry, "a line without end; only segments (form 0) are read");
        return nurbs_polyline({{p[0], p[1], p[2]}, {p[3], p[4], p[5]}});
    }

    struct Cursor {
        const std::vector<double>& values;
        std::size_t at;
        std::vector<double> take(std::size_t count) {
            const auto from = values.begin() + static_cast<std::ptrdiff_t>(at);
            at += count;
            return {from, from + static_cast<std::ptrdiff_t>(count)};
        }
        Vec3 point() {
            at += 3;
            return {values[at - 3], values[at - 2], values[at - 1]};
        }
    };

    Nurbs spline_curve(const DirectoryEntry& entry, const std::vector<double>& p) const {
        const std::size_t n = size(entry, p[0]) + 1, degree = size(entry, p[1]);
        wanted(entry, p, 6 + n + degree + 1 + n + 3 * n + 2);
        Cursor cursor{p, 6};
        std::vector<double> knots = cursor.take(n + degree + 1), weights = cursor.take(n);
        std::vector<Vec3> points;
        for (std::size_t k = 0; k < n; ++k) points.push_back(cursor.point());
        const Nurbs whole =
            nurbs_curve(static_cast<int>(degree), std::move(knots), std::move(points), std::move(weights));
        return nurbs_part(whole, p[cursor.at], p[cursor.at + 1]);
    }

    // In the file u runs fastest.
    Nurbs spline_surface(const DirectoryEntry& entry, const std::vector<double>& p) const {
        const std::size_t n = size(entry, p[0]) + 1, m = size(entry, p[1]) + 1, degree_u = size(entry, p[2]),
                          degree_v = size(entry, p[3]);
        wanted(entry, p, 9 + n + degree_u + 1 + m + degree_v + 1 + 4 * n * m + 4);
        Cursor cursor{p, 9};
        const SplineBasis u{static_cast<int>(degree_u), cursor.take(n + degree_u + 1)},
            v{static_cast<int>(degree_v), cursor.take(m + degree_v + 1)};
        const std::vector<double> given = cursor.take(n * m);
        std::vector<double> weights(n * m);
        std::vector<Vec3> points(n * m);
        for (std::size_t j = 0; j < m; ++j)
            for (std::size_t i = 0; i < n; ++i) {
                weights[i * m + j] = given[j * n + i];
                points[i * m + j] = cursor.point();
            }
        const Nurbs whole = nurbs_surface(u, v, std::move(points), std::move(weights));
        const std::vector<double> domain = cursor.take(4);
        return nurbs_part(whole, domain[0], domain[1], domain[2], domain[3]);
    }

    std::string path_;
    std::map<char, std::vector<Line>> sections_;
    std::map<int, DirectoryEntry> directory_;
    char separator_ = ',', end_ = ';';
};

}  // namespace

bool is_iges(const std::string& text) {
    const std::size_t end = text.find('\n');
    return end != std::string::npos && end >= 73 && end <= 82 && text[72] == 'S' &&
           text.find_first_not_of(" 0123456789\r", 73) >= end;
}

std::vector<Nurbs> nurbs_of_iges(const std::string& text, const std::string& path) {
    return IgesFile(text, path).bodies();
}

}  // namespace scree
