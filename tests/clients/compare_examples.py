#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""FreeCAD's own FEM examples with Setka's ccx and with CalculiX's, and whether FreeCAD loaded the same.

Ends with 0 if every example came out as expected_examples.py says, with 1 if one did not, and with 77 (ctest's
"skipped") where FreeCAD or CalculiX is missing.
"""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import expected_examples

TOLERANCE = 0.01
HERE = pathlib.Path(__file__).resolve().parent
# Fields that are judged together, by the largest value of any of them.
GROUPS = (("DisplacementVectors",), ("NodeStressXX", "NodeStressYY", "NodeStressZZ", "NodeStressXY",
                                     "NodeStressXZ", "NodeStressYZ"), ("vonMises",),
          ("NodeStrainXX", "NodeStrainYY", "NodeStrainZZ", "NodeStrainXY", "NodeStrainXZ", "NodeStrainYZ"),
          ("Temperature",), ("Peeq",), ("MassFlowRate",), ("NetworkPressure",))


def field(result, group, free=""):
    """All numbers of a group one after another, or None where FreeCAD loaded nothing of it."""
    rows = [value for name in group for value in result.get(name, [])]
    if not rows or not isinstance(rows[0], list):
        return rows or None
    for axis in map("xyz".index, free):
        mean = sum(row[axis] for row in rows) / len(rows)
        rows = [row[:axis] + [row[axis] - mean] + row[axis + 1:] for row in rows]
    return [value for row in rows for value in row]


def apart(ours, theirs, up_to_sign=False):
    """The largest difference by the largest value of CalculiX."""
    scale = max(map(abs, theirs), default=0.0)
    if scale == 0.0:
        return float(any(ours))
    difference = max(abs(a - b) for a, b in zip(ours, theirs))
    if up_to_sign:
        difference = min(difference, max(abs(a + b) for a, b in zip(ours, theirs)))
    return difference / scale


def shape_is_its_own(values, at):
    """Modes of (nearly) equal frequency or factor span a space: each solver has a basis of its own in it."""
    return all(i == at or abs(value - values[at]) > 0.02 * abs(values[at]) for i, value in enumerate(values))


def numbers_of_dat(path):
    """Words and numbers of a .dat file apart: totals of reactions, factors, sums over surfaces."""
    text = path.read_text() if path.exists() else ""
    number = re.compile(r"[-+]?\d+\.\d*(?:[EeDd][-+]?\d+)?")
    return number.sub("#", text).split(), [float(n) for n in number.findall(text)]


def compare_results(ours, theirs, folder, wanted):
    """[what differs, by how much]: the worst difference is the first."""
    rows = []
    a = list(ours["results"].values())
    b = list(theirs["results"].values())
    if len(a) != len(b):
        return [(f"{len(a)} sets of results, CalculiX {len(b)}", 1.0)]
    modal = any(r["mode"] > 0 for r in b)
    # FreeCAD keeps buckling factors in names alone, as CCX_BucklingFactor_53_54_Results; in full they are in .dat.
    factors = [re.search(r"BucklingFactor_(\d+)_(\d+)", name) for name in theirs["results"]]
    if modal:
        values = [r["frequency"] for r in b]
    else:
        values = [float(f"{f[1]}.{f[2]}") if f else 0.0 for f in factors]
    for i, (mine, other) in enumerate(zip(a, b)):
        where = f"set {i + 1}"
        if mine["nodes"] != other["nodes"]:
            return [(f"{where}: {len(mine['nodes'])} nodes, CalculiX {len(other['nodes'])}", 1.0)]
        shape = modal or factors[i] is not None
        if modal:
            # Motions of a free body: 0 but for rounding.
            size = max(abs(values[i]), 1e-3 * max(map(abs, values)))
            rows.append((f"{where}: frequency", abs(mine["frequency"] - values[i]) / size))
        if shape and not shape_is_its_own(values, i):
            continue
        for group in GROUPS:
            free = wanted.free if group == ("DisplacementVectors",) else ""
            x, y = field(mine, group, free), field(other, group, free)
            if (x is None) != (y is None) or (x and len(x) != len(y)):
                return [(f"{where}: {group[0]} is loaded of one alone", 1.0)]
            if x is not None:
                if not all(map(math.isfinite, x + y)):
                    return [(f"{where}: {group[0]} is not a number", 1.0)]
                rows.append((f"{where}: {group[0]}", apart(x, y, shape)))
    if not modal and not wanted.balanced:
        stem = pathlib.Path(ours["deck"]).stem
        words, values = numbers_of_dat(folder / "setka" / f"{stem}.dat")
        other_words, other_values = numbers_of_dat(folder / "calculix" / f"{stem}.dat")
        if words != other_words:
            return [(".dat has other words", 1.0)]
        if any(factors):  # a shape may be turned over, and its reactions with it
            values, other_values = list(map(abs, values)), list(map(abs, other_values))
        rows.append((".dat", apart(values, other_values)))
    return sorted(rows, key=lambda row: -row[1])


def first_error(report):
    """What FreeCAD's user reads first of a refusal."""
    if report.get("code") == 124:
        return "took longer than the limit"
    if "message" in report:
        return report["message"].strip()
    lines = report["stdout"].splitlines()
    at = next((i for i, line in enumerate(lines) if "*ERROR" in line), None)
    if at is None:
        return f"exit code {report.get('code')} without a message"
    return " ".join(line.strip() for line in lines[at:at + 6]).strip()


