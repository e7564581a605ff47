// Raster tessellations of Neper (.tesr), formats 2.0 to 2.2: sections begin with **, parts of them with *. Label 0 is
// void. In format 2.0 the encoding stands beside the version, later in the section of the data.
#include <fmt/format.h>

#include <filesystem>

#include "image_formats.h"

namespace scree::micro {
namespace {

struct Encoding {
    std::string_view name;
    Element element;
    bool big = false;
};
constexpr Encoding encodings[] = {{"ascii", Element::i32},
                                  {"binary8", Element::u8},
                                  {"binary16", Element::i16},
                                  {"binary32", Element::i32},
                                  {"binary16_big", Element::i16, true},
                                  {"binary32_big", Element::i32, true}};

const Encoding* encoding_named(std::string_view name) {
    for (const Encoding& encoding : encodings)
        if (encoding.name == name) return &encoding;
    return nullptr;
}

}  // namespace

Image parse_tesr(const Bytes& bytes) {
    Image image;
    image.name = bytes.name;
    Scanner scanner(bytes.text, bytes.name);
    if (scanner.word() != "***tesr") scanner.refuse("a raster tessellation begins with ***tesr");
    const Encoding* encoding = nullptr;
    bool sized = false;
    for (;;) {
        const std::string_view section = scanner.word();
        if (section.empty() || section == "***end") scanner.refuse("there is no section **data");
        if (section == "**format") {
            scanner.number("the version of the format");
            if (const Encoding* named = encoding_named(scanner.peek())) {
                encoding = named;
                scanner.word();
            }
        } else if (section == "**general") {
            image.dimension = static_cast<int>(scanner.integer("the dimension", 2, 3));
            for (int k = 0; k < image.dimension; ++k)
                image.size[static_cast<std::size_t>(k)] =
                    static_cast<std::size_t>(scanner.integer("a number of voxels", 1, 1 << 20));
            for (int k = 0; k < image.dimension; ++k) image.spacing[k] = scanner.number("the size of a voxel");
            if (image.dimension == 2) image.spacing.z = 1;
            sized = true;
        } else if (section == "*origin") {
            for (int k = 0; k < image.dimension; ++k) image.origin[k] = scanner.number("a coordinate of the origin");
        } else if (section == "**data") {
            break;
        }
    }
    if (!sized) scanner.refuse("the section **general with the sizes must come before **data");
    if (!encoding) {
        encoding = encoding_named(scanner.word());
        if (!encoding)
            scanner.refuse(
                "the section **data must begin with ascii, binary8, binary16, binary32, binary16_big or binary32_big");
    }
    if (Scanner ahead = scanner; ahead.word() == "*file") {
        scanner = ahead;
        const Bytes data = map_beside(bytes.name, std::string(scanner.word()));
        if (encoding->name == "ascii") {
            Scanner labels(data.text, data.name);
            return labels_in_text(image, labels);
        }
        place_data(image, data, 0, encoding->element, encoding->big);
        return image;
    }
    if (encoding->name == "ascii") return labels_in_text(image, scanner);
    scanner.skip_line();
    place_data(image, bytes, scanner.at(), encoding->element, encoding->big);
    return image;
}

}  // namespace scree::micro
