// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fem/ccx_reference.hpp"
#include "fem/solids.hpp"
#include "setka/fem/element.hpp"
#include "setka/fem/incompatible_kernel.hpp"
#include "support/tolerance.hpp"

namespace setka::fem::test {
namespace {

/// ccx prints seven digits in .dat and six in .frd files; the largest value of a table sets its scale.
constexpr double dat_digits = 1e-6;
constexpr double frd_digits = 1e-5;

const Dense elasticity = isotropic(1000, 0.3);

class Ccx : public ::testing::TestWithParam<Reference> {};

TEST_P(Ccx, GivesTheDisplacementsAndStressesOfAMixedLoad) {
  const Reference& r = GetParam();
  const int n = nodes_of(r.type);
  const int p = point_count(r.type);
  const std::size_t size = r.x.size();
  const std::vector<double> d = at_points(r.type, elasticity);

  Dense k = stiffness_of(r.type, r.x, elasticity);
  std::vector<double> part(size);
  std::vector<double> f(size);
  const auto add = [&](double factor) {
    for (std::size_t i = 0; i < size; ++i) f[i] += factor * part[i];
  };
  for (int face = 0; face < mesh::face_count(fem::cell_of(r.type)); ++face) {
    face_pressure(r.type, face, r.x, 1.5 + face * face, part);
    add(1);
  }
  std::vector<double> gravity;
  for (int q = 0; q < p; ++q) gravity.insert(gravity.end(), {7 * 3 * 0.6, 0, 7 * 3 * 0.8});
  body_force(r.type, r.x, gravity, part);
  add(1);
  std::vector<double> nodal(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) nodal[static_cast<std::size_t>(i)] = (7 * i * i + 3 * i) % 23 - 5;
  std::vector<double> temperature(static_cast<std::size_t>(p));
  point_temperatures(r.type, nodal, temperature);
  std::vector<double> thermal(static_cast<std::size_t>(6 * p));
  for (std::size_t q = 0; q < temperature.size(); ++q) {
    for (std::size_t c = 0; c < 3; ++c) thermal[6 * q + c] = -0.01 * temperature[q] * 1000 / (1 - 2 * 0.3);
  }
  internal_force(r.type, r.x, thermal, part, d);
  add(-1);

  for (const int row : r.fixed) {
    for (std::int64_t i = 0; i < k.rows(); ++i) k(row, i) = k(i, row) = i == row ? 1 : 0;
    f[static_cast<std::size_t>(row)] = 0;
  }
  const Dense solved = solution(k, setka::test::from_rows(f, k.rows(), 1));
  const std::span<const double> u = solved.values();
  EXPECT_TRUE(setka::test::all_near(u, r.displacements, dat_digits * largest(r.displacements)));

  std::vector<double> e(static_cast<std::size_t>(6 * p));
  strains(r.type, r.x, u, d, e, thermal);
  std::vector<double> stress = thermal;
  for (std::size_t q = 0; q < temperature.size(); ++q) {
    const std::vector<double> s = elasticity * std::span(e).subspan(6 * q, 6);
    for (std::size_t c = 0; c < 6; ++c) stress[6 * q + c] += s[c];
  }
  EXPECT_TRUE(setka::test::all_near(stress, r.stresses, 10 * dat_digits * largest(r.stresses)));

  std::vector<double> at_nodes(static_cast<std::size_t>(6 * n));
  extrapolate(r.type, 6, stress, at_nodes);
  EXPECT_TRUE(setka::test::all_near(at_nodes, r.nodal_stresses, frd_digits * largest(r.nodal_stresses)));
}

TEST_P(Ccx, GivesTheReactionsToPrescribedDisplacements) {
  const Reference& r = GetParam();
  const int n = nodes_of(r.type);
  std::vector<double> u;
  for (int i = 0; i < n; ++i) {
    for (int c = 0; c < 3; ++c) u.push_back(0.001 * ((5 * i * i + 3 * c * i + 7 * c + 2) % 11 - 5));
  }
  EXPECT_TRUE(setka::test::all_near(stiffness_of(r.type, r.x, elasticity) * u, r.reactions,
                                    dat_digits * largest(r.reactions)));
}

TEST_P(Ccx, GivesTheMass) {
  const Reference& r = GetParam();
  const int rows = 3 * nodes_of(r.type);
  Dense m(rows, rows);
  mass(r.type, r.x, 7, m.values());
  std::vector<double> v;
  for (int j = 0; j < rows; ++j) v.push_back((j * j + 3 * j) % 7 - 3);
  EXPECT_TRUE(setka::test::all_near(m * v, r.mass_product, 1e-11 * largest(r.mass_product)));
}

INSTANTIATE_TEST_SUITE_P(Solids, Ccx, ::testing::ValuesIn(ccx_references()),
                         [](const auto& param) { return std::string(fem::name(param.param.type)); });

/// Of A x = lambda B x, ascending; B is definite.
std::vector<double> generalised_eigenvalues(ConstDenseView a, ConstDenseView b) {
  const DenseCholesky cholesky{Dense(b)};
  Dense reduced(a);
  cholesky.solve_lower(reduced);
  cholesky.solve_transposed_on_right(reduced);
  return eigenvalues(reduced);
}

/// C3D8I in an eigenvalue problem: nodes 1 to 4 of the element above fixed, *FREQUENCY prints 0.1113262E+02
/// and 0.1417981E+02. There the internal modes are unknowns with mass, which is singular; eliminated
/// statically they bound the eigenvalues from above.
TEST(CcxIncompatible, GivesTheEigenvaluesWithItsModesAndBoundsThemWithout) {
  for (const Reference& r : ccx_references()) {
    if (r.type != fem::Element::hex8_incompatible) continue;
    const std::vector<double> d = at_points(r.type, elasticity);
    Dense whole_k(33, 33);
    Dense scalar(11, 11);
    kernel::Incompatible::whole_stiffness(r.x.data(), d.data(), whole_k.values().data());
    kernel::Incompatible::whole_mass(r.x.data(), 7, scalar.values().data());
    Dense whole_m(33, 33);
    for (int i = 0; i < 33; ++i) {
      for (int j = i % 3; j < 33; j += 3) whole_m(i, j) = scalar(i / 3, j / 3);
    }
    const std::vector<double> inverse =
        generalised_eigenvalues(whole_m.view().block(12, 12, 21, 21), whole_k.view().block(12, 12, 21, 21));
    EXPECT_NEAR(1 / inverse[20], 11.13262, 1e-5);
    EXPECT_NEAR(1 / inverse[19], 14.17981, 1e-5);

    const Dense k = stiffness_of(r.type, r.x, elasticity);
    Dense m(24, 24);
    mass(r.type, r.x, 7, m.values(), d);
    const double lowest =
        generalised_eigenvalues(k.view().block(12, 12, 12, 12), m.view().block(12, 12, 12, 12)).front();
    EXPECT_GT(lowest, 11.13262);
    EXPECT_LT(lowest, 1.15 * 11.13262);
  }
}

}  // namespace
}  // namespace setka::fem::test
