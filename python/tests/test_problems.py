# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Problems of one's own against formulas, decks and SciPy."""
import os
import pathlib
import sys
import tempfile
import unittest

import numpy as np

import setka

try:
    import scipy.sparse.linalg
except ImportError:
    print("skipped: no SciPy; install python3-scipy")
    sys.exit(77)


def bar(cells=(2, 2, 12), lengths=(1, 1, 6)):
    mesh = setka.box(cells, lengths)
    space = setka.Space(mesh)
    return mesh, space


class Statics(unittest.TestCase):
    def test_a_bar_that_is_pulled(self):
        mesh, space = bar()
        space.fix("z-", 2).fix("x-", 0).fix("y-", 1)
        top = mesh.nodes("z+")
        weights = np.array([(0.5 if mesh.points[n, 0] in (0, 1) else 1) * (0.5 if mesh.points[n, 1] in (0, 1) else 1)
                            for n in top]) / 4
        forces = np.zeros((len(mesh.points), 3))
        forces[top, 2] = 50 * weights
        steel = setka.elasticity(young=1000, poisson=0.3)
        for method in ("auto", "cholesky", "cg"):
            field = space.solve(steel, forces, method=method, tolerance=1e-10)
            self.assertTrue(field.converged)
            exact = mesh.points * np.array([-0.3 * 0.05, -0.3 * 0.05, 0.05])
            np.testing.assert_allclose(field.u, exact, atol=1e-7)
        self.assertAlmostEqual(space.load(density=(0, 0, 2.0))[:, 2].sum(), 12.0)
        self.assertAlmostEqual(space.load("z+", (0, 0, 3.0)).sum(), 3.0)

    def test_prescribed_values_and_the_patch_test(self):
        mesh = setka.box((3, 4, 2), (1, 1, 1))
        inside = (mesh.points > 0.01).all(1) & (mesh.points < 0.99).all(1)
        shaken = mesh.points.copy()
        shaken[inside] += np.random.default_rng(1).uniform(-0.05, 0.05, (inside.sum(), 3))
        mesh = setka.Mesh(shaken, mesh.cells)
        gradient = np.array([[1.0, 0.5, 0.2], [0.1, -0.3, 0.4], [0.0, 0.7, 0.9]])
        exact = shaken @ gradient.T
        space = setka.Space(mesh)
        for node in np.flatnonzero(~inside):
            space.fix([node], value=exact[node])
        np.testing.assert_allclose(space.solve(setka.elasticity(10, 0.2)).u, exact, atol=1e-7)

    def test_heat_of_different_materials(self):
        mesh = setka.box((8, 2), (2, 1))
        space = setka.Space(mesh, 1).fix("x-", value=100).fix("x+", value=20)
        middle = mesh.points[mesh.cells["quad"]].mean(axis=1)[:, 0]
        field = space.solve(setka.conduction(np.where(middle < 1, 1.0, 3.0)))
        at = np.interp(mesh.points[:, 0], [0, 1, 2], [100, 40, 20])
        np.testing.assert_allclose(field.u[:, 0], at, rtol=1e-9)

    def test_sheets_in_plane_stress(self):
        mesh = setka.box((4, 2), (2, 1))
        space = setka.Space(mesh).fix("x-", 0).fix("y-", 1).fix("x+", 0, 0.02)
        u = space.solve(setka.elasticity(100, 0.25, plane_stress=True)).u
        np.testing.assert_allclose(u, mesh.points[:, :2] * [0.01, -0.0025], atol=1e-9)
        strained = space.solve(setka.elasticity(100, 0.25)).u
        np.testing.assert_allclose(strained[:, 1], mesh.points[:, 1] * -0.01 / 3, atol=1e-9)

    def test_what_is_wrong_is_said(self):
        mesh, space = bar()
        for text, call in (("nothing holds", lambda: space.solve(setka.elasticity(1, 0.3), space.load("z+", (0, 0, 1)))),
                           ("there is no set", lambda: space.fix("top")),
                           ("no component 3", lambda: space.fix("z-", 3)),
                           ("numbered from 0", lambda: space.fix([10**6])),
                           ("between -1 and 0.5", lambda: setka.elasticity(1, 0.5)),
                           ("integers", lambda: setka.Mesh(mesh.points, {"tetra": np.ones((2, 4))})),
                           ("there are 8 points", lambda: setka.Space(setka.Mesh(np.zeros((8, 3)), {"tetra": [[0, 1, 2, 8]]}))),
                           ("the shape [any, 4]", lambda: setka.Space(setka.Mesh(np.zeros((8, 3)), {"tetra": [[0, 1, 2]]}))),
                           ("brick", lambda: setka.Space(setka.Mesh(np.zeros((8, 3)), {"brick": [[0, 1, 2]]})))):
            with self.assertRaises(setka.Error, msg=text) as caught:
                call()
            self.assertIn(text.lower(), str(caught.exception).lower())


