#include "options.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>

#include "scree/error.h"

namespace scree::app {

struct Options::Parts {
    std::string command;
    CLI::App app;
    Parts(const std::string& name, const std::string& summary) : command(name), app(summary, "scree " + name) {}
};

Options::Options(const std::string& command, const std::string& summary)
    : parts_(std::make_unique<Parts>(command, summary)) {
    parts_->app.set_help_flag("-h,--help", "print this and do nothing");
    parts_->app.get_formatter()->column_width(36);
}
Options::~Options() = default;

void Options::argument(const std::string& name, std::string& value, const std::string& help) {
    parts_->app.add_option(name, value, help)->required()->type_name("");
}

void Options::argument(const std::string& name, std::optional<std::string>& value, const std::string& help) {
    parts_->app.add_option(name, value, help)->type_name("");
}

void Options::arguments(const std::string& name, std::vector<std::string>& values, const std::string& help) {
    parts_->app.add_option(name, values, help)->type_name("");
}

void Options::flag(const std::string& names, bool& value, const std::string& help) {
    parts_->app.add_flag(names, value, help)->disable_flag_override();
}

void Options::option(const std::string& names, const std::string& value_name, std::optional<std::string>& value,
                     const std::string& help) {
    parts_->app.add_option(names, value, help)->type_name(value_name);
}

void Options::option(const std::string& names, const std::string& value_name, std::optional<double>& value,
                     const std::string& help) {
    parts_->app.add_option(names, value, help)->type_name(value_name);
}

void Options::option(const std::string& names, const std::string& value_name, std::optional<std::int64_t>& value,
                     const std::string& help) {
    parts_->app.add_option(names, value, help)->type_name(value_name);
}

void Options::repeated(const std::string& names, const std::string& value_name, std::vector<std::string>& values,
                       const std::string& help) {
    // A callback instead of a vector, because CLI11 splits values that look like lists.
    parts_->app
        .add_option_function<std::string>(
            names, [&values](const std::string& value) { values.push_back(value); }, help)
        ->type_name(value_name)
        ->trigger_on_parse();
}

void Options::choice(const std::string& names, const std::vector<std::string>& choices,
                     std::optional<std::string>& value, const std::string& help) {
    const auto one_of = [choices](const std::string& given) {
        return std::find(choices.begin(), choices.end(), given) != choices.end()
                   ? std::string()
                   : fmt::format("\"{}\" is not one of: {}", given, fmt::join(choices, ", "));
    };
    parts_->app.add_option(names, value, help)->type_name(fmt::format("{}", fmt::join(choices, "|")))->check(one_of);
}

bool Options::parse(const Arguments& arguments) {
    try {
        parts_->app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        return true;
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", parts_->app.help());
        return false;
    } catch (const CLI::ParseError& error) {
        throw Error(ErrorKind::usage, fmt::format("{}: {}\n`scree {} --help` lists the options.", parts_->command,
                                                  error.what(), parts_->command));
    }
}

}  // namespace scree::app
