#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""The modes of `setka example pump` by Setka and by CalculiX itself, from one deck.

pump_modes.py SETKA ELEMENT SIZE TOLERANCE      77, "skipped", where there is no ccx
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

MODES = 27


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def frequencies(dat):
    """Cycles per time from the table at the head of the file: number, eigenvalue, rad per time, cycles, imaginary part."""
    found = []
    for line in dat.read_text().splitlines():
        words = line.split()
        if len(words) == 5 and words[0] == str(len(found) + 1):
            found.append(float(words[3]))
        if len(found) == MODES:
            return found
    sys.exit(f"{dat.name} has {len(found)} modes, not {MODES}")


def main():
    setka, element, size, tolerance = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3], float(sys.argv[4])
    if shutil.which("ccx") is None or "Setka" in subprocess.run(["ccx", "-v"], capture_output=True, text=True).stdout:
        print("skipped: no ccx of CalculiX")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        deck = folder / "pump.inp"
        run([setka, "example", "pump", "--size", size, "--element", element, "--modes", str(MODES), "-o", deck], folder)
        run(["ccx", "-i", "pump"], folder)
        theirs = frequencies(folder / "pump.dat")
        run([setka, "run", "-q", "pump.inp"], folder)
        ours = frequencies(folder / "pump.dat")
    worst = max(range(MODES), key=lambda j: abs(ours[j] / theirs[j] - 1))
    difference = abs(ours[worst] / theirs[worst] - 1)
    print(f"worst: mode {worst + 1}, {ours[worst]} and {theirs[worst]} by CalculiX, apart by {difference:.1e}")
    if difference > tolerance:
        sys.exit(f"the frequencies differ by more than {tolerance}")


main()
