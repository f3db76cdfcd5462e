#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Setka against CalculiX, PETSc, SLEPc, SciPy and DOLFINx on the CPU; scripts/compare builds what it needs and calls it.

Programs are run in turn, one round of all after the other, so that a machine that grows slower meanwhile does so for
all of them. Times are wall clock, medians of the rounds; ratios are the peer's median over Setka's.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time

import step_decks

# Cells of cantilevers with about 49, 149 and 300 thousand unknowns.
CANTILEVERS = [(73, 14, 14), (103, 21, 21), (128, 27, 27)]
STATIC_ELEMENTS = ["C3D8", "C3D20R"]
STATIC_UNKNOWNS = 151000
RANKS_UNKNOWNS = 300000
MODES = 27
MODES_DECKS = [("pump", "C3D8I", 50000), ("block", "C3D8", 50000), ("block", "C3D8", 151000), ("block", "C3D20R", 152000),
               ("pump", "C3D8", 194000)]
MODES_CANTILEVERS = CANTILEVERS[:2]
# What is computed, its unknowns, and how the deck is written: with cells, and with some that take no time.
STEPS = [("steady heat", 1, lambda write, quick: step_decks.heat(write, (10, 3, 3) if quick else (118, 35, 35), 0)),
         ("heat in time, 100 increments", 1, lambda write, quick: step_decks.heat(write, (10, 3, 3) if quick else (81, 24, 24), 100)),
         ("ten factors of buckling", 3, lambda write, quick: step_decks.buckling(write, (16, 2, 2) if quick else (102, 10, 14), 10)),
         ("plate of S8R", 3, lambda write, quick: step_decks.plate(write, 6 if quick else 75, 0.01))]


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


def run_warm(command, folder, threads=None):
    """The same of a program that ran right before. Virtual machines give memory that was free for a while back, and who asks
    for it first then waits for it: a third of a second for half a gigabyte, whichever program it is. What takes a minute
    does not feel that, and runs once."""
    told, seconds = run(command, folder, threads)
    return (told, seconds) if seconds > 60 else run(command, folder, threads)


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


# As its makers run it (their README), to the residual that Setka's rows have.
DOLFINX = ["dolfinx-scaling-test", "--problem_type", "elasticity", "--scaling_type", "strong", "-ksp_type", "cg", "-ksp_rtol", "1.0e-8",
           "-pc_type", "gamg", "-pc_gamg_coarse_eq_limit", "1000", "-mg_levels_ksp_type", "chebyshev", "-mg_levels_pc_type", "jacobi",
           "-mg_levels_esteig_ksp_type", "cg"]


def stage_seconds(stage, names):
    """Of what --timings tells in JSON: the seconds of the stages of these names together."""
    if stage["name"] in names:
        return stage["seconds"]
    return sum(stage_seconds(part, names) for part in stage["parts"])


def compare_ranks(options, unknowns):
    """Assembly, and set-up and solution of elasticity in linear tetrahedra by processes of MPI, against DOLFINx's scaling test: as many
    unknowns and processes, each on the model that it makes."""
    folder = options.folder / "ranks"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    setka = options.setka / "setka"
    made, _ = run([setka, "example", "block", "--size", unknowns, "--element", "C3D4", "--json", "-o", folder / "b.inp"])
    mpi = ["mpiexec", "-n", options.ranks] + (["--allow-run-as-root"] if os.getuid() == 0 else [])
    rounds = {"setka": [], "dolfinx": []}
    for turn in range(options.repeats):
        told = json.loads(run([*mpi, setka, "run", "b.inp", "--json", "--timings"], folder, threads=1)[0])
        step, stages = told["steps"][0], told["timings"]
        rounds["setka"].append({"assembly_s": stage_seconds(stages, ["assemble"]),
                                "set_up_s": stage_seconds(stages, ["hand over", "preconditioner"]), "solve_s": stage_seconds(stages, ["solve"]),
                                "iterations": step["iterations"], "residual": step["residual"], "converged": step["converged"]})
        text, _ = run([*mpi, *DOLFINX, "--ndofs", unknowns], threads=1)
        times = {name: float(seconds) for name, seconds in re.findall(r"^ZZZ (.*?) +\| +1 +([\d.]+)", text, re.M)}
        rounds["dolfinx"].append({"assembly_s": times["Assemble matrix"], "set_up_s": 0.0, "solve_s": times["Solve"],  # both
                                  "iterations": int(re.search(r"Krylov iterations: +(\d+)", text)[1]), "residual": 1e-8, "converged": True})
        for side, entries in rounds.items():
            last = entries[-1]
            say(f"{unknowns} unknowns by {options.ranks} processes, round {turn + 1}: {side} {last['assembly_s']:.2f} + "
                f"{last['set_up_s'] + last['solve_s']:.2f} s, {last['iterations']} iterations")
    shutil.rmtree(folder)
    row = {"element": "C3D4", "unknowns": json.loads(made)["unknowns"], "ranks": options.ranks}
    for side, entries in rounds.items():
        row[side] = {**solver_summary(entries), "assembly_s": rounded(statistics.median(entry["assembly_s"] for entry in entries))}
    row["ratio"] = rounded(row["dolfinx"]["seconds"] / row["setka"]["seconds"])
    row["ratio_of_assembly"] = rounded(row["dolfinx"]["assembly_s"] / row["setka"]["assembly_s"])
    return row


