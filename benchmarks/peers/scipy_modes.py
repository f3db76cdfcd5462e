#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""The lowest modes of the matrices that setka_modes wrote, by SciPy: ARPACK with K factorised by SuperLU.

scipy_modes.py FILE MODES      one line of JSON, as the other programs of scripts/compare have it
"""
import json
import sys
import time

import numpy
from scipy.sparse import bsr_matrix
from scipy.sparse.linalg import LinearOperator, eigsh, splu


def read(path):
    with open(path, "rb") as file:
        if file.read(8) != b"SETKAEIG":
            sys.exit(f"{path} is not a problem written by setka_modes")
        rows, blocks = numpy.fromfile(file, numpy.int64, 2)
        offset = numpy.fromfile(file, numpy.int32, rows + 1)
        column = numpy.fromfile(file, numpy.int32, blocks)
        matrices = []
        for _ in range(2):
            values = numpy.fromfile(file, numpy.float64, 9 * blocks)
            # Scalar rows of all blocks of a row, one after the other: each block's own values are wanted together.
            cut = numpy.empty((blocks, 3, 3))
            for i in range(rows):
                first, last = offset[i], offset[i + 1]
                cut[first:last] = values[9 * first:9 * last].reshape(3, last - first, 3).transpose(1, 0, 2)
            matrices.append(bsr_matrix((cut, column, offset), shape=(3 * rows, 3 * rows)))
    return matrices


def main():
    k, m = read(sys.argv[1])
    m = m.tocsr()
    columns = k.tocsc()
    began = time.perf_counter()
    # For a symmetric matrix a far better order than SuperLU's own.
    factor = splu(columns, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    set_up = time.perf_counter()
    inverse = LinearOperator(k.shape, factor.solve, dtype=float)
    lam, x = eigsh(k, int(sys.argv[2]), M=m, sigma=0, OPinv=inverse, tol=1e-6)
    solved = time.perf_counter()
    kx = k @ x
    residual = numpy.linalg.norm(kx - (m @ x) * lam, axis=0) / numpy.linalg.norm(kx, axis=0)
    print(json.dumps({"unknowns": k.shape[0], "set_up_s": set_up - began, "solve_s": solved - set_up, "iterations": 0,
                      "residual": residual.max(), "converged": True, "lambda": sorted(lam)}))


main()
