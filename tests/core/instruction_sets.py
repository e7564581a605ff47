#!/usr/bin/python3
"""Code for several instruction sets is chosen in one place, which SCREE_ISA rules, and the variants do not mix.

usage: instruction_sets.py SCREE BUILD_DIR"""
import os
import pathlib
import re
import subprocess
import sys
import unittest

SCREE, BUILD = sys.argv[1], pathlib.Path(sys.argv[2])
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def symbols(file):
    """Kinds and names, as nm tells them."""
    out = subprocess.run(["nm", "--demangle", file], check=True, capture_output=True, text=True).stdout
    return [(line[17:18], line[19:]) for line in out.splitlines()]


def sets_of_this_processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    flags = set(re.search(r"^flags\s*:(.*)$", text, re.M).group(1).split()) if "flags" in text else set()
    needed = {"baseline": set(), "avx2": {"avx2", "bmi2", "fma"},
              "avx512": {"avx512f", "avx512vl", "avx512dq", "avx512bw"}}
    return [name for name, some in needed.items() if some <= flags]


def set_in_use(name):
    environment = {key: value for key, value in os.environ.items() if key != "SCREE_ISA"}
    if name:
        environment["SCREE_ISA"] = name
    out = subprocess.run([SCREE, "--version", "--verbose"], check=True, capture_output=True, text=True,
                         env=environment).stdout
    return re.search(r"^instruction set +(\S+)$", out, re.M).group(1)


class InstructionSets(unittest.TestCase):
    def test_no_function_is_picked_by_the_loader(self):
        """Functions of the type GNU_IFUNC, as target_clones makes them, and those that pick for them."""
        picked = {name for kind, name in symbols(SCREE) if kind == "i" or name.endswith(".resolver")}
        self.assertEqual(sorted(picked), [])

    def test_the_sources_ask_for_none(self):
        for file in sorted((ROOT / "src").rglob("*")):
            if file.suffix in (".h", ".cpp"):
                self.assertNotRegex(file.read_text(), r"__attribute__\s*\(\(\s*(target|ifunc)", str(file))

    def test_the_variable_decides(self):
        sets = sets_of_this_processor()
        for name in sets:
            self.assertEqual(set_in_use(name), name)
        self.assertEqual(set_in_use(None), sets[-1])
        self.assertEqual(set_in_use("no-such-set"), "baseline")

    def test_variants_share_nothing(self):
        """The linker keeps one of several functions of the same name. Were it the one for AVX-512, a processor without would
        stop at it. So all that a variant shares are specialisations for its own set (src/core/instruction_set.h)."""
        if not re.search(r"^CMAKE_BUILD_TYPE:\w+=Release$", (BUILD / "CMakeCache.txt").read_text(), re.M):
            self.skipTest("without optimisation small functions are not inlined")
        objects = [path for name in ("baseline", "avx2", "avx512")
                   for path in BUILD.glob(f"CMakeFiles/scree_*_{name}.dir/**/*.o")]
        self.assertGreater(len(objects), 0)
        shared = [f"{path.relative_to(BUILD)}: {name}" for path in sorted(objects) for kind, name in symbols(path)
                  if (kind in "TWi" or (kind in "VuDRB" and "vtable" in name)) and "(scree::InstructionSet)" not in name]
        self.assertEqual(shared, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
