// Motion of grains that are not spheres: velocity Verlet for the center as in integrate.h, and for the rotation the
// same with angular momentum in place of velocity; between two kicks the body turns freely (shape/rotation.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/csv.h"
#include "core/parallel.h"
#include "engine/shaped.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr std::size_t motion_chunk = 256;
constexpr double even_within = 1e-9;  // moments of a shape that count as equal; rounding parts those of a cube by 1e-15

template <class Some>
KickPowers add_powers(std::size_t grains, Some&& some) {
    return parallel_reduce(
        grains, KickPowers{},
        [&](std::size_t begin, std::size_t end) {
            KickPowers powers;
            some(begin, end, powers);
            return powers;
        },
        [](KickPowers a, const KickPowers& b) {
            a.contact += b.contact;
            a.sliding += b.sliding;
            a.damping += b.damping;
            return a;
        },
        motion_chunk);
}

// The largest share of a point's answer to a push that is due to turning: largest eigenvalue of [r]^T I^-1 [r], times
// m.
double turning_part(Vec3 r, Vec3 inertia, double mass) {
    const auto apply = [&](Vec3 n) {
        const Vec3 t = cross(r, n);
        return mass * cross(Vec3{t.x / inertia.x, t.y / inertia.y, t.z / inertia.z}, r);
    };
    Vec3 n{0.48, 0.6, 0.64};
    double largest = 0;
    for (int k = 0; k < 50; ++k) {
        const Vec3 image = apply(n);
        largest = norm(image);
        if (!(largest > 0)) return 0;
        n = image / largest;
    }
    return largest;
}

std::vector<std::array<double, 4>> spheres_in(const std::string& file, int dimension) {
    const CsvTable table = read_csv(file);
    std::vector<std::array<double, 4>> out;
    for (std::size_t row = 0; row < table.fields.size(); ++row) {
        const auto value = [&](const char* name) {
            const int column = table.column(name);
            if (column < 0)
                throw Error(
                    ErrorKind::bad_input,
                    fmt::format(
                        "{}: there is no column '{}'; the spheres of a cluster need x, y, z (not in 2D) and radius",
                        file, name));
            return table.number(row, column);
        };
        out.push_back({value("x"), value("y"), dimension == 3 ? value("z") : 0, value("radius")});
        if (!(out.back()[3] > 0))
            table.refuse(row, table.column("radius"), fmt::format("a radius must be positive, not {}", out.back()[3]));
    }
    return out;
}

}  // namespace

ShapeTable::ShapeTable(const Scene& scene) : dimension_(scene.dimension) {
    shapes_.push_back(unit_sphere(scene.dimension));
    glued_.emplace_back();
    Scene whole = scene;  // with the spheres of clusters that are in files
    for (GrainShape& shape : whole.shapes)
        if (shape.kind == ShapeKind::cluster && !shape.file.empty())
            shape.spheres = spheres_in(shape.file, scene.dimension);
    for (std::size_t k = 0; k < scene.shapes.size(); ++k) {
        const bool glued = whole.shapes[k].glue.law != Glue::Law::none;
        shapes_.push_back(glued || scene.shapes[k].kind == ShapeKind::sphere ? shapes_[0] : make_shape(whole, k));
        glued_.emplace_back();
        if (!glued) continue;
        glued_.back() = make_glued(whole, whole.shapes[k]);
        shapes_.back().name = scene.shapes[k].name;
    }
    for (const Shape& shape : shapes_) {
        double most = 0, least = forever;
        for (const Piece& piece : shape.pieces) {
            least = std::min(least, piece.radius);
            for (const Vec3 v : piece.vertex) most = std::max(most, turning_part(v, shape.inertia, shape.volume));
        }
        shares_.push_back(1 / (1 + most));
        least_radius_.push_back(least);
        trees_.push_back(std::make_unique<Lazy<PieceTree>>());
        fillings_.push_back(std::make_unique<Lazy<Filling>>());
    }
}

