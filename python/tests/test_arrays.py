# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays cross without copies, and what cannot cross is refused with what would be right."""
import gc
import unittest
import weakref

import numpy as np

import setka
from setka import _setka


class Exporter:
    """An array that has nothing but what a library of its own might have."""

    def __init__(self, array, **only):
        self._array = array
        self.__dict__.update(only)


class DlpackOnly:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnGpu:
    """What an array of CuPy says of itself, without a GPU; nothing reads its memory."""

    def __init__(self, typestr="<f8", shape=(4,), strides=None):
        self.shape = shape
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "data": (4096, False), "version": 3,
                                         "strides": strides, "stream": 1}


class Crossing(unittest.TestCase):
    def test_what_is_given_is_used_where_it_lies(self):
        for dtype in (np.float64, np.float32, np.int32, np.uint8):
            x = np.arange(12, dtype=dtype).reshape(3, 4)
            self.assertEqual(_setka._address(x), x.ctypes.data)
            self.assertEqual(_setka._array_in_words(x), f"x is a numpy.ndarray {np.dtype(dtype)} [3, 4] on cpu")
        self.assertEqual(_setka._address(memoryview(x)), x.ctypes.data)

    def test_dlpack_on_the_cpu(self):
        x = np.arange(5.0)
        self.assertEqual(_setka._address(DlpackOnly(x)), x.ctypes.data)
        y = setka.solve_tridiagonal(0.0, 2.0, 0.0, DlpackOnlyShaped(x))
        np.testing.assert_allclose(y, x / 2)

    def test_results_are_numpy_and_own_their_memory(self):
        y = setka.solve_tridiagonal(0.0, 1.0, 0.0, np.arange(1000.0))
        self.assertIsInstance(y, np.ndarray)
        self.assertTrue(y.flags.writeable and y.flags.c_contiguous)
        tail = y[990:]
        del y
        gc.collect()
        np.testing.assert_array_equal(tail, np.arange(990.0, 1000.0))
        np.testing.assert_array_equal(np.from_dlpack(tail), tail)

    def test_out_is_written_in_place(self):
        d = np.ones(7)
        out = np.empty(7)
        self.assertIs(setka.solve_tridiagonal(-1.0, 2.0, -1.0, d, out=out), out)
        setka.solve_tridiagonal(-1.0, 2.0, -1.0, d, out=d)
        np.testing.assert_array_equal(d, out)

    def test_a_matrix_keeps_its_arrays_alive(self):
        import scipy.sparse

        a = scipy.sparse.identity(1000, format="csr") * 3.0
        held = weakref.ref(a.data)
        matrix = setka.Matrix(a)
        address = a.data.ctypes.data
        del a
        gc.collect()
        self.assertIsNotNone(held())
        self.assertEqual(held().ctypes.data, address)
        np.testing.assert_array_equal(matrix @ np.ones(1000), 3.0)
        del matrix
        gc.collect()
        self.assertIsNone(held())

    def test_no_references_are_lost(self):
        import sys

        d = np.ones(8)
        before = sys.getrefcount(d)
        for _ in range(50):
            setka.solve_tridiagonal(-1.0, 3.0, -1.0, d)
            with self.assertRaises(setka.ArrayError):
                setka.solve_tridiagonal(-1.0, 3.0, -1.0, d, out=np.ones(9))
        self.assertEqual(sys.getrefcount(d), before)


class DlpackOnlyShaped(DlpackOnly):
    @property
    def shape(self):
        return self.array.shape


