#include "golden_scenes.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace scree::scenes {
namespace {

// ---- Shapes ---------------------------------------------------------------------------------------------------------

GrainShape shape_of(const char* name, ShapeKind kind, double radius, double length = 0, Solid solid = Solid::none) {
    GrainShape shape;
    shape.name = name;
    shape.kind = kind;
    shape.radius = radius;
    shape.length = length;
    shape.solid = solid;
    return shape;
}

GrainShape rod(double length = 6e-3) { return shape_of("rod", ShapeKind::spherocylinder, 2e-3, length); }
GrainShape plate() { return shape_of("plate", ShapeKind::spherotriangle, 1.5e-3, 5e-3); }
GrainShape tetrahedron() { return shape_of("tetrahedron", ShapeKind::spherotetrahedron, 1e-3, 6e-3); }

GrainShape solid(const char* name, Solid kind, double edge, double radius) {
    GrainShape shape = shape_of(name, ShapeKind::spheropolyhedron, radius, edge, kind);
    shape.erode = true;
    return shape;
}
GrainShape cube(double edge = 8e-3) { return solid("cube", Solid::cube, edge, 0.1 * edge); }

GrainShape block(const char* name, Vec3 half, double radius) {
    GrainShape shape = shape_of(name, ShapeKind::spheropolyhedron, radius);
    for (int k = 0; k < 8; ++k)
        shape.vertices.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return shape;
}

// Corners so near to each other that those that touch share weights.
GrainShape coin() {
    GrainShape shape = shape_of("coin", ShapeKind::spheropolyhedron, 8e-4);
    constexpr int corners = 16;
    for (const double side : {-1e-3, 1e-3})
        for (int k = 0; k < corners; ++k)
            shape.vertices.push_back(
                {4e-3 * same_cos(2 * pi * k / corners), 4e-3 * same_sin(2 * pi * k / corners), side});
    return shape;
}

GrainShape polygon(const char* name, std::vector<Vec3> vertices, double radius) {
    GrainShape shape = shape_of(name, ShapeKind::spheropolyhedron, radius);
    shape.vertices = std::move(vertices);
    return shape;
}

GrainShape cluster(const char* name, std::vector<std::array<double, 4>> spheres) {
    GrainShape shape = shape_of(name, ShapeKind::cluster, 0);
    shape.spheres = std::move(spheres);
    return shape;
}
GrainShape clump() { return cluster("clump", {{0, 0, 0, 2e-3}, {3e-3, 0, 0, 1.5e-3}, {0, 2.5e-3, 1e-3, 2e-3}}); }
GrainShape necklace() {
    return cluster("necklace", {{-4.5e-3, 0, 0, 1.5e-3},
                                {-1.5e-3, 1e-3, 0, 2e-3},
                                {1.5e-3, 0, 1e-3, 2e-3},
                                {4.5e-3, 0, 0, 1.5e-3},
                                {6e-3, 2e-3, 0, 1e-3}});
}

GrainShape joined(const char* name, std::vector<ShapePart> parts) {
    GrainShape shape = shape_of(name, ShapeKind::joined, 0);
    shape.parts = std::move(parts);
    return shape;
}

// ---- Meshes as files --------------------------------------------------------------------------------------------------

struct Mesh {
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
};

// A file of its own for each process: tests of several builds run side by side.
struct MeshFile {
    std::string path;

