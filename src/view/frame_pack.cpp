#include "view/frame_pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/hash.h"
#include "scree/error.h"

namespace scree::view {
namespace {

bool is_float(const VtpArray& array) { return array.type.starts_with("Float"); }

bool wanted(const PackChoice& choice, const std::string& name) {
    return choice.only || std::find(choice.fields.begin(), choice.fields.end(), name) != choice.fields.end();
}

// Tuples at the rows given.
template <class T>
std::vector<T> chosen(std::vector<T> values, int components, const std::vector<std::size_t>* rows) {
    if (!rows) return values;
    const std::size_t width = static_cast<std::size_t>(components);
    std::vector<T> out;
    out.reserve(rows->size() * width);
    for (const std::size_t row : *rows)
        out.insert(out.end(), values.begin() + static_cast<std::ptrdiff_t>(row * width),
                   values.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
    return out;
}

void put(Pack& pack, const VtpFile& file, const VtpArray& array, const std::string& name, Precision precision,
         const std::vector<std::size_t>* rows) {
    if (is_float(array))
        pack.floats(name, array.components, chosen(file.read<float>(array), array.components, rows), precision);
    else
        pack.integers(name, array.components, chosen(file.read<std::int64_t>(array), array.components, rows));
}

void put_common(Pack& pack, const VtpFile& file, FrameKind kind) {
    pack.set("kind", frame_kind_name(kind));
    pack.set("time", file.time());
    pack.set("step", file.step());
    pack.set("names", file.names());
}

const VtpArray& points_of(const VtpFile& file) {
    for (const VtpArray& array : file.arrays())
        if (array.section == "Points" && array.components == 3) return array;
    throw Error(ErrorKind::bad_input, "a frame has no points");
}

std::string pack_grains(const VtpFile& file, const PackChoice& choice) {
    Pack pack;
    put_common(pack, file, FrameKind::grains);
    const VtpArray* id = file.find("PointData", "id");
    const VtpArray* radius = file.find("PointData", "radius");
    if (!id || !radius) throw Error(ErrorKind::bad_input, "a frame of grains has no id or no radius");
    std::vector<std::size_t> kept;
    const std::vector<std::size_t>* rows = nullptr;
    if (choice.only) {
        const auto ids = file.read<std::int64_t>(*id);
        const auto found = std::find(ids.begin(), ids.end(), *choice.only);
        if (found != ids.end()) kept.push_back(static_cast<std::size_t>(found - ids.begin()));
        rows = &kept;
    } else if (choice.share_of_grains < 1) {
        const auto ids = file.read<std::int64_t>(*id);
        const double limit = choice.share_of_grains * 18446744073709551616.0;
        for (std::size_t k = 0; k < ids.size(); ++k)
            if (static_cast<double>(mix_bits(static_cast<std::uint64_t>(ids[k]))) < limit) kept.push_back(k);
        rows = &kept;
    }
    pack.set("grains", file.points());
    auto available = nlohmann::ordered_json::array();
    for (const VtpArray& array : file.arrays())
        if (array.section == "PointData")
            available.push_back({{"name", array.name}, {"components", array.components}, {"whole", !is_float(array)}});
    pack.set("available", available);
    put(pack, file, points_of(file), "position", choice.precision, rows);
    for (const VtpArray& array : file.arrays())
        if (array.section == "PointData" && (&array == id || &array == radius || wanted(choice, array.name)))
            put(pack, file, array, array.name, choice.precision, rows);
    return pack.bytes();
}

// Points of the cells of one section, cell by cell.
struct Cells {
    std::vector<std::int64_t> corners, ends;
    std::size_t count() const { return ends.size(); }
    std::size_t begin(std::size_t cell) const { return cell == 0 ? 0 : static_cast<std::size_t>(ends[cell - 1]); }
    std::size_t end(std::size_t cell) const { return static_cast<std::size_t>(ends[cell]); }
};

Cells cells_of(const VtpFile& file, const std::string& section) {
    Cells cells;
    const VtpArray* corners = file.find(section, "connectivity");
    const VtpArray* ends = file.find(section, "offsets");
    if (!corners || !ends) return cells;
    cells.corners = file.read<std::int64_t>(*corners);
    cells.ends = file.read<std::int64_t>(*ends);
    std::int64_t before = 0;
    for (const std::int64_t end : cells.ends) {
        if (end < before || end > static_cast<std::int64_t>(cells.corners.size()))
            throw Error(ErrorKind::bad_input, "the cells of a frame are not in order");
        before = end;
    }
    for (const std::int64_t corner : cells.corners)
        if (corner < 0 || corner >= static_cast<std::int64_t>(file.points()))
            throw Error(ErrorKind::bad_input, "a cell of a frame has a corner that is no point");
    return cells;
}

std::string pack_cells(const VtpFile& file, FrameKind kind, const PackChoice& choice) {
    Pack pack;
    put_common(pack, file, kind);
    put(pack, file, points_of(file), "position", choice.precision, nullptr);
    const Cells lines = cells_of(file, "Lines"), polygons = cells_of(file, "Polys");
    // Every segment of a polyline and every triangle of a polygon's fan remembers the cell it came from.
    std::vector<std::int64_t> pairs, triples;
    std::vector<std::size_t> cell_of_pair, cell_of_triple;
    for (std::size_t c = 0; c < lines.count(); ++c)
        for (std::size_t k = lines.begin(c); k + 1 < lines.end(c); ++k) {
            pairs.insert(pairs.end(), {lines.corners[k], lines.corners[k + 1]});
            cell_of_pair.push_back(c);
        }
    for (std::size_t c = 0; c < polygons.count(); ++c) {
        const std::size_t first = polygons.begin(c), end = polygons.end(c);
        for (std::size_t k = first + 1; k + 1 < end; ++k) {
            triples.insert(triples.end(), {polygons.corners[first], polygons.corners[k], polygons.corners[k + 1]});
            cell_of_triple.push_back(lines.count() + c);
        }
    }
    pack.integers("lines", 1, pairs);
    pack.integers("triangles", 1, triples);
    for (const VtpArray& array : file.arrays()) {
        if (array.section != "CellData" || !wanted(choice, array.name)) continue;
        if (array.count < lines.count() + polygons.count())
            throw Error(ErrorKind::bad_input, fmt::format("\"{}\" has too few values for the cells", array.name));
        if (!pairs.empty()) put(pack, file, array, "line_" + array.name, choice.precision, &cell_of_pair);
        if (!triples.empty()) put(pack, file, array, "triangle_" + array.name, choice.precision, &cell_of_triple);
    }
    return pack.bytes();
}

}  // namespace

std::string pack_frame(const VtpFile& file, FrameKind kind, const PackChoice& choice) {
    return kind == FrameKind::grains ? pack_grains(file, choice) : pack_cells(file, kind, choice);
}

}  // namespace scree::view
