"""The programs of bench/peers. Each takes a bed and a Work, runs it, and says how long the timed steps took."""
import dataclasses
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

import peer_beds as physics

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))
import vtp  # noqa: E402

SKIN = 0.2e-3  # m, of the other programs' lists; scree chooses its own


@dataclasses.dataclass
class Work:
    law: str               # hertz or linear
    damped: int            # steps with drag
    free: int              # steps without, not timed
    steps: int             # timed, `repeats` times in a row
    repeats: int = 3
    shape: str = "box"     # or drum
    tilt: float = 0        # degrees, of gravity
    kick: float = 0        # m/s, random velocities at the start

    def gravity(self):
        angle = math.radians(self.tilt)
        return math.sin(angle), -math.cos(angle)


@dataclasses.dataclass
class Outcome:
    seconds: float         # least of the repeats
    rows: list             # x, y, z, radius, vx, vy, vz afterwards
    note: str = ""


class Failed(Exception):
    pass


def call(command, folder, environment=None, timeout=1200):
    """What the command printed."""
    settings = dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_btl="self,vader",
                    OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none", QT_QPA_PLATFORM="offscreen")
    settings.update(environment or {})
    log = pathlib.Path(folder) / "last.log"
    with log.open("w") as out:
        process = subprocess.Popen([str(word) for word in command], cwd=folder, env=settings, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise Failed(f"no answer within {timeout} s")
    text = log.read_text(errors="replace")
    if process.returncode != 0:
        raise Failed(" / ".join(text.strip().splitlines()[-3:]))
    return text


def read_rows(path):
    rows = []
    for line in path.read_text().splitlines():
        try:
            row = tuple(float(word) for word in line.split()[:7])
        except ValueError:
            continue
        if len(row) == 7:
            rows.append(row)
    return rows


class Molecular:
    """LAMMPS and LIGGGHTS, whose input files are alike."""

    def __init__(self, name, executable, deck, style="bin"):
        self.name, self.executable, self.deck, self.style = name, executable, deck, style

    def available(self):
        return shutil.which(self.executable) is not None

    def run(self, bed, work, cores):
        effective, e = physics.mass(physics.RADIUS) / 2, physics.RESTITUTION
        ratio = -math.log(e) / math.sqrt(math.pi**2 + math.log(e) ** 2)
        damping = 2 * ratio * math.sqrt(physics.STIFFNESS / effective)
        young, poisson = physics.YOUNG, physics.POISSON
        gx, gz = work.gravity()
        out, mesh = bed.folder / f"out-{self.name}", bed.folder / "drum.stl"
        out.unlink(missing_ok=True)
        physics.drum_mesh(mesh)
        box = work.shape == "box"
        values = dict(gx=gx, gz=gz, visc=physics.DRAG, nvisc=work.damped, data=bed.path(".data"), law={"linear": "hooke"}.get(work.law, work.law), E=young, e=e, nu=poisson,
                      mu=physics.FRICTION, kn=physics.STIFFNESS, kt=2 / 7 * physics.STIFFNESS, gn=damping, gt=damping / 2,
                      hkn=2 * young / (3 * (1 - poisson**2)), hkt=2 * young / ((1 + poisson) * (2 - poisson)), hgn=4e7,  # restitution near 0.7 at 0.1 m/s
                      W=bed.high[0], D=bed.high[1], dt=physics.STEP, skin=SKIN, nstyle=self.style, warm=work.free, steps=work.steps, reps=work.repeats, out=out,
                      shape=work.shape, px=cores if box else 1, py=1 if box else cores, kick=work.kick, ishooke=int(work.law == "linear"), isdrum=int(not box),
                      mesh=mesh, period=2 * math.pi / physics.DRUM_RATE, Rd=physics.DRUM_RADIUS, omega=physics.DRUM_RATE)
        command = [self.executable, "-in", HERE / "decks" / self.deck, "-log", "none"]
        for key, value in values.items():
            command += ["-var", key, value]
        text = call((["mpirun", "-np", cores] if cores > 1 else []) + command, bed.folder)
        tail = text.split("TIMED")[-1]
        times = [float(word) for word in re.findall(r"Loop time of ([\d.e+-]+) on", tail)][: work.repeats]
        if not times:
            raise Failed("no loop was timed")
        builds = re.findall(r"Neighbor list builds = (\d+)", tail)
        return Outcome(min(times), read_rows(out), note=f"{builds[0]} lists built" if builds else "")


class Yade:
    name = "yade"

    def available(self):
        return shutil.which("yade") is not None

    def run(self, bed, work, cores):
        gx, gz = work.gravity()
        effective, e = physics.mass(physics.RADIUS) / 2, physics.RESTITUTION
        ratio = -math.log(e) / math.sqrt(math.pi**2 + math.log(e) ** 2)
        out = bed.folder / "out-yade"
        out.unlink(missing_ok=True)
        values = dict(gx=gx, gz=gz, nvisc=work.damped, data=str(bed.path(".xyz")), law=work.law, E=physics.YOUNG, e=e, nu=physics.POISSON, mu=physics.FRICTION, rho=physics.DENSITY,
                      kn=physics.STIFFNESS, kt=2 / 7 * physics.STIFFNESS, cn=2 * ratio * math.sqrt(physics.STIFFNESS * effective), W=bed.high[0], D=bed.high[1], dt=physics.STEP,
                      skin=SKIN, warm=work.free, steps=work.steps, reps=work.repeats, out=str(out), shape=work.shape, Rd=physics.DRUM_RADIUS, omega=physics.DRUM_RATE)
        text = call(["yade", "-n", "-x", f"-j{cores}", HERE / "decks/yade-bed.py"], bed.folder, {"PEER": json.dumps(values), "OMP_NUM_THREADS": str(cores)})
        times = [float(word) for word in re.findall(r"TIMED ([\d.e+-]+)", text)]
        if not times:
            raise Failed("no loop was timed")
        return Outcome(min(times), read_rows(out))


class Scree:
    """Damped steps as a run of their own; then `scree bench` from its end. What the spheres do is taken from `scree run`
    over the same steps: it is the same state, to the last bit, as the equal hashes prove."""

    def __init__(self, executable, neighbors="auto"):
        self.executable, self.neighbors = executable, neighbors
        self.name = "scree" if neighbors == "auto" else f"scree-{neighbors}"
        self.rows = {}

    def available(self):
        return pathlib.Path(self.executable).exists()

    def contact_time(self):
        """So that a contact of two equal spheres has the stiffness of the others' linear law. The collision ends when
        the force does: restitution = exp(-z t), with sqrt(1 - z^2) t = pi - atan2(2 z sqrt(1 - z^2), 1 - 2 z^2)."""
        low, high = 0.0, 0.99
        for _ in range(80):
            z = (low + high) / 2
            b = math.sqrt(1 - z * z)
            t = (math.pi - math.atan2(2 * z * b, 1 - 2 * z * z)) / b
            low, high = (z, high) if math.exp(-z * t) > physics.RESTITUTION else (low, z)
        return t * math.sqrt(physics.mass(physics.RADIUS) / 2 / physics.STIFFNESS)

    def scene(self, bed, work, steps, drag, start):
        gx, gz = (physics.GRAVITY * part for part in work.gravity())
        box = work.shape == "box"
        walls = (f'[[walls]]\nname = "box"\nkind = "box"\nmaterial = "glass"\nmin = [0, 0, 0]\nmax = [{bed.high[0]}, {bed.high[1]}, 10]\n' if box else
                 f'[[walls]]\nname = "shell"\nkind = "cylinder"\nmaterial = "glass"\nfrom = [0, 0, 0]\nto = [0, {physics.DRUM_LENGTH}, 0]\nradius = {physics.DRUM_RADIUS}\n'
                 f'motion = {{ rotate = {{ axis = [0, 1, 0], point = [0, 0, 0], rate = {physics.DRUM_RATE} }} }}\n'
                 + "".join(f'[[walls]]\nname = "{name}"\nkind = "plane"\nmaterial = "glass"\npoint = [0, {y}, 0]\nnormal = [0, {n}, 0]\n'
                           for name, y, n in (("front", 0, 1), ("back", physics.DRUM_LENGTH, -1))))
        grains = (f'[start]\nfrom = "{start}"\n' if start else
                  f'[[grains]]\nname = "spheres"\nmaterial = "glass"\nplace = {{ file = "{bed.path(".csv")}" }}\n')
        return f"""[simulation]
gravity = [{gx}, 0, {gz}]
duration = {(steps - 0.5) * physics.STEP}
time_step = {physics.STEP}
damping = {drag}
neighbors = "{self.neighbors}"
[contact]
law = "{work.law}"
[materials.glass]
density = {physics.DENSITY}
restitution = {physics.RESTITUTION}
friction = {physics.FRICTION}
contact_time = {self.contact_time()}
young = {physics.YOUNG}
poisson = {physics.POISSON}
{walls}{grains}[output]
frames = 1000
series = 1000
checkpoint = 1000
"""

    def execute(self, bed, name, text, cores):
        run = bed.folder / f"{self.name}-{name}"
        scene = bed.folder / f"{self.name}-{name}.toml"
        scene.write_text(text)
        document = json.loads(call([self.executable, "run", scene, "-o", run, "--force", "--threads", cores, "--json"], bed.folder))
        return run, document

    def run(self, bed, work, cores):
        start = None
        if work.damped:
            start, _ = self.execute(bed, "damped", self.scene(bed, work, work.damped, physics.DRAG, None), cores)
        total = work.free + work.steps * work.repeats
        text = self.scene(bed, work, total, 0, start)
        key = (bed.name, repr(work))
        if key not in self.rows:
            run, document = self.execute(bed, "free", text, cores)
            self.rows[key] = (self.frame(run), document["state_hash"])
        scene = bed.folder / f"{self.name}-timed.toml"
        scene.write_text(text)
        command = [self.executable, "bench", scene, "--json", "--threads", cores, "--warm", work.free, "--steps", work.steps, "--repeat", work.repeats]
        measured = json.loads(call(command, bed.folder))["scenes"][0]
        rows, state_hash = self.rows[key]
        if measured["state_hash"] != state_hash:
            raise Failed("scree bench and scree run do not end in the same state")
        seconds = measured["ns_per_grain_step"] * 1e-9 * len(bed) * work.steps
        return Outcome(seconds, rows, f"{measured['refreshes']} lists built")

    @staticmethod
    def frame(run):
        last = sorted((run / "frames").glob("grains_*.vtp"))[-1]
        data = vtp.read_vtp(last)
        return [(*x, r, *v) for x, r, v in zip(data["position"].tolist(), data["radius"].tolist(), data["velocity"].tolist())]
