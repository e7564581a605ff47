#!/usr/bin/python3
"""Every exported format is read back by somebody else's reader and compared with the frame or the scene."""
import csv
import math
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from harness import Case

SCENE = """
title = "heap <&> \\"box\\""
[simulation]
duration = 0.2
[materials.glass]
contact_time = 1e-3
[[regions]]
name = "room"
box = [[0, 0, 0], [0.03, 0.02, 0.04]]
[[grains]]
name = "large, red"
radius = 3e-3
place = { random = "room", count = 8 }
[[grains]]
name = "small"
radius = { uniform = [1e-3, 1.5e-3] }
place = { random = "room", count = 60 }
[[walls]]
name = "box"
kind = "box"
min = [0, 0, 0]
max = [0.03, 0.02, 0.06]
[output]
frames = 0.1
"""
PLANE = """
[simulation]
dimension = 2
duration = 0.05
[materials.glass]
contact_time = 1e-3
[[regions]]
name = "room"
box = [[0, 0], [0.03, 0.02]]
[[grains]]
name = "discs"
radius = 1e-3
place = { random = "room", count = 40 }
[[walls]]
name = "box"
kind = "box"
min = [0, 0]
max = [0.03, 0.02]
[output]
frames = 0.05
"""


def polydata(path):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def array(data, place, name):
    return vtk_to_numpy({"point": data.GetPointData(), "cell": data.GetCellData()}[place].GetArray(name))


