// What a run has over time: the columns of series.csv, the measures of its scene, and any other measure of its frames.
// Each is asked for by a text:
//
//     kinetic                       a column of series.csv
//     density                       a measure, with the options that the scene gave it, if it did
//     density-2.height              a column of the second measure of that name in the scene (measures/density-2.csv)
//     layers:axis=z,count=10        a measure with options of its own
//
// Several of one unit go together with +: kinetic+elastic. With - in between they are drawn against another one:
// wall.lid.z-wall.lid.fz. Names may have - and + too.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/run_reader.h"
#include "measure/measures.h"

namespace scree {

// Numbers by column.
struct Columns {
    std::vector<std::string> names;
    std::vector<std::vector<double>> values;
    const std::vector<double>* find(const std::string& name) const;
};
// A table of numbers with a row of names; rows under way are left out, what is no number is NaN.
Columns columns_of(const std::string& csv);

struct RunValue {
    std::string text;                       // as asked for
    std::string series;                     // a column of series.csv, or empty
    std::optional<MeasureRequest> measure;  // otherwise
    std::string column;                     // of it; empty: the one that holds what is measured
    std::string file;                       // of the run, where it has been measured on the way; or empty
};

struct RunValueSet {
    std::optional<RunValue> x;  // none: over time
    std::vector<RunValue> y;
};

struct Curve {
    std::string words, unit;
    std::vector<double> time, value;
};

class RunValues {
  public:
    explicit RunValues(const RunReader& reader);

    const RunReader& reader() const { return *reader_; }
    const Columns& series() const { return series_; }

    // Nothing when it is none. Throws Error(usage) for faults in the options of a measure.
    std::optional<RunValue> find(const std::string& text) const;
    // Throws Error(usage) with the nearest name.
    RunValue meant(const std::string& text) const;
    // What a text with + and - means. Throws as meant().
    RunValueSet parse(const std::string& text) const;

    // The value at every moment that the run has, or at the frames given. Throws Error(usage) for measures with more
    // than one row.
    Curve over_time(const RunValue& value, const std::vector<std::size_t>* frames = nullptr) const;
    // A measure at these frames.
    std::vector<std::pair<double, MeasureTable>> tables(const RunValue& value,
                                                        const std::vector<std::size_t>& frames) const;
    // The column of a measure that is meant.
    std::size_t column_of(const RunValue& value, const MeasureTable& table) const;
    // Whether it has one value at every moment, so that over_time() knows it.
    bool is_single(const RunValue& value) const;

  private:
    std::optional<RunValue> measure(const std::string& text) const;
    std::optional<RunValue> strictly(const std::string& text) const;
    std::optional<std::vector<RunValue>> sum(const std::string& text) const;
    bool begins_with_name(const std::string& text) const;
    const MeasureTable& sample(const RunValue& value) const;

    const RunReader* reader_;
    Columns series_;
    std::vector<std::pair<std::string, MeasureRequest>> taken_;  // file without .csv, of the scene's measures
    mutable std::vector<std::pair<std::string, MeasureTable>> samples_;
};

// The words for a column of a measure.
std::string measure_words(const std::string& column);

// x against y at moments that both have: the one with more of them is interpolated at those of the other.
std::pair<std::vector<double>, std::vector<double>> against(const Curve& x, const Curve& y);
// The curve at a time, between its first and last moment; NaN outside.
double value_at(const Curve& curve, double time);

}  // namespace scree
