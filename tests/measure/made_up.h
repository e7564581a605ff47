// Snapshots with known answers.
#pragma once

#include "measure/measures.h"

namespace scree::test {

struct MadeUp {
    Scene scene;
    Snapshot snapshot;

    explicit MadeUp(int dimension = 3) {
        scene.dimension = dimension;
        if (dimension == 2) scene.gravity = {0, -9.81, 0};
        scene.materials.push_back({});
        scene.materials[0].name = "glass";
        scene.materials[0].density = 2500;
        snapshot.group_names = {"first", "second"};
    }
    MadeUp(const MadeUp&) = delete;
    MadeUp& operator=(const MadeUp&) = delete;

    std::uint32_t grain(Vec3 x, double r, Vec3 v = {}, std::uint16_t group = 0) {
        snapshot.id.push_back(static_cast<std::uint32_t>(snapshot.id.size()));
        snapshot.position.push_back(x);
        snapshot.velocity.push_back(v);
        snapshot.spin.push_back({});
        snapshot.radius.push_back(r);
        snapshot.group.push_back(group);
        snapshot.material.push_back(0);
        return snapshot.id.back();
    }
    // Call it when all grains are there.
    Snapshot& finish() {
        snapshot.scene = &scene;
        complete(snapshot);
        return snapshot;
    }
    // Force on a, along the line of centers if not said.
    void contact(std::uint32_t a, std::uint32_t b, Vec3 force) {
        const Vec3 d = nearest_image(scene, snapshot.position[a] - snapshot.position[b]);
        const double overlap = snapshot.radius[a] + snapshot.radius[b] - norm(d);
        snapshot.contacts.push_back({a, b, -1, overlap, normalized(d), d,
                                     snapshot.position[b] + (snapshot.radius[b] - overlap / 2) * normalized(d), force});
    }
    void wall_contact(std::uint32_t a, std::int32_t wall, Vec3 point, Vec3 force) {
        const Vec3 d = snapshot.position[a] - point;
        snapshot.contacts.push_back({a, a, wall, snapshot.radius[a] - norm(d), normalized(d), d, point, force});
    }
    MeasureTable take(const std::string& what) {
        Memory memory;
        return take(what, memory);
    }
    MeasureTable take(const std::string& what, Memory& memory) {
        const MeasureRequest request = parse_measure(what);
        check_measure(request, scene);
        return take_measure(request, finish_once(), memory);
    }
    double value(const std::string& what, const std::string& column, std::size_t row = 0) {
        return at(take(what), column, row);
    }
    static double at(const MeasureTable& table, const std::string& column, std::size_t row = 0) {
        for (std::size_t k = 0; k < table.columns.size(); ++k)
            if (table.columns[k].name == column) return table.rows.at(row).at(k);
        throw std::out_of_range("no column " + column);
    }
    void box_walls(Vec3 low, Vec3 high) {
        Wall wall;
        wall.name = "box";
        wall.material = "glass";
        wall.shape = BoxWall{low, high};
        scene.walls.push_back(wall);
    }
    void cylinder_wall(Vec3 from, Vec3 to, double radius) {
        Wall wall;
        wall.name = "side";
        wall.material = "glass";
        wall.shape = CylinderWall{from, to, radius};
        scene.walls.push_back(wall);
    }

  private:
    Snapshot& finish_once() {
        if (snapshot.mass.size() != snapshot.size()) finish();
        snapshot.scene = &scene;
        return snapshot;
    }
};

}  // namespace scree::test
