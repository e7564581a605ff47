#!/usr/bin/python3
"""Draws the pictures of docs/microstructures.md: docs/microstructure_pictures.py [--scree PROGRAM]. Needs
python3-vtk9, python3-pil, and a screen or xvfb-run."""
import argparse
import gzip
import pathlib
import subprocess
import tempfile

import numpy
import vtk
from PIL import Image
from vtk.util.numpy_support import vtk_to_numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLORS = [(0.94, 0.76, 0.42), (0.55, 0.72, 0.83), (0.88, 0.55, 0.45), (0.62, 0.76, 0.55), (0.73, 0.63, 0.80),
          (0.95, 0.86, 0.62), (0.45, 0.60, 0.70), (0.80, 0.69, 0.58)]


def read(reader, path):
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


def color(labels):
    """Colors of labels, as an array of VTK."""
    colors = vtk.vtkUnsignedCharArray()
    colors.SetNumberOfComponents(3)
    for label in labels:
        colors.InsertNextTuple3(*(255 * c for c in COLORS[int(label) * 5 % 8 if label % 2 else int(label) * 3 % 8]))
    return colors


def exploded(grid, factor):
    """Cells apart from each other, each moved away from the middle of the box."""
    parts = vtk.vtkAppendPolyData()
    middle = numpy.array(grid.GetCenter())
    labels = vtk_to_numpy(grid.GetCellData().GetArray("label"))
    for k in range(grid.GetNumberOfCells()):
        one = vtk.vtkExtractCells()
        one.SetInputData(grid)
        one.AddCellRange(k, k)
        surface = vtk.vtkDataSetSurfaceFilter()
        surface.SetInputConnection(one.GetOutputPort())
        surface.Update()
        part = surface.GetOutput()
        move = vtk.vtkTransform()
        move.Translate(*((factor - 1) * (numpy.array(part.GetCenter()) - middle)))
        moved = vtk.vtkTransformPolyDataFilter()
        moved.SetTransform(move)
        moved.SetInputData(part)
        moved.Update()
        out = moved.GetOutput()
        out.GetCellData().SetScalars(color([labels[k]] * out.GetNumberOfCells()))
        parts.AddInputData(out)
    parts.Update()
    return parts.GetOutput()


def surface_of(grid):
    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputData(grid)
    surface.Update()
    out = surface.GetOutput()
    out.GetCellData().SetScalars(color(vtk_to_numpy(out.GetCellData().GetArray("label"))))
    return out


def without_corner(grid):
    """The elements that are not in the corner that looks at the viewer."""
    low, high = numpy.array(grid.GetBounds()).reshape(3, 2).T
    cut = (low + high) / 2
    points = vtk_to_numpy(grid.GetPoints().GetData())
    nodes = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)
    places = points[nodes].mean(axis=1)
    keep = vtk.vtkIdList()
    for k in numpy.flatnonzero(~((places[:, 0] > cut[0]) & (places[:, 1] < cut[1]) & (places[:, 2] > cut[2]))):
        keep.InsertNextId(int(k))
    some = vtk.vtkExtractCells()
    some.SetInputData(grid)
    some.SetCellList(keep)
    some.Update()
    return some.GetOutput()


def voxels(path):
    text = path.read_bytes()
    labels = numpy.frombuffer(gzip.decompress(text[text.index(b"\n\n") + 2:]), numpy.uint8)
    image = vtk.vtkImageData()
    image.SetDimensions(41, 41, 41)
    image.SetSpacing(0.5, 0.5, 0.5)
    array = vtk.vtkIntArray()
    array.SetName("label")
    for label in labels:
        array.InsertNextValue(int(label))
    image.GetCellData().AddArray(array)
    return image


def draw(parts, path, edges):
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(520 * len(parts), 520)
    window.SetMultiSamples(8)
    for k, (data, line) in enumerate(zip(parts, edges)):
        renderer = vtk.vtkRenderer()
        renderer.SetViewport(k / len(parts), 0, (k + 1) / len(parts), 1)
        renderer.SetBackground(1, 1, 1)
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputData(data)
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        look = actor.GetProperty()
        look.SetInterpolationToFlat()
        look.SetAmbient(0.35)
        look.SetDiffuse(0.7)
        look.SetEdgeVisibility(bool(line))
        look.SetEdgeColor(0.2, 0.2, 0.25)
        look.SetLineWidth(line or 1)
        renderer.AddActor(actor)
        camera = renderer.GetActiveCamera()
        camera.SetPosition(1.5, -2.4, 1.5)
        camera.SetViewUp(0, 0, 1)
        renderer.ResetCamera()
        camera.Zoom(1.12)
        window.AddRenderer(renderer)
    window.Render()
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(str(path))
    writer.SetInputConnection(grab.GetOutputPort())
    writer.Write()
    Image.open(path).quantize(128).save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scree", default=ROOT / "build/release/bin/scree")
    options = parser.parse_args()
    image = ROOT / "examples/polycrystal/polycrystal.nrrd"
    with tempfile.TemporaryDirectory() as name:
        for command in (["fit", image, "--least", "20", "-o", name], ["regularise", name], ["mesh", name, "--size", "1.2"]):
            subprocess.run([options.scree, "microstructure", *command], check=True, capture_output=True)
        folder = pathlib.Path(name)
        grid = lambda file: read(vtk.vtkXMLUnstructuredGridReader(), folder / file)
        draw([surface_of(voxels(image)), exploded(grid("cells.vtu"), 1.25)], ROOT / "docs/images/microstructure-cells.png", [0, 1.5])
        draw([exploded(grid("regular.vtu"), 1.25), surface_of(without_corner(grid("mesh.vtu")))],
             ROOT / "docs/images/microstructure-mesh.png", [1.5, 1])


main()
