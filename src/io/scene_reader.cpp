#include "io/scene_reader.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/located.h"
#include "core/nearest.h"
#include "core/number_range.h"

namespace scree {
namespace {

std::string shown(const Value& value) {
    constexpr std::size_t longest = 60;
    std::string text = inline_toml(value);
    if (text.size() > longest) {
        std::size_t end = longest - 3;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
            --end;  // not inside a UTF-8 character
        text = text.substr(0, end) + "...";
    }
    return text;
}

// "a number > 0, in m"
std::string expected_number(const Key& key, const char* noun = "a number") {
    std::string out = noun;
    if (const std::string range = range_text(key.range); !range.empty()) out += " " + range;
    if (*key.unit) out += fmt::format(", in {}", key.unit);
    return out;
}

std::vector<std::string> names_of(std::span<const Choice> choices) {
    std::vector<std::string> out;
    for (const Choice& choice : choices) out.emplace_back(choice.name);
    return out;
}

std::vector<std::string> available(std::span<const Choice> choices, int dimension) {
    std::vector<std::string> out;
    for (const Choice& choice : choices)
        if (choice.available && (choice.only_in == 0 || choice.only_in == dimension)) out.emplace_back(choice.name);
    return out;
}

std::string one_of(const std::vector<std::string>& words) { return fmt::format("\"{}\"", fmt::join(words, "\", \"")); }

const char* components(int dimension) { return dimension == 2 ? "[x, y]" : "[x, y, z]"; }

}  // namespace

SceneReader::SceneReader(const Value& document, std::string folder, bool check_files)
    : document_(document),
      folder_(std::move(folder)),
      check_files_(check_files) {}

void SceneReader::read(Scene& scene) {
    in_table(document_, "", [&] { describe(*this, scene); });
    resolve_references();
}

// ---- Complaints -------------------------------------------------------------------------------------------------------

void SceneReader::complain(const Value& at, const std::string& path, const std::string& message) {
    complaints.push_back({at.where, at.source, fmt::format("key \"{}\" = {}: {}", path, shown(at), message)});
}

void SceneReader::complain_missing(const Value& table, const std::string& path, const std::string& what) {
    complaints.push_back({table.where, table.source, fmt::format("key \"{}\" is missing: {}", path, what)});
}

void SceneReader::refuse_type(const Value& value, const Key& key, const std::string& expected) {
    complain(value, path_of(key.name), fmt::format("expected {}, not {}", expected, type_name(value)));
}

const Value* SceneReader::value_at(const std::string& path) const {
    const auto found = read_.find(path);
    return found == read_.end() ? nullptr : found->second;
}

void SceneReader::complain_at(const std::string& path, const std::string& message) {
    if (const Value* value = value_at(path))
        complain(*value, path, message);
    else
        complaints.push_back({document_.where, 0, message});
}

void SceneReader::demand(bool fine, const char* key, std::string_view message) {
    if (fine || complaints.size() > scopes_.back().complaints_before) return;
    if (const Value* value = scopes_.back().table->find(key))
        complain(*value, path_of(key), std::string(message));
    else
        complain(*scopes_.back().table, scopes_.back().path, std::string(message));
}

// ---- Tables -----------------------------------------------------------------------------------------------------------

std::string SceneReader::path_of(std::string_view key) const {
    const std::string& path = scopes_.back().path;
    return path.empty() ? std::string(key) : path + "." + std::string(key);
}

const Value* SceneReader::take(const Key& key) {
    Scope& scope = scopes_.back();
    if (scope.known.insert(key.name).second) scope.order.emplace_back(key.name);
    const Value* value = scope.table->find(key.name);
    if (value)
        read_.emplace(path_of(key.name), value);
    else if (key.required)
        complain_missing(*scope.table, path_of(key.name),
                         key.doc + std::string(*key.unit ? fmt::format(" Unit: {}.", key.unit) : ""));
    return value;
}

void SceneReader::in_table(const Value& table, const std::string& path, const Body& body) {
    scopes_.push_back({&table, path});
    scopes_.back().complaints_before = complaints.size();
    body();
    finish_scope();
    scopes_.pop_back();
}

void SceneReader::finish_scope() {
    const Scope& scope = scopes_.back();
    if (scope.unknown_allowed) return;
    for (const Entry& entry : std::get<Value::Table>(scope.table->data)) {
        if (scope.known.contains(entry.key)) continue;
        const bool misplaced = scope.of_other_kinds.contains(entry.key);
        std::string message =
            misplaced ? "this key does not belong to this kind" : "unknown key" + nearest_hint(entry.key, scope.order);
        message += scope.order.empty() ? "; no keys are allowed here"
                                       : fmt::format("; allowed here: {}", fmt::join(scope.order, ", "));
        complaints.push_back({entry.where, entry.value.source,
                              fmt::format("key \"{}\" = {}: {}", path_of(entry.key), shown(entry.value), message)});
    }
}

void SceneReader::table(const Key& key, const Body& body) {
    bool present = false;
    optional_table(key, present, body);
    if (present || key.required) return;
    // Defaults that depend on other keys are set inside, so an absent table is read as an empty one.
    static const Value nothing;
    in_table(nothing, path_of(key.name), body);
}

void SceneReader::optional_table(const Key& key, bool& present, const Body& body) {
    const Value* value = take(key);
    present = value && value->as<Value::Table>();
    if (value && !present) refuse_type(*value, key, "a table");
    if (present) in_table(*value, path_of(key.name), body);
}

void SceneReader::plain_or_table(const Key& key, bool& plain, const Body& plain_body, const Body& table_body) {
    const Value* value = scopes_.back().table->find(key.name);
    plain = !value || !value->as<Value::Table>();
    if (plain) return plain_body();
    take(key);
    in_table(*value, path_of(key.name), table_body);
}

void SceneReader::list(const Key& key, std::size_t, const IndexBody& resize, const IndexBody& visit) {
    const Value* value = take(key);
    if (!value) return;
    const auto* array = value->as<Value::Array>();
    const bool tables =
        array && std::all_of(array->begin(), array->end(), [](const Value& v) { return v.as<Value::Table>(); });
    if (!tables) return refuse_type(*value, key, fmt::format("tables [[{}]]", key.name));
    resize(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) {
        const Value* name = (*array)[i].find("name");
        const auto* text = name ? name->as<std::string>() : nullptr;
        in_table((*array)[i], path_of(key.name) + "." + (text && !text->empty() ? *text : std::to_string(i)),
                 [&] { visit(i); });
        if (text && std::string_view(key.name) == "regions") region_names_.push_back(*text);
    }
}

void SceneReader::named(const Key& key, std::size_t, const IndexBody& resize,
                        const std::function<std::string&(std::size_t)>& name_of, const IndexBody& visit) {
    const Value* value = take(key);
    if (!value) return;
    const auto* entries = value->as<Value::Table>();
    if (!entries) return refuse_type(*value, key, fmt::format("tables [{}.NAME]", key.name));
    if (entries->empty() && key.required) complain(*value, path_of(key.name), "at least one is needed");
    resize(entries->size());
    for (std::size_t i = 0; i < entries->size(); ++i) {
        const Entry& entry = (*entries)[i];
        const std::string path = path_of(key.name) + "." + entry.key;
        if (has_control(entry.key)) complain(entry.value, path, "a name must not hold control characters");
        name_of(i) = entry.key;
        (std::string_view(key.name) == "materials" ? material_names_ : shape_names_).push_back(entry.key);
        if (entry.value.as<Value::Table>())
            in_table(entry.value, path, [&] { visit(i); });
        else
            complain(entry.value, path,
                     fmt::format("expected a table [{}.NAME], not {}", key.name, type_name(entry.value)));
    }
}

void SceneReader::kinds_by_tag(const Key& tag, std::span<const Choice> kinds, std::size_t current,
                               const IndexBody& visit) {
    const Value* value = take(tag);
    int kind = static_cast<int>(current);
    const bool known = value ? read_choice(*value, path_of(tag.name), kinds, kind) : !tag.required;
    if (known) return visit(static_cast<std::size_t>(kind));
    scopes_.back().unknown_allowed = true;
    of_unknown_kind_.insert(scopes_.back().path);
}

void SceneReader::kinds_by_key(std::span<const Choice> kinds, std::size_t, const IndexBody& visit) {
    Scope& scope = scopes_.back();
    const std::vector<std::string> words = names_of(kinds);
    std::vector<std::size_t> present;
    for (const Entry& entry : std::get<Value::Table>(scope.table->data))
        for (std::size_t i = 0; i < kinds.size(); ++i)
            if (entry.key == kinds[i].name) present.push_back(i);
    if (present.size() == 1) {
        visit(present[0]);
        for (const std::string& word : words) scopes_.back().of_other_kinds.insert(word);
    } else if (present.empty()) {
        std::string hint;
        for (const Entry& entry : std::get<Value::Table>(scope.table->data))
            if (hint.empty() && !scope.known.contains(entry.key)) hint = nearest_hint(entry.key, words);
        complain(*scope.table, scope.path, fmt::format("needs one of the keys {}{}", fmt::join(words, ", "), hint));
        scope.unknown_allowed = true;
    } else {
        const Entry* second = scope.table->entry(kinds[present[1]].name);
        complaints.push_back(
            {second->where, second->value.source,
             fmt::format("key \"{}\" = {}: only one of the keys {} may be given, and \"{}\" is already",
                         path_of(second->key), shown(second->value), fmt::join(words, ", "), kinds[present[0]].name)});
        scope.unknown_allowed = true;
    }
}

void SceneReader::where(Where& place) { place = scopes_.back().table->where; }

void SceneReader::where_of(const char* key, Where& place) {
    const Value* value = scopes_.back().table->find(key);
    place = value ? value->where : scopes_.back().table->where;
}

// ---- Values -----------------------------------------------------------------------------------------------------------

void SceneReader::boolean(const Key& key, bool& out) {
    const Value* value = take(key);
    if (!value) return;
    if (const bool* given = value->as<bool>())
        out = *given;
    else
        refuse_type(*value, key, "true or false");
}

void SceneReader::integer(const Key& key, std::int64_t& out) {
    std::optional<std::int64_t> given;
    integer(key, given);
    if (given) out = *given;
}

void SceneReader::integer(const Key& key, std::optional<std::int64_t>& out) {
    const Value* value = take(key);
    if (!value) return;
    const auto* given = value->as<std::int64_t>();
    if (!given) return refuse_type(*value, key, expected_number(key, "an integer"));
    const auto number = static_cast<double>(*given);
    if (number < key.range.low || number > key.range.high)
        complain(*value, path_of(key.name), "must be " + expected_number(key, "an integer"));
    else
        out = *given;
}

bool SceneReader::read_number(const Value& value, const Key& key, const std::string& path, double& out) {
    double number;
    if (const auto* integer = value.as<std::int64_t>())
        number = static_cast<double>(*integer);
    else if (const auto* given = value.as<double>())
        number = *given;
    else
        return complain(value, path, fmt::format("expected {}, not {}", expected_number(key), type_name(value))), false;
    const Range& range = key.range;
    std::string fault;
    if (std::isnan(number))
        fault = "not a number; it must be ";
    else if (std::isinf(number) && !(range.endless && number > 0))
        fault = "must be finite: ";
    else if (number < range.low || number > range.high || (range.above_low && number == range.low))
        fault = "must be ";
    if (!fault.empty()) return complain(value, path, fault + expected_number(key)), false;
    // Times may be as long or short as they like: what a run can do with them is said where the time step is known.
    const std::string_view unit = key.unit;
    const char* beyond =
        unit == "s" || std::isinf(number) ? nullptr : range_fault(number, unit == "m", range.above_low);
    if (beyond) return complain(value, path, beyond), false;
    out = number;
    return true;
}

void SceneReader::number(const Key& key, double& out) {
    if (const Value* value = take(key)) read_number(*value, key, path_of(key.name), out);
}

void SceneReader::number(const Key& key, std::optional<double>& out) {
    double number = 0;
    const Value* value = take(key);
    if (value && read_number(*value, key, path_of(key.name), number)) out = number;
}

void SceneReader::number_or_auto(const Key& key, std::optional<double>& out) {
    const Value* value = take(key);
    if (!value) return;
    if (const auto* text = value->as<std::string>()) {
        if (*text != "auto")
            complain(*value, path_of(key.name), fmt::format("expected \"auto\" or {}", expected_number(key)));
        return;
    }
    double number = 0;
    if (read_number(*value, key, path_of(key.name), number)) out = number;
}

void SceneReader::text(const Key& key, std::string& out) {
    const Value* value = take(key);
    if (!value) return;
    const auto* given = value->as<std::string>();
    if (!given) return refuse_type(*value, key, "a string");
    if (std::string_view(key.name) == "name" && given->empty())
        return complain(*value, path_of(key.name), "must not be empty");
    if (has_control(*given)) return complain(*value, path_of(key.name), "must not hold control characters");
    out = *given;
}

bool SceneReader::read_choice(const Value& value, const std::string& path, std::span<const Choice> choices, int& out) {
    const std::vector<std::string> allowed = available(choices, dimension);
    const auto* given = value.as<std::string>();
    if (!given)
        return complain(value, path, fmt::format("expected one of {}, not {}", one_of(allowed), type_name(value))),
               false;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (*given != choices[i].name) continue;
        if (!choices[i].available)
            return complain(value, path, fmt::format("is not available in this version; allowed: {}", one_of(allowed))),
                   false;
        if (choices[i].only_in != 0 && choices[i].only_in != dimension)
            return complain(
                       value, path,
                       fmt::format("exists in {}D only; in {}D: {}", choices[i].only_in, dimension, one_of(allowed))),
                   false;
        out = static_cast<int>(i);
        return true;
    }
    complain(value, path,
             fmt::format("unknown word{}; allowed: {}", nearest_hint(*given, names_of(choices)), one_of(allowed)));
    return false;
}

