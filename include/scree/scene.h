// A scene: everything a user says about a simulation, checked and with every default filled in. Plain data; SI units
// (metre, kilogram, second, newton, radian). In 2D, vectors have z = 0 and grains are discs of thickness 1 m: a disc of
// radius r and density rho has the mass rho*pi*r^2*(1 m).
//
// Read one with read_scene() (scree/scene_file.h), build one by hand, or change one that was read. `Where` says where
// in the scene file a part was written, so that later stages can answer with file:line:column.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scree/export.h"
#include "scree/law_list.h"
#include "scree/vec.h"

namespace scree {

constexpr double forever = std::numeric_limits<double>::infinity();

struct Where {
    int line = 0, column = 0;                                            // from 1; 0: not from a file
    friend bool operator==(const Where&, const Where&) { return true; }  // scenes are equal wherever they were written
};

// ---- Matter ---------------------------------------------------------------------------------------------------------

// Coefficients of the linear law, for those who have them in place of a duration and restitutions: where a stiffness is
// given the law is "hooke" (scree/law_list.h). Of each pair of alternatives one at most is given. What is not given
// follows: the tangential stiffness is 2/7 of the normal one (in 2D 1/3), dashpots are those of the restitutions.
struct LinearCoefficients {
    std::optional<double> stiffness;                                    // N/m
    std::optional<double> tangential_stiffness, stiffness_ratio;        // N/m; or of the normal one
    std::optional<double> damping, damping_rate;                        // N s/m; or 1/s, per effective mass
    std::optional<double> tangential_damping, tangential_damping_rate;  // the same
    friend bool operator==(const LinearCoefficients&, const LinearCoefficients&) = default;
};

// Values a pair of materials shares in a contact. In a Material they describe the contact with itself.
struct ContactValues {
    double restitution = 0.6;             // normal, of one collision, in (0, 1]
    double tangential_restitution = 1.0;  // of one sticking collision, in [0, 1]
    double friction = 0.4;                // Coulomb
    std::optional<double> contact_time;   // s, duration of one collision; chosen by the program when empty
    double rolling_friction = 0;          // rolling torque is at most this times normal force times effective radius
    double cohesion = 0;                  // N, largest pull
    double viscosity = 0;                 // s, the time A of Kuwabara and Kono
    double restitution_speed = 0;         // m/s, engine "events": below this speed of impact restitution rises to 1
    LinearCoefficients linear;
    std::optional<double> rolling_stiffness;  // N/m along the rolled length; chosen by the program when empty
    friend bool operator==(const ContactValues&, const ContactValues&) = default;
};

struct Material {
    std::string name;
    double density = 2500;  // kg/m^3
    double young = 1e7;     // Pa; poisson too is for elastic laws alone
    double poisson = 0.3;
    ContactValues contact;
    Where where;
    friend bool operator==(const Material&, const Material&) = default;
};

// Overrides for the contact between two materials. What is not given: geometric mean of both materials' values, the
// larger one for contact_time. What only one of them gives holds for the pair.
struct Interaction {
    std::string first, second;
    std::optional<double> restitution, tangential_restitution, friction, contact_time, rolling_friction, cohesion,
        viscosity, restitution_speed, rolling_stiffness;
    LinearCoefficients linear;
    std::optional<LawKind> law;  // of this pair, in place of Scene::law
    Where where;
    friend bool operator==(const Interaction&, const Interaction&) = default;
};

// ---- Space ----------------------------------------------------------------------------------------------------------

struct BoxShape {
    Vec3 min, max;
    friend bool operator==(const BoxShape&, const BoxShape&) = default;
};
struct CylinderShape {  // solid, between the two end points of its axis
    Vec3 from, to;
    double radius = 0;
    friend bool operator==(const CylinderShape&, const CylinderShape&) = default;
};
struct ConeShape {  // solid frustum
    Vec3 from, to;
    double radius_from = 0, radius_to = 0;
    friend bool operator==(const ConeShape&, const ConeShape&) = default;
};
struct SphereShape {  // a disc in 2D
    Vec3 center;
    double radius = 0;
    friend bool operator==(const SphereShape&, const SphereShape&) = default;
};
using RegionShape = std::variant<BoxShape, CylinderShape, ConeShape, SphereShape>;

struct Region {
    std::string name;
    RegionShape shape;
    Where where;
    friend bool operator==(const Region&, const Region&) = default;
};

// ---- Shapes ---------------------------------------------------------------------------------------------------------

// Bodies are skeletons (points, segments, polygons, convex polyhedra, unions of them) swept by a ball of radius
// `radius`.
enum class ShapeKind {
    sphere,
    spherocylinder,
    spherotriangle,
    spherotetrahedron,
    spheropolyhedron,
    mesh,
    cluster,
    joined
};
enum class Solid { none, tetrahedron, cube, octahedron, dodecahedron, icosahedron };

struct ShapePart {  // of a union: another shape, turned by a quaternion w, x, y, z and moved
    std::string shape;
    Vec3 at;
    std::array<double, 4> orientation{1, 0, 0, 0};
    friend bool operator==(const ShapePart&, const ShapePart&) = default;
};

// How the spheres of a cluster are glued (Ferrez 2001 eq. 3.25-3.29, src/shape/glue.h); none: the cluster is rigid.
struct Glue {
    enum class Law { none, potential, power } law = Law::none;
    double strength = 0, alpha = 0.2, beta = 2;
    double damping = 0.1;  // of a bond, as a part of the critical one
    friend bool operator==(const Glue&, const Glue&) = default;
};

struct SCREE_EXPORT GrainShape {
    GrainShape();  // this and the following are defined once: many sources copy scenes
    GrainShape(const GrainShape&);
    GrainShape(GrainShape&&) noexcept;
    GrainShape& operator=(const GrainShape&);
    GrainShape& operator=(GrainShape&&) noexcept;
    ~GrainShape();

