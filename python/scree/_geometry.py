"""Triangulations and distances."""
import numpy as np

from . import _scree


def _doubles(values):
    return np.ascontiguousarray(values, dtype=float)


class Triangulation:
    """The regular (weighted Delaunay) triangulation of points, exact, in the plane or in space.

    Weights are squared radii; without weights it is Delaunay's. The numbers of spheres are the rows of `points`.
    """

    def __init__(self, points, weights=None, *, snap=0.0):
        points = _doubles(points)
        if points.ndim != 2 or points.shape[1] not in (2, 3):
            from ._errors import UsageError

            raise UsageError(f"points: an array of shape (n, 2) or (n, 3) is needed, not {points.shape}")
        self._core = _scree.Triangulation(points.shape[1], float(snap))
        self._place(points, weights, False)

    def _place(self, points, weights, update):
        points = _doubles(points)
        weights = np.zeros(len(points)) if weights is None else _doubles(weights)
        if weights.shape != points.shape[:1]:
            from ._errors import UsageError

            raise UsageError(f"weights: one for each of {len(points)} points is needed, not {weights.shape}")
        self._core.place(points, weights, update)
        self._size = len(points)

    def update(self, points, weights=None):
        """The same points, moved: repaired, not rebuilt."""
        self._place(points, weights, True)

    def insert(self, point, weight=0.0):
        """Adds a point; returns its number."""
        return self._core.insert(_doubles(point), float(weight))

    def move(self, number, point, weight=0.0):
        self._core.move(int(number), _doubles(point), float(weight))

    def remove(self, number):
        self._core.remove(int(number))

    dimension = property(lambda self: self._core.dimension(), doc="Of the hull of the points: less than 3 if they are flat.")
    edges = property(lambda self: np.asarray(self._core.edges()), doc="(m, 2): i < j, sorted.")
    simplices = property(lambda self: np.asarray(self._core.simplices()), doc="(m, dimension + 1): numbers ascending.")
    hidden = property(lambda self: np.asarray(self._core.hidden()), doc="Points whose cells others cover.")
    cell_volumes = property(lambda self: np.asarray(self._core.cell_volumes()),
                            doc="Of the Laguerre cells (areas in the plane); infinite when unbounded, 0 when hidden.")

    def neighbors(self, number):
        """Numbers of the points that share an edge with this one."""
        return np.asarray(self._core.neighbors(int(number)))

    def validate(self):
        """An empty text, or what is wrong: a defect of scree."""
        return self._core.validate()

    def __repr__(self):
        return f"<scree.Triangulation: {self._size} points>"


class Hull:
    """The convex hull of a cloud of points (n, 3), as a body for distance()."""

    def __init__(self, points):
        self._core = _scree.Hull(_doubles(points))

    vertices = property(lambda self: self._core.vertex_count(), doc="Number of extreme points.")
    dimension = property(lambda self: self._core.dimension(), doc="0 a point, 1 a segment, 2 a polygon, 3 a solid.")

    def __repr__(self):
        return f"<scree.Hull: {self.vertices} vertices>"


class Body:
    """A body of any kind for distance(), convex or not: made by one of the functions of the class, moved by placed()."""

    def __init__(self, core):
        self._core = core

    @classmethod
    def hull(cls, points):
        """The convex hull of points (n, 3)."""
        return cls(_scree.Body.hull(_doubles(points)))

    @classmethod
    def mesh(cls, points, triangles):
        """A surface: rows of three points, by their numbers. A closed one bounds a solid, concave or not."""
        return cls(_scree.Body.mesh(_doubles(points), np.asarray(triangles, dtype=int).tolist()))

    @classmethod
    def sphere(cls, center, radius):
        return cls.capsule(center, center, radius)

    @classmethod
    def capsule(cls, start, end, radius):
        return cls(_scree.Body.capsule(_doubles(start).tolist(), _doubles(end).tolist(), float(radius)))

    @classmethod
    def ellipsoid(cls, half_axes):
        return cls(_scree.Body.ellipsoid(_doubles(half_axes).tolist()))

    @classmethod
    def curve(cls, degree, knots, points, weights=None):
        """A spline (NURBS): as many knots as points + degree + 1; weights are one where they are left out."""
        return cls._spline(degree, knots, 0, (0, 1), points, weights)

    @classmethod
    def surface(cls, degree_u, knots_u, degree_v, knots_v, points, weights=None):
        """The skin of a spline surface; points (n, m, 3), or rows of constant u one after the other."""
        return cls._spline(degree_u, knots_u, degree_v, knots_v, points, weights)

    @classmethod
    def _spline(cls, degree_u, knots_u, degree_v, knots_v, points, weights):
        weights = [] if weights is None else _doubles(weights).ravel().tolist()
        knots_u, knots_v = _doubles(knots_u).tolist(), _doubles(knots_v).tolist()
        points = _doubles(points)
        return cls(_scree.Body.spline(int(degree_u), knots_u, int(degree_v), knots_v, points.reshape(-1, points.shape[-1]), weights))

    @classmethod
    def united(cls, bodies):
        return cls(_scree.Body.united([body._core for body in bodies]))

    def placed(self, rotation=((1, 0, 0), (0, 1, 0), (0, 0, 1)), position=(0, 0, 0)):
        """The body turned about the origin by a matrix, then moved."""
        return Body(self._core.placed(_doubles(rotation).tolist(), _doubles(position).tolist()))

    def swept(self, radius):
        """The body swept by a ball."""
        return Body(self._core.swept(float(radius)))


class Distance:
    """An answer of distance().

    `value` is 0 when the bodies meet. `relation` is "apart", "touching" or "overlapping", exact for the numbers given.
    `normal` goes from a to b; None when no plane separates the bodies. `exact` is the value in decimal, correctly
    rounded, when `digits` were asked for.
    """

    def __init__(self, parts, exact):
        self.value, self.relation, a, b, normal, self.iterations = parts
        self.point_a, self.point_b = np.asarray(a), np.asarray(b)
        self.normal = None if normal is None else np.asarray(normal)
        self.exact = exact

    def __float__(self):
        return self.value

    def __repr__(self):
        return f"<scree.Distance: {self.exact or repr(self.value)}, {self.relation}>"


def distance(a, b, digits=None):
    """The distance of two bodies: of any kind (Body), Hulls, or clouds of points, whose hulls are meant. `digits`, of hulls
    alone: as exact decimal text, too."""
    if isinstance(a, Body) or isinstance(b, Body):
        if digits is not None or isinstance(a, Hull) or isinstance(b, Hull):
            from ._errors import UsageError

            raise UsageError("distance: a Body has no exact digits and no Hull beside it; give two Hulls, or make a Body.hull()")
        a, b = (body if isinstance(body, Body) else Body.hull(body) for body in (a, b))
        return Distance(_scree.body_distance(a._core, b._core), None)
    a = a if isinstance(a, Hull) else Hull(a)
    b = b if isinstance(b, Hull) else Hull(b)
    exact = None if digits is None else _scree.exact_distance(a._core, b._core, int(digits))
    return Distance(_scree.distance(a._core, b._core), exact)
