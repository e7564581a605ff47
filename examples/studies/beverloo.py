#!/usr/bin/python3
"""Discharge rate of a flat-bottomed silo against its outlet: Beverloo's law in the plane, W = C rho sqrt(g) (D - k d)^n.

Theory gives n = 3/2 for a slot (Beverloo 1961 has 5/2 for a round hole). The script runs 7 outlets with 3 fillings each,
fits C, k and n, and draws the points with the fit: beverloo.png. docs/studies.md has the result.
"""
import pathlib
import sys

import numpy as np
import scree
from scipy import optimize, stats

DIAMETER = 5e-3  # m, mean, of the discs
WIDTH = 60 * DIAMETER
OPEN = 0.25  # s


def silo(outlet, seed):
    """`outlet` in diameters. The filling has settled when the slot opens."""
    half = WIDTH / 2
    return scree.Scene(
        title=f"Silo with a slot of {outlet:g} diameters",
        simulation=dict(dimension=2, duration=OPEN + 0.55, gravity=[0, -9.81], seed=int(seed)),
        materials=dict(beads=dict(density=2500, friction=0.5, restitution=0.5, contact_time=8e-4)),
        regions=[dict(name="filling", box=[[-half, 0.5 * DIAMETER], [half, 60 * DIAMETER]]),
                 dict(name="world", box=[[-1, -10 * DIAMETER], [1, 1]])],
        grains=[dict(name="beads", radius={"uniform": [0.45 * DIAMETER, 0.55 * DIAMETER]},
                     place=dict(random="filling", density=0.7))],
        walls=[dict(name="sides", kind="cylinder", from_=[0, 0], to=[0, 90 * DIAMETER], radius=half),
               dict(name="floor", kind="disc", center=[0, 0], normal=[0, 1], radius=half, hole=outlet * DIAMETER / 2,
                    open_at=OPEN)],
        outflow=dict(region="world"),
        output=dict(frames=0.1, series=0.002))


def rate(run):
    """kg/s per metre of depth, from when the flow has begun until a quarter of the grains are left."""
    time, gone = run.series["time"], run.series["removed"]
    steady = (time > OPEN + 0.12) & (gone < 0.6 * (gone + run.series["grains"]))
    slope, _ = np.polyfit(time[steady], gone[steady], 1)
    mass = 2500 * np.pi / 4 * DIAMETER**2 * (1 + 0.1**2 / 3)  # of the mean disc, 1 m deep
    return {"rate": slope * mass, "window": np.ptp(time[steady])}


def law(outlet, log_c, k, n):
    return log_c + n * np.log(outlet - k)


def fit(outlet, rates):
    """(value, half width of the 95 % interval) of k and n."""
    x, y = np.asarray(outlet), np.log(rates)
    best, covariance = optimize.curve_fit(law, x, y, p0=[np.log(rates.max()) - 1.5 * np.log(x.max()), 1.4, 1.5],
                                          bounds=([-np.inf, -1, 0.5], [np.inf, 0.9 * x.min(), 4]))
    width = stats.t.ppf(0.975, len(x) - 3) * np.sqrt(np.diag(covariance))
    return best, width


def draw(table, best, width, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4.2), constrained_layout=True)
    axes.loglog(table["outlet"] - best[1], table["rate"], "o", ms=5, alpha=0.7, label="runs")
    x = np.linspace(table["outlet"].min(), table["outlet"].max(), 50)
    axes.loglog(x - best[1], np.exp(law(x, *best)), "-", label=f"n = {best[2]:.2f} ± {width[2]:.2f}, k = {best[1]:.1f} ± {width[1]:.1f}")
    axes.set(xlabel="D/d − k", ylabel="discharge, kg/s per m", title="Beverloo's law in the plane")
    axes.legend()
    figure.savefig(file, dpi=110)


def main(folder="beverloo", outlets=(8, 9.5, 11, 13, 15, 17.5, 20), seeds=(1, 2, 3)):
    table = scree.study(silo, {"outlet": outlets, "seed": seeds}, rate, folder)
    table = scree.Table({name: table[name][table["status"] == "done"] for name in table.columns})
    best, width = fit(table["outlet"], table["rate"])
    print(table)
    print(f"exponent n = {best[2]:.3f} ± {width[2]:.3f}, k = {best[1]:.2f} ± {width[1]:.2f} (95 %)")
    draw(table, best, width, pathlib.Path(folder, "beverloo.png"))
    return best, width


if __name__ == "__main__":
    main(*sys.argv[1:])
