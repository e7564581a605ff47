#include "io/vtk.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "scree/error.h"

namespace scree {

namespace {

constexpr std::size_t column_buffer = 1 << 16;

}  // namespace

void VtkFiller::add(std::size_t begin, std::size_t bytes) {
    columns_.push_back({begin, begin + bytes, {}});
    columns_.back().buffer.reserve(std::min(column_buffer, bytes));
}

void VtkFiller::append(std::size_t column, const void* data, std::size_t bytes) {
    Column& c = columns_.at(column);
    const std::byte* from = static_cast<const std::byte*>(data);
    c.buffer.insert(c.buffer.end(), from, from + bytes);
    if (c.buffer.size() + bytes > column_buffer) flush(c);
}

void VtkFiller::flush(Column& column) {
    if (column.at + column.buffer.size() > column.end)
        throw std::logic_error("more tuples than the VTK file has room for");
    file_.fill(column.at, column.buffer.data(), column.buffer.size());
    column.at += column.buffer.size();
    column.buffer.clear();
}

void VtkFiller::finish() {
    for (Column& column : columns_) {
        flush(column);
        if (column.at != column.end) throw std::logic_error("fewer tuples than the VTK file announces");
    }
}

std::size_t& VtkPolyData::cell_count(Place place) {
    return place == Place::vertices ? vertices_ : place == Place::lines ? lines_ : polygons_;
}

void VtkPolyData::all_points_as_vertices() { one_vertex_cell_ = true; }

void VtkPolyData::number(const char* name, double value) {
    fields_ += fmt::format(R"(<DataArray type="Float64" Name="{}" NumberOfTuples="1" format="ascii">{}</DataArray>)"
                           "\n",
                           name, value);
}

void VtkPolyData::whole_number(const char* name, std::int64_t value) {
    fields_ += fmt::format(R"(<DataArray type="Int64" Name="{}" NumberOfTuples="1" format="ascii">{}</DataArray>)"
                           "\n",
                           name, value);
}

void VtkPolyData::names(const char* name, const std::vector<std::string>& values) {
    // VTK spells strings as the codes of their bytes, each string ended by a zero.
    fields_ +=
        fmt::format(R"(<Array type="String" Name="{}" NumberOfTuples="{}" format="ascii">)", name, values.size());
    for (const std::string& value : values) {
        for (const unsigned char c : value) fields_ += fmt::format("{} ", static_cast<int>(c));
        fields_ += "0 ";
    }
    fields_ += "</Array>\n";
}

std::string VtkPolyData::header(std::size_t point_count) const {
    // An array's offset counts from the mark that begins the appended block; each array has its size in bytes before
    // it.
    std::vector<std::size_t> offsets(arrays_.size(), 0);
    for (std::size_t k = 1; k < arrays_.size(); ++k)
        offsets[k] = offsets[k - 1] + sizeof(std::uint64_t) + arrays_[k - 1].bytes();
    std::string text;
    const auto section = [&](const char* tag, Place place) {
        text += fmt::format("<{}>\n", tag);
        for (std::size_t k = 0; k < arrays_.size(); ++k) {
            const Array& array = arrays_[k];
            if (array.place != place) continue;
            const bool cells = place == Place::vertices || place == Place::lines || place == Place::polygons;
            text +=
                fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)"
                            "\n",
                            array.type, array.name, cells ? 1 : array.components, offsets[k]);
        }
        text += fmt::format("</{}>\n", tag);
    };
    text +=
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<PolyData>\n";
    text += "<FieldData>\n" + fields_ + "</FieldData>\n";
    text += fmt::format(
        R"(<Piece NumberOfPoints="{}" NumberOfVerts="{}" NumberOfLines="{}" NumberOfStrips="0" NumberOfPolys="{}">)"
        "\n",
        point_count, vertices_, lines_, polygons_);
    section("PointData", Place::point_data);
    section("CellData", Place::cell_data);
    section("Points", Place::points);
    section("Verts", Place::vertices);
    section("Lines", Place::lines);
    section("Polys", Place::polygons);
    text += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    return text;
}

void VtkPolyData::write(const std::filesystem::path& path, std::size_t point_count,
                        const std::function<void(VtkFiller&)>& pass) const {
    static_assert(std::endian::native == std::endian::little, "the raw arrays are declared as little-endian");
    if (point_count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw Error(ErrorKind::run_time,
                    fmt::format("{} points are too many for the 32-bit cells of {}", point_count, path.string()));
    VtkPolyData whole = *this;
    if (one_vertex_cell_ && point_count > 0) {
        whole.array<std::int32_t>(Place::vertices, "connectivity", 1, point_count,
                                  [](std::size_t k, std::int32_t* out) { *out = static_cast<std::int32_t>(k); });
        whole.array<std::int32_t>(Place::vertices, "offsets", 1, 1, [=](std::size_t, std::int32_t* out) {
            *out = static_cast<std::int32_t>(point_count);
        });
        whole.vertices_ = 1;
    }
    NewFile file(path);
    VtkFiller filler(file);
    file.write(whole.header(point_count));
    for (const Array& array : whole.arrays_) {
        const std::uint64_t bytes = array.bytes();
        file.write(&bytes, sizeof bytes);
        if (array.write)
            array.write(file);
        else
            filler.add(file.leave_room(bytes), bytes);
    }
    file.write("\n</AppendedData>\n</VTKFile>\n");
    if (pass) pass(filler);
    filler.finish();
    file.commit(Durability::crash_of_program);
}

}  // namespace scree
