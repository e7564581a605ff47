// Writes VTK XML PolyData files (.vtp) as ParaView and VTK read them: a header in XML, then all arrays raw in one
// appended block. Arrays are given by a function of the element, or filled side by side in one pass over whatever is
// walked through; nothing is collected in memory before it is written.
//
// Rejected: the VTK library (an install of hundreds of megabytes for a format of one page), text and base64 arrays
// (two to three times the size), compressed blocks (zlib costs more time than the disk).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "io/files.h"

namespace scree {

template <class T>
constexpr const char* vtk_type_name();
template <>
constexpr const char* vtk_type_name<float>() {
    return "Float32";
}
template <>
constexpr const char* vtk_type_name<double>() {
    return "Float64";
}
template <>
constexpr const char* vtk_type_name<std::int16_t>() {
    return "Int16";
}
template <>
constexpr const char* vtk_type_name<std::int32_t>() {
    return "Int32";
}
template <>
constexpr const char* vtk_type_name<std::uint8_t>() {
    return "UInt8";
}
template <>
constexpr const char* vtk_type_name<std::uint16_t>() {
    return "UInt16";
}
template <>
constexpr const char* vtk_type_name<std::uint32_t>() {
    return "UInt32";
}

// Fills arrays that lie one behind the other in the file, a tuple of each at a time.
class VtkFiller {
  public:
    explicit VtkFiller(NewFile& file) : file_(file) {}
    void add(std::size_t begin, std::size_t bytes);
    template <class T, std::size_t n>
    void put(std::size_t column, const T (&tuple)[n]) {
        append(column, tuple, sizeof tuple);
    }
    template <class T>
    requires std::is_arithmetic_v<T>
    void put(std::size_t column, T value) { append(column, &value, sizeof value); }
    // Writes what is buffered; throws std::logic_error when an array is not full.
    void finish();

  private:
    struct Column {
        std::size_t at, end;  // in the file
        std::vector<std::byte> buffer;
    };
    void append(std::size_t column, const void* data, std::size_t bytes);
    void flush(Column& column);
    NewFile& file_;
    std::vector<Column> columns_;
};

class VtkPolyData {
  public:
    // Where an array belongs. Cells are numbered: vertices first, then lines, then polygons.
    enum class Place { point_data, cell_data, points, vertices, lines, polygons };

    // An array of `count` tuples of `components` numbers; get(k, out) gives the numbers of tuple k. It is called by
    // write(), once for each k in order.
    template <class T, class Get>
    void array(Place place, const char* name, int components, std::size_t count, Get get) {
        arrays_.push_back({place, name, vtk_type_name<T>(), components, count, sizeof(T), [=](NewFile& file) {
                               T tuple[9];
                               for (std::size_t k = 0; k < count; ++k) {
                                   get(k, tuple);
                                   file.write(tuple, sizeof(T) * static_cast<std::size_t>(components));
                               }
                           }});
    }
    // An array that the pass given to write() fills; columns are numbered from 0 in the order declared.
    template <class T>
    void column(Place place, const char* name, int components, std::size_t count) {
        arrays_.push_back({place, name, vtk_type_name<T>(), components, count, sizeof(T), nullptr});
    }
    // Cells of `size` points each: corner(k, c) is the number of the point at corner c of cell k.
    template <class Corner>
    void cells(Place place, int size, std::size_t count, Corner corner) {
        array<std::int32_t>(place, "connectivity", size, count, [=](std::size_t k, std::int32_t* out) {
            for (int c = 0; c < size; ++c) out[c] = static_cast<std::int32_t>(corner(k, c));
        });
        array<std::int32_t>(place, "offsets", 1, count, [=](std::size_t k, std::int32_t* out) {
            *out = static_cast<std::int32_t>((k + 1) * static_cast<std::size_t>(size));
        });
        cell_count(place) = count;
    }
    // One vertex cell that holds all points, so that they show without a filter.
    void all_points_as_vertices();

    // Values of the whole: the time (VTK's name for it is TimeValue), the step, lists of names.
    void number(const char* name, double value);
    void whole_number(const char* name, std::int64_t value);
    void names(const char* name, const std::vector<std::string>& values);

    void write(const std::filesystem::path& path, std::size_t point_count,
               const std::function<void(VtkFiller&)>& pass = {}) const;

  private:
    struct Array {
        Place place;
        std::string name, type;
        int components;
        std::size_t count, width;
        std::function<void(NewFile&)> write;  // none for a column
        std::size_t bytes() const { return count * static_cast<std::size_t>(components) * width; }
    };
    std::size_t& cell_count(Place place);
    std::string header(std::size_t point_count) const;

    std::vector<Array> arrays_;
    std::string fields_;
    std::size_t vertices_ = 0, lines_ = 0, polygons_ = 0;
    bool one_vertex_cell_ = false;
};

}  // namespace scree
