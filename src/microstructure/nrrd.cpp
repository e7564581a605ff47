// NRRD (teem) and MetaImage: a header of KEY: VALUE or KEY = VALUE lines, then the data, or the name of their file.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "image_formats.h"

namespace scree::micro {
namespace {

struct Field {
    std::string value;
    int line;
};
using Fields = std::map<std::string, Field>;

std::string trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return std::string(text);
}

std::string lower(std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return text;
}

const Field& required(const Fields& fields, const char* name, const Bytes& bytes) {
    const auto found = fields.find(name);
    if (found == fields.end())
        throw Error(ErrorKind::bad_input, fmt::format("{}: the header has no line \"{}\"", bytes.name, name));
    return found->second;
}

Scanner inside(const Field& field, const Bytes& bytes) { return Scanner(field.value, bytes.name, 0, field.line); }

std::size_t whole_size(const Image& image, Element element) {
    std::size_t bytes = bytes_of_element(element);
    for (const std::size_t n : image.size) bytes *= n;
    return bytes;
}

void read_sizes(Image& image, Scanner scanner) {
    for (int k = 0; k < image.dimension; ++k)
        image.size[static_cast<std::size_t>(k)] =
            static_cast<std::size_t>(scanner.integer("a number of voxels", 1, 1 << 20));
}

Element nrrd_element(const Field& field, const Bytes& bytes) {
    static const std::map<std::string, Element> names = {{"signed char", Element::i8},
                                                         {"int8", Element::i8},
                                                         {"int8_t", Element::i8},
                                                         {"uchar", Element::u8},
                                                         {"unsigned char", Element::u8},
                                                         {"uint8", Element::u8},
                                                         {"uint8_t", Element::u8},
                                                         {"short", Element::i16},
                                                         {"short int", Element::i16},
                                                         {"int16", Element::i16},
                                                         {"int16_t", Element::i16},
                                                         {"ushort", Element::u16},
                                                         {"unsigned short", Element::u16},
                                                         {"uint16", Element::u16},
                                                         {"uint16_t", Element::u16},
                                                         {"int", Element::i32},
                                                         {"signed int", Element::i32},
                                                         {"int32", Element::i32},
                                                         {"int32_t", Element::i32},
                                                         {"uint", Element::u32},
                                                         {"unsigned int", Element::u32},
                                                         {"uint32", Element::u32},
                                                         {"uint32_t", Element::u32},
                                                         {"longlong", Element::i64},
                                                         {"long long", Element::i64},
                                                         {"int64", Element::i64},
                                                         {"int64_t", Element::i64},
                                                         {"ulonglong", Element::u64},
                                                         {"unsigned long long", Element::u64},
                                                         {"uint64", Element::u64},
                                                         {"uint64_t", Element::u64},
                                                         {"float", Element::f32},
                                                         {"double", Element::f64}};
    const auto found = names.find(lower(field.value));
    if (found == names.end()) inside(field, bytes).refuse(fmt::format("the type \"{}\" is not known", field.value));
    return found->second;
}

// A vector "(a,b,c)" of a scanner of words; "none" leaves false.
bool read_vector(std::string_view word, int length, double* out, const Scanner& scanner) {
    if (word == "none") return false;
    std::string text(word);
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') scanner.refuse("a vector is written (x,y,z)");
    for (char& c : text)
        if (c == '(' || c == ')' || c == ',') c = ' ';
    Scanner numbers(text, "", 0, 0);
    for (int k = 0; k < length; ++k) {
        if (numbers.at_end()) scanner.refuse(fmt::format("a vector has {} coordinates in {} dimensions", k, length));
        try {
            out[k] = numbers.number("a number");
        } catch (const Error&) {
            scanner.refuse("a vector holds something that is no number");
        }
    }
    return true;
}

}  // namespace

