#include "io/vtk_reader.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "core/located.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr std::size_t longest_head = 16 << 20;

std::size_t width_of(const std::string& type) {
    if (type == "Float64" || type == "Int64" || type == "UInt64") return 8;
    if (type == "Float32" || type == "Int32" || type == "UInt32") return 4;
    if (type == "Int16" || type == "UInt16") return 2;
    if (type == "Int8" || type == "UInt8") return 1;
    return 0;
}

// The value of an attribute within one tag, without its quotes.
std::optional<std::string_view> attribute(std::string_view tag, std::string_view name) {
    const std::string key = fmt::format(" {}=\"", name);
    const std::size_t at = tag.find(key);
    if (at == std::string_view::npos) return {};
    const std::size_t begin = at + key.size(), end = tag.find('"', begin);
    if (end == std::string_view::npos) return {};
    return tag.substr(begin, end - begin);
}

template <class Number>
std::optional<Number> number(std::optional<std::string_view> text) {
    if (!text) return {};
    Number value{};
    const std::string_view t = text->substr(std::min(text->size(), text->find_first_not_of(" \n\t")));
    if (std::from_chars(t.data(), t.data() + t.size(), value).ec != std::errc{}) return {};
    return value;
}

// Strings are spelled as the codes of their bytes, each ended by a zero.
std::vector<std::string> spelled(std::string_view text) {
    std::vector<std::string> out;
    std::string word;
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        unsigned code = 0;
        const auto [next, error] = std::from_chars(at, end, code);
        if (error != std::errc{}) {
            ++at;
            continue;
        }
        at = next;
        if (code == 0)
            out.push_back(std::exchange(word, {}));
        else
            word += static_cast<char>(static_cast<unsigned char>(code));
    }
    return out;
}

