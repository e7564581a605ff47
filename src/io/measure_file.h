// Measures as text: CSV for the run folder and the command, JSON for programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/checkpoint.h"
#include "io/series.h"
#include "measure/measures.h"

namespace scree {

// "time,NAME,NAME,...\n", and a row per row of the table; unknown values are left empty. Numbers read back to the same
// double.
std::string measure_head(const MeasureTable& table);
std::string measure_rows(double time, const MeasureTable& table);

struct MeasureSample {
    double time;
    MeasureTable table;
};
// One document: for each request its options, units, rows, and of tables with one row what is measured as `value`.
std::string measures_json(const std::vector<std::pair<MeasureRequest, std::vector<MeasureSample>>>& results);

// The measures a run takes on its way, each in measures/NAME.csv (a second one of a name in NAME-2.csv). How far the
// files have got and what measures over time remember is kept in OutputProgress.
class MeasureFiles {
  public:
    MeasureFiles(const std::filesystem::path& folder, const std::vector<MeasureRequest>& requests);
    static std::vector<MeasureRequest> of(const Scene& scene);  // those that have a file
    // What their files are called, without .csv.
    static std::vector<std::string> names(const std::vector<MeasureRequest>& requests);
    // Takes them once, before there is a folder, to refuse at their place in the scene those that this simulation does
    // not have. Throws Error(bad_input).
    static void check(Simulation& simulation);

    bool empty() const { return requests_.empty(); }
    // Cuts the files where the progress says.
    // Returns those that are gone: they begin anew.
    std::vector<std::filesystem::path> reopen(OutputProgress& progress);
    void take(Simulation& simulation, OutputProgress& progress);
    void sync();

  private:
    std::filesystem::path folder_;
    std::vector<MeasureRequest> requests_;
    std::vector<std::filesystem::path> paths_;
    std::vector<SeriesFile> files_;
};

}  // namespace scree
