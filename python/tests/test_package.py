# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""The package as a whole: its stub and help are complete, its examples and notebooks run, and pip builds a wheel of it."""
import ast
import contextlib
import doctest
import inspect
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import setka
from setka import _setka

SOURCE = pathlib.Path(os.environ["SETKA_SOURCE"])
EXAMPLES = SOURCE / "examples/python"


class Help(unittest.TestCase):
    def test_everything_public_teaches(self):
        for name in setka.__all__:
            if name in ("Device", "Array"):
                continue  # their words are in the stub
            text = inspect.getdoc(getattr(setka, name)) or ""
            self.assertGreater(len(text), 10, f"setka.{name} has no help")
            self.assertNotIn("(*args", text)
            if inspect.isclass(getattr(setka, name)):
                for member, value in vars(getattr(setka, name)).items():
                    if not member.startswith("_") and inspect.isfunction(value):
                        self.assertTrue(value.__annotations__, f"setka.{name}.{member} has no types")
        self.assertIn("Three levels", setka.__doc__)
        for name in ("arrays", "operators", "progress", "errors"):
            self.assertIn(f"help(setka.{name})", setka.__doc__)
            self.assertTrue(inspect.ismodule(getattr(setka, name)))

    def test_the_stub_is_that_of_the_extension(self):
        tree = ast.parse((pathlib.Path(setka.__file__).parent / "_setka.pyi").read_text())
        stub, real = {}, {}
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                stub[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)} | {
                    item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
            elif isinstance(node, ast.FunctionDef):
                stub[node.name] = {argument.arg for argument in node.args.args}
            elif isinstance(node, ast.AnnAssign):
                stub[node.target.id] = set()
        of_everything = set(dir(type("Nothing", (), {})))
        for name, value in vars(_setka).items():
            if name.startswith("_"):
                continue
            if inspect.isclass(value):
                real[name] = {member for member in vars(value) if member not in of_everything and member != "__eq__"
                              and not member.startswith("_pybind11")}
            elif callable(value):
                signature = value.__doc__.split("(", 1)[1].rsplit(")", 1)[0]
                real[name] = {part.split(":")[0].strip() for part in _arguments(signature)}
            else:
                real[name] = set()
        self.assertEqual(set(stub), set(real))
        for name in real:
            wanted = real[name] if not inspect.isclass(getattr(_setka, name)) else real[name] - {"__repr__"}
            self.assertEqual({n for n in stub[name] if n not in ("__init__", "__hash__")}, wanted - {"__init__", "__hash__"},
                             name)

    def test_what_docstrings_show_is_so(self):
        names = {"setka": setka, "np": np, "mesh": setka.box((1, 1, 1))}
        for module in (setka.grid,):
            result = doctest.testmod(module, extraglobs=names, optionflags=doctest.NORMALIZE_WHITESPACE)
            self.assertGreater(result.attempted, 1)
            self.assertEqual(result.failed, 0)


def _arguments(signature):
    depth, begin = 0, 0
    for i, letter in enumerate(signature):
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            yield signature[begin:i]
            begin = i + 1
    if signature.strip():
        yield signature[begin:]


class Examples(unittest.TestCase):
    RUNS = {"modes_of_a_bracket.py": ["0.03"], "grating.py": ["64"], "out_of_core.py": ["60", "1"],
            "hundred_decks.py": ["100"], "scipy_drop_in.py": ["16"], "cupy_zero_copy.py": []}

    def test_all_are_run(self):
        self.assertEqual({path.name for path in EXAMPLES.glob("*.py")}, set(self.RUNS))


def _example(name, arguments):
    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", str(EXAMPLES / name), *arguments], cwd=folder, capture_output=True,
                                  text=True, timeout=500)
        if done.returncode == 77:
            self.skipTest(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout)

    return run


for _name, _given in Examples.RUNS.items():
    setattr(Examples, f"test_{_name[:-3]}", _example(_name, _given))


class Notebooks(unittest.TestCase):
    """The cells of code, in their order and in one namespace, as a kernel runs them."""

    def run_cells(self, path):
        book = json.loads(path.read_text())
        self.assertGreaterEqual(book["nbformat"], 4)
        space = {"__name__": "__main__"}
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            os.chdir(folder)
            try:
                for cell in book["cells"]:
                    if cell["cell_type"] != "code":
                        continue
                    self.assertEqual(cell["outputs"], [], "the notebook is kept without outputs")
                    tree = ast.parse("".join(cell["source"]))
                    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
                    exec(compile(tree, path.name, "exec"), space)
                    if last is not None:
                        print(eval(compile(ast.Expression(last.value), path.name, "eval"), space))
            finally:
                os.chdir(here)
        return said.getvalue()

    def test_first_steps(self):
        self.assertIn("U", self.run_cells(EXAMPLES / "first_steps.ipynb"))

    def test_own_problems(self):
        self.assertIn("mode", self.run_cells(EXAMPLES / "own_problems.ipynb"))


class Wheel(unittest.TestCase):
    def test_pip_builds_and_installs_it(self):
        if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode != 0:
            self.skipTest("no pip: install python3-pip")
        with tempfile.TemporaryDirectory() as folder:
            for more in ([], ["--no-build-isolation"]):
                target = os.path.join(folder, "installed" + "".join(more))
                done = subprocess.run(
                    [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check",
                     "--no-cache-dir", "--target", target, *more, "--config-settings",
                     f"build-dir={os.environ['SETKA_BUILD']}", str(SOURCE)],
                    cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                used = subprocess.run([sys.executable, "-B", "-c", "import setka; print(setka.__file__, setka.__version__); "
                                       "print(setka.solve_tridiagonal(-1., 2., -1., [1., 1., 1.]))"], cwd=folder,
                                      capture_output=True, text=True, env={**os.environ, "PYTHONPATH": target})
                self.assertEqual(used.returncode, 0, used.stderr)
                self.assertTrue(used.stdout.startswith(target), used.stdout)
                self.assertIn(setka.__version__, used.stdout)
                # The library in it is its own.
                linked = subprocess.run(["ldd", *pathlib.Path(target).glob("setka/_setka*.so")], capture_output=True, text=True)
                ours = [line for line in linked.stdout.splitlines() if "libsetka" in line]
                self.assertTrue(all(os.path.realpath(target) in os.path.realpath(line.split("=>")[1].split("(")[0].strip())
                                    for line in ours), linked.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
