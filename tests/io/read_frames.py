#!/usr/bin/python3
"""Reads FILE.vtp with VTK and compares it with FILE.vtp.json: lists by name, "place:array". Floats may be rounded to 32 bits."""
import json
import sys

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy


def complain(caller, event):
    sys.exit(f"{sys.argv[1]}: VTK complains")


reader = vtk.vtkXMLPolyDataReader()
reader.AddObserver("ErrorEvent", complain)
reader.SetFileName(sys.argv[1])
reader.Update()
data = reader.GetOutput()
if not reader.GetOutput() or reader.GetErrorCode() != 0:
    sys.exit(f"{sys.argv[1]}: cannot be read")


def cells_of(cells):
    return vtk_to_numpy(cells.GetConnectivityArray()) if cells.GetNumberOfCells() else []


def found(place, name):
    if place == "points":
        points = data.GetPoints()
        return vtk_to_numpy(points.GetData()) if points and points.GetNumberOfPoints() else []
    if place == "count":
        return [{"vertices": data.GetNumberOfVerts(), "lines": data.GetNumberOfLines(), "polygons": data.GetNumberOfPolys()}[name]]
    if place == "cells":
        return cells_of({"lines": data.GetLines(), "polygons": data.GetPolys()}[name])
    owner = {"point": data.GetPointData(), "cell": data.GetCellData(), "field": data.GetFieldData()}[place]
    array = owner.GetArray(name)
    if array is None:
        sys.exit(f"{sys.argv[1]}: there is no {place} array {name}")
    return vtk_to_numpy(array)


bad = []
for key, values in json.load(open(sys.argv[1] + ".json")).items():
    place, name = key.split(":")
    got = numpy.asarray(found(place, name)).reshape(-1)
    wanted = numpy.asarray(values)
    if got.dtype == numpy.float32:
        wanted = wanted.astype(numpy.float32)
    if got.shape != wanted.shape or not (got == wanted).all():
        bad.append(f"{key}: wanted {wanted[:9]}, got {got[:9]}")
if bad:
    sys.exit("\n".join(bad))
