#include "view/frame_pack.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/hash.h"

namespace scree::view {
namespace {

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

void put(Pack& pack, const VtkFile& file, const VtkArray& array, const std::string& name, Precision precision,
         const std::vector<std::size_t>* rows) {
    if (array.is_float())
        pack.floats(name, array.components, chosen(file.read<float>(array), array.components, rows), precision);
    else
        pack.integers(name, array.components, chosen(file.read<std::int64_t>(array), array.components, rows));
}

void put_common(Pack& pack, const VtkFile& file, FrameKind kind) {
    pack.set("kind", frame_kind_name(kind));
    pack.set("time", file.time());
    pack.set("step", file.step());
    pack.set("names", file.names());
}

const VtkArray& points_of(const VtkFile& file) {
    for (const VtkArray& array : file.arrays())
        if (array.section == "Points" && array.components == 3) return array;
    file.refuse("it has no points");
}

std::string pack_grains(const VtkFile& file, const PackChoice& choice) {
    Pack pack;
    put_common(pack, file, FrameKind::grains);
    const VtkArray* id = file.find("PointData", "id");
    const VtkArray* radius = file.find("PointData", "radius");
    if (!id || !radius || id->components != 1 || radius->components != 1)
        file.refuse("its grains have no id or no radius");
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
    for (const VtkArray& array : file.arrays())
        if (array.section == "PointData")
            available.push_back({{"name", array.name}, {"components", array.components}, {"whole", !array.is_float()}});
    pack.set("available", available);
    put(pack, file, points_of(file), "position", choice.precision, rows);
    for (const VtkArray& array : file.arrays())
        if (array.section == "PointData" && (&array == id || &array == radius || wanted(choice, array.name)))
            put(pack, file, array, array.name, choice.precision, rows);
    return pack.bytes();
}

std::string pack_cells(const VtkFile& file, FrameKind kind, const PackChoice& choice) {
    Pack pack;
    put_common(pack, file, kind);
    put(pack, file, points_of(file), "position", choice.precision, nullptr);
    const VtkCells lines = file.cells("Lines"), polygons = file.cells("Polys");
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
    for (const VtkArray& array : file.arrays()) {
        if (array.section != "CellData" || !wanted(choice, array.name)) continue;
        if (!pairs.empty()) put(pack, file, array, "line_" + array.name, choice.precision, &cell_of_pair);
        if (!triples.empty()) put(pack, file, array, "triangle_" + array.name, choice.precision, &cell_of_triple);
    }
    return pack.bytes();
}

}  // namespace

std::string pack_frame(const VtkFile& file, FrameKind kind, const PackChoice& choice) {
    return kind == FrameKind::grains ? pack_grains(file, choice) : pack_cells(file, kind, choice);
}

}  // namespace scree::view
