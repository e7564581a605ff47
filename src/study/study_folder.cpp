#include "study/study_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/csv.h"
#include "scree/error.h"
#include "study/sweep_points.h"

namespace scree {
namespace {

// The columns before and after those of the keys.
constexpr const char *run_column = "run", *status_column = "status", *error_column = "error";

std::string line(const std::vector<std::string>& fields) {
    std::string text;
    for (const std::string& one : fields) text += (text.empty() ? "" : ",") + csv_field(one);
    return text + "\n";
}

// Tables have a row a line.
std::string in_one_line(std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "; ");
    std::replace(text.begin(), text.end(), '\r', ' ');
    return text;
}

}  // namespace

StudyFolder::StudyFolder(const std::filesystem::path& path, std::vector<std::string> keys)
    : path_(path),
      keys_(std::move(keys)) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_empty(path, ignored) &&
        !std::filesystem::exists(table(), ignored))
        throw Error(ErrorKind::file, fmt::format("{} is in the way: it holds other things than a study (there is no "
                                                 "table.csv in it); choose another folder with -o",
                                                 path.string()));
    create_folders(path);
    lock_ = lock_folder(path, "the study");
    for (const char* inner : {"scenes", "runs", "logs"}) create_folders(path / inner);
    if (std::filesystem::exists(table(), ignored)) read();
}

void StudyFolder::read() {
    const CsvTable old = parse_csv(read_text_file(table()), table().string());
    const auto status = std::find(old.columns.begin(), old.columns.end(), status_column);
    if (old.columns.front() != run_column || status == old.columns.end() || status + 1 == old.columns.end() ||
        status[1] != error_column)
        throw Error(ErrorKind::bad_input, fmt::format("{}:1: this is not the table of a study", table().string()));
    const std::vector<std::string> keys(old.columns.begin() + 1, status);
    if (keys != keys_)
        throw Error(ErrorKind::usage,
                    fmt::format("the study in {} is over {}, not over {}; choose another folder with -o",
                                path_.string(), fmt::join(keys, ", "), fmt::join(keys_, ", ")));
    results_.assign(status + 2, old.columns.end());
    for (const std::vector<std::string>& fields : old.fields) {
        const auto values = fields.begin() + 1 + static_cast<std::ptrdiff_t>(keys.size());
        rows_.push_back({fields[0], {fields.begin() + 1, values}, values[0], values[1], {values + 2, fields.end()}});
    }
}

StudyRow& StudyFolder::row_of(const std::vector<std::string>& point) {
    for (StudyRow& row : rows_)
        if (std::equal(row.point.begin(), row.point.end(), point.begin(), point.end(), same_value)) return row;
    StudyRow row;
    row.run = fmt::format("{:04}", rows_.size() + 1);
    row.point = point;
    row.results.resize(results_.size());
    return rows_.emplace_back(std::move(row));
}

void StudyFolder::set_results(std::vector<std::string> columns) {
    results_ = std::move(columns);
    for (StudyRow& row : rows_) row.results.assign(results_.size(), "");
}

void StudyFolder::save() const {
    std::vector<std::string> names{run_column};
    names.insert(names.end(), keys_.begin(), keys_.end());
    names.insert(names.end(), {status_column, error_column});
    names.insert(names.end(), results_.begin(), results_.end());
    std::string text = line(names);
    for (const StudyRow& row : rows_) {
        std::vector<std::string> fields{row.run};
        fields.insert(fields.end(), row.point.begin(), row.point.end());
        fields.insert(fields.end(), {row.status, in_one_line(row.error)});
        fields.insert(fields.end(), row.results.begin(), row.results.end());
        text += line(fields);
    }
    replace_file(table(), text, Durability::power_cut);
}

}  // namespace scree
