#include <fmt/format.h>

#include <bit>
#include <filesystem>

#include "image_formats.h"

namespace scree::micro {
namespace {

using Put = std::function<void(std::string_view)>;

void put_rows(const Image& image, const Put& put) {
    std::vector<Label> row(image.size[0]);
    for (std::size_t z = 0; z < image.size[2]; ++z)
        for (std::size_t y = 0; y < image.size[1]; ++y) {
            image.row(y, z, row.data());
            put({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(Label)});
        }
}

std::string numbers(const Image& image, Vec3 v, const char* between) {
    std::string text;
    for (int k = 0; k < image.dimension; ++k) text += fmt::format("{}{}", k ? between : "", v[k]);
    return text;
}

std::string sizes(const Image& image, const char* between) {
    std::string text;
    for (int k = 0; k < image.dimension; ++k)
        text += fmt::format("{}{}", k ? between : "", image.size[static_cast<std::size_t>(k)]);
    return text;
}

void write_csv(const Image& image, const Put& put) {
    const bool space = image.dimension == 3;
    put(space ? "x,y,z,label\n" : "x,y,label\n");
    std::vector<Label> row(image.size[0]);
    fmt::memory_buffer text;
    for (std::size_t z = 0; z < image.size[2]; ++z)
        for (std::size_t y = 0; y < image.size[1]; ++y) {
            image.row(y, z, row.data());
            text.clear();
            for (std::size_t x = 0; x < image.size[0]; ++x)
                fmt::format_to(std::back_inserter(text), "{},{}\n", numbers(image, image.center(x, y, z), ","), row[x]);
            put({text.data(), text.size()});
        }
}

}  // namespace

void write_image(const Image& image, const std::string& path, const Put& put) {
    const std::string ending = std::filesystem::path(path).extension().string();
    constexpr bool big = std::endian::native == std::endian::big;
    const Vec3 first = image.center(0, 0, 0);
    const std::size_t bytes = image.voxels() * sizeof(Label);
    if (ending == ".tesr") {
        put(fmt::format(
            "***tesr\n **format\n   2.1\n **general\n   {}\n   {}\n   {}\n  *origin\n   {}\n **data\n   binary32{}\n",
            image.dimension, sizes(image, " "), numbers(image, image.spacing, " "), numbers(image, image.origin, " "),
            big ? "_big" : ""));
        put_rows(image, put);
        put("\n***end\n");
    } else if (ending == ".vti") {
        const Vec3 o = image.origin, s = image.spacing;
        const std::string extent =
            fmt::format("0 {} 0 {} 0 {}", image.size[0], image.size[1], image.dimension == 3 ? image.size[2] : 0);
        put(fmt::format(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"{}\" "
            "header_type=\"UInt64\">\n"
            "<ImageData WholeExtent=\"{}\" Origin=\"{} {} {}\" Spacing=\"{} {} {}\">\n<Piece Extent=\"{}\">\n"
            "<CellData Scalars=\"label\">\n<DataArray type=\"Int32\" Name=\"label\" format=\"appended\" "
            "offset=\"0\"/>\n"
            "</CellData>\n</Piece>\n</ImageData>\n<AppendedData encoding=\"raw\">\n_",
            big ? "BigEndian" : "LittleEndian", extent, o.x, o.y, o.z, s.x, s.y, s.z, extent));
        const std::uint64_t count = bytes;
        put({reinterpret_cast<const char*>(&count), 8});
        put_rows(image, put);
        put("\n</AppendedData>\n</VTKFile>\n");
    } else if (ending == ".nrrd") {
        std::string directions;
        for (int k = 0; k < image.dimension; ++k) {
            Vec3 axis;
            axis[k] = image.spacing[k];
            directions += fmt::format("{}({})", k ? " " : "", numbers(image, axis, ","));
        }
        put(fmt::format(
            "NRRD0004\ntype: int32\ndimension: {0}\nspace dimension: {0}\nsizes: {1}\nspace directions: {2}\nspace "
            "origin: ({3})\n"
            "endian: {4}\nencoding: raw\n\n",
            image.dimension, sizes(image, " "), directions, numbers(image, first, ","), big ? "big" : "little"));
        put_rows(image, put);
    } else if (ending == ".mha") {
        put(
            fmt::format("ObjectType = Image\nNDims = {}\nBinaryData = True\nBinaryDataByteOrderMSB = "
                        "{}\nCompressedData = False\nOffset = {}\n"
                        "ElementSpacing = {}\nDimSize = {}\nElementType = MET_INT\nElementDataFile = LOCAL\n",
                        image.dimension, big ? "True" : "False", numbers(image, first, " "),
                        numbers(image, image.spacing, " "), sizes(image, " ")));
        put_rows(image, put);
    } else if (ending == ".npy") {
        std::string shape;
        for (int k = image.dimension - 1; k >= 0; --k)
            shape += fmt::format("{}{}", shape.empty() ? "" : ", ", image.size[static_cast<std::size_t>(k)]);
        std::string header =
            fmt::format("{{'descr': '{}i4', 'fortran_order': False, 'shape': ({}), }}", big ? ">" : "<", shape);
        while ((10 + header.size() + 1) % 64 != 0) header += ' ';
        header += '\n';
        put(std::string_view("\x93NUMPY\x01\x00", 8));
        const char length[2] = {static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
        put({length, 2});
        put(header);
        put_rows(image, put);
    } else if (ending == ".csv") {
        write_csv(image, put);
    } else {
        throw Error(
            ErrorKind::usage,
            fmt::format("{}: images are written to files that end in .tesr, .vti, .nrrd, .mha, .npy or .csv", path));
    }
}

}  // namespace scree::micro
