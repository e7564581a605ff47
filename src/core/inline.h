// What runs inside a loop over lanes must vanish into it.
#pragma once

#define SCREE_INLINE inline __attribute__((always_inline))
