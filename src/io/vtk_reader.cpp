#include "io/vtk_reader.h"

#include <fmt/format.h>

#include <cstring>
#include <sstream>
#include <utility>

#include "io/files.h"
#include "scree/error.h"

namespace scree {
namespace {

// The value of an attribute in the text of a tag, or nothing.
std::string attribute(std::string_view tag, const char* name) {
    const std::string start = fmt::format(" {}=\"", name);
    const std::size_t at = tag.find(start);
    if (at == std::string_view::npos) return "";
    const std::size_t begin = at + start.size();
    return std::string(tag.substr(begin, tag.find('"', begin) - begin));
}

template <class T>
void convert(const char* from, std::size_t bytes, std::vector<double>& out) {
    for (std::size_t k = 0; k + sizeof(T) <= bytes; k += sizeof(T)) {
        T value;
        std::memcpy(&value, from + k, sizeof value);
        out.push_back(static_cast<double>(value));
    }
}

}  // namespace

void VtkFile::refuse(const std::string& why) const {
    throw Error(ErrorKind::file, fmt::format("{} cannot be used: {}", path_.string(), why));
}

VtkFile::VtkFile(const std::filesystem::path& path) : path_(path), bytes_(read_text_file(path)) {
    const std::string mark = "<AppendedData encoding=\"raw\">\n_";
    const std::size_t end = bytes_.find(mark);
    if (end == std::string::npos || bytes_.find("type=\"PolyData\"") > end) refuse("it is not a frame of scree");
    appended_ = end + mark.size();
    std::string section;
    for (std::size_t at = bytes_.find('<'); at < end; at = bytes_.find('<', at + 1)) {
        const std::string_view tag(bytes_.data() + at, bytes_.find('>', at) - at);
        if (tag.starts_with("<DataArray") || tag.starts_with("<Array")) {
            Array array{attribute(tag, "type"), 0, ""};
            if (attribute(tag, "format") == "appended")
                array.offset = std::stoull("0" + attribute(tag, "offset"));
            else
                array.text = bytes_.substr(at + tag.size() + 1, bytes_.find('<', at + 1) - at - tag.size() - 1);
            arrays_[section + "/" + attribute(tag, "Name")] = std::move(array);
        } else if (tag.size() > 1 && tag[1] != '/' && tag[1] != '?') {
            section = std::string(tag.substr(1, tag.find(' ') - 1));
        }
    }
}

const VtkFile::Array& VtkFile::find(const std::string& section, const std::string& name) const {
    const auto found = arrays_.find(section + "/" + name);
    if (found == arrays_.end()) refuse(fmt::format("it has no {} in {}", name, section));
    return found->second;
}

std::vector<double> VtkFile::numbers(const std::string& section, const std::string& name) const {
    const Array& array = find(section, name);
    std::uint64_t bytes = 0;
    const std::size_t head = appended_ + array.offset;
    if (head + sizeof bytes > bytes_.size()) refuse("it is cut off");
    std::memcpy(&bytes, bytes_.data() + head, sizeof bytes);
    if (bytes > bytes_.size() - head - sizeof bytes) refuse("it is cut off");
    const char* from = bytes_.data() + head + sizeof bytes;
    std::vector<double> out;
    if (array.type == "Float64")
        convert<double>(from, bytes, out);
    else if (array.type == "Float32")
        convert<float>(from, bytes, out);
    else if (array.type == "Int16")
        convert<std::int16_t>(from, bytes, out);
    else if (array.type == "Int32")
        convert<std::int32_t>(from, bytes, out);
    else if (array.type == "UInt8")
        convert<std::uint8_t>(from, bytes, out);
    else if (array.type == "UInt16")
        convert<std::uint16_t>(from, bytes, out);
    else if (array.type == "UInt32")
        convert<std::uint32_t>(from, bytes, out);
    else
        refuse(fmt::format("its array {} is of the unknown type {}", name, array.type));
    return out;
}

double VtkFile::field(const std::string& name) const {
    std::istringstream text(find("FieldData", name).text);
    double value = 0;
    if (!(text >> value)) refuse(fmt::format("its {} is not a number", name));
    return value;
}

std::vector<std::string> VtkFile::names(const std::string& name) const {
    std::istringstream text(find("FieldData", name).text);
    std::vector<std::string> out;
    std::string word;
    for (int code = 0; text >> code;) {
        if (code != 0)
            word += static_cast<char>(code);
        else
            out.push_back(std::exchange(word, {}));
    }
    return out;
}

}  // namespace scree
