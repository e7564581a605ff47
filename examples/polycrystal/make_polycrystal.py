#!/usr/bin/python3
"""Makes polycrystal.nrrd: 40 grains in 40 x 40 x 40 voxels of 0.5 micrometre, with borders that are curved, as real ones
are: grain i is where |x - x_i| / r_i is least. One voxel in a hundred has the label of the voxel beside it."""
import gzip
import pathlib

import numpy

SIZE, GRAINS = 40, 40
random = numpy.random.default_rng(7)
axis = (numpy.arange(SIZE) + 0.5) / SIZE
z, y, x = numpy.meshgrid(axis, axis, axis, indexing="ij")

# Centers are spread by moving each to the middle of its grain a few times.
centers, radii = random.random((GRAINS, 3)), random.lognormal(0, 0.15, GRAINS)
for _ in range(4):
    distances = [numpy.sqrt((x - c[0]) ** 2 + (y - c[1]) ** 2 + (z - c[2]) ** 2) / r for c, r in zip(centers, radii)]
    labels = numpy.argmin(distances, axis=0)
    centers = numpy.array([[axis_[labels == i].mean() for axis_ in (x, y, z)] for i in range(GRAINS)])
noise = random.random(labels.shape) < 0.01
labels = numpy.where(noise, numpy.roll(labels, 1, axis=2), labels) + 1

header = f"NRRD0004\ntype: uint8\ndimension: 3\nsizes: {SIZE} {SIZE} {SIZE}\nspacings: 0.5 0.5 0.5\nencoding: gzip\n\n"
data = gzip.compress(labels.astype(numpy.uint8).tobytes(), mtime=0)
(pathlib.Path(__file__).parent / "polycrystal.nrrd").write_bytes(header.encode() + data)
