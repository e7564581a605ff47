// scree export: frames of a run in the formats of other programs.
#include <fmt/format.h>

#include "commands.h"
#include "core/parallel.h"
#include "export/export.h"
#include "frame_at.h"
#include "io/files.h"
#include "options.h"
#include "report.h"
#include "scree/error.h"

namespace scree::app {

int command_export(const Arguments& arguments) {
    std::string run;
    std::optional<std::string> format, output, frames;
    std::optional<double> at;
    Options options("export",
                    "Writes frames of a run in the formats of other programs. Tables (csv, lammps) and vtk: all "
                    "frames; pictures and shapes (povray, x3d, stl): the last one, unless stated otherwise.");
    options.argument("RUN", run, "run folder");
    options.choice("--format", {"vtk", "csv", "povray", "x3d", "lammps", "stl"}, format, "what to write");
    options.option("-o,--output", "DIR", output, "folder; default: RUN/export/FORMAT");
    options.option("--at", "T", at, "the frame nearest to this time in s");
    options.option("--frames", "A:B", frames, "frames from A up to but without B, negative ones from the end");
    if (!options.parse(arguments)) return 0;
    if (!format) throw Error(ErrorKind::usage, "export: say which --format: vtk, csv, povray, x3d, lammps or stl");
    if (at && frames) throw Error(ErrorKind::usage, "export: only one of --at and --frames makes sense");

    set_thread_count(hardware_thread_count());
    const RunReader reader(run);
    const bool picture = *format == "povray" || *format == "x3d" || *format == "stl";
    std::vector<std::size_t> chosen{reader.size() - 1};
    if (at)
        chosen = {frame_at(reader, *at)};
    else if (frames || !picture)
        chosen = chosen_frames(frames, reader.size());
    const std::filesystem::path folder =
        output ? std::filesystem::path(*output) : std::filesystem::path(run) / "export" / *format;
    create_folders(folder);
    const auto write = *format == "vtk"      ? export_vtk
                       : *format == "csv"    ? export_csv
                       : *format == "povray" ? export_povray
                       : *format == "x3d"    ? export_x3d
                       : *format == "lammps" ? export_lammps
                                             : export_stl;
    const ExportedFiles written = write(reader, chosen, folder);
    tell(fmt::format("wrote {} file{} of {} frame{} into {}\n", written.files.size(),
                     written.files.size() == 1 ? "" : "s", chosen.size(), chosen.size() == 1 ? "" : "s",
                     folder.string()));
    return 0;
}

}  // namespace scree::app
