// An image of grains: a raster of labels, one per voxel, in the plane or in space.
//
// Labels stay where they are: in a file mapped into memory, in the type and order of the file, or in a vector. They are
// looked at row by row, so an image may be larger than memory. All positions are of voxel centers,
// origin + (index + 1/2) × spacing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bytes.h"
#include "math/vec.h"

namespace scree::micro {

using Label = std::int32_t;

enum class Element { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };
std::size_t bytes_of_element(Element element);

struct Image {
    std::string name;   // for messages
    int dimension = 3;  // in the plane size[2] is 1
    std::array<std::size_t, 3> size = {1, 1, 1};
    Vec3 spacing{1, 1, 1};
    Vec3 origin;  // the low corner of the first voxel

    Bytes data;
    Element element = Element::i32;
    bool swapped = false;                           // the other order of bytes
    std::array<std::size_t, 3> stride = {0, 0, 0};  // in elements

    std::size_t voxels() const { return size[0] * size[1] * size[2]; }
    Vec3 low() const { return origin; }
    Vec3 high() const {
        return {origin.x + static_cast<double>(size[0]) * spacing.x,
                origin.y + static_cast<double>(size[1]) * spacing.y,
                origin.z + static_cast<double>(size[2]) * spacing.z};
    }
    Vec3 center(std::size_t x, std::size_t y, std::size_t z) const {
        return {origin.x + (static_cast<double>(x) + 0.5) * spacing.x,
                origin.y + (static_cast<double>(y) + 0.5) * spacing.y,
                origin.z + (static_cast<double>(z) + 0.5) * spacing.z};
    }
    // The labels of row (y, z), size[0] of them. Throws Error(bad_input) at a number that is no label: with a fraction,
    // or beyond 32 bits.
    void row(std::size_t y, std::size_t z, Label* out) const;
};

// An image of labels in memory, x fastest, then y.
Image make_image(int dimension, std::array<std::size_t, 3> size, Vec3 spacing, Vec3 origin,
                 const std::vector<Label>& labels);
std::vector<Label> all_labels(const Image& image);

// Completes an image whose header is read: sets the strides of x fastest, checks that sizes and spacings are positive
// and that the data are all there, from `offset` on. Throws Error(bad_input).
void place_data(Image& image, const Bytes& data, std::size_t offset, Element element, bool big_endian);

// Readers, by the name's ending: .tesr, .vti, .nrrd, .nhdr, .mhd, .mha, .npy, .csv (and .txt). Throw Error(file) if
// the file cannot be read, and Error(bad_input) with file and line or place of what is wrong.
Image read_image(const std::string& path);
Image parse_image(const Bytes& bytes);
// The endings above, for messages.
const char* image_endings();

// Writers of a whole file, by the name's ending (.nhdr and .mhd, which take a second file, excepted): what it holds, in
// pieces for `put`. Labels are written in 32 bits.
void write_image(const Image& image, const std::string& path, const std::function<void(std::string_view)>& put);

}  // namespace scree::micro
