"""The wheel has all of scree in it and works where nothing of the build is. Builds scree anew: a long test (SCREE_LONG)."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

from scenes import ROOT


@unittest.skipUnless(os.environ.get("SCREE_LONG"), "takes minutes: SCREE_LONG=1 asks for it")
class Wheel(unittest.TestCase):
    def test_a_wheel_works_by_itself(self):
        with tempfile.TemporaryDirectory(prefix="scree_wheel_") as name:
            folder = pathlib.Path(name)
            subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], check=True, capture_output=True)
            wheel, = folder.glob("scree-*-linux_*.whl")
            place = folder / "place"
            with zipfile.ZipFile(wheel) as file:
                file.extractall(place)
            names = {str(path.relative_to(place / "scree")) for path in (place / "scree").rglob("*") if path.is_file()}
            self.assertLessEqual({"__init__.py", "__init__.pyi", "py.typed", "templates/silo.toml", "drawing/picture"}, names)
            module, = (place / "scree").glob("_scree.*.so")
            needed = subprocess.run(["readelf", "-d", module], capture_output=True, text=True, check=True).stdout
            self.assertNotRegex(needed, r"libscree|RPATH|RUNPATH")
            exported = subprocess.run(["nm", "-D", "--defined-only", module], capture_output=True, text=True, check=True).stdout
            self.assertNotRegex(exported, r" H5\w+|scree\w*10Simulation")
            program = "import scree; s = scree.Simulation(scree.new('collision')); s.run(); s.save('state.h5'); print(s.hash())"
            environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
            done = subprocess.run([sys.executable, "-c", program], env={**environment, "PYTHONPATH": str(place)}, cwd=folder,
                                  capture_output=True, text=True, check=True)
            import scree

            simulation = scree.Simulation(scree.new("collision"))
            simulation.run()
            self.assertEqual(done.stdout.strip(), simulation.hash())


if __name__ == "__main__":
    unittest.main()