const PieceTree& ShapeTable::tree(std::size_t number) const {
    Lazy<PieceTree>& lazy = *trees_[number];
    std::call_once(lazy.built, [&] { lazy.value = PieceTree(shapes_[number].pieces); });
    return lazy.value;
}

const Filling& ShapeTable::filling(std::size_t number) const {
    Lazy<Filling>& lazy = *fillings_[number];
    std::call_once(lazy.built, [&] { lazy.value = filling_of(shapes_[number], dimension_); });
    return lazy.value;
}

std::uint16_t ShapeTable::number_of(const Scene& scene, const GrainGroup& group) {
    for (std::size_t k = 0; k < scene.shapes.size(); ++k)
        if (scene.shapes[k].name == group.shape && scene.shapes[k].kind != ShapeKind::sphere)
            return static_cast<std::uint16_t>(k + 1);
    return 0;
}

void ShapedContacts::turn(const Grains& grains, std::size_t first) {
    const std::size_t n = grains.size();
    rotation_.resize(n);
    inverse_inertia_.resize(n);
    omega_.resize(n);
    inertia_.resize(n);
    odometer_.resize(n);
    for (std::size_t k = clump_.size(); k < shapes_.size(); ++k) {
        is_clump_.push_back(std::all_of(shapes_[k].pieces.begin(), shapes_[k].pieces.end(),
                                        [](const Piece& piece) { return piece.dimension == 0; }));
        clump_.emplace_back();
        corners_.emplace_back();
        const Vec3 moments = shapes_[k].inertia;
        all_even_ = all_even_ && std::fabs(moments.y - moments.x) < even_within * moments.x &&
                    std::fabs(moments.z - moments.x) < even_within * moments.x;
        for (std::size_t p = 0; p < shapes_[k].pieces.size(); ++p)
            for (std::size_t v = 0; v < shapes_[k].pieces[p].vertex.size(); ++v)
                corners_.back().push_back({shapes_[k].pieces[p].vertex[v], shapes_[k].pieces[p].radius,
                                           static_cast<std::uint32_t>(p << 16 | v)});
        for (const Piece& piece : shapes_[k].pieces) clump_.back().push_back({piece.vertex[0], piece.radius});
        const std::vector<Corner>& corners = corners_.back();
        const double near = weights_reach * shapes_[k].reach * (1 + 1e-9);
        is_crowded_.push_back(0);
        for (std::size_t a = 0; a < corners.size() && !is_crowded_.back(); ++a)
            for (std::size_t b = 0; b < a && !is_crowded_.back(); ++b)
                is_crowded_.back() = norm2(corners[a].x - corners[b].x) < near * near;
    }
    ball_first_.resize(n + 1, 0);
    for (std::size_t g = first; g < n; ++g)
        ball_first_[g + 1] =
            ball_first_[g] +
            (is_clump_[grains.shape[g]] ? static_cast<std::uint32_t>(shapes_[grains.shape[g]].pieces.size()) : 0);
    balls_.resize(ball_first_[n]);
    parallel_for(
        n - first,
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = first + begin; g < first + end; ++g) {
                const Shape& shape = shapes_[grains.shape[g]];
                const double s = grains.scale[g], per = grains.row[g].inverse_mass * shape.volume / (s * s);
                rotation_[g] = matrix_of(grains.orientation[g]);
                inverse_inertia_[g] = {per / shape.inertia.x, per / shape.inertia.y, per / shape.inertia.z};
                const double moment = inverse_inertia_[g].x;
                const SymmetricSix j = all_even_ ? SymmetricSix{moment, moment, moment}
                                                 : turned_inverse_inertia(rotation_[g], inverse_inertia_[g]);
                inertia_[g] = {j.xx, j.yy, j.zz, j.xy, j.xz, j.yz};
                omega_[g] = {grains.row[g].inverse_mass > 0 ? omega_of(grains, g) : Vec3{}, moment};
                place_balls(grains, g);
            }
        },
        motion_chunk);
}

