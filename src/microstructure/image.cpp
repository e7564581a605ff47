#include "image.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "scree/error.h"

namespace scree::micro {
namespace {

template <class T>
T swap_bytes(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (std::size_t k = 0; k < sizeof(T) / 2; ++k) std::swap(bytes[k], bytes[sizeof(T) - 1 - k]);
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

template <class T>
void decode_row(const Image& image, std::size_t y, std::size_t z, Label* out) {
    const char* data = image.data.text.data() + (y * image.stride[1] + z * image.stride[2]) * sizeof(T);
    for (std::size_t x = 0; x < image.size[0]; ++x) {
        T value;
        std::memcpy(&value, data + x * image.stride[0] * sizeof(T), sizeof(T));
        if (sizeof(T) > 1 && image.swapped) value = swap_bytes(value);
        bool fits = true;
        if constexpr (std::is_floating_point_v<T>)
            fits = std::fabs(value) <= T(2147483000) && value == std::nearbyint(value);
        else
            fits = std::in_range<Label>(value);
        if (!fits)
            throw Error(
                ErrorKind::bad_input,
                fmt::format("{}: voxel ({}, {}, {}) holds {}, which is no label; labels are whole numbers below 2^31",
                            image.name, x, y, z, value));
        out[x] = static_cast<Label>(value);
    }
}

}  // namespace

std::size_t bytes_of_element(Element element) {
    switch (element) {
        case Element::i8:
        case Element::u8:
            return 1;
        case Element::i16:
        case Element::u16:
            return 2;
        case Element::i32:
        case Element::u32:
        case Element::f32:
            return 4;
        default:
            return 8;
    }
}

void Image::row(std::size_t y, std::size_t z, Label* out) const {
    switch (element) {
        case Element::i8:
            return decode_row<std::int8_t>(*this, y, z, out);
        case Element::u8:
            return decode_row<std::uint8_t>(*this, y, z, out);
        case Element::i16:
            return decode_row<std::int16_t>(*this, y, z, out);
        case Element::u16:
            return decode_row<std::uint16_t>(*this, y, z, out);
        case Element::i32:
            return decode_row<std::int32_t>(*this, y, z, out);
        case Element::u32:
            return decode_row<std::uint32_t>(*this, y, z, out);
        case Element::i64:
            return decode_row<std::int64_t>(*this, y, z, out);
        case Element::u64:
            return decode_row<std::uint64_t>(*this, y, z, out);
        case Element::f32:
            return decode_row<float>(*this, y, z, out);
        case Element::f64:
            return decode_row<double>(*this, y, z, out);
    }
}

void place_data(Image& image, const Bytes& data, std::size_t offset, Element element, bool big_endian) {
    std::size_t voxels = 1;
    for (int k = 0; k < 3; ++k) {
        const std::size_t n = image.size[static_cast<std::size_t>(k)];
        if (n == 0 || n > (std::size_t{1} << 20))
            throw Error(
                ErrorKind::bad_input,
                fmt::format("{}: the image is {} voxels long in {}; 1 to 2^20 are possible", image.name, n, "xyz"[k]));
        if (voxels > (std::size_t{1} << 40) / n)
            throw Error(ErrorKind::bad_input, fmt::format("{}: the image has more than 2^40 voxels", image.name));
        voxels *= n;
        if (!(image.spacing[k] > 0) || !std::isfinite(image.spacing[k]))
            throw Error(ErrorKind::bad_input, fmt::format("{}: voxels are {} wide in {}; this must be positive",
                                                          image.name, image.spacing[k], "xyz"[k]));
        if (!std::isfinite(image.origin[k]))
            throw Error(ErrorKind::bad_input, fmt::format("{}: the origin is not finite", image.name));
    }
    const std::size_t needed = voxels * bytes_of_element(element);
    if (offset > data.size() || data.size() - offset < needed)
        throw Error(
            ErrorKind::bad_input,
            fmt::format(
                "{}: {} x {} x {} voxels take {} bytes, but there are {}; the file is cut off or its sizes are wrong",
                data.name, image.size[0], image.size[1], image.size[2], needed,
                offset > data.size() ? 0 : data.size() - offset));
    image.data = data;
    image.data.text = data.text.substr(offset, needed);
    image.element = element;
    image.swapped = big_endian != (std::endian::native == std::endian::big);
    image.stride = {1, image.size[0], image.size[0] * image.size[1]};
}

Image make_image(int dimension, std::array<std::size_t, 3> size, Vec3 spacing, Vec3 origin,
                 const std::vector<Label>& labels) {
    Image image;
    image.name = "image";
    image.dimension = dimension;
    image.size = size;
    image.spacing = spacing;
    image.origin = origin;
    std::string bytes(labels.size() * sizeof(Label), '\0');
    std::memcpy(bytes.data(), labels.data(), bytes.size());
    place_data(image, bytes_of(std::move(bytes), "image"), 0, Element::i32, std::endian::native == std::endian::big);
    return image;
}

std::vector<Label> all_labels(const Image& image) {
    std::vector<Label> labels(image.voxels());
    for (std::size_t z = 0; z < image.size[2]; ++z)
        for (std::size_t y = 0; y < image.size[1]; ++y)
            image.row(y, z, &labels[(z * image.size[1] + y) * image.size[0]]);
    return labels;
}

}  // namespace scree::micro
