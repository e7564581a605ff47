// scree view: a run in the browser, or one page that holds it.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>

#include "commands.h"
#include "options.h"
#include "report.h"
#include "scree/error.h"
#include "signals.h"
#include "view/export_page.h"
#include "view/http_server.h"
#include "view/routes.h"
#include "view/viewer_files.h"

extern char** environ;

namespace scree::app {
namespace {

constexpr int first_port = 8760, ports_tried = 20;

// The first port of ours that nobody has, else any.
int free_port() {
    for (int port = first_port; port < first_port + ports_tried; ++port)
        if (!view::HttpServer::is_taken(port)) return port;
    return 0;
}

// Asks the desktop to show the page. That there is no desktop is no error: the address has been printed.
void open_browser(const std::string& address) {
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
    const char* arguments[] = {"xdg-open", address.c_str(), nullptr};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (const int stream : {0, 1, 2})
        posix_spawn_file_actions_addopen(&files, stream, "/dev/null", stream == 0 ? 0 : 1, 0);
    pid_t child = 0;
    // Its own children show the page; it ends at once, and the system collects it with this process at the latest.
    (void)posix_spawnp(&child, "xdg-open", &files, nullptr, const_cast<char* const*>(arguments), environ);
    posix_spawn_file_actions_destroy(&files);
}

std::string megabytes(std::uint64_t bytes) { return fmt::format("{:.1f} MB", 1e-6 * static_cast<double>(bytes)); }

int export_to(RunFiles& run, const std::string& file, const view::ExportChoice& choice) {
    const view::ExportReport report = view::export_page(run, file, choice);
    print_result(fmt::format(
        "{}: {}, {} of {} frames, {}{} grains{}\n", file, megabytes(report.bytes), report.frames, report.frames_of_run,
        report.share_of_grains < 1 ? fmt::format("{:.2g} of ", report.share_of_grains) : std::string{}, report.grains,
        report.contacts ? "" : ", without contacts"));
    if (report.bytes > 100'000'000)
        tell("A page of this size opens slowly; --every N, --grains N or --max-size MB make it smaller.\n");
    return 0;
}

}  // namespace

int command_view(const Arguments& arguments) {
    std::string path;
    std::optional<std::string> file, caption;
    std::optional<std::int64_t> port, every, grains;
    std::optional<double> most;
    bool no_browser = false, no_contacts = false;
    Options options("view",
                    "look at a run in the browser, while it is running or after; or write it into one HTML file");
    options.argument("RUN", path, "run folder");
    options.option("--port", "P", port,
                   fmt::format("port on this machine (default: the first free one from {}; 0: any)", first_port));
    options.flag("--no-browser", no_browser, "print the address only");
    options.option("--export", "FILE.html", file, "write one self-contained page, which needs no server, and end");
    options.option("--every", "N", every, "export every N-th frame only");
    options.option("--grains", "N", grains, "export about N of the grains only, and no contacts");
    options.option("--max-size", "MB", most, "leave out as many frames as it takes for the exported page to fit");
    options.option("--caption", "TEXT", caption,
                   "what the exported page says below the picture (default: title, grains, time)");
    options.flag("--no-contacts", no_contacts, "export without contacts (no force chains)");
    if (!options.parse(arguments)) return 0;
    if (port && (*port < 0 || *port > 65535))
        throw Error(ErrorKind::usage, fmt::format("view: --port takes a number from 0 to 65535, not {}", *port));
    if (every && *every < 1) throw Error(ErrorKind::usage, "view: --every takes a number from 1 on");
    if (grains && *grains < 1) throw Error(ErrorKind::usage, "view: --grains takes a number from 1 on");
    if (most && !(*most > 0 && std::isfinite(*most)))
        throw Error(ErrorKind::usage, "view: --max-size takes a positive number of megabytes");
    if (!file && (every || grains || most || caption || no_contacts))
        throw Error(ErrorKind::usage,
                    "view: --every, --grains, --max-size, --caption and --no-contacts belong to --export FILE.html");

    view::require_viewer();
    RunFiles run(path);
    if (file) {
        view::ExportChoice choice;
        if (every) choice.every = static_cast<std::size_t>(*every);
        if (grains) choice.grains = static_cast<std::size_t>(*grains);
        if (most) choice.most_bytes = static_cast<std::uint64_t>(1e6 * std::min(*most, 1e9));
        choice.contacts = !no_contacts;
        choice.caption = caption;
        return export_to(run, *file, choice);
    }

    catch_signals();
    view::HttpServer server(port ? static_cast<int>(*port) : free_port(),
                            [&](const view::HttpRequest& request) { return view::answer(run, request); });
    const std::string address = fmt::format("http://127.0.0.1:{}/", server.port());
    print_result(address + "\n");
    tell("Open this address in a browser on this machine; Ctrl-C ends the server.\n");
    if (run.frame_times().empty())
        tell("The run has no frames yet; [output] frames of its scene says how often they are written.\n");
    if (!no_browser) open_browser(address);
    server.serve([] { return signal_caught() != 0; });
    return 0;
}

}  // namespace scree::app
