#include "io/measure_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/located.h"
#include "io/scene_document.h"
#include "scree/error.h"

namespace scree {

std::string measure_head(const MeasureTable& table) {
    std::string text = "time";
    for (const MeasureColumn& column : table.columns) text += "," + column.name;
    return text + "\n";
}

std::string measure_rows(double time, const MeasureTable& table) {
    std::string text;
    for (const auto& row : table.rows) {
        text += fmt::format("{}", time);
        for (const double value : row) text += !std::isfinite(value) ? std::string(",") : fmt::format(",{}", value);
        text += "\n";
    }
    return text;
}

std::string measures_json(const std::vector<std::pair<MeasureRequest, std::vector<MeasureSample>>>& results) {
    using Json = nlohmann::ordered_json;
    const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
    Json document = Json::object();
    std::map<std::string, int> seen;
    for (const auto& [request, samples] : results) {
        Json out = Json::object();
        Json options = Json::object();
        for (const auto& [name, value] : request.options)
            std::visit([&, key = name](const auto& v) { options[key] = v; }, value);
        out["options"] = options;
        if (!samples.empty()) {
            const MeasureTable& first = samples.front().table;
            if (const std::size_t column = value_column(first);
                samples.size() == 1 && first.rows.size() == 1 && !first.columns.empty()) {
                out["value"] = number(first.rows[0][column]);
                out["unit"] = first.columns[column].unit;
            }
            Json units{{"time", "s"}};
            for (const MeasureColumn& column : first.columns) units[column.name] = column.unit;
            out["units"] = units;
        }
        Json rows = Json::array();
        for (const MeasureSample& sample : samples)
            for (const auto& row : sample.table.rows) {
                Json object{{"time", sample.time}};
                for (std::size_t k = 0; k < row.size(); ++k) object[sample.table.columns[k].name] = number(row[k]);
                rows.push_back(std::move(object));
            }
        out["rows"] = std::move(rows);
        const int count = ++seen[request.name];
        document[count == 1 ? request.name : fmt::format("{}-{}", request.name, count)] = std::move(out);
    }
    return document.dump(2) + "\n";
}

std::vector<MeasureRequest> MeasureFiles::of(const Scene& scene) {
    std::vector<MeasureRequest> requests;
    for (const MeasureRequest& request : scene.measures)
        if (request.name != "energy" || !request.options.empty()) requests.push_back(request);
    return requests;
}

std::vector<std::string> MeasureFiles::names(const std::vector<MeasureRequest>& requests) {
    std::vector<std::string> names;
    std::map<std::string, int> seen;
    for (const MeasureRequest& request : requests) {
        const int count = ++seen[request.name];
        names.push_back(count == 1 ? request.name : fmt::format("{}-{}", request.name, count));
    }
    return names;
}

void MeasureFiles::check(Simulation& simulation) {
    const std::vector<MeasureRequest> requests = of(simulation.scene());
    if (requests.empty()) return;
    const bool contacts = std::any_of(requests.begin(), requests.end(), [](const MeasureRequest& request) {
        return find_measure(request.name)->contacts;
    });
    const Snapshot snapshot = snapshot_of(simulation, contacts);
    for (const MeasureRequest& request : requests) {
        try {
            std::vector<double> memory;
            take_measure(request, snapshot, memory);
        } catch (const Error& error) {
            throw Error(error.kind(), fmt::format("{}key \"output.measures\": {}",
                                                  place_of(simulation.scene(), request.where), error.what()));
        }
    }
}

MeasureFiles::MeasureFiles(const std::filesystem::path& folder, const std::vector<MeasureRequest>& requests)
    : folder_(folder),
      requests_(requests),
      files_(requests.size()) {
    for (const std::string& name : names(requests_)) paths_.push_back(folder_ / (name + ".csv"));
    if (!requests_.empty()) create_folders(folder_);
}

std::vector<std::filesystem::path> MeasureFiles::reopen(OutputProgress& progress) {
    std::vector<std::filesystem::path> lost;
    for (std::size_t k = 0; k < requests_.size() && k < progress.measure_bytes.size(); ++k) {
        std::error_code ignored;
        if (progress.measure_bytes[k] == 0) continue;
        if (std::filesystem::symlink_status(paths_[k], ignored).type() == std::filesystem::file_type::not_found) {
            lost.push_back(paths_[k]);
            progress.measure_bytes[k] = 0;  // begun with the next rows
        } else {
            files_[k] = SeriesFile::reopen(paths_[k], progress.measure_bytes[k]);
        }
    }
    return lost;
}

void MeasureFiles::take(Simulation& simulation, OutputProgress& progress) {
    if (requests_.empty()) return;
    bool contacts = false;
    for (const MeasureRequest& request : requests_) contacts = contacts || find_measure(request.name)->contacts;
    const Snapshot snapshot = snapshot_of(simulation, contacts);
    progress.measure_bytes.resize(requests_.size());
    progress.measure_memory.resize(requests_.size());
    for (std::size_t k = 0; k < requests_.size(); ++k) {
        const MeasureTable table = take_measure(requests_[k], snapshot, progress.measure_memory[k]);
        if (files_[k].bytes() == 0) files_[k] = SeriesFile::create(paths_[k], measure_head(table));
        files_[k].append(measure_rows(snapshot.time, table));
        progress.measure_bytes[k] = files_[k].bytes();
    }
}

void MeasureFiles::sync() {
    for (SeriesFile& file : files_)
        if (file.bytes() > 0) file.sync();
}

}  // namespace scree
