// What passes a surface: a plane, or the part of it within a radius.
//
// Two answers. The grains whose centers have crossed since the last look are counted by identity, along the straight
// line between both positions. And the mass flow of the moment is exact: the volume of a moving sphere beyond the plane
// grows by its cut area times the velocity across, so the flow needs no second moment. Other shapes turn through the
// plane too: there every part of the cut has its own velocity.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "measure/container.h"
#include "measure/grain_parts.h"
#include "measure/volumes.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr std::size_t head = 3, width = 4;  // memory: time, net grains, net mass, then id x y z of every grain

struct Surface {
    Vec3 point, normal;
    double radius;
    double side(Vec3 x) const { return dot(x - point, normal); }
    // +1, -1 or 0: which way the line crosses.
    int crossing(Vec3 from, Vec3 to) const {
        const double s0 = side(from), s1 = side(to);
        if ((s0 < 0) == (s1 < 0)) return 0;
        const Vec3 at = from + (s0 / (s0 - s1)) * (to - from);
        if (norm(at - point) > radius) return 0;
        return s1 >= 0 ? 1 : -1;
    }
    // Area cut out of a grain, as far as it lies within the radius; in 2D the length.
    double cut(Vec3 x, double r, int dimension) const {
        const double s = side(x);
        if (std::abs(s) >= r) return 0;
        const double p = std::sqrt((r - s) * (r + s)), off = norm(x - s * normal - point);
        if (dimension == 3) return radius < forever ? disc_disc(p, radius, off) : std::numbers::pi * p * p;
        return std::max(0.0, std::min(off + p, radius) - std::max(off - p, -radius));
    }
};

MeasureTable measure_flow(const Snapshot& s, const MeasureOptions& options, Memory& memory) {
    const auto point = options.vector("point");
    if (!point)
        throw Error(
            ErrorKind::bad_input,
            fmt::format("flow: say where, e.g. {}; normal (default: down) and radius (default: none) may follow",
                        options.with(s.dimension() == 2 ? "point = [0, 0.1]" : "point = [0, 0, 0.1]")));
    const Up up = up_of(*s.scene);
    Vec3 down;
    down[up.axis] = -up.sign;
    const Vec3 normal = options.vector("normal").value_or(down);
    if (!(norm(normal) > 0)) throw Error(ErrorKind::bad_input, "flow: normal must not be zero");
    const Surface surface{*point, normalized(normal), options.number("radius").value_or(forever)};

    const bool first = memory.size() < head;
    double net = first ? 0 : memory[1], mass = first ? 0 : memory[2], passed = 0, passed_mass = 0;
    std::size_t old = head;
    for (std::size_t k = 0; k < s.size() && !first; ++k) {
        while (old < memory.size() && memory[old] < s.id[k]) old += width;
        if (old >= memory.size() || memory[old] != s.id[k]) continue;
        const Vec3 before{memory[old + 1], memory[old + 2], memory[old + 3]},
            now = s.position[k], step = nearest_image(*s.scene, now - before);
        int crossing = surface.crossing(now - step, now);
        if (crossing == 0 && norm2(step - (now - before)) > 0)
            crossing = surface.crossing(before, before + step);  // across a periodic border
        passed += crossing;
        passed_mass += crossing * s.mass[k];
    }
    const double elapsed = first ? 0 : s.time - memory[0];
    net += passed;
    mass += passed_mass;
    double rate_now = 0;
    for (std::size_t k = 0; k < s.size(); ++k) {
        const double density = s.mass[k] / s.volume[k], away = surface.side(s.position[k]);
        if (s.is_round(k))
            rate_now +=
                density * surface.cut(s.position[k], s.radius[k], s.dimension()) * dot(s.velocity[k], surface.normal);
        else if (std::abs(away) < s.radius[k])
            each_of_cut(s, k, surface.normal, -away, [&](Vec3 velocity, Vec3 offset, double area) {
                if (norm(s.position[k] + offset - surface.point) <= surface.radius)
                    rate_now += density * area * dot(velocity, surface.normal);
            });
    }

    memory.assign({s.time, net, mass});
    memory.reserve(head + width * s.size());
    for (std::size_t k = 0; k < s.size(); ++k)
        memory.insert(memory.end(), {static_cast<double>(s.id[k]), s.position[k].x, s.position[k].y, s.position[k].z});
    return {{{"passed", ""}, {"mass", "kg"}, {"rate", "1/s"}, {"mass_rate", "kg/s"}, {"mass_rate_now", "kg/s"}},
            {{net, mass, elapsed > 0 ? passed / elapsed : NAN, elapsed > 0 ? passed_mass / elapsed : NAN, rate_now}}};
}

using Kind = MeasureOption::Kind;

constexpr MeasureOption flow_options[] = {
    {"point", Kind::vector, "m", "none: must be given", "A point of the surface, the middle with a radius."},
    {"normal", Kind::vector, "", "down", "Which way counts as forward."},
    {"radius", Kind::number, "m", "none", "Only what passes this near to the point counts.", true}};

}  // namespace

const MeasureKind flow_measure{
    .name = "flow", .doc = "what passes a surface", .options = flow_options, .take = measure_flow, .over_time = true};

}  // namespace scree
