"""The stubs say what the package has: no more, no less, and with the same arguments. Skipped without mypy."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

import scree


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not here")
class Stubs(unittest.TestCase):
    def stubtest(self, path):
        with tempfile.TemporaryDirectory(prefix="scree_stubs_") as folder:
            environment = {**os.environ, "MYPYPATH": path, "PYTHONPATH": path, "MYPY_CACHE_DIR": folder}
            config = os.path.join(folder, "mypy.ini")
            with open(config, "w", encoding="utf-8") as file:
                file.write("[mypy]\nignore_missing_imports = True\n")
            inside = os.path.join(folder, "inside")  # modules of the package that have no stubs, and need none
            with open(inside, "w", encoding="utf-8") as file:
                file.write(r"scree\._[a-z]+(\..*)?")
            return subprocess.run([sys.executable, "-m", "mypy.stubtest", "scree", "--concise", "--mypy-config-file", config, "--allowlist", inside,
                                   "--ignore-unused-allowlist"], cwd=folder, env=environment,
                                  capture_output=True, text=True)

    def test_stubs_agree_with_the_package(self):
        done = self.stubtest(os.path.dirname(os.path.dirname(scree.__file__)))
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_missing_argument_is_noticed(self):
        with tempfile.TemporaryDirectory(prefix="scree_stubs_") as folder:
            package = os.path.join(folder, "scree")
            os.mkdir(package)
            for name in os.listdir(os.path.dirname(scree.__file__)):
                source = os.path.join(os.path.dirname(scree.__file__), name)
                if name != "__init__.pyi":
                    os.symlink(source, os.path.join(package, name))
            with open(os.path.join(os.path.dirname(scree.__file__), "__init__.pyi"), encoding="utf-8") as file:
                text = file.read()
            with open(os.path.join(package, "__init__.pyi"), "w", encoding="utf-8") as file:
                file.write(text.replace("def step(self, count: int = ...)", "def step(self, number: int = ...)"))
            done = self.stubtest(folder)
        self.assertIn("scree.Simulation.step", done.stdout)


if __name__ == "__main__":
    unittest.main()
