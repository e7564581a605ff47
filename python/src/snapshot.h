// Grains by rising id, copied: what stays as it is when the simulation goes on. One record per grain, so that a copy is
// one pass over the memory, and all fields are views of it.
#pragma once

#include <memory>
#include <vector>

#include "memory.h"
#include "scree/grains.h"

namespace scree::python {

using Snapshot = std::shared_ptr<std::vector<Grain>>;

// In the memory of the `last` one, if nobody else has it; `last` is then the new one. New memory costs as much as
// filling it.
Snapshot by_id(const GrainArrays& grains, Snapshot& last);

// The fields by name.
py::dict snapshot(const Snapshot& grains);

}  // namespace scree::python
