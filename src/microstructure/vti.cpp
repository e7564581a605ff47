// Images of VTK (.vti): the first array of whole numbers, or the one named by Scalars, of the first piece; cells or
// points, in text, base64 or raw, packed by zlib or not. Points are taken for voxels around them.
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <map>

#include "core/located.h"
#include "image_formats.h"

namespace scree::micro {
namespace {

using Attributes = std::map<std::string, std::string>;

struct Tag {
    std::string name;  // "/x" when it closes
    Attributes attributes;
    std::size_t end = 0;  // after '>'
    int line = 1;
};

class Tags {
  public:
    explicit Tags(const Bytes& bytes) : bytes_(bytes) {}

    // False at the end of the file. Comments and declarations are passed over.
    bool next(Tag& tag) {
        const std::string_view text = bytes_.text;
        for (;;) {
            std::size_t begin = text.find('<', at_);
            if (begin == std::string_view::npos) return false;
            for (std::size_t k = at_; k < begin; ++k) line_ += text[k] == '\n';
            at_ = begin;
            if (text.substr(begin, 4) == "<!--") {
                const std::size_t end = text.find("-->", begin);
                if (end == std::string_view::npos) return false;
                at_ = end + 3;
                continue;
            }
            tag = {};
            tag.line = line_;
            read(tag);
            if (tag.name.empty() || tag.name[0] == '?' || tag.name[0] == '!') continue;
            return true;
        }
    }

    [[noreturn]] void refuse(const Tag& tag, const std::string& message) const {
        refuse_at(bytes_.name, tag.line, 0, message);
    }

  private:
    void read(Tag& tag) {
        const std::string_view text = bytes_.text;
        std::size_t k = at_ + 1;
        const auto blank = [&](std::size_t p) {
            return text[p] == ' ' || text[p] == '\t' || text[p] == '\n' || text[p] == '\r';
        };
        while (k < text.size() && !blank(k) && text[k] != '>' && !(text[k] == '/' && k > at_ + 1))
            tag.name += text[k++];
        while (k < text.size() && text[k] != '>') {
            if (blank(k) || text[k] == '/' || text[k] == '?') {
                ++k;
                continue;
            }
            std::string name, value;
            while (k < text.size() && text[k] != '=' && !blank(k) && text[k] != '>') name += text[k++];
            if (k + 1 >= text.size() || text[k] != '=' || (text[k + 1] != '"' && text[k + 1] != '\''))
                refuse(tag, fmt::format("an attribute of <{}> is not written NAME=\"VALUE\"", tag.name.substr(0, 40)));
            const char quote = text[k + 1];
            for (k += 2; k < text.size() && text[k] != quote; ++k) value += text[k];
            ++k;
            tag.attributes[name] = value;
        }
        if (k >= text.size()) refuse(tag, "the file ends inside of a tag");
        at_ = tag.end = k + 1;
    }

    const Bytes& bytes_;
    std::size_t at_ = 0;
    int line_ = 1;
};

struct Reader {
    const Bytes& bytes;
    bool big = false, wide = false, packed = false;  // wide: block heads are of 64 bits

