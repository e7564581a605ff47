#include <fmt/format.h>

#include <iterator>

#include "cell_edges.h"
#include "cells.h"
#include "scree/error.h"

namespace scree::micro {

void write_tess(const CellComplex& complex, const Put& put) {
    const Seeds& seeds = complex.seeds;
    const int dimension = seeds.dimension;
    for (int k = 0; k < dimension; ++k)
        if (seeds.periodic[static_cast<std::size_t>(k)])
            throw Error(ErrorKind::usage, "tessellations of periodic boxes cannot be written as .tess; take .vtu");
    for (std::size_t c = 0; c < complex.cell.size(); ++c)
        if (complex.cell[c].empty())
            throw Error(ErrorKind::bad_input,
                        fmt::format("the seed of label {} has no cell, which .tess cannot express", seeds.label[c]));
    const Edges edges(complex);
    fmt::memory_buffer out;
    const auto line = [&]<class... T>(fmt::format_string<T...> form, T&&... values) {
        fmt::format_to(std::back_inserter(out), form, std::forward<T>(values)...);
        if (out.size() > 100000) {
            put({out.data(), out.size()});
            out.clear();
        }
    };
    line("***tess\n **format\n   3.4\n **general\n   {} standard\n **cell\n   {}\n  *id\n   ", dimension,
         complex.cell.size());
    for (const Label label : seeds.label) line("{} ", label);
    line("\n  *seed\n");
    for (std::size_t c = 0; c < seeds.size(); ++c)
        line("   {} {} {} {} {}\n", c + 1, seeds.center[c].x, seeds.center[c].y, seeds.center[c].z, seeds.weight[c]);
    line(" **vertex\n   {}\n", complex.corner.size());
    for (std::size_t v = 0; v < complex.corner.size(); ++v)
        line("   {} {} {} {} 0\n", v + 1, complex.corner[v].x, complex.corner[v].y,
             dimension == 3 ? complex.corner[v].z : 0.0);
    line(" **edge\n   {}\n", edges.ends.size());
    for (std::size_t e = 0; e < edges.ends.size(); ++e)
        line("   {} {} {} 0\n", e + 1, edges.ends[e].first + 1, edges.ends[e].second + 1);
    line(" **face\n   {}\n", complex.face.size());
    for (std::size_t f = 0; f < complex.face.size(); ++f) {
        const CellComplex::Face& face = complex.face[f];
        line("   {} {}", f + 1, face.corner.size());
        for (const std::int32_t v : face.corner) line(" {}", v + 1);
        line("\n     {}", face.corner.size());
        for (std::size_t k = 0; k < face.corner.size(); ++k)
            line(" {}", edges.signed_number(face.corner[k], face.corner[(k + 1) % face.corner.size()]));
        line("\n     {} {} {} {}\n     0 0 0 0 0\n", face.offset, face.normal.x, face.normal.y, face.normal.z);
    }
    if (dimension == 3) {
        line(" **polyhedron\n   {}\n", complex.cell.size());
        for (std::size_t c = 0; c < complex.cell.size(); ++c) {
            line("   {} {}", c + 1, complex.cell[c].size());
            for (const std::int32_t f : complex.cell[c]) line(" {}", f < 0 ? -(~f + 1) : f + 1);
            line("\n");
        }
    }
    // The box: its corners, edges and faces, each with what of the tessellation lies on it.
    const int corners = dimension == 3 ? 8 : 4;
    const auto bit = [](int axis, bool high) { return 1u << (2 * axis + (high ? 1 : 0)); };
    line(" **domain\n  *general\n   {}\n  *vertex\n   {}\n", dimension == 3 ? "cube" : "square", corners);
    for (int d = 0; d < corners; ++d) {
        unsigned wanted = 0;
        Vec3 place;
        for (int k = 0; k < dimension; ++k) {
            wanted |= bit(k, d >> k & 1);
            place[k] = d >> k & 1 ? seeds.high[k] : seeds.low[k];
        }
        std::size_t found = 0;
        for (std::size_t v = 0; v < complex.corner.size(); ++v)
            if (sides_of(complex, static_cast<std::int32_t>(v)) == wanted) found = v;
        line("   {} {} {} {} v{}\n     1 {}\n", d + 1, place.x, place.y, place.z, d + 1, found + 1);
    }
    const auto edges_on = [&](unsigned wanted) {
        std::vector<std::size_t> list;
        for (std::size_t e = 0; e < edges.ends.size(); ++e)
            if ((sides_of(complex, edges.ends[e].first) & sides_of(complex, edges.ends[e].second) & wanted) == wanted)
                list.push_back(e + 1);
        return list;
    };
    struct BoxEdge {
        int a, b;
        unsigned sides;
    };
    std::vector<BoxEdge> box_edges;
    for (int d = 0; d < corners; ++d)
        for (int axis = 0; axis < dimension; ++axis) {
            if (d >> axis & 1) continue;
            unsigned sides = 0;
            for (int k = 0; k < dimension; ++k)
                if (k != axis) sides |= bit(k, d >> k & 1);
            box_edges.push_back({d, d | 1 << axis, sides});
        }
    line("  *edge\n   {}\n", box_edges.size());
    for (std::size_t e = 0; e < box_edges.size(); ++e) {
        const std::vector<std::size_t> list = edges_on(box_edges[e].sides);
        line("   {} 2 {} {}\n     e{}\n     {}", e + 1, box_edges[e].a + 1, box_edges[e].b + 1, e + 1, list.size());
        for (const std::size_t k : list) line(" {}", k);
        line("\n");
    }
    if (dimension == 3) {
        line("  *face\n   6\n");
        for (int side = 0; side < 6; ++side) {
            const int axis = side / 2;
            const bool high = side % 2;
            const int u = (axis + 1) % 3, w = (axis + 2) % 3;
            int loop[4] = {0, 1 << u, 1 << u | 1 << w, 1 << w};
            for (int& d : loop) d |= high ? 1 << axis : 0;
            line("   {} 4 {} {} {} {}\n     4", side + 1, loop[0] + 1, loop[1] + 1, loop[2] + 1, loop[3] + 1);
            for (int k = 0; k < 4; ++k) {
                const auto ends = std::minmax(loop[k], loop[(k + 1) % 4]);
                for (std::size_t e = 0; e < box_edges.size(); ++e)
                    if (box_edges[e].a == ends.first && box_edges[e].b == ends.second) line(" {}", e + 1);
            }
            Vec3 normal;
            normal[axis] = high ? 1 : -1;
            line("\n     plane\n     4 {} {} {} {}\n     {}{}\n", high ? seeds.high[axis] : -seeds.low[axis], normal.x,
                 normal.y, normal.z, "xyz"[axis], high ? 1 : 0);
            std::vector<std::size_t> list;
            for (std::size_t f = 0; f < complex.face.size(); ++f)
                if (complex.face[f].cell[1] == -2 - side) list.push_back(f + 1);
            line("     {}", list.size());
            for (const std::size_t f : list) line(" {}", f);
            line("\n");
        }
    }
    line("***end\n");
    put({out.data(), out.size()});
}

}  // namespace scree::micro
