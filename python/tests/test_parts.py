# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parts: sweeps, heat, solvers, modes, plans; and functions of Python inside them."""
import inspect
import os
import pathlib
import signal
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import setka

try:
    import scipy.sparse
    import scipy.sparse.linalg
except ImportError:
    print("skipped: no SciPy; install python3-scipy")
    sys.exit(77)


def laplacian(n, axes=2):
    line = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    made = line
    for _ in range(axes - 1):
        made = scipy.sparse.kronsum(made, line)
    return scipy.sparse.csr_matrix(made)


def tones(n, axes=2):
    one = 4 * np.sin(np.pi * np.arange(1, n + 1) / (2 * (n + 1))) ** 2
    all_of_them = one
    for _ in range(axes - 1):
        all_of_them = np.add.outer(all_of_them, one).ravel()
    return np.sort(all_of_them)


class Sweeps(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(7)

    def dense(self, lower, diagonal, upper, d, periodic):
        n = len(d)
        a = np.diag(diagonal)
        for i in range(n):
            if i > 0 or periodic:
                a[i, i - 1] += lower[i]
            if i < n - 1 or periodic:
                a[i, (i + 1) % n] += upper[i]
        return np.linalg.solve(a, d)

    def test_every_kind_of_coefficients_and_axis(self):
        for dtype, tolerance in ((np.float64, 1e-12), (np.float32, 1e-5)):
            for periodic in (False, True):
                for axis in (0, 1, -1):
                    d = self.rng.random((5, 33, 4)).astype(dtype)
                    rows = d.shape[axis]
                    lower, upper = (self.rng.random(rows).astype(dtype) for _ in range(2))
                    diagonal = (3 + self.rng.random(rows)).astype(dtype)
                    x = setka.solve_tridiagonal(lower, diagonal, upper, d, axis=axis, periodic=periodic, check=True)
                    self.assertEqual(x.dtype, dtype)
                    lines = np.moveaxis(d, axis, -1).reshape(-1, rows)
                    found = np.moveaxis(x, axis, -1).reshape(-1, rows)
                    for line, own in zip(lines, found):
                        np.testing.assert_allclose(own, self.dense(lower.astype(float), diagonal.astype(float),
                                                                   upper.astype(float), line.astype(float), periodic),
                                                   rtol=tolerance, atol=tolerance)
                    shape = [1] * 3
                    shape[axis] = rows
                    each = [np.ascontiguousarray(np.broadcast_to(c.reshape(shape), d.shape)) for c in (lower, diagonal, upper)]
                    np.testing.assert_allclose(setka.solve_tridiagonal(*each, d, axis=axis, periodic=periodic), x,
                                               rtol=tolerance)

    def test_lists_and_numbers(self):
        np.testing.assert_allclose(setka.solve_tridiagonal(-1, 2, -1, [1, 1, 1]), [1.5, 2, 1.5])
        self.assertEqual(setka.solve_tridiagonal(-1.0, 2.0, -1.0, np.empty((0, 5))).shape, (0, 5))

    def test_what_is_wrong_is_said(self):
        with self.assertRaises(setka.UsageError) as caught:
            setka.solve_tridiagonal(-1.0, 2.0, -1.0, np.ones(4), method="fast")
        self.assertIn("automatic, reference, fused, split", str(caught.exception))
        with self.assertRaises(setka.Error) as caught:
            setka.solve_tridiagonal(-1.0, 1.0, -1.0, np.ones(4), check=True)
        self.assertIn("row", str(caught.exception))


class HeatOnGrids(unittest.TestCase):
    def test_a_wave_decays_as_it_should(self):
        n = 64
        x = (np.arange(n) + 0.5) / n
        wave = np.cos(2 * np.pi * x)[:, None] * np.cos(2 * np.pi * x)[None, :]
        for scheme, tolerance in (("lod", 2e-2), ("douglas", 2e-3), ("peaceman_rachford", 2e-3)):
            u = setka.heat(wave, 1e-4, 100, spacing=1 / n, boundary="periodic", scheme=scheme)
            self.assertLess(abs(u.max() / wave.max() / np.exp(-8 * np.pi**2 * 0.01) - 1), tolerance, scheme)
        steps = setka.Heat((n, n), spacing=1 / n, boundary="periodic", scheme="explicit")
        self.assertAlmostEqual(steps.step, 1 / (4 * n * n), places=12)

    def test_any_number_of_steps_in_place_and_in_parts(self):
        start = np.random.default_rng(3).random((20, 30))
        for scheme in ("lod", "explicit", "douglas"):
            for steps in (1, 2, 3, 17, 33):
                whole = setka.heat(start, 0.1, steps, scheme=scheme)
                u = start.copy()
                parts = setka.Heat(start.shape, 0.1, scheme=scheme)
                self.assertIs(parts.advance(u, steps // 2), u)
                parts.advance(u, steps - steps // 2)
                np.testing.assert_array_equal(u, whole, err_msg=f"{scheme}, {steps}")
                self.assertAlmostEqual(u.sum(), start.sum(), places=8)

    def test_sides_fields_and_sources(self):
        # Between 0 and 1 the stationary state is a line, whatever the path to it.
        n = 50
        u = setka.heat(np.zeros(n), 10.0, 500, spacing=1 / n, boundary=[(setka.dirichlet(0), setka.dirichlet(1))])
        np.testing.assert_allclose(u, (np.arange(n) + 0.5) / n, atol=1e-10)
        # u_t = 1 where nothing passes.
        np.testing.assert_allclose(setka.heat(np.zeros((8, 9)), 0.5, 4, source=1.0), 2.0, rtol=1e-12)
        # Decay alone.
        np.testing.assert_allclose(setka.heat(np.ones((8, 9)), 1e-3, 1000, reaction=np.ones((8, 9)), scheme="douglas"),
                                   np.exp(-1), rtol=1e-3)
        field = np.ones((8, 9))
        field[:4] = 2
        np.testing.assert_allclose(setka.heat(np.ones((8, 9)), 0.1, 5, diffusivity=field), 1.0, rtol=1e-12)
        u = setka.heat(np.ones((6, 7), np.float32), 0.1, 2, boundary=setka.robin(2.0, 1.0))
        self.assertEqual(u.dtype, np.float32)
        np.testing.assert_allclose(u, 1, rtol=1e-6)

    def test_what_is_wrong_is_said(self):
        for text, call in (("the step is missing", lambda: setka.heat(np.ones((4, 4)))),
                           ("lod, peaceman_rachford", lambda: setka.heat(np.ones((4, 4)), 1.0, scheme="magic")),
                           ("boundaries for 2 axes", lambda: setka.heat(np.ones((4, 4)), 1.0, boundary=["closed"])),
                           ("the shape [4, 4] is wanted", lambda: setka.Heat((4, 4), 1.0).advance(np.ones((4, 5)))),
                           ("numbers of spacing", lambda: setka.heat(np.ones((4, 4)), 1.0, spacing=(1, 2, 3)))):
            with self.assertRaises(setka.UsageError) as caught:
                call()
            self.assertIn(text, str(caught.exception))

    def test_out_of_core_has_the_same_bits(self):
        rng = np.random.default_rng(5)
        start, f = rng.random((60, 20, 24)), rng.random((60, 20, 24))
        inside = start.copy()
        report = setka.stationary_heat(inside, f, sweeps=40)
        self.assertEqual(report.sweeps, 40)
        with tempfile.TemporaryDirectory() as folder:
            u = np.memmap(folder + "/u", dtype=float, shape=start.shape, mode="w+")
            source = np.memmap(folder + "/f", dtype=float, shape=f.shape, mode="w+")
            u[:], source[:] = start, f
            setka.stationary_heat(u, source, sweeps=40, out_of_core=True, memory=40 * 20 * 24 * 8)
            np.testing.assert_array_equal(u, inside)
            del u, source

    def test_over_relaxation_solves(self):
        n = 33
        x = np.linspace(0, 1, n)
        exact = x[:, None] * x[None, :]
        u = exact.copy()
        u[1:-1, 1:-1] = 0
        report = setka.stationary_heat(u, spacing=1 / (n - 1), method="sor", tolerance=1e-12)
        self.assertTrue(report.converged)
        np.testing.assert_allclose(u, exact, atol=1e-9)


class Systems(unittest.TestCase):
    def setUp(self):
        self.a = laplacian(30)
        self.b = np.random.default_rng(11).random(900)
        self.x = scipy.sparse.linalg.spsolve(self.a.tocsc(), self.b)

    def check(self, answer, tolerance=1e-5):
        self.assertTrue(answer.converged, answer.status)
        np.testing.assert_allclose(answer.x, self.x, rtol=tolerance)

    def test_krylov_methods_of_every_operator(self):
        linear = scipy.sparse.linalg.aslinearoperator(self.a)
        own = setka.operator(lambda x: self.a @ x, 900)
        for method in (setka.cg, setka.minres, setka.gmres):
            for operator in (self.a, setka.Matrix(self.a), linear, own, self.a.toarray()):
                self.check(method(operator, self.b, tolerance=1e-9))
        for word in ("amg", "jacobi", "chebyshev", "fsai"):
            self.check(setka.cg(self.a, self.b, word, tolerance=1e-9))
        with self.assertRaises(setka.UsageError) as caught:
            setka.cg(self.a, self.b, "magic")
        self.assertIn("amg", str(caught.exception))

    def test_multigrid_and_the_choice(self):
        multigrid = setka.amg(self.a)
        self.assertEqual(multigrid.levels[0]["unknowns"], 900)
        self.assertGreater(multigrid.operator_complexity, 1)
        answer = setka.cg(self.a, self.b, multigrid, tolerance=1e-10)
        self.check(answer)
        self.assertLess(answer.iterations, 20)
        self.assertEqual(len(answer.history), answer.iterations + 1)
        for method in ("auto", "cholesky", "cg"):
            self.check(setka.solve(self.a, self.b, method=method))

    def test_a_preconditioner_in_python(self):
        diagonal = self.a.diagonal()
        calls = []

        def inverse(x):
            calls.append(x.shape)
            return x / (diagonal if x.ndim == 1 else diagonal[:, None])

        self.check(setka.cg(self.a, self.b, setka.operator(inverse, 900), tolerance=1e-9))
        self.assertGreater(len(calls), 10)
        factor = scipy.sparse.linalg.splu(self.a.tocsc())
        answer = setka.cg(self.a, self.b, scipy.sparse.linalg.LinearOperator((900, 900), factor.solve, dtype=float))
        self.check(answer)
        self.assertLessEqual(answer.iterations, 2)

    def test_views_are_the_memory_of_the_solver(self):
        written = []

        def product(x, y):
            self.assertFalse(x.flags.writeable)
            self.assertIsNotNone(y.base)
            y[...] = 2 * x
            written.append(y.ctypes.data)

        a = setka.operator(product, 10, into=True)
        out = np.empty(10)
        a.apply(np.ones(10), out)
        self.assertEqual(written, [out.ctypes.data])
        np.testing.assert_array_equal(out, 2.0)
        np.testing.assert_array_equal(a @ np.ones((10, 3)), np.full((10, 3), 2.0))
        single = setka.operator(lambda x: 3 * x.reshape(10), 10, each=True)
        np.testing.assert_array_equal(single @ np.ones((10, 3)), np.full((10, 3), 3.0))

    def test_what_a_function_raises_comes_out(self):
        def product(_x):
            raise LookupError("no such thing")

        with self.assertRaises(LookupError):
            setka.cg(setka.operator(product, 4), np.ones(4))
        with self.assertRaises(ValueError):  # a result of another shape
            setka.cg(setka.operator(lambda x: np.ones(3), 4), np.ones(4))
        with self.assertRaises(setka.UsageError) as caught:
            setka.cg(lambda x: x, np.ones(4))
        self.assertIn("setka.operator", str(caught.exception))

    def test_algebra_and_scipy(self):
        a = setka.Matrix(self.a)
        x = self.b
        np.testing.assert_allclose((2 * a + a @ a - setka.identity(900)) @ x, 2 * (self.a @ x) + self.a @ (self.a @ x) - x,
                                   rtol=1e-11)
        self.assertEqual((a.tocsr() != self.a).nnz, 0)
        tolerance = "rtol" if "rtol" in inspect.signature(scipy.sparse.linalg.cg).parameters else "tol"  # by SciPy's version
        found, status = scipy.sparse.linalg.cg(a.aslinearoperator(), self.b, M=setka.amg(a).aslinearoperator(),
                                               **{tolerance: 1e-9})
        self.assertEqual(status, 0)
        np.testing.assert_allclose(found, self.x, rtol=1e-5)

    def test_blocks_and_their_geometry(self):
        blocks = scipy.sparse.kron(laplacian(10), np.array([[2.0, 0.5], [0.5, 2.0]])).tocsr()
        a = setka.Matrix(blocks, block=2)
        self.assertEqual((a.block, a.shape), (2, (200, 200)))
        self.assertEqual(abs(a.tocsr() - blocks).max(), 0)
        modes = np.tile(np.eye(2), (100, 1))
        self.assertTrue(setka.cg(setka.Matrix(blocks, block=2, near_nullspace=modes), np.ones(200), "amg").converged)
        with self.assertRaises(setka.UsageError):
            setka.Matrix(blocks, block=3)

    def test_solutions_that_are_not_reached_are_no_exceptions(self):
        answer = setka.cg(self.a, self.b, max_iterations=3)
        self.assertFalse(answer.converged)
        self.assertIn("iterations", answer.status)
        self.assertFalse(setka.cg(-self.a, self.b).converged)

    def test_starts_and_outputs(self):
        out = np.empty(900)
        answer = setka.cg(self.a, self.b, x0=self.x, out=out)
        self.assertIs(answer.x, out)
        self.assertLessEqual(answer.iterations, 1)
        with self.assertRaises(setka.ArrayError):
            setka.cg(self.a, np.ones(899))
        with self.assertRaises(setka.UsageError):
            setka.Matrix(self.a.astype(np.float32))


class Frequencies(unittest.TestCase):
    def test_of_a_drum(self):
        a = laplacian(40)
        found = setka.lobpcg(a, 6, preconditioner=setka.amg(a), tolerance=1e-8)
        self.assertTrue(found.converged, found.status)
        np.testing.assert_allclose(found.eigenvalues, tones(40)[:6], rtol=1e-10)
        np.testing.assert_allclose(found.shapes.T @ found.shapes, np.eye(6), atol=1e-8)

    def test_by_functions_alone(self):
        a = laplacian(25)
        solve = scipy.sparse.linalg.splu(a.tocsc()).solve
        shapes = []

        def product(x):
            shapes.append(x.shape)
            return a @ x

        found = setka.lobpcg(setka.operator(product, 625), 5,
                             setka.operator(lambda x: 2 * x, 625),
                             preconditioner=setka.operator(lambda x: solve(np.ascontiguousarray(x)), 625))
        self.assertTrue(found.converged)
        np.testing.assert_allclose(found.eigenvalues, tones(25)[:5] / 2, rtol=1e-8)
        self.assertTrue(any(len(shape) == 2 for shape in shapes))

    def test_the_choice_finds_the_same(self):
        a = laplacian(30)
        m = scipy.sparse.identity(900, format="csr")
        for method in ("auto", "lanczos", "lobpcg", "subspace"):
            found = setka.modes(a, m, 4, method=method)
            np.testing.assert_allclose(found.eigenvalues, tones(30)[:4], rtol=1e-5, err_msg=method)
        with self.assertRaises(setka.UsageError):
            setka.modes(a, m, 4, method="magic")


class LongCalls(unittest.TestCase):
    def slow(self, **options):
        a = laplacian(40)

        def product(x):
            time.sleep(0.005)
            return a @ x

        return setka.cg(setka.operator(product, 1600), np.ones(1600), tolerance=1e-300, max_iterations=4000, **options)

    def test_progress_is_told(self):
        told = []
        steps = setka.Heat((64, 64), 0.1)
        u = np.ones((64, 64))
        began = time.time()
        while time.time() - began < 20 and not told:
            steps.advance(u, 3000, progress=told.append)
        self.assertTrue(told)
        self.assertIsInstance(told[0], setka.Progress)
        self.assertTrue(any(p.name == "heat" for p in told))

    def test_progress_may_end_the_call(self):
        class Enough(Exception):
            pass

        def enough(progress):
            raise Enough

        with self.assertRaises(Enough):
            setka.Heat((64, 64), 0.1).advance(np.ones((64, 64)), 10**9, progress=enough)

    def test_ctrl_c(self):
        timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            setka.Heat((64, 64), 0.1).advance(np.ones((64, 64)), 10**9)
        timer.join()
        self.assertEqual(setka.solve_tridiagonal(0.0, 1.0, 0.0, np.ones(3)).sum(), 3)  # nothing is left of it

    def test_other_threads_go_on(self):
        ticks = []
        stop = threading.Event()

        def tick():
            while not stop.is_set():
                ticks.append(time.time())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        steps, u = setka.Heat((200, 200), 0.1), np.ones((200, 200))
        began = time.time()
        while time.time() - began < 0.5:
            before = len(ticks)
            steps.advance(u, 200)
        stop.set()
        thread.join()
        self.assertGreater(len(ticks), before)

    def test_devices_are_of_threads(self):
        found = []
        thread = threading.Thread(target=lambda: found.append(setka.device("cpu")))
        thread.start()
        thread.join()
        self.assertNotEqual(found[0], setka.device("cpu"))
        self.assertEqual(setka.device("cpu"), setka.device("cpu"))


class Plans(unittest.TestCase):
    def test_a_case(self):
        case = pathlib.Path(os.environ["SETKA_SOURCE"]) / "examples/grating/grating.toml"
        with tempfile.TemporaryDirectory() as folder:
            before = os.environ.get("SETKA_PROFILE")
            os.environ["SETKA_PROFILE"] = folder + "/profile.json"
            try:
                if not setka.build_info()["libraries"].get("toml++"):
                    self.skipTest("this build has no toml++")
                with self.assertRaises(setka.InputError) as caught:
                    setka.plan(case, device="cpu")
                self.assertIn("setka.calibrate", str(caught.exception))
                self.assertEqual(setka.calibrate("cpu", quick=True), folder + "/profile.json")
                found = setka.plan(case, device="cpu")
            finally:
                if before is None:
                    del os.environ["SETKA_PROFILE"]
                else:
                    os.environ["SETKA_PROFILE"] = before
        self.assertGreater(found.seconds, 0)
        self.assertIn(found.chosen, found.ways)
        self.assertAlmostEqual(sum(found.chosen.terms.values()), found.seconds)


if __name__ == "__main__":
    unittest.main(verbosity=2)
