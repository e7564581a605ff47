// Not speed but truth: spheres and spherotetrahedra shaken as Pournin 2005 chapter 7 has it, by a program that does as
// these publications describe it.
//
//   bench_mixing BED.csv --period LENGTH | --cylinder RADIUS [--seconds 20] [--acceleration 3] [--every 100]
//
// BED.csv is a settled bed that `scree export --format csv` wrote; the program prints the height of the
// spherotetrahedra over that of the spheres, a mean over each second. It shares no code with scree's step: contacts are
// looked for along the edges of the regular triangulation of one covering sphere per grain, brought up to date after
// every so many iterations (Ferrez 2001 sections 3.2 and 5.3) and not checked for completeness in between; two grains
// have one contact (Pournin 2005 section 4.2), a grain and a wall too; the law is the viscoelastic one with the
// coefficients as printed (Pournin 2005 eq. 2.11, 2.12, 2.21); Euler's scheme holds forces constant over steps of 2e-5
// s (Pournin 2005 chapter 2). --every 0 asks all pairs in each step instead.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "geometry/gjk.h"
#include "shape/rotation.h"
#include "triangulation/periodic.h"

namespace {

using namespace scree;

constexpr double pi = 3.14159265358979;
constexpr double edge = 0.355853e-3, tetrahedron_radius = 0.353757e-3, sphere_radius = 0.5e-3;
constexpr double corner_distance = 0.616 * tetrahedron_radius;
constexpr double mass = 1910 * pi / 6 * 1e-9,
                 gyration = 0.320872e-3;  // of the spherotetrahedron; both grains have the same volume
constexpr double gravity = 9.81, frequency = 30;
constexpr double contact_time = 6e-4, restitution = 0.4, tangential_restitution = 0.5, friction = 0.2, step = 2e-5;

struct Grain {
    bool tetrahedron;
    double radius, inertia;
    Vec3 position, velocity, spin, force, torque;
    Quaternion orientation;
    Vec3 corner[4];        // of the skeleton, from the center
    double travelled = 0;  // at most, by any point of it, beside the drift of all

    double reach() const { return radius + (tetrahedron ? corner_distance : 0); }
    int corners() const { return tetrahedron ? 4 : 1; }
    void place_corners() {
        if (!tetrahedron) return;
        const Mat3 turn = matrix_of(orientation);
        const double s = edge / std::sqrt(8.0);
        corner[0] = turn * Vec3{s, s, s}, corner[1] = turn * Vec3{s, -s, -s}, corner[2] = turn * Vec3{-s, s, -s},
        corner[3] = turn * Vec3{-s, -s, s};
    }
    Vec3 velocity_at(Vec3 arm) const { return velocity + cross(spin, arm); }
    void push(Vec3 at, Vec3 by) { force += by, torque += cross(at, by); }
};

struct Options {
    double period = 0, cylinder = 0, seconds = 20, acceleration = 3;
    long every = 100;
};

class Mixture {
  public:
    Mixture(std::vector<Grain> grains, const Options& options)
        : grains_(std::move(grains)),
          options_(options),
          triangulation_(3, {options.period, options.period, 0}, 5 * sphere_radius, false) {}

    // One iteration; the base swings as a sine.
    void advance() {
        const double amplitude = options_.acceleration * gravity / std::pow(2 * pi * frequency, 2),
                     phase = 2 * pi * frequency * static_cast<double>(iteration_) * step;
        find_pairs();
        for (Grain& grain : grains_) grain.force = {0, 0, -gravity * mass}, grain.torque = {};
        for (Pair& pair : pairs_) collide(pair);
        for (std::size_t i = 0; i < grains_.size(); ++i)
            touch_base(i, amplitude * std::sin(phase), 2 * pi * frequency * amplitude * std::cos(phase));
        for (std::size_t i = 0; i < grains_.size() && options_.cylinder > 0; ++i) touch_cylinder(i);
        Vec3 drift;
        for (const Grain& grain : grains_) drift += grain.velocity / static_cast<double>(grains_.size());
        for (Grain& grain : grains_)
            grain.travelled += step * (norm(grain.velocity - drift) + norm(grain.spin) * corner_distance +
                                       step * norm(grain.force) / mass),
                move(grain);
        ++iteration_;
    }

    double mean_height(bool tetrahedra) const {
        double sum = 0, count = 0;
        for (const Grain& grain : grains_)
            if (grain.tetrahedron == tetrahedra) sum += grain.position.z, ++count;
        return sum / count;
    }

  private:
    struct Pair {
        std::uint32_t i, j;
        double apart =
            0;  // a gap there was, and the way both had come then: they cannot touch before they have come as far again
    };
    struct Memory {
        Vec3 spring;
        long iteration = -2;  // when it last touched
    };

    Vec3 nearest(Vec3 d) const {
        for (int axis = 0; axis < 2 && options_.period > 0; ++axis)
            d[axis] -= options_.period * std::nearbyint(d[axis] / options_.period);
        return d;
    }

