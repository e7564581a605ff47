// The other libraries behind one small face, so that their headers stay in one file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "geometry/polyhedron.h"

namespace scree::bench {

struct Pose {
    Mat3 rotation;
    Vec3 position;
};

class Peer {
  public:
    virtual ~Peer() = default;
    virtual std::string name() const = 0;
    // Bodies are added in order and known by number.
    virtual void add(const Polyhedron& body) = 0;
    virtual double distance(int a, const Pose& pose_a, int b, const Pose& pose_b) = 0;
};

std::vector<std::unique_ptr<Peer>> peers();

}  // namespace scree::bench
