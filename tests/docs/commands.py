#!/usr/bin/python3
"""Runs every command that the documents show.

All lines of the ```sh blocks of a page are run one after the other in an empty folder of their own, with tools/ and
examples/ of the sources beside. A block "```toml NAME" is written to the file NAME first. Simulations are cut short
(--until), so that this takes seconds; with SCREE_LONG those with numbers to expect run to their end and are held to them. Blocks of other languages (```text, ```console, ...) are not commands.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCREE = os.environ.get("SCREE") or sys.exit("SCREE must name the program to test")
PAGES = sorted((ROOT / "docs").glob("*.md")) + [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "bench/README.md"]
# Building, testing and benchmarking: ./test itself does the first two, the last take minutes and a quiet machine. A viewer
# without --export waits for somebody to look.
NOT_HERE = ("./run", "./test", "cmake", "ctest", "build/", "tools/install-packages", "tools/validate", "bench/", "./build", "scree bench", "export ", "nice", "cd ", "npm ", "SCREE_")
SHIM = """#!/bin/bash
# Runs are cut short, but have as many frames as the pictures want; {whole} are not.
for whole in {whole}; do [[ " $* " != *" -o $whole "* ]] || exec "{scree}" "$@"; done
if [ "$1" = run ] && [[ " $* " != *" --help "* ]]; then exec "{scree}" "$@" --until 0.01 --set output.frames=0.00025; fi
if [ "$1" = sweep ]; then exec "{scree}" "$@" --set simulation.duration=0.01; fi
exec "{scree}" "$@"
"""
LONG = os.environ.get("SCREE_LONG")


def blocks(page):
    """(language, rest of the info string, text) of every fenced block."""
    return re.findall(r"^```(\w+)[ ]*([^\n]*)\n(.*?)^```", page.read_text(), re.M | re.S)


def commands(text):
    lines = text.replace("\\\n", " ").split("\n")
    return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def numbers_to_expect(page):
    """Rows "| run | `measure` | `column` | value ± spread |" of a page."""
    rows = re.findall(r"^\| ([\w-]+) \| `([^`]+)` \| `(\w+)` \| ([-\d.]+) ± ([\d.]+) \|$", page.read_text(), re.M)
    return [(run, measure, column, float(value), float(spread)) for run, measure, column, value, spread in rows]


class Commands(unittest.TestCase):
    def run_page(self, page):
        count = 0
        with tempfile.TemporaryDirectory(prefix="scree_docs_") as name:
            folder = pathlib.Path(name)
            (folder / ".bin").mkdir()
            shim = folder / ".bin/scree"
            expected = numbers_to_expect(page) if LONG else []
            shim.write_text(SHIM.format(scree=SCREE, whole=" ".join(run for run, *_ in expected) or "none"))
            shim.chmod(0o755)
            for link in ("tools", "examples", "docs"):
                (folder / link).symlink_to(ROOT / link)
            environment = {**os.environ, "PATH": f"{folder / '.bin'}:{os.environ['PATH']}"}
            for language, rest, text in blocks(page):
                if language == "toml" and rest.strip():
                    (folder / rest.strip()).write_text(text)
                if language != "sh":
                    continue
                for command in commands(text):
                    viewer = command.startswith("scree view") and "--export" not in command
                    if command.startswith(NOT_HERE) or viewer:
                        continue
                    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120 if not LONG else 1800)
                    if "built without the viewer" in done.stderr:  # needs npm, which the rest does not
                        continue
                    self.assertEqual(done.returncode, 0, f"{page}: {command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
                    count += 1
            for run, measure, column, value, spread in expected:
                answer = subprocess.run([SCREE, "measure", run, measure, "--json"], cwd=folder, capture_output=True, text=True, check=True).stdout
                got = list(json.loads(answer).values())[0]["rows"][-1][column]
                with self.subTest(run):
                    self.assertAlmostEqual(got, value, delta=spread, msg=f"{run} {measure} {column}")
                print(f"{run} {measure} {column}: {got}", file=sys.stderr)
        return count

    def test_every_command_of_every_page_works(self):
        total = {page.name: self.run_page(page) for page in PAGES}
        for page, least in (("getting-started.md", 9), ("measures.md", 5), ("examples.md", 42), ("format-vtk.md", 2), ("cookbook.md", 45)):
            self.assertGreaterEqual(total[page], least, page)
        self.assertEqual(len(numbers_to_expect(ROOT / "docs/examples.md")), 12)

    def test_every_template_is_a_numbered_example_with_a_picture(self):
        text = (ROOT / "docs/examples.md").read_text()
        sections = re.findall(r"^## (\d+)\. [^\n]*\n!\[[^\]]+\]\((images/[^)]+)\)(.*?)(?=^## )", text, re.M | re.S)
        self.assertEqual([int(number) for number, _, _ in sections], list(range(1, len(sections) + 1)))
        shown = {name for _, _, body in sections for name in re.findall(r"scree new ([\w-]+)", body)}
        self.assertEqual(shown, {path.stem for path in (ROOT / "examples").glob("*.toml")})
        for number, picture, body in sections:
            self.assertTrue((ROOT / "docs" / picture).exists(), picture)
            self.assertRegex(body.split("```")[2], r"\d|third", f"example {number} tells no number to expect")

    def test_every_format_has_a_page_with_a_command(self):
        listed = (ROOT / "docs/formats.md").read_text()
        for name in ("run-json", "series", "measures", "checkpoint", "vtk", "csv", "lammps", "povray", "x3d", "stl"):
            self.assertIn(f"(format-{name}.md)", listed)
            self.assertGreaterEqual(sum(len(commands(text)) for language, _, text in blocks(ROOT / f"docs/format-{name}.md") if language == "sh"), 2)

    def test_the_cookbook_has_recipes_that_are_run(self):
        text = (ROOT / "docs/cookbook.md").read_text()
        recipes = re.findall(r"^## (\d+)\. [^\n]+\n(.*?)(?=^## |^# |\Z)", text, re.M | re.S)
        self.assertEqual([int(number) for number, _ in recipes], list(range(1, len(recipes) + 1)))
        self.assertGreaterEqual(len(recipes), 30)
        for number, body in recipes:
            self.assertIn("```sh\n", body, f"recipe {number} has no command")

    def test_a_wrong_command_is_noticed(self):
        with tempfile.TemporaryDirectory() as name:
            wrong = pathlib.Path(name) / "wrong.md"
            wrong.write_text("```sh\nscree mesure nothing\n```\n")
            with self.assertRaisesRegex(AssertionError, "mesure"):
                self.run_page(wrong)

    def test_all_commands_of_the_program_are_documented(self):
        names = re.findall(r"^  ([a-z]+) ", subprocess.run([SCREE, "help"], capture_output=True, text=True, check=True).stdout, re.M)
        text = "".join(page.read_text() for page in PAGES)
        for name in names:
            self.assertTrue(f"scree {name}" in text, f"scree {name} is nowhere in the documents")


if __name__ == "__main__":
    unittest.main()
