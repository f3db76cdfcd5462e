# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""What run_page.py has to know of each page of the documentation."""
import dataclasses
import math
import re
import struct

# Beginnings of commands that no page's test runs, and why.
APART = {
    "scripts/": "a script for the whole tree; the tests of the tree are not for themselves",
    "tests/calculix/": "downloads and runs CalculiX's examples",
    "build/cuda/": "needs a GPU",
    "build/release/bin/benchmarks/": "measures for minutes; the smallest size of each is a test of its own",
    "chrt ": "measures, as root",
    "gmsh ": "Gmsh is not needed to test",
    "sudo ": "changes the system",
    "apt ": "changes the system",
    "dpkg ": "changes the system",
}


@dataclasses.dataclass
class Page:
    before: list = dataclasses.field(default_factory=list)    # commands that make what the page takes for granted
    instead: dict = dataclasses.field(default_factory=dict)   # what a page has -> what is run
    apart: dict = dataclasses.field(default_factory=dict)     # beginning of a command -> why it is not run
    files: tuple = ()                                         # functions of a folder that write what is there before
    toml: str = ""                                            # the page's first block of TOML goes into this file

    def prepare(self, root, folder, text):
        for write in self.files:
            write(root, folder)
        if self.toml:
            (folder / self.toml).write_text(re.search(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1])


def write_entries(path, entries, n, symmetric):
    kind = "symmetric" if symmetric else "general"
    lines = [f"%%MatrixMarket matrix coordinate real {kind}", f"{n} {n} {len(entries)}"]
    path.write_text("\n".join(lines + [f"{i + 1} {j + 1} {value!r}" for i, j, value in entries]) + "\n")


def lattice(cells):
    """Springs of three directions between the nodes of a small cube, held by weak ones."""
    node = {}
    for x in range(cells):
        for y in range(cells):
            for z in range(cells):
                node[x, y, z] = len(node)
    return node


def stiffness(root, folder):
    """K.mtx, M.mtx, A.mtx, with three unknowns a node, and their coordinates XYZ.mtx and xyz.mtx."""
    node = lattice(7)
    diagonal = [1e-2] * (3 * len(node))
    entries = []
    for (x, y, z), k in node.items():
        for step in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
            other = node.get((x + step[0], y + step[1], z + step[2]))
            if other is None:
                continue
            for c in range(3):
                spring = (1.0, 1.7, 0.6)[c]
                diagonal[3 * k + c] += spring
                diagonal[3 * other + c] += spring
                entries.append((3 * other + c, 3 * k + c, -spring))
    n = len(diagonal)
    entries += [(i, i, value) for i, value in enumerate(diagonal)]
    for name in ("A", "K", "heat"):
        write_entries(folder / f"{name}.mtx", entries, n, True)
    # Of springs with mass: places of K, a sixth of each spring beside its third.
    mass = [(i, j, 2e-4 if i != j else 1e-3 + 4e-4 * value) for i, j, value in entries]
    write_entries(folder / "M.mtx", mass, n, True)
    text = f"%%MatrixMarket matrix array real general\n{len(node)} 3\n"
    text += "".join(f"{place[axis]}\n" for axis in range(3) for place in node)
    for name in ("XYZ", "xyz"):
        (folder / f"{name}.mtx").write_text(text)


