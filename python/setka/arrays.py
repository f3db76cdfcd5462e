# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays cross without copies.

On the CPU: `numpy.ndarray`, anything with the buffer protocol or `__dlpack__` (tensors of PyTorch).
On a GPU: anything with `__dlpack__` or `__cuda_array_interface__` (CuPy, PyTorch, Numba).
What functions return is a `numpy.ndarray` on the CPU; on a GPU it is a `setka.Array`, which others take as it is:

    x = cupy.asarray(setka_array)
    x = torch.from_dlpack(setka_array)

Values are float64, or float32 where a function says so, one after the other in C order; what is not is an `ArrayError`
that says what was found and how to convert it.
Nothing is converted behind your back, but lists and single numbers, which become arrays of NumPy.
"""
from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ._setka import Array, Device
from .devices import DeviceLike, device

__all__ = ["Array", "array_of", "device_of", "where", "as_given_to_functions"]


def array_of(values: Any) -> Any:
    """Arrays as they are; lists and numbers as arrays of float64."""
    if isinstance(values, np.ndarray) or hasattr(values, "__dlpack__") or hasattr(values, "__cuda_array_interface__"):
        return values
    if isinstance(values, (list, tuple, int, float)):
        return np.asarray(values, dtype=np.float64)
    return values


def where(values: Any) -> str:
    """The device that an array lies on, as a word."""
    if isinstance(values, np.ndarray):
        return "cpu"
    if isinstance(values, Array):
        return values.device
    if hasattr(values, "__dlpack_device__"):
        kind, number = values.__dlpack_device__()
        return f"cuda:{number}" if kind in (2, 13) else "cpu"
    if hasattr(values, "__cuda_array_interface__"):
        at = getattr(values, "device", 0)
        return f"cuda:{getattr(at, 'id', at if isinstance(at, int) else 0)}"
    return "cpu"


def device_of(wanted: DeviceLike, *values: Any) -> Device:
    """The device that was asked for; else that of the first array on a GPU, else the CPU."""
    if wanted is not None:
        return device(wanted)
    for one in values:
        if one is not None and not isinstance(one, np.ndarray):
            place = where(one)
            if place != "cpu":
                return device(place)
    return device("cpu")


def as_given_to_functions(arrays: Any) -> Any:
    """How views of memory on a GPU become arrays for functions of a user: by CuPy or PyTorch, whichever is in use.

    arrays: "cupy", "torch", a function, or None to choose.
    Returns (convert, context): the context has the default stream of the GPU for the current one.
    """
    if callable(arrays):
        return arrays, None
    if arrays not in (None, "cupy", "torch", "setka"):
        raise ValueError(f'arrays="{arrays}" is unknown; it is "cupy", "torch", "setka" or a function')
    if arrays == "cupy" or (arrays is None and "cupy" in sys.modules):
        import cupy

        return cupy.asarray, lambda: cupy.cuda.Stream.null
    if arrays == "torch" or (arrays is None and "torch" in sys.modules):
        import torch

        return torch.from_dlpack, lambda: torch.cuda.stream(torch.cuda.default_stream())
    return (lambda view: view), None
