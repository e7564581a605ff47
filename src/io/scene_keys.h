// The keys of a scene file, said once. describe(visitor, scene) walks through a Scene and tells the visitor of every
// key: its name, type, unit, allowed range, meaning and the member it belongs to. The default is what a fresh Scene
// holds. Visitors read a file (scene_reader), write one (scene_writer), and collect the reference from which the JSON
// Schema and docs/scene.md are made (scene_reference).
//
// To add a key: add its member to scree/scene.h and one line to a describe function; then
//     scree schema --markdown > docs/scene.md
// Everything else follows.
//
// A table of rows was the alternative. It cannot bind variants, lists and nested tables to members without as much
// code again, so that reading and writing would be two more lists to keep in step.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/scene.h"
#include "shape/rotation.h"

namespace scree {

struct Range {
    double low = -forever, high = forever;
    bool above_low = false;  // low itself is not allowed
    bool endless = false;    // inf is allowed
};
constexpr Range any_number{};
constexpr Range positive{0, forever, true};
constexpr Range not_negative{0, forever};
constexpr Range fraction{0, 1};
constexpr Range positive_fraction{0, 1, true};
constexpr Range time_or_never{0, forever, false, true};
std::string range_text(const Range& range);  // ">= 0", "> 0 and <= 1", or nothing

struct Key {
    const char* name;
    const char* unit;  // "m", "kg/m^3", or "" for pure numbers and words
    Range range;
    const char* doc;
    bool required = false;
    const char* default_text = nullptr;  // when the default is not a plain value
};
inline Key required(Key key) { return key.required = true, key; }
inline Key defaults_to(const char* text, Key key) { return key.default_text = text, key; }

struct Choice {
    const char* name;
    const char* doc;
    bool available = true;  // words of the format that this version does not know yet are refused as such
    int only_in = 0;        // dimension, 0: both
};

// What a name in the scene stands for.
enum class NameOf { material, region, shape };

class SceneVisitor {
  public:
    using Body = std::function<void()>;
    using IndexBody = std::function<void(std::size_t)>;

    virtual ~SceneVisitor() = default;
    int dimension = 3;

    // True for the reader alone: members may be changed, complaints are heard.
    virtual bool reading() const { return false; }
    // True for the writer alone, which leaves out keys that a scene as it is cannot have.
    virtual bool writing() const { return false; }

    virtual void boolean(const Key& key, bool& value) = 0;
    virtual void integer(const Key& key, std::int64_t& value) = 0;
    virtual void integer(const Key& key, std::optional<std::int64_t>& value) = 0;
    virtual void number(const Key& key, double& value) = 0;
    virtual void number(const Key& key, std::optional<double>& value) = 0;
    virtual void number_or_auto(const Key& key, std::optional<double>& value) = 0;
    virtual void text(const Key& key, std::string& value) = 0;
    virtual void choice(const Key& key, std::span<const Choice> choices, int& value) = 0;
    virtual void choice(const Key& key, std::span<const Choice> choices, std::optional<int>& value) = 0;
    virtual void vector(const Key& key, Vec3& value) = 0;  // `dimension` components
    virtual void spin(const Key& key, Vec3& value) = 0;    // in 2D one number, the component out of the plane
    virtual void vectors(const Key& key, std::vector<Vec3>& value, std::size_t least,
                         std::size_t most = 0) = 0;                     // most 0: no limit
    virtual void numbers(const Key& key, std::span<double> value) = 0;  // exactly this many
    virtual void interval(const Key& key, std::optional<std::pair<double, double>>& value) = 0;
    virtual void rows(const Key& key, std::vector<std::vector<double>>& value, std::size_t columns) = 0;
    // Measures with their options, as measure/measures.h lists them; the scene tells names of groups and walls.
    virtual void measures(const Key& key, const Scene& scene, std::vector<MeasureRequest>& value) = 0;
    virtual void names(const Key& key, NameOf what, std::span<std::string> value) = 0;
    virtual void name(const Key& key, NameOf what, std::string& value) = 0;
    virtual void name(const Key& key, NameOf what, std::optional<std::string>& value) = 0;
    virtual void file(const Key& key, std::string& value) = 0;
    virtual void file(const Key& key, std::optional<std::string>& value) = 0;
    // A key that is refused, and why.
    virtual void refused(const Key& key, const char* why) = 0;

