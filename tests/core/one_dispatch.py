#!/usr/bin/env python3
"""All choices between instruction sets are made in one place, which SCREE_ISA rules: the built programs have no functions
that the loader picks by the processor (ifuncs, as target_clones makes them), and the command says which set it was given.

usage: one_dispatch.py SCREE [PROGRAM...]"""
import os
import pathlib
import re
import subprocess
import sys
import unittest

SCREE, PROGRAMS = sys.argv[1], sys.argv[1:]
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def functions_picked_by_the_loader(program):
    """Symbols of the type GNU_IFUNC, and the functions that pick for them."""
    out = subprocess.run(["nm", "--demangle", program], check=True, capture_output=True, text=True).stdout
    return sorted({line[19:] for line in out.splitlines() if line[17:18] == "i" or line.endswith(".resolver")})


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


class OneDispatch(unittest.TestCase):
    def test_no_function_is_picked_by_the_loader(self):
        for program in PROGRAMS:
            self.assertEqual(functions_picked_by_the_loader(program), [], program)

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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
