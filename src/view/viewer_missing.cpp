#include "scree/error.h"
#include "view/viewer_files.h"

namespace scree::view {

void require_viewer() {
    if (!viewer_files().script.empty()) return;
    throw Error(ErrorKind::run_time,
                "this scree was built without the viewer; install nodejs (18 or newer) and npm, then build again: "
                "cmake --preset release && cmake --build --preset release");
}

}  // namespace scree::view
