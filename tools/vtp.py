"""Reads the frames of a run folder: VTK XML PolyData with one raw appended block, as scree writes them."""
import re

import numpy as np

TYPES = {"Float64": "<f8", "Float32": "<f4", "Int64": "<i8", "Int32": "<i4", "UInt32": "<u4", "UInt16": "<u2", "UInt8": "<u1", "Int16": "<i2", "Int8": "<i1"}


def read_vtp(path):
    """All arrays of the file by name; points are called "position". Lists of names are lists of str."""
    data = path.read_bytes()
    start = data.index(b"<AppendedData")
    head, block = data[:start].decode(), data[data.index(b"_", start) + 1 :]
    size_type = np.dtype("<u8" if 'header_type="UInt64"' in head else "<u4")
    arrays = {}
    for tag in re.findall(r"<DataArray[^>]*>", head):
        key = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if "offset" not in key or key["type"] not in TYPES:
            continue
        at, kind = int(key["offset"]), np.dtype(TYPES[key["type"]])
        size = int(np.frombuffer(block, size_type, 1, at)[0])
        values = np.frombuffer(block, kind, size // kind.itemsize, at + size_type.itemsize)
        columns = int(key.get("NumberOfComponents", 1))
        # Of the cells of several kinds, a file of scree fills one.
        if len(values) or key["Name"] not in arrays:
            arrays[key["Name"]] = values.reshape(-1, columns) if columns > 1 else values
    for name, codes in re.findall(r'<Array type="String" Name="(\w+)"[^>]*>([\d\s]*)</Array>', head):
        arrays[name] = bytes(int(code) for code in codes.split()).decode().split("\0")[:-1]
    return arrays