    std::string name;
    ShapeKind kind = ShapeKind::sphere;
    double radius = 0;           // of the ball
    double length = 0;           // spherocylinder: of its axis; triangle, tetrahedron, solid: of their edges
    std::vector<Vec3> vertices;  // in place of a length
    Solid solid = Solid::none;
    std::string file;         // STL or OBJ: mesh, spheropolyhedron (its hull); cluster: CSV x,y,z,radius
    double file_scale = 1;    // of the lengths in the file
    bool erode = false;       // the outer shape is as given: the skeleton is drawn in by the radius
    double tolerance = 0.02;  // mesh: depth of hollows that may be filled, of the size of the mesh
    std::vector<std::array<double, 4>> spheres;  // cluster: x, y, z, radius
    Glue glue;                                   // cluster
    std::vector<ShapePart> parts;                // union
    Where where;
    friend bool operator==(const GrainShape&, const GrainShape&) = default;
};

struct Orientation {  // of a group: the same for all, or uniform on the rotations
    bool random = false;
    std::array<double, 4> quaternion{1, 0, 0, 0};
    friend bool operator==(const Orientation&, const Orientation&) = default;
};

// ---- Grains ---------------------------------------------------------------------------------------------------------

// fixed: {value}; uniform: [low, high]; normal: mean and standard deviation, cut at three of them; lognormal: median
// and standard deviation of the logarithm, cut at three of them; table: rows [radius, mass fraction] of discrete sizes;
// sieve: rows [radius, fraction that is smaller], linear between them.
struct RadiusDistribution {
    enum class Kind { fixed, uniform, normal, lognormal, table, sieve } kind = Kind::fixed;
    double first = 0, second = 0;
    std::vector<std::pair<double, double>> table;  // radius and mass fraction; of a sieve curve, fraction that is finer
    Where where;
    enum class By { number, mass } by = By::number;  // what a lognormal distribution or a sieve curve counts
    friend bool operator==(const RadiusDistribution&, const RadiusDistribution&) = default;
};

enum class LatticeKind { fcc, sc, square, hexagonal };

struct PlaceOnLattice {
    LatticeKind lattice = LatticeKind::fcc;
    double spacing = 0;
    std::string region;
    double probability = 1;
    double jitter = 0;  // random shift of each site, up to this length along each axis
    friend bool operator==(const PlaceOnLattice&, const PlaceOnLattice&) = default;
};
struct PlaceAtRandom {
    std::string region;
    std::optional<std::int64_t> count;  // this many grains, or
    std::optional<double> density;      // grains until they fill this fraction of the region
    friend bool operator==(const PlaceAtRandom&, const PlaceAtRandom&) = default;
};
struct PlaceAt {
    std::vector<Vec3> points;
    friend bool operator==(const PlaceAt&, const PlaceAt&) = default;
};
struct PlaceFromFile {
    std::string file;  // CSV with a header: x,y[,z],radius[,vx,vy,vz,wx,wy,wz]
    friend bool operator==(const PlaceFromFile&, const PlaceFromFile&) = default;
};
struct PourOverTime {
    std::string region;
    double rate = 0;  // grains per second
    double from = 0, until = forever;
    std::optional<std::int64_t> count;  // stop after this many
    Vec3 velocity;
    friend bool operator==(const PourOverTime&, const PourOverTime&) = default;
};
using Placing = std::variant<PlaceOnLattice, PlaceAtRandom, PlaceAt, PlaceFromFile, PourOverTime>;

struct SCREE_EXPORT GrainGroup {
    GrainGroup();
    GrainGroup(const GrainGroup&);
    GrainGroup(GrainGroup&&) noexcept;
    GrainGroup& operator=(const GrainGroup&);
    GrainGroup& operator=(GrainGroup&&) noexcept;
    ~GrainGroup();

