# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes: points, and cells by kind.

    mesh = setka.Mesh(points, {"hexahedron": cells})         # numbers of points from 0
    mesh = setka.Mesh.of(meshio.read("part.vtu"))            # what meshio reads
    mesh = setka.read_mesh("part.msh")                       # Gmsh; its physical groups are sets
    mesh = setka.box((10, 10, 40), lengths=(1, 1, 4))
"""
from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Sequence, Union

import numpy as np

from . import _setka
from .errors import UsageError
from .progress import ProgressLike, listener

# meshio's name of a cell, the element that is computed on it, and where its nodes stand in the order of decks.
_CELLS: dict[str, tuple[str, Sequence[int]]] = {
    "tetra": ("tet4", range(4)),
    "tetra10": ("tet10", range(10)),
    "wedge": ("wedge6", range(6)),
    "wedge15": ("wedge15", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
    "hexahedron": ("hex8", range(8)),
    "hexahedron20": ("hex20", range(20)),
    "triangle": ("tri3", range(3)),
    "triangle6": ("tri6", range(6)),
    "quad": ("quad4", range(4)),
    "quad8": ("quad8", range(8)),
}
_MESHIO_OF_CELL = {"tet4": "tetra", "tet10": "tetra10", "wedge6": "wedge", "wedge15": "wedge15", "hex8": "hexahedron",
                   "hex20": "hexahedron20", "tri3": "triangle", "tri6": "triangle6", "quad4": "quad", "quad8": "quad8"}
_DIMENSION = {"tri3": 2, "tri6": 2, "quad4": 2, "quad8": 2}


class Mesh:
    """Points and cells, with sets of both.

    points: [n, 3], or [n, 2] in the plane.
    cells: {kind: [m, nodes of it]}, by meshio's names ("tetra", "hexahedron20") or those of elements ("C3D20R", "hex8_uniform").
    node_sets: {name: numbers of points}.
    """

    def __init__(self, points: Any, cells: Mapping[str, Any], node_sets: Mapping[str, Any] | None = None,
                 element_sets: Mapping[str, Any] | None = None):
        given = np.asarray(points, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] not in (2, 3):
            raise UsageError(f"Mesh: points are of shape {given.shape}; [n, 3] or [n, 2] are right")
        if given.shape[1] == 2:
            given = np.hstack([given, np.zeros((len(given), 1))])
        self.points: np.ndarray = np.ascontiguousarray(given)
        self.cells: dict[str, np.ndarray] = {}
        for kind, nodes in cells.items():
            whole = np.asarray(nodes)
            if whole.ndim != 2 or not np.issubdtype(whole.dtype, np.integer):
                raise UsageError(f'Mesh: the cells "{kind}" are {whole.dtype} of shape {whole.shape}; integers '
                                 "[cells, nodes] are right")
            self.cells[kind] = np.ascontiguousarray(whole, dtype=np.int32)
        self.node_sets = {name: np.asarray(of, dtype=np.int32) for name, of in (node_sets or {}).items()}
        self.element_sets = {name: np.asarray(of, dtype=np.int32) for name, of in (element_sets or {}).items()}
        self.node_labels = np.arange(1, len(self.points) + 1, dtype=np.int32)
        self.element_labels = np.arange(1, self.element_count + 1, dtype=np.int32)

    @classmethod
    def of(cls, other: Any) -> "Mesh":
        """From a mesh of meshio: its cells of the highest dimension, and its sets of points."""
        blocks = [(block.type, np.asarray(block.data)) for block in other.cells if block.type in _CELLS]
        if not blocks:
            raise UsageError(f"Mesh: of the cells {sorted({block.type for block in other.cells})} none is known; known are "
                             f"{', '.join(_CELLS)}")
        dimension = max(_dimension(kind) for kind, _ in blocks)
        cells: dict[str, list[np.ndarray]] = {}
        for kind, nodes in blocks:
            if _dimension(kind) == dimension:
                cells.setdefault(kind, []).append(nodes)
        sets = {name: np.asarray(of) for name, of in getattr(other, "point_sets", {}).items()}
        return cls(other.points, {kind: np.vstack(parts) for kind, parts in cells.items()}, sets)

    @classmethod
    def _of_model(cls, made: dict) -> "Mesh":
        mesh = cls.__new__(cls)
        mesh.points = made["points"]
        mesh.cells = {name: nodes for name, _, nodes, _ in made["cells"]}
        mesh.node_sets = made["node_sets"]
        mesh.element_sets = made["element_sets"]
        mesh.node_labels = made["node_labels"]
        mesh.element_labels = made["element_labels"]
        mesh._cell_of = {name: cell for name, cell, _, _ in made["cells"]}
        return mesh

    _cell_of: dict[str, str] = {}

    @property
    def element_count(self) -> int:
        return sum(len(nodes) for nodes in self.cells.values())

    @property
    def dimension(self) -> int:
        """2 of cells in the plane, 3 of solids."""
        return max((_dimension(kind) for kind in self.cells), default=3)

    def nodes(self, where: Union[str, Callable[[np.ndarray], Any]]) -> np.ndarray:
        """Numbers of points: of a set by its name, or where a function of the points, [n, 3], says so.

        >>> mesh.nodes(lambda x: x[:, 2] == 0)
        """
        if isinstance(where, str):
            if where not in self.node_sets:
                raise UsageError(f'Mesh: there is no set "{where}" of nodes; there are '
                                 f'{", ".join(self.node_sets) or "none"}')
            return self.node_sets[where]
        return np.flatnonzero(np.asarray(where(self.points))).astype(np.int32)

    def to_meshio(self, point_data: Mapping[str, Any] | None = None) -> Any:
        """For files of other programs: `mesh.to_meshio({"U": u}).write("shape.vtu")`."""
        import meshio

        cells = []
        for kind, nodes in self.cells.items():
            name = kind if kind in _CELLS else _MESHIO_OF_CELL.get(self._cell_of.get(kind, kind), "")
            if name:
                cells.append((name, nodes))
        return meshio.Mesh(self.points, cells, point_data=dict(point_data or {}))

    def _data(self) -> _setka.MeshData:
        blocks = [(_CELLS[kind][0] if kind in _CELLS else kind, nodes) for kind, nodes in self.cells.items()]
        return _setka.MeshData(np.ascontiguousarray(self.points), blocks)

    def __repr__(self) -> str:
        cells = ", ".join(f"{len(nodes)} {kind}" for kind, nodes in self.cells.items())
        return f"<setka.Mesh {len(self.points)} points, {cells}>"


def _dimension(kind: str) -> int:
    element = _CELLS[kind][0] if kind in _CELLS else kind
    return 2 if element in _DIMENSION or element.startswith(("CPS", "CPE")) else 3


def read_mesh(path: Union[str, os.PathLike], progress: ProgressLike = None) -> Mesh:
    """A mesh of Gmsh (.msh, versions 2.2 and 4.1), or whatever else meshio reads."""
    name = os.fspath(path)
    if name.endswith(".msh"):
        return Mesh._of_model(_setka.read_msh(name, listener(progress)))
    import meshio

    return Mesh.of(meshio.read(name))


def box(cells: Sequence[int], lengths: Sequence[float] | None = None, origin: Sequence[float] | None = None) -> Mesh:
    """A box of hexahedra, or a rectangle of quadrilaterals, with sets of nodes on its sides: "x-", "x+", "y-", .."""
    axes = len(cells)
    if axes not in (2, 3):
        raise UsageError(f"box: cells along {axes} axes; 2 or 3 are right")
    sides = [1.0] * axes if lengths is None else [float(length) for length in lengths]
    begin = [0.0] * axes if origin is None else [float(place) for place in origin]
    ticks = [begin[i] + sides[i] * np.arange(cells[i] + 1) / cells[i] for i in range(axes)]
    places = np.stack(np.meshgrid(*ticks, indexing="ij"), axis=-1).reshape(-1, axes)
    number = np.arange(len(places)).reshape([n + 1 for n in cells])
    if axes == 2:
        corners = [number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]]
        kind = "quad"
    else:
        low = [number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]]
        corners = [face[..., :-1] for face in low] + [face[..., 1:] for face in low]
        kind = "hexahedron"
    nodes = np.stack([corner.ravel() for corner in corners], axis=1)
    sets = {}
    for axis, letter in zip(range(axes), "xyz"):
        sets[letter + "-"] = np.take(number, 0, axis=axis).ravel()
        sets[letter + "+"] = np.take(number, -1, axis=axis).ravel()
    return Mesh(places, {kind: nodes}, sets)
