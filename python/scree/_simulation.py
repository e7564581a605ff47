"""Simulations."""
import collections
import logging
import os
import pathlib
import tempfile

import numpy as np

from . import _scree
from ._errors import FileError, UsageError
from ._grains import Contacts, Grains
from ._rows import Rows
from ._scene import Scene, as_scene
from ._table import Table, request

Energy = collections.namedtuple("Energy", "kinetic rotational potential elastic dissipated dissipated_sliding dissipated_damping "
                                          "wall_work gravity_work poured removed external_work total")
Energy.__doc__ = """Energies in J. `total` stays constant but for the errors of integration; `kinetic` has `rotational` in it;
`external_work` is that of `force`, `torque` and of velocities written by rows()."""

Wall = collections.namedtuple("Wall", "name open moving force torque displacement velocity")
Wall.__doc__ = """A wall at one moment: `force` (N) and `torque` (N m) of the grains on it, how far and how fast it has moved."""


class Walls(dict):
    """The walls of one moment by name: sim.walls["floor"].force."""

    def __missing__(self, name):
        raise KeyError(f"no wall is called {name!r}; there are: {', '.join(self) or 'none'}")


class Simulation:
    """A scene brought to life.

    `scene` is a Scene, the name of a file or a dict. What is seen is always the state after the last step. With a
    `folder` it is a run folder: series, frames, measures and checkpoints are written at the intervals of the scene;
    without one nothing is. `overwrite` lets it replace an earlier run. `threads`: as many for this simulation; no result
    depends on it.
    """

    def __init__(self, scene, folder=None, *, threads=None, overwrite=False):
        folder = None if folder is None else os.fspath(folder)
        if folder and not overwrite and os.path.isdir(folder) and os.listdir(folder):
            raise FileError(f"the run folder {folder} exists; overwrite=True replaces it, Simulation.resume({folder!r}) "
                            "continues it")
        self._begin(_scree.Simulation(*as_scene(scene)._arguments(), _thread_count(threads), folder, overwrite), folder)

    def _begin(self, core, folder=None):
        self._core = core
        self._core.set_note(logging.getLogger("scree").info)
        self.folder = folder
        self._looks = []
        self._grains = None
        self._reason = None
        groups, materials = core.names()
        self._names = {"group": groups, "material": materials}

    # ---- Going on

    def run(self, until=None):
        """Runs to a time in s, or to the end of the scene; Ctrl-C and stop() end it earlier, and run() goes on.

        With a folder an end, whichever, leaves a checkpoint there."""
        self._go(self._core.run_until, None if until is None else float(until))

    def step(self, count=1):
        """Makes so many time steps. With a folder what is due in them is written, but no checkpoint for their end."""
        self._go(self._core.step, int(count))

    def _go(self, go, how_far):
        self._reason = None
        self._grains = None
        go(how_far, self._call)

    def every(self, seconds=None, *, steps=None):
        """Calls a function after the steps nearest to the multiples of `seconds` (or after every so many `steps`), with
        the simulation:

            @sim.every(0.01)
            def watch(now): ...

        What it raises ends the run after that step and comes out of run(). Copies of the simulation do not have it.
        """
        if (seconds is None) == (steps is None):
            raise UsageError("every(): say seconds, or steps=")

        def register(look):
            self._core.every(float(seconds) if steps is None else int(steps) * self.time_step)
            self._looks.append(look)
            return look

        return register

    def stop(self, reason=True):
        """Ends the run after this step; for functions given to every(). `reason` is then in `stopped`."""
        self._reason = reason
        self._core.stop()

    def _call(self, k):
        self._looks[k](self)

    # ---- Looking

    stopped = property(lambda self: self._reason, doc="What stop() was told in the last run; None if it was not called.")
    time = property(lambda self: self._core.time(), doc="s.")
    steps = property(lambda self: self._core.step_count(), doc="Steps made.")
    time_step = property(lambda self: self._core.time_step()[0], doc="s.")
    duration = property(lambda self: self._core.duration(), doc="s, of the scene.")
    scene = property(lambda self: Scene.parse(self._core.scene()), doc="With every default, and copies of walls at borders.")
    remarks = property(lambda self: self._core.remarks(), doc="What is odd about the scene without being wrong.")

    @property
    def grains(self):
        """Grains by id: read-only copies that stay as they are."""
        if self._grains is None or self._grains[0] != self.steps:  # callbacks look between two steps
            self._grains = self.steps, Grains(self._core.grains(), self._names)
        return self._grains[1]

    @property
    def contacts(self):
        return Contacts(self._core.contacts(), {"wall": list(self.walls)})

    @property
    def walls(self):
        return Walls((name, Wall(name, is_open, moving, *(np.array(v) for v in vectors)))
                     for name, is_open, moving, *vectors in self._core.walls())

    @property
    def energy(self):
        return Energy(**self._core.energy())

    def measure(self, what, **options):
        """A measure (docs/measures.md), options as keywords: sim.measure("layers", axis="z", count=20)."""
        text = request(what, options)
        return Table._of(self._core.measure(text), text)

    def hash(self):
        """16 hexadecimal digits of the state of all grains: the state_hash of run.json."""
        return self._core.hash()

    def show(self, **how):
        """The grains as they are, in the viewer: see Run.show()."""
        from ._show import show_simulation

        return show_simulation(self, **how)

    # ---- Acting

    def rows(self):
        """The memory of the grains, to look at without a copy and to change velocities:

            with sim.rows() as rows:
                rows.velocity[rows.group == "beads"] += (0, 0, 0.1)
        """
        return Rows(self._core, self._names, self._changed)

    def _changed(self):
        self._grains = None

    @property
    def force(self):
        """N, on each grain, beside gravity and contacts; by rising id, as `grains`; (n, 3). Held until it is set again.

        To be set as a whole: sim.force = -1e-4 * sim.grains.velocity. Grains that are poured in later have none."""
        return np.asarray(self._core.forces())

    @force.setter
    def force(self, values):
        self._core.set_forces(self._vectors("force", values, [0, 1]))

    @property
    def torque(self):
        """N m, on each grain, like `force`."""
        return np.asarray(self._core.torques())

    @torque.setter
    def torque(self, values):
        self._core.set_torques(self._vectors("torque", values, [2]))

    def _vectors(self, name, values, in_the_plane):
        """Rows of three numbers; in the plane as many as it has are enough."""
        n = self._core.grain_count()
        values = np.asarray(values, dtype=float)
        if self._core.dimension() == 2 and values.ndim > 0 and values.shape[-1] == len(in_the_plane) != 3:
            whole = np.zeros((*values.shape[:-1], 3))
            whole[..., in_the_plane] = values
            values = whole
        try:
            return np.ascontiguousarray(np.broadcast_to(values, (n, 3)))
        except ValueError:
            raise UsageError(f"{name}: {n} rows of 3 numbers are needed, one for each grain by rising id; the array has "
                             f"the shape {values.shape}") from None

    edited = property(lambda self: self._core.edited(), doc="Whether forces or velocities were ever set by hand.")

    # ---- Keeping

    def save(self, path=None):
        """Writes a checkpoint, from which Simulation.load() and `scree resume` go on bit for bit; without a path into
        the simulation's folder."""
        if path is None:
            self._core.save_here()
        else:
            self._core.save(os.fspath(path))

    @classmethod
    def load(cls, path, *, threads=None):
        """Goes on from a checkpoint, or from the last good one of a run folder. Nothing is written to that folder;
        resume() does that."""
        simulation = cls.__new__(cls)
        simulation._begin(_scree.Simulation.load(os.fspath(path), _thread_count(threads), False))
        return simulation

    @classmethod
    def resume(cls, folder, *, threads=None):
        """Goes on in a run folder from its last checkpoint, as `scree resume`: with the files and the bits of a run that
        was never interrupted. What every() was told must be told again."""
        simulation = cls.__new__(cls)
        folder = os.fspath(folder)
        simulation._begin(_scree.Simulation.load(folder, _thread_count(threads), True), folder)
        return simulation

    def __reduce__(self):
        with tempfile.TemporaryDirectory(prefix="scree_") as folder:
            path = os.path.join(folder, "state.h5")
            self._core.save(path)
            return _from_bytes, (pathlib.Path(path).read_bytes(),)

    def __str__(self):
        step, automatic, stable, reason = self._core.time_step()
        return (f"{self._core.grain_count()} grains, law {self._core.law()}, at {self.time:.6g} of {self.duration:.6g} s "
                f"({self.steps} steps)\ntime step {step:.4g} s: {reason} (stable up to {stable:.4g} s)")

    def __repr__(self):
        return f"<scree.Simulation: {self._core.grain_count()} grains at {self.time:.6g} s>"


def _from_bytes(checkpoint):
    """A copy of a simulation, from its checkpoint: pickle, copy and deepcopy come here."""
    with tempfile.TemporaryDirectory(prefix="scree_") as folder:
        path = pathlib.Path(folder, "state.h5")
        path.write_bytes(checkpoint)
        return Simulation.load(path)


def _thread_count(threads):
    return _scree.hardware_thread_count() if threads == "all" else None if threads is None else int(threads)
