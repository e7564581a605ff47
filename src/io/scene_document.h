// A scene file as a tree of values, each with the place it was written at: what the TOML parser gives, what --set
// changes, what the reader turns into a Scene and what the writer makes of one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/scene.h"

namespace scree {

struct Entry;

struct Value {
    using Array = std::vector<Value>;
    using Table = std::vector<Entry>;  // in the order written
    struct Date {                      // TOML has dates, scenes do not: kept to be refused
        std::string text;
    };
    std::variant<bool, std::int64_t, double, std::string, Date, Array, Table> data;
    Where where;
    int source = 0;  // 0: the file; n: the n-th override

    Value();  // an empty table
    template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, Value>) explicit Value(T&& content)
        : data(std::forward<T>(content)) {}

    template <class T>
    const T* as() const {
        return std::get_if<T>(&data);
    }
    template <class T>
    T* as() {
        return std::get_if<T>(&data);
    }
    const Value* find(std::string_view key) const;  // in a table; null when absent or not a table
    const Entry* entry(std::string_view key) const;
    Value& set(std::string_view key, Value value);  // in a table: replaces, or adds at the end
};

struct Entry {
    std::string key;
    Where where;
    Value value;
};
// Here, where tables are complete: Clang makes them on the spot.
inline Value::Value() : data(Table{}) {}

// "a number", "a string", ... for messages.
std::string_view type_name(const Value& value);

// The shortest decimal that reads back as the same double, in the notation of TOML.
std::string number_text(double number);

// The value on one line, as TOML.
std::string inline_toml(const Value& value);

// A whole document: scalars first, then [tables], [tables.of.tables] and [[arrays of tables]]; deeper ones inline.
std::string document_toml(const Value& document);

}  // namespace scree