    MeshFile(const char* name, const Mesh& mesh)
        : path((std::filesystem::temp_directory_path() /
                ("scree_golden_" + std::to_string(getpid()) + "_" + name + ".obj"))
                   .string()) {
        std::ofstream out(path);
        out.precision(17);
        for (const Vec3 p : mesh.points) out << "v " << p.x << ' ' << p.y << ' ' << p.z << '\n';
        for (const auto& t : mesh.triangles) out << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    }
    MeshFile(const MeshFile&) = delete;
    MeshFile& operator=(const MeshFile&) = delete;
    ~MeshFile() {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
};

// The prism over an L, closed, outwards: a body with a hollow.
Mesh angle_iron(double size, double thickness) {
    Mesh mesh;
    const double s = size, t = thickness;
    const double outline[6][2] = {{0, 0}, {s, 0}, {s, t}, {t, t}, {t, s}, {0, s}};
    for (const double z : {0.0, 0.8 * size})
        for (const auto& p : outline) mesh.points.push_back({p[0], p[1], z});
    for (const auto& t3 : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
        mesh.triangles.push_back({t3[0], t3[2], t3[1]});
        mesh.triangles.push_back({t3[0] + 6, t3[1] + 6, t3[2] + 6});
    }
    for (int k = 0; k < 6; ++k) {
        const int next = (k + 1) % 6;
        mesh.triangles.push_back({k, next, next + 6});
        mesh.triangles.push_back({k, next + 6, k + 6});
    }
    return mesh;
}

// A floor with hills and a rim that rises, seen from above.
Mesh hilly_floor(double size, int n) {
    Mesh mesh;
    const double h = size / n;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            const double hill = (i + 2 * j) % 3 == 0 ? 0.3 * h : 0;
            const double rim = i == 0 || j == 0 || i == n || j == n ? 1.2 * h : 0;
            mesh.points.push_back({i * h, j * h, hill + rim});
        }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int a = j * (n + 1) + i;
            mesh.triangles.push_back({a, a + 1, a + n + 2});
            mesh.triangles.push_back({a, a + n + 2, a + n + 1});
        }
    return mesh;
}

// ---- Scenes of shapes -------------------------------------------------------------------------------------------------

Scene stage(int dimension, LawKind law) {
    Scene scene = empty(dimension, law);
    contact(scene).contact_time = 5e-4;
    contact(scene).tangential_restitution = 0.7;
    scene.materials[0].young = dimension == 3 ? 2e7 : 2e9;
    scene.overlap_limit = 0.9;
    scene.gravity = 5.0 * scene.gravity;  // what falls shall lie within the few steps there are
    return scene;
}

GrainGroup& with_shape(Scene& scene, GrainGroup& one, const GrainShape& shape, Vec3 velocity) {
    bool known = false;
    for (const GrainShape& each : scene.shapes) known = known || each.name == shape.name;
    if (!known) scene.shapes.push_back(shape);
    one.shape = shape.name;
    one.velocity = velocity;
    if (scene.dimension == 3) {
        one.orientation.random = true;
        one.spin = {30, -20, 15};
    } else {
        one.spin = {0, 0, 25};
    }
    return one;
}

GrainGroup& on_lattice(Scene& scene, double spacing, double probability, Vec3 velocity) {
    PlaceOnLattice place;
    place.lattice = scene.dimension == 3 ? LatticeKind::sc : LatticeKind::square;
    place.spacing = spacing;
    place.region = "inside";
    place.probability = probability;
    scene.grains.push_back(group(scene, grain_radius, place));
    scene.grains.back().velocity = velocity;
    return scene.grains.back();
}
// What earlier groups have left of the sites goes to later ones.
GrainGroup& fill(Scene& scene, const GrainShape& shape, double spacing, double probability, Vec3 velocity) {
    return with_shape(scene, on_lattice(scene, spacing, probability, velocity), shape, velocity);
}

// A box of so many sites of a lattice.
void box_of(Scene& scene, double spacing, int width, int height) {
    const Vec3 high{spacing * width, spacing * width, spacing * height};
    add_wall(scene, "box", BoxWall{{}, high});
    add_region(scene, "inside", BoxShape{{}, high});
}

Scene rods() {
    Scene scene = stage(3, LawKind::linear);
    contact(scene).rolling_friction = 0.05;
    const double spacing = 10.2e-3;
    box_of(scene, spacing, 3, 3);
    fill(scene, rod(), spacing, 0.5, {0.5, 0.2, -0.8});
    fill(scene, rod(), spacing, 1, {-0.4, 0.3, -0.5});
    return scene;
}

