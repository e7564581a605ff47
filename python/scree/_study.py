"""Parameter studies: many runs in processes of their own, and one table. docs/sweeps.md describes the folder, which
`scree sweep` writes and reads, too."""
import contextlib
import csv
import fcntl
import itertools
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

from ._errors import Error, FileError, SceneError, UsageError
from ._run import Run
from ._scene import Scene, as_scene
from ._table import Table
from . import _toml

RECORD = ("time", "grains", "contacts", "max_overlap", "wall_seconds", "state_hash")
ENDED = ("done", "invalid")  # what is not run again


class Study(Table):
    """The table of a study: a row per point with its parameters, `status`, `error` (empty when there is none), what
    run.json tells, and what `outcome` gave (NaN where it gave nothing)."""

    def __init__(self, columns, folder):
        super().__init__(columns, title=os.fspath(folder))
        self.folder = os.fspath(folder)

    def run(self, k):
        """The Run of row k."""
        return Run(pathlib.Path(self.folder, "runs", str(self["run"][k])))


def study(scene, over, outcome=None, folder="study", jobs=None, *, threads=1, force=False, progress=None):
    """Runs a scene with every value of each parameter meeting every other; returns a Study.

    `scene` is a function that makes a Scene from the parameters as keywords, called here; or a Scene, whose parameters
    are dotted paths. `over` names the parameters: {"friction": [0.2, 0.4]}. `outcome(run)`, called here too, makes a dict
    of numbers from each Run that has been done. Runs are processes of their own, `jobs` at a time (None: as many as the
    machine runs at once), with `threads` threads each. The same call goes on after an interruption, and runs only what is
    new; runs that are done are only asked for their outcome again. A point that fails is a row with its `error`.
    `force` runs all anew. `progress(study)` is called whenever a run has ended.
    """
    over = {key: list(values) for key, values in over.items()}
    if not over or not all(over.values()):
        raise UsageError("study(): say over what, as in {'friction': [0.2, 0.4]}")
    points = [dict(zip(over, values)) for values in itertools.product(*over.values())]
    with _Folder(pathlib.Path(folder), list(over)) as place:
        for point in points:
            place.plan(point, _text_of(scene, point), force)
        place.look(outcome)
        place.run(_jobs(jobs, threads), threads, outcome, progress)
        return place.table()


