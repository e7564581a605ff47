#!/usr/bin/python3
"""What a run leaves behind and prints: the keys of run.json, series, frames and their index, checkpoints, clean stdout."""
import csv
import json
import os
import pty
import subprocess
import unittest
import xml.etree.ElementTree

import h5py
import jsonschema
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from harness import Case, SCENE, SCREE, default_signals

NUMBER, TEXT, COUNT = {"type": "number"}, {"type": "string"}, {"type": "integer", "minimum": 0}


def table(**keys):
    return {"type": "object", "properties": keys, "required": sorted(keys)}


RECORD = table(
    status={"enum": ["running", "done", "stopped", "invalid", "failed"]}, version=TEXT, title=TEXT, dimension={"enum": [2, 3]},
    grains=COUNT, steps=COUNT, time=NUMBER, time_step=NUMBER, threads=COUNT, wall_seconds=NUMBER, grain_steps_per_second=NUMBER,
    state_hash={"type": "string", "pattern": "^[0-9a-f]{16}$"}, scene_hash={"type": "string", "pattern": "^[0-9a-f]{16}$"}, seed=COUNT,
    neighbors=table(method=TEXT, refreshes=COUNT, certified=COUNT, fallbacks=COUNT, flips=COUNT, repairs={"type": "object"}, pairs_per_grain=NUMBER,
                    contacts_per_grain=NUMBER, fallback_reasons={"type": "object", "additionalProperties": COUNT}, audited=COUNT, changes=COUNT, reason=TEXT),
    profile={"type": "object", "additionalProperties": NUMBER, "minProperties": 3},
    energy=table(kinetic=NUMBER, potential=NUMBER, elastic=NUMBER, dissipated=NUMBER, wall_work=NUMBER, total=NUMBER),
    contacts=COUNT, max_overlap=NUMBER, bytes_per_grain=NUMBER, machine=table(processor=TEXT, system=TEXT, compiler=TEXT))


# A bed at rest, as most of a run is.
PRESSED = '''
simulation = { duration = 0.3 }
materials = { glass = { contact_time = 1e-3 } }
regions = [{ name = "inside", box = [[0, 0, 0], [0.03, 0.03, 0.05]] }]
grains = [{ radius = 1.5e-3, place = { random = "inside", density = 0.45 } }]
walls = [{ kind = "box", min = [0, 0, 0], max = [0.03, 0.03, 0.1] }]
output = { frames = 0.01, series = 1e-3 }
'''