void SceneReader::choice(const Key& key, std::span<const Choice> choices, int& out) {
    if (const Value* value = take(key)) read_choice(*value, path_of(key.name), choices, out);
}

void SceneReader::choice(const Key& key, std::span<const Choice> choices, std::optional<int>& out) {
    int chosen = 0;
    if (const Value* value = take(key); value && read_choice(*value, path_of(key.name), choices, chosen)) out = chosen;
}

bool SceneReader::read_vector(const Value& value, const Key& key, const std::string& path, Vec3& out) {
    const auto* array = value.as<Value::Array>();
    const auto count = static_cast<std::size_t>(dimension);
    if (!array || array->size() != count) {
        const std::string found = array ? fmt::format("an array of {}", array->size()) : std::string(type_name(value));
        complain(value, path,
                 fmt::format("expected {} numbers {} in {}D{}, not {}", count, components(dimension), dimension,
                             *key.unit ? fmt::format(", in {}", key.unit) : "", found));
        return false;
    }
    Vec3 vector;
    bool fine = true;
    for (std::size_t i = 0; i < count; ++i)
        fine = read_number((*array)[i], key, fmt::format("{}.{}", path, i), vector[static_cast<int>(i)]) && fine;
    if (fine) out = vector;
    return fine;
}

void SceneReader::vector(const Key& key, Vec3& out) {
    if (const Value* value = take(key)) read_vector(*value, key, path_of(key.name), out);
}

