#include "io/scene_check.h"

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "geometry/region.h"
#include "math/elementary.h"
#include "setup/placing_radius.h"

namespace scree {
namespace {

template <class T>
void number_the_nameless(std::vector<T>& items, const char* stem) {
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].name.empty()) items[i].name = fmt::format("{}{}", stem, i + 1);
}

template <class T>
void refuse_twins(const std::vector<T>& items, const char* list, SceneReader& reader) {
    std::map<std::string_view, std::size_t> first;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto [known, fresh] = first.emplace(items[i].name, i);
        if (fresh) continue;
        const int line = items[known->second].where.line;
        reader.complaints.push_back(
            {items[i].where, 0,
             fmt::format("key \"{}.{}.name\" = \"{}\": the name is taken{}; names must differ", list, i, items[i].name,
                         line ? fmt::format(" by the one at line {}", line) : "")});
    }
}

// A plane has no end: a finite number of balls covers it between periodic borders only.
void check_balls(const Scene& scene, SceneReader& reader) {
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
        const auto* balls = std::get_if<BallsWall>(&scene.walls[w].shape);
        const auto* plane = balls ? std::get_if<PlaneWall>(&balls->like) : nullptr;
        if (!plane) continue;
        std::string path = fmt::format("walls.{}.like.kind", scene.walls[w].name);
        if (!reader.value_at(path)) path = fmt::format("walls.{}.like.kind", w);
        const Value* kind = reader.value_at(path);
        const auto* word = kind ? kind->as<std::string>() : nullptr;
        if (!word || *word != "plane") continue;  // it has been complained about
        int across = 0, open = 0;
        for (int axis = 0; axis < scene.dimension; ++axis) {
            across += plane->normal[axis] != 0;
            open += plane->normal[axis] == 0 && !scene.periodic[static_cast<std::size_t>(axis)];
        }
        if (across != 1 || open > 0)
            reader.complain_at(
                path,
                "a plane has no end and would take no end of balls; use a disc or a box, or a plane at a "
                "right angle to an axis in a scene that is periodic along the others");
    }
}

// Indices of materials and groups are stored in one and two bytes for each grain.
void check_counts(const Scene& scene, SceneReader& reader) {
    constexpr std::size_t most_materials = 254, most_groups = 65535;
    const auto check = [&](const char* key, std::size_t count, std::size_t most) {
        if (count <= most) return;
        const Value* value = reader.value_at(key);
        reader.complaints.push_back(
            {value ? value->where : Where{1, 1}, value ? value->source : 0,
             fmt::format("key \"{}\": {} are too many; at most {} are possible", key, count, most)});
    };
    check("materials", scene.materials.size(), most_materials);
    check("grains", scene.grains.size(), most_groups);
}

// A group or wall without material takes the only one there is.
template <class T>
void choose_material(std::vector<T>& items, const char* list, const std::vector<Material>& materials,
                     SceneReader& reader) {
    for (T& item : items) {
        const std::string path = fmt::format("{}.{}.material", list, item.name);
        if (!item.material.empty() || reader.value_at(path) || materials.empty()) continue;
        if (materials.size() == 1) {
            item.material = materials[0].name;
            continue;
        }
        std::vector<std::string> names;
        for (const Material& material : materials) names.push_back(material.name);
        reader.complaints.push_back({item.where, 0,
                                     fmt::format("key \"{}\" is missing: there are several materials, choose one of {}",
                                                 path, fmt::join(names, ", "))});
    }
}

void check_interactions(const Scene& scene, SceneReader& reader) {
    const auto same_pair = [](const Interaction& a, const Interaction& b) {
        return std::minmax(a.first, a.second) == std::minmax(b.first, b.second);
    };
    for (std::size_t i = 0; i < scene.interactions.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same_pair(scene.interactions[i], scene.interactions[j]))
                reader.complain_at(
                    fmt::format("interactions.{}.between", i),
                    fmt::format("this pair has an interaction already, at line {}", scene.interactions[j].where.line));
}