    std::string place(int line) const { return fmt::format("{}:{}", bytes.name, line); }
    std::size_t head() const { return wide ? 8 : 4; }
    std::size_t number(std::string_view text, std::size_t k, const std::string& where) const {
        if (text.size() < head() || (text.size() - head()) / head() < k)
            throw Error(ErrorKind::bad_input, where + ": the data end inside of their head");
        std::size_t value = 0;
        for (std::size_t b = 0; b < head(); ++b)
            value |= std::size_t{static_cast<unsigned char>(text[k * head() + (big ? head() - 1 - b : b)])} << (8 * b);
        return value;
    }
    // The bytes behind a head of sizes; `size` are expected.
    Bytes body(const Bytes& data, std::size_t size, const std::string& where) const {
        Bytes found = data;
        if (!packed) {
            const std::size_t count = number(data.text, 0, where);
            found.text.remove_prefix(head());
            if (count < size || found.size() < size)
                throw Error(ErrorKind::bad_input, fmt::format("{}: the array has {} bytes; {} are needed", where,
                                                              std::min(count, found.size()), size));
            return found;
        }
        const std::size_t blocks = number(data.text, 0, where), whole = number(data.text, 1, where),
                          last = number(data.text, 2, where);
        if (blocks > data.size() / head())
            throw Error(ErrorKind::bad_input, where + ": the head of the packed data does not fit to the image");
        std::string all;
        std::size_t at = (3 + blocks) * head();
        for (std::size_t k = 0; k < blocks; ++k) {
            const std::size_t length = number(data.text, 3 + k, where);
            if (at > data.size() || data.size() - at < length)
                throw Error(ErrorKind::bad_input, where + ": the packed data are cut off");
            Bytes block = data;
            block.text = data.text.substr(at, length);
            const std::size_t full = k + 1 == blocks && last > 0 ? last : whole;
            if (all.size() + full > size)
                throw Error(ErrorKind::bad_input, where + ": the packed data are longer than the image");
            all += inflated(block, full, where).text;
            at += length;
        }
        if (all.size() != size)
            throw Error(ErrorKind::bad_input,
                        fmt::format("{}: the array has {} bytes; {} are needed", where, all.size(), size));
        return bytes_of(std::move(all), bytes.name);
    }
    // Base64 codes the head and the body apart when they are packed.
    Bytes decoded(std::string_view text, const std::string& where) const {
        return bytes_of(decoded_base64(text, where), bytes.name);
    }
};

const std::map<std::string, Element> element_names = {
    {"Int8", Element::i8},     {"UInt8", Element::u8},   {"Int16", Element::i16}, {"UInt16", Element::u16},
    {"Int32", Element::i32},   {"UInt32", Element::u32}, {"Int64", Element::i64}, {"UInt64", Element::u64},
    {"Float32", Element::f32}, {"Float64", Element::f64}};

}  // namespace

Image parse_vti(const Bytes& bytes) {
    Image image;
    image.name = bytes.name;
    Tags tags(bytes);
    Tag tag, array;
    Reader reader{bytes};
    std::int64_t extent[6] = {};
    std::string wanted, section, chosen_section;
    bool have_image = false, chosen = false;
    std::size_t appended = 0;
    std::string appended_encoding;
    while (tags.next(tag)) {
        Attributes& has = tag.attributes;
        if (tag.name == "VTKFile") {
            if (has["type"] != "ImageData")
                tags.refuse(tag, fmt::format("a file of type \"{}\" is no image", has["type"].substr(0, 40)));
            reader.big = has["byte_order"] == "BigEndian";
            reader.wide = has["header_type"] == "UInt64";
            reader.packed = !has["compressor"].empty();
            if (reader.packed && has["compressor"] != "vtkZLibDataCompressor")
                tags.refuse(tag, fmt::format("data packed by {} cannot be read; write them with zlib",
                                             has["compressor"].substr(0, 60)));
        } else if (tag.name == "ImageData") {
            have_image = true;
            Scanner whole(has["WholeExtent"], bytes.name, 0, tag.line),
                spacing(has["Spacing"], bytes.name, 0, tag.line), origin(has["Origin"], bytes.name, 0, tag.line);
            for (std::int64_t& side : extent) side = whole.integer("a border of WholeExtent", -(1 << 20), 1 << 20);
            for (int k = 0; k < 3; ++k) {
                if (!has["Spacing"].empty()) image.spacing[k] = spacing.number("Spacing");
                if (!has["Origin"].empty()) image.origin[k] = origin.number("Origin");
            }
            if (!has["Direction"].empty()) {
                Scanner direction(has["Direction"], bytes.name, 0, tag.line);
                for (int k = 0; k < 9; ++k)
                    if (direction.number("Direction") != (k % 4 == 0 ? 1 : 0))
                        tags.refuse(tag, "only images whose axes are those of space can be read; turn the image first");
            }
        } else if (tag.name == "CellData" || tag.name == "PointData") {
            section = tag.name;
            wanted = has["Scalars"];
        } else if (tag.name == "/CellData" || tag.name == "/PointData") {
            section.clear();
        } else if (tag.name == "DataArray" && !section.empty()) {
            const bool whole_numbers = has["type"].find("Int") != std::string::npos;
            const bool first_choice = wanted.empty() ? whole_numbers : has["Name"] == wanted;
            const bool single = has["NumberOfComponents"].empty() || has["NumberOfComponents"] == "1";
            if (!chosen && first_choice && single) {
                array = tag;
                chosen = true;
                chosen_section = section;
            }
            if (has["format"] == "binary" || has["format"] == "ascii") continue;
        } else if (tag.name == "AppendedData") {
            appended_encoding = has["encoding"];
            appended = bytes.text.find('_', tag.end);
            if (appended == std::string_view::npos) tags.refuse(tag, "appended data begin with _");
            ++appended;
            break;  // what follows is no XML
        }
    }
    if (!have_image) throw Error(ErrorKind::bad_input, fmt::format("{}: there is no <ImageData>", bytes.name));
    if (!chosen)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: there is no array of whole numbers with one component per voxel", bytes.name));
    const bool points = chosen_section == "PointData";
    for (std::size_t k = 0; k < 3; ++k) {
        const std::int64_t length = extent[2 * k + 1] - extent[2 * k] + (points ? 1 : 0);
        if (length < 0 || (length == 0 && k < 2))
            tags.refuse(array, "the image is empty: a side of WholeExtent ends before it begins");
        image.size[k] = static_cast<std::size_t>(std::max<std::int64_t>(length, 1));
        image.origin[static_cast<int>(k)] +=
            (static_cast<double>(extent[2 * k]) - (points ? 0.5 : 0)) * image.spacing[static_cast<int>(k)];
    }
    if (extent[5] == extent[4]) image.dimension = 2;

    const auto type = element_names.find(array.attributes["type"]);
    if (type == element_names.end())
        tags.refuse(array, fmt::format("the type \"{}\" is not known", array.attributes["type"].substr(0, 40)));
    const Element element = type->second;
    std::size_t size = bytes_of_element(element);
    for (const std::size_t n : image.size) size *= n;
    const std::string where = reader.place(array.line);
    const std::string format = array.attributes["format"];
    const auto from_text = [&](std::string_view text) {
        if (!reader.packed) {
            place_data(image, reader.body(reader.decoded(text, where), size, where), 0, element, reader.big);
            return;
        }
        // The head is a text of its own: its length follows from the number of blocks.
        const std::string first = decoded_base64(text.substr(0, std::min<std::size_t>(text.size(), 16)), where);
        const std::size_t blocks = reader.number(first, 0, where);
        if (blocks > text.size())
            throw Error(ErrorKind::bad_input, where + ": the head of the packed data does not fit to the image");
        const std::size_t head_text = ((3 + blocks) * reader.head() + 2) / 3 * 4;
        if (head_text > text.size()) throw Error(ErrorKind::bad_input, where + ": the packed data are cut off");
        std::string all =
            decoded_base64(text.substr(0, head_text), where) + decoded_base64(text.substr(head_text), where);
        place_data(image, reader.body(bytes_of(std::move(all), bytes.name), size, where), 0, element, reader.big);
    };
    if (format == "ascii") {
        Scanner scanner(bytes.text.substr(0, std::min(bytes.text.find('<', array.end), bytes.size())), bytes.name,
                        array.end, array.line);
        return labels_in_text(image, scanner);
    }
    if (format == "binary") {
        std::string_view text =
            bytes.text.substr(array.end, std::min(bytes.text.find('<', array.end), bytes.size()) - array.end);
        while (!text.empty() &&
               (text.front() == ' ' || text.front() == '\n' || text.front() == '\r' || text.front() == '\t'))
            text.remove_prefix(1);
        from_text(text);
        return image;
    }
    if (format != "appended") tags.refuse(array, fmt::format("the format \"{}\" is not known", format.substr(0, 40)));
    if (appended == 0) tags.refuse(array, "the array is to be in <AppendedData>, and there is none");
    Scanner offset_text(array.attributes["offset"], bytes.name, 0, array.line);
    const auto offset =
        static_cast<std::size_t>(offset_text.integer("the offset of the array", 0, std::int64_t{1} << 50));
    if (offset > bytes.size() - appended) tags.refuse(array, "the array begins behind the end of the file");
    Bytes rest = bytes;
    rest.text = bytes.text.substr(appended + offset);
    if (appended_encoding == "base64") {
        rest.text = rest.text.substr(0, std::min(rest.text.find('<'), rest.size()));
        // Other arrays may follow: only what belongs to this one is decoded.
        if (!reader.packed) rest.text = rest.text.substr(0, ((size + reader.head()) + 2) / 3 * 4);
        from_text(rest.text);
    } else {
        place_data(image, reader.body(rest, size, where), 0, element, reader.big);
    }
    return image;
}

}  // namespace scree::micro
