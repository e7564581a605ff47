#include "scree/version.h"

#define SCREE_TEXT_OF(number) #number
#define SCREE_TEXT(number) SCREE_TEXT_OF(number)

namespace scree {

const char* version() {
    return SCREE_TEXT(SCREE_VERSION_MAJOR) "." SCREE_TEXT(SCREE_VERSION_MINOR) "." SCREE_TEXT(SCREE_VERSION_PATCH);
}

}  // namespace scree