void ShapedContacts::place_balls(const Grains& grains, std::size_t g) {
    if (!is_clump_[grains.shape[g]]) return;
    const auto& balls = clump_[grains.shape[g]];
    kernel_.place(rotation_[g], grains.scale[g], balls.data(), balls.size(), balls_.data() + ball_first_[g]);
}

MovingBodies ShapedContacts::moving(Grains& grains, double time_step) {
    return {time_step,
            all_even_,
            grains.row.data(),
            grains.acceleration.data(),
            grains.momentum.data(),
            grains.orientation.data(),
            grains.spin.data(),
            inverse_inertia_.data(),
            rotation_.data(),
            inertia_.data(),
            omega_.data()};
}

void ShapedContacts::kick_some(Grains& grains, const MotionParameters& p, std::size_t begin, std::size_t end,
                               KickPowers& powers) {
    kernel_.kick(moving(grains, p.time_step),
                 {force_.data(), p.gravity, p.damping, p.rotation_damping, p.integrator == Integrator::verlet}, begin,
                 end, powers);
}

void ShapedContacts::spin(Grains& grains) {
    parallel_for(
        grains.size(),
        [&](std::size_t begin, std::size_t end) {
            for (std::size_t g = begin; g < end; ++g) {
                if (grains.row[g].inverse_mass == 0) continue;
                omega_[g].w = omega_of(grains, g);
                const Vec3 rim = grains.row[g].radius * omega_[g].w;
                grains.spin[g].x = rim.x;
                grains.spin[g].y = rim.y;
                grains.spin[g].z = rim.z;
            }
        },
        motion_chunk);
}

void ShapedContacts::move_some(Grains& grains, const MotionParameters& p, std::size_t begin, std::size_t end) {
    constexpr std::size_t W = TurnLanes::W;
    TurnLanes batch;
    const MovingBodies bodies = moving(grains, p.time_step);
    const Periodicity& periods = p.periodicity;
    const bool borders = periods.length != Vec3{};
    for (std::size_t first = begin; first < end; first += W) {
        const std::size_t count = std::min(W, end - first);
        if (count < W) batch = {};
        kernel_.move(bodies, first, count, batch);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t g = first + k;
            GrainRow& row = grains.row[g];
            if (row.inverse_mass == 0) continue;
            for (int axis = 0; axis < 3 && borders; ++axis) {
                const double length = periods.length[axis], low = periods.low[axis];
                if (length == 0) continue;
                double& x = axis == 0 ? row.x : axis == 1 ? row.y : row.z;
                if (x >= low + length) {
                    x -= length;
                    ++grains.images[g].count[static_cast<std::size_t>(axis)];
                } else if (x < low) {
                    x += length;
                    --grains.images[g].count[static_cast<std::size_t>(axis)];
                }
            }
            place_balls(grains, g);
            odometer_[g].add(batch.motion[k]);
        }
    }
}

KickPowers ShapedContacts::kick(Grains& grains, const MotionParameters& p) {
    return add_powers(grains.size(), [&](std::size_t begin, std::size_t end, KickPowers& powers) {
        kick_some(grains, p, begin, end, powers);
    });
}

void ShapedContacts::move(Grains& grains, const MotionParameters& p) {
    parallel_for(
        grains.size(), [&](std::size_t begin, std::size_t end) { move_some(grains, p, begin, end); }, motion_chunk);
}

// A few grains at a time, which then are still at hand for the move.
KickPowers ShapedContacts::kick_and_move(Grains& grains, const MotionParameters& p) {
    return add_powers(grains.size(), [&](std::size_t begin, std::size_t end, KickPowers& powers) {
        for (std::size_t first = begin; first < end; first += TurnLanes::W) {
            const std::size_t last = std::min(end, first + TurnLanes::W);
            kick_some(grains, p, first, last, powers);
            move_some(grains, p, first, last);
        }
    });
}

double ShapedContacts::rotational_energy(const Grains& grains, std::size_t g) const {
    return 0.5 * dot(grains.momentum[g], omega_[g].w);
}

}  // namespace scree
