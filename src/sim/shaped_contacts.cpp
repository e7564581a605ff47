// Forces between bodies, and between bodies and walls: geometry, law and gather. See shaped.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "sim/rim_points.h"
#include "sim/shaped.h"

namespace scree {
namespace {

constexpr std::size_t shaped_chunk = 64;  // grains per task
constexpr double same_side = 0.9;         // cosine: normals of a wall up to this apart belong to one patch

}  // namespace

std::int32_t ShapedContacts::take_slot(Pool& pool, std::size_t stride) {
    if (!pool.free.empty()) {
        const std::int32_t slot = pool.free.back();
        pool.free.pop_back();
        return slot;
    }
    const std::size_t slot = pool.numbers.size() / stride;
    pool.numbers.resize(pool.numbers.size() + stride, 0.0);
    return static_cast<std::int32_t>(slot);
}

ShapedContacts::Remembered ShapedContacts::remembered(const Chunk& chunk, const PiecePair& pair) const {
    if (pair.balls) return {1, &ball_key, chunk.ball_pool.numbers.data() + static_cast<std::size_t>(pair.slot) * static_cast<std::size_t>(width_)};
    const double* const old = chunk.pool.numbers.data() + static_cast<std::size_t>(pair.slot) * stride();
    return {static_cast<int>(old[0]), old + 1, old + 1 + Patch::most};
}

// The points of a patch as the law sees them, in coordinates about the center of body a.
int ShapedContacts::pair_points(const Grains& grains, const PiecePair& pair, const Patch& patch, Vec3 offset, LawPoint* out) const {
    const std::size_t a = pair.i_is_a ? pair.i : pair.j, b = pair.i_is_a ? pair.j : pair.i;
    const double ra = shapes_[grains.shape[a]].pieces[pair.pa].radius * grains.scale[a], rb = shapes_[grains.shape[b]].pieces[pair.pb].radius * grains.scale[b];
    const Vec3 v = grains.velocity(a) - grains.velocity(b);
    for (int k = 0; k < patch.count; ++k) {
        const PatchPoint& p = patch.point[k];
        LawPoint& q = out[k];
        // Between the surfaces, in proportion of the radii.
        q.point = p.a - (p.gap * ra / (ra + rb)) * p.normal;
        q.normal = p.normal;
        q.velocity = v + cross(omega_[a], q.point) - cross(omega_[b], q.point - offset);
        q.overlap = ra + rb - p.gap;
        q.weight = p.weight;
        q.inverse_radius = 1 / ra + 1 / rb;
        q.fresh = true;
        q.elastic = 0;
    }
    return patch.count;
}

bool ShapedContacts::collide_pair(const Grains& grains, std::size_t at, Chunk& chunk, PairForce& out) {
    PiecePair& pair = pairs_[at];
    double& mark = marks_[at];
    const std::size_t a = pair.i_is_a ? pair.i : pair.j, b = pair.i_is_a ? pair.j : pair.i;
    const double travelled = odometer_[a].travelled + odometer_[b].travelled;
    const bool touched = pair.slot >= 0;
    const Shape &shape_a = shapes_[grains.shape[a]], &shape_b = shapes_[grains.shape[b]];
    const Piece &piece_a = shape_a.pieces[pair.pa], &piece_b = shape_b.pieces[pair.pb];
    const Vec3 offset = periodicity_.nearest(grains.position(b) - grains.position(a));
    const double radius_a = piece_a.radius * grains.scale[a], radius_b = piece_b.radius * grains.scale[b], radii = radius_a + radius_b;
    thread_local Patch patch;
    const Pose pose_a = pose(grains, a, {}), pose_b = pose(grains, b, offset);
    if (!touched) {
        const double slack = 1e-12 * (travelled + grains.row[a].radius + grains.row[b].radius);
        const double apart = norm(pose_b(piece_b.middle) - pose_a(piece_a.middle)) - piece_a.reach * pose_a.scale - piece_b.reach * pose_b.scale;
        if (apart - slack > law_reach_) {
            mark = apart + travelled;
            ++chunk.saved;
            return false;
        }
    }
    find_patch(piece_a, pose_a, piece_b, pose_b, radii + law_reach_, dimension_, pair.feature, patch);
    ++(patch.searched ? chunk.made : chunk.saved);
    if (patch.overlap && chunk.sunk.empty()) chunk.sunk = fmt::format("grains {} and {}", grains.id[a], grains.id[b]);
    if (patch.count == 0) {
        if (touched) {
            chunk.pool.free.push_back(pair.slot);
            pair.slot = -1;
        }
        pair.feature = 0;
        mark = patch.distance - radii + travelled;
        return false;
    }
    mark = -std::numeric_limits<double>::infinity();
    thread_local LawPoint points[Patch::most];
    double memory[Patch::most * 12];
    const int count = pair_points(grains, pair, patch, offset, points);
    const auto width = static_cast<std::size_t>(width_);
    double mean[12] = {};
    if (!touched) pair.slot = take_slot(chunk.pool, stride());
    double* const old = chunk.pool.numbers.data() + static_cast<std::size_t>(pair.slot) * stride();
    const int old_count = touched ? static_cast<int>(old[0]) : 0;
    double* const keys = old + 1;
    double* const kept = old + 1 + Patch::most;
    for (int k = 0; k < old_count; ++k)
        for (std::size_t m = 0; m < width; ++m) mean[m] += kept[static_cast<std::size_t>(k) * width + m] / old_count;
    for (int k = 0; k < count; ++k) {
        LawPoint& p = points[k];
        p.memory = memory + static_cast<std::size_t>(k) * width;
        int found = -1;
        for (int q = 0; q < old_count && found < 0; ++q)
            if (keys[q] == static_cast<double>(patch.point[k].key)) found = q;
        const bool inherits = found < 0 && old_count > 0 && !(p.overlap < -dot(p.velocity, p.normal) * time_step_);
        p.fresh = found < 0 && !inherits;
        for (std::size_t m = 0; m < width; ++m) p.memory[m] = found >= 0 ? kept[static_cast<std::size_t>(found) * width + m] : inherits ? mean[m] : 0.0;
    }
    Sum sum;
    const double inverse_mass = grains.row[a].inverse_mass + grains.row[b].inverse_mass;
    (this->*law_)(points, count, inverse_mass, pair.type, omega_[a] - omega_[b], time_step_, false, sum);
    old[0] = count;
    for (int k = 0; k < count; ++k) keys[k] = static_cast<double>(patch.point[k].key);
    std::copy(memory, memory + static_cast<std::size_t>(count) * width, kept);
    const Vec3 torque_a = sum.moment + sum.couple, torque_b = -(sum.moment - cross(offset, sum.force)) - sum.couple;
    out.force += pair.i_is_a ? sum.force : -sum.force;
    out.torque_i += pair.i_is_a ? torque_a : torque_b;
    out.torque_j += pair.i_is_a ? torque_b : torque_a;
    out.power += sum.power, out.sliding += sum.sliding;
    ++chunk.contacts;
    chunk.max_overlap = std::fmax(chunk.max_overlap, (radii - patch.distance) / std::fmin(radius_a, radius_b));
    return true;
}

// With `visit` or `elastic`: looks only, and tells of every contact.
void ShapedContacts::collide_walls(const Grains& grains, const Walls& walls, GrainWalls& near, Chunk& chunk, ForceRow& out, double dt,
                                   const std::function<void(const ContactView&)>* visit, double* elastic) const {
    const bool look = visit != nullptr || elastic != nullptr;
    const std::size_t g = near.grain;
    const Shape& shape = shapes_[grains.shape[g]];
    const Vec3 x = grains.position(g), v = grains.velocity(g);
    const double s = grains.scale[g], travelled = odometer_[g].travelled;
    const bool resting = near.points.empty();
    if (!look && resting && near.mark - travelled - 1e-12 * (travelled + grains.row[g].radius) > law_reach_) return;
    struct Touch {
        WallContact contact;
        std::uint32_t key;
        double radius, weight;
        int group;
    };
    thread_local WallTouch touch;
    thread_local std::vector<Touch> touches;
    touches.clear();
    bool moving = false;
    for (const WallFeature& f : near.near) moving = moving || wall_moves_[static_cast<std::size_t>(f.wall)];
    const double passed = law_reach_ + travelled + 1e-12 * (travelled + grains.row[g].radius), beyond = law_reach_ + skin_;
    double nearest = forever;
    std::size_t corner = 0;
    for (std::size_t p = 0; p < shape.pieces.size(); ++p) {
        const Piece& piece = shape.pieces[p];
        const double radius = piece.radius * s;
        for (std::size_t k = 0; k < piece.vertex.size(); ++k, ++corner) {
            double mark = near.marks[corner];
            if (!(mark > passed)) {
                double gap = beyond;
                walls.set.contacts(walls.placements, x + rotation_[g] * (s * piece.vertex[k]), radius, near.near, touch, beyond);
                for (const WallContact& contact : touch.contacts) {
                    gap = std::fmin(gap, contact.distance - radius);
                    if (contact.distance - radius < law_reach_) touches.push_back({contact, static_cast<std::uint32_t>(p << 16 | k), radius, 1, -1});
                }
                mark = moving ? -std::numeric_limits<double>::infinity() : gap + travelled;
                if (!look) near.marks[corner] = mark;
            }
            nearest = std::fmin(nearest, mark);
        }
    }
    // Edges and sides over what sticks out of a wall.
    thread_local std::vector<ConvexPart> parts;
    thread_local std::vector<Vec3> corners;
    thread_local std::vector<RimPoint> offered;
    for (const WallFeature& f : near.near) {
        const auto w = static_cast<std::size_t>(f.wall);
        const WallPlacement& placement = walls.placements[w];
        const Surface& surface = walls.set.surface(w, placement);
        if (!surface.has_convex_parts() || placement.open || is_clump_[grains.shape[g]]) continue;
        parts.clear();
        surface.convex_parts(f.feature, parts);
        const Vec3 center = placement.to_wall(x);
        for (const ConvexPart& part : parts) {
            if (!is_near(surface, part, center, grains.row[g].radius + beyond)) continue;
            nearest = -std::numeric_limits<double>::infinity();  // corners do not tell how far the wall is
            for (std::size_t p = 0; p < shape.pieces.size(); ++p) {
                const Piece& piece = shape.pieces[p];
                const double radius = piece.radius * s;
                if (piece.dimension == 0) continue;
                corners.clear(), offered.clear();
                for (const Vec3 tip : piece.vertex) corners.push_back(placement.to_wall(x + rotation_[g] * (s * tip)));
                rim_points(piece, corners, surface, part, radius + law_reach_, offered);
                for (const RimPoint& rim : offered) {
                    walls.set.contacts(walls.placements, placement.to_world(rim.point), radius, near.near, touch, law_reach_);
                    for (const WallContact& contact : touch.contacts)
                        if (contact.at.wall == f.wall && (rim.feature < 0 || contact.at.feature == rim.feature) && contact.distance - radius < law_reach_)
                            touches.push_back({contact, rim.key ^ static_cast<std::uint32_t>(p << 8), radius, rim.weight, -1});
                }
            }
        }
    }
    if (!look) near.mark = nearest;
    if (touches.empty() && near.points.empty()) return;
    const auto width = static_cast<std::size_t>(width_);
    thread_local std::vector<double> fresh_memory;
    fresh_memory.assign(touches.size() * width, 0.0);
    thread_local std::vector<LawPoint> points;
    thread_local std::vector<PatchPoint> weights;
    thread_local std::vector<std::size_t> members;
    int groups = 0;
    for (std::size_t t = 0; t < touches.size(); ++t) {
        if (touches[t].group >= 0) continue;
        // One patch: what lies on one side of one wall.
        points.clear(), weights.clear(), members.clear();
        const WallContact& first = touches[t].contact;
        double mean[12] = {};
        int remembered = 0;
        for (std::size_t q = 0; q < near.points.size(); ++q)
            if (near.points[q].wall == first.at.wall) {
                ++remembered;
                for (std::size_t m = 0; m < width; ++m) mean[m] += near.memory[q * width + m];
            }
        for (std::size_t u = t; u < touches.size() && members.size() < 60; ++u) {
            const WallContact& c = touches[u].contact;
            if (touches[u].group >= 0 || c.at.wall != first.at.wall || dot(c.normal, first.normal) < same_side) continue;
            touches[u].group = groups;
            members.push_back(u);
            LawPoint p{};
            p.point = c.foot - x;
            p.normal = c.normal;
            p.velocity = v + cross(omega_[g], p.point) - c.velocity;
            p.overlap = touches[u].radius - c.distance;
            p.inverse_radius = 1 / touches[u].radius + c.curvature;
            p.memory = fresh_memory.data() + u * width;
            // The same corner on the same feature; else the same corner on another feature of the wall.
            std::ptrdiff_t found = -1;
            for (std::size_t q = 0; q < near.points.size(); ++q) {
                if (near.points[q].wall != c.at.wall || near.points[q].key != touches[u].key) continue;
                if (found < 0 || near.points[q].feature == c.at.feature) found = static_cast<std::ptrdiff_t>(q);
            }
            const bool inherits = found < 0 && remembered > 0 && !(p.overlap < -dot(p.velocity, p.normal) * time_step_);
            p.fresh = found < 0 && !inherits;
            for (std::size_t m = 0; m < width; ++m) p.memory[m] = found >= 0 ? near.memory[static_cast<std::size_t>(found) * width + m] : inherits ? mean[m] / remembered : 0.0;
            points.push_back(p);
            weights.push_back({p.point, p.point, p.normal, c.distance, touches[u].weight, 0});
            if (!look) chunk.max_overlap = std::fmax(chunk.max_overlap, p.overlap / touches[u].radius);
        }
        ++groups;
        if (points.size() > 1) share_weights(weights.data(), static_cast<int>(points.size()), 0.5 * shape.reach * s);
        for (std::size_t k = 0; k < points.size(); ++k) points[k].weight = weights[k].weight;
        Sum sum;
        const auto wall = static_cast<std::size_t>(first.at.wall);
        const std::uint16_t type = materials_.type(grains.material[g], wall_materials_[wall]);
        (this->*law_)(points.data(), static_cast<int>(points.size()), grains.row[g].inverse_mass, type, omega_[g], dt, look, sum);
        for (std::size_t k = 0; k < points.size() && look; ++k) {
            if (elastic) *elastic += points[k].elastic;
            if (!visit) continue;
            ContactView view{};
            view.a = grains.id[g], view.wall = first.at.wall, view.feature = touches[members[k]].contact.at.feature;
            view.overlap = points[k].overlap, view.point = x + points[k].point, view.normal = points[k].normal, view.force = points[k].force;
            view.elastic_energy = points[k].elastic;
            (*visit)(view);
        }
        if (look) continue;
        out.fx += sum.force.x, out.fy += sum.force.y, out.fz += sum.force.z, out.power += sum.power;
        const Vec3 torque = sum.moment + sum.couple;
        out.tx += torque.x, out.ty += torque.y, out.tz += torque.z, out.sliding += sum.sliding;
        WallLoad& load = chunk.loads[wall];
        load.force -= sum.force;
        const Vec3 reference = walls.set.reference_point(wall, walls.placements[wall]);
        for (std::size_t k = 0; k < points.size(); ++k) {
            load.torque -= cross(x + points[k].point - reference, points[k].force);
            load.power += dot(points[k].force, touches[members[k]].contact.velocity);
        }
    }
    if (look) return;
    near.points.clear();
    for (const Touch& each : touches) near.points.push_back({each.contact.at.wall, each.contact.at.feature, each.key});
    near.memory.assign(fresh_memory.begin(), fresh_memory.end());
    chunk.contacts += walls_touched(near);
}

// A body and a wall are one contact, however many points they share.
std::size_t ShapedContacts::walls_touched(const GrainWalls& near) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < near.points.size(); ++k) {
        bool known = false;
        for (std::size_t q = 0; q < k; ++q) known = known || near.points[q].wall == near.points[k].wall;
        count += !known;
    }
    return count;
}

