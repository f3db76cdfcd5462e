# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""One FEM example in FreeCAD's own window, as its user runs it: the solver's task panel, "Write", "Run", the results.

FreeCAD runs this script and takes no arguments for it; window.py starts it with SETKA_FREECAD_CCX (a program),
SETKA_FREECAD_EXAMPLE and SETKA_FREECAD_PICTURE (a file without its ending): PICTURE-panel.png is the window with the
task panel, PICTURE-result.png with the displaced mesh, PICTURE.json what the panel and the report view say.
"""
import importlib
import json
import os
import traceback

import FreeCAD
import FreeCADGui
from PySide2 import QtCore, QtWidgets

PICTURE = os.environ["SETKA_FREECAD_PICTURE"]


def breathe(seconds):
    """The window draws and answers meanwhile."""
    loop = QtCore.QEventLoop()
    QtCore.QTimer.singleShot(int(1000 * seconds), loop.quit)
    loop.exec_()


def wait_for(condition, seconds, what):
    for _ in range(int(seconds / 0.1)):
        if condition():
            return
        breathe(0.1)
    raise RuntimeError("waited for " + what)


def picture(name):
    breathe(1.0)
    screen = QtWidgets.QApplication.primaryScreen()
    screen.grabWindow(0).save(f"{PICTURE}-{name}.png", "PNG", 0)  # 0: as small as it gets


def show():
    window = FreeCADGui.getMainWindow()
    screen = QtWidgets.QApplication.primaryScreen().geometry()
    window.setGeometry(screen)
    FreeCADGui.activateWorkbench("FemWorkbench")
    for dock in window.findChildren(QtWidgets.QDockWidget):
        dock.setVisible(dock.objectName() in ("Combo View", "Report view"))
    for bar in window.findChildren(QtWidgets.QToolBar):
        bar.setVisible(False)
    window.resizeDocks([window.findChild(QtWidgets.QDockWidget, "Combo View")], [460], QtCore.Qt.Horizontal)
    window.resizeDocks([window.findChild(QtWidgets.QDockWidget, "Report view")], [130], QtCore.Qt.Vertical)
    colours = FreeCAD.ParamGet("User parameter:BaseApp/Preferences/View")
    colours.SetBool("Gradient", False)
    colours.SetBool("Simple", True)
    colours.SetUnsigned("BackgroundColor", 0xffffffff)
    parameters = FreeCAD.ParamGet("User parameter:BaseApp/Preferences/Mod/Fem/Ccx")
    parameters.SetBool("UseStandardCcxLocation", False)
    parameters.SetString("ccxBinaryPath", os.environ["SETKA_FREECAD_CCX"])

    document = FreeCAD.newDocument("Example")
    importlib.import_module("femexamples." + os.environ["SETKA_FREECAD_EXAMPLE"]).setup(document, "ccxtools")
    document.recompute()
    analysis = [o for o in document.Objects if o.isDerivedFrom("Fem::FemAnalysis")][0]
    solver = [o for o in document.Objects if o.isDerivedFrom("Fem::FemSolverObjectPython")][0]
    import FemGui
    FemGui.setActiveAnalysis(analysis)
    for child in window.findChildren(QtWidgets.QMdiSubWindow):
        child.showMaximized()
    view = FreeCADGui.ActiveDocument.ActiveView
    view.setAnimationEnabled(False)
    view.viewAxonometric()
    view.fitAll()
    breathe(1.0)

    FreeCADGui.ActiveDocument.setEdit(solver.Name)  # what a double click on the solver does
    wait_for(lambda: window.findChild(QtWidgets.QPushButton, "pb_write_inp"), 10, "the solver's task panel")
    window.findChild(QtWidgets.QPushButton, "pb_write_inp").click()
    breathe(0.5)
    window.findChild(QtWidgets.QPushButton, "pb_run_ccx").click()
    output = window.findChild(QtWidgets.QTextEdit, "textEdit_Output")
    wait_for(lambda: "Loading result sets" in output.toPlainText(), 120, "the solver to end")
    breathe(1.0)
    view.fitAll()
    scroll = output.parent()
    while scroll is not None and not isinstance(scroll, QtWidgets.QScrollArea):
        scroll = scroll.parent()
    if scroll is not None:
        scroll.ensureWidgetVisible(output)
    picture("panel")
    said = {"panel": output.toPlainText(),
            "report": "\n".join(w.toPlainText() for w in window.findChildren(QtWidgets.QTextEdit)
                                if w is not output)}

    FreeCADGui.Control.closeDialog()
    results = [o for o in document.Objects if o.isDerivedFrom("Fem::FemResultObject")]
    said["results"] = len(results)
    if results:
        said["displacement"] = max(results[0].DisplacementLengths)
        said["mises"] = max(results[0].vonMises)
        mesh = [o for o in document.Objects if o.isDerivedFrom("Fem::FemMeshObject")][0]
        for thing in document.Objects:
            thing.ViewObject.Visibility = False
        shown = results[0].Mesh.ViewObject
        shown.Visibility = True
        shown.setNodeColorByScalars(results[0].NodeNumbers, results[0].vonMises)
        shown.setNodeDisplacementByVectors(results[0].NodeNumbers, results[0].DisplacementVectors)
        shown.applyDisplacement(10.0)
        view.fitAll()
        picture("result")
    with open(PICTURE + ".json", "w") as stream:
        json.dump(said, stream, indent=1)


def run():
    code = 1
    try:
        show()
        code = 0
    except Exception:
        with open(PICTURE + ".error", "w") as stream:
            traceback.print_exc(file=stream)
        picture("error")
    os._exit(code)


QtCore.QTimer.singleShot(2000, run)
