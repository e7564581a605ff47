#!/usr/bin/python3
"""tools/picture: says what it lacks, and draws whatever is in a run; scripts find the interpreter that has NumPy."""
import os
import pathlib
import subprocess
import sys
import unittest
import zlib

from harness import SCENE, Case

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "tools/picture"
sys.path.insert(0, str(ROOT / "tools"))
from vtp import read_vtp


class Picture(Case):
    def picture(self, *arguments, expect=0, **options):
        done = subprocess.run([PICTURE, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, **options)
        self.assertEqual(done.returncode, expect, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def test_what_is_missing_is_named(self):
        self.assertIn("there is no folder nowhere", self.picture("nowhere", expect=1))
        (self.folder / "other").mkdir()
        self.assertIn("other is no run folder", self.picture("other", expect=1))
        self.scree("run", "scene.toml", "-o", "run", "-q", "--until", 0.001)
        self.assertIn("has no frame 7; it has 2", self.picture("run", "--frames", "0,7", expect=1))
        self.assertIn("is not 2 numbers", self.picture("run", "--size", "40", expect=2))

    def test_grains_that_came_later_are_colored_too(self):
        first = SCENE.index("[[grains]]")
        poured_alone = SCENE[:first] + SCENE[SCENE.index("[[grains]]", first + 1):]
        for name, scene in (("mixed", SCENE), ("poured", poured_alone)):
            self.write("poured.toml", scene)
            self.scree("run", "poured.toml", "-o", name, "-q", "--until", 0.06)
            self.picture(name, "--color", "start", "--size", "60,60", "-o", f"{name}.png")
            self.assertTrue((self.folder / f"{name}.png").read_bytes().startswith(b"\x89PNG"))

    def test_groups_have_the_colors_that_the_scene_gives_them(self):
        self.write("red.toml", SCENE.replace('name = "sand"', 'name = "sand"\ncolor = "#ff0000"'))
        self.scree("run", "red.toml", "-o", "red", "-q", "--until", 0.03)
        self.assertEqual(read_vtp(self.folder / "red/frames/grains_000000.vtp")["group_colors"], ["#ff0000", ""])
        self.assertIn('color = "#ff0000"', (self.folder / "red/scene.toml").read_text())
        self.picture("red", "--size", "80,80", "--walls", "0", "--close", "-o", "red.png")
        data = (self.folder / "red.png").read_bytes()
        at = data.index(b"IDAT")
        rows = zlib.decompress(data[at + 4 : at + 4 + int.from_bytes(data[at - 4 : at], "big")])
        pixels = [rows[k + 1 + 3 * x : k + 4 + 3 * x] for k in range(0, len(rows), 241) for x in range(80)]
        inked = [p for p in pixels if p != b"\xff\xff\xff"]
        self.assertGreater(sum(p[0] > 2 * p[1] and p[0] > 2 * p[2] for p in inked), 0.5 * len(inked))
        self.scree("run", "scene.toml", "-o", "plain", "-q", "--until", 0.001)
        self.assertNotIn("group_colors", read_vtp(self.folder / "plain/frames/grains_000000.vtp"))
        for color in ("red", "#ff00", "#gg0000", "#ff00000"):
            _, err = self.scree("check", "scene.toml", "--set", f"grains.sand.color={color}", expect=3)
            self.assertIn("is no color", err)

    def test_another_python_first_on_the_path_does_no_harm(self):
        bare = self.folder / "bin" / "python3"
        bare.parent.mkdir()
        bare.write_text("#!/bin/sh\necho 'this python3 has no NumPy' >&2\nexit 1\n")
        bare.chmod(0o755)
        self.scree("run", "scene.toml", "-o", "run", "-q", "--until", 0.001)
        self.picture("run", "--size", "60,60", env={**os.environ, "PATH": f"{bare.parent}:{os.environ['PATH']}"})

    def test_scripts_name_the_interpreter_that_has_the_packages(self):
        listed = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True)
        if listed.returncode != 0:
            self.skipTest("not a checkout")
        for line in listed.stdout.splitlines():
            path = ROOT / line.split("\t")[1]
            if line.startswith("120000") or not path.is_file():
                continue
            with open(path, "rb") as file:
                first = file.readline()
            if first.startswith(b"#!") and b"python" in first:
                self.assertEqual(first, b"#!/usr/bin/python3\n", path)


if __name__ == "__main__":
    unittest.main(verbosity=2)
