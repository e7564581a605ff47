#include "view/vtp_reader.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "scree/error.h"

namespace scree::view {
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

template <class From, class To>
void convert(const std::vector<char>& bytes, std::vector<To>& out) {
    for (std::size_t k = 0; k < out.size(); ++k) {
        From value;
        std::memcpy(&value, bytes.data() + k * sizeof value, sizeof value);
        out[k] = static_cast<To>(value);
    }
}

}  // namespace

VtpFile::VtpFile(FileHandle file, std::string name) : file_(std::move(file)), name_(std::move(name)) {
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

void VtpFile::refuse(const std::string& why) const {
    throw Error(ErrorKind::bad_input, fmt::format("{} cannot be shown: {}", name_, why));
}

void VtpFile::read_bytes(std::uint64_t at, void* to, std::size_t bytes) const {
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

void VtpFile::parse_head(const std::string& head, std::uint64_t block) {
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
            lines_ = number<std::size_t>(attribute(tag, "NumberOfLines")).value_or(0);
            polygons_ = number<std::size_t>(attribute(tag, "NumberOfPolys")).value_or(0);
        }
        const bool strings = is("Array "), numbers = is("DataArray ");
        if (!strings && !numbers) continue;
        const std::string array_name(attribute(tag, "Name").value_or(""));
        if (section == "FieldData") {
            const std::string_view body = text.substr(end + 1, text.find('<', end) - end - 1);
            if (strings)
                names_[array_name] = spelled(body);
            else if (array_name == "TimeValue")
                time_ = number<double>(body).value_or(0);
            else if (array_name == "step")
                step_ = number<std::int64_t>(body).value_or(0);
            continue;
        }
        const auto offset = number<std::uint64_t>(attribute(tag, "offset"));
        VtpArray array{section,
                       array_name,
                       std::string(attribute(tag, "type").value_or("")),
                       number<int>(attribute(tag, "NumberOfComponents")).value_or(1),
                       0,
                       0};
        const std::size_t width = width_of(array.type);
        if (!offset || width == 0) continue;
        if (array.components < 1 || array.components > 64)
            refuse(fmt::format("\"{}\" has {} components", array_name, array.components));
        std::uint64_t bytes = 0;
        if (*offset > size_ || block + *offset + sizeof bytes > size_) refuse("it is cut short");
        read_bytes(block + *offset, &bytes, sizeof bytes);
        array.begin = block + *offset + sizeof bytes;
        if (bytes > size_ - array.begin) refuse("it is cut short");
        array.count = bytes / (width * static_cast<std::size_t>(array.components));
        const bool whole = section == "PointData" || section == "Points";
        if (whole && array.count != points_)
            refuse(fmt::format("\"{}\" has {} values for {} points", array_name, array.count, points_));
        arrays_.push_back(std::move(array));
    }
}

const VtpArray* VtpFile::find(const std::string& section, const std::string& name) const {
    for (const VtpArray& array : arrays_)
        if (array.section == section && array.name == name) return &array;
    return nullptr;
}

template <class T>
std::vector<T> VtpFile::read(const VtpArray& array) const {
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

template std::vector<float> VtpFile::read<float>(const VtpArray&) const;
template std::vector<double> VtpFile::read<double>(const VtpArray&) const;
template std::vector<std::int64_t> VtpFile::read<std::int64_t>(const VtpArray&) const;

}  // namespace scree::view
