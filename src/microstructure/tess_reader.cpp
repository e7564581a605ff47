// Tessellations of Neper (.tess), formats 2.0 to 3.4, of boxes along the axes.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cell_edges.h"
#include "cells.h"
#include "complex_shape.h"
#include "image_formats.h"

namespace scree::micro {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

class TessReader {
  public:
    explicit TessReader(const Bytes& bytes) : scanner_(bytes.text, bytes.name), name_(bytes.name) {
        // Nothing takes less than two characters, so a count beyond that is a mistake and not a need for memory.
        most_ = static_cast<std::int64_t>(std::min<std::size_t>(bytes.size() / 2, 1u << 30));
    }

    CellComplex read() {
        if (scanner_.word() != "***tess") scanner_.refuse("a tessellation begins with ***tess");
        for (;;) {
            const std::string_view section = scanner_.word();
            if (section.empty()) scanner_.refuse("the file ends without ***end");
            if (section == "***end") break;
            if (section == "**general")
                general();
            else if (section == "**cell")
                cells();
            else if (section == "**vertex")
                vertices();
            else if (section == "**face")
                faces();
            else if (section == "**polyhedron")
                polyhedra();
            else if (section == "**periodicity")
                scanner_.refuse("periodic tessellations are not supported");
        }
        finish();
        return std::move(complex_);
    }

  private:
    std::int32_t number(const char* what, std::int64_t most) {
        return static_cast<std::int32_t>(scanner_.integer(what, 1, most));
    }
    std::int64_t count(const char* what) { return scanner_.integer(what, 1, most_); }
    bool in_part() { return !scanner_.peek().empty() && scanner_.peek()[0] != '*'; }
    // Things are numbered from 1 in the order of the file.
    void check_number(std::size_t expected) {
        const auto number = static_cast<std::int64_t>(expected);
        scanner_.integer("the next number of this list", number, number);
    }

    void general() { complex_.seeds.dimension = static_cast<int>(scanner_.integer("the dimension", 2, 3)); }

    void cells() {
        const auto n = static_cast<std::size_t>(count("the number of cells"));
        Seeds& seeds = complex_.seeds;
        for (std::size_t c = 0; c < n; ++c) seeds.label.push_back(static_cast<Label>(c + 1));
        while (scanner_.peek().substr(0, 1) == "*" && scanner_.peek().substr(0, 2) != "**") {
            const std::string_view part = scanner_.word();
            if (part == "*id")
                for (Label& label : seeds.label)
                    label = static_cast<Label>(scanner_.integer("the label of a cell", -2147483647, 2147483647));
            else if (part == "*seed")
                for (std::size_t c = 0; c < n; ++c) {
                    check_number(c + 1);
                    Vec3 center;
                    for (int k = 0; k < 3; ++k) center[k] = scanner_.number("a coordinate of a seed");
                    seeds.center.push_back(center);
                    seeds.weight.push_back(scanner_.number("the weight of a seed"));
                }
            else
                while (in_part()) scanner_.word();
        }
        if (std::set<Label>(seeds.label.begin(), seeds.label.end()).size() != n)
            scanner_.refuse("two cells have the same label");
    }

    void vertices() {
        const auto n = static_cast<std::size_t>(count("the number of vertices"));
        for (std::size_t v = 0; v < n; ++v) {
            check_number(v + 1);
            Vec3 place;
            for (int k = 0; k < 3; ++k) place[k] = scanner_.number("a coordinate of a vertex");
            if (complex_.seeds.dimension == 2) place.z = 0;
            scanner_.integer("the state of a vertex", -1000000, 1000000);
            complex_.corner.push_back(place);
        }
    }

    void faces() {
        const auto n = static_cast<std::size_t>(count("the number of faces"));
        const auto corners = static_cast<std::int64_t>(complex_.corner.size());
        for (std::size_t f = 0; f < n; ++f) {
            check_number(f + 1);
            CellComplex::Face face;
            face.cell[0] = face.cell[1] = -1;
            const std::int64_t size = scanner_.integer("the number of vertices of a face", 3, most_);
            for (std::int64_t k = 0; k < size; ++k)
                face.corner.push_back(number("a vertex of a face", std::max<std::int64_t>(corners, 1)) - 1);
            if (corners == 0) scanner_.refuse("the section **vertex must come before **face");
            for (std::int64_t k = scanner_.integer("the number of edges of a face", 3, most_); k > 0; --k)
                scanner_.integer("an edge of a face", -most_, most_);
            for (int k = 0; k < 4; ++k) scanner_.number("a coefficient of a plane");
            scanner_.integer("the state of a face", -1000000, 1000000);
            scanner_.integer("the kind of point of a face", -1000000, 1000000);
            for (int k = 0; k < 3; ++k) scanner_.number("a coordinate of the point of a face");
            if (std::set<std::int32_t>(face.corner.begin(), face.corner.end()).size() != face.corner.size())
                scanner_.refuse(fmt::format("face {} meets a vertex twice", f + 1));
            complex_.face.push_back(std::move(face));
        }
    }

