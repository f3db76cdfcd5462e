# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Grids: tridiagonal systems along their lines, heat in time, stationary heat, and grids larger than the memory of a GPU.

    x = setka.solve_tridiagonal(-1.0, 2.0, -1.0, d)             # all lines along the last axis of d at once
    u = setka.heat(u, step=1e-4, steps=100, spacing=0.01)       # u_t = div(d grad u) + f - r u

Arrays of both precisions, on every device.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _setka
from .arrays import array_of, device_of
from .devices import DeviceLike
from .errors import UsageError
from .progress import ProgressLike, listener


def solve_tridiagonal(lower: Any, diagonal: Any, upper: Any, d: Any, *, axis: int = -1, periodic: bool = False,
                      method: str = "automatic", check: bool = False, out: Any = None, device: DeviceLike = None) -> Any:
    """Solves lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = d[i] for every line of d along an axis.

    lower, diagonal, upper: three numbers; or three arrays of one line, [d.shape[axis]], that all lines share; or three of
        the shape of d.  Not periodic, the first row has no lower and the last no upper neighbour.
    periodic: the neighbour before the first row is the last one.
    method: "automatic", "reference", "fused" or "split"; they differ in speed alone.
    check: raise where a row is not diagonally dominant or a pivot was zero; nothing is exchanged in the elimination.
    out: where x goes; it may be d itself.

    >>> setka.solve_tridiagonal(-1.0, 2.0, -1.0, np.ones(3))
    array([1.5, 2. , 1.5])
    """
    d = array_of(d)
    place = device_of(device, d)
    if isinstance(lower, (int, float)) and isinstance(diagonal, (int, float)) and isinstance(upper, (int, float)):
        lower, diagonal, upper = float(lower), float(diagonal), float(upper)
    else:
        lower, diagonal, upper = array_of(lower), array_of(diagonal), array_of(upper)
    if axis < 0:
        axis += len(d.shape)
    return _setka.solve_tridiagonal(place, lower, diagonal, upper, d, axis, periodic, method, check, out)


@dataclass(frozen=True)
class Side:
    """What happens on a side of a grid; made by `dirichlet`, `neumann` or `robin`."""

    kind: str
    value: float = 0.0
    coefficient: float = 0.0

    def _parts(self) -> tuple[str, float, float]:
        return self.kind, self.value, self.coefficient


def dirichlet(value: float = 0.0) -> Side:
    """u = value on the side."""
    return Side("dirichlet", float(value))


def neumann(flux: float = 0.0) -> Side:
    """d u_n = flux: what flows in; 0: nothing passes."""
    return Side("neumann", float(flux))


def robin(coefficient: float, outside: float = 0.0) -> Side:
    """d u_n = coefficient (outside - u)."""
    return Side("robin", float(outside), float(coefficient))


Boundary = Union[str, Side, Sequence[Any]]


def _sides(boundary: Boundary, axes: int) -> list[Optional[tuple]]:
    """Of each axis None (periodic) or its (low, high)."""
    if isinstance(boundary, (str, Side)):
        boundary = [boundary] * axes
    if len(boundary) != axes:
        raise UsageError(f"heat: {len(boundary)} boundaries for {axes} axes; give one, or one an axis")
    made: list[Optional[tuple]] = []
    for one in boundary:
        if one == "periodic":
            made.append(None)
        elif one == "closed":
            made.append((neumann()._parts(), neumann()._parts()))
        elif isinstance(one, Side):
            made.append((one._parts(), one._parts()))
        elif isinstance(one, (tuple, list)) and len(one) == 2 and all(isinstance(side, Side) for side in one):
            made.append((one[0]._parts(), one[1]._parts()))
        else:
            raise UsageError(f'heat: the boundary {one!r} is unknown; it is "periodic", "closed", a Side or two of them')
    return made


def _of_axes(value: Any, axes: int, what: str) -> list[float]:
    numbers = [float(value)] * axes if isinstance(value, (int, float)) else [float(one) for one in value]
    if len(numbers) != axes:
        raise UsageError(f"heat: {len(numbers)} numbers of {what} for {axes} axes; give one, or one an axis")
    return numbers


