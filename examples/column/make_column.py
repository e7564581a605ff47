#!/usr/bin/python3
"""Writes column.csv beside itself: 20 close-packed layers of about 85 spheres that touch, a cylinder (Ferrez 2001, figure 6.22)."""
import math
import pathlib

RADIUS, LAYERS, WIDTH = 0.43e-3, 20, 9.74  # m; radius of the cylinder of centers, in radii of a sphere

lines = ["x,y,z,radius"]
for k in range(LAYERS):
    for j in range(-12, 13):
        for i in range(-12, 13):
            x = 2 * (i + j / 2) + (k % 3) - 1
            y = math.sqrt(3) * j + ((k % 3) - 1) / math.sqrt(3)
            if math.hypot(x, y) < WIDTH:
                lines.append("%.9g,%.9g,%.9g,%.9g" % (x * RADIUS, y * RADIUS, 2 * math.sqrt(2 / 3) * k * RADIUS, RADIUS))
pathlib.Path(__file__).with_name("column.csv").write_text("\n".join(lines) + "\n")
print((len(lines) - 1) / LAYERS, "spheres per layer")
