// What the server answers: the viewer's files, and the run as told by docs/viewer.md, "What the page asks for".
//
// A request never names a file. Its path is compared with a fixed list; numbers and kinds in it choose among the files
// of the run.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "view/http_server.h"
#include "view/run_reader.h"

namespace scree::view {

// Everything about the run but frames and series. Times are those of frames from `from` on.
nlohmann::ordered_json run_summary(RunReader& run, std::size_t from);

HttpResponse answer(RunReader& run, const HttpRequest& request);

}  // namespace scree::view
