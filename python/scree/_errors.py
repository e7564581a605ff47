"""What scree raises. Every message says what is wrong, where, and what to do."""
import re

from . import _scree


class Error(Exception):
    """All errors of scree."""


class UsageError(Error, ValueError):
    """A wrong argument: an unknown measure or column, an interval that is not positive."""


class Fault(str):
    """One fault of a scene: its text, and where it stands in the file (`line` and `column`, from 1; None: nowhere)."""

    def __new__(cls, text):
        fault = super().__new__(cls, text)
        where = re.match(r"(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+): ", text)
        fault.file = where["file"] if where else None
        fault.line = int(where["line"]) if where else None
        fault.column = int(where["column"]) if where else None
        key = re.search(r'\bkey "([^"]*)"', text)
        fault.key = key[1] if key else None
        return fault

    def __getnewargs__(self):
        return (str(self),)


class SceneError(Error, ValueError):
    """A scene or another input that cannot be used. `faults` has all that is wrong with it, not only the first."""

    @property
    def faults(self):
        # A fault begins with its place; lines without one belong to the fault before.
        faults = []
        for line in str(self).splitlines():
            if faults and not re.match(r"[^\n]*?:\d+:\d+: |key \"", line):
                faults[-1] += "\n" + line
            else:
                faults.append(line)
        return [Fault(text) for text in faults]


class InvalidState(Error, RuntimeError):
    """The simulation became invalid: a number is not finite, a grain is lost, an overlap is past the limit.

    It can still be looked at, but not stepped."""


class FileError(Error, OSError):
    """A file or folder that cannot be read or written."""


_scree.set_errors([Error, Error, UsageError, SceneError, InvalidState, FileError])