Image parse_nrrd(const Bytes& bytes) {
    Image image;
    image.name = bytes.name;
    Scanner lines(bytes.text, bytes.name);
    if (lines.line().substr(0, 4) != "NRRD") lines.refuse("a NRRD file begins with NRRD");
    lines.skip_line();
    Fields fields;
    for (;;) {
        if (lines.at() == bytes.size()) break;
        const int number = lines.line_number();
        const std::string_view line = lines.line();
        if (line.empty()) {
            lines.skip_line();
            break;
        }
        const std::size_t colon = line.find(": ");
        if (line[0] != '#' && line.find(":=") == std::string_view::npos) {
            if (colon == std::string_view::npos)
                lines.refuse("a line of the header is FIELD: VALUE, a comment begins with #");
            fields[lower(std::string(line.substr(0, colon)))] = {trimmed(line.substr(colon + 2)), number};
        }
        lines.skip_line();
    }
    image.dimension = static_cast<int>(
        inside(required(fields, "dimension", bytes), bytes).integer("the dimension of an image", 2, 3));
    read_sizes(image, inside(required(fields, "sizes", bytes), bytes));
    const Element element = nrrd_element(required(fields, "type", bytes), bytes);

    if (const auto found = fields.find("spacings"); found != fields.end()) {
        Scanner scanner = inside(found->second, bytes);
        for (int k = 0; k < image.dimension; ++k) {
            const std::string_view word = scanner.peek();
            if (word == "NaN" || word == "nan")
                scanner.word();
            else
                image.spacing[k] = std::fabs(scanner.number("a spacing"));
        }
    }
    if (const auto found = fields.find("space directions"); found != fields.end()) {
        Scanner scanner = inside(found->second, bytes);
        for (int k = 0; k < image.dimension; ++k) {
            double direction[3] = {0, 0, 0};
            if (!read_vector(scanner.word(), image.dimension, direction, scanner)) continue;
            for (int other = 0; other < image.dimension; ++other)
                if (other != k && direction[other] != 0)
                    scanner.refuse("only images whose axes are those of space can be read; turn the image first");
            image.spacing[k] = direction[k];
        }
    }
    if (const auto found = fields.find("space origin"); found != fields.end()) {
        // NRRD says where the center of the first voxel is.
        double center[3] = {0, 0, 0};
        Scanner scanner = inside(found->second, bytes);
        if (read_vector(scanner.word(), image.dimension, center, scanner))
            for (int k = 0; k < image.dimension; ++k) image.origin[k] = center[k] - image.spacing[k] / 2;
    }

    bool big = std::endian::native == std::endian::big;
    if (const auto found = fields.find("endian"); found != fields.end())
        big = lower(found->second.value) == "big";
    else if (bytes_of_element(element) > 1 && lower(required(fields, "encoding", bytes).value) != "ascii")
        required(fields, "endian", bytes);
    const Field& encoding = required(fields, "encoding", bytes);
    const std::string way = lower(encoding.value);
    Bytes data = bytes;
    data.text = bytes.text.substr(std::min(lines.at(), bytes.size()));
    auto detached = fields.find("data file");
    if (detached == fields.end()) detached = fields.find("datafile");
    if (detached != fields.end()) {
        if (detached->second.value.rfind("LIST", 0) == 0 || detached->second.value.find('%') != std::string::npos)
            inside(detached->second, bytes).refuse("data in several files cannot be read; join them first");
        data = map_beside(bytes.name, detached->second.value);
    }
    if (const auto found = fields.find("byte skip"); found != fields.end()) {
        const auto skip = inside(found->second, bytes).integer("a number of bytes", -1, std::int64_t{1} << 50);
        const std::size_t all = whole_size(image, element);
        if (skip >= 0 && static_cast<std::size_t>(skip) <= data.size())
            data.text.remove_prefix(static_cast<std::size_t>(skip));
        else if (skip == -1 && way == "raw" && all <= data.size())
            data.text.remove_prefix(data.size() - all);
        else
            inside(found->second, bytes).refuse("the data are shorter than what is to be skipped");
    }
    if (way == "raw") {
        place_data(image, data, 0, element, big);
    } else if (way == "gzip" || way == "gz") {
        place_data(image, inflated(data, whole_size(image, element), bytes.name), 0, element, big);
    } else if (way == "ascii" || way == "text" || way == "txt") {
        Scanner scanner(data.text, data.name, 0, detached == fields.end() ? lines.line_number() : 1);
        image = labels_in_text(image, scanner);
    } else {
        inside(encoding, bytes)
            .refuse(fmt::format("the encoding \"{}\" cannot be read; raw, gzip and ascii can", encoding.value));
    }
    return image;
}

