# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the files of io_write_vtu with meshio and with VTK, and compares every number exactly.

The order of nodes is proved by volumes: VTK's own interpolation, integrated over each cell, gives the volumes that
CalculiX printed for the same distorted elements, and VTK's cell sizes are positive.

usage: check_vtu.py PROGRAM DATA; exit code 77: a module is missing, nothing was checked
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

try:
    import meshio
    import numpy as np
    import vtkmodules.all as vtk
    from vtkmodules.util.numpy_support import vtk_to_numpy
except ImportError as error:
    print(f"skipped: {error}; install python3-meshio and python3-vtk9")
    sys.exit(77)

# meshio 5.0 knows the cell wedge15 but not its dimension.
meshio._mesh.topological_dimension.setdefault("wedge15", 3)

# What meshio calls the cell, and CalculiX's nodes in its order: VTK's, but for the linear wedge, which it turns back.
WEDGE15 = [0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13]
SHAPES = {
    "C3D20R": ("hexahedron20", range(20)), "C3D15": ("wedge15", WEDGE15), "C3D10": ("tetra10", range(10)),
    "C3D8": ("hexahedron", range(8)), "C3D6": ("wedge", range(6)), "C3D4": ("tetra", range(4)),
    "CPS8R": ("quad8", range(8)), "CPE4": ("quad", range(4)), "CPS6": ("triangle6", range(6)),
    "CPE3": ("triangle", range(3)), "T3D2": ("line", range(2)), "SPRING1": ("vertex", range(1)),
}
TENSOR = [0, 1, 2, 3, 5, 4]  # xx yy zz xy xz yz to XX YY ZZ XY YZ XZ
TENSOR_NAMES = ["XX", "YY", "ZZ", "XY", "YZ", "XZ"]
checks = 0


def check(condition, what):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"failed: {what}")


def same(found, expected, what):
    """The same bits, so that -0 is not 0."""
    found = np.ascontiguousarray(found, dtype=np.float64).ravel()
    expected = np.ascontiguousarray(expected, dtype=np.float64).ravel()
    check(found.shape == expected.shape, f"{what}: {found.shape} values, expected {expected.shape}")
    wrong = np.flatnonzero(found.view(np.int64) != expected.view(np.int64))
    check(wrong.size == 0, f"{what}: {wrong.size} differ, first at {wrong[:1]}: {found[wrong[:1]]} {expected[wrong[:1]]}")


def expected_fields(frame, count):
    fields = {name: np.array(values).reshape(count, -1) for name, values in frame["fields"].items()}
    for name in ("S", "E"):
        fields[name] = fields[name][:, TENSOR]
    return fields


def mises(s):
    return np.sqrt(0.5 * ((s[:, 0] - s[:, 1]) ** 2 + (s[:, 1] - s[:, 2]) ** 2 + (s[:, 2] - s[:, 0]) ** 2)
                   + 3 * (s[:, 3] ** 2 + s[:, 4] ** 2 + s[:, 5] ** 2))


def check_meshio(path, case, fields):
    mesh = meshio.read(path)
    same(mesh.points, case["points"], f"{path.name}: points")
    place = 0
    for b, block in enumerate(mesh.cells):
        for r, nodes in enumerate(block.data):
            element = case["elements"][place]
            name, order = SHAPES[element["type"]]
            check(block.type == name, f"{path.name}: {element['type']} is read as {block.type}")
            check(list(nodes) == [element["nodes"][i] for i in order], f"{path.name}: nodes of {element['type']}")
            check(mesh.cell_data["ElementNumber"][b][r] == element["number"], f"{path.name}: number of an element")
            check(mesh.cell_data["MaterialNumber"][b][r] == element.get("material", 0), f"{path.name}: material")
            place += 1
    check(place == len(case["elements"]), f"{path.name}: {place} cells")
    check(list(mesh.point_data["NodeNumber"]) == case["node_numbers"], f"{path.name}: node numbers")
    for name, values in fields.items():
        same(mesh.point_data[name], values, f"{path.name}: {name} by meshio")


