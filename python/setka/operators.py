# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Operators: what multiplies vectors.

`setka.cg`, `setka.lobpcg` and all else take for an operator
- a sparse matrix of SciPy or CuPy,
- a `LinearOperator` of SciPy,
- a function y = A(x) of NumPy's arrays on the CPU, of CuPy's or PyTorch's on a GPU, by `setka.operator`,
- a `Matrix` or `Operator` of Setka.

And those of Setka go to SciPy: `A @ x`, `A.tocsr()`, `A.aslinearoperator()`.
"""
from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np

from . import _setka
from .arrays import array_of, as_given_to_functions, device_of
from .devices import DeviceLike, device
from .errors import UsageError


class Operator:
    """A matrix that is known by its products."""

    def __init__(self, inner: _setka.Operator):
        self._inner = inner

    @property
    def shape(self) -> tuple[int, int]:
        return self._inner.rows, self._inner.columns

    @property
    def device(self) -> _setka.Device:
        return self._inner.device

    dtype = np.dtype(np.float64)

    def apply(self, x: Any, out: Any = None) -> Any:
        """A x, for x of [columns] or [columns, k]; into `out` where it is given."""
        return self._inner.apply(array_of(x), out)

    def __matmul__(self, x: Any) -> Any:
        if isinstance(x, Operator):
            return Operator(_setka.product_of(self._inner, x._inner))
        return self.apply(x)

    def __call__(self, x: Any) -> Any:
        return self.apply(x)

    def __mul__(self, scale: float) -> "Operator":
        return Operator(_setka.scaled(float(scale), self._inner))

    __rmul__ = __mul__

    def __add__(self, other: "Operator") -> "Operator":
        return Operator(_setka.sum_of(1.0, self._inner, 1.0, as_operator(other, self.device)._inner))

    def __sub__(self, other: "Operator") -> "Operator":
        return Operator(_setka.sum_of(1.0, self._inner, -1.0, as_operator(other, self.device)._inner))

    def aslinearoperator(self) -> Any:
        """For SciPy, over arrays of NumPy."""
        from scipy.sparse.linalg import LinearOperator

        def host(x):
            return np.ascontiguousarray(x, dtype=np.float64)

        return LinearOperator(self.shape, matvec=lambda x: self.apply(host(x).ravel()), matmat=lambda x: self.apply(host(x)),
                              rmatvec=lambda x: self.apply(host(x).ravel()), dtype=np.float64)

    def __repr__(self) -> str:
        return f"<setka.{type(self).__name__} {self.shape[0]} x {self.shape[1]} on {self.device.label}>"


class Matrix(Operator):
    """An assembled sparse matrix of numbers or of square blocks, on a device.

        A = setka.Matrix(scipy_matrix)
        A = setka.Matrix(scipy_matrix, block=3, coordinates=xyz)   # three displacements a node

    block: unknowns a node, 1 to 6, one node after the other; multigrid is better for knowing them.
    coordinates: [rows / block, 3] of the nodes; with blocks of 3 multigrid then knows the rigid motions.
    near_nullspace: [rows, k], vectors that the matrix nearly annihilates, in the place of those.
    With blocks of 1 nothing is copied: the arrays of the matrix are used where they are, and are to be left alone.
    """

    def __init__(self, a: Any = None, *, block: int = 1, coordinates: Any = None, near_nullspace: Any = None,
                 device: DeviceLike = None, inner: Optional[_setka.Matrix] = None):
        if inner is None:
            inner = self._make(a, block, device)
            if coordinates is not None or near_nullspace is not None:
                inner.set_geometry(_three_columns(coordinates), None if near_nullspace is None else np.ascontiguousarray(
                    near_nullspace, dtype=np.float64).reshape(inner.rows, -1))
        super().__init__(inner)

    @staticmethod
    def _make(a: Any, block: int, device: DeviceLike) -> _setka.Matrix:
        if not hasattr(a, "tocsr"):
            raise UsageError(f"Matrix: a {type(a).__name__} is no sparse matrix; give one of SciPy or CuPy, as "
                             "scipy.sparse.csr_matrix(a)")
        csr = a.tocsr()
        if str(csr.dtype) != "float64":
            raise UsageError(f"Matrix: its values are {csr.dtype}, float64 is wanted; convert it by a.astype(float)")
        if not getattr(csr, "has_sorted_indices", True) or not getattr(csr, "has_canonical_format", True):
            csr = csr.copy() if csr is a else csr
            csr.sum_duplicates()
            csr.sort_indices()
        place = device_of(device, csr.data)
        offset, column = csr.indptr, csr.indices
        if str(offset.dtype) != "int32":
            offset, column = offset.astype("int32"), column.astype("int32")
        data = csr.data
        if place.is_cuda and isinstance(data, np.ndarray):
            host = _setka.matrix(_cpu(), csr.shape[0], csr.shape[1], offset, column, data, block)
            return host.to(place)
        return _setka.matrix(place, csr.shape[0], csr.shape[1], offset, column, data, block)

    @property
    def block(self) -> int:
        return self._inner.block

    @property
    def nnz(self) -> int:
        """Values that are stored, those included that fill blocks."""
        return self._inner.entries

    def tocsr(self) -> Any:
        """A matrix of SciPy, over the unknowns: rows that fill the blocks of a space are left out."""
        from scipy.sparse import csr_matrix

        offset, column, value = self._inner.csr()
        return csr_matrix((value, column, offset), shape=(len(offset) - 1, len(offset) - 1 if self._fills()
                                                          else self.shape[1]))

    def unknowns(self) -> np.ndarray:
        """Where the unknowns stand in vectors of the matrix."""
        return self._inner.unknowns() if self._fills() else np.arange(self.shape[0], dtype=np.int32)

    def _fills(self) -> bool:
        return len(self._inner.unknowns()) > 0


def _cpu() -> _setka.Device:
    return device("cpu")


def _three_columns(coordinates: Any) -> Optional[np.ndarray]:
    if coordinates is None:
        return None
    given = np.atleast_2d(np.asarray(coordinates, dtype=np.float64))
    if given.shape[1] < 3:  # z = 0, and y, where they are left out
        given = np.hstack([given, np.zeros((len(given), 3 - given.shape[1]))])
    return np.ascontiguousarray(given)


def operator(apply: Callable[[Any], Any], rows: int, columns: Optional[int] = None, *, device: DeviceLike = "cpu",
             arrays: Any = None, into: bool = False, each: bool = False) -> Operator:
    """A function as an operator, for all that takes one.

    apply: y = apply(x) for x of [columns] or [columns, k]; with into=True apply(x, y) writes y.
    each: it knows single vectors alone, and is called for each of k columns.
    arrays: of a GPU, what x is: "cupy", "torch", "setka" (setka.Array), or a function that makes it; None: CuPy's or
        PyTorch's, whichever is imported.

    x and y are views of the solver's memory: they are of no use after the call.
    """
    place = device_of(device)
    convert, stream = as_given_to_functions(arrays) if place.is_cuda else ((lambda view: view), None)

    def one(x: Any, y: Any) -> None:
        if into:
            apply(x, y)
        else:
            y[...] = apply(x)

    def run(x: Any, y: Any) -> None:
        x, y = convert(x), convert(y)
        if each and len(x.shape) == 2:
            for k in range(x.shape[1]):
                one(x[:, k], y[:, k])
        else:
            one(x, y)

    def call(x: Any, y: Any) -> None:
        if stream is None:
            run(x, y)
        else:
            with stream():
                run(x, y)

    return Operator(_setka.operator(place, int(rows), int(columns or rows), call))


def identity(rows: int, device: DeviceLike = "cpu") -> Operator:
    """The operator y = x, of so many rows."""
    return Operator(_setka.identity(device_of(device), rows))


def as_operator(a: Any, place: DeviceLike = None) -> Operator:
    """What functions take for an operator, as one."""
    if isinstance(a, Operator):
        return a
    if hasattr(a, "tocsr"):
        return Matrix(a, device=place)
    if hasattr(a, "matmat") and hasattr(a, "shape"):  # LinearOperator
        return operator(lambda x: a.matmat(x) if len(x.shape) == 2 else a.matvec(x), *a.shape, device=place or "cpu")
    if isinstance(a, np.ndarray) and a.ndim == 2:
        return operator(lambda x: a @ x, *a.shape)
    if callable(a):
        raise UsageError("a function alone does not say its size; give setka.operator(function, rows)")
    raise UsageError(f"a {type(a).__name__} is no operator; give a sparse matrix, a LinearOperator or setka.operator(..)")


def as_matrix(a: Any, place: DeviceLike = None) -> Matrix:
    """The same where an assembled one is needed."""
    if isinstance(a, Matrix):
        return a
    if isinstance(a, Operator) or not hasattr(a, "tocsr"):
        raise UsageError(f"a {type(a).__name__} is not assembled; give a sparse matrix, or choose what needs products alone")
    return Matrix(a, device=place)
