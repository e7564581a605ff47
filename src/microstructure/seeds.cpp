#include "seeds.h"

#include <fmt/format.h>

#include <set>

#include "core/csv.h"
#include "image_formats.h"

namespace scree::micro {

std::string seeds_as_csv(const Seeds& seeds) {
    const bool space = seeds.dimension == 3;
    fmt::memory_buffer text;
    const Vec3 a = seeds.low, b = seeds.high;
    if (space)
        fmt::format_to(std::back_inserter(text), "# box {} {} {} {} {} {}\n", a.x, a.y, a.z, b.x, b.y, b.z);
    else
        fmt::format_to(std::back_inserter(text), "# box {} {} {} {}\n", a.x, a.y, b.x, b.y);
    std::string axes;
    for (int k = 0; k < seeds.dimension; ++k)
        if (seeds.periodic[static_cast<std::size_t>(k)]) axes += "xyz"[k];
    if (!axes.empty()) fmt::format_to(std::back_inserter(text), "# periodic {}\n", axes);
    fmt::format_to(std::back_inserter(text), "{}\n", space ? "x,y,z,weight,label" : "x,y,weight,label");
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        fmt::format_to(std::back_inserter(text), "{},{},", seeds.center[i].x, seeds.center[i].y);
        if (space) fmt::format_to(std::back_inserter(text), "{},", seeds.center[i].z);
        fmt::format_to(std::back_inserter(text), "{},{}\n", seeds.weight[i], seeds.label[i]);
    }
    return fmt::to_string(text);
}

Seeds parse_seeds(std::string_view text, const std::string& name) {
    Seeds seeds;
    const CsvTable table = parse_csv(std::string(text), name);
    const int x = table.column("x"), y = table.column("y"), z = table.column("z"), w = table.column("weight"),
              l = table.column("label");
    if (x < 0 || y < 0 || w < 0)
        throw Error(
            ErrorKind::bad_input,
            fmt::format("{}:{}: seeds have the columns x, y, z (in space), weight and label", name, table.header_line));
    seeds.dimension = z < 0 ? 2 : 3;
    bool have_box = false;
    Scanner lines(text, name);
    while (lines.at() < text.size()) {
        const std::string_view line = lines.line();
        Scanner words(line, name, 0, lines.line_number());
        if (words.word() == "#") {
            const std::string_view key = words.word();
            if (key == "box") {
                for (int k = 0; k < seeds.dimension; ++k) seeds.low[k] = words.number("a border of the box");
                for (int k = 0; k < seeds.dimension; ++k) {
                    seeds.high[k] = words.number("a border of the box");
                    if (!(seeds.high[k] > seeds.low[k]))
                        words.refuse(fmt::format("the box ends before it begins along {}", "xyz"[k]));
                }
                have_box = true;
            } else if (key == "periodic") {
                for (const char axis : words.word()) {
                    const int k = axis - 'x';
                    if (k < 0 || k >= seeds.dimension) words.refuse("periodic axes are named by the letters x, y, z");
                    seeds.periodic[static_cast<std::size_t>(k)] = true;
                }
            }
        }
        lines.skip_line();
    }
    if (!have_box)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: there is no line \"# box\" with the low and the high corner", name));
    std::set<Label> labels;
    for (std::size_t r = 0; r < table.fields.size(); ++r) {
        seeds.center.push_back({table.number(r, x), table.number(r, y), z < 0 ? 0 : table.number(r, z)});
        seeds.weight.push_back(table.number(r, w));
        const double label = l < 0 ? static_cast<double>(r + 1) : table.number(r, l);
        if (label != static_cast<Label>(label)) table.refuse(r, l, "a label is a whole number below 2^31");
        if (!labels.insert(static_cast<Label>(label)).second) table.refuse(r, l, "this label was given before");
        seeds.label.push_back(static_cast<Label>(label));
    }
    if (seeds.size() == 0) throw Error(ErrorKind::bad_input, fmt::format("{}: there are no seeds", name));
    return seeds;
}

Seeds read_seeds(const std::string& path) {
    const Bytes bytes = map_file(path);
    return parse_seeds(bytes.text, path);
}

}  // namespace scree::micro
