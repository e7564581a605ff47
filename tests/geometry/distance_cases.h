// Pairs of clouds of the kinds that break distance codes, drawn by number.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "core/random.h"
#include "geometry/gjk.h"

namespace scree::cases {

using Cloud = std::vector<Vec3>;

struct Pair {
    Cloud a, b;
    double size;  // of the larger body
};

enum class Kind {
    separated,
    gap_1e3,
    gap_1e6,
    gap_1e9,
    gap_1e12,
    touching_vertices,
    touching_faces,
    shallow,
    deep,
    parallel_faces,
    parallel_edges,
    flat,
    collinear,
    needles,
    size_ratio,
    far_from_origin,
    scales,
    duplicates,
    identical,
    lattice,
    clustered,
};

inline const std::vector<Kind>& all_kinds() {
    static const std::vector<Kind> kinds = [] {
        std::vector<Kind> list;
        for (int k = 0; k <= static_cast<int>(Kind::clustered); ++k) list.push_back(static_cast<Kind>(k));
        return list;
    }();
    return kinds;
}

inline std::string name_of(Kind kind) {
    const char* names[] = {"separated",         "gap_1e3",        "gap_1e6",    "gap_1e9",   "gap_1e12",
                           "touching_vertices", "touching_faces", "shallow",    "deep",      "parallel_faces",
                           "parallel_edges",    "flat",           "collinear",  "needles",   "size_ratio",
                           "far_from_origin",   "scales",         "duplicates", "identical", "lattice",
                           "clustered"};
    return names[static_cast<int>(kind)];
}

inline bool long_run() { return std::getenv("SCREE_LONG") != nullptr; }

// Cases per kind: fewer where sanitizers or missing optimisation make each ten times slower.
inline std::uint64_t count_of(std::uint64_t usual, std::uint64_t at_length) {
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return long_run() ? usual : usual / 20;
#else
    return long_run() ? at_length : usual;
#endif
}

inline Vec3 random_direction(Random& r) {
    for (;;) {
        const Vec3 d{r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(-1, 1)};
        const double length = norm(d);
        if (length > 0.1 && length < 1) return d / length;
    }
}

inline Mat3 random_rotation(Random& r) {
    const Vec3 x = random_direction(r), y = normalized(cross(x, random_direction(r)));
    return {{x, y, cross(x, y)}};
}

// 4 to 512 vertices, mostly few.
inline int random_count(Random& r) {
    const double u = r.uniform();
    return static_cast<int>(4 * std::exp2(7 * u * u * u));
}

inline Cloud moved(Cloud cloud, Vec3 by) {
    for (Vec3& p : cloud) p += by;
    return cloud;
}

// Points of the unit sphere, ball or cube.
inline Cloud random_body(Random& r, int count) {
    Cloud cloud;
    const auto kind = r.below(3);
    while (static_cast<int>(cloud.size()) < count) {
        const Vec3 d = random_direction(r);
        cloud.push_back(kind == 0   ? d
                        : kind == 1 ? r.uniform() * d
                                    : Vec3{r.uniform(-0.6, 0.6), r.uniform(-0.6, 0.6), r.uniform(-0.6, 0.6)});
    }
    return cloud;
}

// Moves b along the line of the closest points until the gap is about `gap` (negative: overlap).
inline Pair approached(Cloud a, Cloud b, Vec3 away, double gap, double size) {
    b = moved(std::move(b), 4 * size * away);
    const Distance d = distance(Polyhedron(a), Polyhedron(b));
    return {std::move(a), moved(std::move(b), -(d.distance - gap) * d.normal), size};
}

inline Cloud stretched(Cloud cloud, const Mat3& rotation, Vec3 stretch) {
    for (Vec3& p : cloud) p = rotation * Vec3{stretch.x * p.x, stretch.y * p.y, stretch.z * p.z};
    return cloud;
}

inline Cloud on_grid(Cloud cloud, double step) {
    for (Vec3& p : cloud)
        for (int axis = 0; axis < 3; ++axis) p[axis] = std::nearbyint(p[axis] / step) * step;
    return cloud;
}

inline Cloud prism(Random& r, double height) {
    Cloud cloud;
    const Cloud outline = random_body(r, 3 + static_cast<int>(r.below(8)));
    for (const Vec3& p : outline) cloud.insert(cloud.end(), {Vec3{p.x, p.y, 0}, Vec3{p.x, p.y, height}});
    return cloud;
}

inline Pair draw(Kind kind, std::uint64_t number) {
    Random r(20261115 + static_cast<std::uint64_t>(kind), number);
    const int na = random_count(r), nb = random_count(r);
    const double any_gap = std::exp2(-r.uniform(0, 43));
    const Vec3 away = random_direction(r);
    switch (kind) {
        case Kind::separated:
            return {random_body(r, na), moved(random_body(r, nb), r.uniform(2, 6) * away), 2};
        case Kind::gap_1e3:
            return approached(random_body(r, na), random_body(r, nb), away, 2e-3, 2);
        case Kind::gap_1e6:
            return approached(random_body(r, na), random_body(r, nb), away, 2e-6, 2);
        case Kind::gap_1e9:
            return approached(random_body(r, na), random_body(r, nb), away, 2e-9, 2);
        case Kind::gap_1e12:
            return approached(random_body(r, na), random_body(r, nb), away, 2e-12, 2);
        case Kind::touching_vertices: {
            // Coordinates on a grid are moved without rounding: a vertex of b comes to lie on one of a.
            Cloud a = on_grid(random_body(r, na), 0x1p-20), b = on_grid(random_body(r, nb), 0x1p-20);
            const Polyhedron pa(a), pb(b);
            const Vec3 va = pa.world_vertex(pa.support(away).index), vb = pb.world_vertex(pb.support(-away).index);
            return {std::move(a), moved(std::move(b), va - vb), 2};
        }
        case Kind::touching_faces: {
            Cloud a = on_grid(prism(r, 0.5), 0x1p-20), b = on_grid(prism(r, 0.75), 0x1p-20);
            b = moved(std::move(b), on_grid({{r.uniform(-0.5, 0.5), r.uniform(-0.5, 0.5), 0.5}}, 0x1p-20)[0]);
            return {std::move(a), std::move(b), 2};
        }
        case Kind::shallow:
            return approached(random_body(r, na), random_body(r, nb), away, -any_gap * 1e-1, 2);
        case Kind::deep:
            return {random_body(r, na), moved(random_body(r, nb), r.uniform(0, 0.3) * away), 2};
        case Kind::parallel_faces: {
            const Mat3 turn = r.below(2) == 0 ? Mat3{} : random_rotation(r);
            Cloud b = moved(prism(r, 0.7), {r.uniform(-0.5, 0.5), r.uniform(-0.5, 0.5), 0.5 + any_gap});
            return {stretched(prism(r, 0.5), turn, {1, 1, 1}), stretched(std::move(b), turn, {1, 1, 1}), 2};
        }
        case Kind::parallel_edges: {
            // Two wedges, edge to edge.
            const Mat3 turn = r.below(2) == 0 ? Mat3{} : random_rotation(r);
            const double shift = r.uniform(-1, 1);
            const Cloud a{{-1, 0, 0}, {1, 0, 0}, {-1, -0.4, -1}, {1, -0.4, -1}, {-1, 0.5, -1}, {1, 0.5, -1}};
            const Cloud b{{-0.8 + shift, 0, any_gap},
                          {0.9 + shift, 0, any_gap},
                          {-1 + shift, -0.6, 1},
                          {1 + shift, -0.3, 1},
                          {shift, 0.5, 1}};
            return {stretched(a, turn, {1, 1, 1}), stretched(b, turn, {1, 1, 1}), 2};
        }
        case Kind::flat: {
            const Mat3 turn = r.below(2) == 0 ? Mat3{} : random_rotation(r);
            const double lift = r.below(3) == 0 ? 0 : any_gap;
            Cloud a = stretched(random_body(r, na), turn, {1, 1, 0});
            Cloud b = stretched(moved(random_body(r, nb), {r.uniform(-3, 3), 0, 0}), turn, {1, 1, 0});
            if (r.below(4) == 0) b = random_body(r, nb);
            return {std::move(a), moved(std::move(b), turn * Vec3{0, 0, lift}), 2};
        }
        case Kind::collinear: {
            const Vec3 d = r.below(2) == 0 ? random_direction(r) : Vec3{1, 0, 0};
            Cloud a, b;
            const double start = r.uniform(-3, 3);
            for (int k = 0; k < 5; ++k) {
                a.push_back(r.uniform(-1, 1) * d);
                b.push_back((start + r.uniform(-1, 1)) * d);
            }
            if (r.below(3) == 0) b = moved(std::move(b), any_gap * perpendicular(d));
            if (r.below(3) == 0) b.resize(1);
            return {std::move(a), std::move(b), 2};
        }
        case Kind::needles: {
            Cloud a = stretched(random_body(r, na), random_rotation(r), {1, 1e-3, 1e-3});
            Cloud b = stretched(random_body(r, nb), random_rotation(r), {1, r.below(2) == 0 ? 1 : 1e-3, 1e-3});
            const double gap = r.below(3) == 0 ? -1e-3 * any_gap : any_gap;
            return approached(std::move(a), std::move(b), away, gap, 2);
        }
        case Kind::size_ratio:
            return approached(stretched(random_body(r, na), {}, {1000, 1000, 1000}), random_body(r, nb), away,
                              r.below(3) == 0 ? -any_gap : any_gap, 2000);
        case Kind::far_from_origin: {
            Pair pair =
                approached(random_body(r, na), random_body(r, nb), away, r.below(3) == 0 ? -any_gap : any_gap, 2);
            const Vec3 far = r.uniform(0.5e6, 1e6) * random_direction(r);
            return {moved(std::move(pair.a), far), moved(std::move(pair.b), far), 2};
        }
        case Kind::scales: {
            const double scale = std::pow(10.0, r.uniform(-6, 3));
            Pair pair =
                approached(random_body(r, na), random_body(r, nb), away, r.below(3) == 0 ? -any_gap : any_gap, 2);
            return {stretched(std::move(pair.a), {}, {scale, scale, scale}),
                    stretched(std::move(pair.b), {}, {scale, scale, scale}), 2 * scale};
        }
        case Kind::duplicates: {
            Pair pair =
                approached(random_body(r, na), random_body(r, nb), away, r.below(3) == 0 ? -any_gap : any_gap, 2);
            for (Cloud* cloud : {&pair.a, &pair.b})
                for (int k = static_cast<int>(cloud->size()); k-- > 0;)
                    if (r.below(2) == 0) cloud->push_back((*cloud)[static_cast<std::size_t>(k)]);
            return pair;
        }
        case Kind::identical: {
            const Cloud a = stretched(random_body(r, na), random_rotation(r), {1, 1, r.below(4) == 0 ? 0.0 : 1.0});
            return {a, r.below(2) == 0 ? a : moved(a, any_gap * away), 2};
        }
        case Kind::lattice: {
            const auto cloud = [&](int count) {
                Cloud c;
                for (int k = 0; k < count; ++k)
                    c.push_back({double(r.below(4)), double(r.below(4)), double(r.below(4))});
                return c;
            };
            Cloud a = cloud(2 + static_cast<int>(r.below(12))), b = cloud(2 + static_cast<int>(r.below(12)));
            return {std::move(a), moved(std::move(b), {double(r.below(5)), double(r.below(5)), double(r.below(5))}), 6};
        }
        case Kind::clustered: {
            // Vertices in bunches much smaller than the body: edges of very different length.
            const auto cloud = [&](int count) {
                Cloud c;
                for (const Vec3& p : random_body(r, 5 + count / 8))
                    for (int k = 0; k < 8; ++k) c.push_back(p + std::exp2(-r.uniform(10, 50)) * random_direction(r));
                return c;
            };
            Cloud a = cloud(na), b = cloud(nb);
            return approached(std::move(a), std::move(b), away, r.below(3) == 0 ? -any_gap : any_gap, 2);
        }
    }
    return {};
}

}  // namespace scree::cases
