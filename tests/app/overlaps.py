#!/usr/bin/python3
"""Four scenes with all defaults keep their overlaps below 5 % of the smaller radius: the box of the README, the hourglass,
a drum of pills, a piston that loads and unloads.

The short form runs them through their hardest impacts, which come first; with SCREE_LONG they run to the end.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SCREE = os.environ["SCREE"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = "SCREE_LONG" in os.environ

PILLS = """
[simulation]
duration = 2
[materials.pill]
[shapes.pill]
kind = "spherocylinder"
length = 3e-3
radius = 2e-3
[[regions]]
name = "inside"
box = [[-0.025, -0.018, -0.02], [0.025, 0.018, 0.02]]
[[grains]]
shape = "pill"
place = { random = "inside", density = 0.15 }
orientation = { random = true }
[[walls]]
kind = "cylinder"
from = [0, -0.02, 0]
to = [0, 0.02, 0]
radius = 0.035
motion = { rotate = { axis = [0, 1, 0], rate = 4 } }
[[walls]]
kind = "plane"
point = [0, -0.02, 0]
normal = [0, 1, 0]
[[walls]]
kind = "plane"
point = [0, 0.02, 0]
normal = [0, -1, 0]
"""

# A piston of many times the weight of the grains comes down on them and is taken away again.
PISTON = """
[simulation]
duration = 0.2
[materials.glass]
[[regions]]
name = "inside"
box = [[0, 0, 0], [0.02, 0.02, 0.04]]
[[grains]]
radius = 2e-3
place = { random = "inside", density = 0.4 }
[[walls]]
kind = "box"
min = [0, 0, 0]
max = [0.02, 0.02, 0.1]
[[walls]]
name = "load"
kind = "plane"
point = [0, 0, 0.041]
normal = [0, 0, -1]
motion = { free = { mass = 0.2, force = -20, from = 0.1 } }
open_at = 0.15
"""


class Overlaps(unittest.TestCase):
    def deepest(self, scene, short):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "scene.toml").write_text(scene)
            until = [] if LONG else ["--until", str(short)]
            done = subprocess.run([SCREE, "run", "scene.toml", "-o", "run", "--json", *until], cwd=path, text=True,
                                  capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            record = json.loads(done.stdout)
            print(f"largest overlap {record['max_overlap']:.3g} after {record['steps']} steps, "
                  f"{record['wall_seconds']:.1f} s")
            return record["max_overlap"]

    def test_box_of_the_readme(self):
        scene = re.search(r"```toml box.toml\n(.*?)```", (ROOT / "README.md").read_text(), re.S).group(1)
        self.assertNotIn("contact_time", scene)
        self.assertLess(self.deepest(scene, 0.16), 0.05)

    def test_hourglass(self):
        scene = subprocess.run([SCREE, "new", "hourglass"], check=True, capture_output=True, text=True).stdout
        self.assertNotRegex(scene, r"(?m)^contact_time")
        self.assertLess(self.deepest(scene, 0.12), 0.05)

    def test_drum_of_pills(self):
        self.assertLess(self.deepest(PILLS, 0.3), 0.05)

    def test_piston_that_loads_and_unloads(self):
        self.assertLess(self.deepest(PISTON, 0.2), 0.05)


if __name__ == "__main__":
    unittest.main()
