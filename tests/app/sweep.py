#!/usr/bin/python3
"""scree sweep as its users meet it: one table of many runs that survives stops, kills and more values."""
import csv
import signal
import time
import unittest

from harness import Case

FALL = """
simulation = { duration = 0.02 }
materials = { glass = { contact_time = 1e-3, friction = 0.3 } }
grains = [{ name = "ball", radius = 2e-3, place = { at = [[0, 0, 0.01]] } }]
walls = [{ name = "floor", kind = "plane", point = [0, 0, 0], normal = [0, 0, 1] }]
output = { series = 1e-3, measures = ["energy"] }
"""


class Sweep(Case):
    def setUp(self):
        super().setUp()
        self.write("fall.toml", FALL)

    def table(self, study="fall-sweep"):
        with open(self.folder / study / "table.csv", newline="") as file:
            return list(csv.DictReader(file))

    def sweep(self, *arguments, **options):
        return self.scree("sweep", "fall.toml", *arguments, **options)

    def test_each_value_meets_each_other_and_the_rows_are_those_of_single_runs(self):
        self.sweep("--over", "simulation.gravity=[0,0,-9.81],[0,0,-1.62]", "--over", "materials.glass.friction=0:0.4:3",
                   "kinetic", "kinetic@max", "energy.kinetic", "potential@0.01", "wall.floor.fz@mean", "--jobs", 2)
        rows = self.table()
        self.assertEqual([row["run"] for row in rows], [f"{k:04}" for k in range(1, 7)])
        self.assertEqual([row["materials.glass.friction"] for row in rows], ["0", "0.2", "0.4"] * 2)
        self.assertEqual({row["status"] for row in rows}, {"done"})
        self.scree("run", "fall.toml", "-o", "one", "-q", "--set", "simulation.gravity=[0,0,-1.62]", "--set", "materials.glass.friction=0.2")
        record, row = self.record("one"), rows[4]
        self.assertEqual(row["state_hash"], record["state_hash"])
        self.assertEqual(float(row["kinetic"]), record["energy"]["kinetic"])
        self.assertEqual(row["kinetic@max"], row["kinetic"])  # it falls
        self.assertEqual(row["energy.kinetic"], row["kinetic"])
        # m g (z - g t^2 / 2) of a sphere of 2500 kg/m^3 that falls for 10 ms
        mass = 2500 * 4 / 3 * 3.141592653589793 * 2e-3 ** 3
        self.assertAlmostEqual(float(row["potential@0.01"]), mass * 1.62 * (0.01 - 0.5 * 1.62 * 1e-4), delta=1e-9)
        self.assertEqual(float(row["wall.floor.fz@mean"]), 0)

    def test_more_values_run_alone_and_other_columns_need_no_run(self):
        self.sweep("--over", "materials.glass.friction=0.1,0.2")
        before = {row["run"]: (self.folder / "fall-sweep/runs" / row["run"] / "run.json").stat().st_mtime_ns for row in self.table()}
        _, err = self.sweep("--over", "materials.glass.friction=0.3,2e-1", "potential")
        rows = self.table()
        self.assertEqual([row["materials.glass.friction"] for row in rows], ["0.1", "0.2", "0.3"])
        self.assertNotIn("", [row["potential"] for row in rows])
        self.assertIn("1/1: 0003 done", err)
        for run, moment in before.items():
            self.assertEqual((self.folder / "fall-sweep/runs" / run / "run.json").stat().st_mtime_ns, moment)

    def test_faults_are_told_before_anything_runs(self):
        _, err = self.sweep("--over", "materials.glass.friction=0.1,-1", expect=3)
        self.assertIn("materials.glass.friction=-1", err)
        _, err = self.sweep("--over", "materials.glass.frction=0.1,0.2", expect=3)
        self.assertIn("nearest is \"friction\"", err)
        _, err = self.sweep(expect=2)
        self.assertIn("--over", err)
        self.sweep("--over", "simulation.seed=1,2", "kinetic@soon", expect=2)
        self.assertFalse((self.folder / "fall-sweep").exists())

    def test_a_column_that_is_none_loses_no_run(self):
        _, err = self.sweep("--over", "simulation.seed=1,2", "kinetik")
        self.assertIn("nearest is \"kinetic\"", err)
        self.assertEqual([row["status"] for row in self.table()], ["done", "done"])
        self.assertEqual([row["kinetik"] for row in self.table()], ["", ""])

    def test_a_run_that_fails_does_not_end_the_others(self):
        # At 0.1 m two balls of 2 mm have room, at 3 mm they are in one another.
        self.write("fall.toml", FALL.replace("[[0, 0, 0.01]]", "[[0, 0, 0.01], [0, 0, 0.02]]"))
        _, err = self.sweep("--over", "grains.ball.place.at=[[0,0,0.01],[0,0,0.02]],[[0,0,0.01],[0,0,0.0105]]", expect=1)
        good, bad = self.table()
        self.assertEqual(good["status"], "done")
        self.assertEqual(bad["status"], "failed")
        self.assertIn("overlap", bad["error"])
        self.assertIn("1 failed", err)
        # It is tried again, the other is not.
        _, err = self.sweep("--over", "grains.ball.place.at=[[0,0,0.01],[0,0,0.02]],[[0,0,0.01],[0,0,0.0105]]", expect=1)
        self.assertIn("1/1: 0002 failed", err)

    def test_a_changed_scene_is_refused_until_forced(self):
        self.sweep("--over", "simulation.seed=1,2")
        self.write("fall.toml", "# a comment is no change\n" + FALL)
        self.sweep("--over", "simulation.seed=1,2")
        self.write("fall.toml", FALL.replace("0.02 }", "0.03 }"))
        _, err = self.sweep("--over", "simulation.seed=1,2", expect=2)
        self.assertIn("scenes/0001.toml is another scene", err)
        self.assertEqual([float(row["time"]) for row in self.table()], [0.02, 0.02])
        self.sweep("--over", "simulation.seed=1,2", "--force")
        for row in self.table():
            self.assertAlmostEqual(float(row["time"]), 0.03, delta=1e-4)

    def begin_long(self):
        process = self.start("sweep", "scene.toml", "--over", "simulation.seed=1,2,3", "-o", "study", "--jobs", 2, "--set", "simulation.duration=1")
        for run in ("0001", "0002"):
            self.wait_for_first_checkpoint(f"study/runs/{run}")
        time.sleep(0.2)
        return process

    def finish_long(self):
        self.scree("sweep", "scene.toml", "--over", "simulation.seed=1,2,3", "-o", "study", "--jobs", 2, "--set", "simulation.duration=1")
        self.assertEqual([row["status"] for row in self.table("study")], ["done"] * 3)
        self.scree("run", "scene.toml", "-o", "whole", "-q", "--set", "simulation.duration=1", "--set", "simulation.seed=2")
        self.assert_same_run("study/runs/0002", "whole")

    def test_a_signal_leaves_checkpoints_and_the_same_command_goes_on(self):
        process = self.begin_long()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("the same command goes on", err)
        self.assertEqual([row["status"] for row in self.table("study")], ["stopped", "stopped", "waiting"])
        self.assertEqual(self.record("study/runs/0001")["status"], "stopped")
        self.finish_long()
        self.assertEqual(self.record("study/runs/0002")["resumes"], 1)

    def test_killed_it_takes_its_runs_with_it_and_loses_nothing(self):
        process = self.begin_long()
        process.kill()
        process.communicate()
        for run in ("0001", "0002"):
            deadline = time.time() + 60
            while self.record(f"study/runs/{run}")["status"] != "stopped":
                self.assertLess(time.time(), deadline, "the run goes on without its sweep")
                time.sleep(0.02)
        self.finish_long()


if __name__ == "__main__":
    unittest.main(verbosity=2)
