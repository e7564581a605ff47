// A scene that is written and read again is the same scene, to the last bit; and whatever is read is answered with a
// scene or with an error, never with a crash.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "io/scene_document.h"
#include "io/scene_file.h"
#include "scree/error.h"

namespace scree {
namespace {

// Scenes with random values in every field.
class RandomScenes {
  public:
    explicit RandomScenes(std::uint64_t seed) : engine_(seed) {}

    Scene scene() {
        Scene s;
        s.title = text();
        s.dimension = d_ = chance() ? 2 : 3;
        s.gravity = vector();
        if (chance()) s.gravity_turn = {d_ == 3 ? direction() : Vec3{0, 0, 1}, number(), 1, 1 + positive()};
        s.overlap_limit = fraction();
        s.duration = positive();
        if (chance()) s.time_step = positive();
        s.seed = engine_() >> 1;
        s.neighbors = NeighborMethod(pick(4));
        s.integrator = Integrator(pick(2));
        s.damping = positive();
        s.rotation_damping = positive();
        s.law = LawKind(pick(6));
        for (std::size_t i = 0, n = 1 + pick(3); i < n; ++i)
            s.materials.push_back(material("material " + std::to_string(i)));
        if (s.materials.size() > 1) s.interactions.push_back(interaction());
        for (std::size_t i = 0; i < 4; ++i) s.regions.push_back({"region" + std::to_string(i), region(i), {}});
        for (std::size_t i = 0; i < 5; ++i) s.grains.push_back(group(i));
        for (std::size_t i = 0; i < 9; ++i) s.walls.push_back(wall(i));
        for (int axis = 0; axis < d_; ++axis)
            if (chance()) s.periodic[static_cast<std::size_t>(axis)] = {-1e9 - positive(), 1e9 + positive()};
        if (chance()) s.outflow_region = "region1";
        if (chance()) s.start_from = "/runs/" + text();
        if (s.start_from && chance()) s.start_grains = StartGrains::replace;
        s.frame_interval = positive();
        s.series_interval = positive();
        s.checkpoint_interval = 0;
        if (chance()) s.measures.clear();
        if (chance()) {
            s.measures.push_back({"density", {}});
            s.measure_interval = positive();
        }
        if (chance())
            s.measures.push_back({"layers", {{"axis", std::string("y")}, {"count", 7.0}, {"from", number()}}});
        if (chance())
            s.measures.push_back(
                {"flow",
                 {{"point", d_ == 3 ? std::vector<double>{number(), 1, 2} : std::vector<double>{number(), 1}}}});
        if (chance())
            s.measures.push_back({"coordination", {{"walls", std::string("false")}, {"average", positive()}}});
        return s;
    }

  private:
    std::size_t pick(std::size_t n) { return engine_() % n; }
    bool chance() { return pick(2) == 0; }
    double fraction() { return (static_cast<double>(engine_() >> 11) + 1) / 9007199254740992.0; }
    double positive() { return fraction() * std::pow(10.0, static_cast<double>(pick(13)) - 6); }
    double number() { return chance() ? positive() : pick(3) ? -positive() : -0.0; }
    Vec3 vector() { return {number(), number(), d_ == 3 ? number() : 0}; }
    Vec3 direction() { return {positive(), number(), d_ == 3 ? number() : 0}; }
    std::string text() {
        return std::array<std::string, 5>{"plain", "with \"quotes\"", "back\\slash\ttab", "gr\xc3\xa4in",
                                          "line\nbreak"}[pick(5)];
    }

