# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Own mesh to an animated mode shape: Gmsh meshes a bracket, Setka finds its modes, and the first one moves in a GIF.

    python3 modes_of_a_bracket.py [size of elements] [folder]

Where Gmsh is missing a block is taken in the place of the bracket, and where Matplotlib is missing nothing is drawn.
"""
import os
import sys

import numpy as np

import setka


def bracket(size, folder):
    """An angle of steel with a hole, in metres; the foot is the set BASE."""
    try:
        import gmsh
    except ImportError:
        print("no Gmsh for Python (python3-gmsh): a block instead")
        mesh = setka.box((4, 4, 24), (0.04, 0.04, 0.3))
        mesh.node_sets["BASE"] = mesh.nodes("z-")
        return mesh
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    kernel = gmsh.model.occ
    foot = kernel.addBox(0, 0, 0, 0.12, 0.06, 0.012)
    wall = kernel.addBox(0, 0, 0, 0.012, 0.06, 0.15)
    whole, _ = kernel.fuse([(3, foot)], [(3, wall)])
    hole = kernel.addCylinder(-0.01, 0.03, 0.1, 0.04, 0, 0, 0.015)
    kernel.cut(whole, [(3, hole)])
    kernel.synchronize()
    body = [tag for _, tag in gmsh.model.getEntities(3)]
    low = [tag for _, tag in gmsh.model.getEntitiesInBoundingBox(-1, -1, -1e-6, 1, 1, 1e-6, 2)]
    gmsh.model.setPhysicalName(3, gmsh.model.addPhysicalGroup(3, body), "body")
    gmsh.model.setPhysicalName(2, gmsh.model.addPhysicalGroup(2, low), "base")
    gmsh.option.setNumber("Mesh.CharacteristicLengthMax", size)
    gmsh.option.setNumber("Mesh.ElementOrder", 2)
    gmsh.model.mesh.generate(3)
    name = os.path.join(folder, "bracket.msh")
    gmsh.write(name)
    gmsh.finalize()
    return setka.read_mesh(name)


def animate(mesh, shape, frequency, name):
    """Points of the surface and within, coloured by how far they move."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        from matplotlib.animation import FuncAnimation, PillowWriter
    except ImportError:
        print("no Matplotlib: nothing is drawn")
        return
    far = np.linalg.norm(shape, axis=1)
    extent = np.ptp(mesh.points, axis=0).max()
    figure = plt.figure(figsize=(4, 4))
    axes = figure.add_subplot(projection="3d")

    def draw(k):
        axes.clear()
        moved = mesh.points + shape * (0.1 * extent / far.max() * np.sin(2 * np.pi * k / 12))
        axes.scatter(*moved.T, c=far, s=4)
        axes.set_box_aspect(np.ptp(mesh.points, axis=0))
        axes.set_title(f"{frequency:.0f} Hz")

    FuncAnimation(figure, draw, frames=12).save(name, writer=PillowWriter(fps=12))
    plt.close(figure)
    print(f"written: {name}")


def main():
    size = float(sys.argv[1]) if len(sys.argv) > 1 else 0.012
    folder = sys.argv[2] if len(sys.argv) > 2 else "."
    mesh = bracket(size, folder)
    space = setka.Space(mesh).fix("BASE")
    modes = space.modes(setka.elasticity(young=210e9, poisson=0.3), setka.mass(7850.0), count=6)
    print(f"{mesh}, {space.unknown_count} unknowns, by {modes.found.method}")
    for number, frequency in enumerate(modes.frequencies, 1):
        print(f"  mode {number}: {frequency:8.1f} Hz")
    assert modes.found.converged and (np.diff(modes.frequencies) >= 0).all() and modes.frequencies[0] > 50
    assert abs(modes.shapes[:, mesh.nodes("BASE")]).max() == 0
    animate(mesh, modes.shapes[0], modes.frequencies[0], os.path.join(folder, "bracket.gif"))


if __name__ == "__main__":
    main()
