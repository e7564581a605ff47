#!/usr/bin/python3
"""Draws docs/images/triangulation-plane.png and docs/images/triangulation-packing.png.

    docs/triangulation_pictures.py [SCREE]      SCREE: the program, by default build/release/bin/scree

The triangulations are those of `scree triangulate`; the power cells are cut out here with the neighbors it found.
"""
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Circle, Polygon

HERE = pathlib.Path(__file__).resolve().parent
SCREE = sys.argv[1] if len(sys.argv) > 1 else str(HERE.parent / "build/release/bin/scree")
SAND, LINE, EDGE = "#d9b97c", "#7a5c2e", "#1f5f8b"


def relaxed(dimension, radii, fraction, rng, sweeps=400):
    """Random places in a box, then overlaps pushed apart."""
    volume = np.sum(4.19 * radii**3) if dimension == 3 else np.sum(3.14 * radii**2)
    side = (volume / fraction) ** (1 / dimension)
    x = rng.uniform(0, side, (len(radii), dimension))
    for _ in range(sweeps):
        d = x[None] - x[:, None]
        distance = np.linalg.norm(d, axis=2) + np.eye(len(radii)) * 1e9
        overlap = np.maximum(radii[None] + radii[:, None] - distance, 0)
        x -= 0.45 * np.sum(overlap[..., None] * d / distance[..., None], axis=1)
        x = np.clip(x, radii[:, None], side - radii[:, None])
    return x, side


def triangulate(x, radii):
    with tempfile.TemporaryDirectory() as folder:
        points, edges = pathlib.Path(folder) / "points.csv", pathlib.Path(folder) / "edges.csv"
        np.savetxt(points, np.column_stack([x, radii]), delimiter=",", fmt="%.17g")
        subprocess.run([SCREE, "triangulate", str(points), "--edges", str(edges)], check=True, stdout=subprocess.DEVNULL)
        return np.loadtxt(edges, delimiter=",", dtype=int)


def power_cell(i, x, radii, neighbors, box):
    polygon = [np.array(c, float) for c in ((box[0], box[0]), (box[1], box[0]), (box[1], box[1]), (box[0], box[1]))]
    for j in neighbors:
        normal = x[j] - x[i]
        offset = (x[j] @ x[j] - radii[j] ** 2 - x[i] @ x[i] + radii[i] ** 2) / 2
        kept = []
        for p, q in zip(polygon, polygon[1:] + polygon[:1]):
            sp, sq = normal @ p - offset, normal @ q - offset
            if sp <= 0:
                kept.append(p)
            if sp * sq < 0:
                kept.append(p + sp / (sp - sq) * (q - p))
        polygon = kept
    return np.array(polygon)


def plane(rng):
    radii = 1 / (1 - rng.uniform(0, 1, 120) * 0.75)
    x, side = relaxed(2, radii, 0.72, rng)
    edges = triangulate(x, radii)
    neighbors = [[] for _ in radii]
    for i, j in edges:
        neighbors[i].append(j)
        neighbors[j].append(i)
    figure, axes = plt.subplots(figsize=(7, 7))
    margin = 0.04 * side
    for i in range(len(radii)):
        cell = power_cell(i, x, radii, neighbors[i], (-margin, side + margin))
        axes.add_patch(Polygon(cell, facecolor="#f4efe6", edgecolor="#b9aa8c", linewidth=0.8))
    for center, radius in zip(x, radii):
        axes.add_patch(Circle(center, radius, facecolor=SAND, edgecolor=LINE, linewidth=0.8))
    axes.add_collection(LineCollection(x[edges], colors=EDGE, linewidths=0.9))
    axes.set_xlim(-margin, side + margin)
    axes.set_ylim(-margin, side + margin)
    axes.set_aspect("equal")
    axes.axis("off")
    figure.savefig(HERE / "images/triangulation-plane.png", dpi=110, bbox_inches="tight", pad_inches=0.02)


def packing(rng):
    radii = rng.uniform(0.7, 1.3, 220)
    x, side = relaxed(3, radii, 0.55, rng)
    edges = triangulate(x, radii)
    gap = np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1) - radii[edges[:, 0]] - radii[edges[:, 1]]
    turn, tilt = np.radians(32), np.radians(22)
    right = np.array([np.cos(turn), np.sin(turn), 0])
    depth = np.array([-np.sin(turn) * np.cos(tilt), np.cos(turn) * np.cos(tilt), -np.sin(tilt)])
    up = np.cross(right, depth)
    view = np.column_stack([x @ right, x @ up, x @ depth])
    figure, both = plt.subplots(1, 2, figsize=(12, 6.2))
    for axes, drawn in zip(both, ("spheres", "edges")):
        if drawn == "spheres":
            for k in np.argsort(-view[:, 2]):
                for shade in np.linspace(0, 1, 9):  # lit from the upper left
                    center = view[k, :2] + shade * radii[k] * np.array([-0.28, 0.3])
                    color = np.array([0.55, 0.42, 0.22]) * (1 - shade) + np.array([0.97, 0.9, 0.74]) * shade
                    axes.add_patch(Circle(center, radii[k] * (1 - 0.82 * shade), facecolor=color, linewidth=0))
                axes.add_patch(Circle(view[k, :2], radii[k], fill=False, edgecolor=LINE, linewidth=0.5))
        else:
            near = gap < 0.1
            for chosen, color, width in ((~near, "#c9c3b6", 0.5), (near, EDGE, 1.3)):
                axes.add_collection(LineCollection(view[edges[chosen]][:, :, :2], colors=color, linewidths=width))
            axes.scatter(view[:, 0], view[:, 1], s=9, color=LINE, zorder=3)
        axes.set_xlim(view[:, 0].min() - 1.4, view[:, 0].max() + 1.4)
        axes.set_ylim(view[:, 1].min() - 1.4, view[:, 1].max() + 1.4)
        axes.set_aspect("equal")
        axes.axis("off")
    figure.subplots_adjust(wspace=0.02, left=0.01, right=0.99, top=0.99, bottom=0.01)
    figure.savefig(HERE / "images/triangulation-packing.png", dpi=90)


(HERE / "images").mkdir(exist_ok=True)
plane(np.random.default_rng(4))
packing(np.random.default_rng(7))
