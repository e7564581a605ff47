"""The module as a user meets it: one scene, the same bits as the command, arrays that mean what they say."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import scree

from scenes import ROOT, falling

SCREE = os.environ["SCREE"]


class Module(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="scree_python_")
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def test_a_scene_has_one_hash_by_command_and_module(self):
        scenes = {name: scree.new(name) for name in ("collision", "hourglass", "rods", "shaken-discs")}
        # tests/consumer compares this one by command and by a C++ program.
        scenes["silo"] = scree.Scene(ROOT / "tests/consumer/silo.toml")
        for name, scene in scenes.items():
            until = min(0.004, scene["simulation.duration"])
            scene.save(self.path / "scene.toml")
            subprocess.run([SCREE, "run", self.path / "scene.toml", "-o", self.path / name, "--until", str(until), "-q"], check=True)
            simulation = scree.Simulation(scene)
            simulation.run(until=until)
            record = json.loads((self.path / name / "run.json").read_text())
            self.assertEqual(simulation.hash(), record["state_hash"], name)
            self.assertEqual(simulation.steps, record["steps"])

    def test_a_snapshot_is_by_id_and_stays(self):
        simulation = scree.Simulation(falling())
        grains = simulation.grains
        before = grains.position.copy()
        self.assertTrue(np.all(np.diff(grains.id.astype(int)) > 0))
        self.assertEqual(grains.position.shape, (60, 3))
        self.assertEqual(set(grains.group), {"large", "small"})
        self.assertFalse(grains.position.flags.writeable)
        simulation.run(until=0.05)
        self.assertTrue(np.array_equal(grains.position, before))
        self.assertLess(simulation.grains.position[:, 2].mean(), before[:, 2].mean())
        self.assertIs(simulation.grains, simulation.grains)

    def test_what_falls_freely_falls_by_g_t_squared_over_two(self):
        scene = scree.Scene(materials=dict(glass={}), grains=[dict(name="one", radius=1e-3, place=dict(at=[[0, 0, 1]]))])
        simulation = scree.Simulation(scene)
        simulation.run(until=0.1)
        t = simulation.time
        self.assertAlmostEqual(simulation.grains.position[0, 2], 1 - 9.81 * t * t / 2, delta=1e-12)
        self.assertAlmostEqual(simulation.energy.total, simulation.grains.mass[0] * 9.81, delta=1e-12)

    def test_contacts_and_walls_carry_the_weight(self):
        simulation = scree.Simulation(falling(damping=1e-4))
        simulation.run(until=0.8)
        weight = 9.81 * simulation.grains.mass.sum()
        contacts = simulation.contacts
        at_walls = contacts.wall >= 0
        self.assertEqual(len(contacts), len(contacts.force))
        self.assertTrue({"box"} <= set(contacts.wall_name) <= {"", "box"})
        np.testing.assert_allclose(contacts.force[at_walls].sum(0), -simulation.walls["box"].force, atol=1e-3 * weight)
        self.assertAlmostEqual(simulation.walls["box"].force[2], -weight, delta=0.02 * weight)
        np.testing.assert_allclose(np.linalg.norm(contacts.normal, axis=1), 1, rtol=1e-12)

    def test_callbacks_are_called_when_due_and_can_stop(self):
        simulation = scree.Simulation(falling())
        times = []

        @simulation.every(0.01)
        def watch(now):
            self.assertIs(now, simulation)
            times.append(now.time)
            if now.time > 0.045:
                now.stop("enough")

        simulation.run()
        np.testing.assert_allclose(times, [0.01, 0.02, 0.03, 0.04, 0.05], atol=simulation.time_step)
        self.assertEqual(simulation.stopped, "enough")
        simulation.run(until=0.07)
        self.assertEqual(len(times), 6)  # it still says enough

    def test_scenes_say_all_that_is_wrong(self):
        scene = scree.Scene(simulation=dict(durtion=2), materials=dict(glass=dict(friction="a")))
        with self.assertRaises(scree.SceneError) as caught:
            scene.check()
        faults = caught.exception.faults
        self.assertEqual([fault.key for fault in faults], [None, "simulation.durtion", "materials.glass.friction"])
        self.assertIn('nearest is "duration"', faults[1])
        self.assertIsInstance(caught.exception, ValueError)

    def test_scenes_are_changed_by_paths(self):
        scene = falling()
        scene["walls.box.max"] = [0.02, 0.02, 0.5]
        scene["simulation.duration"] = np.float64(0.25)
        self.assertEqual(scene["walls.box.max"], [0.02, 0.02, 0.5])
        self.assertEqual(scene["simulation.duration"], 0.25)
        self.assertEqual(scree.Scene.parse(str(scene)), scene)
        with self.assertRaises(KeyError):
            scene["walls.floor"]

    def test_measures_take_options_as_keywords(self):
        simulation = scree.Simulation(falling())
        simulation.run(until=0.1)
        layers = simulation.measure("layers", axis="z", count=4)
        self.assertEqual(len(layers), 4)
        self.assertEqual(layers.units["low"], "m")
        with self.assertRaises(scree.UsageError):
            simulation.measure("densty")

    def test_runs_are_read_back(self):
        falling().save(self.path / "scene.toml")
        subprocess.run([SCREE, "run", self.path / "scene.toml", "-o", self.path / "run", "--until", "0.1", "-q", "--set", "output.frames=0.02"], check=True)
        run = scree.Run(self.path / "run")
        self.assertEqual(len(run), 6)
        np.testing.assert_allclose(run.times, np.arange(6) * 0.02, atol=1e-4)
        self.assertEqual(run.record["status"], "done")
        self.assertEqual(len(run.measure("coordination", frames=":")), 6)
        simulation = scree.Simulation(falling())
        simulation.run(until=0.1)
        self.assertTrue(np.array_equal(run[-1].position, simulation.grains.position))
        series = run.series
        self.assertAlmostEqual(series["kinetic"][-1], simulation.energy.kinetic, delta=1e-15)

    def test_a_run_that_is_still_written_is_read(self):
        scene = falling()
        scene["output.frames"] = 0.01
        simulation = scree.Simulation(scene, self.path / "run")
        simulation.step()
        run = scree.Run(self.path / "run")
        self.assertEqual((len(run), run.record["status"]), (1, "running"))
        simulation.step(int(0.035 / simulation.time_step))
        self.assertEqual(len(run), 1)
        run.refresh()
        self.assertEqual(len(run), 4)
        self.assertEqual(run.series["time"][-1], max(t for t in run.series["time"] if t <= simulation.time))
        self.assertEqual(len(run[3]), 60)
        with self.assertRaises(IndexError):
            run[4]

    def test_checkpoints_go_on_to_the_same_bits(self):
        simulation = scree.Simulation(falling())
        simulation.run(until=0.05)
        simulation.save(self.path / "state.h5")
        other = scree.Simulation.load(self.path / "state.h5")
        for one in (simulation, other):
            one.run(until=0.1)
        self.assertEqual(simulation.hash(), other.hash())

    def test_triangulation_of_a_cube_and_its_update(self):
        rng = np.random.default_rng(5)
        points = rng.random((200, 3))
        triangulation = scree.Triangulation(points, np.full(200, 1e-3))
        self.assertEqual(triangulation.dimension, 3)
        self.assertEqual(triangulation.simplices.shape[1], 4)
        moved = points + 1e-3 * rng.standard_normal(points.shape)
        triangulation.update(moved, np.full(200, 1e-3))
        np.testing.assert_array_equal(triangulation.edges, scree.Triangulation(moved, np.full(200, 1e-3)).edges)
        tetrahedra = moved[triangulation.simplices]
        volume = np.abs(np.linalg.det(tetrahedra[:, 1:] - tetrahedra[:, :1])).sum() / 6
        from_scipy = __import__("scipy.spatial", fromlist=["ConvexHull"]).ConvexHull(moved).volume
        self.assertAlmostEqual(volume, from_scipy, delta=1e-12)

    def test_distance_of_bodies(self):
        cube = scree.Hull(np.indices((2, 2, 2)).reshape(3, -1).T)
        answer = scree.distance(cube, [[1.5, 1.5, 0.5], [3, 3, 0.5]])
        self.assertAlmostEqual(answer.value, np.sqrt(0.5), delta=1e-15)
        self.assertEqual(answer.relation, "apart")
        np.testing.assert_allclose(answer.normal, [np.sqrt(0.5), np.sqrt(0.5), 0], atol=1e-15)
        self.assertEqual(scree.distance(cube, [[2, 2, 2]], digits=25).exact, "1.732050807568877293527446")
        self.assertEqual(scree.distance(cube, [[1, 1, 1]]).relation, "touching")
        self.assertEqual(scree.distance(cube, [[0.5, 0.5, 0.5]]).relation, "overlapping")

    def test_distance_of_bodies_of_all_kinds(self):
        points = np.array([[0, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0], [1, 2, 0], [0, 2, 0]], dtype=float)
        low = [[0, 2, 1], [0, 3, 2], [0, 5, 3], [3, 5, 4]]
        high = [[corner + 6 for corner in row[::-1]] for row in low]
        sides = [t for k in range(6) for j in [(k + 1) % 6] for t in ([k, j, j + 6], [k, j + 6, k + 6])]
        notched = scree.Body.mesh(np.vstack([points, points + [0, 0, 1]]), low + high + sides)
        ball = scree.Body.sphere([1.75, 1.5, 0.5], 0.25)
        answer = scree.distance(notched, ball)
        self.assertEqual((answer.value, answer.relation), (0.25, "apart"))
        np.testing.assert_allclose(answer.point_a, [1.75, 1, 0.5], atol=1e-15)
        self.assertAlmostEqual(scree.distance(notched.placed(position=(0, 0, 3)), ball).value, np.sqrt(6.5) - 0.25, delta=1e-15)
        turned = notched.placed([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
        self.assertAlmostEqual(scree.distance(turned, scree.Body.sphere([1, 0.5, 0.5], 0.5)).value, 0.5, delta=1e-15)
        self.assertEqual(scree.distance(notched, scree.Body.ellipsoid([0.5, 0.5, 0.5])).relation, "overlapping")
        arc = scree.Body.curve(2, [0, 0, 0, 1, 1, 1], [[1, 0, 0], [1, 1, 0], [0, 1, 0]], [1, 0.5**0.5, 1])
        self.assertAlmostEqual(scree.distance(arc, [[3, 4, 0]]).value, 4, delta=2e-15)
        sheet = scree.Body.surface(1, [0, 0, 1, 1], 1, [0, 0, 1, 1], [[[0, 0, 0], [0, 1, 0]], [[1, 0, 0], [1, 1, 0]]])
        both = scree.Body.united([arc, sheet]).swept(0.5)
        self.assertAlmostEqual(scree.distance(both, scree.Body.capsule([0.5, 0.5, 4], [0.5, 0.5, 9], 1)).value, 2.5, delta=1e-14)
        with self.assertRaises(scree.UsageError):
            scree.distance(notched, ball, digits=9)
        with self.assertRaises(scree.UsageError):
            scree.distance(scree.Hull(points), ball)
        with self.assertRaises(scree.Error):
            scree.Body.mesh(points, [[0, 1, 99]])

    def test_a_failed_import_says_what_to_do(self):
        package = self.path / "scree"
        package.mkdir()
        for file in (ROOT / "python/scree").glob("*.py"):
            (package / file.name).write_text(file.read_text())
        for module, expected in ((None, "-DSCREE_PYTHON_MODULE=ON"), ("_scree.cpython-27-x86_64-linux-gnu.so", "cpython-27")):
            if module:
                (package / module).touch()
            answer = subprocess.run([sys.executable, "-c", "import scree"], env={**os.environ, "PYTHONPATH": str(self.path)}, capture_output=True, text=True)
            self.assertIn("ImportError: scree: ", answer.stderr)
            self.assertIn(expected, answer.stderr)
            self.assertIn(sys.executable, answer.stderr)


if __name__ == "__main__":
    unittest.main()