class RunFolder(Case):
    def rows(self, run):
        with open(self.folder / run / "series.csv", newline="") as file:
            return list(csv.DictReader(file))

    def test_json_is_the_record_and_nothing_else_is_printed(self):
        out, err = self.scree("run", "scene.toml", "--json", "--until", 0.05)
        self.assertEqual(err, "")
        document = json.loads(out)
        jsonschema.validate(document, RECORD)
        self.assertEqual(document["status"], "done")
        written = self.record("scene")
        self.assertEqual(document, written)
        self.assertGreater(document["bytes_per_grain"], 0)
        self.assertGreater(document["grain_steps_per_second"], 0)

    def test_quiet_is_quiet_and_words_go_to_stderr(self):
        self.assertEqual(self.scree("run", "scene.toml", "-q", "--until", 0.01, "-o", "a"), ("", ""))
        out, err = self.scree("run", "scene.toml", "--until", 0.01, "-o", "b")
        self.assertEqual(out, "")
        self.assertIn(self.record("b")["state_hash"], err)
        self.assertNotIn("\r", err)
        self.assertNotIn("\x1b", err)

    def test_observing_does_not_disturb(self):
        self.scree("run", "scene.toml", "-q", "-o", "often", "--until", 0.1, "--set", "output.series=0", "--set", "output.frames=1e-3")
        self.scree("run", "scene.toml", "-q", "-o", "never", "--until", 0.1, "--set", "output.series=0", "--set", "output.frames=0",
                   "--set", "output.checkpoint=0")
        self.assertEqual(self.record("often")["state_hash"], self.record("never")["state_hash"])
        self.assertEqual(len(self.rows("never")), 2)
        self.assertEqual(self.record("never")["frames"], 2)

    def test_series_falls_on_the_steps_nearest_to_its_interval(self):
        self.scree("run", "scene.toml", "-q", "--until", 0.0503)
        record, rows = self.record("scene"), self.rows("scene")
        step = record["time_step"]
        times = [float(row["time"]) for row in rows]
        self.assertEqual(len(times), 52)  # 0, 0.001, ..., 0.050 and the end
        for k, time in enumerate(times[:-1]):
            self.assertLessEqual(abs(time - k * 1e-3), 0.5001 * step)
        self.assertEqual(times[-1], record["time"])
        self.assertEqual(float(rows[-1]["kinetic"]), record["energy"]["kinetic"])
        self.assertEqual(int(rows[-1]["grains"]), record["grains"])
        for name in ("kinetic", "potential", "elastic", "dissipated", "grains", "contacts", "max_overlap", "wall.plate.z", "wall.plate.vz",
                     "wall.box.fx", "wall.box.tz", "energy_total", "removed", "poured_energy"):
            self.assertIn(name, rows[0])
        self.assertNotIn("wall.box.x", rows[0])

    def test_frames_are_indexed_and_read_by_vtk(self):
        self.scree("run", "scene.toml", "-q", "--until", 0.12)
        frames = self.folder / "scene" / "frames"
        entries = xml.etree.ElementTree.parse(frames / "run.pvd").getroot().find("Collection").findall("DataSet")
        times = sorted({float(entry.get("timestep")) for entry in entries})
        self.assertEqual(len(times), 4)  # 0, 0.05, 0.10 and the end
        self.assertEqual(len(entries), 12)
        self.assertEqual({entry.get("file") for entry in entries} | {"run.pvd"}, {path.name for path in frames.iterdir()})
        row = self.rows("scene")[-1]
        data = {}
        for entry in entries:
            reader = vtk.vtkXMLPolyDataReader()
            reader.SetFileName(str(frames / entry.get("file")))
            reader.Update()
            self.assertEqual(reader.GetOutput().GetFieldData().GetArray("TimeValue").GetValue(0), float(entry.get("timestep")))
            data[entry.get("name")] = reader.GetOutput()
        self.assertEqual(data["grains"].GetNumberOfPoints(), int(row["grains"]))
        self.assertEqual(data["contacts"].GetNumberOfLines(), int(row["contacts"]))
        self.assertGreater(data["walls"].GetNumberOfPolys(), 2)
        # The forces on the walls add up to those in the series, which are those of the step, when the velocities of its
        # end were still a prediction.
        contacts = data["contacts"].GetCellData()
        force, wall = vtk_to_numpy(contacts.GetArray("force")), vtk_to_numpy(contacts.GetArray("wall"))
        for number, name in enumerate(("box", "plate")):
            for axis, letter in enumerate("xyz"):
                total = -force[wall == number, axis].astype(float).sum()
                self.assertAlmostEqual(total, float(row[f"wall.{name}.f{letter}"]), delta=2e-3 * (abs(force[wall == number]).sum() + 1e-12))
        counts = vtk_to_numpy(data["grains"].GetPointData().GetArray("contacts"))
        self.assertEqual(counts.sum(), 2 * (wall < 0).sum() + (wall >= 0).sum())

    def test_checkpoint_holds_the_last_frame(self):
        self.scree("run", "scene.toml", "-q", "--until", 0.1)
        names = self.checkpoints("scene")
        self.assertEqual(len(names), 2)
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(str(sorted((self.folder / "scene" / "frames").glob("grains_*"))[-1]))
        reader.Update()
        with h5py.File(self.folder / "scene" / "checkpoints" / names[-1], "r") as file:
            self.assertEqual(file.attrs["step"], self.record("scene")["steps"])
            order = file["grains/id"][:].argsort()
            positions = file["grains/row"][:][order][:, 0:3]
            self.assertTrue((vtk_to_numpy(reader.GetOutput().GetPoints().GetData()) == positions).all())
            self.assertEqual(file["scene"][0].decode(), (self.folder / "scene" / "scene.toml").read_text())

    def test_existing_folder_is_kept_without_force(self):
        self.scree("run", "scene.toml", "-q", "--until", 0.06)
        before = self.record("scene")
        _, err = self.scree("run", "scene.toml", expect=5)
        self.assertIn("--force", err)
        self.assertEqual(self.record("scene"), before)
        (self.folder / "scene" / "notes.txt").write_text("mine")
        (self.folder / "scene" / "frames" / "picture.png").write_text("mine")
        self.scree("run", "scene.toml", "-q", "--force", "--until", 0.01)
        self.assertEqual((self.folder / "scene" / "notes.txt").read_text(), "mine")
        self.assertEqual((self.folder / "scene" / "frames" / "picture.png").read_text(), "mine")
        self.assertEqual(len(list((self.folder / "scene" / "frames").glob("grains_*"))), 2)
        self.assertTrue(all(int(name[11:-3]) <= self.record("scene")["steps"] for name in self.checkpoints("scene")))
        (self.folder / "empty").mkdir()
        self.scree("run", "scene.toml", "-q", "-o", "empty", "--until", 0)

    def test_standard_input_runs_into_run(self):
        self.scree("run", "-", "-q", "--until", 0.01, stdin=SCENE)
        self.assertEqual(self.record("run")["title"], "shaken box")

    def test_scene_as_run_gives_the_same_run(self):
        self.scree("run", "scene.toml", "-q", "--until", 0.05, "--set", "materials.glass.friction=0.1", "--neighbors", "brute")
        self.write("again.toml", (self.folder / "scene" / "scene.toml").read_text())
        self.scree("run", "again.toml", "-q", "--until", 0.05)
        for key in ("state_hash", "scene_hash"):
            self.assertEqual(self.record("again")[key], self.record("scene")[key])
        self.assertEqual(self.record("scene")["neighbors"]["method"], "brute")

    def test_threads_and_neighborhoods_do_not_matter(self):
        hashes = set()
        for number, options in enumerate((["--threads", 1], ["--threads", 3], ["--neighbors", "grid"], ["--neighbors", "brute"],
                                             ["--neighbors", "triangulation"], ["--neighbors", "triangulation", "--threads", 2], ["--neighbors", "auto"])):
            self.scree("run", "scene.toml", "-q", "-o", f"run_{number}", "--until", 0.1, *options)
            record = self.record(f"run_{number}")
            hashes.add(record["state_hash"])
            neighbors = record["neighbors"]
            self.assertEqual(neighbors["certified"] + neighbors["fallbacks"], neighbors["refreshes"])
            self.assertEqual(sum(neighbors["fallback_reasons"].values()), neighbors["fallbacks"])
            if "triangulation" in options:
                self.assertGreater(neighbors["certified"], 0.9 * neighbors["refreshes"])
        self.assertEqual(len(hashes), 1)

    def test_audit_compares_every_refresh_also_after_resume(self):
        _, err = self.scree("run", "scene.toml", "--neighbors", "triangulation", "--audit", "--until", 0.05)
        first = self.record("scene")["neighbors"]
        self.assertEqual(first["audited"], first["refreshes"])
        self.assertIn(f"{first['refreshes']} refreshes, {first['certified']} certified", err)
        self.assertIn(f"{first['audited']} equal to brute force", err)
        self.scree("resume", "scene", "-q", "--audit", "--until", 0.1)
        both = self.record("scene")["neighbors"]
        self.assertGreater(both["audited"], first["audited"])
        self.assertEqual(both["audited"], both["refreshes"])
        self.assertEqual(both["certified"] + both["fallbacks"], both["refreshes"])

    def test_a_run_starts_from_another(self):
        self.scree("run", "scene.toml", "-q", "--until", 0.1)
        before = self.record("scene")
        text = SCENE[:SCENE.index("[[grains]]")] + SCENE[SCENE.index("[[walls]]"):]
        self.write("next.toml", text + '[start]\nfrom = "scene"\n')
        self.scree("run", "next.toml", "-q", "--until", 0.05)
        after = self.record("next")
        self.assertEqual(after["grains"] + after["removed"], before["grains"])
        first = self.rows("next")[0]
        self.assertEqual(float(first["time"]), 0)
        self.assertAlmostEqual(float(first["kinetic"]), before["energy"]["kinetic"], delta=1e-12)
        _, err = self.scree("run", "next.toml", "-q", "-o", "scene", "--force", expect=5)
        self.assertIn("overwrite", err)
        self.assertEqual(self.record("scene"), before)

    def test_progress_bar_on_a_terminal_only(self):
        for environment, colored in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
            main, terminal = pty.openpty()
            clean = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
            process = subprocess.Popen([SCREE, "run", "scene.toml", "-o", f"run_{colored}", "--set", "simulation.duration=0.6"], cwd=self.folder,
                                       stderr=terminal, stdout=subprocess.PIPE, env=clean | environment, preexec_fn=default_signals)
            os.close(terminal)
            text = b""
            while True:
                try:
                    piece = os.read(main, 65536)
                except OSError:
                    break
                text += piece
            out, _ = process.communicate()
            os.close(main)
            self.assertEqual(process.returncode, 0)
            self.assertEqual(out, b"")
            self.assertIn(b"\r", text)
            self.assertIn(b"grain-steps/s", text)
            self.assertIn(b" left", text)
            self.assertEqual(b"\x1b[3" in text, colored)

    def test_version(self):
        out, err = self.scree("--version")
        self.assertRegex(out, r"^scree \d+\.\d+\.\d+\n$")
        out, err = self.scree("--version", "--verbose")
        for word in ("compiler", "flags", "-ffp-contract=off", "instruction set", "HDF5"):
            self.assertIn(word, out)

    def test_check_tells_what_the_run_will_take(self):
        for name, scene in (("bed", PRESSED), ("poured", SCENE)):
            self.write("s.toml", scene)
            told = json.loads(self.scree("check", "s.toml", "--json")[0])["estimate"]
            self.scree("run", "s.toml", "-o", name, "-q")
            record = self.record(name)
            self.assertEqual(told["frames"], record["frames"], name)
            self.assertAlmostEqual(told["grains_at_end"], record["grains"] + record["removed"], delta=2, msg=name)
            written = sum(path.stat().st_size for path in (self.folder / name).rglob("*") if path.is_file())
            self.assertTrue(0.6 * written < told["bytes"] < 1.7 * written, f"{name}: {told} {written}")
            self.assertGreater(told["seconds"], 0)
        out, _ = self.scree("check", "s.toml")
        self.assertRegex(out, r"# takes: .* on this machine with \d+ thread")
        self.assertRegex(out, r"# writes: about [\d.]+ [kM]B into the run folder, with 5 frames")
        self.write("s.toml", SCENE[:SCENE.index("[[grains]]")] + SCENE[SCENE.index("[[grains]]", SCENE.index("[[grains]]") + 1):])
        self.assertIn("# takes: cannot be told before there are grains", self.scree("check", "s.toml")[0])


if __name__ == "__main__":
    unittest.main()
