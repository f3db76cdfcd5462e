# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Decks of blocks and plates that compare.py hands to Setka and to CalculiX: heat, buckling, shells."""


def grid(counts, lengths, write):
    """Nodes of a grid, numbered along x first, and its C3D8 ALL; the nodes at x = 0 are FIX, those at the end TIP."""
    (nx, ny, nz), (lx, ly, lz) = counts, lengths
    number = lambda i, j, k: 1 + i + (nx + 1) * (j + (ny + 1) * k)
    write("*NODE, NSET=NALL\n")
    for k in range(nz + 1):
        for j in range(ny + 1):
            write("".join(f"{number(i, j, k)}, {lx * i / nx:.9g}, {ly * j / ny:.9g}, {lz * k / nz:.9g}\n" for i in range(nx + 1)))
    write("*ELEMENT, TYPE=C3D8, ELSET=ALL\n")
    element = 0
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                element += 1
                nodes = [number(i + a, j + b, k + c) for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
                write(f"{element}, " + ", ".join(map(str, nodes)) + "\n")
    for name, i in (("FIX", 0), ("TIP", nx)):
        write(f"*NSET, NSET={name}\n" + "".join(f"{number(i, j, k)},\n" for k in range(nz + 1) for j in range(ny + 1)))
    write(f"*NSET, NSET=PROBE\n{number(nx // 2, ny // 2, nz // 2)}, {number(nx, ny, nz)}\n")
    # Elements at the end x = lx, whose faces there are S4.
    write("*ELSET, ELSET=END\n" + "".join(f"{nx * (1 + j + ny * k)},\n" for k in range(nz) for j in range(ny)))


STEEL = """*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.
*CONDUCTIVITY
45.
*SPECIFIC HEAT
460.
*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL
"""


def heat(write, cells, increments):
    """A bar held at 100 degrees, heated inside, with air of 20 degrees at its end: in equilibrium, or in so many increments."""
    grid(cells, (1.0, 0.3, 0.3), write)
    write(STEEL)
    write("*INITIAL CONDITIONS, TYPE=TEMPERATURE\nNALL, 20.\n*BOUNDARY\nFIX, 11, 11, 100.\n*STEP, INC=100000\n")
    if increments:
        write(f"*HEAT TRANSFER, DIRECT\n{1000 / increments:g}, 1000.\n")
    else:
        write("*HEAT TRANSFER, STEADY STATE\n1., 1.\n")
    write("*FILM\nEND, F4, 20., 300.\n*DFLUX\nALL, BF, 20000.\n")
    often = max(increments, 1)
    write(f"*NODE PRINT, NSET=PROBE, FREQUENCY={often}\nNT\n*NODE FILE, FREQUENCY={often}\nNT\n*EL FILE, FREQUENCY={often}\nHFL\n*END STEP\n")


def buckling(write, cells, factors):
    """A column held at its foot and pressed at its head."""
    grid(cells, (1.0, 0.08, 0.12), write)
    write(STEEL)
    write(f"*BOUNDARY\nFIX, 1, 3\n*STEP\n*BUCKLE\n{factors}, 1e-4, {3 * factors}, 1000\n*DLOAD\nEND, P4, 1e6\n*NODE FILE\nU\n*END STEP\n")


def plate(write, cells, thickness):
    """A plate of S8R between simple supports under pressure."""
    n = cells
    place = {}
    for j in range(2 * n + 1):
        for i in range(2 * n + 1):
            if i % 2 == 0 or j % 2 == 0:
                place[i, j] = len(place) + 1
    write("*NODE, NSET=NALL\n" + "".join(f"{k}, {i / (2 * n):.9g}, {j / (2 * n):.9g}, 0.\n" for (i, j), k in place.items()))
    write("*ELEMENT, TYPE=S8R, ELSET=ALL\n")
    for j in range(n):
        for i in range(n):
            a, b = 2 * i, 2 * j
            nodes = [place[a + x, b + y] for x, y in ((0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1))]
            write(f"{1 + i + n * j}, " + ", ".join(map(str, nodes)) + "\n")
    edge = [k for (i, j), k in place.items() if i in (0, 2 * n) or j in (0, 2 * n)]
    write("*NSET, NSET=EDGE\n" + "".join(f"{k},\n" for k in edge))
    write(f"*NSET, NSET=HELD\n{place[0, 0]},\n*NSET, NSET=SLIDES\n{place[2 * n, 0]},\n*NSET, NSET=PROBE\n{place[n - n % 2, n - n % 2]},\n")
    write("*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.\n")
    write(f"*SHELL SECTION, ELSET=ALL, MATERIAL=STEEL\n{thickness:g}\n*BOUNDARY\nEDGE, 3\nHELD, 1, 2\nSLIDES, 2\n")
    write("*STEP\n*STATIC\n*DLOAD\nALL, P, 1e4\n*NODE PRINT, NSET=PROBE\nU\n*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n")
