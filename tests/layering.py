#!/usr/bin/python3
"""Fails when an include points the wrong way: each folder of src/ may include only what stands below it, and the files of
a folder may not include each other in a circle. X.h and X.cpp count as one there: a header that needs what only its own
source should need is found, too. Fails, too, when something else than the command prints, exits or catches signals."""
import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import tempfile

# What each layer may use besides itself and the public headers (include/scree).
GROUND = ["core", "math"]
SOLID = GROUND + ["geometry", "shape"]
ENGINE = SOLID + ["triangulation", "contact", "world", "neighbor", "wall", "setup", "events", "engine"]
LAYERS = {
    "core": [],
    "math": ["core"],
    "geometry": GROUND,
    "shape": GROUND + ["geometry"],
    "triangulation": GROUND,
    "microstructure": GROUND + ["triangulation"],
    "contact": GROUND,
    "world": SOLID,
    "neighbor": SOLID + ["triangulation", "world"],
    "wall": SOLID + ["world"],
    "setup": SOLID + ["world", "wall"],
    "events": GROUND + ["geometry", "triangulation", "contact"],
    "engine": ENGINE,
    "measure": ENGINE,
    "io": ENGINE + ["measure"],
    "library": ENGINE + ["measure", "io", "view"],
    "study": ENGINE + ["measure", "io"],
    "plot": ["core"],
    "export": ENGINE + ["measure", "io"],
    "view": ENGINE + ["measure", "io"],
    "app": ENGINE + ["microstructure", "measure", "io", "study", "plot", "export", "view"],
    "python": [],
    "include": [],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# What belongs to the command alone.
LOUD = re.compile(r"\b(?:sigaction|std::signal|(?:std::)?(?:_|quick_)?exit)\s*\(|std::(?:cout|cerr|clog)\b|"
                  r"\b(?:printf|puts|perror)\s*\(|fmt::print\b")
# What may not be seen in a public header: programs that use the library have the standard library alone.
THIRD_PARTY = ("CLI/", "toml", "nlohmann/", "fmt/", "hdf5", "omp.h", "H5")


def problems_in(root):
    found = []
    for layer, allowed in LAYERS.items():
        folder = root / layer if layer in ("app", "include", "python") else root / "src" / layer
        for file in sorted(folder.rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
                if layer != "app" and (loud := LOUD.search(line.split("//")[0])):
                    found.append(f"{file.relative_to(root)}:{number}: a library neither prints, nor ends its program, nor "
                                 f"catches its signals: {loud[0]}")
                match = INCLUDE.match(line)
                if not match:
                    continue
                style, target = match.groups()
                place = f"{file.relative_to(root)}:{number}"
                if target in ("omp.h", "thread", "future") and file.name != "parallel.cpp":
                    found.append(f"{place}: threads are started by core/parallel.cpp only")
                if layer == "include" and (target.startswith(THIRD_PARTY) or style == "<" and re.search(r"[./]", target)):
                    found.append(f"{place}: a public header includes {target}, which is not of the standard library")
                if style == '"' and target.startswith("scree/"):
                    continue
                if style == '"' and "/" not in target:
                    if not (file.parent / target).exists():
                        found.append(f"{place}: {target} is not beside the file")
                    continue
                first = target.split("/")[0]
                if layer == "python" and style == '"':
                    found.append(f"{place}: the Python module sees public headers only, not {target}")
                    continue
                if style == '"' and first in LAYERS and first != layer and first not in allowed:
                    found.append(f"{place}: {layer} may not include {target}")
    return found


ROOT = pathlib.Path(__file__).resolve().parent.parent
loader = importlib.machinery.SourceFileLoader("source_tree", str(ROOT / "tools" / "source-tree"))
source_tree = importlib.util.module_from_spec(importlib.util.spec_from_loader("source_tree", loader))
loader.exec_module(source_tree)


def circles_in(root):
    return [f"{layer}: {', '.join(circle)} include each other in a circle"
            for layer in LAYERS if layer not in ("include", "python")
            for circle in source_tree.cycles(source_tree.tree_inside(root, layer))]


def self_test():
    """The checks must be able to fail: a core header that includes world is refused, and so is a circle."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "src/core").mkdir(parents=True)
        (root / "src/core/bad.h").write_text('#include "world/world.h"\n')
        assert problems_in(root) == ["src/core/bad.h:1: core may not include world/world.h"], problems_in(root)
        assert circles_in(root) == [], circles_in(root)
        (root / "src/core/bad.h").write_text('int loud() { std::cerr << 1; }  // std::cout\nvoid exit_code(); // exit()\n')
        assert len(problems_in(root)) == 1 and "std::cerr" in problems_in(root)[0], problems_in(root)
        (root / "src/core/bad.h").write_text("")
        (root / "src/core/a.h").write_text("void a();\n")
        (root / "src/core/a.cpp").write_text('#include "core/b.h"\n')
        (root / "src/core/b.h").write_text('#include "core/a.h"\n')
        assert circles_in(root) == ["core: a, b include each other in a circle"], circles_in(root)


self_test()
problems = problems_in(ROOT) + circles_in(ROOT)
print("\n".join(problems) or "all includes point the right way, in no circle")
sys.exit(1 if problems else 0)
