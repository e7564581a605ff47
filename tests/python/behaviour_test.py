"""What must never happen in a Python program: lost states, dead memory, ignored signals, a held lock of the interpreter."""
import copy
import gc
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np
import scree

from scenes import ROOT, crowd, falling


def hash_after(simulation, until):
    simulation.run(until=until)
    return simulation.hash()


class Behaviour(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scree_python_")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)

    # ---- Memory

    def test_a_view_of_rows_holds_the_simulation_in_place(self):
        simulation = scree.Simulation(falling())
        with simulation.rows() as rows:
            part = rows.position[3:20, 2]
            before = part.copy()
        with self.assertRaisesRegex(BufferError, "1 view"):
            simulation.run(until=0.01)
        with self.assertRaises(BufferError):
            simulation.step()
        self.assertEqual(simulation.steps, 0)
        del rows
        alone = weak = simulation
        del simulation, alone, weak
        gc.collect()
        np.testing.assert_array_equal(part, before)  # the array keeps the simulation's memory

    def test_when_the_views_are_gone_it_goes_on(self):
        simulation = scree.Simulation(falling())
        with simulation.rows() as rows:
            views = [rows.position, rows.velocity[2:], rows.id]
        with self.assertRaisesRegex(BufferError, "3 views"):
            simulation.step()
        kept = views[0].copy()
        views.clear()
        simulation.step()
        self.assertFalse(np.array_equal(kept, np.sort(kept)))
        with self.assertRaisesRegex(RuntimeError, "with"):
            rows.position

    def test_only_velocities_of_rows_can_be_written(self):
        simulation = scree.Simulation(falling())
        with simulation.rows() as rows:
            for name in ("position", "radius", "id", "inverse_mass"):
                with self.assertRaises(ValueError, msg=name):
                    getattr(rows, name)[0] = 0
            self.assertEqual(rows.position.strides, (64, 8))
            self.assertEqual(rows.velocity.__array_interface__["data"][0], rows.position.__array_interface__["data"][0] + 32)

    def test_an_index_is_no_identity(self):
        scene = scree.Scene(
            simulation=dict(duration=0.4), materials=dict(glass=dict(contact_time=1e-3)),
            regions=[dict(name="inlet", box=[[-0.01, -0.01, 0.03], [0.01, 0.01, 0.05]]),
                     dict(name="kept", box=[[-1, -1, -0.02], [1, 1, 1]])],
            grains=[dict(name="rain", radius=2e-3, pour=dict(region="inlet", rate=400, velocity=[0, 0, -0.3]))],
            outflow=dict(region="kept"))
        simulation = scree.Simulation(scene)
        seen = set()
        for k in range(1, 9):
            simulation.run(until=0.05 * k)
            ids = simulation.grains.id
            self.assertTrue(np.all(np.diff(ids.astype(np.int64)) > 0))
            with simulation.rows() as rows:
                self.assertEqual(sorted(rows.id), ids.tolist())
                order = np.argsort(rows.id)
                np.testing.assert_array_equal(rows.position[order], simulation.grains.position)
            seen.update(ids.tolist())
        self.assertLess(len(ids), len(seen))  # grains have left
        self.assertGreater(ids[0], 0)

    # ---- Acting

    def test_a_written_velocity_is_booked_and_told(self):
        simulation = scree.Simulation(falling(), self.path / "run")
        simulation.run(until=0.06)
        before = simulation.energy
        self.assertFalse(simulation.edited)
        with simulation.rows() as rows:
            rows.velocity *= 1.2
            rows.radius_times_spin *= 1.2
        after = simulation.energy
        self.assertAlmostEqual(after.kinetic, 1.44 * before.kinetic, delta=1e-12 * after.kinetic)
        # Springs are kept half a step ahead: with the velocity what they hold now changes a little, too.
        held = after.elastic - before.elastic
        self.assertAlmostEqual(after.external_work, 0.44 * before.kinetic + held, delta=1e-12 * after.kinetic)
        self.assertAlmostEqual(after.total, before.total, delta=1e-12 * after.kinetic)
        simulation.run()
        self.assertAlmostEqual(simulation.energy.total, before.total, delta=1e-3 * after.kinetic)
        record = json.loads((self.path / "run/run.json").read_text())
        self.assertIs(record["edited"], True)
        self.assertEqual(record["energy"]["external_work"], simulation.energy.external_work)
        self.assertTrue(scree.Simulation.load(self.path / "run").edited)

    def test_an_edit_in_the_middle_of_contacts_changes_no_more_than_it_says(self):
        scene = scree.new("collision")
        simulation = scree.Simulation(scene)
        while len(simulation.contacts) == 0:
            simulation.step()
        simulation.step(3)
        before = simulation.energy
        with simulation.rows() as rows:
            rows.velocity[...] *= 1.5
        simulation.run()
        self.assertAlmostEqual(simulation.energy.total, before.total, delta=1e-3 * simulation.energy.external_work)

    def test_looking_at_rows_changes_nothing(self):
        plain, looked_at = scree.Simulation(falling()), scree.Simulation(falling())
        for k in range(1, 11):
            with looked_at.rows() as rows:
                rows.velocity.sum()
            looked_at.run(until=0.01 * k)
        self.assertEqual(hash_after(plain, 0.1), looked_at.hash())
        self.assertFalse(looked_at.edited)

    def test_a_held_force_accelerates_by_force_over_mass(self):
        scene = scree.Scene(simulation=dict(gravity=[0, 0, 0]), materials=dict(glass={}),
                            grains=[dict(name="two", radius=1e-3, place=dict(at=[[0, 0, 0], [0.1, 0, 0]]))])
        simulation = scree.Simulation(scene)
        simulation.run(until=0.01)
        force = np.array([[1e-4, 0, 2e-4], [0, 0, 0]])
        torque = np.array([[0, 3e-8, 0], [0, 0, 0]])
        simulation.force, simulation.torque = force, torque
        np.testing.assert_array_equal(simulation.force, force)
        start = simulation.time
        simulation.run(until=0.05)
        t, g = simulation.time - start, simulation.grains
        mass = g.mass[0]
        np.testing.assert_allclose(g.position[0], force[0] / mass * t * t / 2, rtol=1e-9)
        np.testing.assert_allclose(g.velocity[0], force[0] / mass * t, rtol=1e-9)
        np.testing.assert_allclose(g.spin[0], torque[0] / (0.4 * mass * 1e-6) * t, rtol=1e-9)
        np.testing.assert_array_equal(g.velocity[1], 0)
        self.assertAlmostEqual(simulation.energy.external_work / simulation.energy.kinetic, 1, delta=1e-9)
        simulation.force = 0
        simulation.torque = 0
        simulation.run(until=0.08)
        np.testing.assert_allclose(simulation.grains.velocity[0], g.velocity[0], rtol=1e-12)

    def test_forces_follow_their_grains_and_survive_a_checkpoint(self):
        simulation = scree.Simulation(falling(400, duration=0.5))
        weight = simulation.grains.mass * 9.81
        simulation.force = np.column_stack([0 * weight, 0 * weight, weight])  # nothing falls
        height = simulation.grains.position[:, 2].copy()
        simulation.run(until=0.05)
        np.testing.assert_allclose(simulation.grains.position[:, 2], height, atol=1e-12)
        simulation.force = np.column_stack([0.1 * weight, 0 * weight, 0.5 * weight])
        other = pickle.loads(pickle.dumps(simulation))
        np.testing.assert_array_equal(other.force, simulation.force)
        self.assertEqual(hash_after(simulation, 0.25), hash_after(other, 0.25))
        self.assertGreater(simulation.steps, 2048)  # they have been sorted
        np.testing.assert_array_equal(simulation.force[:, 2], 0.5 * weight)

    def test_forces_on_bodies_close_the_account(self):
        scene = scree.new("rods")
        simulation = scree.Simulation(scene)
        start = simulation.energy.total
        mass = simulation.grains.mass
        simulation.force = np.column_stack([0.3 * 9.81 * mass, 0 * mass, 0 * mass])
        simulation.torque = np.full((len(mass), 3), 1e-9)
        simulation.run(until=min(0.02, simulation.duration))
        energy = simulation.energy
        self.assertGreater(energy.external_work, 0)
        self.assertAlmostEqual(energy.total, start, delta=1e-3 * energy.kinetic)
        with self.assertRaisesRegex(scree.UsageError, "momentum"), simulation.rows() as rows:
            rows.radius_times_spin

    def test_nonsense_is_refused_and_leaves_the_state(self):
        simulation = scree.Simulation(falling())
        simulation.run(until=0.02)
        state = simulation.hash()
        with self.assertRaisesRegex(scree.UsageError, "not a finite number"), simulation.rows() as rows:
            rows.velocity[4] = np.nan
        self.assertEqual(simulation.hash(), state)
        for bad in (np.ones((3, 3)), np.ones(7), np.full((60, 3), np.inf), "a", [[1, 2]]):
            with self.assertRaises((ValueError, TypeError)):
                simulation.force = bad
        for call in (lambda: simulation.run(until="soon"), lambda: simulation.step("x"), lambda: simulation.every(-1),
                     lambda: simulation.every(), lambda: simulation.run(until=1e300), lambda: scree.Simulation(7),
                     lambda: scree.Triangulation(np.zeros((0, 5))), lambda: scree.Triangulation([[0, 0, np.nan]]),
                     lambda: scree.Triangulation(np.zeros((4, 3)), np.zeros(3)), lambda: scree.Hull(np.zeros((0, 3))),
                     lambda: scree.distance([[0, 0]], [[1, 1]]), lambda: scree.threads("many"),
                     lambda: simulation.measure("layers", axis="w"), lambda: scree.Run(self.path)):
            with self.assertRaises((scree.Error, ValueError, TypeError)):
                value = call()
                value(print) if callable(value) else None
        self.assertEqual(len(scree.Triangulation(np.zeros((0, 3))).edges), 0)
        self.assertEqual(simulation.hash(), state)
        simulation.run(until=0.03)

    def test_bad_scenes_end_in_exceptions(self):
        texts = [path.read_text(errors="replace") for path in (ROOT / "tests/fuzz/corpus").rglob("*") if path.is_file()]
        texts += ["", "=", "[simulation]\nduration = -1", "[[grains]]", "[materials.a]\ndensity = nan"]
        refused = 0
        for text in texts:
            try:
                scree.Scene.parse(text).check()
            except scree.Error:
                refused += 1
        self.assertGreater(refused, 3)

    # ---- Signals, exceptions, threads

    def interrupted(self, folder):
        """A child that is interrupted 0.3 s after it began to run; (seconds until it has answered, what it said)."""
        program = f"""
import sys, time
sys.path.insert(0, {str(ROOT / "tests/python")!r})
import scree
from scenes import crowd
simulation = scree.Simulation(crowd(3000, duration=1000), folder={folder!r})
print("go", flush=True)
try:
    simulation.run()
except KeyboardInterrupt:
    print("stopped", flush=True)
steps = simulation.steps
again = scree.Simulation(crowd(3000, duration=1000))
again.step(steps)
simulation.step(20)
again.step(20)
print(steps, simulation.hash() == again.hash())
"""
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=self.path)
        self.assertEqual(child.stdout.readline(), "go\n")
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.stdout.readline(), "stopped\n")
        steps, same = child.stdout.read().split()
        self.assertEqual(child.wait(), 0)
        return int(steps), same

    def test_ctrl_c_keeps_the_state(self):
        steps, same = self.interrupted(None)
        self.assertGreater(steps, 0)
        self.assertEqual(same, "True")

    def test_ctrl_c_leaves_a_checkpoint(self):
        steps, same = self.interrupted("kept")
        self.assertEqual(same, "True")
        record = json.loads((self.path / "kept/run.json").read_text())
        self.assertEqual(record["status"], "stopped")
        self.assertGreaterEqual(scree.Simulation.load(self.path / "kept").steps, steps)

    def test_what_a_callback_raises_comes_out_unchanged(self):
        class Mine(Exception):
            pass

        mine = Mine("mine")
        simulation = scree.Simulation(falling(), self.path / "run", threads=2)
        calls = []

        @simulation.every(0.01)
        def watch(now):
            calls.append(now.steps)
            if len(calls) == 2:
                raise mine

        with self.assertRaises(Mine) as caught:
            simulation.run(until=0.1)
        self.assertIs(caught.exception, mine)
        self.assertAlmostEqual(simulation.time, 0.02, delta=simulation.time_step)
        self.assertEqual(json.loads((self.path / "run/run.json").read_text())["status"], "stopped")
        simulation.run(until=0.1)
        self.assertEqual(len(calls), 10)
        self.assertEqual(simulation.hash(), hash_after(scree.Simulation(falling()), 0.1))

    def test_a_run_inside_of_a_run_is_refused(self):
        simulation = scree.Simulation(falling())
        said = []

        @simulation.every(0.01)
        def watch(now):
            for again in (now.run, now.step):
                with self.assertRaises(RuntimeError) as caught:
                    again()
                said.append(str(caught.exception))

        simulation.run(until=0.01)
        self.assertEqual(len(said), 2)
        self.assertTrue(all("inside of a run" in text for text in said))
        with simulation.rows(), self.assertRaisesRegex(RuntimeError, "rows"):
            simulation.run()

    def test_a_second_thread_is_told_that_the_simulation_is_in_use(self):
        simulation = scree.Simulation(crowd(2000, duration=1000))
        inside, stop = threading.Event(), threading.Event()

        @simulation.every(steps=1)
        def watch(now):
            inside.set()
            if stop.is_set():
                now.stop()

        worker = threading.Thread(target=simulation.run)
        worker.start()
        inside.wait()
        try:
            for use in (lambda: simulation.step(), lambda: simulation.energy, lambda: simulation.grains):
                with self.assertRaisesRegex(RuntimeError, "thread"):
                    use()
        finally:
            stop.set()
            worker.join()

    def test_two_simulations_run_in_two_threads(self):
        hashes = {}

        def work(k):
            hashes[k] = hash_after(scree.Simulation(falling(500), threads=2), 0.05)

        workers = [threading.Thread(target=work, args=(k,)) for k in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        alone = hash_after(scree.Simulation(falling(500)), 0.05)
        self.assertEqual(hashes, {0: alone, 1: alone})

    def test_a_forked_child_can_go_on(self):
        simulation = scree.Simulation(crowd(9000), threads=2)
        simulation.step(10)
        child = os.fork()
        if child == 0:
            try:
                simulation.step(10)
                (self.path / "hash").write_text(simulation.hash())
                os._exit(0)
            finally:
                os._exit(1)
        deadline = time.monotonic() + 60
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                self.fail("the child hangs")
            time.sleep(0.01)
        simulation.step(10)
        self.assertEqual((self.path / "hash").read_text(), simulation.hash())

    # ---- Copies

    def test_copies_go_on_to_the_same_bits_in_the_middle_of_contacts(self):
        for scene in (falling(), scree.new("rods")):
            simulation = scree.Simulation(scene)
            while len(simulation.contacts) < 3:
                simulation.step(50)
            copies = [copy.copy(simulation), copy.deepcopy(simulation), pickle.loads(pickle.dumps(simulation))]
            simulation.step(200)
            for other in copies:
                other.step(200)
                self.assertEqual(other.hash(), simulation.hash())
        scene = pickle.loads(pickle.dumps(falling()))
        self.assertEqual(scene, falling())

    # ---- Folders

    def test_a_folder_in_parts_has_the_files_of_one_run(self):
        scene = falling()
        scene["output.frames"], scene["output.series"], scene["output.measures"] = 0.013, 0.001, ["coordination"]
        whole = scree.Simulation(scene, self.path / "whole")
        whole.run()
        parts = scree.Simulation(scene, self.path / "parts")
        parts.run(until=0.05)
        parts.step(7)
        parts.step(50)
        parts.save()
        parts.run(until=0.11)
        parts.step(3)
        del parts
        gc.collect()
        parts = scree.Simulation.resume(self.path / "parts")
        parts.run()
        self.assertEqual(parts.hash(), whole.hash())
        for name in ("series.csv", "measures/coordination.csv", "scene.toml"):
            self.assertEqual((self.path / "parts" / name).read_bytes(), (self.path / "whole" / name).read_bytes(), name)
        frames = sorted(path.name for path in (self.path / "whole/frames").iterdir())
        self.assertEqual(sorted(path.name for path in (self.path / "parts/frames").iterdir()), frames)
        records = [json.loads((self.path / name / "run.json").read_text()) for name in ("whole", "parts")]
        for key in ("status", "steps", "frames", "state_hash", "energy"):
            self.assertEqual(records[0][key], records[1][key], key)

    def test_a_folder_that_exists_is_kept(self):
        scree.Simulation(falling(), self.path / "run").step()
        with self.assertRaisesRegex(scree.FileError, "overwrite=True"):
            scree.Simulation(falling(), self.path / "run")
        scree.Simulation(falling(), self.path / "run", overwrite=True)

    def test_a_broken_run_says_so(self):
        scene = falling()
        scene["simulation.overlap_limit"] = 1e-4
        simulation = scree.Simulation(scene, self.path / "run")
        with self.assertRaisesRegex(scree.InvalidState, "overlap") as caught:
            simulation.run()
        self.assertIsInstance(caught.exception, RuntimeError)
        self.assertEqual(scree.Run(self.path / "run").record["status"], "invalid")
        self.assertGreater(len(simulation.grains), 0)
        with self.assertRaises(scree.InvalidState):
            simulation.step()

    # ---- Import

    def test_importing_is_quick_and_pulls_nothing_heavy(self):
        program = """
import sys, time
import numpy
start = time.process_time()
import scree
print(time.process_time() - start < 0.3)
print(sorted({"pandas", "matplotlib", "IPython", "scipy", "tomllib", "webbrowser"} & set(sys.modules)))
"""
        answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual((answer.stdout, answer.stderr), ("True\n[]\n", ""))

    def test_nothing_is_printed_and_handlers_stay(self):
        program = f"""
import signal, sys
sys.path.insert(0, {str(ROOT / "tests/python")!r})
before = [signal.getsignal(k) for k in (signal.SIGINT, signal.SIGTERM)]
import scree
from scenes import falling
simulation = scree.Simulation(falling(), "run")
simulation.run()
assert before == [signal.getsignal(k) for k in (signal.SIGINT, signal.SIGTERM)]
"""
        answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=self.path)
        self.assertEqual((answer.returncode, answer.stdout, answer.stderr), (0, "", ""))

    # ---- The lock of the interpreter

    def test_other_threads_run_during_every_long_call(self):
        ticks, going = [0], [True]

        def tick():
            while going:
                time.sleep(0.001)
                ticks[0] += 1

        threading.Thread(target=tick, daemon=True).start()
        self.addCleanup(going.clear)
        seen = {}

        def during(name, call):
            before, start = ticks[0], time.monotonic()
            result = call()
            seen[name] = ticks[0] - before, time.monotonic() - start
            return result

        rng = np.random.default_rng(3)
        points = rng.random((60_000, 3))
        triangulation = during("triangulate", lambda: scree.Triangulation(points))
        during("update", lambda: triangulation.update(points + 1e-4 * rng.random(points.shape)))
        for name in ("edges", "simplices", "hidden", "cell_volumes"):
            during(name, lambda: getattr(triangulation, name))
        during("validate", triangulation.validate)
        ball = rng.standard_normal((60_000, 3))
        ball /= np.linalg.norm(ball, axis=1)[:, None]
        hull = during("hull", lambda: scree.Hull(ball))
        other = scree.Hull(ball[:20_000] + 3)
        during("distance", lambda: scree.distance(hull, other))
        during("digits", lambda: scree.distance(hull, other, digits=5000))
        simulation = during("make", lambda: scree.Simulation(crowd(30_000), self.path / "run"))
        during("run", lambda: simulation.run(until=40 * simulation.time_step))
        during("step", lambda: simulation.step(20))
        for name in ("grains", "contacts", "energy", "walls", "hash", "save"):
            during(name, lambda: getattr(simulation, name)() if name in ("hash", "save") else getattr(simulation, name))
        during("measure", lambda: simulation.measure("cells"))
        simulation.save(self.path / "state.h5")
        during("load", lambda: scree.Simulation.load(self.path / "state.h5"))
        run = during("open", lambda: scree.Run(self.path / "run"))
        during("frame", lambda: run[-1])
        during("measure of a run", lambda: run.measure("cells"))
        long = {name for name, (_, seconds) in seen.items() if seconds > 0.03}
        held = {name: seen[name] for name in long if seen[name][0] < 3}
        self.assertEqual(held, {})
        self.assertGreater(len(long), 4, seen)


if __name__ == "__main__":
    unittest.main()
