"""What to do when the compiled part of the package cannot be loaded."""
import pathlib
import sys


def advice(error):
    here = pathlib.Path(__file__).parent
    built = sorted(path.name for path in here.glob("_scree.*so"))
    mine = f"Python {sys.version_info.major}.{sys.version_info.minor} ({sys.executable})"
    tag = f"cpython-{sys.version_info.major}{sys.version_info.minor}"
    if not built:
        return (f"scree: {here} has no compiled module. Build it for {mine}: configure with\n"
                f"  cmake --preset release -DSCREE_PYTHON_MODULE=ON -DPython3_EXECUTABLE={sys.executable}\n"
                "which needs the headers of Python and pybind11 (Debian: python3-dev, pybind11-dev).")
    if not any(tag in name for name in built):
        return (f"scree: the compiled module is {', '.join(built)}, but this is {mine}. Start the interpreter that it was "
                "built for (on Debian mostly /usr/bin/python3), or build it for this one:\n"
                f"  cmake --preset release -DSCREE_PYTHON_MODULE=ON -DPython3_EXECUTABLE={sys.executable}")
    return (f"scree: {here / built[0]} cannot be loaded by {mine}: {error}\n"
            "A library it needs is missing or of another version; `ldd` on that file names it. "
            "NumPy is needed, too (Debian: python3-numpy).")
