#include "options.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <map>

#include "core/nearest.h"
#include "scree/error.h"

namespace scree::app {
namespace {

CommandText* describing = nullptr;

OptionText text_of(const CLI::Option& option) {
    OptionText text;
    text.help = option.get_description();
    text.required = option.get_required();
    text.argument = option.get_positional();
    text.repeated = option.get_items_expected_max() > 1 || option.get_trigger_on_parse();
    if (text.argument) {
        text.names = {option.get_name(true)};
        return text;
    }
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    if (option.get_items_expected_max() > 0) text.value = option.get_type_name();
    return text;
}

// What the first option that there is not may have meant.
std::string hint(const CLI::App& app, const Arguments& arguments) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : text_of(*option).names)
            if (name.starts_with("--")) names.push_back(name);
    for (const std::string& argument : arguments) {
        const std::string name = argument.substr(0, argument.find('='));
        if (!name.starts_with("--") || name == "--") continue;
        if (std::find(names.begin(), names.end(), name) == names.end()) return nearest_hint(name, names);
    }
    return {};
}

}  // namespace

CommandText described(const Command& command) {
    CommandText text;
    describing = &text;
    command.run({});
    describing = nullptr;
    return text;
}

struct Options::Parts {
    std::string command;
    CLI::App app;
    std::map<std::string, std::vector<std::string>> choices;  // by the text that stands for them
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
    const std::string text = fmt::format("{}", fmt::join(choices, "|"));
    parts_->choices[text] = choices;
    parts_->app.add_option(names, value, help)->type_name(text)->check(one_of);
}

bool Options::parse(const Arguments& arguments) {
    if (describing) {
        describing->summary = parts_->app.get_description();
        for (const CLI::Option* option : parts_->app.get_options()) {
            OptionText text = text_of(*option);
            if (const auto found = parts_->choices.find(text.value); found != parts_->choices.end())
                text.choices = found->second;
            describing->options.push_back(std::move(text));
        }
        return false;
    }
    try {
        parts_->app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        return true;
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", parts_->app.help());
        return false;
    } catch (const CLI::ParseError& error) {
        throw Error(ErrorKind::usage, fmt::format("{}: {}{}\n`scree {} --help` lists the options.", parts_->command,
                                                  error.what(), hint(parts_->app, arguments), parts_->command));
    }
}

}  // namespace scree::app
