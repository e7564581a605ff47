"""Tables: what measures give, and series."""
import re

import numpy as np


class Table:
    """Columns by name, as arrays: table["density"]. Unknown values are NaN.

    `units[name]` is a unit ("" for pure numbers), `columns` the names, len() the number of rows. `value` is the number
    that a measure of one row is about. In a notebook a table shows itself.
    """

    def __init__(self, columns, units=None, title=""):
        self._columns = {name: np.asarray(values) for name, values in columns.items()}
        self.units = {name: (units or {}).get(name, "") for name in self._columns}
        self.title = title
        self._main = None

    @classmethod
    def _of(cls, parts, title=""):
        names, units, columns, main = parts
        table = cls(dict(zip(names, columns)), dict(zip(names, units)), title)
        table._main = names[main] if main < len(names) else None
        return table

    @property
    def columns(self):
        return list(self._columns)

    def __getitem__(self, name):
        try:
            return self._columns[name]
        except KeyError:
            import difflib

            near = difflib.get_close_matches(str(name), self._columns, 1)
            raise KeyError(f"the table has no column {name!r}{f'; nearest is {near[0]!r}' if near else ''}; it has: "
                           f"{', '.join(self._columns)}") from None

    def __contains__(self, name):
        return name in self._columns

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(next(iter(self._columns.values()), ()))

    @property
    def value(self):
        """Of a table of one row: the first column that tells no place nor how many grains there are."""
        if len(self) != 1:
            from ._errors import UsageError

            raise UsageError(f"the table has {len(self)} rows: take a column of {', '.join(self._columns)}")
        return float(self._columns[self._main or self.columns[0]][0])

    def row(self, k=0):
        """One row as a dict."""
        return {name: values[k].item() for name, values in self._columns.items()}

    def to_pandas(self):
        """A pandas DataFrame; units are in its `attrs`."""
        import pandas

        frame = pandas.DataFrame(dict(self._columns))
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_csv(self, path):
        """Writes the columns with a line of names, numbers with all digits."""
        import csv

        with open(path, "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(self._columns)
            rows.writerows(zip(*(values.tolist() for values in self._columns.values())))

    def _heading(self, name):
        return f"{name} [{self.units[name]}]" if self.units[name] else name

    def _shown(self, most=12):
        n = len(self)
        return list(range(n)) if n <= most else [*range(most // 2), None, *range(n - most // 2, n)]

    def __repr__(self):
        rows = [[self._heading(name) for name in self._columns]]
        for k in self._shown():
            rows.append(["..." if k is None else _text(values[k]) for values in self._columns.values()])
        widths = [max(len(row[c]) for row in rows) for c in range(len(self._columns))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows)

    def _repr_html_(self):
        from html import escape

        head = "".join(f"<th>{escape(self._heading(name))}</th>" for name in self._columns)
        body = "".join("<tr>" + "".join(f"<td>{'…' if k is None else escape(_text(values[k]))}</td>"
                                        for values in self._columns.values()) + "</tr>" for k in self._shown())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(value):
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)


def request(what, options):
    """The text of a measure: its name, and options in the words of TOML."""
    from . import _toml

    def text(key, value):
        value = _toml.plain(value, key)
        return value if isinstance(value, str) and re.fullmatch(r"[\w.-]+", value) else _toml.inline(value)

    words = ",".join(f"{_toml.word(key)}={text(key, value)}" for key, value in options.items())
    if not words:
        return what
    return f"{what}{',' if ':' in what else ':'}{words}"
