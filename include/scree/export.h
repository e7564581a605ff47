// Marks what the shared library exports; everything else in it is hidden. Programs need not look at it.
#pragma once

#if defined(__GNUC__)
#    define SCREE_EXPORT __attribute__((visibility("default")))
#else
#    define SCREE_EXPORT
#endif
