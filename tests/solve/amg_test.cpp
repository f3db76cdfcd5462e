// SPDX-FileCopyrightText: 2026 the Setka authors
// SPDX-License-Identifier: BSD-3-Clause
#include "setka/solve/amg.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "setka/base/error.hpp"
#include "setka/exec/array.hpp"
#include "setka/exec/vector.hpp"
#include "setka/solve/block_csr_operator.hpp"
#include "setka/solve/cg.hpp"
#include "solve/elastic_block.hpp"
#include "solve/refreshed.hpp"
#include "support/on_device.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace setka::solve {
namespace {

class AmgOn : public test::OnDevice {};
SETKA_ON_ALL_DEVICES(AmgOn);

/// Solves for a known answer; the outcome, and how far the answer is off.
struct Solved {
  Outcome outcome;
  double error = 0;  // largest, relative to the largest entry
};

Solved solve_for_known(const exec::Device& device, const test::ElasticSystem& made, double tolerance = 1e-8,
                       const AmgOptions& of_levels = {}) {
  Monitor monitor;
  const Amg amg(device, made.system.matrix, made.geometry, of_levels, monitor);
  const BlockCsrOperator a(made.system.matrix.to(device));
  std::vector<double> known(static_cast<std::size_t>(made.space.size()), 0.0);
  const auto values = test::random_values<double>(static_cast<std::int64_t>(known.size()), 17);
  for (const std::int32_t place : made.space.places())
    known[static_cast<std::size_t>(place)] = values[static_cast<std::size_t>(place)];
  const exec::Array<double> truth(device, known);
  exec::Array<double> b(device, a.rows());
  exec::Array<double> x(device, a.rows());
  a.apply(device, truth, b);
  exec::fill(device, x, 0.0);
  SolverOptions options;
  options.tolerance = tolerance;
  options.max_iterations = 500;
  Solved solved;
  solved.outcome = Cg(options).solve(device, a, amg, b, x, monitor);
  const std::vector<double> answer = x.to_vector();
  for (std::size_t i = 0; i < known.size(); ++i)
    solved.error = std::max(solved.error, std::abs(answer[i] - known[i]));
  return solved;
}

TEST_P(AmgOn, iterations_hardly_grow_with_the_mesh) {
  std::vector<int> iterations;
  for (const int n : {4, 8, 16, 24}) {
    test::ElasticBlock block;
    block.cells = {n, n, n};
    const Solved solved = solve_for_known(device(), test::assemble(block));
    EXPECT_EQ(solved.outcome.status, Status::converged) << n;
    EXPECT_LE(solved.outcome.residual, 1e-8) << n;
    EXPECT_LT(solved.error, 1e-5) << n;
    iterations.push_back(solved.outcome.iterations);
  }
  EXPECT_LE(iterations[3], 1.5 * iterations[1]) << ::testing::PrintToString(iterations);
  EXPECT_LE(iterations[3], 20) << ::testing::PrintToString(iterations);
}

TEST_P(AmgOn, solves_what_is_hard) {
  test::ElasticBlock plate;
  plate.cells = {24, 24, 3};
  plate.size = {1, 1, 0.02};
  test::ElasticBlock nearly_incompressible;
  nearly_incompressible.poisson = 0.499;
  test::ElasticBlock layers;
  layers.cells = {12, 12, 12};
  layers.modulus = [](double, double, double z) { return z < 0.5 ? 2.1e11 : 2.1e7; };
  test::ElasticBlock behind_a_soft_support;  // a stiff body that hangs by a soft layer
  behind_a_soft_support.cells = {12, 6, 6};
  behind_a_soft_support.modulus = [](double x, double, double) { return x < 0.1 ? 2.1e5 : 2.1e11; };
  for (const auto& [name, block] :
       {std::pair{"plate", plate}, std::pair{"nearly incompressible", nearly_incompressible},
        std::pair{"layers", layers}, std::pair{"soft support", behind_a_soft_support}}) {
    const Solved solved = solve_for_known(device(), test::assemble(block));
    EXPECT_EQ(solved.outcome.status, Status::converged)
        << name << ": residual " << solved.outcome.residual << " after " << solved.outcome.iterations;
    RecordProperty(name, solved.outcome.iterations);
  }
}

/// A long thin plate with a hierarchy whose first coarse level needs more than one visit.
test::ElasticSystem strip() {
  test::ElasticBlock block;
  block.cells = {60, 6, 2};
  block.size = {3, 0.3, 0.04};
  return test::assemble(block);
}
AmgOptions deep_hierarchy(int max_visits = 4) {
  AmgOptions options;
  options.max_coarse_size = 60;
  options.max_visits = max_visits;
  return options;
}

TEST_P(AmgOn, visits_a_level_until_little_is_left_of_an_error) {
  const test::ElasticSystem made = strip();
  const auto levels_of = [&](const test::ElasticSystem& of, const AmgOptions& options) {
    Monitor monitor;
    return Amg(device(), of.system.matrix, of.geometry, options, monitor).levels();
  };
  const auto visits = levels_of(made, deep_hierarchy());
  ASSERT_GT(visits.size(), 2U);
  EXPECT_EQ(visits.front().visits, 1);
  EXPECT_GT(visits[1].visits, 1);
  EXPECT_LE(visits[1].visits, 4);
  EXPECT_EQ(visits.back().visits, 1);  // is solved directly
  for (const Amg::LevelInfo& level : levels_of(made, deep_hierarchy(1))) EXPECT_EQ(level.visits, 1);
  test::ElasticBlock compact;
  compact.cells = {16, 16, 16};
  for (const Amg::LevelInfo& level : levels_of(test::assemble(compact), {})) EXPECT_EQ(level.visits, 1);
  const int once = solve_for_known(device(), made, 1e-8, deep_hierarchy(1)).outcome.iterations;
  const Solved now = solve_for_known(device(), made, 1e-8, deep_hierarchy());
  EXPECT_EQ(now.outcome.status, Status::converged);
  EXPECT_LE(now.outcome.iterations, 13);  // 10, and 17 with one visit
  EXPECT_LT(now.outcome.iterations, once);
}

/// A body with a smoother too weak for one visit; the strip would show the rounding of its stiffness.
test::ElasticSystem thick() {
  test::ElasticBlock block;
  block.cells = {12, 12, 6};
  return test::assemble(block);
}
AmgOptions weak_smoother() {
  AmgOptions options;
  options.max_coarse_size = 30;
  options.smoother_degree = 1;
  options.smoothing_ratio = 1.01;
  return options;
}

TEST_P(AmgOn, is_symmetric) {
  const test::ElasticSystem made = thick();
  Monitor monitor;
  const Amg amg(device(), made.system.matrix, made.geometry, weak_smoother(), monitor);
  ASSERT_GT(amg.levels()[1].visits, 1);
  const exec::Array<double> x(device(), test::random_values<double>(amg.rows(), 1));
  const exec::Array<double> y(device(), test::random_values<double>(amg.rows(), 2));
  exec::Array<double> mx(device(), amg.rows());
  exec::Array<double> my(device(), amg.rows());
  amg.apply(device(), x, mx);
  amg.apply(device(), y, my);
  const double size = exec::norm(device(), x) * exec::norm(device(), my);
  EXPECT_NEAR(exec::dot(device(), mx, y), exec::dot(device(), x, my), 1e-5 * size);  // single precision
  EXPECT_GT(exec::dot(device(), x, mx), 0);
}

TEST_P(AmgOn, columns_of_a_block_like_single_vectors) {
  const test::ElasticSystem made = thick();
  Monitor monitor;
  const Amg amg(device(), made.system.matrix, made.geometry, weak_smoother(), monitor);
  ASSERT_GT(amg.levels()[1].visits, 1);
  for (const std::int64_t columns : {3, 1, 8, 16, 70, 5}) {  // the workspace grows, and stays
    const std::int64_t stride = columns + columns % 2;       // odd ones: a view of leading columns
    const auto values = test::random_values<double>(amg.rows() * stride, 3);
    const exec::MultiVector<double> x(device(), amg.rows(), stride, values);
    exec::MultiVector<double> y(device(), amg.rows(), stride);
    amg.apply(device(), x.view().leading_columns(columns), y.view().leading_columns(columns));
    const std::vector<double> together = y.values().to_vector();
    for (std::int64_t j = 0; j < columns; j += 1 + columns / 4) {
      std::vector<double> column;
      std::vector<double> computed;
      for (std::int64_t i = 0; i < amg.rows(); ++i) {
        column.push_back(values[static_cast<std::size_t>(i * stride + j)]);
        computed.push_back(together[static_cast<std::size_t>(i * stride + j)]);
      }
      const exec::Array<double> alone(device(), column);
      exec::Array<double> answer(device(), amg.rows());
      amg.apply(device(), alone, answer);
      // Sums of some hundred terms in another order, on each of the levels.
      EXPECT_TRUE(test::all_near(computed, answer.to_vector(),
                                 test::rounding<float>(100, exec::largest(device(), answer))))
          << "column " << j << " of " << columns;
    }
  }
}

TEST_P(AmgOn, its_first_coarse_level_is_the_finest_seen_from_there) {
  test::ElasticBlock block;
  block.cells = {10, 9, 8};
  const auto made = test::assemble(block);
  const sparse::BlockCsr<double> a = made.system.matrix.to(device());
  Monitor monitor;
  AmgOptions options;
  EXPECT_EQ(Amg(device(), a, made.geometry, options, monitor).coarse(), nullptr);
  options.keeps_coarse = true;
  Amg amg(device(), a, made.geometry, options, monitor);
  ASSERT_NE(amg.coarse(), nullptr);
  const std::vector<double> kept = amg.coarse()->value().to_vector();
  const std::vector<double> again = amg.coarse_of(a).value().to_vector();
  ASSERT_EQ(again.size(), kept.size());
  double largest = 0;
  for (const double value : kept) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < kept.size(); ++i)  // its prolongation is in single precision
    ASSERT_NEAR(again[i], kept[i], 1e-5 * largest) << i;

