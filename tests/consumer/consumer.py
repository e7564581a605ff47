#!/usr/bin/python3
"""Other programs use the installed library: by CMake, by pkg-config, as a subdirectory.

The build is installed into one folder and moved to another before anything looks at it. The program is the one that
docs/library.md shows; it must end with the state hash that the command ends with. What is not on a machine (clang,
pkg-config) is skipped with a message.
"""
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("SCREE_BUILD") or sys.exit("SCREE_BUILD must name the build to install"))
CXX = os.environ.get("CXX", "c++")
FLAGS = os.environ.get("SCREE_CONSUMER_FLAGS", "").split()  # of a build under sanitizers
HEADERS = sorted((ROOT / "include/scree").glob("*.h"))


def run(*command, **how):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **how)
    return done


def must(*command, **how):
    done = run(*command, **how)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def page_program():
    """The first C++ program of docs/library.md."""
    return re.search(r"^```cpp\n(.*?)^```", (ROOT / "docs/library.md").read_text(), re.M | re.S).group(1)


class Consumer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="scree_consumer_")
        cls.folder = pathlib.Path(cls.temporary.name)
        must("cmake", "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = cls.folder / "moved here"
        (cls.folder / "first").rename(cls.prefix)
        cls.libraries = next(path.parent for path in cls.prefix.rglob("libscree.*"))
        cls.shared = (cls.libraries / "libscree.so").exists()
        cls.silo = cls.folder / "silo.cpp"
        cls.silo.write_text(page_program())
        cls.environment = {**os.environ, "LD_LIBRARY_PATH": str(cls.libraries), "PKG_CONFIG_PATH": str(cls.libraries / "pkgconfig")}

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def project(self, name, text, **files):
        folder = self.folder / name
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(text)
        for file in files.values():
            shutil.copy(file, folder)
        return folder

    def configure(self, folder, *options, kind="Release"):
        return run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_BUILD_TYPE={kind}",
                   f"-DCMAKE_CXX_COMPILER={CXX}", f"-DCMAKE_CXX_FLAGS={' '.join(FLAGS)}", f"-DCMAKE_PREFIX_PATH={self.prefix}", *options)

    def build(self, folder, *options, kind="Release"):
        done = self.configure(folder, *options, kind=kind)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        must("cmake", "--build", folder / "build")
        return folder / "build"

    def run_silo(self, program):
        """Runs the program of the page in a folder with its scene; returns the hash it prints."""
        work = self.folder / f"run of {program.parent.name} {program.name}"
        work.mkdir()
        shutil.copy(HERE / "silo.toml", work)
        text = must(program, cwd=work, env=self.environment, timeout=300)
        return re.search(r"state ([0-9a-f]{16})", text).group(1)

    @functools.cache
    def hash_of_the_command(self):
        until = re.search(r"run_until\(([\d.]+)\)", page_program()).group(1)
        friction = re.search(r"friction = ([\d.]+);", page_program()).group(1)
        text = must(self.prefix / "bin/scree", "run", HERE / "silo.toml", "-o", self.folder / "silo", "--force", "--json",
                    "--until", until, "--set", f"materials.pills.friction={friction}", env={**os.environ, "LD_LIBRARY_PATH": ""})
        record = json.loads(text)
        self.assertGreater(record["grains"], 20)
        self.assertGreater(record["contacts"], 20)
        return record["state_hash"]

    def test_find_package_and_the_hash_of_the_command(self):
        build = self.build(self.project("by cmake", (HERE / "find_package.cmake.txt").read_text(), a=self.silo))
        self.assertEqual(self.run_silo(build / "silo"), self.hash_of_the_command())

    def test_find_package_by_version_and_component(self):
        # One configuration asks for all of them; a function has variables of its own.
        wanted = {"0.2": True, "0.2.0": True, "": True, "0.3": False, "0.1": False, "1": False,
                  "0.2 COMPONENTS geometry scree": True, "0.2 COMPONENTS pythonic": False}
        text = "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n"
        for number, question in enumerate(wanted):
            text += f"""function(ask{number})
  find_package(scree {question} QUIET)
  message(STATUS "answer {number} ${{scree_FOUND}} ${{scree_NOT_FOUND_MESSAGE}}")
  foreach(component scree geometry)
    if(scree_FOUND AND NOT TARGET scree::${{component}})
      message(FATAL_ERROR "there is no scree::${{component}}")
    endif()
  endforeach()
endfunction()
ask{number}()
unset(scree_DIR CACHE)
"""
        done = self.configure(self.project("versions", text))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        answers = re.findall(r"^-- answer (\d+) (\S*)(.*)$", done.stdout, re.M)
        self.assertEqual({question: answer == "1" for question, (_, answer, _) in zip(wanted, answers, strict=True)}, wanted)
        self.assertIn("pythonic", answers[-1][2])

    def test_pkg_config(self):
        if not shutil.which("pkg-config"):
            self.skipTest("pkg-config is not here")
        more = [] if self.shared else ["--static"]
        flags = must("pkg-config", "--cflags", "--libs", *more, "scree", env=self.environment)
        program = self.folder / "by_pkg_config"
        must("sh", "-c", f'{CXX} -std=c++20 -O2 {" ".join(FLAGS)} "{self.silo}" -o "{program}" {flags}')
        self.assertEqual(self.run_silo(program), self.hash_of_the_command())
        self.assertEqual(must("pkg-config", "--modversion", "scree-geometry", env=self.environment).strip(),
                         must(self.prefix / "bin/scree", "--version").split()[1])

    def test_geometry_needs_nothing_else(self):
        text = """cmake_minimum_required(VERSION 3.25)
project(geometry LANGUAGES CXX)
find_package(scree 0.2 REQUIRED COMPONENTS geometry)
if(TARGET scree::scree)
  message(FATAL_ERROR "more than was asked for")
endif()
add_executable(geometry geometry.cpp)
target_link_libraries(geometry PRIVATE scree::geometry)
"""
        build = self.build(self.project("of geometry", text, a=HERE / "geometry.cpp"))
        self.expect_geometry(build / "geometry")
        if self.shared:
            needed = must("ldd", build / "geometry", env=self.environment)
            self.assertIn("libscree-geometry.so.0.2", needed)
            self.assertNotRegex(needed, "hdf5|toml|libscree.so")

    def expect_geometry(self, program):
        self.assertRegex(must(program, env=self.environment),
                         r"^scree \d+\.\d+\.\d+: 4 triangles, 8 edges\ndistance 5\nthere is no sphere 7; 5 have")

    def test_a_program_in_c(self):
        """The header is plain C, and the library is all that such a program needs."""
        if not self.shared:
            self.skipTest("a static library wants a linker for C++")
        program = self.folder / "distance in c"
        must("cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *FLAGS, HERE / "distance.c", "-o", program,
             "-I", self.prefix / "include", "-L", self.libraries, "-lscree-geometry")
        self.assertEqual(must(program, env=self.environment), "distance 0.25 from 1.75 1 0.5\n")

    def test_add_subdirectory(self):
        # Both are configured; SCREE_LONG builds everything too.
        for name, only_geometry in (("above geometry", "ON"), ("above", "OFF")):
            text = f"""cmake_minimum_required(VERSION 3.25)
project(above LANGUAGES CXX)
set(SCREE_GEOMETRY_ONLY {only_geometry})
set(SCREE_UNITY ON)
set(SCREE_VIEWER OFF)
add_subdirectory("{ROOT}" scree)
add_executable(geometry geometry.cpp)
target_link_libraries(geometry PRIVATE scree::geometry)
"""
            if only_geometry == "OFF":
                text += "add_executable(silo silo.cpp)\ntarget_link_libraries(silo PRIVATE scree::scree)\n"
            folder = self.project(name, text, a=HERE / "geometry.cpp", b=self.silo)
            if not os.environ.get("SCREE_LONG"):
                done = self.configure(folder)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                continue
            build = self.build(folder)
            self.expect_geometry(build / "geometry")
            if only_geometry == "OFF":
                self.assertEqual(self.run_silo(build / "silo"), self.hash_of_the_command())

    def test_each_header_compiles_alone(self):
        compilers = [CXX] + [name for name in ["clang++"] if shutil.which(name)]

        def compiles(header, compiler):
            return must(compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-x", "c++",
                        "-include", self.prefix / "include/scree" / header.name, "-I", self.prefix / "include", os.devnull)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = {pool.submit(compiles, header, compiler): (header.name, compiler) for compiler in compilers for header in HEADERS}
            for each, (header, compiler) in done.items():
                with self.subTest(header=header, compiler=compiler):
                    each.result()
        if len(compilers) == 1:
            print("clang++ is not here: headers were compiled by one compiler only", file=sys.stderr)

    def test_only_scree_is_exported(self):
        if not self.shared:
            self.skipTest("static libraries export everything")
        for library in ("libscree.so", "libscree-geometry.so"):
            names = must("nm", "-D", "--defined-only", "--demangle", self.libraries / library).splitlines()
            names = [line.split(maxsplit=2)[2] for line in names]
            strange = [name for name in names if not re.match(r"((vtable|typeinfo|typeinfo name|VTT) for )?scree(::|_)", name)]
            self.assertEqual(strange, [])
            self.assertTrue(any("RegularTriangulation::build" in name for name in names))
            # Types of the inside do not leave.
            self.assertEqual([name for name in names if re.search(r"scree::(World|Parts|tri::|GrainRow)", name)], [])
            self.assertLess(len(names), 250)

    def test_headers_teach(self):
        """Public headers include only the standard library and each other. Contract, units, cost and failure of functions are in
        comments; a scene and a vector are plain data and arithmetic."""
        comments = code = 0
        for header in HEADERS:
            lines = [line.strip() for line in header.read_text().splitlines() if line.strip()]
            if header.name not in ("scene.h", "vec.h"):
                comments += sum("//" in line for line in lines)
                code += len(lines)
            for target in re.findall(r"#include [<\"]([^>\"]+)", header.read_text()):
                self.assertTrue(target.startswith("scree/") or re.fullmatch(r"[a-z_]+", target), f"{header.name} includes {target}")
        self.assertGreater(comments / code, 0.4)


if __name__ == "__main__":
    unittest.main(verbosity=2)
