// Curves and surfaces in IGES files: each kind of entity against the points that its definition gives.
#include "io/iges_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geometry/nurbs/nurbs_distance.h"
#include "scree/error.h"

namespace scree {
namespace {

constexpr double pi = std::numbers::pi;

// An IGES file, entity by entity; the name of an entity is what add() returns.
class Writer {
  public:
    int add(int type, const std::string& parameters, int form = 0, bool part = false, int matrix = 0) {
        const std::string text = fmt::format("{},{};", type, parameters);
        const int name = lines_ + 1, first = data_lines_ + 1;
        for (std::size_t at = 0; at < text.size(); ++data_lines_) {
            // Numbers do not go over the end of a line.
            std::size_t end = std::min(text.size(), at + 64);
            if (end < text.size()) end = text.rfind(',', end - 1) + 1;
            data_ += fmt::format("{:<64}{:8}P{:7}\n", text.substr(at, end - at), name, data_lines_ + 1);
            at = end;
        }
        const std::string status = part ? "00010000" : "00000000";
        directory_ += fmt::format("{:8}{:8}{:8}{:8}{:8}{:8}{:8}{:8}{:>8}D{:7}\n", type, first, 0, 0, 0, 0, matrix, 0,
                                  status, ++lines_);
        directory_ += fmt::format("{:8}{:8}{:8}{:8}{:8}{:8}{:8}{:8}{:8}D{:7}\n", type, 0, 0, data_lines_ - first + 1,
                                  form, "", "", "", 0, ++lines_);
        return name;
    }
    std::string text() const {
        return fmt::format("{:<72}S{:7}\n{:<72}G{:7}\n", "made by a test", 1, "1H,,1H;,4Htest,8Htest.igs;", 1) +
               directory_ + data_ + fmt::format("{:<72}T{:7}\n", "S      1G      1", 1);
    }