def eigenvalues(dat, modes):
    """From the table at the head of a .dat file: number, eigenvalue, frequencies."""
    found = []
    for line in dat.read_text().splitlines():
        words = line.split()
        if len(words) == 5 and words[0] == str(len(found) + 1):
            found.append(float(words[1]))
        if len(found) == modes:
            return found
    sys.exit(f"compare: {dat} has {len(found)} modes, not {modes}")


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def known_peer(options, rows, name, **keys):
    """What an earlier run has of a peer, where it is to be used again."""
    if not options.keep_peers:
        return None
    return next((row.get(name) for row in rows if all(row[key] == value for key, value in keys.items())), None)


def compare_modes(options, name, element, size, modes, earlier):
    """*FREQUENCY of an example, from reading the deck to written results."""
    folder = options.folder / f"modes-{name}-{element}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    setka = options.setka / "setka"
    made, _ = run([setka, "example", name, "--size", size, "--element", element, "--modes", modes, "--json",
                   "-o", folder / "m.inp"])
    unknowns = json.loads(made)["unknowns"]
    row = {"model": name, "element": element, "unknowns": unknowns, "modes": modes}
    ccx = known_peer(options, earlier, "ccx", **row)
    kept = {name: known_peer(options, earlier, name, **row) for name in ("difference", "peers_date")} if ccx else {}
    times = {"setka": [], "setka_one_thread": []} | ({} if ccx else {"ccx": []})
    for turn in range(options.repeats):
        _, seconds = run([setka, "run", "-q", "m.inp"], folder)
        times["setka"].append(seconds)
        ours = eigenvalues(folder / "m.dat", modes)
        _, seconds = run([setka, "run", "-q", "--threads", "1", "m.inp"], folder)
        times["setka_one_thread"].append(seconds)
        text = f"setka {times['setka'][-1]:.2f} s, on one thread {times['setka_one_thread'][-1]:.2f} s"
        if not ccx:
            _, seconds = run(["ccx", "-i", "m"], folder, threads=1)
            times["ccx"].append(seconds)
            theirs = eigenvalues(folder / "m.dat", modes)
            row["difference"] = rounded(max(abs(a / b - 1) / 2 for a, b in zip(ours, theirs)))
            text += f", ccx {seconds:.2f} s, frequencies apart by {row['difference']:.1e}"
        say(f"{modes} modes of {name}, {element}, {unknowns} unknowns, round {turn + 1}: {text}")
    shutil.rmtree(folder)
    row.update({name: summary(seconds) for name, seconds in times.items()})
    row["date"] = row["peers_date"] = now()
    if ccx:
        row.update({"ccx": ccx, **kept})
    row["ratio"] = rounded(row["ccx"]["seconds"] / row["setka"]["seconds"])
    row["ratio_one_thread"] = rounded(row["ccx"]["seconds"] / row["setka_one_thread"]["seconds"])
    return row


