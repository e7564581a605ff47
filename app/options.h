// The options of one command: declared with the variable they fill, then parsed. Only options.cpp sees CLI11, which
// costs seconds of compile time.
//
//     std::string scene;
//     bool json = false;
//     Options options("check", "read and check a scene");
//     options.argument("SCENE", scene, "scene file, or - for standard input");
//     options.flag("--json", json, "print one JSON document");
//     if (!options.parse(arguments)) return 0;  // --help was asked for and has been printed
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"

namespace scree::app {

// What a command declares, for the manual page and the completions of shells.
struct OptionText {
    std::vector<std::string> names;    // "-o", "--output"; of an argument its name: "SCENE"
    std::string value;                 // "FILE"; empty for flags and arguments
    std::vector<std::string> choices;  // the values it may take, if they are few
    std::string help;
    bool argument = false;  // without dashes
    bool required = false;
    bool repeated = false;
};
struct CommandText {
    std::string summary;
    std::vector<OptionText> options;
};
// Runs the command just until it has declared its options.
CommandText described(const Command& command);

class Options {
  public:
    Options(const std::string& command, const std::string& summary);
    ~Options();

    // Arguments without dashes, in the order declared.
    void argument(const std::string& name, std::string& value, const std::string& help);  // required
    void argument(const std::string& name, std::optional<std::string>& value,
                  const std::string& help);  // may be left out
    void arguments(const std::string& name, std::vector<std::string>& values, const std::string& help);  // any number

    // Options, as "-o,--output"; `value` names the value in the help, e.g. "FILE".
    void flag(const std::string& names, bool& value, const std::string& help);
    void option(const std::string& names, const std::string& value_name, std::optional<std::string>& value,
                const std::string& help);
    void option(const std::string& names, const std::string& value_name, std::optional<double>& value,
                const std::string& help);
    void option(const std::string& names, const std::string& value_name, std::optional<std::int64_t>& value,
                const std::string& help);
    // May be given several times, with one value each.
    void repeated(const std::string& names, const std::string& value_name, std::vector<std::string>& values,
                  const std::string& help);
    // Must be one of the choices.
    void choice(const std::string& names, const std::vector<std::string>& choices, std::optional<std::string>& value,
                const std::string& help);

    // False when the help was asked for and printed, or the command is being described. Throws Error(usage), with a
    // hint, for anything it does not understand.
    bool parse(const Arguments& arguments);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace scree::app
