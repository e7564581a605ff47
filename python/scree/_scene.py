"""Scenes: read, made of dicts, changed by dotted paths, checked, written."""
import os
import pathlib
import re

from . import _scree, _toml


class Scene:
    """Everything about a simulation, in the words of the scene file (docs/scene.md).

        Scene("silo.toml")                                    # from a file
        Scene(simulation=dict(duration=2), materials=...)     # of the same words; from_ stands for `from`
        Scene({"simulation": {"duration": 2}, ...})
        Scene.parse(text)                                     # from TOML in memory

    Nothing is checked before check(), str() or a Simulation asks for it; then SceneError has all faults. Relative names
    of files in a scene start at the folder of its file, or at the current one.
    """

    def __init__(self, source=None, **tables):
        self._changes = {}
        self._complete = None
        self._file = "scene"
        if isinstance(source, Scene):
            self._text, self._file, self._changes = source._text, source._file, dict(source._changes)
        elif isinstance(source, (str, os.PathLike)):
            self._file = os.fspath(source)
            self._text = _read(self._file)
        elif source is None or isinstance(source, dict):
            self._text = _toml.document(_toml.plain({**(source or {}), **tables}, "scene"))
            return
        else:
            raise TypeError(f"a scene is made of a file's name, a dict or keywords, not of {type(source).__name__}")
        if tables:
            raise TypeError("a scene is made of a file or of keywords, not of both; change single values by "
                            'scene["simulation.duration"] = 2')

    @classmethod
    def parse(cls, text, file="scene"):
        """From TOML in memory; `file` stands for it in messages, and relative names of files start at its folder."""
        scene = cls()
        scene._text, scene._file = str(text), os.fspath(file)
        return scene

    def __setitem__(self, path, value):
        """Sets one value, by the paths of `scree run --set`: scene["walls.floor.open_at"] = 0.4."""
        path = ".".join(_toml.word(part) for part in path.split("."))
        self._changes.pop(path, None)
        self._changes[path] = _toml.plain(value, path)
        self._complete = None

    def __getitem__(self, path):
        """One value, or a table of them, of the complete scene: scene["simulation.duration"]."""
        import tomllib

        at = tomllib.loads(self._whole())
        for k, part in enumerate(_toml.word(part) for part in path.split(".")):
            if isinstance(at, list):
                named = [item for item in at if isinstance(item, dict) and item.get("name") == part]
                if named:
                    at = named[0]
                    continue
                if re.fullmatch(r"-?\d+", part) and -len(at) <= int(part) < len(at):
                    at = at[int(part)]
                    continue
            elif isinstance(at, dict) and part in at:
                at = at[part]
                continue
            known = at if isinstance(at, dict) else [item.get("name") for item in at] if isinstance(at, list) else []
            raise KeyError(f"{path}: there is no {part!r}" + (f" in {'.'.join(path.split('.')[:k])}" if k else "") +
                           f"; there are: {', '.join(str(key) for key in known) or 'none'}")
        return at

    def check(self):
        """Raises SceneError with every fault at once, each with the nearest valid word; returns the scene."""
        self._whole()
        return self

    def save(self, path):
        """Writes the complete scene as TOML, with every default."""
        text = self._whole()
        partial = f"{os.fspath(path)}.{os.getpid()}~"
        try:
            pathlib.Path(partial).write_text(text, encoding="utf-8")
            os.replace(partial, path)
        except OSError as error:
            from ._errors import FileError

            raise FileError(f"{os.fspath(path)}: cannot be written: {error.strerror}") from error

    def __str__(self):
        return self._whole()

    def __repr__(self):
        changes = ", ".join(f"{path} = {_toml.inline(value)}" for path, value in self._changes.items())
        return f"<scree.Scene {self._file}{': ' + changes if changes else ''}>"

    def __eq__(self, other):
        return isinstance(other, Scene) and self._whole() == other._whole()

    __hash__ = None  # type: ignore[assignment]

    def copy(self):
        return Scene(self)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return Scene(self)

    def __getstate__(self):
        return {"text": self._text, "file": self._file, "changes": self._changes}

    def __setstate__(self, state):
        self._text, self._file, self._changes = state["text"], state["file"], state["changes"]
        self._complete = None

    def _overrides(self):
        return [f"{path}={_toml.inline(value)}" for path, value in self._changes.items()]

    def _arguments(self):
        return self._text, self._file, self._overrides()

    def _whole(self):
        if self._complete is None:
            self._complete = _scree.complete(*self._arguments())
        return self._complete


def _read(file):
    try:
        return pathlib.Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        from ._errors import SceneError

        raise SceneError(f"{file}: not a scene: it is no text in UTF-8 ({error.reason} at byte {error.start})") from error
    except OSError as error:
        from ._errors import FileError

        raise FileError(f"{file}: cannot be read: {error.strerror}. scree.new() has scenes to begin with") from error


def as_scene(source):
    return source if isinstance(source, Scene) else Scene(source)


def new(template=None):
    """A scene to begin with, as `scree new`: new("silo"). Without a name: the names of all."""
    folder = pathlib.Path(__file__).parent / "templates"
    names = sorted(path.stem for path in folder.glob("*.toml"))
    if template is None:
        return names
    if template not in names:
        import difflib

        from ._errors import UsageError

        near = difflib.get_close_matches(template, names, 1)
        raise UsageError(f"no template is called {template!r}{f'; nearest is {near[0]!r}' if near else ''}; there are: "
                         f"{', '.join(names)}")
    return Scene(folder / f"{template}.toml")