template <class To, class From>
To nearest_value(From value) {
    if constexpr (std::is_floating_point_v<To>) {
        return static_cast<To>(value);
    } else if constexpr (std::is_floating_point_v<From>) {
        if (std::isnan(value)) return 0;
        if (value <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
        if (value >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
        return static_cast<To>(value);
    } else {
        if (std::cmp_less(value, std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
        if (std::cmp_greater(value, std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
        return static_cast<To>(value);
    }
}

template <class From, class To>
void convert(const std::vector<char>& bytes, std::vector<To>& out) {
    for (std::size_t k = 0; k < out.size(); ++k) {
        From value;
        std::memcpy(&value, bytes.data() + k * sizeof value, sizeof value);
        out[k] = nearest_value<To>(value);
    }
}

}  // namespace

VtkFile::VtkFile(FileHandle file, std::string name) : file_(std::move(file)), name_(std::move(name)) {
    struct stat about {};
    if (::fstat(file_.get(), &about) != 0) throw_file_error("read", name_, errno);
    if (!S_ISREG(about.st_mode)) refuse("it is no regular file");
    size_ = static_cast<std::uint64_t>(about.st_size);
    constexpr std::string_view mark = "<AppendedData encoding=\"raw\">";
    std::string head;
    for (;;) {
        const std::size_t had = head.size();
        const std::size_t more = static_cast<std::size_t>(std::min<std::uint64_t>(1 << 14, size_ - had));
        if (more == 0 || had > longest_head) refuse("it is no VTK file with an appended raw block");
        head.resize(had + more);
        read_bytes(had, head.data() + had, more);
        const std::size_t found = head.find(mark, had > mark.size() ? had - mark.size() : 0);
        if (found == std::string::npos) continue;
        const std::size_t underscore = head.find('_', found + mark.size());
        if (underscore == std::string::npos) continue;
        parse_head(head.substr(0, found), underscore + 1);
        return;
    }
}

void VtkFile::refuse(const std::string& why) const {
    throw Error(ErrorKind::bad_input, fmt::format("{} cannot be used: {}", name_, why));
}

void VtkFile::read_bytes(std::uint64_t at, void* to, std::size_t bytes) const {
    for (char* out = static_cast<char*>(to); bytes > 0;) {
        const ssize_t got = ::pread(file_.get(), out, bytes, static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw_file_error("read", name_, errno);
        if (got == 0) refuse("it is cut short");
        out += got;
        at += static_cast<std::uint64_t>(got);
        bytes -= static_cast<std::size_t>(got);
    }
}

void VtkFile::parse_head(const std::string& head, std::uint64_t block) {
    const std::string_view text = head;
    if (text.find("header_type=\"UInt64\"") == std::string_view::npos ||
        text.find("byte_order=\"LittleEndian\"") == std::string_view::npos)
        refuse("only little-endian files with 64-bit sizes are read");
    std::string section;
    for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
        const std::size_t end = text.find('>', at);
        if (end == std::string_view::npos) break;
        const std::string_view tag = text.substr(at, end - at);
        const auto is = [&](std::string_view name) { return tag.substr(1).starts_with(name); };
        for (const char* known : {"FieldData", "PointData", "CellData", "Points", "Verts", "Lines", "Polys"})
            if (tag.substr(1) == known) section = known;
        if (is("Piece ")) {
            points_ = number<std::size_t>(attribute(tag, "NumberOfPoints")).value_or(0);
            vertices_ = number<std::size_t>(attribute(tag, "NumberOfVerts")).value_or(0);
            lines_ = number<std::size_t>(attribute(tag, "NumberOfLines")).value_or(0);
            polygons_ = number<std::size_t>(attribute(tag, "NumberOfPolys")).value_or(0);
        }
        const bool strings = is("Array "), numbers = is("DataArray ");
        if (!strings && !numbers) continue;
        if (section == "FieldData")
            read_field(tag, text.substr(end + 1, text.find('<', end) - end - 1), strings);
        else
            add_array(tag, section, block);
    }
}

void VtkFile::read_field(std::string_view tag, std::string_view body, bool strings) {
    const std::string name(attribute(tag, "Name").value_or(""));
    if (strings)
        names_[name] = spelled(body);
    else if (name == "TimeValue")
        time_ = number<double>(body).value_or(0);
    else if (name == "step")
        step_ = number<std::int64_t>(body).value_or(0);
}

std::size_t VtkFile::cell_count(const std::string& section) const {
    return section == "Verts" ? vertices_ : section == "Lines" ? lines_ : polygons_;
}

void VtkFile::add_array(std::string_view tag, const std::string& section, std::uint64_t block) {
    const auto offset = number<std::uint64_t>(attribute(tag, "offset"));
    VtkArray array{section,
                   std::string(attribute(tag, "Name").value_or("")),
                   std::string(attribute(tag, "type").value_or("")),
                   number<int>(attribute(tag, "NumberOfComponents")).value_or(1),
                   0,
                   0};
    const std::size_t width = width_of(array.type);
    if (!offset || width == 0) return;
    if (array.components < 1 || array.components > 64)
        refuse(fmt::format("\"{}\" has {} components", shown(array.name), array.components));
    std::uint64_t bytes = 0;
    if (*offset > size_ || block + *offset + sizeof bytes > size_) refuse("it is cut short");
    read_bytes(block + *offset, &bytes, sizeof bytes);
    array.begin = block + *offset + sizeof bytes;
    if (bytes > size_ - array.begin) refuse("it is cut short");
    const std::uint64_t tuple = width * static_cast<std::size_t>(array.components);
    array.count = bytes / tuple;
    std::optional<std::size_t> expected;
    if (section == "PointData" || section == "Points") expected = points_;
    if (section == "CellData") expected = vertices_ + lines_ + polygons_;
    if (array.name == "offsets" && (section == "Verts" || section == "Lines" || section == "Polys"))
        expected = cell_count(section);
    if (bytes % tuple != 0 || (expected && array.count != *expected))
        refuse(fmt::format("\"{}\" has {} bytes where {} values of {} bytes are wanted", shown(array.name), bytes,
                           expected.value_or(array.count), tuple));
    arrays_.push_back(std::move(array));
}

const VtkArray* VtkFile::find(const std::string& section, const std::string& name) const {
    for (const VtkArray& array : arrays_)
        if (array.section == section && array.name == name) return &array;
    return nullptr;
}

template <class T>
std::vector<T> VtkFile::read(const VtkArray& array) const {
    std::vector<T> out(array.count * static_cast<std::size_t>(array.components));
    std::vector<char> bytes(out.size() * width_of(array.type));
    read_bytes(array.begin, bytes.data(), bytes.size());
    if (array.type == "Float64")
        convert<double>(bytes, out);
    else if (array.type == "Float32")
        convert<float>(bytes, out);
    else if (array.type == "Int64")
        convert<std::int64_t>(bytes, out);
    else if (array.type == "UInt64")
        convert<std::uint64_t>(bytes, out);
    else if (array.type == "Int32")
        convert<std::int32_t>(bytes, out);
    else if (array.type == "UInt32")
        convert<std::uint32_t>(bytes, out);
    else if (array.type == "Int16")
        convert<std::int16_t>(bytes, out);
    else if (array.type == "UInt16")
        convert<std::uint16_t>(bytes, out);
    else if (array.type == "Int8")
        convert<std::int8_t>(bytes, out);
    else
        convert<std::uint8_t>(bytes, out);
    return out;
}

template <class T>
std::vector<T> VtkFile::numbers(const std::string& section, const std::string& name, int components) const {
    const VtkArray* array = find(section, name);
    if (!array) refuse(fmt::format("it has no {} in {}", name, section));
    if (array->components != components)
        refuse(fmt::format("its {} has {} components in place of {}", name, array->components, components));
    return read<T>(*array);
}

std::vector<Vec3> VtkFile::vectors(const std::string& section, const std::string& name) const {
    const std::vector<double> all = numbers<double>(section, name, 3);
    std::vector<Vec3> out;
    out.reserve(all.size() / 3);
    for (std::size_t k = 0; k < all.size(); k += 3) out.push_back({all[k], all[k + 1], all[k + 2]});
    return out;
}

VtkCells VtkFile::cells(const std::string& section) const {
    VtkCells cells;
    if (!find(section, "connectivity") || !find(section, "offsets")) {
        if (cell_count(section) > 0) refuse(fmt::format("its {} have no corners", section));
        return cells;
    }
    cells.corners = numbers<std::int64_t>(section, "connectivity");
    cells.ends = numbers<std::int64_t>(section, "offsets");
    std::int64_t before = 0;
    for (const std::int64_t end : cells.ends) {
        if (end < before || std::cmp_greater(end, cells.corners.size())) refuse("its cells are not in order");
        before = end;
    }
    for (const std::int64_t corner : cells.corners)
        if (corner < 0 || std::cmp_greater_equal(corner, points_)) refuse("a cell has a corner that is no point");
    return cells;
}

std::vector<std::string> VtkFile::names(const std::string& list) const {
    const auto found = names_.find(list);
    if (found == names_.end()) refuse(fmt::format("it has no {}", list));
    return found->second;
}

template std::vector<float> VtkFile::read<float>(const VtkArray&) const;
template std::vector<double> VtkFile::read<double>(const VtkArray&) const;
template std::vector<std::int64_t> VtkFile::read<std::int64_t>(const VtkArray&) const;
template std::vector<double> VtkFile::numbers<double>(const std::string&, const std::string&, int) const;
template std::vector<std::int64_t> VtkFile::numbers<std::int64_t>(const std::string&, const std::string&, int) const;

}  // namespace scree