Scene cubes() {
    Scene scene = stage(3, LawKind::hertz);
    const double spacing = 12.8e-3;
    box_of(scene, spacing, 2, 4);
    scene.walls[0].motion = Vibrate{{0, 0, 1e-3}, 60};
    fill(scene, cube(), spacing, 0.4, {0.4, -0.2, -0.8});
    fill(scene, cube(), spacing, 0.5, {-0.3, 0.3, -0.5});
    fill(scene, solid("ico", Solid::icosahedron, 5e-3, 5e-4), spacing, 1, {-0.3, 0.3, -0.5});
    return scene;
}

// Without friction and losses: what a patch gives back when it changes its corners decides.
Scene elastic_cubes() {
    Scene scene = stage(3, LawKind::linear);
    contact(scene).restitution = 1;
    contact(scene).friction = 0;
    const double spacing = 12.8e-3;
    box_of(scene, spacing, 2, 2);
    fill(scene, cube(), spacing, 0.5, {0.7, -0.5, 0.6});
    fill(scene, cube(), spacing, 1, {-0.6, 0.4, -0.8});
    return scene;
}

Scene clumps() {
    Scene scene = stage(3, LawKind::walton);
    contact(scene).rolling_friction = 0.1;
    add_wall(scene, "drum", CylinderWall{{0, 0, 0}, {0, 28e-3, 0}, 18e-3}).motion = Rotate{{0, 1, 0}, {}, 15};
    add_wall(scene, "front", PlaneWall{{0, 0, 0}, {0, 1, 0}});
    add_wall(scene, "back", PlaneWall{{0, 28e-3, 0}, {0, -1, 0}}).motion = Rotate{{0, 1, 0}, {}, 15};
    add_region(scene, "inside", CylinderShape{{0, 0, 0}, {0, 28e-3, 0}, 17.5e-3});
    fill(scene, necklace(), 15e-3, 1, {0.2, -0.4, -0.4});
    fill(scene, clump(), 8e-3, 1, {0.3, 0.3, -0.6});
    on_lattice(scene, 4.4e-3, 0.5, {-0.3, 0, -0.4});
    return scene;
}

Scene unions() {
    Scene scene = stage(3, LawKind::pournin);
    scene.shapes = {block("bar", {4e-3, 1e-3, 1e-3}, 5e-4), rod(4e-3)};
    const double spacing = 12.4e-3, s = 0.70710678118654752;
    box_of(scene, spacing, 2, 4);
    fill(scene, joined("cross", {{"bar", {}}, {"bar", {}, {s, 0, 0, s}}, {"bar", {}, {s, 0, s, 0}}}), spacing, 0.5,
         {0.4, 0.3, -0.7});
    fill(scene, joined("hook", {{"rod", {}}, {"rod", {3e-3, 0, 3e-3}, {s, 0, s, 0}}}), spacing, 1, {-0.4, 0.2, -0.6});
    return scene;
}

Scene meshes() {
    static const MeshFile grain("grain", angle_iron(9e-3, 3e-3)), floor("floor", hilly_floor(36e-3, 6));
    Scene scene = stage(3, LawKind::hertz_slip);
    contact(scene).restitution = 0.3;
    GrainShape iron = shape_of("iron", ShapeKind::mesh, 5e-4);
    iron.file = grain.path;
    iron.erode = true;
    MeshWall ground;
    ground.file = floor.path;
    ground.translate = {0, 0, -5e-3};
    add_wall(scene, "ground", ground).motion = Vibrate{{1e-3, 0, 5e-4}, 50};
    add_wall(scene, "sides", BoxWall{{2e-3, 2e-3, -20e-3}, {34e-3, 34e-3, 60e-3}});
    add_region(scene, "inside", BoxShape{{3e-3, 3e-3, -3e-3}, {33e-3, 33e-3, 40e-3}});
    fill(scene, iron, 14e-3, 0.7, {0.2, 0.1, -1});
    on_lattice(scene, 14e-3, 1, {0, 0.2, -0.8});
    return scene;
}

