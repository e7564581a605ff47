"""The rows of the grains: their memory itself."""
import numpy as np

from ._grains import Arrays


class Rows(Arrays):
    """The grains as they lie in memory, without a copy, in the order of storage; what `with sim.rows() as rows` gives.

    `velocity` and `radius_times_spin` may be written; what has changed is booked as external work. Everything else is
    read-only. An index means nothing after the next step: `id` says who a row is. While an array of these lives the
    simulation cannot go on (BufferError): let go of it, or keep a copy.
    """

    _first = "id"

    def __init__(self, core, names, changed):
        super().__init__(None, names)
        self._core, self._changed = core, changed

    def __enter__(self):
        self._core.open_rows()
        try:
            self._fields = self._core.rows()
        except BaseException:
            self._core.close_rows()
            raise
        return self

    def __exit__(self, *what):
        self._fields = None
        self._changed()
        self._core.close_rows()

    def _array(self, name):
        if self._fields is None:
            raise RuntimeError("rows: outside of its `with` block")
        return np.asarray(self._fields[name])

    def __len__(self):
        return len(self._array("id"))

    id = property(lambda self: self._array("id"), doc="Identities.")
    position = property(lambda self: self._array("position"), doc="m, of the centers of mass; (n, 3).")
    radius = property(lambda self: self._array("radius"), doc="m; of bodies that are no spheres, of a ball around them.")
    inverse_mass = property(lambda self: self._array("inverse_mass"), doc="1/kg; 0 for fixed grains.")
    group = property(lambda self: self._named("group"), doc="Names of the groups, copied.")
    material = property(lambda self: self._named("material"), doc="Names of the materials, copied.")

    @property
    def velocity(self):
        """m/s; (n, 3); may be written."""
        return self._written(self._core.velocities)

    @velocity.setter
    def velocity(self, values):
        self.velocity[...] = values

    @property
    def radius_times_spin(self):
        """m rad/s; (n, 3); of spheres and discs; may be written."""
        return self._written(self._core.spins)

    @radius_times_spin.setter
    def radius_times_spin(self, values):
        self.radius_times_spin[...] = values

    def _written(self, memory):
        if self._fields is None:
            raise RuntimeError("rows: outside of its `with` block")
        self._changed()
        return np.asarray(memory())

    def __repr__(self):
        return f"<scree.Rows: {len(self) if self._fields else 'closed'}>"
