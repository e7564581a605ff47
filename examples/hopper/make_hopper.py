#!/usr/bin/python3
"""Writes hopper.stl beside itself: a bin with a square mouth that narrows to a round outlet. Lengths in millimetres."""
import math
import pathlib

SIDE, TOP, KNEE, OUTLET, AROUND = 30.0, 130.0, 35.0, 12.0, 32  # half width of the bin, heights, radius of the outlet, corners


def square(angle):
    """Where a ray at this angle leaves the square."""
    x, y = math.cos(angle), math.sin(angle)
    reach = SIDE / max(abs(x), abs(y))
    return x * reach, y * reach


def ring(height, shape):
    return [(*shape(2 * math.pi * k / AROUND), height) for k in range(AROUND)]


def normal(a, b, c):
    u, v = [[q - p for p, q in zip(a, other)] for other in (b, c)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = math.sqrt(sum(x * x for x in n))
    return [x / length for x in n]


rings = [
    ring(TOP, square),
    ring(KNEE, square),
    ring(0.0, lambda t: (OUTLET * math.cos(t), OUTLET * math.sin(t))),
]
lines = ["solid hopper"]
for upper, lower in zip(rings, rings[1:]):
    for k in range(AROUND):
        a, b, c, d = upper[k], upper[(k + 1) % AROUND], lower[(k + 1) % AROUND], lower[k]
        for triangle in ((a, b, c), (a, c, d)):
            lines.append("facet normal %.9g %.9g %.9g" % tuple(normal(*triangle)))
            lines.append("outer loop")
            lines += ["vertex %.9g %.9g %.9g" % p for p in triangle]
            lines.append("endloop\nendfacet")
lines.append("endsolid hopper")
pathlib.Path(__file__).with_name("hopper.stl").write_text("\n".join(lines) + "\n")
