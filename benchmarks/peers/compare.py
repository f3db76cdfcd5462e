#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Setka against CalculiX and PETSc on the CPU; scripts/compare builds what it needs and calls it.

Programs are run in turn, one round of all after the other, so that a machine that grows slower meanwhile does so for
all of them. Times are wall clock, medians of the rounds; ratios are the peer's median over Setka's.
"""
import argparse
import datetime
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

# Cells of cantilevers with about 49, 149 and 300 thousand unknowns.
CANTILEVERS = [(73, 14, 14), (103, 21, 21), (128, 27, 27)]
STATIC_ELEMENTS = ["C3D8", "C3D20R"]
STATIC_UNKNOWNS = 151000


def say(text):
    print(f"   {text}", file=sys.stderr, flush=True)


def run(command, folder=None, threads=None):
    """Runs a program to its end; its standard output and the seconds it took."""
    environment = dict(os.environ)
    if threads is not None:
        environment["OMP_NUM_THREADS"] = str(threads)
    began = time.perf_counter()
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if done.returncode != 0:
        sys.exit(f"compare: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout, seconds


def rounded(value):
    return float(f"{value:.4g}")


def summary(seconds):
    return {"seconds": rounded(statistics.median(seconds)), "all": [rounded(s) for s in seconds]}


def compare_static(options, element, unknowns):
    """*STATIC of the example block, from reading the deck to written results."""
    folder = options.folder / f"static-{element}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    setka = options.setka / "setka"
    made, _ = run([setka, "example", "block", "--size", unknowns, "--element", element, "--json", "-o", folder / "b.inp"])
    unknowns = json.loads(made)["unknowns"]
    times = {"setka": [], "setka_one_thread": [], "ccx": []}
    for turn in range(options.repeats):
        _, seconds = run([setka, "run", "-q", "b.inp"], folder)
        times["setka"].append(seconds)
        _, seconds = run([setka, "run", "-q", "--threads", "1", "b.inp"], folder)
        times["setka_one_thread"].append(seconds)
        _, seconds = run(["ccx", "-i", "b"], folder, threads=1)
        times["ccx"].append(seconds)
        if not (folder / "b.frd").stat().st_size:
            sys.exit("compare: ccx has written no results")
        say(f"{element}, {unknowns} unknowns, round {turn + 1}: setka {times['setka'][-1]:.2f} s, "
            f"on one thread {times['setka_one_thread'][-1]:.2f} s, ccx {times['ccx'][-1]:.2f} s")
    shutil.rmtree(folder)
    row = {"element": element, "unknowns": unknowns}
    row.update({name: summary(seconds) for name, seconds in times.items()})
    row["ratio"] = rounded(row["ccx"]["seconds"] / row["setka"]["seconds"])
    row["ratio_one_thread"] = rounded(row["ccx"]["seconds"] / row["setka_one_thread"]["seconds"])
    return row


def solver_summary(rounds):
    for entry in rounds:
        if not entry["converged"]:
            sys.exit(f"compare: a solver has not converged: {entry}")
    total = summary([entry["set_up_s"] + entry["solve_s"] for entry in rounds])
    return {**total,
            "set_up_s": rounded(statistics.median(entry["set_up_s"] for entry in rounds)),
            "solve_s": rounded(statistics.median(entry["solve_s"] for entry in rounds)),
            "iterations": max(entry["iterations"] for entry in rounds),
            "residual": max(entry["residual"] for entry in rounds)}


def compare_amg(options, cells):
    """Set-up and solution of one system by conjugate gradients with multigrid, to a relative residual of 1e-8."""
    setka = options.setka / "benchmarks" / "setka_amg"
    system = options.folder / "system.bin"
    run([setka, *cells, "--write", system])
    rounds = {"setka": [], "petsc": []}
    mpi = ["mpiexec", "-n", options.ranks] + (["--allow-run-as-root"] if os.getuid() == 0 else [])
    for turn in range(options.repeats):
        text, _ = run([setka, *cells], threads=options.ranks)
        rounds["setka"].append(json.loads(text))
        text, _ = run([*mpi, options.petsc, system], threads=1)
        rounds["petsc"].append(json.loads(text))
        ours, theirs = rounds["setka"][-1], rounds["petsc"][-1]
        say(f"{ours['unknowns']} unknowns, round {turn + 1}: "
            f"setka {ours['set_up_s']:.2f} + {ours['solve_s']:.2f} s, {ours['iterations']} iterations; "
            f"PETSc {theirs['set_up_s']:.2f} + {theirs['solve_s']:.2f} s, {theirs['iterations']} iterations")
    system.unlink()
    row = {"cells": cells, "unknowns": rounds["setka"][0]["unknowns"], "threads_and_ranks": options.ranks}
    row.update({name: solver_summary(entries) for name, entries in rounds.items()})
    row["ratio"] = rounded(row["petsc"]["seconds"] / row["setka"]["seconds"])
    return row


def context(options):
    info = json.loads(run([options.setka / "setka", "info", "--json"])[0])
    processor = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    petsc = subprocess.run(["pkg-config", "--modversion", "petsc"], capture_output=True, text=True).stdout.strip()
    ccx = subprocess.run(["ccx", "-v"], capture_output=True, text=True).stdout.split()
    return {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "processor": processor,
            "num_cpus": os.cpu_count(),
            "load_avg": [rounded(load) for load in os.getloadavg()],
            "setka": f"{info['version']} {info.get('revision', '')}".strip(),
            "petsc": petsc,
            "ccx": ccx[-1] if ccx else "",
            "repeats": options.repeats}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--setka", type=pathlib.Path, required=True, help="folder of the built programs")
    parser.add_argument("--petsc", type=pathlib.Path, required=True, help="the built petsc_gamg")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="for files on the way")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=2, help="of MPI, and threads of Setka, for multigrid")
    parser.add_argument("--only", choices=["static", "amg"], help="the other part stays as the output has it")
    parser.add_argument("--quick", action="store_true", help="tiny systems, to see that all works")
    options = parser.parse_args()
    for name in ("setka", "petsc", "folder"):  # programs are run in other folders
        setattr(options, name, getattr(options, name).resolve())
    result = json.loads(options.output.read_text()) if options.only and options.output.exists() else {}
    result["context"] = context(options)
    if options.only != "amg":
        unknowns = 3000 if options.quick else STATIC_UNKNOWNS
        result["static"] = [compare_static(options, element, unknowns) for element in STATIC_ELEMENTS]
    if options.only != "static":
        cells = [(10, 3, 3)] if options.quick else CANTILEVERS
        result["amg"] = [compare_amg(options, list(c)) for c in cells]
    options.output.write_text(json.dumps(result, indent=2) + "\n")
    say(f"written: {options.output}")


main()
