// The keys of a scene as data: what the JSON Schema and the reference page are made from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/scene_keys.h"

namespace scree {

struct KeyTable;

struct KeyReference {
    enum class Type {
        boolean,
        integer,
        number,
        number_or_auto,
        text,
        choice,
        vector,
        spin,
        vectors,
        numbers,
        rows,
        measures,
        name,
        names,
        file,
        table,
        list,
        named,
        plain_or_table,
        refused
    };
    Type type;
    Key key;
    std::vector<Choice> choices{};      // choice
    std::string default_text{};         // as TOML, or in words; empty: none
    bool default_is_value = false;      // default_text is TOML
    std::size_t count = 0;              // numbers: how many; vectors: at least; rows: columns
    std::size_t most = 0;               // vectors: 0: no limit
    std::vector<KeyTable> inner{};      // table, list, named, plain_or_table: one
    std::vector<KeyReference> plain{};  // plain_or_table: the plain form
};

struct KeyKind {
    Choice choice;
    std::vector<KeyReference> keys;
};

struct KeyTable {
    std::vector<KeyReference> keys;  // of every kind
    std::string tag;                 // key that names the kind; empty when the kind is told by its first key
    std::vector<KeyKind> kinds;      // empty: the table has no kinds
};

KeyTable scene_reference();

}  // namespace scree
