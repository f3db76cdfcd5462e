#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""run_page.py PAGE --bin FOLDER: runs every command that a page of the documentation shows, in the order of the page.

Blocks of commands are those whose first line begins with a program of PROGRAMS, after `$ ` or not; of blocks with `$ ` the
other lines are what is printed. Commands run in one scratch folder a page, with the programs of FOLDER, and each has to end
with the exit code 0. pages.py says what there is before a page begins, which sizes are taken instead of the page's, and
which commands are not run, each with its reason; of those that are not, the program and its options still have to exist.
Blocks after an HTML comment <!-- usage --> show forms of commands, of which the same is checked.
Exit code 77: nothing of the page could run here.
"""
import argparse
import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = re.compile(r"(setka(?! \d)|ccx|cmake|ctest|mpirun|gmsh|chrt|python3|pip|mkdir|setka-[\d.]+-linux-\w+/bin/setka|apt|apt-get|sudo|dpkg|tar|man|git|ln|source|"
                      r"(scripts|build|tests|examples|bin)/\S+)( |$)")
SECONDS = 120  # of one command, on a slow machine


def blocks(text):
    """(number of the first line, lines, whether a comment before it says that it is usage) of all blocks of code."""
    lines = text.split("\n")
    usage, k = False, 0
    while k < len(lines):
        line = lines[k]
        if line.startswith("```"):
            end = next(j for j in range(k + 1, len(lines)) if lines[j].startswith("```"))
            if line[3:].strip() in ("", "sh", "bash", "console"):
                yield k + 2, lines[k + 1:end], usage
            usage, k = False, end + 1
        elif line.startswith("    ") and (k == 0 or not lines[k - 1].strip()):
            end = k
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield k + 1, [one[4:] for one in lines[k:end]], usage
            usage, k = False, end
        else:
            usage = line.strip() == "<!-- usage -->" or (usage and not line.strip())
            k += 1


def commands(text):
    """(number of the line, command, whether it is usage)"""
    for first, lines, usage in blocks(text):
        with_prompt = lines[0].startswith("$ ")
        if not PROGRAMS.match(lines[0].removeprefix("$ ")):
            continue
        for k, line in enumerate(lines):
            if with_prompt and not line.startswith("$ ") or not line.strip():
                continue
            line = line.removeprefix("$ ")
            if not with_prompt and not PROGRAMS.match(line) and not line.startswith("#"):
                raise SystemExit(f"line {first + k}: '{line}' stands among commands and is none that is known (PROGRAMS)")
            if not line.startswith("#"):
                yield first + k, line, usage


@functools.cache
def help_of(program, command):
    made = subprocess.run([program, command, "--help"] if command else [program, "--help"], capture_output=True, text=True)
    return made.stdout if made.returncode == 0 else ""


def check_that_it_exists(line, folder):
    """Of a command that is not run: its program, and of ours its options."""
    line = re.sub(r"[][|]", " ", line.split("  ")[0].split(" #")[0])
    words = shlex.split(line)
    while words and re.match(r"(sudo|mpirun|chrt|taskset|-n|-f|-c|\d+)$", words[0]):
        words = words[1:]
    if not words:
        raise SystemExit(f"'{line}' runs nothing")
    program = words[0]
    if program in ("setka", "ccx") or program.endswith("/bin/setka"):
        command = words[1] if program != "ccx" and len(words) > 1 and re.match("[a-z]+$", words[1]) else ""
        text = help_of(str(folder / pathlib.Path(program).name), command)
        if not text:
            raise SystemExit(f"'{line}': setka has no command '{command}'")
        for option in words[1:]:
            name = option.split("=")[0]
            if re.match("--?[a-z]", name) and not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
                raise SystemExit(f"'{line}': {name} is no option of setka {command}")
        return
    found = re.match(r"build/\w+/bin/benchmarks/(\w+)$", program)
    if found and not (ROOT / "benchmarks" / f"{found[1]}.cpp").exists():
        raise SystemExit(f"'{line}': there is no benchmark {found[1]}")
    if re.match(r"(scripts|tests)/", program) and not os.access(ROOT / program, os.X_OK):
        raise SystemExit(f"'{line}': {program} is not there, or no program")


def mpirun_in(folder):
    """As users call it, but for two processes on whatever there is."""
    script = folder / "mpirun"
    script.write_text('#!/bin/sh\n[ "$1" = -n ] && shift 2\n'
                      "exec env PATH=\"$SETKA_PATH\" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                      "mpirun --oversubscribe --mca btl_vader_single_copy_mechanism none -n 2 \"$@\"\n")
    script.chmod(0o755)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    page = pages.PAGES.get(arguments.page, pages.Page())
    text = (ROOT / arguments.page).read_text()
    programs = arguments.bin.resolve()
    has_petsc = "PETSc" in [line.split()[0] for line in
                            subprocess.run([programs / "setka", "info"], capture_output=True, text=True, check=True).stdout.splitlines()
                            if line.startswith("    ") and "missing" not in line]
    unused = set(page.instead) | set(page.apart)
    ran = apart = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "bin").mkdir()
        mpirun_in(scratch / "bin")
        path = f"{programs}:{os.environ['PATH']}"
        environment = dict(os.environ, PATH=f"{scratch / 'bin'}:{path}", SETKA_PATH=path, SETKA_PROFILE=str(scratch / "profile.json"),
                           HOME=str(scratch / "home"), OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive", OMPI_MCA_rmaps_base_oversubscribe="1")
        (scratch / "work").mkdir()
        (scratch / "home").mkdir()
        page.prepare(ROOT, scratch / "work", text)

        def run(line, where):
            try:
                made = subprocess.run(["bash", "-euc", line], cwd=scratch / "work", env=environment, capture_output=True,
                                      text=True, errors="replace", timeout=SECONDS)
            except subprocess.TimeoutExpired:
                raise SystemExit(f"{where}: '{line}' takes more than {SECONDS} s; give it a smaller size in tests/docs/pages.py") from None
            if made.returncode:
                raise SystemExit(f"{where}: '{line}' ends with {made.returncode}\n{made.stdout}{made.stderr}")
            return made.stdout

        for line in page.before:
            run(line, "before the page")
        for number, line, usage in commands(text):
            where = f"{arguments.page}:{number}"
            why = next((why for start, why in {**pages.APART, **page.apart}.items() if line.startswith(start)), None)
            unused.difference_update(start for start in page.apart if line.startswith(start))
            if not why and line.startswith("mpirun") and not has_petsc:
                why = "this build has no PETSc"
            if not why and "| man " in line and shutil.which("man") is None:
                why = "man is not installed"
            if usage or why:
                check_that_it_exists(line, programs)
                print(f"{where}: {line}\n    not run: {'it shows a form' if usage else why}")
                apart += 1
                continue
            for given, small in page.instead.items():
                if given in line:
                    unused.discard(given)
                    line = line.replace(given, small)
            run(line, where)
            print(f"{where}: {line}")
            ran += 1
    if unused:
        raise SystemExit(f"tests/docs/pages.py knows of what {arguments.page} does not have: {', '.join(sorted(unused))}")
    if ran + apart == 0:
        raise SystemExit(f"{arguments.page} shows no command")
    print(f"{ran} commands have run, {apart} were looked at")
    sys.exit(0 if ran + apart > 0 else 77)


main()
