// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/energy_cg.hpp"

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/cholesky_inverse.hpp"
#include "setka/sparse/blocked.hpp"
#include "solve/grid_systems.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::solve {
namespace {

class EnergyCgOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(EnergyCgOn);

/// A cube of n nodes each way, each tied to its 26 neighbours and loosely to the ground: a condition number
/// of 1e5, and fronts.
test::Entries cube(int n) {
  test::Entries entries(n * n * n, n * n * n);
  const auto each = [&](const auto& visit) {
    for (int i = 0; i < n * n * n; ++i) visit(i, i / (n * n), i / n % n, i % n);
  };
  each([&](int i, int x, int y, int z) {
    int ties = 0;
    each([&](int j, int u, int v, int w) {
      if (i == j || std::abs(x - u) > 1 || std::abs(y - v) > 1 || std::abs(z - w) > 1) return;
      entries.add(i, j, -1);
      ++ties;
    });
    entries.add(i, i, ties + 5e-4);
  });
  return entries;
}

TEST_P(EnergyCgOn, makes_a_factor_of_single_precision_exact) {
  if (!Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  const test::Entries entries = cube(9);
  const auto a = entries.on(device());
  Cholesky factor;
  ASSERT_EQ(factor.factorise_roughly(sparse::upper_triangle(entries.matrix(exec::Device::cpu(1))), 0), -1);
  ASSERT_TRUE(factor.rough());
  const CholeskyInverse inverse(device(), a->rows(), factor);
  const std::vector<double> truth = test::random_values<double>(a->rows(), 1);
  const exec::Array<double> exact(device(), truth);
  exec::Array<double> b(device(), a->rows());
  a->apply(device(), exact, b);
  exec::Array<double> x(device(), std::vector<double>(truth.size(), 0.0));
  Monitor monitor;
  const Outcome outcome = EnergyCg({1e-12}).solve(device(), *a, inverse, b, x, monitor);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_GT(outcome.iterations, 1);
  EXPECT_LE(outcome.iterations, 6);
  EXPECT_LE(outcome.history.back(), 1e-12);
  EXPECT_EQ(outcome.history.size(), static_cast<std::size_t>(outcome.iterations));
  EXPECT_LT(outcome.residual, 1e-12);
  const std::vector<double> found = x.to_vector();
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(found[i], truth[i], 1e-9) << i;
}

TEST_P(EnergyCgOn, says_how_it_ended) {
  const auto a = test::convection_diffusion(10, 10, 0).on(device());
  Monitor monitor;
  const auto ended = [&](double scale, double right, const SolverOptions& options) {
    const exec::Array<double> b(device(), std::vector<double>(100, right));
    exec::Array<double> x(device(), std::vector<double>(100, 0.0));
    const ScaledOperator m(scale, std::make_shared<const IdentityOperator>(device(), 100));
    return EnergyCg(options).solve(device(), *a, m, b, x, monitor);
  };
  EXPECT_EQ(ended(0.24, 1, {1e-6}).status, Status::converged);
  EXPECT_LT(ended(0.24, 1, {1e-6}).residual, 1e-5);
  EXPECT_EQ(ended(0.24, 0, {1e-6}).iterations, 0);
  EXPECT_EQ(ended(0.24, 1, {1e-6, 3}).status, Status::max_iterations);
  EXPECT_EQ(ended(0.24, 1, {1e-6, 3}).iterations, 3);
  EXPECT_EQ(ended(-1, 1, {1e-6}).status, Status::not_positive_definite);
  EXPECT_EQ(ended(0.24, NAN, {1e-6}).status, Status::not_a_number);
}

}  // namespace
}  // namespace setka::solve