class Refusals(unittest.TestCase):
    def refused(self, text, call, *arguments, **options):
        with self.assertRaises(setka.ArrayError) as caught:
            call(*arguments, **options)
        self.assertIn(text, str(caught.exception))
        self.assertTrue(caught.exception.remedy)
        self.assertIsInstance(caught.exception, TypeError)
        self.assertIsInstance(caught.exception, setka.Error)
        return caught.exception

    def solve(self, d, **options):
        return setka.solve_tridiagonal(-1.0, 2.0, -1.0, d, **options)

    def test_wrong_types(self):
        error = self.refused("d is a numpy.ndarray int64 [4] on cpu", self.solve, np.arange(4))
        self.assertIn("astype", error.remedy)
        self.refused("complex128", self.solve, np.ones(4, dtype=complex))
        self.refused("float16", self.solve, np.ones(4, dtype=np.float16))
        self.refused("bool", self.solve, np.ones(4, dtype=bool))
        self.refused("no plain number", self.solve, np.array(["a", "b"]).astype("U1"))
        self.refused("float64", setka.solve_tridiagonal, np.ones(4, np.float32), np.ones(4), np.ones(4), np.ones(4))
        self.refused("no array", setka._setka._address, object())

    def test_wrong_strides(self):
        whole = np.ones((6, 8))
        error = self.refused("C order", self.solve, whole[:, ::2])
        self.assertIn("ascontiguousarray", error.remedy)
        self.refused("C order", self.solve, np.asfortranarray(whole))
        self.refused("C order", self.solve, np.ones(8)[::-1])
        bytes_between = np.zeros(3, dtype=[("a", "f8"), ("b", "i4")])["a"]
        self.refused("no multiple", self.solve, bytes_between)
        self.solve(whole[:1, :])  # one row of more: nothing lies between

    def test_wrong_shapes(self):
        self.refused("the shape [4] is wanted", self.solve, np.ones(4), out=np.ones(5))
        self.refused("the shape [3, 4] is wanted", setka.solve_tridiagonal, *[np.ones((4, 3))] * 3, np.ones((3, 4)))

    def test_what_may_only_be_read(self):
        out = np.ones(4)
        out.flags.writeable = False
        self.refused("may only be read", self.solve, np.ones(4), out=out)
        self.solve(out)  # to read it is right

    def test_wrong_devices(self):
        self.refused("x is a", setka.identity(4).apply, OnGpu())
        error = self.refused("on cuda:0: it is computed on cpu", self.solve, OnGpu(), device="cpu")
        self.assertIn('device="cuda:0"', error.remedy)
        self.refused("cuda:0", self.solve, np.ones(4), out=OnGpu(), device="cpu")
        self.refused("float32", setka.identity(4).apply, OnGpu("<f4"))

    @unittest.skipIf(not setka.why_no_cuda(), "there is a GPU")
    def test_a_gpu_that_is_not_there(self):
        with self.assertRaises(setka.Error) as caught:
            self.solve(OnGpu())
        self.assertIn("no ", str(caught.exception).lower())

    def test_words_for_devices(self):
        with self.assertRaises(setka.UsageError) as caught:
            setka.device("tpu")
        self.assertIn('"cuda:0"', str(caught.exception))


def gpu():
    """CuPy or PyTorch with a GPU that Setka uses too."""
    why = setka.why_no_cuda()
    if why:
        raise unittest.SkipTest(f"no GPU: {why}")
    try:
        import cupy

        return cupy, lambda values: cupy.asarray(values), cupy.asnumpy
    except ImportError:
        pass
    try:
        import torch

        if torch.cuda.is_available():
            return torch, lambda values: torch.as_tensor(values).cuda(), lambda values: values.cpu().numpy()
    except ImportError:
        pass
    raise unittest.SkipTest("neither CuPy nor PyTorch with CUDA")


