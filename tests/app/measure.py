#!/usr/bin/python3
"""scree measure, [output] measures and scree plot as their users meet them."""
import csv
import io
import json
import math
import os
import re
import stat
import struct
import unittest
import xml.etree.ElementTree as ElementTree
import zlib

from harness import SCENE, Case

MEASURES = SCENE.replace("[output]", """[output]
measure_every = 0.004
measures = ["energy", "density", { density = { average = 0.02 } }, { layers = { count = 5, from = 0, to = 0.05 } }, "coordination",
            { flow = { point = [0, 0, 0.02] } }, { flow = { point = [0, 0, 0.02], average = 0.02 } }, "motion", "forces"]""")


def rows(text):
    return [{key: float(value) if value else math.nan for key, value in row.items()} for row in csv.DictReader(io.StringIO(text))]


class Measure(Case):
    def setUp(self):
        super().setUp()
        self.write("scene.toml", MEASURES)

    def test_resumed_run_has_the_same_measures_to_the_last_byte(self):
        self.scree("run", "scene.toml", "-o", "whole", "-q")
        self.scree("run", "scene.toml", "-o", "parts", "--until", "0.0613", "-q")
        self.scree("resume", "parts", "--until", "0.13", "-q")
        self.scree("resume", "parts", "-q")
        self.assert_same_run("parts", "whole")
        names = sorted(path.name for path in (self.folder / "whole/measures").iterdir())
        self.assertEqual(names, ["coordination.csv", "density-2.csv", "density.csv", "flow-2.csv", "flow.csv", "forces.csv", "layers.csv", "motion.csv"])
        self.assertEqual(len(rows((self.folder / "whole/measures/density.csv").read_text())), 51)
        self.assertEqual(len(rows((self.folder / "whole/measures/layers.csv").read_text())), 51 * 5)
        passed = rows((self.folder / "whole/measures/flow.csv").read_text())[-1]["passed"]
        self.assertGreater(passed, 5)

    def test_measures_do_not_change_the_run_and_a_new_run_clears_them(self):
        self.scree("run", "scene.toml", "-o", "run", "--until", "0.05", "-q")
        with_measures = self.record("run")["state_hash"]
        self.write("plain.toml", SCENE)
        self.scree("run", "plain.toml", "-o", "run", "--until", "0.05", "-q", "--force")
        self.assertEqual(self.record("run")["state_hash"], with_measures)
        self.assertFalse((self.folder / "run/measures").exists())

    def test_command_gives_what_the_run_wrote(self):
        self.scree("run", "scene.toml", "-o", "run", "--until", "0.1", "-q", "--set", "output.frames=0.01", "--set", "output.measure_every=0")
        for name, what in (("density", "density"), ("layers", "layers:count=5,from=0,to=0.05"), ("coordination", "coordination"), ("motion", "motion"), ("flow", "flow:point=[0,0,0.02]")):
            written = rows((self.folder / "run/measures" / f"{name}.csv").read_text())
            taken = rows(self.scree("measure", "run", what, "--all")[0])
            self.assertEqual(len(written), len(taken))
            for a, b in zip(written, taken):
                for key, value in a.items():
                    # Velocities of frames are floats.
                    self.assertTrue(abs(value - b[key]) <= 1e-6 * max(abs(value), 1e-3) or math.isnan(value) and math.isnan(b[key]), f"{name}.{key}: {value} {b[key]}")
        # The last frame has a checkpoint and so all digits.
        self.assertEqual(rows(self.scree("measure", "run", "motion")[0])[0], rows((self.folder / "run/measures/motion.csv").read_text())[-1])

    def test_the_container_follows_a_piston_in_frames_too(self):
        self.write("piston.toml", """
[simulation]
duration = 0.05
[materials.glass]
density = 2500
[[regions]]
name = "box"
box = [[0, 0, 0], [0.02, 0.02, 0.01]]
[[grains]]
radius = 1e-3
place = { random = "box", count = 60 }
[[walls]]
name = "box"
kind = "box"
min = [0, 0, 0]
max = [0.02, 0.02, 0.06]
[[walls]]
name = "lid"
kind = "plane"
point = [0, 0, 0.05]
normal = [0, 0, -1]
motion = { free = { mass = 0.01, along = [0, 0, -1], force = 0.05 } }
[[walls]]
name = "plate"
kind = "disc"
center = [0.01, 0.01, 0.055]
normal = [0, 0, -1]
radius = 0.009
motion = { translate = { velocity = [0, 0, -0.01] } }
[output]
frames = 0.01
series = 0.01
""")
        self.scree("run", "piston.toml", "-o", "run", "-q")
        series = rows((self.folder / "run/series.csv").read_text())
        taken = rows(self.scree("measure", "run", "void_ratio", "--all")[0])
        self.assertEqual(len(taken), len(series))
        for moment, values in zip(series, taken):
            # Frames are floats.
            self.assertAlmostEqual(values["box_volume"], 0.02 * 0.02 * (0.05 + moment["wall.lid.z"]), delta=1e-10)
        self.assertLess(series[-1]["wall.lid.z"], -0.01)

    def test_stress_at_the_floor_is_the_weight_of_grains_at_rest(self):
        scene = """
[simulation]
duration = 1.5
[materials.glass]
restitution = 0.3
contact_time = 1e-3
[[regions]]
name = "room"
box = [[0, 0, 0], [0.02, 0.02, 0.05]]
[[grains]]
name = "sand"
radius = { uniform = [1.5e-3, 2e-3] }
place = { random = "room", count = 150 }
[[walls]]
name = "floor"
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[periodic]
x = [0, 0.02]
y = [0, 0.02]
[output]
frames = 0.5
"""
        self.write("bed.toml", scene)
        self.scree("run", "bed.toml", "-q")
        answer = json.loads(self.scree("measure", "bed", "stress:count=2000,kinetic=false", "density", "coordination", "energy", "--json")[0])
        weight = 0
        for row in rows(self.scree("export", "bed", "--format", "csv", "--frames", "-1", "-o", "csv")[0] or (self.folder / "csv/grains_000003.csv").read_text().replace("sand", "0").replace("glass", "0")):
            weight += row["mass"] * 9.81
        # Nothing lies below the first grains' centers, so the lowest layers carry all.
        self.assertAlmostEqual(answer["stress"]["rows"][0]["szz"] / (weight / 4e-4), 1, delta=2e-3)
        self.assertEqual(answer["stress"]["units"]["szz"], "Pa")
        self.assertLess(answer["stress"]["rows"][-1]["szz"], 0.05 * weight / 4e-4)
        self.assertTrue(0.5 < answer["density"]["value"] < 0.64, answer["density"])
        self.assertTrue(3 < answer["coordination"]["rows"][0]["without_rattlers"] < 6)
        self.assertGreater(answer["energy"]["rows"][0]["elastic"], 0)

    def test_output_into_a_pipe_leaves_the_pipe(self):
        self.scree("run", "scene.toml", "-o", "run", "--until", "0.01", "-q")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        process = self.start("measure", "run", "density", "-o", "pipe")
        got = pipe.read_text()
        process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(got, self.scree("measure", "run", "density")[0])
        self.assertTrue(stat.S_ISFIFO(pipe.stat().st_mode))

    def test_a_time_past_the_end_is_told(self):
        self.scree("run", "scene.toml", "-o", "run", "-q", "--until", 0.02)
        for command in (("measure", "run", "density"), ("plot", "run", "rdf", "-o", "p.svg"), ("export", "run", "--format", "csv")):
            _, err = self.scree(*command, "--at", 3)
            self.assertIn("--at 3: the frames of run are from t = 0 s to 0.02 s", err)
            _, err = self.scree(*command, "--at", 0.0201)
            self.assertNotIn("warning", err)

    def test_mistakes_are_answered(self):
        self.scree("run", "scene.toml", "-o", "run", "--until", "0.01", "-q")
        (self.folder / "empty").mkdir()
        for arguments, code, part in (
            (("measure", "run"), 2, "say what"),
            (("measure", "run", "densty"), 2, 'nearest is "density"'),
            (("measure", "run", "layers:cuont=2"), 2, 'nearest is "count"'),
            (("measure", "run", "layers:count=-2"), 2, "must be >= 1"),
            (("measure", "run", "angle"), 3, "round"),
            (("measure", "run", "mixing:a=snad"), 2, 'nearest is "sand"'),
            (("measure", "run", "rings"), 3, "no cylinder"),
            (("measure", "run", "density", "--frames", "7:3"), 2, "does not choose frames"),
            (("measure", "run", "density", "--at", "0", "--all"), 2, "only one of"),
            (("measure", "nowhere", "density"), 5, "there is no run folder"),
            (("measure", "empty", "density"), 3, "not the folder of a run"),
            (("measure", "run", "density", "-o", "no/such/file"), 5, "no/such"),
            (("plot", "run", "kinetik"), 2, 'nearest is "kinetic"'),
            (("plot", "run", "density.hieght"), 2, 'nearest is "height"'),
            (("plot", "run", "-o", "plot.gif"), 2, ".png, .pdf or .svg"),
            (("plot", "run", "kinetic+contacts"), 2, "an axis has one unit"),
            (("plot", "run", "time-kinetik"), 2, 'nearest is "kinetic"'),
            (("plot", "run", "kinetic", "--y-label", "energy / kPa"), 2, '"kPa" is not a multiple of the unit of the values, J'),
            (("plot", "run", "kinetic", "--y-label", "energy"), 2, 'names no unit'),
            (("plot", "run", "kinetic", "--y-factor", "2"), 2, "give a label too"),
            (("plot", "run", "kinetic", "--size", "85"), 2, "WIDTHxHEIGHT"),
            (("plot", "run", "kinetic", "--dpi", "0"), 2, "--dpi"),
            (("plot", "run", "kinetic", "--y-range", "1:0"), 2, "is not a range"),
            (("plot", "run", "kinetic", "--log", "y", "--y-range", "0:1"), 2, "reaches zero"),
            (("plot", "run", "kinetic", "--mean"), 2, "two runs or more"),
            (("plot", "run", "run", "velocity"), 2, "one run at a time"),
            (("export", "run"), 2, "--format"),
            (("export", "run", "--format", "vrml"), 2, "is not one of"),
        ):
            out, err = self.scree(*arguments, expect=code)
            self.assertIn(part, err, arguments)
            self.assertEqual(out, "")

    def test_plots_are_pictures_with_ink(self):
        self.scree("run", "scene.toml", "-o", "run", "--until", "0.1", "-q")
        self.scree("plot", "run")
        data = (self.folder / "run/plot.png").read_bytes()
        self.assertTrue(data.startswith(b"\x89PNG"))
        width, height = struct.unpack(">II", data[16:24])
        self.assertEqual((width, height), (1350, 954))  # 900 by 36 + 2 × 300 at 144 dpi
        self.scree("plot", "run", "kinetic+potential", "density", "layers:count=4", "cells.density", "coordination.rattlers", "-o", "plot.svg", "--log", "y")
        tree = ElementTree.parse(self.folder / "plot.svg")
        texts = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
        for text in ("kinetic energy", "potential energy", "time / s", "density", "rattlers", "position / mm", "grains", "shaken box"):
            self.assertIn(text, texts)
        self.assertGreaterEqual(len(list(tree.iter("{http://www.w3.org/2000/svg}polyline"))), 10)

    def texts_and_lines(self, name):
        tree = ElementTree.parse(self.folder / name)
        texts = [node.text for node in tree.iter("{http://www.w3.org/2000/svg}text")]
        lines = [node.get("points").split() for node in tree.iter("{http://www.w3.org/2000/svg}polyline") if node.get("stroke-width") == "1.6"]
        return texts, lines

    def test_one_against_the_other_of_several_runs_with_a_band(self):
        """The lid's force over its way: units on both axes, a line per run, or their mean."""
        self.write("scene.toml", SCENE + """
[[walls]]
name = "left-lid"
kind = "plane"
point = [0, 0, 0.06]
normal = [0, 0, -1]
motion = { translate = { velocity = [0, 0, -0.1] } }
""")
        for run, seed in (("a", 1), ("b", 2), ("c", 3)):
            self.scree("run", "scene.toml", "-o", run, "--until", "0.1", "-q", "--set", f"simulation.seed={seed}")
        self.scree("plot", "a", "wall.left-lid.z-wall.left-lid.fz", "-o", "one.svg")
        texts, lines = self.texts_and_lines("one.svg")
        self.assertIn("displacement of left-lid, z / mm", texts)
        self.assertTrue(any(re.fullmatch("force on left-lid, z( / .?N)", text) for text in texts), texts)
        self.assertEqual(len(lines), 1)
        x = [float(point.split(",")[0]) for point in lines[0]]
        self.assertEqual(x, sorted(x, reverse=True))  # the lid goes down
        self.scree("plot", "a", "b", "c", "kinetic+elastic", "-o", "three.svg")
        texts, lines = self.texts_and_lines("three.svg")
        self.assertEqual(len(lines), 6)
        self.assertIn("b: kinetic energy", texts)
        self.scree("plot", "a", "b", "c", "kinetic", "--mean", "--markers", "--size", "85x60", "-o", "mean.svg")
        texts, lines = self.texts_and_lines("mean.svg")
        self.assertEqual(len(lines), 1)
        self.assertEqual(len([1 for node in ElementTree.parse(self.folder / "mean.svg").iter("{http://www.w3.org/2000/svg}polygon") if node.get("fill-opacity")]), 1)
        self.scree("plot", "a", "kinetic", "--y-factor", "1e3", "--y-label", "energy per box / kJ", "-o", "own.svg")
        self.assertIn("energy per box / kJ", self.texts_and_lines("own.svg")[0])
        self.scree("plot", "a", "b", "c", "kinetic", "--legend", "one,two,three", "-o", "named.pdf")
        self.assertTrue((self.folder / "named.pdf").read_bytes().startswith(b"%PDF"))

    def test_a_measure_has_the_options_of_its_scene(self):
        self.write("scene.toml", MEASURES)
        self.scree("run", "scene.toml", "-o", "run", "--until", "0.1", "-q")
        self.scree("plot", "run", "density-2", "-o", "mean.svg")  # { density = { average = 0.02 } }
        texts, lines = self.texts_and_lines("mean.svg")
        self.assertIn("density (mean over 0.02 s)", texts)
        self.assertEqual(len(lines[0]), len((self.folder / "run/measures/density-2.csv").read_text().splitlines()) - 1)
        self.scree("plot", "run", "flow.passed", "-o", "flow.svg")  # flow needs a point, which the scene has given
        self.scree("plot", "run", "density-coordination", "-o", "against.svg")
        texts, lines = self.texts_and_lines("against.svg")
        self.assertTrue({"density", "coordination"} <= set(texts), texts)

    def test_every_measure_is_plotted_measured_and_written_in_both_forms(self):
        """All measures of one run at once: CSV, JSON with units, and a chart of each in SVG and PNG."""
        self.scree("run", "scene.toml", "-o", "run", "--until", "0.1", "-q")
        out, _ = self.scree("measure", "--help")
        names = re.findall(r"^  (\w+) ", out[: out.index("Usage")], re.M)
        self.assertGreaterEqual(len(names), 20)
        needs = {"rings": "rings:center=[0,0,0],radius=0.02", "wall_pressure": "wall_pressure:wall=box,from=0,to=0.1", "flow": "flow:point=[0,0,0.02]", "mixing": "mixing:a=sand,b=poured", "segregation": "segregation:a=sand,b=poured"}
        for name in names:
            what = needs.get(name, name)
            if name == "angle":  # spheres have none, and it says so
                self.scree("measure", "run", what, expect=3)
                continue
            table = rows(self.scree("measure", "run", what)[0])
            (answer,) = json.loads(self.scree("measure", "run", what, "--json")[0]).values()
            self.assertEqual(len(answer["rows"]), len(table), name)
            self.assertTrue(set(answer["rows"][0]) - {"time"} <= set(answer["units"]) | {"time"}, name)
            for ending, magic in (("svg", b"<"), ("png", b"\x89PNG")):
                self.scree("plot", "run", what, "-o", f"{name}.{ending}")
                self.assertTrue((self.folder / f"{name}.{ending}").read_bytes().startswith(magic), name)

