# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""How far a long call is.

Long calls take `progress=`: True for a bar (by tqdm where it is installed, else a line on standard error), or a function
that is given a `Progress` ten times a second at most:

    setka.run("pump.inp", progress=lambda p: print(p.name, p.share))

Ctrl-C ends a long call with KeyboardInterrupt; what the function raises ends it as well.
"""
from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union


@dataclass(frozen=True)
class Progress:
    """A stage of the work that is going on."""

    name: str
    done: int
    total: int  # 0: not known
    unit: str
    note: str  # "residual 1.2e-5"; may be empty
    seconds: float  # since the stage began
    finished: bool

    @property
    def share(self) -> Optional[float]:
        """0 to 1; None where the end is not known."""
        return min(1.0, self.done / self.total) if self.total > 0 else None


ProgressLike = Union[None, bool, Callable[[Progress], Any]]


def listener(progress: ProgressLike) -> Optional[Callable]:
    """What the extension calls."""
    if progress is None or progress is False:
        return None
    show = _bar() if progress is True else progress
    return lambda *state: show(Progress(*state))


def _bar() -> Callable[[Progress], None]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line
    bars: dict[str, Any] = {}

    def show(p: Progress) -> None:
        bar = bars.get(p.name)
        if bar is None:
            if p.finished:
                return  # it was over before anybody looked
            bar = bars[p.name] = tqdm(total=p.total or None, desc=p.name, unit=p.unit or "it", leave=False)
        bar.update(p.done - bar.n)
        if p.note:
            bar.set_postfix_str(p.note, refresh=False)
        if p.finished:
            bars.pop(p.name).close()

    return show


def _line(p: Progress) -> None:
    if p.finished:
        sys.stderr.write("\r\x1b[K")
    else:
        share = "" if p.share is None else f" {100 * p.share:.0f} %"
        sys.stderr.write(f"\r\x1b[K{p.name}{share} {p.note}")
    sys.stderr.flush()
