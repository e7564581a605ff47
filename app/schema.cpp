#include "commands.h"
#include "io/scene_file.h"
#include "options.h"
#include "report.h"

namespace scree::app {

int command_schema(const Arguments& arguments) {
    bool markdown = false;
    Options options("schema", "Prints the JSON Schema of a scene file, for editors and checkers.");
    options.flag("--markdown", markdown, "print the reference page docs/scene.md instead");
    if (!options.parse(arguments)) return 0;
    print_result(markdown ? scene_reference_page() : scene_schema());
    return 0;
}

}  // namespace scree::app
