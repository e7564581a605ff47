#!/usr/bin/python3
"""The scenes of grains that are not spheres in the folders of examples/: they start, and with SCREE_LONG they end as published."""
import csv
import io
import os
import pathlib
import unittest

from harness import Case

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
LONG = "SCREE_LONG" in os.environ


class Packings(Case):
    def run_scene(self, name, until, *more):
        folder = self.folder / name.replace("/", "-")
        self.scree("run", str(EXAMPLES / f"{name}.toml"), "-o", str(folder), "-q", "--until", str(until), *more)
        return folder

    def value(self, run, measure, column):
        row = list(csv.DictReader(io.StringIO(self.scree("measure", str(run), measure)[0])))[-1]
        return float(row[column])

    def test_every_scene_starts(self):
        for name in ("upright-rods/upright-rods", "upright-rods/short", "sand/sand", "dice-density/loose"):
            with self.subTest(name):
                run = self.run_scene(name, 2e-4)
                self.assertGreater(self.value(run, "coordination", "grains"), 90)
        loose = self.folder / "dice-density-loose"
        self.assertEqual(self.value(self.run_scene("dice-density/shaken", 2e-4, "--set", f"start.from={loose}"), "coordination", "grains"), 440)

    @unittest.skipUnless(LONG, "minutes")
    def test_rods_rise_while_they_are_shaken(self):
        # Pournin (2005), figure 6.4: the angle to the floor grows with the logarithm of the number of taps, from 10 on.
        run = self.run_scene("upright-rods/short", 2.21)
        angles = [float(row["angle"]) for row in csv.DictReader(io.StringIO(self.scree("measure", str(run), "angle", "--all")[0])) if float(row["time"]) > 0.15]
        self.assertLess(angles[0], 35)
        self.assertGreater(angles[-1], 50)

    @unittest.skipUnless(LONG, "minutes")
    def test_dice_lie_loosely(self):
        # Baker and Kudrolli (2010): cubes 0.54 when fluidised.
        run = self.run_scene("dice-density/loose", 2.3)
        self.assertAlmostEqual(self.value(run, "layers:from=0.01,to=0.04,count=1", "density"), 0.54, delta=0.01)


if __name__ == "__main__":
    unittest.main()
