// Reads .vtp files as io/vtk.h writes them: a header in XML, arrays raw in one appended block. Only the header and the
// arrays asked for are read. A file that is cut, or whose numbers point outside it, is refused with Error(bad_input).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/files.h"

namespace scree::view {

struct VtpArray {
    std::string section;  // PointData, CellData, Points, Verts, Lines, Polys
    std::string name;
    std::string type;  // VTK's: Float32, UInt16, ...
    int components = 1;
    std::size_t count = 0;    // of tuples
    std::uint64_t begin = 0;  // in the file
};

class VtpFile {
  public:
    VtpFile(FileHandle file, std::string name);

    const std::vector<VtpArray>& arrays() const { return arrays_; }
    const VtpArray* find(const std::string& section, const std::string& name) const;
    // All numbers of an array, converted.
    template <class T>
    std::vector<T> read(const VtpArray& array) const;

    std::size_t points() const { return points_; }
    std::size_t lines() const { return lines_; }
    std::size_t polygons() const { return polygons_; }
    double time() const { return time_; }
    std::int64_t step() const { return step_; }
    // Lists of names in the field data, such as group_names.
    const std::map<std::string, std::vector<std::string>>& names() const { return names_; }

  private:
    [[noreturn]] void refuse(const std::string& why) const;
    void read_bytes(std::uint64_t at, void* to, std::size_t bytes) const;
    void parse_head(const std::string& head, std::uint64_t block);

    FileHandle file_;
    std::string name_;
    std::uint64_t size_ = 0;
    std::size_t points_ = 0, lines_ = 0, polygons_ = 0;
    double time_ = 0;
    std::int64_t step_ = 0;
    std::vector<VtpArray> arrays_;
    std::map<std::string, std::vector<std::string>> names_;
};

}  // namespace scree::view
