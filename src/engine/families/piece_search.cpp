#include "engine/families/piece_search.h"

#include "core/parallel.h"
#include "geometry/gjk.h"

namespace scree {
namespace {

// Numbers of pairs of pieces of two bodies: past the first their hulls are asked, past the second trees of boxes are
// used.
constexpr std::size_t few_pairs = 16, many_pairs = 100;

Placed<Polyhedron> placed(const Polyhedron& body, const Pose& pose) {
    Mat3 m = pose.rotation;
    for (Vec3& row : m.row) row *= pose.scale;
    return Placed<Polyhedron>::stretched(body, m, pose.position);
}

// The search for one block of bodies.
class BlockSearch {
  public:
    BlockSearch(const BodyScene& scene, const Grains& grains, double reach, FoundPieces& found, std::size_t block)
        : scene_(scene),
          grains_(grains),
          reach_(reach),
          bodies_(found.bodies[block]),
          balls_(found.balls[block]),
          pieces_(found.pieces[block]),
          marks_(found.marks[block]) {}

    // Body a is the one of the lower id.
    void look_at(Index a, Index b) {
        const Bodies& all = scene_.bodies;
        a_ = a;
        b_ = b;
        of_a_ = &all.shapes[grains_.shape[a]];
        of_b_ = &all.shapes[grains_.shape[b]];
        type_ = scene_.materials.type(grains_.material[a], grains_.material[b]);
        const Vec3 offset = scene_.offset(grains_, a, b);
        at_a_ = all.pose(grains_, a, {});
        at_b_ = all.pose(grains_, b, offset);
        if (all.is_clump(grains_, a) && all.is_clump(grains_, b)) {
            const std::size_t before = balls_.size();
            if (products() <= many_pairs)
                balls_of_few(offset);
            else if (!hulls_apart())
                by_trees([&](std::size_t p, std::size_t q) { add_balls(p, q); });
            close(before, balls_.size(), true);
        } else {
            const std::size_t before = pieces_.size();
            const auto add = [&](std::size_t p, std::size_t q) { add_if_near(p, q); };
            if (products() > few_pairs && hulls_apart()) return;
            if (products() > many_pairs)
                by_trees(add);
            else
                pieces_of_few(offset, add);
            close(before, pieces_.size(), false);
        }
    }
    std::uint64_t queries() const { return queries_; }

  private:
    std::size_t products() const { return of_a_->pieces.size() * of_b_->pieces.size(); }

    void close(std::size_t before, std::size_t after, bool balls) {
        if (after > before)
            bodies_.push_back({a_, b_, static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(after), balls});
    }

    void add_balls(std::size_t p, std::size_t q) {
        const std::uint32_t first_a = scene_.bodies.ball_first[a_], first_b = scene_.bodies.ball_first[b_];
        balls_.push_back({a_, b_, first_a + static_cast<std::uint32_t>(p), first_b + static_cast<std::uint32_t>(q),
                          static_cast<std::uint32_t>(bodies_.size()), type_});
    }

    void balls_of_few(Vec3 offset) {
        const std::size_t count_a = of_a_->pieces.size(), count_b = of_b_->pieces.size();
        for (std::size_t p = 0; p < count_a; ++p) {
            const BodyBall& ball = scene_.bodies.ball(a_, p);
            const Vec3 at = ball.x - offset;
            const double near = reach_ + ball.radius, past = near + of_b_->reach * at_b_.scale;
            if (norm2(at) > past * past) continue;
            for (std::size_t q = 0; q < count_b; ++q) {
                const BodyBall& other = scene_.bodies.ball(b_, q);
                if (const double within = near + other.radius; !(norm2(at - other.x) > within * within))
                    add_balls(p, q);
            }
        }
    }

    // The distance of two pieces is their first mark (geometry/odometer.h).
    void add_if_near(std::size_t p, std::size_t q) {
        const Piece &piece_a = of_a_->pieces[p], &piece_b = of_b_->pieces[q];
        thread_local Patch patch;
        double feature = 0;
        find_patch(piece_a, at_a_, piece_b, at_b_, 0, scene_.dimension, feature, patch);
        queries_ += patch.searched;
        const double gap = patch.distance - (piece_a.radius * at_a_.scale + piece_b.radius * at_b_.scale),
                     slack = 1e-12 * (grains_.row[a_].radius + grains_.row[b_].radius);
        if (!patch.overlap && gap - slack > reach_) return;
        const bool apart = !patch.overlap && gap - slack > scene_.law.reach();
        pieces_.push_back({{a_, b_, static_cast<std::uint16_t>(p), static_cast<std::uint16_t>(q)}, type_, 0, -1});
        marks_.push_back(apart ? gap : -forever);
    }

