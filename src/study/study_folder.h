// The folder of a study: many runs and one table of them. docs/sweeps.md describes it; the Python module has the same.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/files.h"

namespace scree {

struct StudyRow {
    std::string run;                   // "0001"
    std::vector<std::string> point;    // a value for each key
    std::string status = "waiting";    // or "running", "done", "stopped", "invalid", "failed"
    std::string error;                 // why it is invalid or failed
    std::vector<std::string> results;  // a value for each column of results; empty: unknown
};

class StudyFolder {
  public:
    // Opens or makes it, and keeps other programs out of it while this lives. `keys` are the columns of the points.
    // Throws Error(file), and Error(usage) when the study that is there is over other keys.
    StudyFolder(const std::filesystem::path& path, std::vector<std::string> keys);

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path table() const { return path_ / "table.csv"; }
    std::filesystem::path scene(const StudyRow& row) const { return path_ / "scenes" / (row.run + ".toml"); }
    std::filesystem::path run(const StudyRow& row) const { return path_ / "runs" / row.run; }
    std::filesystem::path log(const StudyRow& row) const { return path_ / "logs" / (row.run + ".txt"); }

    std::vector<StudyRow>& rows() { return rows_; }
    // The row of a point, a new one if there is none.
    StudyRow& row_of(const std::vector<std::string>& point);
    // From now on the rows have these results, unknown at first.
    void set_results(std::vector<std::string> columns);
    // Writes the table.
    void save() const;

  private:
    void read();
    std::filesystem::path path_;
    std::vector<std::string> keys_, results_;
    std::vector<StudyRow> rows_;
    FileHandle lock_;
};

}  // namespace scree
