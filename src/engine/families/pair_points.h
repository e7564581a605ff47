// The points where two pieces touch, on their way to the law and to observers.
#pragma once

#include "engine/families/body_scene.h"
#include "world/contact_list.h"

namespace scree {

// One piece of each of two bodies. Body a is the one of the lower id, so that memory and its keys do not depend on
// storage order.
struct TwoPieces {
    Index a, b;  // storage
    std::uint16_t of_a, of_b;
};

// The points of a patch as the law sees them, in coordinates about the center of body a. Returns their number.
inline int pair_points(const BodyScene& scene, const Grains& grains, const TwoPieces& pair, const Patch& patch,
                       Vec3 offset, LawPoint* out) {
    const std::size_t a = pair.a, b = pair.b;
    const double ra = scene.piece(grains, a, pair.of_a).radius * grains.scale[a],
                 rb = scene.piece(grains, b, pair.of_b).radius * grains.scale[b];
    const Vec3 v = grains.velocity(a) - grains.velocity(b);
    for (int k = 0; k < patch.count; ++k) {
        const PatchPoint& p = patch.point[k];
        LawPoint& q = out[k];
        // Between the surfaces, in proportion of the radii.
        q.point = p.a - (p.gap * ra / (ra + rb)) * p.normal;
        q.normal = p.normal;
        q.velocity = v + cross(scene.bodies.omega[a].w, q.point) - cross(scene.bodies.omega[b].w, q.point - offset);
        q.overlap = ra + rb - p.gap;
        q.weight = p.weight;
        q.inverse_radius = 1 / ra + 1 / rb;
        q.fresh = true;
        q.elastic = 0;
    }
    return patch.count;
}

// A point of two bodies as observers see it; `share` of its force has been paid for.
inline ContactView view_of(const Grains& grains, const TwoPieces& pair, const LawPoint& point, double share) {
    ContactView view{};
    view.a = grains.id[pair.a];
    view.b = grains.id[pair.b];
    view.overlap = point.overlap;
    view.point = grains.position(pair.a) + point.point;
    view.normal = point.normal;
    view.force = share * point.force;
    view.elastic_energy = share * point.elastic;
    return view;
}

}  // namespace scree
