# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Setka solves the mesh and grid equations of mechanics and heat, on CPUs and GPUs.

Three levels, from decks down to parts.

1. Decks of CalculiX and Abaqus, results as arrays:

    job = setka.run("pump.inp")
    job.frequencies, job.result("U", step=1, frame=0)
    setka.check("pump.inp").errors

2. Problems of one's own, on one's own mesh:

    space = setka.Space(setka.box((4, 4, 40), lengths=(1, 1, 10))).fix("z-")
    modes = space.modes(setka.elasticity(210e9, 0.3), setka.mass(7850), count=10)

3. Parts, for programs of one's own:

    x = setka.solve_tridiagonal(-1.0, 2.0, -1.0, d)
    u = setka.heat(u, step=1e-3, steps=100)
    answer = setka.cg(A, b, setka.amg(A))
    found = setka.lobpcg(K, 10, M, preconditioner=setka.amg(K))
    setka.plan("grating.toml").seconds

Arrays cross without copies: NumPy's on the CPU, those of CuPy, PyTorch and their kin on a GPU (help(setka.arrays)).
Matrices are SciPy's, and functions of one's own are operators (help(setka.operators)).
Where: device="cpu", "cuda:0" or "auto" (help(setka.devices)).
Long calls show how far they are, and end at Ctrl-C (help(setka.progress)).
What goes wrong is a setka.Error with its parts (help(setka.errors)).
"""
from . import arrays, decks, devices as _devices, errors, grid, mesh, modes as _modes, operators, planning, problems
from . import progress, solvers
from ._setka import Array, Device, build_info, version as __version__
from .decks import Check, Deck, Frame, Job, check, examples, read_deck, run, write_example
from .devices import device, devices, why_no_cuda
from .errors import ArrayError, Error, InputError, InternalError, ResourceError, UsageError
from .grid import Heat, Side, dirichlet, heat, neumann, robin, solve_tridiagonal, stationary_heat
from .mesh import Mesh, box, read_mesh
from .modes import Modes, lobpcg, modes
from .operators import Matrix, Operator, identity, operator
from .planning import Plan, calibrate, plan
from .problems import Field, Form, Motion, Space, conduction, elasticity, mass
from .progress import Progress
from .solvers import Multigrid, Solution, amg, cg, gmres, minres, precondition, solve

__all__ = [
    "Array", "ArrayError", "Check", "Deck", "Device", "Error", "Field", "Form", "Frame", "Heat", "InputError",
    "InternalError", "Job", "Matrix", "Mesh", "Modes", "Motion", "Multigrid", "Operator", "Plan", "Progress",
    "ResourceError", "Side", "Solution", "Space", "UsageError", "amg", "box", "build_info", "calibrate", "cg", "check",
    "conduction", "device", "devices", "dirichlet", "elasticity", "examples", "gmres", "heat", "identity", "lobpcg", "mass",
    "minres", "modes", "neumann", "operator", "plan", "precondition", "read_deck", "read_mesh", "robin", "run", "solve",
    "solve_tridiagonal", "stationary_heat", "why_no_cuda", "write_example",
]
