#include "signals.h"

#include <signal.h>
#include <initializer_list>

#include <initializer_list>

namespace scree::app {
namespace {

volatile sig_atomic_t caught = 0;

void note(int number) {
    if (caught != 0) {
        // The default action follows when this function returns.
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    caught = number;
}

}  // namespace

void catch_signals() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        if (before.sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = note;
        action.sa_flags = SA_RESTART;
        sigaction(number, &action, nullptr);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int signal_caught() { return caught; }

int exit_code_of_signal(int number) { return number == SIGINT ? 130 : 143; }

}  // namespace scree::app
