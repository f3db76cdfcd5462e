# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Problems of one's own: a mesh, a field on it, forms, loads.

    mesh = setka.box((4, 4, 40), lengths=(1, 1, 10))
    space = setka.Space(mesh, components=3)
    space.fix("z-")
    steel = setka.elasticity(young=210e9, poisson=0.3)

    u = space.solve(steel, space.load("z+", (0, -1e3, 0))).u      # [points, 3]
    modes = space.modes(steel, setka.mass(7850), count=10)        # modes.shapes: [modes, points, 3]
    K = space.matrix(steel)                                       # for SciPy: K.tocsr()
    K = space.operator(steel)                                     # the same without a matrix
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _setka
from .arrays import array_of, device_of
from .devices import DeviceLike
from .errors import UsageError
from .mesh import Mesh
from .modes import Modes, modes as find_modes
from .operators import Matrix, Operator
from .progress import ProgressLike, listener


@dataclass(frozen=True)
class Form:
    """A bilinear form with its coefficients: one row for all elements, or one of several for each."""

    kind: str
    table: np.ndarray  # [rows, coefficients]
    row_of: Optional[np.ndarray] = None  # [elements] into the table

    def __add__(self, other: "Form") -> list["Form"]:
        return [self, other]

    def _parts(self) -> tuple:
        return self.kind, self.table, self.row_of


FormLike = Union[Form, Sequence[Form]]


def _of_elements(rows: np.ndarray) -> tuple[np.ndarray, Optional[np.ndarray]]:
    """A row for all, or [elements, coefficients] as a table of the rows that differ."""
    if len(rows) == 1:
        return np.ascontiguousarray(rows, dtype=np.float64), None
    table, row_of = np.unique(rows, axis=0, return_inverse=True)
    return np.ascontiguousarray(table, dtype=np.float64), np.ascontiguousarray(row_of.ravel(), dtype=np.int32)


def isotropic(young: float, poisson: float) -> np.ndarray:
    """[6, 6] strains xx yy zz xy xz yz, with engineering shear, to stresses."""
    shear = young / (2 * (1 + poisson))
    lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
    d = np.zeros((6, 6))
    d[:3, :3] = lame
    d[range(3), range(3)] += 2 * shear
    d[range(3, 6), range(3, 6)] = shear
    return d


def elasticity(young: Any = None, poisson: Any = None, *, d: Any = None, plane_stress: bool = False) -> Form:
    """grad v : D grad u, the stiffness.

    young, poisson: numbers, or one an element.  d: D itself, [6, 6] or [elements, 6, 6].
    plane_stress: of cells in the plane, which are in plane strain otherwise; their thickness is 1.
    """
    if d is None:
        if young is None or poisson is None:
            raise UsageError("elasticity: give young and poisson, or d")
        e, nu = np.broadcast_arrays(np.atleast_1d(np.asarray(young, float)), np.atleast_1d(np.asarray(poisson, float)))
        if (e <= 0).any() or (nu <= -1).any() or (nu >= 0.5).any():
            raise UsageError("elasticity: Young's modulus is above 0, Poisson's ratio between -1 and 0.5")
        pairs, back = np.unique(np.stack([e, nu], axis=1), axis=0, return_inverse=True)
        d = np.array([isotropic(*pair) for pair in pairs])[back.ravel()]
    whole = np.asarray(d, dtype=np.float64).reshape(-1, 6, 6)
    if plane_stress:
        whole = np.array([_of_sheet(one) for one in whole])
    return Form("elasticity", *_of_elements(whole.reshape(-1, 36)))


def _of_sheet(d: np.ndarray) -> np.ndarray:
    """Stresses zz, xz and yz vanish."""
    kept, gone = [0, 1, 3], [2, 4, 5]
    made = np.zeros((6, 6))
    made[np.ix_(kept, kept)] = d[np.ix_(kept, kept)] - d[np.ix_(kept, gone)] @ np.linalg.solve(
        d[np.ix_(gone, gone)], d[np.ix_(gone, kept)])
    return made


def conduction(conductivity: Any) -> Form:
    """grad v . k grad u of a scalar; k: a number, one an element, or six (xx yy zz xy xz yz) or [elements, 6]."""
    k = np.atleast_1d(np.asarray(conductivity, dtype=np.float64))
    if k.ndim == 1 and len(k) == 6:
        k = k[None, :]
    elif k.ndim == 1:
        k = np.hstack([np.repeat(k[:, None], 3, axis=1), np.zeros((len(k), 3))])
    return Form("conduction", *_of_elements(k))


def mass(density: Any) -> Form:
    """v . rho u; density: a number, or one an element."""
    return Form("mass", *_of_elements(np.atleast_1d(np.asarray(density, dtype=np.float64))[:, None]))


@dataclass(frozen=True)
class Field:
    """A field that was solved for."""

    u: np.ndarray  # [points, components]
    converged: bool
    method: str
    iterations: int
    residual: float
    status: str