def verdict(folder, wanted):
    """(word, explanation) of one example."""
    if (folder / "exception.txt").exists():
        return "no CalculiX", (folder / "exception.txt").read_text().strip().splitlines()[-1]
    reports = {}
    for solver in ("setka", "calculix"):
        path = folder / f"{solver}.json"
        if not path.exists():
            return "lost", "FreeCAD ended before it"
        reports[solver] = json.loads(path.read_text())
    ours, theirs = reports["setka"], reports["calculix"]
    if "not started" in (ours["outcome"], theirs["outcome"]):
        return "no CalculiX", first_error(ours)
    if ours["stderr"]:
        return "differs", "standard error, which FreeCAD takes for a failure: " + ours["stderr"][:200]
    if ours["outcome"] == "refused":
        if "*ERROR" not in ours["stdout"] or ours["code"] == 0:
            return "differs", "a refusal that FreeCAD's window does not show: " + first_error(ours)
        if theirs["outcome"] == "refused" and theirs["code"] != 124:
            return "both refuse", first_error(ours)
        return "refused", first_error(ours)
    if theirs["outcome"] == "refused":
        return "ours alone", "CalculiX: " + first_error(theirs)
    rows = compare_results(ours, theirs, folder, wanted)
    name, worst = rows[0]
    times = f"{ours['seconds']:.2f} s, CalculiX {theirs['seconds']:.2f} s"
    if worst <= TOLERANCE:
        return "agree", f"to {100 * worst:.2g} % ({name}); {times}"
    return "differs", "; ".join(f"{n} {100 * d:.2g} %" for n, d in rows[:4])


def limited(program, limit, folder, name):
    """FreeCAD waits for ever for a solver; this gives up."""
    path = folder / name
    path.write_text(f'#!/bin/sh\nexec timeout {limit} "{program}" "$@"\n')
    path.chmod(0o755)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ccx", required=True, help="Setka's ccx")
    parser.add_argument("--calculix", default="/usr/bin/ccx")
    parser.add_argument("--freecad", default="freecadcmd")
    parser.add_argument("--folder", help="keeps decks and results there, which must not exist yet")
    parser.add_argument("--limit", type=int, default=900, help="seconds that a solver may take")
    parser.add_argument("--quick", action="store_true", help="those that take CalculiX a second or less")
    parser.add_argument("--judge", action="store_true", help="only judges what lies in the folder")
    parser.add_argument("examples", nargs="*", help="names; all unless given")
    options = parser.parse_args()
    for program, what in ((options.freecad, "FreeCAD's freecadcmd"), (options.calculix, "CalculiX's ccx")):
        if shutil.which(program) is None:
            print(f"SKIPPED: {what} is missing ({program}); scripts/freecad installs it")
            return 77
    expected = expected_examples.EXPECTED
    names = options.examples or [name for name, row in expected.items() if row.quick or not options.quick]
    unknown = [name for name in names if name not in expected]
    if unknown:
        parser.error("not an example of FreeCAD 0.20: " + " ".join(unknown))
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(options.folder or scratch).resolve()
        if not options.judge:
            folder.mkdir(parents=True, exist_ok=not options.folder)
            programs = {"setka": pathlib.Path(options.ccx).resolve(), "calculix": options.calculix}
            solvers = ";".join(f"{name}={limited(program, options.limit, folder, name + '.sh')}"
                               for name, program in programs.items())
            environment = dict(os.environ, SETKA_FREECAD_FOLDER=str(folder), SETKA_FREECAD_SOLVERS=solvers,
                               SETKA_FREECAD_EXAMPLES=" ".join(names), HOME=str(folder),
                               QT_QPA_PLATFORM="offscreen")
            with open(folder / "freecad.log", "w") as log:
                code = subprocess.run([options.freecad, str(HERE / "run_examples.py")], env=environment,
                                      stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL).returncode
            if code != 0:
                print(f"FreeCAD ended with code {code}:")
                print((folder / "freecad.log").read_text()[-2000:])
        failures = 0
        for name in names:
            wanted = expected[name]
            word, explanation = verdict(folder / name, wanted)
            mark = ""
            if word != wanted.verdict or wanted.message not in explanation:
                failures += 1
                mark = f"  <-- expected: {wanted.verdict} {wanted.message}"
            print(f"{name:52s} {word:12s} {explanation[:300]}{mark}")
        print(f"{len(names) - failures} of {len(names)} as expected")
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main())