    void find_pairs() {
        if (iteration_ % (options_.every > 0 ? options_.every : 10) != 0) return;
        const bool first = iteration_ == 0;
        pairs_.clear();
        if (options_.every == 0) {  // all that could meet in ten iterations
            for (std::uint32_t i = 0; i < grains_.size(); ++i)
                for (std::uint32_t j = i + 1; j < grains_.size(); ++j)
                    if (norm(nearest(grains_[j].position - grains_[i].position)) <
                        grains_[i].reach() + grains_[j].reach() + 0.3e-3)
                        pairs_.push_back({i, j});
            return;
        }
        std::vector<tri::Row> rows;
        for (const Grain& grain : grains_)
            rows.push_back({grain.position.x, grain.position.y, grain.position.z, grain.reach() * grain.reach()});
        if (first)
            triangulation_.build(rows);
        else
            triangulation_.update(rows);
        for (const auto& found : triangulation_.edges()) {
            const auto i = static_cast<std::uint32_t>(found.i), j = static_cast<std::uint32_t>(found.j);
            if (i != j && (pairs_.empty() || pairs_.back().i != i || pairs_.back().j != j)) pairs_.push_back({i, j});
        }
    }

    void collide(Pair& pair) {
        Grain &a = grains_[pair.i], &b = grains_[pair.j];
        const double travelled = a.travelled + b.travelled;
        if (pair.apart > travelled) return;
        const Vec3 offset = nearest(b.position - a.position);
        if (const double gap = norm(offset) - a.reach() - b.reach(); gap > 0) return void(pair.apart = travelled + gap);
        Vec3 on_a, on_b = offset;  // closest points of the skeletons, from the center of a
        if (a.tetrahedron || b.tetrahedron) {
            const auto body = [](const Grain& g, Vec3 at) {
                return SimplexBody<4>(at + g.corner[0], at + g.corner[1], at + g.corner[2], at + g.corner[3]);
            };
            const Distance d = !a.tetrahedron  ? distance(SimplexBody<1>(Vec3{}), body(b, offset))
                               : b.tetrahedron ? distance(body(a, {}), body(b, offset))
                                               : distance(body(a, {}), SimplexBody<1>(offset));
            if (d.skeletons_overlap) return;
            on_a = d.point_a, on_b = d.point_b;
        }
        const Vec3 between = on_b - on_a;
        const double apart = norm(between), overlap = a.radius + b.radius - apart;
        if (!(overlap > 0)) return void(pair.apart = travelled - overlap);
        const Vec3 normal = between / apart;
        const Vec3 at_a = on_a + (apart / 2 - (b.radius * b.radius - a.radius * a.radius) / (2 * apart)) * normal,
                   at_b = at_a - offset;
        const double answer = 2 / mass + a.radius * a.radius / a.inertia + b.radius * b.radius / b.inertia;
        const Vec3 push = law(overlap, normal, b.velocity_at(at_b) - a.velocity_at(at_a), mass / 2, answer,
                              memory_[(std::uint64_t{pair.i} << 32) | pair.j]);
        a.push(at_a, -push), b.push(at_b, push);
    }

    void touch_base(std::size_t i, double height, double speed) {
        Grain& grain = grains_[i];
        Vec3 lowest = grain.corner[0];
        for (int k = 1; k < grain.corners(); ++k)
            if (grain.corner[k].z < lowest.z) lowest = grain.corner[k];
        touch_wall(grain, lowest, {0, 0, -1}, grain.radius - (grain.position.z + lowest.z - height), {0, 0, speed},
                   base_memory_[i]);
    }

    void touch_cylinder(std::size_t i) {
        Grain& grain = grains_[i];
        Vec3 outmost = grain.corner[0];
        const auto radial = [&](Vec3 corner) {
            return std::hypot(grain.position.x + corner.x, grain.position.y + corner.y);
        };
        for (int k = 1; k < grain.corners(); ++k)
            if (radial(grain.corner[k]) > radial(outmost)) outmost = grain.corner[k];
        const double from_axis = radial(outmost);
        const Vec3 normal = {(grain.position.x + outmost.x) / from_axis, (grain.position.y + outmost.y) / from_axis, 0};
        touch_wall(grain, outmost, normal, from_axis + grain.radius - options_.cylinder, {}, side_memory_[i]);
    }

    // normal: into the wall.
    void touch_wall(Grain& grain, Vec3 corner, Vec3 normal, double overlap, Vec3 wall_velocity, Memory& memory) {
        if (!(overlap > 0)) return;
        const Vec3 at = corner + (grain.radius - overlap) * normal;
        grain.push(at, -law(overlap, normal, wall_velocity - grain.velocity_at(at), mass,
                            1 / mass + grain.radius * grain.radius / grain.inertia, memory));
    }

