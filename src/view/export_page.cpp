#include "view/export_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "scree/error.h"
#include "view/frame_pack.h"
#include "view/page_frames.h"
#include "view/routes.h"
#include "view/viewer_files.h"

namespace scree::view {
namespace {

constexpr std::size_t most_series_rows = 1500;

std::string base64(std::string_view bytes) {
    constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        std::uint32_t word = 0;
        const std::size_t have = std::min<std::size_t>(3, bytes.size() - k);
        for (std::size_t b = 0; b < 3; ++b)
            word = word << 8 | (b < have ? static_cast<unsigned char>(bytes[k + b]) : 0u);
        for (std::size_t d = 0; d < 4; ++d) out += d <= have ? digits[word >> (18 - 6 * d) & 63] : '=';
    }
    return out;
}

// JSON within a page: no "<" that could end the element it stands in.
std::string harmless(const nlohmann::ordered_json& document) {
    std::string out;
    for (const char c : document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    return out;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    return out;
}

std::string data_element(const std::string& name, std::string_view bytes) {
    return fmt::format("<script type=\"text/plain\" data-name=\"{}\">{}</script>\n", escaped(name),
                       base64(deflated(bytes)));
}

// The header and about as many rows as a plot can show, evenly chosen, the last one included.
std::string thinned(const std::string& series) {
    std::vector<std::string_view> rows;
    const std::string_view text = series;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos) break;
        rows.push_back(text.substr(at, end + 1 - at));
        at = end + 1;
    }
    if (rows.size() <= most_series_rows + 1) return series;
    std::string out(rows[0]);
    const std::size_t samples = rows.size() - 1;
    for (std::size_t k = 0; k < most_series_rows; ++k) out += rows[1 + k * (samples - 1) / (most_series_rows - 1)];
    return out;
}

// Frames as the page has them: grains and contacts as streams, the rest as packs.
struct FrameWriter {
    RunFiles& run;
    PackChoice choice;
    bool contacts;
    StreamScale scale{};

    // What one attempt at the page remembers from frame to frame. Walls that stand still are written once.
    struct Memory {
        GrainStream grains;
        std::string walls;
        nlohmann::ordered_json same_walls = nlohmann::ordered_json::array();
    };

    std::string elements(std::size_t number, std::size_t as, Memory& memory) const {
        std::string out;
        if (const auto grains = run.frame(FrameKind::grains, number)) {
            const auto touching = contacts ? run.frame(FrameKind::contacts, number) : std::nullopt;
            const GrainStream::Frame frame =
                memory.grains.next(*grains, touching ? &*touching : nullptr, scale, choice.share_of_grains);
            out += data_element(fmt::format("{}/grains", as), frame.grains);
            if (touching) out += data_element(fmt::format("{}/contacts", as), frame.contacts);
            if (touching) out += data_element(fmt::format("{}/ends", as), frame.ends);
        }
        for (const FrameKind kind : {FrameKind::walls, FrameKind::triangulation, FrameKind::cells}) {
            const auto file = run.frame(kind, number);
            if (!file) continue;
            PackChoice fields = choice;
            fields.fields = {kind == FrameKind::walls ? "wall" : "id"};
            if (kind == FrameKind::walls) {
                fields.precision = Precision::full;
                // The header tells the time; what is drawn is the block and the names.
                const std::string drawn = drawing(*file);
                if (as > 0 && drawn == memory.walls) {
                    memory.same_walls.push_back(as);
                    continue;
                }
                memory.walls = drawn;
            }
            out += data_element(fmt::format("{}/{}", as, frame_kind_name(kind)), pack_frame(*file, kind, fields));
        }
        return out;
    }

    static std::string drawing(const VtkFile& file) {
        std::string out;
        for (const VtkArray& array : file.arrays()) {
            if (array.name == "wall_force") continue;
            const auto values = file.read<double>(array);
            out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
        }
        return out;
    }
};

// One attempt at the page, with every so many-th frame.
struct Page {
    RunFiles& run;
    const std::filesystem::path& path;
    const FrameWriter& writer;
    const std::string& others;  // elements besides the frames
    const std::vector<double>& times;
    std::size_t every;
    const ExportChoice& choice;

    struct Written {
        std::uint64_t bytes;  // 0, and no file, when it would take more than `most`
        std::size_t whole;    // frames that were in the page before it passed `most`
        std::size_t frames;
    };
    Written write(std::uint64_t most) const;
};

