#include "io/scene_file.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/located.h"
#include "core/text_input.h"
#include "io/scene_check.h"
#include "io/scene_reader.h"
#include "io/scene_toml.h"
#include "scree/error.h"

namespace scree {
namespace {

// One line per complaint, in the order of the file, those of overrides last.
std::string report(std::vector<Complaint> complaints, const std::string& file,
                   const std::vector<std::string>& overrides) {
    std::stable_sort(complaints.begin(), complaints.end(), [](const Complaint& a, const Complaint& b) {
        return std::tuple(a.source, a.where.line, a.where.column) < std::tuple(b.source, b.where.line, b.where.column);
    });
    std::string out;
    for (const Complaint& complaint : complaints) {
        std::string place = located(file, complaint.where.line, complaint.where.column);
        if (complaint.source > 0) place = "--set " + overrides[static_cast<std::size_t>(complaint.source) - 1];
        out += fmt::format("{}{}: {}", out.empty() ? "" : "\n", place, complaint.text);
    }
    return harmless(std::move(out));
}

}  // namespace

Scene read_scene(const std::string& path, const SceneReading& how) {
    return parse_scene(read_input(path, {"a scene file", ErrorKind::bad_input, ErrorKind::bad_input}),
                       path == "-" ? "<stdin>" : path, how);
}

Scene parse_scene(std::string_view text, const std::string& file, const SceneReading& how) {
    const auto refuse = [&](std::vector<Complaint> complaints) {
        throw Error(ErrorKind::bad_input, report(std::move(complaints), file, how.overrides));
    };
    auto parsed = parse_toml(text);
    if (const auto* error = std::get_if<SyntaxError>(&parsed))
        refuse({{error->where, 0, "not TOML: " + error->message}});
    Value document = std::get<Value>(std::move(parsed));

    std::vector<Complaint> complaints;
    for (std::size_t i = 0; i < how.overrides.size(); ++i) {
        const int source = static_cast<int>(i) + 1;
        if (const std::string complaint = apply_override(document, how.overrides[i], source); !complaint.empty())
            complaints.push_back({{}, source, complaint});
    }

    const std::string folder = file == "<stdin>" ? "" : std::filesystem::path(file).parent_path().string();
    Scene scene;
    scene.file = file;
    SceneReader reader(document, folder, how.check_files);
    reader.complaints = std::move(complaints);
    reader.read(scene);
    complete_scene(scene, reader);
    if (!reader.complaints.empty()) refuse(std::move(reader.complaints));
    return scene;
}

}  // namespace scree
