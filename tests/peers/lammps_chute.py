"""A chute with the coefficients of LAMMPS' chute benchmark, in LAMMPS and in scree, from the same places and speeds.

Grains of diameter 1 and density 1 on a frozen layer, in a slope of 26 degrees, units as LAMMPS' lj: k_n = 2e5, k_t =
2/7 k_n, gamma_n = 50 per effective mass, no tangential damping, friction 0.5, time step 1e-4, 100 steps. Both programs
then solve the same equations, each with an error of its own that shrinks with the step. So

* forces at the start agree to rounding;
* after 100 steps places and velocities differ little, and far less with a sixteenth of the step.

What stays is that LAMMPS takes the surface of a grain, and scree the point between two that overlap, as the arm of
friction: a part of the size of the overlap. So overlaps are kept below a thousandth.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

SCREE = os.environ.get("SCREE") or sys.exit("SCREE must name the program to test")
LAMMPS = shutil.which("lmp")

STIFFNESS, DAMPING_RATE, FRICTION, SLOPE = 2e5, 50.0, 0.5, 26.0
STEP, STEPS = 1e-4, 100
WIDTH, DEPTH, LAYERS, SPACING = 8, 6, 6, 1.0


def grains():
    """Rows x, y, z, vx, vy, vz, wx, wy, wz: some overlap, some are apart, all of them move; the first are frozen."""
    random = np.random.default_rng(26)
    x, y, z = np.meshgrid(np.arange(WIDTH), np.arange(DEPTH), np.arange(LAYERS), indexing="ij")
    places = SPACING * np.stack([x, y, z], axis=-1).reshape(-1, 3).astype(float)
    places += random.uniform(-2e-4, 2e-4, places.shape)
    frozen = places[:, 2] < 0.5 * SPACING
    rows = np.hstack([places, random.uniform(-0.5, 0.5, places.shape), random.uniform(-0.5, 0.5, places.shape)])
    rows[:, 3] += 0.5 * places[:, 2]
    rows[frozen, 3:] = 0
    order = np.argsort(~frozen, kind="stable")
    return rows[order], int(frozen.sum())


def shortest(way):
    """Borders repeat along x and y: the way without their jumps."""
    way = way.copy()
    for axis, period in (0, WIDTH * SPACING), (1, DEPTH * SPACING):
        way[:, axis] -= period * np.round(way[:, axis] / period)
    return way


def run_scree(folder, rows, frozen, step, steps):
    """State after so many steps, in the order of the rows: places, velocities, accelerations."""
    header = "x,y,z,radius,vx,vy,vz,wx,wy,wz"
    for name, part in ("frozen", rows[:frozen]), ("moving", rows[frozen:]):
        whole = np.hstack([part[:, :3], np.full((len(part), 1), 0.5), part[:, 3:]])
        np.savetxt(folder / f"{name}.csv", whole, fmt="%.17g", delimiter=",", header=header, comments="")
    slope = np.radians(SLOPE)
    (folder / "chute.toml").write_text(f"""
[simulation]
gravity = [{np.sin(slope)!r}, 0, {-np.cos(slope)!r}]
time_step = {step!r}
duration = {step * steps!r}
[materials.stuff]
density = 1
stiffness = {STIFFNESS}
damping_rate = {DAMPING_RATE}
tangential_damping_rate = 0
friction = {FRICTION}
[[grains]]
name = "frozen"
place = {{ file = "frozen.csv" }}
fixed = true
[[grains]]
name = "moving"
place = {{ file = "moving.csv" }}
[periodic]
x = [0, {WIDTH * SPACING!r}]
y = [0, {DEPTH * SPACING!r}]
""")
    subprocess.run([SCREE, "run", "chute.toml", "-o", "run", "-q", "--force"], cwd=folder, check=True)
    last = sorted((folder / "run/checkpoints").glob("checkpoint_*.h5"))[-1]
    with h5py.File(last) as file:
        assert file.attrs["step"] == steps, "another number of steps"
        table = file["grains"]
        order = np.argsort(table["id"][:].reshape(-1))
        numbers = [table[name][:] for name in ("row", "acceleration")]
    columns = [n.view(float).reshape(len(order), -1)[order] if n.dtype.names else n.reshape(len(order), -1)[order]
               for n in numbers]
    return columns[0][:, :3], columns[0][:, 4:7], columns[1][:, :3]


def run_lammps(folder, rows, frozen, step, steps):
    mass = np.pi / 6
    data = ["the chute", "", f"{len(rows)} atoms", "2 atom types", "", f"0 {WIDTH * SPACING!r} xlo xhi",
            f"0 {DEPTH * SPACING!r} ylo yhi", f"-2 {2 + LAYERS * SPACING!r} zlo zhi", "", "Atoms # sphere", ""]
    data += [f"{i + 1} {1 if i < frozen else 2} 1 1 " + " ".join(repr(float(v)) for v in row[:3])
             for i, row in enumerate(rows)]
    data += ["", "Velocities", ""]
    data += [f"{i + 1} " + " ".join(repr(float(v)) for v in row[3:]) for i, row in enumerate(rows)]
    (folder / "chute.data").write_text("\n".join(data) + "\n")
    (folder / "chute.in").write_text(f"""