class Shapes(Case):
    SCENE = """
[simulation]
gravity = [0, 0, 0]
duration = 1e-3
[materials.wood]
[shapes.rod]
kind = "spherocylinder"
length = 4e-3
radius = 1e-3
[[grains]]
name = "given"
shape = "rod"
place = { at = [[0, 0, 0]] }
[[grains]]
name = "turned"
shape = "rod"
orientation = { quaternion = [1, 0, 1, 0] }
place = { at = [[0.02, 0, 0.001]] }
[[grains]]
name = "ball"
radius = 1e-3
place = { at = [[-0.02, 0, 0]] }
[output]
frames = 5e-4
"""

    def test_rods_have_angles_and_volumes_in_frames_and_checkpoints_alike(self):
        self.write("rods.toml", self.SCENE)
        self.scree("run", "rods.toml", "-o", "rods", "-q")
        for at in ("0.0005", "0.001"):  # a frame; the last checkpoint
            (row,) = rows(self.scree("measure", "rods", "angle", "--at", at)[0])
            self.assertAlmostEqual(row["angle"], 45, 6)  # one upright, one lying; the ball has none
            self.assertEqual(row["grains"], 2)

    def test_frames_without_grains_have_an_angle_of_nobody(self):
        """Rods are poured into an empty scene and fall out of it. What is measured depends on the shapes of the scene, not on who is there."""
        scene = self.SCENE.split("[[grains]]")[0].replace("duration = 1e-3", "duration = 0.015")
        self.write("pour.toml", scene + """
[[regions]]
name = "inlet"
box = [[-0.1, -0.1, 0.0], [0.1, 0.1, 0.2]]
[[grains]]
shape = "rod"
orientation = { random = true }
pour = { region = "inlet", rate = 5000, until = 2e-3, velocity = [0, 0, -20] }
[outflow]
region = "inlet"
[output]
frames = 1e-3
measures = ["angle"]
""")
        self.scree("run", "pour.toml", "-o", "pour", "-q")
        grains = [row["grains"] for row in rows(self.scree("measure", "pour", "angle", "--all")[0])]
        self.assertEqual(grains, [row["grains"] for row in rows((self.folder / "pour/measures/angle.csv").read_text())])
        self.assertEqual((grains[0], grains[-1]), (0, 0))
        self.assertGreater(max(grains), 0)

    def test_the_value_of_one_row_is_what_is_measured(self):
        self.write("rods.toml", self.SCENE)
        self.scree("run", "rods.toml", "-o", "rods", "-q")
        answer = json.loads(self.scree("measure", "rods", "angle", "layers:count=1,area=1e-3", "stress:area=1e-3", "rings:count=1,center=[0,0,0],radius=0.03", "--json")[0])
        self.assertAlmostEqual(answer["angle"]["value"], 45, 6)
        self.assertEqual([answer[name]["unit"] for name in ("angle", "layers", "stress", "rings")], ["deg", "", "Pa", ""])
        for name, column in (("layers", "density"), ("stress", "pressure"), ("rings", "density")):
            self.assertEqual(answer[name]["value"], answer[name]["rows"][0][column])

    STACK = """
[simulation]
duration = 0.12
overlap_limit = 0.9
[materials.wood]
density = 1000
contact_time = 1e-3
restitution = 0.2
[shapes.block]
kind = "spheropolyhedron"
solid = "cube"
length = 8e-3
radius = 1e-3
erode = true
[[grains]]
name = "blocks"
shape = "block"
place = { at = [[0, 0, 0.004], [0.001, 0, 0.012], [0, 0.001, 0.02]] }
[[walls]]
name = "floor"
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[output]
frames = 0.01
"""

    def test_a_stack_of_blocks_carries_its_weight(self):
        """Faces that touch at four points are one contact; stress and energy of a frame are those of the checkpoint."""
        self.write("stack.toml", self.STACK)
        self.scree("run", "stack.toml", "-o", "stack", "-q")
        (row,) = rows(self.scree("measure", "stack", "coordination")[0])
        self.assertEqual((row["grain_contacts"], row["wall_contacts"]), (2, 1))
        self.assertAlmostEqual(row["coordination"], 5 / 3, 12)
        edge, r = 6e-3, 1e-3
        weight = 9.81 * 1000 * (edge**3 + 6 * edge**2 * r + 3 * math.pi * edge * r**2 + 4 / 3 * math.pi * r**3)
        stresses = [rows(self.scree("measure", "stack", "grain_stress", "--at", at)[0]) for at in ("0.11", "0.12")]
        for table in stresses:
            # Half a side from the center act the weight above and below: n and n + 1 blocks.
            for above, block in zip((2, 1, 0), table):
                self.assertAlmostEqual(block["szz"] / ((2 * above + 1) * weight * 4e-3 / (weight / 9810)), 1, delta=0.03)
        frame, checkpoint = (rows(self.scree("measure", "stack", "energy", "--at", at)[0])[0] for at in ("0.11", "0.12"))
        self.assertAlmostEqual(frame["potential"], checkpoint["potential"], delta=1e-4 * checkpoint["potential"])
        self.assertLess(frame["rotational"], 1e-3 * frame["potential"])


if __name__ == "__main__":
    unittest.main()
