#include "view/routes.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "io/json_text.h"
#include "io/version.h"
#include "view/frame_pack.h"
#include "view/viewer_files.h"

namespace scree::view {
namespace {

constexpr std::size_t most_series_bytes = 8 << 20;  // of one answer; the page asks again for the rest

HttpResponse not_found() { return {404, "text/plain; charset=utf-8", "there is nothing here\n", {}}; }

HttpResponse json(const nlohmann::ordered_json& document) {
    return {200, "application/json", document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), {}};
}

HttpResponse file(std::string_view text, const char* type) { return {200, type, std::string(text), {}}; }

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(separator));
        parts.emplace_back(part);
        text.remove_prefix(std::min(text.size(), part.size() + 1));
    }
    return parts;
}

// /api/frame/NUMBER/KIND?fields=a,b, or ?only=ID for one grain
HttpResponse frame(RunFiles& run, const HttpRequest& request, std::string_view rest) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc{} || end == rest.data() + rest.size() || *end != '/') return not_found();
    const auto kind = frame_kind(std::string(end + 1, rest.data() + rest.size()));
    if (!kind) return not_found();
    const auto found = run.frame(*kind, number);
    // A frame need not have all kinds, and a browser would complain of "not found" in its console.
    if (!found && *kind != FrameKind::grains && number < run.frame_times().size())
        return {204, "application/octet-stream", "", {}};
    if (!found) return not_found();
    PackChoice choice;
    if (const auto fields = request.query.find("fields"); fields != request.query.end())
        choice.fields = split(fields->second, ',');
    if (const auto only = request.number("only")) choice.only = static_cast<std::int64_t>(*only);
    return {200, "application/octet-stream", pack_frame(*found, *kind, choice), {}};
}

}  // namespace

nlohmann::ordered_json run_summary(RunFiles& run, std::size_t from) {
    const auto& times = run.frame_times();
    nlohmann::ordered_json out;
    out["viewer"] = version();
    out["name"] = run.name();
    // run.json is replaced as a whole, so it is never half written; a broken one is not worth refusing the picture.
    out["run"] = parse_json(run.text("run.json").value_or("null"));
    out["frames"] = times.size();
    out["from"] = std::min(from, times.size());
    out["times"] =
        std::vector<double>(times.begin() + static_cast<std::ptrdiff_t>(std::min(from, times.size())), times.end());
    for (const FrameKind kind : {FrameKind::triangulation, FrameKind::cells}) {
        auto numbers = nlohmann::ordered_json::array();
        for (const std::size_t number : run.frames_with(kind))
            if (number < times.size()) numbers.push_back(number);
        out[frame_kind_name(kind)] = numbers;
    }
    out["series_bytes"] = run.size_of("series.csv");
    out["shapes"] = run.shapes();
    out["measures"] = run.measures();
    return out;
}

HttpResponse answer(RunFiles& run, const HttpRequest& request) {
    const std::string_view path = request.path;
    const ViewerFiles& viewer = viewer_files();
    if (path == "/" || path == "/index.html") return file(viewer.page, "text/html; charset=utf-8");
    if (path == "/viewer.js") return file(viewer.script, "text/javascript; charset=utf-8");
    if (path == "/viewer.css") return file(viewer.style, "text/css; charset=utf-8");
    if (path == "/favicon.ico")
        return {
            200,
            "image/svg+xml",
            R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="5" cy="11" r="4" fill="#d8a23e"/><circle cx="12" cy="12" r="3" fill="#3f74a8"/><circle cx="9" cy="5" r="3" fill="#a9423a"/></svg>)",
            {}};
    if (path == "/api/run") return json(run_summary(run, request.number("from").value_or(0)));
    if (path == "/api/series")
        return file(run.text("series.csv", request.number("from").value_or(0), most_series_bytes).value_or(""),
                    "text/csv; charset=utf-8");
    if (path == "/api/scene") {
        const auto text = run.text("scene.toml");
        return text ? file(*text, "text/plain; charset=utf-8") : not_found();
    }
    constexpr std::string_view frames = "/api/frame/", shapes = "/api/shape/", measures = "/api/measure/";
    if (path.starts_with(frames)) return frame(run, request, path.substr(frames.size()));
    if (path.starts_with(shapes)) {
        const auto mesh = run.shape(std::string(path.substr(shapes.size())));
        return mesh ? file(*mesh, "application/octet-stream") : not_found();
    }
    if (path.starts_with(measures)) {
        const auto table = run.measure(std::string(path.substr(measures.size())), request.number("from").value_or(0),
                                       most_series_bytes);
        return table ? file(*table, "text/csv; charset=utf-8") : not_found();
    }
    return not_found();
}

}  // namespace scree::view
