#!/usr/bin/python3
"""Calibration: which friction and rolling friction give a measured angle of repose and a measured bulk density?

The heaps are those of repose.py, whose folder is used again. Runs scatter, so the optimiser sees a smooth surface through
them: quadratic in both parameters, fitted by least squares. SciPy finds where it meets the measurement, runs there join
the data, and so on. docs/studies.md has the result.
"""
import sys

import numpy as np
import scree
from repose import heap, means, outcome
from scipy import optimize

SPREAD = np.array([1.0, 0.01])  # degrees and share: how exactly the measurement is known
LIMITS = [(0.1, 0.9), (0.0, 0.3)]


def terms(friction, rolling):
    f, r = np.sqrt(friction), np.sqrt(rolling)  # effects saturate
    return np.column_stack([np.ones_like(f), f, r, f * f, f * r, r * r])


def surface(rows):
    """A function of (friction, rolling friction) that gives (angle, share), through all runs."""
    factors, *_ = np.linalg.lstsq(terms(rows[:, 0], rows[:, 1]), rows[:, 2:], rcond=None)
    return lambda x: (terms(np.array([x[0]]), np.array([x[1]])) @ factors)[0]


def nearest(rows, target):
    """The parameters whose expected outcome is nearest to the target."""
    expected = surface(rows)
    found = optimize.differential_evolution(lambda x: np.sum(((expected(x) - target) / SPREAD) ** 2), LIMITS, seed=1)
    return np.round(found.x, 3)


def calibrate(target, folder, rounds=3, seeds=(1, 2, 3), start=((0.1, 0.25, 0.4, 0.6, 0.9), (0, 0.05, 0.1, 0.2, 0.3))):
    rows = means(scree.study(heap, {"friction": start[0], "rolling": start[1], "seed": seeds}, outcome, folder))
    for turn in range(rounds):
        friction, rolling = nearest(rows, target)
        table = scree.study(heap, {"friction": [friction], "rolling": [rolling], "seed": seeds}, outcome, folder)
        rows = means(table)
        angle, solid = rows[(rows[:, 0] == friction) & (rows[:, 1] == rolling), 2:][0]
        print(f"round {turn + 1}: friction {friction:.3f}, rolling friction {rolling:.3f}: "
              f"{angle:.1f} degrees, share {solid:.3f}")
    return nearest(rows, target)


def measured(folder, friction=0.5, rolling=0.15, seeds=(11, 12, 13, 14)):
    """What stands for an experiment: heaps whose parameters the calibration is not told."""
    table = scree.study(heap, {"friction": [friction], "rolling": [rolling], "seed": seeds}, outcome, folder)
    return means(table)[0, 2:]


def main(folder="repose", experiment="experiment"):
    target = measured(experiment)
    print(f"measured: {target[0]:.1f} degrees, share {target[1]:.3f}")
    friction, rolling = calibrate(target, folder)
    print(f"found: friction {friction:.2f}, rolling friction {rolling:.2f}")
    return friction, rolling


if __name__ == "__main__":
    main(*sys.argv[1:])
