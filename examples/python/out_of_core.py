# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""A grid on the disk, swept by a device that is given less memory than it takes.

    python3 out_of_core.py [nodes a side] [megabytes of the device] [folder] [device]

u and f are files that are mapped to memory; blocks of planes are sent to the device, swept several times and sent back.
The bits are those of sweeps with all of the grid in memory.
"""
import os
import sys
import tempfile
import time

import numpy as np

import setka


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 80
    memory = int(float(sys.argv[2] if len(sys.argv) > 2 else 2) * 1e6)
    device = sys.argv[4] if len(sys.argv) > 4 else "cpu"
    with tempfile.TemporaryDirectory(dir=sys.argv[3] if len(sys.argv) > 3 else None) as folder:
        shape = (n, n, n)
        u = np.lib.format.open_memmap(os.path.join(folder, "u.npy"), mode="w+", dtype=np.float32, shape=shape)
        f = np.lib.format.open_memmap(os.path.join(folder, "f.npy"), mode="w+", dtype=np.float32, shape=shape)
        f[n // 4 : n // 2, n // 3 : n // 2, n // 3 : n // 2] = 1
        print(f"{u.nbytes / 1e6:.0f} MB of u and as much of f, {memory / 1e6:.1f} MB of the device")
        whole = np.array(u)
        inside = setka.stationary_heat(whole, np.array(f), spacing=1 / n, sweeps=60)

        began = time.perf_counter()
        report = setka.stationary_heat(u, f, spacing=1 / n, sweeps=60, out_of_core=True, memory=memory, device=device)
        took = time.perf_counter() - began
        print(f"{report.sweeps} sweeps in {took:.2f} s, {u.size * report.sweeps / took / 1e6:.0f} million nodes a second; "
              f"the change is {report.change:.1e}")
        assert report.sweeps == inside.sweeps
        if device == "cpu":
            assert (u == whole).all()
        else:
            np.testing.assert_allclose(u, whole, rtol=1e-4, atol=1e-9)
        del u, f


if __name__ == "__main__":
    main()