    void polyhedra() {
        const auto n = static_cast<std::size_t>(count("the number of polyhedra"));
        const auto faces = static_cast<std::int64_t>(complex_.face.size());
        for (std::size_t c = 0; c < n; ++c) {
            check_number(c + 1);
            std::vector<std::int32_t> list;
            for (std::int64_t k = scanner_.integer("the number of faces of a polyhedron", 4, most_); k > 0; --k) {
                const auto signed_face =
                    static_cast<std::int32_t>(scanner_.integer("a face of a polyhedron", -faces, faces));
                if (signed_face == 0) scanner_.refuse("faces are numbered from 1");
                const std::int32_t f = std::abs(signed_face) - 1;
                std::int32_t& side = complex_.face[at(f)].cell[signed_face < 0 ? 1 : 0];
                if (side >= 0) scanner_.refuse(fmt::format("face {} has two polyhedra on one side", f + 1));
                side = static_cast<std::int32_t>(c);
                list.push_back(signed_face < 0 ? ~f : f);
            }
            complex_.cell.push_back(std::move(list));
        }
    }

    [[noreturn]] void refuse(const std::string& message) const {
        throw Error(ErrorKind::bad_input, fmt::format("{}: {}", name_, message));
    }

    void finish() {
        const bool plane = complex_.seeds.dimension == 2;
        if (complex_.face.empty()) refuse("there is no section **face");
        if (plane) {
            for (std::size_t f = 0; f < complex_.face.size(); ++f) {
                complex_.cell.push_back({static_cast<std::int32_t>(f)});
                complex_.face[f].cell[0] = static_cast<std::int32_t>(f);
            }
        }
        if (complex_.cell.empty()) refuse("there is no section **polyhedron");
        if (complex_.cell.size() != complex_.seeds.label.size())
            refuse(fmt::format("**cell tells of {} cells, but there are {}", complex_.seeds.label.size(),
                               complex_.cell.size()));
        find_box();
        for (std::size_t f = 0; f < complex_.face.size(); ++f) settle_face(f);
        if (complex_.seeds.center.empty()) {
            complex_.seeds.weight.assign(complex_.cell.size(), 0);
            for (const CellMeasures& cell : measures(complex_)) complex_.seeds.center.push_back(cell.centroid);
        }
        if (const std::string wrong = complex_.validate(); !wrong.empty()) refuse(wrong);
    }

    void find_box() {
        Seeds& seeds = complex_.seeds;
        seeds.low = seeds.high = complex_.corner[0];
        for (int k = 0; k < seeds.dimension; ++k) {
            for (const Vec3 p : complex_.corner) {
                seeds.low[k] = std::min(seeds.low[k], p[k]);
                seeds.high[k] = std::max(seeds.high[k], p[k]);
            }
            // Texts are rounded; what is on the box is there exactly.
            const double near = 1e-9 * (seeds.high[k] - seeds.low[k]);
            if (!(near > 0)) refuse(fmt::format("the tessellation has no extent along {}", "xyz"[k]));
            for (Vec3& p : complex_.corner) {
                if (p[k] <= seeds.low[k] + near) p[k] = seeds.low[k];
                if (p[k] >= seeds.high[k] - near) p[k] = seeds.high[k];
            }
        }
        if (seeds.dimension == 2) {
            seeds.low.z = 0;
            seeds.high.z = 1;
        }
    }

    void settle_face(std::size_t f) {
        CellComplex::Face& face = complex_.face[f];
        if (complex_.seeds.dimension == 3 && face.cell[0] < 0) {
            if (face.cell[1] < 0) refuse(fmt::format("face {} belongs to no polyhedron", f + 1));
            std::reverse(face.corner.begin(), face.corner.end());
            std::swap(face.cell[0], face.cell[1]);
            for (std::int32_t& g : complex_.cell[at(face.cell[0])])
                if (g == ~static_cast<std::int32_t>(f)) g = static_cast<std::int32_t>(f);
        }
        Vec3 normal = area_vector(complex_, face.corner);
        if (!(norm(normal) > 0)) refuse(fmt::format("face {} has no area", f + 1));
        if (complex_.seeds.dimension == 2) {
            if (normal.z < 0) std::reverse(face.corner.begin(), face.corner.end());
            face.normal = {0, 0, 1};
            face.offset = 0;
            face.cell[1] = -6;
            return;
        }
        face.normal = normalized(normal);
        face.offset = dot(face.normal, middle_of(complex_, face.corner));
        if (face.cell[1] >= 0) return;
        unsigned sides = ~0u;
        for (const std::int32_t c : face.corner) sides &= sides_of(complex_, c);
        for (int side = 0; side < 6; ++side)
            if (sides >> side & 1u) face.cell[1] = -2 - side;
        if (face.cell[1] == -1)
            refuse(fmt::format("face {} belongs to one polyhedron and is not on a box along the axes", f + 1));
    }

    Scanner scanner_;
    std::string name_;
    std::int64_t most_;
    CellComplex complex_;
};

}  // namespace

CellComplex parse_tess(const Bytes& bytes) { return TessReader(bytes).read(); }

}  // namespace scree::micro
