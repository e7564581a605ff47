#!/usr/bin/python3
"""Reads the made-up checkpoint of five grains (synthetic.h) with h5py: any tool can, and the columns are named."""
import sys

import h5py

with h5py.File(sys.argv[1], "r") as file:
    assert file.attrs["format"].decode() == "scree checkpoint"
    assert file.attrs["format_version"] == 1
    assert file.attrs["step"] == 123456789012
    assert file.attrs["time_step"] == 1.1e-6
    row = file["grains/row"]
    columns = row.attrs["columns"].decode().split(",")
    assert columns == ["x", "y", "z", "radius", "vx", "vy", "vz", "inverse_mass"], columns
    assert row.shape == (5, 8) and row.dtype == "<f8"
    assert list(file["grains/id"]) == [3 * ((k * 7 + 3) % 5) + 1 for k in range(5)]
    assert file["grains/images"].shape == (5, 4) and file["grains/images"].dtype == "<i2"
    for name, dataset in file["grains"].items():
        width = dataset.shape[1] if dataset.ndim == 2 else 1
        assert len(dataset.attrs["columns"].decode().split(",")) == width, name
    assert [name.decode() for name in file["names/groups"]] == ["small", "middle", 'Größe, "L"']
    assert file["scene"][0].decode().startswith('title = "made up"\n# ünïcode')
    assert list(file["output/frame_steps"]) == [0, 1000, 2000]
    energy = dict(zip(file["energy"].attrs["columns"].decode().split(","), file["energy"][0]))
    assert energy["contact_work"] == 1.5 and energy["removed"] == 7.5, energy
    assert file["contacts/memory"].shape == (2, 3)
