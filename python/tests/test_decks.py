# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Decks: the numbers are those of the command, and what is wrong is told with file and line."""
import gc
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import setka

try:
    import meshio
except ImportError:
    meshio = None

BAR = """*NODE, NSET=ALL
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 4
6, 1, 0, 4
7, 1, 1, 4
8, 0, 1, 4
*ELEMENT, TYPE=C3D8, ELSET=BAR
7, 1, 2, 3, 4, 5, 6, 7, 8
*NSET, NSET=TOP
5, 6, 7, 8
*MATERIAL, NAME=M
*ELASTIC
1000., 0.
*DENSITY
2.
*SOLID SECTION, ELSET=BAR, MATERIAL=M
*BOUNDARY
1, 1, 3
2, 2, 3
3, 3, 3
4, 3, 3
4, 1, 1
*STEP
*STATIC
*CLOAD
TOP, 3, {force}
*NODE FILE
U, RF
*EL FILE
S
*EL PRINT, ELSET=BAR
S
*END STEP
*STEP
*STATIC
*CLOAD, OP=NEW
TOP, 3, {half}
*NODE FILE
U
*END STEP
"""


class Running(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def test_a_bar_that_is_pulled(self):
        job = setka.read_deck(text=BAR.format(force=2.5, half=1.25)).run(device="cpu")
        self.assertTrue(job.converged)
        self.assertEqual([len(job.of_step(step)) for step in (1, 2)], [1, 1])
        u = job.result("U", step=1)  # stress 10 over a modulus of 1000, along a length of 4
        self.assertEqual(u.shape, (8, 3))
        np.testing.assert_allclose(u[4:, 2], 0.04, rtol=1e-9)
        np.testing.assert_allclose(job.result("u"), u / 2, rtol=1e-9)  # of the last step
        # CalculiX extrapolates from points by rounded factors, and Setka does as it does.
        np.testing.assert_allclose(job.result("S", step=1)[:, 2], 10, rtol=1e-4)
        np.testing.assert_allclose(job.frames[0].points["S"][:, 2], 10, rtol=1e-9)
        np.testing.assert_allclose(job.result("RF", step=1)[:4, 2].sum(), -10, rtol=1e-9)
        self.assertIn(job.steps[0].largest_displacement[1], (5, 6, 7, 8))  # all alike but for rounding
        self.assertIn("U", job.frames[1])
        with self.assertRaises(setka.UsageError) as caught:  # what *NODE FILE asks for replaces what an earlier step did
            job.result("RF")
        self.assertIn("it has U", str(caught.exception))
        with self.assertRaises(setka.UsageError):
            job.result("U", frame=3)

    def test_arrays_are_the_memory_of_the_run_and_stay(self):
        u = setka.read_deck(text=BAR.format(force=2.5, half=1.25)).run(device="cpu").result("U", step=1)
        gc.collect()
        self.assertFalse(u.flags.writeable)
        np.testing.assert_allclose(u[4:, 2], 0.04, rtol=1e-9)

    def test_the_numbers_are_those_of_the_command(self):
        deck = self.path("pump.inp")
        nodes, elements, unknowns = setka.write_example("pump", deck, size=6000, modes=6)
        job = setka.run(deck, device="cpu")
        self.assertEqual((len(job.mesh.points), job.mesh.element_count), (nodes, elements))
        self.assertGreater(unknowns, 4000)
        told = json.loads(subprocess.run([os.environ["SETKA_COMMAND"], "run", "--backend", "cpu", "--json", deck], check=True,
                                         capture_output=True, text=True).stdout)
        table = next(value for value in _walk(told) if isinstance(value, list) and value and isinstance(value[0], dict)
                     and "frequency" in value[0])
        np.testing.assert_allclose(job.frequencies, [row["frequency"] for row in table], rtol=1e-9)
        self.assertEqual(job.frequencies.shape, (6,))
        self.assertEqual(job.frames[2].mode["number"], 3)
        self.assertAlmostEqual(job.frames[2].mode["frequency"], job.frequencies[2])
        self.assertEqual(job.modes.effective_mass.shape, (6, 6))
        self.assertTrue((job.modes.effective_mass < 1.0001).all())
        if meshio is None:
            self.skipTest("no meshio to read the command's file; install python3-meshio")
        shape = meshio.read(self.path("pump.0003.vtu")).point_data["U"]
        np.testing.assert_allclose(job.result("U", frame=2), shape, rtol=1e-6, atol=1e-9 * abs(shape).max())

    def test_frames_as_they_come(self):
        deck = self.path("fin.inp")
        setka.write_example("fin", deck, size=500)
        seen = []
        job = setka.run(deck, device="cpu", keep=False, on_frame=lambda frame: seen.append(frame["NT"].copy()))
        self.assertEqual(job.frames, [])
        self.assertTrue(seen)
        self.assertAlmostEqual(seen[-1].max(), job.steps[-1].hottest[0])

        class Enough(Exception):
            pass

        def enough(_frame):
            raise Enough

        with self.assertRaises(Enough):
            setka.run(deck, device="cpu", on_frame=enough)

    def test_buckling_and_options(self):
        deck = self.path("column.inp")
        setka.write_example("column", deck, size=2000)
        job = setka.run(deck, device="cpu", threads=1, solver="cholesky")
        self.assertGreater(job.steps[-1].factors[0], 0)
        for wrong in ({"solver": "magic"}, {"modes": "magic"}, {"operator": "magic"}, {"precision": "half"}):
            with self.assertRaises(setka.UsageError):
                setka.run(deck, device="cpu", **wrong)

    def test_options_without_a_say_are_refused(self):
        deck = setka.read_deck(text=BAR.format(force=1, half=1))
        for options, kind in (({"precision": "single"}, "*DYNAMIC, EXPLICIT"), ({"modes": "lanczos"}, "*FREQUENCY")):
            with self.assertRaises(setka.UsageError) as caught:
                deck.run(device="cpu", **options)
            self.assertIn(kind, str(caught.exception))

    def test_the_readers_sets_and_check(self):
        deck = setka.read_deck(text=BAR.format(force=1, half=1))
        mesh = deck.mesh
        np.testing.assert_array_equal(mesh.nodes("TOP"), [4, 5, 6, 7])
        np.testing.assert_array_equal(mesh.element_labels, [7])
        self.assertEqual(mesh.cells["C3D8"].tolist(), [[0, 1, 2, 3, 4, 5, 6, 7]])
        found = deck.check()
        self.assertTrue(found.could_run)
        self.assertEqual((found.nodes, found.elements, found["volume"]), (8, 1, 4.0))
        self.assertAlmostEqual(found.mass, 8.0)
        self.assertEqual(found.steps[0]["kind"], "static")
        self.assertEqual(deck.step_count, 2)

    def test_errors_have_their_parts(self):
        path = pathlib.Path(self.path("wrong.inp"))
        path.write_text("*NODE\n1, 0, 0, 0\n*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5, 6, 7, 8\n")
        with self.assertRaises(setka.InputError) as caught:
            setka.run(path)
        error = caught.exception
        self.assertEqual((error.fault, error.line), ("input", 4))
        self.assertTrue(error.file.endswith("wrong.inp"))
        self.assertTrue(error.message and str(error).startswith(error.file))
        self.assertIsInstance(error, ValueError)
        with self.assertRaises(setka.Error):
            setka.run(self.path("nothing.inp"))
        with self.assertRaises(setka.UsageError):
            setka.read_deck()
        import pickle

        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(again), again.line, again.remedy), (str(error), error.line, error.remedy))
        # Not supported: read, told, and refused when it is to run.
        deck = setka.read_deck(text="*NODE\n1,0,0,0\n*STEP\n*VISCO\n*END STEP\n")
        self.assertTrue(deck.unsupported)
        with self.assertRaises(setka.InputError):
            deck.run()


def _walk(value):
    yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _walk(one)


if __name__ == "__main__":
    unittest.main(verbosity=2)
