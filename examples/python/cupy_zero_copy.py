# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of CuPy (or PyTorch) on a GPU in and out without a copy, and a preconditioner that is a function of them.

    python3 cupy_zero_copy.py [lines] [rows]

Exit code 77, with the reason, where there is no GPU or neither library.
"""
import sys

import numpy as np

import setka


def library():
    why = setka.why_no_cuda()
    if why:
        print(f"skipped: no GPU for Setka: {why}")
        sys.exit(77)
    try:
        import cupy

        return cupy
    except ImportError:
        print("skipped: CuPy is not installed")
        sys.exit(77)


def main():
    cupy = library()
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 4096
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    d = cupy.random.random((lines, rows))
    x = setka.solve_tridiagonal(-1.0, 4.0, -1.0, d, periodic=True)
    mine = cupy.asarray(x)  # the same memory
    assert mine.data.ptr == x.__cuda_array_interface__["data"][0]
    back = 4 * mine - cupy.roll(mine, 1, axis=1) - cupy.roll(mine, -1, axis=1)
    error = float(abs(back - d).max())
    print(f"{lines} periodic systems of {rows} rows on {x.device}: off by {error:.1e}")
    assert error < 1e-12

    n = 1000
    diagonal = cupy.linspace(1, 1000, n)
    a = setka.operator(lambda v: diagonal * v, n, device=x.device)
    p = setka.operator(lambda v: v / diagonal, n, device=x.device)
    answer = setka.cg(a, cupy.ones(n), p)
    print(f"{answer!r} with functions of CuPy")
    np.testing.assert_allclose(answer.x.numpy(), 1 / np.linspace(1, 1000, n), rtol=1e-6)


if __name__ == "__main__":
    main()