def write_npy(path, shape, values):
    """Doubles in NumPy's format of version 1.0."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape!r}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}d", *values))


def lines_of_a_grid(root, folder):
    """d.npy, 32 lines of 32 rows, and a diagonal for them."""
    write_npy(folder / "d.npy", (32, 32), [math.sin(k) for k in range(1024)])
    write_npy(folder / "diagonal.npy", (32,), [4.0 + 0.01 * k for k in range(32)])


def record(root, folder):
    values = [0.1 * math.sin(0.3 * k) * math.exp(-0.01 * k) for k in range(200)]
    head = "A RECORD\nMADE FOR A TEST\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=   200, DT=   .0100 SEC\n"
    (folder / "quake.at2").write_text(head + "".join(f"{value:15.7e}\n" for value in values))


def grating(root, folder):
    (folder / "grating.toml").write_text((root / "examples/grating/grating.toml").read_text())


def bumper(root, folder):
    (folder / "crash.inp").write_text((root / "examples/bumper/bumper.inp").read_text())


def mesh_of_gmsh(root, folder):
    """One hexahedron, in Gmsh's format of version 2.2; of 20 nodes, and as two parts where it is `part.msh`."""
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    edges = [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)]
    nodes = corners + [tuple((a + b) / 2 for a, b in zip(corners[i], corners[j])) for i, j in edges]
    text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n20\n"
    text += "".join(f"{k + 1} {x} {y} {z}\n" for k, (x, y, z) in enumerate(nodes))
    text += "$EndNodes\n$Elements\n1\n1 17 2 1 1 " + " ".join(str(k + 1) for k in range(20)) + "\n$EndElements\n"
    (folder / "plate.msh").write_text(text)
    twelve = [(x, y, z) for z in range(3) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n12\n"
    text += "".join(f"{k + 1} {x} {y} {z}\n" for k, (x, y, z) in enumerate(twelve))
    text += "$EndNodes\n$Elements\n2\n"
    text += "".join(f"{k + 1} 5 4 1 1 1 {k + 1} " + " ".join(str(4 * k + j + 1) for j in range(8)) + "\n" for k in range(2))
    (folder / "part.msh").write_text(text + "$EndElements\n")


def vectors(root, folder):
    """x.bin for as many unknowns as the pump of docs/command.md has in its test."""
    rows, columns = 5823, 3
    values = [math.sin(k) for k in range(rows * columns)]
    (folder / "x.bin").write_bytes(b"SETKAMAT" + struct.pack("<IIqq", 1, 0x01020304, rows, columns) +
                                   struct.pack(f"<{len(values)}d", *values))


PAGES = {
    "README.md": Page(instead={"--size 30000": "--size 1500"}),
    "docs/command.md": Page(
        files=(stiffness, lines_of_a_grid, grating, mesh_of_gmsh, vectors),
        instead={"--below 200": "-n 5", "--size 20000 -o pump.inp": "--size 6000 -o pump.inp --force"}),
    "docs/domains.md": Page(
        before=["setka example block --size 3000 -o block.inp"],
        files=(stiffness, mesh_of_gmsh, bumper),
        instead={"--size 300000": "--size 6000", "--devices 0,1": "--devices cpu,cpu", "--parts 64": "--parts 4",
                 "--size 50000 --modes 27": "--size 10000 --modes 5", "--parts 8": "--parts 3",
                 "--parts 16": "--parts 4"}),
    "docs/earthquakes.md": Page(files=(record,)),
    "docs/grid.md": Page(files=(lines_of_a_grid,)),
    "docs/grid-case.md": Page(before=["setka calibrate --quick --backend cpu"], toml="wall.toml",
                              apart={"setka grid wall.toml --continue": "goes on from an interruption; command_grid_test makes one"}),
    "docs/install.md": Page(
        instead={"--size 20000 --modes 10": "--size 6000 --modes 2"},
        apart={"cmake --install": "installs a whole build; package.consumer does",
               "tar ": "unpacks what scripts/package makes; scripts/package test does",
               "setka-0": "is within what scripts/package makes; scripts/package test runs it"}),
    "docs/many-machines.md": Page(
        before=["setka example pump --size 6000 -o pump.inp"], files=(stiffness,),
        instead={"--ranks 1000": "--ranks 8", "-n 20": "-n 3"}),
    "docs/models.md": Page(instead={"setka calibrate": "setka calibrate --quick --backend cpu",
                                    "setka bench models ": "setka bench models --quick --backend cpu "}),
    "docs/plan.md": Page(instead={"setka calibrate": "setka calibrate --quick --backend cpu", "--size 15000": "--size 1500",
                                  "setka plan block.inp": "setka plan block.inp --backend cpu",
                                  "setka run block.inp": "setka run block.inp --backend cpu"}),
    "docs/python.md": Page(apart={"pip ": "builds or installs a wheel; python.package makes one both ways"}),
    "docs/report.md": Page(before=["setka example pump --size 6000 --modes 2 -o pump.inp"]),
    "docs/operators.md": Page(before=["setka example pump --size 6000 -o pump.inp"],
                              instead={"--devices 0,1": "--devices cpu,cpu"}),
}
