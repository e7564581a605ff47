// Arrays of NumPy (.npy). The last index runs along x, as in most programs that show images: shape (ny, nx) or (nz, ny,
// nx).
#include <fmt/format.h>

#include <cstring>
#include <map>

#include "core/located.h"
#include "image_formats.h"

namespace scree::micro {
namespace {

// The text of a value in the header, a literal of a Python dictionary.
std::string value_of(std::string_view header, const char* key, const Bytes& bytes) {
    const std::size_t found = header.find(fmt::format("'{}'", key));
    if (found == std::string_view::npos)
        throw Error(ErrorKind::bad_input, fmt::format("{}: the header of the array has no '{}'", bytes.name, key));
    std::size_t begin = header.find(':', found);
    if (begin == std::string_view::npos)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: the header of the array has no value of '{}'", bytes.name, key));
    begin = std::min(header.find_first_not_of(' ', begin + 1), header.size());
    const char last = begin < header.size() && header[begin] == '(' ? ')' : ',';
    const std::size_t end = std::min(header.find(last, begin), header.size());
    return std::string(header.substr(begin, end - begin));
}

}  // namespace

Image parse_npy(const Bytes& bytes) {
    Image image;
    image.name = bytes.name;
    const auto refuse = [&](const std::string& message) {
        throw Error(ErrorKind::bad_input, bytes.name + ": " + message);
    };
    if (bytes.size() < 12 || bytes.text.substr(0, 6) != "\x93NUMPY")
        refuse("an array of NumPy begins with the bytes 93 NUMPY");
    const bool longer = bytes.text[6] >= 2;
    std::size_t length = 0;
    for (int k = longer ? 3 : 1; k >= 0; --k)
        length = length << 8 | static_cast<unsigned char>(bytes.text[8 + static_cast<std::size_t>(k)]);
    const std::size_t begin = longer ? 12 : 10;
    if (bytes.size() - begin < length) refuse("the file ends inside of its header");
    const std::string_view header = bytes.text.substr(begin, length);

    static const std::map<std::string, Element> names = {
        {"i1", Element::i8},  {"u1", Element::u8},  {"i2", Element::i16}, {"u2", Element::u16},
        {"i4", Element::i32}, {"u4", Element::u32}, {"i8", Element::i64}, {"u8", Element::u64},
        {"f4", Element::f32}, {"f8", Element::f64}, {"b1", Element::u8}};
    const std::string type = value_of(header, "descr", bytes);
    if (type.size() != 5 || names.count(type.substr(2, 2)) == 0 ||
        std::string_view("<>|=").find(type[1]) == std::string_view::npos)
        refuse(fmt::format("the type {} is not one of numbers", shown(type)));
    const Element element = names.at(type.substr(2, 2));
    const std::string order = value_of(header, "fortran_order", bytes);
    if (order != "True" && order != "False") refuse("fortran_order is neither True nor False");

    std::string shape = value_of(header, "shape", bytes);
    for (char& c : shape)
        if (c == '(' || c == ',' || c == 'L') c = ' ';
    Scanner scanner(shape, bytes.name);
    std::vector<std::size_t> sizes;
    while (!scanner.at_end())
        sizes.push_back(static_cast<std::size_t>(scanner.integer("a length of the array", 1, 1 << 20)));
    if (sizes.size() != 2 && sizes.size() != 3)
        refuse(fmt::format("the array has {} indices; an image has 2 or 3", sizes.size()));
    image.dimension = static_cast<int>(sizes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) image.size[k] = sizes[sizes.size() - 1 - k];
    place_data(image, bytes, begin + length, element, type[1] == '>');
    if (order == "True") {
        image.stride = {1, 1, 1};
        for (std::size_t k = sizes.size() - 1; k-- > 0;) image.stride[k] = image.stride[k + 1] * image.size[k + 1];
    }
    return image;
}

}  // namespace scree::micro
