# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Decks of CalculiX and Abaqus: read, checked, run, with results as arrays.

    job = setka.run("pump.inp")
    job.result("U")                        # of the last frame: [nodes, 3]
    job.result("S", step=1, frame=0)       # of another one
    for frame in job.frames:
        print(frame.step, frame.time, frame["U"].max())

Results are those that the deck asks for by *NODE FILE and *EL FILE; displacements, or temperatures, are always there.
Nothing is written to files.
"""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Optional, Union

import numpy as np

from . import _setka
from .devices import DeviceLike, device as make_device
from .errors import UsageError
from .mesh import Mesh
from .progress import ProgressLike, listener


class Deck:
    """A deck that was read; made by read_deck()."""

    def __init__(self, inner: _setka.Deck):
        self._inner = inner
        self._mesh: Optional[Mesh] = None

    @property
    def path(self) -> str:
        return self._inner.path

    @property
    def warnings(self) -> list[str]:
        return self._inner.warnings

    @property
    def unsupported(self) -> list[str]:
        """What it asks for and Setka does not compute, each with file and line."""
        return self._inner.unsupported

    @property
    def step_count(self) -> int:
        return self._inner.step_count

    @property
    def mesh(self) -> Mesh:
        """Nodes, elements and sets."""
        if self._mesh is None:
            self._mesh = Mesh._of_model(self._inner.mesh())
        return self._mesh

    def check(self, progress: ProgressLike = None) -> "Check":
        """As setka.check()."""
        return Check(self._inner.check(listener(progress)))

    def run(self, **options: Any) -> "Job":
        """As setka.run()."""
        return run(self, **options)

    def __repr__(self) -> str:
        return f"<setka.Deck {self.path}: {self.step_count} steps>"


class Check(dict):
    """What a deck holds, and what would stop a run; its entries are attributes as well.

    nodes, elements, element_types, equations, parts, steps, materials, volume, mass, unsupported, errors, warnings, could_run
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Frame:
    """One state: an increment, a mode, a time.

    frame["U"] is an array over the nodes (`mesh.points`), frame.points["S"] one over integration points, frame.elements over
    elements.  They are the memory of the run itself, and only to be read.
    """

    def __init__(self, inner: _setka.Frame):
        self._inner = inner
        self.step: int = inner.step
        self.increment: int = inner.increment
        self.time: float = inner.time
        self._nodes: Optional[dict] = None

    @property
    def nodes(self) -> dict[str, np.ndarray]:
        """By name: [nodes] or [nodes, components]."""
        if self._nodes is None:
            self._nodes = self._inner.node_fields()
        return self._nodes

    @property
    def points(self) -> dict[str, np.ndarray]:
        """By name, at integration points, those of an element after the other."""
        return self._inner.point_fields()

    @property
    def elements(self) -> dict[str, np.ndarray]:
        """By name, one number an element."""
        return self._inner.element_fields()

    @property
    def mode(self) -> Optional[dict]:
        """Of a mode its number, frequency, participation, .. or buckling factor; None of other states."""
        return self._inner.mode

    @property
    def imaginary(self) -> Optional["Frame"]:
        """Of the answer to periodic loads the imaginary part."""
        other = self._inner.imaginary()
        return None if other is None else Frame(other)

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.nodes[name.upper()]
        except KeyError:
            raise UsageError(f'the frame has no "{name}" at nodes; it has {", ".join(self.nodes) or "nothing"}',
                             remedy="ask for it in the deck, by *NODE FILE or *EL FILE") from None

    def __contains__(self, name: str) -> bool:
        return name.upper() in self.nodes

    def __repr__(self) -> str:
        kind = f"mode {self.mode['number']}" if self.mode else f"time {self.time:g}"
        return f"<setka.Frame step {self.step}, {kind}: {', '.join(self.nodes)}>"


@dataclass(frozen=True)
class StepReport:
    """How a step was computed."""

    step: int
    time: float
    converged: bool
    solver: str
    iterations: int
    residual: float
    largest_displacement: tuple[float, int]  # and the node
    largest_mises: Optional[tuple[float, int]]  # and the element
    hottest: Optional[tuple[float, int]]
    coldest: Optional[tuple[float, int]]
    modes: Optional["ModeTable"] = None
    factors: Optional[np.ndarray] = None  # of buckling
    trouble: str = ""


@dataclass(frozen=True)
class ModeTable:
    """Modes of a frequency step, as arrays over the modes."""

    number: np.ndarray
    eigenvalue: np.ndarray
    frequency: np.ndarray  # cycles per time
    participation: np.ndarray = field(repr=False)  # [modes, 6]
    residual: np.ndarray = field(repr=False)
    total_mass: np.ndarray = field(repr=False)  # [6]
    method: str = ""
    check: str = ""

    @property
    def effective_mass(self) -> np.ndarray:
        """[modes, 6] as shares of the total."""
        total = np.where(self.total_mass > 0, self.total_mass, np.inf)
        return self.participation**2 / total


