#!/usr/bin/python3
"""`scree bench` and the picture of a frame."""
import csv
import io
import json
import pathlib
import struct
import subprocess
import unittest
import zlib

from harness import Case

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Bench(Case):
    def test_names_are_listed_and_wrong_ones_answered(self):
        names = [line.split()[0] for line in self.scree("bench")[0].splitlines()]
        self.assertIn("bed-linear-1e6", names)
        self.assertIn("collision", names)
        _, err = self.scree("bench", "bed-linaer-1e4", expect=2)
        self.assertIn("bed-linear-1e4", err)

    def test_rows_are_the_same_state_for_any_number_of_threads(self):
        hashes = set()
        for threads in (1, 3):
            out, _ = self.scree("bench", "drum", "--threads", threads)
            (row,) = csv.DictReader(io.StringIO(out))
            self.assertEqual((row["name"], int(row["threads"])), ("drum", threads))
            self.assertGreater(float(row["ns_per_grain_step"]), 0)
            self.assertGreater(float(row["bytes_per_grain"]), 0)
            hashes.add(row["state_hash"])
        document = json.loads(self.scree("bench", "drum", "--json")[0])
        hashes.add(document["scenes"][0]["state_hash"])
        self.assertEqual(len(hashes), 1)
        phases = document["scenes"][0]["profile"]
        self.assertLessEqual(sum(phases.values()), 1.01 * document["scenes"][0]["ns_per_grain_step"])

    def test_copies_of_a_settled_block_are_a_settled_bed(self):
        (bed,) = csv.DictReader(io.StringIO(self.scree("bench", "bed-linear-1e4")[0]))
        self.assertEqual(int(bed["grains"]), 10000)
        # Two contacts per grain is isostatic with friction; a seam between the copies would lose or add some.
        self.assertGreater(float(bed["contacts_per_grain"]), 2.2)
        self.assertLess(float(bed["contacts_per_grain"]), 2.8)
        self.assertLess(int(bed["refreshes"]), 20, "grains at rest need no new lists")


class Picture(Case):
    def test_grains_are_drawn_in_their_colors(self):
        self.scree("run", "scene.toml", "-o", "run", "-q", "--until", 0.01)
        subprocess.run([str(ROOT / "tools/picture"), "run", "-o", "run.png", "--size", "80,100", "--walls", "0"], cwd=self.folder, check=True, capture_output=True)
        data = (self.folder / "run.png").read_bytes()
        width, height = struct.unpack(">II", data[16:24])
        self.assertEqual((width, height), (80, 100))
        packed, at = b"", 8
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at : at + 8])
            packed += data[at + 8 : at + 8 + size] if kind == b"IDAT" else b""
            at += 12 + size
        rows = zlib.decompress(packed)
        pixels = [rows[y * (1 + 3 * width) + 1 + 3 * x :][:3] for y in range(height) for x in range(width)]
        sand = sum(p[0] > p[2] + 20 for p in pixels)
        self.assertGreater(sand, 0.04 * len(pixels), "sand-coloured grains")
        self.assertGreater(sum(p == b"\xff\xff\xff" for p in pixels), 0.1 * len(pixels), "empty space")


if __name__ == "__main__":
    unittest.main()