    Material material(const std::string& name) {
        Material m{name,
                   positive(),
                   positive(),
                   fraction() / 2,
                   {fraction(),
                    fraction(),
                    positive(),
                    positive(),
                    positive(),
                    positive(),
                    positive(),
                    positive(),
                    coefficients(),
                    {}},
                   {}};
        if (m.contact.linear.stiffness || chance()) m.contact.contact_time.reset();
        if (chance()) m.contact.rolling_stiffness = positive();
        return m;
    }
    LinearCoefficients coefficients() {
        LinearCoefficients c;
        if (chance()) c.stiffness = positive();
        if (chance()) (chance() ? c.tangential_stiffness : c.stiffness_ratio) = positive();
        if (chance()) (chance() ? c.damping : c.damping_rate) = positive();
        if (chance()) (chance() ? c.tangential_damping : c.tangential_damping_rate) = positive();
        return c;
    }
    Interaction interaction() {
        Interaction i{};
        i.first = "material 0";
        i.second = "material 1";
        if (chance()) i.restitution = fraction();
        if (chance()) i.tangential_restitution = fraction();
        if (chance()) i.friction = positive();
        i.linear = coefficients();
        if (chance() && !i.linear.stiffness) i.contact_time = positive();
        if (chance()) i.rolling_stiffness = positive();
        if (chance()) i.law = LawKind::cohesive;
        if (chance()) i.rolling_friction = positive();
        if (chance()) i.cohesion = positive();
        if (chance()) i.viscosity = positive();
        if (chance()) i.restitution_speed = positive();
        return i;
    }
    std::pair<Vec3, Vec3> corners() {
        const Vec3 low = vector();
        return {low, {low.x + 1e7, low.y + 1e7, d_ == 3 ? low.z + 1e7 : 0}};
    }
    RegionShape region(std::size_t kind) {
        const auto [low, high] = corners();
        if (kind == 0) return BoxShape{low, high};
        if (kind == 1) return CylinderShape{low, high, positive()};
        if (kind == 2) return ConeShape{low, high, positive(), 0};
        return SphereShape{low, positive()};
    }
    RadiusDistribution radius() {
        RadiusDistribution r;
        r.kind = RadiusDistribution::Kind(pick(6));
        r.first = positive();
        switch (r.kind) {
            case RadiusDistribution::Kind::fixed:
                break;
            case RadiusDistribution::Kind::uniform:
                r.second = r.first + positive();
                break;
            case RadiusDistribution::Kind::normal:
                r.second = r.first / 4;
                break;
            case RadiusDistribution::Kind::lognormal:
                r.second = fraction();
                r.by = RadiusDistribution::By(pick(2));
                break;
            case RadiusDistribution::Kind::table:
                r.first = 0, r.table = {{positive(), fraction()}, {positive(), 0}};
                break;
            case RadiusDistribution::Kind::sieve:
                r.table = {{r.first, 0}, {2 * r.first, fraction()}, {3 * r.first, 1}};
                r.first = 0;
                r.by = RadiusDistribution::By(pick(2));
                break;
        }
        return r;
    }
    GrainGroup group(std::size_t kind) {
        GrainGroup g;
        g.name = "group" + std::to_string(kind) + text();
        g.material = "material 0";
        g.radius = radius();
        if (kind == 0)
            g.place = PlaceOnLattice{LatticeKind(pick(2) + (d_ == 2 ? 2 : 0)), 1e6 + positive(), "region0", fraction(),
                                     positive()};
        if (kind == 1) {
            PlaceAtRandom random{"region1", {}, {}};
            chance() ? void(random.count = static_cast<std::int64_t>(pick(1000))) : void(random.density = fraction());
            if (random.density)
                g.radius = {
                    RadiusDistribution::Kind::fixed, 1e6 + positive(), 0, {}, {}};  // not more grains than allowed
            g.place = random;
        }
        if (kind == 2) g.place = PlaceAt{{vector(), vector(), vector()}};
        if (kind == 3) {
            g.place = PlaceFromFile{"/data/bed.csv"};
            g.radius = {};
        }
        if (kind == 4) {
            PourOverTime pour{"region2", fraction(), 1, chance() ? forever : 1 + positive(), {}, vector()};
            if (chance()) pour.count = 12;
            g.place = pour;
        } else {
            g.velocity = vector();
            g.fixed = chance();
        }
        g.spin = d_ == 3 ? vector() : Vec3{0, 0, number()};
        if (chance()) g.density = positive();
        return g;
    }
    SurfaceShape surface(std::size_t kind) {
        const auto [low, high] = corners();
        switch (kind) {
            case 0:
                return PlaneWall{vector(), direction()};
            case 1:
                return BoxWall{low, high};
            case 2:
                return CylinderWall{low, high, positive()};
            case 3:
                return ConeWall{low, high, 0, positive()};
            case 4:
                return SphereWall{vector(), positive()};
            case 5: {
                const double hole = positive();
                return DiscWall{vector(), direction(), hole + positive(), hole};
            }
            default:
                return PolylineWall{{low, high, low}};
        }
    }
    Motion motion() {
        const double from = positive(), until = chance() ? forever : from + positive();
        switch (pick(6)) {
            case 0:
                return Vibrate{vector(), positive(), Wave(pick(2)), from, until};
            case 1:
                return Rotate{d_ == 3 ? direction() : Vec3{0, 0, 1}, vector(), number(), from, until};
            case 2:
                return Translate{vector(), from, until};
            case 3:
                return FreePiston{positive(), direction(), number(), from};
            case 4:
                return MotionTable{
                    {{0, number(), number(), d_ == 3 ? number() : 0}, {positive(), 1, 2, d_ == 3 ? 3.0 : 0}}};
            default:
                return {};
        }
    }
    Wall wall(std::size_t kind) {
        Wall w;
        w.name = "wall" + std::to_string(kind);
        w.material = "material 0";
        if (kind == 7) {
            w.shape = BallsWall{surface(1 + pick(d_ == 2 ? 6 : 5)), positive(), positive(), engine_() >> 1};
        } else if (kind == 8 && d_ == 3) {
            w.shape = MeshWall{"/some where/mesh.stl", positive(), chance() ? direction() : Vec3{0, 0, 1}, positive(),
                               vector()};
        } else {
            const SurfaceShape shape = surface((kind == 6 || kind == 8) && d_ == 3 ? 0 : kind);
            std::visit([&](const auto& s) { w.shape = s; }, shape);
        }
        w.outside = chance();
        w.motion = motion();
        if (chance()) w.open_at = positive();
        return w;
    }

