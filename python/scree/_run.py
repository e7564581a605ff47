"""Run folders, read back."""
import json
import os

import numpy as np

from . import _scree
from ._grains import Grains
from ._scene import Scene
from ._table import Table, request


class Frame(Grains):
    """The grains of one frame, by rising id, with the `time` of the frame."""

    def __init__(self, fields, names, time, number):
        super().__init__(fields, names)
        self.time, self.number = time, number

    def __repr__(self):
        return f"<scree.Frame {self.number} at {self.time:.6g} s: {len(self)} grains>"


class Run:
    """A run folder, finished or while somebody writes it: series, frames, measures.

    run[k] is a frame, len(run) the number of frames when the object was made; refresh() looks for new ones.
    """

    def __init__(self, folder):
        self.folder = os.fspath(folder)
        self.refresh()

    def refresh(self):
        """Looks for frames that have been written since."""
        self._core = _scree.Run(self.folder)
        groups, materials = self._core.names()
        self._names = {"group": groups, "material": materials}
        self._times = np.asarray(self._core.times())

    @property
    def record(self):
        """run.json as a dict: status, speed, energies, state_hash."""
        return json.loads(self._core.record())

    @property
    def scene(self):
        return Scene.parse(self._core.scene(), os.path.join(self.folder, "scene.toml"))

    @property
    def series(self):
        """series.csv as it is now: a Table."""
        return Table._of(self._core.series(), "series")

    @property
    def times(self):
        """s, of the frames."""
        return self._times

    def __len__(self):
        return len(self._times)

    def __getitem__(self, number):
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        k = number + len(self) if number < 0 else number
        if not 0 <= k < len(self):
            raise IndexError(f"frame {number}: the run has {len(self)} frames")
        return Frame(self._core.grains(k), self._names, float(self._times[k]), k)

    def at(self, time):
        """The frame nearest to a time in s."""
        return self[int(np.argmin(np.abs(self._times - time)))]

    def measure(self, what, frames=None, **options):
        """A measure (docs/measures.md) of the last frame: run.measure("layers", axis="z", count=20).

        frames=3 takes another one, frames=":", "10:" or a slice several: one block of rows per frame, with its `time`.
        """
        text = request(what, options)
        if frames is None or isinstance(frames, (int, np.integer)):
            k = len(self) - 1 if frames is None else int(frames)
            return Table._of(self._core.measure(text, range(len(self))[k]), text)
        if isinstance(frames, str):
            parts = [int(part) if part.strip() else None for part in frames.split(":")]
            frames = slice(*parts)
        numbers = range(*frames.indices(len(self))) if isinstance(frames, slice) else list(frames)
        tables = [self._core.measure(text, range(len(self))[k]) for k in numbers]
        if not tables:
            raise IndexError(f"no frame is meant by {frames!r}: the run has {len(self)}")
        names, units = tables[0][0], tables[0][1]
        columns = {"time": np.concatenate([np.full(len(np.asarray(t[2][0])), self._times[k])
                                           for k, t in zip(numbers, tables)])}
        for c, name in enumerate(names):
            columns[name] = np.concatenate([np.asarray(t[2][c]) for t in tables])
        table = Table(columns, {"time": "s", **dict(zip(names, units))}, text)
        table._main = names[tables[0][3]]
        return table

    def show(self, **how):
        """The run in the viewer: in a cell of a notebook, else in the browser. Returns a View, which can be saved.

        Keywords say what is shown first, in the words of docs/viewer.md: color="speed", frame=20, time=0.5, chains=True,
        view="front"; and what is left out of the page: grains=5000 shows about so many, contacts=False none of them.
        """
        from ._show import show_folder

        return show_folder(self.folder, **how)

    def __repr__(self):
        return f"<scree.Run {self.folder}: {len(self)} frames, {self.record['status']}>"
