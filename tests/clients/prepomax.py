#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls ccx as PrePoMax does: the job's name alone in its folder, .sta and .cvg read while it runs, results after.

prepomax.py CCX; ends with 0 if all that such a program relies on holds.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

STA_HEAD = ["SUMMARY OF JOB INFORMATION",
            "  STEP      INC     ATT  ITRS     TOT TIME     STEP TIME      INC TIME"]
ENDINGS = (".frd", ".dat", ".sta", ".cvg")


def deck(increments, more=""):
    """A bar of cubes that is pulled along, step by step."""
    cubes = 12
    lines = ["*NODE, NSET=ALL"]
    lines += [f"{4 * i + j + 1}, {i}, {(j in (1, 2)) * 1}, {(j > 1) * 1}" for i in range(cubes + 1) for j in range(4)]
    lines += ["*ELEMENT, TYPE=C3D8, ELSET=BAR"]
    lines += [f"{i + 1}, " + ", ".join(str(4 * (i + far) + j + 1) for far in (0, 1) for j in range(4))
              for i in range(cubes)]
    lines += ["*MATERIAL, NAME=M", "*ELASTIC", "1000, 0.3", "*DENSITY", "1", "*SOLID SECTION, ELSET=BAR, MATERIAL=M",
              "*BOUNDARY", "1, 1, 3", "2, 1, 3", "3, 1, 3", "4, 1, 3", "*STEP, INC=1000000", "*DYNAMIC, DIRECT",
              f"0.01, {0.01 * increments:g}", "*CLOAD", f"{4 * cubes + 1}, 1, 1", f"*NODE FILE, FREQUENCY={increments}",
              "U", f"*NODE PRINT, NSET=ALL, FREQUENCY={increments}", "U", more, "*END STEP", ""]
    return "\n".join(line for line in lines if line) + "\n"


def expect(condition, what):
    if not condition:
        print("prepomax.py: " + what)
        sys.exit(1)


def text(path):
    try:
        return path.read_text()
    except FileNotFoundError:
        return ""


def start(ccx, folder):
    environment = dict(os.environ, OMP_NUM_THREADS="2", CCX_NPROC_STIFFNESS="2", CCX_NPROC_RESULTS="2",
                       NUMBER_OF_CPUS="2")
    return subprocess.Popen([ccx, "job"], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def watched_run(ccx, folder, increments):
    """How many different states of .sta were seen before the end."""
    (folder / "job.inp").write_text(deck(increments))
    for ending in ENDINGS:  # PrePoMax removes them itself
        (folder / f"job{ending}").unlink(missing_ok=True)
    process = start(ccx, folder)
    seen = []
    while process.poll() is None:
        now = text(folder / "job.sta")
        if now and (not seen or now != seen[-1]):
            seen.append(now)
        cvg = text(folder / "job.cvg")
        expect(not cvg or cvg.startswith("SUMMARY OF C0NVERGENCE INFORMATION\n"), f".cvg begins with {cvg[:60]!r}")
        time.sleep(0.002)
    out, error = process.communicate()
    expect(process.returncode == 0, f"exit code {process.returncode}: {out}{error}")
    expect(error == "", f"standard error: {error}")
    expect("*ERROR" not in out, out)
    end = text(folder / "job.sta")
    for before in seen:
        expect(before.endswith("\n"), f"a torn line in .sta: {before[-80:]!r}")
        expect(end.startswith(before), "what .sta said was taken back")
    rows = end.splitlines()
    expect(rows[:2] == STA_HEAD, f".sta begins with {rows[:2]}")
    table = [row.split() for row in rows[2:]]
    expect([int(row[1]) for row in table] == list(range(1, increments + 1)), ".sta lacks an increment")
    expect(all(len(row) == 7 for row in table), "a row of .sta has not seven columns")
    frd = text(folder / "job.frd")
    expect(frd.endswith(" 9999\n") and frd.count("DISP") == 1, ".frd is not complete")
    expect("displacements (vx,vy,vz) for set ALL" in text(folder / "job.dat"), ".dat has no displacements")
    return sum(before != end and len(before.splitlines()) > 2 for before in seen)


def refused_run(ccx, folder):
    (folder / "job.inp").write_text(deck(3, more="*GREEN"))
    process = start(ccx, folder)
    out, error = process.communicate()
    expect(process.returncode != 0 and error == "", f"a refusal ends with {process.returncode}: {error}")
    expect(" *ERROR" in out, out)
    expect(not (folder / "job.frd").exists(), "results of the run before are left for those of the one refused")


def main():
    ccx = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="job of prepomax ") as scratch:
        folder = pathlib.Path(scratch)
        increments = 200
        # On a fast machine few increments pass unseen between two looks; what is to be seen is that there is a between.
        while watched_run(ccx, folder, increments) == 0:
            increments *= 5
            expect(increments < 1e5, "no row of .sta was there before the end")
        refused_run(ccx, folder)
    print("ccx works as PrePoMax calls it")


if __name__ == "__main__":
    main()