def compare_matrices(options, cells, modes, earlier):
    """The lowest modes of a cantilever's matrices to residuals of 1e-6, from nothing, on as many cores."""
    setka = options.setka / "benchmarks" / "setka_modes"
    problem = options.folder / "problem.bin"
    mpi = ["mpiexec", "-n", options.ranks] + (["--allow-run-as-root"] if os.getuid() == 0 else [])
    scipy = pathlib.Path(__file__).with_name("scipy_modes.py")
    sides = {"setka_lobpcg": ([setka, *cells, modes, "lobpcg"], options.ranks),
             "setka_lanczos": ([setka, *cells, modes, "lanczos"], options.ranks),
             "slepc_krylovschur_mumps": ([*mpi, options.slepc, problem, modes, "mumps"], 1),
             "slepc_krylovschur_cholmod": ([options.slepc, problem, modes, "cholmod"], options.ranks),
             "slepc_lobpcg_gamg": ([*mpi, options.slepc, problem, modes, "gamg"], 1),
             "scipy_arpack_superlu": (["/usr/bin/python3", scipy, problem, modes], options.ranks)}
    if cells[0] * cells[1] * cells[2] > 20000:
        del sides["scipy_arpack_superlu"]  # SuperLU would take many minutes
    run([setka, *cells, modes, "--write", problem])
    rounds = {side: [] for side in sides}
    row = {"cells": cells, "modes": modes, "threads_and_ranks": options.ranks}
    kept = {}
    for side in sides:
        known = None if side.startswith("setka") else known_peer(options, earlier, side, **row)
        if known:
            kept[side] = known
            kept["peers_date"] = known_peer(options, earlier, "peers_date", **row)
            del rounds[side]
    for turn in range(options.repeats):
        for side, entries in rounds.items():
            command, threads = sides[side]
            entries.append(json.loads(run(command, threads=threads)[0]))
            last = entries[-1]
            say(f"{modes} modes of {last['unknowns']} unknowns, round {turn + 1}: {side} {last['set_up_s']:.2f} + "
                f"{last['solve_s']:.2f} s, {last['iterations']} iterations, residual {last['residual']:.1e}")
    problem.unlink()
    reference = rounds["setka_lanczos"][0]["lambda"]
    for side, entries in rounds.items():
        row[side] = solver_summary(entries)
        row[side]["difference"] = rounded(max(abs(a / b - 1) / 2 for a, b in zip(entries[0]["lambda"], reference)))
    row["unknowns"] = rounds["setka_lobpcg"][0]["unknowns"]
    row["date"] = row["peers_date"] = now()
    row.update(kept)
    row["best"] = min((side for side in sides if not side.startswith("setka")), key=lambda side: row[side]["seconds"])
    row["setka"] = min((row["setka_lobpcg"], row["setka_lanczos"]), key=lambda side: side["seconds"])
    row["ratio"] = rounded(row[row["best"]]["seconds"] / row["setka"]["seconds"])
    return row


def printed_numbers(dat):
    """All numbers of a .dat file but those of its titles."""
    return [float(word) for line in dat.read_text().splitlines() if re.match(r"^[\s\d.E+-]+$", line) for word in line.split()]


def compare_step(options, name, write_deck, components):
    """One step of a deck, from reading it to written results, whose printed numbers have to agree."""
    folder = options.folder / "step"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with open(folder / "s.inp", "w") as deck:
        write_deck(deck.write, options.quick)
    setka = options.setka / "setka"
    counted = json.loads(run([setka, "check", "--json", "s.inp"], folder)[0])
    row = {"step": name, "unknowns": components * counted["nodes"]}
    times = {"setka": [], "setka_one_thread": [], "ccx": []}
    for turn in range(options.repeats):
        _, seconds = run_warm([setka, "run", "-q", "s.inp"], folder)
        times["setka"].append(seconds)
        ours = printed_numbers(folder / "s.dat")
        _, seconds = run_warm([setka, "run", "-q", "--threads", "1", "s.inp"], folder)
        times["setka_one_thread"].append(seconds)
        (folder / "s.dat").unlink()  # what is read next is of the other program
        _, seconds = run_warm(["ccx", "-i", "s"], folder, threads=1)
        times["ccx"].append(seconds)
        theirs = printed_numbers(folder / "s.dat")
        if not ours or len(ours) != len(theirs):
            sys.exit(f"compare: {name}: {len(ours)} numbers are printed, by CalculiX {len(theirs)}")
        row["difference"] = rounded(max(abs(a - b) for a, b in zip(ours, theirs)) / max(map(abs, theirs)))
        say(f"{name}, {row['unknowns']} unknowns, round {turn + 1}: setka {times['setka'][-1]:.2f} s, "
            f"on one thread {times['setka_one_thread'][-1]:.2f} s, ccx {times['ccx'][-1]:.2f} s, apart by {row['difference']:.1e}")
    shutil.rmtree(folder)
    row.update({side: summary(seconds) for side, seconds in times.items()})
    row["ratio"] = rounded(row["ccx"]["seconds"] / row["setka"]["seconds"])
    row["ratio_one_thread"] = rounded(row["ccx"]["seconds"] / row["setka_one_thread"]["seconds"])
    return row