@dataclass(frozen=True)
class Shapes:
    """Modes of a space: `shapes` are fields, `found` is what the solver says."""

    frequencies: np.ndarray  # cycles per time
    shapes: np.ndarray = field(repr=False)  # [modes, points, components]
    found: Modes = field(repr=False)

    @property
    def eigenvalues(self) -> np.ndarray:
        return self.found.eigenvalues


class Space:
    """A field of 1 to 6 components at the points of a mesh, some of them prescribed.

    Elasticity has as many components as the mesh has dimensions, conduction has 1.
    """

    def __init__(self, mesh: Mesh, components: Optional[int] = None, device: DeviceLike = None):
        self.mesh = mesh
        self.components = components if components is not None else mesh.dimension
        if not 1 <= self.components <= 6:
            raise UsageError(f"Space: {self.components} components; 1 to 6 are possible")
        self.device = device_of(device)
        self._fixed: dict[int, float] = {}
        self._made: Optional[_setka.Space] = None
        self._data = mesh._data()

    def fix(self, where: Union[str, Any, Callable], components: Union[None, int, Sequence[int]] = None,
            value: Any = 0.0) -> "Space":
        """Prescribes a value: of all components or of some, at a set of nodes, at numbers of points, or where a function of
        the points says so.  value: a number, or one a component."""
        nodes = self._nodes(where)
        of = range(self.components) if components is None else np.atleast_1d(components)
        values = np.broadcast_to(np.asarray(value, dtype=np.float64), (len(list(of)),))
        for component, number in zip(of, values):
            if not 0 <= component < self.components:
                raise UsageError(f"Space.fix: there is no component {component}; they are 0 to {self.components - 1}")
            for node in nodes:
                self._fixed[int(node) * self.components + int(component)] = float(number)
        self._made = None
        return self

    def _nodes(self, where: Any) -> np.ndarray:
        if isinstance(where, str) or callable(where):
            nodes = self.mesh.nodes(where)
        else:
            nodes = np.atleast_1d(np.asarray(where)).astype(np.int32)
        if len(nodes) and (nodes.min() < 0 or nodes.max() >= len(self.mesh.points)):
            raise UsageError(f"Space: points {nodes.min()} to {nodes.max()} are asked for, and there are "
                             f"{len(self.mesh.points)}, numbered from 0")
        return nodes

    @property
    def _inner(self) -> _setka.Space:
        if self._made is None:
            dofs = np.array(sorted(self._fixed), dtype=np.int32)
            values = np.array([self._fixed[int(dof)] for dof in dofs], dtype=np.float64)
            self._made = _setka.Space(self._data, self.device, self.components, dofs, values)
        return self._made

    @property
    def unknown_count(self) -> int:
        return self._inner.unknown_count

    @property
    def size(self) -> int:
        """Of vectors that operators take: the unknowns, and zeros that fill the blocks of nodes with prescribed components."""
        return self._inner.size

    def matrix(self, *forms: FormLike, progress: ProgressLike = None) -> Matrix:
        """The sum of forms, assembled on the device."""
        return Matrix(inner=self._inner.matrix(_parts(forms), listener(progress)))

    def operator(self, *forms: FormLike, stored: bool = True) -> Operator:
        """The same as products element by element: with element matrices that are stored, or integrated in each product."""
        return Operator(self._inner.product(_parts(forms), stored))

    def load(self, where: Any = None, force: Any = None, *, density: Any = None) -> np.ndarray:
        """Forces [points, components]: `force` shared out evenly over points, and the integral of a density per volume (in
        the plane per area) that is given at all points, or the same everywhere."""
        made = np.zeros((len(self.mesh.points), self.components))
        if where is not None:
            nodes = self._nodes(where)
            made[nodes] += np.asarray(force, dtype=np.float64) / max(1, len(nodes))
        if density is not None:
            whole = np.broadcast_to(np.asarray(density, dtype=np.float64), made.shape)
            made += self._inner.forces_of(np.ascontiguousarray(whole))
        return made

    def solve(self, forms: FormLike, forces: Any = None, *, method: str = "auto", preconditioner: str = "auto",
              tolerance: float = 1e-8, max_iterations: int = 20000, progress: ProgressLike = None) -> Field:
        """K u = f; forces as of load(), none: what prescribed values do."""
        f = np.zeros((len(self.mesh.points), self.components)) if forces is None else np.ascontiguousarray(
            array_of(forces), dtype=np.float64).reshape(len(self.mesh.points), self.components)
        u, report = self._inner.solve(_parts([forms]), f, method, preconditioner, tolerance, max_iterations,
                                      listener(progress))
        return Field(u, report["converged"], report["method"], report["iterations"], report["residual"], report["status"])

    def modes(self, stiffness: FormLike, mass: FormLike, count: int = 10, *, method: str = "auto",
              preconditioner: str = "auto", tolerance: float = 0.0, progress: ProgressLike = None,
              **limits: Any) -> Shapes:
        """Natural frequencies and shapes, of unit modal mass."""
        k = self.matrix(stiffness)
        found = find_modes(k, self.matrix(mass), count, method=method, preconditioner=preconditioner, tolerance=tolerance,
                           progress=progress, **limits)
        shapes = np.array([self.expand(found.shapes[:, i]) for i in range(len(found))])
        return Shapes(found.frequencies, shapes.reshape(len(found), len(self.mesh.points), self.components), found)

    def motion(self, stiffness: FormLike, mass: FormLike, forces: Any = None, **options: Any) -> "Motion":
        """Motion in time from rest; see Motion."""
        if any(value != 0 for value in self._fixed.values()):
            raise UsageError("Space.motion: prescribed values other than zero do not move; fix them at 0 and use forces")
        patterns = [] if forces is None else [self._inner.spread(self._inner.restrict(np.ascontiguousarray(
            np.asarray(one, dtype=np.float64).reshape(-1, self.components)))) for one in _several(forces)]
        return Motion(self.matrix(stiffness), self.matrix(mass), patterns, space=self, **options)

    def expand(self, unknowns: Any) -> np.ndarray:
        """Values of the unknowns with what is prescribed: [points, components]."""
        return self._inner.expand(np.ascontiguousarray(unknowns, dtype=np.float64))

    def restrict(self, forces: Any) -> np.ndarray:
        """Forces [points, components] as those of the unknowns."""
        return self._inner.restrict(np.ascontiguousarray(forces, dtype=np.float64))

    def field(self, vector: Any) -> np.ndarray:
        """[points, components] of a vector of operators, [size]."""
        return self.expand(self._inner.collect(np.ascontiguousarray(vector, dtype=np.float64)))

    def vector(self, forces: Any) -> np.ndarray:
        """A vector of operators, [size], of forces [points, components]."""
        return self._inner.spread(self.restrict(forces))

    def __repr__(self) -> str:
        return f"<setka.Space {self.components} components, {self.unknown_count} unknowns on {self.device.label}>"


