// Reads back the VTK files that io/vtk.h writes: PolyData with raw appended arrays of little-endian numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace scree {

class VtkFile {
  public:
    // Throws Error(file) when it cannot be read or is not such a file.
    explicit VtkFile(const std::filesystem::path& path);

    // Numbers of an array, tuple after tuple. The section is "PointData", "CellData", "Points", "Lines" or "Polys".
    std::vector<double> numbers(const std::string& section, const std::string& name) const;
    bool has(const std::string& section, const std::string& name) const {
        return arrays_.contains(section + "/" + name);
    }
    double field(const std::string& name) const;
    std::vector<std::string> names(const std::string& name) const;

  private:
    struct Array {
        std::string type;
        std::size_t offset = 0;  // in the appended block
        std::string text;        // of an inline one
    };
    const Array& find(const std::string& section, const std::string& name) const;
    [[noreturn]] void refuse(const std::string& why) const;

    std::filesystem::path path_;
    std::string bytes_;
    std::size_t appended_ = 0;
    std::map<std::string, Array> arrays_;
};

}  // namespace scree