def read_vtk(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    check(reader.GetErrorCode() == 0, f"{path.name}: VTK reads it")
    return reader.GetOutput()


def check_vtk(path, case, fields, time):
    grid = read_vtk(path)
    same(vtk_to_numpy(grid.GetPoints().GetData()), case["points"], f"{path.name}: points by VTK")
    same(vtk_to_numpy(grid.GetFieldData().GetArray("TimeValue")), [time], f"{path.name}: time")
    data = grid.GetPointData()
    for name, values in fields.items():
        array = data.GetArray(name)
        same(vtk_to_numpy(array), values, f"{path.name}: {name} by VTK")
        if values.shape[1] == 6:
            names = [array.GetComponentName(i) for i in range(6)]
            check(names == TENSOR_NAMES, f"{path.name}: components of {name} are {names}")
    found = vtk_to_numpy(data.GetArray("S_Mises"))
    check(np.allclose(found, mises(fields["S"]), rtol=1e-14, atol=0), f"{path.name}: S_Mises")
    return grid


def quadrature(kind):
    """Points and weights of CalculiX's own rules, since a curved element's volume depends on them."""
    def gauss(n):
        x, w = np.polynomial.legendre.leggauss(n)
        return list(zip((x + 1) / 2, w / 2))
    a, b = 0.13819660112501052, 0.58541019662496845
    middle = [((1 / 3, 1 / 3), 0.5)]
    three = [((x, y), 1 / 6) for x, y in ((1 / 6, 1 / 6), (2 / 3, 1 / 6), (1 / 6, 2 / 3))]
    square = [((x, y), v * w) for x, v in gauss(2) for y, w in gauss(2)]
    along = lambda plane, n: [((*p, z), v * w) for p, v in plane for z, w in gauss(n)]
    return {
        "C3D20R": along(square, 2), "C3D8": along(square, 2), "CPS8R": square, "CPE4": square,
        "C3D15": along(three, 3), "C3D6": along(middle, 2), "CPS6": three, "CPE3": middle,
        "C3D10": [(p, 1 / 24) for p in ((a, a, a), (b, a, a), (a, b, a), (a, a, b))], "C3D4": [((.25, .25, .25), 1 / 6)],
    }[kind]


def integrated(cell, points, kind):
    """The measure of a cell by VTK's own interpolation."""
    dimension, total = cell.GetCellDimension(), 0.0
    for place, weight in quadrature(kind):
        derivatives = [0.0] * (dimension * len(points))
        if cell.GetCellType() == vtk.VTK_TETRA:
            derivatives = [-1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1]
        elif cell.GetCellType() == vtk.VTK_TRIANGLE:
            derivatives = [-1, 1, 0, -1, 0, 1]
        else:
            cell.InterpolateDerivs([*place, 0.0][:3], derivatives)
        jacobian = np.array(derivatives).reshape(dimension, len(points)) @ points
        if dimension == 3:
            total += weight * np.linalg.det(jacobian)
        else:
            total += weight * np.linalg.norm(np.cross(jacobian[0], jacobian[1]))
    return total


def volumes_of_calculix(path):
    volumes, inside = {}, False
    for line in path.read_text().splitlines():
        if "volume" in line:
            inside = True
        elif inside and line.strip():
            number, volume = line.split()
            volumes.setdefault(int(number), float(volume))
    return volumes


def check_sizes(grid, case, truth):
    sizer = vtk.vtkCellSizeFilter()
    sizer.SetInputData(grid)
    sizer.Update()
    sizes = sizer.GetOutput().GetCellData()
    for c, element in enumerate(case["elements"]):
        cell = grid.GetCell(c)
        dimension = cell.GetCellDimension()
        if dimension < 2:
            continue
        points = np.array([cell.GetPoints().GetPoint(i) for i in range(cell.GetNumberOfPoints())])
        size = sizes.GetArray("Volume" if dimension == 3 else "Area").GetValue(c)
        expected = truth[element["number"]]
        whole = abs(integrated(cell, points, element["type"]))  # VTK's wedges have a negative Jacobian
        what = f"{element['type']}: VTK's size {size}, integrated {whole}, CalculiX {expected}"
        # VTK cuts a curved cell into flat ones, CalculiX prints seven digits.
        check(size > 0 and abs(size - expected) < 0.1 * expected, what)
        check(abs(whole - expected) < 1e-6 * expected, what)


def check_case(folder, name, data):
    case = json.loads((folder / f"{name}.json").read_text())
    single = len(case["frames"]) == 1
    names = [f"{name}.vtu"] if single else [f"{name}.{i + 1:04}.vtu" for i in range(len(case["frames"]))]
    check(case["files"] == names + [f"{name}.pvd"], f"{name}: files {case['files']}")
    listed = xml.parse(folder / f"{name}.pvd").getroot().findall("Collection/DataSet")
    check([entry.get("file") for entry in listed] == names, f"{name}: files in .pvd")
    for path, frame, entry in zip(names, case["frames"], listed):
        check(float(entry.get("timestep")) == frame["time"], f"{path}: time in .pvd")
        fields = expected_fields(frame, len(case["node_numbers"]))
        check_meshio(folder / path, case, fields)
        grid = check_vtk(folder / path, case, fields, frame["time"])
    truth = data / f"{name}.dat"
    if truth.exists():
        check_sizes(grid, case, volumes_of_calculix(truth))


def check_pieces(folder, name):
    """Frames of several processes by VTK's reader of .pvtu: each element once, each node in one piece or more."""
    case = json.loads((folder / f"{name}.json").read_text())
    names = [f"{name}.{i + 1:04}.pvtu" for i in range(len(case["frames"]))]
    check(case["files"] == names + [f"{name}.pvd"], f"{name}: files {case['files']}")
    elements = {element["number"]: element for element in case["elements"]}
    place = {number: i for i, number in enumerate(case["node_numbers"])}
    for path, frame in zip(names, case["frames"]):
        reader = vtk.vtkXMLPUnstructuredGridReader()
        reader.SetFileName(str(folder / path))
        reader.Update()
        check(reader.GetErrorCode() == 0, f"{path}: VTK reads it")
        check(reader.GetNumberOfPieces() == 3, f"{path}: {reader.GetNumberOfPieces()} pieces")
        grid = reader.GetOutput()
        same(vtk_to_numpy(grid.GetFieldData().GetArray("TimeValue")), [frame["time"]], f"{path}: time")
        numbers = vtk_to_numpy(grid.GetPointData().GetArray("NodeNumber"))
        rows = [place[number] for number in numbers]
        points = np.array(case["points"]).reshape(-1, 3)
        same(vtk_to_numpy(grid.GetPoints().GetData()), points[rows], f"{path}: points")
        for field, values in expected_fields(frame, len(place)).items():
            same(vtk_to_numpy(grid.GetPointData().GetArray(field)), values[rows], f"{path}: {field}")
        found = vtk_to_numpy(grid.GetCellData().GetArray("ElementNumber"))
        check(sorted(found) == sorted(elements), f"{path}: elements {found}")
        materials = vtk_to_numpy(grid.GetCellData().GetArray("MaterialNumber"))
        for c, number in enumerate(found):
            element = elements[number]
            cell = grid.GetCell(c)
            nodes = [numbers[cell.GetPointId(i)] for i in range(cell.GetNumberOfPoints())]
            expected = {case["node_numbers"][i] for i in element["nodes"]}
            check(set(nodes) == expected, f"{path}: nodes of element {number}")
            check(materials[c] == element.get("material", 0), f"{path}: material of element {number}")


def main():
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([program, str(data), name], check=True)
        for case in ("solids", "planes", "large"):
            check_case(folder, case, data)
        check_pieces(folder, "pieces")
        left = [p.name for p in folder.rglob("*.part")]
        check(not left, f"left behind: {left}")
    print(f"{checks} checks passed")


main()
