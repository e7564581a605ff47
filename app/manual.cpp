#include "manual.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "core/nearest.h"
#include "io/version.h"
#include "options.h"
#include "scree/error.h"

namespace scree::app {
namespace {

struct Described {
    const Command* command;
    CommandText text;
};

// All commands but `help`, which has no options of its own.
std::vector<Described> all_commands() {
    std::vector<Described> all;
    for (const Command& command : commands())
        all.push_back({&command, command.run == command_help ? CommandText{} : described(command)});
    return all;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
        text.replace(at, what.size(), by);
    return text;
}

// ---- Manual page ----------------------------------------------------------------------------------------------------

// Text as it is: no sign of the language of man(7), and dashes that can be copied.
std::string plain(const std::string& text) {
    return replaced(replaced(replaced(text, "\\", "\\e"), "-", "\\-"), "'", "\\(aq");
}

// A line that begins with a dot would be a request.
std::string line(const std::string& text) { return (text.empty() || text[0] != '.' ? "" : "\\&") + plain(text) + "\n"; }

// Paragraphs; indented lines are lists and stay as they are.
std::string prose(const std::string& text) {
    std::string out;
    bool listed = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string one = text.substr(begin, end - begin);
        const bool lists = one.starts_with("  ");
        if (lists != listed) out += lists ? ".nf\n" : ".fi\n";
        listed = lists;
        out += line(one);
        begin = end + 1;
    }
    return out + (listed ? ".fi\n" : "");
}

std::string synopsis(const Described& command) {
    std::string out = fmt::format("\\fBscree {}\\fR", plain(command.command->name));
    bool options = false;
    for (const OptionText& option : command.text.options) {
        if (!option.argument) {
            options = true;
            continue;
        }
        const std::string name = plain(option.names[0]) + (option.repeated ? "..." : "");
        out += option.required ? fmt::format(" \\fI{}\\fR", name) : fmt::format(" [\\fI{}\\fR]", name);
    }
    return out + (options ? " [options]" : "");
}

// ---- Completions ----------------------------------------------------------------------------------------------------

std::string words(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, " ")); }

std::vector<std::string> command_names(const std::vector<Described>& all) {
    std::vector<std::string> names;
    for (const Described& each : all) names.emplace_back(each.command->name);
    return names;
}

std::string bash(const std::vector<Described>& all) {
    std::string choices, options;
    for (const Described& each : all) {
        std::vector<std::string> names;
        for (const OptionText& option : each.text.options) {
            if (option.argument) continue;
            names.insert(names.end(), option.names.begin(), option.names.end());
            for (const std::string& name : option.names)
                if (!option.choices.empty())
                    choices += fmt::format("        \"{} {}\") words=\"{}\" ;;\n", each.command->name, name,
                                           words(option.choices));
        }
        options += fmt::format("        {}) options=\"{}\" ;;\n", each.command->name, words(names));
    }
    return fmt::format(R"(# Completions of scree for bash; made by `scree help --completions bash`.
_scree() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} commands="{0}" words= options=
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$commands" -- "$current"))
        return
    fi
    case "$command ${{COMP_WORDS[COMP_CWORD-1]}}" in
{1}        "help "*) words=$commands ;;
    esac
    case "$command" in
{2}    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    elif [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    else
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}}
complete -F _scree scree
)",
                       words(command_names(all)), choices, options);
}

