#include "io/kept_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <variant>
#include <vector>

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
    if (!file) throw Error(ErrorKind::file, fmt::format("cannot read {} to keep a copy in the run folder", path));
    return text;
}

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
        const auto known = std::find_if(inputs.begin(), inputs.end(), [&](const Input& input) { return input.from == from; });
        if (known != inputs.end()) return known->name;
        const std::string own = std::filesystem::path(from).filename().string();
        std::string name = own;
        for (int number = 2; std::any_of(inputs.begin(), inputs.end(), [&](const Input& input) { return input.name == name; }); ++number) name = fmt::format("{}-{}", number, own);
        inputs.push_back({from, name, contents_of(from)});
        return name;
    };
    for (std::string* file : named_files(scene)) *file = (folder.inputs().filename() / kept_name(*file)).string();
    // All have been read by now: they may be those of an earlier run in this folder.
    if (!inputs.empty()) create_folders(folder.inputs());
    for (const Input& input : inputs) write_whole_file(folder.inputs() / input.name, input.contents, Durability::power_cut);
    return scene;
}

}  // namespace scree
