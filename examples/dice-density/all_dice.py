#!/usr/bin/python3
"""Runs loose.toml and shaken.toml for the five regular solids and prints their densities; 25 minutes of one core.
all_dice.py [--scree PROGRAM] [--seed N] [--only SOLID,...] [FOLDER]"""
import argparse
import csv
import pathlib
import subprocess

# Edge (they have about the volume of the cube), friction, number of shakes; published: loose, shaken (Baker and Kudrolli 2010). Friction and shakes are not
# told there; they are fitted, friction to the loose and shakes to the shaken density.
DICE = {
    "tetrahedron": (16.32e-3, 0.33, 40, 0.51, 0.64),
    "cube": (8e-3, 0.285, 17, 0.54, 0.67),
    "octahedron": (10.28e-3, 0.44, 40, 0.52, 0.64),
    "dodecahedron": (4.058e-3, 0.42, 40, 0.51, 0.63),
    "icosahedron": (6.169e-3, 0.7, 20, 0.50, 0.59),
}
FREQUENCY = 30
HERE = pathlib.Path(__file__).resolve().parent

options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
options.add_argument("--scree", default="scree")
options.add_argument("--seed", type=int, default=1)
options.add_argument("--only", default=",".join(DICE), help="solids, separated by commas")
options.add_argument("folder", nargs="?", default=".", type=pathlib.Path)
given = options.parse_args()
if unknown := [solid for solid in given.only.split(",") if solid not in DICE]:
    options.error(f"there is no solid '{unknown[0]}'; solids: {', '.join(DICE)}")


def run(scene, output, values):
    subprocess.run([given.scree, "run", HERE / scene, "-o", output, "-q", "--force", *(word for key, value in values.items() for word in ("--set", f"{key}={value}"))], check=True)
    table = subprocess.run([given.scree, "measure", output, "layers:from=0.01,to=0.04,count=1"], check=True, capture_output=True, text=True).stdout
    return float(list(csv.DictReader(table.splitlines()))[-1]["density"])


print("solid,loose,loose_published,shaken,shaken_published")
for solid in given.only.split(","):
    length, friction, shakes, loose, shaken = DICE[solid]
    loosely, densely = given.folder / f"{solid}-loose", given.folder / f"{solid}-shaken"
    die = {"shapes.die.solid": f'"{solid}"', "shapes.die.length": length, "materials.plastic.friction": friction, "simulation.seed": given.seed}
    # Balls around tetrahedra are larger: they need more room at the start.
    room = {"regions.above.cylinder.to": "[0, 0, 0.4]", "simulation.duration": 4.1} if solid == "tetrahedron" else {}
    until = (shakes - 0.5) / FREQUENCY
    swing = f"{{ vibrate = {{ amplitude = [0, 0, 0.828e-3], frequency = {FREQUENCY}, until = {until:.7f} }} }}"
    first = run("loose.toml", loosely, die | room)
    second = run("shaken.toml", densely, die | {"start.from": loosely, "simulation.duration": f"{until + 0.2:.4f}", "walls.side.motion": swing, "walls.floor.motion": swing})
    print(f"{solid},{first:.3f},{loose},{second:.3f},{shaken}", flush=True)
