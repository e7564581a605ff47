"""Simulations."""
import collections
import os

from . import _scree
from ._grains import Contacts, Grains
from ._scene import Scene, as_scene
from ._table import Table, request

Energy = collections.namedtuple("Energy", "kinetic rotational potential elastic dissipated dissipated_sliding dissipated_damping "
                                          "wall_work gravity_work poured removed total")
Energy.__doc__ = """Energies in J. `total` stays constant but for the errors of integration; `kinetic` has `rotational` in it."""

Wall = collections.namedtuple("Wall", "name open moving force torque displacement velocity")
Wall.__doc__ = """A wall at one moment: `force` (N) and `torque` (N m) of the grains on it, how far and how fast it has moved."""


class Walls(dict):
    """The walls of one moment by name: sim.walls["floor"].force."""

    def __missing__(self, name):
        raise KeyError(f"no wall is called {name!r}; there are: {', '.join(self) or 'none'}")


class Simulation:
    """A scene brought to life.

    `scene` is a Scene, the name of a file or a dict. What is seen is always the state after the last step.
    """

    def __init__(self, scene):
        self._begin(_scree.Simulation(*as_scene(scene)._arguments()))

    def _begin(self, core):
        self._core = core
        self._looks = []
        self._grains = None
        self._reason = None
        groups, materials = core.names()
        self._names = {"group": groups, "material": materials}

    # ---- Going on

    def run(self, until=None):
        """Runs to a time in s, or to the end of the scene; Ctrl-C and stop() end it earlier, and run() goes on."""
        self._reason = None
        self._core.run_until(self.duration if until is None else float(until), self._call)

    def step(self, count=1):
        """Makes so many time steps."""
        self._reason = None
        self._core.step(int(count), self._call)

    def every(self, seconds):
        """Calls a function after the steps nearest to the multiples of `seconds`, with the simulation:

            @sim.every(0.01)
            def watch(now): ...

        What it raises ends the run after that step and comes out of run().
        """
        def register(look):
            self._core.every(float(seconds))
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
        if self._grains is None or self._grains[0] != self.steps:
            self._grains = self.steps, Grains(self._core.grains(), self._names)
        return self._grains[1]

    @property
    def contacts(self):
        return Contacts(self._core.contacts(), {"wall": list(self.walls)})

    @property
    def walls(self):
        import numpy as np

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

    def save(self, path):
        """Writes a checkpoint, from which Simulation.load() and `scree resume` go on bit for bit."""
        self._core.save(os.fspath(path))

    @classmethod
    def load(cls, path):
        """Goes on from a checkpoint, or from the last good one of a run folder."""
        simulation = cls.__new__(cls)
        simulation._begin(_scree.Simulation.load(os.fspath(path)))
        return simulation

    def __str__(self):
        step, automatic, stable, reason = self._core.time_step()
        return (f"{self._core.grain_count()} grains, law {self._core.law()}, at {self.time:.6g} of {self.duration:.6g} s "
                f"({self.steps} steps)\ntime step {step:.4g} s: {reason} (stable up to {stable:.4g} s)")

    def __repr__(self):
        return f"<scree.Simulation: {self._core.grain_count()} grains at {self.time:.6g} s>"
