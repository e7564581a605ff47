#include "io/kept_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <variant>
#include <vector>

#include "core/hash.h"
#include "io/files.h"
#include "scree/error.h"

namespace scree {
namespace {

struct Input {
    std::string from, name, contents;
};

std::string contents_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw Error(ErrorKind::file, fmt::format("cannot read {}, which the run needs", path));
    return text;
}

std::string hash_of(const std::filesystem::path& path) {
    Hash hash;
    hash.add(contents_of(path.string()));
    return hash.hex();
}

constexpr std::string_view hash_comment = "# hash of ";

std::vector<std::string*> named_files(Scene& scene) {
    std::vector<std::string*> names;
    for (GrainShape& shape : scene.shapes) names.push_back(&shape.file);
    for (GrainGroup& group : scene.grains)
        if (auto* list = std::get_if<PlaceFromFile>(&group.place)) names.push_back(&list->file);
    for (Wall& wall : scene.walls)
        if (auto* mesh = std::get_if<MeshWall>(&wall.shape)) names.push_back(&mesh->file);
    // What comes through a pipe comes once.
    std::error_code trouble;
    std::erase_if(names, [&](const std::string* name) { return !std::filesystem::is_regular_file(*name, trouble); });
    return names;
}

}  // namespace

Scene keep_inputs(Scene scene, const RunFolder& folder) {
    std::vector<Input> inputs;
    const auto kept_name = [&](const std::string& from) {
        const auto known =
            std::find_if(inputs.begin(), inputs.end(), [&](const Input& input) { return input.from == from; });
        if (known != inputs.end()) return known->name;
        const std::string own = std::filesystem::path(from).filename().string();
        std::string name = own;
        for (int number = 2;
             std::any_of(inputs.begin(), inputs.end(), [&](const Input& input) { return input.name == name; });
             ++number)
            name = fmt::format("{}-{}", number, own);
        inputs.push_back({from, name, contents_of(from)});
        return name;
    };
    for (std::string* file : named_files(scene)) *file = (folder.inputs().filename() / kept_name(*file)).string();
    // All have been read by now: they may be those of an earlier run in this folder.
    if (!inputs.empty()) create_folders(folder.inputs());
    for (const Input& input : inputs)
        write_whole_file(folder.inputs() / input.name, input.contents, Durability::power_cut);
    return scene;
}

std::string hashes_of_inputs(const Scene& kept, const RunFolder& folder) {
    std::set<std::string> names;
    for (const GrainShape& shape : kept.shapes) names.insert(shape.file);
    for (const Wall& wall : kept.walls)
        if (const auto* mesh = std::get_if<MeshWall>(&wall.shape)) names.insert(mesh->file);
    std::string text;
    for (const std::string& name : names)
        if (std::filesystem::path(name).parent_path() == folder.inputs().filename())
            text += fmt::format("{}{}: {}\n", hash_comment, name, hash_of(folder.path() / name));
    return text;
}

void refuse_changed_inputs(const std::string& scene_text, const std::filesystem::path& folder) {
    std::istringstream lines(scene_text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.rfind(": ");
        if (!line.starts_with(hash_comment) || colon == std::string::npos) continue;
        const std::filesystem::path path = folder / line.substr(hash_comment.size(), colon - hash_comment.size());
        if (hash_of(path) != line.substr(colon + 2))
            throw Error(
                ErrorKind::bad_input,
                fmt::format("{}: has been changed since the run began, which continues with the bodies and walls "
                            "it had: put the file back, or start a new run with `[start] from = \"{}\"`",
                            path.string(), folder.string()));
    }
}

Scene with_whole_names(Scene scene) {
    for (std::string* file : named_files(scene)) *file = std::filesystem::absolute(*file).string();
    return scene;
}

}  // namespace scree