    std::string name;
    std::string material;
    std::string shape;          // a name of Scene::shapes; spheres without one
    RadiusDistribution radius;  // of spheres
    RadiusDistribution scale{RadiusDistribution::Kind::fixed, 1, 0, {}, {}};  // of shapes
    Orientation orientation;
    Placing place;
    Vec3 velocity, spin;            // at the start
    std::optional<double> density;  // in place of the material's
    bool fixed = false;             // does not move
    std::string color;              // of pictures: "#rrggbb", or empty
    Where where;
    friend bool operator==(const GrainGroup&, const GrainGroup&) = default;
};

// ---- Walls ----------------------------------------------------------------------------------------------------------

struct PlaneWall {
    Vec3 point, normal;
    friend bool operator==(const PlaneWall&, const PlaneWall&) = default;
};
struct BoxWall {
    Vec3 min, max;
    friend bool operator==(const BoxWall&, const BoxWall&) = default;
};
struct CylinderWall {
    Vec3 from, to;
    double radius = 0;
    friend bool operator==(const CylinderWall&, const CylinderWall&) = default;
};
struct ConeWall {
    Vec3 from, to;
    double radius_from = 0, radius_to = 0;
    friend bool operator==(const ConeWall&, const ConeWall&) = default;
};
struct SphereWall {
    Vec3 center;
    double radius = 0;
    friend bool operator==(const SphereWall&, const SphereWall&) = default;
};
struct DiscWall {
    Vec3 center, normal;
    double radius = 0, hole = 0;
    friend bool operator==(const DiscWall&, const DiscWall&) = default;
};
struct PolylineWall {  // 2D
    std::vector<Vec3> points;
    friend bool operator==(const PolylineWall&, const PolylineWall&) = default;
};
using SurfaceShape = std::variant<PlaneWall, BoxWall, CylinderWall, ConeWall, SphereWall, DiscWall, PolylineWall>;
struct BallsWall {  // fixed balls laid over a surface of another kind (Lazarević et al. 2002 section 4)
    SurfaceShape like;
    double radius = 0;   // mean; each ball's radius is drawn within +-10 %
    double spacing = 0;  // distance between neighboring balls
    std::uint64_t seed = 1;
    friend bool operator==(const BallsWall&, const BallsWall&) = default;
};
struct MeshWall {  // 3D: the triangles of an STL or OBJ file, scaled, then turned about the origin, then moved
    std::string file;
    double scale = 1;
    Vec3 axis{0, 0, 1};
    double angle = 0;
    Vec3 translate;
    friend bool operator==(const MeshWall&, const MeshWall&) = default;
};
using WallShape =
    std::variant<PlaneWall, BoxWall, CylinderWall, ConeWall, SphereWall, DiscWall, PolylineWall, BallsWall, MeshWall>;

enum class Wave { sine, tap };

struct Vibrate {  // displacement amplitude * wave(frequency * (t - from)), zero outside [from, until]
    Vec3 amplitude;
    double frequency = 0;
    Wave wave = Wave::sine;  // tap (Ferrez 2001 figure 5.1): half a sine up and down, then at rest for half a period
    double from = 0, until = forever;
    friend bool operator==(const Vibrate&, const Vibrate&) = default;
};
struct Rotate {
    Vec3 axis{0, 0, 1}, point;
    double rate = 0;  // rad/s
    double from = 0, until = forever;
    friend bool operator==(const Rotate&, const Rotate&) = default;
};
struct Translate {
    Vec3 velocity;
    double from = 0, until = forever;
    friend bool operator==(const Translate&, const Translate&) = default;
};
struct FreePiston {  // moves along one direction under its weight, the applied force and the grains
    double mass = 0;
    Vec3 along{0, 0, 1};
    double force = 0;  // N, applied, positive in the direction of `along`
    double from = 0;   // held before
    friend bool operator==(const FreePiston&, const FreePiston&) = default;
};
struct MotionTable {                          // displacement, linear between rows, constant outside
    std::vector<std::array<double, 4>> rows;  // t, x, y, z
    friend bool operator==(const MotionTable&, const MotionTable&) = default;
};
using Motion = std::variant<std::monostate, Vibrate, Rotate, Translate, FreePiston, MotionTable>;

struct SCREE_EXPORT Wall {
    Wall();
    Wall(const Wall&);
    Wall(Wall&&) noexcept;
    Wall& operator=(const Wall&);
    Wall& operator=(Wall&&) noexcept;
    ~Wall();