void SceneReader::spin(const Key& key, Vec3& out) {
    const Value* value = take(key);
    if (!value) return;
    if (dimension == 3)
        read_vector(*value, key, path_of(key.name), out);
    else
        read_number(*value, key, path_of(key.name), out.z);
}

void SceneReader::vectors(const Key& key, std::vector<Vec3>& out, std::size_t least, std::size_t most) {
    const Value* value = take(key);
    if (!value) return;
    const auto* array = value->as<Value::Array>();
    if (!array || array->size() < least || (most > 0 && array->size() > most))
        return complain(*value, path_of(key.name),
                        fmt::format("expected an array of {} points {}, not {}",
                                    most == least                    ? fmt::format("{}", least)
                                    : array && array->size() > least ? fmt::format("at most {}", most)
                                                                     : fmt::format("{} or more", least),
                                    components(dimension),
                                    array ? fmt::format("of {}", array->size()) : std::string(type_name(*value))));
    out.assign(array->size(), Vec3{});
    for (std::size_t i = 0; i < array->size(); ++i)
        read_vector((*array)[i], key, fmt::format("{}.{}", path_of(key.name), i), out[i]);
}

void SceneReader::numbers(const Key& key, std::span<double> out) {
    const Value* value = take(key);
    if (!value) return;
    const auto* array = value->as<Value::Array>();
    if (!array || array->size() != out.size())
        return complain(*value, path_of(key.name),
                        fmt::format("expected an array of {} numbers, not {}", out.size(),
                                    array ? fmt::format("of {}", array->size()) : std::string(type_name(*value))));
    for (std::size_t i = 0; i < out.size(); ++i)
        read_number((*array)[i], key, fmt::format("{}.{}", path_of(key.name), i), out[i]);
}

