#include "io/point_cloud.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <string_view>

#include "core/located.h"
#include "core/text_input.h"
#include "scree/error.h"

namespace scree {
namespace {

// Numbers are separated by blanks, commas or semicolons in any mixture; what follows a # is a comment.
std::vector<TextField> numbers_of(std::string_view line) {
    constexpr std::string_view separators = " \t\r,;\v\f";
    line = line.substr(0, line.find('#'));
    std::vector<TextField> fields;
    for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
        fields.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
        at = line.find_first_not_of(separators, end);
    }
    return fields;
}

class Reader {
  public:
    explicit Reader(std::string path) : path_(std::move(path)) {}

    std::vector<Vec3> read(const std::string& text) {
        std::vector<std::pair<int, std::vector<TextField>>> rows;
        bool obj = false;
        for (TextLines lines(text); lines.next();) {
            std::vector<TextField> fields = numbers_of(lines.line());
            if (fields.empty()) continue;
            obj |= fields.front().text == "v";
            rows.emplace_back(lines.number(), std::move(fields));
        }
        bool first = true;
        for (auto& [line, fields] : rows) {
            if (obj) {
                if (fields.front().text == "v")
                    points_.push_back(vertex(line, fields));
                else if (!is_keyword(fields.front().text))
                    fail(line, fields.front(), "an OBJ line starts with a keyword such as v, vn, f or o");
            } else if (!(first && is_header(fields))) {
                points_.push_back(row(line, fields));
            }
            first = false;
        }
        if (points_.empty())
            throw Error(ErrorKind::bad_input,
                        fmt::format("{}: holds no points; give OBJ vertices (v x y z) or rows x y z", path_));
        return std::move(points_);
    }

  private:
    [[noreturn]] void fail(int line, const TextField& field, std::string_view why) const {
        refuse_at(path_, line, field.column, fmt::format("\"{}\": {}", shown(field.text), why));
    }

    static bool is_keyword(std::string_view text) {
        return std::isalpha(static_cast<unsigned char>(text.front())) != 0;
    }

    static bool is_header(const std::vector<TextField>& fields) {
        return fields.size() >= 3 && fields[0].text == "x" && fields[1].text == "y" && fields[2].text == "z";
    }

    double number(int line, const TextField& field) const {
        double value = 0;
        if (!read_number(field.text, value)) fail(line, field, "is not a number");
        if (!std::isfinite(value))
            fail(line, field, "is not finite; coordinates must be ordinary numbers below 1.8e308");
        return value;
    }

    Vec3 row(int line, const std::vector<TextField>& fields) const {
        if (fields.size() != 3) {
            for (const TextField& field : fields) number(line, field);
            fail(line, fields.back(), fmt::format("the row has {} numbers where 3 are needed: x y z", fields.size()));
        }
        return {number(line, fields[0]), number(line, fields[1]), number(line, fields[2])};
    }

    Vec3 vertex(int line, const std::vector<TextField>& fields) const {
        // After x y z an OBJ vertex may carry a weight, or a color of three numbers.
        if (fields.size() < 4 || fields.size() > 8)
            fail(line, fields.back(),
                 fmt::format("the vertex has {} numbers where at least 3 are needed: v x y z", fields.size() - 1));
        for (std::size_t k = 4; k < fields.size(); ++k) number(line, fields[k]);
        return {number(line, fields[1]), number(line, fields[2]), number(line, fields[3])};
    }

    std::string path_;
    std::vector<Vec3> points_;
};

}  // namespace

std::vector<Vec3> points_of_text(const std::string& text, const std::string& path) { return Reader(path).read(text); }

}  // namespace scree