    // Force on b, whose velocity is relative to a; normal from a to b. mass: m_eff; answer: 1/m_eff and what spins add
    // to it.
    Vec3 law(double overlap, Vec3 normal, Vec3 velocity, double m_eff, double answer, Memory& memory) const {
        if (memory.iteration != iteration_ - 1) memory.spring = {};
        memory.iteration = iteration_;
        const double le = std::log(restitution), ls = std::log(tangential_restitution);
        const double k_n = m_eff / (contact_time * contact_time) * (pi * pi + le * le),
                     c_n = -2 * m_eff / contact_time * le;
        const double k_s = (pi * pi + ls * ls) / (contact_time * contact_time * answer),
                     c_s = -ls / (contact_time * answer);
        const double approach = -dot(velocity, normal), pressure = std::fmax(k_n * overlap + c_n * approach, 0);
        const Vec3 slip = velocity + approach * normal;
        memory.spring += slip * step - dot(memory.spring, normal) * normal;
        Vec3 drag = -(k_s * memory.spring + c_s * slip);
        if (const double size = norm(drag); size > friction * pressure) {
            drag *= friction * pressure / size;
            memory.spring = -1 / k_s * (drag + c_s * slip);
        }
        return pressure * normal + drag;
    }

    void move(Grain& grain) const {
        const Vec3 acceleration = grain.force / mass, turning = grain.torque / grain.inertia;
        grain.position += step * grain.velocity + (0.5 * step * step) * acceleration;
        grain.velocity += step * acceleration;
        for (int axis = 0; axis < 2 && options_.period > 0; ++axis)
            grain.position[axis] -= options_.period * std::floor(grain.position[axis] / options_.period);
        const Vec3 turn = step * grain.spin + (0.5 * step * step) * turning;
        grain.spin += step * turning;
        if (const double angle = norm(turn); grain.tetrahedron && angle > 0) {
            grain.orientation = normalized(turn_about(turn / angle, angle) * grain.orientation);
            grain.place_corners();
        }
    }

    std::vector<Grain> grains_;
    Options options_;
    tri::PeriodicTriangulation triangulation_;
    std::vector<Pair> pairs_;
    std::unordered_map<std::uint64_t, Memory> memory_;
    std::unordered_map<std::size_t, Memory> base_memory_, side_memory_;
    long iteration_ = 0;
};

std::vector<Grain> read_bed(const char* path) {
    std::ifstream file(path);
    std::string line, cell;
    std::vector<std::string> names;
    std::getline(file, line);
    for (std::istringstream head(line); std::getline(head, cell, ',');) names.push_back(cell);
    std::vector<Grain> grains;
    while (std::getline(file, line)) {
        std::unordered_map<std::string, std::string> row;
        std::istringstream cells(line);
        for (std::size_t k = 0; std::getline(cells, cell, ',') && k < names.size(); ++k) row[names[k]] = cell;
        const auto number = [&](const char* name) { return std::strtod(row[name].c_str(), nullptr); };
        Grain grain{};
        grain.tetrahedron = row["group"] == "tetrahedra";
        grain.radius = grain.tetrahedron ? tetrahedron_radius : sphere_radius;
        grain.inertia = mass * (grain.tetrahedron ? gyration * gyration : 0.4 * sphere_radius * sphere_radius);
        grain.position = {number("x"), number("y"), number("z")},
        grain.velocity = {number("vx"), number("vy"), number("vz")},
        grain.spin = {number("wx"), number("wy"), number("wz")};
        if (grain.tetrahedron) grain.orientation = {number("qw"), number("qx"), number("qy"), number("qz")};
        grain.place_corners();
        grains.push_back(grain);
    }
    return grains;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int k = 2; k + 1 < argc; k += 2) {
        const std::string name = argv[k];
        const double value = std::strtod(argv[k + 1], nullptr);
        if (name == "--period")
            options.period = value;
        else if (name == "--cylinder")
            options.cylinder = value;
        else if (name == "--seconds")
            options.seconds = value;
        else if (name == "--acceleration")
            options.acceleration = value;
        else if (name == "--every")
            options.every = std::lround(value);
        else
            argc = 0;
    }
    if (argc < 4 || argc % 2 || (options.period > 0) == (options.cylinder > 0)) {
        std::fprintf(stderr,
                     "usage: bench_mixing BED.csv --period LENGTH | --cylinder RADIUS [--seconds T] [--acceleration G] "
                     "[--every N]\n");
        return 2;
    }
    const std::vector<Grain> bed = read_bed(argv[1]);
    if (bed.empty()) {
        std::fprintf(stderr, "bench_mixing: no grains in %s\n", argv[1]);
        return 3;
    }
    Mixture mixture(bed, options);
    const long per_second = std::lround(1 / step);
    std::printf("seconds,ratio\n");
    for (int second = 1; second <= options.seconds; ++second) {
        double tetrahedra = 0, spheres = 0;
        for (long k = 0; k < per_second; ++k)
            mixture.advance(), tetrahedra += mixture.mean_height(true), spheres += mixture.mean_height(false);
        std::printf("%d,%.3f\n", second, tetrahedra / spheres);
        std::fflush(stdout);
    }
}
