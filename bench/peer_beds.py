"""The beds of bench/peers: the same spheres, on disk, for every program; and what is looked at afterwards."""
import math
import pathlib
import random

RADIUS = 1e-3        # m
DENSITY = 2500.0     # kg/m3
YOUNG, POISSON = 1e7, 0.3
FRICTION, RESTITUTION = 0.5, 0.7
STEP = 1e-5          # s: 12 % of the Rayleigh time of a sphere
GRAVITY = 9.81
STIFFNESS = 1000.0   # N/m, linear law
DRAG = 0.02          # kg/s, on every sphere in the first steps: the memory of contacts starts empty
RATIO = 10           # of the radii of the bed with two sizes, equal mass of each
DRUM_RADIUS, DRUM_LENGTH, DRUM_RATE = 0.044, 0.060, 3.0   # m, m, rad/s


def mass(radius):
    return DENSITY * 4 / 3 * math.pi * radius**3


class Bed:
    def __init__(self, folder, name, spheres, low, high):
        self.folder, self.name, self.spheres, self.low, self.high = folder, name, spheres, low, high

    def __len__(self):
        return len(self.spheres)

    def path(self, ending):
        return self.folder / (self.name + ending)

    def write(self):
        """Rows for Yade (.xyz), a data file for LAMMPS and LIGGGHTS (.data), a table for scree (.csv)."""
        with self.path(".xyz").open("w") as file:
            file.writelines("%.10g %.10g %.10g %.10g\n" % sphere for sphere in self.spheres)
        with self.path(".csv").open("w") as file:
            file.write("x,y,z,radius\n")
            file.writelines("%.10g,%.10g,%.10g,%.10g\n" % sphere for sphere in self.spheres)
        with self.path(".data").open("w") as file:
            file.write("bed\n\n%d atoms\n2 atom types\n" % len(self))
            for axis, low, high in zip("xyz", self.low, self.high):
                file.write("%.10g %.10g %slo %shi\n" % (low, high, axis, axis))
            file.write("\nAtoms\n\n")
            for number, (x, y, z, r) in enumerate(self.spheres, 1):
                file.write("%d %d %.10g %.10g %.10g %.10g %.10g\n" % (number, 1 if r < 1.5 * RADIUS else 2, 2 * r, DENSITY, x, y, z))
        return self


def jittered(rng, x, y, z):
    shake = 0.09 * RADIUS
    return x + rng.uniform(-shake, shake), y + rng.uniform(-shake, shake), z + rng.uniform(-shake, shake), RADIUS


def lattice(count, width):
    rng, spacing, spheres = random.Random(1), 2.2 * RADIUS, []
    n = int(width / spacing + 1e-9)
    for site in range(count):
        i, j, k = site % n, site // n % n, site // n // n
        spheres.append(jittered(rng, (i + 0.5) * width / n, (j + 0.5) * width / n, (k + 0.5) * spacing))
    return spheres


def two_sizes(width):
    """32 large and 32 000 small spheres."""
    rng, spacing, large_radius = random.Random(2), 2.2 * RADIUS, RATIO * RADIUS
    large = [(11e-3 + 22e-3 * i, 11e-3 + 22e-3 * j, 16e-3 + 36e-3 * k, large_radius) for k in range(2) for j in range(4) for i in range(4)]
    spheres, n, site = list(large), int(width / spacing + 1e-9), 0
    while len(spheres) < 32032:
        i, j, k = site % n, site // n % n, site // n // n
        site += 1
        sphere = jittered(rng, (i + 0.5) * spacing, (j + 0.5) * spacing, (k + 0.5) * spacing)
        if all(math.dist(sphere[:3], other[:3]) > 1.02 * (large_radius + RADIUS) for other in large):
            spheres.append(sphere)
    return spheres


def drum_filling(count):
    rng, spacing, spheres, layer = random.Random(3), 2.2 * RADIUS, [], 0
    n = int(2 * DRUM_RADIUS / spacing)
    while len(spheres) < count:
        z = -DRUM_RADIUS + (layer + 0.5) * spacing
        layer += 1
        for i in range(n):
            x = (i + 0.5 - n / 2) * spacing
            if math.hypot(x, z) + 1.15 * RADIUS <= DRUM_RADIUS:
                spheres += [jittered(rng, x, (j + 0.5) * spacing, z) for j in range(int(DRUM_LENGTH / spacing))]
    return spheres[:count]


def drum_mesh(path, facets=72):
    """The shell of the drum as triangles, around the circle, so that no sphere starts outside."""
    radius, margin = DRUM_RADIUS / math.cos(math.pi / facets), 0.1 * DRUM_LENGTH
    with pathlib.Path(path).open("w") as file:
        file.write("solid drum\n")
        for k in range(facets):
            a, b = (2 * math.pi * (k + e) / facets for e in (0, 1))
            corners = [(radius * math.cos(t), y, radius * math.sin(t)) for y in (-margin, DRUM_LENGTH + margin) for t in (a, b)]
            for triangle in ((0, 1, 3), (0, 3, 2)):
                file.write("facet normal 0 0 0\nouter loop\n")
                file.writelines("vertex %.9g %.9g %.9g\n" % corners[v] for v in triangle)
                file.write("endloop\nendfacet\n")
        file.write("endsolid drum\n")


# ---- What came out ------------------------------------------------------------------------------------------------

def contacts_per_sphere(rows):
    """Mean number of spheres that a sphere overlaps."""
    small = [row for row in rows if row[3] < 1.5 * RADIUS]
    large = [row for row in rows if row[3] >= 1.5 * RADIUS]
    cells, size, count = {}, 2 * RADIUS, 0

    def touch(p, q):
        return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2 < (p[3] + q[3]) ** 2

    for row in small:
        cells.setdefault((int(row[0] // size), int(row[1] // size), int(row[2] // size)), []).append(row)
    forward = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1) if (a, b, c) > (0, 0, 0)]
    for (i, j, k), own in cells.items():
        count += sum(touch(own[s], q) for s in range(len(own)) for q in own[s + 1:])
        for a, b, c in forward:
            count += sum(touch(p, q) for q in cells.get((i + a, j + b, k + c), ()) for p in own)
    for s, p in enumerate(large):
        count += sum(touch(p, q) for q in small) + sum(touch(p, q) for q in large[s + 1:])
    return 2 * count / len(rows)


def packing_fraction(rows, bed):
    """Of the inner layers, with the exact part of every sphere."""
    heights = sorted(row[2] for row in rows)
    top = heights[int(0.98 * len(heights))]
    low, high, volume = 0.15 * top, 0.8 * top, 0.0
    for _, _, z, r, *_ in rows:
        a, b = max(-r, min(r, low - z)), max(-r, min(r, high - z))
        volume += math.pi * (r * r * (b - a) - (b**3 - a**3) / 3)
    return volume / ((high - low) * bed.high[0] * bed.high[1])


def look_at(rows, bed, shape):
    """Coordination, packing fraction, kinetic energy per weight and diameter: all programs must agree on them."""
    kinetic = sum(0.5 * mass(r) * (u * u + v * v + w * w) for _, _, _, r, u, v, w in rows)
    weight = sum(mass(row[3]) * GRAVITY * 2 * RADIUS for row in rows)
    return {"coordination": "%.2f" % contacts_per_sphere(rows) if len(rows) <= 120000 else "",
            "density": "%.3f" % packing_fraction(rows, bed) if shape == "box" else "",
            "kinetic": "%.1e" % (kinetic / weight), "spheres": len(rows)}
