"""Grains and contacts as arrays."""
import numpy as np


class Arrays:
    """Fields of records as NumPy arrays, by name."""

    def __init__(self, fields, names=None):
        self._fields = fields
        self._lookup = names or {}  # of fields whose numbers stand for names: field -> names

    def __len__(self):
        return len(memoryview(self._fields[self._first]))

    def _array(self, name):
        return np.asarray(self._fields[name])

    def _named(self, field, none=""):
        names = np.array([*self._lookup[field], none])
        return names[self._array(field)]


class Grains(Arrays):
    """All grains of one moment, by rising id: copies, read-only, that stay as they are.

    Index k is the same grain in all fields of one object; in another moment it may be another grain, for grains come and
    go: `id` says who it is.
    """

    _first = "id"

    id = property(lambda self: self._array("id"), doc="Identities, rising; from 0 on, never given twice.")
    position = property(lambda self: self._array("position"), doc="m, of the centers of mass; (n, 3).")
    velocity = property(lambda self: self._array("velocity"), doc="m/s; (n, 3).")
    spin = property(lambda self: self._array("spin"), doc="rad/s; (n, 3).")
    radius = property(lambda self: self._array("radius"), doc="m; of bodies that are no spheres, of a ball around them.")
    mass = property(lambda self: self._array("mass"), doc="kg; infinite for fixed grains.")
    orientation = property(lambda self: self._array("orientation"), doc="Unit quaternions w, x, y, z; (n, 4).")
    scale = property(lambda self: self._array("scale"), doc="Size as a multiple of the shape.")
    shape = property(lambda self: self._array("shape"), doc="Number of the shape in the scene; -1: a sphere.")
    group = property(lambda self: self._named("group"), doc="Names of the groups.")
    material = property(lambda self: self._named("material"), doc="Names of the materials.")

    def __repr__(self):
        return f"<scree.Grains: {len(self)}>"


class Contacts(Arrays):
    """All contacts of one moment: copies, read-only. Of two grains a and b, or of grain a and a wall."""

    _first = "a"

    a = property(lambda self: self._array("a"), doc="Identity of the first grain.")
    b = property(lambda self: self._array("b"), doc="Identity of the second one; means nothing at walls.")
    wall = property(lambda self: self._array("wall"), doc="Number of the wall; -1 between grains.")
    wall_name = property(lambda self: self._named("wall"), doc="Name of the wall; empty between grains.")
    overlap = property(lambda self: self._array("overlap"), doc="m.")
    point = property(lambda self: self._array("point"), doc="m; where the contact acts; (n, 3).")
    normal = property(lambda self: self._array("normal"), doc="Unit vectors from b, or the wall, to a; (n, 3).")
    force = property(lambda self: self._array("force"), doc="N, on a; b gets the opposite; (n, 3).")
    elastic_energy = property(lambda self: self._array("elastic_energy"), doc="J, stored.")

    def __repr__(self):
        return f"<scree.Contacts: {len(self)}>"
