// Reads .vtp files as io/vtk.h writes them: a header in XML, arrays raw in one appended block. Only the header and the
// arrays asked for are read. Whatever the bytes are, what is given out fits together: every array lies within the file
// and has a value for each point or cell, and every corner of a cell is a point. A file of which that is not true is
// refused with Error(bad_input).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/files.h"
#include "math/vec.h"

namespace scree {

struct VtkArray {
    std::string section;  // PointData, CellData, Points, Verts, Lines, Polys
    std::string name;
    std::string type;  // VTK's: Float32, UInt16, ...
    int components = 1;
    std::size_t count = 0;    // of tuples
    std::uint64_t begin = 0;  // in the file
    bool is_float() const { return type.starts_with("Float"); }
};

// Points of the cells of one section, cell by cell.
struct VtkCells {
    std::vector<std::int64_t> corners, ends;
    std::size_t count() const { return ends.size(); }
    std::size_t begin(std::size_t cell) const { return cell == 0 ? 0 : static_cast<std::size_t>(ends[cell - 1]); }
    std::size_t end(std::size_t cell) const { return static_cast<std::size_t>(ends[cell]); }
};

class VtkFile {
  public:
    // `name` is for messages.
    VtkFile(FileHandle file, std::string name);

    const std::vector<VtkArray>& arrays() const { return arrays_; }
    const VtkArray* find(const std::string& section, const std::string& name) const;
    // All numbers of an array, tuple after tuple. A number that the type asked for cannot hold becomes the nearest one
    // it can, NaN zero.
    template <class T>
    std::vector<T> read(const VtkArray& array) const;
    // The same of an array that must be there with so many components.
    template <class T>
    std::vector<T> numbers(const std::string& section, const std::string& name, int components = 1) const;
    std::vector<Vec3> vectors(const std::string& section, const std::string& name) const;
    // Verts, Lines or Polys; none when the file has none.
    VtkCells cells(const std::string& section) const;

    std::size_t points() const { return points_; }
    std::size_t lines() const { return lines_; }
    std::size_t polygons() const { return polygons_; }
    double time() const { return time_; }
    std::int64_t step() const { return step_; }
    // Lists of names in the field data, such as group_names.
    const std::map<std::string, std::vector<std::string>>& names() const { return names_; }
    std::vector<std::string> names(const std::string& list) const;

    [[noreturn]] void refuse(const std::string& why) const;

  private:
    void read_bytes(std::uint64_t at, void* to, std::size_t bytes) const;
    void parse_head(const std::string& head, std::uint64_t block);
    void read_field(std::string_view tag, std::string_view body, bool strings);
    void add_array(std::string_view tag, const std::string& section, std::uint64_t block);
    std::size_t cell_count(const std::string& section) const;

    FileHandle file_;
    std::string name_;
    std::uint64_t size_ = 0;
    std::size_t points_ = 0, vertices_ = 0, lines_ = 0, polygons_ = 0;
    double time_ = 0;
    std::int64_t step_ = 0;
    std::vector<VtkArray> arrays_;
    std::map<std::string, std::vector<std::string>> names_;
};

}  // namespace scree
