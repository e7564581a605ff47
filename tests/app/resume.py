#!/usr/bin/python3
"""Stopping, killing and resuming: a run that was interrupted in any way has the files of one that never was."""
import random
import signal
import time
import unittest

from harness import Case


class Resume(Case):
    def uninterrupted(self, *arguments):
        self.scree("run", "scene.toml", "-o", "whole", "-q", *arguments)
        return self.record("whole")["wall_seconds"]

    def test_run_to_half_then_resume_equals_the_whole(self):
        self.uninterrupted()
        self.scree("run", "scene.toml", "-o", "half", "-q", "--until", 0.1234)
        half = self.record("half")
        self.assertEqual(half["status"], "done")
        self.assertAlmostEqual(half["time"], 0.1234, delta=half["time_step"])
        self.scree("resume", "half", "-q", "--threads", 3)
        self.assertEqual(self.record("half")["resumes"], 1)
        self.assert_same_run("half", "whole")

    def test_resume_can_go_past_the_duration(self):
        self.scree("run", "scene.toml", "-o", "longer", "-q", "--until", 0.25)
        self.scree("run", "scene.toml", "-o", "two", "-q")
        self.scree("resume", "two", "-q", "--until", 0.25)
        self.assert_same_run("two", "longer")

    def test_files_of_the_scene_may_change_or_go_once_the_run_has_begun(self):
        cube = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
        cube += "".join(f"f {a} {b} {c} {d}\n" for a, b, c, d in ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)))
        (self.folder / "stone.obj").write_text(cube)
        (self.folder / "list.csv").write_text("x,y,z\n0,0,0.002\n0,0,0.005\n")
        (self.folder / "stones.toml").write_text('''
            simulation = { duration = 0.02 }
            materials = { stone = { contact_time = 5e-4 } }
            shapes = { stone = { kind = "mesh", file = "stone.obj", scale = 1e-3, radius = 1e-4, erode = true } }
            grains = [{ shape = "stone", place = { file = "list.csv" } }]
            walls = [{ kind = "plane", point = [0, 0, 0], normal = [0, 0, 1] }]''')
        self.scree("run", "stones.toml", "-o", "whole", "-q")
        self.scree("run", "stones.toml", "-o", "half", "-q", "--until", 0.007)
        (self.folder / "stone.obj").write_text(cube.replace("v 1 1 1", "v 2 2 2"))
        (self.folder / "list.csv").unlink()
        self.scree("resume", "half", "-q")
        self.assert_same_run("half", "whole")
        self.scree("measure", "half", "energy")
        self.scree("run", "whole/scene.toml", "-o", "again", "-q")
        self.assertEqual(self.record("again")["state_hash"], self.record("whole")["state_hash"])

    def test_a_changed_scene_is_warned_of_and_a_changed_mesh_refused(self):
        tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
        (self.folder / "stone.obj").write_text(tetrahedron)
        (self.folder / "stones.toml").write_text('''
            simulation = { duration = 0.02 }
            materials = { stone = { contact_time = 5e-4 } }
            shapes = { stone = { kind = "mesh", file = "stone.obj", scale = 1e-3, radius = 1e-4 } }
            grains = [{ shape = "stone", place = { at = [[0, 0, 0.002]] } }]''')
        self.scree("run", "stones.toml", "-o", "run", "-q", "--until", 0.007)
        _, err = self.scree("resume", "run", "--until", 0.008)
        self.assertNotIn("warning", err)
        scene = self.folder / "run" / "scene.toml"
        scene.write_text(scene.read_text().replace("duration = 0.02", "duration = 0.03"))
        _, err = self.scree("resume", "run", "--until", 0.009)
        self.assertIn("scene.toml has been changed and is not read", err)
        self.assertIn('[start] from = "run"', err)
        self.assertEqual(self.record("run")["duration"], 0.02)
        kept = self.folder / "run" / "scene-files" / "stone.obj"
        kept.write_text(tetrahedron.replace("v 1 0 0", "v 1.01 0 0"))
        _, err = self.scree("resume", "run", "-q", expect=3)
        self.assertIn("stone.obj: has been changed since the run began", err)
        kept.write_text(tetrahedron)
        self.scree("resume", "run", "-q", "--until", 0.01)

    def test_resuming_a_finished_run_changes_nothing(self):
        self.uninterrupted()
        self.scree("run", "scene.toml", "-o", "again", "-q")
        self.scree("resume", "again", "-q")
        self.assert_same_run("again", "whole")

    def test_kill_at_random_moments_then_resume_equals_the_whole(self):
        seconds = self.uninterrupted()
        moments = random.Random(1)
        for attempt in range(6):
            run = f"killed_{attempt}"
            command = ["run", "scene.toml", "-o", run, "-q"]
            kills = 0
            while True:
                process = self.start(*command)
                time.sleep(moments.uniform(0, 0.8) * seconds)
                process.kill()
                process.communicate()
                if process.returncode == 0:
                    break
                self.assertEqual(process.returncode, -signal.SIGKILL)
                kills += 1
                good = (self.folder / run / "checkpoints").is_dir() and [n for n in self.checkpoints(run) if n.startswith("checkpoint_")]
                command = ["resume", run, "-q"] if good else ["run", "scene.toml", "-o", run, "-q", "--force"]
                if kills == 3:
                    self.scree(*command)
                    break
            self.assert_same_run(run, "whole")
            self.assert_no_temporary_files(run)

    def test_signals_stop_with_a_checkpoint_and_the_resume_command(self):
        seconds = self.uninterrupted()
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)):
            run = f"stopped_{code}_{number}"
            process = self.start("run", "scene.toml", "-o", run)
            self.wait_for_first_checkpoint(run)
            time.sleep(0.3 * seconds)
            process.send_signal(number)
            out, err = process.communicate()
            self.assertEqual(process.returncode, code, err)
            self.assertEqual(out, "")
            self.assertIn(f"scree resume {run}", err)
            record = self.record(run)
            self.assertEqual(record["status"], "stopped")
            self.assertEqual(record["checkpoint"], f"checkpoints/checkpoint_{record['steps']:012}.h5")
            self.scree("resume", run, "-q")
            self.assert_same_run(run, "whole")

    def test_a_second_signal_ends_at_once(self):
        process = self.start("run", "scene.toml", "-o", "run", "-q", "--set", "simulation.duration=100")
        self.wait_for_first_checkpoint("run")
        # Both are pending when the process goes on, so no step lies between them.
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        process.communicate()
        self.assertIn(process.returncode, (-signal.SIGINT, -signal.SIGTERM))
        self.scree("resume", "run", "-q", "--until", 0.01)

    def test_a_damaged_newest_checkpoint_is_passed_over(self):
        self.uninterrupted()
        self.scree("run", "scene.toml", "-o", "damaged", "-q", "--until", 0.1)
        names = self.checkpoints("damaged")
        self.assertEqual(len(names), 2)
        newest = self.folder / "damaged" / "checkpoints" / names[1]
        newest.write_bytes(newest.read_bytes()[:-100])
        out, err = self.scree("resume", "damaged", "-q")
        self.assertIn("damaged", err)
        self.assertIn("damaged_" + names[1], self.checkpoints("damaged"))
        (self.folder / "damaged" / "checkpoints" / ("damaged_" + names[1])).unlink()
        self.assert_same_run("damaged", "whole")

    def test_resume_of_what_is_no_run_is_refused(self):
        (self.folder / "empty").mkdir()
        _, err = self.scree("resume", "empty", expect=3)
        self.assertIn("no checkpoint", err)
        _, err = self.scree("resume", "absent", expect=5)
        self.assertIn("absent", err)
        self.scree("resume", "scene.toml", expect=5)
        self.scree("resume", expect=2)

    def test_a_folder_in_use_is_refused(self):
        process = self.start("run", "scene.toml", "-o", "busy", "-q", "--set", "simulation.duration=100")
        self.wait_for_first_checkpoint("busy")
        _, err = self.scree("resume", "busy", expect=5)
        self.assertIn("another scree", err)
        _, err = self.scree("run", "scene.toml", "-o", "busy", "--force", expect=5)
        self.assertIn("another scree", err)
        process.kill()
        process.communicate()


