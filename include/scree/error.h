// Errors that scree reports to its user.
//
// Every failure a user can cause or meet is thrown as a scree::Error whose message says what is wrong, where, and what
// to do. The kind decides the exit code of the command. Programmer errors are asserted instead.
#pragma once

#include <stdexcept>
#include <string>

#include "scree/export.h"

// Besides, std::bad_alloc when memory ends. An object whose member threw can be destroyed, and unless its header says
// more, used no further.
namespace scree {

// The values are the exit codes of the command (130 and 143 are added for a clean stop on a signal).
enum class ErrorKind {
    run_time = 1,   // anything that has no better kind
    usage = 2,      // wrong command line
    bad_input = 3,  // a scene or data file that cannot be used
    invalid = 4,    // the simulation became invalid: NaN, grains lost, overlap past the limit
    file = 5,       // file or disk trouble
};

class SCREE_EXPORT Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    ErrorKind kind() const { return kind_; }

  private:
    ErrorKind kind_;
};

}  // namespace scree
