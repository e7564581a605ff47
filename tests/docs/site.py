#!/usr/bin/python3
"""The site builds, all its links lead somewhere, and the check would notice if one did not."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def build(out, *options):
    return subprocess.run([sys.executable, str(ROOT / "tools/docs"), "-o", str(out), *options], capture_output=True, text=True)


class Site(unittest.TestCase):
    def test_builds_and_all_links_resolve(self):
        with tempfile.TemporaryDirectory() as name:
            made = build(name)
            self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
            site = pathlib.Path(name)
            pages = [path.relative_to(site).as_posix() for path in site.rglob("*.html")]
            for page in ("index.html", "getting-started.html", "scene.html", "measures.html", "formats.html", "validation.html", "ARCHITECTURE.html", "examples/index.html"):
                self.assertIn(page, pages)
            text = (site / "getting-started.html").read_text()
            self.assertIn("<h2", text)
            self.assertIn('href="scene.html"', text)
            # Blocks with a file name are blocks, and tables are tables.
            for page in ("readme.html", "cookbook.html"):
                text = (site / page).read_text()
                self.assertNotIn("<p>```", text, page)
                self.assertNotRegex(text, r"<p>\|", page)
            self.assertRegex((site / "readme.html").read_text(), r"<code>box.toml</code></p>\s*<pre><code class=\"language-toml\">regions")
            # Nothing is fetched from elsewhere.
            for path in site.rglob("*.html"):
                for part in ('src="http', "<script", "@import"):
                    self.assertNotIn(part, path.read_text(), path)

    def test_every_page_can_be_reached_from_the_first(self):
        with tempfile.TemporaryDirectory() as name:
            build(name)
            site = pathlib.Path(name)
            seen, queue = set(), ["index.html"]
            while queue:
                page = queue.pop()
                if page in seen:
                    continue
                seen.add(page)
                for link in re.findall(r'href="([^"#:]+\.html)', (site / page).read_text()):
                    queue.append(((site / page).parent / link).resolve().relative_to(site.resolve()).as_posix())
            self.assertEqual(sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html") if path.relative_to(site).as_posix() not in seen), [])

    def test_broken_links_anchors_and_images_are_found(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "docs").mkdir()
            (root / "docs/index.md").write_text("# A\n[b](b.md#there) [c](b.md#nowhere) [d](gone.md) ![e](images/gone.png) [f](../secret) [g](b.md)\n")
            (root / "docs/b.md").write_text("# B\n## There\n")
            made = build(root / "site", "--root", name)
            self.assertEqual(made.returncode, 1)
            for part in ("b.md#nowhere", "gone.md", "images/gone.png", "../secret"):
                self.assertIn(part, made.stdout)
            self.assertNotIn("b.md#there leads", made.stdout)


if __name__ == "__main__":
    unittest.main()
