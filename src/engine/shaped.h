// Scenes with grains that are not spheres: a step of its own beside the tight loop of spheres, on the same world.
//
// Contact. Two bodies touch piece by piece (shape/patch.h), a body and a wall vertex by vertex: a rounded corner is a
// ball. Each point of a patch goes through the contact law with its own overlap d_i, speed and memory, and its force is
// multiplied by
//     W_i = w_i (d_i / D)^e,     D^4 = sum w_i d_i^4,
// w_i the weight of the point (1 when no other is near). One point alone is one contact of the law. Four corners of a
// face are twice as stiff, not four times, and since W_i law(d_i) is the gradient of the law's energy at D for the
// linear law with e = 2 and for Hertz's with e = 3/2, tipping from a face onto an edge and a corner neither gains nor
// loses energy. Rejected: weights normalised over the points that touch (their forces have no potential: elastic cubes
// heat up), and the one closest point (it jumps from corner to corner of a face, and no stack comes to rest). The speed
// of approach is divided by the root of sum W_i, so that a face that falls flat rebounds with the restitution asked
// for.
//
// Bodies of several pieces meet in one patch per side too, whichever pieces the points are of: how a body is cut cannot
// be felt. (Balls of clumps are contacts by themselves.)
//
// That holds as long as a patch keeps its corners. When it turns into another one the energy jumps, so a pair of
// bodies, or a body and a wall (that is not flat, or if corners share weights), counts the work it has taken and gives
// back no more (paid_share). Rejected: to let jumps be, since they cancel on the mean; they walk, and elastic cubes
// gained up to 12 %.
//
// Memory belongs to a point and is known by the features that meet there. When a patch changes its corners (a block
// slides over an edge), fresh points that are under load already take over what was there (carry_over).
//
// Same bits: pieces and points of a pair are ordered by identity (body a is the one with the lower id), pairs are
// computed each by itself and summed per grain in storage order. A pair that did not touch is asked without memory, so
// skipping it (geometry/coherent_distance.h) cannot be seen.
//
// Off the center. A law with a dashpot is made for the mass m* of two bodies that meet head on. Hit elsewhere, they
// also turn, and the smaller mass 1/(1/m* + t J t) answers, t the moment of the patch's force for a force of one, J the
// inverse inertia of each. The speed of approach is multiplied by the root of the ratio of the two masses, so that the
// restitution asked for comes out wherever bodies meet.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "contact/materials.h"
#include "engine/integrate.h"
#include "engine/kernels/body_kernel.h"
#include "engine/simulation.h"
#include "geometry/coherent_distance.h"
#include "neighbor/body_covering.h"
#include "neighbor/pair_search.h"
#include "shape/glue.h"
#include "shape/patch.h"
#include "shape/shape.h"
#include "shape/shape_table.h"
#include "wall/rim_points.h"
#include "wall/walls.h"
#include "world/contact_list.h"
#include "world/world.h"

namespace scree {

inline void add_to(ForceRow& row, const ForceRow& f) {
    using Row = double __attribute__((vector_size(64), may_alias));
    reinterpret_cast<Row&>(row) += reinterpret_cast<const Row&>(f);
}

class ShapedContacts {
  public:
    ShapedContacts(const ShapeTable& shapes, const MaterialTable& materials, const Walls& walls,
                   const Periodicity& periodicity, NeighborMethod method, int dimension, double time_step,
                   const SearchOptions& search = {});

    void set_time_step(double time_step) { time_step_ = time_step; }
    // What depends on the orientation of each grain, from the given one on; after every change of their order or
    // number.
    void turn(const Grains& grains, std::size_t first = 0);

    // Renews the lists if they could miss a contact.
    void update(const Grains& grains, const Walls& walls);
    void require_refresh() { required_ = true; }
    ContactMemory detach(const Grains& grains);
    void attach(const Grains& grains, const ContactMemory& memory);
    ContactMemory memory(const Grains& grains) const;

    // All forces at the current positions and velocities.
    void collide(const Grains& grains, const Walls& walls);
    // Makes the contacts of restored grains known to observers, as the collide() before the checkpoint did.
    void look(const Grains& grains);
    KickPowers kick(Grains& grains, const MotionParameters& parameters);
    // Angular velocities that go with the momenta after a kick; for observers, since the next move makes new ones.
    void spin(Grains& grains);
    void move(Grains& grains, const MotionParameters& parameters);
    KickPowers kick_and_move(Grains& grains, const MotionParameters& parameters);