ShapedContacts::BondSum ShapedContacts::pull(const Grains& grains, std::size_t g, const GrainBond& bond) const {
    BondSum sum;
    const Vec3 d = periodicity_.nearest(grains.position(g) - grains.position(bond.partner));
    sum.distance = norm(d);
    sum.normal = d / sum.distance;
    const double approach = -dot(grains.velocity(g) - grains.velocity(bond.partner), sum.normal);
    const BondForce f = bond_force(*bond.glue, sum.distance, bond.rest);
    const double repulsion = f.repulsion + bond.damping * approach;
    sum.force = repulsion * sum.normal;
    sum.energy = f.energy;
    sum.power = repulsion * approach;
    return sum;
}

void ShapedContacts::collide(const Grains& grains, const Walls& walls) {
    force_.resize(grains.size());
    run_tasks(chunks_.size(), [&](std::size_t c, int) {
        Chunk& chunk = chunks_[c];
        chunk.max_overlap = 0, chunk.contacts = 0, chunk.sunk.clear();
        chunk.loads.assign(walls.size(), {});
        thread_local BallBatch batch;
        for (std::size_t b = chunk.first_body; b < chunk.end_body; ++b) {
            const BodyPair& body = bodies_[b];
            if (pairs_[body.first].balls) {
                gather_balls(grains, b, chunk, batch);
                continue;
            }
            const double travelled = odometer_[body.i].travelled + odometer_[body.j].travelled;
            const double passed = law_reach_ + travelled + 1e-12 * (travelled + grains.row[body.i].radius + grains.row[body.j].radius);
            bool touch = false;
            for (std::size_t p = body.first; p < body.end; ++p) {
                if (marks_[p] > passed) {
                    ++chunk.saved;
                    continue;
                }
                if (!touch) forces_[b] = {};
                touch |= collide_pair(grains, p, chunk, forces_[b]);
            }
            touching_[b] = touch;
        }
        flush_balls(chunk, batch);
        chunk.wall_force.assign(chunk.walls.size(), {});
        for (std::size_t k = 0; k < chunk.walls.size(); ++k) collide_walls(grains, walls, chunk.walls[k], chunk, chunk.wall_force[k], time_step_, nullptr, nullptr);
    });
    run_tasks(chunks_.size(), [&](std::size_t c, int) {
        const std::size_t end = std::min(grains.size(), (c + 1) * shaped_chunk);
        std::size_t wall = 0;
        for (std::size_t g = c * shaped_chunk; g < end; ++g) {
            ForceRow row{};
            const auto add = [&](Vec3 f, Vec3 t) { row.fx += f.x, row.fy += f.y, row.fz += f.z, row.tx += t.x, row.ty += t.y, row.tz += t.z; };
            for (std::uint32_t k = incoming_first_[g]; k < incoming_first_[g + 1]; ++k)
                if (const std::uint32_t p = incoming_[k]; touching_[p]) add(-forces_[p].force, forces_[p].torque_j);
            for (std::uint32_t p = own_first_[g]; p < own_first_[g + 1]; ++p) {
                if (!touching_[p]) continue;
                add(forces_[p].force, forces_[p].torque_i);
                row.power += forces_[p].power, row.sliding += forces_[p].sliding;
            }
            if (wall < chunks_[c].walls.size() && chunks_[c].walls[wall].grain == g) {
                const ForceRow& f = chunks_[c].wall_force[wall++];
                add({f.fx, f.fy, f.fz}, {f.tx, f.ty, f.tz});
                row.power += f.power, row.sliding += f.sliding;
            }
            for (std::uint32_t k = bond_first_.empty() ? 0 : bond_first_[g]; !bond_first_.empty() && k < bond_first_[g + 1]; ++k) {
                const BondSum bond = pull(grains, g, bonds_[k]);
                add(bond.force, {});
                if (grains.id[g] < grains.id[bonds_[k].partner]) row.power += bond.power;
            }
            force_[g] = row;
        }
    });
    max_overlap_ = 0, contact_count_ = 0, made_ = saved_ = 0;
    sunk_.clear();
    loads_.assign(walls.size(), {});
    for (const Chunk& chunk : chunks_) {
        max_overlap_ = std::max(max_overlap_, chunk.max_overlap);
        contact_count_ += chunk.contacts;
        made_ += chunk.made, saved_ += chunk.saved;
        if (sunk_.empty()) sunk_ = chunk.sunk;
        for (std::size_t w = 0; w < walls.size(); ++w) {
            loads_[w].force += chunk.loads[w].force;
            loads_[w].torque += chunk.loads[w].torque;
            loads_[w].power += chunk.loads[w].power;
        }
    }
}