// In single quotes.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// The help of an option without what _arguments takes for its own signs.
std::string zsh_help(const std::string& help) {
    return replaced(replaced(replaced(help, "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh(const std::vector<Described>& all) {
    std::string list, cases;
    for (const Described& each : all) {
        list += fmt::format("    {}\n", quoted(fmt::format("{}:{}", each.command->name, each.command->summary)));
        cases += fmt::format("    {})\n        _arguments -s \\\n", each.command->name);
        for (const OptionText& option : each.text.options) {
            if (option.argument) continue;
            const std::string value = option.value.empty() ? ""
                                      : option.choices.empty()
                                          ? fmt::format(":{}:_files", option.value)
                                          : fmt::format(":{}:({})", option.names.back(), words(option.choices));
            for (const std::string& name : option.names)
                cases += fmt::format(
                    "            {} \\\n",
                    quoted(fmt::format("{}{}[{}]{}", option.repeated ? "*" : fmt::format("({})", words(option.names)),
                                       name, zsh_help(option.help), value)));
        }
        cases += each.command->run == command_help
                     ? fmt::format("            '*:command:({})'\n", words(command_names(all)))
                     : "            '*:file:_files'\n";
        cases += "        ;;\n";
    }
    return fmt::format(R"(#compdef scree
# Completions of scree for zsh; made by `scree help --completions zsh`.
local -a commands=(
{})
if (( CURRENT == 2 )); then
    _describe command commands
    return
fi
local command=$words[2]
shift words
(( CURRENT-- ))
case $command in
{}esac
)",
                       list, cases);
}

std::string fish(const std::vector<Described>& all) {
    std::string out = "# Completions of scree for fish; made by `scree help --completions fish`.\n";
    for (const Described& each : all) {
        const std::string here = fmt::format("'__fish_seen_subcommand_from {}'", each.command->name);
        out += fmt::format("complete -c scree -n __fish_use_subcommand -f -a {} -d {}\n", each.command->name,
                           quoted(each.command->summary));
        for (const OptionText& option : each.text.options) {
            if (option.argument) continue;
            out += fmt::format("complete -c scree -n {}", here);
            for (const std::string& name : option.names)
                out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!option.choices.empty()) out += fmt::format(" -x -a {}", quoted(words(option.choices)));
            if (option.choices.empty() && !option.value.empty()) out += " -r";
            out += fmt::format(" -d {}\n", quoted(option.help));
        }
    }
    return out;
}

}  // namespace

std::string manual_page() {
    const std::vector<Described> all = all_commands();
    std::string page = fmt::format(
        ".TH SCREE 1 \"\" \"scree {}\" \"User commands\"\n.SH NAME\nscree \\- simulator of granular materials\n"
        ".SH SYNOPSIS\n",
        version());
    for (const Described& each : all) page += synopsis(each) + "\n.br\n";
    page +=
        ".SH DESCRIPTION\nscree computes how grains move: spheres, discs and bodies of other shapes that collide, rub "
        "and roll among walls. A scene file says what there is; a run writes series, frames and checkpoints into a "
        "folder, from which it can be measured, drawn, looked at and continued.\n.SH COMMANDS\n";
    for (const Described& each : all) {
        page += fmt::format(".SS {}\n", synopsis(each));
        page += prose(each.text.summary.empty() ? each.command->summary : each.text.summary);
        for (const OptionText& option : each.text.options) {
            page += ".TP\n";
            std::vector<std::string> names;
            for (const std::string& name : option.names)
                names.push_back(fmt::format("\\f{}{}\\fR", option.argument ? "I" : "B", plain(name)));
            page += fmt::format("{}", fmt::join(names, ", "));
            page += option.value.empty() ? "\n" : fmt::format(" \\fI{}\\fR\n", plain(option.value));
            page += line(option.help);
        }
    }
    page += ".SH EXIT STATUS\n";
    for (const auto& [code, meaning] :
         {std::pair("0", "done"), std::pair("1", "failed at run time"), std::pair("2", "wrong usage"),
          std::pair("3", "a scene or data file that cannot be used"),
          std::pair("4",
                    "the simulation became invalid: a number that is not finite, lost grains, overlap past the limit"),
          std::pair("5", "trouble with a file or the disk"),
          std::pair("130, 143", "stopped by a signal, after a checkpoint")})
        page += fmt::format(".TP\n.B {}\n{}\n", code, meaning);
    return page + ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colors on a terminal\n";
}

std::string completions(const std::string& shell) {
    const std::vector<Described> all = all_commands();
    if (shell == "bash") return bash(all);
    if (shell == "zsh") return zsh(all);
    if (shell == "fish") return fish(all);
    throw Error(ErrorKind::usage,
                fmt::format("help --completions: there are none for \"{}\"{}; there are: bash, zsh, fish", shell,
                            nearest_hint(shell, {"bash", "zsh", "fish"})));
}

}  // namespace scree::app