    void each_view(const Grains& grains, const Walls& walls,
                   const std::function<void(const ContactView&)>& visit) const;
    double elastic_energy(const Grains& grains, const Walls& walls) const;
    double rotational_energy(const Grains& grains, std::size_t g) const;
    double max_overlap() const { return max_overlap_; }  // of the rounding radius, in the last collide()
    // The pair whose skeletons have met, as a user may read it; empty when there is none.
    const std::string& sunk() const { return sunk_; }
    struct AtWall {
        Index id = 0;
        std::int32_t wall = -1;  // -1: none
    };
    // A body that is about to pass through a sheet. Of a sheet no overlap is larger than the rounding radius: beyond,
    // the body is on the other side.
    const AtWall& passing() const { return passing_; }
    // The body that was deepest, if it was in a wall that is not flat; it may be elsewhere by now.
    const AtWall& deepest() const { return deepest_; }
    std::size_t contact_count() const { return contact_count_; }
    std::size_t pair_count() const { return pairs_.size(); }
    std::span<const WallLoad> wall_loads() const { return loads_; }
    NeighborReport report(std::size_t grains) const;
    std::uint64_t queries_made() const { return made_; }
    std::uint64_t queries_saved() const { return saved_; }
    struct PieceCounts {  // of bodies with many pieces, over all refreshes
        std::uint64_t hulls = 0, apart = 0, nodes = 0;
    };
    const PieceCounts& piece_counts() const { return piece_counts_; }
    void disturb(std::uint64_t seed) { disturbance_ = seed; }

    const Mat3& rotation(std::size_t g) const { return rotation_[g]; }
    Vec3 inverse_inertia(std::size_t g) const { return inverse_inertia_[g]; }

