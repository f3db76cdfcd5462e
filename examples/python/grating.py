# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Heat through a grating: bars that conduct well in a filling that does not, hot on one side and cold on the other.

    python3 grating.py [cells a side] [device]

The stationary flow is compared with that of the layers side by side, which it is where the bars go straight across.
"""
import sys

import numpy as np

import setka


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 128
    device = sys.argv[2] if len(sys.argv) > 2 else "cpu"
    spacing = 1 / n
    y = (np.arange(n) + 0.5) * spacing
    bars = (y * 4) % 1 < 0.25  # a quarter of the width
    diffusivity = np.broadcast_to(np.where(bars, 20.0, 1.0)[None, :], (n, n))

    # Along x from 1 to 0; along y nothing passes.
    steps = setka.Heat((n, n), 0.02, spacing=spacing, diffusivity=diffusivity,
                       boundary=[(setka.dirichlet(1), setka.dirichlet(0)), "closed"], device=device)
    u = np.zeros((n, n))
    where = u
    if steps.device.is_cuda:
        import cupy

        where = cupy.asarray(u)
    for k in range(40):
        steps.advance(where, 25)
        if k % 10 == 0:
            print(f"time {steps.step * 25 * (k + 1):5.1f}: mean {float(where.mean()):.6f}")
    u = np.asarray(where.get() if hasattr(where, "get") else where)

    flow = (diffusivity[0] * (1 - u[0]) / (spacing / 2)).mean()
    exact = 0.25 * 20 + 0.75 * 1
    print(f"flow {flow:.6f}, of layers side by side {exact:.6f}")
    assert abs(flow / exact - 1) < 1e-3
    assert abs(u.mean() - 0.5) < 1e-3


if __name__ == "__main__":
    main()
