# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Linear systems.

    x = setka.solve(A, b).x                                  # a factorisation or CG with multigrid, by size
    answer = setka.cg(A, b, setka.amg(A))                    # the parts by hand
    answer = setka.cg(A, b, setka.operator(function, n))     # a preconditioner of one's own

A is a sparse matrix of SciPy, a LinearOperator, or anything else of `setka.operators`.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np

from . import _setka
from .arrays import array_of, device_of
from .devices import DeviceLike
from .operators import Matrix, Operator, as_matrix, as_operator
from .progress import ProgressLike, listener


@dataclass(frozen=True)
class Solution:
    """x, and how it was found. `x, report = ...` is not needed: `answer.x`, `answer.converged`, ..."""

    x: Any
    converged: bool
    iterations: int
    residual: float  # |b - A x| / |b|, of x itself
    status: str  # "converged", or why not
    method: str = ""
    history: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)  # residuals by iterations

    def __repr__(self) -> str:
        return (f"<setka.Solution by {self.method}: {self.status}, {self.iterations} iterations, residual "
                f"{self.residual:.1e}>")


def _krylov(method: str, a: Any, b: Any, preconditioner: Any, x0: Any, out: Any, tolerance: float, max_iterations: int,
            restart: int, progress: ProgressLike, device: DeviceLike) -> Solution:
    b = array_of(b)
    place = a.device if isinstance(a, Operator) else device_of(device, b)
    of = as_operator(a, place)
    if isinstance(preconditioner, str):
        preconditioner = precondition(of, preconditioner)
    p = None if preconditioner is None else as_operator(preconditioner, place)._inner
    x, report = _setka.krylov(method, of._inner, b, p, None if x0 is None else array_of(x0), out, tolerance, max_iterations,
                              restart, listener(progress))
    return Solution(x, report["converged"], report["iterations"], report["residual"], report["status"], method.upper(),
                    report["history"])


def cg(a: Any, b: Any, preconditioner: Any = None, *, x0: Any = None, tolerance: float = 1e-8, max_iterations: int = 10000,
       out: Any = None, progress: ProgressLike = None, device: DeviceLike = None) -> Solution:
    """Conjugate gradients; A and the preconditioner are symmetric positive definite.

    preconditioner: an operator near A's inverse (`amg(a)`, a function by `operator`, a LinearOperator), or a word of
        `precondition`.
    tolerance: of |b - A x| / |b|.
    That it did not converge is `Solution.converged`, no exception.
    """
    return _krylov("cg", a, b, preconditioner, x0, out, tolerance, max_iterations, 30, progress, device)


def minres(a: Any, b: Any, preconditioner: Any = None, *, x0: Any = None, tolerance: float = 1e-8,
           max_iterations: int = 10000, out: Any = None, progress: ProgressLike = None,
           device: DeviceLike = None) -> Solution:
    """Minimal residuals, for symmetric A that may be indefinite; otherwise as cg()."""
    return _krylov("minres", a, b, preconditioner, x0, out, tolerance, max_iterations, 30, progress, device)


def gmres(a: Any, b: Any, preconditioner: Any = None, *, x0: Any = None, tolerance: float = 1e-8,
          max_iterations: int = 10000, restart: int = 30, out: Any = None, progress: ProgressLike = None,
          device: DeviceLike = None) -> Solution:
    """Flexible generalised minimal residuals, for any A; the preconditioner may differ from iteration to iteration."""
    return _krylov("gmres", a, b, preconditioner, x0, out, tolerance, max_iterations, restart, progress, device)


class Multigrid(Operator):
    """A cycle of algebraic multigrid; made by amg()."""

    @property
    def levels(self) -> list[dict]:
        """Unknowns, stored values and visits of each level."""
        return self._inner.levels()

    @property
    def operator_complexity(self) -> float:
        return self._inner.operator_complexity


def amg(a: Any, *, block: int = 1, coordinates: Any = None, near_nullspace: Any = None, strength: float = 0.0,
        degree: int = 0, max_coarse_size: int = 0, max_levels: int = 0, progress: ProgressLike = None,
        device: DeviceLike = None) -> Multigrid:
    """Multigrid by smoothed aggregation for a symmetric matrix, as a preconditioner of cg(), minres() and lobpcg().

    block, coordinates, near_nullspace: as of `Matrix`, which may be given as well.
    strength: from which on rows are in one aggregate, in distances to the nearest neighbour; degree: of the smoother.
    Numbers of 0 are the usual ones.
    """
    matrix = a if isinstance(a, Matrix) else Matrix(a, block=block, coordinates=coordinates, near_nullspace=near_nullspace,
                                                    device=device)
    return Multigrid(_setka.multigrid(matrix.device, matrix._inner, strength, degree, max_coarse_size, max_levels,
                                      listener(progress)))


def precondition(a: Any, kind: str = "auto", progress: ProgressLike = None) -> Operator:
    """A preconditioner of a word: "amg", "jacobi", "chebyshev", "fsai", ..; an unknown one tells all."""
    matrix = as_matrix(a)
    return Operator(_setka.preconditioner(kind, matrix._inner, listener(progress)))


def solve(a: Any, b: Any, *, method: str = "auto", preconditioner: str = "auto", tolerance: float = 1e-8,
          max_iterations: int = 20000, block: int = 1, coordinates: Any = None, progress: ProgressLike = None,
          device: DeviceLike = None) -> Solution:
    """A x = b for a symmetric positive definite matrix, in the way that suits its size.

    method: "auto", "cholesky" or "cg"; "minres" and "gmres" for other matrices.
    b: over the unknowns, on the CPU; so is x.
    """
    matrix = a if isinstance(a, Matrix) else Matrix(a, block=block, coordinates=coordinates, device=device)
    x, report = _setka.solve(matrix.device, matrix._inner, array_of(b), method, preconditioner, tolerance, max_iterations,
                             listener(progress))
    return Solution(x, report["converged"], report["iterations"], report["residual"], report["status"], report["method"])