def context(options):
    info = json.loads(run([options.setka / "setka", "info", "--json"])[0])
    processor = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                     f"{platform.machine()} processor")
    petsc = subprocess.run(["pkg-config", "--modversion", "petsc"], capture_output=True, text=True).stdout.strip()
    slepc = subprocess.run(["pkg-config", "--modversion", "slepc"], capture_output=True, text=True).stdout.strip()
    ccx = subprocess.run(["ccx", "-v"], capture_output=True, text=True).stdout.split()
    return {"date": now(),
            "processor": processor,
            "num_cpus": os.cpu_count(),
            "load_avg": [rounded(load) for load in os.getloadavg()],
            "setka": f"{info['version']} {info.get('revision', '')}".strip(),
            "petsc": petsc,
            "slepc": slepc,
            "ccx": ccx[-1] if ccx else "",
            "repeats": options.repeats}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--setka", type=pathlib.Path, required=True, help="folder of the built programs")
    parser.add_argument("--petsc", type=pathlib.Path, required=True, help="the built petsc_gamg")
    parser.add_argument("--slepc", type=pathlib.Path, required=True, help="the built slepc_modes")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="for files on the way")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=2, help="of MPI, and threads of Setka, for multigrid")
    parser.add_argument("--only", choices=["static", "steps", "amg", "modes", "ranks"], help="the other parts stay as the output has them")
    parser.add_argument("--row", default="", help="for modes and steps: rows whose name has this alone, as 'pump', 'C3D8 151000' or 'heat'")
    parser.add_argument("--keep-peers", action="store_true",
                        help="for modes: times of peers that the output has already are not measured again")
    parser.add_argument("--quick", action="store_true", help="tiny systems, to see that all works")
    options = parser.parse_args()
    for name in ("setka", "petsc", "slepc", "folder"):  # programs are run in other folders
        setattr(options, name, getattr(options, name).resolve())
    result = json.loads(options.output.read_text()) if options.only and options.output.exists() else {}
    if options.only in (None, "static", "amg"):
        result["context"] = context(options)
    if options.only in (None, "static"):
        unknowns = 3000 if options.quick else STATIC_UNKNOWNS
        result["static"] = [compare_static(options, element, unknowns) for element in STATIC_ELEMENTS]
    if options.only in (None, "amg"):
        cells = [(10, 3, 3)] if options.quick else CANTILEVERS
        result["amg"] = [compare_amg(options, list(c)) for c in cells]
    if options.only in (None, "ranks"):
        result["ranks"] = [compare_ranks(options, 3000 if options.quick else RANKS_UNKNOWNS)]
        result["ranks_context"] = context(options)
    if options.only in (None, "steps"):
        rows = [compare_step(options, name, write_deck, components) for name, components, write_deck in STEPS if options.row in name]
        kept = [row for row in result.get("steps", []) if all(row["step"] != new["step"] for new in rows)]
        result["steps_context"] = context(options)
        for row in rows:  # those that stay may be of another day, and of another processor
            row.update({key: result["steps_context"][key] for key in ("date", "processor", "num_cpus")})
        result["steps"] = kept + rows
    if options.only in (None, "modes"):
        add_modes(options, result)
    options.output.write_text(json.dumps(result, indent=2) + "\n")
    say(f"written: {options.output}")


def add_modes(options, result):
    """Rows of sizes that are not measured now stay. Each row is written when it is there: together they take long."""
    decks, cantilevers, modes = MODES_DECKS, MODES_CANTILEVERS, MODES
    if options.quick:
        decks, cantilevers, modes = [("pump", "C3D8I", 6000), ("block", "C3D8", 3000)], [(10, 3, 3)], 6

    def add(part, keys, row):
        result[part] = [old for old in result.get(part, []) if any(old[key] != row[key] for key in keys)] + [row]
        result["modes_context"] = context(options)
        options.output.write_text(json.dumps(result, indent=2) + "\n")

    for deck in decks:
        if options.row in " ".join(map(str, deck)):
            row = compare_modes(options, *deck, modes, result.get("modes", []))
            add("modes", ("model", "element", "unknowns"), row)
    for cells in cantilevers:
        if options.row in " x ".join(map(str, cells)):
            row = compare_matrices(options, list(cells), modes, result.get("modes_matrices", []))
            add("modes_matrices", ("cells",), row)


main()
