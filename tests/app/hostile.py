#!/usr/bin/python3
"""Run folders, numbers and files of somebody who means harm, or of a broken disk: a clear refusal, and nothing else."""
import os
import resource
import shutil
import struct
import subprocess
import unittest

from harness import Case, SCREE, default_signals

SMALL = """
title = "two"
[simulation]
duration = 2e-3
[materials.glass]
[[regions]]
name = "room"
box = [[0, 0, 0], [0.1, 0.1, 0.1]]
[[grains]]
name = "sand"
radius = 1e-3
velocity = [0, 0, -0.2]
place = { at = [[0, 0, 0], [2.001e-3, 0, 0], [0, 0, 2.001e-3]] }
[[walls]]
name = "floor"
kind = "disc"
center = [0, 0, -1e-3]
normal = [0, 0, 1]
radius = 0.01
[output]
frames = 1e-3
checkpoint = 1e-3
"""


def limit_memory():
    default_signals()
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


class Hostile(Case):
    def setUp(self):
        super().setUp()
        self.write("small.toml", SMALL)

    def made_run(self, name="run"):
        self.scree("run", "small.toml", "-o", name, "-q")
        return self.folder / name

    def refused(self, *arguments, expect=3, place=None):
        """The message of a refusal, which comes soon and says where. Processor time: other programs may be busy too."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        _, err = self.scree(*arguments, expect=expect, preexec_fn=limit_memory)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 15)
        if place:
            self.assertIn(place, err)
        return err

    # ---- Frames -----------------------------------------------------------------------------------------------------

    def test_lengths_of_arrays_are_looked_at(self):
        run = self.made_run()
        shutil.rmtree(run / "checkpoints")
        measure = ("measure", "run", "coordination", "fabric", "forces", "motion", "--at", "2e-3")
        export = ("export", "run", "--format", "stl", "-o", "stl")
        whole = {command: self.scree(*command)[0] for command in (measure, export)}
        damaged = 0
        for path in sorted((run / "frames").glob("*_000002.vtp")):
            good = path.read_bytes()
            start = good.index(b"_", good.index(b"<AppendedData")) + 1
            head = good[:start].decode()
            for piece in head.split('offset="')[1:]:
                at = start + int(piece.split('"')[0])
                for length in (0, 8, 2**64 - 8):
                    if length == struct.unpack("<Q", good[at:at + 8])[0]:
                        continue
                    path.write_bytes(good[:at] + struct.pack("<Q", length) + good[at + 8:])
                    command = export if path.name.startswith("walls") else measure
                    process = subprocess.run([SCREE, *command], cwd=self.folder, capture_output=True, text=True, preexec_fn=limit_memory)
                    if process.returncode == 0:  # not an array that the command reads
                        self.assertEqual(process.stdout, whole[command], f"{path.name}, {piece[:20]}, {length}")
                    else:
                        self.assertIn(process.returncode, (3, 5), process.stderr)
                        self.assertIn(path.name, process.stderr)
                        damaged += 1
                path.write_bytes(good)
        self.assertGreater(damaged, 50)

    # ---- Links, lost files, closed descriptors ----------------------------------------------------------------------

    def test_no_link_in_a_run_folder_is_written_through(self):
        self.made_run("good")
        victim = self.folder / "victim"
        for name in ("series.csv", ".run.json.part", "run.json", "frames/run.pvd", "frames/.run.pvd.part", "frames/.grains_000003.vtp.part",
                     "checkpoints/.checkpoint_000000000150.h5.part", "checkpoints/checkpoint_000000000150.h5"):
            shutil.rmtree(self.folder / "run", ignore_errors=True)
            shutil.copytree(self.folder / "good", self.folder / "run")
            victim.write_text("precious")
            planted = self.folder / "run" / name
            planted.unlink(missing_ok=True)
            planted.symlink_to(victim)
            process = self.start("resume", "run", "-q", "--until", "3e-3")
            _, err = process.communicate()
            self.assertIn(process.returncode, (0, 5), err)
            self.assertEqual(victim.read_text(), "precious", name)
        for name in ("frames", "checkpoints"):
            shutil.rmtree(self.folder / "run", ignore_errors=True)
            shutil.copytree(self.folder / "good", self.folder / "run")
            (self.folder / "run" / name).rename(self.folder / name)
            (self.folder / "run" / name).symlink_to(self.folder / name)
            self.assertIn("link", self.refused("resume", "run", "-q", "--until", "3e-3", expect=5, place=name))
            self.refused("run", "small.toml", "-o", "run", "--force", expect=5, place=name)

    def test_a_lost_table_begins_anew(self):
        self.write("small.toml", SMALL + 'measures = ["coordination"]\n')
        run = self.made_run()
        (run / "series.csv").unlink()
        (run / "measures" / "coordination.csv").unlink()
        _, err = self.scree("resume", "run", "--until", "3e-3")
        self.assertIn("series.csv is gone", err)
        self.assertIn("coordination.csv is gone", err)
        rows = (run / "series.csv").read_text().splitlines()
        self.assertTrue(rows[0].startswith("time,"))
        self.assertAlmostEqual(float(rows[-1].split(",")[0]), 3e-3)
        # And again, from a checkpoint that counts the new one.
        self.scree("resume", "run", "-q", "--until", "4e-3")
        self.assertTrue((run / "measures" / "coordination.csv").read_text().startswith("time,"))

    def test_closed_descriptors_are_not_taken_for_files(self):
        for closed in ((0,), (1,), (2,), (0, 1, 2)):
            def close(closed=closed):
                default_signals()
                for number in closed:
                    os.close(number)
            shutil.rmtree(self.folder / "run", ignore_errors=True)
            process = subprocess.Popen([SCREE, "run", "small.toml", "-o", "run"], cwd=self.folder, preexec_fn=close,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            process.communicate()
            self.assertEqual(process.returncode, 0)
            for row in (self.folder / "run" / "series.csv").read_text().splitlines()[1:]:
                for number in row.split(","):
                    float(number)

    # ---- Checkpoints ------------------------------------------------------------------------------------------------

    def test_any_damage_of_the_newest_checkpoint_leaves_the_one_before(self):
        run = self.made_run()
        newest = sorted((run / "checkpoints").iterdir())[-1]
        good = newest.read_bytes()
        for at in (0, 5, 15, 17, 20, 24, 26, 32, 45, 60, 300, 511, 512, 1000, len(good) - 1):
            spoiled = bytearray(good)
            spoiled[at] ^= 1
            shutil.rmtree(self.folder / "copy", ignore_errors=True)
            shutil.copytree(run, self.folder / "copy")
            (self.folder / "copy" / "checkpoints" / newest.name).write_bytes(bytes(spoiled))
            _, err = self.scree("resume", "copy")
            self.assertIn("trying the one before", err)
            self.assert_same_run("copy", "run")

    # ---- Numbers and sizes ------------------------------------------------------------------------------------------

    def test_numbers_out_of_any_use_are_refused_where_they_stand(self):
        for change in ("simulation.gravity=[0,0,-1e150]", "grains.sand.place.at=[[1e308,0,0],[-1e308,0,0]]", "grains.sand.spin=[1e308,0,0]",
                       "grains.sand.velocity=[1e308,0,0]", "materials.glass.density=1e-300", "materials.glass.density=1e300",
                       "grains.sand.radius=1e-120", "grains.sand.radius=1e100", "walls.floor.center=[0,0,-1e200]",
                       "regions.room.box=[[0,0,-1e100],[1,1,1]]", "periodic.x=[-1e200,1e200]"):
            err = self.refused("check", "small.toml", "--set", change)
            self.assertIn("--set " + change.split("=")[0], err)
            self.refused("run", "small.toml", "-o", "run", "--set", change)
        self.refused("check", "small.toml", "--set", "grains.sand.place.at=[[1e14,0,0]]", place="small.toml:9:1: grains 'sand': a place 1e+14 m")
        self.write("far.toml", SMALL.replace("[0, 0, 0], [0.1,", "[0, 0, -1e15], [0.1,").replace("place = {", "place = { random = \"room\", count = 20 } #"))
        self.refused("check", "far.toml", place="far.toml:9:1: grains 'sand': a place 1e+15 m")
        for row in ("-1e17,0,1,1e-3", "1e308,0,1,1e-3", "0,-1e308,1,1e-3", "1e14,0,1,1e-3", "0,0,1,1e-200", "0,0,1,1e200", "0,0,1e999,1e-3"):
            self.write("grains.csv", f"x,y,z,radius\n{row}\n0,0,1,1e-3\n")
            self.write("table.toml", SMALL.replace("place = {", "place = { file = \"grains.csv\" } #").replace("radius = 1e-3\n", "", 1))
            self.refused("check", "table.toml", place="grains.csv:2:")

    def test_far_places_that_can_be_told_are_run(self):
        for place, radius in (("[[1e7, 0, 0], [-1e7, 0, 1]]", "1e-3"), ("[[0, 0, 0], [4e14, 0, 0]]", "1e4")):
            self.scree("run", "small.toml", "-o", "run", "-q", "--force", "--set", f"grains.sand.place.at={place}", "--set",
                       f"grains.sand.radius={radius}", "--set", "walls=[]", "--set", "simulation.gravity=[0,0,0]", preexec_fn=limit_memory)

    def test_a_region_far_larger_than_its_grains(self):
        self.write("region.toml", SMALL.replace("[0.1, 0.1, 0.1]", "[0.1, 0.1, 1e7]").replace("place = {", "place = { random = \"room\", count = 20 } #"))
        self.scree("run", "region.toml", "-o", "run", "-q", "--force", "--set", "walls=[]", preexec_fn=limit_memory)

    def test_too_many_groups(self):
        groups = "".join(f'[[grains]]\nname = "g{k}"\nradius = 1e-3\nplace = {{ at = [[{k}, 0, 0]] }}\n' for k in range(70000))
        self.write("groups.toml", "[simulation]\nduration = 1e-3\n[materials.glass]\n" + groups)
        self.assertIn("at most 65535", self.refused("check", "groups.toml", place="groups.toml:"))

    def test_devices_without_an_end(self):
        self.refused("check", "/dev/zero", place="/dev/zero:1")
        self.write("table.toml", SMALL.replace("place = {", "place = { file = \"/dev/zero\" } #").replace("radius = 1e-3\n", "", 1))
        self.refused("check", "table.toml", place="/dev/zero:1")
        for command in (("triangulate", "/dev/zero"), ("distance", "/dev/zero", "/dev/zero")):
            self.refused(*command, place="/dev/zero:1")

    def test_an_index_of_no_vertex(self):
        for index in ("1e300", "-1e300", "4", "0", "1.5", "1e19"):
            self.write("wall.obj", f"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 {index}\n")
            self.write("mesh.toml", SMALL.replace('kind = "disc"', 'kind = "mesh"\nfile = "wall.obj"').replace("center = [0, 0, -1e-3]\n", "")
                       .replace("normal = [0, 0, 1]\nradius = 0.01\n", ""))
            self.refused("check", "mesh.toml", place="wall.obj:4")

    def test_nothing_a_terminal_acts_on_is_shown(self):
        for change in ('title="a\\u001b[31mb"', 'title="a\\u009b31mb"', 'grains.sand.name="\\u001b"', 'walls.floor.name="a\\u0007"'):
            self.assertIn("control characters", self.refused("check", "small.toml", "--set", change))
        self.write("keys.toml", '"\\u001b[31m" = 1\n' + SMALL)
        self.assertNotIn("\x1b", self.refused("check", "keys.toml", place="keys.toml:1"))

    def test_too_little_memory_is_told_with_what_was_asked(self):
        def little():
            default_signals()
            resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))
        self.write("many.toml", SMALL.replace("[0.1, 0.1, 0.1]", "[10, 10, 10]").replace("place = {", "place = { lattice = \"sc\", spacing = 0.05, region = \"room\" } #"))
        process = subprocess.run([SCREE, "check", "many.toml", "--set", "walls=[]"], cwd=self.folder, capture_output=True, text=True, preexec_fn=little)
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertIn("many.toml", process.stderr)
        self.assertIn("memory", process.stderr)


if __name__ == "__main__":
    unittest.main()
