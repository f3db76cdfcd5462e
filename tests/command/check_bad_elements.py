# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the files of bad elements that setka run and setka check write, with meshio and with VTK.

usage: check_bad_elements.py SETKA; exit code 77: a module is missing, nothing was checked
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import meshio
    import numpy as np
    import vtkmodules.all as vtk
    from vtkmodules.util.numpy_support import vtk_to_numpy
except ImportError as error:
    print(f"skipped: {error}; install python3-meshio and python3-vtk9")
    sys.exit(77)

# Element 1 is a unit cube, the others use its nodes: inside out (8 corners, so det = -1/8), flat, a wedge inside out
# (half the cube: det = -1/2), and a collapsed hexahedron, flat at a corner.
DECK = """*NODE
10,0,0,0
20,1,0,0
30,1,1,0
40,0,1,0
50,0,0,1
60,1,0,1
70,1,1,1
80,0,1,1
99,7,7,7
*ELEMENT,TYPE=C3D8,ELSET=E
1,10,20,30,40,50,60,70,80
22,50,60,70,80,10,20,30,40
*ELEMENT,TYPE=C3D4,ELSET=E
33,10,20,30,40
*ELEMENT,TYPE=C3D6,ELSET=E
44,50,60,70,10,20,30
*ELEMENT,TYPE=C3D8,ELSET=E
55,10,20,20,40,50,60,70,80
*MATERIAL,NAME=M
*ELASTIC
1,0
*SOLID SECTION,ELSET=E,MATERIAL=M
*BOUNDARY
10,1,3
*STEP
*STATIC
*END STEP
"""
EXPECTED = {  # number: meshio's cell, fault, least Jacobian, nodes in the deck's order
    22: ("hexahedron", 1, -1 / 8, [50, 60, 70, 80, 10, 20, 30, 40]),
    33: ("tetra", 3, 0.0, [10, 20, 30, 40]),
    44: ("wedge", 1, -1 / 2, [50, 60, 70, 10, 20, 30]),
    55: ("hexahedron", 4, 0.0, [10, 20, 20, 40, 50, 60, 70, 80]),
}
PLACES = {10: (0, 0, 0), 20: (1, 0, 0), 30: (1, 1, 0), 40: (0, 1, 0),
          50: (0, 0, 1), 60: (1, 0, 1), 70: (1, 1, 1), 80: (0, 1, 1)}


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def check_file(path):
    mesh = meshio.read(path)
    numbers = np.ravel(mesh.point_data["NodeNumber"]).tolist()
    cell_data = {name: [np.ravel(block) for block in blocks] for name, blocks in mesh.cell_data.items()}
    check(sorted(numbers) == sorted(PLACES), f"the nodes of bad elements alone, each once: {numbers}")
    for number, place in zip(numbers, mesh.points):
        check(tuple(place) == PLACES[number], f"place of node {number}: {place}")
    seen = set()
    for b, block in enumerate(mesh.cells):
        for r, nodes in enumerate(block.data):
            number = int(cell_data["ElementNumber"][b][r])
            cell, fault, least, expected = EXPECTED[number]
            check(block.type == cell, f"element {number} is read as {block.type}")
            check([numbers[n] for n in nodes] == expected, f"nodes of element {number}")
            check(cell_data["Fault"][b][r] == fault, f"fault of element {number}")
            found = cell_data["LeastJacobian"][b][r]
            check(abs(found - least) < 1e-15, f"least Jacobian of element {number}: {found}")
            check(cell_data["ScaledJacobian"][b][r] <= 0, f"scaled Jacobian of element {number}")
            seen.add(number)
    check(seen == set(EXPECTED), f"elements {seen}")

    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    check(reader.GetErrorCode() == 0, "VTK reads it")
    data = reader.GetOutput().GetCellData()
    check(set(vtk_to_numpy(data.GetArray("ElementNumber"))) == set(EXPECTED), "elements by VTK")
    check(np.all(vtk_to_numpy(data.GetArray("LeastJacobian")) <= 0), "Jacobians by VTK")


def main():
    setka = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        deck = folder / "part.inp"
        deck.write_text(DECK)
        file = folder / "part-bad-elements.vtu"
        for command in ("run", "check"):
            result = subprocess.run([setka, command, str(deck)], capture_output=True, text=True)
            check(result.returncode == 1, f"{command}: exit code {result.returncode}")
            check(str(file) in result.stdout + result.stderr, f"{command} says where the elements are")
            check_file(file)
            file.unlink()
            check([p.name for p in folder.iterdir()] == ["part.inp"], f"{command} leaves nothing else")


main()