class Heat:
    """Steps of u_t = div(d grad u) + f - r u on a grid of cells, made ready once and made as often as wanted.

        steps = setka.Heat((500, 500), step=1e-4, spacing=0.01, boundary=setka.dirichlet(0))
        for _ in range(10):
            steps.advance(u, 20)     # in place

    shape: cells along one, two or three axes, the last one fastest.
    step: length of a step in time; left out, with scheme "explicit" the longest one that is stable.
    spacing: of cells, a number or one an axis.
    diffusivity: a number, one an axis, or a field [shape], which all axes share.
    reaction (r), source (f): numbers or fields; a source is a field.
    boundary: "periodic", "closed" (nothing passes), a Side for all sides, or one of these an axis, where two Sides are those
        at the low and the high end.
    scheme: "lod" (implicit, one sweep an axis, first order), "peaceman_rachford" (two axes), "douglas" (second order) or
        "explicit".
    dtype: "float64" or "float32" of u.
    """

    def __init__(self, shape: Sequence[int], step: Optional[float] = None, *, spacing: Any = 1.0, diffusivity: Any = 1.0,
                 reaction: Any = 0.0, source: Any = None, boundary: Boundary = "closed", scheme: str = "lod",
                 dtype: Any = np.float64, device: DeviceLike = None):
        axes = len(shape)
        if step is None and scheme != "explicit":
            raise UsageError("heat: the step is missing; explicit steps alone have a longest one that is taken")
        field = None
        if np.ndim(diffusivity) == axes and np.shape(diffusivity) == tuple(shape) and axes > 0:
            field, diffusivity = np.ascontiguousarray(diffusivity, dtype=np.float64), 1.0
        rates = _of_axes(diffusivity, axes, "diffusivity")
        spacings = _of_axes(spacing, axes, "spacing")
        sides = _sides(boundary, axes)
        uniform = float(reaction) if np.ndim(reaction) == 0 else 0.0
        reactions = None if np.ndim(reaction) == 0 else np.ascontiguousarray(reaction, dtype=np.float64)
        sources = None
        if source is not None:
            sources = np.full(tuple(shape), float(source)) if np.ndim(source) == 0 else np.ascontiguousarray(
                source, dtype=np.float64)
        precision = np.dtype(dtype)
        if precision not in (np.float32, np.float64):
            raise UsageError(f"heat: dtype {precision} is unknown; it is float64 or float32")
        self.shape = tuple(int(cells) for cells in shape)
        self.device = device_of(device)
        self._steps = _setka.Heat(self.device, list(zip(self.shape, spacings, rates, sides)), scheme, float(step or 0.0),
                                  precision == np.float32, field, reactions, uniform, sources)

    @property
    def step(self) -> float:
        """The length of a step."""
        return self._steps.step

    def advance(self, u: Any, steps: int = 1, progress: ProgressLike = None) -> Any:
        """Makes some steps of u in place, and returns it."""
        self._steps.advance(u, int(steps), listener(progress))
        return u


def heat(u: Any, step: Optional[float] = None, steps: int = 1, *, out: Any = None, progress: ProgressLike = None,
         device: DeviceLike = None, **options: Any) -> Any:
    """u after some steps of heat; the options are those of `Heat`.

    out: where it goes, u itself for steps in place; left out, a new array on the CPU.

    >>> u = np.zeros((64, 64)); u[32, 32] = 1
    >>> setka.heat(u, 0.1, 100).sum().round(12)
    1.0
    """
    place = device_of(device, u)
    options.setdefault("dtype", str(u.dtype).replace("torch.", ""))
    made = Heat(tuple(u.shape), step, device=place, **options)
    if out is None:
        if not isinstance(u, np.ndarray):
            raise UsageError("heat: for an array that is not NumPy's, name the one that the answer goes to: out=u")
        out = u.copy()
    elif out is not u:
        out[...] = u
    return made.advance(out, steps, progress)


@dataclass(frozen=True)
class Sweeps:
    """How stationary_heat() ended."""

    u: Any
    sweeps: int
    change: float
    converged: bool


def stationary_heat(u: Any, f: Any = None, *, spacing: Any = 1.0, conductivity: Any = 1.0, method: str = "jacobi",
                    sweeps: int = 10000, tolerance: float = 0.0, weight: Optional[float] = None, out_of_core: bool = False,
                    memory: int = 0, height: int = 0, planes: int = 0, device: DeviceLike = None) -> Sweeps:
    """Sweeps of sum of conductivity u_xx + f = 0 in place, on a grid of two or three axes whose border is kept.

    method: "jacobi", or "sor" (red-black over-relaxation, with the best weight of a cube where none is given).
    tolerance: done when no value changes by more in a sweep; 0: all sweeps are made.
    out_of_core: u and f lie in the host's memory, or in files (numpy.memmap), and cross the device in blocks of planes that
        are swept several times while they are there.  The same bits as without it.
    memory: bytes to take of the device then; 0: most of what is free.  height: sweeps a pass; planes: of a block; 0: chosen.
    """
    axes = len(u.shape)
    if f is None:
        f = np.zeros(u.shape, dtype=u.dtype) if isinstance(u, np.ndarray) else u * 0
    if weight is None:
        weight = 1.0 if method == "jacobi" else 2.0 / (1.0 + float(np.sin(np.pi / (max(u.shape) - 1))))
    place = device_of(device) if out_of_core else device_of(device, u)
    report = _setka.stationary_heat(place, u, f, _of_axes(spacing, axes, "spacing"),
                                    _of_axes(conductivity, axes, "conductivity"), method, sweeps, tolerance, weight,
                                    out_of_core, memory, height, planes)
    return Sweeps(u, report["sweeps"], report["change"], report["converged"])
