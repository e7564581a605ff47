"""The wheel: CMake builds the module with all of scree in it, so that it needs nothing of this build.

  python3 -m build --no-isolation         needs python3-build, python3-setuptools and what scree needs (tools/install-packages)

It is a wheel for this kind of machine: HDF5, fmt and toml++ are those of the system, as h5py of the system uses them, too. (HDF5
inside of the module would need a static library for that, which Debian does not have.) SCREE_CMAKE in the environment has more
options for CMake.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class Build(build_ext):
    def run(self):
        build = pathlib.Path(self.build_temp).resolve()
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF", "-DCMAKE_SKIP_RPATH=ON", "-DSCREE_PYTHON_MODULE=ON",
                   f"-DPython3_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("SCREE_CMAKE", ""))]
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), *options], check=True)
        jobs = str(len(os.sched_getaffinity(0)))
        subprocess.run(["cmake", "--build", str(build), "--target", "scree_python", "--parallel", jobs], check=True)
        # The package of the build is complete: sources, templates and the module.
        shutil.copytree(build / "python/scree", pathlib.Path(self.build_lib) / "scree", dirs_exist_ok=True)


def version():
    text = (ROOT / "include/scree/version.h").read_text(encoding="utf-8")
    return ".".join(re.findall(r"define SCREE_VERSION_\w+ +(\d+)", text))


setup(version=version(), packages=["scree"], package_dir={"scree": "python/scree"}, ext_modules=[Extension("scree._scree", [])],
      cmdclass={"build_ext": Build})