  // x'P'A P x = (P x)'A(P x), and B below is near enough to the inverse of P'AP for a step to gain.
  const BlockCsrOperator coarse(*amg.coarse());
  const std::int64_t few = coarse.rows();
  const exec::Stream stream = device();
  const exec::Array<double> x(device(), test::random_values<double>(2 * few, 5));
  exec::Array<double> ax(device(), 2 * few);
  exec::Array<double> bax(device(), 2 * few);
  exec::Array<double> px(device(), 2 * a.scalar_rows());
  exec::Array<double> apx(device(), 2 * a.scalar_rows());
  const exec::MultiView<double> fine{px.data(), a.scalar_rows(), 2, 2};
  const exec::MultiView<double> load{ax.data(), few, 2, 2};
  coarse.apply(stream, {x.data(), few, 2, 2}, load);
  amg.prolong(stream, {x.data(), few, 2, 2}, fine);
  BlockCsrOperator(a).apply(stream, fine, {apx.data(), a.scalar_rows(), 2, 2});
  const double energy = exec::dot<double>(stream, x, ax);
  EXPECT_NEAR(exec::dot<double>(stream, px, apx), energy, 1e-5 * energy);
  amg.apply_below(stream, load, {bax.data(), few, 2, 2});
  exec::axpby<double>(stream, 1, x, -1, bax);  // x - B A x
  exec::Array<double> rest(device(), 2 * few);
  coarse.apply(stream, {bax.data(), few, 2, 2}, {rest.data(), few, 2, 2});
  EXPECT_LT(exec::dot<double>(stream, bax, rest), 0.5 * energy);
  amg.release_coarse();
  EXPECT_EQ(amg.coarse(), nullptr);
}

TEST_P(AmgOn, a_refresh_is_as_good_as_a_new_one) {
  test::ElasticBlock block;
  block.cells = {10, 8, 8};
  test::expect_refresh_as_good_as_new(device(), block);
  const test::ElasticSystem made = test::assemble(block);
  Monitor monitor;
  Amg fixed(device(), made.system.matrix, made.geometry, AmgOptions{}, monitor);
  EXPECT_THAT([&] { fixed.refresh(made.system.matrix, monitor); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("refreshable")));
}

TEST_P(AmgOn, refuses_modes_that_do_not_fit) {
  test::ElasticBlock block;
  block.cells = {2, 2, 2};
  test::ElasticSystem made = test::assemble(block);
  std::vector<double> short_of_one = made.geometry.mode.on_host();
  short_of_one.pop_back();
  made.geometry.mode = std::move(short_of_one);
  Monitor monitor;
  EXPECT_THAT([&] { Amg(device(), made.system.matrix, made.geometry, AmgOptions{}, monitor); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("Amg: matrix of 18 block rows")));
}

}  // namespace
}  // namespace setka::solve
