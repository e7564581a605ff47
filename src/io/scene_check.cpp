#include "io/scene_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "math/elementary.h"
#include "sim/placing_radius.h"

namespace scree {
namespace {

template <class T>
void number_the_nameless(std::vector<T>& items, const char* stem) {
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].name.empty()) items[i].name = fmt::format("{}{}", stem, i + 1);
}

template <class T>
void refuse_twins(const std::vector<T>& items, const char* list, SceneReader& reader) {
    for (std::size_t i = 0; i < items.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (items[i].name == items[j].name) {
                const int line = items[j].where.line;
                reader.complaints.push_back({items[i].where, 0, fmt::format("key \"{}.{}.name\" = \"{}\": the name is taken{}; names must differ", list, i,
                                                                           items[i].name, line ? fmt::format(" by the one at line {}", line) : "")});
                break;
            }
}

// A group or wall without material takes the only one there is.
template <class T>
void choose_material(std::vector<T>& items, const char* list, const std::vector<Material>& materials, SceneReader& reader) {
    for (T& item : items) {
        const std::string path = fmt::format("{}.{}.material", list, item.name);
        if (!item.material.empty() || reader.value_at(path) || materials.empty()) continue;
        if (materials.size() == 1) {
            item.material = materials[0].name;
            continue;
        }
        std::vector<std::string> names;
        for (const Material& material : materials) names.push_back(material.name);
        reader.complaints.push_back({item.where, 0, fmt::format("key \"{}\" is missing: there are several materials, choose one of {}", path, fmt::join(names, ", "))});
    }
}

void check_interactions(const Scene& scene, SceneReader& reader) {
    const auto same_pair = [](const Interaction& a, const Interaction& b) {
        return std::minmax(a.first, a.second) == std::minmax(b.first, b.second);
    };
    for (std::size_t i = 0; i < scene.interactions.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same_pair(scene.interactions[i], scene.interactions[j]))
                reader.complain_at(fmt::format("interactions.{}.between", i), fmt::format("this pair has an interaction already, at line {}", scene.interactions[j].where.line));
}

void check_periods(const Scene& scene, SceneReader& reader) {
    double largest = 0;
    for (const GrainGroup& group : scene.grains) largest = std::max(largest, largest_radius(group.radius));
    for (int axis = 0; axis < scene.dimension; ++axis) {
        const auto& interval = scene.periodic[static_cast<std::size_t>(axis)];
        if (!interval || interval->second <= interval->first) continue;
        if (interval->second - interval->first < 4 * largest)
            reader.complain_at(fmt::format("periodic.{}", "xyz"[axis]),
                               fmt::format("too short: at least four times the largest radius ({} m) is needed, or a grain meets its own images", number_text(largest)));
    }
}

void check_for_grains(const Scene& scene, SceneReader& reader) {
    if (!scene.grains.empty() || scene.start_from) return;
    // Keys that are there but wrong have been complained about.
    const Value* grains = reader.value_at("grains");
    const auto* list = grains ? grains->as<Value::Array>() : nullptr;
    if ((grains && !(list && list->empty())) || reader.value_at("start.from")) return;
    reader.complaints.push_back({{1, 1}, grains ? grains->source : 0, "the scene has no grains: add [[grains]], or [start] from = \"RUN\" to take over those of another run"});
}

}  // namespace

void complete_scene(Scene& scene, SceneReader& reader) {
    number_the_nameless(scene.grains, "grains");
    number_the_nameless(scene.walls, "wall");
    refuse_twins(scene.regions, "regions", reader);
    refuse_twins(scene.grains, "grains", reader);
    refuse_twins(scene.walls, "walls", reader);
    choose_material(scene.grains, "grains", scene.materials, reader);
    choose_material(scene.walls, "walls", scene.materials, reader);
    check_interactions(scene, reader);
    check_periods(scene, reader);
    check_for_grains(scene, reader);
}

}  // namespace scree
