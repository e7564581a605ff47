// Where a body is: x -> rotation x + position.
#pragma once

#include "math/vec.h"

namespace scree {

struct MeshPose {
    Mat3 rotation;
    Vec3 position;
    friend bool operator==(const MeshPose& a, const MeshPose& b) {
        return a.position == b.position && a.rotation.row[0] == b.rotation.row[0] &&
               a.rotation.row[1] == b.rotation.row[1] && a.rotation.row[2] == b.rotation.row[2];
    }
};

// First the inner one.
inline MeshPose operator*(const MeshPose& outer, const MeshPose& inner) {
    MeshPose both{{}, outer.rotation * inner.position + outer.position};
    for (int i = 0; i < 3; ++i) both.rotation.row[i] = inner.rotation.transposed_times(outer.rotation.row[i]);
    return both;
}

}  // namespace scree