void SceneReader::interval(const Key& key, std::optional<std::pair<double, double>>& out) {
    double ends[2] = {0, 0};
    const std::size_t before = complaints.size();
    numbers(key, ends);
    if (scopes_.back().table->find(key.name) && complaints.size() == before) out = {ends[0], ends[1]};
}

void SceneReader::rows(const Key& key, std::vector<std::vector<double>>& out, std::size_t columns) {
    const Value* value = take(key);
    if (!value) return;
    const auto* array = value->as<Value::Array>();
    if (!array) return refuse_type(*value, key, fmt::format("an array of rows of {} numbers", columns));
    for (std::size_t i = 0; i < array->size(); ++i) {
        const auto* row = (*array)[i].as<Value::Array>();
        const std::string path = fmt::format("{}.{}", path_of(key.name), i);
        out.emplace_back(columns);
        if (!row || row->size() != columns)
            complain((*array)[i], path, fmt::format("expected a row of {} numbers", columns));
        else
            for (std::size_t c = 0; c < columns; ++c)
                read_number((*row)[c], key, fmt::format("{}.{}", path, c), out.back()[c]);
    }
}

// ---- Names and files ----------------------------------------------------------------------------------------------------

void SceneReader::names(const Key& key, NameOf what, std::span<std::string> out) {
    const Value* value = take(key);
    if (!value) return;
    const auto* array = value->as<Value::Array>();
    const bool strings = array && array->size() == out.size() &&
                         std::all_of(array->begin(), array->end(), [](const Value& v) { return v.as<std::string>(); });
    if (!strings) return complain(*value, path_of(key.name), fmt::format("expected an array of {} names", out.size()));
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = *(*array)[i].as<std::string>();
        references_.push_back({what, out[i], path_of(key.name), &(*array)[i]});
    }
}

