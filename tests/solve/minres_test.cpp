// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/minres.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/solve/amg.hpp"
#include "setka/solve/cg.hpp"
#include "setka/solve/matrix_system.hpp"
#include "solve/grid_systems.hpp"
#include "solve/solver_on.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"

namespace setka::solve {
namespace {

using test::Entries;
using test::largest_difference;

class MinresOn : public test::SolverOn<Minres, SolverOptions> {
 protected:
  OperatorPointer diagonal(const std::vector<double>& entries) const {
    const auto n = static_cast<std::int32_t>(entries.size());
    Entries list(n, n);
    for (std::int32_t i = 0; i < n; ++i) list.add(i, i, entries[static_cast<std::size_t>(i)]);
    return list.on(device());
  }
};
SETKA_ON_ALL_DEVICES(MinresOn);

TEST_P(MinresOn, takes_as_many_iterations_as_there_are_eigenvalues) {
  std::vector<double> entries;
  for (int i = 0; i < 1000; ++i) entries.push_back(std::vector<double>{-3, -1, 2, 5}[i % 4]);
  const std::vector<double> b = test::random_values<double>(1000, 1);
  const Solved solved = solve(*diagonal(entries), b, {1e-12});
  EXPECT_EQ(solved.outcome.status, Status::converged);
  EXPECT_LE(solved.outcome.iterations, 4);
  EXPECT_EQ(solved.outcome.history.size(), static_cast<std::size_t>(solved.outcome.iterations) + 1);
  EXPECT_DOUBLE_EQ(solved.outcome.history.front(), 1);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(solved.x[i], b[i] / entries[i], 1e-11);
}

TEST_P(MinresOn, never_has_a_larger_residual_than_conjugate_gradients) {
  const auto a = test::convection_diffusion(17, 13, 0).on(device());
  const std::vector<double> b = test::random_values<double>(17 * 13, 2);
  const Solved solved = solve(*a, b, {1e-10});
  EXPECT_EQ(solved.outcome.status, Status::converged);
  const exec::Array<double> right(device(), b);
  exec::Array<double> x(device(), std::vector<double>(b.size(), 0.0));
  Monitor monitor;
  const Outcome cg =
      Cg({1e-10}).solve(device(), *a, IdentityOperator(device(), a->rows()), right, x, monitor);
  ASSERT_GE(cg.history.size(), solved.outcome.history.size());
  for (std::size_t k = 0; k + 1 < solved.outcome.history.size(); ++k) {
    EXPECT_LE(solved.outcome.history[k], cg.history[k] * (1 + 1e-8)) << k;
    EXPECT_LE(solved.outcome.history[k + 1], solved.outcome.history[k] * (1 + 1e-12)) << k;
  }
}

TEST_P(MinresOn, the_recurrence_tells_the_plain_norm_of_the_residual) {
  // Indefinite, with a preconditioner that is far from the identity.
  const std::int32_t n = 300;
  Entries list(n, n);
  std::vector<double> inverse;
  for (std::int32_t i = 0; i < n; ++i) {
    const double size = std::pow(10.0, i % 5);
    list.add(i, i, (i % 3 == 0 ? -1 : 1) * size * (2 + i % 7));
    if (i > 0) list.add(i, i - 1, 0.5);
    if (i + 1 < n) list.add(i, i + 1, 0.5);
    inverse.push_back(1 / size);
  }
  const auto a = list.on(device());
  const std::vector<double> b = test::random_values<double>(n, 3);
  for (const int iterations : {1, 2, 5, 9}) {
    const Solved solved = solve(*a, *diagonal(inverse), b, {1e-14, iterations});
    EXPECT_EQ(solved.outcome.status, Status::max_iterations);
    EXPECT_NEAR(solved.outcome.residual, solved.outcome.history.back(), 1e-10 * solved.outcome.residual);
  }
  const Solved solved = solve(*a, *diagonal(inverse), b, {1e-12});
  EXPECT_EQ(solved.outcome.status, Status::converged);
  EXPECT_LE(solved.outcome.residual, 1e-12);
}

TEST_P(MinresOn, stokes_takes_as_many_iterations_on_every_grid) {
  // With multigrid for the velocities and the identity for the pressures, the spectrum depends on no grid.
  // The matrix is singular: pressures are known up to a constant.
  std::vector<int> iterations;
  for (const std::int32_t n : {32, 64, 128}) {
    const test::Stokes stokes(n, true);
    const auto a = stokes.on(device());
    Monitor monitor;
    const auto multigrid = [&](const Entries& entries) {
      const exec::Device cpu = exec::Device::cpu();
      const sparse::BlockCsr<double> matrix = entries.matrix(cpu);
      return std::make_shared<const Amg>(device(), matrix, geometry_of(matrix, {}), AmgOptions{}, monitor);
    };
    const BlockOperator preconditioner(
        {{multigrid(stokes.u), nullptr, nullptr},
         {nullptr, multigrid(stokes.v), nullptr},
         {nullptr, nullptr, std::make_shared<const IdentityOperator>(device(), stokes.pressures)}});
    const std::vector<double> truth = test::random_values<double>(a->rows(), 4);
    Solved solved = solve(*a, preconditioner, product(*a, truth), {1e-11});
    EXPECT_EQ(solved.outcome.status, Status::converged) << n;
    const auto pressure = static_cast<std::size_t>(a->row_offsets()[2]);
    const double constant = solved.x[pressure] - truth[pressure];
    for (std::size_t i = pressure; i < truth.size(); ++i) solved.x[i] -= constant;
    EXPECT_LE(largest_difference(solved.x, truth), 1e-7) << n;
    iterations.push_back(solved.outcome.iterations);
  }
  EXPECT_LE(iterations[2], 1.2 * iterations[0]) << iterations[0] << " and " << iterations[2];
}

TEST_P(MinresOn, a_singular_matrix_gets_an_answer_where_there_is_one) {
  // Free at both ends: 1 -1, -1 2 -1, ..., -1 1.
  const std::int32_t n = 60;
  Entries list(n, n);
  for (std::int32_t i = 0; i + 1 < n; ++i) {
    list.add(i, i, 1);
    list.add(i, i + 1, -1);
    list.add(i + 1, i, -1);
    list.add(i + 1, i + 1, 1);
  }
  const auto a = list.on(device());
  std::vector<double> b(n, 0.0);
  b.front() = 1;
  b.back() = -1;
  const Solved solved = solve(*a, b, {1e-10});
  EXPECT_EQ(solved.outcome.status, Status::converged);
  for (std::size_t i = 0; i + 1 < solved.x.size(); ++i) EXPECT_NEAR(solved.x[i] - solved.x[i + 1], 1, 1e-8);

  b.back() = 1;  // there is none
  const Solved without = solve(*a, b, {1e-10, 1000, 100});
  EXPECT_THAT(without.outcome.status, testing::AnyOf(Status::stagnated, Status::breakdown));
  // What cannot be answered is the mean of b.
  const double least = 2 / std::sqrt(n) / std::sqrt(2.0);
  EXPECT_NEAR(without.outcome.residual, least, 1e-6 * least);
}

TEST_P(MinresOn, says_how_it_failed) {
  const auto a = test::convection_diffusion(20, 20, 0).on(device());
  std::vector<double> b = test::random_values<double>(400, 5);
  EXPECT_EQ(solve(*a, b, {1e-12, 7}).outcome.status, Status::max_iterations);
  EXPECT_EQ(solve(*a, b, {1e-12, 7}).outcome.iterations, 7);

  std::vector<double> negative(400, 1.0);
  for (std::size_t i = 0; i < negative.size(); i += 2) negative[i] = -1;
  EXPECT_EQ(solve(*a, *diagonal(negative), b).outcome.status, Status::not_positive_definite);
  EXPECT_EQ(solve(*diagonal({1, 0}), {0, 1}).outcome.status, Status::breakdown);
  EXPECT_EQ(solve(*diagonal({1, std::numeric_limits<double>::quiet_NaN()}), {1, 1}).outcome.status,
            Status::not_a_number);
  b[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solve(*a, b).outcome.status, Status::not_a_number);

  const exec::Array<double> right(device(), 400);
  exec::Array<double> x(device(), 399);
  Monitor monitor;
  EXPECT_THAT([&] { Minres().solve(device(), *a, *a, right, x, monitor); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("Minres: the operator is [400 x 400]")));
}

TEST_P(MinresOn, nothing_to_do) {
  const auto a = test::convection_diffusion(5, 5, 0).on(device());
  const Solved solved = solve(*a, std::vector<double>(25, 0.0));
  EXPECT_EQ(solved.outcome.status, Status::converged);
  EXPECT_EQ(solved.x, std::vector<double>(25, 0.0));
}

TEST_P(MinresOn, the_same_bits_however_far_ahead_the_host_is) {
  const auto a = test::Stokes(12).on(device());
  const std::vector<double> b = product(*a, test::random_values<double>(a->rows(), 6));
  SolverOptions options{1e-9};
  Solved first;
  for (const int ahead : {1, 3, 7}) {
    options.ahead = ahead;
    Solved solved = solve(*a, b, options);
    EXPECT_EQ(solved.outcome.status, Status::converged);
    if (ahead == 1) first = solved;
    EXPECT_EQ(solved.x, first.x);
    EXPECT_EQ(solved.outcome.history, first.outcome.history);
  }
}

}  // namespace
}  // namespace setka::solve
