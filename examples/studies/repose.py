#!/usr/bin/python3
"""Angle of repose against friction and rolling friction, as a map.

Discs are poured onto a rough plate that is open at its ends; what falls over them is gone, and the heap that stays shows the
angle of repose. The script runs 5 times 5 points with 3 seeds each and draws the map of their means: repose.png.
docs/studies.md has the result.
"""
import pathlib
import sys

import numpy as np
import scree

RADIUS = 2e-3  # m
PLATE = 140 * RADIUS  # its length


def heap(friction, rolling, seed=1):
    """Poured for 1 s, then left to rest. The plate is covered with fixed discs, so that the heap cannot slide off."""
    half = PLATE / 2
    rough = [[x, -RADIUS] for x in np.arange(-half, half + RADIUS, 2 * RADIUS)]
    return scree.Scene(
        title=f"Heap with friction {friction:g} and rolling friction {rolling:g}",
        simulation=dict(dimension=2, duration=1.6, gravity=[0, -9.81], seed=int(seed)),
        materials=dict(sand=dict(density=2500, friction=float(friction), rolling_friction=float(rolling), restitution=0.3,
                                 contact_time=8e-4)),
        regions=[dict(name="spout", box=[[-6 * RADIUS, 46 * RADIUS], [6 * RADIUS, 62 * RADIUS]]),
                 dict(name="world", box=[[-2 * half, -10 * RADIUS], [2 * half, 1]])],
        grains=[dict(name="plate", radius=RADIUS, fixed=True, place=dict(at=rough)),
                dict(name="sand", radius={"uniform": [0.8 * RADIUS, 1.2 * RADIUS]},
                     pour=dict(region="spout", rate=2400, until=1, velocity=[0, -0.2]))],
        outflow=dict(region="world"),
        output=dict(frames=0.2, series=0.02))


def surface(frame):
    """Half width of the heap and its height over the plate, from the highest discs of each column."""
    moving = frame.group == "sand"
    x, y = frame.position[moving, 0], frame.position[moving, 1] + frame.radius[moving]
    edges = np.linspace(-PLATE / 2, PLATE / 2, 57)
    column = np.digitize(x, edges) - 1
    middle, top = [], []
    for k in range(len(edges) - 1):
        if np.any(column == k):
            middle.append((edges[k] + edges[k + 1]) / 2)
            top.append(y[column == k].max())
    return np.array(middle), np.array(top)


def outcome(run):
    """The mean slope of both flanks, in degrees; the share of the area that discs fill inside of the heap."""
    frame = run[-1]
    x, top = surface(frame)
    distance = np.abs(x)
    flank = (distance > 6 * RADIUS) & (distance < PLATE / 2 - 5 * RADIUS)
    slope, middle = np.polyfit(distance[flank], top[flank], 1)
    # A trapezium under the surface, away from it and from the plate.
    half, low, high = 30 * RADIUS, 2 * RADIUS, 0.8
    x, y = frame.position[:, 0], frame.position[:, 1]
    inside = (np.abs(x) < half) & (y > low) & (y < high * (middle + slope * np.abs(x)))
    area = 2 * half * (high * (middle + slope * half / 2) - low)
    return {"angle": -np.degrees(np.arctan(slope)), "solid": np.pi * np.sum(frame.radius[inside] ** 2) / area}


def means(table):
    """Friction, rolling friction, and the means of angle and share over the seeds, a row per point."""
    points = sorted({(f, r) for f, r in zip(table["friction"], table["rolling"])})
    rows = []
    for f, r in points:
        same = (table["friction"] == f) & (table["rolling"] == r) & (table["status"] == "done")
        rows.append((f, r, table["angle"][same].mean(), table["solid"][same].mean()))
    return np.array(rows)


def draw(table, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rows = means(table)
    friction, rolling = np.unique(rows[:, 0]), np.unique(rows[:, 1])
    angle = rows[:, 2].reshape(len(friction), len(rolling))
    figure, axes = plt.subplots(figsize=(6, 4.4), constrained_layout=True)
    filled = axes.contourf(rolling, friction, angle, 12, cmap="cividis")
    lines = axes.contour(rolling, friction, angle, [12.5, 15, 17.5, 20, 22.5, 25, 27.5], colors="white", linewidths=0.8)
    axes.clabel(lines, fmt="%g°")
    figure.colorbar(filled, label="angle of repose, degrees")
    axes.set(xlabel="rolling friction", ylabel="friction", title="Angle of repose of discs on a rough plate")
    figure.savefig(file, dpi=110)


def main(folder="repose", frictions=(0.1, 0.25, 0.4, 0.6, 0.9), rollings=(0, 0.05, 0.1, 0.2, 0.3), seeds=(1, 2, 3)):
    table = scree.study(heap, {"friction": frictions, "rolling": rollings, "seed": seeds}, outcome, folder)
    print(table)
    draw(table, pathlib.Path(folder, "repose.png"))
    return table


if __name__ == "__main__":
    main(*sys.argv[1:])