def _several(forces: Any) -> list:
    return list(forces) if isinstance(forces, (list, tuple)) else [forces]


def _parts(forms: Any) -> list[tuple]:
    flat: list[Form] = []
    for one in forms:
        flat.extend([one] if isinstance(one, Form) else one)
    if not flat:
        raise UsageError("there is no form; give one, as setka.elasticity(210e9, 0.3)")
    return [form._parts() for form in flat]


class Motion:
    """M u'' + C u' + K u = f step by step, by the scheme of Hilber, Hughes and Taylor.

        motion = space.motion(steel, setka.mass(7850), forces=load)
        for _ in range(100):
            motion.advance(1e-3, factors=[np.sin(20 * motion.time)])
            print(motion.time, motion.u.max())

    forces: patterns; each step says by `factors` how much of each acts at its end.
    damping: (by mass, by stiffness) of Rayleigh.
    alpha: 0 keeps the energy of linear bodies; down to -1/3 it damps what the steps are too long for.
    """

    def __init__(self, stiffness: Operator, mass: Operator, forces: Sequence[Any] = (), *,
                 damping: tuple[float, float] = (0.0, 0.0), alpha: float = 0.0, preconditioner: Any = "auto",
                 tolerance: float = 1e-8, space: Optional[Space] = None):
        word = preconditioner if isinstance(preconditioner, str) else "auto"
        given = None if isinstance(preconditioner, str) else preconditioner._inner
        self._space = space
        self._alpha = alpha
        self._count = len(forces)
        self._inner = _setka.Motion(stiffness._inner, mass._inner, float(damping[0]), float(damping[1]), list(forces), word,
                                    given, tolerance)
        self._begun = False
        self.time = 0.0

    def set_state(self, u: Any, v: Any) -> "Motion":
        """Where it begins: fields [points, components] of a space, or vectors."""
        self._inner.set_state(self._vector(u), self._vector(v))
        self._begun = False
        return self

    def advance(self, step: float, factors: Optional[Sequence[float]] = None, progress: ProgressLike = None) -> int:
        """One step; returns the iterations that it took.  factors: of the forces at its end, 1 where they are left out."""
        at_end = [1.0] * self._count if factors is None else [float(one) for one in factors]
        if not self._begun:
            self._inner.begin(at_end, listener(progress))
            self._begun = True
        iterations = self._inner.advance(float(step), self._alpha, at_end, listener(progress))
        self.time += step
        return iterations

    @property
    def u(self) -> np.ndarray:
        """Displacements: [points, components] of a space, else [rows]."""
        return self._field(self._inner.displacements())

    @property
    def v(self) -> np.ndarray:
        """Velocities."""
        return self._field(self._inner.velocities())

    @property
    def energies(self) -> tuple[float, float]:
        """Kinetic and elastic."""
        return self._inner.energies()

    def _field(self, vector: np.ndarray) -> np.ndarray:
        return vector if self._space is None else self._space.field(vector)

    def _vector(self, given: Any) -> np.ndarray:
        if self._space is None:
            return np.ascontiguousarray(given, dtype=np.float64)
        values = np.ascontiguousarray(np.asarray(given, dtype=np.float64).reshape(-1, self._space.components))
        return self._space.vector(values)
