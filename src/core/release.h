// Gives the memory of vectors back. `v = {}` does not: it assigns an empty list and keeps the room.
#pragma once

#include <vector>

namespace scree {

template <class... T>
void release(std::vector<T>&... vectors) {
    (std::vector<T>().swap(vectors), ...);
}

}  // namespace scree
