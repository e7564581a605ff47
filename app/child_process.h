// Other runs of this very program, in processes of their own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

#include "commands.h"

namespace scree::app {

class ChildProcess {
  public:
    // Starts `scree ARGUMENTS`, which writes what it says into `log`. It is out of reach of the terminal's Ctrl-C, and
    // gets SIGTERM when this process ends in any way. Throws Error(run_time) when the system starts no process.
    ChildProcess(const Arguments& arguments, const std::filesystem::path& log);
    // Once it has ended: its exit code, or 128 + the number of the signal that ended it.
    std::optional<int> ended();
    void ask_to_stop() const;

  private:
    pid_t process_ = 0;
};

}  // namespace scree::app
