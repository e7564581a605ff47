// The commands of scree. Each takes its arguments without the program's and the command's name, prints results to
// stdout and everything else to stderr, and returns the exit code; failures are thrown as scree::Error.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace scree::app {

using Arguments = std::vector<std::string>;

struct Command {
    const char* name;
    const char* summary;  // one line, for `scree help`
    int (*run)(const Arguments&);
};

// All commands, in the order in which `scree help` lists them.
std::span<const Command> commands();

int command_run(const Arguments& arguments);      // run.cpp
int command_resume(const Arguments& arguments);   // resume.cpp
int command_check(const Arguments& arguments);    // check.cpp
int command_new(const Arguments& arguments);      // new.cpp
int command_measure(const Arguments& arguments);  // measure.cpp
int command_plot(const Arguments& arguments);     // plot.cpp
int command_sweep(const Arguments& arguments);    // sweep.cpp
int command_export(const Arguments& arguments);   // export.cpp
int command_schema(const Arguments& arguments);   // schema.cpp
int command_bench(const Arguments& arguments);    // bench.cpp
int command_version(const Arguments& arguments);  // version.cpp
int command_help(const Arguments& arguments);     // help.cpp
int command_distance(const Arguments& arguments);
int command_nurbs(const Arguments& arguments);
int command_decompose(const Arguments& arguments);
int command_triangulate(const Arguments& arguments);
int command_microstructure(const Arguments& arguments);  // microstructure.cpp
int command_view(const Arguments& arguments);            // view.cpp

}  // namespace scree::app
