// The reference page of the scene format, in Markdown.
#include <fmt/format.h>

#include "io/scene_file.h"
#include "io/scene_reference.h"
#include "measure/measures.h"

namespace scree {
namespace {

using Type = KeyReference::Type;

std::string choice_words(const std::vector<Choice>& choices) {
    std::string out;
    for (const Choice& choice : choices)
        if (choice.available) out += fmt::format("{}`\"{}\"`", out.empty() ? "" : ", ", choice.name);
    return out;
}

std::string type_text(const KeyReference& reference) {
    const std::string range = range_text(reference.key.range);
    const std::string bounds = range.empty() ? "" : " " + range;
    switch (reference.type) {
        case Type::boolean:
            return "`true` or `false`";
        case Type::integer:
            return "integer" + bounds;
        case Type::number:
            return "number" + bounds;
        case Type::number_or_auto:
            return "`\"auto\"` or number" + bounds;
        case Type::text:
            return "string";
        case Type::name:
            return "name";
        case Type::names:
            return fmt::format("array of {} names", reference.count);
        case Type::file:
            return "path";
        case Type::choice:
            return choice_words(reference.choices);
        case Type::measures:
            return fmt::format("array of measures: `{}`", fmt::join(measure_names(), "`, `"));
        case Type::vector:
            return "vector";
        case Type::spin:
            return "vector, in 2D a number";
        case Type::vectors:
            return reference.count
                       ? fmt::format("array of {}{} vectors", reference.count, reference.most ? "" : " or more")
                       : "array of vectors";
        case Type::numbers:
            return fmt::format("array of {} numbers{}", reference.count, bounds);
        case Type::rows:
            return "array of rows of numbers";
        case Type::plain_or_table:
            return type_text(reference.plain[0]) + ", or a table";
        case Type::table:
            return "table";
        case Type::list:
            return "tables";
        case Type::named:
            return "tables by name";
        case Type::refused:
            break;
    }
    return "";
}

// `needed` is what stands for the default of a required key.
std::string row(const std::string& name, const KeyReference& reference, const std::string& needed = "required") {
    std::string fallback = reference.key.required       ? needed
                           : reference.default_is_value ? "`" + reference.default_text + "`"
                                                        : reference.default_text;
    if (fallback == "`\"\"`") fallback = "";
    const std::string unit = *reference.key.unit ? fmt::format(", {}", reference.key.unit) : "";
    std::string doc = reference.key.doc;
    if (reference.type == Type::choice && std::string_view(reference.key.name) != "kind")  // kinds have their sections
        for (const Choice& choice : reference.choices)
            if (choice.available && *choice.doc) doc += fmt::format(" `{}`: {}.", choice.name, choice.doc);
    return fmt::format("| `{}` | {}{} | {} | {} |\n", name, type_text(reference), unit, fallback, doc);
}

constexpr const char* head = "| key | value | default | meaning |\n|---|---|---|---|\n";

bool has_keys(const KeyReference& reference) {
    return !reference.inner.empty() && reference.type != Type::plain_or_table;
}

std::string rows(const KeyTable& table, const std::string& prefix);

// Rows of keys and, below each key that is a table, of its keys under dotted names.
std::string rows(const std::vector<KeyReference>& keys, const std::string& prefix,
                 const std::string& needed = "required") {
    std::string out;
    for (const KeyReference& reference : keys) {
        if (reference.type == Type::refused) continue;
        const std::string name = prefix + reference.key.name;
        out += row(name, reference, needed);
        if (!reference.inner.empty()) out += rows(reference.inner[0], name + ".");
    }
    return out;
}

// The same for a table inside another: the keys of its kinds follow. Kinds with a tag are those of walls, told apart.
std::string rows(const KeyTable& table, const std::string& prefix) {
    std::string out = rows(table.keys, prefix);
    if (!table.tag.empty()) return out;
    for (const KeyKind& kind : table.kinds) {
        const std::vector<KeyReference> first(kind.keys.begin(), kind.keys.begin() + 1),
            rest(kind.keys.begin() + 1, kind.keys.end());
        out += rows(first, prefix, "one of these") +
               rows(rest, prefix, fmt::format("required with `{}`", kind.choice.name));
    }
    return out;
}

std::string section(const KeyReference& reference) {
    const char* brackets = reference.type == Type::list    ? "[[{}]]"
                           : reference.type == Type::named ? "[{}.NAME]"
                                                           : "[{}]";
    std::string out =
        fmt::format("\n## `{}`\n{}\n\n", fmt::format(fmt::runtime(brackets), reference.key.name), reference.key.doc);
    const KeyTable& table = reference.inner[0];
    if (!table.keys.empty()) out += head + rows(table.keys, "");
    for (const KeyKind& kind : table.kinds) {
        if (!kind.choice.available || kind.keys.empty()) continue;
        const std::string title = table.tag.empty() ? fmt::format("`{}`", kind.choice.name)
                                                    : fmt::format("`{} = \"{}\"`", table.tag, kind.choice.name);
        out += fmt::format("\n### {}\n{}\n\n{}{}", title, kind.choice.doc, head, rows(kind.keys, ""));
    }
    return out;
}

constexpr const char* preface = R"(# The scene file
A scene is one [TOML](https://toml.io) file. This page lists all its keys. It is made by `scree schema --markdown` from
the same list that reads scenes; `scree schema` prints the list as a JSON Schema for editors, `scree new` writes scenes
to start from, `scree check SCENE` reads a scene and prints it with every default filled in.

* SI units everywhere: metre, kilogram, second, newton, radian.
* Vectors have three components in 3D and two in 2D. Discs of 2D lie in the x-y plane and are 1 m thick.
* Relative paths start at the folder of the scene file.
* Times may be `inf`: never. Lengths and coordinates go up to 1e15 m, other numbers up to 1e30; sizes start at 1e-15 m. A
  grain lies within 1e11 of its radii from the origin.
* `--set KEY=VALUE` changes a key for one run: `--set simulation.duration=2`, `--set walls.floor.open_at=1`,
  `--set walls.0.open_at=1` (elements of lists by name, or by index from 0). The value is TOML; quotes around a string
  may be left out. Paths given so start at the current folder.
* Every fault of a scene is reported, with file:line:column, the key, its value and what is allowed.
)";

}  // namespace

std::string scene_reference_page() {
    const KeyTable top = scene_reference();
    std::string scalars, sections;
    for (const KeyReference& reference : top.keys) {
        if (has_keys(reference))
            sections += section(reference);
        else
            scalars += row(reference.key.name, reference);
    }
    return fmt::format("{}\n## At the top\n{}{}{}", preface, head, scalars, sections);
}

}  // namespace scree
