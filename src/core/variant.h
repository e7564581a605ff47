// For files that are compiled once per instruction set: SCREE_ISA names the variant, SCREE_JOIN(name_, SCREE_ISA) is a
// name of its own.
#pragma once

#ifndef SCREE_ISA
#    error "define SCREE_ISA, the name of the instruction set this file is compiled for"
#endif
#define SCREE_JOIN2(a, b) a##b
#define SCREE_JOIN(a, b) SCREE_JOIN2(a, b)
#define SCREE_INLINE inline __attribute__((always_inline))
