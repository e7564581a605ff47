#include "io/run_record.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/parallel.h"
#include "io/files.h"
#include "io/json_text.h"
#include "io/run_machine.h"
#include "io/version.h"

namespace scree {
namespace {

using Json = nlohmann::ordered_json;

using NamedCounts = std::vector<std::pair<std::string, std::int64_t>>;

constexpr auto observe = static_cast<std::size_t>(Phase::observe);

void add_counts(NamedCounts& counts, const NamedCounts& earlier) {
    for (const auto& [name, count] : earlier) {
        const auto same =
            std::find_if(counts.begin(), counts.end(), [&](const auto& each) { return each.first == name; });
        if (same != counts.end())
            same->second += count;
        else
            counts.emplace_back(name, count);
    }
}

Json counts_json(const NamedCounts& counts) {
    Json json = Json::object();
    for (const auto& [name, count] : counts) json[name] = count;
    return json;
}

void read_counts(const Json& json, NamedCounts& counts) {
    for (const auto& [name, count] : json.items()) counts.emplace_back(name, count.get<std::int64_t>());
}

}  // namespace

const char* status_name(RunStatus status) {
    switch (status) {
        case RunStatus::running:
            return "running";
        case RunStatus::done:
            return "done";
        case RunStatus::stopped:
            return "stopped";
        case RunStatus::invalid:
            return "invalid";
        case RunStatus::failed:
            return "failed";
    }
    return "failed";
}

void RunWork::add(const RunWork& earlier) {
    wall_seconds += earlier.wall_seconds;
    grain_steps += earlier.grain_steps;
    resumes += earlier.resumes;
    for (std::size_t k = 0; k < profile.seconds.size(); ++k) profile.seconds[k] += earlier.profile.seconds[k];
    if (events && earlier.events) {
        const EventReport& e = *earlier.events;
        events->collisions += e.collisions;
        events->wall_collisions += e.wall_collisions;
        events->cut_off += e.cut_off;
        events->crossings += e.crossings;
        events->outdated += e.outdated;
        events->flips += e.flips;
        events->rechecks += e.rechecks;
        events->repairs += e.repairs;
        events->virial += e.virial;
    }
    neighbors.refreshes += earlier.neighbors.refreshes;
    neighbors.certified += earlier.neighbors.certified;
    neighbors.fallbacks += earlier.neighbors.fallbacks;
    neighbors.flips += earlier.neighbors.flips;
    neighbors.audited += earlier.neighbors.audited;
    neighbors.changes += earlier.neighbors.changes;
    neighbors.distance_queries += earlier.neighbors.distance_queries;
    neighbors.distance_queries_saved += earlier.neighbors.distance_queries_saved;
    add_counts(neighbors.repairs, earlier.neighbors.repairs);
    add_counts(neighbors.fallback_reasons, earlier.neighbors.fallback_reasons);
}

double RunWork::grain_steps_per_second() const {
    const double stepping = wall_seconds - profile.seconds[observe];
    return stepping > 0 ? static_cast<double>(grain_steps) / stepping : 0;
}

std::string record_json(const RunRecord& r) {
    Json profile = Json::object();
    for (std::size_t k = 0; k < phase_names.size(); ++k) profile[phase_names[k]] = r.work.profile.seconds[k];
    const NeighborReport& n = r.work.neighbors;
    Json json = {
        {"status", status_name(r.status)},
        {"version", version()},
        {"title", r.title},
        {"scene_hash", r.scene_hash},
        {"seed", r.seed},
        {"dimension", r.dimension},
        {"grains", r.grains},
        {"steps", r.steps},
        {"time", r.time},
        {"duration", r.duration},
        {"time_step", r.time_step},
        {"time_step_reason", r.time_step_reason},
        {"threads", r.threads},
        {"wall_seconds", r.work.wall_seconds},
        {"grain_steps", r.work.grain_steps},
        {"grain_steps_per_second", r.work.grain_steps_per_second()},
        {"state_hash", r.state_hash},
        {"neighbors",
         {{"method", n.method},
          {"reason", n.reason},
          {"refreshes", n.refreshes},
          {"certified", n.certified},
          {"fallbacks", n.fallbacks},
          {"fallback_reasons", counts_json(n.fallback_reasons)},
          {"audited", n.audited},
          {"changes", n.changes},
          {"flips", n.flips},
          {"repairs", counts_json(n.repairs)},
          {"pairs_per_grain", n.pairs_per_grain},
          {"contacts_per_grain", n.contacts_per_grain},
          {"distance_queries", n.distance_queries},
          {"distance_queries_saved", n.distance_queries_saved}}},
        {"profile", profile},
        {"energy",
         {{"kinetic", r.energy.kinetic},
          {"potential", r.energy.potential},
          {"elastic", r.energy.elastic},
          {"dissipated", r.energy.dissipated},
          {"rotational", r.energy.rotational},
          {"dissipated_sliding", r.energy.dissipated_sliding},
          {"dissipated_damping", r.energy.dissipated_damping},
          {"wall_work", r.energy.wall_work},
          {"gravity_work", r.energy.gravity_work},
          {"poured", r.energy.poured},
          {"removed", r.energy.removed},
          {"total", r.energy.total()}}},
        {"contacts", r.contacts},
        {"max_overlap", r.max_overlap},
        {"removed", r.removed},
        {"bytes_per_grain", r.bytes_per_grain},
        {"frames", r.frames},
        {"resumes", r.work.resumes},
        {"checkpoint", r.last_checkpoint},
        {"machine",
         {{"processor", processor_name()},
          {"hardware_threads", hardware_thread_count()},
          {"system", system_name()},
          {"compiler", compiler()},
          {"flags", compile_flags()}}},
    };
    if (r.edited) {
        json["edited"] = true;
        json["energy"]["external_work"] = r.energy.external_work;
    }
    if (r.work.events) {
        const EventReport& e = *r.work.events;
        json["events"] = {{"collisions", e.collisions},
                          {"wall_collisions", e.wall_collisions},
                          {"cut_off", e.cut_off},
                          {"crossings", e.crossings},
                          {"outdated", e.outdated},
                          {"flips", e.flips},
                          {"rechecks", e.rechecks},
                          {"repairs", e.repairs},
                          {"virial", e.virial},
                          {"collision_cutoff", e.cutoff},
                          {"collision_cutoff_reason", e.cutoff_reason}};
    }
    if (!r.message.empty()) json["message"] = r.message;
    // Names from outside may hold bytes that are not UTF-8.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

RunWork read_work(const std::filesystem::path& run_json) {
    RunWork work;
    try {
        const Json json = parse_json(read_text_file(run_json));
        work.wall_seconds = json.value("wall_seconds", 0.0);
        work.grain_steps = json.value("grain_steps", std::int64_t{0});
        work.resumes = json.value("resumes", std::int64_t{0});
        for (std::size_t k = 0; k < phase_names.size(); ++k)
            work.profile.seconds[k] = json.at("profile").value(phase_names[k], 0.0);
        if (json.contains("events")) {
            const Json& e = json["events"];
            const auto count = [&](const char* name) { return e.value(name, std::int64_t{0}); };
            work.events = EventReport{count("collisions"),
                                      count("wall_collisions"),
                                      count("cut_off"),
                                      count("crossings"),
                                      count("outdated"),
                                      count("flips"),
                                      count("rechecks"),
                                      count("repairs"),
                                      e.value("virial", 0.0),
                                      0,
                                      {}};
        }
        const Json& n = json.at("neighbors");
        work.neighbors.refreshes = n.value("refreshes", std::int64_t{0});
        work.neighbors.certified = n.value("certified", std::int64_t{0});
        work.neighbors.fallbacks = n.value("fallbacks", std::int64_t{0});
        work.neighbors.flips = n.value("flips", std::int64_t{0});
        work.neighbors.audited = n.value("audited", std::int64_t{0});
        work.neighbors.changes = n.value("changes", std::int64_t{0});
        work.neighbors.distance_queries = n.value("distance_queries", std::uint64_t{0});
        work.neighbors.distance_queries_saved = n.value("distance_queries_saved", std::uint64_t{0});
        read_counts(n.at("repairs"), work.neighbors.repairs);
        if (n.contains("fallback_reasons")) read_counts(n.at("fallback_reasons"), work.neighbors.fallback_reasons);
    } catch (const std::exception&) {
        return {};
    }
    return work;
}

}  // namespace scree
