// Stopping a run from outside: the first signal asks for a clean stop, the second ends the process at once.
#pragma once

namespace scree::app {

// From now on SIGINT, SIGTERM and SIGHUP are noted (unless they were ignored, as under nohup), and writing to a closed
// pipe or past a size limit fails like any other write.
void catch_signals();

// The number of the signal that came, or 0.
int signal_caught();

// 130 for SIGINT, 143 for the others.
int exit_code_of_signal(int signal);

}  // namespace scree::app
