#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs all of CalculiX's test suite through CalculiX and through Setka, and says of each deck how they compare.

    suite.py SETKA --cache FOLDER [--only DECK ...] [--markdown docs/deck.md] [--limit SECONDS] [--tolerance T]

CalculiX runs once for each deck, in FOLDER/DECK, and what it wrote is taken from there afterwards. Tables of the .dat
files are compared as compare_dat.py does, and where CalculiX wrote none, blocks of the .frd files. --markdown writes the
outcome between the lines `<!-- suite -->` and `<!-- end of suite -->` of a page.

The exit code is 1 when answers differ that nobody has explained: differences that are known are listed in suite_known.txt,
a deck and the reason a line.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from compare_dat import SUITE, common_times, largest_difference, read_blocks, read_tables, text_of

HERE = pathlib.Path(__file__).resolve().parent
CLASSES = ("agrees", "differs", "refused", "fails", "CalculiX fails", "takes too long", "nothing to compare")


def decks_of_suite():
    names = {path.name.removesuffix(".gz").removesuffix(".inp") for path in SUITE.glob("*.inp*")}
    return sorted(names)


def run_calculix(deck, folder, limit):
    """CalculiX's exit code, or "long"; it runs unless its outcome is in the folder."""
    outcome = folder / "outcome"
    if outcome.exists():
        word, seconds = outcome.read_text().split()
        if word != "long" or float(seconds) >= limit:
            return word
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{deck}.inp").write_text(text_of(SUITE / f"{deck}.inp"), "latin-1")
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    begin = time.monotonic()
    try:
        with open(folder / "log", "wb") as log:
            run = subprocess.run(["ccx", "-i", deck], cwd=folder, stdout=log, stderr=log, timeout=limit, env=environment)
        word = str(run.returncode)
    except subprocess.TimeoutExpired:
        word = "long"
    seconds = limit if word == "long" else time.monotonic() - begin
    for path in folder.iterdir():
        if path.suffix not in (".dat", ".frd", ".inp", "") or path.name.startswith("spooles"):
            path.unlink()
    outcome.write_text(f"{word} {seconds:.2f}\n")
    return word