Scene glued() {
    Scene scene = stage(3, LawKind::linear);
    const double r = 1.5e-3, h = 3e-3 * 0.8164965809277260, spacing = 11e-3;
    GrainShape body = cluster("body", {{0, 0, 0, r},
                                       {2 * r, 0, 0, r},
                                       {r, r * 1.7320508075688772, 0, r},
                                       {r, r * 0.57735026918962576, h, r},
                                       {-2 * r, 0, 0, r}});
    body.glue = {Glue::Law::potential, 0.05, 0.2, 4, 0.1};
    box_of(scene, spacing, 2, 3);
    scene.walls[0].motion = Vibrate{{0, 0, 3e-4}, 60};
    fill(scene, body, spacing, 0.7, {0.2, 0.1, -0.6});
    fill(scene, cube(5e-3), spacing, 1, {0, 0.1, -0.4});
    return scene;
}

Scene chute() {
    Scene scene = stage(3, LawKind::cohesive);
    contact(scene).rolling_friction = 0.02;
    scene.gravity = {2 * g, 0, -4 * g};
    scene.periodic[0] = std::pair{-7e-3, 23e-3};
    scene.periodic[1] = std::pair{0.0, 30e-3};
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    add_region(scene, "inside", BoxShape{{-7e-3, 0, 0}, {23e-3, 30e-3, 22.5e-3}});
    const GrainShape die = shape_of("die", ShapeKind::spheropolyhedron, 1.5e-3, 2.5e-3, Solid::cube);
    GrainGroup& fixed = with_shape(scene, add_grain(scene, {5e-3, 12e-3, 5e-3}), die, {});
    fixed.fixed = true;
    fixed.spin = {};
    const double spacing = 7.5e-3;
    fill(scene, die, spacing, 0.4, {0.5, 0.3, -0.6});
    fill(scene, rod(3e-3), spacing, 0.6, {-0.2, -0.3, -0.5});
    on_lattice(scene, spacing, 1, {0.1, 0, -0.4});
    return scene;
}

Scene poured() {
    Scene scene = stage(3, LawKind::kuwabara_kono);
    Material heavy = scene.materials[0];
    heavy.name = "heavy";
    heavy.density = 7800;
    heavy.contact.friction = 0.1;
    scene.materials.push_back(heavy);
    add_wall(scene, "funnel", ConeWall{{0, 0, 0}, {0, 0, 14e-3}, 7e-3, 18e-3}).material = "heavy";
    add_wall(scene, "tube", CylinderWall{{0, 0, 14e-3}, {0, 0, 60e-3}, 18e-3});
    add_region(scene, "inlet", BoxShape{{-12e-3, -12e-3, 14e-3}, {12e-3, 12e-3, 34e-3}});
    add_region(scene, "here", BoxShape{{-1, -1, -4e-3}, {1, 1, 1}});
    scene.outflow_region = "here";
    with_shape(scene, pour_region(scene, "inlet", 800, 10), plate(), {});
    with_shape(scene, pour_region(scene, "inlet", 800, 10), tetrahedron(), {}).material = "heavy";
    for (GrainGroup& group : scene.grains) {
        std::get<PourOverTime>(group.place).velocity = {0.1, 0, -1};
        group.scale = {RadiusDistribution::Kind::uniform, 0.7, 1, {}, {}};
    }
    return scene;
}

