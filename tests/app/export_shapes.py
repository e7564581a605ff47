#!/usr/bin/python3
"""Grains that are not spheres in every exported format, read back by somebody else's reader: volumes in closed form, places,
turns and sizes, and the picture ray by ray."""
import csv
import math
import re
import struct
import subprocess
import unittest

import numpy
import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

from harness import Case

# A bracket as a text STL: 3 mm by 2 mm by 1 mm without a corner of 2 mm by 1 mm.
OUTLINE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]
BRACKET_VOLUME = 4e-9


def bracket():
    low, high = [(x, y, 0) for x, y in OUTLINE], [(x, y, 1) for x, y in OUTLINE]
    triangles = []
    for corners in ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)):
        triangles += [[high[k] for k in corners], [low[k] for k in reversed(corners)]]
    for k in range(6):
        n = (k + 1) % 6
        triangles += [[low[k], low[n], high[n]], [low[k], high[n], high[k]]]
    facets = "".join("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in t) + "endloop\nendfacet\n" for t in triangles)
    return f"solid bracket\n{facets}endsolid bracket\n"


SCENE = """
[simulation]
duration = 1e-3
gravity = [0, 0, 0]
[materials.m]
contact_time = 1e-3
density = 1000
[shapes.rod]
kind = "spherocylinder"
length = 4e-3
radius = 1e-3
[shapes.die]
kind = "spheropolyhedron"
solid = "cube"
length = 4e-3
radius = 5e-4
erode = true
[shapes.chip]
kind = "spheropolyhedron"
vertices = [[0, 0, 0], [3e-3, 3e-3, 3e-3], [3e-3, 3e-3, 7e-3], [0, 0, 4e-3]]
radius = 4e-4
[shapes.clump]
kind = "cluster"
spheres = [[0, 0, 0, 1.5e-3], [2e-3, 0, 0, 1e-3]]
[shapes.bracket]
kind = "mesh"
file = "bracket.stl"
scale = 1e-3
radius = 1e-4
erode = true
[[grains]]
name = "rods"
shape = "rod"
orientation = { axis = [1, 2, -1], angle = 1.1 }
scale = 1.5
velocity = [0.01, 0, 0]
spin = [0, 20, 5]
place = { at = [[0, 0, 0], [0, 0.012, 0.004]] }
[[grains]]
name = "dice"
shape = "die"
orientation = { axis = [0.2, 1, 0.4], angle = 0.7 }
place = { at = [[0.012, 0, 0], [0.012, 0.01, 0.003]] }
[[grains]]
name = "chips"
shape = "chip"
orientation = { axis = [1, 0, 0.3], angle = 0.5 }
place = { at = [[0.024, 0, 0.002]] }
[[grains]]
name = "clumps"
shape = "clump"
orientation = { axis = [0, 1, 1], angle = 2 }
place = { at = [[0.024, 0.01, 0]] }
[[grains]]
name = "brackets"
shape = "bracket"
orientation = { axis = [0.5, -1, 0.4], angle = 2.2 }
scale = 2
place = { at = [[0.036, 0, 0]] }
[[grains]]
name = "balls"
radius = 2e-3
place = { at = [[0.036, 0.01, 0.002]] }
[output]
frames = 1e-3
"""
PLANE = """
[simulation]
dimension = 2
duration = 1e-3
gravity = [0, 0]
[materials.m]
contact_time = 1e-3
[shapes.rod]
kind = "spherocylinder"
length = 4e-3
radius = 1e-3
[shapes.tile]
kind = "spheropolyhedron"
vertices = [[0, 0], [4e-3, 0], [4e-3, 3e-3]]
radius = 5e-4
[[grains]]
name = "rods"
shape = "rod"
orientation = { angle = 0.5 }
place = { at = [[0, 0]] }
[[grains]]
name = "tiles"
shape = "tile"
orientation = { angle = -1.2 }
place = { at = [[0.01, 0]] }
[[grains]]
name = "discs"
radius = 2e-3
place = { at = [[0.02, 0]] }
[output]
frames = 1e-3
"""


def ball(r):
    return 4 / 3 * math.pi * r**3


def rounded(volume, area, edges, r):
    """Steiner: volume, area, and the sum of length times outer angle of the edges of what is rounded by r."""
    return volume + area * r + edges * r * r / 2 + ball(r)


def lens(a, b, d):
    """What two balls have in common."""
    return math.pi * (a + b - d) ** 2 * (d * d + 2 * d * (a + b) - 3 * (a - b) ** 2) / (12 * d)


EDGE = 4e-3 - 2 * 5e-4
SIDES = (math.sqrt(27) * 1e-3, 4e-3)  # of the chip, a parallelogram of height 4 mm over a diagonal
CHIP_AREA = math.sqrt(18) * 1e-3 * 4e-3
VOLUMES = {
    "rod": math.pi * 1e-6 * 4e-3 + ball(1e-3),
    "die": rounded(EDGE**3, 6 * EDGE**2, 12 * EDGE * math.pi / 2, 5e-4),
    "chip": rounded(0, 2 * CHIP_AREA, 2 * sum(SIDES) * math.pi, 4e-4),
    "clump": ball(1.5e-3) + ball(1e-3) - lens(1.5e-3, 1e-3, 2e-3),
    "bracket": BRACKET_VOLUME,
    "sphere": ball(1),
}
SCALES = {"rod": 1.5, "bracket": 2, "sphere": 2e-3}


def polydata(path):
    reader = vtk.vtkXMLPolyDataReader() if str(path).endswith(".vtp") else vtk.vtkSTLReader()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def parts(mesh):
    """The closed surfaces that a mesh consists of: (volume, center, mesh) each, by VTK. Fails where one is open."""
    clean = vtk.vtkCleanPolyData()
    clean.SetInputData(mesh)
    clean.SetTolerance(0)
    edges = vtk.vtkFeatureEdges()
    edges.SetInputConnection(clean.GetOutputPort())
    edges.FeatureEdgesOff(), edges.BoundaryEdgesOn(), edges.NonManifoldEdgesOn()
    edges.Update()
    assert edges.GetOutput().GetNumberOfCells() == 0, f"{edges.GetOutput().GetNumberOfCells()} edges are open or have more than two faces"
    connected = vtk.vtkPolyDataConnectivityFilter()
    connected.SetInputConnection(clean.GetOutputPort())
    connected.SetExtractionModeToSpecifiedRegions()
    connected.Update()
    out = []
    for k in range(connected.GetNumberOfExtractedRegions()):
        connected.InitializeSpecifiedRegionList()
        connected.AddSpecifiedRegion(k)
        connected.Update()
        part = vtk.vtkCleanPolyData()
        part.SetInputConnection(connected.GetOutputPort())
        part.Update()
        piece = vtk.vtkPolyData()
        piece.DeepCopy(part.GetOutput())
        corners = vtk_to_numpy(piece.GetPoints().GetData()).astype(float)[vtk_to_numpy(piece.GetPolys().GetConnectivityArray()).reshape(-1, 3)]
        signed = numpy.einsum("ij,ij->i", corners[:, 0], numpy.cross(corners[:, 1], corners[:, 2])) / 6
        center = (signed[:, None] * corners.sum(axis=1) / 4).sum(axis=0) / signed.sum()
        out.append((signed.sum(), center, piece))
    return out


def turned(q, points):
    w, v = q[0], numpy.array(q[1:])
    return points + 2 * numpy.cross(v, numpy.cross(v, points) + w * points)


class Shapes(Case):
    def setUp(self):
        super().setUp()
        self.write("bracket.stl", bracket())
        self.write("scene.toml", SCENE)
        self.scree("run", "scene.toml", "-o", "run", "-q")
        self.scree("export", "run", "--format", "csv", "-o", "csv", "--frames", "-1")
        with open(next((self.folder / "csv").iterdir()), newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.position = numpy.array([[float(row[axis]) for axis in "xyz"] for row in self.rows])

    def one(self, pattern):
        """The last file of these."""
        return sorted(self.folder.glob(pattern))[-1]

    def quaternion(self, row):
        return [float(row[name]) for name in ("qw", "qx", "qy", "qz")]

    def true_volume(self, row):
        return VOLUMES[row["shape"]] * SCALES.get(row["shape"], 1) ** 3

    def check_parts(self, found, precise=False):
        """Every closed part belongs to the grain it lies at; volumes are those in closed form, less what facets cut off."""
        volume = dict.fromkeys(range(len(self.rows)), 0)
        for size, center, _ in found:
            self.assertGreater(size, 0, "faces look outwards")
            grain = int(numpy.argmin(numpy.linalg.norm(self.position - center, axis=1)))
            volume[grain] += size
            if self.rows[grain]["shape"] != "clump":  # whose balls are two parts that overlap
                self.assertLess(numpy.linalg.norm(self.position[grain] - center), 2e-6)
        self.assertEqual(len(found), len(self.rows) + 1)
        for grain, row in enumerate(self.rows):
            true = ball(1.5e-3) + ball(1e-3) if row["shape"] == "clump" else self.true_volume(row)
            self.assertLess(volume[grain], true * (1 + 1e-5), row["shape"])
            self.assertGreater(volume[grain], true * (0.95 if row["shape"] != "bracket" else 1 - 1e-5), row["shape"])

    def test_masses_are_those_of_closed_forms(self):
        for row in self.rows:
            self.assertAlmostEqual(float(row["mass"]) / (1000 * self.true_volume(row)), 1, delta=2e-3 if row["shape"] == "clump" else 1e-9, msg=row["shape"])

    def test_csv_turns_the_mesh_of_the_run_into_place(self):
        self.scree("export", "run", "--format", "stl", "-o", "stl")
        written = parts(polydata(self.one("stl/grains_*.stl")))
        for k, row in enumerate(self.rows):
            if row["shape"] in ("clump", "sphere"):
                continue
            mesh = polydata(self.folder / f"run/shapes/{row['shape']}.stl")
            points = self.position[k] + float(row["scale"]) * turned(self.quaternion(row), vtk_to_numpy(mesh.GetPoints().GetData()).astype(float))
            same = min(written, key=lambda part: numpy.linalg.norm(part[1] - self.position[k]))[2].GetBounds()
            numpy.testing.assert_allclose(numpy.array(same).reshape(3, 2), numpy.column_stack([points.min(axis=0), points.max(axis=0)]), atol=2e-8)
        # Turned by what the scene says: in a thousandth of a second spins have added 0.02 rad.
        die = next(row for row in self.rows if row["shape"] == "die")
        axis = numpy.array([0.2, 1, 0.4]) / numpy.linalg.norm([0.2, 1, 0.4])
        face = turned([math.cos(0.35), *(math.sin(0.35) * axis)], numpy.eye(3))
        body = turned(self.quaternion(die), numpy.eye(3))
        numpy.testing.assert_allclose(numpy.abs(face @ body.T).max(axis=1), 1, atol=1e-6)

    def test_an_exported_frame_read_back_gives_the_same_bodies(self):
        """Of shapes that are given neither about their centers nor along their principal axes."""
        shapes = SCENE.split("[[grains]]")[0]
        for shape in ("chip", "bracket", "rod"):
            mine = [row for row in self.rows if row["shape"] == shape]
            self.write("bed.csv", "\n".join(",".join(row.values()) for row in [dict(zip(mine[0], mine[0])), *mine]) + "\n")
            self.write("again.toml", shapes + f'[[grains]]\nshape = "{shape}"\nplace = {{ file = "bed.csv" }}\n')
            self.scree("run", "again.toml", "-o", "again", "-q", "--force")
            self.scree("export", "again", "--format", "csv", "-o", "again-csv", "--frames", "0")
            with open(self.one("again-csv/*.csv"), newline="") as file:
                again = list(csv.DictReader(file))
            self.assertEqual(len(again), len(mine))
            for before, after in zip(mine, again):
                for name in ("x", "y", "z", "scale", "radius", "mass", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"):
                    digits = 1e-6 if name[0] in "vw" else 1e-12  # frames have velocities as floats
                    self.assertAlmostEqual(float(before[name]), float(after[name]), delta=digits * max(1, abs(float(before[name]))), msg=f"{shape} {name}")

    def test_glued_clusters_are_exported_and_read_back_as_spheres(self):
        head = 'simulation = { duration = 1e-3 }\nmaterials = { m = {} }\n'
        glued = 'shapes = { soft = { kind = "cluster", spheres = [[0, 0, 0, 1e-3], [2e-3, 0, 0, 1.1e-3]], glue = { strength = 0.1 } } }\n'
        self.write("glued.toml", head + glued + 'grains = [{ shape = "soft", place = { at = [[0, 0, 0]] } }]\n')
        self.scree("run", "glued.toml", "-o", "glued", "-q")
        self.scree("export", "glued", "--format", "csv", "-o", "glued-csv", "--frames", "0")
        path = self.one("glued-csv/*.csv")
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["shape"] for row in rows], ["sphere", "sphere"])
        self.assertEqual([float(row["radius"]) for row in rows], [1e-3, 1.1e-3])
        self.write("spheres.toml", head + f'grains = [{{ place = {{ file = "{path}" }} }}]\n')
        self.scree("check", "spheres.toml")
        self.write("clusters.toml", head + glued + f'grains = [{{ shape = "soft", place = {{ file = "{path}" }} }}]\n')
        _, err = self.scree("check", "clusters.toml", expect=3)
        self.assertIn(":2:", err)
        self.assertIn("a grain of the shape 'sphere' in a file for a group of the shape 'soft'", err)

    def test_stl_is_closed_and_has_the_volumes(self):
        self.scree("export", "run", "--format", "stl", "-o", "stl")
        path = self.one("stl/grains_*.stl")
        self.check_parts(parts(polydata(path)))
        # And by a program made to find what is wrong with STL files.
        said = subprocess.run(["admesh", str(path)], capture_output=True, text=True, check=True).stdout
        table = {name.strip(): [float(v) for v in values.split()] for name, values in re.findall(r"^([A-Z][\w /-]+?)\s*:((?:\s+-?[\d.]+)+)$", said, re.M)}
        for name in ("Total disconnected facets", "Degenerate facets", "Edges fixed", "Facets removed", "Facets added", "Facets reversed", "Backwards edges"):
            self.assertEqual(set(table[name]), {0}, f"{name}\n{said}")
        self.assertEqual(int(re.search(r"Number of parts\s*:\s*(\d+)", said).group(1)), len(self.rows) + 1, said)

    def test_vtk_bodies(self):
        self.scree("export", "run", "--format", "vtk", "-o", "vtk", "--frames", "-1")
        mesh = polydata(self.one("vtk/bodies_*.vtp"))
        self.check_parts(parts(mesh))
        owner = vtk_to_numpy(mesh.GetCellData().GetArray("id"))
        self.assertEqual(sorted(set(owner)), [int(row["id"]) for row in self.rows])
        self.assertIn(self.one("vtk/bodies_*.vtp").name, (self.folder / "vtk/run.pvd").read_text())

    def test_lammps_has_orientations_sizes_and_meshes_of_radius_one(self):
        from ase.io import read

        self.scree("export", "run", "--format", "lammps", "-o", "lammps", "--frames", "-1")
        path = self.folder / "lammps/dump.lammpstrj"
        numpy.testing.assert_allclose(read(path, format="lammps-dump-text").get_positions(), self.position, rtol=1e-12, atol=1e-15)
        atoms = path.read_text().split("ITEM: ATOMS ")[1].strip().split("\n")
        table = [dict(zip(atoms[0].split(), map(float, line.split()))) for line in atoms[1:]]
        self.scree("export", "run", "--format", "stl", "-o", "stl")
        written = parts(polydata(self.one("stl/grains_*.stl")))
        for k, (row, atom) in enumerate(zip(self.rows, table)):
            self.assertEqual([atom[name] for name in ("quatw", "quati", "quatj", "quatk")], self.quaternion(row))
            if row["shape"] == "sphere":
                self.assertAlmostEqual(atom["shapex"], 2 * atom["radius"], delta=1e-12)
                continue
            points = vtk_to_numpy(polydata(self.folder / f"lammps/{row['shape']}.stl").GetPoints().GetData()).astype(float)
            # Corners of a mesh are sharper than its rounded pieces, by which its radius is told.
            self.assertLessEqual(numpy.linalg.norm(points, axis=1).max(), 1.05 if row["shape"] == "bracket" else 1 + 1e-6)
            sizes = atom["radius"] * (points.max(axis=0) - points.min(axis=0))
            numpy.testing.assert_allclose(sizes, [atom["shapex"], atom["shapey"], atom["shapez"]], rtol=0.02)
            if row["shape"] == "clump":
                continue
            drawn = self.position[k] + atom["radius"] * turned(self.quaternion(row), points)
            same = min(written, key=lambda part: numpy.linalg.norm(part[1] - self.position[k]))[2].GetBounds()
            numpy.testing.assert_allclose(numpy.array(same).reshape(3, 2), numpy.column_stack([drawn.min(axis=0), drawn.max(axis=0)]), atol=2e-8)

    def test_x3d_read_by_assimp(self):
        self.scree("export", "run", "--format", "x3d", "-o", "x3d")
        made = subprocess.run(["assimp", "export", str(self.one("x3d/frame_*.x3d")), str(self.folder / "x3d.stl")], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        self.check_parts(parts(polydata(self.folder / "x3d.stl")))

    def test_povray_picture_ray_by_ray(self):
        """What POV-Ray draws of the exact bodies is what rays through its camera meet of the triangles of the STL."""
        self.scree("export", "run", "--format", "stl", "-o", "stl")
        self.scree("export", "run", "--format", "povray", "-o", "pov")
        text = self.one("pov/frame_*.pov").read_text()
        # No light and no shade: a grain is where the picture is not white.
        text = re.sub(r"light_source[^\n]*\n", "", text)
        text = re.sub(r"finish \{ ambient 0\.15 [^}]*\}", "finish { ambient 1 diffuse 0 }", text)
        (self.folder / "flat.pov").write_text(text)
        width, height = 240, 180
        made = subprocess.run(["povray", "+Iflat.pov", "+Oflat.png", f"+W{width}", f"+H{height}", "-D", "-A", "+WT1"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr[-2000:])
        reader = vtk.vtkPNGReader()
        reader.SetFileName(str(self.folder / "flat.png"))
        reader.Update()
        pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars()).reshape(height, width, -1)[::-1, :, :3]
        drawn = (pixels.astype(int).min(axis=2) < 235)

        vector = lambda name: numpy.array([float(v) for v in re.search(rf"{name} <([^>]*)>", text).group(1).split(",")])
        eye, sky, target, angle = vector("location"), vector("sky"), vector("look_at"), math.radians(float(re.search(r"angle ([\d.]+)", text).group(1)))
        forward = (target - eye) / numpy.linalg.norm(target - eye)
        right = numpy.cross(forward, sky)
        right /= numpy.linalg.norm(right)
        up = numpy.cross(right, forward)
        locator = vtk.vtkStaticCellLocator()
        mesh = polydata(self.one("stl/grains_*.stl"))
        locator.SetDataSet(mesh)
        locator.BuildLocator()
        met = numpy.zeros((height, width), bool)
        far = 2 * numpy.linalg.norm(target - eye)
        t, where, local, part, cell = vtk.mutable(0.0), [0.0] * 3, [0.0] * 3, vtk.mutable(0), vtk.mutable(0)
        for j in range(height):
            for i in range(width):
                x, y = (2 * (i + 0.5) / width - 1) * math.tan(angle / 2), (1 - 2 * (j + 0.5) / height) * math.tan(angle / 2) * height / width
                met[j, i] = locator.IntersectWithLine(eye, eye + far * (forward + x * right + y * up), 0, t, where, local, part, cell)
        self.assertGreater(met.mean(), 0.03)
        # Borders differ by a pixel here and there, where facets lie inside what is round.
        inner = met[1:-1, 1:-1] & met[:-2, 1:-1] & met[2:, 1:-1] & met[1:-1, :-2] & met[1:-1, 2:]
        outer = met[1:-1, 1:-1] | met[:-2, 1:-1] | met[2:, 1:-1] | met[1:-1, :-2] | met[1:-1, 2:]
        self.assertEqual(int((inner & ~drawn[1:-1, 1:-1]).sum()), 0)
        self.assertEqual(int((drawn[1:-1, 1:-1] & ~outer).sum()), 0)
        self.assertGreater((met & drawn).sum() / (met | drawn).sum(), 0.97)

    def test_plates_in_the_plane(self):
        self.write("plane.toml", PLANE)
        self.scree("run", "plane.toml", "-o", "plane", "-q")
        self.scree("export", "plane", "--format", "stl", "-o", "flat")
        found = sorted(parts(polydata(self.one("flat/grains_*.stl"))), key=lambda part: part[1][0])
        rod, tile, disc = (part[0] for part in found)
        for got, true in ((rod, (8e-6 + math.pi * 1e-6) * 1e-3), (tile, (6e-6 + 12e-3 * 5e-4 + math.pi * 25e-8) * 5e-4), (disc, math.pi * 4e-6 * 5e-4)):
            self.assertLess(got, true * (1 + 1e-5))
            self.assertGreater(got, 0.985 * true)
        for form in ("povray", "x3d", "lammps", "csv", "vtk"):
            self.scree("export", "plane", "--format", form, "-o", form)
        made = subprocess.run(["povray", f"+I{self.one('povray/frame_*.pov')}", "+Oplane.png", "+W120", "+H90", "-D", "+WT1"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr[-2000:])
        # The spherocylinder lies along (cos 0.5, sin 0.5).
        with open(self.one("csv/grains_*.csv"), newline="") as file:
            row = next(csv.DictReader(file))
        points = vtk_to_numpy(polydata(self.folder / "plane/shapes/rod.stl").GetPoints().GetData()).astype(float)
        along = turned(self.quaternion(row), points)
        self.assertAlmostEqual((along @ [math.cos(0.5), math.sin(0.5), 0]).max(), 3e-3, delta=3e-5)


if __name__ == "__main__":
    unittest.main()