def run_setka(setka, deck, folder, limit):
    """Exit code and messages."""
    (folder / f"{deck}.inp").write_text(text_of(SUITE / f"{deck}.inp"), "latin-1")
    try:
        run = subprocess.run([setka, "ccx", "-i", deck], cwd=folder, capture_output=True, text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return "long", ""
    return str(run.returncode), run.stdout + run.stderr


def tables_of(path, read):
    """Tables of a file, those of a mesh apart."""
    if not path.exists():
        return []
    return [table for table in read(text_of(path)) if table.title not in ("nodes", "elements") and table.rows]


def causes(messages):
    """What a refusal names: keywords, with the first words of what is said of them."""
    found = []
    for line in messages.splitlines():
        if re.search(r"\bwarning\b", line):
            continue
        for name in re.findall(r"(?<![\w*])\*[A-Z][A-Z -]*[A-Z](?:, ?[A-Z][A-Z -]*[A-Z](?:=[A-Z0-9]+)?)*", line):
            if name not in found and name not in ("*ERROR", "*INFO", "*WARNING"):
                found.append(name)
    return found


def judge(setka, deck, options):
    """Class, and a remark."""
    theirs = options.cache / deck
    word = run_calculix(deck, theirs, options.limit)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep / deck if options.keep else pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        code, messages = run_setka(setka, deck, folder, options.setka_limit)
        (folder / "log").write_text(messages)
        if code in ("1", "2"):
            named = causes(messages)
            return ("refused", "; ".join(named)) if named else ("fails", "refused without naming a keyword: " + messages[-200:])
        if word == "long":
            return "takes too long", "CalculiX"
        if code == "long":
            return "takes too long", "Setka"
        if code != "0":
            return "fails", f"exit code {code}: " + messages.strip().splitlines()[-1][:160]
        if word != "0":
            return "CalculiX fails", f"exit code {word}"
        for suffix, read in ((".dat", read_tables), (".frd", read_blocks)):
            reference = tables_of(theirs / f"{deck}{suffix}", read)
            if reference:
                computed = tables_of(folder / f"{deck}{suffix}", read)
                increments = [table.time for table in reference] != [table.time for table in computed]
                reference, computed = common_times(reference, computed)
                if not reference:
                    return "differs", "no table at a common time"
                difference, place = largest_difference(reference, computed)
                remark = f"{difference:.1e} {place}" if difference is not None else place
                if increments:
                    remark += f", {len(reference)} tables at common times"
                if suffix == ".frd":
                    remark += " (.frd)"
                same = difference is not None and difference <= options.tolerance
                return ("agrees" if same else "differs"), remark
    return "nothing to compare", ""


def wrapped(names):
    return ", ".join(names)


def markdown(outcomes, known):
    by_class = collections.defaultdict(list)
    for deck, (kind, remark) in outcomes.items():
        by_class[kind].append((deck, remark))
    lines = ["| of CalculiX's decks | number |", "|---|---|"]
    words = {
        "agrees": "agree with CalculiX 2.20",
        "differs": "differ, for reasons that are known",
        "refused": "are refused, each with the line and the keyword",
        "fails": "end in another error",
        "CalculiX fails": "CalculiX 2.20 itself does not run",
        "takes too long": "were left out for their time",
        "nothing to compare": "write no results",
    }
    for kind in CLASSES:
        if by_class[kind]:
            lines.append(f"| {words[kind]} | {len(by_class[kind])} |")
    lines += ["", "Agree: " + wrapped(deck for deck, _ in by_class["agrees"]) + ".", ""]
    if by_class["differs"]:
        lines += ["| differs | by | why |", "|---|---|---|"]
        for deck, remark in by_class["differs"]:
            lines.append(f"| {deck} | {remark} | {known.get(deck, 'not known')} |")
        lines.append("")
    groups = collections.defaultdict(list)
    for deck, remark in by_class["refused"]:
        for name in remark.split("; "):
            groups[name].append((deck, "; " not in remark))
    lines += ["| refused for | for it alone | among others |", "|---|---|---|"]
    for name, members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        alone = wrapped(deck for deck, only in members if only)
        lines.append(f"| `{name}` | {alone} | {wrapped(deck for deck, only in members if not only)} |")
    lines.append("")
    for kind in ("fails", "CalculiX fails", "takes too long", "nothing to compare"):
        if by_class[kind]:
            lines += [words[kind][0].upper() + words[kind][1:] + ": " + wrapped(deck for deck, _ in by_class[kind]) + ".", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("setka")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="what CalculiX wrote")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path, help="what Setka wrote")
    parser.add_argument("--limit", type=float, default=60, help="seconds of CalculiX for a deck")
    parser.add_argument("--setka-limit", type=float, default=60, help="seconds of Setka for a deck")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--reference-alone", action="store_true", help="run CalculiX alone")
    options = parser.parse_args()
    setka = pathlib.Path(options.setka).resolve()
    known = {}
    for line in (HERE / "suite_known.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            deck, reason = line.split(None, 1)
            known[deck] = reason
    outcomes = {}
    for deck in options.only or decks_of_suite():
        if options.reference_alone:
            print(f"{deck:24} {run_calculix(deck, options.cache / deck, options.limit)}", flush=True)
            continue
        outcomes[deck] = judge(setka, deck, options)
        print(f"{deck:24} {outcomes[deck][0]:20} {outcomes[deck][1]}", flush=True)
    counts = collections.Counter(kind for kind, _ in outcomes.values())
    print(", ".join(f"{kind}: {counts[kind]}" for kind in CLASSES if counts[kind]))
    if options.markdown:
        page = options.markdown.read_text()
        begin, end = "<!-- suite -->\n", "<!-- end of suite -->"
        head, rest = page.split(begin)
        options.markdown.write_text(head + begin + markdown(outcomes, known) + end + rest.split(end)[1])
    unexplained = [deck for deck, (kind, _) in outcomes.items() if kind == "fails" or kind == "differs" and deck not in known]
    if unexplained:
        sys.exit("not explained: " + " ".join(unexplained))


if __name__ == "__main__":
    main()