units lj
atom_style sphere
boundary p p f
newton off
comm_modify vel yes
read_data chute.data
group frozen type 1
group moving type 2
neighbor 0.2 bin
neigh_modify delay 0 every 1 check yes
pair_style gran/hooke/history {STIFFNESS} NULL {DAMPING_RATE} NULL {FRICTION} 0 limit_damping
pair_coeff * *
fix motion moving nve/sphere
fix weight moving gravity 1.0 chute {SLOPE}
fix still frozen freeze
timestep {step!r}
dump all all custom {max(steps, 1)} chute.dump id xu yu zu vx vy vz fx fy fz
dump_modify all sort id format float %.17g
run {steps}
""")
    subprocess.run([LAMMPS, "-in", "chute.in", "-log", "none", "-screen", "none"], cwd=folder, check=True,
                   env=dict(os.environ, OMP_NUM_THREADS="1"))
    lines = (folder / "chute.dump").read_text().splitlines()
    state = np.array([line.split() for line in lines[-len(rows):]], dtype=float)[:, 1:]
    return state[:, :3], state[:, 3:6], state[:, 6:9] / mass


@unittest.skipUnless(LAMMPS, "LAMMPS is missing: apt-get install lammps (tools/install-packages test does it)")
class Chute(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.rows, self.frozen = grains()

    def tearDown(self):
        self.temporary.cleanup()

    def states(self, step, steps):
        arguments = self.folder, self.rows, self.frozen, step, steps
        return run_scree(*arguments), run_lammps(*arguments)

    def test_forces_at_the_start_agree_to_rounding(self):
        # In so short a step nothing moves.
        ours, theirs = run_scree(self.folder, self.rows, self.frozen, 1e-15, 1), run_lammps(
            self.folder, self.rows, self.frozen, 1e-15, 0)
        moving = slice(self.frozen, None)
        largest = np.abs(theirs[2][moving]).max()
        self.assertGreater(largest, 100 * np.sin(np.radians(SLOPE)), "they do not press each other")
        np.testing.assert_allclose(ours[2][moving], theirs[2][moving], rtol=0, atol=1e-11 * largest)

    def test_both_go_the_same_way_the_better_the_shorter_the_step(self):
        apart, faster = zip(*(self.difference(STEP / shorter, STEPS * shorter) for shorter in (1, 16)))
        print("parts of the largest way:", apart, "of the largest speed:", faster)
        self.assertLess(apart[0], 4e-3)
        self.assertLess(faster[0], 2e-2)
        # LAMMPS takes dashpots by the speed of half a step before: an error of the first order.
        self.assertLess(apart[1], apart[0] / 8)
        self.assertLess(faster[1], faster[0] / 8)

    def difference(self, step, steps):
        """Largest differences of places and of velocities, over the largest way and speed."""
        ours, theirs = self.states(step, steps)
        ways = [shortest(state[0] - self.rows[:, :3]) for state in (ours, theirs)]
        largest = [np.linalg.norm(column, axis=1).max() for column in (ways[1], theirs[1])]
        return (np.linalg.norm(ways[0] - ways[1], axis=1).max() / largest[0],
                np.linalg.norm(ours[1] - theirs[1], axis=1).max() / largest[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
