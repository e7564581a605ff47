// What the server answers: the viewer's files, and the run as told by docs/viewer.md, "What the page asks for".
//
// A request never names a file. Its path is compared with a fixed list; numbers and kinds in it choose among the files
// of the run.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "io/run_files.h"
#include "view/http_server.h"

namespace scree::view {

// Everything about the run but frames and series. Times are those of frames from `from` on.
nlohmann::ordered_json run_summary(RunFiles& run, std::size_t from);

HttpResponse answer(RunFiles& run, const HttpRequest& request);

}  // namespace scree::view