Page::Written Page::write(std::uint64_t most) const {
    const ViewerFiles& viewer = viewer_files();
    nlohmann::ordered_json summary = run_summary(run, times.size());
    std::vector<double> shown;
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < times.size(); k += every) {
        shown.push_back(times[k]);
        numbers.push_back(k);
    }
    summary["frames"] = shown.size();
    summary["frames_of_run"] = times.size();
    summary["from"] = 0;
    summary["times"] = shown;
    summary["numbers"] = numbers;
    if (choice.caption) summary["caption"] = *choice.caption;
    if (!choice.link.empty()) summary["link"] = choice.link;
    summary["share_of_grains"] = writer.choice.share_of_grains;
    for (const FrameKind kind : {FrameKind::triangulation, FrameKind::cells}) {
        auto here = nlohmann::ordered_json::array();
        for (std::size_t k = 0; k < numbers.size(); ++k)
            for (const auto& number : summary[frame_kind_name(kind)])
                if (number == numbers[k]) here.push_back(k);
        summary[frame_kind_name(kind)] = here;
    }

    std::string title = run.name();
    if (summary["run"].is_object() && summary["run"].contains("title") && summary["run"]["title"].is_string())
        title = summary["run"]["title"];
    NewFile file(path);
    std::uint64_t bytes = 0;
    const auto put = [&](std::string_view text) {
        file.write(text);
        bytes += text.size();
    };
    put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n");
    put(
        fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; "
                    "style-src '{}'; img-src blob: data:; media-src blob:; base-uri 'none'; form-action 'none'\">\n",
                    viewer.script_hash, viewer.style_hash));
    put(fmt::format("<title>{}</title>\n<style>", escaped(title)));
    put(viewer.style);
    put("</style>\n</head>\n<body>\n<div id=\"app\"></div>\n");
    FrameWriter::Memory memory;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        put(writer.elements(numbers[k], k, memory));
        if (bytes > most) return {0, k, shown.size()};
    }
    put(others);
    summary["contacts"] = writer.contacts;
    summary["same_walls"] = memory.same_walls;
    put(fmt::format("<script type=\"application/json\" data-name=\"run\">{}</script>\n<script type=\"module\">",
                    harmless(summary)));
    put(viewer.script);
    put("</script>\n</body>\n</html>\n");
    if (bytes > most) return {0, shown.size() - 1, shown.size()};
    file.commit(Durability::crash_of_program);
    return {bytes, shown.size(), shown.size()};
}

}  // namespace

ExportReport export_page(RunFiles& run, const std::filesystem::path& path, ExportChoice choice) {
    require_viewer();
    const std::vector<double> times = run.frame_times();
    if (times.empty())
        throw Error(
            ErrorKind::bad_input,
            fmt::format("{} has no frames to export; [output] frames of the scene says how often they are written",
                        run.path().string()));
    const ViewerFiles& viewer = viewer_files();

    std::size_t most_grains = 0;
    for (const std::size_t number : {std::size_t{0}, times.size() / 2, times.size() - 1})
        if (const auto file = run.frame(FrameKind::grains, number)) most_grains = std::max(most_grains, file->points());
    FrameWriter writer{run, {}, choice.contacts};
    writer.choice.precision = Precision::reduced;
    if (choice.grains && *choice.grains < most_grains) {
        writer.choice.share_of_grains = static_cast<double>(*choice.grains) / static_cast<double>(most_grains);
        writer.contacts = false;  // they would hang between grains that are not there
    }
    std::vector<std::size_t> all(times.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    writer.scale = stream_scale(run, all);

    const std::string series = thinned(run.text("series.csv").value_or(""));
    std::string others;
    if (!series.empty()) others += data_element("series", series);
    for (const std::string& name : run.measures())
        if (const auto table = run.measure(name)) others += data_element("measure/" + name, thinned(*table));
    if (const auto scene = run.text("scene.toml")) others += data_element("scene", *scene);
    for (const std::string& name : run.shapes())
        if (const auto mesh = run.shape(name)) others += data_element("shape/" + name, *mesh);

    const std::uint64_t fixed = viewer.script.size() + viewer.style.size() + others.size();
    const std::uint64_t most = choice.most_bytes.value_or(std::uint64_t(-1));
    for (;;) {
        const Page page{run, path, writer, others, times, choice.every, choice};
        const auto [bytes, written, frames] = page.write(most);
        if (bytes > 0)
            return {bytes,          frames, times.size(), most_grains, choice.every, writer.choice.share_of_grains,
                    writer.contacts};
        if (frames == 1)
            throw Error(ErrorKind::usage,
                        fmt::format("the viewer takes {:.1f} MB, and with one frame the page does not fit into {:.1f} "
                                    "MB; fewer grains (--grains) or no contacts (--no-contacts) make it smaller",
                                    1e-6 * static_cast<double>(fixed), 1e-6 * static_cast<double>(most)));
        // As many frames as came into the page before it was full, at most.
        choice.every = std::max(choice.every + 1, (times.size() + written) / (written + 1));
    }
}

}  // namespace scree::view
