#!/usr/bin/env python3
"""Fails when a file that is compiled once per instruction set hands out code under a name that other files use too.

The linker keeps one of several functions of the same name. Were it the one for AVX-512, a processor without would stop
at it. So all that such a file shares are specialisations for its own instruction set (src/core/instruction_set.h).

usage: variants.py BUILD_DIR
"""
import pathlib
import subprocess
import sys

build = pathlib.Path(sys.argv[1])
objects = [path for name in ("baseline", "avx2", "avx512") for path in build.glob(f"CMakeFiles/scree_*_{name}.dir/**/*.o")]
if not objects:
    print("no variants in this build")
    sys.exit(77)
shared = []
for path in sorted(objects):
    for line in subprocess.run(["nm", "-C", path], capture_output=True, text=True, check=True).stdout.splitlines():
        kind, name = line[17:18], line[19:]
        code = kind in "TWi" or (kind in "VuDRB" and "vtable" in name)
        if code and "(scree::InstructionSet)" not in name:
            shared.append(f"{path.relative_to(build)}: {name}")
print("\n".join(shared) or f"{len(objects)} object files share nothing but what is for their instruction set")
sys.exit(1 if shared else 0)
