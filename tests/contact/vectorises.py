#!/usr/bin/python3
"""Fails when a compiler cannot turn the loop over a contact law into vector instructions.

usage: vectorises.py COMPILER SOURCE_DIR
"""
import pathlib
import platform
import re
import subprocess
import sys

compiler, root = sys.argv[1], pathlib.Path(sys.argv[2])
if platform.machine() != "x86_64" or "Free Software" not in subprocess.run(
        [compiler, "--version"], capture_output=True, text=True).stdout:
    print("needs GCC on x86-64")
    sys.exit(77)

source = root / "tests/contact/vectorises/loops.cpp"
laws = re.search(r"enum class LawKind \{([^}]*)\}", (root / "include/scree/law_list.h").read_text()).group(1)
failed = []
for law in laws.replace(" ", "").split(","):
    result = subprocess.run(
        [compiler, "-std=c++20", "-O3", "-march=x86-64-v3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math",
         "-fopenmp-simd", "-fopt-info-vec", f"-DLAW=LawKind::{law}", f"-I{root}/src", f"-I{root}/include", "-c", source,
         "-o", "/dev/null"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    # The file has one loop over lanes; the short ones inside are unrolled before.
    found = re.search(r"loops\.cpp:\d+:\d+: optimized: +loop vectorized using 32 byte vectors", result.stderr)
    print(f"{law}: {'vectorised' if found else 'NOT vectorised'}")
    if not found:
        failed.append(law)
sys.exit(1 if failed else 0)
