#!/usr/bin/python3
"""scree microstructure as its users meet it: images of other programs, results read by other programs, and complaints."""
import csv
import itertools
import json
import subprocess
import unittest

import h5py
import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from harness import Case, SCREE


def image_of(seeds, weights, size):
    """Labels from 1 of the Laguerre cells, by the definition."""
    axes = [(numpy.arange(n) + 0.5) / n for n in size]
    z, y, x = numpy.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    powers = [(x - s[0]) ** 2 + (y - s[1]) ** 2 + (z - s[2]) ** 2 - w for s, w in zip(seeds, weights)]
    return numpy.argmin(powers, axis=0).astype(numpy.int32) + 1


class Microstructure(Case):
    def setUp(self):
        super().setUp()
        random = numpy.random.default_rng(20261118)
        self.image = image_of(random.random((30, 3)), 0.05 * random.random(30), (24, 24, 24))

    def command(self, *arguments):
        return subprocess.run([SCREE, "microstructure", *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)

    def fitted(self, name, *arguments):
        done = self.command("fit", name, "-o", "out", "--json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_image_of_numpy_becomes_polyhedra_that_vtk_reads(self):
        numpy.save(self.folder / "image.npy", self.image)
        report = self.fitted("image.npy")
        self.assertGreaterEqual(report["result"]["right"], 0.995)
        self.assertGreater(report["result"]["right"], report["start"]["right"])
        self.assertEqual(json.loads((self.folder / "out/report.json").read_text()), report)
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(self.folder / "out/cells.vtu"))
        reader.Update()
        grid = reader.GetOutput()
        labels = numpy.unique(self.image)
        self.assertEqual(sorted(vtk_to_numpy(grid.GetCellData().GetArray("label"))), sorted(labels))
        sizes = vtk.vtkCellSizeFilter()
        sizes.SetInputData(grid)
        sizes.Update()
        theirs = vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray("Volume"))
        ours = vtk_to_numpy(grid.GetCellData().GetArray("volume"))
        self.assertLess(numpy.max(numpy.abs(theirs - ours)), 1e-6 * 24 ** 3)
        self.assertAlmostEqual(numpy.sum(ours), 24 ** 3, delta=1e-6)
        with open(self.folder / "out/cells.csv", newline="") as file:
            rows = {int(row["label"]): row for row in csv.DictReader(file)}
        for label, row in rows.items():
            self.assertGreater(float(row["sphericity"]), 0.3)
            for other in map(int, row["neighbors"].split()):
                self.assertIn(str(label), rows[other]["neighbors"].split())
        again = self.command("compare", "image.npy", "out", "--json")
        self.assertEqual(json.loads(again.stdout), report["result"])

    def test_tess_names_only_what_it_has(self):
        numpy.save(self.folder / "image.npy", self.image)
        self.fitted("image.npy")
        words = (self.folder / "out/cells.tess").read_text().split()
        self.assertEqual((words[0], words[-1]), ("***tess", "***end"))
        section = lambda name: words.index(name) + 1
        vertices, edges = int(words[section("**vertex")]), int(words[section("**edge")])
        faces, cells = int(words[section("**face")]), int(words[section("**polyhedron")])
        self.assertEqual(vertices - edges + faces - cells, 1)  # Euler's formula
        at = section("**polyhedron") + 1
        seen = {}
        for _ in range(cells):
            count = int(words[at + 1])
            for face in map(int, words[at + 2: at + 2 + count]):
                self.assertTrue(1 <= abs(face) <= faces)
                seen.setdefault(abs(face), []).append(face)
            at += 2 + count
        for sides in seen.values():  # seen from both sides, or once from the outside
            self.assertIn(len(sides), (1, 2))
            self.assertLessEqual(len(sides), 1 + (sum(sides) == 0))

    def test_dream3d_equals_the_array(self):
        for version in (6, 7):
            with h5py.File(self.folder / "image.dream3d", "w") as file:
                container = file.create_group("DataContainers/Volume" if version == 6 else "DataStructure/Volume")
                container["CellData/FeatureIds"] = self.image[..., None]
                values = {"DIMENSIONS": numpy.array([24, 24, 24]), "SPACING": numpy.array([0.5, 1, 2], "f4"), "ORIGIN": numpy.zeros(3, "f4")}
                for name, value in values.items():
                    if version == 6:
                        container["_SIMPL_GEOMETRY/" + name] = value
                    else:
                        container.attrs["_" + name] = value
            self.fitted("image.dream3d")
            with open(self.folder / "out/seeds.csv") as file:
                self.assertEqual(file.readline().split(), ["#", "box", "0", "0", "0", "12", "24", "48"])
        (self.folder / "image.dream3d").write_bytes((self.folder / "image.dream3d").read_bytes()[:3000])
        done = self.command("fit", "image.dream3d", "-o", "out")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("image.dream3d", done.stderr)

    def test_periodic_images_and_threads(self):
        numpy.save(self.folder / "image.npy", self.image[:12])
        files = []
        for threads in (1, 2):
            self.fitted("image.npy", "--periodic", "xy", "--threads", threads)
            files.append((self.folder / "out/seeds.csv").read_bytes())
        self.assertEqual(files[0], files[1])
        self.assertIn(b"# periodic xy", files[0])

    def test_made_cells_have_the_volumes_that_were_drawn(self):
        done = self.command("make", "--grains", 40, "--sizes", "equal", "--periodic", "xyz", "--raster", 20, "-o", "made", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertLess(report["volume_error"], 1e-10)
        self.assertGreaterEqual(report["mean_sphericity"], 0.85)
        with open(self.folder / "made/cells.csv", newline="") as file:
            for row in csv.DictReader(file):
                self.assertAlmostEqual(float(row["volume"]), 1 / 40, delta=1e-11)
        done = self.command("compare", "made/image.vti", "made", "--json")
        self.assertEqual(json.loads(done.stdout)["right"], 1)

    def test_regularised_cells_have_no_short_edges(self):
        self.command("make", "--grains", 50, "-o", "made")
        done = self.command("regularise", "made", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report, json.loads((self.folder / "made/regularised.json").read_text()))
        self.assertEqual(report["short_edges_left"], 0)
        self.assertGreaterEqual(report["after"]["shortest_edge"], report["threshold"])
        self.assertGreater(sum(report["before"]["edge_lengths"][:2]), 0)
        self.assertEqual(sum(report["after"]["edge_lengths"][:2]), 0)
        self.assertEqual(sum(report["after"]["edge_lengths"]), report["after"]["edges"])
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(self.folder / "made/regular.vtu"))
        reader.Update()
        self.assertEqual(reader.GetOutput().GetNumberOfCells(), 50)
        # What is written is read again, and nothing is left to be done.
        again = json.loads(self.command("regularise", "made/regular.tess", "-o", "again", "--json", "--shortest", 0.19).stdout)
        self.assertEqual((again["merged"], again["stretched"]), (0, 0))
        self.assertEqual((self.folder / "again/regular.tess").read_bytes(), (self.folder / "made/regular.tess").read_bytes())

    def test_mesh_of_gmsh_is_conforming(self):
        for box, corners, kind in (("1,1,1", 4, 4), ("1,1", 3, 2)):
            self.command("make", "--grains", 20, "--box", box, "-o", "made")
            self.assertEqual(self.command("mesh", "made").returncode, 2)  # not regularised yet
            self.command("regularise", "made")
            done = self.command("mesh", "made", "--size", 0.12, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(done.stdout)
            self.assertEqual(report, json.loads((self.folder / "made/mesh.json").read_text()))
            # By the manual of Gmsh, format 2.2.
            words = iter((self.folder / "made/mesh.msh").read_text().split())
            self.assertEqual([next(words) for _ in range(5)], ["$MeshFormat", "2.2", "0", "8", "$EndMeshFormat"])
            self.assertEqual(next(words), "$PhysicalNames")
            names = {}
            for _ in range(int(next(words))):
                dimension, tag, name = int(next(words)), int(next(words)), next(words)
                names[tag] = (dimension, name)
            self.assertEqual([next(words), next(words)], ["$EndPhysicalNames", "$Nodes"])
            nodes = {}
            for _ in range(int(next(words))):
                number = int(next(words))
                nodes[number] = numpy.array([float(next(words)) for _ in range(3)])
            self.assertEqual([next(words), next(words)], ["$EndNodes", "$Elements"])
            volume, sides, elements = {}, {}, 0
            for _ in range(int(next(words))):
                _, form, tags, group, _ = (int(next(words)) for _ in range(5))
                self.assertEqual(tags, 2)
                count = {1: 2, 2: 3, 4: 4}[form]
                places = [nodes[int(next(words))] for _ in range(count)]
                edges = [p - places[0] for p in places[1:]]
                if form == kind:
                    elements += 1
                    size = numpy.linalg.det(edges) / 6 if corners == 4 else numpy.cross(*edges)[2] / 2
                    self.assertGreater(size, 0)
                    volume[names[group]] = volume.get(names[group], 0) + size
                else:
                    axis, high = "xyz".index(names[group][1][1]), int(names[group][1][2])
                    for place in places:
                        self.assertEqual(place[axis], high)
                    area = numpy.linalg.norm(numpy.cross(*edges)) / 2 if corners == 4 else numpy.linalg.norm(edges)
                    sides[names[group]] = sides.get(names[group], 0) + area
            self.assertEqual(next(words), "$EndElements")
            self.assertEqual((elements, len(nodes)), (report["elements"], report["nodes"]))
            self.assertEqual(sorted(volume), sorted((corners - 1, f'"grain{k}"') for k in range(1, 21)))
            self.assertAlmostEqual(sum(volume.values()), 1, delta=1e-12)
            self.assertEqual(len(sides), 6 if corners == 4 else 4)
            for area in sides.values():
                self.assertAlmostEqual(area, 1, delta=1e-12)
            reader = vtk.vtkXMLUnstructuredGridReader()
            reader.SetFileName(str(self.folder / "made/mesh.vtu"))
            reader.Update()
            grid = reader.GetOutput()
            self.assertEqual(grid.GetNumberOfCells(), elements)
            points = vtk_to_numpy(grid.GetPoints().GetData())
            places = points[vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, corners)]
            # Dihedral angles of tetrahedra are those between the heights over the edges, of triangles those of corners.
            angles = []
            for order in itertools.permutations(range(corners)):
                a, b, c, d = (places[:, k] for k in (order if corners == 4 else order + order[:1]))
                along = (b - a) / numpy.linalg.norm(b - a, axis=1, keepdims=True)
                u, v = (w - a - numpy.sum((w - a) * along, axis=1, keepdims=True) * along for w in (c, d))
                if corners == 3:
                    u, v = b - a, c - a
                cosine = numpy.sum(u * v, axis=1) / numpy.linalg.norm(u, axis=1) / numpy.linalg.norm(v, axis=1)
                angles.append(numpy.degrees(numpy.arccos(cosine)))
            angles = numpy.array(angles)
            self.assertAlmostEqual(angles.max(), report["largest_angle"], delta=1e-6)
            self.assertAlmostEqual(angles.min(), report["least_angle"], delta=1e-6)
            self.assertGreater(angles.min(), 12)

    def test_complaints(self):
        numpy.save(self.folder / "image.npy", self.image)
        for arguments, code, words in ((("fit", "none.npy", "-o", "out"), 5, "none.npy"),
                                       (("fit", "image.npy"), 2, "-o"),
                                       (("fit", "image.npy", "-o", "out", "--periodic", "w"), 2, "axes"),
                                       (("fit", "image.npy", "-o", "out", "--least", "100000"), 3, "no grain"),
                                       (("compare", "image.npy", "nothing"), 5, "nothing"),
                                       (("make", "-o", "out"), 2, "--grains"),
                                       (("make", "--grains", "5", "--box", "1,x", "-o", "out"), 2, "1,x"),
                                       (("regularise", "nothing"), 5, "nothing"),
                                       (("regularise", "image.npy", "--shortest", "0.7"), 2, "0.5"),
                                       (("mesh", "none.tess"), 5, "none.tess"),
                                       (("mesh", "image.npy", "--size", "-1"), 2, "--size"),
                                       (("fot", "image.npy"), 2, "fit")):
            done = self.command(*arguments)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
