# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Setka inside a program of SciPy: one line for a faster solution, and SciPy's own methods with Setka's parts.

    python3 scipy_drop_in.py [nodes a side]
"""
import inspect
import sys
import time

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

import setka

# SciPy 1.14 has one name for it, 1.10 the other.
TOLERANCE = {"rtol" if "rtol" in inspect.signature(scipy.sparse.linalg.cg).parameters else "tol": 1e-8}


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    line = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    A = scipy.sparse.csr_matrix(scipy.sparse.kronsum(scipy.sparse.kronsum(line, line), line))
    b = np.random.default_rng(1).random(n**3)

    def timed(what, solve):
        began = time.perf_counter()
        x = solve()
        print(f"{what:42} {time.perf_counter() - began:7.3f} s, residual "
              f"{np.linalg.norm(b - A @ x) / np.linalg.norm(b):.1e}")
        assert np.linalg.norm(b - A @ x) < 1e-5 * np.linalg.norm(b)
        return x

    print(f"{n}^3 = {n**3} unknowns")
    timed("SciPy's cg", lambda: scipy.sparse.linalg.cg(A, b, **TOLERANCE)[0])
    timed("setka.solve", lambda: setka.solve(A, b).x)
    timed("setka.cg with setka.amg", lambda: setka.cg(A, b, setka.amg(A)).x)
    M = setka.amg(A).aslinearoperator()
    timed("SciPy's cg with setka.amg", lambda: scipy.sparse.linalg.cg(A, b, M=M, **TOLERANCE)[0])
    factor = scipy.sparse.linalg.spilu(A.tocsc(), drop_tol=1e-3)
    ilu = scipy.sparse.linalg.LinearOperator(A.shape, factor.solve, dtype=float)
    timed("setka.gmres with SciPy's spilu", lambda: setka.gmres(A, b, ilu).x)
    own = scipy.sparse.linalg.LinearOperator(A.shape, matvec=lambda x: A @ x, matmat=lambda x: A @ x, dtype=float)
    found = setka.lobpcg(own, 4, preconditioner=setka.amg(A))
    exact = np.sort(np.add.outer(np.add.outer(*[4 * np.sin(np.pi * np.arange(1, 6) / (2 * (n + 1))) ** 2] * 2).ravel(),
                                 4 * np.sin(np.pi * np.arange(1, 6) / (2 * (n + 1))) ** 2).ravel())[:4]
    print(f"the lowest eigenvalues of a LinearOperator: {found.eigenvalues}")
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-6)


if __name__ == "__main__":
    main()