    virtual void table(const Key& key, const Body& body) = 0;
    // A table that may be absent; `present` is set when reading.
    virtual void optional_table(const Key& key, bool& present, const Body& body) = 0;
    // A plain value or a table; `plain` is set when reading.
    virtual void plain_or_table(const Key& key, bool& plain, const Body& plain_body, const Body& table_body) = 0;
    // An array of tables.
    virtual void list(const Key& key, std::size_t size, const IndexBody& resize, const IndexBody& visit) = 0;
    // A table of tables; name(i) is what the i-th is called.
    virtual void named(const Key& key, std::size_t size, const IndexBody& resize,
                       const std::function<std::string&(std::size_t)>& name, const IndexBody& visit) = 0;
    // The table holds the keys of one of several kinds, named by the key `tag`: visit(kind) tells them.
    virtual void kinds_by_tag(const Key& tag, std::span<const Choice> kinds, std::size_t current,
                              const IndexBody& visit) = 0;
    // The same, but the kind is told by which one of the keys is present.
    virtual void kinds_by_key(std::span<const Choice> kinds, std::size_t current, const IndexBody& visit) = 0;

    // Where the table being visited, or one of its keys, was written.
    virtual void where(Where&) {}
    virtual void where_of(const char* /*key*/, Where&) {}
    // Complains about a key of the table being visited unless `fine`. Not heard when the table has worse faults.
    virtual void demand(bool /*fine*/, const char* /*key*/, std::string_view /*message*/) {}
};

void describe(SceneVisitor& visitor, Scene& scene);

// Parts of it, by file.
void describe_simulation(SceneVisitor& v, Scene& scene);   // scene_keys.cpp
void describe_materials(SceneVisitor& v, Scene& scene);    // scene_keys.cpp
void describe_output(SceneVisitor& v, Scene& scene);       // scene_keys.cpp
void describe_region(SceneVisitor& v, Region& region);     // scene_keys_grains.cpp
void describe_grains(SceneVisitor& v, GrainGroup& group);  // scene_keys_grains.cpp
void describe_wall(SceneVisitor& v, Wall& wall);           // scene_keys_walls.cpp

// ---- Helpers for the descriptions -------------------------------------------------------------------------------------

template <class Enum>
void choice_of(SceneVisitor& v, const Key& key, std::span<const Choice> choices, Enum& value) {
    int index = static_cast<int>(value);
    v.choice(key, choices, index);
    value = static_cast<Enum>(index);
}

template <class Enum>
void choice_of(SceneVisitor& v, const Key& key, std::span<const Choice> choices, std::optional<Enum>& value) {
    std::optional<int> index;
    if (value) index = static_cast<int>(*value);
    v.choice(key, choices, index);
    if (index) value = static_cast<Enum>(*index);
}

template <class T, class Describe>
void each(SceneVisitor& v, const Key& key, std::vector<T>& items, Describe describe_item) {
    v.list(
        key, items.size(), [&](std::size_t n) { items.assign(n, T{}); },
        [&](std::size_t i) { describe_item(v, items[i]); });
}

// Makes alternative `index` the active one, keeping its value when it is active already.
template <class... Ts>
void activate(std::variant<Ts...>& value, std::size_t index) {
    if (value.index() == index) return;
    std::size_t i = 0;
    ((i++ == index ? void(value.template emplace<Ts>()) : void()), ...);
}

// True when the vector can be made a direction.
inline bool is_direction(Vec3 v) { return is_finite(v) && norm2(v) > 0; }
// A quaternion [w, x, y, z] of any length.
template <class Components>
void demand_rotation(SceneVisitor& v, const char* key, const Components& q) {
    v.demand(is_rotation({q[0], q[1], q[2], q[3]}), key,
             "must be a quaternion that can be brought to length 1: not zero, nor of a size that cannot be squared");
}
// True when `a` is below `b` along every axis.
inline bool is_below(Vec3 a, Vec3 b, int dimension) { return a.x < b.x && a.y < b.y && (dimension == 2 || a.z < b.z); }

}  // namespace scree
