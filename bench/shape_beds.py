"""Beds of grains that are not spheres, for the scripts that measure their speed: scenes, copies laid side by side, runs."""
import json
import math
import random
import resource
import subprocess
import sys

EDGE = 2e-3
STRETCH = 1.008             # of tiled beds: contacts must not overlap at the start
SHAPES = {
    "rod": 'kind = "spherocylinder"\nlength = 2e-3\nradius = 5e-4',
    "cube": 'kind = "spheropolyhedron"\nsolid = "cube"\nlength = 2e-3\nradius = 1e-4\nerode = true',
    "dodecahedron": 'kind = "spheropolyhedron"\nsolid = "dodecahedron"\nlength = 8e-4\nradius = 1e-4\nerode = true',
    "sphere": None,
}


def fibonacci(n, radius):
    points = []
    for k in range(n):
        z = 1 - (2 * k + 1) / n
        r, a = math.sqrt(1 - z * z), k * math.pi * (3 - math.sqrt(5))
        points.append([radius * r * math.cos(a), radius * r * math.sin(a), radius * z])
    return points


SHAPES["pebble64"] = 'kind = "spheropolyhedron"\nvertices = %s\nradius = 1e-4' % json.dumps(fibonacci(64, 1e-3))
SHAPES["clump8"] = 'kind = "cluster"\nspheres = %s' % json.dumps(
    [[x * 5e-4, y * 5e-4, z * 5e-4, 5e-4] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])


def tiled(rows, tiles, width):
    """Copies side by side, nearly square, all a little apart."""
    across = max(k for k in range(1, tiles + 1) if tiles % k == 0 and k * k <= tiles)
    out = []
    for t in range(tiles):
        dx, dy = t // across * width, t % across * width
        for row in rows:
            place = [STRETCH * (float(row["x"]) + dx), STRETCH * (float(row["y"]) + dy), STRETCH * float(row["z"]) + 1e-6]
            out.append(place + [float(row.get(k) or v) for k, v in (("qw", 1), ("qx", 0), ("qy", 0), ("qz", 0))] + [0, 0, 0, 1e-3])
    return out, (STRETCH * width * (tiles // across), STRETCH * width * across)


def scene(folder, name, count, duration, start, tile=None):
    side = max(4, round((count / 0.75) ** (1 / 3)))
    space = 1.9 * EDGE
    wide = (side * space, side * space)
    rows, rnd = [], random.Random(1)
    for k in range(count):
        i, j, layer = k % side, k // side % side, k // (side * side)
        q = [rnd.gauss(0, 1) for _ in range(4)]
        n = math.sqrt(sum(c * c for c in q))
        rows.append([(i + .5) * space, (j + .5) * space, (layer + .5) * space] + [c / n for c in q] + [rnd.uniform(-.1, .1), rnd.uniform(-.1, .1), -.2, 1e-3])
    if tile:
        rows, wide = tiled(tile[0], tile[1], side * space)
    (folder / "bed.csv").write_text("x,y,z,qw,qx,qy,qz,vx,vy,vz,radius\n" + "\n".join(",".join("%.9g" % v for v in r) for r in rows) + "\n")
    shape = f'[shapes.body]\n{SHAPES[name]}\n' if SHAPES[name] else ""
    grains = "" if start else f'[[grains]]\nname = "bodies"\n{"shape = " + chr(34) + "body" + chr(34) if SHAPES[name] else ""}\nplace = {{ file = "{folder}/bed.csv" }}\n'
    if start:
        grains = f'[start]\nfrom = "{start}"\n' + f'[[grains]]\nname = "bodies"\n{"shape = " + chr(34) + "body" + chr(34) if SHAPES[name] else "radius = 1e-3"}\nplace = {{ random = "none", count = 0 }}\n'
    layers = count // (side * side) + 3
    return f'''[simulation]
duration = {duration}
overlap_limit = 1
[materials.stone]
density = 2500
friction = 0.5
restitution = 0.3
tangential_restitution = 0.5
contact_time = {2.5e-4 if name in ('dodecahedron', 'pebble64') else 4e-4}
{shape}
[[regions]]
name = "none"
box = [[0, 0, 0], [{wide[0]}, {wide[1]}, {layers * space}]]
{grains}
[[walls]]
name = "box"
kind = "box"
min = [0, 0, 0]
max = [{wide[0]}, {wide[1]}, {layers * space}]
[output]
frames = 0
series = 0
checkpoint = 0
'''


def run(program, folder, name, text, threads):
    """What a run of the scene reports, and its processor time. `program` is a command, its first words."""
    path = folder / f"{name}.toml"
    path.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*program, "run", str(path), "-o", str(folder / name), "--force", "--threads", str(threads), "--json", "-q"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
