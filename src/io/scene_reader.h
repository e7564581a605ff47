// The visitor that fills a Scene from a document. Goes on after an error, so that all are found.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "io/scene_document.h"
#include "io/scene_keys.h"

namespace scree {

// A complaint and where it belongs: a place in the file, or the n-th override.
struct Complaint {
    Where where;
    int source = 0;
    std::string text;
};

class SceneReader : public SceneVisitor {
  public:
    // `folder` is where relative paths of the file start; with check_files, missing files are complained about.
    SceneReader(const Value& document, std::string folder, bool check_files);

    // Reads everything; `complaints` tells what is wrong.
    void read(Scene& scene);

    std::vector<Complaint> complaints;
    // Adds a complaint about the key at `path` ("walls.floor.radius") if it was read, else about the document.
    void complain_at(const std::string& path, const std::string& message);
    const Value* value_at(const std::string& path) const;  // null when it was not met
    // Whether the table at `path` has a kind that there is not, so that nothing can be said of its other keys.
    bool is_of_unknown_kind(const std::string& path) const { return of_unknown_kind_.contains(path); }

    bool reading() const override { return true; }
    void boolean(const Key& key, bool& value) override;
    void integer(const Key& key, std::int64_t& value) override;
    void integer(const Key& key, std::optional<std::int64_t>& value) override;
    void number(const Key& key, double& value) override;
    void number(const Key& key, std::optional<double>& value) override;
    void number_or_auto(const Key& key, std::optional<double>& value) override;
    void text(const Key& key, std::string& value) override;
    void choice(const Key& key, std::span<const Choice> choices, int& value) override;
    void choice(const Key& key, std::span<const Choice> choices, std::optional<int>& value) override;
    void vector(const Key& key, Vec3& value) override;
    void spin(const Key& key, Vec3& value) override;
    void vectors(const Key& key, std::vector<Vec3>& value, std::size_t least, std::size_t most) override;
    void numbers(const Key& key, std::span<double> value) override;
    void interval(const Key& key, std::optional<std::pair<double, double>>& value) override;
    void rows(const Key& key, std::vector<std::vector<double>>& value, std::size_t columns) override;
    void measures(const Key& key, const Scene& scene, std::vector<MeasureRequest>& value) override;
    void names(const Key& key, NameOf what, std::span<std::string> value) override;
    void name(const Key& key, NameOf what, std::string& value) override;
    void name(const Key& key, NameOf what, std::optional<std::string>& value) override;
    void file(const Key& key, std::string& value) override;
    void file(const Key& key, std::optional<std::string>& value) override;
    void refused(const Key& key, const char* why) override;
    void table(const Key& key, const Body& body) override;
    void optional_table(const Key& key, bool& present, const Body& body) override;
    void plain_or_table(const Key& key, bool& plain, const Body& plain_body, const Body& table_body) override;
    void list(const Key& key, std::size_t size, const IndexBody& resize, const IndexBody& visit) override;
    void named(const Key& key, std::size_t size, const IndexBody& resize,
               const std::function<std::string&(std::size_t)>& name_of, const IndexBody& visit) override;
    void kinds_by_tag(const Key& tag, std::span<const Choice> kinds, std::size_t current,
                      const IndexBody& visit) override;
    void kinds_by_key(std::span<const Choice> kinds, std::size_t current, const IndexBody& visit) override;
    void where(Where& place) override;
    void where_of(const char* key, Where& place) override;
    void demand(bool fine, const char* key, std::string_view message) override;

  private:
    struct Scope {  // a table being read
        const Value* table;
        std::string path;
        std::set<std::string, std::less<>> known{};
        std::vector<std::string> order{};  // known keys as told, for messages
        std::set<std::string, std::less<>> of_other_kinds{};
        bool unknown_allowed = false;  // nothing can be said: the kind is unknown
        std::size_t complaints_before = 0;
    };
    struct Reference {
        NameOf what;
        std::string name, path;
        const Value* value;
    };

    const Value* take(const Key& key);  // the key's value, or null; complains when it is required and missing
    std::string path_of(std::string_view key) const;
    void complain(const Value& at, const std::string& path, const std::string& message);
    void complain_missing(const Value& table, const std::string& path, const std::string& what);
    void refuse_type(const Value& value, const Key& key, const std::string& expected);
    bool read_number(const Value& value, const Key& key, const std::string& path, double& out);
    bool read_vector(const Value& value, const Key& key, const std::string& path, Vec3& out);
    bool read_choice(const Value& value, const std::string& path, std::span<const Choice> choices, int& out);
    void in_table(const Value& table, const std::string& path, const Body& body);
    void finish_scope();
    void resolve_references();
    std::string resolved(const Value& value, const std::string& path) const;

    const Value& document_;
    std::string folder_;
    bool check_files_;
    std::vector<Scope> scopes_;
    std::vector<Reference> references_;
    std::unordered_map<std::string, const Value*> read_;  // all paths met; of several the first
    std::set<std::string, std::less<>> of_unknown_kind_;  // paths of tables
    std::vector<std::string> material_names_, region_names_, shape_names_;
};

}  // namespace scree
