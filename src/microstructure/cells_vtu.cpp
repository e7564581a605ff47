#include <fmt/format.h>

#include <algorithm>

#include "rows_of_numbers.h"

namespace scree::micro {
void write_cells_vtu(const CellComplex& complex, const Put& put) {
    const bool space = complex.seeds.dimension == 3;
    const std::vector<CellMeasures> all = measures(complex);
    std::vector<std::size_t> shown;
    for (std::size_t c = 0; c < all.size(); ++c)
        if (!complex.cell[c].empty()) shown.push_back(c);
    RowsOfNumbers rows(put);
    put(
        fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\">\n<UnstructuredGrid>\n"
                    "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
                    complex.corner.size(), shown.size()));
    rows.begin_array("Float64", "Points", " NumberOfComponents=\"3\"");
    for (const Vec3 p : complex.corner)
        for (int k = 0; k < 3; ++k) rows.add(p[k]);
    rows.end_array();
    put("</Points>\n<Cells>\n");
    const auto face_of = [&](std::int32_t f) -> const CellComplex::Face& {
        return complex.face[static_cast<std::size_t>(f < 0 ? ~f : f)];
    };
    std::vector<std::size_t> offsets;
    rows.begin_array("Int64", "connectivity");
    std::size_t offset = 0;
    for (const std::size_t c : shown) {
        std::vector<std::int32_t> corners;
        for (const std::int32_t f : complex.cell[c])
            corners.insert(corners.end(), face_of(f).corner.begin(), face_of(f).corner.end());
        if (space) {
            std::sort(corners.begin(), corners.end());
            corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
        }
        for (const std::int32_t v : corners) rows.add(v);
        offsets.push_back(offset += corners.size());
    }
    rows.end_array();
    rows.begin_array("Int64", "offsets");
    for (const std::size_t o : offsets) rows.add(o);
    rows.end_array();
    rows.begin_array("UInt8", "types");
    for (std::size_t k = 0; k < shown.size(); ++k) rows.add(space ? 42 : 7);
    rows.end_array();
    if (space) {
        rows.begin_array("Int64", "faces");
        std::vector<std::size_t> ends;
        std::size_t count = 0;
        for (const std::size_t c : shown) {
            rows.add(complex.cell[c].size());
            ++count;
            for (const std::int32_t f : complex.cell[c]) {
                std::vector<std::int32_t> corner = face_of(f).corner;
                if (f < 0) std::reverse(corner.begin(), corner.end());
                rows.add(corner.size());
                for (const std::int32_t v : corner) rows.add(v);
                count += corner.size() + 1;
            }
            ends.push_back(count);
        }
        rows.end_array();
        rows.begin_array("Int64", "faceoffsets");
        for (const std::size_t e : ends) rows.add(e);
        rows.end_array();
    }
    put("</Cells>\n<CellData Scalars=\"label\">\n");
    rows.begin_array("Int32", "label");
    for (const std::size_t c : shown) rows.add(complex.seeds.label[c]);
    rows.end_array();
    rows.begin_array("Float64", "volume");
    for (const std::size_t c : shown) rows.add(all[c].volume);
    rows.end_array();
    rows.begin_array("Float64", "diameter");
    for (const std::size_t c : shown) rows.add(all[c].diameter);
    rows.end_array();
    rows.begin_array("Float64", "sphericity");
    for (const std::size_t c : shown) rows.add(all[c].sphericity);
    rows.end_array();
    rows.begin_array("Int32", "faces");
    for (const std::size_t c : shown) rows.add(all[c].faces);
    rows.end_array();
    rows.begin_array("Int8", "cut");
    for (const std::size_t c : shown) rows.add(all[c].cut ? 1 : 0);
    rows.end_array();
    put("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
}

}  // namespace scree::micro