def _jobs(jobs, threads):
    count = max(1, len(os.sched_getaffinity(0)) // threads) if jobs is None else int(jobs)
    if count < 1:
        raise UsageError(f"study(): jobs = {jobs}: at least one run at a time")
    return count


def _text_of(scene, point):
    """The complete scene of a point; or the error that its row is to tell."""
    try:
        if callable(scene) and not isinstance(scene, Scene):
            made = scene(**point)
        else:
            made = as_scene(scene).copy()
            for path, value in point.items():
                made[path] = value
        return str(as_scene(made))
    except SceneError as error:
        return error


def _field(value):
    """A parameter in the table: texts as they are, all else in the words of TOML."""
    value = _toml.plain(value, "study()")
    return value if isinstance(value, str) else _toml.inline(value)


def _same(a, b):
    if a == b:
        return True
    try:
        return float(a) == float(b)
    except ValueError:
        return False


class _Folder:
    """The folder while a study is under way. Nobody else may use it then."""

    def __init__(self, path, keys):
        self.path, self.keys = path, keys
        self.rows = []      # dicts by column
        self.outcomes = []  # names of columns, in the order in which they came up
        self.waiting = []

    def __enter__(self):
        table = self.path / "table.csv"
        if self.path.is_dir() and any(self.path.iterdir()) and not table.exists():
            raise FileError(f"{self.path} is in the way: it holds other things than a study (there is no table.csv in it); "
                            "choose another folder")
        for inner in ("scenes", "runs", "logs"):
            (self.path / inner).mkdir(parents=True, exist_ok=True)
        self.lock = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self.lock)
            raise FileError(f"another program is running the study in {self.path}; wait for it, or choose another "
                            "folder") from None
        if table.exists():
            self.read(table)
        return self

    def __exit__(self, *what):
        os.close(self.lock)

    def read(self, table):
        with open(table, newline="", encoding="utf-8") as file:
            names, *rows = csv.reader(file)
        if names[0] != "run" or "status" not in names or names[1:names.index("status")] != self.keys:
            raise UsageError(f"the study in {self.path} is over {', '.join(names[1:names.index('status')])}, not over "
                             f"{', '.join(self.keys)}; choose another folder" if "status" in names else
                             f"{table}:1: this is not the table of a study")
        self.rows = [dict(zip(["run", *self.keys, "status", "error"], row)) for row in rows]

    def of(self, row, kind):
        return self.path / kind / (row["run"] + {"runs": "", "scenes": ".toml", "logs": ".txt"}[kind])

    def plan(self, point, text, force):
        fields = [_field(point[key]) for key in self.keys]
        row = next((row for row in self.rows if all(_same(row[key], field) for key, field in zip(self.keys, fields))), None)
        if row is None:
            row = {"run": f"{len(self.rows) + 1:04}", **dict(zip(self.keys, fields)), "status": "waiting", "error": ""}
            self.rows.append(row)
        if isinstance(text, SceneError):
            row.update(status="failed", error=_line(text), refused=True)
            return
        scene = self.of(row, "scenes")
        if scene.exists() and not force:
            if not _is_scene(scene, text):
                raise UsageError(f"{scene} is another scene: it has changed since its run; force=True runs all points "
                                 "again, another folder keeps both")
        else:
            shutil.rmtree(self.of(row, "runs"), ignore_errors=True)
            scene.write_text(text, encoding="utf-8")
            row["status"] = "waiting"
        self.waiting.append(row)

    def look(self, outcome):
        for row in self.rows:
            self.look_at(row, outcome)
        self.waiting = [row for row in self.waiting if row["status"] not in ENDED]
        self.save()

    def look_at(self, row, outcome):
        """Status and results of a row, from its run folder."""
        if row.get("refused"):
            return
        try:
            record = json.loads((self.of(row, "runs") / "run.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return  # it never began
        row["status"] = "stopped" if record["status"] == "running" else record["status"]
        row["error"] = _line(record.get("message", ""))
        row.update((key, record.get(key, "")) for key in RECORD)
        if row["status"] != "done" or outcome is None:
            return
        try:
            results = outcome(Run(self.of(row, "runs")))
        except Exception as error:  # of this row alone: the others count
            row["error"] = _line(f"outcome: {type(error).__name__}: {error}")
            return
        for name, value in results.items():
            if name in ("run", "status", "error", *self.keys, *RECORD):
                raise UsageError(f"outcome: a column {name!r} is there already")
            if name not in self.outcomes:
                self.outcomes.append(name)
            row[name] = float(value)

    def run(self, jobs, threads, outcome, progress):
        """Keeps `jobs` processes going until nothing waits. An interruption stops them, with a checkpoint each."""
        active = []
        try:
            while self.waiting or active:
                while self.waiting and len(active) < jobs:
                    row = self.waiting.pop(0)
                    active.append((row, self.start(row, threads)))
                    row["status"] = "running"
                    self.save()
                time.sleep(0.01)
                for row, process in [one for one in active if one[1].poll() is not None]:
                    active.remove((row, process))
                    self.ended(row, process, outcome)
                    self.save()
                    if progress is not None:
                        progress(self.table())
        finally:
            for row, process in active:
                process.terminate()
            for row, process in active:
                process.wait()
                self.ended(row, process, None)
            self.save()

    def start(self, row, threads):
        with open(self.of(row, "logs"), "w", encoding="utf-8") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "scree._worker", self.of(row, "scenes"), self.of(row, "runs"), str(threads)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, env=_environment())

    def ended(self, row, process, outcome):
        self.look_at(row, outcome)
        if row["status"] == "running":
            row["status"] = "stopped"
        if process.returncode not in (0, 143) and row["status"] not in ENDED:
            said = self.of(row, "logs").read_text(encoding="utf-8", errors="replace").strip()
            row.update(status="failed", error=row["error"] or _line(said.splitlines()[-1] if said else
                                                                    f"the run ended with code {process.returncode}"))

    def columns(self):
        return ["run", *self.keys, "status", "error", *RECORD, *self.outcomes]

    def save(self):
        handle, partial = tempfile.mkstemp(dir=self.path, prefix="table.csv.", suffix="~")
        with open(handle, "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(self.columns())
            for row in self.rows:
                rows.writerow([_text(row.get(name, "")) for name in self.columns()])
        os.chmod(partial, 0o644)
        os.replace(partial, self.path / "table.csv")

    def table(self):
        columns = {}
        for name in self.columns():
            values = [row.get(name, "") for row in self.rows]
            columns[name] = np.array(values if name in ("run", "status", "error", "state_hash") else _numbers(values))
        return Study(columns, self.path)


def _numbers(values):
    """Numbers where all of them are, unknown ones NaN; else texts."""
    try:
        return [math.nan if value == "" else float(value) for value in values]
    except ValueError:
        return values


def _text(value):
    """As in a table: nothing for what is unknown."""
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return value


def _line(text):
    return "; ".join(str(text).splitlines()).strip()


def _is_scene(file, text):
    """Whether the file holds this scene, in whatever order and with whatever comments."""
    with contextlib.suppress(Error):
        return str(Scene(file)) == text
    return False


def _environment():
    """The package is found by the runs as it was found here."""
    here = str(pathlib.Path(__file__).parent.parent)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])}
