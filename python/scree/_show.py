"""Runs to look at: one page with the viewer in it, in a cell of a notebook or in the browser."""
import os
import pathlib
import subprocess
import sys
import tempfile

from . import _scree
from ._errors import UsageError
from ._run import Run

MOST_BYTES = 7_800_000  # of the page; 8 MB with what a notebook adds
WORDS = ("frame", "time", "color", "map", "view", "select", "chains", "walls", "plots", "play")


class View:
    """What show() gives: a page of one file, without a server. A notebook shows it in the cell, with a picture beside it
    for those who show no pages; save() keeps it."""

    def __init__(self, page, picture):
        self.html = page
        self.png = picture  # None where it could not be drawn
        self.height = 520

    def save(self, path):
        """Writes the page; with a name that ends in .png the picture."""
        path = pathlib.Path(path)
        if path.suffix == ".png":
            if self.png is None:
                raise UsageError("this run has no picture: there are no grains")
            path.write_bytes(self.png)
        else:
            path.write_text(self.html, encoding="utf-8")
        return self

    def open(self):
        """Opens the page in the browser. It stays in the folder for temporary files."""
        import webbrowser

        handle, path = tempfile.mkstemp(prefix="scree_", suffix=".html")
        os.close(handle)
        self.save(path)
        webbrowser.open(pathlib.Path(path).as_uri())
        return self

    def _repr_html_(self):
        # Of the page's text only quotes and ampersands would end the attribute or change its meaning.
        page = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return (f'<iframe srcdoc="{page}" sandbox="allow-scripts" width="100%" height="{self.height}" '
                'style="border: 1px solid #8884" title="scree"></iframe>')

    def _repr_png_(self):
        return self.png

    def __repr__(self):
        return f"<scree.View: {len(self.html) / 1e6:.1f} MB>"


def link(how):
    """What the page shows first, in the words of its address (docs/viewer.md)."""
    unknown = [key for key in how if key not in WORDS]
    if unknown:
        import difflib

        near = difflib.get_close_matches(unknown[0], [*WORDS, "grains", "contacts", "caption", "frames"], 1)
        raise UsageError(f"show(): {unknown[0]!r} is unknown{f'; nearest is {near[0]!r}' if near else ''}; there are: "
                         f"{', '.join(WORDS)}, grains, contacts, caption")
    words = [f"{key}={int(value) if isinstance(value, bool) else value}" for key, value in how.items()]
    return "&".join(words)


def page_of(folder, grains=None, contacts=True, caption="", **how):
    """The page of a run folder, as text."""
    with tempfile.TemporaryDirectory(prefix="scree_") as name:
        file = os.path.join(name, "page.html")
        _scree.export_page(os.fspath(folder), file, MOST_BYTES, grains, contacts, caption, link(how))
        return pathlib.Path(file).read_text(encoding="utf-8")


def picture_of(folder, frame=-1, time=None, color=None, **_):
    """A PNG of the frame that show() is asked for, or None where there is nothing to draw."""
    run = Run(folder)
    if time is not None:
        frame = run.at(time).number
    script = pathlib.Path(__file__).parent / "drawing" / "picture"
    with tempfile.TemporaryDirectory(prefix="scree_") as name:
        file = pathlib.Path(name, "picture.png")
        command = [sys.executable, str(script), os.fspath(folder), "-o", str(file), "--frames", str(frame),
                   "--size", "560,560"]
        if run.scene["simulation.dimension"] == 2:
            command += ["--view", "0,0,1"]
        if color in ("speed", "radius", "group"):
            command += ["--color", color]
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return file.read_bytes() if file.exists() else None


def show_folder(folder, **how):
    view = View(page_of(folder, **how), picture_of(folder, **how))
    return view if in_notebook() else view.open()


def show_simulation(simulation, **how):
    with tempfile.TemporaryDirectory(prefix="scree_") as name:
        folder = os.path.join(name, "now")
        simulation._core.write_moment(folder)
        return show_folder(folder, **how)


def in_notebook():
    """Whether somebody else shows what a cell gives. IPython is asked only if it is there already."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and getattr(shell, "kernel", None) is not None
