// Writes frames and has VTK's own reader (read_frames.py) compare every number with a plain list of what was meant.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "io/synthetic.h"
#include "io/vtk.h"
#include "io/vtk_frames.h"

namespace scree {
namespace {

using test::TemporaryFolder;

// A line of JSON: {"name": [numbers...], ...}; doubles in the fewest digits that read back exactly.
class Expected {
  public:
    void add(const std::string& name, const std::vector<double>& values) {
        text_ += fmt::format("{}\"{}\": [{}]", text_.empty() ? "" : ",\n", name, fmt::join(values, ", "));
    }
    std::string text() const { return "{" + text_ + "}\n"; }

  private:
    std::string text_;
};

int compare(const std::filesystem::path& vtp, const Expected& expected) {
    test::set_bytes(vtp.string() + ".json", expected.text());
    return std::system(
        fmt::format("{} {}/tests/io/read_frames.py {}", SCREE_PYTHON, SCREE_SOURCE_DIR, vtp.string()).c_str());
}

void append(std::vector<double>& list, Vec3 v) { list.insert(list.end(), {v.x, v.y, v.z}); }

EachContact each_of(const std::vector<ContactView>& contacts) {
    return [contacts](const auto& visit) {
        for (const ContactView& contact : contacts) visit(contact);
    };
}

// Row numbers in the order of identities.
std::vector<std::size_t> by_id(const Grains& grains) {
    std::vector<std::size_t> order(grains.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return grains.id[a] < grains.id[b]; });
    return order;
}

TEST(vtk, grains_read_back_as_written) {
    const TemporaryFolder folder;
    for (const std::size_t count : {0u, 1u, 100u}) {
        const Grains grains = test::made_up_checkpoint(count).world.grains;
        std::vector<ContactView> touching;
        std::vector<double> count_of(count, 0);
        if (count > 1) {
            touching.resize(3);  // 0-1, 1-5 and 5 at a wall
            touching[0].a = grains.id[0];
            touching[0].b = grains.id[1];
            touching[1].a = grains.id[1];
            touching[1].b = grains.id[5];
            touching[2].a = grains.id[5];
            touching[2].wall = 0;
            count_of[0] = 1;
            count_of[1] = count_of[5] = 2;
        }
        if (count > 1) {
            touching[0].normal = {1, 0, 0};
            touching[0].force = {3, 4, 0};
        }  // only its normal part presses
        write_grain_frame(folder.path / "grains.vtp", {0.125, 42}, grains, count_contacts(grains, each_of(touching)),
                          grain_pressures(grains, each_of(touching), 3),
                          {{"small", "middle", "Größe"}, {"glass", "steel"}, {"#d8a23e", "", "#3f74a8"}}, true);
        std::vector<double> position, radius, id, group, material, contacts, pressure, velocity, spin, crossings;
        for (const std::size_t k : by_id(grains)) {
            append(position, grains.position(k));
            append(velocity, grains.velocity(k));
            append(spin, grains.angular_velocity(k));
            radius.push_back(grains.row[k].radius);
            id.push_back(grains.id[k]);
            group.push_back(grains.group[k]);
            material.push_back(grains.material[k]);
            contacts.push_back(count_of[k]);
            const double r = grains.row[k].radius;
            pressure.push_back(count > 1 && k < 2 ? 3 * r / (4 * 3.14159265358979324 * r * r * r) : 0);
            for (std::size_t axis = 0; axis < 3; ++axis) crossings.push_back(grains.images[k].count[axis]);
        }
        Expected expected;
        expected.add("points:position", position);
        expected.add("point:radius", radius);
        expected.add("point:id", id);
        expected.add("point:group", group);
        expected.add("point:material", material);
        expected.add("point:contacts", contacts);
        expected.add("point:pressure", pressure);
        expected.add("point:velocity", velocity);
        expected.add("point:spin", spin);
        expected.add("point:crossings", crossings);
        expected.add("field:TimeValue", {0.125});
        expected.add("field:step", {42});
        expected.add("count:vertices", {count > 0 ? 1.0 : 0.0});
        EXPECT_EQ(compare(folder.path / "grains.vtp", expected), 0) << count;
    }
}

TEST(vtk, contacts_are_lines_between_centers_that_touch) {
    const TemporaryFolder folder;
    Grains grains = test::made_up_checkpoint(3).world.grains;
    grains.id = {7, 2, 9};
    grains.row[0] = {0.5, 0, 0, 0.25, 0, 0, 0, 1};
    grains.row[1] = {0.0, 0, 0, 0.26, 0, 0, 0, 1};
    grains.row[2] = {9.75, 0, 0, 0.25, 0, 0, 0, 1};  // touches grain 2 across the periodic border at x = 10
    const std::vector<ContactView> contacts = {
        {7, 2, -1, 0, 0.01, {0.25, 0, 0}, {1, 0, 0}, {3, 4, 0}, 0.5},
        {2, 9, -1, 0, 0.26, {-0.125, 0, 0}, {1, 0, 0}, {2, 0, 0}, 0.5},
        {7, 0, 1, 5, 0.125, {0.5, 0, -0.125}, {0, 0, 1}, {0, 0, 6}, 0.5},
    };
    write_contact_frame(folder.path / "contacts.vtp", {1, 2}, grains, each_of(contacts));
    Expected expected;
    expected.add("points:position", {0.5, 0, 0, 0.0, 0, 0, 0.0, 0, 0, -0.25, 0, 0, 0.5, 0, 0, 0.5, 0, -0.125});
    expected.add("cell:force", {3, 4, 0, 2, 0, 0, 0, 0, 6});
    expected.add("cell:normal_force", {3, 2, 6});
    expected.add("cell:overlap", {0.01, 0.26, 0.125});
    expected.add("cell:a", {7, 2, 7});
    expected.add("cell:b", {2, 9, 7});
    expected.add("cell:wall", {-1, -1, 1});
    expected.add("count:lines", {3});
    expected.add("cells:lines", {0, 1, 2, 3, 4, 5});
    EXPECT_EQ(compare(folder.path / "contacts.vtp", expected), 0);
    write_contact_frame(folder.path / "none.vtp", {1, 2}, grains, each_of({}));
    EXPECT_EQ(compare(folder.path / "none.vtp", Expected()), 0);
}

TEST(vtk, walls_are_triangles_and_segments_and_open_ones_are_gone) {
    const TemporaryFolder folder;
    std::vector<WallReport> walls(3);
    walls[0].name = "floor";
    walls[0].force = {0, 0, -5};
    walls[1].name = "gone";
    walls[1].open = true;
    walls[2].name = "line";
    walls[2].force = {1, 2, 3};
    const Simulation::WallMesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}};
    const Simulation::WallMesh segment{{{5, 5, 0}, {6, 6, 0}}, {}, {{1, 0}}};
    write_wall_frame(folder.path / "walls.vtp", {1, 2}, walls, {triangle, triangle, segment});
    Expected expected;
    expected.add("points:position", {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 0, 6, 6, 0});
    expected.add("cells:lines", {4, 3});
    expected.add("cells:polygons", {0, 1, 2});
    expected.add("cell:wall", {2, 0});
    expected.add("cell:wall_force", {1, 2, 3, 0, 0, -5});
    EXPECT_EQ(compare(folder.path / "walls.vtp", expected), 0);
}

}  // namespace
}  // namespace scree
