"""What the tests of the command share: calling scree, small scenes, comparing run folders."""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SCREE = os.environ.get("SCREE") or sys.exit("SCREE must name the program to test")

# Grains of two sizes fall onto a vibrating floor between walls: contacts with memory, a moving wall, pouring, an outflow.
SCENE = """
title = "shaken box"
[simulation]
duration = 0.2
seed = 3
[materials.glass]
contact_time = 1e-3
[[regions]]
name = "upper"
box = [[-0.018, -0.018, 0.004], [0.018, 0.018, 0.03]]
[[regions]]
name = "inlet"
box = [[-0.01, -0.01, 0.04], [0.01, 0.01, 0.05]]
[[regions]]
name = "everything"
box = [[-0.0201, -0.0201, -0.1], [0.0201, 0.0201, 0.1]]
[[grains]]
name = "sand"
material = "glass"
radius = { uniform = [1.5e-3, 2.5e-3] }
place = { random = "upper", count = 120 }
[[grains]]
name = "poured"
material = "glass"
radius = 2e-3
pour = { region = "inlet", rate = 100, velocity = [0, 0, -0.5] }
[[walls]]
name = "box"
kind = "box"
material = "glass"
min = [-0.02, -0.02, -0.01]
max = [0.02, 0.02, 0.1]
[[walls]]
name = "plate"
kind = "disc"
material = "glass"
center = [0, 0, 0]
normal = [0, 0, 1]
radius = 0.03
motion = { vibrate = { amplitude = [0, 0, 1e-3], frequency = 30 } }
[outflow]
region = "everything"
[output]
frames = 0.05
series = 1e-3
checkpoint = 0.017
"""


def default_signals():
    """A test may itself run with signals ignored, as in the background of a shell; the program must not."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def limit_file_size(size):
    def limit():
        default_signals()
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    return limit


class Case(unittest.TestCase):
    """A test with a folder of its own, which is the current one of every command."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="scree_test_"))
        self.write("scene.toml", SCENE)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def start(self, *arguments, **options):
        options.setdefault("preexec_fn", default_signals)
        return subprocess.Popen([SCREE, *map(str, arguments)], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options)

    def scree(self, *arguments, expect=0, stdin="", **options):
        """Runs to the end and checks the exit code; returns (stdout, stderr)."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(stdin)
        self.assertEqual(process.returncode, expect, f"scree {' '.join(map(str, arguments))}\n{out}\n{err}")
        return out, err

    def record(self, run):
        return json.loads((self.folder / run / "run.json").read_text())

    def wait_for_first_checkpoint(self, run):
        while not ((self.folder / run / "run.json").exists() and self.record(run)["checkpoint"]):
            time.sleep(0.01)

    def checkpoints(self, run):
        return sorted(path.name for path in (self.folder / run / "checkpoints").iterdir())

    def assert_no_temporary_files(self, run):
        self.assertEqual([str(path) for path in (self.folder / run).rglob(".*")], [])

    def assert_same_run(self, run, expected):
        """Same state, and the same bytes in every file but run.json, which tells the time taken, and older checkpoints."""
        self.assertEqual(self.record(run)["state_hash"], self.record(expected)["state_hash"])
        files = {}
        for name in (run, expected):
            root = self.folder / name
            found = {str(path.relative_to(root)): path for path in root.rglob("*") if path.is_file() and path.name != "run.json"}
            last = max(name for name in found if name.startswith("checkpoints/checkpoint_"))
            files[name] = {key: path for key, path in found.items() if not key.startswith("checkpoints/") or key == last}
        self.assertEqual(sorted(files[run]), sorted(files[expected]))
        for key, path in files[run].items():
            self.assertTrue(path.read_bytes() == files[expected][key].read_bytes(), f"{key} differs")
