#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""What Python costs, and what it gains: the rows of docs/python.md.

    PYTHONPATH=build/release/python python3 python/benchmarks/figures.py --peer build/release/lib/libsetka_python_peer.so

Times are CPU seconds of the process, all threads together, where it is not said otherwise: on a machine that does other
things too they vary less than those of the clock.
--smallest: the least of everything, to see that it runs; its numbers mean nothing.
"""
import argparse
import ctypes
import inspect
import os
import platform
import sys
import time

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that spin while they wait would count as work

import numpy as np  # noqa: E402: after the environment

import setka  # noqa: E402

try:
    import scipy.sparse
    import scipy.sparse.linalg
except ImportError:
    print("skipped: no SciPy; install python3-scipy")
    sys.exit(77)


def laplacian(n):
    line = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    return scipy.sparse.csr_matrix(scipy.sparse.kronsum(scipy.sparse.kronsum(line, line), line))


def microseconds(call, times):
    best = np.inf
    for _ in range(7):
        began = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, (time.perf_counter() - began) / times)
    return 1e6 * best


def calls(times):
    """Whole calls with hardly any work: an upper bound of what Python adds."""
    one = setka.device("cpu", threads=1)
    d, out = np.ones(8), np.empty(8)
    identity = setka.identity(8, one)
    steps = setka.Heat((8,), 0.1, device=one)
    rows = [
        ("solve_tridiagonal, 8 rows", lambda: setka.solve_tridiagonal(-1.0, 2.0, -1.0, d, out=out, device=one)),
        ("the same, with an array made for x", lambda: setka.solve_tridiagonal(-1.0, 2.0, -1.0, d, device=one)),
        ("Operator.apply, 8 rows", lambda: identity.apply(d, out)),
        ("Heat.advance, 8 cells", lambda: steps.advance(d)),
    ]
    print("whole calls (microseconds by the clock, the least of 7 means)")
    for name, call in rows:
        print(f"  {name:44} {microseconds(call, times):8.2f}")


def lobpcg(n, count, times, peer):
    a = setka.Matrix(laplacian(n))
    amg = setka.amg(a)
    mine, theirs = [], []
    if peer:
        search = ctypes.CDLL(os.path.abspath(peer)).setka_peer_lobpcg
        search.restype = ctypes.c_double
        steps = ctypes.c_int32()
    for _ in range(times):  # in turn, so that the noise of the machine is that of both
        began = time.process_time()
        found = setka.lobpcg(a, count, preconditioner=amg)
        mine.append(time.process_time() - began)
        if peer:
            theirs.append(search(ctypes.c_int32(n), ctypes.c_int64(count), ctypes.byref(steps)))
            assert found.iterations == steps.value, "the two did not do the same"
    print(f"lobpcg, {n}^3 unknowns, {count} modes, {found.iterations} iterations (CPU seconds, the least of {times})")
    print(f"  from Python {min(mine):.3f}" + (f", from C++ {min(theirs):.3f}: ratio {min(mine) / min(theirs):.3f}"
                                              if theirs else "; no --peer to compare with"))


def scipy_system(n, times):
    a = laplacian(n)
    b = np.random.default_rng(1).random(n**3)
    rows = {}

    def measure(name, solve):
        began, clock = time.process_time(), time.perf_counter()
        x, iterations = solve()
        spent = time.process_time() - began, time.perf_counter() - clock
        residual = np.linalg.norm(b - a @ x) / np.linalg.norm(b)
        assert residual < 2e-8, (name, residual)
        if name not in rows or spent[0] < rows[name][0]:
            rows[name] = (*spent, iterations)

    def with_scipy(m=None):
        count = []
        tolerance = "rtol" if "rtol" in inspect.signature(scipy.sparse.linalg.cg).parameters else "tol"  # by SciPy's version
        x, status = scipy.sparse.linalg.cg(a, b, atol=0, maxiter=600, M=m, callback=lambda _: count.append(0), **{tolerance: 1e-8})
        return (x, len(count)) if status == 0 else None

    def with_ilu(drop, fill):
        # Symmetric ordering and pivots of the diagonal keep it nearly symmetric, which cg needs. The natural order has the
        # least fill but takes spilu minutes here.
        factor = scipy.sparse.linalg.spilu(a.tocsc(), drop_tol=drop, fill_factor=fill, diag_pivot_thresh=0.0,
                                           permc_spec="MMD_AT_PLUS_A")
        return with_scipy(scipy.sparse.linalg.LinearOperator(a.shape, factor.solve, dtype=float))

    def with_setka(preconditioner=None):
        answer = setka.cg(a, b, preconditioner and preconditioner(a))
        assert answer.converged
        return answer.x, answer.iterations

    # The cheaper the factor the sooner it is done, if cg converges with it, which it does not with each.
    drop, fill = next(given for given in ((0.1, 2), (0.05, 3), (0.02, 5), (0.01, 10)) if with_ilu(*given))
    for _ in range(times):
        measure("SciPy's cg with spilu", lambda: with_ilu(drop, fill))
        measure("setka.cg with setka.amg", lambda: with_setka(setka.amg))
        measure("SciPy's cg alone", with_scipy)
        measure("setka.cg alone", with_setka)
    print(f"a matrix of SciPy, {n}^3 = {n**3} unknowns, set-up included, to 1e-8 (CPU seconds; by the clock; iterations), "
          f"drop_tol {drop:g}, fill_factor {fill}")
    for name, (cpu, clock, iterations) in rows.items():
        print(f"  {name:28} {cpu:8.3f} {clock:8.3f} {iterations:5}")
    ilu, amg = rows["SciPy's cg with spilu"], rows["setka.cg with setka.amg"]
    print(f"  spilu beside amg: ratio {ilu[0] / amg[0]:.1f} in CPU seconds, {ilu[1] / amg[1]:.1f} by the clock")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", help="libsetka_python_peer.so of the build")
    parser.add_argument("--smallest", action="store_true")
    given = parser.parse_args()
    print(f"setka {setka.__version__}, Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}, "
          f"{os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}")
    calls(50 if given.smallest else 5000)
    lobpcg(*((10, 3, 1) if given.smallest else (40, 10, 8)), given.peer)
    scipy_system(*((10, 1) if given.smallest else (50, 5)))


if __name__ == "__main__":
    main()