  private:
    static constexpr std::size_t shaped_chunk = 64;  // grains per task
    static constexpr double same_side = 0.9;         // cosine: normals up to this apart belong to one patch
    static constexpr double sheet_limit =
        0.9;  // overlap of a sheet past which a body may be on the other side in the next step
    static constexpr double weights_reach =
        0.5;  // how near two points on a wall are that share a weight, of the ball around the body
    // One pair of pieces that may touch. Body a is the one of the lower id.
    struct PiecePair {
        Index a, b;  // storage
        std::uint16_t pa, pb;
        bool balls;          // of two bodies that are made of balls alone
        std::uint16_t type;  // of materials
        double feature;      // see find_patch
        std::int32_t slot;   // of its memory in the pool of the chunk, -1 while it does not touch; not of balls
    };
    struct GrainBond {  // of one grain; its partner has the same
        Index partner;
        double rest, damping;
        const Glue* glue;
    };
    // Memory of the points of one patch: number, work taken and power, keys, then `width_` numbers per point. Two balls
    // have theirs in ball_memory_.
    struct Pool {
        std::vector<double> numbers;
        std::vector<std::int32_t> free;
    };
    struct WallPoint {
        std::int32_t wall, feature;
        std::uint32_t key;  // piece and vertex
    };
    struct WallMemory {
        std::vector<WallPoint> points;
        std::vector<double> numbers;  // of the law, `width_` each
    };
    struct FlatPoint {  // a corner near a face of a wall
        static constexpr std::uint32_t none = ~std::uint32_t{0};
        Index grain;
        std::uint32_t corner;
        std::uint32_t ball;  // of a clump, in balls_
        WallFeature on;
    };
    struct FlatFaceRange {  // of the points of one face
        WallFeature on;
        std::uint32_t first, end;
    };
    struct FlatList {  // by face, grain and corner
        std::vector<FlatPoint> points;
        std::vector<FlatFaceRange> faces;
        std::vector<double> marks, memory;  // as of pairs
        std::vector<std::uint8_t> state;    // 1 while it touches
        void close(std::size_t width);
        std::vector<std::uint32_t> by_grain() const;
    };
    struct WallAccount {  // of one grain and one wall, see has_account and paid_share
        std::int32_t wall;
        bool touched;  // in the last step
        double taken, power;
    };
    struct GrainWalls {  // of one grain near walls of which some are not flat, or that needs accounts
        Index grain;
        bool moving;  // whether one of the walls ever does
        double mark;
        std::vector<WallFeature> near;
        WallMemory memory;
        std::vector<WallAccount> accounts;  // of the walls it touches
        std::vector<double> marks;          // of each corner: as `mark` of all of them
    };
    static constexpr double ball_key = 1;
    static constexpr std::size_t first_key = 3;  // in a pool
    static constexpr std::size_t beside_memory =
        3;               // numbers in ContactMemory after those of the law: feature, work taken, power
    struct Remembered {  // what a pool holds of a pair
        int count;
        const double *keys, *numbers;
        double taken, power;
    };
    struct WallBatch {
        std::size_t count = 0;
        std::uint16_t type = 0;
        // Of each patch.
        std::size_t grain[PatchLanes::W], wall[PatchLanes::W];
        WallAccount* account[PatchLanes::W];  // if it has one
        PatchLanes lanes{};
        std::size_t free() const { return PatchLanes::W - count; }
        void end_patch(std::size_t g, std::size_t on, double near, const InertiaRow& inertia,
                       WallAccount* of = nullptr);  // all points since the last one
    };
    struct Chunk {
        std::size_t first_pair = 0, end_pair = 0, first_body = 0, end_body = 0;
        std::size_t balls = 0;  // pairs of balls; the others are of pieces
        Pool pool;
        FlatList flat;
        std::vector<GrainWalls> walls;
        std::vector<WallLoad> loads;
        std::uint64_t made = 0, saved = 0;
        double max_overlap = 0;
        std::size_t contacts = 0;
        std::string sunk;
        AtWall passing, deepest;
        // Walls that are not flat come last: what is deeper there is deepest.
        void sink(double ratio, bool sheet, Index id, std::int32_t wall) {
            if (ratio > max_overlap) {
                max_overlap = ratio;
                deepest = {id, wall};
            }
            if (sheet && ratio > sheet_limit) passing = {id, wall};
        }
        std::vector<ForceRow> wall_force;  // of each grain; empty without walls
    };
    struct Corner {  // of a piece, at scale 1
        Vec3 x;
        double radius;
        std::uint32_t key;  // piece and vertex
    };
    // What the law gives for the points of one patch.
    struct Sum {
        Vec3 force, moment;  // on body a, about the origin of coordinates
        Vec3 couple;         // of rolling resistance on a; -couple on b
        double power = 0, sliding = 0;
        double pressed = 0;  // energy stored along the normals, if asked for by `watch`
        bool watch = false;
    };
    struct LawPoint {
        Vec3 point, normal;  // normal from b to a
        Vec3 velocity;       // of a relative to b there
        double overlap, weight, inverse_radius;
        double* memory;
        bool fresh;
        double force_share = 0, elastic = 0;
        Vec3 force;
    };
    // A pair of pieces that touches, on its way through the law.
    struct PieceTouch {
        std::size_t at;
        int count;
        double near;  // points of other pairs nearer than this may share weights
        Patch patch;
        LawPoint points[Patch::most];
        double memory[Patch::most * 12];
    };
    struct PairAccount {       // of two bodies, see paid_share
        bool touched = false;  // in the last step
        double taken = 0, power = 0;
    };
    // Room for the contacts under way, kept by each thread.
    struct Scratch {
        struct Touch {
            WallContact contact;
            std::uint32_t key;
            double radius, weight;
            bool taken;  // by a patch
        };
        WallTouch touch;
        std::vector<Touch> touches;
        std::vector<double> memory;
        WallMemory old;
        std::vector<LawPoint> points;  // of one patch
        std::vector<PatchPoint> weights;
        std::vector<std::size_t> members;
        std::vector<ConvexPart> parts;
        std::vector<Vec3> corners;
        std::vector<RimPoint> offered;
        std::vector<std::uint32_t> active;  // what may touch, of a list
        std::vector<Index> active_bodies;
        BallLanes ball_lanes{};
        WallBatch wall_batch;
        // What each grain of the chunk does to each wall, if its bit in `loads` says so. Added up in the order of the
        // grains, so that the sum does not tell which list a grain was in.
        std::vector<ForceRow> wall_rows;
        std::vector<std::uint64_t> loads;  // by wall
        static_assert(shaped_chunk <= 64);
        const BodyBall* flat_corners[body_lanes];  // on their way to the kernel
        BodyBall flat_placed[body_lanes];
        double flat_overlap[body_lanes];
    };
    // The bodies that share a patch; b is none for a wall.
    struct Touching {
        double inverse_mass;  // 1/m*
        const InertiaRow *a, *b;
        Vec3 offset;  // of the center of b from that of a
    };
    using LawFunction = void (ShapedContacts::*)(LawPoint*, int, const Touching&, std::uint16_t type, Vec3 turn,
                                                 double dt, bool look, Sum&) const;

