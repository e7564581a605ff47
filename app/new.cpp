#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "commands.h"
#include "core/nearest.h"
#include "options.h"
#include "report.h"
#include "scree/error.h"
#include "templates.h"

namespace scree::app {
namespace {

constexpr const char* default_template = "packing";

// The first line, without the sign of a comment.
std::string_view summary(const Template& entry) {
    std::string_view line = entry.text;
    line = line.substr(0, line.find('\n'));
    return line.substr(std::min(line.size(), line.find_first_not_of("# ")));
}

std::string listing() {
    std::string out;
    for (const Template& entry : templates()) out += fmt::format("  {:<16} {}\n", entry.name, summary(entry));
    return out;
}

const Template& find_template(const std::string& name) {
    std::vector<std::string> names;
    for (const Template& entry : templates()) {
        if (name == entry.name) return entry;
        names.emplace_back(entry.name);
    }
    throw Error(ErrorKind::usage, fmt::format("new: there is no template \"{}\"{}; there are:\n{}", name,
                                              nearest_hint(name, names), listing()));
}

void write_file(const std::string& path, std::string_view text, bool force) {
    if (!force && std::filesystem::exists(path))
        throw Error(ErrorKind::file, fmt::format("new: {} exists; --force overwrites it", path));
    std::FILE* file = std::fopen(path.c_str(), "w");
    const bool written = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = file && std::fclose(file) == 0;
    if (!written || !closed) throw Error(ErrorKind::file, fmt::format("new: cannot write {}", path));
}

}  // namespace

int command_new(const Arguments& arguments) {
    std::optional<std::string> name, output;
    bool force = false, list = false;
    Options options("new", "Writes a commented scene to start from. Templates:\n" + listing());
    options.argument("TEMPLATE", name, fmt::format("name of a template (default: {})", default_template));
    options.option("-o,--output", "FILE", output, "write to this file instead of standard output");
    options.flag("--force", force, "overwrite FILE if it exists");
    options.flag("--list", list, "list the templates and do nothing else");
    if (!options.parse(arguments)) return 0;
    if (list) return print_result(listing()), 0;

    const Template& chosen = find_template(name.value_or(default_template));
    if (!output) {
        print_result(chosen.text);
        return 0;
    }
    write_file(*output, chosen.text, force);
    fmt::print(stderr, "wrote {}; run it with: scree run {}\n", *output, *output);
    return 0;
}

}  // namespace scree::app
