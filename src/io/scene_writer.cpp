// The visitor that turns a Scene into a document with every default written out.
#include <nlohmann/json.hpp>

#include "io/scene_document.h"
#include "io/scene_file.h"
#include "io/scene_keys.h"

namespace scree {
namespace {

class SceneWriter : public SceneVisitor {
  public:
    bool writing() const override { return true; }
    explicit SceneWriter(int scene_dimension) { dimension = scene_dimension; }
    Value document;

    void boolean(const Key& key, bool& value) override { put(key, Value(value)); }
    void integer(const Key& key, std::int64_t& value) override { put(key, Value(value)); }
    void integer(const Key& key, std::optional<std::int64_t>& value) override {
        if (value) put(key, Value(*value));
    }
    void number(const Key& key, double& value) override { put(key, Value(value)); }
    void number(const Key& key, std::optional<double>& value) override {
        if (value) put(key, Value(*value));
    }
    void number_or_auto(const Key& key, std::optional<double>& value) override {
        put(key, value ? Value(*value) : Value(std::string("auto")));
    }
    void text(const Key& key, std::string& value) override { put(key, Value(value)); }
    void choice(const Key& key, std::span<const Choice> choices, int& value) override {
        put(key, Value(std::string(choices[static_cast<std::size_t>(value)].name)));
    }
    void choice(const Key& key, std::span<const Choice> choices, std::optional<int>& value) override {
        if (value) choice(key, choices, *value);
    }
    void vector(const Key& key, Vec3& value) override { put(key, as_array(value)); }
    void spin(const Key& key, Vec3& value) override { put(key, dimension == 2 ? Value(value.z) : as_array(value)); }
    void vectors(const Key& key, std::vector<Vec3>& value, std::size_t, std::size_t) override {
        Value::Array points;
        for (const Vec3& point : value) points.push_back(as_array(point));
        put(key, Value(points));
    }
    void numbers(const Key& key, std::span<double> value) override { put(key, as_array(value)); }
    void interval(const Key& key, std::optional<std::pair<double, double>>& value) override {
        if (value) put(key, Value(Value::Array{Value(value->first), Value(value->second)}));
    }
    void rows(const Key& key, std::vector<std::vector<double>>& value, std::size_t) override {
        Value::Array rows_out;
        for (std::vector<double>& row : value) rows_out.push_back(as_array(std::span<double>(row)));
        put(key, Value(rows_out));
    }
    void measures(const Key& key, const Scene&, std::vector<MeasureRequest>& value) override {
        Value::Array items;
        for (const MeasureRequest& request : value) items.push_back(as_value(request));
        put(key, Value(items));
    }
    void names(const Key& key, NameOf, std::span<std::string> value) override { put(key, as_array(value)); }
    void name(const Key& key, NameOf, std::string& value) override {
        if (!value.empty()) put(key, Value(value));
    }
    void name(const Key& key, NameOf, std::optional<std::string>& value) override {
        if (value) put(key, Value(*value));
    }
    void file(const Key& key, std::string& value) override { put(key, Value(value)); }
    void file(const Key& key, std::optional<std::string>& value) override {
        if (value) put(key, Value(*value));
    }
    void refused(const Key&, const char*) override {}

    void table(const Key& key, const Body& body) override {
        Value inner = inside(body);
        if (!std::get<Value::Table>(inner.data).empty()) put(key, std::move(inner));
    }
    void optional_table(const Key& key, bool& present, const Body& body) override {
        if (present) table(key, body);
    }
    void plain_or_table(const Key& key, bool& plain, const Body& plain_body, const Body& table_body) override {
        plain ? plain_body() : table(key, table_body);
    }
    void list(const Key& key, std::size_t size, const IndexBody&, const IndexBody& visit) override {
        Value::Array items;
        for (std::size_t i = 0; i < size; ++i) items.push_back(inside([&] { visit(i); }));
        if (size > 0) put(key, Value(items));
    }
    void named(const Key& key, std::size_t size, const IndexBody&,
               const std::function<std::string&(std::size_t)>& name_of, const IndexBody& visit) override {
        Value items;
        for (std::size_t i = 0; i < size; ++i) items.set(name_of(i), inside([&] { visit(i); }));
        if (size > 0) put(key, std::move(items));
    }
    void kinds_by_tag(const Key& tag, std::span<const Choice> kinds, std::size_t current,
                      const IndexBody& visit) override {
        put(tag, Value(std::string(kinds[current].name)));
        visit(current);
    }
    void kinds_by_key(std::span<const Choice>, std::size_t current, const IndexBody& visit) override { visit(current); }

  private:
    Value as_value(const MeasureRequest& request) const {
        if (request.options.empty()) return Value(request.name);
        Value options, item;
        for (const auto& [name, option] : request.options) {
            const auto* word = std::get_if<std::string>(&option);
            if (word && (*word == "true" || *word == "false"))
                options.set(name, Value(*word == "true"));
            else if (word)
                options.set(name, Value(*word));
            else if (const double* number = std::get_if<double>(&option))
                options.set(name, Value(*number));
            else
                options.set(name, as_array(std::get<std::vector<double>>(option)));
        }
        item.set(request.name, std::move(options));
        return item;
    }
    void put(const Key& key, Value value) { place_->set(key.name, std::move(value)); }
    Value inside(const Body& body) {
        Value inner;
        Value* const outer = place_;
        place_ = &inner;
        body();
        place_ = outer;
        return inner;
    }
    Value as_array(Vec3 value) const {
        Value::Array array{Value(value.x), Value(value.y)};
        if (dimension == 3) array.push_back(Value(value.z));
        return Value(array);
    }
    template <class Range>
    Value as_array(const Range& values) const {
        Value::Array array;
        for (const auto& value : values) array.push_back(Value(value));
        return Value(array);
    }

    Value* place_ = &document;
};

Value written(Scene scene) {
    SceneWriter writer(scene.dimension);
    describe(writer, scene);
    return writer.document;
}

nlohmann::ordered_json as_json(const Value& value) {
    if (const auto* array = value.as<Value::Array>()) {
        auto out = nlohmann::ordered_json::array();
        for (const Value& element : *array) out.push_back(as_json(element));
        return out;
    }
    if (const auto* table = value.as<Value::Table>()) {
        auto out = nlohmann::ordered_json::object();
        for (const Entry& entry : *table) out[entry.key] = as_json(entry.value);
        return out;
    }
    if (const auto* boolean = value.as<bool>()) return *boolean;
    if (const auto* integer = value.as<std::int64_t>()) return *integer;
    if (const auto* number = value.as<double>()) return *number;
    return std::get<std::string>(value.data);
}

}  // namespace

std::string write_scene(const Scene& scene) { return document_toml(written(scene)); }

std::string write_scene_json(const Scene& scene) { return as_json(written(scene)).dump(2); }

}  // namespace scree