// Laws that take elastic moduli need them of both materials; that of the scene asks for them as it is read.
void check_young(const Scene& scene, SceneReader& reader) {
    for (std::size_t i = 0; i < scene.interactions.size(); ++i) {
        const Interaction& pair = scene.interactions[i];
        if (!pair.law || !inputs_of(*pair.law).elastic) continue;
        for (const std::string& material : {pair.first, pair.second})
            if (!reader.value_at("materials." + material + ".young"))
                reader.complain_at(fmt::format("interactions.{}.law", i),
                                   fmt::format("needs `young` in [materials.{}]", material));
    }
}

void check_periods(const Scene& scene, SceneReader& reader) {
    double largest = 0;
    for (const GrainGroup& group : scene.grains) largest = std::max(largest, largest_radius(group.radius));
    for (int axis = 0; axis < scene.dimension; ++axis) {
        const auto& interval = scene.periodic[static_cast<std::size_t>(axis)];
        if (!interval || interval->second <= interval->first) continue;
        if (interval->second - interval->first < 4 * largest)
            reader.complain_at(fmt::format("periodic.{}", "xyz"[axis]),
                               fmt::format("too short: at least four times the largest radius ({} m) is needed, or a "
                                           "grain meets its own images",
                                           number_text(largest)));
    }
}

// The path of a key of a group in complaints: by name, or by index where the group has been given none.
std::string path_in_group(const Scene& scene, std::size_t group, const std::string& key, const SceneReader& reader) {
    const std::string by_name = fmt::format("grains.{}.{}", scene.grains[group].name, key);
    return reader.value_at(by_name) ? by_name : fmt::format("grains.{}.{}", group, key);
}

// A slip of the pen in a spacing must not keep the machine busy for hours: the number of grains has a limit.
double expected_grains(const Scene& scene, const GrainGroup& group, std::string& key) {
    const auto region = [&](const std::string& name) { return find_region(scene, name); };
    if (const auto* lattice = std::get_if<PlaceOnLattice>(&group.place)) {
        const Region* filled = region(lattice->region);
        if (!filled || !(lattice->spacing > 0)) return 0;
        const Extent box = region_extent(filled->shape, scene.dimension);
        double sites = 1;
        for (int axis = 0; axis < scene.dimension; ++axis)
            sites *= 1 + (box.high[axis] - box.low[axis]) / lattice->spacing;
        return key = "place.spacing", sites;
    }
    if (const auto* random = std::get_if<PlaceAtRandom>(&group.place)) {
        if (random->count) return key = "place.count", static_cast<double>(*random->count);
        const Region* filled = region(random->region);
        const double r = largest_radius(group.radius);
        if (!filled || !random->density || !(r > 0)) return 0;
        const double grain = scene.dimension == 3 ? 4.0 / 3 * pi * r * r * r : pi * r * r;
        return key = "place.density", *random->density * region_volume(filled->shape, scene.dimension) / grain;
    }
    if (const auto* pour = std::get_if<PourOverTime>(&group.place)) {
        const double poured = pour->rate * (std::min(pour->until, scene.duration) - pour->from);
        return key = "pour.rate", pour->count ? std::min(poured, static_cast<double>(*pour->count)) : poured;
    }
    return 0;
}

void check_number_of_grains(const Scene& scene, SceneReader& reader) {
    constexpr double most = 1e9;
    std::string key;
    for (std::size_t g = 0; g < scene.grains.size(); ++g)
        if (const double grains = expected_grains(scene, scene.grains[g], key); grains > most)
            reader.complain_at(path_in_group(scene, g, key, reader),
                               fmt::format("would be about {:.1g} grains; at most {:.0e} are possible", grains, most));
}