Image parse_mhd(const Bytes& bytes) {
    Image image;
    image.name = bytes.name;
    static const std::map<std::string, Element> names = {
        {"MET_CHAR", Element::i8},       {"MET_UCHAR", Element::u8},       {"MET_SHORT", Element::i16},
        {"MET_USHORT", Element::u16},    {"MET_INT", Element::i32},        {"MET_UINT", Element::u32},
        {"MET_LONG_LONG", Element::i64}, {"MET_ULONG_LONG", Element::u64}, {"MET_FLOAT", Element::f32},
        {"MET_DOUBLE", Element::f64}};
    Scanner lines(bytes.text, bytes.name);
    Fields fields;
    while (lines.at() < bytes.size()) {
        const int number = lines.line_number();
        const std::string_view line = lines.line();
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos && !trimmed(line).empty())
            lines.refuse("a line of a MetaImage header is NAME = VALUE");
        lines.skip_line();
        if (equals == std::string_view::npos) continue;
        const std::string name = trimmed(line.substr(0, equals));
        fields[name] = {trimmed(line.substr(equals + 1)), number};
        if (name == "ElementDataFile") break;  // always the last
    }
    const auto yes = [&](const char* name) {
        const auto found = fields.find(name);
        return found != fields.end() && lower(found->second.value) == "true";
    };
    image.dimension =
        static_cast<int>(inside(required(fields, "NDims", bytes), bytes).integer("the dimension of an image", 2, 3));
    read_sizes(image, inside(required(fields, "DimSize", bytes), bytes));
    const Field& type = required(fields, "ElementType", bytes);
    if (names.count(type.value) == 0)
        inside(type, bytes).refuse(fmt::format("the type \"{}\" is not known", type.value));
    const Element element = names.at(type.value);
    if (const auto found = fields.find("ElementNumberOfChannels"); found != fields.end() && found->second.value != "1")
        inside(found->second, bytes).refuse("an image of labels has one channel");
    for (const char* name : {"ElementSize", "ElementSpacing"})
        if (const auto found = fields.find(name); found != fields.end()) {
            Scanner scanner = inside(found->second, bytes);
            for (int k = 0; k < image.dimension; ++k) image.spacing[k] = scanner.number("a spacing");
        }
    for (const char* name : {"TransformMatrix", "Rotation", "Orientation"})
        if (const auto found = fields.find(name); found != fields.end()) {
            Scanner scanner = inside(found->second, bytes);
            for (int k = 0; k < image.dimension * image.dimension; ++k)
                if (scanner.number("an entry of the matrix") != (k % (image.dimension + 1) == 0 ? 1 : 0))
                    scanner.refuse("only images whose axes are those of space can be read; turn the image first");
        }
    for (const char* name : {"Offset", "Origin", "Position"})
        if (const auto found = fields.find(name); found != fields.end()) {
            Scanner scanner = inside(found->second, bytes);  // of the center of the first voxel
            for (int k = 0; k < image.dimension; ++k)
                image.origin[k] = scanner.number("a coordinate") - image.spacing[k] / 2;
        }
    const bool big = yes("BinaryDataByteOrderMSB") || yes("ElementByteOrderMSB");
    const Field& file = required(fields, "ElementDataFile", bytes);
    Bytes data = bytes;
    if (file.value == "LOCAL" || file.value == "Local" || file.value == "local")
        data.text = bytes.text.substr(std::min(lines.at(), bytes.size()));
    else if (file.value == "LIST" || file.value.find('%') != std::string::npos)
        inside(file, bytes).refuse("data in several files cannot be read; join them first");
    else
        data = map_beside(bytes.name, file.value);
    if (const auto found = fields.find("HeaderSize"); found != fields.end()) {
        const auto skip = inside(found->second, bytes).integer("a number of bytes", -1, std::int64_t{1} << 50);
        const std::size_t bytes_before = skip >= 0 ? static_cast<std::size_t>(skip)
                                                   : data.size() - std::min(data.size(), whole_size(image, element));
        data.text.remove_prefix(std::min(bytes_before, data.size()));
    }
    if (yes("CompressedData")) data = inflated(data, whole_size(image, element), bytes.name);
    place_data(image, data, 0, element, big);
    return image;
}

}  // namespace scree::micro
