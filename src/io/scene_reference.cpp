#include "io/scene_reference.h"

#include "io/scene_document.h"

namespace scree {
namespace {

using Type = KeyReference::Type;

// Visits a fresh scene, in which every list has one element and every kind is tried.
class ReferenceCollector : public SceneVisitor {
  public:
    KeyTable top;

    void boolean(const Key& key, bool& value) override { add(Type::boolean, key, Value(value)); }
    void integer(const Key& key, std::int64_t& value) override { add(Type::integer, key, Value(value)); }
    void integer(const Key& key, std::optional<std::int64_t>&) override { add(Type::integer, key); }
    void number(const Key& key, double& value) override { add(Type::number, key, Value(value)); }
    void number(const Key& key, std::optional<double>&) override { add(Type::number, key); }
    void number_or_auto(const Key& key, std::optional<double>&) override {
        add(Type::number_or_auto, key, Value(std::string("auto")));
    }
    void text(const Key& key, std::string& value) override { add(Type::text, key, Value(value)); }
    void choice(const Key& key, std::span<const Choice> choices, int& value) override {
        add(Type::choice, key, Value(std::string(choices[static_cast<std::size_t>(value)].name)))
            .choices.assign(choices.begin(), choices.end());
    }
    void choice(const Key& key, std::span<const Choice> choices, std::optional<int>&) override {
        add(Type::choice, key).choices.assign(choices.begin(), choices.end());
    }
    void vector(const Key& key, Vec3& value) override { add(Type::vector, key, triple(value)); }
    void spin(const Key& key, Vec3& value) override { add(Type::spin, key, triple(value)); }
    void vectors(const Key& key, std::vector<Vec3>&, std::size_t least, std::size_t most) override {
        KeyReference& reference = add(Type::vectors, key);
        reference.count = least;
        reference.most = most;
    }
    void numbers(const Key& key, std::span<double> value) override { add(Type::numbers, key).count = value.size(); }
    void interval(const Key& key, std::optional<std::pair<double, double>>&) override {
        add(Type::numbers, key).count = 2;
    }
    void rows(const Key& key, std::vector<std::vector<double>>&, std::size_t columns) override {
        add(Type::rows, key).count = columns;
    }
    void measures(const Key& key, const Scene&, std::vector<MeasureRequest>& value) override {
        Value::Array words_now;
        for (const MeasureRequest& request : value) words_now.push_back(Value(request.name));
        add(Type::measures, key, Value(words_now));
    }
    void names(const Key& key, NameOf, std::span<std::string> value) override {
        add(Type::names, key).count = value.size();
    }
    void name(const Key& key, NameOf, std::string&) override { add(Type::name, key); }
    void name(const Key& key, NameOf, std::optional<std::string>&) override { add(Type::name, key); }
    void file(const Key& key, std::string&) override { add(Type::file, key); }
    void file(const Key& key, std::optional<std::string>&) override { add(Type::file, key); }
    void refused(const Key& key, const char*) override { add(Type::refused, key); }

    void table(const Key& key, const Body& body) override { inside(add(Type::table, key), body); }
    void optional_table(const Key& key, bool&, const Body& body) override { table(key, body); }
    void plain_or_table(const Key& key, bool&, const Body& plain_body, const Body& table_body) override {
        KeyTable plain;
        into(plain, plain_body);
        KeyReference& reference = add(Type::plain_or_table, key);
        reference.plain = plain.keys;
        inside(reference, table_body);
    }
    void list(const Key& key, std::size_t, const IndexBody& resize, const IndexBody& visit) override {
        resize(1);
        inside(add(Type::list, key), [&] { visit(0); });
    }
    void named(const Key& key, std::size_t, const IndexBody& resize, const std::function<std::string&(std::size_t)>&,
               const IndexBody& visit) override {
        resize(1);
        inside(add(Type::named, key), [&] { visit(0); });
    }
    void kinds_by_tag(const Key& tag, std::span<const Choice> kinds, std::size_t current,
                      const IndexBody& visit) override {
        int first = static_cast<int>(current);
        choice(tag, kinds, first);
        place_->tag = tag.name;
        collect_kinds(kinds, visit);
    }
    void kinds_by_key(std::span<const Choice> kinds, std::size_t, const IndexBody& visit) override {
        collect_kinds(kinds, visit);
    }

  private:
    KeyReference& add(Type type, const Key& key) {
        place_->keys.push_back({type, key});
        KeyReference& reference = place_->keys.back();
        if (key.default_text) reference.default_text = key.default_text;
        return reference;
    }
    KeyReference& add(Type type, const Key& key, const Value& fallback) {
        KeyReference& reference = add(type, key);
        if (!key.required && !key.default_text) {
            reference.default_text = inline_toml(fallback);
            reference.default_is_value = true;
        }
        return reference;
    }
    static Value triple(Vec3 v) { return Value(Value::Array{Value(v.x), Value(v.y), Value(v.z)}); }
    void into(KeyTable& target, const Body& body) {
        KeyTable* const outer = place_;
        place_ = &target;
        body();
        place_ = outer;
    }
    void inside(KeyReference& reference, const Body& body) {
        KeyTable table_of_keys;  // apart, because references into the list move as it grows
        into(table_of_keys, body);
        reference.inner.push_back(std::move(table_of_keys));
    }
    void collect_kinds(std::span<const Choice> kinds, const IndexBody& visit) {
        KeyTable& table_here = *place_;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            KeyTable keys;
            if (kinds[i].available) into(keys, [&] { visit(i); });
            table_here.kinds.push_back({kinds[i], keys.keys});
        }
    }
    KeyTable* place_ = &top;
};

}  // namespace

KeyTable scene_reference() {
    ReferenceCollector collector;
    Scene scene;
    describe(collector, scene);
    return collector.top;
}

}  // namespace scree