  private:
    std::string directory_, data_;
    int lines_ = 0, data_lines_ = 0;
};

std::vector<Nurbs> bodies(const Writer& file) { return nurbs_of_iges(file.text(), "test.igs"); }

Nurbs only(const Writer& file) {
    const std::vector<Nurbs> found = bodies(file);
    EXPECT_EQ(found.size(), 1u);
    return found.at(0);
}

// At parts of the domain.
Vec3 at(const Nurbs& nurbs, double u, double v = 0) {
    const auto between = [](const SplineBasis& basis, double part) {
        return basis.first() + part * (basis.last() - basis.first());
    };
    return NurbsBody(nurbs).evaluate(between(nurbs.u, u), between(nurbs.v, v)).at;
}

void expect_near(Vec3 a, Vec3 b) { EXPECT_NEAR(norm(a - b), 0, 1e-14) << a.x << " " << a.y << " " << a.z; }

TEST(Iges, lines_and_polylines) {
    Writer line;
    line.add(110, "1.,2.D0,3.,4.,5.,6.E0");
    expect_near(at(only(line), 0.5), {2.5, 3.5, 4.5});
    Writer flat;
    flat.add(106, "1,3,7.,0.,0.,1.,0.,1.,1.", 11);
    expect_near(at(only(flat), 0.75), {1, 0.5, 7});
    Writer space;
    space.add(106, "2,2,0.,0.,0.,1.,2.,3.", 12);
    expect_near(at(only(space), 1), {1, 2, 3});
}

TEST(Iges, arcs_run_counterclockwise_and_whole_circles_close) {
    Writer file;
    file.add(100, "1.,5.,0.,7.,0.,5.,-2.");  // three quarters of a circle of radius 2
    const Nurbs arc = only(file);
    for (const double part : {0.0, 0.1, 0.5, 0.9, 1.0}) EXPECT_NEAR(norm(at(arc, part) - Vec3{5, 0, 1}), 2, 1e-14);
    expect_near(at(arc, 1.0 / 3), {5, 2, 1});
    expect_near(at(arc, 1), {5, -2, 1});
    Writer whole;
    whole.add(100, "0.,0.,0.,1.,0.,1.,0.");
    expect_near(at(only(whole), 0.5), {-1, 0, 0});
}

// Points of a conic fulfil its equation, and the arc is the one between its ends.
TEST(Iges, conics_fulfil_their_equations) {
    struct Case {
        double a, b, c, d, e, f;
        Vec3 from, to;
        int form;
    };
    const double s = std::sqrt(0.5);
    for (const Case& k : {Case{0.25, 0, 1, 0, 0, -1, {2, 0, 0}, {0, -1, 0}, 1},         // most of an ellipse
                          Case{1, 1, 1, 0, 0, -1, {1, 0, 0}, {0, 1, 0}, 1},             // a leaning one
                          Case{1, 0, 0, 0, -1, 0, {-1, 1, 0}, {2, 4, 0}, 3},            // y = x^2
                          Case{0, 1, 0, 0, 0, -1, {0.5, 2, 0}, {4, 0.25, 0}, 2},        // x y = 1
                          Case{1, 0, 1, -2, 0, 0, {1 + s, s, 0}, {1 - s, s, 0}, 1}}) {  // a circle off the origin
        Writer file;
        file.add(104,
                 fmt::format("{},{},{},{},{},{},2.,{},{},{},{}", k.a, k.b, k.c, k.d, k.e, k.f, k.from.x, k.from.y,
                             k.to.x, k.to.y),
                 k.form);
        const Nurbs conic = only(file);
        expect_near(at(conic, 0), k.from + Vec3{0, 0, 2});
        expect_near(at(conic, 1), k.to + Vec3{0, 0, 2});
        for (int step = 0; step <= 20; ++step) {
            const Vec3 p = at(conic, step / 20.0);
            EXPECT_NEAR(k.a * p.x * p.x + k.b * p.x * p.y + k.c * p.y * p.y + k.d * p.x + k.e * p.y + k.f, 0, 1e-13);
        }
    }
    Writer most;
    most.add(104, "0.25,0.,1.,0.,0.,-1.,0.,2.,0.,0.,-1.", 1);
    expect_near(at(only(most), 2.0 / 3), {-2, 0, 0});
}

TEST(Iges, surfaces_made_of_curves) {
    Writer extruded;
    const int base = extruded.add(110, "0.,0.,0.,2.,0.,0.", 0, true);
    extruded.add(122, fmt::format("{},0.,0.,3.", base));
    expect_near(at(only(extruded), 0.25, 0.5), {0.5, 0, 1.5});

    Writer turned;
    const int axis = turned.add(110, "0.,0.,0.,0.,0.,1.", 0, true),
              side = turned.add(110, "1.,0.,0.,1.,0.,2.", 0, true);
    turned.add(120, fmt::format("{},{},0.,{:.16g}", axis, side, 2 * pi));
    const Nurbs cylinder = only(turned);
    for (const double v : {0.0, 0.2, 0.7})
        EXPECT_NEAR(std::hypot(at(cylinder, 0.5, v).x, at(cylinder, 0.5, v).y), 1, 1e-14);
    expect_near(at(cylinder, 0.5, 0.25), {0, 1, 1});

    // A line and a quarter of a circle: of unlike degrees, the second one turned round.
    Writer ruled;
    const int line = ruled.add(110, "1.,0.,0.,0.,1.,0.", 0, true),
              arc = ruled.add(100, "2.,0.,0.,1.,0.,0.,1.", 0, true);
    ruled.add(118, fmt::format("{},{},0,0", line, arc), 1);
    const Nurbs lid = only(ruled);
    expect_near(at(lid, 0, 0.5), {1, 0, 1});
    expect_near(at(lid, 0.5, 0), {0.5, 0.5, 0});
    EXPECT_NEAR(norm(at(lid, 0.3, 1) - Vec3{0, 0, 2}), 1, 1e-14);
    Writer crossed;
    const int first = crossed.add(110, "0.,0.,0.,1.,0.,0.", 0, true),
              second = crossed.add(110, "0.,0.,1.,1.,0.,1.", 0, true);
    crossed.add(118, fmt::format("{},{},1,0", first, second), 1);
    expect_near(at(only(crossed), 0, 1), {1, 0, 1});
}

TEST(Iges, splines_and_their_parts) {
    Writer curve;
    curve.add(126, "2,2,0,0,1,0,0.,0.,0.,1.,1.,1.,1.,1.,1.,0.,0.,0.,1.,2.,0.,2.,0.,0.,0.25,0.75,0.,0.,1.");
    const Nurbs part = only(curve);
    EXPECT_EQ(part.u.first(), 0.25);
    expect_near(at(part, 0), {0.5, 0.75, 0});
    expect_near(at(part, 0.5), {1, 1, 0});
    // 3 x 2 points: the first index runs fastest in the file.
    Writer surface;
    surface.add(128,
                "2,1,2,1,0,0,1,0,0,0.,0.,0.,1.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,1.,1.,"
                "0.,0.,0.,1.,0.,2.,2.,0.,0.,0.,3.,0.,1.,3.,2.,2.,3.,0.,0.,1.,0.,0.5");
    const Nurbs half = only(surface);
    expect_near(at(half, 0.5, 0), {1, 0, 1});
    expect_near(at(half, 0, 1), {0, 1.5, 0});
}

TEST(Iges, matrices_move_and_parts_of_composites_come_along) {
    Writer file;
    const int matrix = file.add(124, "0.,-1.,0.,10.,1.,0.,0.,0.,0.,0.,1.,0.");
    const int a = file.add(110, "0.,0.,0.,1.,0.,0.", 0, true), b = file.add(110, "1.,0.,0.,1.,1.,0.", 0, true);
    file.add(102, fmt::format("2,{},{}", a, b), 0, false, matrix);
    const std::vector<Nurbs> parts = bodies(file);
    ASSERT_EQ(parts.size(), 2u);
    expect_near(at(parts[0], 1), {10, 1, 0});
    expect_near(at(parts[1], 1), {9, 1, 0});
}

void expect_refusal(const Writer& file, const std::string& says) {
    try {
        bodies(file);
        ADD_FAILURE() << "accepted, where it should say: " << says;
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find("test.igs:"), 0u) << error.what();
    }
}

TEST(Iges, what_cannot_be_kept_is_refused) {
    Writer trimmed;
    trimmed.add(144, "1,0,0,0");
    expect_refusal(trimmed, "trimmed");
    Writer solid;
    solid.add(186, "1,1,0");
    expect_refusal(solid, "is not read");
    Writer loop;
    loop.add(102, "1,1");
    expect_refusal(loop, "part of itself");
    Writer missing;
    missing.add(122, "77,0.,0.,1.");
    expect_refusal(missing, "does not exist");
    Writer few;
    few.add(126, "2,2,0,0,1,0,0.,0.");
    expect_refusal(few, "parameters");
    Writer falling;
    falling.add(126, "1,1,0,0,1,0,0.,1.,0.,1.,1.,1.,0.,0.,0.,1.,0.,0.,0.,1.");
    expect_refusal(falling, "below the one before");
    Writer word;
    word.add(110, "0.,0.,zero,1.,0.,0.");
    expect_refusal(word, "not a number");
    Writer empty;
    empty.add(126, "1,1,0,0,1,0,0.,0.,1.,1.,1.,1.,0.,0.,0.,1.,0.,0.,0.5,0.5");
    expect_refusal(empty, "is empty");
    expect_refusal(Writer(), "no curve");
    EXPECT_TRUE(is_iges(Writer().text()));
    EXPECT_FALSE(is_iges("0 0 0\n1 0 0\n"));
}

}  // namespace
}  // namespace scree
