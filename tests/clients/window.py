#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""FreeCAD's own window, on a screen in memory: that it shows results of Setka's ccx, and why a deck is refused.

window.py CCX [--pictures FOLDER] keeps the pictures of docs/freecad.md in the folder. Ends with 0 if what its user is to
see is there, with 77 (ctest's "skipped") where FreeCAD or Xvfb is missing.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LARGEST_PICTURE = 150_000

# FreeCAD starts with the FEM workbench: its start page is a browser, which root may not run.
PREFERENCES = """<?xml version="1.0" encoding="UTF-8"?>
<FCParameters><FCParamGroup Name="Root"><FCParamGroup Name="BaseApp"><FCParamGroup Name="Preferences">
<FCParamGroup Name="General"><FCText Name="AutoloadModule">FemWorkbench</FCText></FCParamGroup>
</FCParamGroup></FCParamGroup></FCParamGroup></FCParameters>
"""


def expect(condition, what):
    if not condition:
        print("window.py: " + what)
        sys.exit(1)


def show(ccx, example, picture):
    """What the window said."""
    home = picture.parent / "home"
    home.mkdir(exist_ok=True)
    preferences = home / "user.cfg"
    preferences.write_text(PREFERENCES)
    environment = dict(os.environ, HOME=str(home), XDG_RUNTIME_DIR=str(home), QTWEBENGINE_DISABLE_SANDBOX="1",
                       LIBGL_ALWAYS_SOFTWARE="1", SETKA_FREECAD_CCX=str(ccx), SETKA_FREECAD_EXAMPLE=example,
                       SETKA_FREECAD_PICTURE=str(picture))
    environment.pop("QT_QPA_PLATFORM", None)
    result = subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1200x760x24", "timeout", "240", "freecad", "-u",
                             str(preferences), str(HERE / "show_example.py")], env=environment, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    error = picture.with_suffix(".error")
    expect(result.returncode == 0, (error.read_text() if error.exists() else "") + result.stdout[-3000:])
    return json.loads(picture.with_suffix(".json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ccx")
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    for program in ("freecad", "xvfb-run"):
        if shutil.which(program) is None:
            print(f"SKIPPED: {program} is missing; scripts/freecad installs it")
            return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        ccx = folder / "ccx"  # a short path, for the pictures
        ccx.symlink_to(os.path.abspath(options.ccx))
        done = show(ccx, "ccx_cantilever_faceload", folder / "freecad")
        expect("CalculiX done without error!" in done["panel"], done["panel"])
        expect("setka " in done["panel"], done["panel"])
        expect(done["results"] == 1 and done["displacement"] > 0 and done["mises"] > 0, str(done))
        refused = show(ccx, "constraint_contact_solid_solid", folder / "freecad-refusal")
        expect("*ERROR" in refused["panel"] and "CONTACT PAIR" in refused["panel"], refused["panel"])
        expect("CalculiX execute error" in refused["panel"], refused["panel"])
        expect("without error" not in refused["panel"] and refused["results"] == 0, refused["panel"])
        pictures = [folder / f"{name}.png" for name in ("freecad-panel", "freecad-result", "freecad-refusal-panel")]
        for picture in pictures:
            expect(5000 < picture.stat().st_size < LARGEST_PICTURE, f"{picture.name}: {picture.stat().st_size} bytes")
            if options.pictures:
                options.pictures.mkdir(parents=True, exist_ok=True)
                shutil.copy(picture, options.pictures)
    print("FreeCAD's window shows results and refusals")
    return 0


if __name__ == "__main__":
    sys.exit(main())