class Export(Case):
    def setUp(self):
        super().setUp()
        self.write("scene.toml", SCENE)
        self.scree("run", "scene.toml", "-o", "run", "-q")
        frame = polydata(self.folder / "run/frames/grains_000002.vtp")
        self.position = vtk_to_numpy(frame.GetPoints().GetData())
        self.radius, self.id = array(frame, "point", "radius"), array(frame, "point", "id")
        self.volume = 4 / 3 * math.pi * self.radius**3

    def plane(self):
        self.write("plane.toml", PLANE)
        self.scree("run", "plane.toml", "-o", "plane", "-q")

    def test_csv(self):
        self.scree("export", "run", "--format", "csv")
        folder = self.folder / "run/export/csv"
        self.assertEqual(sorted(path.name for path in folder.iterdir()), [f"grains_00000{k}.csv" for k in range(3)])
        with open(folder / "grains_000002.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0])[:9], ["id", "group", "x", "y", "z", "radius", "vx", "vy", "vz"])
        self.assertEqual([int(row["id"]) for row in rows], list(self.id))
        numpy.testing.assert_array_equal([[float(row[axis]) for axis in "xyz"] for row in rows], self.position)
        numpy.testing.assert_allclose([float(row["mass"]) for row in rows], 2500 * self.volume, rtol=1e-14)
        self.assertEqual({row["group"] for row in rows}, {"large, red", "small"})

    def test_vtk_cells_and_triangulation(self):
        self.scree("export", "run", "--format", "vtk", "--frames", "-1", "-o", "vtk")
        folder = self.folder / "vtk"
        collection = ElementTree.parse(folder / "run.pvd")
        files = [node.get("file") for node in collection.iter("DataSet")]
        self.assertEqual(files, [f"{name}_000002.vtp" for name in ("grains", "contacts", "walls", "triangulation", "cells")])
        numpy.testing.assert_array_equal(vtk_to_numpy(polydata(folder / files[0]).GetPoints().GetData()), self.position)
        # The cells' volumes by VTK from their faces alone: they are closed, as large as said, and fill the box up to the
        # highest of its grains or its lid.
        cells = polydata(folder / files[4])
        owner, said = array(cells, "cell", "id"), array(cells, "cell", "cell_volume")
        total = 0
        for grain in self.id:
            chosen = vtk.vtkPolyData()
            chosen.SetPoints(cells.GetPoints())
            polygons = vtk.vtkCellArray()
            for k in numpy.flatnonzero(owner == grain):
                polygons.InsertNextCell(cells.GetCell(int(k)).GetPointIds())
            chosen.SetPolys(polygons)
            clean = vtk.vtkCleanPolyData()
            clean.SetInputData(chosen)
            clean.SetTolerance(1e-9)
            mass = vtk.vtkMassProperties()
            mass.SetInputConnection(clean.GetOutputPort())
            self.assertAlmostEqual(mass.GetVolume() / said[owner == grain][0], 1, delta=1e-6)
            total += mass.GetVolume()
        self.assertAlmostEqual(total / (0.03 * 0.02 * 0.06), 1, delta=1e-6)
        edges = polydata(folder / files[3])
        a, b = array(edges, "cell", "a"), array(edges, "cell", "b")
        self.assertEqual(len(set(zip(a.tolist(), b.tolist()))), len(a))
        # Every contact is an edge of the triangulation.
        contacts = polydata(folder / files[1])
        pairs = set(zip(a.tolist(), b.tolist()))
        touching = [(int(min(i, j)), int(max(i, j))) for i, j, wall in zip(array(contacts, "cell", "a"), array(contacts, "cell", "b"), array(contacts, "cell", "wall")) if wall < 0]
        self.assertGreater(len(touching), 10)
        self.assertEqual([pair for pair in touching if pair not in pairs], [])
        row = {grain: k for k, grain in enumerate(self.id)}
        gap = [numpy.linalg.norm(self.position[row[i]] - self.position[row[j]]) - self.radius[row[i]] - self.radius[row[j]] for i, j in zip(a, b)]
        numpy.testing.assert_allclose(array(edges, "cell", "gap"), gap, atol=1e-15)

    def test_vtk_of_discs(self):
        self.plane()
        self.scree("export", "plane", "--format", "vtk", "--frames", "-1", "-o", "vtk2")
        cells = polydata(self.folder / "vtk2/cells_000001.vtp")
        area = vtk.vtkMassProperties()
        area.SetInputData(cells)
        self.assertAlmostEqual(area.GetSurfaceArea() / (0.03 * 0.02), 1, delta=1e-6)

    def test_lammps(self):
        from ase.io import read

        self.scree("export", "run", "--format", "lammps", "-o", "lammps")
        path = self.folder / "lammps/dump.lammpstrj"
        frames = read(path, index=":", format="lammps-dump-text")
        self.assertEqual(len(frames), 3)
        numpy.testing.assert_allclose(frames[2].get_positions(), self.position, rtol=1e-15)
        # And by the rules of the format, which ASE does not check.
        text = path.read_text().split("ITEM: ")
        self.assertEqual([part.split("\n")[0].split(" ")[0] for part in text[1:5]], ["TIMESTEP", "NUMBER", "BOX", "ATOMS"])
        atoms = text[-1].strip().split("\n")
        names = atoms[0].split()[1:]
        table = numpy.array([[float(word) for word in line.split()] for line in atoms[1:]])
        numpy.testing.assert_array_equal(table[:, names.index("radius")], self.radius)
        numpy.testing.assert_array_equal(table[:, names.index("id")], self.id + 1)
        self.assertEqual(set(table[:, names.index("type")]), {1, 2})

    def test_povray_renders_it(self):
        for run, name in (("run", "frame_000002"), ("plane", "frame_000001")):
            if run == "plane":
                self.plane()
            self.scree("export", run, "--format", "povray", "-o", "pov")
            picture = self.folder / f"{run}.png"
            made = subprocess.run(["povray", f"+Ipov/{name}.pov", f"+O{picture.name}", "+W160", "+H120", "-D", "+WT1"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr[-2000:])
            reader = vtk.vtkPNGReader()
            reader.SetFileName(str(picture))
            reader.Update()
            pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars()).reshape(120, 160, -1)[:, :, :3].astype(int)
            # Grains are ochre: red well above blue. They are in the picture, and not cut off by its border.
            colored = pixels[:, :, 0] - pixels[:, :, 2] > 40
            self.assertGreater(colored.mean(), 0.01, run)
            self.assertFalse(colored[0].any() or colored[-1].any() or colored[:, 0].any() or colored[:, -1].any(), run)

    def test_x3d(self):
        self.scree("export", "run", "--format", "x3d", "-o", "x3d")
        tree = ElementTree.parse(self.folder / "x3d/frame_000002.x3d").getroot()
        self.assertEqual(tree.tag, "X3D")
        scene = tree.find("Scene")
        self.assertEqual([meta.get("content") for meta in tree.iter("meta") if meta.get("name") == "title"], ['heap <&> "box"'])
        spheres = [node for node in scene.iter("Transform")]
        numpy.testing.assert_allclose([[float(v) for v in node.get("translation").split()] for node in spheres], self.position, rtol=1e-8)
        numpy.testing.assert_allclose([float(node.find("Shape/Sphere").get("radius")) for node in spheres], self.radius, rtol=1e-8)
        # Every USE has its DEF before it, every index its point.
        defined = set()
        for node in scene.iter("Appearance"):
            if node.get("DEF"):
                defined.add(node.get("DEF"))
            if node.get("USE"):
                self.assertIn(node.get("USE"), defined)
        for faces in scene.iter("IndexedFaceSet"):
            points = faces.find("Coordinate").get("point").split()
            self.assertEqual(len(points) % 3, 0)
            self.assertLess(max(int(k) for k in faces.get("coordIndex").split()), len(points) // 3)
        # The viewpoint looks at the middle: turning (0, 0, -1) by its orientation.
        view = scene.find("Viewpoint")
        x, y, z, angle = (float(v) for v in view.get("orientation").split())
        axis, forward = numpy.array([x, y, z]), numpy.array([0, 0, -1])
        turned = forward * math.cos(angle) + numpy.cross(axis, forward) * math.sin(angle) + axis * axis.dot(forward) * (1 - math.cos(angle))
        toward = numpy.array([float(v) for v in view.get("centerOfRotation").split()]) - [float(v) for v in view.get("position").split()]
        numpy.testing.assert_allclose(turned, toward / numpy.linalg.norm(toward), atol=1e-6)

    def test_stl(self):
        self.scree("export", "run", "--format", "stl", "-o", "stl")
        reader = vtk.vtkSTLReader()
        reader.SetFileName(str(self.folder / "stl/grains_000002.stl"))
        reader.MergingOff()
        reader.Update()
        mesh = reader.GetOutput()
        self.assertEqual(mesh.GetNumberOfPolys(), 320 * len(self.id))
        points = vtk_to_numpy(mesh.GetPoints().GetData()).reshape(len(self.id), 960, 3)
        numpy.testing.assert_allclose(numpy.linalg.norm(points - self.position[:, None, :], axis=2), self.radius[:, None] * numpy.ones((1, 960)), rtol=1e-4)
        # Outward faces: the signed volume is positive and near that of the spheres.
        corners = points.reshape(-1, 3, 3)
        signed = numpy.einsum("ij,ij->i", corners[:, 0], numpy.cross(corners[:, 1], corners[:, 2])).reshape(len(self.id), 320).sum(axis=1) / 6
        self.assertTrue(((signed / self.volume > 0.93) & (signed / self.volume < 1)).all(), signed / self.volume)
        reader.SetFileName(str(self.folder / "stl/walls_000002.stl"))
        reader.Update()
        numpy.testing.assert_allclose(reader.GetOutput().GetBounds(), [0, 0.03, 0, 0.02, 0, 0.06], atol=1e-7)

    def test_frames_are_chosen_by_time_and_number(self):
        self.scree("export", "run", "--format", "csv", "-o", "one", "--at", "0.09")
        self.assertEqual([path.name for path in (self.folder / "one").iterdir()], ["grains_000001.csv"])
        self.scree("export", "run", "--format", "stl", "-o", "two", "--frames", "0:2")
        self.assertEqual(len(list((self.folder / "two").glob("grains_*.stl"))), 2)


if __name__ == "__main__":
    unittest.main()
