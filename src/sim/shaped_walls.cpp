// Forces between bodies and walls. See shaped.h.
#include <cmath>
#include <limits>

#include "sim/shaped.h"

namespace scree {
namespace {

constexpr double same_side = 0.9;  // cosine: normals of a wall up to this apart belong to one patch
constexpr double at_once = -std::numeric_limits<double>::infinity();

double least(double a, double b) { return b < a ? b : a; }

}  // namespace

// Edges and sides over what sticks out of a wall.
void ShapedContacts::rim_touches(const Grains& grains, const Walls& walls, const GrainWalls& near, double beyond, double& nearest, WallScratch& scratch) const {
    const std::size_t g = near.grain;
    const Shape& shape = shapes_[grains.shape[g]];
    const Vec3 x = grains.position(g);
    const double s = grains.scale[g];
    for (const WallFeature& f : near.near) {
        const auto w = static_cast<std::size_t>(f.wall);
        const WallPlacement& placement = walls.placements[w];
        const Surface& surface = walls.set.surface(w, placement);
        if (!surface.has_convex_parts() || placement.open) continue;
        scratch.parts.clear();
        surface.convex_parts(f.feature, scratch.parts);
        const Vec3 center = placement.to_wall(x);
        for (const ConvexPart& part : scratch.parts) {
            if (!is_near(surface, part, center, grains.row[g].radius + beyond)) continue;
            nearest = at_once;  // corners do not tell how far the wall is
            for (std::size_t p = 0; p < shape.pieces.size(); ++p) {
                const Piece& piece = shape.pieces[p];
                const double radius = piece.radius * s;
                if (piece.dimension == 0) continue;
                scratch.corners.clear(), scratch.offered.clear();
                for (const Vec3 tip : piece.vertex) scratch.corners.push_back(placement.to_wall(x + rotation_[g] * (s * tip)));
                rim_points(piece, scratch.corners, surface, part, radius + law_reach_, scratch.offered);
                for (const RimPoint& rim : scratch.offered) {
                    walls.set.contacts(walls.placements, placement.to_world(rim.point), radius, near.near, scratch.touch, law_reach_);
                    for (const WallContact& contact : scratch.touch.contacts)
                        if (contact.at.wall == f.wall && (rim.feature < 0 || contact.at.feature == rim.feature) && contact.distance - radius < law_reach_)
                            scratch.touches.push_back({contact, rim.key ^ static_cast<std::uint32_t>(p << 8), radius, rim.weight, false});
                }
            }
        }
    }
}

// With `visit`: looks only, and tells of every contact.
void ShapedContacts::collide_walls(const Grains& grains, const Walls& walls, GrainWalls& near, Chunk& chunk, ForceRow& out, double dt, WallScratch& scratch,
                                   const std::function<void(const ContactView&)>* visit) const {
    const bool look = visit != nullptr;
    const std::size_t g = near.grain;
    const double travelled = odometer_[g].travelled, slack = 1e-12 * (travelled + grains.row[g].radius);
    if (!look && near.points.empty() && near.mark - travelled - slack > law_reach_) return;
    const std::vector<Corner>& corners = corners_[grains.shape[g]];
    const bool clump = is_clump_[grains.shape[g]];
    const Ball* const balls = clump ? balls_.data() + ball_first_[g] : nullptr;
    const Vec3 x = grains.position(g), v = grains.velocity(g);
    const double s = grains.scale[g], passed = law_reach_ + travelled + slack, beyond = law_reach_ + skin_;
    auto& touches = scratch.touches;
    touches.clear();
    double nearest = forever;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        double mark = near.marks[k];
        if (!(mark > passed)) {
            const double radius = corners[k].radius * s;
            double gap = beyond;
            walls.set.contacts(walls.placements, x + (clump ? balls[k].x : rotation_[g] * (s * corners[k].x)), radius, near.near, scratch.touch, beyond);
            for (const WallContact& contact : scratch.touch.contacts) {
                gap = least(gap, contact.distance - radius);
                if (contact.distance - radius < law_reach_) touches.push_back({contact, corners[k].key, radius, 1, false});
            }
            mark = near.moving ? at_once : gap + travelled;
            if (!look) near.marks[k] = mark;
        }
        nearest = least(nearest, mark);
    }
    if (!clump) rim_touches(grains, walls, near, beyond, nearest, scratch);
    if (!look) near.mark = nearest;
    if (touches.empty() && near.points.empty()) return;
    const auto width = static_cast<std::size_t>(width_);
    scratch.memory.resize(touches.size() * width);
    const double spread = 0.5 * shapes_[grains.shape[g]].reach * s;
    for (std::size_t t = 0; t < touches.size(); ++t) {
        if (touches[t].taken) continue;
        // One patch: what lies on one side of one wall.
        const WallContact& first = touches[t].contact;
        // What the points there were remember, on the mean; for points that are new under load.
        double mean[12];
        int remembered = -1;
        const auto recall = [&] {
            remembered = 0;
            for (double& m : mean) m = 0;
            for (std::size_t q = 0; q < near.points.size(); ++q)
                if (near.points[q].wall == first.at.wall) {
                    ++remembered;
                    for (std::size_t m = 0; m < width; ++m) mean[m] += near.memory[q * width + m];
                }
        };
        int count = 0;
        for (std::size_t u = t; u < touches.size() && count < static_cast<int>(WallScratch::most); ++u) {
            auto& touch = touches[u];
            const WallContact& c = touch.contact;
            if (touch.taken || c.at.wall != first.at.wall || dot(c.normal, first.normal) < same_side) continue;
            touch.taken = true;
            scratch.members[count] = u;
            LawPoint& p = scratch.points[count];
            p.point = c.foot - x;
            p.normal = c.normal;
            p.velocity = v + cross(omega_[g], p.point) - c.velocity;
            p.overlap = touch.radius - c.distance;
            p.inverse_radius = 1 / touch.radius + c.curvature;
            p.memory = scratch.memory.data() + u * width;
            p.force = {};
            p.force_share = p.elastic = 0;
            // The same corner on the same feature, mostly where it was; else the same corner on another feature of the wall.
            std::ptrdiff_t found = -1;
            const auto same = [&](std::size_t q) { return near.points[q].wall == c.at.wall && near.points[q].key == touch.key; };
            const bool at_place = u < near.points.size() && same(u) && near.points[u].feature == c.at.feature;
            if (at_place) found = static_cast<std::ptrdiff_t>(u);
            for (std::size_t q = 0; q < near.points.size() && !at_place; ++q)
                if (same(q) && (found < 0 || near.points[q].feature == c.at.feature)) found = static_cast<std::ptrdiff_t>(q);
            if (found < 0 && remembered < 0) recall();
            const bool inherits = found < 0 && remembered > 0 && !(p.overlap < -dot(p.velocity, p.normal) * time_step_);
            p.fresh = found < 0 && !inherits;
            for (std::size_t m = 0; m < width; ++m) p.memory[m] = found >= 0 ? near.memory[static_cast<std::size_t>(found) * width + m] : inherits ? mean[m] / remembered : 0.0;
            p.weight = touch.weight;
            scratch.weights[count] = {p.point, p.point, p.normal, c.distance, touch.weight, 0};
            if (const double ratio = p.overlap / touch.radius; !look && ratio > chunk.max_overlap) chunk.max_overlap = ratio;
            ++count;
        }
        if (count > 1) {
            share_weights(scratch.weights, count, spread);
            for (int k = 0; k < count; ++k) scratch.points[k].weight = scratch.weights[k].weight;
        }
        Sum sum;
        const auto wall = static_cast<std::size_t>(first.at.wall);
        const std::uint16_t type = materials_.type(grains.material[g], wall_materials_[wall]);
        (this->*law_)(scratch.points, count, grains.row[g].inverse_mass, type, omega_[g], dt, look, sum);
        for (int k = 0; k < count && look; ++k) {
            const LawPoint& p = scratch.points[k];
            ContactView view{};
            view.a = grains.id[g], view.wall = first.at.wall, view.feature = touches[scratch.members[k]].contact.at.feature;
            view.overlap = p.overlap, view.point = x + p.point, view.normal = p.normal, view.force = p.force;
            view.elastic_energy = p.elastic;
            (*visit)(view);
        }
        if (look) continue;
        out.fx += sum.force.x, out.fy += sum.force.y, out.fz += sum.force.z, out.power += sum.power;
        const Vec3 torque = sum.moment + sum.couple;
        out.tx += torque.x, out.ty += torque.y, out.tz += torque.z, out.sliding += sum.sliding;
        WallLoad& load = chunk.loads[wall];
        load.force -= sum.force;
        for (int k = 0; k < count; ++k) {
            const LawPoint& p = scratch.points[k];
            load.torque -= cross(x + p.point - wall_center_[wall], p.force);
            load.power += dot(p.force, touches[scratch.members[k]].contact.velocity);
        }
    }
    if (look) return;
    near.points.resize(touches.size());
    for (std::size_t k = 0; k < touches.size(); ++k) near.points[k] = {touches[k].contact.at.wall, touches[k].contact.at.feature, touches[k].key};
    near.memory = scratch.memory;
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

}  // namespace scree
