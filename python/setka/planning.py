# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run on a grid will take, before it starts: setka.plan("grating.toml").

It needs the profile of this machine, which `setka calibrate` or calibrate() makes once, in half a minute.
"""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Union

from . import _setka
from .devices import DeviceLike, device as make_device
from .progress import ProgressLike, listener


@dataclass(frozen=True)
class Way:
    """One way to do the work."""

    name: str
    seconds: float
    device_bytes: int
    lacks: str  # what it would need; empty: it can be done
    terms: dict[str, float]  # the seconds, term by term


@dataclass(frozen=True)
class Plan:
    """All ways, the one that a run would take, and why."""

    ways: list[Way]
    chosen: Way
    why: str

    @property
    def seconds(self) -> float:
        return self.chosen.seconds


def plan(case: Union[str, os.PathLike], device: DeviceLike = "auto") -> Plan:
    """What a case of `setka grid` takes on a device, in which way."""
    found = _setka.plan(os.fspath(case), make_device(device))
    ways = [Way(**one) for one in found["choices"]]
    return Plan(ways, ways[found["chosen"]], found["why"])


def calibrate(device: DeviceLike = "auto", *, quick: bool = False, progress: ProgressLike = None) -> str:
    """Measures a device for plan(), and returns where the profile is.  quick: roughly, for tests."""
    return _setka.calibrate(make_device(device), quick, listener(progress))
