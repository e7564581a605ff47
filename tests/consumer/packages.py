#!/usr/bin/python3
"""The Debian packages that cpack makes of a build: names, contents, what they depend on, and what lintian says."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("SCREE_BUILD") or sys.exit("SCREE_BUILD must name the build to pack"))


def must(*command, **how):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **how)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="scree_packages_")
        folder = pathlib.Path(cls.temporary.name)
        must("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", folder)
        cls.packages = {path.name.split("_")[0]: path for path in folder.glob("*.deb")}
        cls.contents = {name: must("dpkg-deb", "-c", path) for name, path in cls.packages.items()}

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def field(self, package, name):
        return must("dpkg-deb", "-f", self.packages[package], name).strip()

    def test_names_and_contents(self):
        expected = {
            "scree": ["usr/bin/scree", "usr/share/man/man1/scree.1.gz", "bash-completion/completions/scree", "vendor-completions/_scree"],
            "libscree0.2": ["libscree.so.0.2"],
            "libscree-geometry0.2": ["libscree-geometry.so.0.2"],
            "libscree-dev": ["include/scree/scree.h", "scree-config.cmake", "scree.pc", "scree-geometry.pc", "libscree.so "],
            "scree-doc": ["docs/library.md", "examples/silo.toml"],
        }
        if (BUILD / "python/scree").exists():
            expected["python3-scree"] = ["usr/lib/python3/dist-packages/scree/__init__.py", "scree/_scree.cpython", "scree/py.typed",
                                         "scree/templates/silo.toml", "scree/drawing/picture"]
        self.assertEqual(sorted(self.packages), sorted(expected))
        for package, files in expected.items():
            for file in files:
                self.assertIn(file, self.contents[package])
            self.assertIn(f"usr/share/doc/{package}/copyright", self.contents[package])
        self.assertNotIn(".so", self.contents["scree"])
        self.assertNotIn("libscree.so ", self.contents["libscree0.2"])

    def test_dependencies(self):
        self.assertRegex(self.field("libscree0.2", "Depends"), r"libhdf5")
        self.assertNotRegex(self.field("libscree-geometry0.2", "Depends"), r"hdf5|toml")
        version = self.field("libscree-dev", "Version")
        self.assertEqual(self.field("libscree-dev", "Depends"),
                         f"libscree0.2 (= {version}), libscree-geometry0.2 (= {version})")
        self.assertIn("libstdc++6", self.field("scree", "Depends"))
        shlibs = must("dpkg-deb", "-I", self.packages["libscree0.2"], "shlibs")
        self.assertRegex(shlibs, r"^libscree 0\.2 libscree0\.2")
        # What is found of the command: only what it uses.
        self.assertNotRegex(self.field("scree", "Depends"), r"libcurl|libssl")

    def test_the_python_package_works_with_the_library_package(self):
        if "python3-scree" not in self.packages:
            self.skipTest("built without the Python module")
        depends = self.field("python3-scree", "Depends")
        self.assertIn(f"libscree0.2 (= {self.field('libscree0.2', 'Version')})", depends)
        self.assertIn("python3-numpy", depends)
        with tempfile.TemporaryDirectory(prefix="scree_packages_") as name:
            root = pathlib.Path(name)
            for package in ("python3-scree", "libscree0.2"):
                must("dpkg-deb", "-x", self.packages[package], root)
            place = root / "usr/lib/python3/dist-packages"
            module, = (place / "scree").glob("_scree.*.so")
            self.assertNotRegex(must("readelf", "-d", module), "RPATH|RUNPATH")
            libraries = ":".join(str(path.parent) for path in root.rglob("libscree.so.0.2"))
            program = "import scree; s = scree.Simulation(scree.new('collision')); s.run(); print(scree.__file__)"
            said = must("/usr/bin/python3", "-c", program, env={**os.environ, "PYTHONPATH": str(place), "LD_LIBRARY_PATH": libraries})
            self.assertTrue(said.startswith(str(place)), said)

    def test_lintian(self):
        if not shutil.which("lintian"):
            self.skipTest("lintian is not here")
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", "--no-tag-display-limit", *map(str, self.packages.values())],
                              capture_output=True, text=True)
        errors = [line for line in done.stdout.splitlines() if line.startswith("E:")]
        self.assertEqual((errors, done.returncode), ([], 0), done.stdout + done.stderr)


if __name__ == "__main__":
    if not (shutil.which("dpkg-deb") and shutil.which("cpack")):
        print("dpkg-deb and cpack are not both here", file=sys.stderr)
        sys.exit(77)
    unittest.main(verbosity=2)
