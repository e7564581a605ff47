// Made-up states to write and read back: every field of every grain has a value of its own.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/random.h"
#include "io/checkpoint.h"

namespace scree::test {

// A fresh folder that goes with the test.
struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "scree_test_XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

inline std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void set_bytes(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline Checkpoint made_up_checkpoint(std::size_t grains, int width = 3) {
    Random random(1, grains);
    const auto vector = [&] { return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
    Checkpoint c;
    World& w = c.world;
    w.step = 123456789012;
    w.time_step = 1.1e-6;
    w.automatic_step = 2.2e-6;
    w.next_id = static_cast<Index>(3 * grains + 1);
    w.removed = 17;
    w.max_overlap = 0.0123;
    w.energy = {1.5, 2.5e-300, -3.5, 4.5, 1.0 / 3, 6.5, 7.5};
    for (std::size_t k = 0; k < grains; ++k) {
        const Vec3 x = vector(), v = vector(), s = vector(), a = vector(), rim = vector();
        const double radius = random.uniform(1e-3, 2e-3);
        w.grains.row.push_back({x.x, x.y, x.z, radius, v.x, v.y, v.z, random.uniform()});
        w.grains.spin.push_back({s.x, s.y, s.z, 1 / radius});
        w.grains.acceleration.push_back({a.x, a.y, a.z, rim.x, rim.y, rim.z});
        // Neither sorted nor dense.
        w.grains.id.push_back(static_cast<Index>(3 * ((k * 7 + 3) % grains) + 1));
        w.grains.material.push_back(static_cast<std::uint8_t>(random.below(2)));
        w.grains.group.push_back(static_cast<std::uint16_t>(random.below(3)));
        w.grains.images.push_back({{static_cast<std::int16_t>(random.below(7)), -3, 2, 0}});
    }
    w.walls = {{0.1, -0.2, 0.3, vector(), vector()}, {}};
    w.pours = {{5, 99}, {0, 0}, {1, 2}};
    c.contacts.width = width;
    for (std::size_t k = 0; k + 1 < grains; k += 2) {
        c.contacts.a.push_back(w.grains.id[k]);
        c.contacts.b.push_back(w.grains.id[k + 1]);
        c.contacts.wall_grain.push_back(w.grains.id[k]);
        c.contacts.wall.push_back(static_cast<std::int32_t>(k / 2 % 2));
        c.contacts.feature.push_back(static_cast<std::int32_t>(k));
        for (int m = 0; m < width; ++m) {
            c.contacts.memory.push_back(random.uniform());
            c.contacts.wall_memory.push_back(random.uniform());
        }
    }
    c.names = {{"glass", "steel"}, {"small", "middle", "Größe, \"L\""}, {"floor", "lid"}};
    c.output = {4711, {0, 1000, 2000}, {99, 7}, {{1.5, -2.5}, {}}};
    c.scene = "title = \"made up\"\n# ünïcode\n";
    return c;
}

inline void write(const std::filesystem::path& path, const Checkpoint& c) {
    write_checkpoint(path, c.world, c.contacts, c.names, c.output, c.scene);
}

}  // namespace scree::test
