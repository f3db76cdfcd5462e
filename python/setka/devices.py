# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Where things are computed: the threads of the CPU, or a GPU.

Functions take `device=` as a word, "cpu", "cuda", "cuda:1" or "auto" (the first GPU when there is one), or as a `Device`.
Where it is left out it is that of the arrays that are given.
"""
from __future__ import annotations

import threading
from typing import Union

from . import _setka
from ._setka import Device
from .errors import UsageError

DeviceLike = Union[None, str, Device]

_made = threading.local()  # one host thread drives a device at a time


def device(name: DeviceLike = "auto", threads: int = 0) -> Device:
    """The device of a name.

    threads: of the CPU, 0 for all.
    The same name gives the same device in the same thread of Python, so that its memory is used again.
    """
    if isinstance(name, Device):
        return name
    if name is None:
        name = "cpu"
    known = _made.__dict__.setdefault("devices", {})
    key = (name, threads)
    found = known.get(key)
    if found is None:
        found = known[key] = _make(name, threads)
    return found


def _make(name: str, threads: int) -> Device:
    word = name.lower()
    if word == "auto":
        word = "cpu" if _setka.why_no_cuda() else "cuda"
    if word == "cpu":
        return Device.cpu(threads)
    kind, _, number = word.partition(":")
    if kind not in ("cuda", "gpu") or not (number or "0").isdigit():
        raise UsageError(f'there is no device "{name}"; give "auto", "cpu", "cuda" or "cuda:0"',
                         f'there is no device "{name}"', 'give "auto", "cpu", "cuda" or "cuda:0"')
    return Device.cuda(int(number or 0))


def devices() -> list[dict]:
    """All that this build can compute on here, with their memory in bytes."""
    return _setka.devices()


def why_no_cuda() -> str:
    """Why no GPU can be used; empty when one can."""
    return _setka.why_no_cuda()
