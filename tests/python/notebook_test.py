"""The tutorial runs from its first cell to its last, and what is kept of it has its pictures."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from scenes import ROOT

TUTORIAL = ROOT / "docs/tutorial.ipynb"
try:
    import nbclient  # noqa: F401
    import nbformat
except ImportError:
    nbformat = None


@unittest.skipUnless(nbformat, "python3-nbclient is not here")
class Tutorial(unittest.TestCase):
    def test_it_runs(self):
        with tempfile.TemporaryDirectory(prefix="scree_notebook_") as folder:
            made = pathlib.Path(folder, "made.ipynb")
            environment = {**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1", "IPYTHONDIR": folder, "JUPYTER_RUNTIME_DIR": folder}
            done = subprocess.run([sys.executable, ROOT / "tools/tutorial", TUTORIAL, "-o", made], env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[-3000:])
            made, kept = (nbformat.read(path, as_version=4) for path in (made, TUTORIAL))
        for one, other in zip(made.cells, kept.cells, strict=True):
            kinds = [[sorted(output.get("data", output)) for output in cell.get("outputs", [])] for cell in (one, other)]
            self.assertEqual(*kinds, one.source)
        pictures = [output for cell in kept.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})]
        self.assertEqual(len(pictures), 3)
        self.assertLess(TUTORIAL.stat().st_size, 400_000)


if __name__ == "__main__":
    unittest.main()