Scene lid() {
    Scene scene = stage(3, LawKind::linear);
    scene.damping = 1e-3;
    scene.rotation_damping = 1e-8;
    scene.gravity_turn = GravityTurn{{0, 1, 0}, 0.4, 0.005, 0.02};
    add_wall(scene, "side", CylinderWall{{0, 0, -10e-3}, {0, 0, 0.2}, 16e-3});
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}});
    add_wall(scene, "lid", PlaneWall{{0, 0, 26e-3}, {0, 0, -1}}).motion = FreePiston{0.05, {0, 0, 1}, -0.5};
    add_region(scene, "inside", BoxShape{{-12e-3, -12e-3, 5e-4}, {12e-3, 12e-3, 25e-3}});
    const double spacing = 8e-3;
    fill(scene, rod(3e-3), spacing, 0.5, {0.2, 0, -0.7});
    fill(scene, cube(5e-3), spacing, 1, {-0.2, 0.2, -0.7});
    return scene;
}

// Faces of many corners on curved and rough walls that move.
Scene coins() {
    Scene scene = stage(3, LawKind::hertz);
    add_wall(scene, "bowl", SphereWall{{0, 0, 18e-3}, 20e-3}).motion = Rotate{{0, 0, 1}, {}, 10};
    BallsWall rough;
    rough.like = DiscWall{{0, 0, 2e-3}, {0, 0, 1}, 12e-3, 0};
    rough.radius = 1.5e-3;
    rough.spacing = 4e-3;
    add_wall(scene, "rough", rough);
    add_wall(scene, "pole", CylinderWall{{0, 0, -20e-3}, {0, 0, 12e-3}, 1.5e-3}, true);
    add_wall(scene, "disc", DiscWall{{0, 0, 34e-3}, {0, 0, -1}, 30e-3, 0}).motion = Translate{{0, 0, -0.3}, 0, 0.015};
    const double spacing = 10.2e-3;
    add_region(scene, "inside", BoxShape{{-spacing, -spacing, 12.1e-3}, {spacing, spacing, 32.5e-3}});
    fill(scene, coin(), spacing, 1, {0.2, 0.1, -0.7});
    return scene;
}

Scene polygons() {
    Scene scene = stage(2, LawKind::linear);
    scene.integrator = Integrator::taylor;
    const double spacing = 8e-3, width = 66e-3;
    add_wall(scene, "line",
             PolylineWall{{{0, 60e-3, 0}, {0, 8e-3, 0}, {25e-3, 0, 0}, {width, 6e-3, 0}, {width, 60e-3, 0}}});
    add_region(scene, "inside", BoxShape{{1e-3, 9e-3, 0}, {65e-3, 41e-3, 0}});
    fill(scene, polygon("triangle", {{0, 0, 0}, {6e-3, 0, 0}, {1e-3, 5e-3, 0}}, 5e-4), spacing, 0.35, {0.3, -0.8, 0});
    fill(scene, polygon("square", {{-2e-3, -2e-3, 0}, {2e-3, -2e-3, 0}, {2e-3, 2e-3, 0}, {-2e-3, 2e-3, 0}}, 1e-3),
         spacing, 0.5, {-0.3, -0.7, 0});
    GrainShape stick = rod(5e-3);
    stick.radius = 1e-3;
    fill(scene, stick, spacing, 0.6, {0, -0.9, 0});
    on_lattice(scene, spacing, 1, {0.2, -0.7, 0});
    return scene;
}

// ---- Scenes of hard grains --------------------------------------------------------------------------------------------

Scene hard(int dimension) {
    Scene scene;
    scene.dimension = dimension;
    scene.engine = "events";
    scene.gravity = down(dimension);
    scene.duration = 1;
    scene.time_step = 0.02;
    Material stuff;
    stuff.name = "stuff";
    stuff.density = 1000;
    stuff.contact.restitution = 0.8;
    stuff.contact.friction = 0.3;
    stuff.contact.tangential_restitution = 0.5;
    scene.materials = {stuff};
    return scene;
}