    template <class Add>
    void pieces_of_few(Vec3 offset, Add&& add) {
        for (std::size_t p = 0; p < of_a_->pieces.size(); ++p) {
            const Vec3 at = at_a_(of_a_->pieces[p].middle);
            const double near = reach_ + of_a_->pieces[p].reach * at_a_.scale;
            if (products() > 1 && norm(at - offset) > near + of_b_->reach * at_b_.scale) continue;
            for (std::size_t q = 0; q < of_b_->pieces.size(); ++q) {
                const Piece& other = of_b_->pieces[q];
                if (products() > 1 && norm(at_b_(other.middle) - at) > near + other.reach * at_b_.scale) continue;
                add(p, q);
            }
        }
    }

    // Bodies of many pieces, a tree of boxes against another (Montanari 2017, algorithm 6).
    template <class Add>
    void by_trees(Add&& add) {
        thread_local std::vector<std::pair<std::uint16_t, std::uint16_t>> near;
        near.clear();
        near_pieces(scene_.bodies.shapes.tree(grains_.shape[a_]), at_a_, scene_.bodies.shapes.tree(grains_.shape[b_]),
                    at_b_, reach_, near);
        for (const auto& [p, q] : near) add(p, q);
    }

    bool hulls_apart() const {
        const auto hull = [](const Shape& shape) -> const Polyhedron& {
            return shape.hull ? *shape.hull : shape.pieces[0].body;
        };
        const auto radius = [](const Shape& shape) { return shape.hull ? shape.hull_radius : shape.least_radius; };
        const Distance d = distance(placed(hull(*of_a_), at_a_), placed(hull(*of_b_), at_b_));
        return !d.skeletons_overlap &&
               d.gap - d.error - radius(*of_a_) * at_a_.scale - radius(*of_b_) * at_b_.scale > reach_;
    }

    const BodyScene& scene_;
    const Grains& grains_;
    double reach_;
    std::vector<BodyPair>& bodies_;
    std::vector<BallPair>& balls_;
    std::vector<PiecePair>& pieces_;
    std::vector<double>& marks_;
    std::uint64_t queries_ = 0;
    // The two bodies at hand.
    Index a_ = 0, b_ = 0;
    const Shape *of_a_ = nullptr, *of_b_ = nullptr;
    Pose at_a_, at_b_;
    std::uint16_t type_ = 0;
};

// Turns numbers within the lists of blocks into numbers over all of them.
void number_through(FoundPieces& found) {
    std::uint32_t bodies = 0, balls = 0, pieces = 0;
    for (std::size_t b = 0; b < found.bodies.size(); ++b) {
        for (BallPair& pair : found.balls[b]) pair.body += bodies;
        for (BodyPair& pair : found.bodies[b]) {
            const std::uint32_t shift = pair.balls ? balls : pieces;
            pair.first += shift;
            pair.end += shift;
        }
        bodies += static_cast<std::uint32_t>(found.bodies[b].size());
        balls += static_cast<std::uint32_t>(found.balls[b].size());
        pieces += static_cast<std::uint32_t>(found.pieces[b].size());
    }
}

}  // namespace

FoundPieces find_pieces(const BodyScene& scene, const Grains& grains, const Blocks& blocks, const PairList& list,
                        const Bonds& bonds, double reach) {
    FoundPieces found;
    found.bodies.resize(blocks.count());
    found.balls.resize(blocks.count());
    found.pieces.resize(blocks.count());
    found.marks.resize(blocks.count());
    std::vector<std::uint64_t> queries(blocks.count(), 0);
    run_tasks(blocks.count(), [&](std::size_t block, int) {
        BlockSearch search(scene, grains, reach, found, block);
        for (std::size_t i = blocks.first(block); i < blocks.end(block); ++i)
            for (const Index j : list.of(i)) {
                const auto first = static_cast<Index>(i);
                const Index a = grains.id[i] < grains.id[j] ? first : j, b = a == j ? first : j;
                if (bonds.bonded(grains, a, b)) continue;
                if (grains.row[a].inverse_mass + grains.row[b].inverse_mass == 0) continue;
                search.look_at(a, b);
            }
        queries[block] = search.queries();
    });
    number_through(found);
    for (const std::uint64_t each : queries) found.queries += each;
    return found;
}

bool pieces_are_near(const BodyScene& scene, const Grains& grains, std::size_t a, std::size_t b, double reach) {
    const Pose at_a = scene.bodies.pose(grains, a, {}), at_b = scene.bodies.pose(grains, b, scene.offset(grains, a, b));
    for (const Piece& p : scene.bodies.shapes[grains.shape[a]].pieces)
        for (const Piece& q : scene.bodies.shapes[grains.shape[b]].pieces) {
            const Distance d = distance(placed(p.body, at_a), placed(q.body, at_b));
            if (d.skeletons_overlap ||
                d.gap + d.error - p.radius * grains.scale[a] - q.radius * grains.scale[b] < reach)
                return true;
        }
    return false;
}

}  // namespace scree