    template <class Law, bool Rolling>
    void apply_law(LawPoint* points, int count, const Touching& bodies, std::uint16_t type, Vec3 turn, double dt,
                   bool look, Sum& sum) const;
    void carry_over(const Remembered& old, const Patch& patch, LawPoint* points) const;
    double share_forces(LawPoint* points, int count) const;
    static double softer_off_center(const LawPoint* points, int count, const Touching& bodies);
    bool find_touch(const Grains& grains, std::size_t at, Vec3 offset, Chunk& chunk, PieceTouch& out,
                    PairAccount& account);
    void look_at_pair(const Grains& grains, const Chunk& chunk, std::size_t at, Vec3 offset, PieceTouch& out) const;
    void apply_together(std::span<const std::unique_ptr<PieceTouch>> touches, const Touching& bodies,
                        std::uint16_t type, Vec3 turn, bool look, Sum& sum) const;
    bool collide_body(const Grains& grains, const BodyPair& body, double passed, Chunk& chunk, PairForce& out);
    Touching touching(const Grains& grains, const PiecePair& pair, Vec3 offset) const {
        return {grains.row[pair.a].inverse_mass + grains.row[pair.b].inverse_mass, &inertia_[pair.a], &inertia_[pair.b],
                offset};
    }
    double paid_share(const Sum& sum, bool touched, double& taken, double& power) const;
    MovingBodies moving(Grains& grains, double time_step);
    Vec3 omega_of(const Grains& grains, std::size_t g) const {
        return all_even_ ? inverse_inertia_[g].x * grains.momentum[g]
                         : angular_velocity(rotation_[g], grains.momentum[g], inverse_inertia_[g]);
    }
    void kick_some(Grains& grains, const MotionParameters& p, std::size_t begin, std::size_t end, KickPowers& powers);
    void move_some(Grains& grains, const MotionParameters& p, std::size_t begin, std::size_t end);
    void place_balls(const Grains& grains, std::size_t g);
    const BodyBall& ball(std::size_t g, std::size_t piece) const { return balls_[ball_first_[g] + piece]; }
    // What a pair's mark must be past for it not to be looked at.
    double passed_by(std::size_t a, std::size_t b) const {
        const double travelled = odometer_[a].travelled + odometer_[b].travelled;
        return law_reach_ + travelled + 1e-12 * (travelled + 2 * largest_);
    }
    void collide_pieces(const Grains& grains, Chunk& chunk);
    void collide_balls(const Grains& grains, Chunk& chunk, Scratch& scratch);
    double least_mark(const BodyPair& body) const {
        double least = marks_[body.first];
        for (std::size_t p = body.first + 1; p < body.end; ++p) least = marks_[p] < least ? marks_[p] : least;
        return least;
    }
    void ball_patch(const PiecePair& pair, Vec3 offset, Patch& out) const;
    int pair_points(const Grains& grains, const PiecePair& pair, const Patch& patch, Vec3 offset, LawPoint* out) const;
    PointLaw point_law(std::uint16_t type) const;
    Vec3 corner_at(const Grains& grains, std::size_t g, std::size_t k) const {
        const std::uint16_t shape = grains.shape[g];
        return grains.position(g) + (is_clump_[shape] ? balls_[ball_first_[g] + k].x
                                                      : rotation_[g] * (grains.scale[g] * corners_[shape][k].x));
    }
    bool list_flat(const Grains& grains, const Walls& walls, std::size_t g, std::span<const WallFeature> features,
                   double reach, FlatList& out) const;
    void collide_flat(const Grains& grains, const Walls& walls, Chunk& chunk, Scratch& scratch) const;
    void flat_face(const Grains& grains, const Walls& walls, WallFeature on, std::size_t count, Chunk& chunk,
                   Scratch& scratch, std::span<std::int32_t> counted) const;
    GrainWalls flat_walls(const Grains& grains, const FlatList& flat, std::span<const std::uint32_t> points) const;
    // All contacts of a chunk with walls, grain by grain whichever list a grain is in.
    template <class Visit>
    void each_near_walls(const Grains& grains, const Chunk& chunk, Visit&& visit) const {
        const std::vector<std::uint32_t> order = chunk.flat.by_grain();
        auto other = chunk.walls.begin();
        for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
            const Index g = chunk.flat.points[order[begin]].grain;
            for (; other != chunk.walls.end() && other->grain < g; ++other) visit(*other);
            while (end < order.size() && chunk.flat.points[order[end]].grain == g) ++end;
            visit(flat_walls(grains, chunk.flat, {order.data() + begin, end - begin}));
        }
        for (; other != chunk.walls.end(); ++other) visit(*other);
    }
    void collide_walls(const Grains& grains, const Walls& walls, GrainWalls& near, Chunk& chunk,
                       Scratch& scratch) const;
    void flush_walls(const Grains& grains, Chunk& chunk, Scratch& scratch) const;
    void large_patch(const Grains& grains, GrainWalls& near, std::size_t wall, std::uint16_t type, int count,
                     WallAccount* account, Chunk& chunk, Scratch& scratch) const;
    void load_wall(const Grains& grains, std::size_t g, std::size_t wall, Vec3 force, Vec3 moment, double power,
                   Scratch& scratch) const;
    static void add_loads(Chunk& chunk, Scratch& scratch);
    void pay_walls(WallBatch& batch) const;
    // Whether a WallAccount sees to it that a body gets back from a wall no more than it gave. Elsewhere forces have a
    // potential, and none is needed.
    bool has_account(const Grains& grains, std::size_t g, std::int32_t wall) const {
        return !is_flat_[static_cast<std::size_t>(wall)] || is_crowded_[grains.shape[g]];
    }
    // How near two points on a wall are that share a weight; 0: no two are.
    double near_points(const Grains& grains, std::size_t g, std::size_t wall) const {
        return is_flat_[wall] && !is_crowded_[grains.shape[g]]
                   ? 0
                   : weights_reach * shapes_[grains.shape[g]].reach * grains.scale[g];
    }
    double find_touches(const Grains& grains, const Walls& walls, GrainWalls& near, Scratch& scratch, bool look) const;
    int next_patch(const Grains& grains, std::size_t g, const WallMemory& old, std::size_t from,
                   Scratch& scratch) const;
    void look_at_walls(const Grains& grains, const Walls& walls, const GrainWalls& near, Scratch& scratch,
                       const std::function<void(const ContactView&)>& visit) const;
    void rim_touches(const Grains& grains, const Walls& walls, const GrainWalls& near, double beyond, double& nearest,
                     Scratch& scratch) const;
    struct BondSum {
        Vec3 force;   // on the grain
        Vec3 normal;  // from the partner to it
        double distance, energy, power;
    };
    BondSum pull(const Grains& grains, std::size_t g, const GrainBond& bond) const;
    void each_bond(const Grains& grains, const std::function<void(const ContactView&)>& visit) const;
    void find_bonds(const Grains& grains);
    bool bonded(const Grains& grains, std::size_t i, std::size_t j) const;
    void list_balls(std::vector<Chunk>& chunks);
    bool expired(const Grains& grains, const Walls& walls);
    void rebuild(const Grains& grains, const Walls& walls, double least_skin);
    const PairList& find_pairs(const Grains& grains, double& reach, double least_reach);
    bool are_near(const Grains& grains, std::size_t a, std::size_t b, double reach) const;
    Pose pose(const Grains& grains, std::size_t g, Vec3 position) const {
        return {rotation_[g], position, grains.scale[g]};
    }
    std::size_t stride() const { return first_key + patch_points_ * (1 + static_cast<std::size_t>(width_)); }
    static std::int32_t take_slot(Pool& pool, std::size_t stride);
    double* numbers_of(Chunk& chunk, const PiecePair& pair) const {
        return chunk.pool.numbers.data() + static_cast<std::size_t>(pair.slot) * stride();
    }
    Remembered remembered(const Chunk& chunk, std::size_t at) const;
    static std::size_t walls_touched(const std::vector<WallPoint>& points);

