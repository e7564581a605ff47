#!/usr/bin/python3
"""When things go wrong: full disk, unwritable places, an invalid simulation. Clear messages, the right exit code, nothing lost."""
import os
import signal
import subprocess
import unittest

from harness import Case, SCENE, SCREE, limit_file_size


class Trouble(Case):
    def test_full_disk_keeps_the_last_checkpoint(self):
        self.scree("run", "scene.toml", "-o", "whole", "-q")
        series = (self.folder / "whole" / "series.csv").stat().st_size
        checkpoint = max(path.stat().st_size for path in (self.folder / "whole" / "checkpoints").iterdir())
        self.assertGreater(series, 1.6 * checkpoint, "the series must be what does not fit")
        for number, limit in enumerate((int(0.8 * series), int(0.9 * series))):
            run = f"full_{number}"
            _, err = self.scree("run", "scene.toml", "-o", run, "-q", expect=5, preexec_fn=limit_file_size(limit))
            self.assertIn("series.csv", err)
            self.assertIn(f"scree resume {run}", err)
            self.assertEqual(self.record(run)["status"], "failed")
            self.assertIn("series.csv", self.record(run)["message"])
            self.assertTrue((self.folder / run / "series.csv").read_text().endswith("\n"), "no half row")
            self.assert_no_temporary_files(run)
            self.scree("resume", run, "-q")
            self.assert_same_run(run, "whole")

    def test_checkpoint_that_does_not_fit_leaves_the_one_before(self):
        self.scree("run", "scene.toml", "-o", "whole", "-q")
        self.scree("run", "scene.toml", "-o", "full", "-q", "--until", 0.1)
        before = {name: (self.folder / "full" / "checkpoints" / name).read_bytes() for name in self.checkpoints("full")}
        size = max(map(len, before.values()))
        _, err = self.scree("resume", "full", "-q", expect=5, preexec_fn=limit_file_size(size - 1000))
        after = {name: (self.folder / "full" / "checkpoints" / name).read_bytes() for name in self.checkpoints("full")}
        self.assertEqual(before, after)
        self.assert_no_temporary_files("full")
        self.scree("resume", "full", "-q")
        self.assert_same_run("full", "whole")

    def test_no_room_at_all(self):
        _, err = self.scree("run", "scene.toml", "-o", "none", "-q", expect=5, preexec_fn=limit_file_size(100))
        self.assertIn("ulimit", err)
        self.assert_no_temporary_files("none")

    def test_copies_under_a_launcher_are_refused(self):
        self.scree("run", "scene.toml", "-o", "whole", "-q", "--until", 0.05)
        for name in ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"):
            for command in (("run", "scene.toml", "-o", "several"), ("resume", "whole")):
                _, err = self.scree(*command, "-q", expect=2, env={**os.environ, name: "4"})
                self.assertIn(f"{name} = 4", err)
            self.assertFalse((self.folder / "several").exists())
        one_task = {**os.environ, "OMPI_COMM_WORLD_SIZE": "1", "SLURM_NTASKS": "8"}
        self.scree("resume", "whole", "-q", env=one_task)

    def test_threads_are_those_that_the_process_may_use(self):
        some = sorted(os.sched_getaffinity(0))[:1]
        self.scree("run", "scene.toml", "-o", "bound", "-q", "--until", 0.01, preexec_fn=lambda: os.sched_setaffinity(0, some))
        self.assertEqual(self.record("bound")["threads"], 1)

    def test_unwritable_places(self):
        for place in ("scene.toml/run", "/proc/scree/run", "/dev/null", "scene.toml"):
            _, err = self.scree("run", "scene.toml", "-o", place, expect=5)
            self.assertIn(place, err)

    def test_standard_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            process = subprocess.run([SCREE, "run", "scene.toml", "--json", "--until", "0"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(process.returncode, 5, process.stderr)
            self.assertIn("standard output", process.stderr)
            for command in ("--version", "schema", "help"):
                process = subprocess.run([SCREE, command], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(process.returncode, 5, process.stderr)

    def test_closed_standard_error_does_not_end_a_run(self):
        reader, writer = os.pipe()
        os.close(reader)
        process = subprocess.run([SCREE, "run", "scene.toml", "--until", "0.05"], cwd=self.folder, stderr=writer)
        os.close(writer)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(self.record("scene")["status"], "done")

    def test_invalid_simulation_keeps_the_broken_state_apart(self):
        self.write("crash.toml", """
            [simulation]
            duration = 0.1
            gravity = [0, 0, 0]
            overlap_limit = 0.01
            [materials.glass]
            [[grains]]
            name = "left"
            material = "glass"
            radius = 1e-3
            velocity = [10, 0, 0]
            place = { at = [[-5e-3, 0, 0]] }
            [[grains]]
            name = "right"
            material = "glass"
            radius = 1e-3
            velocity = [-10, 0, 0]
            place = { at = [[5e-3, 0, 0]] }
            [[walls]]
            name = "box"
            kind = "box"
            material = "glass"
            min = [-1, -1, -1]
            max = [1, 1, 1]
            [output]
            checkpoint = 1e-4
            """)
        out, err = self.scree("run", "crash.toml", "--json", expect=4)
        record = self.record("crash")
        self.assertEqual(record["status"], "invalid")
        self.assertIn("overlap", record["message"])
        self.assertIn("overlap", err)
        self.assertIn("scree resume crash", err)
        self.assertIn('"status": "invalid"', out)
        names = self.checkpoints("crash")
        self.assertEqual([name.split("_")[0] for name in names], ["checkpoint", "checkpoint", "invalid"])
        self.assertGreater(int(names[2][8:-3]), int(names[1][11:-3]))
        # The advice holds: resuming repeats the fault.
        _, again = self.scree("resume", "crash", "-q", expect=4)
        self.assertEqual(again, err)

    def test_what_a_scene_cannot_mend_is_not_advised(self):
        # A longer run than the scene says comes to a grain that is too large for its inlet.
        self.write("pour.toml", """
            simulation = { duration = 0.011 }
            materials = { glass = {} }
            regions = [{ name = "inlet", box = [[0, 0, 0], [0.1, 0.1, 4e-3]] }]
            grains = [{ name = "sand", radius = { uniform = [1e-3, 3e-3] }, pour = { region = "inlet", rate = 100 } }]""")
        _, err = self.scree("run", "pour.toml", "-o", "run", "-q", "--until", 0.5, expect=3)
        self.assertIn("does not fit into the region 'inlet'", err)
        self.assertNotIn("once that is repaired", err)
        self.assertIn('start a new run: `[start] from = "run"`', err)

    def test_an_inlet_without_room_is_told_of(self):
        self.write("plug.toml", """
            simulation = { duration = 0.05, gravity = [0, 0, 0] }
            materials = { glass = {} }
            regions = [{ name = "inlet", box = [[0, 0, 0], [0.01, 0.01, 0.01]] }]
            grains = [{ name = "plug", radius = 0.02, fixed = true, place = { at = [[0.005, 0.005, 0.005]] } },
                      { name = "sand", radius = 1e-3, pour = { region = "inlet", rate = 100 } }]""")
        _, err = self.scree("run", "plug.toml", "-o", "run")
        self.assertIn("grains 'sand': none of 5 due has been poured: there was no room for one in the region 'inlet'", err)

    def test_a_signal_ends_placing_at_once(self):
        """Nothing is there to keep yet: no folder, no checkpoint. The first line says which part of placing takes long."""
        scene = SCENE.replace("count = 120", "count = 1000000").replace("[1.5e-3, 2.5e-3]", "[1.3e-4, 1.4e-4]")
        self.write("many.toml", scene)
        process = self.start("run", "many.toml", "-o", "run")
        self.assertRegex(process.stderr.readline(), "placing|finding the neighbors")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertFalse((self.folder / "run").exists())

    def test_bad_scene_touches_nothing(self):
        self.scree("run", "scene.toml", "-q", "--until", 0.01)
        before = self.record("scene")
        self.scree("run", "scene.toml", "--force", "--set", "simulation.duration=-1", expect=3)
        self.scree("run", "scene.toml", "--force", "--set", "simulation.time_step=1", expect=3)
        self.assertEqual(self.record("scene"), before)
        self.scree("run", "absent.toml", expect=3)

    def test_wrong_usage(self):
        for arguments in (["run"], ["run", "scene.toml", "--nope"], ["run", "scene.toml", "--threads", "0"], ["run", "scene.toml", "--until", "-1"],
                          ["run", "scene.toml", "--neighbors", "magic"], ["run", "scene.toml", "--until", "soon"], ["nothing"]):
            self.scree(*arguments, expect=2)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["scene.toml"])

    # A wall that goes far in a step leaves no overlap behind, and no contact.
    def test_thin_walls_hit_grains_or_end_the_run_by_name(self):
        disc = 'kind = "disc", center = [0, 0, 5e-3], normal = [0, 0, -1], radius = 0.02'
        (self.folder / "sheet.obj").write_text("v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n")
        mesh = 'kind = "mesh", file = "sheet.obj", scale = 0.02, translate = [0, 0, 5e-3]'
        motions = {
            "fast": "translate = { velocity = [0, 0, -1000], from = 1e-3, until = 1.1e-3 }",
            "jump": "table = [[0, 0, 0, 0], [1e-3, 0, 0, 0], [1.0000001e-3, 0, 0, -0.05]]",
            "there and back": "table = [[0, 0, 0, 0], [1e-3, 0, 0, 0], [1.0000001e-3, 0, 0, -0.05], [1.0000002e-3, 0, 0, 0]]",
            "vibration": "vibrate = { amplitude = [0, 0, 0.02], frequency = 2e5 }",
            "as often as steps": "vibrate = { amplitude = [0, 0, 0.02], frequency = 5e5 }",
            "light piston": "free = { mass = 1e-9, along = [0, 0, 1], force = -1 }",
            "turn": "rotate = { axis = [1, 0, 0], point = [0, 0.5, 0], rate = 5000 }",
            "whole turns": "rotate = { axis = [1, 0, 0], point = [0, 0.02, 0], rate = 3141592.65359 }",
        }
        for grain in ("radius = 1e-3", 'shape = "rod"'):
            for wall in (disc, mesh):
                for name, motion in motions.items():
                    self.write("thin.toml", f'''
                        simulation = {{ duration = 2e-3, time_step = 2e-6, gravity = [0, 0, 0] }}
                        materials = {{ glass = {{ contact_time = 1e-4 }} }}
                        shapes = {{ rod = {{ kind = "spherocylinder", length = 2e-3, radius = 1e-3 }} }}
                        grains = [{{ {grain}, place = {{ at = [[0, 0, 0]] }} }}]
                        walls = [{{ name = "sheet", {wall}, motion = {{ {motion} }} }}]''')
                    with self.subTest(f"{name}, {grain}, {wall[:14]}"):
                        _, err = self.scree("run", "thin.toml", "-o", "run", "-q", "--force", expect=4)
                        self.assertRegex(err, 'wall "sheet"|two bodies overlap|grain 0')

    def test_walls_that_are_fast_where_no_grain_is_do_no_harm(self):
        for motion in ("translate = { velocity = [0, 0, 1000], from = 1e-3, until = 1.1e-3 }", "table = [[0, 0, 0, 0], [1e-3, 0, 0, 0], [1.0000001e-3, 0.01, 0, 0.05]]",
                       "vibrate = { amplitude = [5e-3, 0, 0], frequency = 5e5 }", "free = { mass = 1e-9, along = [0, 0, 1], force = 1 }"):
            self.write("away.toml", f'''
                simulation = {{ duration = 2e-3, time_step = 2e-6, gravity = [0, 0, 0] }}
                materials = {{ glass = {{ contact_time = 1e-4 }} }}
                grains = [{{ radius = 1e-3, place = {{ at = [[0, 0, 0]] }} }}]
                walls = [{{ name = "sheet", kind = "disc", center = [0, 0, 5e-3], normal = [0, 0, -1], radius = 0.02, motion = {{ {motion} }} }}]''')
            with self.subTest(motion):
                self.scree("run", "away.toml", "-o", "run", "-q", "--force")


if __name__ == "__main__":
    unittest.main()