@dataclass
class Job:
    """A deck that was run: its frames, and how each step went."""

    deck: Deck
    frames: list[Frame]
    steps: list[StepReport]

    @property
    def mesh(self) -> Mesh:
        return self.deck.mesh

    @property
    def converged(self) -> bool:
        return all(step.converged for step in self.steps)

    def of_step(self, step: int) -> list[Frame]:
        """The frames of a step; steps count from 1, -1 is the last one."""
        number = step if step > 0 else len(self.steps) + 1 + step
        return [frame for frame in self.frames if frame.step == number]

    def result(self, name: str, step: int = -1, frame: int = -1) -> np.ndarray:
        """A result at the nodes by its name in the deck ("U", "S", "NT"), of a step (from 1) and a frame of it (from 0)."""
        frames = self.of_step(step)
        try:
            return frames[frame][name]
        except IndexError:
            raise UsageError(f"step {step} has {len(frames)} frames, and number {frame} was asked for") from None

    @property
    def modes(self) -> Optional[ModeTable]:
        """Of the last frequency step."""
        return next((step.modes for step in reversed(self.steps) if step.modes is not None), None)

    @property
    def frequencies(self) -> np.ndarray:
        table = self.modes
        return np.zeros(0) if table is None else table.frequency

    def __iter__(self) -> Iterator[Frame]:
        return iter(self.frames)

    def __repr__(self) -> str:
        return f"<setka.Job {self.deck.path}: {len(self.steps)} steps, {len(self.frames)} frames>"


def read_deck(path: Union[str, os.PathLike, None] = None, *, text: Optional[str] = None, name: str = "deck.inp",
              progress: ProgressLike = None) -> Deck:
    """Reads a deck from a file, or from a text; *INCLUDEs of that are looked for in the folder of `name`."""
    if (path is None) == (text is None):
        raise UsageError("read_deck: give the path of a file, or text=")
    if text is not None:
        return Deck(_setka.read_deck_text(text, name, listener(progress)))
    return Deck(_setka.read_deck(os.fspath(path), listener(progress)))


DeckLike = Union[str, os.PathLike, Deck]


def check(deck: DeckLike, progress: ProgressLike = None) -> Check:
    """What a deck holds and what would stop a run, without solving: `setka.check("pump.inp").errors`."""
    return (deck if isinstance(deck, Deck) else read_deck(deck, progress=progress)).check(progress)


def run(deck: DeckLike, *, device: DeviceLike = "auto", threads: int = 0, solver: str = "auto",
        preconditioner: str = "auto", tolerance: Optional[float] = None, max_iterations: int = 20000, modes: str = "auto",
        operator: str = "auto", precision: str = "double", on_frame: Optional[Callable[[Frame], Any]] = None,
        keep: bool = True, all_frames: bool = False, progress: ProgressLike = None) -> Job:
    """Runs every step of a deck, given by its path or by read_deck().

    device: "auto" (the first GPU when there is one), "cpu", "cuda:0"; threads: of the CPU, 0 for all.
    solver, preconditioner, tolerance, max_iterations, modes, operator, precision: as the options of `setka run`.
    on_frame: called with each Frame as soon as it is there; what it raises ends the run.
    keep: False leaves Job.frames empty, for runs whose frames would fill the memory.
    all_frames: also those that FREQUENCY= of the deck leaves out.
    """
    if precision not in ("double", "single"):
        raise UsageError(f'precision "{precision}" is unknown; it is "double" or "single"')
    of = deck if isinstance(deck, Deck) else read_deck(deck, progress=progress)
    place = make_device(device, 0 if str(device).startswith("cuda") else threads)
    cpu = make_device("cpu", threads) if place.is_cuda else place
    options = _setka.RunOptions(place, cpu, solver, preconditioner, tolerance or 1e-8, max_iterations)
    options.modes = modes
    options.operator = operator
    options.mode_tolerance = tolerance
    options.single_precision = precision == "single"
    options.all_frames = all_frames
    options.stop_on_shortage = device != "auto"
    frames: list[Frame] = []

    def take(inner: _setka.Frame) -> None:
        frame = Frame(inner)
        if keep:
            frames.append(frame)
        if on_frame is not None:
            on_frame(frame)

    steps = of._inner.run(options, take, listener(progress))
    return Job(of, frames, [_report(step) for step in steps])


def _table(given: Optional[dict]) -> Optional[ModeTable]:
    if given is None:
        return None
    rows = [row for row in given["modes"] if row[5]]
    return ModeTable(number=np.array([row[0] for row in rows], dtype=int), eigenvalue=np.array([row[1] for row in rows]),
                     frequency=np.array([row[2] for row in rows]),
                     participation=np.array([row[3] for row in rows]).reshape(-1, 6),
                     residual=np.array([row[4] for row in rows]), total_mass=np.array(given["total_mass"]),
                     method=given["method"], check=given["check"])


def _report(step: dict) -> StepReport:
    solved = step["solved"]
    factors = step.get("factors")
    return StepReport(step=step["step"], time=step["time"], converged=solved["converged"], solver=solved["method"],
                      iterations=solved["iterations"], residual=solved["residual"],
                      largest_displacement=step["largest_displacement"], largest_mises=step["largest_mises"],
                      hottest=step["hottest"], coldest=step["coldest"], modes=_table(step["modes"]),
                      factors=None if factors is None else np.array(factors),
                      trouble=step.get("trouble") or ("" if solved["converged"] else solved["status"]))


def examples() -> dict[str, str]:
    """Names of the decks that write_example() makes, and what they are."""
    return _setka.examples()


def write_example(name: str, path: Union[str, os.PathLike], *, size: int = 10000, element: str = "",
                  modes: int = 0) -> tuple[int, int, int]:
    """Writes a ready deck of about so many unknowns; returns its nodes, elements and unknowns."""
    return _setka.write_example(name, os.fspath(path), size, element.upper(), modes)