class OnTheGpu(unittest.TestCase):
    def test_there_and_back_without_copies(self):
        _, to_gpu, to_cpu = gpu()
        host = np.random.default_rng(1).random((64, 100))
        d = to_gpu(host)
        x = setka.solve_tridiagonal(-1.0, 4.0, -1.0, d)
        self.assertIsInstance(x, setka.Array)
        np.testing.assert_allclose(x.numpy(), setka.solve_tridiagonal(-1.0, 4.0, -1.0, host), rtol=1e-13)
        out = to_gpu(np.zeros_like(host))
        setka.solve_tridiagonal(-1.0, 4.0, -1.0, d, out=out)
        np.testing.assert_array_equal(to_cpu(out), x.numpy())

    def test_results_are_taken_by_both_protocols(self):
        library, to_gpu, to_cpu = gpu()
        x = setka.solve_tridiagonal(0.0, 2.0, 0.0, to_gpu(np.arange(10.0)))
        address = x.__cuda_array_interface__["data"][0]
        taken = library.from_dlpack(x)
        self.assertEqual(_setka._address(taken), address)
        again = library.asarray(x) if library.__name__ == "cupy" else library.as_tensor(x, device="cuda")
        self.assertEqual(_setka._address(again), address)
        del x
        gc.collect()
        np.testing.assert_array_equal(to_cpu(taken), np.arange(10.0) / 2)

    def test_streams_of_others_are_waited_for(self):
        try:
            import cupy
        except ImportError:
            raise unittest.SkipTest("no CuPy") from None
        gpu()
        for _ in range(5):
            with cupy.cuda.Stream(non_blocking=True):
                a = cupy.random.random((2000, 2000))
                for _ in range(10):
                    a = a @ a
                    a /= a.max()
                d = cupy.ascontiguousarray(a)
                x = setka.solve_tridiagonal(0.0, 2.0, 0.0, d)
            np.testing.assert_allclose(x.numpy(), cupy.asnumpy(d) / 2)

    def test_wrong_device_types_and_strides(self):
        _, to_gpu, _ = gpu()
        d = to_gpu(np.ones((8, 8)))
        for text, call in (("computed on cpu", lambda: setka.solve_tridiagonal(-1.0, 4.0, -1.0, d, device="cpu")),
                           ("on cpu: it is computed on cuda:0",
                            lambda: setka.solve_tridiagonal(-1.0, 4.0, -1.0, d, out=np.ones((8, 8)))),
                           ("C order", lambda: setka.solve_tridiagonal(-1.0, 4.0, -1.0, d.T)),
                           ("int64", lambda: setka.solve_tridiagonal(-1.0, 4.0, -1.0, to_gpu(np.arange(4))))):
            with self.assertRaises(setka.ArrayError) as caught:
                call()
            self.assertIn(text, str(caught.exception))

    def test_operators_and_preconditioners_of_functions(self):
        _, to_gpu, to_cpu = gpu()
        n = 500
        diagonal = to_gpu(np.linspace(1.0, 50.0, n))

        def product(x):
            return diagonal[:, None] * x if len(x.shape) == 2 else diagonal * x

        a = setka.operator(product, n, device="cuda:0")
        inverse = setka.operator(lambda x: x / diagonal if len(x.shape) == 1 else x / diagonal[:, None], n, device="cuda:0")
        answer = setka.cg(a, to_gpu(np.ones(n)), inverse)
        self.assertTrue(answer.converged)
        np.testing.assert_allclose(answer.x.numpy(), 1 / np.linspace(1.0, 50.0, n), rtol=1e-6)
        found = setka.lobpcg(a, 4, preconditioner=inverse)
        np.testing.assert_allclose(found.eigenvalues, np.linspace(1.0, 50.0, n)[:4], rtol=1e-6)

    def test_matrices_of_scipy_and_cupy(self):
        import scipy.sparse

        gpu()
        n = 40
        line = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
        host = scipy.sparse.csr_matrix(scipy.sparse.kronsum(line, line))
        for block in (1, 2):
            a = setka.Matrix(host, block=block, device="cuda:0")
            answer = setka.solve(a, np.ones(n * n), method="cg")
            self.assertTrue(answer.converged)
            np.testing.assert_allclose(host @ answer.x, 1.0, atol=1e-5)
            np.testing.assert_allclose((a.tocsr() - host).data, 0)
        try:
            import cupyx.scipy.sparse as sparse
            import cupy
        except ImportError:
            return
        a = setka.Matrix(sparse.csr_matrix(host))
        b = cupy.ones(n * n)
        answer = setka.cg(a, b, setka.amg(a))
        self.assertTrue(answer.converged)
        np.testing.assert_allclose(host @ answer.x.numpy(), 1.0, atol=1e-5)

    def test_heat_in_place(self):
        _, to_gpu, to_cpu = gpu()
        host = np.random.default_rng(2).random((50, 70))
        u = to_gpu(host)
        for scheme in ("lod", "explicit", "douglas"):
            here = setka.heat(host, 0.05, 7, scheme=scheme)
            there = to_gpu(host)
            setka.heat(u, 0.05, 7, scheme=scheme, out=there)
            np.testing.assert_allclose(to_cpu(there), here, rtol=1e-11)

    def test_decks(self):
        gpu()
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            deck = folder + "/block.inp"
            setka.write_example("block", deck, size=3000)
            here = setka.run(deck, device="cpu")
            there = setka.run(deck, device="cuda:0", solver="cg")
        scale = abs(here.result("U")).max()
        np.testing.assert_allclose(there.result("U"), here.result("U"), atol=1e-6 * scale)


if __name__ == "__main__":
    unittest.main(verbosity=2)