void SceneReader::name(const Key& key, NameOf what, std::string& out) {
    std::optional<std::string> given;
    name(key, what, given);
    if (given) out = *given;
}

void SceneReader::name(const Key& key, NameOf what, std::optional<std::string>& out) {
    const Value* value = take(key);
    if (!value) return;
    const auto* given = value->as<std::string>();
    if (!given) return refuse_type(*value, key, "a name");
    out = *given;
    references_.push_back({what, *given, path_of(key.name), value});
}

void SceneReader::resolve_references() {
    for (const Reference& reference : references_) {
        const char* words[] = {"material", "region", "shape"};
        const auto& defined = reference.what == NameOf::material ? material_names_
                              : reference.what == NameOf::region ? region_names_
                                                                 : shape_names_;
        if (std::find(defined.begin(), defined.end(), reference.name) != defined.end()) continue;
        const char* word = words[static_cast<int>(reference.what)];
        const std::string known = defined.empty()
                                      ? fmt::format("; the scene has no {}s", word)
                                      : fmt::format("; {}s of this scene: {}", word, fmt::join(defined, ", "));
        complain(*reference.value, reference.path,
                 fmt::format("there is no {} of this name{}{}", word, nearest_hint(reference.name, defined), known));
    }
}

std::string SceneReader::resolved(const Value& value, const std::string& text) const {
    namespace fs = std::filesystem;
    std::error_code trouble;
    const fs::path base = value.source == 0 ? fs::path(folder_) : fs::path();
    const fs::path whole = fs::absolute(base / text, trouble);
    return trouble ? text : whole.lexically_normal().string();
}

void SceneReader::file(const Key& key, std::string& out) {
    std::optional<std::string> given;
    file(key, given);
    if (given) out = *given;
}

void SceneReader::file(const Key& key, std::optional<std::string>& out) {
    const Value* value = take(key);
    if (!value) return;
    const auto* given = value->as<std::string>();
    if (!given) return refuse_type(*value, key, "the name of a file");
    const bool usable = !given->empty() && given->find('\0') == std::string::npos;
    if (!usable) return complain(*value, path_of(key.name), "is not the name of a file");
    out = resolved(*value, *given);
    std::error_code trouble;
    if (check_files_ && !std::filesystem::exists(*out, trouble))
        complain(*value, path_of(key.name), fmt::format("there is no file or folder {}", *out));
}

void SceneReader::refused(const Key& key, const char* why) {
    if (const Value* value = take(key)) complain(*value, path_of(key.name), why);
    scopes_.back().order.pop_back();
}

}  // namespace scree
