// The version of scree, of the headers and of the library.
//
// While the first number is 0, libraries of the same first two numbers are compatible, and those of different ones have
// different names (libscree.so.0.2): a program never meets a library that it was not made for.
#pragma once

#include "scree/export.h"

// Of these headers. CMakeLists.txt reads the version of the project here.
#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 2
#define SCREE_VERSION_PATCH 0

namespace scree {

// Of the library in use: "0.2.0". Lives as long as the program.
SCREE_EXPORT const char* version();

}  // namespace scree
