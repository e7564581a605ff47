"""scree: a simulator of granular materials.

    import scree
    sim = scree.Simulation(scree.new("packing"))
    sim.run(until=0.1)
    sim.grains.position          # by id, as NumPy arrays

Scenes use the words of the scene file (docs/scene.md), results are those of the command `scree`, to the last bit.
docs/python.md describes every class.
"""
try:
    from . import _scree
except ImportError as _error:
    from ._advice import advice as _advice

    raise ImportError(_advice(_error)) from _error

from ._errors import Error, FileError, InvalidState, SceneError, UsageError
from ._geometry import Body, Distance, Hull, Triangulation, distance
from ._grains import Contacts, Grains
from ._rows import Rows
from ._run import Frame, Run
from ._scene import Scene, new
from ._show import View
from ._simulation import Energy, Simulation, Wall, Walls
from ._study import Study, study
from ._table import Table

__version__ = _scree.version()


def version():
    """The version of scree, as "0.2.0"."""
    return __version__


def threads(count=None):
    """The number of threads for simulations made from now on, and for triangulations and measures; `count` sets it.

    "all" takes as many as the machine runs at once. No result depends on it. It is 1 until it is set.
    """
    if count is not None:
        _scree.set_thread_count(_scree.hardware_thread_count() if count == "all" else int(count))
    return _scree.thread_count()


__all__ = [
    "Body", "Contacts", "Distance", "Energy", "Error", "FileError", "Frame", "Grains", "Hull", "InvalidState", "Rows", "Run", "Scene",
    "SceneError", "Simulation", "Study", "Table", "Triangulation", "UsageError", "View", "Wall", "Walls", "distance", "new",
    "study", "threads", "version",
]
