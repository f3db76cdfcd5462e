#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Times over size: whole runs of the same decks by Setka and by CalculiX, from the deck to result files, one after the other.

sizes.py --setka build/release/bin --output benchmarks/results/MACHINE/sizes.json [--most SIZE] [--repeats N]

Seconds are those of all processors, which other programs on the machine change little; each is the least of the repeats.
scripts/pictures draws them.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import tempfile

DECKS = {
    "static": ("*STATIC of a block, C3D20R", ["block", "--element", "C3D20R"]),
    "modes": ("10 modes of a pump unit, C3D8I", ["pump", "--element", "C3D8I", "--modes", "10"]),
}
SIZES = [6000, 12000, 25000, 50000, 100000, 200000]


def cpu_seconds(command, folder):
    environment = dict(os.environ, OMP_WAIT_POLICY="passive")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--setka", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--most-calculix", type=float, default=300, help="seconds after which larger sizes are Setka's alone")
    parser.add_argument("--repeats", type=int, default=1)
    arguments = parser.parse_args()
    setka = arguments.setka.resolve() / "setka"
    calculix = shutil.which("ccx", path="/usr/bin")
    if calculix is None:
        raise SystemExit("CalculiX is missing: install calculix-ccx")
    rows = []
    for key, (what, example) in DECKS.items():
        too_long = False
        for size in [size for size in SIZES if size <= arguments.most]:
            with tempfile.TemporaryDirectory() as folder:
                made = subprocess.run([setka, "example", *example, "--size", str(size), "-o", "job.inp", "--json"], cwd=folder,
                                      check=True, capture_output=True, text=True)
                row = {"deck": key, "what": what, "unknowns": json.loads(made.stdout)["unknowns"]}
                # The same files are written: .dat and .frd.
                row["setka_s"] = min(cpu_seconds([setka, "ccx", "-i", "job"], folder) for _ in range(arguments.repeats))
                if not too_long:
                    row["calculix_s"] = min(cpu_seconds([calculix, "-i", "job"], folder) for _ in range(arguments.repeats))
                    too_long = row["calculix_s"] > arguments.most_calculix
                rows.append(row)
                print(row, flush=True)
                cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
                arguments.output.parent.mkdir(parents=True, exist_ok=True)
                arguments.output.write_text(json.dumps(
                    {"date": datetime.date.today().isoformat(), "cpu": cpu, "cores": os.cpu_count(), "calculix": "2.20 of Debian 12",
                     "seconds": "of all processors, whole runs", "rows": rows}, indent=1) + "\n")


main()
