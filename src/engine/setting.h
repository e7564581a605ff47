// What a simulation is, apart from the engine that moves it: the scene, the grains and walls as they are, and what
// follows from the scene once and for all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contact/materials.h"
#include "engine/integrate.h"
#include "scree/scene.h"
#include "shape/shape_table.h"
#include "wall/walls.h"
#include "world/phase.h"
#include "world/reports.h"
#include "world/world.h"

namespace scree {

struct Setting {
    explicit Setting(Scene given);
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

    // Makes the shapes if a group has one, or grains that are there already have (`wanted`).
    void prepare_shapes(bool wanted);

    Vec3 unwrapped(std::size_t g) const;  // position without the jumps at periodic borders
    Vec3 wrapped(Vec3 position) const;    // into the periodic intervals
    // Throws Error(bad_input) when a grain of this radius would meet its own images.
    void check_period(double radius) const;
    // Throws Error(invalid) when a grain is not a number or is lost (lost_grains.cpp).
    void check_grains() const;

    Scene scene;
    World world;
    std::vector<std::string> group_names;
    MaterialTable materials;
    Walls walls;
    MotionParameters motion;
    TimeStepChoice time_step{};
    ContactTimeChoice contact_time;
    double inherited_contact_time = 0;         // of the run whose grains this one starts with; 0: chosen by none
    bool shaped = false;                       // some grains are not spheres
    std::shared_ptr<const ShapeTable> shapes;  // of spheres alone, if not
    Scene placing_scene;                       // the scene with balls around its shapes
    Profile profile;
};

}  // namespace scree