PRESS = '''
simulation = { duration = 0.05, time_step = 2e-5 }
materials = { glass = { contact_time = 1e-3, restitution = 0.5 } }
grains = [{ name = "ball", radius = 2e-3, place = { at = [[0, 0, 2e-3], [5e-3, 0, 2e-3]] } }]
output = { series = 1e-3 }
[[walls]]
name = "floor"
kind = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[walls]]
name = "lid"
kind = "disc"
center = [0, 0, 6e-3]
normal = [0, 0, -1]
radius = 0.02
motion = { free = { mass = 1e-3, along = [0, 0, 1], force = -1e-3 } }
'''


class Start(Case):
    def last_row(self, run):
        names, *_, row = (self.folder / run / "series.csv").read_text().splitlines()
        return dict(zip(names.split(","), map(float, row.split(","))))

    def first_row(self, run):
        names, row, *_ = (self.folder / run / "series.csv").read_text().splitlines()
        return dict(zip(names.split(","), map(float, row.split(","))))

    def again(self, run, *settings):
        changes = [word for setting in settings for word in ("--set", setting)]
        return self.scree("run", "first/scene.toml", "-o", run, "--set", "start.from=first", *changes)[1]

    def test_a_piston_goes_on_from_where_it_was(self):
        self.write("press.toml", PRESS)
        self.scree("run", "press.toml", "-o", "whole", "-q")
        self.scree("run", "press.toml", "-o", "first", "-q", "--until", 0.02)
        err = self.again("second", "start.grains=replace", "simulation.duration=0.03")
        self.assertNotIn("had moved", err)
        was, now = self.last_row("first"), self.first_row("second")
        self.assertLess(was["wall.lid.z"], -1e-3)
        for column in ("wall.lid.z", "kinetic", "grains"):
            self.assertEqual(now[column], was[column], column)
        self.assertAlmostEqual(now["wall.lid.vz"], was["wall.lid.vz"], delta=2e-4)  # of a piston that a step may change by g dt
        # Nothing in this scene depends on time, so both halves are the whole, up to one start of a step.
        whole, second = self.last_row("whole"), self.last_row("second")
        self.assertAlmostEqual(second["wall.lid.z"], whole["wall.lid.z"], delta=1e-8)
        self.assertAlmostEqual(second["potential"], whole["potential"], delta=1e-5 * whole["potential"])

    def test_a_piston_that_is_put_elsewhere_begins_there(self):
        self.write("press.toml", PRESS)
        self.scree("run", "press.toml", "-o", "first", "-q", "--until", 0.02)
        err = self.again("second", "start.grains=replace", "walls.lid.center=[0,0,5e-3]", "simulation.duration=1e-3")
        self.assertNotIn("had moved", err)
        self.assertEqual(self.first_row("second")["wall.lid.z"], 0)

    def test_walls_that_are_put_back_are_told(self):
        self.write("press.toml", PRESS.replace("free = { mass = 1e-3, along = [0, 0, 1], force = -1e-3 }", "translate = { velocity = [0, 0, -0.01] }"))
        self.scree("run", "press.toml", "-o", "first", "-q", "--until", 0.02)
        self.assertIn("wall 'lid' had moved in", self.again("second", "start.grains=replace", "simulation.duration=1e-3"))

    def test_grains_are_added_with_a_word_or_replaced(self):
        self.write("press.toml", PRESS)
        self.scree("run", "press.toml", "-o", "first", "-q", "--until", 0.02)
        beside = "grains.ball.place.at=[[0.03,0,2e-3]]"
        err = self.again("more", beside, "simulation.duration=1e-3")
        self.assertIn("2 grains come from", err)
        self.assertIn("[[grains]] has added 1", err)
        self.assertEqual(self.record("more")["grains"], 3)
        self.assertIn("has added 1", self.scree("check", "first/scene.toml", "--set", "start.from=first", "--set", beside)[1])
        self.assertNotIn("added", self.again("same", beside, "start.grains=replace", "simulation.duration=1e-3"))
        self.assertEqual(self.record("same")["grains"], 2)
        _, err = self.scree("check", "press.toml", "--set", "start.grains=replace", expect=3)
        self.assertIn("needs `from`", err)


if __name__ == "__main__":
    unittest.main()
