#!/usr/bin/python3
"""Writes rods.csv beside itself: rods of random directions, one by one where they meet no other, in a cylinder.
make_rods.py [COUNT [DIAMETER_OF_THE_CYLINDER_IN_MM [SEED]]]"""
import math
import pathlib
import sys

import numpy as np

given = sys.argv[1:] + ["1000", "8", "6"][len(sys.argv) - 1 :]
COUNT, DIAMETER, SEED = int(given[0]), float(given[1]), int(given[2])
THICK, SHAFT = 0.523e-3, 4 * 0.523e-3  # diameter, length of the segment (Pournin 2005, table 6.1)
FILLED = 0.17                          # of the space at the start: they fall a short way, not fast enough to sink into each other

rng = np.random.default_rng(SEED)
inner = 0.5e-3 * DIAMETER - 0.5 * THICK
volume = math.pi * THICK**2 * (SHAFT / 4 + THICK / 6)
height = COUNT * volume / FILLED / (math.pi * (0.5e-3 * DIAMETER) ** 2)


def distance(p, u, q, v):
    """Between the segment p ± u and each of q ± v."""
    least = np.full(len(q), np.inf)
    # The lines' closest points when they lie inside, else ends against the other segment.
    b, c, d = v @ u, u @ u, (v * v).sum(1)
    w = p - q
    wu, wv = w @ u, (w * v).sum(1)
    det = c * d - b * b
    with np.errstate(divide="ignore", invalid="ignore"):
        s, t = (b * wv - d * wu) / det, (c * wv - b * wu) / det
    inside = (det > 1e-12 * c * d) & (abs(s) <= 1) & (abs(t) <= 1)
    gap = w + s[:, None] * u - t[:, None] * v
    least[inside] = np.sqrt((gap[inside] ** 2).sum(1))
    for sign in (-1, 1):
        end = p + sign * u - q
        t = np.clip((end * v).sum(1) / d, -1, 1)
        least = np.minimum(least, np.sqrt(((end - t[:, None] * v) ** 2).sum(1)))
        end = q + sign * v - p
        s = np.clip(end @ u / c, -1, 1)
        least = np.minimum(least, np.sqrt(((end - s[:, None] * u) ** 2).sum(1)))
    return least


centers, halves, rows = np.zeros((COUNT, 3)), np.zeros((COUNT, 3)), []
placed = 0
while placed < COUNT:
    x = np.append(inner * np.sqrt(rng.random()) * np.array([math.cos(a := 2 * math.pi * rng.random()), math.sin(a)]), height * rng.random())
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    half = 0.5 * SHAFT * axis
    ends = np.array([x - half, x + half])
    if (np.hypot(ends[:, 0], ends[:, 1]) > inner).any() or ends[:, 2].min() < 0.51 * THICK:
        continue
    near = np.abs(centers[:placed] - x).max(1) < SHAFT + THICK
    if near.any() and distance(x, half, centers[:placed][near], halves[:placed][near]).min() < 1.001 * THICK:
        continue
    centers[placed], halves[placed] = x, half
    placed += 1
    # The turn that brings z, the rod's own direction, onto its axis.
    axis = axis if axis[2] >= 0 else -axis
    q = np.array([1 + axis[2], -axis[1], axis[0], 0])
    rows.append([*x, *(q / np.linalg.norm(q))])
text = "x,y,z,qw,qx,qy,qz\n" + "\n".join(",".join(f"{c:.9g}" for c in row) for row in rows) + "\n"
pathlib.Path(__file__).with_name("rods.csv").write_text(text)
