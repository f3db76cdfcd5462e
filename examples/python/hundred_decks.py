# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""A study over a hundred decks: how deep a beam has to be, by thickness and length, from one deck with two parameters.

    python3 hundred_decks.py [decks]

Nothing is written and read again: decks are texts, and results are arrays.
"""
import sys

import numpy as np

import setka


def deck(length, depth, cells=12):
    """A cantilever of two layers of C3D8I under a load at its end."""
    mesh = setka.box((cells, 1, 2), (length, 0.02, depth))
    nodes = "\n".join(f"{i}, {x:.12g}, {y:.12g}, {z:.12g}" for i, (x, y, z) in enumerate(mesh.points, 1))
    elements = "\n".join(f"{e}, " + ", ".join(str(n + 1) for n in own) for e, own in enumerate(mesh.cells["hexahedron"], 1))
    tip = mesh.nodes("x+")
    return f"""*NODE, NSET=ALL
{nodes}
*ELEMENT, TYPE=C3D8I, ELSET=BEAM
{elements}
*NSET, NSET=FOOT
{", ".join(str(n + 1) for n in mesh.nodes("x-"))}
*NSET, NSET=TIP
{", ".join(str(n + 1) for n in tip)}
*MATERIAL, NAME=STEEL
*ELASTIC
210e9, 0.
*SOLID SECTION, ELSET=BEAM, MATERIAL=STEEL
*BOUNDARY
FOOT, 1, 3
*STEP
*STATIC
*CLOAD
TIP, 3, {-100 / len(tip):.12g}
*NODE FILE
U
*END STEP
"""


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    side = max(2, int(round(count**0.5)))
    lengths = np.linspace(0.5, 1.5, side)
    depths = np.linspace(0.02, 0.08, -(-count // side))
    sag = np.zeros((len(lengths), len(depths)))
    for i, length in enumerate(lengths):
        for j, depth in enumerate(depths):
            job = setka.read_deck(text=deck(length, depth)).run(device="cpu")
            assert job.converged
            sag[i, j] = -job.result("U")[:, 2].min()
    beam = 100 * lengths[:, None] ** 3 / (3 * 210e9 * 0.02 * depths[None, :] ** 3 / 12)
    print(f"{sag.size} decks; sag against the theory of slender beams: {(sag / beam).min():.3f} to {(sag / beam).max():.3f}")
    for length, row in zip(lengths, sag):
        enough = np.flatnonzero(row < length / 300)
        print(f"  length {length:.2f} m: " + (f"depth {1000 * depths[enough[0]]:.0f} mm is enough" if len(enough)
                                              else "none of the depths is enough"))
    assert (abs(sag / beam - 1) < 0.03).all()


if __name__ == "__main__":
    main()
