// How walls move, and how gravity turns. Prescribed motions are exact functions of time: nothing is accumulated, so a
// resumed run finds its walls where they were. A free piston has a state (WallState), moved by the same velocity Verlet
// scheme as the grains.
//
// A motion acts for from <= t < until; rotations and translations stay where they have come to. A vibration ends with
// the last half wave that is over by `until`, so that the wall is back at rest and never jumps.
#pragma once

#include "math/vec.h"
#include "scree/scene.h"
#include "world/world.h"

namespace scree {

// Where a wall is at a time: first turned about the pivot, then shifted. Velocities of its points at that time.
struct WallPlacement {
    Vec3 shift;
    Mat3 rotation;
    Vec3 pivot;
    Vec3 velocity, spin;       // of the pivot as it moves; angular
    bool open = false;         // the wall has disappeared
    bool hole_closed = false;  // the hole of this disc has not opened yet
    bool turned = false;       // rotation is not the identity

    Vec3 to_world(Vec3 p) const { return (turned ? rotation * (p - pivot) + pivot : p) + shift; }
    Vec3 to_wall(Vec3 x) const {
        const Vec3 p = x - shift;
        return turned ? rotation.transposed_times(p - pivot) + pivot : p;
    }
    Vec3 direction_to_world(Vec3 n) const { return turned ? rotation * n : n; }
    Vec3 velocity_at(Vec3 x) const { return velocity + cross(spin, x - pivot - shift); }
};

WallPlacement placement(const Wall& wall, const WallState& state, double time);

// How far a point that is up to `distance` away from the pivot gets between two times: the length of its way, and a
// bound for its largest distance from where it was. `before` and `after` are the states at these times. A wall may come
// far and be back in the end.
struct WallWay {
    double length = 0, farthest = 0;
};
WallWay way_between(const Wall& wall, const WallState& before, const WallState& after, double begin, double end,
                    double distance);

// Largest distance between where the two placements put a point that is up to `distance` away from the pivot.
double displacement_bound(const WallPlacement& a, const WallPlacement& b, double distance);

Vec3 gravity_at(const Scene& scene, double time);

// A free piston in one step from time `begin` to `end`. move_piston predicts the speed at the end of the step from the
// last acceleration; kick_piston takes the force of the grains on the wall at the end of the step and corrects it. Its
// weight counts: the acceleration is (grains + applied force)/mass + gravity, along its direction. Held before `from`.
// Before the first step call kick_piston once with begin = end.
void move_piston(const FreePiston& piston, WallState& state, double begin, double end);
void kick_piston(const FreePiston& piston, WallState& state, Vec3 force_of_grains, Vec3 gravity, double begin,
                 double end);

}  // namespace scree
