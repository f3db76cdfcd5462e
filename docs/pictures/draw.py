#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""draw.py RESULTS SIZES.json FOLDER: the pictures of README.md; scripts/pictures computes what they show.

They have no background, and colours that are seen on a white page and on a black one.
"""
import json
import math
import pathlib
import sys

import vtk
from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy

PALE = (0.55, 0.58, 0.62)
# From blue over violet to yellow, with light and dark in the middle of what both backgrounds allow.
SCALE = [(0.0, 0.27, 0.45, 0.86), (0.3, 0.50, 0.36, 0.82), (0.55, 0.80, 0.31, 0.55), (0.8, 0.95, 0.52, 0.28), (1.0, 0.98, 0.80, 0.30)]


def colours(low, high, white=0.0):
    """white: how far towards it."""
    table = vtk.vtkColorTransferFunction()
    for at, *rgb in SCALE:
        table.AddRGBPoint(low + at * (high - low), *(value + white * (1 - value) for value in rgb))
    return table


def save(window, path):
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.SetInputBufferTypeToRGBA()
    grab.ReadFrontBufferOff()
    grab.Update()
    # 32 steps of each colour cannot be told from 256 here, and make half the file; what is not seen has no colour.
    seen = vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars())
    seen[:] = (seen & 0xF8) | 0x04
    seen[:, 3][seen[:, 3] > 0xF0] = 0xFF
    seen[seen[:, 3] < 0x10] = 0
    writer = vtk.vtkPNGWriter()
    writer.SetCompressionLevel(9)
    writer.SetFileName(str(path))
    writer.SetInputData(grab.GetOutput())
    writer.Write()


def window_of(renderer, width, height):
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetAlphaBitPlanes(1)
    window.SetMultiSamples(8)
    window.SetSize(width, height)
    window.AddRenderer(renderer)
    renderer.SetBackgroundAlpha(0)
    renderer.SetBackground(0.5, 0.5, 0.5)
    return window


def draw_mode(file, path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(file))
    reader.Update()
    grid = reader.GetOutput()
    shape = vtk_to_numpy(grid.GetPointData().GetArray("U"))[:, :3]
    length = (shape**2).sum(axis=1) ** 0.5
    size = max(grid.GetBounds()[2 * k + 1] - grid.GetBounds()[2 * k] for k in range(3))
    vectors = numpy_to_vtk((shape * (0.11 * size / length.max())).copy(), deep=True)
    vectors.SetName("shape")
    lengths = numpy_to_vtk((length / length.max()).copy(), deep=True)
    lengths.SetName("length")
    grid.GetPointData().AddArray(vectors)
    grid.GetPointData().AddArray(lengths)

    surface = vtk.vtkDataSetSurfaceFilter()
    surface.SetInputData(grid)
    surface.Update()
    renderer = vtk.vtkRenderer()

    def feature_edges(source, angle, rgb, width):
        edges = vtk.vtkFeatureEdges()
        edges.SetInputConnection(source)
        edges.SetFeatureAngle(angle)
        edges.BoundaryEdgesOn()
        edges.ColoringOff()
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputConnection(edges.GetOutputPort())
        mapper.ScalarVisibilityOff()
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        actor.GetProperty().SetColor(*rgb)
        actor.GetProperty().SetLineWidth(width)
        actor.GetProperty().LightingOff()
        renderer.AddActor(actor)

    warp = vtk.vtkWarpVector()
    warp.SetInputConnection(surface.GetOutputPort())
    warp.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "shape")
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(warp.GetOutputPort())
    mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray("length")
    mapper.SetLookupTable(colours(0, 1))
    mapper.InterpolateScalarsBeforeMappingOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetAmbient(0.42)
    actor.GetProperty().SetDiffuse(0.62)
    actor.GetProperty().EdgeVisibilityOn()
    actor.GetProperty().SetEdgeColor(0.25, 0.22, 0.32)
    actor.GetProperty().SetLineWidth(0.6)
    renderer.AddActor(actor)
    feature_edges(surface.GetOutputPort(), 40, PALE, 1.4)

    camera = renderer.GetActiveCamera()
    camera.SetPosition(-1.0, -1.55, 0.85)
    camera.SetFocalPoint(0, 0, 0)
    camera.SetViewUp(0, 0, 1)
    camera.ParallelProjectionOn()
    renderer.ResetCamera()
    camera.Zoom(1.45)
    window = window_of(renderer, 700, 516)
    window.Render()
    save(window, path)


def draw_grating(file, path):
    reader = vtk.vtkXMLImageDataReader()
    reader.SetFileName(str(file))
    reader.Update()
    image = reader.GetOutput()
    cells = image.GetCellData().GetArray(0)
    nx, ny = (image.GetDimensions()[k] - 1 for k in range(2))
    values = vtk_to_numpy(cells).reshape(ny, nx)
    periods = 2
    import numpy as np

    tiled = np.tile(values, (1, periods))
    plane = vtk.vtkImageData()
    plane.SetDimensions(nx * periods, ny, 1)
    spacing = image.GetSpacing()
    plane.SetSpacing(spacing)
    plane.GetPointData().SetScalars(numpy_to_vtk(tiled.ravel(), deep=True))
    low, high = 0.0, float(values.max())

    renderer = vtk.vtkRenderer()
    surface = vtk.vtkImageDataGeometryFilter()
    surface.SetInputData(plane)
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(surface.GetOutputPort())
    mapper.SetLookupTable(colours(low, high))
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    renderer.AddActor(actor)

    contours = vtk.vtkContourFilter()
    contours.SetInputData(plane)
    contours.GenerateValues(13, low + (high - low) / 14, high - (high - low) / 14)
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(contours.GetOutputPort())
    mapper.SetLookupTable(colours(low, high, white=0.35))
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    actor.GetProperty().SetLineWidth(1.4)
    actor.SetPosition(0, 0, 0.01)
    renderer.AddActor(actor)

    # What is glass and metal: the outline of the grating, whose ridges are 2 wide and begin every 4.
    width, height = nx * spacing[0] * periods, ny * spacing[1]
    points = vtk.vtkPoints()
    outline = [(0.0, 10.0)]
    for k in range(int(width / 4)):
        outline += [(4.0 * k + 2, 10.0), (4.0 * k + 2, 8.0), (4.0 * k + 4, 8.0), (4.0 * k + 4, 10.0)]
    outline[-1:] = []
    line = vtk.vtkPolyLine()
    for k, (x, y) in enumerate(outline):
        points.InsertNextPoint(x, y, 0.02)
        line.GetPointIds().InsertNextId(k)
    cell = vtk.vtkCellArray()
    cell.InsertNextCell(line)
    data = vtk.vtkPolyData()
    data.SetPoints(points)
    data.SetLines(cell)
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(data)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(0.08, 0.08, 0.14)
    actor.GetProperty().SetLineWidth(2.4)
    actor.GetProperty().LightingOff()
    renderer.AddActor(actor)

    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetFocalPoint(width / 2, height / 2, 0)
    camera.SetPosition(width / 2, height / 2, 30)
    camera.SetParallelScale(height / 2)
    window = window_of(renderer, 746, 560)
    window.Render()
    save(window, path)


def ticks(low, high):
    return [base * 10**power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
            for base in (1, 2, 5) if low <= base * 10**power <= high]


def short(value):
    return f"{value / 1000:g} k" if value >= 1000 else f"{value:g}"


def draw_times(sizes, path):
    """Both axes logarithmic; two plots beside one another, Setka and CalculiX in each."""
    data = json.loads(sizes.read_text())
    grey, colour = "#7d8590", {"setka_s": "#3b82f6", "calculix_s": "#e08a1e"}
    names = {"setka_s": "Setka", "calculix_s": "CalculiX"}
    width, height, left, top, bottom, gap = 920, 360, 62, 46, 52, 70
    plot = (width - 2 * left - gap) / 2 + 20
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="13" fill="{grey}">']
    decks = list(dict.fromkeys(row["deck"] for row in data["rows"]))
    text.insert(1, "<title>Seconds of all processors over unknowns, by Setka and CalculiX: " + "; ".join(
        dict.fromkeys(row["what"] for row in data["rows"])) + "</title>")
    for k, deck in enumerate(decks):
        rows = [row for row in data["rows"] if row["deck"] == deck]
        x_range = (0.85 * rows[0]["unknowns"], 2.1 * rows[-1]["unknowns"])
        seconds = [row[key] for row in rows for key in names if key in row]
        y_range = (0.7 * min(seconds), 1.6 * max(seconds))
        x0, y1 = left + k * (plot + gap), height - bottom

        def at(unknowns, second):
            return (x0 + plot * math.log(unknowns / x_range[0]) / math.log(x_range[1] / x_range[0]),
                    y1 - (y1 - top) * math.log(second / y_range[0]) / math.log(y_range[1] / y_range[0]))

        text.append(f'<text x="{x0}" y="22" font-size="14" font-weight="bold">{rows[0]["what"]}</text>')
        for value in ticks(*x_range):
            x, _ = at(value, y_range[0])
            text.append(f'<path d="M{x:.1f} {top}V{y1}" stroke="{grey}" stroke-opacity=".25"/>'
                        f'<text x="{x:.1f}" y="{y1 + 18}" text-anchor="middle">{short(value)}</text>')
        for value in ticks(*y_range):
            _, y = at(x_range[0], value)
            text.append(f'<path d="M{x0} {y:.1f}H{x0 + plot:.1f}" stroke="{grey}" stroke-opacity=".25"/>'
                        f'<text x="{x0 - 8}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        text.append(f'<text x="{x0 + plot / 2:.1f}" y="{height - 14}" text-anchor="middle">unknowns</text>')
        if k == 0:
            text.append(f'<text transform="translate(16 {(top + y1) / 2:.0f}) rotate(-90)" text-anchor="middle">seconds of all processors</text>')
        for key, name in names.items():
            found = [at(row["unknowns"], row[key]) for row in rows if key in row]
            line = "L".join(f"{x:.1f} {y:.1f}" for x, y in found)
            text.append(f'<path d="M{line}" fill="none" stroke="{colour[key]}" stroke-width="2.5"/>')
            text += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour[key]}"/>' for x, y in found]
            x, y = found[-1]
            text.append(f'<text x="{x + 9:.1f}" y="{y + 4:.1f}" font-weight="bold" fill="{colour[key]}">{name}</text>')
    path.write_text("\n".join(text) + "\n</svg>\n")


def main():
    results, sizes, folder = map(pathlib.Path, sys.argv[1:4])
    draw_mode(results / "pump.0003.vtu", folder / "pump-mode.png")
    draw_grating(sorted((results / "results").glob("grating-0*.vti"))[-1], folder / "grating.png")
    if sizes.exists():
        draw_times(sizes, folder / "times.svg")


main()
