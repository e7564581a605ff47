// What the compiler would make of the larger parts of a scene in every source that touches one.
#include "scree/scene.h"

namespace scree {

GrainShape::GrainShape() = default;
GrainShape::GrainShape(const GrainShape&) = default;
GrainShape::GrainShape(GrainShape&&) noexcept = default;
GrainShape& GrainShape::operator=(const GrainShape&) = default;
GrainShape& GrainShape::operator=(GrainShape&&) noexcept = default;
GrainShape::~GrainShape() = default;

GrainGroup::GrainGroup() = default;
GrainGroup::GrainGroup(const GrainGroup&) = default;
GrainGroup::GrainGroup(GrainGroup&&) noexcept = default;
GrainGroup& GrainGroup::operator=(const GrainGroup&) = default;
GrainGroup& GrainGroup::operator=(GrainGroup&&) noexcept = default;
GrainGroup::~GrainGroup() = default;

Wall::Wall() = default;
Wall::Wall(const Wall&) = default;
Wall::Wall(Wall&&) noexcept = default;
Wall& Wall::operator=(const Wall&) = default;
Wall& Wall::operator=(Wall&&) noexcept = default;
Wall::~Wall() = default;

Scene::Scene() = default;
Scene::Scene(const Scene&) = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(const Scene&) = default;
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

}  // namespace scree