void ShapedContacts::look() {
    contact_count_ = 0;
    for (const Chunk& chunk : chunks_) {
        for (std::size_t p = chunk.first_pair; p < chunk.end_pair; ++p) contact_count_ += pairs_[p].slot >= 0;
        for (const GrainWalls& near : chunk.walls) contact_count_ += walls_touched(near);
    }
}

void ShapedContacts::each_view(const Grains& grains, const Walls& walls, const std::function<void(const ContactView&)>& visit) const {
    const auto width = static_cast<std::size_t>(width_);
    for (const Chunk& chunk : chunks_) {
        for (std::size_t at = chunk.first_pair; at < chunk.end_pair; ++at) {
            const PiecePair& pair = pairs_[at];
            if (pair.slot < 0) continue;
            const std::size_t a = pair.i_is_a ? pair.i : pair.j, b = pair.i_is_a ? pair.j : pair.i;
            const Piece &piece_a = shapes_[grains.shape[a]].pieces[pair.pa], &piece_b = shapes_[grains.shape[b]].pieces[pair.pb];
            const Vec3 offset = periodicity_.nearest(grains.position(b) - grains.position(a));
            const Pose pose_a = pose(grains, a, {}), pose_b = pose(grains, b, offset);
            double feature = pair.feature;
            Patch patch;
            if (pair.balls) ball_patch(pair, offset, patch);
            else find_patch(piece_a, pose_a, piece_b, pose_b, piece_a.radius * pose_a.scale + piece_b.radius * pose_b.scale + law_reach_, dimension_, feature, patch);
            LawPoint points[Patch::most];
            double memory[Patch::most * 12] = {};
            const int count = pair_points(grains, pair, patch, offset, points);
            const Remembered old = remembered(chunk, pair);
            for (int k = 0; k < count; ++k) {
                points[k].memory = memory + static_cast<std::size_t>(k) * width;
                for (int q = 0; q < old.count; ++q)
                    if (old.keys[q] == static_cast<double>(patch.point[k].key)) std::copy_n(old.numbers + static_cast<std::size_t>(q) * width, width, points[k].memory);
            }
            Sum sum;
            (this->*law_)(points, count, grains.row[a].inverse_mass + grains.row[b].inverse_mass, pair.type, omega_[a] - omega_[b], time_step_, true, sum);
            for (int k = 0; k < count; ++k) {
                ContactView view{};
                view.a = grains.id[a], view.b = grains.id[b];
                view.overlap = points[k].overlap, view.point = grains.position(a) + points[k].point, view.normal = points[k].normal;
                view.force = points[k].force, view.elastic_energy = points[k].elastic;
                visit(view);
            }
        }
        Chunk scratch;
        ForceRow unused{};
        for (const GrainWalls& near : chunk.walls) {
            GrainWalls copy = near;
            collide_walls(grains, walls, copy, scratch, unused, time_step_, &visit, nullptr);
        }
    }
    each_bond(grains, visit);
}

// Bonds are contacts too, that may pull.
void ShapedContacts::each_bond(const Grains& grains, const std::function<void(const ContactView&)>& visit) const {
    for (std::size_t g = 0; g + 1 < bond_first_.size(); ++g)
        for (std::uint32_t k = bond_first_[g]; k < bond_first_[g + 1]; ++k) {
            if (grains.id[g] > grains.id[bonds_[k].partner]) continue;
            const BondSum bond = pull(grains, g, bonds_[k]);
            ContactView view{};
            view.a = grains.id[g], view.b = grains.id[bonds_[k].partner];
            view.overlap = bonds_[k].rest - bond.distance;
            view.point = grains.position(g) - (0.5 * bond.distance) * bond.normal, view.normal = bond.normal;
            view.force = bond.force, view.elastic_energy = bond.energy;
            visit(view);
        }
}

double ShapedContacts::elastic_energy(const Grains& grains, const Walls& walls) const {
    double sum = 0;
    each_view(grains, walls, [&](const ContactView& view) { sum += view.elastic_energy; });
    return sum;
}

}  // namespace scree
