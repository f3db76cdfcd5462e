#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a deck through `setka ccx` and compares the .dat with CalculiX's, and with --frd also the .frd where there is one.

    compare_dat.py SETKA DECK [--tolerance T] [--suite FOLDER] [--frd] [--keep FOLDER]

A .dat file is a sequence of tables: a title in words, then rows. Both files must have the same tables with the same
rows. Whole numbers (nodes, elements, points) must be equal; other numbers may differ by the tolerance, 1e-3 as in
CalculiX's own comparison, times the largest number of their table. A block of the .frd counts as a table.
Modes have no sign: participation factors are compared by size, and a table of a mode's shape may be that of the
opposite shape.
"""
import argparse
import gzip
import pathlib
import re
import subprocess
import sys
import tempfile

SUITE = pathlib.Path("/usr/share/doc/calculix-ccx-test/examples/test")
LEAST = 1e-10  # below this a number is rounding

# Numbers may touch when the second is negative: 0.1E+01-0.2E+01.
TOUCHING = re.compile(r"(E[+-]\d+)(?=-)")


class Table:
    def __init__(self, title, of_mode=False):
        self.title = title
        self.rows = []
        self.of_mode = of_mode

    def largest(self):
        return max((abs(x) for row in self.rows for x in row if isinstance(x, float)), default=0.0)


def text_of(path):
    packed = path.with_name(path.name + ".gz")
    if packed.exists():
        return gzip.decompress(packed.read_bytes()).decode("latin-1")
    return path.read_text("latin-1")


def row_of(line):
    """The numbers of a line, or None when it holds words."""
    row = []
    for word in TOUCHING.sub(r"\1 ", line).split():
        if re.fullmatch(r"\d+", word):
            row.append(int(word))
        elif word != "L":  # directions of a local system
            try:
                row.append(float(word))
            except ValueError:
                return None
    return row


def title_of(line):
    """What a table holds, "stresses": versions of CalculiX differ in what follows it."""
    return re.split(r"[(]| for ", line.strip())[0].strip()


def read_tables(text):
    tables, pending, of_mode = [], None, False
    for line in filter(str.strip, text.splitlines()):
        row = row_of(line)
        if row is None:
            pending = title_of(line)
            if pending.startswith("E I G E N V A L U E"):
                of_mode = "N U M B E R" in pending
        else:
            if pending is not None or not tables:
                tables.append(Table(pending or "", of_mode))
                pending = None
            tables[-1].rows.append(row)
    return tables


def read_blocks(text):
    """Nodes, elements and results of a .frd file; numbers of results have twelve columns."""
    tables, of_mode = [], False
    for line in text.splitlines():
        if line.startswith("  100C"):
            of_mode = "MODAL" in line
        if line.startswith("    2C"):
            tables.append(Table("nodes"))
        elif line.startswith("    3C"):
            tables.append(Table("elements"))
        elif line.startswith(" -4"):
            tables.append(Table(line[5:13].strip(), of_mode))
        elif line.startswith(" -2"):
            tables[-1].rows.append([int(word) for word in line[3:].split()])
        elif line.startswith(" -1") and tables[-1].title == "elements":
            tables[-1].rows.append([int(word) for word in line[3:].split()])
        elif line.startswith(" -1"):
            tables[-1].rows.append([int(line[3:13])] + [float(line[at : at + 12]) for at in range(13, len(line) - 11, 12)])
    return tables


def first_difference(reference, computed, tolerance):
    if len(reference) != len(computed):
        return f"{len(computed)} tables, the reference has {len(reference)}"
    for want, have in zip(reference, computed):
        if want.title != have.title:
            return f"table '{have.title}', the reference has '{want.title}'"
        if len(want.rows) != len(have.rows):
            return f"'{want.title}': {len(have.rows)} rows, the reference has {len(want.rows)}"
        difference = difference_of_rows(want, have, tolerance, 1)
        if difference and want.of_mode and difference_of_rows(want, have, tolerance, -1) is None:
            difference = None
        if difference:
            return difference
    return None


def difference_of_rows(want, have, tolerance, sign):
    bound = max(tolerance * want.largest(), LEAST)
    size_alone = want.title.startswith("MODE NO.")
    for expected, found in zip(want.rows, have.rows):
        if len(expected) != len(found) or any(type(a) is not type(b) for a, b in zip(expected, found)):
            return f"'{want.title}': row {found}, the reference has {expected}"
        for a, b in zip(expected, found):
            error = abs(abs(a) - abs(b)) if size_alone else abs(a - sign * b)
            if not (a == b if isinstance(a, int) else error <= bound):
                return f"'{want.title}': {b} in row {found}, the reference has {a} (bound {bound:.1e})"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("setka")
    parser.add_argument("deck")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--suite", type=pathlib.Path, default=SUITE)
    parser.add_argument("--frd", action="store_true", help="off: those of the test suite are of older versions")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{options.deck}.inp").write_text(text_of(options.suite / f"{options.deck}.inp"), "latin-1")
        run = subprocess.run([pathlib.Path(options.setka).resolve(), "ccx", "-i", options.deck], cwd=folder, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{options.deck}: exit code {run.returncode}\n{run.stdout}{run.stderr}")
        reference = read_tables(text_of(options.suite / f"{options.deck}.dat.ref"))
        difference = first_difference(reference, read_tables(text_of(folder / f"{options.deck}.dat")), options.tolerance)
        fields = options.suite / f"{options.deck}.frd.ref"
        if difference is None and options.frd and fields.exists():
            blocks = read_blocks(text_of(fields))
            difference = first_difference(blocks, read_blocks(text_of(folder / f"{options.deck}.frd")), options.tolerance)
            reference += blocks
    if difference is not None:
        sys.exit(f"{options.deck}: {difference}")
    rows = sum(len(table.rows) for table in reference)
    print(f"{options.deck}: {len(reference)} tables with {rows} rows agree")


if __name__ == "__main__":
    main()
