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
import math
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
    def __init__(self, title, of_mode=False, time=None):
        self.title = title
        self.rows = []
        self.of_mode = of_mode  # the number of the mode whose shape it is; True where that is not known
        self.time = time
        self.of_eigenvalues = False

    def largest(self):
        return max((abs(x) for row in self.rows for x in row if isinstance(x, float)), default=0.0)


def text_of(path):
    packed = path.with_name(path.name + ".gz")
    if packed.exists():
        return gzip.decompress(packed.read_bytes()).decode("latin-1")
    return path.read_text("latin-1")


def row_of(line):
    """The numbers of a line, or None when it holds words. The name of a system after a tensor is no word."""
    row = []
    words = TOUCHING.sub(r"\1 ", line).split()
    if len(words) == 9 and words[0].isdigit() and words[1].isdigit():
        words.pop()
    for word in words:
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
    tables, pending, of_mode, time, eigenvalues = [], None, False, None, False
    for line in filter(str.strip, text.splitlines()):
        row = row_of(line)
        if row is None:
            pending = title_of(line)
            at = re.search(r"time\s+([-+.\dE]+)\s*$", line)
            time = float(at[1]) if at else None
            if pending.startswith("E I G E N V A L U E"):
                of_mode = "N U M B E R" in pending and int(pending.split()[-1])
                eigenvalues = not of_mode
        else:
            if pending is not None or not tables:
                tables.append(Table(pending or "", of_mode, time))
                tables[-1].of_eigenvalues, eigenvalues = eigenvalues, False
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


def common_times(reference, computed):
    """The tables of times that both have, where increments of the two programs' own choice differ."""

    def has(tables, table):
        return any(other.time is not None and abs(other.time - table.time) <= 1e-5 * abs(table.time) for other in tables)

    times = [table.time for table in reference], [table.time for table in computed]
    if None in times[0] + times[1] or times[0] == times[1]:
        return reference, computed
    return [table for table in reference if has(computed, table)], [table for table in computed if has(reference, table)]


def groups_of_modes(eigenvalues):
    """Modes by one eigenvalue: any sum of them is a mode as well. Rigid motions are of one, which is zero."""
    largest = max(map(abs, eigenvalues), default=0.0)
    groups = []
    for mode, value in enumerate(eigenvalues):
        before = eigenvalues[mode - 1] if mode else math.inf
        rigid = max(abs(value), abs(before)) <= 1e-7 * largest
        if groups and (rigid or abs(value - before) <= 1e-5 * max(abs(value), abs(before))):
            groups[-1].append(mode)
        else:
            groups.append([mode])
    return groups


def rows_of_groups(table, groups, squares):
    """A table of modes with one row a group: sums, or roots of sums of squares."""
    power = 2 if squares else 1
    rows = []
    for group in groups:
        columns = zip(*(table.rows[mode][1:] for mode in group if mode < len(table.rows)))
        rows.append([sum(abs(x) ** power for x in column) ** (1 / power) for column in columns])
    return rows


def largest_difference(reference, computed):
    """The largest difference over the largest number of its table, and its place; None and words where tables differ."""
    if len(reference) != len(computed):
        return None, f"{len(computed)} tables, the reference has {len(reference)}"
    worst, place, groups, of_modes = 0.0, "", [], 0
    for want, have in zip(reference, computed):
        unlike = first_difference([want], [have], 1e300)
        if unlike:
            return None, unlike
        if want.of_eigenvalues:
            groups, of_modes = groups_of_modes([row[-4] for row in want.rows]), 0
        if want.of_mode and any(want.of_mode - 1 in group for group in groups if len(group) > 1):
            continue  # of several shapes that are as good
        largest = max(want.largest(), LEAST)
        rows, signs = (want.rows, have.rows), (1, -1) if want.of_mode else (1,)
        if want.title.startswith("MODE NO.") and len(want.rows) == sum(map(len, groups)):
            rows = tuple(rows_of_groups(table, groups, of_modes == 0) for table in (want, have))
            of_modes += 1
        found = []
        for sign in signs:
            pairs = (pair for both in zip(*rows) for pair in zip(*both) if isinstance(pair[0], float))
            errors = [abs(a - sign * b) for a, b in pairs]
            errors = [0.0 if error <= LEAST else math.inf if math.isnan(error) else error for error in errors]
            found.append(max(errors, default=0.0) / largest)
        if min(found) > worst:
            worst, place = min(found), f"'{want.title.split('   ')[0]}'"
    return worst, place


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