class Matrices(unittest.TestCase):
    def test_all_operators_are_the_same_and_scipy_solves_with_them(self):
        mesh, space = bar((2, 3, 4))
        space.fix("z-").fix("x+", 1)  # nodes of which one component is held fill their blocks
        form = setka.elasticity(1.0, 0.3)
        k = space.matrix(form)
        self.assertEqual(k.shape[0], space.size)
        self.assertLess(space.unknown_count, space.size)
        x = np.random.default_rng(2).random(space.unknown_count)
        spread = space._inner.spread(x)
        for other in (space.operator(form), space.operator(form, stored=False)):
            np.testing.assert_allclose(other @ spread, k @ spread, rtol=1e-10, atol=1e-12)
        csr = k.tocsr()
        self.assertEqual(csr.shape[0], space.unknown_count)
        self.assertLess(abs(csr - csr.T).max(), 1e-12)
        np.testing.assert_allclose(csr @ x, (k @ spread)[k.unknowns()], rtol=1e-10)
        forces = space.load("z+", (1.0, 2.0, 3.0))
        q = scipy.sparse.linalg.spsolve(csr.tocsc(), space.restrict(forces))
        u = space.solve(form, forces, tolerance=1e-10).u
        np.testing.assert_allclose(space.expand(q), u, atol=1e-7 * abs(u).max())
        answer = setka.cg(space.operator(form), space.vector(forces), setka.amg(k), tolerance=1e-10)
        np.testing.assert_allclose(space.field(answer.x), u, atol=1e-6 * abs(u).max())

    def test_sums_of_forms(self):
        _, space = bar((2, 2, 2))
        a, b = setka.elasticity(1.0, 0.3), setka.mass(5.0)
        both = space.matrix(a, b).tocsr()
        self.assertLess(abs(both - space.matrix(a).tocsr() - space.matrix(b).tocsr()).max(), 1e-12)
        ones = np.tile([0.0, 0.0, 1.0], space.size // 3)
        self.assertAlmostEqual(ones @ (space.operator(b) @ ones), 30.0)


class Modes(unittest.TestCase):
    def test_a_rod_that_swings_along(self):
        # Between fixed ends along z alone: c / (2 L) times 1, 2, ..
        mesh, space = bar((1, 1, 60), (1, 1, 10))
        everything = lambda x: x[:, 0] > -1  # noqa: E731
        space.fix(everything, [0, 1]).fix("z-").fix("z+")
        modes = space.modes(setka.elasticity(100.0, 0.0), setka.mass(1.0), 3)
        np.testing.assert_allclose(modes.frequencies, 0.5 * np.arange(1, 4), rtol=5e-3)
        self.assertEqual(modes.shapes.shape, (3, len(mesh.points), 3))
        first = modes.shapes[0, :, 2]
        np.testing.assert_allclose(abs(first) / abs(first).max(), np.sin(np.pi * mesh.points[:, 2] / 10), atol=1e-3)

    def test_the_same_as_a_deck(self):
        with tempfile.TemporaryDirectory() as folder:
            setka.write_example("block", folder + "/block.inp", size=2500, element="C3D8", modes=4)
            deck = setka.read_deck(folder + "/block.inp")
            job = deck.run(device="cpu")
            fixed = np.flatnonzero((abs(job.frames[0]["U"]).max(axis=1) == 0) & (abs(job.frames[1]["U"]).max(axis=1) == 0))
            text = pathlib.Path(folder + "/block.inp").read_text().upper()
        lines = text.splitlines()
        young, poisson = (float(word) for word in lines[next(i for i, line in enumerate(lines)
                                                               if line.startswith("*ELASTIC")) + 1].split(",")[:2])
        density = float(lines[next(i for i, line in enumerate(lines) if line.startswith("*DENSITY")) + 1].split(",")[0])
        space = setka.Space(deck.mesh).fix(fixed)
        modes = space.modes(setka.elasticity(young, poisson), setka.mass(density), 4)
        np.testing.assert_allclose(modes.frequencies, job.frequencies, rtol=1e-5)


class Motions(unittest.TestCase):
    def test_a_mode_swings_with_its_period(self):
        _, space = bar((1, 1, 10), (1, 1, 5))
        space.fix("z-")
        form, mass = setka.elasticity(100.0, 0.3), setka.mass(1.0)
        modes = space.modes(form, mass, 1, tolerance=1e-10)
        period = 1 / modes.frequencies[0]
        for preconditioner in ("auto", "jacobi"):
            motion = space.motion(form, mass, preconditioner=preconditioner, tolerance=1e-10)
            motion.set_state(modes.shapes[0], np.zeros_like(modes.shapes[0]))
            for _ in range(100):
                motion.advance(period / 100)
            self.assertAlmostEqual(motion.time, period)
            np.testing.assert_allclose(motion.u, modes.shapes[0], atol=5e-3 * abs(modes.shapes[0]).max())
            self.assertAlmostEqual(sum(motion.energies) / (modes.eigenvalues[0] / 2), 1, places=4)

    def test_a_load_that_stays_is_carried_in_the_end(self):
        mesh, space = bar((1, 1, 4), (1, 1, 2))
        space.fix("z-")
        form, mass = setka.elasticity(100.0, 0.3), setka.mass(1.0)
        load = space.load("z+", (0, 0, 1.0))
        motion = space.motion(form, mass, load, damping=(5.0, 0.05), tolerance=1e-9)
        for _ in range(300):
            motion.advance(0.05)
        np.testing.assert_allclose(motion.u, space.solve(form, load).u, atol=1e-6)
        self.assertLess(abs(motion.v).max(), 1e-5)

    def test_operators_without_a_matrix(self):
        _, space = bar((1, 1, 3), (1, 1, 3))
        space.fix("z-")
        form, mass = setka.elasticity(10.0, 0.3), setka.mass(1.0)
        load = space.vector(space.load("z+", (0, 0, 1.0)))
        u = []
        for kind in (space.matrix, space.operator):
            motion = setka.Motion(kind(form), kind(mass), [load], tolerance=1e-10)
            for _ in range(5):
                motion.advance(0.1, [2.0])
            u.append(motion.u)
        np.testing.assert_allclose(u[0], u[1], atol=1e-7)


class Meshes(unittest.TestCase):
    def volume(self, mesh):
        space = setka.Space(mesh, 1)
        return float(space.load(density=1.0).sum())

    def test_every_cell_of_meshio_is_the_same_inside(self):
        corners = np.array([[0, 0, 0], [2, 0, 0], [0, 3, 0], [0, 0, 4.0]])
        edges = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]
        ten = np.vstack([corners, [(corners[a] + corners[b]) / 2 for a, b in edges]])
        self.assertAlmostEqual(self.volume(setka.Mesh(corners, {"tetra": [range(4)]})), 4.0)
        self.assertAlmostEqual(self.volume(setka.Mesh(ten, {"tetra10": [range(10)]})), 4.0)
        cube = setka.box((1, 1, 1))
        own = cube.points[cube.cells["hexahedron"][0]]
        pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
        twenty = np.vstack([own, [(own[a] + own[b]) / 2 for a, b in pairs]])
        for kind in ("hexahedron20", "C3D20R", "C3D20"):
            self.assertAlmostEqual(self.volume(setka.Mesh(twenty, {kind: [range(20)]})), 1.0)
        wedge = own[[0, 1, 2, 4, 5, 6]]
        sides = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
        fifteen = np.vstack([wedge, [(wedge[a] + wedge[b]) / 2 for a, b in sides]])
        self.assertAlmostEqual(self.volume(setka.Mesh(wedge, {"wedge": [range(6)]})), 0.5)
        self.assertAlmostEqual(self.volume(setka.Mesh(fifteen, {"wedge15": [range(15)]})), 0.5)
        self.assertAlmostEqual(self.volume(setka.box((3, 4), (2, 5))), 10.0)

    def test_to_meshio_and_back(self):
        try:
            import meshio
        except ImportError:
            self.skipTest("no meshio; install python3-meshio")
        mesh = setka.box((2, 2, 2))
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "cube.vtu")
            mesh.to_meshio({"U": mesh.points}).write(name)
            again = setka.read_mesh(name)
            np.testing.assert_array_equal(again.points, mesh.points)
            np.testing.assert_array_equal(again.cells["hexahedron"], mesh.cells["hexahedron"])
            np.testing.assert_array_equal(meshio.read(name).point_data["U"], mesh.points)

    def test_gmsh_with_its_groups(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "tetra.msh")
            pathlib.Path(name).write_text(
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"base\"\n3 2 \"body\"\n$EndPhysicalNames\n"
                "$Nodes\n4\n1 0 0 0\n2 2 0 0\n3 0 3 0\n4 0 0 4\n$EndNodes\n"
                "$Elements\n2\n1 2 2 1 1 1 3 2\n2 4 2 2 1 1 2 3 4\n$EndElements\n")
            mesh = setka.read_mesh(name)
        np.testing.assert_array_equal(np.sort(mesh.nodes("BASE")), [0, 1, 2])
        self.assertIn("BODY", mesh.element_sets)
        self.assertAlmostEqual(self.volume(mesh), 4.0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
