#!/usr/bin/python3
"""Sources are cited by author and year, every citation has its entry in docs/references.md, every entry is cited, and
lines of documents fit into 120 columns."""
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("app", "bench", "docs", "examples", "include", "src", "tests", "tools", "viewer/src")
SUFFIXES = (".cmake", ".cpp", ".h", ".md", ".py", ".toml", ".ts", "")
NAME = r"[A-ZÀ-Þ][\w'’-]+"
YEAR = r"((?:1[89]|20)\d\d)"
# "Bizon et al. (1998)", "Chung and Ooi 2011".
SEVERAL = re.compile(rf"({NAME}(?: et al\.| and {NAME})),? \(?{YEAR}\b")
# "(Lacey 1954", "Haff (1983)". A bare "Name 1999" is a citation where the name is that of an entry.
ONE = re.compile(rf"(?:\((?:the |after )?({NAME}),? {YEAR}[),;:])|(?:\b({NAME}) \({YEAR}\))")
ENTRY = re.compile(rf"\*\*({NAME}(?: et al\.| and {NAME})?) {YEAR}\*\*")
# A source by a number of its own, as in "00" + "0 eq. 3.20".
NUMBERED = re.compile(r"(?<![\w.,:'=/-])00\d(?:'s)?(?=,? ?(?:eq\.|section|chapter|ch\.|figure|table|algorithm|theorem|§)|[;)]| (?:gives|says|takes|describes))")
NOT_AUTHORS = {"IEC"} | set("January February March April May June July August September October November December".split())


def texts(root):
    files = [path for path in sorted(root.glob("*.md"))]
    for folder in FOLDERS:
        files += [path for path in sorted((root / folder).rglob("*")) if path.is_file() and path.suffix in SUFFIXES and "results" not in path.parts]
    for path in files:
        try:
            yield path.relative_to(root), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def joined(text):
    """The text with its comment marks and line ends as blanks, so that a citation across two lines is found."""
    return re.sub(r"\s*\n\s*(?://+|#+)?\s*", " ", text)


def citations(text, entries):
    text = joined(text)
    found = {(authors, year) for authors, year in SEVERAL.findall(text)}
    text = SEVERAL.sub(" ", text)
    for first, first_year, second, second_year in ONE.findall(text):
        found.add((first or second, first_year or second_year))
    alone = "|".join(sorted({authors for authors, _ in entries if " " not in authors}))
    found |= set(re.findall(rf"\b({alone}),? \(?{YEAR}\b", text))
    return {(authors, year) for authors, year in found if authors not in NOT_AUTHORS}


def problems_in(root):
    found = []
    entries = set(ENTRY.findall((root / "docs/references.md").read_text()))
    cited = set()
    for name, text in texts(root):
        for number, line in enumerate(text.splitlines(), 1):
            if NUMBERED.search(line):
                found.append(f"{name}:{number}: cite the source by author and year: {line.strip()}")
        if name.name in ("references.md", "references.py"):
            continue
        here = citations(text, entries)
        cited |= here
        found += [f"{name}: {authors} {year} has no entry in docs/references.md" for authors, year in sorted(here - entries)]
    found += [f"docs/references.md: nothing cites {authors} {year}" for authors, year in sorted(entries - cited)]
    return found


def long_lines_in(root):
    """Prose is wrapped; tables, code, pictures and links that cannot be broken are not prose. scene.md is generated."""
    found = []
    for page in [*sorted(root.glob("*.md")), *sorted((root / "docs").glob("*.md")), *sorted((root / "bench").glob("*.md"))]:
        code = False
        for number, line in enumerate(page.read_text().splitlines(), 1):
            if line.lstrip().startswith("```"):
                code = not code
            if code or len(line) <= 120 or line.startswith("    ") or line.lstrip().startswith(("|", "#", "![")) or page.name == "scene.md":
                continue
            found.append(f"{page.relative_to(root)}:{number}: {len(line)} columns")
    return found


class References(unittest.TestCase):
    def test_every_citation_has_an_entry_and_every_entry_is_cited(self):
        self.assertEqual(problems_in(ROOT), [])

    def test_lines_of_documents_fit_a_screen(self):
        self.assertEqual(long_lines_in(ROOT), [])

    def test_what_is_wrong_is_noticed(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "docs").mkdir()
            (root / "src").mkdir()
            (root / "docs/references.md").write_text("* **Haff 1983**: ...\n* **Lacey 1954**: ...\n* **Babic 1997**: ...\n")
            (root / "docs/laws.md").write_text(f"As Chung and\nOoi (2011) and Haff (1983) say; Lacey 1955.\n{'word ' * 30}\n")
            (root / "src/a.h").write_text("// Walton and Braun (0" + "03 eq. 2.13), (Babic 1997), Bizon et al.\n// (1998)\nfloat x = 0.003;\n")
            self.assertEqual(problems_in(root), [
                "docs/laws.md: Chung and Ooi 2011 has no entry in docs/references.md",
                "docs/laws.md: Lacey 1955 has no entry in docs/references.md",
                "src/a.h:1: cite the source by author and year: // Walton and Braun (0" + "03 eq. 2.13), (Babic 1997), Bizon et al.",
                "src/a.h: Bizon et al. 1998 has no entry in docs/references.md",
                "docs/references.md: nothing cites Lacey 1954",
            ])
            self.assertEqual(long_lines_in(root), ["docs/laws.md:3: 150 columns"])


if __name__ == "__main__":
    unittest.main()
