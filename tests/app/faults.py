#!/usr/bin/python3
"""Kills and errors at every n-th call that changes a file (tests/fault/shim.cpp): whatever is there afterwards can be
continued to the same end, or says clearly that there is nothing to continue."""
import errno
import os
import shutil
import unittest

from harness import Case, SCENE

SHIM = os.environ["SCREE_FAULT_SHIM"]
LONG = "SCREE_LONG" in os.environ


class Faults(Case):
    def setUp(self):
        super().setUp()
        self.write("scene.toml", SCENE.replace("duration = 0.2", "duration = 0.02").replace("count = 120", "count = 12")
                   .replace("frames = 0.05", "frames = 8e-3").replace("series = 1e-3", "series = 2e-3")
                   .replace("checkpoint = 0.017", "checkpoint = 6e-3\nmeasures = [\"coordination\"]"))
        self.scree("run", "scene.toml", "-o", "whole", "-q")

    def faulty(self, *arguments, at=0, how=""):
        """The exit code and stderr of a call whose at-th change of a file goes wrong."""
        environment = dict(os.environ, LD_PRELOAD=SHIM, SCREE_FAULT_AT=str(at), SCREE_FAULT_HOW=str(how),
                           SCREE_FAULT_COUNT=str(self.folder / "calls"))
        process = self.start(*arguments, "-q", "--threads", 1, env=environment)
        _, err = process.communicate()
        return process.returncode, err

    def places(self, *arguments, most):
        """Numbers of calls at which to fail: all of them, or evenly some."""
        code, err = self.faulty(*arguments)
        self.assertEqual(code, 0, err)
        count = int((self.folder / "calls").read_text())
        self.assertGreater(count, 40, "the shim does not see the calls")
        stride = 1 if LONG else max(1, count // most)
        return range(1, count + 1, stride)

    def assert_continues(self, run, place):
        """What is left is resumed to the same end, or has no checkpoint and can be overwritten."""
        folder = self.folder / run / "checkpoints"
        if folder.exists() and list(folder.glob("checkpoint_*.h5")):
            self.scree("resume", run, "-q")
        else:
            _, err = self.scree("resume", run, "-q", expect=3) if (self.folder / run).exists() else ("", "")
            self.scree("run", "scene.toml", "-o", run, "-q", "--force")
        self.assert_same_run(run, "whole")

    def test_new_runs(self):
        for how in ("kill", errno.ENOSPC, errno.EIO):
            for at in self.places("run", "scene.toml", "-o", "count", "--force", most=9):
                with self.subTest(how=how, at=at):
                    shutil.rmtree(self.folder / "run", ignore_errors=True)
                    code, err = self.faulty("run", "scene.toml", "-o", "run", at=at, how=how)
                    self.assertIn(code, (-9,) if how == "kill" else (0, 5), err)
                    if code == 5:
                        self.assertIn("cannot", err)
                    self.assert_continues("run", at)

    def test_runs_in_place_of_others(self):
        """The earlier run can be continued as long as it has a checkpoint."""
        self.scree("run", "scene.toml", "-o", "half", "-q", "--until", "0.012")
        shutil.copytree(self.folder / "half", self.folder / "count")
        for how in ("kill", errno.EIO):
            for at in self.places("run", "scene.toml", "-o", "count", "--force", most=10):
                with self.subTest(how=how, at=at):
                    shutil.rmtree(self.folder / "run", ignore_errors=True)
                    shutil.copytree(self.folder / "half", self.folder / "run")
                    code, err = self.faulty("run", "scene.toml", "-o", "run", "--force", at=at, how=how)
                    self.assertIn(code, (-9,) if how == "kill" else (0, 5), err)
                    self.assert_continues("run", at)

    def test_resumed_runs(self):
        self.scree("run", "scene.toml", "-o", "half", "-q", "--until", "0.008")
        shutil.copytree(self.folder / "half", self.folder / "count")
        for how in ("kill", errno.ENOSPC):
            for at in self.places("resume", "count", most=9):
                with self.subTest(how=how, at=at):
                    shutil.rmtree(self.folder / "run", ignore_errors=True)
                    shutil.copytree(self.folder / "half", self.folder / "run")
                    code, err = self.faulty("resume", "run", at=at, how=how)
                    self.assertIn(code, (-9,) if how == "kill" else (0, 5), err)
                    self.assert_continues("run", at)


if __name__ == "__main__":
    unittest.main()
