# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Natural frequencies: K x = lambda M x for the lowest lambda.

    found = setka.lobpcg(K, 10, M, preconditioner=setka.amg(K))
    found.eigenvalues, found.shapes[:, 0], found.frequencies

`modes` chooses the method by itself, as the command does.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np

from . import _setka
from .arrays import array_of, device_of
from .devices import DeviceLike
from .operators import Operator, as_matrix, as_operator
from .progress import ProgressLike, listener


@dataclass(frozen=True)
class Modes:
    """What was found, by ascending eigenvalues."""

    eigenvalues: np.ndarray
    shapes: np.ndarray = field(repr=False)  # [unknowns, modes], M-orthonormal
    residuals: np.ndarray  # |K x - lambda M x| / |K x| of each
    iterations: int
    converged: bool
    status: str
    method: str
    check: str  # how it was seen that none is missing
    history: np.ndarray = field(repr=False)

    @property
    def frequencies(self) -> np.ndarray:
        """Cycles per time: sqrt(lambda) / 2 pi; 0 of what is not above zero."""
        return np.sqrt(np.maximum(self.eigenvalues, 0.0)) / (2 * np.pi)

    def __len__(self) -> int:
        return len(self.eigenvalues)


def _made(found: dict) -> Modes:
    return Modes(**{name: found[name] for name in Modes.__dataclass_fields__})


def lobpcg(k: Any, count: int, m: Any = None, *, preconditioner: Any = None, tolerance: float = 1e-6,
           max_iterations: int = 1000, guards: int = -1, start: Any = None, null_space: Any = None, search: int = -1,
           progress: ProgressLike = None, device: DeviceLike = None) -> Modes:
    """The lowest modes by locally optimal block preconditioned conjugate gradients, over any operators.

    k, m: symmetric; m left out is the identity.  preconditioner: positive definite, near the inverse of k.
    start: [n, columns] to begin with in place of noise.  null_space: [n, k] with K z = 0, the first modes of the answer.
    guards: vectors that are iterated beside those wanted; -1: as many as suit.
    search: iterations of the search for missing modes in the end; 0: none, -1: the usual 12.
    """
    place = k.device if isinstance(k, Operator) else device_of(device)
    stiffness = as_operator(k, place)
    mass = None if m is None else as_operator(m, place)._inner
    p = None if preconditioner is None else as_operator(preconditioner, place)._inner
    return _made(_setka.lobpcg(stiffness._inner, mass, p, int(count), tolerance, max_iterations, guards,
                               None if start is None else np.ascontiguousarray(start, dtype=np.float64),
                               None if null_space is None else np.ascontiguousarray(null_space, dtype=np.float64), search,
                               listener(progress)))


def modes(k: Any, m: Any, count: int = 0, *, lower: float = -np.inf, upper: float = np.inf, method: str = "auto",
          preconditioner: str = "auto", tolerance: float = 0.0, max_iterations: int = 1000, progress: ProgressLike = None,
          device: DeviceLike = None) -> Modes:
    """The lowest modes of two assembled matrices, by the method that suits them; shapes are over the unknowns.

    count: so many; 0: all with eigenvalues up to `upper`.
    method: "auto", "dense", "lanczos", "lobpcg" or "subspace".
    """
    place = k.device if isinstance(k, Operator) else device_of(device)
    return _made(_setka.find_modes(place, as_matrix(k, place)._inner, as_matrix(m, place)._inner, method, preconditioner,
                                   int(count), lower, upper, tolerance, max_iterations, listener(progress)))
