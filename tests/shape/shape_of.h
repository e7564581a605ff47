// A shape made from its description alone.
#pragma once

#include "shape/shape.h"

namespace scree {

inline Shape shape_of(GrainShape about, int dimension = 3) {
    Scene scene;
    scene.dimension = dimension;
    about.name = "it";
    scene.shapes = {about};
    return make_shape(scene, 0);
}

}  // namespace scree