    const ShapeTable& shapes_;
    const MaterialTable& materials_;
    Periodicity periodicity_;
    int dimension_;
    BodyCovering covering_;
    PairSearch search_;
    double time_step_, law_reach_;
    int width_;
    std::size_t patch_points_;  // of two pieces, at most; as the faces of the shapes are
    double exponent_;
    bool pulls_;
    LawFunction law_;
    BodyKernel kernel_;
    std::size_t coefficient_bytes_;
    std::vector<std::uint8_t> wall_materials_;
    std::vector<bool> wall_moves_, is_flat_, is_sheet_;
    std::vector<std::array<Surface::Face, 6>> faces_;  // by wall, of those that are flat

    std::vector<Mat3> rotation_;
    std::vector<Vec3> inverse_inertia_;
    std::vector<OmegaRow> omega_;
    std::vector<InertiaRow> inertia_;
    std::vector<Odometer> odometer_;

    std::vector<PiecePair> pairs_;
    // Lower bound of the distance of a pair that does not touch, plus the way both had come (see DistanceMark). In an
    // array of its own: most pairs are passed over by a look at it.
    std::vector<double> marks_;
    // What is looked at of pairs of balls in every step, by pair like their marks and rows of memory; empty without
    // balls.
    std::vector<BallPair> ball_pairs_;
    std::vector<double> ball_marks_, ball_memory_;
    double* ball_memory(std::size_t pair) {
        return ball_memory_.data() + pair * ball_row(static_cast<std::size_t>(width_));
    }
    const double* ball_memory(std::size_t pair) const {
        return ball_memory_.data() + pair * ball_row(static_cast<std::size_t>(width_));
    }
    bool touches(std::size_t pair) const {
        return pairs_[pair].balls ? ball_memory(pair)[width_] > 0 : pairs_[pair].slot >= 0;
    }
    std::vector<BodyPair> bodies_;
    std::vector<double> body_marks_;  // least of those of its pieces; not of balls
    double largest_ = 0;              // ball around a grain, at the last refresh
    double farthest_ = 0;             // way of a grain since then
    bool all_even_ =
        true;  // the principal moments of each shape are the same: cubes, dice, balls. Others need tensors that turn
    std::vector<std::uint8_t> is_clump_;    // by shape: all its pieces are balls
    std::vector<std::uint8_t> is_crowded_;  // by shape: corners are so near to each other that those that touch a wall
                                            // share weights; their forces have no potential then
    std::vector<std::vector<Corner>> corners_;  // by shape
    std::vector<std::vector<BodyBall>> clump_;  // by shape: its balls at scale 1
    std::vector<std::uint32_t> ball_first_;     // per grain, into balls_
    std::vector<BodyBall> balls_;
    std::vector<PairForce> forces_;  // of bodies_
    std::vector<ForceRow> force_;    // per grain; torques whole, not over the radius
    std::vector<std::uint8_t> touching_;
    std::vector<std::uint32_t> incoming_first_, incoming_, own_first_;
    std::vector<std::uint32_t> bond_first_;  // per grain, into bonds_; empty without glue
    std::vector<GrainBond> bonds_;
    std::vector<Chunk> chunks_;
    std::vector<WallLoad> loads_;
    std::vector<Scratch> scratch_;   // by thread
    std::vector<Vec3> wall_center_;  // that torques on walls are about
    std::vector<WallPlacement> wall_reference_;
    ContactMemory waiting_;  // set by attach(), used by the next refresh
    bool has_waiting_ = false;
    bool required_ = true;
    double skin_ = 0;
    std::int64_t steps_since_ = 0;
    std::uint64_t made_before_ = 0;  // at the last refresh
    std::uint64_t disturbance_ = 0, draws_ = 0;
    std::uint64_t made_ = 0, saved_ = 0;
    PieceCounts piece_counts_;
    double max_overlap_ = 0;
    std::string sunk_;
    AtWall passing_, deepest_;
    std::size_t contact_count_ = 0;
};

}  // namespace scree
