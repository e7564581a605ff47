#include "io/point_cloud.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "scree/error.h"

namespace scree {
namespace {

struct Field {
    std::string_view text;
    std::size_t column;  // from 1
};

std::vector<Field> fields_of(std::string_view line) {
    constexpr std::string_view separators = " \t\r,;\v\f";
    line = line.substr(0, line.find('#'));
    std::vector<Field> fields;
    for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
        fields.push_back({line.substr(at, end - at), at + 1});
        at = line.find_first_not_of(separators, end);
    }
    return fields;
}

class Reader {
  public:
    explicit Reader(std::string path) : path_(std::move(path)) {}

    std::vector<Vec3> read(const std::string& text) {
        std::vector<std::pair<int, std::vector<Field>>> rows;
        bool obj = false;
        int number = 0;
        for (std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
             at < text.size();) {  // behind a byte order mark
            const std::size_t end = std::min(text.find('\n', at), text.size());
            std::vector<Field> fields = fields_of(std::string_view(text).substr(at, end - at));
            at = end + 1;
            ++number;
            if (fields.empty()) continue;
            obj |= fields.front().text == "v";
            rows.emplace_back(number, std::move(fields));
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
    [[noreturn]] void fail(int line, const Field& field, std::string_view why) const {
        // Of what is no text a message shows little.
        std::string shown;
        for (const char c : field.text.substr(0, 40)) shown += c >= ' ' && c < 127 ? c : '?';
        throw Error(ErrorKind::bad_input, fmt::format("{}:{}:{}: \"{}{}\": {}", path_, line, field.column, shown,
                                                      field.text.size() > 40 ? "..." : "", why));
    }

    static bool is_keyword(std::string_view text) {
        return std::isalpha(static_cast<unsigned char>(text.front())) != 0;
    }

    static bool is_header(const std::vector<Field>& fields) {
        return fields.size() >= 3 && fields[0].text == "x" && fields[1].text == "y" && fields[2].text == "z";
    }

    double number(int line, const Field& field) const {
        std::string_view text = field.text;
        if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc::invalid_argument || end != text.data() + text.size())
            fail(line, field, "is not a number");
        // Out of range is too large or too small; the latter is zero or nearly so.
        if (error == std::errc::result_out_of_range) value = std::strtod(std::string(text).c_str(), nullptr);
        if (!std::isfinite(value))
            fail(line, field, "is not finite; coordinates must be ordinary numbers below 1.8e308");
        return value;
    }

    Vec3 row(int line, const std::vector<Field>& fields) const {
        if (fields.size() != 3) {
            for (const Field& field : fields) number(line, field);
            fail(line, fields.back(), fmt::format("the row has {} numbers where 3 are needed: x y z", fields.size()));
        }
        return {number(line, fields[0]), number(line, fields[1]), number(line, fields[2])};
    }

    Vec3 vertex(int line, const std::vector<Field>& fields) const {
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