    std::string name;
    std::string material;
    WallShape shape;
    bool outside = false;  // the grains are on the outer (for a plane and a disc: lower) side
    Motion motion;
    // The wall disappears at this time; of a disc with a hole, only what closes the hole until then. Such a hole is
    // open from the start if there is no time, and never opens at `forever`.
    std::optional<double> open_at;
    Where where;
    friend bool operator==(const Wall&, const Wall&) = default;
};

// ---- The whole ------------------------------------------------------------------------------------------------------

enum class NeighborMethod { automatic, triangulation, grid, brute };
// Beside the grains of Scene::start_from: what [[grains]] places as well, or only what it pours.
enum class StartGrains { add, replace };
enum class Integrator { verlet, taylor };  // velocity Verlet; Ferrez 2001 eq. 3.20-3.21

struct GravityTurn {
    Vec3 axis{0, 1, 0};
    double angle = 0;
    double from = 0, until = 0;
    friend bool operator==(const GravityTurn&, const GravityTurn&) = default;
};

// A measure asked for: its name and the options given, in the words of docs/measures.md.
struct MeasureRequest {
    using Option = std::variant<double, std::string, std::vector<double>>;
    std::string name;
    std::vector<std::pair<std::string, Option>> options;
    Where where{};  // line -1: of the scene, but not of its file
    friend bool operator==(const MeasureRequest&, const MeasureRequest&) = default;
};

struct SCREE_EXPORT Scene {
    Scene();
    Scene(const Scene&);
    Scene(Scene&&) noexcept;
    Scene& operator=(const Scene&);
    Scene& operator=(Scene&&) noexcept;
    ~Scene();

    std::string title;
    std::string file;  // as the user named it, for messages; relative paths in the scene are relative to its folder

    int dimension = 3;
    std::string engine = "soft";
    Vec3 gravity{0, 0, -9.81};
    std::optional<GravityTurn> gravity_turn;
    double overlap_limit = 0.3;
    double duration = 1;
    std::optional<double> time_step;  // chosen by the program when empty
    std::optional<double>
        collision_cutoff;  // s, engine "events": collisions of a grain closer in time lose no energy; chosen when empty
    std::uint64_t seed = 1;
    NeighborMethod neighbors = NeighborMethod::automatic;
    Integrator integrator = Integrator::verlet;
    double damping = 0;           // kg/s: force -damping * velocity on every grain (Ferrez 2001 eq. 3.23)
    double rotation_damping = 0;  // kg m^2/s: torque -rotation_damping * spin (Ferrez 2001 eq. 3.24)

    LawKind law = LawKind::linear;
    std::vector<Material> materials;
    std::vector<Interaction> interactions;
    std::vector<Region> regions;
    std::vector<GrainShape> shapes;
    std::vector<GrainGroup> grains;
    std::vector<Wall> walls;
    std::array<std::optional<std::pair<double, double>>, 3> periodic;  // interval per axis
    std::optional<std::string> outflow_region;

    std::optional<std::string> start_from;  // run folder or checkpoint file whose grains this run starts with
    StartGrains start_grains = StartGrains::add;

    double frame_interval = 0;  // 0: first and last only
    double series_interval = 0;
    double checkpoint_interval = 0;  // 0: at the end only
    double measure_interval = 0;     // of the rows of measures; 0: with the frames
    std::vector<MeasureRequest> measures{
        {"energy", {}}};  // "energy" goes into series.csv, others into files of their own
    Where simulation_where, time_step_where, outflow_where, start_where;
    std::array<Where, 3> periodic_where;
    friend bool operator==(const Scene&, const Scene&) = default;
};

}  // namespace scree
