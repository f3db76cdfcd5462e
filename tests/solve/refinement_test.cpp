// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/refinement.hpp"

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

class RefinementOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(RefinementOn);

TEST_P(RefinementOn, is_a_direct_solver_with_a_factorisation) {
  if (!Cholesky::available()) GTEST_SKIP() << "this build has no Cholesky factorisation";
  const test::Entries entries = test::convection_diffusion(30, 20, 0);
  const auto a = entries.on(device());
  Cholesky factor;
  ASSERT_EQ(factor.factorise(sparse::upper_triangle(entries.matrix(exec::Device::cpu(1)))), -1);
  const CholeskyInverse inverse(device(), a->rows(), factor);
  const std::vector<double> truth = test::random_values<double>(a->rows(), 1);
  const exec::Array<double> exact(device(), truth);
  exec::Array<double> b(device(), a->rows());
  a->apply(device(), exact, b);
  exec::Array<double> x(device(), std::vector<double>(truth.size(), 0.0));
  Monitor monitor;
  const Outcome outcome = Refinement({1e-14}).solve(device(), *a, inverse, b, x, monitor);
  EXPECT_EQ(outcome.status, Status::converged);
  EXPECT_LE(outcome.iterations, 2);
  const std::vector<double> found = x.to_vector();
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_NEAR(found[i], truth[i], 1e-11) << i;

  // Columns, with others beside them.
  constexpr std::int64_t columns = 3;
  constexpr std::int64_t room = 4;
  const std::vector<double> wide = test::random_values<double>(a->rows() * room, 2);
  const exec::Array<double> from(device(), wide);
  exec::Array<double> between(device(), std::vector<double>(wide.size(), 7.0));
  exec::Array<double> back(device(), std::vector<double>(wide.size(), 7.0));
  const auto some = [&](exec::Array<double>& values) {
    return exec::MultiView<double>{values.data(), a->rows(), columns, room};
  };
  a->apply(device(), exec::MultiView<const double>{from.data(), a->rows(), columns, room}, some(between));
  inverse.apply(device(), some(between), some(back));
  const std::vector<double> same = back.to_vector();
  for (std::size_t i = 0; i < same.size(); ++i)
    EXPECT_NEAR(same[i], i % room < columns ? wide[i] : 7.0, 1e-11) << i;
}

TEST_P(RefinementOn, says_how_it_ended) {
  const auto a = test::convection_diffusion(10, 10, 0).on(device());
  const exec::Array<double> b(device(), std::vector<double>(100, 1.0));
  Monitor monitor;
  const auto status = [&](double scale, const SolverOptions& options) {
    exec::Array<double> x(device(), std::vector<double>(100, 0.0));
    const ScaledOperator m(scale, std::make_shared<const IdentityOperator>(device(), 100));
    return Refinement(options).solve(device(), *a, m, b, x, monitor);
  };
  // Richardson's iteration: eigenvalues of A are between 0 and 8.
  EXPECT_EQ(status(0.24, {1e-6}).status, Status::converged);
  EXPECT_EQ(status(0.24, {1e-6, 5}).status, Status::max_iterations);
  EXPECT_EQ(status(0.24, {1e-6, 5}).iterations, 5);
  EXPECT_EQ(status(0, {1e-6, 1000, 10}).status, Status::stagnated);
  EXPECT_EQ(status(1e30, {1e-6, 1000, 1000}).status, Status::not_a_number);
}

}  // namespace
}  // namespace setka::solve
