#!/usr/bin/python3
"""Writes grain.stl beside itself: a lumpy grain of sand with hollows, inside a ball of radius 1. Another seed, another grain:
make_grain.py [SEED]"""
import math
import pathlib
import random
import sys

rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 4)

# An icosahedron, its triangles cut in four.
g = (1 + math.sqrt(5)) / 2
points = [(s, t * g, 0.0) for s in (-1, 1) for t in (-1, 1)]
points += [(0.0, s, t * g) for s in (-1, 1) for t in (-1, 1)] + [(t * g, 0.0, s) for s in (-1, 1) for t in (-1, 1)]


def unit(p):
    length = math.sqrt(sum(x * x for x in p))
    return tuple(x / length for x in p)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


points = [unit(p) for p in points]
edge = min(dot(minus(a, b), minus(a, b)) for a in points for b in points if a is not b)
near = lambda a, b: abs(dot(minus(a, b), minus(a, b)) - edge) < 1e-6
triangles = []
for i, a in enumerate(points):
    for j in range(i + 1, 12):
        for k in range(j + 1, 12):
            b, c = points[j], points[k]
            if near(a, b) and near(b, c) and near(a, c):
                out = dot(cross(minus(b, a), minus(c, a)), a) > 0
                triangles.append((i, j, k) if out else (i, k, j))
for _ in range(1):
    middles, finer = {}, []

    def middle(i, j):
        key = (min(i, j), max(i, j))
        if key not in middles:
            middles[key] = len(points)
            points.append(unit(tuple(x + y for x, y in zip(points[i], points[j]))))
        return middles[key]

    for i, j, k in triangles:
        a, b, c = middle(i, j), middle(j, k), middle(k, i)
        finer += [(i, a, c), (a, j, b), (c, b, k), (a, b, c)]
    triangles = finer

# Lumps and hollows: smooth bumps of the radius around random directions; then stretched along one axis.
bumps = [(unit([rng.gauss(0, 1) for _ in range(3)]), rng.uniform(0.05, 0.18), rng.uniform(0.5, 0.9)) for _ in range(7)]
bumps += [(unit([rng.gauss(0, 1) for _ in range(3)]), rng.uniform(-0.42, -0.3), rng.uniform(0.6, 0.8)) for _ in range(2)]
grain = []
for p in points:
    r = 1 + sum(height * math.exp(-((math.acos(max(-1, min(1, dot(p, at)))) / width) ** 2)) for at, height, width in bumps)
    grain.append((1.15 * r * p[0], 0.95 * r * p[1], 0.9 * r * p[2]))
size = max(math.sqrt(dot(p, p)) for p in grain)
grain = [tuple(x / size for x in p) for p in grain]

lines = ["solid grain"]
for t in triangles:
    a, b, c = (grain[k] for k in t)
    lines.append("facet normal %.7g %.7g %.7g\nouter loop" % unit(cross(minus(b, a), minus(c, a))))
    lines += ["vertex %.7g %.7g %.7g" % p for p in (a, b, c)]
    lines.append("endloop\nendfacet")
lines.append("endsolid grain")
pathlib.Path(__file__).with_name("grain.stl").write_text("\n".join(lines) + "\n")
