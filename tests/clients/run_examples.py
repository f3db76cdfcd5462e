# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs FreeCAD's own FEM examples with several solvers, and writes down what FreeCAD loaded of their results.

FreeCAD runs this script and takes no arguments for it; compare_examples.py starts it with
SETKA_FREECAD_FOLDER (where decks and results go), SETKA_FREECAD_SOLVERS ("name=program" by semicolons) and
SETKA_FREECAD_EXAMPLES (their names by blanks).
FOLDER/EXAMPLE/SOLVER.json has the outcome and what was loaded, FOLDER/EXAMPLE/SOLVER the deck and its results.
"""
import importlib
import json
import os
import sys
import time
import traceback

import FreeCAD
from femtools import ccxtools

VECTORS = ("DisplacementVectors",)
SCALARS = ("vonMises", "NodeStressXX", "NodeStressYY", "NodeStressZZ", "NodeStressXY", "NodeStressXZ",
           "NodeStressYZ", "NodeStrainXX", "NodeStrainYY", "NodeStrainZZ", "NodeStrainXY", "NodeStrainXZ",
           "NodeStrainYZ", "Temperature", "Peeq", "MassFlowRate", "NetworkPressure")


def loaded(result):
    """What FreeCAD shows its user of one set of results, node by node in the order of their numbers."""
    numbers = list(result.NodeNumbers)
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    values = {"nodes": [numbers[i] for i in order], "time": result.Time, "mode": result.Eigenmode,
              "frequency": float(result.EigenmodeFrequency)}
    for name in VECTORS:
        rows = getattr(result, name)
        if len(rows) == len(numbers):
            values[name] = [list(rows[i]) for i in order]
    for name in SCALARS:
        rows = getattr(result, name, [])
        if len(rows) == len(numbers):
            values[name] = [rows[i] for i in order]
    return values


def run(analysis, solver_object, program, folder):
    """One solver on the example that is open: FreeCAD writes the deck, calls the solver, loads its files."""
    os.makedirs(folder)
    tools = ccxtools.FemToolsCcx(analysis, solver_object)
    tools.purge_results()
    tools.update_objects()
    tools.setup_working_dir(folder)
    unmet = tools.check_prerequisites()
    if unmet:
        return {"outcome": "not started", "message": unmet}
    tools.write_inp_file()
    tools.ccx_binary = program
    tools.ccx_binary_present = True
    begun = time.time()
    code = tools.start_ccx()
    report = {"code": code, "seconds": time.time() - begun, "stdout": tools.ccx_stdout,
              "stderr": tools.ccx_stderr, "deck": os.path.basename(tools.inp_file_name)}
    # FreeCAD's window takes "*ERROR" on standard output for a failure, its menu the exit code.
    if code != 0 or "*ERROR" in tools.ccx_stdout:
        report["outcome"] = "refused"
        return report
    tools.load_results()
    results = [o for o in analysis.Group if o.isDerivedFrom("Fem::FemResultObject")]
    report["results"] = {o.Name: loaded(o) for o in results}
    report["outcome"] = "loaded" if tools.results_present else "nothing loaded"
    return report


def mesh_what_is_bare(document):
    """One example comes without a mesh, and tells its user to make one."""
    for mesh in document.Objects:
        if mesh.isDerivedFrom("Fem::FemMeshObject") and mesh.FemMesh.NodeCount == 0:
            from femmesh.gmshtools import GmshTools
            GmshTools(mesh).create_mesh()


def run_example(name, solvers, folder):
    module = importlib.import_module("femexamples." + name)
    document = FreeCAD.newDocument(name)
    try:
        module.setup(document, "ccxtools")
        document.recompute()
        analyses = [o for o in document.Objects if o.isDerivedFrom("Fem::FemAnalysis")]
        mesh_what_is_bare(document)
        solver_objects = [o for o in document.Objects if o.isDerivedFrom("Fem::FemSolverObjectPython")]
        for solver, program in solvers:
            if not solver_objects:
                report = {"outcome": "not started", "message": "the example makes no solver of CalculiX"}
            else:
                report = run(analyses[0], solver_objects[0], program, os.path.join(folder, name, solver))
            with open(os.path.join(folder, name, solver + ".json"), "w") as stream:
                json.dump(report, stream)
    finally:
        FreeCAD.closeDocument(document.Name)


def main():
    folder = os.environ["SETKA_FREECAD_FOLDER"]
    solvers = [entry.split("=", 1) for entry in os.environ["SETKA_FREECAD_SOLVERS"].split(";")]
    for name in os.environ["SETKA_FREECAD_EXAMPLES"].split():
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        try:
            run_example(name, solvers, folder)
        except Exception:  # one example that FreeCAD itself cannot make must not hide the others
            with open(os.path.join(folder, name, "exception.txt"), "w") as stream:
                traceback.print_exc(file=stream)


code = 1
try:
    main()
    code = 0
except Exception:
    traceback.print_exc()
sys.stdout.flush()
os._exit(code)  # else FreeCAD waits for commands
