#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Setka in the place of CalculiX, on decks as FreeCAD writes them: a steel beam of 8 x 1 x 1 m, clamped at one end, of
tetrahedra with ten nodes that Gmsh makes. A small one under a load at its tip, and ten modes of a larger one.

  python3 benchmarks/peers/decks.py --setka build/release/bin [--repeats 5] [--output FILE.json]

Needs gmsh and ccx. Both programs run in turn, from the deck to written results, by the clock and in seconds of all
processors together (user and system): on a machine that others use the latter tell more. Medians of the rounds;
ratios are CalculiX's median over Setka's.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

GEOMETRY = """SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 8000, 1000, 1000};
fixed[] = Surface In BoundingBox {-1, -1, -1, 1, 1001, 1001};
tip[] = Surface In BoundingBox {7999, -1, -1, 8001, 1001, 1001};
Physical Volume("BEAM") = {1};
Physical Surface("FIXED") = {fixed[]};
Physical Surface("TIP") = {tip[]};
Mesh.ElementOrder = 2;
Mesh.SecondOrderLinear = 1;
"""
MODEL = """*INCLUDE, INPUT=mesh.inc
*MATERIAL, NAME=STEEL
*ELASTIC
210000, 0.3
*DENSITY
7.9E-09
*SOLID SECTION, ELSET=BEAM, MATERIAL=STEEL
*BOUNDARY
FIXED, 1, 3
*STEP
"""
FILES = "*NODE FILE\nU\n*EL FILE\nS, E\n*END STEP\n"
DECKS = {"static": (1200, "*STATIC\n*CLOAD\nTIP, 3, -1000.\n" + FILES),
         "ten modes": (180, "*FREQUENCY\n10\n" + FILES)}


def run(command, folder):
    """The seconds a program took: by the clock, and of all processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    clock = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"decks: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return clock, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def make(setka, folder, size, step):
    (folder / "beam.geo").write_text(GEOMETRY)
    run(["gmsh", "-3", "-clmax", size, "-clmin", size, "-format", "msh41", "-o", "beam.msh", "beam.geo"], folder)
    run([setka, "convert", "beam.msh", "-o", "mesh.inc"], folder)
    (folder / "job.inp").write_text(MODEL + step)
    text = (folder / "mesh.inc").read_text()
    return text.upper().split("*ELEMENT")[0].count("\n") - text.upper().split("*NODE")[0].count("\n") - 1


def rounded(value):
    return float(f"{value:.4g}")


def compare(setka, name, repeats):
    size, step = DECKS[name]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        row = {"deck": name, "nodes": make(setka, folder, size, step)}
        times = {"setka": [], "ccx": []}
        for turn in range(repeats):
            times["setka"].append(run([setka, "ccx", "-i", "job"], folder))
            times["ccx"].append(run(["ccx", "-i", "job"], folder))
            print(f"   {name}, {row['nodes']} nodes, round {turn + 1}: " + ", ".join(
                f"{program} {rounds[-1][0]:.3f} s ({rounds[-1][1]:.3f} s of processors)" for program, rounds in times.items()),
                file=sys.stderr, flush=True)
    for program, rounds in times.items():
        row[program] = {"seconds": rounded(statistics.median(r[0] for r in rounds)),
                        "processor_seconds": rounded(statistics.median(r[1] for r in rounds))}
    for kind in ("seconds", "processor_seconds"):
        row[f"ratio_of_{kind}"] = rounded(row["ccx"][kind] / row["setka"][kind])
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--setka", type=pathlib.Path, required=True, help="folder of the built programs")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    result = {"date": time.strftime("%Y-%m-%d"), "num_cpus": os.cpu_count(), "load_avg": [rounded(x) for x in os.getloadavg()],
              "decks": [compare((options.setka / "setka").resolve(), name, options.repeats) for name in DECKS]}
    text = json.dumps(result, indent=2)
    print(text)
    if options.output:
        options.output.write_text(text + "\n")


main()
