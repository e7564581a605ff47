"""Parameter studies: one table whatever fails, and what has been run is not run again."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np
import scree

from scenes import ROOT, crowd, falling


def scene_of(friction, count):
    scene = falling(int(count), duration=0.05)
    scene["materials.glass.friction"] = float(friction)
    return scene


def outcome(run):
    return {"kinetic": run.series["kinetic"][-1], "grains_seen": len(run[-1])}


class Studies(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scree_python_")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    def test_every_value_meets_every_other_and_gives_what_a_simulation_gives(self):
        table = scree.study(scene_of, {"friction": [0.1, 0.5], "count": np.array([20, 40])}, outcome, self.path / "s", jobs=2)
        self.assertEqual(table["run"].tolist(), ["0001", "0002", "0003", "0004"])
        self.assertEqual(list(zip(table["friction"], table["count"])), [(0.1, 20), (0.1, 40), (0.5, 20), (0.5, 40)])
        self.assertEqual(set(table["status"]), {"done"})
        self.assertEqual(set(table["error"]), {""})
        np.testing.assert_array_equal(table["grains_seen"], table["count"])
        simulation = scree.Simulation(scene_of(0.5, 40))
        simulation.run()
        self.assertEqual(table["state_hash"][3], simulation.hash())
        self.assertEqual(table["kinetic"][3], simulation.energy.kinetic)
        self.assertEqual(table.run(3).record["threads"], 1)
        pivot = table.to_pandas().pivot(index="count", columns="friction", values="kinetic")
        self.assertEqual(pivot.shape, (2, 2))

    def test_what_has_been_run_is_not_run_again(self):
        first = scree.study(scene_of, {"friction": [0.1], "count": [20]}, outcome, self.path / "s")
        began = (self.path / "s/runs/0001/run.json").stat().st_mtime_ns
        table = scree.study(scene_of, {"friction": [0.1, 0.2], "count": [20]},
                            lambda run: {"grains_seen": len(run[-1]), "steps": run.record["steps"]}, self.path / "s")
        self.assertEqual((self.path / "s/runs/0001/run.json").stat().st_mtime_ns, began)
        self.assertEqual(table["run"].tolist(), ["0001", "0002"])
        self.assertGreater(table["steps"].min(), 0)
        self.assertEqual(first["state_hash"][0], table["state_hash"][0])
        with self.assertRaisesRegex(scree.UsageError, "another scene"):
            scree.study(lambda friction, count: falling(30, duration=0.02), {"friction": [0.1], "count": [20]}, folder=self.path / "s")
        with self.assertRaisesRegex(scree.UsageError, "is over friction, count"):
            scree.study(scene_of, {"count": [20]}, folder=self.path / "s")

    def test_a_failed_point_is_a_row_with_its_error(self):
        def scene(limit):
            if limit > 0.5:
                return scree.Scene(simulation=dict(durtion=1))
            made = scene_of(0.2, 30)
            made["simulation.overlap_limit"] = limit
            return made

        def strict(run):
            if run.scene["simulation.overlap_limit"] == 0.25:
                raise KeyError("nothing here")
            return {"one": 1}

        table = scree.study(scene, {"limit": [1e-4, 0.25, 0.3, 0.7]}, strict, self.path / "s", jobs=2)
        self.assertEqual(table["status"].tolist(), ["invalid", "done", "done", "failed"])
        self.assertIn("overlap", table["error"][0])
        self.assertIn("outcome: KeyError", table["error"][1])
        self.assertEqual(table["error"][2], "")
        self.assertIn('nearest is "duration"', table["error"][3])
        np.testing.assert_array_equal(table["one"], [np.nan, np.nan, 1, np.nan])
        text = (self.path / "s/table.csv").read_text()
        self.assertEqual(len(text.splitlines()), 5)
        self.assertTrue(text.startswith("run,limit,status,error,time,grains,contacts,max_overlap,wall_seconds,state_hash,one\n"))

    def test_dotted_paths_vary_a_scene(self):
        scene = scene_of(0.1, 20)
        table = scree.study(scene, {"materials.glass.friction": [0.1, 0.9], "simulation.seed": [3]}, outcome, self.path / "s")
        self.assertEqual(table.run(1).scene["materials.glass.friction"], 0.9)
        self.assertNotEqual(table["state_hash"][0], table["state_hash"][1])

    def test_an_interrupted_study_goes_on_to_the_same_bits(self):
        program = f"""
import sys
sys.path.insert(0, {str(ROOT / "tests/python")!r})
import scree
from scenes import crowd
scene = crowd(600, duration=0.3)
scree.study(scene, {{"simulation.seed": [3, 4]}}, folder="s", jobs=2)
"""
        child = subprocess.Popen([sys.executable, "-c", program], cwd=self.path, stderr=subprocess.PIPE, text=True)
        records = [self.path / f"s/runs/000{k}/run.json" for k in (1, 2)]
        while not all(path.exists() for path in records):
            self.assertIsNone(child.poll(), child.stderr.read() if child.poll() is not None else "")
            time.sleep(0.005)
        time.sleep(0.1)
        child.send_signal(signal.SIGINT)
        self.assertIn("KeyboardInterrupt", child.communicate()[1])
        self.assertEqual({json.loads(path.read_text())["status"] for path in records}, {"stopped"})
        self.assertIn("stopped", (self.path / "s/table.csv").read_text())
        table = scree.study(crowd(600, duration=0.3), {"simulation.seed": [3, 4]}, folder=self.path / "s", jobs=2)
        self.assertEqual(table["status"].tolist(), ["done", "done"])
        self.assertEqual({json.loads(path.read_text())["resumes"] for path in records}, {1})
        simulation = scree.Simulation(crowd(600, duration=0.3, seed=3))
        simulation.run()
        self.assertEqual(table["state_hash"][0], simulation.hash())


if __name__ == "__main__":
    unittest.main()