// Spheres take a radius, other shapes a scale and an orientation.
void check_sizes(const Scene& scene, SceneReader& reader) {
    for (std::size_t g = 0; g < scene.grains.size(); ++g) {
        const GrainGroup& group = scene.grains[g];
        const auto shape = std::find_if(scene.shapes.begin(), scene.shapes.end(),
                                        [&](const GrainShape& s) { return s.name == group.shape; });
        if (shape == scene.shapes.end() || reader.is_of_unknown_kind("shapes." + shape->name)) continue;
        const bool sphere = shape->kind == ShapeKind::sphere,
                   sized = group.radius.kind != RadiusDistribution::Kind::fixed || group.radius.first > 0;
        if (!sphere && sized)
            reader.complain_at(path_in_group(scene, g, "radius", reader),
                               "shapes have their own size; use `scale` to vary it");
        if (sphere && group.orientation != Orientation{})
            reader.complain_at(path_in_group(scene, g, "orientation", reader),
                               "spheres have no orientation; leave it out");
        if (sphere && group.scale != GrainGroup{}.scale)
            reader.complain_at(path_in_group(scene, g, "scale", reader), "spheres have a `radius`; leave `scale` out");
        if (sphere && !sized && !std::holds_alternative<PlaceFromFile>(group.place))
            reader.complaints.push_back(
                {group.where, 0, fmt::format("key \"grains.{}.radius\" is missing: spheres need one", group.name)});
    }
}

void check_for_grains(const Scene& scene, SceneReader& reader) {
    if (!scene.grains.empty() || scene.start_from) return;
    // Keys that are there but wrong have been complained about.
    const Value* grains = reader.value_at("grains");
    const auto* list = grains ? grains->as<Value::Array>() : nullptr;
    if ((grains && !(list && list->empty())) || reader.value_at("start.from")) return;
    reader.complaints.push_back(
        {{1, 1},
         grains ? grains->source : 0,
         "the scene has no grains: add [[grains]], or [start] from = \"RUN\" to take over those of another run"});
}

// Hard grains exchange impulses: what acts over time has no meaning for them and is refused. contact_time, young,
// poisson, and overlap_limit are left alone, so that one scene serves both engines.
void check_events(const Scene& scene, SceneReader& reader) {
    if (scene.engine != "events") return;
    const auto refuse = [&](bool given, const std::string& path, const char* why) {
        if (given && reader.value_at(path))
            reader.complain_at(path, fmt::format("has no meaning with engine = \"events\": {}", why));
    };
    const char* forces = "hard grains exchange impulses and feel no other forces than weight";
    refuse(scene.law != LawKind::linear, "contact.law", "hard grains exchange impulses");
    refuse(scene.damping > 0, "simulation.damping", forces);
    refuse(scene.rotation_damping > 0, "simulation.rotation_damping", forces);
    refuse(scene.integrator != Integrator::verlet, "simulation.integrator", "nothing is integrated in steps");
    refuse(scene.gravity_turn.has_value(), "simulation.gravity.turn", "gravity stays as it is");
    for (std::size_t g = 0; g < scene.grains.size(); ++g) {
        const auto shape = std::find_if(scene.shapes.begin(), scene.shapes.end(),
                                        [&](const GrainShape& s) { return s.name == scene.grains[g].shape; });
        refuse(shape != scene.shapes.end() && shape->kind != ShapeKind::sphere,
               path_in_group(scene, g, "shape", reader),
               "hard grains are discs and spheres; leave it out, or take engine = \"soft\"");
    }
    const auto refuse_values = [&](const std::string& path, bool rolling, bool cohesion, bool viscosity) {
        refuse(rolling, path + ".rolling_friction", "a collision has no duration to roll in");
        refuse(cohesion, path + ".cohesion", forces);
        refuse(viscosity, path + ".viscosity", "give restitution, and restitution_speed if it depends on speed");
    };
    for (const Material& m : scene.materials)
        refuse_values("materials." + m.name, m.contact.rolling_friction > 0, m.contact.cohesion > 0,
                      m.contact.viscosity > 0);
    for (std::size_t i = 0; i < scene.interactions.size(); ++i) {
        const Interaction& p = scene.interactions[i];
        refuse_values(fmt::format("interactions.{}", i), p.rolling_friction.value_or(0) > 0, p.cohesion.value_or(0) > 0,
                      p.viscosity.value_or(0) > 0);
    }
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
    check_young(scene, reader);
    check_periods(scene, reader);
    check_counts(scene, reader);
    check_balls(scene, reader);
    check_number_of_grains(scene, reader);
    check_sizes(scene, reader);
    check_for_grains(scene, reader);
    check_events(scene, reader);
}

}  // namespace scree
