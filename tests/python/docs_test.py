"""Runs every ```python block of the documents: those of a page one after the other, in a folder of their own, with the files
of the page (```toml NAME, ```csv NAME) beside."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from scenes import ROOT

PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md"]


def blocks(page):
    return re.findall(r"^```(\w+)[ ]*([^\n]*)\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def program_of(page):
    """The blocks as one program whose lines have the numbers of the page, and the files it wants."""
    lines = page.read_text(encoding="utf-8").split("\n")
    kept, files, inside = [], {}, None
    for line in lines:
        fence = re.match(r"```(\w*)[ ]*(.*)", line)
        if fence and inside is None:
            inside, name = fence[1], fence[2].strip()
            kept.append("")
        elif line.startswith("```"):
            inside = None
            kept.append("")
        else:
            kept.append(line if inside == "python" else "")
            if inside in ("toml", "csv") and name:
                files[name] = files.get(name, "") + line + "\n"
    return "\n".join(kept), files


class Documents(unittest.TestCase):
    def run_page(self, page):
        program, files = program_of(page)
        with tempfile.TemporaryDirectory(prefix="scree_docs_") as folder:
            for name, text in files.items():
                pathlib.Path(folder, name).write_text(text)
            file = pathlib.Path(folder, "page.py")
            file.write_text(program)
            done = subprocess.run([sys.executable, file], cwd=folder, env={**os.environ, "MPLBACKEND": "Agg", "BROWSER": "true", "TMPDIR": folder},
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=500)
        self.assertEqual(done.returncode, 0, f"{page}:\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}")

    def test_a_wrong_block_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "wrong.md")
            page.write_text("```python\nimport scree\n```\ntext\n```python\nscree.Simulatoin\n```\n")
            with self.assertRaisesRegex(AssertionError, r'(?s)line 6.*Simulatoin'):
                self.run_page(page)


def test_of(page):
    return lambda self: self.run_page(page)


for page in PAGES:
    if any(language == "python" for language, _, _ in blocks(page)):
        setattr(Documents, f"test_{page.stem.replace('-', '_').lower()}", test_of(page))

if __name__ == "__main__":
    unittest.main()