    std::mt19937_64 engine_;
    int d_ = 3;
};

Scene read_back(const Scene& scene) { return parse_scene(write_scene(scene), scene.file, {{}, false}); }

TEST(scene_round_trip, a_written_scene_reads_as_the_same_scene) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Scene scene = RandomScenes(seed).scene();
        ASSERT_EQ(read_back(scene), scene) << "seed " << seed << "\n" << write_scene(scene);
        scene.walls[1].open_at = 0.25;
        ASSERT_NE(read_back(scene), RandomScenes(seed).scene());
    }
}

TEST(scene_round_trip, numbers_are_short_and_exact) {
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(1e-3), "0.001");
    EXPECT_EQ(number_text(4.2e-5), "4.2e-5");
    EXPECT_EQ(number_text(1e7), "1e7");
    EXPECT_EQ(number_text(-9.81), "-9.81");
    EXPECT_EQ(number_text(2), "2");
    EXPECT_EQ(number_text(-0.0), "-0.0");
    EXPECT_EQ(number_text(forever), "inf");
    std::mt19937_64 engine(1);
    for (int i = 0; i < 100000; ++i) {
        const std::uint64_t bits = engine();
        double number;
        std::memcpy(&number, &bits, sizeof number);
        if (!std::isfinite(number)) continue;
        ASSERT_EQ(std::strtod(number_text(number).c_str(), nullptr), number) << number_text(number);
    }
}

// ---- Fuzzing ----------------------------------------------------------------------------------------------------------

// Words, numbers, strings, spaces and single signs.
std::vector<std::string> tokens_of(const std::string& text) {
    std::vector<std::string> tokens;
    const auto word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
    };
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (word(text[i]))
            while (end < text.size() && word(text[end])) ++end;
        tokens.push_back(text.substr(i, end - i));
        i = end;
    }
    return tokens;
}

std::string mutated(std::vector<std::string> tokens, std::mt19937_64& engine) {
    static const std::string spices[] = {"-1",         "0",      "nan",       "inf",  "1e400",
                                         "\"\"",       "[]",     "{}",        "[[",   "]]",
                                         "=",          "\n",     "\"x\"",     "true", "9223372036854775807",
                                         "1979-05-27", "[0, 0]", "{ a = 1 }", "\xff", "'",
                                         "2",          "name",   "kind"};
    for (std::size_t changes = 1 + engine() % 4; changes > 0 && !tokens.empty(); --changes) {
        const std::size_t at = engine() % tokens.size();
        switch (engine() % 5) {
            case 0:
                tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            case 1:
                tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens[engine() % tokens.size()]);
                break;
            case 2:
                tokens[at] = tokens[engine() % tokens.size()];
                break;
            case 3:
                tokens[at] = spices[engine() % std::size(spices)];
                break;
            default:
                std::swap(tokens[at], tokens[engine() % tokens.size()]);
                break;
        }
    }
    std::string text;
    for (const std::string& token : tokens) text += token;
    return text;
}

TEST(scene_fuzz, a_mutilated_scene_is_read_or_refused) {
    namespace fs = std::filesystem;
    int accepted = 0, refused = 0;
    std::mt19937_64 engine(20);
    for (const auto& entry : fs::directory_iterator(fs::path(SCREE_SOURCE_DIR) / "examples")) {
        if (entry.path().extension() != ".toml") continue;
        std::ifstream stream(entry.path());
        const std::string text(std::istreambuf_iterator<char>(stream), {});
        std::string code;  // comments are not worth mutilating
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) code += line.substr(0, line.find('#')) + "\n";
        const auto tokens = tokens_of(code);
        for (int i = 0; i < 600; ++i) {
            const std::string bad = mutated(tokens, engine);
            SCOPED_TRACE(bad);
            try {
                const Scene scene = parse_scene(bad, entry.path().string());
                ASSERT_EQ(read_back(scene), scene);
                ++accepted;
            } catch (const Error& error) {
                ASSERT_EQ(error.kind(), ErrorKind::bad_input);
                ASSERT_TRUE(std::string(error.what()).starts_with(entry.path().string() + ":")) << error.what();
                ++refused;
            }
        }
    }
    EXPECT_GT(accepted, 100);
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace scree