// Discs of two sizes on a floor that vibrates, between sides that shear in opposition.
Scene shaken_discs() {
    Scene scene = hard(2);
    add_region(scene, "inside", BoxShape{{0, 0.01, 0}, {0.2, 0.2, 0}});
    add_grain(scene, {0.1, 0.05, 0}, 0.02);
    GrainGroup& small = fill_region(scene, "inside", 60);
    small.radius = {RadiusDistribution::Kind::uniform, 0.004, 0.006, {}, {}};
    const Motion up = Vibrate{{0, 0.004, 0}, 20, Wave::sine, 0.05, forever},
                 opposite = Vibrate{{0, -0.004, 0}, 20, Wave::sine, 0.05, forever};
    add_wall(scene, "floor", PlaneWall{{}, {0, 1, 0}}).motion = up;
    add_wall(scene, "left", PlaneWall{{}, {1, 0, 0}}).motion = up;
    add_wall(scene, "right", PlaneWall{{0.2, 0, 0}, {-1, 0, 0}}).motion = opposite;
    return scene;
}

Scene periodic_spheres() {
    Scene scene = hard(3);
    scene.gravity = {};
    scene.time_step = 0.01;
    scene.materials[0].contact.restitution_speed = 0.05;
    for (auto& axis : scene.periodic) axis = std::pair{-0.01, 0.05};
    add_region(scene, "inside", BoxShape{{-0.01, -0.01, -0.01}, {0.05, 0.05, 0.05}});
    fill_region(scene, "inside", 30, 4e-3).velocity = {0.5, 0.2, -0.3};
    fill_region(scene, "inside", 50, 3e-3).velocity = {-0.5, -0.4, 0.3};
    fill_region(scene, "inside", 60, 2e-3).spin = {40, -30, 20};
    return scene;
}

// Spheres poured between walls that tap, close in and open; what falls through leaves.
Scene poured_spheres() {
    Scene scene = hard(3);
    scene.materials[0].contact.restitution_speed = 0.2;
    scene.periodic[1] = std::pair{0.0, 0.06};
    add_region(scene, "inlet", BoxShape{{0.01, 0, 0.04}, {0.06, 0.06, 0.07}});
    add_region(scene, "here", BoxShape{{-1, -1, -0.01}, {1, 1, 1}});
    scene.outflow_region = "here";
    pour_region(scene, "inlet", 400, 40, {0.1, 0.2, -0.6}, 4e-3);
    pour_region(scene, "inlet", 400, 40, {-0.2, 0.1, -0.5}, 3e-3);
    add_wall(scene, "floor", PlaneWall{{}, {0, 0, 1}}).motion = Vibrate{{0, 0, 0.003}, 25, Wave::tap};
    scene.walls[0].open_at = 0.22;
    add_wall(scene, "left", PlaneWall{{}, {1, 0, 0}}).motion = Translate{{0.1, 0, 0}, 0.05, 0.15};
    add_wall(scene, "right", PlaneWall{{0.07, 0, 0}, {-1, 0, 0}}).motion =
        MotionTable{{{0.02, 0, 0, 0}, {0.06, -0.004, 0, 0}, {0.1, 0.002, 0, 0}}};
    return scene;
}

}  // namespace

std::span<const GoldenScene> golden_shapes_and_events() {
    static constexpr GoldenScene all[] = {{"rods_linear_rolling", rods, 3000},
                                          {"cubes_hertz_vibrated", cubes, 3000},
                                          {"cubes_linear_elastic", elastic_cubes, 3000},
                                          {"clumps_walton_drum", clumps, 3000},
                                          {"unions_pournin", unions, 4000},
                                          {"meshes_hertz_slip", meshes, 10000},
                                          {"glued_linear_vibrated", glued, 4000},
                                          {"chute_cohesive_periodic", chute, 2500},
                                          {"poured_kuwabara_kono", poured, 6000},
                                          {"lid_linear_turned", lid, 3000},
                                          {"coins_hertz_curved", coins, 3000},
                                          {"polygons_linear_taylor", polygons, 3000},
                                          {"events_shaken_discs", shaken_discs, 30},
                                          {"events_periodic_spheres", periodic_spheres, 30},
                                          {"events_poured_spheres", poured_spheres, 15}};
    return all;
}

}  // namespace scree::scenes
