// The measures: what `scree measure` and `[output] measures` know. docs/measures.md defines each.
//
// A measure is a function of a snapshot, its options and a memory. The memory is a flat list of numbers that only
// measures over time use (flow, moving averages); a run keeps it in its checkpoints, so that a resumed run goes on with
// the same rows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/snapshot.h"
#include "scree/measure.h"

namespace scree {

// One measure at one moment.
using MeasureColumn = TableColumn;
using MeasureTable = Table;

struct MeasureOption {
    enum class Kind { number, count, vector, axis, group, wall, yes_no };
    const char* name;
    Kind kind;
    const char* unit;
    const char* fallback;  // in words or as a value
    const char* doc;
    bool positive = false;  // numbers must be > 0
};

// The options of a request, by name; what is not given is empty.
class MeasureOptions {
  public:
    explicit MeasureOptions(const MeasureRequest& request) : request_(&request) {}
    std::optional<double> number(std::string_view name) const;
    std::optional<Vec3> vector(std::string_view name) const;
    std::optional<std::string> word(std::string_view name) const;
    std::optional<int> axis(std::string_view name) const;
    std::size_t count(std::string_view name, std::size_t fallback) const;
    bool yes(std::string_view name, bool fallback) const;
    const std::string& measure() const { return request_->name; }
    // How the measure is asked for with the options written here as in TOML: as a scene or the command line has it,
    // whichever asks.
    std::string with(std::string_view options) const;

  private:
    const MeasureRequest::Option* find(std::string_view name) const;
    const MeasureRequest* request_;
};

struct MeasureKind {
    const char* name;
    const char* doc;
    std::span<const MeasureOption> options;  // besides `average`, which all of fixed rows have
    MeasureTable (*take)(const Snapshot&, const MeasureOptions&, std::vector<double>& memory);
    bool over_time = false;  // uses its memory
    bool fixed_rows = true;  // the same rows at every moment
    bool contacts = false;   // looks at contacts
};

// In the order of the list below.
std::span<const MeasureKind* const> measure_kinds();
const MeasureKind* find_measure(std::string_view name);
// The options a measure takes, `average` included.
std::vector<MeasureOption> measure_options(const MeasureKind& kind);

// "layers:axis=z,count=20" as on the command line. Throws Error(usage) with the nearest name for what does not exist.
MeasureRequest parse_measure(const std::string& text);
// The opposite.
std::string measure_text(const MeasureRequest& request);

// What is wrong with the value of an option, or nothing. Names of groups and walls are those of the scene.
std::string option_fault(const MeasureOption& option, const MeasureRequest::Option& value, const Scene& scene);
// All faults of a request, for one that did not come from a scene file. Throws Error(usage).
void check_measure(const MeasureRequest& request, const Scene& scene);

// Throws Error(bad_input) when the measure is not defined for this snapshot and tells which option would help.
MeasureTable take_measure(const MeasureRequest& request, const Snapshot& snapshot, std::vector<double>& memory);

// The column that holds what is measured: the first that tells no place nor how many grains are there.
std::size_t value_column(const MeasureTable& table);

// ---- The list ---------------------------------------------------------------------------------------------------------

// Each is defined with its options and its prose below its function. catalogue.cpp has their order.
using Memory = std::vector<double>;
extern const MeasureKind energy_measure;         // motion.cpp
extern const MeasureKind motion_measure;         // motion.cpp
extern const MeasureKind density_measure;        // density.cpp
extern const MeasureKind void_ratio_measure;     // density.cpp
extern const MeasureKind layers_measure;         // density.cpp
extern const MeasureKind rings_measure;          // density.cpp
extern const MeasureKind coordination_measure;   // contacts.cpp
extern const MeasureKind fabric_measure;         // contacts.cpp
extern const MeasureKind forces_measure;         // contacts.cpp
extern const MeasureKind stress_measure;         // stress.cpp
extern const MeasureKind grain_stress_measure;   // stress.cpp
extern const MeasureKind wall_pressure_measure;  // stress.cpp
extern const MeasureKind flow_measure;           // flow.cpp
extern const MeasureKind velocity_measure;       // field.cpp
extern const MeasureKind convection_measure;     // field.cpp
extern const MeasureKind mixing_measure;         // mixing.cpp
extern const MeasureKind segregation_measure;    // mixing.cpp
extern const MeasureKind angle_measure;          // angles.cpp
extern const MeasureKind repose_measure;         // angles.cpp
extern const MeasureKind cells_measure;          // structure.cpp
extern const MeasureKind rdf_measure;            // structure.cpp

}  // namespace scree
