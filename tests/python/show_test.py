"""Runs to look at: a page of one file within a notebook's limits, with the viewer in a frame that may do nothing else."""
import html.parser
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import scree
from scree import _show

from scenes import ROOT, falling


class Frames(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.frames = []

    def handle_starttag(self, tag, attributes):
        self.frames.append((tag, dict(attributes)))


class Looking(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scree_python_")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name)
        self.simulation = scree.Simulation(falling(), self.path / "run")
        self.simulation.run(until=0.05)
        os.environ["BROWSER"] = "true"  # a program that does nothing
        try:
            self.view = self.simulation.show(color="speed", chains=True)
        except scree.Error as error:
            if "viewer" not in str(error):
                raise
            self.skipTest("built without the viewer")

    def test_a_cell_shows_the_page_in_a_closed_frame(self):
        cell = Frames()
        cell.feed(self.view._repr_html_())
        (tag, attributes), = cell.frames
        self.assertEqual((tag, attributes["sandbox"]), ("iframe", "allow-scripts"))
        self.assertEqual(attributes["srcdoc"], self.view.html)  # nothing of the page ends the attribute
        self.assertIn('"link":"color=speed&chains=1"', self.view.html)
        self.assertLess(len(self.view._repr_html_()), 8_000_000)
        self.assertNotRegex(self.view.html, r'(src|href)="https?:')

    def test_the_viewer_starts_in_its_closed_frame(self):
        node = shutil.which("node") or shutil.which("nodejs")
        if not node:
            self.skipTest("node is not here")
        cell = self.path / "cell.html"
        cell.write_text(f'<!doctype html><meta charset="utf-8">{self.view._repr_html_()}', encoding="utf-8")
        done = subprocess.run([node, ROOT / "tests/view/notebook.mjs", cell, self.path / "cell.png"], capture_output=True, text=True,
                              env={key: value for key, value in os.environ.items() if key != "LD_PRELOAD"})
        if done.returncode == 77 or "Cannot find module" in done.stderr:
            self.skipTest(done.stdout or "what drives the browser is not here")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_picture_is_beside_it(self):
        self.assertTrue(self.view._repr_png_().startswith(b"\x89PNG"))
        self.view.save(self.path / "now.png").save(self.path / "now.html")
        self.assertEqual((self.path / "now.html").read_text(), self.view.html)
        self.assertEqual((self.path / "now.png").read_bytes(), self.view.png)

    def test_the_picture_is_of_the_moment_asked_for(self):
        scene = falling()
        scene["output.frames"] = 0.01
        scree.Simulation(scene, self.path / "long").run(until=0.1)
        run = scree.Run(self.path / "long")
        early, late = run.show(time=0.012).png, run.show().png
        self.assertNotEqual(early, late)
        self.assertEqual(early, run.show(frame=1).png)

    def test_pages_have_a_most(self):
        run = scree.Run(self.path / "run")
        with mock.patch.object(_show, "MOST_BYTES", 1000), self.assertRaisesRegex(scree.UsageError, "does not fit"):
            run.show()

    def test_words_are_checked(self):
        with self.assertRaisesRegex(scree.UsageError, "nearest is 'color'"):
            self.simulation.show(colour="speed")

    def test_a_script_opens_the_browser(self):
        page = self.path / "opened"
        program = f"""
import scree
scree.Run({str(self.path / "run")!r}).show()
"""
        browser = self.path / "browser"
        browser.write_text(f"#!/bin/sh\necho \"$1\" > {page}\n")
        browser.chmod(0o755)
        subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "BROWSER": str(browser), "TMPDIR": str(self.path)})
        address = page.read_text().strip()
        self.assertTrue(address.startswith("file://") and address.endswith(".html"), address)
        self.assertIn('id="app"', pathlib.Path(address[7:]).read_text())

    def test_looking_changes_nothing(self):
        other = scree.Simulation(falling())
        other.run(until=0.05)
        for one in (self.simulation, other):
            one.run(until=0.06)
        self.assertEqual(self.simulation.hash(), other.hash())


if __name__ == "__main__":
    unittest.main()
